//! Links inside the content, with the words around them.
//!
//! Addresses are made absolute, without fragments, credentials and the parameters that only say
//! where a visitor came from. The sentence around a link and the citation cues in it are what tells
//! a source from a way to another page; deciding that is left to others.

mod address;
mod cues;

use std::ops::Range;

use evidence::FragmentType;
use evidence::domain::site_of;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::piece::{Piece, PieceLink};
use crate::settings::ReadSettings;
use text::sentences;

pub use self::address::clean_address;

/// A link in the body of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Absolute, without the fragment.
    pub url: String,
    pub anchor: String,
    /// The sentence around it.
    pub sentence: String,
    /// Characters of the document's text.
    pub char_start: usize,
    pub char_end: usize,
    /// Whether it leads to another registrable domain.
    pub leaves_site: bool,
    /// Words nearby that say "this is a source": `according to`, `出典` ...
    pub cues: Vec<String>,
}

/// Reads the links of all pieces, in order, up to the limit.
///
/// `piece_starts` holds the first character of each piece in the document's text. `page` is where
/// the document came from and says which site is its own; `base` is what relative addresses are
/// resolved against, which a page can set to anything.
pub(crate) fn links(
    pieces: &[Piece],
    piece_starts: &[usize],
    page: Option<&Url>,
    base: Option<&Url>,
    options: &ReadSettings,
) -> Vec<Link> {
    let site = page.and_then(Url::host_str).map(site_of);
    let mut links = Vec::new();
    let mut heading = None;
    for (piece, piece_start) in pieces.iter().zip(piece_starts) {
        if piece.kind == FragmentType::Heading {
            heading = cues::of_heading(&piece.text);
        }
        if piece.links.is_empty() || links.len() >= options.max_links {
            continue;
        }
        let around = Around::new(piece, heading, options.link_context_chars);
        let found = piece.links.iter().filter_map(|link| {
            let anchor = piece.text.get(link.start..link.end)?;
            let url = address::resolved(&link.href, base, page)?;
            Some(Link {
                leaves_site: url.host_str().map(site_of) != site,
                url: url.into(),
                anchor: first_chars(anchor.trim(), options.link_context_chars).to_owned(),
                sentence: around.sentence(link).trim().to_owned(),
                char_start: piece_start + around.chars_before(link.start),
                char_end: piece_start + around.chars_before(link.end),
                cues: around.cues(link),
            })
        });
        links.extend(found.take(options.max_links - links.len()));
    }
    links
}

/// The words around the links of one piece.
struct Around<'a> {
    text: &'a str,
    sentences: Vec<Range<usize>>,
    /// The ends of links in order, as bytes and as characters: counted once, however links lie.
    ends: Vec<(usize, usize)>,
    heading: Option<&'static str>,
    limit: usize,
}

impl<'a> Around<'a> {
    fn new(piece: &'a Piece, heading: Option<&'static str>, limit: usize) -> Self {
        let text = piece.text.as_str();
        let mut ends: Vec<usize> = piece.links.iter().flat_map(|it| [it.start, it.end]).collect();
        ends.retain(|it| text.is_char_boundary(*it));
        ends.sort_unstable();
        let (mut bytes, mut chars) = (0, 0);
        let counted = ends.into_iter().map(|end| {
            chars += text[bytes..end].chars().count();
            bytes = end;
            (end, chars)
        });
        let ends = counted.collect();
        Self { text, sentences: sentences(text), ends, heading, limit }
    }

    fn chars_before(&self, byte: usize) -> usize {
        let at = self.ends.partition_point(|it| it.0 < byte);
        self.ends.get(at).map_or(0, |it| it.1)
    }

    /// The sentences a link touches; a very long one is cut around the link.
    fn sentence(&self, link: &PieceLink) -> &'a str {
        let first = self.sentences.partition_point(|it| it.end <= link.start);
        let last = self.sentences.partition_point(|it| it.start < link.end.max(link.start + 1));
        let touched = &self.sentences[first.min(last)..last];
        let start = touched.first().map_or(link.start, |it| it.start.min(link.start));
        let end = touched.last().map_or(link.end, |it| it.end.max(link.end));
        let before = last_chars(&self.text[start..link.start], self.limit / 2);
        let kept = &self.text[link.start - before.len()..end];
        first_chars(kept, self.limit)
    }

    /// Cues of the sentence, of the words just before the link, and of the heading above.
    fn cues(&self, link: &PieceLink) -> Vec<String> {
        const JUST_BEFORE: usize = 40;
        let before = last_chars(&self.text[..link.start], JUST_BEFORE);
        let mut names = cues::in_text(self.sentence(link));
        names.extend(cues::in_text(before));
        names.extend(self.heading);
        let mut seen = Vec::new();
        for name in names {
            if !seen.iter().any(|it| it == name) {
                seen.push(name.to_owned());
            }
        }
        seen
    }
}

fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

fn last_chars(text: &str, count: usize) -> &str {
    let Some(back) = count.checked_sub(1) else { return "" };
    text.char_indices().nth_back(back).map_or(text, |(start, _)| &text[start..])
}

#[cfg(test)]
mod tests;
