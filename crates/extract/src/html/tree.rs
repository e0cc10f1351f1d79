//! Tags to a tree that a reader can walk.
//!
//! The rules of browsers that change what a person reads are followed (a paragraph ends where the
//! next begins, cells end cells, unknown ends are ignored); the rest of the standard's repairs is not.
//! Depth and size are bounded; beyond the depth, elements are laid flat into the last one inside it.

use std::borrow::Cow;

use super::tag::{Attribute, Tag};
use super::tokens::{self, Sink};

/// Position of a node in its tree. The root is 0.
pub(crate) type NodeId = u32;

const NONE: NodeId = NodeId::MAX;
pub(crate) const ROOT: NodeId = 0;

/// Bounds on what is built.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeLimits {
    pub(crate) depth: usize,
    pub(crate) nodes: usize,
    pub(crate) attribute_bytes: usize,
}

#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    end: u32,
}

#[derive(Debug)]
struct Node {
    parent: NodeId,
    first_child: NodeId,
    last_child: NodeId,
    next: NodeId,
    content: Content,
}

#[derive(Debug, Clone, Copy)]
enum Content {
    Element { tag: Tag, attributes: Span },
    Text(Span),
}

/// A page as a tree of elements and text.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    attributes: Vec<(Attribute, Span)>,
    text: String,
    /// Whether the limit on nodes was met, so that the end of the page is missing.
    pub(crate) truncated: bool,
    /// Whether the limit on depth was met, so that elements were laid flat.
    pub(crate) flattened: bool,
}

impl Tree {
    pub(crate) fn read(page: &str, limits: TreeLimits) -> Self {
        Self::read_attributes(page, limits, false)
    }

    /// The same with every attribute, not only those that reading needs.
    pub(crate) fn read_whole(page: &str, limits: TreeLimits) -> Self {
        Self::read_attributes(page, limits, true)
    }

    fn read_attributes(page: &str, limits: TreeLimits, all_attributes: bool) -> Self {
        let mut builder = Builder::new(page.len(), limits);
        tokens::read(page, limits.attribute_bytes, all_attributes, &mut builder);
        builder.tree
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn tag(&self, node: NodeId) -> Option<Tag> {
        match self.nodes[node as usize].content {
            Content::Element { tag, .. } => Some(tag),
            Content::Text(_) => None,
        }
    }

    pub(crate) fn text(&self, node: NodeId) -> Option<&str> {
        match self.nodes[node as usize].content {
            Content::Element { .. } => None,
            Content::Text(span) => Some(self.slice(span)),
        }
    }

    pub(crate) fn attribute(&self, node: NodeId, name: Attribute) -> Option<&str> {
        let Content::Element { attributes, .. } = self.nodes[node as usize].content else {
            return None;
        };
        let range = attributes.start as usize..attributes.end as usize;
        let found = self.attributes[range].iter().find(|(it, _)| *it == name)?;
        Some(self.slice(found.1))
    }

    /// The attributes of a node, each at most once.
    pub(crate) fn attributes(&self, node: NodeId) -> impl Iterator<Item = (Attribute, &str)> {
        let range = match self.nodes[node as usize].content {
            Content::Element { attributes, .. } => {
                attributes.start as usize..attributes.end as usize
            }
            Content::Text(_) => 0..0,
        };
        self.attributes[range].iter().map(|(name, span)| (*name, self.slice(*span)))
    }

    /// The attributes of all nodes.
    pub(crate) fn all_attributes(&self) -> impl Iterator<Item = (Attribute, &str)> {
        self.attributes.iter().map(|(name, span)| (*name, self.slice(*span)))
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node as usize].parent;
        (parent != NONE).then_some(parent)
    }

    /// The node and those above it.
    pub(crate) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), |it| self.parent(*it))
    }

    pub(crate) fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let first = self.nodes[node as usize].first_child;
        std::iter::successors((first != NONE).then_some(first), |it| self.next_sibling(*it))
    }

    pub(crate) fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        let next = self.nodes[node as usize].next;
        (next != NONE).then_some(next)
    }

    /// The nodes inside a node, in the order of the page: they were created between it and what follows it.
    pub(crate) fn inside(&self, node: NodeId) -> std::ops::Range<NodeId> {
        let after = self.ancestors(node).find_map(|it| self.next_sibling(it));
        node + 1..after.unwrap_or(self.nodes.len() as NodeId)
    }

    /// Every node in the order of the page. Nodes are created in that order.
    pub(crate) fn all(&self) -> impl Iterator<Item = NodeId> {
        0..self.nodes.len() as NodeId
    }

    /// The text under a node, as written.
    pub(crate) fn text_under(&self, node: NodeId) -> String {
        let mut out = String::new();
        let mut walk = vec![node];
        while let Some(at) = walk.pop() {
            if let Some(text) = self.text(at) {
                out.push_str(text);
            }
            let from = walk.len();
            walk.extend(self.children(at));
            walk[from..].reverse();
        }
        out
    }

    fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }
}

