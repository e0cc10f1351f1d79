//! Which language a text is in, as far as a model must know to keep silent and a document must say. Pure.
//!
//! Scripts decide first: letters are certain, statistics are not. Latin-script texts of some length
//! are told apart by a trigram detector and by the small words in them; where neither knows, the text
//! is taken as the model's own language. So a very short German claim is judged by an English model
//! (a known limit), while English is hardly ever refused: `cargo xtask eval language` counts it.

mod tags;
mod words;

use std::fmt;

use serde::Deserialize;

use crate::script::{is_hangul, is_hiragana, is_kanji, is_katakana};
use tags::{scripts_of, tag_of};
use words::SmallWords;

/// How many characters are looked at: a language does not change its letters later on.
const SAMPLE: usize = 2_000;
/// Below this many letters the trigrams of names and numbers outweigh those of the language.
const LEAST_LETTERS: usize = 30;
/// From here on the detector counts as much as a small word.
const LEAST_CONFIDENCE: f64 = 0.9;
/// How sure it must be where no small word speaks for or against English.
const LEAST_CONFIDENCE_WITHOUT_WORDS: f64 = 0.5;
/// A single foreign word in what the detector takes for English is a quotation or a term ("de novo").
const LEAST_FOREIGN_WORDS: usize = 2;
/// A Japanese, Chinese or Korean character says about as much as three letters.
const CHARACTER_WEIGHT: usize = 3;
/// So many Chinese characters without any kana are not Japanese.
const LEAST_HAN: usize = 20;

/// A language by its tag (BCP 47): `en`, `ja`; `und-Latn` where only the script is known; `zxx`
/// where there are no words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(&'static str);

impl Language {
    /// No letters at all: numbers, emoji, white space, nothing.
    pub const NONE: Self = Self("zxx");

