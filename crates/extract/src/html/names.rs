//! What the classes and ids of a page say about its elements, found in one pass over each name.
//!
//! The names are looked at by the judges of blocks, of hidden text and of whole pages; a page repeats
//! its classes hundreds of times, so what was found for one is remembered.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::hidden::SCREEN_READER_CLASSES;
use super::shape::{ADVERT_WORDS, POST_WORDS, WIDGET_WORDS};
use super::tag::Attribute;
use super::tree::{NodeId, Tree};
use super::words::{automaton, class_words};

/// What one name says, as bits: the hints of `words`, then what follows here.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NameHints(u32);

const WIDGET: u32 = 1 << 16;
const POST: u32 = 1 << 17;
const ADVERT: u32 = 1 << 18;
const SCREEN_READER: u32 = 1 << 19;

impl NameHints {
    pub(crate) fn of(name: &str) -> Self {
        let (automaton, bits) = &*WORDS;
        let found = automaton.find_overlapping_iter(name).filter_map(|found| {
            let bit = bits[found.pattern().as_usize()];
            let parted = match bit {
                ADVERT => {
                    is_apart(name, found.start(), found.end(), |it| !it.is_ascii_alphanumeric())
                }
                SCREEN_READER => {
                    is_apart(name, found.start(), found.end(), |it| it.is_ascii_whitespace())
                }
                _ => true,
            };
            parted.then_some(bit)
        });
        Self(found.fold(0, |bits, bit| bits | bit))
    }

    /// The kinds of hint, as bits.
    pub(crate) fn hints(self) -> u16 {
        (self.0 & 0xffff) as u16
    }

    /// Whether a challenge draws itself here.
    pub(crate) fn widget(self) -> bool {
        self.0 & WIDGET != 0
    }

    /// Whether people wrote it to each other.
    pub(crate) fn post(self) -> bool {
        self.0 & POST != 0
    }

    pub(crate) fn advert(self) -> bool {
        self.0 & ADVERT != 0
    }

    /// Whether only a program that reads aloud is meant to find it.
    pub(crate) fn screen_reader(self) -> bool {
        self.0 & SCREEN_READER != 0
    }
}

fn is_apart(name: &str, start: usize, end: usize, parts: impl Fn(&u8) -> bool) -> bool {
    let bytes = name.as_bytes();
    let before = start.checked_sub(1).and_then(|it| bytes.get(it));
    before.is_none_or(&parts) && bytes.get(end).is_none_or(&parts)
}

static WORDS: LazyLock<(AhoCorasick, Vec<u32>)> = LazyLock::new(|| {
    let hints = class_words().into_iter().enumerate();
    let hints = hints.flat_map(|(kind, words)| words.iter().map(move |word| (word, 1 << kind)));
    let others = [
        (WIDGET, &WIDGET_WORDS[..]),
        (POST, &POST_WORDS),
        (ADVERT, &ADVERT_WORDS),
        (SCREEN_READER, &SCREEN_READER_CLASSES),
    ];
    let others = others.into_iter().flat_map(|(bit, words)| words.iter().map(move |it| (*it, bit)));
    let rows: Vec<(&str, u32)> = hints.chain(others).collect();
    let words: Vec<&str> = rows.iter().map(|it| it.0).collect();
    (automaton(&words), rows.iter().map(|it| it.1).collect())
});

/// What the class and the id of every element of one tree say.
#[derive(Debug)]
pub(crate) struct Names {
    said: Vec<(NameHints, NameHints)>,
}

impl Names {
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut memory = Memory::new();
        let mut said = Vec::with_capacity(tree.len());
        for node in tree.all() {
            let mut own = (NameHints::default(), NameHints::default());
            for (name, value) in tree.attributes(node) {
                match name {
                    Attribute::Class => own.0 = memory.said(value),
                    Attribute::Id => own.1 = memory.said(value),
                    _ => {}
                }
            }
            said.push(own);
        }
        Self { said }
    }

    pub(crate) fn class(&self, node: NodeId) -> NameHints {
        self.said[node as usize].0
    }

    pub(crate) fn id(&self, node: NodeId) -> NameHints {
        self.said[node as usize].1
    }
}

/// The last name of each place of a small table; who makes two names share a place gains nothing but
/// that both are looked at again.
struct Memory<'a> {
    slots: Vec<(&'a str, NameHints)>,
}

impl<'a> Memory<'a> {
    const SLOTS: usize = 1024;

    fn new() -> Self {
        Self { slots: vec![("", NameHints::default()); Self::SLOTS] }
    }

    fn said(&mut self, name: &'a str) -> NameHints {
        let (words, rest) = name.as_bytes().as_chunks::<8>();
        let last = rest.iter().fold(name.len() as u64, |sum, it| (sum << 8) | u64::from(*it));
        let words = words.iter().map(|it| u64::from_le_bytes(*it)).chain([last]);
        let hash = words
            .fold(0, |sum: u64, it| (sum.rotate_left(5) ^ it).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let slot = &mut self.slots[(hash >> 54) as usize];
        if slot.0 != name {
            *slot = (name, NameHints::of(name));
        }
        slot.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_its_words_say() {
        assert_eq!(NameHints::of(""), NameHints::default());
        assert_eq!(NameHints::of("Main-NAV").hints(), 1 | 1 << 10);
        assert!(NameHints::of("box AD-slot").advert() && NameHints::of("ads").advert());
        assert!(!NameHints::of("loading shadow").advert());
        assert!(
            NameHints::of("a SR-only b").screen_reader()
                && NameHints::of("visually-hidden").screen_reader()
        );
        assert!(!NameHints::of("not-sr-only").screen_reader());
        assert!(NameHints::of("x-h-captcha-y").widget() && NameHints::of("comment-body").post());
    }

    #[test]
    fn every_element_is_told_by_its_own_names() {
        let limits = super::super::tree::TreeLimits { depth: 9, nodes: 99, attribute_bytes: 99 };
        let page = "<p class=ads id=x><p id=ads class=y><p class=ads>";
        let tree = Tree::read(page, limits);
        let names = Names::of(&tree);
        let adverts: Vec<(bool, bool)> =
            tree.all().map(|it| (names.class(it).advert(), names.id(it).advert())).collect();
        assert_eq!(adverts, [(false, false), (true, false), (false, true), (true, false)]);
    }
}
