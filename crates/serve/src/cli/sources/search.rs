//! `lyra sources search`.

use std::path::PathBuf;

use ::sources::academic::AcademicAnswer;
use ::sources::apis::{ApiAnswer, Apis};
use ::sources::folders::{Folder, FolderAnswer};
use ::sources::{
    AskedBy, Candidate, EngineAnswer, EngineOutcome, EngineSearch, Engines, Query, SerpKind,
    SourceOutcome,
};
use clap::Args;
use serde::Serialize;

use crate::cli::engines::told;
use crate::cli::research::whole;
use crate::failure::{Failure, Hint};
use crate::network::Network;
use crate::session::Session;
use crate::ui::{Column, Table, clean};
use crate::words::{Words, say};

/// Ask the sources what exists, without reading it
///
/// Results are addresses with what their source says about them; papers named by both academic indexes are
/// shown once. A source that fails is named, and the others are shown. Requests are in the ledger.
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
    /// Results wanted from each source
    #[arg(long, value_name = "N", value_parser = super::super::row_limit)]
    limit: Option<usize>,
}

/// What all sources together said.
#[derive(Debug, Default, Serialize)]
struct Answers {
    candidates: Vec<Candidate>,
    sources: Vec<Asked>,
}

/// What became of one source.
#[derive(Debug, Serialize)]
struct Asked {
    source: String,
    found: usize,
    problem: Option<String>,
    notes: Vec<String>,
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
            after: self.day(self.after.as_deref())?,
            before: self.day(self.before.as_deref())?,
            language: self.language.clone(),
            limit: self.limit.unwrap_or_default(),
            ..Query::default()
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

    fn day(&self, given: Option<&str>) -> Result<Option<String>, Failure> {
        let day = given.map(|it| it.parse::<jiff::civil::Date>().map(|day| day.to_string()));
        day.transpose().map_err(|_| {
            let given = given.unwrap_or_default();
            Failure::bad_input(format!("`{given}` is not a day")).hint(|w| &w.hint.day_form)
        })
    }
}

/// Asks everything at the same time that goes over the network.
async fn ask(
    session: &Session,
    network: &Network,
    (apis, engines): (&Apis, &Engines),
    query: &Query,
    chosen: &Chosen,
    answers: &mut Answers,
) -> Result<(), Failure> {
    let (graph, fetcher) = (network.graph(), network.fetcher());
    let academic = session.academic();
    let by = AskedBy::default();
    let settings = session.settings.engines.clone();
    let search = EngineSearch {
        engines: chosen.engines.clone().unwrap_or_default(),
        ..EngineSearch::default()
    };
    let (papers, records, pages) = tokio::join!(
        async {
            match chosen.academic {
                true => Some(academic.search(fetcher, query, by).await),
                false => None,
            }
        },
        apis.search(fetcher, &chosen.apis, query, by),
        async {
            match chosen.engines {
                Some(_) => Some(engines.search(graph, fetcher, query, &search, &settings).await),
                None => None,
            }
        },
    );
    if let Some(papers) = papers {
        answers.add_papers(papers);
    }
    for answer in records {
        answers.add_records(answer);
    }
    if let Some(pages) = pages {
        let pages = pages?;
        answers.candidates.extend(pages.hits.into_iter().map(|it| it.candidate));
        let words = session.ui.words();
        answers.sources.extend(pages.answers.iter().map(|it| Asked::of_engine(words, it)));
    }
    Ok(())
}

impl Answers {
    fn add_folder(&mut self, words: &Words, name: String, answer: FolderAnswer) {
        let missed = answer.missed.iter().map(|it| format!("{}: {}", it.path.display(), it.detail));
        let mut notes: Vec<String> = answer.notes.into_iter().chain(missed).collect();
        if answer.more_missed > 0 {
            notes.push(say!(words.sources.more_missed, n = answer.more_missed));
        }
        let found = answer.candidates.len();
        self.candidates.extend(answer.candidates);
        self.sources.push(Asked { source: name, found, problem: None, notes });
    }

    fn add_papers(&mut self, answer: AcademicAnswer) {
        self.candidates.extend(answer.works.into_iter().map(|it| it.candidate));
        self.sources.extend(answer.outcomes.into_iter().map(Asked::of_source));
    }

    fn add_records(&mut self, answer: ApiAnswer) {
        self.candidates.extend(answer.records.into_iter().map(|it| it.candidate));
        self.sources.push(Asked::of_source(answer.outcome));
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
                match &it.problem {
                    Some(problem) => ui.warn(&format!("{}: {}", it.source, clean(problem))),
                    None => {
                        ui.note(&say!(words.sources.found, source = it.source, n = it.found));
                    }
                }
                for note in &it.notes {
                    ui.note(&format!("{}: {}", it.source, clean(note)));
                }
            }
        }
        let answered = self.sources.iter().any(|it| it.problem.is_none());
        if answered {
            return Ok(());
        }
        let first = self.sources.iter().find_map(|it| it.problem.clone());
        let why = first.unwrap_or_else(|| "no source fits the query".to_owned());
        let message = format!("no source answered: {why}");
        Err(session.no_answer(message, Hint::new(|w| &w.hint.sources_asked)))
    }
}

impl Asked {
    fn of_source(outcome: SourceOutcome) -> Self {
        Self {
            source: outcome.source,
            found: outcome.found,
            problem: outcome.failure.map(|it| it.to_string()),
            notes: outcome.notes,
        }
    }

    fn of_engine(words: &'static Words, answer: &EngineAnswer) -> Self {
        let problem = match (&answer.outcome, told(words, &answer.outcome)) {
            (EngineOutcome::Answered(SerpKind::Results | SerpKind::NoResults), _) => None,
            (_, (what, why)) if why.is_empty() => Some(what.to_owned()),
            (_, (what, why)) => Some(format!("{what}: {why}")),
        };
        let notes = answer.from_cache.then(|| String::from(&words.sources.from_cache));
        let notes = notes.into_iter().collect();
        Self { source: answer.engine.clone(), found: answer.results.len(), problem, notes }
    }
}
