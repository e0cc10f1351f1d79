//! Sums over every element of a tree, made in one pass from the leaves up.

use text::script::count_words;

use super::tag::{Attribute, Tag};
use super::tree::{NodeId, Tree};

/// What an element holds, itself and everything below it.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Sums {
    pub(crate) words: f32,
    pub(crate) link_words: f32,
    pub(crate) commas: f32,
    pub(crate) paragraphs: f32,
    pub(crate) paragraph_words: f32,
    pub(crate) images: f32,
    pub(crate) inputs: f32,
    pub(crate) tables: u16,
    pub(crate) header_cells: u16,
    pub(crate) rows: u16,
    pub(crate) cells: u16,
    /// Blocks inside cells, which a table of data hardly has.
    pub(crate) cell_blocks: u16,
}

/// The sums of every element of one tree.
#[derive(Debug)]
pub(crate) struct Measures {
    sums: Vec<Sums>,
}

impl Measures {
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut sums = vec![Sums::default(); tree.len()];
        // Children come after their parents, so going backwards every node is complete when it is added.
        for node in (0..tree.len() as NodeId).rev() {
            let own = sums[node as usize];
            let own = match tree.tag(node) {
                None => tree.text(node).map(of_text).unwrap_or_default(),
                Some(tag) => with_tag(own, tag),
            };
            sums[node as usize] = own;
            if let Some(parent) = tree.parent(node)
                && !tree.tag(node).is_some_and(is_silent)
            {
                add(&mut sums[parent as usize], &own);
            }
        }
        Self { sums }
    }

    pub(crate) fn of_node(&self, node: NodeId) -> &Sums {
        &self.sums[node as usize]
    }

    /// Whether a table holds data, or only lays out the page.
    pub(crate) fn is_data_table(&self, tree: &Tree, table: NodeId) -> bool {
        let sums = self.of_node(table);
        let role = tree.attribute(table, Attribute::Role).unwrap_or_default();
        if matches!(role, "presentation" | "none") || sums.tables > 1 || sums.cells < 2 {
            return false;
        }
        if sums.words / f32::from(sums.cells) > 60.0 {
            return false;
        }
        sums.header_cells > 0 || sums.cell_blocks <= sums.cells * 2
    }
}

fn is_silent(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Head
            | Tag::Script
            | Tag::Style
            | Tag::Svg
            | Tag::Iframe
            | Tag::Object
            | Tag::Noscript
            | Tag::Template
            | Tag::Select
            | Tag::Textarea
    )
}

fn of_text(text: &str) -> Sums {
    let words = count_words(text);
    let commas = match words {
        0.0 => 0,
        _ if text.is_ascii() => memchr::memchr_iter(b',', text.as_bytes()).count(),
        _ => text.matches([',', '、', '，', '،']).count(),
    };
    Sums { words, commas: commas as f32, ..Sums::default() }
}

fn with_tag(mut sums: Sums, tag: Tag) -> Sums {
    match tag {
        Tag::A => sums.link_words = sums.words,
        Tag::P => {
            sums.paragraphs += 1.0;
            sums.paragraph_words = sums.words;
        }
        Tag::Img | Tag::Picture | Tag::Video => sums.images += 1.0,
        Tag::Input | Tag::Button | Tag::Select | Tag::Textarea => sums.inputs += 1.0,
        Tag::Table => {
            sums.tables = sums.tables.saturating_add(1);
        }
        Tag::Tr => sums.rows = sums.rows.saturating_add(1),
        Tag::Th => {
            sums.header_cells = sums.header_cells.saturating_add(1);
            sums.cells = sums.cells.saturating_add(1);
        }
        Tag::Td => sums.cells = sums.cells.saturating_add(1),
        _ => {}
    }
    if tag.is_block()
        && !matches!(
            tag,
            Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr | Tag::Td | Tag::Th
        )
    {
        sums.cell_blocks = sums.cell_blocks.saturating_add(1);
    }
    sums
}

fn add(into: &mut Sums, from: &Sums) {
    into.words += from.words;
    into.link_words += from.link_words;
    into.commas += from.commas;
    into.paragraphs += from.paragraphs;
    into.paragraph_words += from.paragraph_words;
    into.images += from.images;
    into.inputs += from.inputs;
    into.tables = into.tables.saturating_add(from.tables);
    into.header_cells = into.header_cells.saturating_add(from.header_cells);
    into.rows = into.rows.saturating_add(from.rows);
    into.cells = into.cells.saturating_add(from.cells);
    into.cell_blocks = into.cell_blocks.saturating_add(from.cell_blocks);
}
