//! Small words that give a language away: is this Latin-script text English, or not? Pure.
//!
//! Trigrams mistake scientific English for French or Latin, whose terms it borrows; the small words
//! between the terms are its own. Names do not count against English: a foreign small word counts
//! only where it opens the text or begins with a small letter, and so does a word with an accented
//! letter.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that hardly stand in a text of another language.
static TELLING: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "the and with that from are were which have been this these not between than through does what \
     how be can their its who but more into there they she during after by has for when also may had \
     such only"
        .split_whitespace()
        .collect()
});

/// English words that are words elsewhere, too.
static SHARED: LazyLock<HashSet<&str>> =
    LazyLock::new(|| "a an as at he her his in is it of on or to was".split_whitespace().collect());

/// Small words of others, without those that are English words, abbreviations of science or usual
/// in its phrases ("et al.", "per", "non", "in vivo").
static FOREIGN: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    [
        // German, French, Spanish, Italian, Portuguese, Catalan, Romanian, Latin.
        "der das und ist nicht ein eine einer einem einen auf mit sich dem den zu von wird werden wurde \
         sind auch bei oder wie aus nach durch keine im zur zum ihre dass nur gegen dieser dieses \
         diese",
        "les des une est dans pour qui que aux avec sont pas ou du ce cette ces au ont il elle le deux \
         ses leur leurs mais peut de la",
        "el los las del una por para es en se su lo como fue este esta estos sus con",
        "di che della dei delle gli sono alla nel nella degli un anche questo questa si dal dalla nei",
        "uma da dos das mais foi pelo pela ao seu sua um",
        "els amb dels aquest",
        "din cu este sau mai fi sunt",
        "quod quae quam quarum unam omnis esse atque enim autem sed",
        // Dutch, Afrikaans, Swedish, Danish, Norwegian, Icelandic.
        "het een dat zijn niet op voor aan wordt ook naar worden deze uit werd dit geen moet maar als",
        "nie vir wat jou",
        "och att det som inte av ett till har om eller detta",
        "og ikke af til skal fra ved denne dette blev med ingen var hos",
        "ein eit ikkje ekki sem",
        // Polish, Czech, Slovak, Slovenian, Croatian, Serbian, Lithuanian, Latvian.
        "na jest przez oraz od dla jak po przy tym lub tylko aby",
        "je jako jsou nebo jeho byl jen alebo ako pri",
        "za koji koja ili nije kao iz ali lahko tudi ni",
        "kad yra buvo arba kaip ir kas nav",
        // Finnish, Estonian, Hungarian, Turkish, Uzbek, Basque, Albanian.
        "ja ei ole joka oli ovat tai mutta vain ning kui oma palun selle",
        "az hogy nem egy ez vagy volt meg csak",
        "bir ve bu ile olarak olan daha gibi kadar veya va bilan uchun yoki kerak",
        "eta hau dute edo honek ditu behar dhe nuk",
        // Indonesian, Malay, Tagalog, Swahili, Welsh, Irish, Gaelic.
        "yang dan untuk dengan tidak ini dari pada dalam adalah oleh akan atau itu telah dapat lebih anda \
         sebuah berdasarkan tak boleh semua",
        "mga ay ang ya kwa katika hii",
        "yn mae dim ddim gan gyda agus tha seo bhith",
    ]
    .into_iter()
    .flat_map(str::split_whitespace)
    .collect()
});

/// What the small words of a text say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SmallWords {
    pub(super) telling: usize,
    pub(super) shared: usize,
    pub(super) foreign: usize,
}

impl SmallWords {
    pub(super) fn count(text: &str) -> Self {
        let mut found = Self { telling: 0, shared: 0, foreign: 0 };
        // "pro-inflammatory" and "don't" are one word each.
        let inside = |it: char| it.is_alphabetic() || matches!(it, '-' | '\'' | '’');
        let words = text.split(|it| !inside(it));
        let words = words.map(|it| it.trim_matches(|it: char| !it.is_alphabetic()));
        for (place, word) in words.filter(|it| !it.is_empty()).enumerate() {
            let small = word.to_lowercase();
            let opens = place == 0 && word.chars().skip(1).all(char::is_lowercase);
            // "don't", "the patient's" (also with a typographer's apostrophe).
            let ending = small.replace('’', "'");
            let own = ending.ends_with("n't") || ending.ends_with("'s");
            if own || TELLING.contains(small.as_str()) {
                found.telling += 1;
            } else if SHARED.contains(small.as_str()) {
                found.shared += 1;
            } else if (opens || word.starts_with(char::is_lowercase)) && is_foreign(&small) {
                found.foreign += 1;
            }
        }
        found
    }

    /// How much speaks for English, on the scale of `foreign`.
    pub(super) fn english(self) -> usize {
        2 * self.telling + self.shared
    }
}

fn is_foreign(word: &str) -> bool {
    FOREIGN.contains(word) || word.chars().any(|it| ('À'..='ɏ').contains(&it) && it.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> [usize; 3] {
        let SmallWords { telling, shared, foreign } = SmallWords::count(text);
        [telling, shared, foreign]
    }

    #[test]
    fn small_words_are_counted_by_what_they_tell() {
        let table = [
            ("The role of vitamin D in these patients", [2, 2, 0]),
            ("Eine Rolle von Vitamin D ist nicht klar", [0, 0, 4]),
            ("le rôle de la vitamine D", [0, 0, 4]),
            // Names, abbreviations and compounds.
            ("Near Le Mans, Los Angeles, Māori and IL-10", [1, 0, 0]),
            ("IL-10, Dan and DAS28", [1, 0, 0]),
            ("patient’s cells don't grow", [2, 0, 0]),
            ("pro- and anti-inflammatory, non-coding, de-escalated", [1, 0, 0]),
            ("", [0, 0, 0]),
        ];
        for (text, expected) in table {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn no_word_tells_two_things() {
        for word in FOREIGN.iter() {
            assert!(!TELLING.contains(word) && !SHARED.contains(word), "{word}");
        }
        assert!(TELLING.is_disjoint(&SHARED));
    }
}
