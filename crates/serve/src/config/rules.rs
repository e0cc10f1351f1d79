//! What a setting may be: the type of its default, within the bounds listed here.

use std::ops::RangeInclusive;

use toml::Value;

use super::Origin;

/// What whole numbers may be. Every one has an entry; a test says so.
const RANGES: &[(&str, RangeInclusive<i64>)] = &[
    ("task.max_pages", 1..=100_000),
    ("task.max_seconds", 1..=604_800),
    ("task.max_text_chars", 1..=100_000),
    ("storage.lock_wait_ms", 0..=600_000),
    ("feedback.max_reason_chars", 1..=100_000),
    ("domain.high_rejection_min_samples", 1..=100_000),
    ("domain.min_independent_sources", 1..=100),
    ("domain.policy_reload_ms", 0..=3_600_000),
    ("calibration.min_samples", 2..=1_000_000),
    ("calibration.refit_after", 1..=1_000_000),
    ("calibration.folds", 2..=100),
    ("calibration.bins", 1..=100),
    ("query.rows", 1..=1_000_000),
    ("query.timeout_ms", 1..=600_000),
    ("query.vm_steps", 1_000..=1_000_000_000_000),
    ("query.bytes", 1_024..=1_000_000_000),
    ("query.value_bytes", 1_024..=1_000_000_000),
    ("query.sql_bytes", 1..=1_000_000),
    ("find.hits", 1..=1_000_000),
    ("find.snippet_chars", 20..=100_000),
    ("find.text_chars", 1..=100_000),
    ("read.max_bytes", 1_024..=1_073_741_824),
    ("read.max_elements", 1_000..=50_000_000),
    ("read.max_depth", 16..=1_024),
    ("read.max_attribute_bytes", 256..=1_048_576),
    ("read.max_pdf_pages", 1..=1_000_000_000),
    ("read.max_pdf_objects", 1..=1_000_000_000),
    ("read.max_pdf_stream_bytes", 1..=1_000_000_000),
    ("read.max_pdf_unpacked_bytes", 1..=1_000_000_000),
    ("read.max_pdf_nesting", 4..=64),
    ("read.max_pdf_page_pictures", 0..=1_000_000),
    ("read.max_pdf_page_operators", 1..=1_000_000_000),
    ("read.max_text_chars", 1..=1_000_000_000),
    ("read.fragment_max_chars", 100..=100_000),
    ("read.fragment_min_chars", 0..=10_000),
    ("read.max_fragments", 1..=1_000_000_000),
    ("read.max_heading_chars", 10..=10_000),
    ("read.max_deep_link_base_bytes", 16..=65_536),
    ("read.max_links", 1..=1_000_000_000),
    ("read.max_entries", 1..=1_000_000_000),
    ("read.max_summary_chars", 1..=1_000_000_000),
    ("read.link_context_chars", 20..=10_000),
    ("read.max_hidden_chars", 1..=1_000_000_000),
    ("read.challenge_max_words", 0..=1_000_000),
    ("read.challenge_max_all_words", 0..=1_000_000),
    ("read.login_max_words", 0..=1_000_000),
    ("read.login_max_all_words", 0..=1_000_000),
    ("read.teaser_max_words", 0..=1_000_000),
    ("read.missing_max_prose_words", 0..=1_000_000),
    ("read.missing_max_words", 0..=1_000_000),
    ("read.quality_short_words", 1..=1_000_000),
    ("fetch.max_body_bytes", 1_024..=1_073_741_824),
    ("fetch.max_unpacked_bytes", 1_024..=1_073_741_824),
    ("fetch.max_header_bytes", 1_024..=1_048_576),
    ("fetch.max_redirects", 0..=100),
    ("fetch.timeout_ms", 100..=3_600_000),
    ("fetch.connect_timeout_ms", 100..=600_000),
    ("fetch.max_concurrent", 1..=1_000),
    ("fetch.spacing_min_ms", 0..=3_600_000),
    ("fetch.spacing_max_ms", 0..=3_600_000),
    ("fetch.burst", 1..=1_000),
    ("fetch.per_day", 0..=1_000_000),
    ("fetch.quiet_utc_offset_hours", -12..=14),
    ("fetch.rest_min_minutes", 0..=10_080),
    ("fetch.rest_max_minutes", 0..=10_080),
    ("fetch.max_wait_ms", 0..=86_400_000),
    ("fetch.robots_ttl_hours", 1..=168),
    ("fetch.robots_max_bytes", 1_024..=16_777_216),
    ("fetch.api_attempts", 1..=20),
    ("fetch.api_backoff_ms", 1..=600_000),
    ("fetch.api_backoff_max_ms", 1..=3_600_000),
    ("fetch.archive_file_bytes", 65_536..=68_719_476_736),
    ("engines.cache_hours", 0..=720),
    ("engines.result_pages", 1..=10),
    ("engines.enough", 1..=1_000),
    ("engines.first", 1..=20),
    ("engines.failures_to_open", 1..=100),
    ("engines.open_min_minutes", 1..=10_080),
    ("engines.open_max_minutes", 1..=10_080),
    ("crawl.max_depth", 0..=2),
    ("crawl.max_pages", 1..=1_000),
    ("crawl.max_sitemap_leads", 0..=10_000),
    ("crawl.max_waiting", 1..=100_000),
    ("academic.semantic_scholar_per_day", 0..=1_000_000),
    ("academic.openalex_per_day", 0..=1_000_000),
    ("academic.default_results", 1..=200),
    ("academic.max_results", 1..=1_000),
    ("academic.max_pages", 1..=20),
    ("academic.max_references", 1..=1_000),
    ("academic.max_citations", 1..=1_000),
    ("academic.max_by_identifier", 0..=200),
    ("academic.batch", 1..=50),
    ("academic.max_abstract_words", 100..=100_000),
    ("academic.max_authors", 1..=10_000),
    ("academic.max_locations", 1..=1_000),
    ("academic.snippet_chars", 50..=5_000),
    ("academic.max_notes", 0..=1_000),
    ("academic.min_title_chars", 1..=200),
    ("academic.min_title_chars_cjk", 1..=200),
    ("academic.max_years_apart", 0..=5),
    ("apis.default_results", 1..=100),
    ("apis.max_results", 1..=1_000),
    ("apis.max_pages", 1..=50),
    ("apis.snippet_chars", 50..=5_000),
    ("apis.field_chars", 20..=5_000),
    ("apis.max_notes", 0..=1_000),
    ("apis.max_xml_depth", 1..=1_000),
    ("apis.max_xml_elements", 100..=10_000_000),
    ("folders.max_files", 1..=1_000_000),
    ("folders.max_file_bytes", 1..=1_073_741_824),
    ("folders.max_depth", 0..=64),
    ("folders.max_entries", 1..=1_000_000),
    ("folders.default_results", 1..=1_000),
    ("folders.max_terms", 100..=1_000_000),
    ("folders.snippet_chars", 50..=5_000),
    ("folders.max_missed", 0..=10_000),
    ("search.pages_per_search", 1..=1_000),
    ("search.results_per_source", 1..=200),
    ("search.source_timeout_seconds", 1..=600),
    ("search.reuse_days", 0..=3_650),
    ("search.refute_variants", 0..=20),
    ("search.cycle_pages", 1..=1_000),
    ("search.cycles_at_once", 1..=100),
    ("search.min_passage_chars", 1..=10_000),
    ("search.max_passages_per_page", 1..=10_000),
    ("search.claims_per_passage", 1..=100),
    ("search.claims_per_cycle", 1..=10_000),
    ("search.claims_per_new_passage", 0..=1_000),
    ("search.hypothesis_passages", 0..=1_000),
    ("search.narrative_min_passages", 1..=1_000),
    ("search.identifiers_per_search", 0..=1_000),
    ("search.cited_links_per_page", 0..=1_000),
    ("search.network_clients", 1..=100),
    ("search.cpu_slots", 0..=256),
    ("search.llm_passages_per_cycle", 0..=1_000),
    ("search.llm_links_per_page", 0..=1_000),
    ("expand.mirrors", 0..=10),
    ("expand.scripts", 0..=10),
    ("expand.synonyms", 0..=10),
    ("expand.related", 0..=10),
    ("expand.max_query_chars", 1..=10_000),
    ("expand.max_words", 1..=100),
    ("rank.bm25_top_k", 1..=10_000),
    ("rank.knee_min", 0..=1_000),
    ("rank.knee_max", 0..=1_000),
    ("claims.max_claims", 1..=1_000),
    ("claims.min_words", 1..=1_000),
    ("claims.max_words", 1..=1_000),
    ("claims.min_characters", 1..=10_000),
    ("claims.max_characters", 1..=10_000),
    ("stance.passages_per_claim", 1..=1_000),
    ("stance.passages_per_document", 1..=1_000),
    ("stance.rule_min_words", 1..=1_000),
    ("satisfaction.wanted_sources", 1..=100),
    ("novelty.window", 1..=1_000),
    ("novelty.cycle", 1..=1_000),
    ("novelty.dry_cycles", 0..=100),
    ("novelty.ngram", 1..=10),
    ("novelty.falling_cycles", 0..=100),
    ("near.min_shingles", 0..=1_000),
    ("near.max_compared", 1..=100_000),
    ("citations.top_papers", 0..=100),
    ("citations.depth", 0..=1),
    ("citations.min_citations", 0..=1_000_000),
    ("citations.stage_1_keep", 1..=1_000),
    ("citations.stage_2_keep", 1..=1_000),
    ("llm.context_tokens", 512..=10_000_000),
    ("llm.max_answer_tokens", 16..=1_000_000),
    ("llm.max_answer_bytes", 1_024..=1_073_741_824),
    ("llm.timeout_s", 1..=3_600),
    ("llm.retries", 0..=10),
    ("llm.seed", 0..=1_000_000_000),
    ("llm.max_question_chars", 10..=100_000),
    ("llm.max_input_chars", 100..=1_000_000),
    ("llm.max_growth", 1..=1_000),
    ("llm.min_leak_chars", 5..=1_000),
    ("plan.expansions", 0..=10),
    ("plan.model_rounds", 0..=100),
    ("plan.queries_per_round", 1..=100),
    ("plan.challenged_claims", 0..=100),
    ("plan.dry_searches", 1..=100),
    ("plan.draft_passages", 1..=1_000),
    ("report.wanted_sources", 1..=100),
    ("report.answer_lines", 1..=100),
    ("report.max_findings", 1..=10_000),
    ("report.max_quotes", 1..=1_000),
    ("report.max_quote_chars", 40..=100_000),
    ("report.max_unread", 0..=10_000),
    ("report.max_list", 1..=10_000),
    ("report.max_chain_steps", 1..=100),
    ("views.this_year", 0..=9_999),
    ("views.min_supports", 1..=100_000),
    ("views.hub_min_claims", 1..=100_000),
    ("views.max_hops", 1..=100),
    ("views.cluster_rounds", 1..=100),
    ("views.recent_years", 0..=1_000),
    ("views.outdated_years", 0..=1_000),
    ("views.emerging_min_years", 1..=1_000),
    ("views.authority_half_cited_by", 1..=1_000_000),
    ("views.authority_half_citations", 1..=1_000_000),
    ("views.authority_half_age", 1..=1_000),
    ("vectors.max_top_k", 1..=10_000),
    ("vectors.preview_chars", 1..=100_000),
    ("vectors.rescore", 1..=100_000),
    ("vectors.scan_threads", 1..=256),
    ("vectors.rows_per_thread", 1..=1_000_000_000),
    ("models.threads", 0..=256),
    ("models.batch_tokens", 64..=1_000_000),
    ("models.gpu_batch_tokens", 64..=1_000_000),
    ("models.max_windows", 1..=10_000),
    ("library.semantic_sections", 0..=1_000_000),
    ("library.semantic_chars", 50..=100_000),
    ("library.max_semantic", 0..=1_000),
    ("library.max_file_bytes", 1_024..=1_073_741_824),
    ("library.max_files", 1..=1_000_000),
    ("library.max_depth", 1..=1_000),
    ("library.max_query_chars", 1..=100_000),
    ("library.max_candidates", 1..=100_000),
    ("library.max_nodes_scanned", 1..=100_000_000),
    ("library.max_bytes_scanned", 1_024..=1_099_511_627_776),
    ("library.deadline_ms", 1..=600_000),
    ("library.near_sections", 0..=100_000),
    ("library.reference_depth", 0..=10),
    ("library.snippet_chars", 10..=1_000),
    ("library.page", 1..=1_000),
    ("library.max_page", 1..=1_000),
    ("library.hits_tokens", 200..=100_000),
    ("library.read_chars", 100..=1_000_000),
    ("library.max_read_chars", 100..=1_000_000),
    ("library.read_sections", 1..=1_000),
    ("library.scan_chars", 100..=1_000_000),
    ("library.trace_keep", 1..=100_000),
    ("library.trace_hours", 1..=87_600),
    ("library.vault_file_bytes", 1_024..=1_073_741_824),
    ("library.vault_gap_lines", 0..=10_000),
    ("library.lock_wait_ms", 0..=600_000),
    ("mcp.answer_tokens", 200..=100_000),
    ("mcp.full_tokens", 200..=1_000_000),
    ("mcp.wait_seconds", 0..=600),
    ("mcp.max_wait_seconds", 0..=600),
    ("mcp.silence_seconds", 1..=86_400),
    ("mcp.release_ms", 0..=3_600_000),
    ("mcp.resource_chars", 1_000..=10_000_000),
    ("mcp.http_body_bytes", 1_024..=104_857_600),
    ("mcp.http_sessions", 1..=10_000),
    ("mcp.http_connections", 1..=10_000),
    ("output.rows", 1..=1_000_000),
    ("log.keep_days", 1..=3650),
    ("log.archive_days", 1..=3650),
];

