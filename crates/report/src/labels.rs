//! Numbers, dates and codes as people read them: what Markdown and HTML say alike.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::report::{
    ArchiveReference, Caveat, Dispute, Evidence, Finding, FlaggedPage, Improvement, Narratives,
    Report, Source, Standing, TimelineEvent, TimelineKind, Unread, UnsatisfiedSearch,
};
use crate::words::{Words, fill};

/// Events of the timeline that are written out.
pub(crate) const MAX_EVENTS: usize = 40;
/// Marks behind a sentence.
pub(crate) const MAX_MARKS: usize = 8;
/// Characters of a question that is a heading, of a title, of an address that is shown.
pub(crate) const MAX_HEADING: usize = 240;
pub(crate) const MAX_TITLE: usize = 160;
pub(crate) const MAX_ADDRESS: usize = 200;

/// `0.83 ±0.12`
pub(crate) fn figure(value: f64, uncertainty: f64) -> String {
    format!("{value:.2} ±{uncertainty:.2}")
}

pub(crate) fn two(value: f64) -> String {
    format!("{value:.2}")
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

pub(crate) fn option(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), two)
}

/// `2026-01-15 12:00 UTC`
pub(crate) fn time(at: Timestamp) -> String {
    let text = format!("{at:.0}");
    let (day, clock) = text.split_once('T').unwrap_or((&text, ""));
    format!("{day} {} UTC", clock.get(..5).unwrap_or(clock))
}

/// The day of a date that may carry a time.
pub(crate) fn day(date: &str) -> &str {
    match date.split_once('T') {
        Some((day, _)) if day.len() == 10 => day,
        _ => date,
    }
}

pub(crate) fn standing(words: &Words, standing: Standing) -> &'static str {
    words.own_code(
        "standing",
        match standing {
            Standing::Supported => "supported",
            Standing::Disputed => "disputed",
            Standing::Refuted => "refuted",
        },
    )
}

pub(crate) fn kind(words: &Words, kind: TimelineKind) -> &'static str {
    words.own_code(
        "event",
        match kind {
            TimelineKind::FirstSeen => "first_seen",
            TimelineKind::Updated => "updated",
            TimelineKind::Corrected => "corrected",
            TimelineKind::Retracted => "retracted",
            TimelineKind::Rejected => "rejected",
            TimelineKind::Restored => "restored",
            TimelineKind::WorkRetracted => "work_retracted",
        },
    )
}

/// What to call a finding where it is referred to.
pub(crate) fn finding_name(words: &Words, number: u32) -> String {
    match number {
        0 => words.hypothesis.to_owned(),
        _ => format!("{} {number}", words.finding),
    }
}

/// A caveat as a sentence.
fn caveat(words: &Words, caveat: &Caveat) -> String {
    match caveat {
        Caveat::LowConfidence { threshold } => {
            fill(words.caveat_low, &[("threshold", &two(*threshold))])
        }
        Caveat::SpeaksAgainst => words.caveat_against.to_owned(),
        Caveat::EvidenceOnBothSides => words.caveat_both.to_owned(),
        Caveat::FewIndependentSources { found, wanted } => {
            let values = [("found", &*found.to_string()), ("wanted", &wanted.to_string())];
            fill(words.caveat_few, &values)
        }
        Caveat::NoPrimarySource => words.caveat_no_primary.to_owned(),
        Caveat::OneNarrative { pages } => {
            fill(words.caveat_one_narrative, &[("pages", &pages.to_string())])
        }
        Caveat::RetractedSource { sources } => {
            fill(words.caveat_retracted, &[("sources", &marks(words, sources))])
        }
        Caveat::Withdrawn => words.caveat_withdrawn.to_owned(),
    }
}

pub(crate) fn improvement(words: &Words, improvement: &Improvement) -> String {
    match improvement {
        Improvement::MoreSupport { passages, certainty, threshold } => fill(
            words.improve_support,
            &[
                ("passages", &passages.to_string()),
                ("certainty", &two(*certainty)),
                ("threshold", &two(*threshold)),
            ],
        ),
        Improvement::MoreIndependentSources { more } => {
            fill(words.improve_sources, &[("more", &more.to_string())])
        }
        Improvement::PrimarySource => words.improve_primary.to_owned(),
        Improvement::SettleDispute => words.improve_settle.to_owned(),
    }
}

/// The years of one side: `2015, 2019, year unknown`.
pub(crate) fn years(words: &Words, years: &[i32], undated: u32) -> String {
    let known = years.iter().map(i32::to_string);
    let unknown = (undated > 0).then(|| words.unknown_year.to_owned());
    known.chain(unknown).collect::<Vec<_>>().join(words.comma)
}

