//! `lyra claims`: what is claimed in a task, and what the evidence says.

use std::collections::HashMap;

use clap::{Args, ValueEnum};
use evidence::{Adoption, ClaimId, TaskId};
use graph::TaskClaim;
use report::Language;
use serde::Serialize;

use super::ids::{OneTask, has_one_source, listed_claims, place, short, surest_first};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Layout, Table};
use crate::words::Words;

/// Lines a claim may take on a terminal.
const CLAIM_LINES: usize = 3;

/// Show what is claimed in a task, and how sure that is
///
/// Confidence is what the independent sources for (+) and against (-) a claim add up to, from 0 to 1, with its
/// uncertainty (±); what nobody but its own source speaks of has one source and no number. Controversy is the share of
/// the weaker side: 0 when one-sided, 0.5 when even.
/// Claims that people set aside are listed too, and marked.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra claims
  lyra claims task:2 --sort controversy --limit 10
  lyra claims latest --all --json

Next: `lyra evidence claim:1` shows what supports and refutes one of them. Places are those of the newest task.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    task: OneTask,
    /// What to put first: the largest of these
    #[arg(long, value_enum, default_value_t = Sort::Confidence)]
    sort: Sort,
    /// Only claims that count
    #[arg(long, conflicts_with = "not_adopted")]
    adopted: bool,
    /// Only claims that people set aside
    #[arg(long)]
    not_adopted: bool,
    /// Show at most N claims [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = super::at_least_one)]
    limit: Option<usize>,
    /// Show all claims
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Sort {
    Confidence,
    Controversy,
    Uncertainty,
}

/// Where claims stand in the list of the newest task, by which they can be named.
type Places = HashMap<ClaimId, usize>;

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let task = self.task.find(graph)?;
        let (listed, newest) =
            ask(graph, |r| Ok((listed_claims(r, task)?, r.newest::<TaskId>(0, 1)?)))?;
        // Places are those of the whole list, whatever is shown of it.
        let is_newest = newest.first().is_some_and(|it| it.id == task);
        let places: Option<Places> =
            is_newest.then(|| listed.iter().map(|it| it.claim.id).zip(0..).collect());
        let mut claims = self.chosen(listed);
        let total = claims.len();
        if !self.all {
            claims.truncate(self.limit.unwrap_or(session.settings.output.rows));
        }
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Claims {
                task_id: TaskId,
                total: usize,
                claims: Vec<TaskClaim>,
            }
            return session.ui.document(&Claims { task_id: task, total, claims });
        }
        session.ui.speak(Language::of(&ask(graph, |r| r.task(task))?.query));
        let words = session.ui.words();
        if claims.is_empty() {
            session.ui.note(words.task.no_claims.as_str());
            return Ok(());
        }
        let layout = session.ui.layout(CLAIM_LINES);
        session.ui.print(&rendered(words, &claims, places.as_ref(), layout))?;
        super::note_rest(&session.ui, claims.len(), total, &words.rest.claims);
        Ok(())
    }

    /// The claims asked for, in the order asked for; equals stay in the order they are listed in.
    fn chosen(&self, mut claims: Vec<TaskClaim>) -> Vec<TaskClaim> {
        claims.retain(|listed| match listed.claim.claim_adoption_status {
            Adoption::Adopted => !self.not_adopted,
            Adoption::NotAdopted => !self.adopted,
        });
        let most = |measure: fn(&TaskClaim) -> f64| {
            move |a: &TaskClaim, b: &TaskClaim| measure(b).total_cmp(&measure(a))
        };
        match self.sort {
            Sort::Confidence => claims.sort_by(surest_first),
            Sort::Controversy => claims.sort_by(most(|it| it.confidence.controversy)),
            Sort::Uncertainty => claims.sort_by(most(|it| it.confidence.uncertainty)),
        }
        claims
    }
}

fn rendered(
    words: &Words,
    claims: &[TaskClaim],
    places: Option<&Places>,
    layout: Layout,
) -> String {
    let column = &words.column;
    let names = match places {
        Some(_) => vec![Column::exact(&column.claim), Column::exact(&column.id)],
        None => vec![Column::exact(&column.claim)],
    };
    let values = [
        Column::number(&column.confidence),
        Column::number(&column.controversy),
        Column::number("+"),
        Column::number("-"),
        Column::text(&column.text),
    ];
    let mut table = Table::new(names.into_iter().chain(values));
    for it in claims {
        let mark = match it.claim.claim_adoption_status {
            Adoption::Adopted => String::new(),
            Adoption::NotAdopted => format!("[{}] ", words.common.not_adopted.as_str()),
        };
        let place = places.and_then(|them| them.get(&it.claim.id)).map(|at| place::<ClaimId>(*at));
        let values = [
            short(&it.claim.id),
            match has_one_source(it) {
                true => String::from(&words.evidence.one_source),
                false => {
                    format!("{:.2} ±{:.2}", it.confidence.confidence, it.confidence.uncertainty)
                }
            },
            format!("{:.2}", it.confidence.controversy),
            it.support_count.to_string(),
            it.refute_count.to_string(),
            format!("{mark}{}", it.claim.claim_text),
        ];
        table.row(place.into_iter().chain(values));
    }
    table.render(layout)
}

