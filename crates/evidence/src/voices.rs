//! Who is heard on a claim: an independent source has one voice, its most decisive statement.
//!
//! Pages that share a publisher or a story are one source, also over a third page that joins them. Of what a source
//! says about a claim one statement counts; the others stay and say why they do not.

use std::collections::HashMap;

use crate::{Publisher, StatementKind, Uncounted};

/// What supports or refutes a claim, as far as it matters to who is heard.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The page behind it. A statement without one is a source of its own.
    pub origin: Option<StatementOrigin>,
    /// A person said what it means.
    pub is_corrected: bool,
    /// It takes back what its source said before, and is that source's last word.
    pub is_notice: bool,
    pub is_about: bool,
    pub kind: Option<StatementKind>,
    pub certainty: f64,
}

/// Who is behind a page, which story it tells, and whether that was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementOrigin {
    pub publisher: Publisher,
    /// The narrative cluster; a page that repeats no other may have none.
    pub cluster: Option<String>,
    pub is_retracted: bool,
}

impl Statement {
    /// Why it cannot be heard, whatever else its source says. What a person decided about can.
    fn silenced(&self) -> Option<Uncounted> {
        if self.is_corrected {
            return None;
        }
        let is_retracted = self.origin.as_ref().is_some_and(|it| it.is_retracted);
        if !self.is_about {
            Some(Uncounted::NotAbout)
        } else if self.kind.is_some_and(|it| !it.is_evidence()) {
            Some(Uncounted::NoStatement)
        } else if is_retracted && !self.is_notice {
            Some(Uncounted::Retracted)
        } else {
            None
        }
    }

    fn outweighs(&self, other: &Self) -> bool {
        let rank =
            |it: &Self| (it.is_corrected, it.is_notice, it.kind == Some(StatementKind::Conclusion));
        rank(self).cmp(&rank(other)).then(self.certainty.total_cmp(&other.certainty)).is_gt()
    }
}

/// Says of each statement on one claim why it does not count; nothing where it does. Of equals the first is heard.
pub fn uncounted(statements: &[Statement]) -> Vec<Option<Uncounted>> {
    let mut reasons: Vec<Option<Uncounted>> = statements.iter().map(Statement::silenced).collect();
    let mut sources = Sources::new(statements.len());
    let mut publishers: HashMap<&Publisher, usize> = HashMap::new();
    let mut clusters: HashMap<&str, usize> = HashMap::new();
    for (nth, statement) in statements.iter().enumerate() {
        let Some(origin) = statement.origin.as_ref().filter(|_| reasons[nth].is_none()) else {
            continue;
        };
        let first = *publishers.entry(&origin.publisher).or_insert(nth);
        sources.join(nth, first);
        if let Some(cluster) = &origin.cluster {
            let first = *clusters.entry(cluster).or_insert(nth);
            sources.join(nth, first);
        }
    }
    let mut heard: HashMap<usize, usize> = HashMap::new();
    for nth in 0..statements.len() {
        if reasons[nth].is_some() {
            continue;
        }
        let speaker = heard.entry(sources.of(nth)).or_insert(nth);
        if *speaker == nth {
            continue;
        }
        let silent = if statements[nth].outweighs(&statements[*speaker]) {
            std::mem::replace(speaker, nth)
        } else {
            nth
        };
        reasons[silent] = Some(Uncounted::SameVoice);
    }
    reasons
}

/// Statements that are of one source, by the one of them that stands for it.
struct Sources(Vec<usize>);

