//! What the page asks for, done with the calls that commands and tools use.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use evidence::domain::DomainDecision;
use evidence::{AuthId, AuthStatus, ClaimId, EdgeId, PageId, Stance, TaskId, TaskStatus};
use graph::{AuthTarget, Cause, FindSettings, Graph, Removal};
use jiff::Timestamp;
use page::{
    Board, Changed, Check, CheckState, Engine, Export, House, Later, Limits, ModelRow, NewQuestion,
    Original, Question, Setting, Trouble,
};
use planner::Plan;
use report::{Language, ReportSettings};
use research::TaskSettings;
use research::calls::{BudgetConfig, QueryForm, SourceKind, TaskConfig};
use serde_json::json;
use settings::Section;

use super::DOOR;
use super::investigations::Investigations;
use super::trouble::{broken, trouble};
use crate::cli::answer::settle;
use crate::cli::archive::show::original;
use crate::cli::input::text;
use crate::cli::report::{Format, bytes_of};
use crate::cli::sources::day;
use crate::cli::{config, doctor, engines, models};
use crate::config::Origin;
use crate::failure::Failure;
use crate::feedback;
use crate::mcp::elicitation;
use crate::mcp::server_state::ServerState;
use crate::session::Session;
use crate::tidy;
use crate::words::in_words;

/// Bytes of a document of the user that is shown as it is.
const OWN_BYTES: u64 = 20_000_000;

#[derive(Debug)]
pub(super) struct Desk {
    state: Arc<ServerState>,
    investigations: Investigations,
    library: Vec<PathBuf>,
}

impl Desk {
    pub(super) fn new(
        state: Arc<ServerState>,
        investigations: Investigations,
        library: Vec<PathBuf>,
    ) -> Self {
        Self { state, investigations, library }
    }

    fn session(&self) -> &Session {
        self.state.session()
    }

    /// Does something that may take a while, on a thread for that.
    async fn elsewhere<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<ServerState>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Trouble> {
        let state = Arc::clone(&self.state);
        let done = tokio::task::spawn_blocking(move || work(&state));
        done.await.map_err(broken)?.map_err(trouble)
    }

    /// Changes the graph.
    async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<ServerState>, &Graph) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Trouble> {
        let engine = self.state.lend().await.map_err(trouble)?.called_by(DOOR);
        self.elsewhere(move |state| work(state, engine.graph())).await
    }

    fn plan(&self, asked: NewQuestion) -> Result<Plan, Failure> {
        let max = self.session().settings.task.max_text_chars;
        let question = text("question", &asked.question, max)?;
        let hypothesis =
            asked.hypothesis.as_deref().map(|it| text("hypothesis", it, max)).transpose()?;
        let folders = self.folders();
        let library: Vec<PathBuf> =
            asked.folders.iter().filter_map(|it| folders.get(*it).cloned()).collect();
        let offline = asked.offline || self.offline();
        if library.is_empty() && (offline || asked.sources.is_empty()) {
            let message = match offline {
                true => "offline there is nothing to search without a folder",
                false => "there is nowhere to look: choose sources or a folder",
            };
            return Err(Failure::bad_input(message).hint(|w| &w.hint.web_folder));
        }
        let limits = self.limits();
        let within = |what: &str, given: Option<u32>, most: u32| match given {
            Some(n) if n == 0 || n > most => {
                Err(Failure::bad_input(format!("{what} must be from 1 to {most}")))
            }
            given => Ok(given),
        };
        let all = [SourceKind::Web, SourceKind::Academic, SourceKind::Api];
        let mut sources = match offline {
            true => vec![SourceKind::Library],
            false if all.iter().all(|it| asked.sources.contains(it)) => Vec::new(),
            false => asked.sources,
        };
        if !sources.is_empty() && !library.is_empty() && !sources.contains(&SourceKind::Library) {
            sources.push(SourceKind::Library);
        }
        Ok(Plan::New {
            question,
            hypothesis,
            config: TaskConfig {
                budget: BudgetConfig {
                    max_pages: within("the number of pages", asked.max_pages, limits.most_pages)?,
                    max_seconds: within(
                        "the number of minutes",
                        asked.minutes,
                        limits.most_minutes,
                    )?
                    .map(|it| it * 60),
                },
                sources,
                library,
                offline,
                only: Box::new(QueryForm {
                    after: day(asked.after.as_deref())?,
                    before: day(asked.before.as_deref())?,
                    ..QueryForm::default()
                }),
                ..TaskConfig::default()
            },
        })
    }
}

