//! `lyra sources search`.

use std::path::PathBuf;

use ::sources::apis::Apis;
use ::sources::folders::{Folder, FolderAnswer};
use ::sources::{
    Access, Candidate, Category, EngineSearch, Engines, FROM_CACHE, Query, SourceReport, Sources,
    Wanted, WantedApis,
};
use clap::Args;
use serde::Serialize;

use crate::cli::research::whole;
use crate::failure::{Failure, Hint};
use crate::network::Network;
use crate::session::Session;
use crate::ui::{Column, Table, clean};
use crate::words::{Words, say};

/// Ask the sources what exists, without reading it
///
/// Results are addresses with what their source says about them; papers named by several indexes are shown
/// once. Each source is named with what became of it: what it found, that there is nothing, that it did not
/// let us in, that it was not asked. Requests are in the ledger.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra sources search \"aspirin stroke\" --from academic
  lyra sources search 個人情報保護法 --from egov_law,diet_minutes
  lyra sources search \"night shift\" --folder ~/Documents/papers --from library

Next: `lyra read URL` reads one of the results.")]
pub(crate) struct Search {
    /// What to look for
    query: String,
    /// Sources: `web`, `academic`, `apis`, `library`, or names from `lyra sources list`; may be repeated
    #[arg(long, value_name = "SOURCE", value_delimiter = ',', default_value = "academic,web")]
    from: Vec<String>,
    /// A folder of documents, for `library`; may be repeated
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
    /// Only what was published on this day or later, such as 2024-01-31
    #[arg(long, value_name = "DATE")]
    after: Option<String>,
    /// Only what was published on this day or earlier
    #[arg(long, value_name = "DATE")]
    before: Option<String>,
    /// Only this site, for web engines
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// The language of the results, such as ja
    #[arg(long, value_name = "CODE")]
    language: Option<String>,
    /// Words that must stand in this order; may be repeated
    #[arg(long, value_name = "WORDS")]
    phrase: Vec<String>,
    /// A word that must be there; may be repeated
    #[arg(long, value_name = "WORD")]
    require: Vec<String>,
    /// A word that must not be there; may be repeated
    #[arg(long, value_name = "WORD")]
    exclude: Vec<String>,
    /// Only files of this kind, such as pdf
    #[arg(long, value_name = "ENDING")]
    filetype: Option<String>,
    /// Words that must be in the title
    #[arg(long, value_name = "WORDS")]
    in_title: Option<String>,
    /// The field of the query: engines that are for it go first
    #[arg(long, value_name = "FIELD")]
    category: Option<FieldOf>,
    /// Results wanted from each source
    #[arg(long, value_name = "N", value_parser = super::super::row_limit)]
    limit: Option<usize>,
}

/// What all sources together said.
#[derive(Debug, Default, Serialize)]
struct Answers {
    candidates: Vec<Candidate>,
    sources: Vec<Row>,
}

/// Which sources a search asks.
#[derive(Debug, Default)]
struct Chosen {
    academic: bool,
    /// `None`: no engine; empty: those that Lyra chooses.
    engines: Option<Vec<String>>,
    apis: Vec<String>,
    folders: bool,
}

impl Search {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        if self.query.trim().is_empty() {
            return Err(
                Failure::bad_input("there is nothing to look for").hint(|w| &w.hint.give_query)
            );
        }
        for folder in &self.folder {
            whole(folder)?;
        }
        let (apis, engines) = (session.apis(), session.engines());
        let chosen = self.chosen(&apis, &engines)?;
        let query = Query {
            text: self.query.trim().to_owned(),
            site: self.site.clone(),
            after: day(self.after.as_deref())?,
            before: day(self.before.as_deref())?,
            language: self.language.clone(),
            phrases: self.phrase.clone(),
            required: self.require.clone(),
            excluded: self.exclude.clone(),
            filetype: self.filetype.clone(),
            in_title: self.in_title.clone(),
            category: self.category.map(Category::from),
            limit: self.limit.unwrap_or_default(),
        };
        let mut answers = Answers::default();
        let words = session.ui.words();
        for folder in self.folder.iter().filter(|_| chosen.folders) {
            let mut folder = Folder::new(
                folder,
                session.settings.folders.clone(),
                session.settings.rank.clone(),
            );
            let answer = folder.search(&query);
            answers.add_folder(words, folder.root().display().to_string(), answer);
        }
        if chosen.academic || chosen.engines.is_some() || !chosen.apis.is_empty() {
            let network = session.network()?;
            network.run(async |_| {
                ask(session, &network, (&apis, &engines), &query, &chosen, &mut answers).await
            })??;
        }
        answers.show(session)
    }

    fn chosen(&self, apis: &Apis, engines: &Engines) -> Result<Chosen, Failure> {
        let mut chosen = Chosen { folders: !self.folder.is_empty(), ..Chosen::default() };
        for name in &self.from {
            match name.as_str() {
                "academic" | "semantic_scholar" | "openalex" => chosen.academic = true,
                "web" => chosen.engines = Some(chosen.engines.unwrap_or_default()),
                "apis" => chosen.apis.extend(apis.names_for(None)),
                "library" if self.folder.is_empty() => {
                    return Err(
                        Failure::bad_input("`library` needs a folder").hint(|w| &w.hint.add_folder)
                    );
                }
                "library" => {}
                name if apis.get(name).is_some() => chosen.apis.push(name.to_owned()),
                name if engines.get(name).is_some() => {
                    chosen.engines.get_or_insert_default().push(name.to_owned());
                }
                other => {
                    return Err(Failure::bad_input(format!("there is no source `{other}`"))
                        .hint(|w| &w.hint.sources));
                }
            }
        }
        Ok(chosen)
    }
}

