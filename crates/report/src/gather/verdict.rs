//! The verdict on a hypothesis: what its independent sources say, or why nothing can be said.

use evidence::{Relation, StatementKind, TaskId, Uncounted, Verdict};
use graph::{EvidenceMaterial, Reader};
use judge::{NotJudgeable, Question, judgeable};

use super::findings::{Passage, counted_confidence, sides, takes_side};
use super::pages::{Pages, document_title, year_of};
use super::quote::quote;
use crate::report::{BestPassage, Language, NotEnough, TaskVerdict};
use crate::words::{Words, fill};

/// Characters of the passage of a side.
const BEST_CHARS: usize = 320;

/// The verdict on the hypothesis of a task, without the rest of its report; nothing where nothing was asked that has one.
pub fn verdict(reader: &Reader<'_>, task: TaskId) -> graph::Result<Option<TaskVerdict>> {
    let known = reader.task(task)?;
    let Some(statement) = &known.hypothesis else { return Ok(without_statement(&known.query)) };
    let materials = match reader.hypothesis_of(task)? {
        Some(claim) => reader.materials_of_claim(claim)?,
        None => graph::ClaimMaterials { evidence: Vec::new(), pages: Vec::new() },
    };
    let judgements: Vec<&EvidenceMaterial> = materials.evidence.iter().collect();
    let was_read = !judgements.is_empty() || reader.task_counts(task)?.pages > 0;
    let language = Language::of(&known.query);
    let pages = Pages::new(&materials.pages, language);
    Ok(Some(verdict_on(statement, &judgements, was_read, &pages, language)))
}

/// The verdict on a statement from all that was judged against it.
pub(super) fn verdict_on(
    statement: &str,
    judgements: &[&EvidenceMaterial],
    was_read: bool,
    pages: &Pages<'_>,
    language: Language,
) -> TaskVerdict {
    let (supporting, refuting) = sides(judgements, pages);
    let reason = not_judged(statement, !supporting.is_empty() || !refuting.is_empty())
        .or_else(|| not_enough(judgements, was_read, pages));
    if let Some(reason) = reason {
        return no_verdict(language, reason);
    }
    let best =
        |side: &[Passage<'_>]| best(side, pages).map(|it| best_passage(it, statement, pages));
    let mut verdict = TaskVerdict {
        verdict: Verdict::of(&counted_confidence(judgements)),
        sentence: String::new(),
        reason: None,
        supporting_sources: supporting.len() as u32,
        refuting_sources: refuting.len() as u32,
        supporting_years: years(&supporting),
        refuting_years: years(&refuting),
        best_supporting: best(&supporting),
        best_refuting: best(&refuting),
    };
    verdict.sentence = sentence(language, &verdict);
    verdict
}

/// A question for yes or no that could not be turned into a statement has no verdict, and is told so.
pub(super) fn without_statement(question: &str) -> Option<TaskVerdict> {
    let is_unclear = Question::read(question) == Question::Unclear;
    is_unclear.then(|| no_verdict(Language::of(question), NotEnough::Unclear))
}

fn no_verdict(language: Language, reason: NotEnough) -> TaskVerdict {
    TaskVerdict {
        verdict: Verdict::NotEnough,
        sentence: not_enough_sentence(language, reason),
        reason: Some(reason),
        supporting_sources: 0,
        refuting_sources: 0,
        supporting_years: None,
        refuting_years: None,
        best_supporting: None,
        best_refuting: None,
    }
}

/// Why a text is nothing that sources could support or refute. A model the user installed may read a language that the
/// built-in ones do not: then something takes a side.
pub(super) fn not_judged(statement: &str, takes_side: bool) -> Option<NotEnough> {
    match judgeable(statement).err()? {
        NotJudgeable::Empty => Some(NotEnough::Empty),
        NotJudgeable::Question => Some(NotEnough::Question),
        NotJudgeable::List => Some(NotEnough::List),
        NotJudgeable::Language(_) => (!takes_side).then_some(NotEnough::Language),
    }
}

fn not_enough(
    judgements: &[&EvidenceMaterial],
    was_read: bool,
    pages: &Pages<'_>,
) -> Option<NotEnough> {
    let is_about = |it: &&&EvidenceMaterial| it.uncounted != Some(Uncounted::NotAbout);
    if !takes_side(judgements, None, pages).is_empty() {
        None
    } else if !takes_side(judgements, Some(Uncounted::Retracted), pages).is_empty() {
        Some(NotEnough::Retracted)
    } else if judgements.iter().any(|it| is_about(&it)) {
        Some(NotEnough::NoSide)
    } else if was_read {
        Some(NotEnough::NotAbout)
    } else {
        Some(NotEnough::NothingRead)
    }
}

/// The passage of a side to read first: what a person decided, then conclusions, then what is in the language of the
/// question, then the surest.
fn best<'s, 'm>(side: &'s [Passage<'m>], pages: &Pages<'_>) -> Option<&'s Passage<'m>> {
    side.iter().max_by(|a, b| {
        let key = |it: &Passage<'_>| {
            let is_conclusion = it.judgement.statement_kind == Some(StatementKind::Conclusion);
            let is_own = !pages.is_foreign(it.judgement.text.as_deref());
            (it.judgement.human_corrected, is_conclusion, is_own)
        };
        key(a)
            .cmp(&key(b))
            .then_with(|| a.judgement.nli_confidence.total_cmp(&b.judgement.nli_confidence))
            // Of equal ones the first.
            .then_with(|| b.judgement.edge_id.cmp(&a.judgement.edge_id))
    })
}

