//! Any folder of documents, searched by sections: Markdown, text, HTML, PDF and JSON.
//!
//! The documents are kept in a [`DocumentIndex`], so a search reads only what changed since the last one. Sections
//! are ranked by the BM25 of `rank`. Everything here blocks: callers on an asynchronous thread move it to a thread
//! of its own.

mod document;
mod sections;
mod terms;

use std::path::{Path, PathBuf};

use rank::{RankSettings, TermCounts};
use settings::settings;

use crate::index::{Bounds, Crawl, DocumentIndex, Links, MissedFile, Told, extension};
use crate::paths::fold;
use document::read_whole;
use sections::cut_document;
use terms::Terms;

pub use document::{Extent, read_document};

settings! {
    /// Folders of your own documents.
    #[derive(Eq)]
    pub struct FolderSettings {
        /// Endings of the files that are read.
        extensions: Vec<String> =
            ["md", "markdown", "txt", "text", "html", "htm", "xhtml", "pdf", "json", "docx", "pptx", "xlsx", "odt", "odp", "ods", "epub",
             "eml"].map(str::to_owned).to_vec();
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
        /// Different words kept of one section.
        max_terms: usize = 50_000, in 100..=1_000_000;
        /// Characters of a section shown in a list.
        snippet_chars: usize = 300, in 50..=5_000;
        /// Files that could not be read and are listed.
        max_missed: usize = 200, in 0..=10_000;
    }
}

impl FolderSettings {
    fn bounds(&self) -> Bounds {
        Bounds {
            max_files: self.max_files,
            max_file_bytes: self.max_file_bytes,
            max_depth: self.max_depth,
            max_entries: self.max_entries,
            max_missed: self.max_missed,
            extensions: self.extensions.clone(),
            links: Links::Ignore,
            names_unread: true,
        }
    }
}

/// A folder and what is known of its documents. It may be kept from one search to the next.
#[derive(Debug)]
pub struct DocumentFolder {
    root: PathBuf,
    settings: FolderSettings,
    ranking: RankSettings,
    index: DocumentIndex<IndexedDocument>,
}

#[derive(Debug)]
struct IndexedDocument {
    date: Option<String>,
    sections: Vec<IndexedSection>,
}

#[derive(Debug)]
struct IndexedSection {
    extent: Extent,
    /// The title of the document and the headings down to this section.
    title: String,
    opening: Option<String>,
    title_terms: Terms,
    terms: Terms,
}

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SectionQuery {
    pub text: String,
    /// A section must have all words of each.
    pub required: Vec<String>,
    /// A section must not have all words of any.
    pub excluded: Vec<String>,
    pub in_title: Option<String>,
    /// The ending of the file, without the dot.
    pub extension: Option<String>,
    /// The first and the last day, such as `2024-01-31`. A document without a date is of any day.
    pub from: Option<String>,
    pub until: Option<String>,
    /// 0: as many as the settings say, and all for a query without words.
    pub limit: usize,
}

/// What a search of a folder found and missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderFindings {
    /// The best first.
    pub sections: Vec<FoundSection>,
    /// Documents under the folder.
    pub files: usize,
    /// Documents that were read for this search: new ones and those that changed.
    pub read: usize,
    pub missed: Vec<MissedFile>,
    /// Missed beyond those listed.
    pub more_missed: usize,
}

/// How common words are in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordCounts {
    pub sections: usize,
    /// In the order of the words.
    pub with: Vec<usize>,
}

/// A section that a query is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSection {
    pub path: PathBuf,
    pub extent: Extent,
    pub title: String,
    pub snippet: Option<String>,
    pub date: Option<String>,
}

