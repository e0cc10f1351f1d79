//! What is measured on every block before it is decided whether it is content.
//!
//! The numbers are those a person uses without noticing: how long, how many links, in which part of
//! the page, what the neighbours look like, how often the same shape repeats. `training/extract` learns
//! from them; changing their order or meaning means training again.

use std::collections::HashMap;

use evidence::FragmentType;

use crate::view::PageKind;

use super::blocks::Block;
use super::measure::Measures;
use super::names::{NameHints, Names};
use super::tag::{Attribute, Tag};
use super::tree::{NodeId, ROOT, Tree};
use super::words::{self, HINTS, PHRASES};

/// Numbers of one block.
pub(crate) const FEATURES: usize = 109;

pub(crate) type Features = [f32; FEATURES];

/// What is known about an element because of where it stands.
#[derive(Debug, Clone, Copy)]
struct ElementContext {
    depth: u16,
    /// How many levels up the nearest element with each hint is; 30 for none. Then the same for
    /// elements whose name says what they are for, and for the container that Readability's rule
    /// prefers: in one row, because all grow together.
    distances: [u8; DISTANCES],
    signature: u64,
}

const PARTS: usize = 9;
const CONTAINER: usize = HINTS + PARTS;
const DISTANCES: usize = CONTAINER + 1;
const FAR: u8 = 30;

/// The numbers of every block that a person can see; hidden ones get `None`.
pub(crate) fn features(
    tree: &Tree,
    measures: &Measures,
    names: &Names,
    blocks: &[Block],
    words: &[f32],
    kind: PageKind,
) -> Vec<Option<Features>> {
    let contexts = contexts(tree, measures, names);
    let seen: Vec<BlockSummary> =
        blocks.iter().zip(words).map(|(block, words)| look(block, *words, &contexts)).collect();
    let page = Page::of(tree, &seen, blocks, kind);
    let groups = groups(&seen);
    let about_page = page.numbers();
    let mut texts: HashMap<&str, u32> = HashMap::new();
    let mut before = 0.0;
    let mut since_heading = 0.0;
    let mut out = Vec::with_capacity(blocks.len());
    for (index, block) in blocks.iter().enumerate() {
        let repeated = texts.entry(block.text.as_str()).or_default();
        *repeated += 1;
        let repeated = *repeated;
        if block.hidden.is_some() {
            out.push(None);
            continue;
        }
        let own = &seen[index];
        let mut row = Row::new();
        row.block(block, own, repeated);
        row.push(index as f32 / blocks.len() as f32);
        row.push(before / page.words.max(1.0));
        row.push((page.words - before - own.words) / page.words.max(1.0));
        row.push(f32::ln_1p(since_heading));
        let context = &contexts[block.node as usize];
        row.context(context);
        row.containers(tree, measures, block.node, page.words);
        row.neighbours(&seen, blocks, index);
        row.group(&groups[&own.signature], &page, blocks.len());
        row.add(&about_page);
        out.push(Some(row.finish()));
        before += own.words;
        since_heading =
            if block.kind == FragmentType::Heading { 0.0 } else { since_heading + own.words };
    }
    out
}

/// A block after one look.
#[derive(Debug, Clone, Copy)]
struct BlockSummary {
    words: f32,
    /// The logarithm of the words, which the neighbours ask for as well.
    ln_words: f32,
    link_share: f32,
    glue: f32,
    marks: Marks,
    hidden: bool,
    signature: u64,
}

/// Characters of a text by what they do, counted in one pass.
#[derive(Debug, Default, Clone, Copy)]
struct Marks {
    characters: f32,
    capitals: f32,
    digits: f32,
    enders: f32,
    commas: f32,
    separators: f32,
    money: f32,
    line_ends: f32,
}

