//! The pages behind a report: their numbers as sources, and the citations between them.
//!
//! A long document of the user is read by sections, each a page of its own; readers count documents.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use evidence::{PageId, Publisher};
use graph::{EvidenceMaterial, PageMaterial, TaskMaterials};
use judge::is_primary;
use serde_json::Value;

use super::findings::Judged;
use crate::report::{ArchiveReference, Chain, ChainStep, Finding, Language, OldVersion, Source};

/// The pages of a task by id, and the order in which they are first cited.
#[derive(Debug)]
pub(super) struct Pages<'m> {
    by_id: BTreeMap<PageId, &'m PageMaterial>,
    /// By document.
    numbers: BTreeMap<String, u32>,
    /// The page of each document that is cited first.
    cited: Vec<PageId>,
    /// That of the question: who asks in it reads it best.
    language: Language,
}

impl<'m> Pages<'m> {
    pub(super) fn new(pages: &'m [PageMaterial], language: Language) -> Self {
        let by_id = pages.iter().map(|it| (it.id, it)).collect();
        Self { by_id, numbers: BTreeMap::new(), cited: Vec::new(), language }
    }

    /// Whether a text is in another language than the question. What both judges and readers are less at home in comes
    /// after what they can read; no number depends on it.
    pub(super) fn is_foreign(&self, text: Option<&str>) -> bool {
        text.is_some_and(|it| Language::of(it) != self.language)
    }

    pub(super) fn get(&self, id: PageId) -> Option<&'m PageMaterial> {
        self.by_id.get(&id).copied()
    }

    /// The number of a source; a document that is cited for the first time gets the next one.
    pub(super) fn number(&mut self, page: &PageMaterial) -> u32 {
        let document = document_of(&page.url).to_owned();
        *self.numbers.entry(document).or_insert_with(|| {
            self.cited.push(page.id);
            self.cited.len() as u32
        })
    }

    /// The number of the document at an address, where it is cited.
    pub(super) fn cited_number(&self, url: &str) -> Option<u32> {
        self.numbers.get(document_of(url)).copied()
    }

    /// Pages the task read, in the order of their ids.
    pub(super) fn read(&self) -> impl Iterator<Item = &'m PageMaterial> {
        self.by_id.values().copied().filter(|it| it.met && it.fetched_at.is_some())
    }

    /// The documents whose text was read, by address, with their pages: fetched, or a record whose passages were judged.
    pub(super) fn documents(
        &self,
        evidence: &[EvidenceMaterial],
    ) -> BTreeMap<&'m str, Vec<&'m PageMaterial>> {
        let judged: BTreeSet<PageId> = evidence.iter().filter_map(|it| it.page_id).collect();
        let is_read =
            |it: &&PageMaterial| it.met && (it.fetched_at.is_some() || judged.contains(&it.id));
        let mut documents: BTreeMap<&str, Vec<&PageMaterial>> = BTreeMap::new();
        for page in self.by_id.values().copied().filter(is_read) {
            documents.entry(document_of(&page.url)).or_default().push(page);
        }
        documents
    }

    /// Everything that is cited, in the order of the numbers.
    pub(super) fn sources(&self, findings: &[&Finding], judged: &[&Judged<'_>]) -> Vec<Source> {
        let sides = |document: &str, supporting: bool| {
            let numbers = findings.iter().zip(judged).filter_map(|(finding, it)| {
                let side = if supporting { &it.supporting } else { &it.refuting };
                side.iter()
                    .any(|it| document_of(&it.page.url) == document)
                    .then_some(finding.number)
            });
            numbers.filter(|it| *it > 0).collect()
        };
        let source = |(number, id): (u32, &PageId)| {
            let page = self.get(*id)?;
            let document = document_of(&page.url);
            Some(Source {
                number,
                page_id: page.id,
                url: document.to_owned(),
                title: document_title(page),
                author: page.author.clone(),
                site: Publisher::of_domain(&page.domain).to_string(),
                category: page.category,
                primary: is_primary(page.category),
                own_document: is_own(page),
                page_type: page.page_type.clone(),
                year: year_of(page),
                published_at: page.published_at.clone(),
                modified_at: page.modified_at.clone(),
                venue: page.venue.clone(),
                doi: page.doi.clone(),
                retracted_at: page.retracted_at,
                narrative_cluster: page.narrative_cluster.clone(),
                quality_score: page.quality_score,
                archive: archive(page),
                found_at: page.created_at,
                fetched_at: page.fetched_at,
                flagged: !super::security::flags(page).is_empty(),
                supports: sides(document, true),
                refutes: sides(document, false),
            })
        };
        (1..).zip(&self.cited).filter_map(source).collect()
    }

    /// The shortest way from each cited source that is not primary to one that is, along citations.
    pub(super) fn chains(&self, materials: &TaskMaterials, max_steps: usize) -> Vec<Chain> {
        let mut cites: BTreeMap<PageId, Vec<PageId>> = BTreeMap::new();
        for citation in &materials.citations {
            cites.entry(citation.citing).or_default().push(citation.cited);
        }
        let primary = |id: PageId| self.get(id).is_some_and(|it| is_primary(it.category));
        let from = self.cited.iter().filter(|it| !primary(**it));
        let paths = from.filter_map(|start| path(*start, &cites, max_steps, primary));
        paths
            .map(|path| Chain { steps: path.into_iter().filter_map(|it| self.step(it)).collect() })
            .collect()
    }

    fn step(&self, id: PageId) -> Option<ChainStep> {
        let page = self.get(id)?;
        Some(ChainStep {
            source: self.cited_number(&page.url),
            page_id: id,
            title: document_title(page),
            url: page.url.clone(),
            category: page.category,
            year: year_of(page),
        })
    }
}