/// What numbers with a fraction may be. Every one has an entry; a test says so.
const FRACTIONS: &[(&str, RangeInclusive<f64>)] = &[
    ("domain.high_rejection_rate_threshold", 0.0..=1.0),
    ("calibration.degradation_threshold", 0.0..=1.0),
    ("fetch.per_second", 0.001..=10_000.0),
    ("fetch.quiet_factor", 1.0..=100.0),
    ("engines.other_category", 0.001..=1.0),
    ("engines.short_share", 0.01..=1.0),
    ("engines.long_share", 0.01..=1.0),
    ("engines.max_parse_failure_rate", 0.0..=1.0),
    ("engines.demoted_factor", 0.001..=1.0),
    ("engines.min_weight_factor", 0.001..=1.0),
    ("engines.prior_answers", 0.0..=1000.0),
    ("engines.weight_step", 0.0..=1.0),
    ("engines.ban_from", 0.0..=1.0),
    ("engines.ban_until", 0.0..=1.0),
    ("academic.semantic_scholar_per_second", 0.01..=10.0),
    ("academic.semantic_scholar_per_second_with_key", 0.01..=10.0),
    ("academic.openalex_per_second", 0.01..=10.0),
    ("search.best_of_page_relevance", 0.0..=1.0),
    ("search.verbatim_confidence", 0.0..=1.0),
    ("search.retraction_confidence", 0.0..=1.0),
    ("search.narrative_similarity", 0.0..=1.0),
    ("search.llm_share", 0.0..=1.0),
    ("search.unsure_quality_from", 0.0..=1.0),
    ("search.unsure_quality_to", 0.0..=1.0),
    ("search.llm_quality_weight", 0.0..=1.0),
    ("expand.min_mirrored_share", 0.0..=1.0),
    ("rank.bm25_weight", 0.0..=1.0),
    ("rank.embedding_weight", 0.0..=1.0),
    ("rank.bm25_weight_ja", 0.0..=1.0),
    ("rank.embedding_weight_ja", 0.0..=1.0),
    ("rank.k1", 0.0..=10.0),
    ("rank.b", 0.0..=1.0),
    ("rank.heading_weight", 0.0..=100.0),
    ("rank.max_quality_penalty", 0.0..=1.0),
    ("rank.knee_sensitivity", 0.0..=100.0),
    ("claims.min_confidence", 0.0..=1.0),
    ("same.min_overlap", 0.0..=1.0),
    ("same.min_similarity", 0.0..=1.0),
    ("same.min_overlap_when_similar", 0.0..=1.0),
    ("stance.min_similarity", 0.0..=1.0),
    ("stance.rule_min_overlap", 0.0..=1.0),
    ("stance.rule_confidence", 0.0..=1.0),
    ("stance.rule_min_mutual", 0.0..=1.0),
    ("satisfaction.sources_weight", 0.0..=1.0),
    ("satisfaction.primary_weight", 0.0..=1.0),
    ("satisfaction.satisfied_at", 0.0..=1.0),
    ("novelty.least", 0.0..=1.0),
    ("novelty.exploration", 0.0..=10.0),
    ("near.threshold", 0.0..=1.0),
    ("citations.stage_1_similarity_weight", 0.0..=1.0),
    ("citations.stage_1_impact_weight", 0.0..=1.0),
    ("citations.stage_2_usefulness_weight", 0.0..=1.0),
    ("citations.stage_2_similarity_weight", 0.0..=1.0),
    ("citations.stage_2_impact_weight", 0.0..=1.0),
    ("loops.self_reference_weight", 0.0..=1.0),
    ("loops.round_trip_weight", 0.0..=1.0),
    ("loops.cycle_weight", 0.0..=1.0),
    ("llm.temperature", 0.0..=2.0),
    ("llm.claim_confidence", 0.0..=1.0),
    ("llm.min_grounded", 0.0..=1.0),
    ("plan.least_novelty", 0.0..=1.0),
    ("report.min_confidence", 0.0..=1.0),
    ("report.max_narrative_share", 0.0..=1.0),
    ("views.controversy_threshold", 0.001..=0.5),
    ("views.emerging_min_trend", -1000.0..=1000.0),
    ("models.supports_threshold", 0.0..=1.0),
    ("models.refutes_threshold", 0.0..=1.0),
    ("library.min_coverage", 0.0..=1.0),
    ("library.min_exception_coverage", 0.0..=1.0),
    ("library.min_coverage_near", 0.0..=1.0),
    ("library.full_coverage", 0.0..=1.0),
];

