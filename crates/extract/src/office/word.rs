//! docx: the paragraphs, lists and tables of a text, and its notes.

use std::collections::HashMap;

use evidence::FragmentType;

use super::Read;
use super::package::Package;
use super::xml::{Node, spaced, walk};
use crate::document::Problem;
use crate::piece::Piece;

/// Headings are told six deep.
const DEEPEST: u8 = 6;

pub(super) fn read(package: &mut Package<'_>) -> Read {
    let styles = package.text("word/styles.xml").map(|it| styles(&it)).unwrap_or_default();
    let mut read = Read::default();
    for part in ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"] {
        if let Some(text) = package.text(part) {
            read.pieces.extend(pieces(&text, &styles));
        }
    }
    if read.pieces.is_empty() {
        let reason = "no text was found in word/document.xml".to_owned();
        package.note(Problem::Damaged { reason });
    }
    let title = read.pieces.iter().find(|it| it.kind == FragmentType::Heading && it.level == 1);
    read.metadata.title = title.map(|it| it.text.clone());
    read
}

/// The depth of the headings that styles make, by their ids, which differ between languages.
fn styles(text: &str) -> HashMap<String, u8> {
    let mut levels = HashMap::new();
    let mut id = None;
    walk(text, |node| {
        let Node::Start { name, attributes } = node else { return };
        match name {
            "style" => id = attributes.get("styleId"),
            "name" => {
                let name = attributes.get("val").unwrap_or_default().to_lowercase();
                let level = match name.strip_prefix("heading ").map(str::parse::<u8>) {
                    Some(Ok(level @ 1..=9)) => Some(level.min(DEEPEST)),
                    _ if name == "title" => Some(1),
                    _ => None,
                };
                if let (Some(id), Some(level)) = (&id, level) {
                    levels.insert(id.clone(), level);
                }
            }
            "outlineLvl" => {
                let level = attributes.number("val").filter(|it| *it < 9);
                if let (Some(id), Some(level)) = (&id, level) {
                    levels.entry(id.clone()).or_insert((level as u8 + 1).min(DEEPEST));
                }
            }
            _ => {}
        }
    });
    levels
}

#[derive(Default)]
struct Paragraph {
    text: String,
    heading: Option<u8>,
    list: Option<u8>,
}

fn pieces(text: &str, styles: &HashMap<String, u8>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // Text boxes stand inside of paragraphs.
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut cells: Vec<Vec<String>> = Vec::new();
    let (mut in_text, mut in_deleted, mut in_fallback) = (false, 0usize, 0usize);
    walk(text, |node| match node {
        // What programs show that do not know the first choice: the same again.
        Node::Start { name: "Fallback", .. } => in_fallback += 1,
        Node::End { name: "Fallback" } => in_fallback = in_fallback.saturating_sub(1),
        _ if in_fallback > 0 => {}
        Node::Start { name, attributes } => match name {
            "p" => paragraphs.push(Paragraph::default()),
            "t" => in_text = true,
            "del" | "moveFrom" => in_deleted += 1,
            "tr" => cells.push(Vec::new()),
            "tc" => {
                if let Some(row) = cells.last_mut() {
                    row.push(String::new());
                }
            }
            _ => {
                let Some(open) = paragraphs.last_mut() else { return };
                match name {
                    "tab" | "br" | "cr" => open.text.push(' '),
                    "noBreakHyphen" => open.text.push('-'),
                    "pStyle" => {
                        let style = attributes.get("val").unwrap_or_default();
                        open.heading = open.heading.or(styles.get(&style).copied());
                        if style.to_lowercase().starts_with("list") {
                            open.list.get_or_insert(1);
                        }
                    }
                    "outlineLvl" => {
                        let level = attributes.number("val").filter(|it| *it < 9);
                        open.heading = open.heading.or(level.map(|it| (it as u8 + 1).min(DEEPEST)));
                    }
                    "ilvl" => {
                        let depth = attributes.number("val").unwrap_or(0).min(8) as u8 + 1;
                        open.list = Some(depth);
                    }
                    "numPr" => drop(open.list.get_or_insert(1)),
                    _ => {}
                }
            }
        },
        Node::Text(text) => {
            if let Some(open) = paragraphs.last_mut().filter(|_| in_text && in_deleted == 0) {
                open.text.push_str(text);
            }
        }
        Node::End { name } => match name {
            "t" => in_text = false,
            "del" | "moveFrom" => in_deleted = in_deleted.saturating_sub(1),
            "p" => {
                let Some(paragraph) = paragraphs.pop() else { return };
                let text = spaced(&paragraph.text);
                if text.is_empty() {
                    return;
                }
                if let Some(cell) = cells.last_mut().and_then(|it| it.last_mut()) {
                    if !cell.is_empty() {
                        cell.push(' ');
                    }
                    cell.push_str(&text);
                    return;
                }
                pieces.push(match (paragraph.heading, paragraph.list) {
                    (Some(level), _) => Piece::new(FragmentType::Heading, level, text),
                    (None, Some(depth)) => Piece::new(FragmentType::List, depth, text),
                    (None, None) => Piece::new(FragmentType::Paragraph, 0, text),
                });
            }
            "tr" => {
                let row = cells.pop().unwrap_or_default();
                if row.iter().any(|it| !it.is_empty()) {
                    let row = row.join(" | ");
                    match cells.last_mut().and_then(|it| it.last_mut()) {
                        // A table in a cell.
                        Some(cell) => cell.push_str(&format!(" {row}")),
                        None => pieces.push(Piece::new(FragmentType::Table, 0, row)),
                    }
                }
            }
            _ => {}
        },
    });
    pieces
}
