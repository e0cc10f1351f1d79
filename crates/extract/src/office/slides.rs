//! pptx: each slide with its title, its points and the notes of the speaker, in the order they are shown.

use evidence::FragmentType;

use super::Read;
use super::package::Package;
use super::xml::{Node, spaced, walk};
use crate::document::Problem;
use crate::piece::Piece;

/// Slides of one presentation.
const MAX_SLIDES: usize = 5_000;

pub(super) fn read(package: &mut Package<'_>) -> Read {
    const MAIN: &str = "ppt/presentation.xml";
    let relations = package.relations(MAIN);
    let mut order: Vec<String> = Vec::new();
    if let Some(text) = package.text(MAIN) {
        walk(&text, |node| {
            if let Node::Start { name: "sldId", attributes } = node {
                // Of `id` and `r:id` the second names the part.
                let named = attributes.all("id").into_iter().find_map(|it| relations.get(&it));
                order.extend(named.map(|it| it.path.clone()));
            }
        });
    }
    if order.len() > MAX_SLIDES {
        package.note(Problem::TooManyPages { read: MAX_SLIDES, of: order.len() });
        order.truncate(MAX_SLIDES);
    }
    let mut read = Read::default();
    for (number, path) in (1..).zip(&order) {
        let Some(text) = package.text(path) else { continue };
        let mut pieces = slide(&text, false);
        let relations = package.relations(path);
        let notes = relations.values().find(|it| it.kind == "notesSlide");
        if let Some(notes) = notes.and_then(|it| package.text(&it.path)) {
            pieces.extend(slide(&notes, true));
        }
        for piece in &mut pieces {
            piece.page = Some(number);
        }
        read.pieces.extend(pieces);
    }
    if order.is_empty() {
        package.note(Problem::Damaged { reason: "no slide was found".to_owned() });
    }
    read
}

fn slide(text: &str, notes: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    // The kind of the shape a paragraph is in: `title`, `body`, `sldNum`.
    let mut shape = String::new();
    let (mut line, mut depth, mut in_text) = (String::new(), 0u8, false);
    let mut row: Option<Vec<String>> = None;
    walk(text, |node| match node {
        Node::Start { name, attributes } => match name {
            "sp" | "graphicFrame" => shape.clear(),
            "ph" => shape = attributes.get("type").unwrap_or_else(|| "body".to_owned()),
            "p" => {
                line.clear();
                depth = 0;
            }
            "pPr" => depth = attributes.number("lvl").unwrap_or(0).min(8) as u8,
            "t" => in_text = true,
            "br" => line.push(' '),
            "tr" => row = Some(Vec::new()),
            "tc" => {
                if let Some(row) = &mut row {
                    row.push(String::new());
                }
            }
            _ => {}
        },
        Node::Text(text) if in_text => line.push_str(text),
        Node::Text(_) => {}
        Node::End { name } => match name {
            "t" => in_text = false,
            "p" => {
                let text = spaced(&line);
                line.clear();
                if text.is_empty() {
                    return;
                }
                if let Some(cell) = row.as_mut().and_then(|it| it.last_mut()) {
                    *cell = format!("{cell} {text}").trim().to_owned();
                    return;
                }
                pieces.extend(match shape.as_str() {
                    // Numbers, dates and footers are on every slide.
                    "sldNum" | "dt" | "ftr" | "hdr" | "sldImg" => None,
                    "title" | "ctrTitle" if !notes => {
                        Some(Piece::new(FragmentType::Heading, 2, text))
                    }
                    "subTitle" => Some(Piece::new(FragmentType::Paragraph, 0, text)),
                    "body" if !notes => Some(Piece::new(FragmentType::List, depth + 1, text)),
                    _ => Some(Piece::new(FragmentType::Paragraph, 0, text)),
                });
            }
            "tr" => {
                let cells = row.take().unwrap_or_default();
                if cells.iter().any(|it| !it.is_empty()) {
                    pieces.push(Piece::new(FragmentType::Table, 0, cells.join(" | ")));
                }
            }
            _ => {}
        },
    });
    pieces
}
