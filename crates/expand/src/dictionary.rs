//! The dictionary of mirrors: which English words stand where which Japanese words stand.
//!
//! Two sources: `terms.tsv`, counted in aligned sentences (`training/encoder/terms.py`), and the
//! hand-written groups, which go first because somebody has read them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::english::key;
use crate::groups::{self, Role};
use crate::script;
use crate::text::{is_hiragana, is_japanese, is_kanji};

static TERMS: &str = include_str!("../data/terms.tsv");
static DICTIONARY: LazyLock<Dictionary> = LazyLock::new(Dictionary::read);

/// A word of the other language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mirror {
    pub(crate) text: &'static str,
    /// How often the word is this one, in hundredths of its links.
    pub(crate) share: u8,
    /// How often this one is the word.
    pub(crate) back: u8,
}

/// Hand-written pairs count as much as the surest of the counted ones.
const CERTAIN: u8 = 100;

#[derive(Debug, Default)]
struct Dictionary {
    japanese: HashMap<String, Vec<Mirror>>,
    english: HashMap<String, Vec<Mirror>>,
    /// Verbs and adjectives by what does not change: 減ら for 減らす.
    inflected: HashMap<&'static str, Vec<&'static str>>,
}

/// English words for a Japanese one, the best first.
pub(crate) fn of_japanese(word: &str) -> &'static [Mirror] {
    let find = |word: &str| DICTIONARY.japanese.get(word).map(Vec::as_slice);
    find(word)
        .or_else(|| script::spellings_of(word).iter().find_map(|it| find(it)))
        .unwrap_or_default()
}

/// Japanese words for an English key, the best first.
pub(crate) fn of_english(key: &str) -> &'static [Mirror] {
    DICTIONARY.english.get(key).map_or(&[], Vec::as_slice)
}

/// The verb or adjective that begins with `stem` and goes on with `next`.
pub(crate) fn inflected(stem: &str, next: Option<char>) -> Option<&'static str> {
    let words = DICTIONARY.inflected.get(stem)?;
    words.iter().copied().find(|word| {
        let ending = word[stem.len()..].chars().next().expect("a stem is shorter than its word");
        goes_on(stem, ending, next)
    })
}

/// Whether a Japanese word is a verb or an adjective, whose ending depends on what follows.
pub(crate) fn is_inflected(word: &str) -> bool {
    let stem = word.char_indices().next_back().map_or("", |it| &word[..it.0]);
    DICTIONARY.inflected.get(stem).is_some_and(|it| it.contains(&word))
}

impl Dictionary {
    fn read() -> Self {
        let mut all = Self::default();
        for group in groups::all() {
            let of = |english: bool| group.members.iter().filter(move |it| it.english == english);
            let first = |english: bool| {
                of(english)
                    .find(|it| matches!(it.role, Role::Same | Role::Written))
                    .map(|it| it.text)
            };
            let exact = |english: bool| of(english).filter(|it| it.role == Role::Same);
            let (Some(first_ja), Some(first_en)) = (first(false), first(true)) else { continue };
            let certain = |text| Mirror { text, share: CERTAIN, back: CERTAIN };
            for word in exact(false) {
                all.add_japanese(word.key(), word.text, certain(first_en));
            }
            for word in exact(true) {
                all.add_english(word.key(), certain(first_ja));
            }
        }
        for line in TERMS.lines().filter(|it| !it.starts_with('#')) {
            let mut fields = line.split('\t');
            let (Some(ja), Some(en), Some(share), Some(back)) =
                (fields.next(), fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let share = share.parse().unwrap_or_default();
            let back = back.parse().unwrap_or_default();
            all.add_japanese(ja.to_owned(), ja, Mirror { text: en, share, back });
            all.add_english(key(en), Mirror { text: ja, share: back, back: share });
        }
        for mirrors in all.japanese.values_mut().chain(all.english.values_mut()) {
            // Stable: equals stay in the order of the file.
            mirrors.sort_by_key(|it| (std::cmp::Reverse(it.share), std::cmp::Reverse(it.back)));
        }
        all
    }

    fn add_japanese(&mut self, key: String, word: &'static str, mirror: Mirror) {
        let known = self.japanese.entry(key).or_default();
        if known.is_empty()
            && word.chars().any(is_kanji)
            && let Some((at, last)) = word.char_indices().next_back()
            && ending_moves(last)
            && word[..at].chars().next().is_some_and(is_kanji)
        {
            self.inflected.entry(&word[..at]).or_default().push(word);
        }
        if known.iter().all(|it| it.text != mirror.text) {
            known.push(mirror);
        }
    }

    fn add_english(&mut self, key: String, mirror: Mirror) {
        let known = self.english.entry(key).or_default();
        if known.iter().all(|it| it.text != mirror.text) {
            known.push(mirror);
        }
    }
}

fn ending_moves(c: char) -> bool {
    "うくぐすつぬぶむるい".contains(c)
}

/// Whether a word in dictionary form may go on like this after its stem: 飲む as 飲み, 食べる as 食べた.
fn goes_on(stem: &str, ending: char, next: Option<char>) -> bool {
    let Some(next) = next else { return stem.chars().next_back().is_some_and(is_hiragana) };
    if !is_hiragana(next) {
        // 増え続ける
        return is_japanese(next) && stem.chars().next_back().is_some_and(is_hiragana);
    }
    let moves = match ending {
        'う' => "わいうえおっ",
        'く' => "かきくけこい",
        'ぐ' => "がぎぐげごい",
        'す' => "さしすせそ",
        'つ' => "たちつてとっ",
        'ぬ' => "なにぬねのん",
        'ぶ' => "ばびぶべぼん",
        'む' => "まみむめもん",
        'る' if stem.chars().next_back().is_some_and(is_hiragana) => return true,
        'る' => "らりるれろってたなまずよ",
        _ => "いくかけさ",
    };
    moves.contains(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_and_adjectives_are_known_in_all_their_forms() {
        for (stem, ending, next, expected) in [
            ("飲", 'む', Some('み'), true),
            ("飲", 'む', Some('ん'), true),
            ("飲", 'む', Some('食'), false),
            ("飲", 'む', None, false),
            ("食べ", 'る', Some('た'), true),
            ("増え", 'る', Some('続'), true),
            ("増え", 'る', None, true),
            ("見", 'る', Some('て'), true),
            ("見", 'る', Some('出'), false),
            ("高", 'い', Some('く'), true),
            ("高", 'い', Some('ま'), false),
        ] {
            assert_eq!(goes_on(stem, ending, next), expected, "{stem}{ending} {next:?}");
        }
    }

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
}
