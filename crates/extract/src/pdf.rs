//! PDF: pages of placed characters to pieces of text in reading order.
//!
//! The way of a page: `file` (objects) -> `content` (characters on the page) -> `layout` (rows) ->
//! `columns` (reading order) -> `paragraphs` (pieces). Pages are read one at a time by [`Pages`]; what a
//! page shows is forgotten once its lines are known. Written here rather than taken from a library: every
//! loop over a stranger's bytes has a bound, nothing recurses without one, and nothing panics.

mod cmap;
mod columns;
mod composite_font;
mod content;
mod crypt;
mod east_asian;
mod encoding;
mod file;
mod filter;
mod font;
mod font_program;
mod glyph_names;
mod layout;
mod lexer;
mod metadata;
mod object;
mod paragraphs;
#[cfg(test)]
mod tests;

use crate::document::{Metadata, Problem};
use crate::options::Options;
use crate::piece::Piece;

use columns::Region;
use content::{Fonts, Limits};
use file::{File, Page};
use paragraphs::PageLines;

/// Entries of an outline that are looked at.
const MAX_OUTLINE: usize = 5_000;

/// What a PDF file says, page by page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PdfText {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) metadata: Metadata,
    pub(crate) problems: Vec<Problem>,
    /// Pages the file has, read or not.
    pub(crate) pages: usize,
}

/// Reads a file up to the limits of `options`; what cannot be read is a problem and never the end.
pub(crate) fn read(bytes: &[u8], options: &Options) -> PdfText {
    let mut out = PdfText::default();
    let bytes = if bytes.len() > options.max_bytes {
        out.problems.push(Problem::TooLarge { bytes: bytes.len(), read: options.max_bytes });
        &bytes[..options.max_bytes]
    } else {
        bytes
    };
    let mut file = File::open(bytes, options);
    if file.needs_password {
        out.problems.push(Problem::Encrypted);
        return out;
    }
    let (found, count) = file.pages(options.max_pdf_pages);
    // A password may turn up only when the objects of a damaged file are searched for.
    if file.needs_password {
        out.problems.push(Problem::Encrypted);
        return out;
    }
    out.pages = count;
    out.metadata = metadata::read(&file);
    if count == 0 {
        out.problems.push(Problem::Damaged { reason: "no page was found".to_owned() });
        return out;
    }
    if file.repaired {
        let reason = "its table of objects is missing or wrong; the objects were searched for";
        out.problems.push(Problem::Damaged { reason: reason.to_owned() });
    }
    let mut pages = Pages::new(&file, found, options);
    let lines: Vec<PageLines> = pages.by_ref().collect();
    let read = lines.len();
    let tally = pages.tally;
    if tally.is_full {
        out.problems.push(Problem::TooMuchText { limit: options.max_text_chars });
    }
    if read < count {
        out.problems.push(Problem::TooManyPages { read, of: count });
    }
    if tally.only_pictures > 0 {
        out.problems.push(Problem::OnlyImages { pages: tally.only_pictures, of: count });
    }
    let mut unreadable = |pages: usize, reason: &str| {
        if pages > 0 {
            out.problems.push(Problem::UnreadablePages { pages, reason: reason.to_owned() });
        }
    };
    unreadable(tally.unknown_letters, "their fonts do not say which letters they show");
    unreadable(tally.cut, "they draw or unpack more than the limits allow");
    out.pieces = paragraphs::pieces(lines, &metadata::outline(&file, MAX_OUTLINE));
    out
}

/// Reads one page at a time; whoever has seen enough stops asking.
struct Pages<'f, 'a> {
    file: &'f File<'a>,
    pages: std::iter::Enumerate<std::vec::IntoIter<Page>>,
    fonts: Fonts,
    limits: Limits,
    chars_left: usize,
    tally: Tally,
}

/// What kept pages from being read.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    only_pictures: usize,
    unknown_letters: usize,
    cut: usize,
    is_full: bool,
}

impl<'f, 'a> Pages<'f, 'a> {
    fn new(file: &'f File<'a>, pages: Vec<Page>, options: &Options) -> Self {
        Self {
            file,
            pages: pages.into_iter().enumerate(),
            fonts: Fonts::default(),
            limits: Limits {
                operators: options.max_pdf_page_operators,
                nesting: options.max_pdf_nesting,
                bytes: 0,
            },
            chars_left: options.max_text_chars,
            tally: Tally::default(),
        }
    }
}

impl Iterator for Pages<'_, '_> {
    type Item = PageLines;

    fn next(&mut self) -> Option<PageLines> {
        if self.tally.is_full {
            return None;
        }
        let (index, page) = self.pages.next()?;
        // Characters have up to four bytes; the exact count follows from the lines below.
        let limits = Limits { bytes: self.chars_left.saturating_mul(4), ..self.limits };
        let shown = content::show(self.file, &page, &mut self.fonts, limits);
        let mut regions: Vec<Region> =
            layout::segments(&shown).into_iter().flat_map(columns::regions).collect();
        for line in regions.iter_mut().flat_map(|it| &mut it.lines) {
            let length = line.text.chars().count();
            if length > self.chars_left {
                line.text = line.text.chars().take(self.chars_left).collect();
                self.tally.is_full = true;
            }
            self.chars_left = self.chars_left.saturating_sub(length);
        }
        let tally = &mut self.tally;
        tally.is_full |= shown.is_full;
        tally.cut += usize::from(shown.is_cut || self.file.is_spent());
        let has_text = regions.iter().any(|it| !it.lines.is_empty());
        tally.only_pictures += usize::from(!has_text && shown.unknown == 0 && shown.pictures > 0);
        // A few unknown symbols are usual; more of them are words that are missing.
        tally.unknown_letters += usize::from(shown.unknown * 10 > shown.glyphs.len());
        Some(PageLines { number: u32::try_from(index + 1).unwrap_or(u32::MAX), regions })
    }
}