impl DocumentFolder {
    pub fn new(root: &Path, settings: FolderSettings, ranking: RankSettings) -> Self {
        Self { root: root.to_owned(), settings, ranking, index: DocumentIndex::default() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Looks through the folder. A query without words gives every section.
    pub fn search(&mut self, query: &SectionQuery) -> FolderFindings {
        self.search_telling(query, &|_, _| {})
    }

    /// The same; `told` hears how many of the documents that are new or changed were read.
    pub fn search_telling(&mut self, query: &SectionQuery, told: Told<'_>) -> FolderFindings {
        let bounds = self.settings.bounds();
        let crawl = Crawl::of(&self.root, &bounds);
        let settings = &self.settings;
        let read = |path: &Path, _| IndexedDocument::read(path, settings);
        let done = self.index.refresh(crawl.files, read, told);
        let mut missed = crawl.missed;
        missed.extend(done.missed);
        missed.sort_by(|one, other| one.path.cmp(&other.path));
        let listed = missed.len().min(settings.max_missed);
        let more_missed = missed.len() - listed + crawl.unlisted;
        missed.truncate(listed);
        FolderFindings {
            sections: self.matching(query),
            files: self.index.len(),
            read: done.read,
            missed,
            more_missed,
        }
    }

    /// How many sections have each of the words, as far as they are known from the last search.
    pub fn with_words(&self, words: &[&str]) -> WordCounts {
        let forms: Vec<Vec<Vec<u64>>> = words.iter().map(|it| terms::forms(it)).collect();
        let mut counts = WordCounts { sections: 0, with: vec![0; words.len()] };
        for section in self.index.iter().flat_map(|(_, document)| &document.sections) {
            counts.sections += 1;
            for (forms, with) in forms.iter().zip(&mut counts.with) {
                *with += usize::from(forms.iter().any(|it| section.has(it)));
            }
        }
        counts
    }

    fn matching(&self, query: &SectionQuery) -> Vec<FoundSection> {
        let wanted = Wanted::of(query);
        let all: Vec<(&Path, &IndexedDocument, &IndexedSection)> = self
            .index
            .iter()
            .flat_map(|(path, document)| {
                document.sections.iter().map(move |section| (path, &**document, section))
            })
            .collect();
        let counts: Vec<TermCounts> =
            all.iter().map(|(.., section)| section.counts(&wanted.words)).collect();
        let scores = rank::bm25(&counts, &self.ranking);
        let everything = wanted.words.is_empty();
        let mut found: Vec<_> = all
            .into_iter()
            .zip(scores)
            .filter(|((path, document, section), score)| {
                (everything || *score > 0.0) && wanted.allows(path, document, section)
            })
            .collect();
        // Equal scores stay in the order of the paths.
        found.sort_by(|one, other| other.1.total_cmp(&one.1));
        let limit = match query.limit {
            0 if everything => usize::MAX,
            0 => self.settings.default_results,
            limit => limit,
        };
        let shown =
            |((path, document, section), _): ((&Path, &IndexedDocument, &IndexedSection), f64)| {
                FoundSection {
                    path: path.to_owned(),
                    extent: section.extent,
                    title: section.title.clone(),
                    snippet: section.opening.clone(),
                    date: document.date.clone(),
                }
            };
        found.into_iter().take(limit).map(shown).collect()
    }
}

impl IndexedDocument {
    fn read(path: &Path, settings: &FolderSettings) -> Result<Self, MissedFile> {
        let options = extract::ReadSettings::default();
        let (bytes, document) = read_whole(path, settings.max_file_bytes, &options)?;
        let short = |text: &str| {
            Some(text::shortened(text, settings.snippet_chars)).filter(|it| !it.is_empty())
        };
        let heading = document.fragments.iter().flat_map(|it| &it.heading_hierarchy).next();
        let title =
            document.metadata.title.as_deref().or_else(|| heading.map(|it| it.text.as_str()));
        let name = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let title = title.and_then(short).unwrap_or_else(name);
        let date = document.metadata.published_at.as_deref().and_then(|it| it.get(..10));
        let section = |section: sections::Section| {
            let own = section.headings.first().is_some_and(|first| fold(first) == fold(&title));
            let above = (!own).then_some(title.as_str());
            let names: Vec<&str> =
                above.into_iter().chain(section.headings.iter().map(String::as_str)).collect();
            let title = names.join(" > ");
            IndexedSection {
                extent: section.extent,
                opening: short(section.body()),
                title_terms: Terms::of_text(&title, settings.max_terms),
                terms: Terms::of_text(&section.text, settings.max_terms),
                title,
            }
        };
        let sections = cut_document(&bytes, &document).into_iter().map(section).collect();
        Ok(Self { date: date.map(str::to_owned), sections })
    }
}

impl IndexedSection {
    fn counts(&self, words: &[u64]) -> TermCounts {
        let count = |terms: &Terms| words.iter().map(|it| terms.count(*it)).collect();
        TermCounts {
            text: count(&self.terms),
            heading: count(&self.title_terms),
            text_length: self.terms.length(),
            heading_length: self.title_terms.length(),
        }
    }

    fn has(&self, words: &[u64]) -> bool {
        words.iter().all(|it| self.terms.count(*it) > 0 || self.title_terms.count(*it) > 0)
    }
}

/// What of a query can be asked of a section.
struct Wanted<'a> {
    query: &'a SectionQuery,
    words: Vec<u64>,
    required: Vec<Vec<u64>>,
    excluded: Vec<Vec<u64>>,
    in_title: Option<String>,
}

impl<'a> Wanted<'a> {
    fn of(query: &'a SectionQuery) -> Self {
        let texts = std::iter::once(&query.text).chain(&query.required);
        let text = texts.map(String::as_str).collect::<Vec<_>>().join("\n");
        let all = |words: &[String]| {
            let numbers = words.iter().map(|it| terms::query_numbers(it));
            numbers.filter(|it| !it.is_empty()).collect::<Vec<_>>()
        };
        Self {
            query,
            words: terms::query_numbers(&text),
            required: all(&query.required),
            excluded: all(&query.excluded),
            in_title: query.in_title.as_deref().map(fold),
        }
    }

    fn allows(&self, path: &Path, document: &IndexedDocument, section: &IndexedSection) -> bool {
        let date = document.date.as_deref();
        let query = self.query;
        self.in_title.as_deref().is_none_or(|it| fold(&section.title).contains(it))
            && query.from.as_deref().zip(date).is_none_or(|(from, day)| day >= from)
            && query.until.as_deref().zip(date).is_none_or(|(until, day)| day <= until)
            && self.required.iter().all(|it| section.has(it))
            && !self.excluded.iter().any(|it| section.has(it))
            && query.extension.as_ref().is_none_or(|it| extension(path).as_ref() == Some(it))
    }
}
