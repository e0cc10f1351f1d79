//! The headings above a place in a document.

use evidence::FragmentType;
use unicode_segmentation::UnicodeSegmentation;

use crate::document::Heading;
use crate::piece::Piece;

/// The headings passed so far that still hold, outermost first, and how many passages each has.
#[derive(Debug)]
pub(super) struct Headings {
    open: Vec<Heading>,
    /// One more than `open`: the first counts passages above the first heading.
    counts: Vec<usize>,
    max_chars: usize,
}

impl Headings {
    pub(super) fn new(max_chars: usize) -> Self {
        Self { open: Vec::new(), counts: vec![0], max_chars }
    }

    /// Goes on behind a piece.
    pub(super) fn pass(&mut self, piece: &Piece) {
        if piece.kind != FragmentType::Heading || piece.text.trim().is_empty() {
            return;
        }
        let level = piece.level.clamp(1, 6);
        self.leave(level);
        self.open.push(Heading { level, text: shortened(piece.text.trim(), self.max_chars) });
        self.counts.push(0);
    }

    /// The headings above the next passage, and its place under them.
    pub(super) fn here(&mut self) -> (Vec<Heading>, usize) {
        let count = self.counts.last_mut().expect("the first count is never taken away");
        *count += 1;
        (self.open.clone(), *count - 1)
    }

    /// The headings above one of this level: those of its own level and below have ended.
    pub(super) fn above(&mut self, level: u8) -> (Vec<Heading>, usize) {
        self.leave(level.clamp(1, 6));
        self.here()
    }

    fn leave(&mut self, level: u8) {
        while self.open.last().is_some_and(|it| it.level >= level) {
            self.open.pop();
            self.counts.pop();
        }
    }
}

/// The beginning of a heading that is repeated with every passage: a page may call anything a heading.
fn shortened(text: &str, max_chars: usize) -> String {
    let line = text.lines().map(str::trim).filter(|it| !it.is_empty());
    let mut out = String::new();
    let mut chars = 0;
    for (index, line) in line.enumerate() {
        let line_chars = line.chars().take(max_chars + 1).count();
        if chars + line_chars + usize::from(index > 0) > max_chars {
            let left = max_chars.saturating_sub(chars + 1 + usize::from(index > 0));
            if index > 0 {
                out.push(' ');
            }
            let near: String = line.chars().take(left + 1).collect();
            let mut kept = 0;
            for cluster in near.graphemes(true) {
                kept += cluster.chars().count();
                if kept > left {
                    break;
                }
                out += cluster;
            }
            return out.trim_end().to_owned() + "…";
        }
        if index > 0 {
            out.push(' ');
            chars += 1;
        }
        out += line;
        chars += line_chars;
    }
    out
}
