//! Elements of a page by selector, for readers that know the layout of a page.
//!
//! [`Page`] is the tree that pages are read with, with every attribute; [`Selector`] the part of CSS that
//! result pages of search engines are described in. What a selector may say is in [`Selector::parse`].

mod selector;

use crate::html::tag::Attribute;
use crate::html::tree::{NodeId, ROOT, Tree, TreeLimits};

pub use selector::{Selector, SelectorError};

/// A page as a tree of elements and text.
#[derive(Debug)]
pub struct Page(Tree);

/// Bounds on what is kept of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLimits {
    /// Elements inside each other; those beyond are laid flat.
    pub depth: usize,
    /// Elements and texts; the rest of the page is left out.
    pub nodes: usize,
    /// Bytes of the value of an attribute; the rest is cut off.
    pub attribute_bytes: usize,
}

impl Page {
    pub fn read(text: &str, limits: PageLimits) -> Self {
        let PageLimits { depth, nodes, attribute_bytes } = limits;
        Self(Tree::read_whole(text, TreeLimits { depth, nodes, attribute_bytes }))
    }

    pub fn root(&self) -> Element<'_> {
        Element { page: self, id: ROOT }
    }

    /// Elements were nested deeper than the limit.
    pub fn is_too_deep(&self) -> bool {
        self.0.flattened
    }

    /// The elements a selector names, in the order of the page.
    pub fn select<'p>(&'p self, selector: &Selector) -> impl Iterator<Item = Element<'p>> {
        let root = self.root();
        std::iter::once(root).chain(root.inside()).filter(|it| selector.matches(*it))
    }
}

/// An element of a page.
#[derive(Debug, Clone, Copy)]
pub struct Element<'p> {
    page: &'p Page,
    id: NodeId,
}

/// What an element holds.
#[derive(Debug, Clone, Copy)]
pub enum Node<'p> {
    Element(Element<'p>),
    Text(&'p str),
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.page, other.page)
    }
}

impl Eq for Element<'_> {}

impl std::hash::Hash for Element<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl<'p> Element<'p> {
    fn of(page: &'p Page, id: NodeId) -> Option<Self> {
        page.0.tag(id).map(|_| Self { page, id })
    }