impl House for Desk {
    fn language(&self) -> Option<Language> {
        self.session().ui.chosen_language()
    }

    fn word(&self, code: &str, language: Language) -> String {
        match language {
            Language::En => code.replace('_', " "),
            Language::Ja => in_words(code, language),
        }
    }

    fn trouble(&self, error: graph::Error) -> Trouble {
        trouble(error)
    }

    fn now(&self) -> Timestamp {
        self.session().now()
    }

    fn offline(&self) -> bool {
        self.session().settings.fetch.offline
    }

    fn folders(&self) -> Vec<PathBuf> {
        let set = self.session().settings.mcp.library.iter().map(PathBuf::from);
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in set.chain(self.library.iter().cloned()) {
            let whole = folder.canonicalize().ok().filter(|it| it.is_dir());
            folders.extend(whole.filter(|it| !folders.contains(it)));
        }
        folders
    }

    fn limits(&self) -> Limits {
        let task = &self.session().settings.task;
        let most = |name| u32::try_from(*TaskSettings::range(name).end()).unwrap_or(u32::MAX);
        Limits {
            pages: task.max_pages,
            most_pages: most("max_pages"),
            minutes: (task.max_seconds / 60).max(1),
            most_minutes: most("max_seconds") / 60,
            most_chars: task.max_text_chars,
        }
    }

    fn report(&self) -> ReportSettings {
        self.session().settings.report.clone()
    }

    fn find(&self) -> FindSettings {
        self.session().settings.find.clone()
    }

    fn board(&self) -> &Board {
        self.investigations.board()
    }

    fn with_graph(&self, ask: &mut dyn FnMut(&Graph)) -> Result<(), Trouble> {
        self.state.with_reader(|graph| ask(graph)).map_err(trouble)
    }

    fn writer_elsewhere(&self) -> bool {
        let writer = graph::writer_of(&self.session().places.database()).ok().flatten();
        writer.is_some_and(|it| !it.starts_with(&format!("process {},", std::process::id())))
    }

