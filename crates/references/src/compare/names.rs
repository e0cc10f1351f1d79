//! Authors by the words of their names.

use std::collections::BTreeSet;

use text::script::{is_cjk, is_hangul};
use text::words::is_stop_word;

use super::titles::folded;

/// Words in front of a title that are no names.
const NO_NAMES: [&str; 16] = [
    "et",
    "al",
    "and",
    "und",
    "eds",
    "ed",
    "editor",
    "editors",
    "the",
    "for",
    "group",
    "study",
    "collaborators",
    "jr",
    "sr",
    "md",
];

/// The authors of a work.
#[derive(Debug)]
pub(crate) struct Authors {
    /// The words of each name.
    names: Vec<BTreeSet<String>>,
    is_east_asian: bool,
}

impl Authors {
    pub(crate) fn of(authors: &[String]) -> Self {
        let names: Vec<BTreeSet<String>> =
            authors.iter().map(|it| words(it)).filter(|it| !it.is_empty()).collect();
        let is_east_asian = authors.iter().any(|it| it.chars().any(|c| is_cjk(c) || is_hangul(c)));
        Self { names, is_east_asian }
    }

    /// The given authors that the work does not have, and whether it has at least half of them. Nothing where there is nothing to
    /// compare.
    pub(crate) fn compared_to(&self, given: &[String]) -> (Option<Vec<String>>, bool) {
        let other_writing =
            |it: &&String| it.chars().any(|c| is_cjk(c) || is_hangul(c)) != self.is_east_asian;
        let given: Vec<&String> = given.iter().filter(|it| !other_writing(it)).collect();
        if self.names.is_empty() || given.is_empty() {
            return (None, false);
        }
        let has = |name: &str| words(name).is_empty() || self.names.iter().any(|it| same(it, name));
        let unknown: Vec<String> =
            given.iter().filter(|it| !has(it)).map(|it| (*it).clone()).collect();
        let known = given.iter().filter(|it| !words(it).is_empty() && has(it)).count();
        (Some(unknown), known > 0 && 2 * known >= given.len())
    }

    /// The same for an entry without fields: `head` is what stands before its title.
    pub(crate) fn compared_to_text(&self, head: &str, whole: &str) -> (Option<Vec<String>>, bool) {
        if self.names.is_empty() {
            return (None, false);
        }
        if self.is_east_asian {
            let text: String = whole.chars().filter(|it| it.is_alphanumeric()).collect();
            let shares = self.names.iter().flatten().any(|it| text.contains(it.as_str()));
            // Where names in Japanese begin and end cannot be told.
            let head_has_names = head.chars().filter(|it| is_cjk(*it)).count() >= 2;
            let unknown = (head_has_names && !shares).then(|| vec![head.trim().to_owned()]);
            return (unknown.or(shares.then(Vec::new)), shares);
        }
        let is_known =
            |word: &str| self.names.iter().any(|it| it.iter().any(|own| near(own, word)));
        let named = |text: &str| -> Vec<String> {
            let parts = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
            let is_name = |it: &&str| {
                let initials = it.chars().count() <= 3 && it.chars().all(char::is_uppercase);
                let folded = fold(it);
                it.chars().count() > 1
                    && it.starts_with(char::is_uppercase)
                    && !initials
                    && !NO_NAMES.contains(&folded.as_str())
                    && !is_stop_word(&folded)
            };
            parts.filter(is_name).map(str::to_owned).collect()
        };
        let in_head = named(head);
        if in_head.is_empty() {
            // The title comes first, or authors stand elsewhere: they are looked for in all of it.
            let shares = named(whole).iter().any(|it| is_known(&fold(it)));
            return (shares.then(Vec::new), shares);
        }
        let unknown: Vec<String> =
            in_head.iter().filter(|it| !is_known(&fold(it))).cloned().collect();
        let shares = 2 * unknown.len() <= in_head.len();
        (Some(unknown), shares)
    }
}

fn fold(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).map(folded).collect()
}

/// The words of a name that are no initials. Japanese names are one word: some have a space in them, and some do not.
fn words(name: &str) -> BTreeSet<String> {
    if name.chars().any(|c| is_cjk(c) || is_hangul(c)) {
        return BTreeSet::from([name.chars().filter(|it| it.is_alphanumeric()).collect()]);
    }
    let parts = name.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let parts = parts.filter(|it| {
        !(it.chars().count() <= 3 && it.chars().all(char::is_uppercase)) || it.chars().count() > 3
    });
    parts.map(fold).filter(|it| it.chars().count() > 1).collect()
}

fn near(one: &str, other: &str) -> bool {
    one == other
        || (one.chars().count() >= 6
            && other.chars().count() >= 6
            && strsim::osa_distance(one, other) <= 1)
}

/// Whether a name may be the one of a known author. The family name decides: what stands before a comma, else the last word; of a
/// name in the other order two words must be the same.
fn same(known: &BTreeSet<String>, given: &str) -> bool {
    let has = |word: &String| known.iter().any(|own| near(own, word));
    if let Some((family, _)) = given.split_once([',', '，']) {
        return words(family).iter().any(has);
    }
    let mut in_order = given.split_whitespace().map(words).filter(|it| !it.is_empty());
    let last = in_order.next_back().is_some_and(|it| it.iter().any(has));
    last || words(given).iter().filter(|it| has(it)).count() >= 2.min(known.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authors(names: &[&str]) -> Authors {
        Authors::of(&names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn names_are_compared_however_they_are_written() {
        let known = authors(&["Kurt Gödel", "Jane M. Doe"]);
        let given = |names: &[&str]| {
            known.compared_to(&names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(given(&["Godel, K.", "Doe J"]), (Some(vec![]), true));
        assert_eq!(
            given(&["Gödel, Kurt", "Smith, Ann"]),
            (Some(vec!["Smith, Ann".to_owned()]), true)
        );
        assert_eq!(given(&["Kurt Brandt"]), (Some(vec!["Kurt Brandt".to_owned()]), false));
        assert_eq!(given(&["Doe Jane"]), (Some(vec![]), true));
        assert_eq!(given(&["Brandt, Oskar"]), (Some(vec!["Brandt, Oskar".to_owned()]), false));
        assert_eq!(given(&[]), (None, false));
        assert_eq!(given(&["山田太郎"]), (None, false));
    }

    #[test]
    fn names_in_an_entry_are_those_before_its_title() {
        let known = authors(&["Kurt Gödel", "Jane M. Doe"]);
        let head = "Gödel K, Doe JM, et al. ";
        assert_eq!(known.compared_to_text(head, head), (Some(vec![]), true));
        let head = "Brandt O, Doe JM. ";
        assert_eq!(known.compared_to_text(head, head), (Some(vec!["Brandt".to_owned()]), true));
        let known = authors(&["山田 太郎"]);
        assert_eq!(
            known.compared_to_text("山田太郎（2020）「", "山田太郎（2020）「夜勤」"),
            (Some(vec![]), true)
        );
        let (unknown, shares) =
            known.compared_to_text("鈴木一郎（2020）「", "鈴木一郎（2020）「夜勤」");
        assert_eq!((unknown.unwrap().len(), shares), (1, false));
    }
}
