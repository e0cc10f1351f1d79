//! Manuals: files of a folder that are searched and read, never written.
//!
//! [`Manuals`] has one method for each call in [`calls`]. It keeps an index of all files in memory and looks at
//! their stamps before every answer. The time comes from the caller, as a [`Moment`].

mod calls;
mod dictionary;
mod file;
mod finder;
mod index;
mod pointers;
mod quantities;
mod query;
mod search;
mod section_ref;
mod state;
mod text;
mod titles;
mod trace;
mod tuning;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::index::DocumentIndex;
use crate::{LibrarySettings, Refusal, Result};
use dictionary::Dictionaries;
use file::ManualFile;
use index::Snapshot;
use titles::Titles;
use trace::Traces;
use tuning::Ledger;

pub use calls::{
    FindAnswer, FindRequest, Guide, GuideStep, HitItem, HitKind, HitsAnswer, HitsRequest, LsAnswer,
    LsItem, LsKind, LsRequest, NextAction, ReadAnswer, ReadPart, ReadRequest, ReadScope,
    ScanAnswer, ScanRequest, Summary, TocAnswer, TocItem, TocRequest, get_tooling_guide,
};
pub(crate) use dictionary::DictionaryCache;
use dictionary::QueryWords;
pub(crate) use query::parse;
pub use query::{Intent, Note};
pub use search::{Breadth, ConflictKind, Cutoff, Gap, Semantic, Signal, Source, Spot, Thresholds};
pub(crate) use search::{Meaning, Senses};
pub use section_ref::SectionRef;
pub(crate) use text::ManualText;
pub use trace::{Trace, TraceCandidate, TraceConflict, TraceRange, TraceSide};
pub use tuning::{Run, Statistics, est_tokens};

/// Where everything is.
#[derive(Debug, Clone, Default)]
pub struct ManualOptions {
    /// The folder with one folder for each manual.
    pub root: PathBuf,
    /// The folder in which traces and statistics are kept.
    pub state: PathBuf,
    /// The folder with dictionaries of the user, if there are any.
    pub dictionaries: Option<PathBuf>,
    pub settings: LibrarySettings,
}

/// The time of a call, which this crate does not take from the system.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// Milliseconds since 1970.
    pub now_ms: i64,
    /// How long the call has been running.
    pub elapsed: &'a dyn Fn() -> Duration,
}

impl std::fmt::Debug for Moment<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Moment").field("now_ms", &self.now_ms).finish_non_exhaustive()
    }
}

/// The manuals of a folder.
#[derive(Debug)]
pub struct Manuals {
    root: PathBuf,
    settings: LibrarySettings,
    traces: Traces,
    ledger: Ledger,
    cache: Mutex<DictionaryCache>,
    known: Mutex<Known>,
}

/// What is held in memory: the files, and what was derived from all of them when it was first asked for.
#[derive(Debug, Default)]
struct Known {
    index: DocumentIndex<ManualFile>,
    snapshot: Arc<Snapshot>,
    titles: Option<Arc<Titles>>,
    sections: Option<Arc<Vec<Section>>>,
}

/// One section of a manual with its text, as other parts of the program take it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub place: SectionRef,
    /// The titles of the headings above it and its own, from the outside in.
    pub path: Vec<String>,
    pub start_line: u32,
    /// The last line of its own text, before its first child.
    pub end_line: u32,
    /// Its own text without that of its children.
    pub text: String,
}

impl Manuals {
    /// Nothing is read before the first call.
    pub fn new(options: ManualOptions) -> Self {
        Self {
            traces: Traces::new(&options.state),
            ledger: Ledger::new(&options.state),
            cache: Mutex::new(DictionaryCache::new(options.dictionaries)),
            known: Mutex::default(),
            root: options.root,
            settings: options.settings,
        }
    }

    /// The folder with one folder for each manual.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads what is new; returns how many files were read and how many sections there are.
    pub fn refresh(&self) -> Result<(usize, usize)> {
        let (snapshot, read) = self.refreshed()?;
        Ok((read, snapshot.files.iter().map(|it| it.nodes.len()).sum()))
    }

    /// The trace of a search, with the reasons of every decision.
    pub fn trace(&self, trace_id: &str, moment: &Moment<'_>) -> Result<Trace> {
        self.traces.read(trace_id, moment.now_ms, &self.settings)
    }

    /// The ids of the traces that are still known, oldest first.
    pub fn trace_ids(&self, moment: &Moment<'_>) -> Vec<String> {
        self.traces.ids(moment.now_ms, &self.settings)
    }

    /// What is known about earlier searches.
    pub fn statistics(&self) -> Statistics {
        self.ledger.read()
    }

