//! EPUB: the chapters of a book in the order they are read.

use std::collections::HashMap;

use evidence::FragmentType;

use super::Read;
use super::package::{Package, joined};
use super::xml::{Node, describe, walk};
use crate::document::Problem;
use crate::html;
use crate::piece::Piece;
use crate::settings::ReadSettings;

/// Chapters of one book.
const MAX_CHAPTERS: usize = 5_000;

pub(super) fn read(package: &mut Package<'_>, options: &ReadSettings) -> Read {
    let mut read = Read::default();
    let mut main = None;
    if let Some(text) = package.text("META-INF/container.xml") {
        walk(&text, |node| {
            if let Node::Start { name: "rootfile", attributes } = node {
                main = main.take().or(attributes.get("full-path"));
            }
        });
    }
    let Some((main, text)) = main.and_then(|it| package.text(&it).map(|text| (it, text))) else {
        package.note(Problem::Damaged { reason: "it does not name its chapters".to_owned() });
        return read;
    };
    let folder = main.rsplit_once('/').map_or("", |it| it.0);
    describe(&text, &mut read.metadata);
    // What a book calls its date is the day it came out.
    read.metadata.published_at =
        read.metadata.published_at.take().or(read.metadata.modified_at.take());
    let mut paths: HashMap<String, String> = HashMap::new();
    let mut order: Vec<String> = Vec::new();
    walk(&text, |node| {
        let Node::Start { name, attributes } = node else { return };
        match name {
            "item" => {
                let item = attributes.get("id").zip(attributes.get("href"));
                let is_contents = attributes.get("properties").is_some_and(|it| it.contains("nav"));
                paths.extend(item.filter(|_| !is_contents));
            }
            "itemref" => order.extend(attributes.get("idref")),
            _ => {}
        }
    });
    if order.len() > MAX_CHAPTERS {
        package.note(Problem::TooManyPages { read: MAX_CHAPTERS, of: order.len() });
        order.truncate(MAX_CHAPTERS);
    }
    for id in order {
        let Some(path) = paths.get(&id) else { continue };
        let Some(text) = package.text(&joined(folder, path)) else { continue };
        let page = html::read(&text, options);
        read.pieces.extend(chapter(page));
    }
    read
}

/// The pieces of a chapter. All of it is the book: where most of it would be set aside as no content, all is taken.
fn chapter(page: html::Html) -> Vec<Piece> {
    let chosen: usize = page.pieces.iter().map(|it| it.text.chars().count()).sum();
    if 2 * chosen >= page.visible.chars().count() {
        return page.pieces;
    }
    let lines = page.visible.lines().map(str::trim).filter(|it| !it.is_empty());
    lines.map(|it| Piece::new(FragmentType::Paragraph, 0, it)).collect()
}