/// What words may be, where only some are known.
const CHOICES: &[(&str, &[&str])] = &[
    ("calibration.method", &["platt", "temperature"]),
    ("citations.direction", &["references", "citations", "both"]),
    ("llm.protocol", &["auto", "openai", "ollama"]),
    ("models.device", &["auto", "cpu", "cuda"]),
    ("output.color", &["auto", "always", "never"]),
    ("log.level", &["off", "error", "warn", "info", "debug", "trace"]),
];

/// Words that only the command that uses them can check.
#[cfg(test)]
const WORDS: &[&str] = &[
    "fetch.contact",
    "fetch.accept_language",
    "fetch.proxy",
    "fetch.ca_file",
    "fetch.quiet_hours",
    "academic.semantic_scholar_key",
    "academic.openalex_key",
    "academic.openalex_mailto",
    "llm.url",
    "llm.model",
    "llm.key",
    "models.embedding",
    "models.stance",
    "library.manuals",
    "library.vault",
    "mcp.notify_program",
    "mcp.http_token",
];

/// Turns a given value into one of the default's type, or says what was expected.
pub(super) fn admit(
    key: &str,
    default: &Value,
    given: &Value,
    origin: &Origin,
) -> Result<Value, String> {
    // Files have types of their own; variables and flags are text until the default says more.
    let typed = match (default, given, origin) {
        // Nobody who writes 1 for a number with a fraction means something else than 1.0.
        (Value::Float(_), Value::Integer(number), _) => Some(Value::Float(*number as f64)),
        (_, _, Origin::File { .. }) | (Value::String(_), _, _) => Some(given.clone()),
        (Value::Integer(_), Value::String(text), _) => text.parse().ok().map(Value::Integer),
        (Value::Float(_), Value::String(text), _) => text.parse().ok().map(Value::Float),
        (Value::Boolean(_), Value::String(text), _) => text.parse().ok().map(Value::Boolean),
        (Value::Array(_), Value::String(text), _) => Some(listed(text)),
        _ => None,
    };
    let range = RANGES.iter().find(|(name, _)| *name == key).map(|(_, range)| range);
    let choices = CHOICES.iter().find(|(name, _)| *name == key).map(|(_, choices)| choices);
    let fraction = FRACTIONS.iter().find(|(name, _)| *name == key).map(|(_, range)| range);
    let fits = typed.as_ref().is_some_and(|value| {
        value.same_type(default)
            && value.as_array().is_none_or(|items| items.iter().all(Value::is_str))
            && range.is_none_or(|it| value.as_integer().is_some_and(|n| it.contains(&n)))
            && fraction.is_none_or(|it| value.as_float().is_some_and(|n| it.contains(&n)))
            && choices.is_none_or(|it| value.as_str().is_some_and(|word| it.contains(&word)))
    });
    typed.filter(|_| fits).ok_or_else(|| match (default, range, choices) {
        (_, Some(range), _) => {
            format!("a whole number from {} to {}", range.start(), range.end())
        }
        (_, _, Some(choices)) => format!("one of {}", choices.join(", ")),
        (Value::Float(_), ..) if let Some(range) = fraction => {
            format!("a number from {:?} to {:?}", range.start(), range.end())
        }
        (Value::Boolean(_), ..) => "true or false".to_owned(),
        (Value::Integer(_), ..) => "a whole number".to_owned(),
        (Value::Float(_), ..) => "a number".to_owned(),
        (Value::Array(_), ..) => "a list of texts".to_owned(),
        (other, ..) => format!("a {}", other.type_str()),
    })
}

