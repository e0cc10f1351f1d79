//! A folder of documents as a source: Markdown, text, HTML, PDF and JSON.
//!
//! The crawl is bounded, stays under its root and goes in the same order each time. What it read is kept with the
//! file's size and time, so that only files that changed are read again. Everything here blocks: callers on an
//! asynchronous thread move it to a thread of its own.

mod crawl;
mod terms;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::thread;

use extract::{Document, Input};
use serde::Serialize;
use settings::settings;
use url::Url;

use crate::asking::shortened;
use crate::candidate::Candidate;
use crate::period::Period;
use crate::query::Query;

use crawl::{Crawl, Stamp};
use terms::{Rarity, Terms};

settings! {
    /// Folders of your own documents.
    #[derive(Eq)]
    pub struct FolderSettings {
        /// Endings of the files that are read.
        extensions: Vec<String> =
            ["md", "markdown", "txt", "text", "html", "htm", "xhtml", "pdf", "json"].map(str::to_owned).to_vec();
    }
    expert {
        /// Documents in a folder.
        max_files: usize = 100_000, in 1..=1_000_000;
        /// Bytes of a document.
        max_file_bytes: u64 = 20 << 20, in 1..=1_073_741_824;
        /// Folders inside folders; 0 is the folder itself only.
        max_depth: usize = 16, in 0..=64;
        /// Names looked at in one folder.
        max_entries: usize = 100_000, in 1..=1_000_000;
        /// Results if a search does not say how many.
        default_results: usize = 20, in 1..=1_000;
        /// Different words kept of one file.
        max_terms: usize = 50_000, in 100..=1_000_000;
        /// Characters of a document shown in a list.
        snippet_chars: usize = 300, in 50..=5_000;
        /// Files that could not be read and are listed.
        max_missed: usize = 200, in 0..=10_000;
    }
}

/// A folder and what is known of its files. It may be kept from one search to the next.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    settings: FolderSettings,
    known: BTreeMap<PathBuf, Known>,
}

#[derive(Debug, Clone)]
struct Known {
    stamp: Stamp,
    title: String,
    date: Option<String>,
    opening: Option<String>,
    terms: Terms,
}

/// What a search of a folder found and missed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FolderAnswer {
    pub candidates: Vec<Candidate>,
    /// Documents under the folder.
    pub files: usize,
    /// Documents that were read for this search: new ones and those that changed.
    pub read: usize,
    pub missed: Vec<MissedFile>,
    /// Missed beyond those listed.
    pub more_missed: usize,
    pub notes: Vec<String>,
}

/// A file or folder that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissedFile {
    pub path: PathBuf,
    pub reason: FolderReason,
    pub detail: String,
}

/// Why a file or folder was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FolderReason {
    /// It cannot be opened or read.
    Unreadable,
    /// It is not there, or is no folder.
    NoFolder,
    TooLarge,
    TooDeep,
    TooMany,
    /// A link that leads out of the folder.
    LeavesFolder,
    /// A link that leads nowhere.
    BrokenLink,
    /// Nothing in it could be read as text.
    NoText,
}

/// Reads a file, or some lines of it, as a document; gives the bytes of the whole file as well.
pub fn read_document(
    path: &Path,
    lines: Option<(u32, u32)>,
    max_bytes: u64,
    options: &extract::Options,
) -> Result<(Vec<u8>, Document), MissedFile> {
    let wrong = |reason, detail: String| MissedFile { path: path.to_owned(), reason, detail };
    let mut bytes = Vec::new();
    let file = fs::File::open(path);
    let read = file.and_then(|it| it.take(max_bytes + 1).read_to_end(&mut bytes));
    read.map_err(|error| wrong(FolderReason::Unreadable, error.to_string()))?;
    // It may have grown since the crawl looked at it.
    if bytes.len() as u64 > max_bytes {
        return Err(wrong(FolderReason::TooLarge, too_large(bytes.len() as u64, max_bytes)));
    }
    let url = Url::from_file_path(path).ok();
    let wanted = lines.map_or(&bytes[..], |(first, last)| cut_out(&bytes, first, last));
    let input = Input { bytes: wanted, url: url.as_ref(), ..Input::default() };
    let document = extract::read(input, options);
    if document.text.trim().is_empty() && !bytes.is_empty() {
        let problem = document.problems.first().map(|it| it.to_string());
        return Err(wrong(
            FolderReason::NoText,
            problem.unwrap_or_else(|| "it has no text".to_owned()),
        ));
    }
    Ok((bytes, document))
}

