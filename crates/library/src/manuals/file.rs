//! One file as the search holds it: its text, its nodes, and what was derived from them.
//!
//! The original stays on disk: it is read again for what is shown, so memory stays near twice the text.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::dictionary::{Exceptions, References};
use super::pointers::{Pointer, pointers};
use super::section_ref::SectionRef;
use crate::Refusal;
use crate::index::Stamp;
use crate::nodes::{Node, cut};
use crate::normal_form::normalised;
use crate::search_text::SearchText;

/// How a file is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Markdown,
    Json,
}

impl Kind {
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "md" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The text in which lines are counted: Markdown as it is, JSON with one value on each line.
    fn shown(self, text: &str) -> Result<Cow<'_, str>, &'static str> {
        match self {
            Self::Markdown => Ok(text.into()),
            Self::Json => {
                let text = text.trim_start_matches('\u{feff}');
                let value: serde_json::Value =
                    serde_json::from_str(text).map_err(|_| "not JSON")?;
                serde_json::to_string_pretty(&value).map(Into::into).map_err(|_| "not JSON")
            }
        }
    }
}

/// One file of a manual, ready to be searched.
#[derive(Debug)]
pub(crate) struct ManualFile {
    pub(crate) manual: String,
    pub(crate) path: String,
    kind: Kind,
    pub(crate) stamp: Stamp,
    pub(crate) text: SearchText,
    pub(crate) nodes: Vec<Node>,
    /// The titles of the nodes, normalised.
    pub(crate) titles: Vec<Box<str>>,
    /// Filled when a search first needs it, and again when the dictionary has changed.
    exceptions: Cached<Exceptions, u32>,
    pointers: Cached<References, Pointer>,
}

impl ManualFile {
    /// Reads the bytes of a file; the error is the reason it is skipped.
    pub(crate) fn new(
        manual: &str,
        path: &str,
        kind: Kind,
        stamp: Stamp,
        bytes: Vec<u8>,
    ) -> Result<Self, &'static str> {
        let text = String::from_utf8(bytes).map_err(|_| "not UTF-8")?;
        let shown = kind.shown(&text)?;
        let text = SearchText::new(&shown).ok_or("too large")?;
        let nodes = match kind {
            Kind::Markdown => cut(&shown),
            Kind::Json => vec![Node::whole(text.line_count())],
        };
        let titles = nodes.iter().map(|it| normalised(&it.title).trim().into()).collect();
        Ok(Self {
            manual: manual.to_owned(),
            path: path.to_owned(),
            kind,
            stamp,
            text,
            nodes,
            titles,
            exceptions: Mutex::default(),
            pointers: Mutex::default(),
        })
    }

    /// The text in which lines are counted, of the file as it is now.
    pub(crate) fn shown<'t>(&self, text: &'t str) -> crate::Result<Cow<'t, str>> {
        let changed = |problem| Refusal::NotFound.because(format!("{} is {problem}", self.path));
        self.kind.shown(text).map_err(changed)
    }

    /// The innermost node around a line.
    pub(crate) fn node_at(&self, line: u32) -> usize {
        self.nodes.partition_point(|it| it.lines.start <= line).saturating_sub(1)
    }

    /// The node that begins at a line.
    pub(crate) fn node_starting(&self, line: u32) -> Option<usize> {
        self.nodes.binary_search_by_key(&line, |it| it.lines.start).ok()
    }

    /// A section by its line; a file that is one section, such as JSON, by its name alone.
    pub(crate) fn place(&self, node: usize) -> SectionRef {
        let line = (self.kind == Kind::Markdown).then(|| self.nodes[node].lines.start);
        SectionRef { manual: self.manual.clone(), path: self.path.clone(), line }
    }

    /// The nodes above one, the nearest first.
    pub(crate) fn above(&self, node: usize) -> impl Iterator<Item = usize> {
        let parent = |node: usize| self.nodes[node].parent.map(|above| above as usize);
        std::iter::successors(parent(node), move |node| parent(*node))
    }

    /// The node whose heading names the whole file.
    pub(crate) fn title_node(&self) -> Option<usize> {
        self.nodes.iter().position(|it| it.level > 0)
    }

    /// The lines with a word that takes something out of a rule.
    pub(crate) fn exception_lines(&self, words: &Arc<Exceptions>) -> Arc<[u32]> {
        cached(&self.exceptions, words, || {
            let mut found: Vec<u32> = Vec::new();
            words.finder.each(&self.text, |it| found.push(self.text.line_at(it.bytes.start)));
            found.sort_unstable();
            found.dedup();
            found.into()
        })
    }

    /// What the text of this file points at.
    pub(crate) fn pointers(&self, words: &Arc<References>) -> Arc<[Pointer]> {
        cached(&self.pointers, words, || pointers(self, words).into())
    }
}

/// Something derived from a file with a dictionary.
type Cached<D, T> = Mutex<Option<(Arc<D>, Arc<[T]>)>>;

fn cached<D, T>(
    cache: &Cached<D, T>,
    words: &Arc<D>,
    derive: impl FnOnce() -> Arc<[T]>,
) -> Arc<[T]> {
    // A panic elsewhere leaves the cache as it was: either state of it is whole.
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    match &*cache {
        Some((known, derived)) if Arc::ptr_eq(known, words) => Arc::clone(derived),
        _ => {
            let derived = derive();
            *cache = Some((Arc::clone(words), Arc::clone(&derived)));
            derived
        }
    }
}