    /// Notes that places were used after a search; `manual_read` does so itself.
    pub fn note_use(
        &self,
        trace_id: &str,
        places: &[SectionRef],
        moment: &Moment<'_>,
    ) -> Result<()> {
        let mut trace = self.traces.read(trace_id, moment.now_ms, &self.settings)?;
        let new: Vec<&SectionRef> = places.iter().filter(|it| !trace.used.contains(it)).collect();
        let found = |place: &SectionRef| trace.candidates.iter().any(|it| it.place == *place);
        let uses: Vec<bool> = new.iter().map(|it| found(it)).collect();
        let new: Vec<SectionRef> = new.into_iter().cloned().collect();
        trace.used.extend(new);
        self.traces.write(&trace)?;
        self.ledger.change(|it| uses.into_iter().for_each(|found| it.record_use(trace_id, found)))
    }

    /// Every section of every manual, in order. The files are read once, until one of them changes.
    pub fn sections(&self) -> Result<Arc<Vec<Section>>> {
        let snapshot = self.fresh()?;
        if let Some(known) = self.known(&snapshot).and_then(|it| it.sections.clone()) {
            return Ok(known);
        }
        let files = snapshot.files.iter();
        let all = Arc::new(files.flat_map(|file| self.sections_of(file)).collect());
        if let Some(mut known) = self.known(&snapshot) {
            known.sections = Some(Arc::clone(&all));
        }
        Ok(all)
    }

    fn sections_of(&self, file: &ManualFile) -> Vec<Section> {
        let Ok(text) = self.shown_text(file) else { return Vec::new() };
        let lines: Vec<&str> = crate::normal_form::lines(&text).map(|line| line.text).collect();
        let section = |at: usize| {
            let own = file.nodes[at].own_lines();
            let text = lines.get(own.start as usize - 1..own.end as usize - 1).unwrap_or_default();
            let mut path: Vec<usize> = std::iter::once(at).chain(file.above(at)).collect();
            path.reverse();
            Section {
                place: file.place(at),
                path: path.into_iter().map(|it| file.nodes[it].title.clone()).collect(),
                start_line: own.start,
                end_line: own.end.saturating_sub(1),
                text: text.join("\n"),
            }
        };
        (0..file.nodes.len()).map(section).collect()
    }

    fn fresh(&self) -> Result<Arc<Snapshot>> {
        Ok(self.refreshed()?.0)
    }

    /// The manuals as they are now, and how many files were read for that.
    fn refreshed(&self) -> Result<(Arc<Snapshot>, usize)> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { index, snapshot, .. } = &mut *known;
        let (changed, read) = Snapshot::refresh(&self.root, index, snapshot, &self.settings)?;
        if let Some(changed) = changed {
            known.snapshot = Arc::new(changed);
            (known.titles, known.sections) = (None, None);
        }
        Ok((Arc::clone(&known.snapshot), read))
    }

    /// What is known of a snapshot; nothing where another call has seen newer files in the meantime.
    fn known(&self, snapshot: &Arc<Snapshot>) -> Option<MutexGuard<'_, Known>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::ptr_eq(&known.snapshot, snapshot).then_some(known)
    }

    fn titles(&self, snapshot: &Arc<Snapshot>) -> Arc<Titles> {
        let fresh = || Arc::new(Titles::new(&snapshot.files));
        match self.known(snapshot) {
            Some(mut known) => Arc::clone(known.titles.get_or_insert_with(fresh)),
            None => fresh(),
        }
    }

    fn dictionaries(&self) -> Dictionaries {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).fresh()
    }

    fn bundled_words(&self) -> Arc<QueryWords> {
        DictionaryCache::new(None).fresh().query.expect("bundled dictionaries are tested")
    }

    fn thresholds(&self) -> Thresholds {
        self.ledger.read().thresholds
    }

    fn check_manual(&self, snapshot: &Snapshot, id: &str) -> Result<()> {
        section_ref::check_path(id)?;
        if snapshot.manuals.iter().any(|it| it == id) {
            return Ok(());
        }
        Err(Refusal::NotFound.because(format!("no manual {id}")))
    }

    fn file<'s>(&self, snapshot: &'s Snapshot, section: &SectionRef) -> Result<&'s ManualFile> {
        section.check()?;
        let at = snapshot.file(&section.manual, &section.path);
        let missing = || Refusal::NotFound.because(format!("no section {section}"));
        Ok(&snapshot.files[at.ok_or_else(missing)?])
    }

    /// The text of a file in which lines are counted.
    fn shown_text(&self, file: &ManualFile) -> Result<String> {
        Ok(file.shown(&self.text_of(&file.manual, &file.path)?)?.into_owned())
    }
}

/// The words of a request as they are written, without any dictionary.
pub fn query_words(query: &str) -> Vec<String> {
    query::pieces::pieces(query, &[])
}