/// The bytes of these lines, counted from 1, both included.
fn cut_out(bytes: &[u8], first: u32, last: u32) -> &[u8] {
    let mut ends = bytes.split_inclusive(|it| *it == b'\n').scan(0, |end, line| {
        *end += line.len();
        Some(*end)
    });
    let mut end_of = |lines: u32| match lines {
        0 => Some(0),
        _ => ends.nth(lines as usize - 1),
    };
    let before = first.saturating_sub(1);
    let Some(start) = end_of(before) else { return &[] };
    let rest = last.saturating_sub(before);
    &bytes[start..end_of(rest).unwrap_or(bytes.len()).max(start)]
}

impl Folder {
    pub fn new(root: &Path, settings: FolderSettings) -> Self {
        Self { root: root.to_owned(), settings, known: BTreeMap::new() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Looks through the folder. A query without words gives every document.
    pub fn search(&mut self, query: &Query) -> FolderAnswer {
        let crawl = Crawl::of(&self.root, &self.settings);
        let mut missed = crawl.missed;
        let mut known = BTreeMap::new();
        let mut changed = Vec::new();
        for (path, stamp) in crawl.files {
            match self.known.remove(&path).filter(|it| it.stamp == stamp) {
                Some(same) => {
                    known.insert(path, same);
                }
                None => changed.push((path, stamp)),
            }
        }
        for ((path, _), fresh) in changed.iter().zip(self.read_all(&changed)) {
            match fresh {
                Ok(fresh) => {
                    known.insert(path.clone(), fresh);
                }
                Err(problem) => missed.push(problem),
            }
        }
        let read = changed.len();
        self.known = known;
        missed.sort_by(|one, other| one.path.cmp(&other.path));
        let (candidates, notes) = self.matching(query);
        let listed = missed.len().min(self.settings.max_missed);
        FolderAnswer {
            candidates,
            files: self.known.len(),
            read,
            more_missed: missed.len() - listed + crawl.unlisted,
            missed: missed.into_iter().take(listed).collect(),
            notes,
        }
    }

    /// Reads files on all cores, and gives them in their order.
    fn read_all(&self, files: &[(PathBuf, Stamp)]) -> Vec<Result<Known, MissedFile>> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let each = files.len().div_ceil(cores).max(1);
        thread::scope(|scope| {
            let read = |part: &[(PathBuf, Stamp)]| -> Vec<_> {
                part.iter().map(|(path, stamp)| self.read(path, *stamp)).collect()
            };
            let parts: Vec<_> =
                files.chunks(each).map(|part| scope.spawn(move || read(part))).collect();
            let joined = parts.into_iter().map(|it| it.join());
            joined.flat_map(|it| it.expect("reading does not panic on any bytes")).collect()
        })
    }

    fn read(&self, path: &Path, stamp: Stamp) -> Result<Known, MissedFile> {
        let options = extract::Options::default();
        let (_, document) = read_document(path, None, self.settings.max_file_bytes, &options)?;
        let heading = document.fragments.iter().flat_map(|it| &it.heading_hierarchy).next();
        let name = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let title = document.metadata.title.clone().or_else(|| heading.map(|it| it.text.clone()));
        let title =
            title.map(|it| shortened(&it, self.settings.snippet_chars)).filter(|it| !it.is_empty());
        let opening = shortened(&document.text, self.settings.snippet_chars);
        let date = document.metadata.published_at.as_deref().and_then(|it| it.get(..10));
        let title = title.unwrap_or_else(name);
        Ok(Known {
            stamp,
            date: date.map(str::to_owned),
            opening: Some(opening).filter(|it| !it.is_empty()),
            terms: Terms::of_text(&format!("{title}\n{}", document.text), self.settings.max_terms),
            title,
        })
    }

    fn matching(&self, query: &Query) -> (Vec<Candidate>, Vec<String>) {
        let (period, mut notes) = Period::of(query);
        if query.site.is_some() {
            notes.push("a folder has no `site`: searched without it".to_owned());
        }
        let wanted = Wanted::of(query);
        let fits = |it: &(&PathBuf, &Known)| wanted.allows(it.0, it.1, period);
        let found: Vec<(&PathBuf, &Known)> = self.known.iter().filter(fits).collect();
        let mut scored: Vec<(f64, &PathBuf, &Known)> = if wanted.words.is_empty() {
            found.into_iter().map(|(path, known)| (0.0, path, known)).collect()
        } else {
            let rarity = Rarity::of(&wanted.words, self.known.values().map(|it| &it.terms));
            let scored =
                found.into_iter().map(|(path, known)| (known.terms.score(&rarity), path, known));
            scored.filter(|it| it.0 > 0.0).collect()
        };
        scored.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(other.1)));
        let limit = match query.limit {
            0 if wanted.words.is_empty() => usize::MAX,
            0 => self.settings.default_results,
            limit => limit,
        };
        let candidates =
            scored.into_iter().take(limit).enumerate().filter_map(|(index, (_, path, known))| {
                Some(Candidate {
                    title: known.title.clone(),
                    url: Url::from_file_path(path).ok()?,
                    snippet: known.opening.clone(),
                    date: known.date.clone(),
                    engine: self.root.display().to_string(),
                    rank: u32::try_from(index + 1).unwrap_or(u32::MAX),
                    source_tag: "library".to_owned(),
                    paper: None,
                })
            });
        (candidates.collect(), notes)
    }
}