pub(crate) fn gap(words: &Words, dispute: &Dispute) -> String {
    match dispute.year_gap {
        None => words.gap_unknown.to_owned(),
        Some(0) => words.gap_same.to_owned(),
        Some(gap) => {
            let template = if gap > 0 { words.gap_newer } else { words.gap_older };
            fill(template, &[("years", &gap.unsigned_abs().to_string())])
        }
    }
}

/// The years a finding's evidence spans.
pub(crate) fn span(words: &Words, finding: &Finding) -> String {
    match (finding.oldest_year, finding.newest_year) {
        (Some(oldest), Some(newest)) if oldest == newest => oldest.to_string(),
        (Some(oldest), Some(newest)) => format!("{oldest}–{newest}"),
        _ => words.unknown_year.to_owned(),
    }
}

/// Where the bytes lie, in one line without markup.
pub(crate) fn archive(words: &Words, archive: Option<&ArchiveReference>) -> String {
    let Some(archive) = archive else { return words.no_archive.to_owned() };
    let parts = [&archive.record_id, &archive.file, &archive.digest];
    let name = parts.into_iter().flatten().next();
    name.map_or_else(|| words.no_archive.to_owned(), Clone::clone)
}

/// Everything about a quote beside its words and source, as plain parts.
pub(crate) fn evidence_facts(words: &Words, evidence: &Evidence) -> Vec<String> {
    let mut facts = vec![words.code("category", evidence.category.as_str()).to_owned()];
    match (&evidence.published_at, evidence.year) {
        (Some(date), _) => facts.push(format!("{} {}", words.published, day(date))),
        (None, Some(year)) => facts.push(year.to_string()),
        (None, None) => facts.push(words.unknown_year.to_owned()),
    }
    facts.extend(evidence.retracted_at.map(|at| retracted(words, at)));
    facts.push(fill(words.judged, &[("certainty", &two(evidence.nli_confidence))]));
    if evidence.human_corrected {
        facts.push(words.corrected_by_person.to_owned());
    }
    if evidence.flagged {
        facts.push(words.flagged.to_owned());
    }
    if evidence.is_origin {
        facts.push(words.origin.to_owned());
    }
    facts.push(format!("{} {}", words.found_at, time(evidence.found_at)));
    facts
}

pub(crate) fn retracted(words: &Words, noted: Timestamp) -> String {
    let noted = noted.to_string();
    fill(words.retracted_on, &[("date", day(&noted))])
}

/// Why something happened: a code in words, or what a person or a notice said.
pub(crate) fn why<'t>(words: &Words, reason: Option<&'t str>) -> Option<&'t str> {
    reason.map(|it| words.code("why", it))
}

/// The events that are written out, by date: what was withdrawn, then the lives of the first findings. That the
/// passage a claim was taken from supports it is no news.
pub(crate) fn events(report: &Report) -> (Vec<&TimelineEvent>, u32) {
    let events = &report.timeline.events;
    let first: BTreeSet<(Option<u32>, Option<u32>)> = events
        .iter()
        .filter(|it| it.kind == TimelineKind::FirstSeen)
        .map(|it| (it.finding, it.source))
        .collect();
    let news = |it: &&TimelineEvent| {
        it.kind != TimelineKind::Updated || !first.contains(&(it.finding, it.source))
    };
    let mut chosen: Vec<(usize, &TimelineEvent)> = events.iter().filter(news).enumerate().collect();
    let usual =
        |it: &TimelineEvent| matches!(it.kind, TimelineKind::FirstSeen | TimelineKind::Updated);
    chosen.sort_by_key(|(place, it)| (usual(it), it.finding, *place));
    let left_out = chosen.len().saturating_sub(MAX_EVENTS);
    chosen.truncate(MAX_EVENTS);
    chosen.sort_by_key(|it| it.0);
    (chosen.into_iter().map(|it| it.1).collect(), left_out as u32)
}

/// A title, or what stands for one.
pub(crate) fn title<'t>(title: Option<&'t str>, url: &'t str) -> &'t str {
    title.map(str::trim).filter(|it| !it.is_empty()).unwrap_or(url)
}

/// The line that says how a claim stands, without its sources.
pub(crate) fn numbers(words: &Words, finding: &Finding) -> Vec<(&'static str, String)> {
    let it = &finding.confidence;
    vec![
        (words.confidence, figure(it.confidence, it.uncertainty)),
        (words.controversy, two(it.controversy)),
        (words.independent_sources, finding.independent_sources.to_string()),
        (words.years, span(words, finding)),
        (words.verification, verification(words, finding)),
    ]
}

/// How far the sources were checked against each other, and the fact behind it.
fn verification(words: &Words, finding: &Finding) -> String {
    let status = words.code("verification", finding.verification.as_str());
    match &finding.verification_reason {
        None => status.to_owned(),
        Some(reason) => {
            let reason = words.code("verification", reason);
            format!("{status}{}{reason}{}", words.open, words.close)
        }
    }
}

