//! Phrases that give orders to a machine, found by the words they are made of.
//!
//! Every word of the vocabulary is found in one pass; a rule then looks from each of its first words
//! as far as its gaps reach and no further, and never over the end of a sentence.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::skeleton::Skeleton;
use super::vocabulary::{Meanings, Rule, VOCABULARY};

/// A word of the vocabulary in a text, in characters of the skeleton.
struct Word {
    meanings: Meanings,
    start: usize,
    end: usize,
    sentence: usize,
}

struct Finders {
    /// Words in Latin letters, and all others: most texts have no place for those.
    latin: Finder,
    others: Finder,
    /// The meanings that rules begin with.
    firsts: Meanings,
}

static FINDERS: LazyLock<Finders> = LazyLock::new(|| {
    let (latin, others): (Vec<_>, Vec<_>) = VOCABULARY
        .words
        .iter()
        .map(|(word, meanings)| (*word, *meanings))
        .partition(|it| it.0.is_ascii());
    let firsts = VOCABULARY.rules.iter().fold(0, |firsts, rule| firsts | rule.first);
    let latin = Finder::new(&latin, AhoCorasickKind::DFA);
    let others = Finder::new(&others, AhoCorasickKind::ContiguousNFA);
    Finders { latin, others, firsts }
});

struct Finder {
    automaton: AhoCorasick,
    /// The meanings of each word, one bit for each.
    meanings: Vec<Meanings>,
}

impl Finder {
    fn new(words: &[(&str, Meanings)], kind: AhoCorasickKind) -> Self {
        let automaton = AhoCorasick::builder()
            .kind(Some(kind))
            .build(words.iter().map(|it| it.0))
            .expect("a few hundred words make an automaton");
        Self { automaton, meanings: words.iter().map(|it| it.1).collect() }
    }

    /// The place of each word in bytes, and its meanings.
    fn find(&self, text: &str) -> impl Iterator<Item = (usize, usize, Meanings)> {
        let hits = self.automaton.find_overlapping_iter(text);
        hits.map(|it| (it.start(), it.end(), self.meanings[it.pattern().as_usize()]))
    }
}

/// The name and the place of each phrase, in characters of the plain text.
pub(super) fn phrases(skeleton: &Skeleton) -> Vec<(&'static str, Range<usize>)> {
    let words = words(skeleton);
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if word.meanings & FINDERS.firsts == 0 {
            continue;
        }
        for rule in VOCABULARY.rules.iter().filter(|it| word.meanings & it.first != 0) {
            if let Some(last) = last_word(rule, &words[index..]) {
                let place = skeleton.place(word.start)..skeleton.place(last.end - 1) + 1;
                found.push((rule.name, place));
            }
        }
    }
    found
}

fn words(skeleton: &Skeleton) -> Vec<Word> {
    let text = &skeleton.text;
    let mut hits: Vec<(usize, usize, Meanings)> = FINDERS.latin.find(text).collect();
    if !text.is_ascii() {
        hits.extend(FINDERS.others.find(text));
    }
    hits.retain(|it| skeleton.parts_words(it.0) && skeleton.parts_words(it.1));
    if hits.iter().all(|it| it.2 & FINDERS.firsts == 0) {
        return Vec::new();
    }
    let ends = sentence_ends(text);
    let mut words: Vec<Word> = hits
        .into_iter()
        .map(|(start, end, meanings)| Word {
            meanings,
            start: skeleton.char_at(start),
            end: skeleton.char_at(end),
            sentence: ends.partition_point(|it| *it <= start),
        })
        .collect();
    words.sort_by_key(|it| (it.start, it.end));
    words
}

/// The last word of the phrase that begins with the first of `words`.
fn last_word<'a>(rule: &Rule, words: &'a [Word]) -> Option<&'a Word> {
    let mut at = &words[0];
    for (gap, meanings) in &rule.then {
        at = words
            .iter()
            .skip_while(|it| it.start < at.end)
            .take_while(|it| it.start <= at.end + gap && it.sentence == at.sentence)
            .find(|it| it.meanings & meanings != 0)?;
    }
    Some(at)
}

/// Where sentences end, in bytes. A dot counts only before a space, so that `example.com` is one word, and
/// several dots are a pause.
fn sentence_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut chars = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((index, c)) = chars.next() {
        let next = chars.peek().map(|it| it.1);
        let ends_here = match c {
            '。' | '!' | '?' => true,
            '.' => before != '.' && next.is_none_or(|it| it == ' '),
            _ => false,
        };
        if ends_here {
            ends.push(index + c.len_utf8());
        }
        before = c;
    }
    ends
}
