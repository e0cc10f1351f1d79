//! The dictionaries: what means the same, what takes out of a rule, what points elsewhere, how a request is read.
//!
//! Bundled with the program and extended by files of the same names in a folder of the user. A broken file of the
//! user fails the stage that needs it and no other.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::finder::Finder;
use crate::index::Stamp;
use crate::normal_form::{Term, normalised};

const SYNONYMS: &str = include_str!("../../dictionaries/synonyms.toml");
const EXCEPTIONS: &str = include_str!("../../dictionaries/exceptions.toml");
const REFERENCES: &str = include_str!("../../dictionaries/references.toml");
const QUERY: &str = include_str!("../../dictionaries/query.toml");

/// All dictionaries; each is read or fails by itself.
#[derive(Debug, Clone)]
pub(crate) struct Dictionaries {
    pub(crate) synonyms: Entry<Synonyms>,
    pub(crate) exceptions: Entry<Exceptions>,
    pub(crate) references: Entry<References>,
    pub(crate) query: Entry<QueryWords>,
}

/// A dictionary, or the reason it could not be read.
type Entry<T> = Result<Arc<T>, String>;

/// Groups of words that mean the same.
#[derive(Debug, Default)]
pub(crate) struct Synonyms {
    groups: Vec<Vec<Term>>,
    by_word: HashMap<String, Vec<usize>>,
    /// Loose forms, the longest first.
    words: Vec<String>,
}

/// Words that take something out of a rule.
#[derive(Debug)]
pub(crate) struct Exceptions {
    pub(crate) finder: Finder,
}

/// How one part of a text points at another; all words normalised.
#[derive(Debug)]
pub(crate) struct References {
    pub(crate) units: Vec<String>,
    pub(crate) appendices: Vec<String>,
    pub(crate) parts: Vec<String>,
    pub(crate) cues_before: Vec<String>,
    /// Where a label may begin.
    pub(crate) label_starts: AhoCorasick,
    pub(crate) after: AhoCorasick,
    pub(crate) before: AhoCorasick,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ReferenceFile {
    units: Vec<String>,
    appendices: Vec<String>,
    parts: Vec<String>,
    cues_after: Vec<String>,
    cues_before: Vec<String>,
}

/// How a request is read; all words normalised.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct QueryWords {
    pub(crate) stop_ja: Vec<String>,
    pub(crate) stop_kana: Vec<String>,
    pub(crate) stop_en: Vec<String>,
    pub(crate) intent: Vec<IntentWords>,
    pub(crate) facet: Vec<Facet>,
    pub(crate) negation: Negation,
    pub(crate) modality: Modality,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IntentWords {
    pub(crate) name: super::query::Intent,
    pub(crate) cues: Vec<String>,
}

/// Something a request can ask for about its subject.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facet {
    pub(crate) name: String,
    pub(crate) ask: Vec<String>,
    pub(crate) answered_by: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Negation {
    pub(crate) after_ja: Vec<String>,
    pub(crate) before_en: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Modality {
    pub(crate) must: Vec<String>,
    pub(crate) must_not: Vec<String>,
    pub(crate) may: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SynonymFile {
    group: Vec<Group>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    words: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ExceptionFile {
    ja: Vec<String>,
    en: Vec<String>,
}

/// The dictionaries of a folder, read again when a file changes.
#[derive(Debug)]
pub(crate) struct DictionaryCache {
    folder: Option<PathBuf>,
    stamps: [Option<Stamp>; 4],
    current: Option<Dictionaries>,
}

impl DictionaryCache {
    pub(crate) const fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, stamps: [None; 4], current: None }
    }

    pub(crate) fn fresh(&mut self) -> Dictionaries {
        let stamp = |name: &str| {
            let path = self.folder.as_ref()?.join(name);
            fs::metadata(path).ok().map(|it| Stamp::of(&it))
        };
        let stamps =
            ["synonyms.toml", "exceptions.toml", "references.toml", "query.toml"].map(stamp);
        match &self.current {
            Some(current) if stamps == self.stamps => current.clone(),
            _ => {
                self.stamps = stamps;
                let read = Dictionaries::read(self.folder.as_deref());
                self.current.insert(read).clone()
            }
        }
    }
}

impl Dictionaries {
    fn read(folder: Option<&Path>) -> Self {
        let synonyms = both::<SynonymFile>(folder, "synonyms.toml", SYNONYMS)
            .map(|(own, users)| Synonyms::new(own.group.into_iter().chain(users.group)));
        let exceptions =
            both::<ExceptionFile>(folder, "exceptions.toml", EXCEPTIONS).map(|(own, users)| {
                let words = [own.ja, own.en, users.ja, users.en].into_iter().flatten();
                Exceptions { finder: Finder::new(words.filter_map(|it| Term::new(&it)).collect()) }
            });
        let references = both::<ReferenceFile>(folder, "references.toml", REFERENCES)
            .map(|(own, users)| References::new(own, users));
        let query = both::<QueryWords>(folder, "query.toml", QUERY)
            .map(|(own, users)| QueryWords::joined(own, users));
        Self {
            synonyms: synonyms.map(Arc::new),
            exceptions: exceptions.map(Arc::new),
            references: references.map(Arc::new),
            query: query.map(Arc::new),
        }
    }
}

impl Synonyms {
    fn new(groups: impl Iterator<Item = Group>) -> Self {
        let mut all = Self::default();
        for group in groups {
            let terms: Vec<Term> = group.words.iter().filter_map(|it| Term::new(it)).collect();
            for term in &terms {
                let places = all.by_word.entry(term.loose.clone()).or_default();
                if places.is_empty() {
                    all.words.push(term.loose.clone());
                }
                places.push(all.groups.len());
            }
            all.groups.push(terms);
        }
        all.words.sort_by_key(|it| (std::cmp::Reverse(it.len()), it.clone()));
        all
    }

    /// The other words of every group that has this one.
    pub(crate) fn of(&self, loose: &str) -> Vec<&Term> {
        let groups = self.by_word.get(loose).into_iter().flatten().map(|it| &self.groups[*it]);
        groups.flatten().filter(|it| it.loose != loose).collect()
    }

    /// The first group that has a word, by number.
    pub(crate) fn group_of(&self, loose: &str) -> Option<usize> {
        self.by_word.get(loose)?.first().copied()
    }

    /// Every word of the dictionary in its loose form, the longest first.
    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }
}

impl References {
    fn new(own: ReferenceFile, users: ReferenceFile) -> Self {
        let [units, appendices, parts] = [
            joined(own.units, users.units),
            joined(own.appendices, users.appendices),
            joined(own.parts, users.parts),
        ];
        let cues_after = joined(own.cues_after, users.cues_after);
        let cues_before = joined(own.cues_before, users.cues_before);
        let starts = ["第".to_owned()];
        Self {
            label_starts: searcher(starts.iter().chain(&appendices).chain(&parts)),
            after: searcher(cues_after.iter()),
            before: searcher(cues_before.iter()),
            units,
            appendices,
            parts,
            cues_before,
        }
    }
}

/// Finds the longest of some words at each place.
fn searcher<'a>(words: impl Iterator<Item = &'a String>) -> AhoCorasick {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(words)
        .expect("a few hundred short words fit")
}