impl Marks {
    fn of(text: &str) -> Self {
        let mut counts = [0_u32; 8];
        for byte in text.bytes().filter(u8::is_ascii) {
            counts[usize::from(ASCII_MARKS[usize::from(byte)])] += 1;
        }
        let mut marks = Self::default();
        if !text.is_ascii() {
            for character in text.chars().filter(|it| !it.is_ascii()) {
                counts[OTHER] += 1;
                match character {
                    '。' | '！' | '？' => marks.enders += 1.0,
                    '、' | '，' => marks.commas += 1.0,
                    '·' | '•' | '»' | '›' => marks.separators += 1.0,
                    '€' | '£' | '¥' | '円' => marks.money += 1.0,
                    _ if character.is_uppercase() => marks.capitals += 1.0,
                    _ if character.is_numeric() => marks.digits += 1.0,
                    _ => {}
                }
            }
        }
        let [_, capitals, digits, enders, commas, separators, money, line_ends] =
            counts.map(|it| it as f32);
        marks.characters = counts.iter().sum::<u32>() as f32;
        marks.capitals += capitals;
        marks.digits += digits;
        marks.enders += enders;
        marks.commas += commas;
        marks.separators += separators;
        marks.money += money;
        marks.line_ends = line_ends;
        marks
    }
}

const OTHER: usize = 0;

/// What each character of ASCII does, in the order of the fields of [`Marks`].
static ASCII_MARKS: [u8; 128] = {
    let mut marks = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        marks[byte as usize] = match byte {
            b'A'..=b'Z' => 1,
            b'0'..=b'9' => 2,
            b'.' | b'!' | b'?' => 3,
            b',' => 4,
            b'|' | b'>' | b'/' => 5,
            b'$' | b'%' => 6,
            b'\n' => 7,
            _ => OTHER as u8,
        };
        byte += 1;
    }
    marks
};

fn look(block: &Block, words: f32, contexts: &[ElementContext]) -> BlockSummary {
    let linked: usize = block.anchors.iter().map(|it| it.end.saturating_sub(it.start)).sum();
    BlockSummary {
        words,
        ln_words: f32::ln_1p(words),
        link_share: linked as f32 / block.text.len().max(1) as f32,
        glue: words::glue(&block.text),
        marks: Marks::of(&block.text),
        hidden: block.hidden.is_some(),
        signature: mixed(contexts[block.node as usize].signature, &[block.kind as u8]),
    }
}

/// Blocks of one shape: the items of a list, the posts of a thread.
#[derive(Debug, Default, Clone, Copy)]
struct Group {
    count: f32,
    words: f32,
    links: f32,
    first: usize,
    last: usize,
}

fn groups(seen: &[BlockSummary]) -> HashMap<u64, Group> {
    let mut groups: HashMap<u64, Group> = HashMap::new();
    for (index, own) in seen.iter().enumerate().filter(|(_, it)| !it.hidden) {
        let group =
            groups.entry(own.signature).or_insert(Group { first: index, ..Group::default() });
        group.count += 1.0;
        group.words += own.words;
        group.links += own.link_share;
        group.last = index;
    }
    groups
}

#[derive(Debug, Default)]
struct Page {
    words: f32,
    link_words: f32,
    blocks: f32,
    long: f32,
    long_words: f32,
    headings: f32,
    items: f32,
    articles: f32,
    has_main: f32,
    groups: f32,
    kind: PageKind,
}

impl Page {
    fn of(tree: &Tree, seen: &[BlockSummary], blocks: &[Block], kind: PageKind) -> Self {
        let mut page = Self { kind, ..Self::default() };
        for (own, block) in seen.iter().zip(blocks).filter(|(it, _)| !it.hidden) {
            page.words += own.words;
            page.link_words += own.words * own.link_share;
            page.blocks += 1.0;
            if own.words >= 25.0 && own.link_share < 0.3 {
                page.long += 1.0;
                page.long_words += own.words;
            }
            page.headings += f32::from(u8::from(block.kind == FragmentType::Heading));
            page.items += f32::from(u8::from(block.kind == FragmentType::List));
        }
        for node in tree.all() {
            match tree.tag(node) {
                Some(Tag::Article) => page.articles += 1.0,
                Some(Tag::Main) => page.has_main = 1.0,
                _ => {}
            }
        }
        let mut signatures: Vec<u64> = seen.iter().map(|it| it.signature).collect();
        signatures.sort_unstable();
        signatures.dedup();
        page.groups = signatures.len() as f32;
        page
    }