struct Builder {
    tree: Tree,
    limits: TreeLimits,
    open: Vec<Open>,
    /// Elements that were met beyond the depth and are not on the stack.
    flat: usize,
    head_done: bool,
    /// Paragraphs that are open: mostly none, and then none is looked for.
    paragraphs: usize,
}

struct Open {
    node: NodeId,
    tag: Tag,
    /// Its end tag came while a block inside was still open: it ends with that block.
    ends_with_child: bool,
}

impl Builder {
    fn new(bytes: usize, limits: TreeLimits) -> Self {
        let mut tree = Tree {
            nodes: Vec::with_capacity((bytes / 40).min(limits.nodes)),
            attributes: Vec::new(),
            text: String::with_capacity(bytes / 4),
            truncated: false,
            flattened: false,
        };
        tree.nodes.push(Node {
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            next: NONE,
            content: Content::Element { tag: Tag::Html, attributes: Span { start: 0, end: 0 } },
        });
        let root = Open { node: ROOT, tag: Tag::Html, ends_with_child: false };
        Self { tree, limits, open: vec![root], flat: 0, head_done: false, paragraphs: 0 }
    }

    fn keep(&mut self, text: &str) -> Span {
        let start = self.tree.text.len() as u32;
        self.tree.text.push_str(text);
        Span { start, end: self.tree.text.len() as u32 }
    }

    fn append(&mut self, content: Content) -> Option<NodeId> {
        if self.tree.nodes.len() >= self.limits.nodes {
            self.tree.truncated = true;
            return None;
        }
        let parent = self.current();
        let id = self.tree.nodes.len() as NodeId;
        self.tree.nodes.push(Node {
            parent,
            first_child: NONE,
            last_child: NONE,
            next: NONE,
            content,
        });
        let last = self.tree.nodes[parent as usize].last_child;
        if last == NONE {
            self.tree.nodes[parent as usize].first_child = id;
        } else {
            self.tree.nodes[last as usize].next = id;
        }
        self.tree.nodes[parent as usize].last_child = id;
        Some(id)
    }

    fn current(&self) -> NodeId {
        self.open.last().map_or(ROOT, |it| it.node)
    }

    /// Ends the element at `place` on the stack and everything inside it.
    fn close_from(&mut self, place: usize) {
        let place = place.max(1);
        while self.open.len() > place
            || self.open.len() > 1 && self.open.last().is_some_and(|it| it.ends_with_child)
        {
            let ended = self.open.pop();
            self.paragraphs -= usize::from(ended.is_some_and(|it| it.tag == Tag::P));
        }
    }

    /// The nearest open element of one of `tags`, unless one of `until` is nearer.
    fn nearest(&self, tags: &[Tag], until: &[Tag]) -> Option<usize> {
        for (place, open) in self.open.iter().enumerate().skip(1).rev() {
            if tags.contains(&open.tag) {
                return Some(place);
            }
            if open.tag.is_boundary() || until.contains(&open.tag) {
                return None;
            }
        }
        None
    }

    /// Ends what cannot stay open when `tag` begins.
    fn make_room(&mut self, tag: Tag) {
        let table = [Tag::Table];
        let place = match tag {
            Tag::Li => self.nearest(&[Tag::Li], &[Tag::Ul, Tag::Ol, Tag::Menu, Tag::Dir]),
            Tag::Dt | Tag::Dd => self.nearest(&[Tag::Dt, Tag::Dd], &[Tag::Dl]),
            Tag::Option | Tag::Optgroup => self.nearest(&[Tag::Option], &[Tag::Select]),
            Tag::A => {
                self.nearest(&[Tag::A], &[Tag::Div, Tag::Li, Tag::P, Tag::Section, Tag::Article])
            }
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                // A heading inside a heading is a forgotten end.
                self.open
                    .last()
                    .filter(|it| it.tag.heading().is_some())
                    .map(|_| self.open.len() - 1)
            }
            Tag::Td | Tag::Th => self.inside_table(&[Tag::Td, Tag::Th], &[Tag::Tr, Tag::Table]),
            Tag::Tr => {
                self.inside_table(&[Tag::Tr], &[Tag::Table, Tag::Tbody, Tag::Thead, Tag::Tfoot])
            }
            Tag::Tbody | Tag::Thead | Tag::Tfoot => self.inside_table(
                &[Tag::Tbody, Tag::Thead, Tag::Tfoot, Tag::Colgroup, Tag::Caption],
                &table,
            ),
            _ => None,
        };
        if let Some(place) = place {
            self.close_from(place);
        }
        if self.paragraphs > 0
            && tag.closes_paragraph()
            && let Some(place) = self.nearest(&[Tag::P], &[Tag::Button])
        {
            self.close_from(place);
        }
    }

    /// As [`Self::nearest`], but a cell is no boundary: a row ends the cells of the row before.
    fn inside_table(&self, tags: &[Tag], until: &[Tag]) -> Option<usize> {
        for (place, open) in self.open.iter().enumerate().skip(1).rev() {
            if until.contains(&open.tag) {
                return None;
            }
            if tags.contains(&open.tag) {
                return Some(place);
            }
        }
        None
    }
}

