//! Every word a report says by itself, in English and Japanese. What is in braces is filled in.
//!
//! One structure holds them, so that a language cannot lack a word; codes are looked up in tables that a test
//! compares.

use crate::Language;

/// The words of one language.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) tag: &'static str,
    pub(crate) report: &'static str,
    pub(crate) made_by: &'static str,
    pub(crate) question_in_full: &'static str,
    pub(crate) task: &'static str,
    pub(crate) status: &'static str,
    pub(crate) made_at: &'static str,
    pub(crate) started_at: &'static str,
    pub(crate) contents: &'static str,
    /// Between a label and its value, between the items of a list, at the end of a sentence.
    pub(crate) colon: &'static str,
    pub(crate) comma: &'static str,
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
    pub(crate) stop: &'static str,
    pub(crate) quote_open: &'static str,
    pub(crate) quote_close: &'static str,
    pub(crate) cut_before: &'static str,
    pub(crate) cut_after: &'static str,

    pub(crate) answer: &'static str,
    pub(crate) answer_note: &'static str,
    pub(crate) answer_weak: &'static str,
    pub(crate) answer_only_refuted: &'static str,
    pub(crate) nothing_found: &'static str,
    pub(crate) nothing_found_facts: &'static str,
    pub(crate) nothing_found_next: &'static str,
    pub(crate) hypothesis: &'static str,
    pub(crate) hypothesis_unjudged: &'static str,
    pub(crate) hypothesis_foreign: &'static str,

    pub(crate) confidence: &'static str,
    pub(crate) controversy: &'static str,
    pub(crate) independent_sources: &'static str,
    pub(crate) supported_by: &'static str,
    pub(crate) refuted_by: &'static str,
    pub(crate) finding: &'static str,
    pub(crate) years: &'static str,
    pub(crate) unknown_year: &'static str,
    pub(crate) unknown_date: &'static str,
    pub(crate) judgements: &'static str,
    pub(crate) none: &'static str,
    pub(crate) more: &'static str,

    pub(crate) at_a_glance: &'static str,
    pub(crate) glance_confident: &'static str,
    pub(crate) glance_well_sourced: &'static str,
    pub(crate) glance_disputes: &'static str,
    pub(crate) glance_sources: &'static str,
    pub(crate) glance_primary: &'static str,
    pub(crate) glance_read: &'static str,
    pub(crate) glance_missed: &'static str,
    pub(crate) glance_retractions: &'static str,
    pub(crate) of: &'static str,

    pub(crate) draft: &'static str,
    pub(crate) draft_note: &'static str,
    pub(crate) draft_unchecked: &'static str,
    pub(crate) draft_left_out: &'static str,

    pub(crate) findings: &'static str,
    pub(crate) findings_note: &'static str,
    pub(crate) findings_left_out: &'static str,
    pub(crate) claims_without_evidence: &'static str,
    pub(crate) supporting: &'static str,
    pub(crate) refuting: &'static str,
    pub(crate) notes: &'static str,
    pub(crate) quotes_left_out: &'static str,
    pub(crate) neutral: &'static str,
    pub(crate) caveat: &'static str,
    pub(crate) improve: &'static str,
    pub(crate) passage: &'static str,
    pub(crate) found_at: &'static str,
    pub(crate) published: &'static str,
    pub(crate) archive: &'static str,
    pub(crate) no_archive: &'static str,
    pub(crate) judged: &'static str,
    pub(crate) corrected_by_person: &'static str,
    pub(crate) origin: &'static str,
    pub(crate) copies: &'static str,
    pub(crate) retracted_on: &'static str,
    pub(crate) verification: &'static str,

    pub(crate) disputes: &'static str,
    pub(crate) disputes_note: &'static str,
    pub(crate) gap_newer: &'static str,
    pub(crate) gap_older: &'static str,
    pub(crate) gap_same: &'static str,
    pub(crate) gap_unknown: &'static str,

    pub(crate) graph: &'static str,
    pub(crate) graph_note: &'static str,
    pub(crate) graph_bounded: &'static str,
    pub(crate) graph_sources: &'static str,
    pub(crate) graph_findings: &'static str,
    pub(crate) legend_supports: &'static str,
    pub(crate) legend_refutes: &'static str,
    pub(crate) legend_cites: &'static str,
    pub(crate) legend_primary: &'static str,
    pub(crate) legend_other: &'static str,

    pub(crate) timeline: &'static str,
    pub(crate) timeline_note: &'static str,
    pub(crate) timeline_undated: &'static str,
    pub(crate) timeline_left_out: &'static str,
    pub(crate) date: &'static str,
    pub(crate) event: &'static str,
    pub(crate) recorded: &'static str,

    pub(crate) retractions: &'static str,
    pub(crate) retractions_note: &'static str,
    pub(crate) touches: &'static str,

    pub(crate) security: &'static str,
    pub(crate) security_note: &'static str,
    pub(crate) security_places: &'static str,
    pub(crate) security_no_influence: &'static str,
    pub(crate) security_influence: &'static str,
    pub(crate) security_other: &'static str,

    pub(crate) narratives: &'static str,
    pub(crate) narratives_note: &'static str,
    pub(crate) narratives_above: &'static str,
    pub(crate) narratives_below: &'static str,
    pub(crate) narrative_line: &'static str,
    pub(crate) repeated_line: &'static str,

    pub(crate) chains: &'static str,
    pub(crate) chains_note: &'static str,

    pub(crate) set_aside: &'static str,
    pub(crate) set_aside_person: &'static str,
    pub(crate) set_aside_dangerous: &'static str,

    pub(crate) missed: &'static str,
    pub(crate) missed_note: &'static str,
    pub(crate) unread: &'static str,
    pub(crate) unread_note: &'static str,
    pub(crate) unsatisfied: &'static str,
    pub(crate) unsatisfied_note: &'static str,
    pub(crate) more_left_out: &'static str,
    pub(crate) rank_line: &'static str,

    pub(crate) reliability: &'static str,
    pub(crate) reliability_lines: &'static [&'static str],
    pub(crate) reliability_corrected: &'static str,
    pub(crate) reliability_order: &'static str,

    pub(crate) sources: &'static str,
    pub(crate) source: &'static str,
    pub(crate) category: &'static str,
    pub(crate) archive_column: &'static str,
    pub(crate) flagged: &'static str,

    pub(crate) method: &'static str,
    pub(crate) searches: &'static str,
    pub(crate) query: &'static str,
    pub(crate) refuting_search: &'static str,
    pub(crate) pages: &'static str,
    pub(crate) harvest: &'static str,
    pub(crate) satisfaction: &'static str,
    pub(crate) novelty: &'static str,
    pub(crate) budget: &'static str,
    pub(crate) budget_pages: &'static str,
    pub(crate) budget_time: &'static str,
    pub(crate) budget_llm: &'static str,
    pub(crate) engines: &'static str,
    pub(crate) engine_line: &'static str,
    pub(crate) requests: &'static str,
    pub(crate) requests_line: &'static str,
    pub(crate) requests_none: &'static str,
    pub(crate) models: &'static str,
    pub(crate) model_line: &'static str,
    pub(crate) models_none: &'static str,
    pub(crate) versions: &'static str,
    pub(crate) versions_line: &'static str,
    pub(crate) fingerprint: &'static str,
    pub(crate) log_line: &'static str,

    pub(crate) caveat_low: &'static str,
    pub(crate) caveat_against: &'static str,
    pub(crate) caveat_both: &'static str,
    pub(crate) caveat_few: &'static str,
    pub(crate) caveat_no_primary: &'static str,
    pub(crate) caveat_one_narrative: &'static str,
    pub(crate) caveat_retracted: &'static str,
    pub(crate) caveat_withdrawn: &'static str,
    pub(crate) improve_support: &'static str,
    pub(crate) improve_sources: &'static str,
    pub(crate) improve_primary: &'static str,
    pub(crate) improve_settle: &'static str,

    /// Codes of the graph in words. A code that is not here is shown as it is.
    pub(crate) codes: &'static [(&'static str, &'static str)],
}

