//! The dictionary of mirrors: which English words correspond to which Japanese words.
//!
//! Two sources: `terms.tsv`, counted in aligned sentences (`training/encoder/terms.py`), and the
//! hand-written groups, which go first because a person checked them. Of `terms.tsv` only the places of
//! its words are kept, one index for each language, made when that language is first asked for: most
//! runs of the program ask in one language, and a few questions.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::english::key;
use crate::groups::{self, Role};
use crate::script;

static TERMS: &str = include_str!("../data/terms.tsv");
/// About as many as there are, so that the index is not built twice.
const WORDS: usize = 32_768;

/// A word of the other language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mirror {
    pub(crate) text: &'static str,
    /// How often the word is this one, in hundredths of its links.
    pub(crate) share: u8,
    /// How often this one is the word.
    back: u8,
}

/// Hand-written pairs count more than the surest of the counted ones.
const CERTAIN: u8 = 100;

/// How sure a counted mirror of a single word must be, in hundredths: mostly this one, or read back mostly the word.
/// "hip" is 腰 in most sentences, but 腰 is rarely "hip": the word means something else there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sureness {
    /// Where most links lead to the mirror, the least share of its own links that lead back.
    back_of_usual: u8,
    /// Otherwise the least share and the least share back.
    share: u8,
    back: u8,
}

/// English words mean many things.
pub(crate) const ENGLISH_WORD: Sureness = Sureness { back_of_usual: 25, share: 20, back: 40 };
/// A form in -ing or -ed may come from a word that only looks like its verb.
pub(crate) const ENGLISH_FORM: Sureness = Sureness { back_of_usual: 40, share: 30, back: 60 };
/// Japanese words are told apart by their characters.
pub(crate) const JAPANESE_WORD: Sureness = Sureness { back_of_usual: 0, share: 20, back: 15 };

/// From this share on a mirror is the usual one.
const USUAL: u8 = 60;
/// How much more the best mirror must weigh than one that begins otherwise, in hundredths.
const LEAD: u32 = 125;

/// The first line of each Japanese word; the others follow it.
static JAPANESE: LazyLock<HashMap<&'static str, usize>> = LazyLock::new(|| {
    let mut places = HashMap::with_capacity(WORDS);
    for (at, line) in lines(0) {
        let word = line.split_once('\t').map_or(line, |it| it.0);
        places.entry(word).or_insert(at);
    }
    places
});

/// All lines of each English key.
static ENGLISH: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut places: HashMap<String, Vec<usize>> = HashMap::with_capacity(WORDS);
    for (at, line) in lines(0) {
        if let Some(en) = line.split('\t').nth(1) {
            places.entry(key(en)).or_default().push(at);
        }
    }
    places
});

static WRITTEN: LazyLock<Written> = LazyLock::new(Written::read);

impl Mirror {
    /// How much speaks for it in both directions.
    fn weight(self) -> u32 {
        u32::from(self.share) * u32::from(self.back)
    }

    fn is_sure(self, sureness: Sureness) -> bool {
        self.share >= USUAL && self.back >= sureness.back_of_usual
            || self.share >= sureness.share && self.back >= sureness.back
    }
}

/// Of the mirrors of a single word those that can stand alone, the best first: none where two meanings weigh about the
/// same, for the wrong one finds what nobody asked for.
pub(crate) fn unambiguous(mut mirrors: Vec<Mirror>, sureness: Sureness) -> Vec<Mirror> {
    if mirrors.first().is_some_and(|it| it.share == CERTAIN) {
        return mirrors;
    }
    mirrors.sort_by_key(|it| Reverse(it.weight()));
    if let [best, second, ..] = mirrors[..] {
        // 増加 and 増える are one meaning; so are 銀行 and バンク, which are both usual.
        let begins_alike = best.text.chars().next() == second.text.chars().next();
        let both_usual = best.share >= USUAL && second.share >= USUAL;
        let leads = 100 * best.weight() >= LEAD * second.weight();
        if !(begins_alike || both_usual || leads) {
            return Vec::new();
        }
    }
    mirrors.retain(|it| it.is_sure(sureness));
    mirrors
}

/// Whether there are English words for a Japanese one.
pub(crate) fn knows_japanese(word: &str) -> bool {
    let knows = |it: &str| WRITTEN.japanese.contains_key(it) || JAPANESE.contains_key(it);
    knows(word) || script::spellings_of(word).iter().any(|it| knows(it))
}

/// Whether there are Japanese words for an English key.
pub(crate) fn knows_english(key: &str) -> bool {
    WRITTEN.english.contains_key(key) || ENGLISH.contains_key(key)
}