    /// What every block of the page has in common.
    fn numbers(&self) -> [f32; 15] {
        let words = self.words.max(1.0);
        let blocks = self.blocks.max(1.0);
        let flag = |it: bool| f32::from(u8::from(it));
        [
            f32::ln_1p(self.words),
            self.link_words / words,
            f32::ln_1p(self.blocks),
            self.long_words / words,
            f32::ln_1p(self.long),
            self.headings / blocks,
            self.items / blocks,
            self.articles.min(50.0),
            self.has_main,
            self.groups / blocks,
            flag(self.kind.article),
            flag(self.kind.product),
            flag(self.kind.forum),
            flag(self.kind.list),
            flag(self.kind.manual),
        ]
    }
}

struct Row {
    values: Features,
    filled: usize,
}

impl Row {
    fn new() -> Self {
        Self { values: [0.0; FEATURES], filled: 0 }
    }

    fn push(&mut self, value: f32) {
        self.values[self.filled] = value;
        self.filled += 1;
    }

    fn add(&mut self, values: &[f32]) {
        self.values[self.filled..self.filled + values.len()].copy_from_slice(values);
        self.filled += values.len();
    }

    fn flag(&mut self, value: bool) {
        self.push(f32::from(u8::from(value)));
    }

    fn finish(self) -> Features {
        debug_assert_eq!(self.filled, FEATURES);
        self.values
    }

    fn block(&mut self, block: &Block, own: &BlockSummary, repeated: u32) {
        let text = &block.text;
        let marks = &own.marks;
        let characters = marks.characters.max(1.0);
        self.push(own.ln_words);
        self.push(f32::ln_1p(characters));
        self.push(own.link_share);
        self.push(block.anchors.len() as f32);
        self.push(characters / own.words.max(1.0));
        self.push(marks.enders);
        self.push(marks.commas);
        self.push(marks.capitals / characters);
        self.push(marks.digits / characters);
        self.push(own.glue);
        self.push(f32::from(block.kind as u8));
        self.push(f32::from(block.level));
        self.flag(
            text.trim_end_matches(['"', '”', '’', ')', '」', '）'])
                .ends_with(['.', '!', '?', '。', '！', '？', ':', '…']),
        );
        self.push(marks.separators);
        self.push(marks.money);
        self.push(marks.line_ends + 1.0);
        self.push((repeated - 1) as f32);
        for count in words::phrases(text) {
            self.push(f32::from(count));
        }
    }

    fn context(&mut self, context: &ElementContext) {
        self.push(f32::from(context.depth));
        self.add(&context.distances.map(f32::from));
    }

    /// The element of the block, and those above it that hold clearly more.
    fn containers(&mut self, tree: &Tree, measures: &Measures, node: NodeId, page_words: f32) {
        let mut last = -1.0;
        let mut filled = 0;
        for at in tree.ancestors(node) {
            let sums = measures.of_node(at);
            if sums.words <= last * 1.2 + 3.0 && filled > 0 {
                continue;
            }
            self.push(sums.words / page_words.max(1.0));
            self.push(sums.link_words / sums.words.max(1.0));
            self.push(sums.paragraph_words / sums.words.max(1.0));
            self.push(f32::ln_1p(sums.words / (sums.cell_blocks + 1) as f32));
            last = sums.words;
            filled += 1;
            if filled == 4 {
                return;
            }
        }
        for _ in filled..4 {
            for _ in 0..4 {
                self.push(-1.0);
            }
        }
    }

    fn neighbours(&mut self, seen: &[BlockSummary], blocks: &[Block], index: usize) {
        for offset in [-3_isize, -2, -1, 1, 2, 3] {
            let other = index
                .checked_add_signed(offset)
                .and_then(|it| Some((seen.get(it)?, blocks.get(it)?)));
            match other {
                Some((other, block)) if !other.hidden => {
                    self.push(other.ln_words);
                    self.push(other.link_share);
                    self.push(if block.kind == FragmentType::Heading {
                        f32::from(block.level)
                    } else {
                        0.0
                    });
                }
                _ => {
                    self.push(-1.0);
                    self.push(-1.0);
                    self.push(-1.0);
                }
            }
        }
    }

    fn group(&mut self, group: &Group, page: &Page, blocks: usize) {
        self.push(f32::ln_1p(group.count));
        self.push(f32::ln_1p(group.words / group.count));
        self.push(group.links / group.count);
        self.push(group.words / page.words.max(1.0));
        self.push((group.last - group.first) as f32 / blocks as f32);
    }
}