/// Breadth first: the nearest page that is wanted, and of several the first by id.
fn path(
    start: PageId,
    cites: &BTreeMap<PageId, Vec<PageId>>,
    max_steps: usize,
    wanted: impl Fn(PageId) -> bool,
) -> Option<Vec<PageId>> {
    let mut came_from: BTreeMap<PageId, PageId> = BTreeMap::new();
    let mut waiting = VecDeque::from([(start, 0)]);
    while let Some((page, steps)) = waiting.pop_front() {
        if steps == max_steps {
            continue;
        }
        for next in cites.get(&page).map(Vec::as_slice).unwrap_or_default() {
            if *next == start || came_from.contains_key(next) {
                continue;
            }
            came_from.insert(*next, page);
            if wanted(*next) {
                let mut path = vec![*next];
                while let Some(before) = came_from.get(path.last()?) {
                    path.push(*before);
                }
                path.reverse();
                return Some(path);
            }
            waiting.push_back((*next, steps + 1));
        }
    }
    None
}

/// The address of the document a page is of. Sections of a file share one; what follows `#` says which.
pub(super) fn document_of(url: &str) -> &str {
    match url.split_once('#') {
        Some((file, _)) if url.starts_with("file:") => file,
        _ => url,
    }
}

/// The title of the document a page is of. That of a section names the document, then the headings above it.
pub(super) fn document_title(page: &PageMaterial) -> Option<String> {
    let title = page.title.as_deref()?;
    let is_section = document_of(&page.url) != page.url;
    let document = title.split(" > ").next().filter(|_| is_section);
    Some(document.unwrap_or(title).to_owned())
}

/// Whether a page is of a document of the user.
pub(super) fn is_own(page: &PageMaterial) -> bool {
    !Publisher::is_host(&page.domain)
}

/// The year that is recorded, else that of the date of publication.
pub(super) fn year_of(page: &PageMaterial) -> Option<i32> {
    let published = || page.published_at.as_deref()?.get(..4)?.parse().ok();
    page.year.or_else(published)
}

pub(super) fn archive(page: &PageMaterial) -> Option<ArchiveReference> {
    let word =
        |name: &str| page.archive_ref.as_ref().and_then(|it| it.get(name)).and_then(Value::as_str);
    let sha256 = word("sha256").map(|it| format!("sha256:{it}"));
    let reference = ArchiveReference {
        record_id: word("record_id").map(str::to_owned),
        file: word("file").map(str::to_owned).or_else(|| page.archive_file.clone()),
        digest: sha256.or_else(|| page.archive_digest.clone()),
        made_of: word("made_of").map(str::to_owned),
        picture: page.archive_picture.clone(),
        version: page.archive_ref.as_ref().and_then(old_version),
    };
    (reference != ArchiveReference::default()).then_some(reference)
}

fn old_version(stored: &Value) -> Option<OldVersion> {
    let version = stored.get("version")?;
    let word = |name: &str| version.get(name).and_then(Value::as_str).map(str::to_owned);
    Some(OldVersion {
        taken_at: word("taken_at")?,
        url: word("url")?,
        because: word("because").unwrap_or_default(),
    })
}