impl Words {
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &EN,
            Language::Ja => &JA,
        }
    }

    /// A code of the graph in words, such as `academic` of the kind `category`; one that is not known, as it is.
    pub(crate) fn code<'c>(&self, kind: &str, code: &'c str) -> &'c str {
        self.known_code(kind, code).unwrap_or(code)
    }

    /// What a stage said in its own words, which are English: shown where the report is.
    pub(crate) fn told<'t>(&self, detail: Option<&'t str>) -> Option<&'t str> {
        detail.filter(|it| self.tag == EN.tag || it.chars().any(is_japanese))
    }

    /// A code of our own, which the tables have.
    pub(crate) fn own_code(&self, kind: &str, code: &'static str) -> &'static str {
        self.known_code(kind, code).unwrap_or(code)
    }

    fn known_code(&self, kind: &str, code: &str) -> Option<&'static str> {
        let is_key = |key: &str| key.strip_prefix(kind)?.strip_prefix('.').map(|it| it == code);
        self.codes.iter().find(|it| is_key(it.0) == Some(true)).map(|it| it.1)
    }
}

/// Puts values into the braces of a template. A value is not looked into again.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}').map(|it| open + it) else { break };
        out.push_str(&rest[..open]);
        let name = &rest[open + 1..close];
        match values.iter().find(|it| it.0 == name) {
            Some((_, value)) => out.push_str(value),
            None => out.push_str(&rest[open..=close]),
        }
        rest = &rest[close + 1..];
    }
    out + rest
}

/// Letters that only Japanese text has here: kana and kanji.
pub(crate) fn is_japanese(c: char) -> bool {
    matches!(u32::from(c),
        0x3005..=0x3007 | 0x3041..=0x309f | 0x30a1..=0x30ff | 0x31f0..=0x31ff | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0xff66..=0xff9d | 0x20000..=0x323af)
}

