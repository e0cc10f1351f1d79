//! PDF: pages of placed characters to pieces of text in reading order.
//!
//! The way of a page: `file` (objects) -> `content` (characters on the page) -> `layout` (rows) ->
//! `columns` (reading order) -> `paragraphs` (pieces). Pages are read one at a time by [`Pages`]; what a
//! page shows is forgotten once its lines are known. Written here rather than taken from a library: every
//! loop over outside bytes has a bound, nothing recurses without one, and nothing panics.

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
mod pictures;
mod running;
#[cfg(test)]
mod tests;

use crate::document::{HiddenBy, HiddenText, Metadata, Problem};
use crate::ocr::Ocr;
use crate::piece::Piece;
use crate::settings::ReadSettings;

use columns::Region;
use content::{Fonts, Glyph, Limits, PageContent};
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
    /// What a person who looks at the pages does not see.
    pub(crate) hidden: Vec<HiddenText>,
    /// Pages the file has, read or not.
    pub(crate) pages: usize,
}

/// Reads a file up to the limits of `options`; what cannot be read is a problem and never the end. Pages
/// without text are shown to `ocr`, if there is one.
pub(crate) fn read(bytes: &[u8], options: &ReadSettings, ocr: Option<&dyn Ocr>) -> PdfText {
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
    let mut pages = Pages::new(&file, found, options, ocr);
    let lines: Vec<PageLines> = pages.by_ref().collect();
    let read = lines.len();
    let tally = pages.tally;
    out.hidden = pages.hidden;
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

/// Reads one page at a time, so that a caller can stop early.
struct Pages<'f, 'a> {
    file: &'f File<'a>,
    pages: std::iter::Enumerate<std::vec::IntoIter<Page>>,
    fonts: Fonts,
    limits: Limits,
    ocr: Option<&'f dyn Ocr>,
    chars_left: usize,
    hidden_left: usize,
    hidden: Vec<HiddenText>,
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
    fn new(
        file: &'f File<'a>,
        pages: Vec<Page>,
        options: &ReadSettings,
        ocr: Option<&'f dyn Ocr>,
    ) -> Self {
        Self {
            file,
            pages: pages.into_iter().enumerate(),
            fonts: Fonts::default(),
            limits: Limits {
                operators: options.max_pdf_page_operators,
                nesting: options.max_pdf_nesting,
                bytes: 0,
                pictures: if ocr.is_some() { options.max_pdf_page_pictures } else { 0 },
            },
            ocr,
            hidden_left: options.max_hidden_chars,
            hidden: Vec::new(),
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
        let mut shown = content::show(self.file, &page, &mut self.fonts, limits);
        let letters = shown.glyphs.len();
        self.part_hidden(&mut shown);
        let mut regions = regions(&shown);
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
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
        let is_picture = !has_text && shown.unknown == 0 && shown.pictures > 0;
        let mut recognised = self
            .ocr
            .filter(|_| is_picture)
            .and_then(|it| pictures::text(self.file, &shown.picture_streams, number, it));
        if let Some(text) = &mut recognised {
            let length = text.chars().count();
            if length > self.chars_left {
                *text = text.chars().take(self.chars_left).collect();
                tally.is_full = true;
            }
            self.chars_left = self.chars_left.saturating_sub(length);
        }
        tally.only_pictures += usize::from(is_picture && recognised.is_none());
        // A few unknown symbols are usual; more of them are words that are missing.
        tally.unknown_letters += usize::from(shown.unknown * 10 > letters);
        Some(PageLines { number, regions, recognised })
    }
}

/// A picture that covers this part of its page is the page: a scan.
const SCAN_SHARE: f64 = 0.5;
/// A scan may have one visible letter for this many invisible ones: stamps, page numbers.
const SCAN_LETTERS: usize = 4;

impl Pages<'_, '_> {
    /// Removes invisible text from a page.
    fn part_hidden(&mut self, shown: &mut PageContent) {
        let by = |it: HiddenBy| move |glyph: &Glyph| glyph.hidden == Some(it);
        let invisible = shown.glyphs.iter().filter(|it| by(HiddenBy::Invisible)(it)).count();
        let seen = shown.glyphs.iter().filter(|it| it.hidden.is_none()).count();
        // Programs that read scans write what they read over the picture, invisible: people see it.
        if shown.picture_share >= SCAN_SHARE && seen * SCAN_LETTERS <= invisible {
            for glyph in shown.glyphs.iter_mut().filter(|it| by(HiddenBy::Invisible)(it)) {
                glyph.hidden = None;
            }
        }
        let all = std::mem::take(&mut shown.glyphs);
        for hidden_by in
            [HiddenBy::Invisible, HiddenBy::Tiny, HiddenBy::OffPage, HiddenBy::SameColour]
        {
            shown.glyphs.extend(all.iter().filter(|it| by(hidden_by)(it)));
            let lines = regions(shown).into_iter().flat_map(|it| it.lines);
            let text = lines.map(|it| it.text).collect::<Vec<_>>().join("\n");
            shown.glyphs.clear();
            let text: String = text.chars().take(self.hidden_left).collect();
            if !text.is_empty() {
                self.hidden_left -= text.chars().count();
                self.hidden.push(HiddenText { text, hidden_by });
            }
        }
        shown.glyphs.extend(all.into_iter().filter(|it| it.hidden.is_none()));
    }
}

fn regions(shown: &PageContent) -> Vec<Region> {
    layout::segments(shown).into_iter().flat_map(columns::regions).collect()
}
