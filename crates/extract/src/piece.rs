//! What every format is reduced to before passages are cut: typed runs of text in reading order.

use evidence::FragmentType;
use serde::{Deserialize, Serialize};

/// A run of text on lines of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Piece {
    pub(crate) kind: FragmentType,
    /// 1 to 6 for headings, the depth for items of lists, else 0.
    pub(crate) level: u8,
    pub(crate) text: String,
    pub(crate) links: Vec<PieceLink>,
    /// The page of a PDF, from 1.
    pub(crate) page: Option<u32>,
}

/// A link inside a piece: the bytes of its text, and where it leads as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PieceLink {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) href: String,
}

impl Piece {
    pub(crate) fn new(kind: FragmentType, level: u8, text: impl Into<String>) -> Self {
        Self { kind, level, text: text.into(), links: Vec::new(), page: None }
    }

    /// Whether its links lie in its text.
    pub(crate) fn is_sound(&self) -> bool {
        self.links.iter().all(|it| self.text.get(it.start..it.end).is_some())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// One piece a line: kind, level, text, links. What the tests of every reader compare.
    pub(crate) fn render(pieces: &[Piece]) -> String {
        let lines = pieces.iter().map(|piece| {
            let mut line = format!("{} {}: {}", piece.kind.as_str(), piece.level, piece.text);
            for link in &piece.links {
                line += &format!(" {{{}={}}}", &piece.text[link.start..link.end], link.href);
            }
            line.replace('\n', "⏎")
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}
