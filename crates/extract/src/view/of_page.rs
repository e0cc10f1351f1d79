//! Pages for the tests of those who judge them: HTML in, what a judge sees out.
//!
//! The content is chosen by a plain rule (what is not menu, header, footer or side and is not mostly
//! links), so that these tests do not change with the model that chooses it for readers.

use url::Url;

use super::{PageView, Shape};
use crate::html::ParsedPage;
use crate::html::blocks::Block;
use crate::html::tag::{Attribute, Tag};
use crate::html::tree::Tree;
use crate::piece::{Piece, PieceLink};
use crate::settings::ReadSettings;
use text::script::count_words;

/// A page as a server sends it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Page {
    pub(crate) url: Option<Url>,
    pub(crate) status: Option<u16>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) html: String,
}

impl Page {
    pub(crate) fn of(html: impl Into<String>) -> Self {
        Self { html: html.into(), ..Self::default() }
    }

    pub(crate) fn at(mut self, url: &str) -> Self {
        self.url = Some(Url::parse(url).unwrap());
        self
    }

    pub(crate) fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Hands the view of the page to `judge`.
    pub(crate) fn judged<T>(&self, judge: impl FnOnce(&PageView<'_>) -> T) -> T {
        let options = ReadSettings::default();
        let page = ParsedPage::of(&self.html, &options);
        let tree = &page.tree;
        let seen = || page.blocks.iter().filter(|it| it.hidden.is_none());
        let pieces: Vec<Piece> =
            seen().filter(|it| is_content(tree, it)).map(|it| piece(tree, it)).collect();
        let visible = seen().map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n");
        let title = tree
            .all()
            .find(|it| tree.tag(*it) == Some(Tag::Title))
            .map(|it| tree.text_under(it).trim().to_owned())
            .unwrap_or_default();
        let mut shape = Shape::of(&page);
        shape.add_content(&pieces);
        judge(&PageView {
            url: self.url.as_ref(),
            status: self.status,
            headers: &self.headers,
            source: &self.html,
            title: &title,
            visible: &visible,
            pieces: &pieces,
            shape,
            says: page.says,
            options: &options,
        })
    }
}

fn is_content(tree: &Tree, block: &Block) -> bool {
    let framed = tree.ancestors(block.node).any(|it| {
        matches!(tree.tag(it), Some(Tag::Nav | Tag::Header | Tag::Footer | Tag::Aside | Tag::Form))
    });
    let linked: usize = block.anchors.iter().map(|it| it.end - it.start).sum();
    !framed && count_words(&block.text) >= 1.0 && linked * 2 < block.text.len()
}

fn piece(tree: &Tree, block: &Block) -> Piece {
    let links = block.anchors.iter().filter_map(|anchor| {
        let href = tree.attribute(anchor.node, Attribute::Href)?.to_owned();
        Some(PieceLink { start: anchor.start, end: anchor.end, href })
    });
    let links = links.collect();
    Piece { links, ..Piece::new(block.kind, block.level, block.text.as_str()) }
}
