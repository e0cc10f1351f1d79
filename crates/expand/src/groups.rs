//! Words for one thing: the hand-written groups, and short forms with what they stand for.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::english::key;
use text::script::is_japanese;

static GROUPS: LazyLock<Groups> = LazyLock::new(Groups::read);
static SHORT_FORMS: LazyLock<ShortForms> = LazyLock::new(ShortForms::read);

/// The subject of words that occur in all questions (effect, cause, method): another one finds nothing new.
const GENERAL: &str = "research\t";

/// Words of both languages for one thing, and the next broader and narrower things.
#[derive(Debug)]
pub(crate) struct Group {
    /// Whether its words are worth a request of their own; general ones are mirrored only.
    pub(crate) telling: bool,
    pub(crate) members: Vec<Member>,
}

#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) text: &'static str,
    pub(crate) english: bool,
    pub(crate) role: Role,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Same,
    /// The thing itself, by a word that means other things, too: written for it, never read as it.
    Written,
    Broader,
    Narrower,
}

struct Groups {
    all: Vec<Group>,
    /// The groups in which a word names the thing itself.
    of: HashMap<String, Vec<usize>>,
}

pub(crate) fn all() -> &'static [Group] {
    &GROUPS.all
}

/// The groups a word belongs to, by a Japanese word or an English key.
pub(crate) fn of(word: &str) -> impl Iterator<Item = &'static Group> {
    GROUPS.of.get(word).into_iter().flatten().map(|it| &GROUPS.all[*it])
}

impl Groups {
    fn read() -> Self {
        let mut groups = Self { all: Vec::new(), of: HashMap::new() };
        let lines = include_str!("../data/groups.tsv").lines();
        for line in lines.filter(|it| !it.starts_with('#') && !it.is_empty()) {
            // The first column names the subject, for people who edit the list.
            let members =
                line.split('\t').skip(1).flat_map(|it| it.split('|')).filter(|it| !it.is_empty());
            let members: Vec<Member> = members.map(Member::read).collect();
            for member in members.iter().filter(|it| it.role == Role::Same) {
                let word = member.key();
                let known = groups.of.entry(word).or_default();
                if known.last() != Some(&groups.all.len()) {
                    known.push(groups.all.len());
                }
            }
            let telling = !line.starts_with(GENERAL);
            groups.all.push(Group { telling, members });
        }
        groups
    }
}

impl Member {
    fn read(field: &'static str) -> Self {
        let marks = [('<', Role::Broader), ('>', Role::Narrower), ('~', Role::Written)];
        let marked =
            marks.into_iter().find_map(|(mark, role)| Some((role, field.strip_prefix(mark)?)));
        let (role, text) = marked.unwrap_or((Role::Same, field));
        Self { text, english: !text.chars().any(is_japanese), role }
    }

    /// How the word is looked up: Latin letters inside Japanese words have no case.
    pub(crate) fn key(&self) -> String {
        if self.english { key(self.text) } else { self.text.to_ascii_lowercase() }
    }
}

/// MI and myocardial infarction, WHO and 世界保健機関.
struct ShortForms {
    long: HashMap<&'static str, Vec<&'static str>>,
    short: HashMap<String, Vec<&'static str>>,
}

/// What a short form stands for; the case counts, because `who` is not WHO.
pub(crate) fn long_forms(short: &str) -> &'static [&'static str] {
    SHORT_FORMS.long.get(short).map_or(&[], Vec::as_slice)
}

/// The short forms of a Japanese word or an English key.
pub(crate) fn short_forms(word: &str) -> &'static [&'static str] {
    SHORT_FORMS.short.get(word).map_or(&[], Vec::as_slice)
}

impl ShortForms {
    fn read() -> Self {
        let mut all = Self { long: HashMap::new(), short: HashMap::new() };
        for line in include_str!("../data/short.tsv").lines().filter(|it| !it.starts_with('#')) {
            let Some((short, long)) = line.split_once('\t') else { continue };
            let word = if long.chars().any(is_japanese) { long.to_owned() } else { key(long) };
            all.long.entry(short).or_default().push(long);
            all.short.entry(word).or_default().push(short);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_words_of_both_languages_and_no_word_twice() {
        for group in all() {
            let texts: Vec<_> = group.members.iter().map(|it| it.text).collect();
            for english in [false, true] {
                let named = |it: &Member| matches!(it.role, Role::Same | Role::Written);
                assert!(
                    group.members.iter().any(|it| it.english == english && named(it)),
                    "{texts:?}"
                );
            }
            let mut sorted = texts.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), texts.len(), "{texts:?}");
            assert!(texts.iter().all(|it| it.trim() == *it && !it.is_empty()), "{texts:?}");
        }
    }
}
