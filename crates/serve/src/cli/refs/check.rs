//! `lyra refs check`.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use ::references::{Checked, Checker, Known, Progress, Reference, References, Says, read, says};
use ::sources::AskedBy;
use ::sources::Query;
use ::sources::folders::{Extent, Folder, read_document};
use clap::Args;
use graph::Cause;
use jiff::{Timestamp, ToSpan};
use serde::Serialize;

use super::show;
use crate::cli::research::whole;
use crate::failure::{Failure, Kind};
use crate::installed::Installed;
use crate::network::Network;
use crate::session::Session;
use crate::ui::{self, clean};
use crate::words::say;

/// The largest file of references.
const MAX_BYTES: u64 = 16 << 20;
/// Answers of the same day are not asked for again: a check that was cut off goes on.
const HOURS_KEPT: i64 = 24;
/// Documents of a folder that are looked at for one work.
const FOR_A_WORK: usize = 5;
/// Characters of a document in which its title or DOI stands.
const START_CHARS: usize = 6_000;

/// Say of each reference whether it exists, is what it says, and was withdrawn
///
/// Reads BibTeX, RIS, CSL-JSON, and Markdown or text with a list of references, footnotes or DOIs. Each is
/// looked up in Crossref, Europe PMC, arXiv and the register of DOIs, by title also in OpenAlex and Semantic
/// Scholar (and CiNii and J-STAGE, if it is Japanese), and compared: title, authors, year, DOI. A sentence that
/// cites a work is held against its abstract, or its document in a folder of yours; what could not be read is
/// said to be unread. A work that no index lists may exist: books and pages are never called invented.
///
/// Offline, what is on this machine answers: works that searches found, and answers in the archive. Ends with
/// code 9 if something is not as it should be, and with code 8 if nothing is wrong but sources did not answer.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra refs check paper.bib
  lyra refs check article.md library.bib --folder ~/Documents/papers
  cat notes.md | lyra refs check - --json

Next: `lyra read https://doi.org/...` reads a work.")]
pub(crate) struct Check {
    /// The files, or `-` to read stdin; `@key` in a text is looked for in all of them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// A folder with documents of cited works; may be repeated
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
    /// Do not hold sentences against what they cite
    #[arg(long)]
    no_sentences: bool,
    /// Show also what is as it should be
    #[arg(long)]
    all: bool,
}

/// One reference and what became of it.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) file: String,
    #[serde(flatten)]
    pub(super) reference: Reference,
    #[serde(flatten)]
    pub(super) checked: Checked,
}

/// A sentence and what one work it cites says about it.
#[derive(Debug, Serialize)]
pub(super) struct Cited {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) sentence: String,
    /// The place of the reference in `references`.
    pub(super) reference: usize,
    /// Nothing where nothing of the work could be read.
    #[serde(flatten)]
    pub(super) says: Option<Says>,
    /// Where it was read: `abstract`, or the document.
    pub(super) read: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) references: Vec<Row>,
    pub(super) sentences: Vec<Cited>,
    pub(super) problems: Vec<String>,
}

impl Check {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let folders = self.folder.iter().map(|it| whole(it)).collect::<Result<Vec<_>, _>>()?;
        let read = self.files.iter().map(|it| load(it)).collect::<Result<Vec<_>, _>>()?;
        let lists = joined(read);
        let network = session.network()?;
        let all: Vec<Reference> = lists.references.iter().map(|it| it.1.clone()).collect();
        let checked = checked(session, &network, &all)?;
        let problems = lists.problems;
        let rows = lists.references.into_iter().zip(checked);
        let mut answer = Answer {
            references: rows
                .map(|((file, reference), checked)| Row { file, reference, checked })
                .collect(),
            sentences: Vec::new(),
            problems,
        };
        if !self.no_sentences && !lists.citations.is_empty() {
            answer.sentences = sentences(session, &lists.citations, &answer.references, &folders)?;
        }
        show::answer(session, &answer, self.all)
    }
}

/// References of all files, and the sentences that cite them.
#[derive(Debug, Default)]
struct Lists {
    references: Vec<(String, Reference)>,
    citations: Vec<(String, ::references::Citation)>,
    problems: Vec<String>,
}

fn load(name: &str) -> Result<(String, References), Failure> {
    let mut bytes = Vec::new();
    let outcome = if name == "-" {
        ui::stdin().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        let file = files::open(Path::new(name));
        file.and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    };
    outcome.map_err(|error| {
        let message = format!("cannot read {}: {error}", clean(name));
        Failure::new(Kind::BadInput, message).hint(|w| &w.hint.refs_formats)
    })?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("{} is larger than {} MiB", clean(name), MAX_BYTES >> 20);
        return Err(Failure::bad_input(message).hint(|w| &w.hint.refs_formats));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::bad_input(format!("{} is not UTF-8 text", clean(name)))
            .hint(|w| &w.hint.refs_formats)
    })?;
    let found = read(name, &text).map_err(|error| {
        Failure::bad_input(format!("cannot use {}: {error}", clean(name)))
            .hint(|w| &w.hint.refs_formats)
    })?;
    Ok((name.to_owned(), found))
}