static EN: Words = Words {
    tag: "en",
    report: "Evidence report",
    made_by: "Made by Lyra {version} from the evidence graph of task {task}. Every sentence cites what it rests on.",
    question_in_full: "The question in full",
    task: "Task",
    status: "Status",
    made_at: "Made",
    started_at: "Asked",
    contents: "Contents",
    colon: ": ",
    comma: ", ",
    open: " (",
    close: ")",
    stop: ".",
    quote_open: "“",
    quote_close: "”",
    cut_before: "… ",
    cut_after: " …",

    answer: "Answer",
    answer_note: "The best supported findings, in the words of the claims. Numbers in brackets are sources; what limits a finding stands below it.",
    answer_weak: "No finding reaches a confidence of {threshold}. The best supported ones are listed with what limits them.",
    answer_only_refuted: "No finding is supported: all evidence that was found speaks against the claims. See the findings below.",
    nothing_found: "Nothing was found.",
    nothing_found_facts: "No passage was judged to support or refute anything about this question. Searches: {searches}. Pages read: {read}. Pages missed: {missed}.",
    nothing_found_next: "This report therefore makes no findings. What was tried, and what was missed and why, is listed below.",
    hypothesis: "Hypothesis",
    hypothesis_unjudged: "No passage takes a side on it.",
    hypothesis_foreign: "It is in another language than the findings; a model that does not read both abstains.",

    confidence: "Confidence",
    controversy: "Controversy",
    independent_sources: "Independent sources",
    supported_by: "Supported by",
    refuted_by: "Refuted by",
    finding: "Finding",
    years: "Years",
    unknown_year: "year unknown",
    unknown_date: "date unknown",
    judgements: "Judged passages",
    none: "none",
    more: "and {n} more",

    at_a_glance: "At a glance",
    glance_confident: "findings reach a confidence of {threshold}",
    glance_well_sourced: "findings have {wanted} or more independent sources",
    glance_disputes: "claims with evidence on both sides",
    glance_sources: "sources cited",
    glance_primary: "of them primary, government or academic",
    glance_read: "pages read",
    glance_missed: "pages missed",
    glance_retractions: "retractions and corrections",
    of: "{n} of {total}",

    draft: "Summary",
    draft_note: "Written by {model} from the passages it cites; each sentence was checked against them. The findings below are the evidence itself.",
    draft_unchecked: "not checked",
    draft_left_out: "Sentences left out because their citations do not bear them out: {failed}; because they cite nothing: {uncited}.",

    findings: "Findings",
    findings_note: "Each finding is a claim in the words of its source. Primary, government and academic sources come first; others stand as notes.",
    findings_left_out: "More findings in the graph: {n}.",
    claims_without_evidence: "Claims on which no passage takes a side, which are therefore no findings: {n}.",
    supporting: "Supporting",
    refuting: "Refuting",
    notes: "Notes: other sources",
    quotes_left_out: "More passages in the graph: {n}.",
    neutral: "Judged passages that take no side: {n}.",
    caveat: "Caveat",
    improve: "What would raise it",
    passage: "Open at the passage",
    found_at: "found",
    published: "published",
    archive: "archive",
    no_archive: "not archived",
    judged: "judged {certainty}",
    corrected_by_person: "corrected by a person",
    origin: "the claim was taken from here",
    copies: "The same text, counted once, also on",
    retracted_on: "retracted, noted {date}",
    verification: "Source check",

    disputes: "Evidence on both sides",
    disputes_note: "Facts, not a verdict: who supports, who refutes, and when.",
    gap_newer: "The newest refutation is newer than the newest support. Years between them: {years}.",
    gap_older: "The newest refutation is older than the newest support. Years between them: {years}.",
    gap_same: "The newest refutation and the newest support are of the same year.",
    gap_unknown: "The years of one side are unknown.",

    graph: "Evidence graph",
    graph_note: "Sources on the left, findings on the right. A line is a passage that takes a side.",
    graph_bounded: "Shown: {claims} of {all_claims} findings and {sources} of {all_sources} sources, the most important first.",
    graph_sources: "Sources",
    graph_findings: "Findings",
    legend_supports: "supports",
    legend_refutes: "refutes",
    legend_cites: "cites",
    legend_primary: "primary, government or academic",
    legend_other: "other source",

    timeline: "Timeline",
    timeline_note: "Passages by the year of their source: supporting above the line, refuting below.",
    timeline_undated: "Passages of sources without a known year: {n}.",
    timeline_left_out: "More events in the graph: {n}.",
    date: "Date",
    event: "Event",
    recorded: "recorded {time}",

    retractions: "Retractions and corrections",
    retractions_note: "What was withdrawn stays visible. A retraction enters the confidence as a refuting passage.",
    touches: "touches",

    security: "Text that speaks to machines",
    security_note: "These pages carry instructions meant for programs rather than readers. They are flagged; their words are neither followed nor repeated here.",
    security_places: "visible places: {visible}, hidden places: {hidden}, rules: {rules}",
    security_no_influence: "No influence: no judgement rests on these places.",
    security_influence: "Warning: judgements that rest on passages with such a place: {n}. Check the findings that cite this page.",
    security_other: "Judgements that rest on other passages of the page: {n}.",

    narratives: "Copies and narratives",
    narratives_note: "Pages that give evidence: {pages}. Different texts among them: {clusters}. The largest group of near-identical texts has {share} of the pages.",
    narratives_above: "That is above the limit of {limit}: one narrative outweighs the others.",
    narratives_below: "That is within the limit of {limit}.",
    narrative_line: "{first} and its copies {copies} count as one source.",
    repeated_line: "The same text, counted once: {first}; {copies}.",

    chains: "Back to the primary source",
    chains_note: "Where a source cites others, the way to the nearest primary, government or academic one.",

    set_aside: "Claims set aside",
    set_aside_person: "not adopted by a person",
    set_aside_dangerous: "its text carried instructions to machines; the words are not repeated",

    missed: "What was missed",
    missed_note: "Pages that could not be read, and why.",
    unread: "Found and not read",
    unread_note: "Candidates that were listed and not read within the budget.",
    unsatisfied: "Searches without enough sources",
    unsatisfied_note: "Searches that ended before enough independent sources were found.",
    more_left_out: "More in the graph: {n}.",
    rank_line: "{engine}, place {rank}, for {query}",

    reliability: "How far to rely on this",
    reliability_lines: &[
        "Confidence is computed from the judged passages alone: it starts at 0.50, each supporting passage raises it and each refuting one lowers it by the certainty of the judgement. The figure behind ± is its standard deviation: large while there is little evidence.",
        "Controversy is the share of the weaker side in all evidence: 0 when one-sided, 0.50 when even.",
        "Sources count as independent when they have another registrable domain and another text. Copies of one text count once. Confidence counts passages, so look at both numbers.",
        "The kind of publisher decides the order in which sources are shown. It does not enter the confidence.",
        "Passages were judged by a model, which can be wrong, above all on long, ironic or highly technical text. The quotes are exact, so that each judgement can be checked.",
        "What was not found or could not be read is not in here. The sections on what was missed say what is known about that.",
    ],
    reliability_corrected: "Judgements that a person corrected: {n} of {total}.",
    reliability_order: "Findings with enough independent sources come before those without, and what was withdrawn or refuted comes last. Within a group the order follows confidence, independent sources and the words shared with the question. A confidence below {threshold} always carries a caveat.",

    sources: "Sources",
    source: "Source",
    category: "Kind",
    archive_column: "Archive",
    flagged: "speaks to machines",

    method: "Method",
    searches: "Searches",
    query: "Query",
    refuting_search: "looks for refutations",
    pages: "Pages",
    harvest: "Harvest",
    satisfaction: "Satisfaction",
    novelty: "Novelty",
    budget: "Budget",
    budget_pages: "{used} of {limit} pages",
    budget_time: "{used} of {limit} s",
    budget_llm: "of which {used} s in a language model",
    engines: "Engines and sources asked",
    engine_line: "{name}: results {results}, pages {pages}",
    requests: "What left this machine",
    requests_line: "Requests: {count}, hosts: {hosts}, bytes sent: {sent}, bytes received: {received}. Each request is in the ledger.",
    requests_none: "Nothing: no request was made for this task.",
    models: "Models",
    model_line: "{role}: {name} (uses: {uses})",
    models_none: "No model was used.",
    versions: "Versions",
    versions_line: "Lyra {version}, schema {schema}",
    fingerprint: "fingerprint of the graph {fingerprint}",
    log_line: "Entries of the causal log, which say why each row is there: {n}.",

    caveat_low: "Confidence is below {threshold}.",
    caveat_against: "The evidence speaks against this claim.",
    caveat_both: "There is evidence on both sides.",
    caveat_few: "Independent sources: {found}; {wanted} are wanted.",
    caveat_no_primary: "No primary, government or academic source supports it.",
    caveat_one_narrative: "All {pages} supporting pages tell the same text.",
    caveat_retracted: "A source that supports it was retracted: {sources}.",
    caveat_withdrawn: "The claim was later corrected or retracted.",
    improve_support: "Supporting passages judged {certainty} that would bring it to {threshold}, if nothing else changes: {passages}.",
    improve_sources: "More independent sources that are missing: {more}.",
    improve_primary: "A primary, government or academic source.",
    improve_settle: "Evidence that explains why the sources disagree.",

    codes: &[
        ("standing.supported", "supported"),
        ("standing.disputed", "disputed"),
        ("standing.refuted", "refuted"),
        ("category.primary", "primary"),
        ("category.government", "government"),
        ("category.academic", "academic"),
        ("category.trusted", "trusted"),
        ("category.low", "low"),
        ("category.unverified", "unverified"),
        ("category.blocked", "blocked"),
        ("status.created", "created"),
        ("status.exploring", "exploring"),
        ("status.paused", "paused"),
        ("status.completed", "completed"),
        ("status.failed", "failed"),
        ("search.running", "running"),
        ("search.satisfied", "satisfied"),
        ("search.partial", "partial"),
        ("search.exhausted", "exhausted"),
        ("event.first_seen", "first seen"),
        ("event.updated", "updated"),
        ("event.corrected", "corrected"),
        ("event.retracted", "retracted"),
        ("event.rejected", "set aside"),
        ("event.restored", "restored"),
        ("event.work_retracted", "work retracted"),
        ("verification.pending", "pending"),
        ("verification.verified", "verified"),
        ("verification.rejected", "rejected"),
        ("verification.conflicting_evidence", "conflicting evidence"),
        ("verification.well_supported", "well supported"),
        ("verification.insufficient_evidence", "insufficient evidence"),
        ("verification.dangerous_pattern", "dangerous pattern"),
        ("verification.already_blocked", "domain blocked"),
        ("role.stance", "stance"),
        ("role.claims", "claim extraction"),
        ("role.embedding", "embedding"),
        ("role.draft", "summary"),
        ("stop.satisfied", "enough sources"),
        ("stop.no_more_candidates", "no more candidates"),
        ("stop.nothing_new", "nothing new"),
        ("stop.page_budget", "page budget used up"),
        ("stop.time_budget", "time budget used up"),
        ("stop.all_domains_resting", "all sites left are left in peace"),
        ("stop.stopped", "stopped"),
        ("stop.failed", "failed"),
        ("stop.cancelled", "stopped by a person"),
        ("stop.budget_exhausted", "budget used up"),
        ("stop.session_completed", "completed"),
        ("stop.user_cancelled", "stopped by a person"),
        ("missed.offline", "Lyra ran offline"),
        ("missed.bad_address", "not an address on the web"),
        ("missed.private_address", "not on the public internet"),
        ("missed.robots", "robots.txt asks programs to stay away"),
        ("missed.blocked_domain", "domain blocked"),
        ("missed.resting", "site rests after failures"),
        ("missed.daily_budget", "requests of the day used up"),
        ("missed.unknown_host", "no such host"),
        ("missed.cannot_connect", "no connection"),
        ("missed.bad_certificate", "certificate not sound"),
        ("missed.timed_out", "no answer in time"),
        ("missed.too_large", "too large"),
        ("missed.too_many_redirects", "too many redirects"),
        ("missed.broken_answer", "answer broke off"),
        ("missed.login", "login needed"),
        ("missed.challenge", "asks for a human"),
        ("missed.captcha", "asks for a human"),
        ("missed.paywall", "paywall"),
        ("missed.forbidden", "forbidden"),
        ("missed.not_found", "not found"),
        ("missed.too_many_requests", "too many requests"),
        ("missed.server_error", "error of the server"),
        ("missed.other_status", "unusual status"),
        ("missed.not_recorded", "could not be recorded"),
        ("missed.unreadable", "could not be read"),
        ("missed.no_text", "no text"),
        ("missed.no_folder", "no such folder"),
        ("missed.too_deep", "too deep in its folder"),
        ("missed.too_many", "too many files"),
        ("missed.leaves_folder", "leads out of its folder"),
        ("missed.broken_link", "link that leads nowhere"),
        ("missed.unknown", "unknown"),
        ("why.supports", "a passage supports it"),
        ("why.refutes", "a passage refutes it"),
    ],
};

