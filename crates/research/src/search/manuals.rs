//! Manuals as a source: the sections a query is about, each a page of its own that knows its lines.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use library::{FindRequest, Manuals, Moment, Section};
use sources::Candidate;
use url::Url;

use crate::engine::Inner;

/// Manuals, and the folder they lie in: a library at that folder is searched by sections.
#[derive(Debug, Clone)]
pub struct ManualSource {
    pub root: PathBuf,
    pub manuals: Arc<Manuals>,
}

impl ManualSource {
    fn is_at(&self, folder: &Path) -> bool {
        let real = |it: &Path| it.canonicalize().ok();
        real(&self.root).is_some_and(|it| Some(it) == real(folder))
    }
}

impl Inner {
    /// The manuals of a folder, if it is theirs.
    pub(super) fn manuals_at(&self, folder: &Path) -> Option<&ManualSource> {
        self.parts.manuals.as_ref().filter(|it| it.is_at(folder))
    }

    /// The sections of manuals that a query is about, in the order in which the manuals list them.
    pub(super) fn ask_manuals(
        &self,
        source: &ManualSource,
        query: &str,
        most: usize,
    ) -> library::Result<Vec<Candidate>> {
        let started = std::time::Instant::now();
        let elapsed = || -> Duration { started.elapsed() };
        let moment = Moment { now_ms: self.graph.now().as_millisecond(), elapsed: &elapsed };
        let request = FindRequest { query: query.to_owned(), ..FindRequest::default() };
        let found = source.manuals.find(&request, &moment)?;
        let trace = source.manuals.trace(&found.trace_id, &moment)?;
        let sections = source.manuals.sections(None)?;
        let named = trace.candidates.iter().filter_map(|candidate| {
            let section = sections.iter().find(|it| it.place == candidate.place)?;
            section_url(&source.root, section).map(|url| (section, url))
        });
        let candidate = |(rank, (section, url)): (u32, (&Section, Url))| Candidate {
            title: section.path.join(" > "),
            url,
            snippet: None,
            date: None,
            engine: "manuals".to_owned(),
            rank,
            source_tag: "library".to_owned(),
            paper: None,
        };
        Ok((1..).zip(named.take(most)).map(candidate).collect())
    }
}

/// Where a section stands: its file, and its own lines without those of its children.
fn section_url(root: &Path, section: &Section) -> Option<Url> {
    let mut url =
        Url::from_file_path(root.join(&section.place.manual).join(&section.place.path)).ok()?;
    url.set_fragment(Some(&format!("L{}-L{}", section.start_line, section.end_line)));
    Some(url)
}

/// The lines an address of a section names.
pub(super) fn lines_of(url: &Url) -> Option<(u32, u32)> {
    let (first, last) = url.fragment()?.split_once('-')?;
    Some((first.strip_prefix('L')?.parse().ok()?, last.strip_prefix('L')?.parse().ok()?))
}