/// Puts the files together: places of references count on, and `@key` finds the entry of another file.
fn joined(read: Vec<(String, References)>) -> Lists {
    let mut lists = Lists::default();
    let many = read.len() > 1;
    for (name, found) in read {
        let start = lists.references.len();
        lists.references.extend(found.references.into_iter().map(|it| (name.clone(), it)));
        lists.citations.extend(found.citations.into_iter().map(|mut it| {
            it.references.iter_mut().for_each(|place| *place += start);
            (name.clone(), it)
        }));
        let named = |it: String| if many { format!("{name}: {it}") } else { it };
        lists.problems.extend(found.problems.into_iter().map(named));
    }
    let keys: HashMap<String, usize> = lists
        .references
        .iter()
        .enumerate()
        .filter_map(|(place, it)| Some((format!("@{}", it.1.key.as_ref()?), place)))
        .collect();
    for (name, citation) in &mut lists.citations {
        for key in &citation.keys {
            match keys.get(key) {
                Some(place) if !citation.references.contains(place) => {
                    citation.references.push(*place);
                }
                Some(_) => {}
                None => lists.problems.push(format!(
                    "{name}, line {}: `{key}` is in none of the files",
                    citation.line
                )),
            }
        }
    }
    lists.citations.retain(|it| !it.1.references.is_empty());
    lists
}

/// Looks all references up; what that showed is in the ledger and the archive.
fn checked(
    session: &Session,
    network: &Network,
    references: &[Reference],
) -> Result<Vec<Checked>, Failure> {
    let (apis, academic) = (session.apis(), session.academic());
    let cause = network.graph().write(Cause::new("references_checked"), |w| w.cause())?;
    let now = session.now();
    let kept = match network.fetcher().is_offline() {
        true => Timestamp::UNIX_EPOCH,
        false => now.checked_sub(HOURS_KEPT.hours()).unwrap_or(now),
    };
    let asked_by = AskedBy { cause: Some(cause), since: Some(kept), ..AskedBy::default() };
    let done = std::sync::Arc::new(AtomicUsize::new(0));
    let (seen, of, ui) = (std::sync::Arc::clone(&done), references.len(), session.ui.clone());
    let shown = session.ui.doing(Box::new(move || {
        let words = &ui.words().refs;
        say!(words.looking_up, done = seen.load(Ordering::Relaxed), of = of)
    }));
    let checked = network.run(async |fetcher| {
        let checker =
            Checker { fetcher, apis: &apis, academic: &academic, graph: network.graph(), asked_by };
        let tell = |it: Progress| done.store(it.done, Ordering::Relaxed);
        checker.check(references, tell).await
    })?;
    drop(shown);
    Ok(checked?)
}

/// Holds each sentence against what can be read of the works it cites.
fn sentences(
    session: &Session,
    citations: &[(String, ::references::Citation)],
    rows: &[Row],
    folders: &[PathBuf],
) -> Result<Vec<Cited>, Failure> {
    let mut documents = Documents::of(session, folders);
    let model = Installed::of(session).stance(session)?;
    let set = session.settings.models.thresholds();
    let mut cited = Vec::new();
    for (file, citation) in citations {
        for place in &citation.references {
            let known = rows[*place].checked.found.as_ref();
            let text = known.and_then(|it| documents.text_of(*place, it));
            let (found, read) = match (known, text) {
                (Some(known), Some((place, passages))) => {
                    let said =
                        says(&citation.sentence, &known.title, &passages, model.as_ref(), &set)?;
                    (Some(said), Some(place))
                }
                _ => (None, None),
            };
            cited.push(Cited {
                file: file.clone(),
                line: citation.line,
                sentence: citation.sentence.clone(),
                reference: *place,
                says: found,
                read,
            });
            crate::interrupt::check()?;
        }
    }
    Ok(cited)
}

/// What can be read of works: a document of the user, else the abstract.
struct Documents<'a> {
    session: &'a Session,
    folders: Vec<Folder>,
    /// By the place of the reference: where it was read, and its passages.
    read: HashMap<usize, Option<(String, Vec<String>)>>,
}

impl<'a> Documents<'a> {
    fn of(session: &'a Session, folders: &[PathBuf]) -> Self {
        let settings = &session.settings;
        let open = |it: &PathBuf| Folder::new(it, settings.folders.clone(), settings.rank.clone());
        Self { session, folders: folders.iter().map(open).collect(), read: HashMap::new() }
    }

    fn text_of(&mut self, place: usize, known: &Known) -> Option<(String, Vec<String>)> {
        if let Some(found) = self.read.get(&place) {
            return found.clone();
        }
        let abstract_text = || {
            let text = known.abstract_text.clone()?;
            Some(("abstract".to_owned(), vec![text]))
        };
        let found = self.document(known).or_else(abstract_text);
        self.read.insert(place, found.clone());
        found
    }

    fn document(&mut self, known: &Known) -> Option<(String, Vec<String>)> {
        let settings = &self.session.settings;
        let query = Query { text: known.title.clone(), limit: FOR_A_WORK, ..Query::default() };
        for folder in &mut self.folders {
            for candidate in folder.search(&query).candidates {
                let Ok(path) = candidate.url.to_file_path() else { continue };
                let most = settings.folders.max_file_bytes;
                let read = read_document(&path, Extent::Whole, most, &settings.read);
                let Ok((_, document)) = read else { continue };
                let start: String = document.text.chars().take(START_CHARS).collect();
                let title = document.metadata.title.clone().unwrap_or_default();
                if known.is_in(&format!("{title}\n{start}")) {
                    let passages = document.fragments.into_iter().map(|it| it.text);
                    return Some((path.display().to_string(), passages.collect()));
                }
            }
        }
        None
    }
}
