//! What the page says by itself, a file for each language. A message is a field: the compiler finds one that nothing uses.

use std::sync::LazyLock;

use report::Language;
use serde::Deserialize;
use text::messages::Message;
use text::word_list;

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

/// A message with its braces filled in: `say!(w.n_pages, n = 3)`.
macro_rules! say {
    ($message:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $message.fill(&[$((stringify!($name), &*$value.to_string())),*])
    };
}

pub(crate) use say;

macro_rules! words {
    ($($message:ident)*) => {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Words {
            $(pub(crate) $message: Message,)*
        }
    };
}

words! {
    skip navigation questions people house offline offline_explained online online_explained
    trouble to_questions go_on missing misfit bug refused refused_host refused_origin
    refused_token refused_used refused_proof refused_body refused_method age_now age_minutes
    age_hours age_days seconds minutes until n_claims n_pages n_passages n_sources n_read n_missed
    n_requests n_independent n_copies n_more shown_of newer older pages yes cancel new_question
    questions_none questions_none_more questions_none_demo open_question search search_all
    found_nothing found_nothing_more found_some_words claim passage set_aside verdict_supported
    verdict_refuted verdict_mixed verdict_not_enough standing_supported standing_one_source
    standing_disputed standing_refuted state_running state_created state_stalled state_paused
    state_completed state_failed question question_example optional hypothesis hypothesis_example
    hypothesis_note where_to_look source_web source_academic source_api folders_none offline_lock
    offline_note offline_all limits after before most_pages most_minutes period_note begin delete
    delete_title delete_claims delete_pages delete_passages delete_archive delete_ledger
    delete_rows delete_shared delete_note delete_yes screens answer live graph documents report
    confidence asked_as side_for side_against side_neither evidence_on_it still_at_work
    nothing_found nothing_found_more findings_about findings_aside findings_left_out keys
    keys_move keys_open right wrong not_about column_for column_for_none column_against
    column_against_none certainty is_origin by_person flagged retracted open_there own_document
    category_primary category_government category_academic category_trusted category_low
    category_blocked category_unverified neutral set_neither says_for says_against said_for
    said_against said_neither take_back set_aside_why set_aside_do claims_aside dangerous restore
    caveat_low caveat_against caveat_both caveat_few caveat_primary caveat_one_story
    caveat_retracted caveat_withdrawn no_script claims claims_none_yet happened happened_none
    search_number seeks_doubt for_so_long about_left since_start gives_up stands_still fact_pages
    of_most fact_missed fact_judgements fact_sent sent sent_offline pause stop resume to_answer
    rest_elsewhere rest_resting rest_paused rest_stalled rest_created rest_page_budget
    rest_time_budget rest_completed stage_loading stage_asking stage_indexing stage_reading
    stage_ranking stage_extracting stage_judging stage_recording stage_following stage_drafting
    stage_writing_up stage_ending why_question why_keywords why_hypothesis why_other_language
    why_other_spelling why_synonym why_related why_requested why_model why_doubt why_challenge
    log_search log_read log_missed log_judged log_judged_counts publisher author year
    kind_of_publisher block weight read_at flagged_more as_read no_passages original original_note
    original_own original_save original_none only_all only_about only_disputed only_supported
    only_refuted graph_none graph_none_more graph_hint graph_label copies_of show_more years
    as_table filter document says with_words says_no_side says_speaks says_not_about uncounted
    documents_none documents_none_more missed report_read report_read_note report_open export_read
    export_sources export_tables export_whole export_html export_pdf export_docx export_md
    export_text export_ris export_bibtex export_csl export_csv export_json export_graph
    people_none people_none_more assistants_ask your_answer answer_send no_passwords pages_wait
    pages_wait_more to_question settle_done settle_skip room_sent room_models room_engines
    room_settings room_check not_here models_note model purpose languages size active engines_note
    engine state success today sent_all sent_nothing sent_nothing_more sent_summary time host path
    bytes_sent bytes_received outcome settings_note settings_changed settings_none settings_all
    setting value origin check_note check_do check_ok check_noted check_problem
}

#[cfg(test)]
mod tests {
    use text::messages::placeholders;

    use super::*;

    #[test]
    fn languages_have_the_same_keys_and_the_same_braces() {
        let english = placeholders(include_str!("../words/en.toml"));
        assert!(english.len() > 150);
        assert_eq!(english, placeholders(include_str!("../words/ja.toml")));
    }

    #[test]
    fn both_files_load() {
        assert_eq!(Words::of(Language::En).questions.as_str(), "Questions");
        assert_eq!(Words::of(Language::Ja).questions.as_str(), "調査");
    }
}
