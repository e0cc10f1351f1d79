//! A file, or a section of it, read as a document.

use std::io::ErrorKind;
use std::path::Path;

use extract::{Document, Heading, Input};
use url::Url;

use crate::index::{FolderReason, MissedFile};
use crate::nodes::cut;
use crate::sections::bytes_of;
use crate::spans::Span;

/// Where in a file a section is. In an address it is the part after `#`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Extent {
    #[default]
    Whole,
    /// Lines of the file, from 1, both counted in: `L5-L8`.
    Lines { first: u32, last: u32 },
    /// Characters of the text that is read from the file, from 0, the last not counted in: `char=120,900`.
    Chars { start: u32, end: u32 },
}

impl Extent {
    /// The part of an address after `#`; none for a whole file.
    pub fn fragment(self) -> Option<String> {
        match self {
            Self::Whole => None,
            Self::Lines { first, last } => Some(format!("L{first}-L{last}")),
            Self::Chars { start, end } => Some(format!("char={start},{end}")),
        }
    }

    /// Reads the part of an address after `#`; anything else than a section names the whole file.
    pub fn of_fragment(fragment: &str) -> Self {
        let lines = || {
            let (first, last) = fragment.split_once('-')?;
            let number = |it: &str| it.strip_prefix('L')?.parse().ok();
            Some(Self::Lines { first: number(first)?, last: number(last)? })
        };
        let chars = || {
            let (start, end) = fragment.strip_prefix("char=")?.split_once(',')?;
            Some(Self::Chars { start: start.parse().ok()?, end: end.parse().ok()? })
        };
        lines().or_else(chars).unwrap_or_default()
    }
}

/// Reads a file, or a section of it, as a document; gives the bytes of the whole file as well.
///
/// What the file says about itself (author, publisher, date, DOI) is said of its sections, too, but for the title.
pub fn read_document(
    path: &Path,
    extent: Extent,
    max_bytes: u64,
    options: &extract::ReadSettings,
) -> Result<(Vec<u8>, Document), MissedFile> {
    let (bytes, whole) = read_whole(path, max_bytes, options)?;
    let document = match (extent, std::str::from_utf8(&bytes)) {
        (Extent::Lines { first, last }, Ok(text)) => {
            of_lines(path, text, Span::new(first, last), whole, options)
        }
        (Extent::Whole | Extent::Lines { .. }, _) => whole,
        (Extent::Chars { start, end }, _) => of_chars(whole, start as usize, end as usize),
    };
    has_text(path, &bytes, document).map(|document| (bytes, document))
}

pub(super) fn read_whole(
    path: &Path,
    max_bytes: u64,
    options: &extract::ReadSettings,
) -> Result<(Vec<u8>, Document), MissedFile> {
    let wrong = |reason, detail: String| MissedFile { path: path.to_owned(), reason, detail };
    // It may have grown, or become something else, since the crawl looked at it.
    let bytes = files::read(path, max_bytes).map_err(|error| {
        let reason = match error.kind() {
            ErrorKind::FileTooLarge => FolderReason::TooLarge,
            _ => FolderReason::Unreadable,
        };
        wrong(reason, error.to_string())
    })?;
    let document = extracted(path, &bytes, options);
    has_text(path, &bytes, document).map(|document| (bytes, document))
}

fn extracted(path: &Path, bytes: &[u8], options: &extract::ReadSettings) -> Document {
    let url = Url::from_file_path(path).ok();
    extract::read(Input { bytes, url: url.as_ref(), ..Input::default() }, options)
}

fn has_text(path: &Path, bytes: &[u8], document: Document) -> Result<Document, MissedFile> {
    if !document.text.trim().is_empty() || bytes.is_empty() {
        return Ok(document);
    }
    let problem = document.problems.first().map(|it| it.to_string());
    Err(MissedFile {
        path: path.to_owned(),
        reason: FolderReason::NoText,
        detail: problem.unwrap_or_else(|| "it has no text".to_owned()),
    })
}

fn of_lines(
    path: &Path,
    text: &str,
    lines: Span,
    whole: Document,
    options: &extract::ReadSettings,
) -> Document {
    let mut document = extracted(path, text[bytes_of(text, lines)].as_bytes(), options);
    document.metadata = extract::Metadata { title: None, ..whole.metadata };
    let above = headings_above(text, lines.start_line);
    for passage in &mut document.fragments {
        passage.heading_hierarchy.splice(..0, above.iter().cloned());
        passage.heading_context = passage.heading_hierarchy.last().map(|it| it.text.clone());
    }
    document
}

fn headings_above(text: &str, line: u32) -> Vec<Heading> {
    let nodes = cut(text);
    let own = nodes.iter().position(|it| it.lines.start == line);
    let parent = |at: &usize| nodes[*at].parent.map(|it| it as usize);
    let path = std::iter::successors(own.as_ref().and_then(parent), parent);
    let heading = |at: usize| Heading { level: nodes[at].level, text: nodes[at].title.clone() };
    let mut above: Vec<Heading> = path.map(heading).collect();
    above.reverse();
    above
}

/// The part of a document between two characters of its text.
fn of_chars(mut document: Document, start: usize, end: usize) -> Document {
    let inside = |from: usize, to: usize| start <= from && to <= end;
    document.text = document.text.chars().skip(start).take(end.saturating_sub(start)).collect();
    document.metadata.title = None;
    document.fragments.retain(|it| inside(it.char_start, it.char_end));
    for it in &mut document.fragments {
        (it.char_start, it.char_end) = (it.char_start - start, it.char_end - start);
    }
    document.links.retain(|it| inside(it.char_start, it.char_end));
    for it in &mut document.links {
        (it.char_start, it.char_end) = (it.char_start - start, it.char_end - start);
    }
    // What is hidden has places of its own.
    document.flags.retain(|it| it.hidden || inside(it.char_start, it.char_end));
    for it in document.flags.iter_mut().filter(|it| !it.hidden) {
        (it.char_start, it.char_end) = (it.char_start - start, it.char_end - start);
    }
    document.identifiers.retain(|it| it.position.is_none_or(|(from, to)| inside(from, to)));
    for place in document.identifiers.iter_mut().filter_map(|it| it.position.as_mut()) {
        *place = (place.0 - start, place.1 - start);
    }
    document
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_is_read_as_it_is_written() {
        for extent in [
            Extent::Whole,
            Extent::Lines { first: 5, last: 8 },
            Extent::Chars { start: 120, end: 900 },
        ] {
            assert_eq!(Extent::of_fragment(&extent.fragment().unwrap_or_default()), extent);
        }
        for other in ["intro", "L5", "L-L", "char=1", "char=a,b", "page=3"] {
            assert_eq!(Extent::of_fragment(other), Extent::Whole, "{other}");
        }
    }
}
