//! Everything the command line says to a person: one file per language in `words/`, read when first
//! needed.
//!
//! A message is a field, so the compiler finds one that nothing uses and a use of one that does not
//! exist. What people type stays as it is in every language: commands, settings, codes.

mod catalogue;
mod wording;

use std::sync::LazyLock;

use report::Language;
use serde::Deserialize;
use text::messages::Message;
use text::word_list;

pub(crate) use catalogue::in_words;
pub(crate) use wording::{about, meaning, range, wording};

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

impl Words {
    fn language(&self) -> Language {
        if std::ptr::eq(self, &*JA) { Language::Ja } else { Language::En }
    }

    /// A code of the graph as a person reads it: a status, a category, a kind.
    pub(crate) fn code(&self, code: impl std::fmt::Display) -> String {
        in_words(&code.to_string(), self.language())
    }
}

/// A message with its braces filled in: `say!(words.task.ended, task = id)`.
macro_rules! say {
    ($message:expr $(, $name:ident = $value:expr)* $(,)?) => {
        $message.fill(&[$((stringify!($name), &*$value.to_string())),*])
    };
}

pub(crate) use say;

/// The messages of one language, by section.
macro_rules! words {
    ($($section:ident: $type:ident { $($message:ident)* })*) => {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Words {
            $(pub(crate) $section: $type,)*
        }
        $(
            #[derive(Debug, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub(crate) struct $type {
                $(pub(crate) $message: Message,)*
            }
        )*
    };
}

