//! Every word a report says by itself: one file per language in `words/`, read once.
//!
//! A text is a field of [`Words`], so the compiler names a text that nothing uses and a use of a text that does not
//! exist; a file that lacks one, or has one too many, fails the tests.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use text::messages::{Message, Piece, missing, pieces};
use text::word_list;

use crate::Language;
use crate::document::Line;

pub(crate) use text::messages::fill;

static EN: LazyLock<Words> = LazyLock::new(|| word_list::read(include_str!("../words/en.toml")));
static JA: LazyLock<Words> = LazyLock::new(|| word_list::read(include_str!("../words/ja.toml")));

impl Words {
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &EN,
            Language::Ja => &JA,
        }
    }
}

/// The texts of one language, by the names of their keys. `counted` ones depend on a count.
macro_rules! words {
    ($($text:ident)* ; counted: $($counted:ident)*) => {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Words {
            $(pub(crate) $text: String,)*
            $(pub(crate) $counted: Message,)*
            pub(crate) reliability_lines: Vec<String>,
            pub(crate) codes: Codes,
        }
    };
}

words! {
    // Between sentences, a label and its value, and the items of a list.
    sentence_space colon comma semicolon open close quote_open quote_close cut_before cut_after

    report made_by question_in_full task status made_at started_at contents

    answer answer_note answer_weak answer_only_refuted answer_open answer_none
    nothing_found nothing_found_facts nothing_found_next
    hypothesis asked_as verdict_line verdict_supports_none verdict_refutes_none verdict_years verdict_not_enough
    best_supporting best_refuting
    confidence controversy independent_sources supported_by refuted_by
    finding years year unknown_year unknown_date none more
    about_question counted at_a_glance glance_confident glance_well_sourced glance_primary of
    draft draft_note draft_unchecked draft_left_out

    documents documents_note document document_says document_words documents_silent own_document
    source_number publisher not_counted address
    findings findings_note findings_left_out claims_without_evidence also_found also_found_note also_found_count passages_count rest
    supporting refuting retracted notes quotes_left_out neutral caveat improve
    passage found_at published archive no_archive rendered rendered_picture old_version judged corrected_by_person origin copies
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

    reliability reliability_summary method_summary reliability_corrected reliability_order
    sources flagged
    method searches query refuting_search pages harvest satisfaction novelty
    budget budget_pages budget_time budget_llm
    engines engine_line engine_nothing engine_closed engine_not_asked requests requests_line requests_none
    models model_line models_none versions versions_line fingerprint log_line
    ;
    counted:
    verdict_supports verdict_refutes
    glance_disputes glance_sources glance_read glance_missed glance_requests glance_retractions glance_flagged
    gap_newer gap_older improve_support improve_sources
}

/// Codes of the graph in words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Codes {
    pub(crate) verdict: Code,
    pub(crate) not_enough: Code,
    pub(crate) says: Code,
    pub(crate) uncounted: Code,
    pub(crate) statement: Code,
    pub(crate) standing: Code,
    pub(crate) category: Code,
    pub(crate) status: Code,
    pub(crate) search: Code,
    pub(crate) event: Code,
    pub(crate) verification: Code,
    pub(crate) role: Code,
    pub(crate) method: Code,
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

/// As [`fill`], with values that hold links and marks.
pub(crate) fn fill_line(template: &str, values: &[(&str, Line)]) -> Line {
    let value = |name| values.iter().find(|value| value.0 == name).map(|value| value.1.clone());
    pieces(template).fold(Line::default(), |line, piece| match piece {
        Piece::Text(text) => line.text(text),
        Piece::Name(name) => line.and(value(name).unwrap_or_else(|| missing(template, name))),
    })
}

#[cfg(test)]
mod tests {
    use evidence::domain::VerificationReason;
    use evidence::{
        DomainCategory, SearchStatus, StatementKind, TaskStatus, Uncounted, Verdict, Verification,
    };
    use text::language::detect;
    use text::messages::placeholders;

    use super::*;

    #[test]
    fn languages_have_the_same_keys_and_the_same_braces() {
        let english = placeholders(include_str!("../words/en.toml"));
        assert!(english.len() > 200);
        assert_eq!(english, placeholders(include_str!("../words/ja.toml")));
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
    fn every_japanese_code_is_in_japanese_and_every_english_one_is_not() {
        let is_japanese = |text: &str| matches!(detect(text).tag(), "ja" | "und-Hani");
        let codes = |file: &str| -> Vec<(String, String)> {
            let file: toml::Table = file.parse().unwrap();
            let kinds = file["codes"].as_table().unwrap().iter();
            let codes = kinds.flat_map(|(kind, codes)| {
                let words = codes.as_table().unwrap().iter();
                words.map(move |(code, word)| {
                    (format!("{kind}.{code}"), word.as_str().unwrap().to_owned())
                })
            });
            codes.collect()
        };
        let mut wrong = codes(include_str!("../words/en.toml"));
        wrong.retain(|(_, word)| is_japanese(word));
        let mut japanese = codes(include_str!("../words/ja.toml"));
        // The words of this one are mostly a file name.
        japanese.retain(|(code, word)| code != "missed.robots" && !is_japanese(word));
        wrong.append(&mut japanese);
        assert_eq!(wrong, []);
    }

    #[test]
    fn every_status_and_kind_has_a_word() {
        let has = |codes: &Code, code: &str| assert!(codes.0.contains_key(code), "{code}");
        let codes = &Words::of(Language::En).codes;
        Verdict::ALL.iter().for_each(|it| has(&codes.verdict, it.as_str()));
        Uncounted::ALL.iter().for_each(|it| has(&codes.uncounted, it.as_str()));
        StatementKind::ALL.iter().for_each(|it| has(&codes.statement, it.as_str()));
        DomainCategory::ALL.iter().for_each(|it| has(&codes.category, it.as_str()));
        TaskStatus::ALL.iter().for_each(|it| has(&codes.status, it.as_str()));
        SearchStatus::ALL.iter().for_each(|it| has(&codes.search, it.as_str()));
        Verification::ALL.iter().for_each(|it| has(&codes.verification, it.as_str()));
        VerificationReason::ALL.iter().for_each(|it| has(&codes.verification, it.as_str()));
    }

    #[test]
    fn a_line_is_not_looked_into_again() {
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
