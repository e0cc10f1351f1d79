//! What a claim is made of, without who says it and in what form.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;
use text::script::{is_hiragana, is_kanji, is_katakana};
use text::word_list::{self, WordList};
use text::words::{
    Directed, directed, folded, is_denied, is_japanese, is_stop_word, latin_words, numbers, stem,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// Whom a claim is about: one more or less of them is another claim.
    whom: WordList,
    /// Words that say hardly more than is said without them.
    light: WordList,
    /// How speech is reported: verbs in English, endings in Japanese.
    reports: WordList,
}

static EN: LazyLock<Words> =
    LazyLock::new(|| word_list::read(include_str!("../../data/en/same.toml")));
static JA: LazyLock<Words> =
    LazyLock::new(|| word_list::read(include_str!("../../data/ja/same.toml")));

/// Longer than this the words before "that" are no mere report.
const LONGEST_REPORT: usize = 14;

/// A claim taken apart.
#[derive(Debug, Clone)]
pub struct Content {
    /// The claim without who reports it, in one form.
    pub(crate) core: String,
    pub(crate) japanese: bool,
    pub(crate) denied: bool,
    pub(crate) directions: Vec<Directed>,
    numbers: Vec<String>,
    /// Names: capitals, katakana, Latin letters in Japanese.
    names: BTreeSet<String>,
    whom: BTreeSet<&'static str>,
    pub(crate) words: BTreeSet<String>,
    /// The words in their order, and the place of "by" in a passive sentence.
    order: Vec<String>,
    by: Option<usize>,
}

impl Content {
    pub fn of(text: &str) -> Self {
        let folded = folded(text);
        let core = without_reporter(folded.trim());
        let (directions, signed) = directed(core);
        let japanese = is_japanese(core);
        let words = if japanese { words_ja(&signed) } else { words_en(&signed) };
        let lower = core.to_lowercase();
        let whom: BTreeSet<&'static str> = if japanese {
            JA.whom.iter().filter(|it| core.contains(it)).collect()
        } else {
            let is_named = |whom: &&str| latin_words(&lower).any(|it| stem(it) == stem(whom));
            EN.whom.iter().filter(is_named).collect()
        };
        let letters = |it: &char| it.is_alphanumeric();
        Self {
            core: lower.chars().filter(letters).collect(),
            japanese,
            denied: is_denied(core),
            directions,
            numbers: numbers(core),
            names: if japanese { names_ja(core) } else { names_en(core) },
            whom,
            by: if japanese { None } else { place_of_by(&signed) },
            words: words.iter().cloned().collect(),
            order: words,
        }
    }

    /// Whether they give the same numbers. Claims that do not never say the same, and this is told fastest.
    pub fn same_numbers(&self, other: &Self) -> bool {
        self.numbers == other.numbers
    }

    /// Whether numbers, names and whom it is about are the same.
    pub fn same_facts(&self, other: &Self) -> bool {
        let known = |names: &BTreeSet<String>, words: &BTreeSet<String>| {
            names.iter().all(|it| words.contains(it) || words.contains(&stem(it)))
        };
        self.numbers == other.numbers
            && self.whom == other.whom
            && known(&self.names, &other.words)
            && known(&other.names, &self.words)
    }

    /// Whether another text speaks of all that this one does: its numbers, names and whom it is
    /// about, and nobody else.
    pub fn is_covered_by(&self, other: &Self) -> bool {
        self.numbers.iter().all(|it| other.numbers.contains(it))
            && self.whom == other.whom
            && self
                .names
                .iter()
                .all(|it| other.words.contains(it) || other.words.contains(&stem(it)))
    }

    /// The share of words of this text that the other has as well.
    pub fn covered_share(&self, other: &Self) -> f64 {
        let plain = |it: &&String| !it.starts_with(['+', '-']);
        let own = self.words.iter().filter(plain).count();
        let common = self.words.iter().filter(plain).filter(|it| other.words.contains(*it)).count();
        if own == 0 { 0.0 } else { common as f64 / own as f64 }
    }

    pub fn directions(&self) -> BTreeSet<Directed> {
        self.directions.iter().copied().collect()
    }

    /// Common words among all words of both.
    pub fn overlap(&self, other: &Self) -> f64 {
        let common = self.words.intersection(&other.words).count();
        let all = self.words.union(&other.words).count();
        if all == 0 { 0.0 } else { common as f64 / all as f64 }
    }

    /// Whether every word of the other is here as well.
    pub fn only_adds(&self, other: &Self) -> bool {
        other.words.is_subset(&self.words)
    }

    /// Whether the words that only one of them has add nothing to what is said.
    pub fn differs_lightly(&self, other: &Self) -> bool {
        let light = |word: &String| word.ends_with("ly") || is_light(word);
        self.words.symmetric_difference(&other.words).all(light)
    }

    /// How many words mean something, directions among them.
    pub fn weight(&self) -> usize {
        self.words.len()
    }

    /// Whether the words both have come in the same order, or turned around as a passive turns them: who does what to
    /// whom is told by the order of words alone.
    pub fn same_order(&self, other: &Self) -> bool {
        let common = |own: &[String], theirs: &BTreeSet<String>| -> Vec<String> {
            own.iter().filter(|it| theirs.contains(*it)).cloned().collect()
        };
        let turned = |it: &Self| it.by.map(|by| [&it.order[by..], &it.order[..by]].concat());
        let (one, two) = (common(&self.order, &other.words), common(&other.order, &self.words));
        let is = |own: Option<Vec<String>>, words: &BTreeSet<String>, other: &Vec<String>| {
            own.is_some_and(|it| is_turned(&common(&it, words), other))
        };
        one == two || is(turned(self), &other.words, &two) || is(turned(other), &self.words, &one)
    }

    /// Whether the words that mean something are the same but for directions, in the same order.
    pub fn same_but_for_directions(&self, other: &Self) -> bool {
        let undirected = |it: &Self| -> BTreeSet<String> {
            it.words.iter().filter(|it| !it.starts_with(['+', '-'])).cloned().collect()
        };
        let (one, two) = (undirected(self), undirected(other));
        one == two && !one.is_empty() && self.same_order(other)
    }
}