static JA: Words = Words {
    tag: "ja",
    report: "エビデンス報告書",
    made_by: "Lyra {version} が調査 {task} のエビデンスグラフから作成。すべての文に根拠となる出典を示しています。",
    question_in_full: "質問の全文",
    task: "調査番号",
    status: "状態",
    made_at: "作成日時",
    started_at: "調査開始",
    contents: "目次",
    colon: "：",
    comma: "、",
    open: "（",
    close: "）",
    stop: "。",
    quote_open: "「",
    quote_close: "」",
    cut_before: "……",
    cut_after: "……",

    answer: "回答",
    answer_note: "最もよく裏付けられた知見を、主張の言葉のまま示します。角括弧の数字は出典番号です。知見の限界はそれぞれの下に示します。",
    answer_weak: "信頼度が {threshold} に達した知見はありません。比較的よく裏付けられたものを、その限界とともに示します。",
    answer_only_refuted: "支持された知見はありません。見つかった証拠はすべて主張に反するものでした。下の知見を参照してください。",
    nothing_found: "何も見つかりませんでした。",
    nothing_found_facts: "この質問について、支持または反証と判定された箇所はありません。検索 {searches} 件、読んだページ {read} 件、取得できなかったページ {missed} 件。",
    nothing_found_next: "したがって、この報告書には知見がありません。試みた内容と、取得できなかったものおよびその理由を以下に示します。",
    hypothesis: "仮説",
    hypothesis_unjudged: "この仮説を支持または反証する箇所は見つかりませんでした。",
    hypothesis_foreign: "仮説と知見の言語が異なります。両方を読めないモデルは判定を控えます。",

    confidence: "信頼度",
    controversy: "対立度",
    independent_sources: "独立した出典",
    supported_by: "支持",
    refuted_by: "反証",
    finding: "知見",
    years: "年",
    unknown_year: "年不明",
    unknown_date: "日付不明",
    judgements: "判定した箇所",
    none: "なし",
    more: "ほか {n} 件",

    at_a_glance: "概要",
    glance_confident: "信頼度 {threshold} 以上の知見",
    glance_well_sourced: "独立した出典が {wanted} 件以上の知見",
    glance_disputes: "支持と反証の両方がある主張",
    glance_sources: "引用した出典",
    glance_primary: "うち一次・公的・学術",
    glance_read: "読んだページ",
    glance_missed: "取得できなかったページ",
    glance_retractions: "撤回と訂正",
    of: "{total} 件中 {n} 件",

    draft: "要約",
    draft_note: "{model} が引用箇所をもとに作成し、各文を引用箇所と照合しました。証拠そのものは下の知見を参照してください。",
    draft_unchecked: "未照合",
    draft_left_out: "引用箇所から導けない文 {failed} 件と、引用のない文 {uncited} 件を除きました。",

    findings: "知見",
    findings_note: "各知見は、出典の言葉による主張です。一次・公的・学術の出典を先に示し、その他は注として示します。",
    findings_left_out: "ほかに {n} 件の知見がグラフにあります。",
    claims_without_evidence: "ほかに {n} 件の主張には、支持も反証もありません。知見には数えていません。",
    supporting: "支持する箇所",
    refuting: "反証する箇所",
    notes: "注：その他の出典",
    quotes_left_out: "ほかに {n} 箇所がグラフにあります。",
    neutral: "支持も反証もしないと判定された箇所 {n} 件。",
    caveat: "但し書き",
    improve: "信頼度を上げるもの",
    passage: "該当箇所を開く",
    found_at: "発見",
    published: "公開",
    archive: "保存記録",
    no_archive: "保存なし",
    judged: "判定の確かさ {certainty}",
    corrected_by_person: "人による訂正あり",
    origin: "主張の抽出元",
    copies: "同じ文章（一つの出典として数える）",
    retracted_on: "撤回（{date} 確認）",
    verification: "出典の検証",

    disputes: "支持と反証の両方がある主張",
    disputes_note: "判断ではなく事実として、誰が支持し、誰が反証し、それがいつかを示します。",
    gap_newer: "最新の反証は、最新の支持より {years} 年新しいものです。",
    gap_older: "最新の反証は、最新の支持より {years} 年古いものです。",
    gap_same: "最新の反証と最新の支持は同じ年です。",
    gap_unknown: "一方の年が不明です。",

    graph: "エビデンスグラフ",
    graph_note: "左が出典、右が知見です。線は、支持または反証する箇所を表します。",
    graph_bounded: "重要なものから、知見 {all_claims} 件中 {claims} 件、出典 {all_sources} 件中 {sources} 件を示しています。",
    graph_sources: "出典",
    graph_findings: "知見",
    legend_supports: "支持",
    legend_refutes: "反証",
    legend_cites: "引用",
    legend_primary: "一次・公的・学術",
    legend_other: "その他の出典",

    timeline: "年表",
    timeline_note: "出典の年ごとの箇所の数です。線の上が支持、下が反証です。",
    timeline_undated: "年のわからない出典の箇所が {n} 件あります。",
    timeline_left_out: "ほかに {n} 件の出来事がグラフにあります。",
    date: "日付",
    event: "出来事",
    recorded: "記録 {time}",

    retractions: "撤回と訂正",
    retractions_note: "撤回されたものも表示します。撤回は、反証する箇所として信頼度に反映されます。",
    touches: "影響する知見",

    security: "機械に向けた文章",
    security_note: "以下のページには、読者ではなくプログラムに向けた指示が含まれています。印を付けるだけで、指示には従わず、その言葉もここには載せません。",
    security_places: "見える箇所 {visible} 件、隠れた箇所 {hidden} 件、規則 {rules}",
    security_no_influence: "影響なし。これらの箇所に基づく判定はありません。",
    security_influence: "警告：このような箇所を含む文章に基づく判定が {n} 件あります。このページを引用する知見を確認してください。",
    security_other: "同じページの別の箇所に基づく判定が {n} 件あります。",

    narratives: "複製と論調",
    narratives_note: "証拠となったページは {pages} 件、異なる文章は {clusters} 種類です。ほぼ同じ文章の最大の集まりは、ページの {share} を占めます。",
    narratives_above: "上限の {limit} を超えており、一つの論調に偏っています。",
    narratives_below: "上限の {limit} 以内です。",
    narrative_line: "{first} とその複製 {copies} は、一つの出典として数えます。",
    repeated_line: "同じ文章(一つの出典として数えます): {first}、{copies}。",

    chains: "一次資料への経路",
    chains_note: "出典が他の資料を引用している場合に、最も近い一次・公的・学術資料までの経路を示します。",

    set_aside: "採用しなかった主張",
    set_aside_person: "人の判断により不採用",
    set_aside_dangerous: "機械に向けた指示を含むため不採用。その言葉は載せません",

    missed: "取得できなかったもの",
    missed_note: "読めなかったページとその理由です。",
    unread: "見つけたが読んでいないもの",
    unread_note: "候補に挙がったものの、予算内で読まなかったページです。",
    unsatisfied: "出典が足りなかった検索",
    unsatisfied_note: "独立した出典が十分に集まる前に終わった検索です。",
    more_left_out: "ほかに {n} 件がグラフにあります。",
    rank_line: "{engine} の {rank} 位、検索語 {query}",

    reliability: "信頼性についての注意",
    reliability_lines: &[
        "信頼度は、判定された箇所だけから計算します。0.50 から始まり、支持する箇所があれば上がり、反証する箇所があれば下がります。その幅は判定の確かさによります。± の後の数は標準偏差で、証拠が少ないほど大きくなります。",
        "対立度は、全証拠に占める弱い側の割合です。一方だけなら 0、互角なら 0.50 です。",
        "登録ドメインが異なり、かつ文章も異なる出典を独立とみなします。同じ文章の複製は一つと数えます。信頼度は箇所の数で決まるため、両方の数を見てください。",
        "発行者の種類は出典を示す順序だけに使い、信頼度には影響しません。",
        "箇所の判定はモデルによるもので、誤ることがあります。特に、長い文章、皮肉、高度に専門的な文章で起こりやすくなります。引用は原文のままなので、一つ一つ確かめることができます。",
        "見つからなかったもの、読めなかったものは、ここに含まれていません。それについてわかっていることは、取得できなかったものの節に示します。",
    ],
    reliability_corrected: "判定 {total} 件のうち {n} 件を人が訂正しました。",
    reliability_order: "独立した出典が十分にある知見を先に示し、撤回または反証されたものを最後に示します。それぞれの中では、信頼度、独立した出典の数、質問と共通する語の多さの順に並べています。信頼度が {threshold} 未満の知見には必ず但し書きを付けます。",

    sources: "出典一覧",
    source: "出典",
    category: "種類",
    archive_column: "保存記録",
    flagged: "機械に向けた文章あり",

    method: "調査方法",
    searches: "検索",
    query: "検索語",
    refuting_search: "反証を探す検索",
    pages: "ページ",
    harvest: "収穫率",
    satisfaction: "充足度",
    novelty: "新規性",
    budget: "予算",
    budget_pages: "{limit} ページ中 {used} ページ",
    budget_time: "{limit} 秒中 {used} 秒",
    budget_llm: "うち言語モデル {used} 秒",
    engines: "問い合わせた検索エンジンと情報源",
    engine_line: "{name}：結果 {results} 件、ページ {pages} 件",
    requests: "この機器から送信したもの",
    requests_line: "{hosts} ホストに {count} 件の要求、送信 {sent} バイト、受信 {received} バイト。すべて台帳に記録されています。",
    requests_none: "なし。この調査では要求を送っていません。",
    models: "モデル",
    model_line: "{role}：{name}（{uses} 回）",
    models_none: "モデルは使っていません。",
    versions: "版",
    versions_line: "Lyra {version}、スキーマ {schema}",
    fingerprint: "グラフの指紋 {fingerprint}",
    log_line: "各行の理由を示す因果記録が {n} 件あります。",

    caveat_low: "信頼度が {threshold} 未満です。",
    caveat_against: "証拠はこの主張に反しています。",
    caveat_both: "支持と反証の両方があります。",
    caveat_few: "独立した出典は {found} 件です（目安は {wanted} 件）。",
    caveat_no_primary: "一次・公的・学術の出典による支持がありません。",
    caveat_one_narrative: "支持する {pages} ページはすべて同じ文章です。",
    caveat_retracted: "支持する出典が撤回されています：{sources}",
    caveat_withdrawn: "この主張は後に訂正または撤回されました。",
    improve_support: "他が変わらない場合、確かさ {certainty} の支持箇所があと {passages} 件で {threshold} に達します。",
    improve_sources: "独立した出典があと {more} 件必要です。",
    improve_primary: "一次・公的・学術の出典が必要です。",
    improve_settle: "出典が食い違う理由を説明する証拠が必要です。",

    codes: &[
        ("standing.supported", "支持"),
        ("standing.disputed", "対立"),
        ("standing.refuted", "反証"),
        ("category.primary", "一次"),
        ("category.government", "公的"),
        ("category.academic", "学術"),
        ("category.trusted", "信頼"),
        ("category.low", "低"),
        ("category.unverified", "未確認"),
        ("category.blocked", "遮断"),
        ("status.created", "作成済み"),
        ("status.exploring", "調査中"),
        ("status.paused", "一時停止"),
        ("status.completed", "完了"),
        ("status.failed", "失敗"),
        ("search.running", "実行中"),
        ("search.satisfied", "充足"),
        ("search.partial", "一部"),
        ("search.exhausted", "候補なし"),
        ("event.first_seen", "初出"),
        ("event.updated", "更新"),
        ("event.corrected", "訂正"),
        ("event.retracted", "撤回"),
        ("event.rejected", "不採用"),
        ("event.restored", "再採用"),
        ("event.work_retracted", "文献の撤回"),
        ("verification.pending", "保留"),
        ("verification.verified", "検証済み"),
        ("verification.rejected", "却下"),
        ("verification.conflicting_evidence", "証拠が対立"),
        ("verification.well_supported", "十分な支持"),
        ("verification.insufficient_evidence", "証拠不足"),
        ("verification.dangerous_pattern", "危険な記述"),
        ("verification.already_blocked", "遮断済みドメイン"),
        ("role.stance", "支持・反証の判定"),
        ("role.claims", "主張の抽出"),
        ("role.embedding", "埋め込み"),
        ("role.draft", "要約"),
        ("stop.satisfied", "出典が十分"),
        ("stop.no_more_candidates", "候補がなくなった"),
        ("stop.nothing_new", "新しいものがない"),
        ("stop.page_budget", "ページ予算を使い切った"),
        ("stop.time_budget", "時間予算を使い切った"),
        ("stop.all_domains_resting", "残りのサイトはすべて休止中"),
        ("stop.stopped", "中止"),
        ("stop.failed", "失敗"),
        ("stop.cancelled", "人が中止"),
        ("stop.budget_exhausted", "予算を使い切った"),
        ("stop.session_completed", "完了"),
        ("stop.user_cancelled", "人が中止"),
        ("missed.offline", "オフラインで実行"),
        ("missed.bad_address", "ウェブのアドレスではない"),
        ("missed.private_address", "公開されたネットワークではない"),
        ("missed.robots", "robots.txt により対象外"),
        ("missed.blocked_domain", "遮断されたドメイン"),
        ("missed.resting", "失敗後の休止中"),
        ("missed.daily_budget", "一日の要求数を使い切った"),
        ("missed.unknown_host", "ホストが存在しない"),
        ("missed.cannot_connect", "接続できない"),
        ("missed.bad_certificate", "証明書が正しくない"),
        ("missed.timed_out", "時間内に応答なし"),
        ("missed.too_large", "大きすぎる"),
        ("missed.too_many_redirects", "転送が多すぎる"),
        ("missed.broken_answer", "応答が途中で切れた"),
        ("missed.login", "ログインが必要"),
        ("missed.challenge", "人による確認が必要"),
        ("missed.captcha", "人による確認が必要"),
        ("missed.paywall", "有料"),
        ("missed.forbidden", "閲覧禁止"),
        ("missed.not_found", "ページがない"),
        ("missed.too_many_requests", "要求が多すぎる"),
        ("missed.server_error", "サーバーの誤り"),
        ("missed.other_status", "通常でない応答"),
        ("missed.not_recorded", "記録できなかった"),
        ("missed.unreadable", "読み取れなかった"),
        ("missed.no_text", "本文がない"),
        ("missed.no_folder", "フォルダーがない"),
        ("missed.too_deep", "フォルダーの階層が深すぎる"),
        ("missed.too_many", "ファイルが多すぎる"),
        ("missed.leaves_folder", "フォルダーの外を指している"),
        ("missed.broken_link", "リンク先がない"),
        ("missed.unknown", "不明"),
        ("why.supports", "支持する箇所"),
        ("why.refutes", "反証する箇所"),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_know_the_same_codes() {
        let keys = |words: &'static Words| words.codes.iter().map(|it| it.0).collect::<Vec<_>>();
        assert_eq!(keys(&EN), keys(&JA));
    }

    #[test]
    fn every_japanese_code_is_in_japanese_and_every_english_one_is_not() {
        let japanese = |text: &str| text.chars().any(is_japanese);
        let wrong: Vec<_> = (EN.codes.iter().filter(|it| japanese(it.1)))
            .chain(JA.codes.iter().filter(|it| !japanese(it.1)))
            .collect();
        assert_eq!(wrong, [] as [&(&str, &str); 0]);
    }

    /// The debug form lists every field, so no template can be forgotten here.
    #[test]
    fn a_template_has_the_same_braces_in_both_languages() {
        let braces = |words: &Words| {
            let lines: Vec<String> = format!("{words:#?}")
                .lines()
                .filter_map(|line| line.trim().split_once(": \""))
                .map(|(name, text)| {
                    let mut names: Vec<_> = text.split('{').skip(1).collect();
                    names.iter_mut().for_each(|it| *it = it.split('}').next().unwrap());
                    names.sort_unstable();
                    format!("{name} {}", names.join(" "))
                })
                .collect();
            lines
        };
        assert!(braces(&EN).len() > 100);
        assert_eq!(braces(&EN), braces(&JA));
    }

    #[test]
    fn a_value_is_not_looked_into_again() {
        assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "2")]), "{b} and 2");
        assert_eq!(fill("{unknown} {", &[]), "{unknown} {");
    }

    #[test]
    fn an_unknown_code_is_shown_as_it_is() {
        assert_eq!(EN.code("missed", "robots"), "robots.txt asks programs to stay away");
        assert_eq!(JA.code("missed", "new_code"), "new_code");
    }
}