/// What of a query can be asked of a file.
struct Wanted {
    words: Terms,
    required: Vec<Terms>,
    excluded: Vec<Terms>,
    in_title: Option<String>,
    extension: Option<String>,
}

impl Wanted {
    fn of(query: &Query) -> Self {
        let parts = std::iter::once(&query.text).chain(&query.phrases).chain(&query.required);
        let text = parts.map(String::as_str).collect::<Vec<_>>().join("\n");
        let all = |words: &[String]| {
            let terms = words.iter().map(|it| Terms::of_query(it));
            terms.filter(|it| !it.is_empty()).collect::<Vec<_>>()
        };
        let mut required = all(&query.required);
        required.extend(all(&query.phrases));
        Self {
            words: Terms::of_query(&text),
            required,
            excluded: all(&query.excluded),
            in_title: query.in_title.as_deref().map(terms::folded),
            extension: query
                .filetype
                .as_deref()
                .map(|it| it.trim_start_matches('.').to_lowercase()),
        }
    }

    fn allows(&self, path: &Path, known: &Known, period: Period) -> bool {
        let has = |terms: &Terms| terms.terms().all(|it| known.terms.count(it) > 0);
        let ending = crawl::extension(path);
        let titled =
            self.in_title.as_deref().is_none_or(|it| terms::folded(&known.title).contains(it));
        let day = known.date.as_deref().and_then(|it| it.parse::<jiff::civil::Date>().ok());
        // A file that does not say when it was written is not too old.
        let from = period.from.zip(day).is_none_or(|(from, day)| day >= from);
        let until = period.until.zip(day).is_none_or(|(until, day)| day <= until);
        titled
            && from
            && until
            && self.required.iter().all(has)
            && !self.excluded.iter().any(has)
            && self.extension.as_ref().is_none_or(|it| ending.as_ref() == Some(it))
    }
}

fn too_large(bytes: u64, max_bytes: u64) -> String {
    format!("{bytes} bytes are more than {}", max_bytes)
}