/// A hash for grouping blocks of one shape (FNV-1a); who makes two shapes collide gains nothing.
fn mixed(seed: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn part(tree: &Tree, node: NodeId, tag: Tag) -> Option<usize> {
    let role = tree.attribute(node, Attribute::Role).unwrap_or_default();
    Some(match (tag, role) {
        (Tag::Nav | Tag::Menu, _) | (_, "navigation" | "menu" | "menubar" | "tablist") => 0,
        (Tag::Footer, _) | (_, "contentinfo") => 1,
        (Tag::Aside, _) | (_, "complementary") => 2,
        (Tag::Header, _) | (_, "banner") => 3,
        (Tag::Main, _) | (_, "main") => 4,
        (Tag::Article, _) | (_, "article") => 5,
        (Tag::Form | Tag::Button | Tag::Fieldset | Tag::Label, _)
        | (_, "search" | "button" | "form") => 6,
        (Tag::Dialog, _) | (_, "dialog" | "alertdialog" | "alert") => 7,
        (Tag::Section, _) => 8,
        _ => return None,
    })
}

fn contexts(tree: &Tree, measures: &Measures, names: &Names) -> Vec<ElementContext> {
    let container = best_container(tree, measures);
    let top = ElementContext { depth: 0, distances: [FAR; DISTANCES], signature: 0 };
    let mut contexts: Vec<ElementContext> = Vec::with_capacity(tree.len());
    for node in tree.all() {
        // No block starts at a text node; its entry only keeps the numbers of nodes in step.
        let Some(tag) = tree.tag(node) else {
            contexts.push(top);
            continue;
        };
        let mut context = match tree.parent(node) {
            None => top,
            Some(parent) => contexts[parent as usize],
        };
        context.depth = context.depth.saturating_add(1);
        context.distances = context.distances.map(|it| (it + 1).min(FAR));
        let class = tree.attribute(node, Attribute::Class).unwrap_or_default();
        let mut bits = 0_u16;
        // Names on the page itself say what the page is, not which part of it this is.
        if !matches!(tag, Tag::Html | Tag::Body) {
            bits = names.class(node).hints() | names.id(node).hints();
            if let Some(itemprop) = tree.attribute(node, Attribute::Itemprop) {
                bits |= NameHints::of(itemprop).hints();
            }
        }
        while bits != 0 {
            context.distances[bits.trailing_zeros() as usize] = 0;
            bits &= bits - 1;
        }
        if let Some(part) = part(tree, node, tag) {
            context.distances[HINTS + part] = 0;
        }
        if node == container {
            context.distances[CONTAINER] = 0;
        }
        let first_class = class.split_ascii_whitespace().next().unwrap_or_default();
        context.signature = mixed(mixed(context.signature, &[tag as u8]), first_class.as_bytes());
        contexts.push(context);
    }
    contexts
}

/// The element whose paragraphs weigh most: each gives its weight to its parent, half of it to the
/// next above, and so on; links take weight away.
fn best_container(tree: &Tree, measures: &Measures) -> NodeId {
    let mut weights = vec![0.0_f32; tree.len()];
    for node in tree.all() {
        let Some(tag) = tree.tag(node) else { continue };
        if !matches!(tag, Tag::P | Tag::Pre | Tag::Blockquote | Tag::Td | Tag::Div | Tag::Section) {
            continue;
        }
        let sums = measures.of_node(node);
        let is_leaf = sums.cell_blocks <= 1;
        if sums.words < 6.0 || !is_leaf {
            continue;
        }
        let weight = 1.0 + sums.commas.min(10.0) + (sums.words / 20.0).min(3.0);
        for (level, above) in tree.ancestors(node).skip(1).take(4).enumerate() {
            weights[above as usize] += match level {
                0 => weight,
                1 => weight / 2.0,
                other => weight / (other as f32 * 3.0),
            };
        }
    }
    let mut best = (ROOT, 0.0);
    for node in tree.all() {
        let sums = measures.of_node(node);
        let weight = weights[node as usize] * (1.0 - sums.link_words / sums.words.max(1.0));
        if weight > best.1 {
            best = (node, weight);
        }
    }
    best.0
}

const _: () = assert!(
    FEATURES == 17 + PHRASES + 4 + 1 + HINTS + PARTS + 1 + 16 + 18 + 5 + 15,
    "every number has its place"
);