impl QueryWords {
    fn joined(own: Self, users: Self) -> Self {
        Self {
            stop_ja: joined(own.stop_ja, users.stop_ja),
            stop_kana: {
                let mut words = joined(own.stop_kana, users.stop_kana);
                words.sort_by_key(|it| (std::cmp::Reverse(it.len()), it.clone()));
                words
            },
            stop_en: joined(own.stop_en, users.stop_en),
            intent: own
                .intent
                .into_iter()
                .chain(users.intent)
                .map(IntentWords::normalised)
                .collect(),
            facet: own.facet.into_iter().chain(users.facet).map(Facet::normalised).collect(),
            negation: Negation {
                after_ja: joined(own.negation.after_ja, users.negation.after_ja),
                before_en: joined(own.negation.before_en, users.negation.before_en),
            },
            modality: Modality {
                must: joined(own.modality.must, users.modality.must),
                must_not: joined(own.modality.must_not, users.modality.must_not),
                may: joined(own.modality.may, users.modality.may),
            },
        }
    }
}

impl IntentWords {
    fn normalised(self) -> Self {
        Self { cues: joined(self.cues, Vec::new()), ..self }
    }
}

impl Facet {
    fn normalised(self) -> Self {
        Self {
            name: self.name,
            ask: joined(self.ask, Vec::new()),
            answered_by: joined(self.answered_by, Vec::new()),
        }
    }
}

fn joined(own: Vec<String>, users: Vec<String>) -> Vec<String> {
    own.into_iter().chain(users).map(|it| normalised(&it)).filter(|it| !it.is_empty()).collect()
}

/// A dictionary of a user; the bundled ones have some kilobytes.
const MAX_BYTES: u64 = 4 << 20;

/// The bundled dictionary and the user's, which may be absent.
fn both<T: DeserializeOwned + Default>(
    folder: Option<&Path>,
    name: &str,
    bundled: &str,
) -> Result<(T, T), String> {
    let own = toml::from_str(bundled).expect("bundled dictionaries are tested");
    let Some(folder) = folder else { return Ok((own, T::default())) };
    let text = match files::read_text(&folder.join(name), MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok((own, T::default()));
        }
        Err(error) => return Err(format!("{name}: {error}")),
    };
    let users = toml::from_str(&text).map_err(|error| format!("{name}: {}", error.message()))?;
    Ok((own, users))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_dictionaries_can_be_read() {
        let all = Dictionaries::read(None);
        assert!(all.synonyms.is_ok() && all.exceptions.is_ok());
        assert!(all.references.is_ok() && all.query.is_ok());
    }

    #[test]
    fn a_word_has_the_others_of_its_group() {
        let synonyms = Dictionaries::read(None).synonyms.unwrap();
        let of = |word: &str| -> Vec<String> {
            let term = Term::new(word).unwrap();
            synonyms.of(&term.loose).iter().map(|it| it.normal.clone()).collect()
        };
        assert_eq!(of("ＷｉＦｉ"), ["無線lan", "ワイファイ", "wireless network", "wireless"]);
        assert_eq!(of("自転車"), [""; 0]);
    }

    #[test]
    fn files_of_the_user_add_words_and_a_broken_one_fails_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(
            folder.path().join("synonyms.toml"),
            "[[group]]\nwords = [\"自転車\", \"チャリ\"]\n",
        )
        .unwrap();
        fs::write(folder.path().join("exceptions.toml"), "ja = 3").unwrap();
        let mut cache = DictionaryCache::new(Some(folder.path().to_owned()));
        let all = cache.fresh();
        assert_eq!(all.synonyms.unwrap().of("自転車")[0].normal, "チャリ");
        assert_eq!(
            all.exceptions.unwrap_err(),
            "exceptions.toml: invalid type: integer `3`, expected a sequence"
        );
        assert!(all.references.is_ok());
        fs::remove_file(folder.path().join("exceptions.toml")).unwrap();
        assert!(cache.fresh().exceptions.is_ok());
    }
}