impl Sources {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn of(&mut self, nth: usize) -> usize {
        let mut at = nth;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, two: usize) {
        let (one, two) = (self.of(one), self.of(two));
        self.0[one.max(two)] = one.min(two);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(domain: &str, cluster: &str, certainty: f64) -> Statement {
        Statement {
            origin: Some(StatementOrigin {
                publisher: Publisher::of_domain(domain),
                cluster: Some(cluster.to_owned()),
                is_retracted: false,
            }),
            is_corrected: false,
            is_notice: false,
            is_about: true,
            kind: None,
            certainty,
        }
    }

    /// One word for each statement: `heard`, or why it is not.
    fn shown(statements: &[Statement]) -> String {
        let words =
            uncounted(statements).into_iter().map(|it| it.map_or("heard", Uncounted::as_str));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_publisher_and_a_story_are_heard_once_each() {
        let publisher = [said("a.example", "x", 0.6), said("a.example", "y", 0.9)];
        assert_eq!(shown(&publisher), "same_voice heard");
        let story = [said("a.example", "x", 0.9), said("b.example", "x", 0.6)];
        assert_eq!(shown(&story), "heard same_voice");
        let apart = [said("a.example", "x", 0.9), said("b.example", "y", 0.6)];
        assert_eq!(shown(&apart), "heard heard");
    }

    #[test]
    fn a_page_that_shares_something_with_two_others_makes_them_one_source() {
        let chain =
            [said("a.example", "x", 0.5), said("b.example", "y", 0.7), said("a.example", "y", 0.6)];
        assert_eq!(shown(&chain), "same_voice heard same_voice");
    }

    #[test]
    fn people_come_before_notices_notices_before_conclusions_and_these_before_certainty() {
        let sure = said("a.example", "x", 0.99);
        let conclusion =
            Statement { kind: Some(StatementKind::Conclusion), ..said("a.example", "x", 0.6) };
        let notice = Statement { is_notice: true, ..said("a.example", "x", 0.5) };
        let corrected = Statement { is_corrected: true, ..said("a.example", "x", 0.4) };
        let all = [sure, conclusion, notice, corrected];
        assert_eq!(shown(&all), "same_voice same_voice same_voice heard");
        assert_eq!(shown(&all[..3]), "same_voice same_voice heard");
        assert_eq!(shown(&all[..2]), "same_voice heard");
    }

    #[test]
    fn of_equals_the_first_is_heard() {
        assert_eq!(
            shown(&[said("a.example", "x", 0.7), said("a.example", "x", 0.7)]),
            "heard same_voice"
        );
    }

    #[test]
    fn what_has_no_page_is_a_source_of_its_own() {
        let alone = Statement { origin: None, ..said("a.example", "x", 0.5) };
        assert_eq!(
            shown(&[alone.clone(), said("a.example", "x", 0.5), alone]),
            "heard heard heard"
        );
    }

    #[test]
    fn what_is_not_about_the_claim_no_statement_or_retracted_is_not_heard_and_silences_nobody() {
        let elsewhere = Statement { is_about: false, ..said("a.example", "x", 0.9) };
        let aim = Statement { kind: Some(StatementKind::Aim), ..said("a.example", "x", 0.9) };
        let mut retracted = said("b.example", "y", 0.9);
        retracted.origin.as_mut().unwrap().is_retracted = true;
        let notice = Statement { is_notice: true, ..retracted.clone() };
        assert_eq!(
            shown(&[elsewhere, aim, said("a.example", "x", 0.5), retracted, notice]),
            "not_about no_statement heard retracted heard"
        );
    }

    #[test]
    fn a_persons_word_is_heard_whatever_was_said_against_the_passage() {
        let mut decided =
            Statement { is_corrected: true, is_about: false, ..said("a.example", "x", 1.0) };
        decided.kind = Some(StatementKind::Question);
        decided.origin.as_mut().unwrap().is_retracted = true;
        assert_eq!(shown(&[said("a.example", "x", 0.9), decided]), "same_voice heard");
    }

    fn any_statement() -> impl Strategy<Value = Statement> {
        let kinds = prop::option::of(prop::sample::select(StatementKind::ALL));
        let flags = prop::array::uniform4(prop::bool::weighted(0.2));
        (0_u8..4, 0_u8..4, flags, kinds, 0_u8..5).prop_map(
            |(publisher, cluster, flags, kind, certainty)| {
                let mut it = said(
                    &format!("{publisher}.example"),
                    &cluster.to_string(),
                    f64::from(certainty) / 4.0,
                );
                let [is_corrected, is_notice, elsewhere, is_retracted] = flags;
                it.origin.as_mut().unwrap().is_retracted = is_retracted;
                Statement { is_corrected, is_notice, is_about: !elsewhere, kind, ..it }
            },
        )
    }

    proptest! {
        #[test]
        fn no_two_voices_share_a_publisher_or_a_story_and_every_silent_one_has_a_speaker(
            statements in prop::collection::vec(any_statement(), 0..12),
        ) {
            let reasons = uncounted(&statements);
            let with = |wanted: Option<Uncounted>| {
                statements.iter().zip(&reasons).filter(move |it| *it.1 == wanted).map(|it| it.0)
            };
            let related = |a: &Statement, b: &Statement| {
                let (a, b) = (a.origin.as_ref().unwrap(), b.origin.as_ref().unwrap());
                a.publisher == b.publisher || a.cluster == b.cluster
            };
            let heard: Vec<&Statement> = with(None).collect();
            for (nth, one) in heard.iter().enumerate() {
                prop_assert!(heard[..nth].iter().all(|two| !related(one, two)));
            }
            let silenced = with(Some(Uncounted::SameVoice)).count();
            prop_assert!(silenced == 0 || !heard.is_empty());
        }
    }
}