    pub fn tag(self) -> &'static str {
        self.0
    }

    /// The tag where the language itself is known, and not its script alone.
    pub fn name(self) -> Option<&'static str> {
        (!self.0.starts_with("und") && self != Self::NONE).then_some(self.0)
    }

    /// Whether a text in this language cannot be in the one that has a name ([`Language::name`]). A text
    /// without words differs from none, one whose script alone is known from those of other scripts.
    pub fn differs_from(self, name: &str) -> bool {
        self != Self::NONE && !Languages::new([name]).admit(&self)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The languages a model declares; `["*"]` stands for all.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Languages(Vec<String>);

impl Languages {
    pub fn new<T: Into<String>>(tags: impl IntoIterator<Item = T>) -> Self {
        Self(tags.into_iter().map(Into::into).collect())
    }

    /// Every language there is.
    pub fn all() -> Self {
        Self::new(["*"])
    }

    pub fn tags(&self) -> &[String] {
        &self.0
    }

    /// Whether a model of these languages may speak about a text in that one. A text without words
    /// is nobody's; one whose script alone is known is taken as the model's if the scripts agree.
    pub fn admit(&self, language: &Language) -> bool {
        let tag = language.0;
        if *language == Language::NONE {
            return false;
        }
        self.0.iter().any(|own| {
            let primary = own.split('-').next().unwrap_or(own);
            own == "*"
                || primary.eq_ignore_ascii_case(tag)
                || tag
                    .strip_prefix("und-")
                    .is_some_and(|script| scripts_of(primary).contains(&script))
        })
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Says which language a text is in, looking at its first two thousand characters.
pub fn detect(text: &str) -> Language {
    let end = text.char_indices().nth(SAMPLE).map_or(text.len(), |it| it.0);
    let sample = &text[..end];
    let mut counts = [0; SCRIPTS];
    for letter in sample.chars() {
        if let Some(script) = Script::of(letter) {
            counts[script as usize] += 1;
        }
    }
    let count = |script: Script| counts[script as usize];
    let (han, kana) = (count(Script::Han), count(Script::Kana));
    // Every Japanese sentence has kana; without them characters are Chinese, or too few to tell.
    let cjk = match (han, kana) {
        (_, 1..) => Language("ja"),
        (LEAST_HAN.., 0) => Language("zh"),
        _ => Language("und-Hani"),
    };
    let weights = [
        (count(Script::Latin), None),
        (CHARACTER_WEIGHT * (han + kana), Some(cjk)),
        (CHARACTER_WEIGHT * count(Script::Hangul), Some(Language("ko"))),
        (count(Script::Cyrillic), None),
        (count(Script::Arabic), None),
        (count(Script::Hebrew), None),
        (count(Script::Devanagari), None),
        (count(Script::Greek), Some(Language("el"))),
        (count(Script::Thai), Some(Language("th"))),
        (count(Script::Other), Some(Language("und"))),
    ];
    let scripts = ["Latn", "", "", "Cyrl", "Arab", "Hebr", "Deva", "", "", ""];
    // The first of equals wins: Latin, then the others in the order above.
    let mut winner = 0;
    for (index, (weight, _)) in weights.iter().enumerate() {
        if *weight > weights[winner].0 {
            winner = index;
        }
    }
    match weights[winner] {
        (0, _) => Language::NONE,
        (_, Some(language)) => language,
        (letters, None) => by_statistics(sample, letters, scripts[winner]),
    }
}

/// Tells languages of one script apart.
fn by_statistics(sample: &str, letters: usize, script: &str) -> Language {
    let unknown = match script {
        "Cyrl" => Language("und-Cyrl"),
        "Arab" => Language("und-Arab"),
        "Hebr" => Language("und-Hebr"),
        "Deva" => Language("und-Deva"),
        _ => Language("und-Latn"),
    };
    if letters < LEAST_LETTERS {
        return unknown;
    }
    let Some(found) = whatlang::detect(sample) else { return unknown };
    let guess = tag_of(found.lang());
    // In mixed text the detector may have looked at another script than the letters say.
    if !scripts_of(guess.0).contains(&script) {
        return unknown;
    }
    if script == "Latn" {
        return by_words(SmallWords::count(sample), guess, found.confidence());
    }
    if found.confidence() >= LEAST_CONFIDENCE { guess } else { unknown }
}

/// Weighs the detector's guess against the small words. A guess it is not sure of may name a sister
/// of the language; that it is not English is what counts.
fn by_words(words: SmallWords, guess: Language, confidence: f64) -> Language {
    const ENGLISH: Language = Language("en");
    const UNKNOWN: Language = Language("und-Latn");
    let english = words.english();
    if guess == ENGLISH {
        let quoted = words.foreign < LEAST_FOREIGN_WORDS || words.foreign <= english;
        return if quoted { ENGLISH } else { Language("und") };
    }
    // Scientific names and terms are Latin; Latin sentences have small words of their own.
    if guess == Language("la") && words.foreign < LEAST_FOREIGN_WORDS {
        return UNKNOWN;
    }
    if english == 0 && words.foreign == 0 {
        return if confidence >= LEAST_CONFIDENCE_WITHOUT_WORDS { guess } else { UNKNOWN };
    }
    let margin = usize::from(confidence >= LEAST_CONFIDENCE);
    if english > words.foreign + margin { ENGLISH } else { guess }
}

#[derive(Debug, Clone, Copy)]
enum Script {
    Latin,
    Han,
    Kana,
    Hangul,
    Cyrillic,
    Arabic,
    Hebrew,
    Devanagari,
    Greek,
    Thai,
    Other,
}
const SCRIPTS: usize = Script::Other as usize + 1;

impl Script {
    fn of(letter: char) -> Option<Self> {
        if !letter.is_alphabetic() {
            return None;
        }
        Some(match u32::from(letter) {
            // ª, º and the full-width Latin letters of Japanese typesetting are Latin, too.
            0x41..=0x24F | 0x1E00..=0x1EFF | 0xFF21..=0xFF5A => Self::Latin,
            0x370..=0x3FF | 0x1F00..=0x1FFF => Self::Greek,
            0x400..=0x52F => Self::Cyrillic,
            0x590..=0x5FF => Self::Hebrew,
            0x600..=0x6FF | 0x750..=0x77F | 0x8A0..=0x8FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFF => {
                Self::Arabic
            }
            0x900..=0x97F => Self::Devanagari,
            0xE00..=0xE7F => Self::Thai,
            // Hangul in single letters, too.
            0x1100..=0x11FF | 0x3130..=0x318F => Self::Hangul,
            _ if is_hangul(letter) => Self::Hangul,
            _ if is_hiragana(letter) || is_katakana(letter) => Self::Kana,
            _ if is_kanji(letter) => Self::Han,
            _ => Self::Other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "Randomised trials found that the vaccine reduced severe illness by more \
                           than half in adults over sixty-five years of age.";
    const GERMAN: &str = "Die Untersuchung zeigt, dass die Impfung schwere Erkrankungen bei älteren \
                          Menschen um mehr als die Hälfte verringert hat.";
    const RUSSIAN: &str = "Исследование показало, что вакцина снизила число тяжёлых случаев болезни \
                           более чем наполовину у пожилых людей.";

    #[test]
    fn languages_are_told_by_script_first_and_by_statistics_when_sure() {
        let table = [
            (ENGLISH, "en"),
            (GERMAN, "de"),
            (RUSSIAN, "ru"),
            ("ワクチンは重症化を半分以下に減らした。", "ja"),
            ("東京都庁", "und-Hani"),
            ("疫苗使老年人的重症率降低了一半以上，这项研究发表于二零二一年。", "zh"),
            ("백신은 중증을 절반 이상 줄였다.", "ko"),
            ("Το εμβόλιο μείωσε τη σοβαρή νόσο.", "el"),
            ("วัคซีนช่วยลดอาการป่วยหนัก", "th"),
            ("خفض اللقاح المرض الشديد", "und-Arab"),
            ("החיסון הפחית מחלה קשה", "und-Hebr"),
            ("Короткий текст", "und-Cyrl"),
            ("Aspirin reduces mortality", "und-Latn"),
            ("Aspirin senkt die Sterblichkeit", "und-Latn"),
            ("Tokyo (東京) is the capital of Japan", "und-Latn"),
            ("mRNAワクチンはCOVID-19の重症化を減らす", "ja"),
            ("ＡＢＣ full-width", "und-Latn"),
            ("ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "und"),
            ("12.5 % ± 3", "zxx"),
            ("😀🎉 👩‍👩‍👧", "zxx"),
            ("\u{200f}\u{0}\t\n", "zxx"),
            ("", "zxx"),
        ];
        for (text, expected) in table {
            assert_eq!(detect(text).tag(), expected, "{text}");
        }
    }

    #[test]
    fn a_model_speaks_only_about_its_own_languages() {
        let english = Languages::new(["en"]);
        let table = [
            (ENGLISH, true),
            ("Aspirin reduces mortality", true),
            (GERMAN, false),
            (RUSSIAN, false),
            ("ワクチンは重症化を減らした。", false),
            ("東京", false),
            ("2021", false),
            ("", false),
        ];
        for (text, admitted) in table {
            assert_eq!(english.admit(&detect(text)), admitted, "{text}");
        }
        let japanese = Languages::new(["ja"]);
        assert!(japanese.admit(&detect("東京都庁")), "kanji alone may be Japanese");
        assert!(!japanese.admit(&detect("Aspirin reduces mortality")));
        assert!(Languages::new(["en-GB"]).admit(&detect(ENGLISH)));
        assert!(Languages::all().admit(&detect(RUSSIAN)));
        assert!(!Languages::all().admit(&Language::NONE), "no words, nothing to judge");
    }

    #[test]
    fn a_language_differs_from_another_where_it_cannot_be_that_one() {
        let cases = [
            (ENGLISH, "en", false),
            (ENGLISH, "ja", true),
            ("日本語の文章です。", "ja", false),
            ("日本語の文章です。", "en", true),
            // Too short to tell, but for the script.
            ("COVID-19", "en", false),
            ("COVID-19", "ja", true),
            ("東京都庁", "ja", false),
            ("東京都庁", "zh", false),
            ("2020", "ja", false),
        ];
        for (text, name, differs) in cases {
            assert_eq!(detect(text).differs_from(name), differs, "{text} {name}");
        }
    }

    #[test]
    fn only_the_beginning_of_a_long_text_is_looked_at() {
        let text = format!("{}{}", ENGLISH.repeat(20), "ワクチン".repeat(100_000));
        assert_eq!(detect(&text).tag(), "en");
    }
}