words! {
    ui: Ui {
        warning error cause error_id hint
    }
    common: Common {
        yes no none unknown as_before already nothing_found no_rows no_content written_to
        built_in_instead policy_instead not_adopted ended_early take_back archive_empty span
        built_in added shipped yours quoted
    }
    rest: Rest {
        tasks claims overrides blocks entries domains pages evaluations problems newest versions
        rows_too_large rows hits offset
    }
    groups: Groups {
        ask read weigh keep look_after usage forms options
    }
    usage: Usage {
        your_question your_words no_such_command one_text type_this see renamed
    }
    hint: Hint {
        task_place claim_place ask_first task_list claims traces vault_traces edges domain_list calibration_versions views not_ours newer salvage
        cannot_open in_use busy make_room disk read_only nothing_changed recorded_is_kept
        report_bug archive_file_gone archive_verify other_record again_after go_online address_form
        private_address robots blocked_domain resting daily_budget unknown_host site_problem
        bad_certificate timed_out page_too_large redirect_loop needs_person paywall check_address
        not_recorded fetch_section archive_folder folder_owner file_is_folder must_be_folder
        mounted_read_only config_path model_folder model_files readable_file lyra_json compare_file
        architecture labels model_kind download_weights mixed_models number_format model_stopped tokenizer
        damaged_weights new_research library_ls relative_path vault_conflict vault_forbidden
        pattern_form data_dir_owner help config_start other_config config_toml did_you_mean
        all_settings remove_setting setting_section set_form name_config name_data_dir
        path_of_folder kept_then_resume resume no_network network_attempt name_library library_folder report_ending report_folder report_to_file install_browser
        raise_setting more_of_id read_formats read_stopped read_damaged read_encrypted read_what url_is_for_files empty_folder answers choices
        doctor_each new_name database_folder salvage_failed sql_examples sql_read_only
        sql_one_by_one sql_denied sql_closest sql_or sql_schema sql_values sql_time sql_steps
        sql_size other_name export_folder exported_file not_an_export import_newer import_line
        import_incomplete import_unreadable writable_folder one_host judgements_only raw_to_file
        raise_unpacked save_packed restore_archive archive_target archive_list engines
        engines_disabled engines_resting give_query add_folder sources day_form sources_asked
        edge_samples claim_samples in_force nothing_added nothing_added_alone model_list
        model_setting model_id model_taken model_use model_choice owner_and_room make_manuals skipped_manuals
        refs_formats refs_wrong refs_again
        mcp_print mcp_left mcp_stdio mcp_token mcp_port unfinished web_port web_folder task_at_work another_backup backup_ending needs_scripts
        auth_list sessions session_key visit_anyway visit_again visit_browser visit_go_on visit_proxy visit_screen
    }
    progress: Progress {
        started resumed stays_offline resumed_finished search search_against search_done seconds minutes
        working waits_for counted in_search about_left at_most search_line search_missed against
        loading resuming asking indexing reading ranking extracting judging recording following writing writing_up printing
        model_silent drafting drafted planned read missed judged abstained cited ended done
        page_budget time_budget all_resting stopped why_question why_keywords why_hypothesis
        why_other_language why_other_spelling why_synonym why_related why_requested why_model
        why_doubt why_challenge crawl_read
    }
    status: Status {
        running satisfied partial exhausted
    }
    research: Research {
        next more demo_intro demo_kept demo_gone
    }
    task: Task {
        recorded none_yet none_of_status had_ended ended budget gathered no_claims
    }
    answer: Answer {
        answered none
    }
    column: Column {
        task status created question search pages query until asks choices claim confidence
        controversy text view origin answers column api meaning table columns depth http_status
        passages title address state what found read lost left_out cleared manual files sections
        file line_count lines why reference heading touched section bytes hits open
        override_pattern decision since by reason blocked because risk category lifted_by time
        action pattern domain claims rejected share by_people for_danger priority asks_for id
        answer size record version byte problem engine purpose weight circuit hour day captcha
        broken milliseconds today last results first_result name kind source calibrated read_lines
        date samples new in_force latest brier ece worse_by evaluated evaluation corrected
        certainty stated right right_and_stated before after correction model active languages
        dimension tokens stance supports refutes neutral judge passage alike first second setting
        value line place exists path host method sent received details
    }
    label: Label {
        task question hypothesis language status budget created ended reason gathered claim text
        confidence evidence extraction years edge relation uncounted source title url quote domain calibration passage
        certainty replaced host site may_be_read category without_block category_from blocked_by
        lifted_block blocked_also_by unblock_risk override_by limits scripts rejected_claims pattern
        decision effect risk closer claims file state problem patterns evaluation calibrated samples
        in_force brier ece degradation rolled_back version judge correction edges_changed model purpose
        languages dimension tokens size removed embedding stance decider thresholds embeddings memory
    }
    evidence: Evidence {
        unjudged correct status confidence counts stance certainty certainty_corrected stance_corrected year_unknown
        same_voice not_about no_statement retracted one_source some_words claim passage
    }
    read: Read {
        address title author site published modified language canonical kind gate quality found
        hidden caution fetched_now not_modified from_archive passages links identifiers
        hidden_chars to_machines text feed sitemap letter article paper knowledge forum notice list
        login_wall challenge error soft_404 paywall asks_login asks_challenge asks_payment
        scripts rendered rendered_cut_short not_rendered
    }
    doctor: Doctor {
        ok note problem hint places settings environment lyra sqlite cpu data_directory free_space
        logs writer database schema pages references full_text content views domain_policy device
        embedding_model stance_model decider_model reading reading_confined reading_not_confined reading_here
        reading_hint browser browser_off browser_missing offline offline_refused offline_ended offline_open network network_answers network_silent network_offline defaults rest_uses_defaults sqlite_math sqlite_plain
        sqlite_without sqlite_build cpu_line no_vector_instructions created_later folder_unreadable
        not_a_folder choose_folder writable unwritable little_space log_files nobody_writes
        deletion deletion_unfinished deletion_files deletion_database deletion_hint
        being_written no_database views_skipped checking_pages checking_references
        checking_full_text database_line older_schema pages_good references_good full_text_good
        rebuild unknown_rows views_shipped views_own fix_view fix_policy policy_shipped cpu_only
        model_line all_saved saved_legend stand_ins use_folder use_file left_as_is
    }
    library: Library {
        no_manuals goes_on no_room scanned end_of_file not_cited audited copied referenced quoted
        nothing_of_kind hit_sections stale named_by summary more_hits disagree conflicts gaps unscanned
        a_limit try_breadth warning_line vault_summary vault_goes_on part cursor that_is_all
        lines_read line_count
    }
    feedback: Feedback {
        stays log_keeps_why set_aside_again fitted rates now_blocked now_free protected
        another_judgement sample_stored sample_only take_back_certain
    }
    domain: Domain {
        weighed from_override from_rule from_default from_claims since rejected requests_per_second
        pages_per_day wikipedia_mode blocked risk_lifts claims_rejected claims_back decided_before block_stays unblock_stays
        clear_stays nothing no_decisions policy_unused policy_in_force policy_absent patterns
        write_policy no_claims threshold rendered_at_once rendered_if_empty
    }
    auth: Auth {
        none pages domains summary urgent window say_done still_asks read freed kept engine_again
        now skipped no_sessions over forgotten
    }
    archive: Archive {
        not_modified request address archived answer same_as same_as_line leads_to body body_packed
        body_plain digest record place place_line not_text checking files records digests rows
        all_good problems verified unnamed cut_off file_missing wrong_digest wrong_length wrong_id
        wrong_kind wrong_address wrong_time wrong_payload record_cut_off part_too_large
        rendered picture made_of picture_record
    }
    engines: Engines {
        broken_page checked_never checked_earlier checked_relative apis_unchecked last_mile general
        news academic government technical disabled open_until resting_until closed half_open open needs_person results nothing_found blocked broken
        failed missed unknown no_such_engine
    }
    sources: Sources {
        off ready without_key needs_key academic api web more_missed found nothing_there not_let_in
        from_cache nothing_found
    }
    versions: Versions {
        now first unchanged changed more gone gone_since gone_with_page summary none
    }
    refs: Refs {
        looking_up fits differs retracted not_found not_checked other_title other_authors other_year no_such_doi
        doi_of_another found_as says_retracted nobody_knows no_answer not_listed nothing_to_look_for offline undescribed
        supports refutes neither unread in_abstract no_model nothing_to_read summary sentences
    }
    topic: Topics {
        law parliament statistics company medicine research exact_science thing book free_copies references
    }
    calibration: Calibration {
        from_zero needs_samples no_version version worse worse_by rolled_back stated
        stated_corrected stated_worse stated_better no_evaluations diagram_of no_versions scores
        fitted_scores activate already_in_force activate_again judge_untouched extract_untouched
        platt temperature
    }
    models: Models {
        added decides setting_decides built_in_again decides_again abstained reason_abstained thresholds whole_process
        memory_unknown stance_line embedding_line
    }
    config: Config {
        config_file config_folder domain_policy data_directory database log_folder
    }
    reference: Reference {
        commands commands_intro argument meaning everywhere settings settings_intro setting default
        range for_experts expert_heading default_head more_for_experts
    }
    mcp: Mcp {
        written unchanged
    }
    web: Web {
        opened no_browser demo
    }
    egress: Egress {
        nothing nothing_like_that no_answer requests hosts summary unanswered rest
    }
    log: Log {
        nothing entries summary rest
    }
    transfer: Transfer {
        exported_to exported imported manual_pages
    }
    tidy: Tidy {
        would_delete deleted would_tidy tidied nothing dry_run freed rewriting compacting
        journal_in_use older_copy database texts archive ledger unnamed stays rows rows_of claims
        pages passages vectors records requests files shared
    }
    backup: Backup {
        copying_database copying checking backup tasks files files_of size left_out next written
        replaces replaces_tasks replaces_names restored restored_kept
    }
}

#[cfg(test)]
mod tests {
    use text::messages::placeholders;

    use super::*;

    #[test]
    fn languages_have_the_same_keys_and_the_same_braces() {
        let english = placeholders(include_str!("../words/en.toml"));
        assert!(english.len() > 400);
        assert_eq!(english, placeholders(include_str!("../words/ja.toml")));
    }

    #[test]
    fn each_file_has_what_the_program_says_and_no_more() {
        assert_eq!(Words::of(Language::En).ui.hint.as_str(), "hint:");
        assert_eq!(Words::of(Language::Ja).ui.hint.as_str(), "ヒント:");
        let file = include_str!("../words/ja.toml");
        let one_more = file.replace("[ui]\n", "[ui]\nunused = \"\"\n");
        assert!(toml::from_str::<Words>(&one_more).is_err());
        let one_less = file.replace("\nhint = ", "\n# ");
        assert!(toml::from_str::<Words>(&one_less).is_err());
    }
}