/// The big numbers of the report, each with what it counts.
pub(crate) fn glance(words: &Words, report: &Report) -> Vec<(String, String)> {
    let it = &report.summary;
    let of = |n: u32, total: u32| {
        fill(words.of, &[("n", &n.to_string()), ("total", &total.to_string())])
    };
    let threshold = two(it.min_confidence);
    let wanted = it.wanted_sources.to_string();
    vec![
        (
            of(it.confident_findings, it.findings),
            fill(words.glance_confident, &[("threshold", &threshold)]),
        ),
        (
            of(it.well_sourced_findings, it.findings),
            fill(words.glance_well_sourced, &[("wanted", &wanted)]),
        ),
        (it.disputes.to_string(), words.glance_disputes.to_owned()),
        (it.sources.to_string(), words.glance_sources.to_owned()),
        (it.primary_sources.to_string(), words.glance_primary.to_owned()),
        (it.pages_read.to_string(), words.glance_read.to_owned()),
        (it.pages_missed.to_string(), words.glance_missed.to_owned()),
        (it.retractions.to_string(), words.glance_retractions.to_owned()),
    ]
}

/// What a reader must know before relying on the numbers.
pub(crate) fn reliability(words: &Words, report: &Report) -> Vec<String> {
    let mut lines: Vec<String> =
        words.reliability_lines.iter().map(|it| (*it).to_owned()).collect();
    let it = &report.summary;
    lines.push(fill(words.reliability_order, &[("threshold", &two(it.min_confidence))]));
    if it.judgements > 0 {
        let values =
            [("n", &*it.corrected_judgements.to_string()), ("total", &it.judgements.to_string())];
        lines.push(fill(words.reliability_corrected, &values));
    }
    lines
}

/// Names and values of the method, below the searches.
pub(crate) fn method(words: &Words, report: &Report) -> Vec<(&'static str, Vec<String>)> {
    let it = &report.method;
    let budget = &it.budget;
    let mut spent = vec![
        fill(
            words.budget_pages,
            &[("used", &budget.pages_used.to_string()), ("limit", &budget.pages_limit.to_string())],
        ),
        fill(
            words.budget_time,
            &[
                ("used", &format!("{:.0}", budget.seconds_used)),
                ("limit", &budget.seconds_limit.to_string()),
            ],
        ),
    ];
    if budget.llm_seconds > 0.0 {
        let used = format!("{:.0}", budget.llm_seconds);
        spent.push(fill(words.budget_llm, &[("used", &used)]));
    }
    let engines = it.engines.iter().map(|it| {
        let (results, pages) = (it.results.to_string(), it.pages.to_string());
        let values = [("name", &*it.name), ("results", &results), ("pages", &pages)];
        let line = fill(words.engine_line, &values);
        match words.told(it.problem.as_deref()) {
            Some(problem) => format!("{line}{}{problem}{}", words.open, words.close),
            None => line,
        }
    });
    let requests = match it.requests.count {
        0 => words.requests_none.to_owned(),
        count => fill(
            words.requests_line,
            &[
                ("count", &count.to_string()),
                ("hosts", &it.requests.hosts.to_string()),
                ("sent", &it.requests.bytes_sent.to_string()),
                ("received", &it.requests.bytes_received.to_string()),
            ],
        ),
    };
    let models = it.models.iter().map(|it| {
        let role = words.code("role", &it.role);
        let uses = it.uses.to_string();
        fill(words.model_line, &[("role", role), ("name", &it.name), ("uses", &uses)])
    });
    let mut versions = vec![fill(
        words.versions_line,
        &[("version", &it.lyra_version), ("schema", &it.schema_version.to_string())],
    )];
    if let Some(fingerprint) = &it.graph_fingerprint {
        versions.push(fill(words.fingerprint, &[("fingerprint", fingerprint)]));
    }
    versions.push(fill(words.log_line, &[("n", &it.logged_events.to_string())]));
    vec![
        (words.budget, spent),
        (words.engines, or_none(words.none, engines.collect())),
        (words.requests, vec![requests]),
        (words.models, or_none(words.models_none, models.collect())),
        (words.versions, versions),
    ]
}

fn or_none(none: &str, list: Vec<String>) -> Vec<String> {
    if list.is_empty() { vec![none.to_owned()] } else { list }
}

/// How the task stands, and why it stopped.
pub(crate) fn status(words: &Words, report: &Report) -> String {
    let status = words.code("status", report.task_status.as_str());
    match report.stop_reason.as_deref().map(|it| words.code("stop", it)) {
        Some(reason) if reason != status => {
            format!("{status}{}{reason}{}", words.open, words.close)
        }
        _ => status.to_owned(),
    }
}