/// The items of a list that was given as one text, with commas between them.
fn listed(text: &str) -> Value {
    let items = text.split(',').map(str::trim).filter(|it| !it.is_empty());
    Value::Array(items.map(|it| Value::String(it.to_owned())).collect())
}

/// A refused value as it appears in a message: short, on one line.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a section".to_owned(),
        Value::String(text) if text.chars().count() > 60 => {
            let start: String = text.chars().take(60).collect();
            Value::String(format!("{start}…")).to_string()
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::layers::defaults;

    #[test]
    fn every_default_has_a_rule_and_keeps_it() {
        for entry in defaults() {
            let ruled = match &entry.value {
                Value::Integer(_) => RANGES.iter().any(|(key, _)| *key == entry.key),
                Value::String(_) => {
                    CHOICES.iter().any(|(key, _)| *key == entry.key)
                        || WORDS.contains(&entry.key.as_str())
                }
                Value::Float(_) => FRACTIONS.iter().any(|(key, _)| *key == entry.key),
                Value::Boolean(_) | Value::Array(_) => true,
                other => panic!("{} has no rule for {}", entry.key, other.type_str()),
            };
            assert!(ruled, "{} has no rule", entry.key);
            let origin = Origin::File { path: "default.toml".into(), line: 1 };
            let admitted = admit(&entry.key, &entry.value, &entry.value, &origin);
            assert!(admitted.is_ok_and(|it| it == entry.value), "{}", entry.key);
        }
    }

    #[test]
    fn a_share_is_a_number_from_zero_to_one() {
        let key = "calibration.degradation_threshold";
        let flag = |text: &str| {
            admit(key, &Value::Float(0.05), &Value::String(text.to_owned()), &Origin::Flag)
        };
        let refused = || Err("a number from 0.0 to 1.0".to_owned());
        for (text, value) in [("0", 0.0), ("0.1", 0.1), ("1", 1.0)] {
            assert_eq!(flag(text), Ok(Value::Float(value)), "{text}");
        }
        for text in ["-0.1", "1.1", "NaN", "inf", "much", ""] {
            assert_eq!(flag(text), refused(), "{text}");
        }
        let in_file = |value| {
            let origin = Origin::File { path: "config.toml".into(), line: 1 };
            admit(key, &Value::Float(0.05), &value, &origin)
        };
        assert_eq!(in_file(Value::Integer(1)), Ok(Value::Float(1.0)));
        assert_eq!(in_file(Value::Integer(2)), refused());
        assert_eq!(in_file(Value::String("0.5".to_owned())), refused());
    }
}
