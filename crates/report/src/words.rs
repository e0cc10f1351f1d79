//! Every word a report says by itself: one file per language in `words/`, read once.
//!
//! A text is a field of [`Words`], so the compiler names a text that nothing uses and a use of a text that does not
//! exist; a file that lacks one, or has one too many, fails the tests.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::Language;
use crate::document::Line;

static EN: LazyLock<Words> = LazyLock::new(|| parsed(include_str!("../words/en.toml")));
static JA: LazyLock<Words> = LazyLock::new(|| parsed(include_str!("../words/ja.toml")));

impl Words {
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &EN,
            Language::Ja => &JA,
        }
    }
}

/// The files are part of the program, and a test reads each of them.
fn parsed(file: &str) -> Words {
    toml::from_str(file).expect("the words of a language are complete")
}

/// The texts of one language, by the names of their keys. `counted` ones depend on a count.
macro_rules! words {
    ($($text:ident)* ; counted: $($counted:ident)*) => {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Words {
            $(pub(crate) $text: String,)*
            $(pub(crate) $counted: Counted,)*
            pub(crate) reliability_lines: Vec<String>,
            pub(crate) codes: Codes,
        }
    };
}

words! {
    // Between sentences, a label and its value, and the items of a list.
    sentence_space colon comma open close quote_open quote_close cut_before cut_after

    report made_by question_in_full task status made_at started_at contents

    answer answer_note answer_weak answer_only_refuted
    nothing_found nothing_found_facts nothing_found_next
    hypothesis hypothesis_unjudged hypothesis_foreign
    confidence controversy independent_sources supported_by refuted_by
    finding years unknown_year unknown_date none more
    at_a_glance glance_confident glance_well_sourced glance_primary of
    draft draft_note draft_unchecked draft_left_out

    findings findings_note findings_left_out claims_without_evidence
    supporting refuting notes quotes_left_out neutral caveat improve
    passage found_at published archive no_archive judged corrected_by_person origin copies
    retracted_on verification
    caveat_low caveat_against caveat_both caveat_few caveat_no_primary caveat_one_narrative
    caveat_retracted caveat_withdrawn improve_primary improve_settle
    disputes disputes_note gap_same gap_unknown

    graph graph_note graph_bounded graph_sources graph_findings
    legend_supports legend_refutes legend_cites legend_primary legend_other
    timeline timeline_note timeline_undated timeline_left_out recorded
    retractions retractions_note touches

    security security_note security_places security_no_influence security_influence security_other
    narratives narratives_note narratives_above narratives_below narrative_line repeated_line
    chains chains_note
    set_aside set_aside_person set_aside_dangerous
    missed missed_note unread unread_note unsatisfied unsatisfied_note more_left_out rank_line

    reliability reliability_corrected reliability_order
    sources flagged
    method searches query refuting_search pages harvest satisfaction novelty
    budget budget_pages budget_time budget_llm
    engines engine_line requests requests_line requests_none
    models model_line models_none versions versions_line fingerprint log_line
    ;
    counted:
    glance_disputes glance_sources glance_read glance_missed glance_retractions
    gap_newer gap_older improve_support improve_sources
}

/// Codes of the graph in words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Codes {
    pub(crate) standing: Code,
    pub(crate) category: Code,
    pub(crate) status: Code,
    pub(crate) search: Code,
    pub(crate) event: Code,
    pub(crate) verification: Code,
    pub(crate) role: Code,
    pub(crate) stop: Code,
    pub(crate) missed: Code,
    pub(crate) why: Code,
}

/// Codes of one kind.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Code(BTreeMap<String, String>);

impl Code {
    /// The code in words; one that is not known, as it is.
    pub(crate) fn word<'c>(&'static self, code: &'c str) -> &'c str {
        self.0.get(code).map_or(code, String::as_str)
    }
}

/// A text that depends on a count, in a language that tells one from many.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Counted {
    Same(String),
    Plural { one: String, other: String },
}

impl Counted {
    pub(crate) fn of(&self, count: u32) -> &str {
        match self {
            Self::Plural { one, .. } if count == 1 => one,
            Self::Plural { other, .. } | Self::Same(other) => other,
        }
    }
}

/// A piece of a template: a text, or the name of what is filled in.
enum Piece<'t> {
    Text(&'t str),
    Name(&'t str),
}

fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> {
    template.split('{').enumerate().flat_map(|(index, part)| match part.split_once('}') {
        Some((name, text)) if index > 0 => [Piece::Name(name), Piece::Text(text)],
        _ => [Piece::Text(part), Piece::Text("")],
    })
}

/// Puts values into the braces of a template. A value is not looked into again.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let value = |name| values.iter().find(|value| value.0 == name).map(|value| value.1);
    let filled = pieces(template).map(|piece| match piece {
        Piece::Text(text) => text,
        Piece::Name(name) => value(name).unwrap_or_else(|| missing(template, name)),
    });
    filled.collect()
}

/// As [`fill`], with values that hold links and marks.
pub(crate) fn fill_line(template: &str, values: &[(&str, Line)]) -> Line {
    let value = |name| values.iter().find(|value| value.0 == name).map(|value| value.1.clone());
    pieces(template).fold(Line::default(), |line, piece| match piece {
        Piece::Text(text) => line.text(text),
        Piece::Name(name) => line.and(value(name).unwrap_or_else(|| missing(template, name))),
    })
}