    /// Its name in lower case; empty for one that HTML does not know.
    pub fn name(self) -> &'static str {
        self.page.0.tag(self.id).map_or("", crate::html::tag::Tag::name)
    }

    pub fn attribute(self, name: &str) -> Option<&'p str> {
        self.value(Attribute::any(name.as_bytes()))
    }

    fn value(self, name: Attribute) -> Option<&'p str> {
        self.page.0.attribute(self.id, name)
    }

    pub fn classes(self) -> impl Iterator<Item = &'p str> {
        self.value(Attribute::Class).unwrap_or_default().split_ascii_whitespace()
    }

    pub fn parent(self) -> Option<Self> {
        self.page.0.parent(self.id).map(|id| Self { page: self.page, id })
    }

    /// The elements it stands in, from the inside out.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |it| it.parent())
    }

    pub fn children(self) -> impl DoubleEndedIterator<Item = Node<'p>> {
        let page = self.page;
        let nodes: Vec<Node<'p>> = page
            .0
            .children(self.id)
            .filter_map(|id| match page.0.text(id) {
                Some(text) => Some(Node::Text(text)),
                None => Self::of(page, id).map(Node::Element),
            })
            .collect();
        nodes.into_iter()
    }

    /// The elements inside it, in the order of the page.
    pub fn inside(self) -> impl Iterator<Item = Self> {
        let page = self.page;
        page.0.inside(self.id).filter_map(move |id| Self::of(page, id))
    }

    /// The element itself and those inside it.
    pub fn and_inside(self) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.inside())
    }

    /// The elements after it in the same parent.
    pub fn following(self) -> impl Iterator<Item = Self> {
        let page = self.page;
        std::iter::successors(page.0.next_sibling(self.id), |it| page.0.next_sibling(*it))
            .filter_map(move |id| Self::of(page, id))
    }

    /// The elements inside it that a selector names, in the order of the page.
    pub fn select(self, selector: &Selector) -> impl Iterator<Item = Self> {
        self.inside().filter(|it| selector.matches(*it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: PageLimits = PageLimits { depth: 64, nodes: 1_000, attribute_bytes: 1_000 };

    fn ids(page: &str, selector: &str) -> String {
        let page = Page::read(page, LIMITS);
        let selector = Selector::parse(selector).unwrap();
        let found: Vec<&str> = page.select(&selector).filter_map(|it| it.attribute("id")).collect();
        found.join(" ")
    }

    const PAGE: &str = "<body id=body><main id=main class='a b' data-TestID='Result-1'>
        <div id=one class=b><p id=p1>1</p>text<p id=p2><a id=link href='/x?uddg=1'>x</a></p></div>
        <div id=two class=c><section id=s><p id=p3 class='b c'>3</section></div></main>";

    #[test]
    fn every_kind_of_selector_names_its_elements() {
        let cases = [
            ("*", "body main one p1 p2 link two s p3"),
            ("p", "p1 p2 p3"),
            ("P", "p1 p2 p3"),
            (".b", "main one p3"),
            ("p.b.c", "p3"),
            ("#two", "two"),
            ("[data-testid]", "main"),
            ("[data-testid=Result-1]", "main"),
            ("[data-testid='result-1']", ""),
            ("[data-testid^=Res]", "main"),
            ("[data-testid^='']", ""),
            ("a[href*='uddg=']", "link"),
            ("main p", "p1 p2 p3"),
            ("div > p", "p1 p2"),
            ("main > div > p", "p1 p2"),
            ("main>div p", "p1 p2 p3"),
            (".a .c p", "p3"),
            ("p:first-child", "p1 p3"),
            ("p:last-child", "p2 p3"),
            ("div:has(a)", "one"),
            ("main:has(section p.b)", "main"),
            ("section:has(div p)", ""),
            ("div:has(main p)", ""),
            ("div:has(> p a)", "one"),
            ("div:has(> section > p)", "two"),
            ("main:has(> p)", ""),
            ("main:has(> p a, > div > p)", "main"),
            ("p:not(.b)", "p1 p2"),
            ("p:not(:has(a), .b)", "p1"),
            ("section, a", "link s"),
        ];
        for (selector, expected) in cases {
            assert_eq!(ids(PAGE, selector), expected, "{selector}");
        }
    }

    #[test]
    fn what_is_not_understood_is_said_where_it_stands() {
        let cases = [
            ("", "it is empty"),
            ("p,", "a selector is missing at its end"),
            ("p + p", "`+` is not supported (at `+ p`)"),
            ("p ~ p", "`~` is not supported (at `~ p`)"),
            ("p:hover", "`:hover` is not supported"),
            ("p:nth-child(2)", "`:nth-child` is not supported"),
            ("p::before", "`::` is not supported (at `::before`)"),
            ("[a|=b]", "`|` is not supported (at `|=b]`)"),
            ("[a=b i]", "`i` is not supported (at `i]`)"),
            ("[a='b]", "a quote is not closed"),
            ("div:has(p", "a bracket is not closed"),
            ("li[", "a bracket is not closed"),
            ("div)", "`)` is not supported (at `)`)"),
            ("shiny-thing", "no element of HTML is called `shiny-thing`"),
            (":has(+ p)", "`+` is not supported (at `+ p)`)"),
            (":not(> p)", "`>` is not supported (at `> p)`)"),
            ("> p", "`>` is not supported (at `> p`)"),
            ("div >", "a selector is missing at its end"),
        ];
        for (selector, problem) in cases {
            let error = Selector::parse(selector).unwrap_err();
            assert_eq!(error.to_string(), problem, "{selector}");
        }
        let deep = format!("{}p{}", ":not(".repeat(20), ")".repeat(20));
        assert_eq!(Selector::parse(&deep).unwrap_err().to_string(), "it is nested too deeply");
    }

    #[test]
    fn an_element_knows_what_is_around_and_inside_it() {
        let page = Page::read(PAGE, LIMITS);
        let one = page.select(&Selector::parse("#one").unwrap()).next().unwrap();
        let names = |elements: &mut dyn Iterator<Item = Element<'_>>| {
            elements.map(Element::name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(&mut one.ancestors()), "main body html");
        assert_eq!(names(&mut one.and_inside()), "div p p a");
        assert_eq!(names(&mut one.following()), "div");
        let texts: Vec<&str> = one
            .children()
            .filter_map(|node| match node {
                Node::Text(text) => Some(text),
                Node::Element(_) => None,
            })
            .collect();
        assert_eq!(texts, ["text"]);
        assert_eq!(one.classes().collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn a_page_that_is_too_deep_says_so() {
        assert!(!Page::read(&"<div>".repeat(60), LIMITS).is_too_deep());
        assert!(Page::read(&"<div>".repeat(70), LIMITS).is_too_deep());
    }
}