impl Sink for Builder {
    fn start(&mut self, tag: Tag, attributes: &[(Attribute, Cow<'_, str>)], self_closing: bool) {
        if tag == Tag::Head && self.head_done {
            return;
        }
        if !self.head_done && !matches!(tag, Tag::Html | Tag::Head) && !tag.belongs_in_head() {
            self.head_done = true;
            if let Some(place) = self.open.iter().position(|it| it.tag == Tag::Head) {
                self.close_from(place);
            }
        }
        self.make_room(tag);
        let from = self.tree.attributes.len() as u32;
        for (name, value) in attributes {
            let span = self.keep(value);
            self.tree.attributes.push((*name, span));
        }
        let attributes = Span { start: from, end: self.tree.attributes.len() as u32 };
        if tag == Tag::Html {
            // There is one already; the first that says something about itself is believed.
            if let Content::Element { attributes: kept, .. } = &mut self.tree.nodes[0].content
                && kept.start == kept.end
            {
                *kept = attributes;
            }
            return;
        }
        if tag == Tag::Body && self.open.iter().any(|it| it.tag == Tag::Body) {
            return;
        }
        let Some(node) = self.append(Content::Element { tag, attributes }) else {
            return;
        };
        // Only foreign elements (drawings, formulas, custom ones) can close themselves.
        let empty =
            tag.is_void() || (self_closing && matches!(tag, Tag::Other | Tag::Svg | Tag::Math));
        if empty {
            return;
        }
        if self.open.len() < self.limits.depth {
            self.open.push(Open { node, tag, ends_with_child: false });
            self.paragraphs += usize::from(tag == Tag::P);
        } else {
            self.flat += 1;
            self.tree.flattened = true;
        }
    }

    fn end(&mut self, tag: Tag) {
        if tag == Tag::Head {
            self.head_done = true;
        }
        if matches!(tag, Tag::Html | Tag::Body) || tag.is_void() {
            if tag == Tag::Br {
                self.start(Tag::Br, &[], false);
            }
            return;
        }
        if self.flat > 0 {
            // Which of the flattened ends here is not known; they end in turn.
            self.flat -= 1;
            return;
        }
        let mut inside_block = false;
        for place in (1..self.open.len()).rev() {
            let open = &self.open[place];
            if open.tag == tag {
                if inside_block && !tag.is_block() {
                    self.open[place].ends_with_child = true;
                } else {
                    self.close_from(place);
                }
                return;
            }
            let crosses = open.tag.is_boundary()
                && !matches!(
                    tag,
                    Tag::Table | Tag::Tbody | Tag::Thead | Tag::Tfoot | Tag::Tr | Tag::Td | Tag::Th
                );
            if crosses {
                break;
            }
            inside_block |= open.tag.is_block();
        }
        // An end of a paragraph that never began still parts what is around it.
        if tag == Tag::P {
            self.append(Content::Element { tag, attributes: Span { start: 0, end: 0 } });
        }
    }

    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.head_done
            && !text.trim_ascii().is_empty()
            && self.open.last().is_some_and(|it| it.tag != Tag::Head)
        {
            self.head_done = true;
        }
        // Neighbouring pieces of text are one: kept back to back, they share a node.
        let parent = self.current();
        let last = self.tree.nodes[parent as usize].last_child;
        if last != NONE
            && let Content::Text(span) = self.tree.nodes[last as usize].content
            && span.end as usize == self.tree.text.len()
        {
            self.tree.text.push_str(text);
            let end = self.tree.text.len() as u32;
            self.tree.nodes[last as usize].content = Content::Text(Span { start: span.start, end });
            return;
        }
        let span = self.keep(text);
        self.append(Content::Text(span));
    }

    fn raw(&mut self, tag: Tag, text: &str) {
        // Styles and programs are not read; structured data inside scripts is.
        if tag != Tag::Style && self.keeps_raw(tag) {
            let span = self.keep(text);
            self.append(Content::Text(span));
        }
    }
}

impl Builder {
    fn keeps_raw(&self, tag: Tag) -> bool {
        let structured = |node| {
            self.tree
                .attribute(node, Attribute::Type)
                .is_some_and(|it| it.to_ascii_lowercase().contains("json"))
        };
        match tag {
            Tag::Title | Tag::Textarea | Tag::Xmp => true,
            Tag::Script => structured(self.current()),
            _ => false,
        }
    }
}