#[cfg(test)]
mod tests {
    use evidence::{Claim, ClaimId, Confidence, EventId, Id, Relation, Verification};
    use jiff::Timestamp;

    use super::*;

    fn claim(
        number: u128,
        text: &str,
        stances: &[(Relation, f64)],
        adopted: Adoption,
    ) -> TaskClaim {
        let count = |wanted| stances.iter().filter(|(it, _)| *it == wanted).count() as u32;
        TaskClaim {
            claim: Claim {
                id: ClaimId::from_parts(1, number),
                task_id: TaskId::from_parts(1, 1),
                claim_text: text.to_owned(),
                language: None,
                origin_fragment_id: None,
                claim_adoption_status: adopted,
                claim_rejection_reason: None,
                claim_rejected_at: None,
                source_verification_status: Verification::Pending,
                created_at: Timestamp::UNIX_EPOCH,
                cause_id: EventId::from_parts(1, 1),
            },
            confidence: Confidence::from_edges(stances.iter().copied()),
            support_count: count(Relation::Supports),
            refute_count: count(Relation::Refutes),
        }
    }

    fn claims() -> Vec<TaskClaim> {
        use Relation::{Refutes, Supports};
        let disputed = [(Supports, 0.9), (Supports, 0.9), (Supports, 0.9), (Refutes, 0.9)];
        vec![
            claim(1, "Costs rose in 2022.", &[(Refutes, 0.8)], Adoption::NotAdopted),
            claim(
                2,
                "太陽光発電の費用は2010年から2020年の間に約八割下がった。",
                &disputed,
                Adoption::Adopted,
            ),
            claim(3, "Wind is cheaper than gas.", &[(Supports, 0.9); 2], Adoption::Adopted),
        ]
    }

    fn order(arguments: &Arguments) -> Vec<String> {
        let chosen = arguments.chosen(claims());
        chosen.iter().map(|it| it.claim.claim_text.chars().take(5).collect()).collect()
    }

    fn arguments(sort: Sort) -> Arguments {
        Arguments {
            task: OneTask::default(),
            sort,
            adopted: false,
            not_adopted: false,
            limit: None,
            all: false,
        }
    }

    #[test]
    fn claims_come_in_the_order_asked_for() {
        assert_eq!(order(&arguments(Sort::Confidence)), ["Wind ", "太陽光発電", "Costs"]);
        assert_eq!(order(&arguments(Sort::Controversy)), ["太陽光発電", "Costs", "Wind "]);
        assert_eq!(order(&arguments(Sort::Uncertainty)), ["Costs", "Wind ", "太陽光発電"]);
    }

    #[test]
    fn what_shows_no_confidence_comes_after_what_shows_some() {
        let mut alone = claim(4, "Tea is cheap.", &[(Relation::Supports, 0.9)], Adoption::Adopted);
        alone.claim.origin_fragment_id = Some(evidence::FragmentId::from_parts(1, 1));
        let sides = [(Relation::Supports, 0.9), (Relation::Refutes, 0.9)];
        let disputed = claim(5, "Tea is dear.", &sides, Adoption::Adopted);
        let chosen = arguments(Sort::Confidence).chosen(vec![alone, disputed]);
        let order: Vec<&str> = chosen.iter().map(|it| it.claim.claim_text.as_str()).collect();
        assert_eq!(order, ["Tea is dear.", "Tea is cheap."]);
    }

    #[test]
    fn claims_set_aside_can_be_asked_for_or_left_out() {
        let only = Arguments { not_adopted: true, ..arguments(Sort::Confidence) };
        assert_eq!(order(&only), ["Costs"]);
        let without = Arguments { adopted: true, ..arguments(Sort::Confidence) };
        assert_eq!(order(&without), ["Wind ", "太陽光発電"]);
    }

    #[test]
    fn what_nobody_else_speaks_of_has_one_source_and_no_number() {
        let mut alone = claim(4, "Tea is cheap.", &[(Relation::Supports, 0.9)], Adoption::Adopted);
        let layout = Layout { width: Some(100), lines: 2, bold: false };
        let shown = |it: &TaskClaim| {
            rendered(Words::of(Language::Ja), std::slice::from_ref(it), None, layout)
        };
        assert!(
            shown(&alone).contains("0.66 ±0.24"),
            "a statement of the user is not its own source"
        );
        alone.claim.origin_fragment_id = Some(evidence::FragmentId::from_parts(1, 1));
        assert!(shown(&alone).contains("情報源一つ"), "{}", shown(&alone));
        assert!(!shown(&alone).contains("0.66"));
    }

    #[test]
    fn claims_set_aside_are_marked() {
        let layout = Layout { width: Some(100), lines: 2, bold: false };
        insta::assert_snapshot!(rendered(Words::of(Language::En), &claims(), None, layout), @"
        CLAIM   CONFIDENCE  CONTROV.  +  -  TEXT
        ─────   ──────────  ────────  ─  ─  ────
        000001  0.36 ±0.25      0.00  0  1  [not adopted] Costs rose in 2022.
        000002  0.66 ±0.18      0.25  3  1  太陽光発電の費用は2010年から2020年の間に約八割下がった。
        000003  0.74 ±0.20      0.00  2  0  Wind is cheaper than gas.
        ");
    }
}