/// A template asks for what its caller does not give: a mistake that the tests find.
fn missing<T: Default>(template: &str, name: &str) -> T {
    debug_assert!(false, "{name} is not given to {template:?}");
    T::default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use evidence::domain::VerificationReason;
    use evidence::{DomainCategory, SearchStatus, TaskStatus, Verification};
    use text::language::detect;
    use toml::Value;

    use super::*;

    /// Each text of a file by its key, with the names in its braces. A form for one may leave out the count.
    fn texts(
        prefix: &str,
        value: &Value,
        found: &mut BTreeMap<String, (String, BTreeSet<String>)>,
    ) {
        match value {
            Value::String(text) => {
                let names = pieces(text).filter_map(|piece| match piece {
                    Piece::Name(name) => Some(name.to_owned()),
                    Piece::Text(_) => None,
                });
                found.insert(prefix.to_owned(), (text.clone(), names.collect()));
            }
            Value::Array(list) => {
                for (index, value) in list.iter().enumerate() {
                    texts(&format!("{prefix}.{index}"), value, found);
                }
            }
            Value::Table(table) if table.contains_key("other") => {
                texts(prefix, &table["other"], found);
            }
            Value::Table(table) => {
                for (key, value) in table {
                    texts(&format!("{prefix}.{key}"), value, found);
                }
            }
            other => panic!("{prefix} is {other}"),
        }
    }

    fn file(text: &str) -> BTreeMap<String, (String, BTreeSet<String>)> {
        let mut found = BTreeMap::new();
        texts("", &Value::Table(text.parse().unwrap()), &mut found);
        found
    }

    #[test]
    fn languages_have_the_same_keys_and_the_same_braces() {
        let names = |text| {
            let texts = file(text).into_iter();
            texts.map(|(key, (_, names))| (key, names)).collect::<Vec<_>>()
        };
        let english = names(include_str!("../words/en.toml"));
        assert!(english.len() > 200);
        assert_eq!(english, names(include_str!("../words/ja.toml")));
    }

    #[test]
    fn each_file_has_what_the_program_says_and_no_more() {
        for language in [Language::En, Language::Ja] {
            assert!(!Words::of(language).reliability_lines.is_empty());
        }
        let one_more = format!("unused = \"\"\n{}", include_str!("../words/en.toml"));
        assert!(toml::from_str::<Words>(&one_more).is_err());
        let one_less = include_str!("../words/en.toml").replace("contents = ", "# ");
        assert!(toml::from_str::<Words>(&one_less).is_err());
    }

    #[test]
    fn a_form_for_one_asks_for_nothing_that_the_other_does_not() {
        let plurals = |table: toml::Table| table.into_iter().filter(|it| it.1.get("one").is_some());
        let checked =
            plurals(include_str!("../words/en.toml").parse().unwrap()).map(|(key, it)| {
                let names = |form: &str| {
                    let mut found = BTreeMap::new();
                    texts("", &it[form], &mut found);
                    found.into_values().next().unwrap().1
                };
                assert!(names("one").is_subset(&names("other")), "{key}");
            });
        assert_eq!(checked.count(), 9);
    }

    #[test]
    fn every_japanese_code_is_in_japanese_and_every_english_one_is_not() {
        let is_japanese = |text: &str| matches!(detect(text).tag(), "ja" | "und-Hani");
        let codes = |text| file(text).into_iter().filter(|it| it.0.starts_with(".codes."));
        let wrong: Vec<_> = (codes(include_str!("../words/en.toml"))
            .filter(|it| is_japanese(&it.1.0)))
        .chain(codes(include_str!("../words/ja.toml")).filter(|it| {
            // The one code whose words are mostly a file name.
            it.0 != ".codes.missed.robots" && !is_japanese(&it.1.0)
        }))
        .collect();
        assert_eq!(wrong, []);
    }

    #[test]
    fn every_status_and_kind_has_a_word() {
        let has = |codes: &Code, code: &str| assert!(codes.0.contains_key(code), "{code}");
        let codes = &Words::of(Language::En).codes;
        DomainCategory::ALL.iter().for_each(|it| has(&codes.category, it.as_str()));
        TaskStatus::ALL.iter().for_each(|it| has(&codes.status, it.as_str()));
        SearchStatus::ALL.iter().for_each(|it| has(&codes.search, it.as_str()));
        Verification::ALL.iter().for_each(|it| has(&codes.verification, it.as_str()));
        VerificationReason::ALL.iter().for_each(|it| has(&codes.verification, it.as_str()));
    }

    #[test]
    fn a_value_is_not_looked_into_again() {
        assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "2")]), "{b} and 2");
        assert_eq!(fill("{b}{a}", &[("a", "1"), ("b", "}")]), "}1");
        let line = fill_line("{a}!", &[("a", Line::from("{a}"))]);
        assert_eq!(line, Line::from("{a}").text("!"));
    }

    #[test]
    fn one_is_told_from_many() {
        let english = &Words::of(Language::En).glance_read;
        assert_eq!(
            (english.of(1), english.of(2), english.of(0)),
            ("page read", "pages read", "pages read")
        );
        let japanese = &Words::of(Language::Ja).glance_read;
        assert_eq!((japanese.of(1), japanese.of(2)), ("読んだページ", "読んだページ"));
    }

    #[test]
    fn an_unknown_code_is_shown_as_it_is() {
        let words = Words::of(Language::Ja);
        assert_eq!(words.codes.missed.word("paywall"), "有料");
        assert_eq!(words.codes.missed.word("new_code"), "new_code");
    }
}
