//! The parts of a study, by their names in headings and in labels before sentences: read from `data/*/sections.toml`.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;
use text::word_list::{self, WordList};
use text::words::folded;

/// What a part of a study tells, in the order studies tell it: a part with two names tells what the later one does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Section {
    Background,
    Aim,
    Method,
    Result,
    Conclusion,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    qualifiers: WordList,
    aim: WordList,
    method: WordList,
    background: WordList,
    result: WordList,
    conclusion: WordList,
}

/// English, then Japanese.
static NAMES: LazyLock<[Names; 2]> = LazyLock::new(|| {
    [
        word_list::read(include_str!("../data/en/sections.toml")),
        word_list::read(include_str!("../data/ja/sections.toml")),
    ]
});

static SECTIONS: LazyLock<HashMap<&str, Section>> = LazyLock::new(|| {
    let mut sections = HashMap::new();
    for names in NAMES.iter() {
        for (section, list) in [
            (Section::Aim, &names.aim),
            (Section::Method, &names.method),
            (Section::Background, &names.background),
            (Section::Result, &names.result),
            (Section::Conclusion, &names.conclusion),
        ] {
            sections.extend(list.iter().map(|name| (name, section)));
        }
    }
    sections
});

/// What joins the names of a part that has two.
const JOINTS: [&str; 9] = [", and ", " and ", ", ", "/", " & ", "および", "及び", "・", "と"];

/// The part of a study that has this label or heading, with or without its number.
pub(crate) fn section(name: &str) -> Option<Section> {
    let plain = folded(name).to_lowercase();
    // "Abstract - Results" is the part of the abstract.
    let plain = plain.rsplit(" - ").next().unwrap_or(&plain);
    let numbers = |it: char| it.is_ascii_digit() || matches!(it, '.' | ')' | ' ' | '■' | '●' | '§');
    let plain = plain.trim_start_matches(numbers).trim_end_matches([':', ' ', '.']);
    known(plain).or_else(|| {
        let joint = JOINTS.iter().find(|it| plain.contains(**it))?;
        let parts: Option<Vec<Section>> = plain.split(joint).map(section).collect();
        parts?.into_iter().max()
    })
}

fn known(name: &str) -> Option<Section> {
    let unqualified = || {
        let qualifiers = NAMES.iter().flat_map(|it| it.qualifiers.iter());
        qualifiers.filter_map(|it| name.strip_prefix(it)).find_map(|rest| {
            let rest = rest.trim_start_matches([' ', 'の']);
            SECTIONS.get(rest).copied()
        })
    };
    SECTIONS.get(name).copied().or_else(unqualified)
}

/// Whether a document with these parts is a study: it says what was found, and what was wanted or done before.
pub(crate) fn is_study(parts: impl IntoIterator<Item = Section>) -> bool {
    let (mut finds, mut works) = (false, false);
    for part in parts {
        match part {
            Section::Result | Section::Conclusion => finds = true,
            Section::Aim | Section::Method | Section::Background => works = true,
        }
    }
    finds && works
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_the_form_they_are_compared_in_and_stand_for_one_part() {
        let mut names = Vec::new();
        for file in
            [include_str!("../data/en/sections.toml"), include_str!("../data/ja/sections.toml")]
        {
            names.extend(word_list::words_in(file).unwrap());
        }
        for name in &names {
            assert_eq!(*name, folded(name).to_lowercase());
        }
        let qualifiers: usize = NAMES.iter().map(|it| it.qualifiers.iter().count()).sum();
        assert_eq!(SECTIONS.len() + qualifiers, names.len());
    }

    #[test]
    fn parts_are_known_with_their_numbers_and_other_headings_are_none() {
        for (name, part) in [
            ("Conclusions", Some(Section::Conclusion)),
            ("4. Results", Some(Section::Result)),
            ("Abstract - Background", Some(Section::Background)),
            ("２．方法", Some(Section::Method)),
            ("結論", Some(Section::Conclusion)),
            ("まとめ", Some(Section::Conclusion)),
            ("背景と目的", Some(Section::Aim)),
            ("研究の目的", Some(Section::Aim)),
            ("対象および方法", Some(Section::Method)),
            ("Study objective", Some(Section::Aim)),
            ("Background and aims", Some(Section::Aim)),
            ("Design, setting, and participants", Some(Section::Method)),
            ("Methods and results", Some(Section::Result)),
            ("Conclusions/Significance", Some(Section::Conclusion)),
            ("Main outcome measures", Some(Section::Method)),
            ("Patients and doctors", None),
            ("Methods of contraception", None),
            ("結果として何が起きたか", None),
            ("", None),
        ] {
            assert_eq!(section(name), part, "{name}");
        }
    }

    #[test]
    fn a_study_has_findings_and_what_was_done() {
        assert!(is_study([Section::Method, Section::Conclusion]));
        assert!(!is_study([Section::Background, Section::Method]));
        assert!(!is_study([Section::Result, Section::Conclusion]));
        assert!(!is_study([]));
    }
}