fn best_passage(passage: &Passage<'_>, statement: &str, pages: &Pages<'_>) -> BestPassage {
    let (judgement, page) = (passage.judgement, passage.page);
    let quote = quote(judgement.text.as_deref().unwrap_or_default(), None, statement, BEST_CHARS);
    BestPassage {
        source: pages.cited_number(&page.url),
        quote: quote.text.to_owned(),
        cut_before: quote.cut_before,
        cut_after: quote.cut_after,
        title: document_title(page),
        url: page.url.clone(),
        year: year_of(page),
    }
}

fn years(side: &[Passage<'_>]) -> Option<(i32, i32)> {
    let years = || side.iter().filter_map(|it| year_of(it.page));
    years().min().zip(years().max())
}

fn not_enough_sentence(language: Language, reason: NotEnough) -> String {
    let words = Words::of(language);
    let verdict = words.codes.verdict.word(Verdict::NotEnough.as_str());
    let reason = words.codes.not_enough.word(reason.code());
    fill(&words.verdict_not_enough, &[("verdict", verdict), ("reason", reason)])
}

/// `Refuted: 1 independent source supports it (2011), 3 refute it (2014–2021).`
fn sentence(language: Language, verdict: &TaskVerdict) -> String {
    let words = Words::of(language);
    let side = |relation, sources: u32, years: Option<(i32, i32)>| {
        let (some, none) = match relation {
            Relation::Supports => (&words.verdict_supports, &words.verdict_supports_none),
            _ => (&words.verdict_refutes, &words.verdict_refutes_none),
        };
        if sources == 0 {
            return none.clone();
        }
        let years = years.map_or_else(String::new, |years| {
            fill(&words.verdict_years, &[("years", &span_of_years(years))])
        });
        fill(some.of(sources), &[("n", &sources.to_string()), ("years", &years)])
    };
    let supports = side(Relation::Supports, verdict.supporting_sources, verdict.supporting_years);
    let refutes = side(Relation::Refutes, verdict.refuting_sources, verdict.refuting_years);
    let name = words.codes.verdict.word(verdict.verdict.as_str());
    let values = [("verdict", name), ("supports", &*supports), ("refutes", &*refutes)];
    fill(&words.verdict_line, &values)
}

/// `2014–2021`, or the one year.
pub(crate) fn span_of_years((oldest, newest): (i32, i32)) -> String {
    match oldest == newest {
        true => oldest.to_string(),
        false => format!("{oldest}–{newest}"),
    }
}
