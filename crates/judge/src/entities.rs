//! Names in a claim: organisations, laws, people, and what else is written as a name.
//!
//! Rules on letters alone: capitals in English, runs of kanji and katakana with the endings of organisations and laws
//! in Japanese. They find what a list of names would be searched for, and leave out what they are not sure of.

use std::ops::Range;

use text::script::{is_kanji, is_katakana};
use text::words::{folded, is_japanese};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityKind {
    Organisation,
    Law,
    Person,
    /// A name the rules cannot place: a product, a place, an abbreviation.
    Name,
}

impl EntityKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Organisation => "organisation",
            Self::Law => "law",
            Self::Person => "person",
            Self::Name => "name",
        }
    }
}

/// A name and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEntity {
    pub kind: EntityKind,
    /// As it is written.
    pub name: String,
    /// Characters of the text.
    pub chars: Range<usize>,
}

impl NamedEntity {
    /// What the same name in other letters has in common: width, case and spaces do not tell names apart.
    pub fn normalized(&self) -> String {
        folded(&self.name).to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The names in a text, in order.
pub fn entities(text: &str) -> Vec<NamedEntity> {
    let letters: Vec<char> = folded(text).chars().collect();
    let found = if is_japanese(text) { japanese(&letters) } else { english(&letters) };
    let written: Vec<char> = text.chars().collect();
    found
        .into_iter()
        .map(|(kind, chars)| NamedEntity {
            kind,
            name: written[chars.clone()].iter().collect(),
            chars,
        })
        .collect()
}

const ORGANISATIONS: &[&str] = &[
    "agency",
    "association",
    "authority",
    "bank",
    "board",
    "bureau",
    "center",
    "centre",
    "college",
    "commission",
    "committee",
    "company",
    "corporation",
    "council",
    "court",
    "department",
    "foundation",
    "group",
    "hospital",
    "inc",
    "institute",
    "institution",
    "laboratory",
    "ltd",
    "ministry",
    "observatory",
    "office",
    "organisation",
    "organization",
    "parliament",
    "party",
    "school",
    "society",
    "trust",
    "union",
    "university",
];
const LAWS: &[&str] =
    &["act", "code", "constitution", "convention", "directive", "law", "regulation", "treaty"];
const TITLES: &[&str] = &["dr", "mr", "mrs", "ms", "prof", "professor", "sir"];
/// Small words inside names.
const INSIDE: &[&str] = &["of", "for", "de", "&"];
/// Words that begin sentences, days and months: capitals that name nothing.
const NO_NAMES: &[&str] = &[
    "a",
    "about",
    "according",
    "after",
    "all",
    "although",
    "an",
    "and",
    "as",
    "at",
    "because",
    "before",
    "both",
    "but",
    "by",
    "during",
    "each",
    "every",
    "few",
    "for",
    "from",
    "he",
    "her",
    "his",
    "how",
    "however",
    "i",
    "if",
    "in",
    "it",
    "its",
    "many",
    "more",
    "most",
    "no",
    "not",
    "of",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "people",
    "she",
    "since",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "there",
    "these",
    "they",
    "this",
    "those",
    "though",
    "to",
    "under",
    "we",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "with",
    "you",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

struct Word {
    chars: Range<usize>,
    lower: String,
    /// Begins with a capital.
    capital: bool,
    /// Two capitals or more: `WHO`, `COVID-19`.
    abbreviation: bool,
    /// No more than a space lies between it and the word before.
    joined: bool,
    begins_sentence: bool,
}

fn english(letters: &[char]) -> Vec<(EntityKind, Range<usize>)> {
    let words = english_words(letters);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        let names_nothing = !word.abbreviation && NO_NAMES.contains(&word.lower.as_str());
        if !word.capital || names_nothing {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < words.len() && words[end].joined {
            let small = INSIDE.contains(&words[end].lower.as_str());
            let next = words.get(end + 1).filter(|it| it.joined && it.capital);
            if words[end].capital {
                end += 1;
            } else if small && next.is_some() {
                end += 2;
            } else {
                break;
            }
        }
        if let Some(kind) = english_kind(&words, at..end) {
            found.push((kind, words[at].chars.start..words[end - 1].chars.end));
        }
        at = end;
    }
    found
}

fn english_kind(words: &[Word], run: Range<usize>) -> Option<EntityKind> {
    let of = |list: &[&str]| words[run.clone()].iter().any(|it| list.contains(&it.lower.as_str()));
    let before = run.start.checked_sub(1).map(|it| words[it].lower.as_str());
    let only = run.len() == 1;
    let first = &words[run.start];
    if before.is_some_and(|it| TITLES.contains(&it)) && !of(TITLES) {
        return Some(EntityKind::Person);
    }
    if TITLES.contains(&first.lower.as_str()) {
        return (!only).then_some(EntityKind::Person);
    }
    if only {
        // A lone capital at the beginning of a sentence says nothing.
        let known = first.abbreviation || !first.begins_sentence;
        return known.then_some(EntityKind::Name);
    }
    if LAWS.contains(&words[run.end - 1].lower.as_str()) {
        return Some(EntityKind::Law);
    }
    Some(if of(ORGANISATIONS) { EntityKind::Organisation } else { EntityKind::Name })
}

fn english_words(letters: &[char]) -> Vec<Word> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-' | '&');
    let mut words: Vec<Word> = Vec::new();
    for Range { start, mut end } in runs(letters, inside) {
        if letters[start..end].ends_with(&['\'', 's']) {
            end -= 2;
        }
        let previous = words.last().map(|it| it.chars.end);
        let between = &letters[previous.unwrap_or(0)..start];
        // "Dr. Sato" is one name; other stops end a sentence.
        let after_title = words.last().is_some_and(|it| TITLES.contains(&it.lower.as_str()));
        let lower: String = letters[start..end].iter().flat_map(|it| it.to_lowercase()).collect();
        let capitals = letters[start..end].iter().filter(|it| it.is_uppercase()).count();
        words.push(Word {
            chars: start..end,
            lower,
            capital: letters[start].is_uppercase(),
            abbreviation: capitals >= 2,
            joined: between == [' '] || (after_title && between == ['.', ' ']),
            begins_sentence: previous.is_none()
                || (!after_title && between.iter().any(|it| matches!(it, '.' | '!' | '?'))),
        });
    }
    words
}

/// Endings of organisations, longest first where one ends another.
const JA_ORGANISATIONS: &[&str] = &[
    "株式会社",
    "有限会社",
    "合同会社",
    "研究機構",
    "研究所",
    "研究センター",
    "大学院",
    "大学",
    "病院",
    "協会",
    "学会",
    "委員会",
    "裁判所",
    "銀行",
    "財団",
    "機構",
    "連盟",
    "連合会",
    "組合",
    "新聞社",
    "新聞",
    "内閣府",
    "国会",
    "省",
    "庁",
];
const JA_LAWS: &[&str] = &["法律", "条例", "施行令", "施行規則", "省令", "政令", "法"];
/// Words that only look like laws.
const JA_NO_LAWS: &[&str] = &[
    "方法", "手法", "用法", "療法", "技法", "工法", "製法", "文法", "作法", "寸法", "違法", "合法",
    "適法", "無法", "魔法",
];
const JA_PEOPLE: &[&str] = &["氏", "教授", "医師", "首相", "大臣", "博士", "弁護士"];
/// A ministry is named by more than its last letter; so is a law.
const LEAST_JA_NAME: usize = 3;

fn japanese(letters: &[char]) -> Vec<(EntityKind, Range<usize>)> {
    let inside = |c: char| is_kanji(c) || is_katakana(c) || c.is_ascii_alphanumeric() || c == '・';
    let named = |run: Range<usize>| {
        let (kind, length) = japanese_kind(&letters[run.clone()])?;
        Some((kind, run.start..run.start + length))
    };
    runs(letters, inside).into_iter().filter_map(named).collect()
}

/// Where letters of one sort stand together.
fn runs(letters: &[char], inside: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    for run in letters.chunk_by(|a, b| inside(*a) == inside(*b)) {
        if inside(run[0]) {
            runs.push(at..at + run.len());
        }
        at += run.len();
    }
    runs
}

/// What a run of letters names, and how many of them are the name.
fn japanese_kind(run: &[char]) -> Option<(EntityKind, usize)> {
    let text: String = run.iter().collect();
    let length = run.len();
    if text.starts_with("株式会社") && length > 4 {
        return Some((EntityKind::Organisation, length));
    }
    if length >= LEAST_JA_NAME {
        if JA_ORGANISATIONS.iter().any(|it| text.ends_with(it) && text != *it) {
            return Some((EntityKind::Organisation, length));
        }
        let is_law = JA_LAWS.iter().any(|it| text.ends_with(it) && text != *it);
        if is_law && !JA_NO_LAWS.iter().any(|it| text.ends_with(it)) {
            return Some((EntityKind::Law, length));
        }
    }
    let title = JA_PEOPLE.iter().find(|it| text.ends_with(*it))?;
    let name = length - title.chars().count();
    let is_name = (2..=5).contains(&name) && run[..name].iter().all(|it| is_kanji(*it));
    is_name.then_some((EntityKind::Person, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let found = entities(text);
        for it in &found {
            let there: String = text.chars().skip(it.chars.start).take(it.chars.len()).collect();
            assert_eq!(there, it.name);
        }
        found.iter().map(|it| format!("{}: {}", it.kind.as_str(), it.name)).collect()
    }

    #[test]
    fn names_in_english() {
        let table: &[(&str, &[&str])] = &[
            (
                "The Ministry of Health and the WHO warned of COVID-19 in Osaka.",
                &["organisation: Ministry of Health", "name: WHO", "name: COVID-19", "name: Osaka"],
            ),
            (
                "According to Dr. Sato, the Data Protection Act applies to Kyoto University's hospital.",
                &["person: Dr. Sato", "law: Data Protection Act", "organisation: Kyoto University"],
            ),
            ("Falls are common. Patients fell in March.", &[]),
            (
                "Vitamin D reduced falls among residents of Lowmere.",
                &["name: Vitamin D", "name: Lowmere"],
            ),
            ("", &[]),
            ("42 percent", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(shown(text), *expected, "{text}");
        }
    }

    #[test]
    fn names_in_japanese() {
        let table: &[(&str, &[&str])] = &[
            (
                "厚生労働省と理化学研究所は、個人情報保護法に基づく指針を公表した。",
                &["organisation: 厚生労働省", "organisation: 理化学研究所", "law: 個人情報保護法"],
            ),
            (
                "山田太郎教授は京都大学の治療方法を説明した。",
                &["person: 山田太郎", "organisation: 京都大学"],
            ),
            ("株式会社リラが発表した。", &["organisation: 株式会社リラ"]),
            ("反省すべき方法である。", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(shown(text), *expected, "{text}");
        }
    }

    #[test]
    fn width_and_case_do_not_tell_names_apart() {
        let wide =
            NamedEntity { kind: EntityKind::Name, name: "ＷＨＯ".to_owned(), chars: 0..3 };
        assert_eq!(wide.normalized(), "who");
    }
}
