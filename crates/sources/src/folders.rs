//! A folder of documents as a source: the sections a query is about, each a page of its own.
//!
//! The folder is indexed and searched by the crate `library`; here a [`Query`] is put to it and its sections become
//! candidates. A section's address is that of its file, followed by where it is in the file.

use std::path::Path;

use library::{DocumentFolder, FoundSection, SectionQuery, Told, WordCounts};
use rank::RankSettings;
use serde::Serialize;
use url::Url;

use crate::candidate::Candidate;
use crate::period::Period;
use crate::query::Query;

pub use library::{Extent, FolderReason, FolderSettings, MissedFile, read_document};

/// A folder and what is known of its files. It may be kept from one search to the next.
#[derive(Debug)]
pub struct Folder {
    documents: DocumentFolder,
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

impl Folder {
    pub fn new(root: &Path, settings: FolderSettings, ranking: RankSettings) -> Self {
        Self { documents: DocumentFolder::new(root, settings, ranking) }
    }

    pub fn root(&self) -> &Path {
        self.documents.root()
    }

    /// How many of its sections have each of the words, as the last search found the folder.
    pub fn with_words(&self, words: &[&str]) -> WordCounts {
        self.documents.with_words(words)
    }

    /// Looks through the folder. A query without words gives everything.
    pub fn search(&mut self, query: &Query) -> FolderAnswer {
        self.search_telling(query, &|_, _| {})
    }

    /// The same; `told` hears how many of the documents that are new or changed were read.
    pub fn search_telling(&mut self, query: &Query, told: Told<'_>) -> FolderAnswer {
        let (period, mut notes) = Period::of(query);
        if query.site.is_some() {
            notes.push("a folder has no `site`: searched without it".to_owned());
        }
        let wanted = SectionQuery {
            text: query.text.clone(),
            required: [&query.phrases[..], &query.required[..]].concat(),
            excluded: query.excluded.clone(),
            in_title: query.in_title.clone(),
            extension: query
                .filetype
                .as_deref()
                .map(|it| it.trim_start_matches('.').to_lowercase()),
            from: period.from.map(|it| it.to_string()),
            until: period.until.map(|it| it.to_string()),
            limit: query.limit,
        };
        let found = self.documents.search_telling(&wanted, told);
        let engine = self.root().display().to_string();
        let candidates = (1..).zip(found.sections);
        FolderAnswer {
            candidates: candidates.filter_map(|(rank, it)| candidate(it, rank, &engine)).collect(),
            files: found.files,
            read: found.read,
            missed: found.missed,
            more_missed: found.more_missed,
            notes,
        }
    }
}

fn candidate(section: FoundSection, rank: u32, engine: &str) -> Option<Candidate> {
    let mut url = Url::from_file_path(&section.path).ok()?;
    url.set_fragment(section.extent.fragment().as_deref());
    Some(Candidate {
        found_on: None,
        title: section.title,
        url,
        snippet: section.snippet,
        date: section.date,
        engine: engine.to_owned(),
        rank,
        source_tag: "library".to_owned(),
        paper: None,
        text: None,
    })
}

/// The section that an address of a file names.
pub fn extent_of(url: &Url) -> Extent {
    url.fragment().map_or(Extent::Whole, Extent::of_fragment)
}