/// English words for a Japanese one, the best first.
pub(crate) fn of_japanese(word: &str) -> Vec<Mirror> {
    let mut spellings = std::iter::once(word).chain(script::spellings_of(word).iter().copied());
    let found = spellings.find_map(|word| {
        let counted = JAPANESE.get(word).into_iter().flat_map(|at| lines(*at)).map(|it| it.1);
        let own = counted.map_while(|line| {
            let (ja, en, share, back) = fields(line)?;
            (ja == word).then_some(Mirror { text: en, share, back })
        });
        let all = ordered(WRITTEN.japanese.get(word), own);
        (!all.is_empty()).then_some(all)
    });
    found.unwrap_or_default()
}

/// Japanese words for an English key, the best first.
pub(crate) fn of_english(key: &str) -> Vec<Mirror> {
    let places = ENGLISH.get(key).into_iter().flatten();
    let counted = places.filter_map(|at| lines(*at).next()).filter_map(|line| {
        let (ja, _, share, back) = fields(line.1)?;
        Some(Mirror { text: ja, share: back, back: share })
    });
    ordered(WRITTEN.english.get(key), counted)
}

/// The lines from a place on, each with its own.
fn lines(from: usize) -> impl Iterator<Item = (usize, &'static str)> {
    let mut at = from;
    let lines = TERMS[from..].split_terminator('\n').map(move |line| {
        let own = at;
        at += line.len() + 1;
        (own, line)
    });
    lines.filter(|it| !it.1.starts_with('#'))
}

fn fields(line: &'static str) -> Option<(&'static str, &'static str, u8, u8)> {
    let mut fields = line.split('\t');
    Some((
        fields.next()?,
        fields.next()?,
        fields.next()?.parse().ok()?,
        fields.next()?.parse().ok()?,
    ))
}

/// Written ones first, then by how usual they are; equals stay in the order of the file.
fn ordered(written: Option<&Vec<Mirror>>, counted: impl Iterator<Item = Mirror>) -> Vec<Mirror> {
    let mut all = written.cloned().unwrap_or_default();
    for mirror in counted {
        if all.iter().all(|it| it.text != mirror.text) {
            all.push(mirror);
        }
    }
    all.sort_by_key(|it| (Reverse(it.share), Reverse(it.back)));
    all
}

/// The mirrors of the hand-written groups.
#[derive(Debug, Default)]
struct Written {
    japanese: HashMap<String, Vec<Mirror>>,
    english: HashMap<String, Vec<Mirror>>,
}

impl Written {
    fn read() -> Self {
        let mut all = Self::default();
        for group in groups::all() {
            let of = |english: bool| group.members.iter().filter(move |it| it.english == english);
            let first = |english: bool| {
                of(english).find(|it| matches!(it.role, Role::Same | Role::Written))
            };
            let exact = |english: bool| of(english).filter(|it| it.role == Role::Same);
            let (Some(ja), Some(en)) = (first(false), first(true)) else { continue };
            let certain = |text| Mirror { text, share: CERTAIN, back: CERTAIN };
            for word in exact(false) {
                all.japanese.entry(word.key()).or_default().push(certain(en.text));
            }
            for word in exact(true) {
                all.english.entry(word.key()).or_default().push(certain(ja.text));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::script::is_japanese;

    #[test]
    fn every_line_of_the_dictionary_can_be_read() {
        let mut before = "";
        for line in TERMS.lines().filter(|it| !it.starts_with('#')) {
            let fields: Vec<_> = line.split('\t').collect();
            let [ja, en, share, back] = fields[..] else { panic!("{line}") };
            assert!(ja.chars().any(is_japanese) && !en.chars().any(is_japanese), "{line}");
            assert!(share.parse::<u8>().unwrap() < CERTAIN, "{line}");
            assert!(back.parse::<u8>().unwrap() < CERTAIN, "{line}");
            assert!(before <= ja, "sorted: {line}");
            before = ja;
        }
    }

    #[test]
    fn a_single_word_with_two_meanings_has_no_mirror() {
        let texts = |key: &str, sureness| -> Vec<&str> {
            unambiguous(of_english(key), sureness).into_iter().map(|it| it.text).collect()
        };
        for word in ["hip", "fall", "plate", "replacement", "work"] {
            assert_eq!(texts(word, ENGLISH_WORD), [""; 0], "{word}");
        }
        assert_eq!(texts("clear", ENGLISH_FORM), [""; 0]);
        for (word, mirror) in [("coffee", "コーヒー"), ("reduce", "減らす"), ("speed", "スピード")]
        {
            assert_eq!(texts(word, ENGLISH_WORD).first(), Some(&mirror), "{word}");
        }
    }
}