/// A day as it was given, checked.
pub(crate) fn day(given: Option<&str>) -> Result<Option<String>, Failure> {
    let day = given.map(|it| it.parse::<jiff::civil::Date>().map(|day| day.to_string()));
    day.transpose().map_err(|_| {
        let given = given.unwrap_or_default();
        Failure::bad_input(format!("`{given}` is not a day")).hint(|w| &w.hint.day_form)
    })
}

/// A field of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum FieldOf {
    General,
    News,
    Academic,
    Government,
    Technical,
}

impl From<FieldOf> for Category {
    fn from(field: FieldOf) -> Self {
        match field {
            FieldOf::General => Self::General,
            FieldOf::News => Self::News,
            FieldOf::Academic => Self::Academic,
            FieldOf::Government => Self::Government,
            FieldOf::Technical => Self::Technical,
        }
    }
}

/// What became of one source.
#[derive(Debug, Serialize)]
struct Row {
    source: String,
    found: usize,
    access: Access,
    problem: Option<String>,
    notes: Vec<String>,
}

/// Asks everything that goes over the network.
async fn ask(
    session: &Session,
    network: &Network,
    (apis, engines): (&Apis, &Engines),
    query: &Query,
    chosen: &Chosen,
    answers: &mut Answers,
) -> Result<(), Failure> {
    let academic = session.academic();
    let sources = Sources {
        graph: network.graph(),
        fetcher: network.fetcher(),
        engines,
        engine_settings: &session.settings.engines,
        academic: &academic,
        apis,
    };
    let search = |engines: &Vec<String>| EngineSearch {
        engines: engines.clone(),
        ..EngineSearch::default()
    };
    let wanted = Wanted {
        web: chosen.engines.as_ref().map(search),
        academic: chosen.academic,
        apis: WantedApis::Named(chosen.apis.clone()),
        ..Wanted::default()
    };
    let found = sources.ask(query, &wanted).await?;
    answers.candidates.extend(found.works);
    answers.candidates.extend(found.records);
    answers.candidates.extend(found.pages);
    answers.sources.extend(found.reports.into_iter().map(Row::of));
    Ok(())
}

impl Answers {
    fn add_folder(&mut self, words: &Words, name: String, answer: FolderAnswer) {
        let missed = answer.missed.iter().map(|it| format!("{}: {}", it.path.display(), it.detail));
        let mut notes: Vec<String> = answer.notes.into_iter().chain(missed).collect();
        if answer.more_missed > 0 {
            notes.push(say!(words.sources.more_missed, n = answer.more_missed));
        }
        let report = SourceReport::answered(&name, "", answer.candidates.len(), None);
        self.candidates.extend(answer.candidates);
        self.sources.push(Row { notes, ..Row::of(report) });
    }

    fn show(&self, session: &Session) -> Result<(), Failure> {
        let ui = &session.ui;
        if ui.is_json() {
            ui.document(self)?;
        } else {
            let words = ui.words();
            let column = &words.column;
            let mut table = Table::new([
                Column::number("#"),
                Column::exact(&column.source),
                Column::exact(&column.date),
                Column::text(&column.title),
                Column::text(&column.address),
            ]);
            for (place, it) in self.candidates.iter().enumerate() {
                table.row([
                    (place + 1).to_string(),
                    clean(&it.engine),
                    it.date.clone().unwrap_or_default(),
                    clean(&it.title),
                    it.url.to_string(),
                ]);
            }
            if self.candidates.is_empty() {
                ui.note(words.sources.nothing_found.as_str());
            } else {
                ui.print(&table.render(ui.layout(2)))?;
            }
            for it in &self.sources {
                it.show(session);
            }
        }
        let answered = |it: &Row| matches!(it.access, Access::Found | Access::NothingThere);
        let answered = self.sources.iter().any(answered);
        if answered {
            return Ok(());
        }
        let first = self.sources.iter().find_map(|it| it.problem.clone());
        let why = first.unwrap_or_else(|| "no source fits the query".to_owned());
        let message = format!("no source answered: {why}");
        Err(session.no_answer(message, Hint::new(|w| &w.hint.sources_asked)))
    }
}

impl Row {
    fn of(report: SourceReport) -> Self {
        let access = report.access();
        // That nothing was found is what the access says.
        let problem = report.problem.filter(|_| access != Access::NothingThere);
        Self { source: report.source, found: report.found, access, problem, notes: report.notes }
    }

    fn show(&self, session: &Session) {
        let (ui, words) = (&session.ui, session.ui.words());
        let told = &words.sources;
        let why = self.problem.as_deref().map(|it| words.code(clean(it))).unwrap_or_default();
        let source = &self.source;
        match self.access {
            Access::Found => ui.note(&say!(told.found, source = source, n = self.found)),
            Access::NothingThere => ui.note(&say!(told.nothing_there, source = source)),
            Access::NotLetIn => ui.warn(&say!(told.not_let_in, source = source, why = why)),
            Access::NotAsked => ui.warn(&format!("{source}: {why}")),
        }
        let problem = Some(why).filter(|it| self.access == Access::Found && !it.is_empty());
        for note in problem.iter().chain(&self.notes) {
            let note = match note.as_str() {
                FROM_CACHE => String::from(&told.from_cache),
                other => words.code(clean(other)),
            };
            ui.note(&format!("{source}: {note}"));
        }
    }
}
