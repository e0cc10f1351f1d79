//! What a claim is made of, without who says it and in what form.

use std::collections::BTreeSet;

use text::words::{
    Directed, directed, folded, is_denied, is_han, is_hiragana, is_japanese, is_katakana,
    is_stop_word, latin_words, numbers, stem,
};

/// Words for whom a claim is about: one more or less of them is another claim.
const WHOM: &[&str] = &[
    "child",
    "children",
    "infant",
    "adult",
    "elderly",
    "older",
    "men",
    "women",
    "male",
    "female",
    "mice",
    "mouse",
    "rat",
    "rats",
    "animal",
    "human",
    "pregnant",
    "boys",
    "girls",
    "smokers",
    "vitro",
    "小児",
    "子ども",
    "子供",
    "成人",
    "高齢者",
    "男性",
    "女性",
    "マウス",
    "ラット",
    "動物",
    "妊婦",
    "乳児",
    "喫煙者",
    "試験管",
];

/// Words that say hardly more than is said without them.
const LIGHT: &[&str] = &[
    "new",
    "recent",
    "overall",
    "around",
    "current",
    "people",
    "patient",
    "individual",
    "use",
    "約",
    "等",
    "的",
    "旨",
];

/// Verbs with which somebody reports something.
const REPORTS: &[&str] = &[
    "found",
    "find",
    "finds",
    "reported",
    "reports",
    "report",
    "shown",
    "shows",
    "showed",
    "show",
    "suggest",
    "suggests",
    "suggested",
    "indicate",
    "indicates",
    "indicated",
    "concluded",
    "concludes",
    "conclude",
    "said",
    "says",
    "say",
    "stated",
    "states",
    "demonstrated",
    "demonstrates",
    "revealed",
    "reveals",
    "confirmed",
    "confirms",
    "known",
    "argued",
    "argues",
    "claimed",
    "claims",
    "announced",
    "estimated",
    "estimates",
];

/// How Japanese sentences end that report something.
const REPORTS_JA: &[&str] = &[
    "ことが報告されている",
    "ことが報告された",
    "と報告されている",
    "と報告された",
    "と報告している",
    "と報告した",
    "ことが示されている",
    "ことが示された",
    "ことが明らかになった",
    "ことが明らかとなった",
    "ことが分かった",
    "ことがわかった",
    "ことが判明した",
    "ことが確認された",
    "ことが知られている",
    "と発表した",
    "と述べた",
    "と述べている",
    "とされている",
    "とされる",
    "と考えられている",
    "と考えられる",
    "という",
    "である",
    "であった",
    "です",
    "だ",
];

/// Longer than this the words before "that" are no mere report.
const LONGEST_REPORT: usize = 14;

/// A claim taken apart.
#[derive(Debug)]
pub struct Content {
    /// The claim without who reports it, in one form.
    pub(crate) core: String,
    pub(crate) denied: bool,
    pub(crate) directions: Vec<Directed>,
    numbers: Vec<String>,
    /// Names: capitals, katakana, Latin letters in Japanese.
    names: BTreeSet<String>,
    whom: BTreeSet<&'static str>,
    pub(crate) words: BTreeSet<String>,
    /// The first word that means something.
    subject: Option<String>,
}

impl Content {
    pub fn of(text: &str) -> Self {
        let folded = folded(text);
        let core = without_reporter(folded.trim());
        let (directions, signed) = directed(core);
        let japanese = is_japanese(core);
        let words = if japanese { words_ja(&signed) } else { words_en(&signed) };
        let lower = core.to_lowercase();
        let whom = WHOM.iter().copied().filter(|it| {
            if it.is_ascii() {
                !japanese && latin_words(&lower).any(|word| stem(word) == stem(it))
            } else {
                japanese && core.contains(it)
            }
        });
        let letters = |it: &char| it.is_alphanumeric();
        Self {
            core: lower.chars().filter(letters).collect(),
            denied: is_denied(core),
            directions,
            numbers: numbers(core),
            names: if japanese { names_ja(core) } else { names_en(core) },
            whom: whom.collect(),
            subject: words.first().cloned(),
            words: words.into_iter().collect(),
        }
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
        let light =
            |it: &String| it.ends_with("ly") || LIGHT.iter().any(|light| stem(light) == *it);
        self.words.symmetric_difference(&other.words).all(light)
    }

    /// How many words mean something, directions among them.
    pub fn weight(&self) -> usize {
        self.words.len()
    }

    /// Whether each speaks of what the other begins with.
    pub fn same_subject(&self, other: &Self) -> bool {
        let named = |subject: &Option<String>, words: &BTreeSet<String>| {
            subject.as_ref().is_some_and(|it| words.contains(it))
        };
        named(&self.subject, &other.words) && named(&other.subject, &self.words)
    }
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
        let body = REPORTS_JA.iter().find_map(|it| body.strip_suffix(it)).unwrap_or(body);
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
    let reports = latin_words(before).any(|it| REPORTS.contains(&it));
    let short = latin_words(before).count() <= LONGEST_REPORT;
    // Who denies that something is so does not say that it is.
    if reports && short && !is_denied(before) { &text[that + " that ".len()..] } else { text }
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
        } else if is_han(c) || is_katakana(c) || is_latin(c) {
            words.push(c.to_lowercase().collect());
        }
        before = c;
    }
    words
}

fn names_ja(core: &str) -> BTreeSet<String> {
    let runs =
        core.split(|c: char| is_han(c) || is_hiragana(c) || !(is_katakana(c) || is_latin(c)));
    runs.flat_map(|it| {
        let cut = it.find(is_latin).filter(|at| *at > 0).unwrap_or(it.len());
        [&it[..cut], &it[cut..]]
    })
    .filter(|it| !it.is_empty() && it.chars().any(|c| !c.is_ascii_digit()))
    .map(str::to_lowercase)
    .collect()
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-')
}
