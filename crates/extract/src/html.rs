//! HTML: bytes are text by now; out come the content in pieces, what is hidden, and what the page says
//! about itself.

pub(crate) mod blocks;
mod content;
mod features;
mod forest;
mod hidden;
mod kind;
mod measure;
mod metadata;
mod names;
mod scripts;
mod shape;
pub(crate) mod tag;
mod tokens;
pub(crate) mod tree;
mod words;

use crate::document::{HiddenBy, HiddenText, Metadata, Problem};
use crate::piece::{Piece, PieceLink};
use crate::settings::ReadSettings;
use crate::view::{PageKind, Shape};

use blocks::Block;
use features::Features;
use measure::Measures;
use names::Names;
pub use scripts::NeedsScripts;
use tag::{Attribute, Tag};
use text::script::count_words;
use tree::{Tree, TreeLimits};

/// A page after reading, before it is judged and cut into passages.
#[derive(Debug)]
pub(crate) struct Html {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) metadata: Metadata,
    pub(crate) hidden: Vec<HiddenText>,
    /// All that people can see, one block a line.
    pub(crate) visible: String,
    /// The address that relative links count from, where the page names one.
    pub(crate) base: Option<String>,
    pub(crate) says: PageKind,
    pub(crate) shape: Shape,
    pub(crate) needs_scripts: Option<NeedsScripts>,
    pub(crate) problems: Vec<Problem>,
}

/// Words of content below which the article in a page's structured data is taken instead.
const FEW_WORDS: f32 = 40.0;

/// A tree and what was seen in it.
#[derive(Debug)]
pub(crate) struct ParsedPage {
    pub(crate) tree: Tree,
    measures: Measures,
    names: Names,
    /// How each element is hidden by itself.
    hidden: Vec<Option<HiddenBy>>,
    pub(crate) blocks: Vec<Block>,
    /// The words of each block.
    words: Vec<f32>,
    pub(crate) says: PageKind,
}

impl ParsedPage {
    pub(crate) fn of(page: &str, options: &ReadSettings) -> Self {
        let limits = TreeLimits {
            depth: options.max_depth,
            nodes: options.max_elements,
            attribute_bytes: options.max_attribute_bytes,
        };
        let tree = Tree::read(page, limits);
        let measures = Measures::of(&tree);
        let names = Names::of(&tree);
        let hidden = hidden::marks(&tree, &measures, &names);
        let blocks = blocks::blocks(&tree, &measures, &hidden);
        let words = blocks.iter().map(|it| count_words(&it.text)).collect();
        let says = PageKind::of(&tree);
        Self { tree, measures, names, hidden, blocks, words, says }
    }

    /// The numbers of every block that a person can see.
    fn features(&self) -> Vec<Option<Features>> {
        let Self { tree, measures, names, blocks, words, says, .. } = self;
        features::features(tree, measures, names, blocks, words, *says)
    }
}

pub(crate) fn read(page: &str, options: &ReadSettings) -> Html {
    let seen = ParsedPage::of(page, options);
    let keep = content::choose(&seen.features(), &seen.words);
    let ParsedPage { tree, blocks, words, .. } = &seen;
    let (metadata, body) = metadata::metadata(tree);

    let mut problems = Vec::new();
    if tree.truncated {
        problems.push(Problem::TooManyElements { limit: options.max_elements });
    }
    let content_words: f32 =
        words.iter().zip(&keep).filter(|(_, keep)| **keep).map(|it| it.0).sum();
    let pieces: Vec<Piece> = match body {
        // A page that is drawn by script often carries its article as data.
        Some(body) if content_words < FEW_WORDS && count_words(&body) > 2.0 * FEW_WORDS => {
            paragraphs(&body)
        }
        _ => blocks
            .iter()
            .zip(&keep)
            .filter(|(_, keep)| **keep)
            .map(|(block, _)| piece(tree, block))
            .collect(),
    };
    let mut shape = Shape::of(&seen);
    shape.add_content(&pieces);
    let visible = visible(blocks);
    Html {
        pieces,
        metadata,
        hidden: hidden_texts(blocks, options),
        needs_scripts: scripts::needs_scripts(tree, &shape, &visible),
        visible,
        base: base(tree),
        says: seen.says,
        shape,
        problems,
    }
}

/// The text and the numbers of every block that people can see, for training.
pub(crate) fn rows(page: &str, options: &ReadSettings) -> Vec<(String, Vec<f32>)> {
    let seen = ParsedPage::of(page, options);
    let features = seen.features();
    let blocks = seen.blocks.into_iter().zip(features);
    blocks.filter_map(|(block, features)| Some((block.text, features?.to_vec()))).collect()
}

/// Every block's text, one a line.
pub(crate) fn all_text(page: &str, options: &ReadSettings) -> String {
    let blocks = ParsedPage::of(page, options).blocks;
    let texts: Vec<String> = blocks.into_iter().map(|it| it.text).collect();
    texts.join("\n")
}

fn piece(tree: &Tree, block: &Block) -> Piece {
    let link = |anchor: &blocks::Anchor| {
        let href = tree.attribute(anchor.node, Attribute::Href)?;
        Some(PieceLink { start: anchor.start, end: anchor.end, href: href.to_owned() })
    };
    let links = block.anchors.iter().filter_map(link).collect();
    Piece { links, ..Piece::new(block.kind, block.level, block.text.clone()) }
}

fn paragraphs(body: &str) -> Vec<Piece> {
    let lines = body.lines().map(str::trim).filter(|it| !it.is_empty());
    lines.map(|it| Piece::new(evidence::FragmentType::Paragraph, 0, it)).collect()
}

fn visible(blocks: &[Block]) -> String {
    let bytes = blocks.iter().map(|it| it.text.len() + 1).sum();
    let mut out = String::with_capacity(bytes);
    for block in blocks.iter().filter(|it| it.hidden.is_none()) {
        out.push_str(&block.text);
        out.push('\n');
    }
    out
}

fn hidden_texts(blocks: &[Block], options: &ReadSettings) -> Vec<HiddenText> {
    let mut left = options.max_hidden_chars;
    let mut out = Vec::new();
    for block in blocks {
        let Some(hidden_by) = block.hidden else { continue };
        if left == 0 {
            break;
        }
        let text: String = block.text.chars().take(left).collect();
        left -= text.chars().count();
        out.push(HiddenText { text, hidden_by });
    }
    out
}

fn base(tree: &Tree) -> Option<String> {
    let node = tree.all().find(|it| {
        tree.tag(*it) == Some(Tag::Base) && tree.attribute(*it, Attribute::Href).is_some()
    })?;
    tree.attribute(node, Attribute::Href).map(str::to_owned)
}