/// Whether the nouns around a verb changed places: its own place may differ.
fn is_turned(turned: &[String], other: &[String]) -> bool {
    let nouns = |words: &[String]| -> Vec<String> {
        words.iter().filter(|it| !it.starts_with(['+', '-'])).cloned().collect()
    };
    nouns(turned) == nouns(other)
}

/// The number of words that mean something before "by", where a form of "be" comes before it.
fn place_of_by(signed: &str) -> Option<usize> {
    let (before, _) = signed.split_once(" by ")?;
    let is_passive = before.split(' ').any(|it| {
        matches!(it.to_lowercase().as_str(), "is" | "are" | "was" | "were" | "be" | "been")
    });
    is_passive.then(|| words_en(before).len())
}

/// Leaves out "According to X," and "A study found that", 「〜によると、」 and 「〜と報告された」.
fn without_reporter(text: &str) -> &str {
    if is_japanese(text) {
        let body = ["によると、", "によれば、", "によると,", "では、"].iter().find_map(|mark| {
            let (before, after) = text.split_once(mark)?;
            let is_report = *mark != "では、"
                || ["研究", "調査", "報告", "試験", "論文"].iter().any(|it| before.ends_with(it));
            (is_report && before.chars().count() <= 40).then_some(after)
        });
        let body = body.unwrap_or(text).trim_end_matches(['。', '．', '.', ' ']);
        let body = JA.reports.iter().find_map(|it| body.strip_suffix(it)).unwrap_or(body);
        return body;
    }
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("according to ")
        && let Some((_, after)) = text.split_once(", ")
    {
        return after;
    }
    let Some(that) = lower.find(" that ") else { return text };
    let before = &lower[..that];
    let reports = latin_words(before).any(|it| EN.reports.iter().any(|report| report == it));
    let short = latin_words(before).count() <= LONGEST_REPORT;
    // Who denies that something is so does not say that it is.
    if reports && short && !is_denied(before) { &text[that + " that ".len()..] } else { text }
}

fn is_light(word: &str) -> bool {
    EN.light.iter().chain(JA.light.iter()).any(|light| stem(light) == word)
}

fn words_en(signed: &str) -> Vec<String> {
    let words = signed.split(' ').map(|it| it.trim_end_matches('%').to_lowercase());
    words
        .filter(|it| !it.is_empty() && !is_stop_word(it) && it != "percent")
        .map(|it| if it.starts_with(['+', '-']) { it } else { stem(&it) })
        .collect()
}

fn names_en(core: &str) -> BTreeSet<String> {
    let mut words = latin_words(core);
    // The first word has a capital whatever it is, unless it has more of them.
    let first = words.next().filter(|it| it.chars().filter(|c| c.is_uppercase()).count() > 1);
    first
        .into_iter()
        .chain(words.filter(|it| it.chars().any(char::is_uppercase) && *it != "I"))
        .map(|it| stem(&it.to_lowercase()))
        .filter(|it| !is_stop_word(it))
        .collect()
}

/// Each Han character, each run of katakana, each Latin word or sign: hiragana only bind them.
fn words_ja(signed: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in signed.chars() {
        let joins = (is_katakana(c) && is_katakana(before))
            || (is_latin(c) && is_latin(before) && !words.is_empty());
        if joins {
            words.last_mut().expect("a run has a beginning").extend(c.to_lowercase());
        } else if is_kanji(c) || is_katakana(c) || is_latin(c) {
            words.push(c.to_lowercase().collect());
        }
        before = c;
    }
    words
}

fn names_ja(core: &str) -> BTreeSet<String> {
    let runs =
        core.split(|c: char| is_kanji(c) || is_hiragana(c) || !(is_katakana(c) || is_latin(c)));
    runs.flat_map(|run| {
        let cut = run.find(is_latin).filter(|at| *at > 0).unwrap_or(run.len());
        [&run[..cut], &run[cut..]]
    })
    .filter(|it| !it.is_empty() && it.chars().any(|c| !c.is_ascii_digit()))
    .map(str::to_lowercase)
    .collect()
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_the_form_they_are_compared_in() {
        for file in
            [include_str!("../../data/en/same.toml"), include_str!("../../data/ja/same.toml")]
        {
            for word in word_list::words_in(file).unwrap() {
                assert_eq!(word, folded(&word).to_lowercase());
            }
        }
    }

    /// The first ending that fits is cut off.
    #[test]
    fn longer_endings_of_reports_come_first() {
        let endings: Vec<&str> = JA.reports.iter().collect();
        for (index, ending) in endings.iter().enumerate() {
            let later = endings[index + 1..].iter().find(|it| it.ends_with(ending));
            assert_eq!(later, None, "{ending}");
        }
    }

    #[test]
    fn reporters_are_left_out() {
        let core = |text: &str| Content::of(text).core;
        assert_eq!(core("A study found that aspirin helps."), core("aspirin helps."));
        assert_eq!(core("転倒が減ったことが報告された。"), core("転倒が減った"));
    }
}
