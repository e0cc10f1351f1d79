//! Whether two records are one work although they share no identifier: title, authors and year.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use text::script::{is_hangul, is_japanese};
use unicode_normalization::UnicodeNormalization;

use crate::candidate::Candidate;
use crate::markup::without_tags;

use super::{LikenessSettings, Unions};

/// DOIs of preprint servers: arXiv, bioRxiv and medRxiv, SSRN, Research Square, ChemRxiv, Preprints, PsyArXiv and OSF,
/// TechRxiv, Authorea, Jxiv.
const PREPRINT_DOIS: [&str; 11] = [
    "10.48550/",
    "10.1101/",
    "10.2139/ssrn",
    "10.21203/",
    "10.26434/",
    "10.20944/",
    "10.31234/",
    "10.31219/",
    "10.36227/",
    "10.22541/",
    "10.51094/",
];

pub(super) fn is_preprint(doi: &str) -> bool {
    PREPRINT_DOIS.iter().any(|it| doi.starts_with(it))
}

/// What likeness is judged by.
pub(super) struct Traits {
    title: String,
    /// The words of each author's name.
    authors: Vec<BTreeSet<String>>,
    year: Option<i32>,
    has_doi: bool,
    /// No DOI but those of preprint servers.
    only_preprints: bool,
}

impl Traits {
    /// `None` for pages that are no papers, and for titles that many works have.
    pub(super) fn of(candidate: &Candidate, settings: &LikenessSettings) -> Option<Self> {
        let paper = candidate.paper.as_ref()?;
        let title = title_key(&candidate.title);
        let least = if title.chars().any(is_east_asian_letter) {
            settings.min_title_chars_cjk
        } else {
            settings.min_title_chars
        };
        if title.chars().count() < least {
            return None;
        }
        let mut dois = paper.identifiers.iter().filter(|it| it.0 == "doi").peekable();
        Some(Self {
            title,
            authors: paper
                .authors
                .iter()
                .map(|it| name_words(it))
                .filter(|it| !it.is_empty())
                .collect(),
            year: paper.year,
            has_doi: dois.peek().is_some(),
            only_preprints: dois.all(|it| is_preprint(&it.1)),
        })
    }

    fn is_like(&self, other: &Self, settings: &LikenessSettings) -> bool {
        let apart = self.year.zip(other.year).map(|(one, other)| (one - other).abs());
        let near = apart.is_none_or(|it| it <= settings.max_years_apart);
        let authors_known = !self.authors.is_empty() && !other.authors.is_empty();
        let alike =
            if authors_known { self.shares_author(other) && near } else { apart == Some(0) };
        alike && !self.conflicts(other)
    }

    fn shares_author(&self, other: &Self) -> bool {
        let first_in = |one: &Self, other: &Self| {
            other.authors.iter().any(|it| !it.is_disjoint(&one.authors[0]))
        };
        first_in(self, other) || first_in(other, self)
    }

    /// Two published papers with different DOIs are two, whatever their titles say.
    fn conflicts(&self, other: &Self) -> bool {
        self.has_doi && other.has_doi && !self.only_preprints && !other.only_preprints
    }
}

/// The places of all records, those of one work together. A group in which two published papers meet is left as it
/// was: rather one work twice than two works as one.
pub(super) fn groups(traits: &[Option<Traits>], settings: &LikenessSettings) -> Vec<Vec<usize>> {
    let mut by_title: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, it) in traits.iter().enumerate() {
        if let Some(it) = it {
            by_title.entry(&it.title).or_default().push(index);
        }
    }
    let at =
        |index: usize| traits[index].as_ref().expect("only records with traits are in `by_title`");
    let mut unions = Unions::new(traits.len());
    for members in by_title.values() {
        for (done, one) in members.iter().enumerate() {
            for other in &members[..done] {
                if at(*one).is_like(at(*other), settings) {
                    unions.join(*one, *other);
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..traits.len() {
        groups.entry(unions.root(index)).or_default().push(index);
    }
    let torn = |group: &[usize]| {
        let published = group.iter().filter(|index| {
            traits[**index].as_ref().is_some_and(|it| it.has_doi && !it.only_preprints)
        });
        published.count() > 1
    };
    groups
        .into_values()
        .flat_map(|group| {
            if torn(&group) { group.into_iter().map(|it| vec![it]).collect() } else { vec![group] }
        })
        .collect()
}

/// The letters of a title that tell it from others: without case, accents, punctuation, markup, articles and the
/// publisher's mark of a retraction.
fn title_key(title: &str) -> String {
    let plain = folded(&without_tags(title));
    let words = plain.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    let mut words: Vec<&str> = words.filter(|it| !matches!(*it, "a" | "an" | "the")).collect();
    match words[..] {
        ["retracted", "article", ..] => drop(words.drain(..2)),
        ["retracted", ..] => drop(words.drain(..1)),
        _ => {}
    }
    words.concat()
}

/// The words of a name. Initials tell too little; Japanese names are one word, because some put a space between
/// family and given name and some do not.
fn name_words(name: &str) -> BTreeSet<String> {
    let plain = folded(name);
    let words = plain.split(|it: char| !it.is_alphanumeric());
    if plain.chars().any(is_east_asian_letter) {
        return BTreeSet::from([words.collect::<String>()]);
    }
    words.filter(|it| it.chars().count() > 1).map(str::to_owned).collect()
}

/// One form for all ways to write a letter. Kana keep their voicing marks: か is not が.
fn folded(text: &str) -> String {
    let accent = |it: &char| matches!(it, '\u{300}'..='\u{36f}');
    text.nfkd().filter(|it| !accent(it)).nfc().flat_map(char::to_lowercase).collect()
}

/// Letters of Japanese, Chinese and Korean: a few of them are a whole title, and names have no order
/// of words.
fn is_east_asian_letter(c: char) -> bool {
    is_japanese(c) || is_hangul(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_the_same_however_they_are_set() {
        let same = [
            ("The Effect of <i>E. coli</i> on a Host", "Effect of E. coli on Host."),
            ("PaperQA: Retrieval-Augmented Agents", "PaperQA — retrieval augmented agents"),
            ("Über naïve Bayes", "UBER NAIVE BAYES"),
            ("RETRACTED: Cold fusion in a jar", "Cold fusion in a jar"),
            ("ＬＬＭによる要約：評価", "LLMによる要約 評価"),
            ("気候変動の影響―日本の場合―", "気候変動の影響 : 日本の場合"),
        ];
        for (one, other) in same {
            assert_eq!(title_key(one), title_key(other), "{one}");
        }
        assert_ne!(title_key("かき の研究"), title_key("がき の研究"));
        assert_eq!(title_key("p < 0.05 and q > 1"), "p005andq1");
    }

    #[test]
    fn names_are_compared_by_their_words() {
        let share = |one: &str, other: &str| !name_words(one).is_disjoint(&name_words(other));
        assert!(share("A. Turing", "Alan M. Turing"));
        assert!(share("Turing, Alan", "Alan Turing"));
        assert!(share("山田 太郎", "山田太郎"));
        assert!(!share("山田太郎", "山田花子"));
        assert!(!share("A. Smith", "A. Turing"));
    }
}
