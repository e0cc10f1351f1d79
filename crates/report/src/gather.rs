//! Reading the graph of a task into a [`Report`].
//!
//! Every number is derived from the rows each time, in a fixed order: the same graph and options give the
//! same report.

mod about;
mod documents;
mod draft;
mod findings;
mod history;
mod method;
mod narratives;
mod order;
mod pages;
mod quote;
mod security;
mod verdict;

use evidence::TaskId;
use graph::{EvidenceMaterial, Reader};

use crate::ReportSettings;
use crate::report::{
    AnswerLine, Caveat, Dispute, FORMAT, Finding, Hypothesis, Language, LeftOut, Report, SetAside,
    SetAsideReason, Standing, State, Summary,
};

use about::Subject;
use findings::{Judged, judged_claims, rounded};
use pages::Pages;

pub(crate) use verdict::span_of_years;
pub use verdict::verdict;

/// How the engine marks the claim that represents a task's hypothesis.
const HYPOTHESIS: &str = "hypothesis";

/// Says what the graph holds on a task.
pub fn gather(
    reader: &Reader<'_>,
    task: TaskId,
    options: &ReportSettings,
) -> graph::Result<Report> {
    let materials = reader.materials_of(task)?;
    let mut pages = Pages::new(&materials.pages, Language::of(&materials.task.query));
    let language = options.language.unwrap_or_else(|| Language::of(&materials.task.query));

    let claims = judged_claims(&materials, &pages);
    let (hypotheses, claims): (Vec<_>, Vec<_>) =
        claims.into_iter().partition(|it| is_hypothesis(it.claim));
    let claims = order::best_first(claims, &Subject::of(&materials), options);
    let summary = summed(&claims, options);
    let counted = countable(&materials).filter(|it| !is_hypothesis(it)).count();
    let shown = order::written_out(&claims, options.max_findings);

    // What is read first is numbered first.
    let tested =
        hypotheses.first().filter(|it| verdict::not_judged(&it.claim.text, true).is_none());
    let judged_hypothesis = tested.map(|it| it.finding(0, &mut pages, options));
    let findings: Vec<Finding> =
        (1..).zip(&shown).map(|(number, it)| it.finding(number, &mut pages, options)).collect();
    let draft = draft::draft(reader, &materials, &mut pages)?;
    let hypothesis_id = materials.claims.iter().find(|it| is_hypothesis(it)).map(|it| it.id);
    let turned = judge::Question::read(&materials.task.query).statement();
    let hypothesis = materials.task.hypothesis.clone().map(|text| Hypothesis {
        from_question: turned.as_ref() == Some(&text),
        text,
        judged: judged_hypothesis,
    });
    let read = pages.documents(&materials.evidence).len();
    let verdict = match &hypothesis {
        Some(it) => {
            let of_it = |it: &&EvidenceMaterial| Some(it.claim_id) == hypothesis_id;
            let judgements: Vec<_> = materials.evidence.iter().filter(of_it).collect();
            Some(verdict::verdict_on(&it.text, &judgements, read > 0, &pages, language))
        }
        None => verdict::without_statement(&materials.task.query),
    };

    let judged: Vec<&Finding> =
        findings.iter().chain(hypothesis.iter().filter_map(|it| it.judged.as_ref())).collect();
    let used: Vec<&Judged<'_>> = shown.iter().copied().chain(tested).collect();
    let timeline = history::timeline(&materials, &used, &judged, &mut pages);
    let retractions = history::retractions(&timeline, &judged, &pages);
    let narratives = narratives::narratives(&used, &pages, options);
    let sources = pages.sources(&judged, &used);
    let (chains, chains_left_out) =
        limited(pages.chains(&materials, options.max_chain_steps), options.max_list);
    let security = security::flagged_pages(&materials, &pages);
    let missed = method::missed(&materials, &pages);
    let pages_missed = missed.len() as u32;
    let (missed, missed_left_out) = limited(missed, options.max_list);
    let (unread, unread_left_out) = limited(method::unread(&materials, &pages), options.max_unread);
    let stated = hypothesis_id.zip(hypothesis.as_ref().map(|it| &*it.text));
    let documents = documents::documents(&materials, stated, &findings, &pages);
    let (documents, documents_left_out) = limited(documents, options.max_list);
    let (set_aside, set_aside_left_out) = limited(set_aside(&materials), options.max_list);
    let (copied, narratives_left_out) = limited(narratives.copied, options.max_list);
    let disputes = disputes(&judged);

    let nothing = judged.is_empty() && draft.as_ref().is_none_or(|it| it.sentences.is_empty());
    Ok(Report {
        format: FORMAT,
        task_id: task,
        language,
        state: if nothing { State::NothingFound } else { State::Found },
        task_status: materials.task.status,
        stop_reason: materials.task.stop_reason.clone(),
        started_at: materials.task.created_at,
        stopped_at: materials.task.stopped_at,
        generated_at: options.generated_at,
        summary: Summary {
            disputes: disputes.len() as u32,
            sources: sources.len() as u32,
            primary_sources: sources.iter().filter(|it| it.primary).count() as u32,
            pages_read: read as u32,
            pages_missed,
            flagged_pages: security.len() as u32,
            retractions: retractions.len() as u32,
            ..summary
        },
        answer: answer(&findings, &shown, hypothesis.is_none(), options),
        verdict,
        documents,
        left_out: LeftOut {
            documents: documents_left_out,
            findings: (claims.len() - shown.len()) as u32,
            claims_without_evidence: (counted - claims.len()) as u32,
            missed: missed_left_out,
            unread: unread_left_out,
            set_aside: set_aside_left_out,
            chains: chains_left_out,
            narratives: narratives_left_out,
        },
        method: method::method(&materials, options),
        unsatisfied: method::unsatisfied(&materials),
        question: materials.task.query.clone(),
        narratives: crate::Narratives { copied, ..narratives },
        hypothesis,
        draft,
        findings,
        disputes,
        timeline,
        retractions,
        security,
        chains,
        set_aside,
        missed,
        unread,
        sources,
    })
}

