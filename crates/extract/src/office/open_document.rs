//! OpenDocument: texts (odt), presentations (odp) and spreadsheets (ods).

use evidence::FragmentType;

use super::Read;
use super::package::Package;
use super::xml::{Attributes, Node, describe, spaced, walk};
use crate::document::Problem;
use crate::piece::Piece;

/// Cells of one row, and how often one cell is repeated, at most.
const MAX_CELLS: usize = 500;

pub(super) fn read(package: &mut Package<'_>) -> Read {
    let mut read = Read::default();
    if let Some(meta) = package.text("meta.xml") {
        describe(&meta, &mut read.metadata);
    }
    match package.text("content.xml") {
        Some(text) => read.pieces = pieces(&text),
        None => {
            let reason = "it has no content.xml".to_owned();
            package.note(Problem::Damaged { reason });
        }
    }
    read
}

#[derive(Default)]
struct Walk {
    pieces: Vec<Piece>,
    /// Texts that are open; a note stands inside of a paragraph.
    open: Vec<(String, Option<u8>)>,
    /// The depth of lists.
    lists: u8,
    /// Rows and cells of tables that are open.
    rows: Vec<Vec<(String, usize)>>,
    /// What is not part of the text: comments, changes that were tracked.
    aside: usize,
    page: Option<u32>,
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut walking = Walk::default();
    walk(text, |node| match node {
        Node::Start { name: "annotation" | "tracked-changes" | "ruby-text", .. } => {
            walking.aside += 1;
        }
        Node::End { name: "annotation" | "tracked-changes" | "ruby-text" } => {
            walking.aside = walking.aside.saturating_sub(1);
        }
        _ if walking.aside > 0 => {}
        Node::Start { name, attributes } => walking.start(name, attributes),
        Node::Text(text) => {
            if let Some(open) = walking.open.last_mut() {
                open.0.push_str(text);
            }
        }
        Node::End { name } => walking.end(name),
    });
    walking.pieces
}

impl Walk {
    fn start(&mut self, name: &str, attributes: &Attributes) {
        match name {
            "p" => self.open.push((String::new(), None)),
            "h" => {
                let level = attributes.number("outline-level").unwrap_or(1).clamp(1, 6);
                self.open.push((String::new(), Some(level as u8)));
            }
            "s" | "tab" | "line-break" => {
                if let Some(open) = self.open.last_mut() {
                    open.0.push(' ');
                }
            }
            "list" => self.lists = self.lists.saturating_add(1),
            // Pages of a presentation, and sheets by their names.
            "page" => {
                self.page = Some(self.page.unwrap_or(0) + 1);
            }
            "table" if self.rows.is_empty() => {
                let name = attributes.get("name").filter(|_| self.open.is_empty());
                if let Some(name) = name.filter(|it| !it.is_empty()) {
                    self.push(Piece::new(FragmentType::Heading, 3, spaced(&name)));
                }
            }
            "table-row" => self.rows.push(Vec::new()),
            "table-cell" => {
                let repeated = attributes.number("number-columns-repeated").unwrap_or(1);
                if let Some(row) = self.rows.last_mut() {
                    row.push((String::new(), repeated.clamp(1, MAX_CELLS)));
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" | "h" => {
                let Some((text, heading)) = self.open.pop() else { return };
                let text = spaced(&text);
                if text.is_empty() {
                    return;
                }
                if let Some(cell) = self.rows.last_mut().and_then(|it| it.last_mut()) {
                    cell.0 = format!("{} {text}", cell.0).trim().to_owned();
                    return;
                }
                let piece = match heading {
                    Some(level) => Piece::new(FragmentType::Heading, level, text),
                    None if self.lists > 0 => Piece::new(FragmentType::List, self.lists, text),
                    None => Piece::new(FragmentType::Paragraph, 0, text),
                };
                self.push(piece);
            }
            "list" => self.lists = self.lists.saturating_sub(1),
            "table-row" => {
                let row = self.rows.pop().unwrap_or_default();
                let cells = row.iter().flat_map(|(text, times)| std::iter::repeat_n(text, *times));
                let mut cells: Vec<&str> = cells.take(MAX_CELLS).map(String::as_str).collect();
                while cells.last().is_some_and(|it| it.is_empty()) {
                    cells.pop();
                }
                if !cells.is_empty() {
                    let row = cells.join(" | ");
                    match self.rows.last_mut().and_then(|it| it.last_mut()) {
                        Some(cell) => cell.0 = format!("{} {row}", cell.0),
                        None => self.push(Piece::new(FragmentType::Table, 0, row)),
                    }
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, mut piece: Piece) {
        piece.page = self.page;
        self.pieces.push(piece);
    }
}