/// The first numbers that are marked behind a sentence, in order, and how many more there are.
pub(crate) fn marked(numbers: &[u32]) -> (Vec<u32>, usize) {
    let mut shown = numbers[..numbers.len().min(MAX_MARKS)].to_vec();
    shown.sort_unstable();
    (shown, numbers.len().saturating_sub(MAX_MARKS))
}

/// `[1][2]`, bounded.
pub(crate) fn marks(words: &Words, numbers: &[u32]) -> String {
    let (shown, more) = marked(numbers);
    let marks: String = shown.iter().map(|it| format!("[{it}]")).collect();
    match more {
        0 => marks,
        more => format!("{marks} {}", fill(words.more, &[("n", &more.to_string())])),
    }
}

/// What limits a finding, in one line.
pub(crate) fn caveats(words: &Words, list: &[Caveat]) -> String {
    let list: Vec<String> = list.iter().map(|it| caveat(words, it)).collect();
    sentences(words, &list)
}

/// What to say before the lines of the answer; nothing where it has none and a hypothesis stands alone.
pub(crate) fn answer_note(words: &Words, report: &Report) -> Option<String> {
    let threshold = report.summary.min_confidence;
    match report.answer.first() {
        None if report.findings.is_empty() => None,
        None => Some(words.answer_only_refuted.to_owned()),
        Some(_) if report.answer.iter().all(|it| it.confidence < threshold) => {
            Some(fill(words.answer_weak, &[("threshold", &two(threshold))]))
        }
        Some(_) => Some(words.answer_note.to_owned()),
    }
}

/// What was found on a flagged page, and whether it had influence.
pub(crate) fn security(words: &Words, page: &FlaggedPage) -> Vec<String> {
    let (visible, hidden) = (page.visible_places.to_string(), page.hidden_places.to_string());
    let rules = page.rules.join(words.comma);
    let values = [("visible", &*visible), ("hidden", &*hidden), ("rules", &*rules)];
    let mut facts = vec![fill(words.security_places, &values)];
    facts.push(match page.influenced_judgements {
        0 => words.security_no_influence.to_owned(),
        count => fill(words.security_influence, &[("n", &count.to_string())]),
    });
    if page.other_judgements > 0 {
        facts.push(fill(words.security_other, &[("n", &page.other_judgements.to_string())]));
    }
    facts
}

pub(crate) fn narratives(words: &Words, it: &Narratives) -> String {
    let (pages, clusters) = (it.pages.to_string(), it.clusters.to_string());
    let (share, limit) = (percent(it.largest_share), percent(it.limit));
    let values = [("pages", &*pages), ("clusters", &*clusters), ("share", &*share)];
    let found = fill(words.narratives_note, &values);
    let limit = match it.above_limit {
        true => fill(words.narratives_above, &[("limit", &limit)]),
        false => fill(words.narratives_below, &[("limit", &limit)]),
    };
    sentences(words, &[found, limit])
}

/// Sentences in a row; Japanese has no space between them.
fn sentences(words: &Words, sentences: &[String]) -> String {
    let space = if words.stop == "." { " " } else { "" };
    sentences.join(space)
}

pub(crate) fn unsatisfied(words: &Words, search: &UnsatisfiedSearch) -> Vec<String> {
    let mut facts = vec![words.code("search", search.status.as_str()).to_owned()];
    if let Some(reason) = &search.stop_reason {
        facts.push(words.code("stop", reason).to_owned());
    }
    facts.push(format!("{} {}", words.satisfaction, option(search.satisfaction)));
    if let Some(count) = search.independent_sources {
        facts.push(format!("{} {count}", words.independent_sources));
    }
    facts
}

/// Where an engine listed a candidate.
pub(crate) fn place(words: &Words, it: &Unread) -> String {
    let rank = it.rank.to_string();
    let query = format!("{}{}{}", words.quote_open, it.query, words.quote_close);
    fill(words.rank_line, &[("engine", &it.engine), ("rank", &rank), ("query", &query)])
}

/// Everything about a source beside its title and address.
pub(crate) fn source_facts(words: &Words, source: &Source) -> Vec<String> {
    let mut facts = vec![words.code("category", source.category.as_str()).to_owned()];
    facts.extend(source.author.clone());
    facts.extend(source.venue.clone());
    match (&source.published_at, source.year) {
        (Some(date), _) => facts.push(format!("{} {}", words.published, day(date))),
        (None, Some(year)) => facts.push(year.to_string()),
        (None, None) => facts.push(words.unknown_year.to_owned()),
    }
    facts.extend(source.doi.as_ref().map(|it| format!("doi:{it}")));
    facts.extend(source.retracted_at.map(|at| retracted(words, at)));
    if source.flagged {
        facts.push(words.flagged.to_owned());
    }
    facts.push(format!("{} {}", words.found_at, time(source.found_at)));
    facts.push(format!("{} {}", words.archive, archive(words, source.archive.as_ref())));
    facts
}