fn is_hypothesis(claim: &graph::ClaimMaterial) -> bool {
    claim.extraction_method.as_deref() == Some(HYPOTHESIS)
}

/// The claims that count: neither set aside by a person nor dangerous.
fn countable(materials: &graph::TaskMaterials) -> impl Iterator<Item = &graph::ClaimMaterial> {
    let counts = |it: &&graph::ClaimMaterial| {
        it.adoption == evidence::Adoption::Adopted && !it.security_rejected
    };
    materials.claims.iter().filter(counts)
}

fn set_aside(materials: &graph::TaskMaterials) -> Vec<SetAside> {
    let aside = materials.claims.iter().filter_map(|claim| {
        let (text, reason) = if claim.security_rejected {
            (String::new(), SetAsideReason::Dangerous)
        } else if claim.adoption == evidence::Adoption::NotAdopted {
            (claim.text.clone(), SetAsideReason::NotAdopted)
        } else {
            return None;
        };
        Some(SetAside { claim_id: claim.id, text, reason, detail: claim.rejection_reason.clone() })
    });
    aside.collect()
}

fn limited<T>(mut list: Vec<T>, limit: usize) -> (Vec<T>, u32) {
    let left_out = list.len().saturating_sub(limit);
    list.truncate(limit);
    (list, left_out as u32)
}

/// The part of the summary that is about all findings, shown or not.
fn summed(claims: &[Judged<'_>], options: &ReportSettings) -> Summary {
    let count =
        |wanted: &dyn Fn(&Judged<'_>) -> bool| claims.iter().filter(|it| wanted(it)).count() as u32;
    let judgements = || claims.iter().flat_map(|it| &it.judgements);
    Summary {
        findings: claims.len() as u32,
        min_confidence: options.min_confidence,
        confident_findings: count(&|it| it.is_confident(options)),
        wanted_sources: options.wanted_sources,
        well_sourced_findings: count(&|it| it.independent_sources() >= options.wanted_sources),
        judgements: judgements().count() as u32,
        corrected_judgements: judgements().filter(|it| it.human_corrected).count() as u32,
        ..Summary::default()
    }
}

/// The first findings about the question that more speaks for than against; for an open question, where the list is the
/// answer, twice as many. Where documents take a side on the hypothesis, they answer. Each line carries its caveats with
/// it; what was withdrawn is no answer.
fn answer(
    findings: &[Finding],
    shown: &[&Judged<'_>],
    is_open: bool,
    options: &ReportSettings,
) -> Vec<AnswerLine> {
    let answers = |(finding, judged): &(&Finding, &&Judged<'_>)| {
        judged.about_question
            && finding.standing != Standing::Refuted
            && rounded(finding.confidence.confidence) >= 0.5
            && !finding.caveats.contains(&Caveat::Withdrawn)
    };
    let line = |(finding, _): (&Finding, &&Judged<'_>)| AnswerLine {
        finding: finding.number,
        text: finding.text.clone(),
        confidence: finding.confidence.confidence,
        uncertainty: finding.confidence.uncertainty,
        independent_sources: finding.independent_sources,
        standing: finding.standing,
        supported_by: finding.supported_by.clone(),
        refuted_by: finding.refuted_by.clone(),
        caveats: finding.caveats.clone(),
    };
    let most = if is_open { 2 * options.answer_lines } else { options.answer_lines };
    let mut lines: Vec<(&Finding, &&Judged<'_>)> =
        findings.iter().zip(shown).filter(answers).collect();
    if lines.iter().any(|it| it.1.of_decider) {
        lines.retain(|it| it.1.of_decider);
    }
    lines.into_iter().take(most).map(line).collect()
}

/// The claims with evidence on both sides, the most even first.
fn disputes(judged: &[&Finding]) -> Vec<Dispute> {
    let mut disputes: Vec<Dispute> = judged
        .iter()
        .filter(|it| it.standing == Standing::Disputed)
        .map(|finding| {
            let side = |side: &[crate::Evidence]| {
                let mut years: Vec<i32> = side.iter().filter_map(|it| it.year).collect();
                years.sort_unstable();
                years.dedup();
                (years, side.iter().filter(|it| it.year.is_none()).count() as u32)
            };
            let (supporting_years, supporting_undated) = side(&finding.supporting);
            let (refuting_years, refuting_undated) = side(&finding.refuting);
            let newest = |years: &[i32]| years.last().copied();
            Dispute {
                finding: finding.number,
                text: finding.text.clone(),
                confidence: finding.confidence.confidence,
                uncertainty: finding.confidence.uncertainty,
                controversy: finding.confidence.controversy,
                supported_by: finding.supported_by.clone(),
                refuted_by: finding.refuted_by.clone(),
                year_gap: newest(&refuting_years)
                    .zip(newest(&supporting_years))
                    .map(|(refuting, supporting)| refuting - supporting),
                supporting_years,
                refuting_years,
                supporting_undated,
                refuting_undated,
            }
        })
        .collect();
    disputes.sort_by(|a, b| {
        b.controversy.total_cmp(&a.controversy).then_with(|| a.finding.cmp(&b.finding))
    });
    disputes
}