    fn begin(&self, question: NewQuestion) -> Later<'_, TaskId> {
        Box::pin(async move {
            let plan = self.plan(question).map_err(trouble)?;
            self.investigations.begin(plan).await
        })
    }

    fn go_on(&self, task: TaskId) -> Later<'_, ()> {
        Box::pin(async move {
            let known = self
                .elsewhere(move |it| Ok(it.with_reader(|graph| graph.read(|r| r.task(task)))??))
                .await?;
            if self.board().is_running(task) {
                return Ok(());
            }
            if matches!(known.status, TaskStatus::Completed | TaskStatus::Failed) {
                return Err(trouble(
                    Failure::bad_input("the question is over").hint(|w| &w.hint.new_research),
                ));
            }
            self.investigations.begin(Plan::Resume { task, online: false }).await.map(drop)
        })
    }

    fn pause(&self, task: TaskId) -> Later<'_, ()> {
        Box::pin(async move {
            if self.board().is_running(task) {
                self.investigations.rest(task, false);
            }
            Ok(())
        })
    }

    fn stop(&self, task: TaskId) -> Later<'_, ()> {
        Box::pin(async move {
            if self.board().is_running(task) {
                self.investigations.rest(task, true);
                return Ok(());
            }
            self.investigations.let_rest(task, true).await
        })
    }

    fn delete(&self, task: TaskId) -> Later<'_, Removal> {
        Box::pin(async move {
            if self.board().is_running(task) {
                return Err(trouble(
                    Failure::bad_input("the question is at work").hint(|w| &w.hint.task_at_work),
                ));
            }
            let removed = self
                .change(move |state, graph| {
                    let strays = tidy::strays(state.session(), graph)?;
                    let files: Vec<String> = strays.into_iter().map(|it| it.file).collect();
                    let removed = graph.delete_task(task)?;
                    graph.to_rewrite(&files)?;
                    tidy::finish(state.session(), graph)?;
                    Ok(removed)
                })
                .await?;
            self.board().forget(task);
            Ok(removed)
        })
    }

    fn correct(&self, edge: EdgeId, says: Stance) -> Later<'_, Changed> {
        Box::pin(async move {
            let it = self
                .change(move |_, graph| feedback::correct_edge(graph, edge, says, None))
                .await?;
            Ok(Changed {
                claim: it.claim.id,
                before: it.confidence_before,
                now: it.confidence_now,
                was: it.feedback.before.and_then(|it| it.parse().ok()).filter(|it| *it != says),
            })
        })
    }

    fn judge_claim(&self, claim: ClaimId, reason: Option<String>) -> Later<'_, Changed> {
        Box::pin(async move {
            let it = self
                .change(move |state, graph| {
                    let policy = state.policy().current();
                    let settings = state.session().settings.verification();
                    let reason = reason.as_deref();
                    Ok(feedback::judge_claim(graph, claim, reason, &policy, &settings)?)
                })
                .await?;
            let (before, now) = (it.confidence_before, it.confidence_now);
            Ok(Changed { claim, before, now, was: None })
        })
    }

    fn settle(&self, entry: AuthId, status: AuthStatus) -> Later<'_, ()> {
        Box::pin(async move {
            self.change(move |_, graph| {
                let target = AuthTarget::Entry(entry);
                let cause = Cause::new("auth_settled").with(json!({ "status": status }));
                graph.write(cause, |w| match status {
                    AuthStatus::Resolved => w.resolve_auth(&target),
                    AuthStatus::Skipped => w.skip_auth(&target),
                    _ => w.fail_auth(&target),
                })?;
                Ok(())
            })
            .await
        })
    }

    fn export(&self, task: TaskId, form: Export) -> Later<'_, Vec<u8>> {
        Box::pin(self.elsewhere(move |state| {
            let session = state.session();
            let format = match form {
                Export::Html => Format::Html,
                Export::Pdf => Format::Pdf,
                Export::Docx => Format::Docx,
                Export::Md => Format::Md,
                Export::Text => Format::Text,
                Export::Csv => Format::Csv,
                Export::Ris => Format::Ris,
                Export::Bibtex => Format::Bibtex,
                Export::CslJson => Format::CslJson,
                Export::Json => Format::Json,
                Export::Graph => {
                    let mut lines = Vec::new();
                    state.with_reader(|graph| graph.export_task(task, &mut lines))??;
                    return Ok(lines);
                }
            };
            let gathered = state.with_reader(|graph| {
                graph.read(|r| {
                    let options = ReportSettings {
                        graph_fingerprint: Some(r.fingerprint(task)?),
                        language: session.ui.chosen_language(),
                        ..session.settings.report.clone()
                    };
                    report::gather(r, task, &options)
                })
            })??;
            bytes_of(&session.ui, &gathered, format)
        }))
    }

    fn original(&self, page: PageId) -> Later<'_, Original> {
        Box::pin(self.elsewhere(move |state| {
            state.with_reader(|graph| {
                let url = graph.read(|r| r.page(page))?.url;
                if let Some(path) = own_file(&url) {
                    return own_document(&path, graph.now());
                }
                let (content_type, bytes, archived_at) = original(state.session(), graph, page)?;
                Ok(Original { content_type, bytes, archived_at })
            })?
        }))
    }

    fn decision(&self, host: String) -> Later<'_, Option<DomainDecision>> {
        Box::pin(self.elsewhere(move |state| {
            let policy = state.policy().current();
            let decided = state.with_reader(|graph| graph.read(|r| r.decide(&host, &policy)))??;
            Ok(Some(decided))
        }))
    }

    fn questions(&self) -> Vec<Question> {
        let open = elicitation::Question::open(self.session()).into_iter();
        open.map(|it| Question {
            id: it.id,
            prompt: it.prompt,
            choices: it.choices,
            asked_at: it.asked_at,
            expires_at: it.expires_at,
        })
        .collect()
    }

    fn answer(&self, question: String, answer: String) -> Later<'_, ()> {
        Box::pin(self.elsewhere(move |state| settle(state.session(), &question, &answer)))
    }

    fn settings(&self, language: Language) -> Vec<Setting> {
        let told = self
            .session()
            .entries
            .iter()
            .filter(|it| !it.field.expert || it.origin != Origin::Default);
        told.map(|it| Setting {
            key: it.key.clone(),
            value: config::shown(it).to_string(),
            origin: in_words(&it.origin.to_string(), language),
            is_default: it.origin == Origin::Default,
        })
        .collect()
    }

    fn models(&self, language: Language) -> Later<'_, Vec<ModelRow>> {
        Box::pin(self.elsewhere(move |state| {
            let found = models::list::found(state.session())?.into_iter();
            let row = |it: models::list::Listed| ModelRow {
                kind: it.about.as_ref().map(|it| in_words(it.kind, language)).unwrap_or_default(),
                languages: it.about.as_ref().map(|it| it.languages.join(" ")).unwrap_or_default(),
                bytes: it.about.as_ref().map_or(0, |it| it.bytes),
                active: it.active,
                problem: it.problem,
                id: it.id,
            };
            Ok(found.map(row).collect())
        }))
    }

    fn engines(&self, language: Language) -> Later<'_, Vec<Engine>> {
        Box::pin(self.elsewhere(move |state| {
            let found = state
                .with_reader(|graph| engines::list::doing(state.session(), graph, language))??;
            let row = |it: engines::list::Doing| Engine {
                name: it.name,
                title: it.title,
                state: it.circuit,
                healthy: it.healthy,
                success: it.success_rate_24h,
                requests_today: it.requests_today,
            };
            Ok(found.into_iter().map(row).collect())
        }))
    }

    fn check_up(&self, language: Language) -> Later<'_, Vec<Check>> {
        Box::pin(self.elsewhere(move |state| {
            let checks = doctor::checks(state.session(), language)?;
            let row = |it: doctor::Check| Check {
                name: it.name.to_owned(),
                state: match it.state {
                    doctor::State::Ok => CheckState::Ok,
                    doctor::State::Note => CheckState::Note,
                    doctor::State::Problem => CheckState::Problem,
                },
                found: it.found,
                hint: it.hint,
            };
            Ok(checks.into_iter().map(row).collect())
        }))
    }
}

/// The file of a page that is a document of the user.
fn own_file(url: &str) -> Option<PathBuf> {
    let url = url::Url::parse(url).ok().filter(|it| it.scheme() == "file")?;
    url.to_file_path().ok()
}

/// A document of the user as it is now.
fn own_document(path: &Path, now: Timestamp) -> Result<Original, Failure> {
    let file = files::open(path)?;
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(file, OWN_BYTES), &mut bytes)?;
    let ending = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let content_type = match &*ending.to_ascii_lowercase() {
        "html" | "htm" => "text/html",
        "pdf" => "application/pdf",
        _ => "text/plain; charset=utf-8",
    };
    Ok(Original { content_type: content_type.to_owned(), bytes, archived_at: now })
}
