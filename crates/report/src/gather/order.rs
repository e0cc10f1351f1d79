//! Which finding comes first.
//!
//! Claims with enough independent sources come before those without: many copies of one text make a confidence
//! high and a claim no better founded. What was withdrawn or is only refuted comes last. Within a group: how sure,
//! from how many independent sources, and how much of the question it speaks about. The order is for reading; no
//! number of the report depends on it.

use std::collections::{BTreeMap, BTreeSet};

use text::tokenize::TokenizeFor;

use super::findings::Judged;
use crate::ReportSettings;
use crate::report::Standing;

/// Sorts claims for reading; equal ones stay in the order they were recorded.
pub(super) fn best_first<'m>(
    claims: Vec<Judged<'m>>,
    question: &str,
    options: &ReportSettings,
) -> Vec<Judged<'m>> {
    let question = terms(question);
    let words: Vec<BTreeSet<String>> = claims.iter().map(|it| terms(&it.claim.text)).collect();
    let weights = rarity(&question, &words);
    let total: f64 = weights.values().sum();
    let mut keyed: Vec<(u8, f64, Judged<'m>)> = claims
        .into_iter()
        .zip(&words)
        .map(|(claim, words)| {
            let shared: f64 =
                weights.iter().filter(|(term, _)| words.contains(**term)).map(|it| it.1).sum();
            let relevance = if total > 0.0 { shared / total } else { 0.0 };
            let wanted = f64::from(options.wanted_sources.max(1));
            let sources = (f64::from(claim.independent_sources) / wanted).min(1.0);
            let score = claim.confidence.confidence * (1.0 + sources) * (1.0 + relevance);
            (group(&claim, options), score, claim)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.total_cmp(&a.1)));
    keyed.into_iter().map(|it| it.2).collect()
}

/// The claims that are written out where not all can be: what was withdrawn or is disputed has its place, the rest is
/// filled with the best.
pub(super) fn written_out<'c, 'm>(claims: &'c [Judged<'m>], most: usize) -> Vec<&'c Judged<'m>> {
    let is_owed =
        |it: &Judged<'_>| it.withdrawn || (!it.supporting.is_empty() && !it.refuting.is_empty());
    let owed = claims.iter().filter(|it| is_owed(it)).count().min(most);
    let mut room = [most - owed, owed];
    let mut chosen = Vec::new();
    for claim in claims {
        let room = &mut room[usize::from(is_owed(claim))];
        if *room > 0 {
            *room -= 1;
            chosen.push(claim);
        }
    }
    chosen
}

fn group(claim: &Judged<'_>, options: &ReportSettings) -> u8 {
    let confidence = claim.confidence.confidence;
    let withdrawn = claim.withdrawn || claim.rests_on_retracted();
    match claim.standing {
        Standing::Refuted => 4,
        _ if withdrawn || confidence < 0.5 => 3,
        _ if claim.is_corroborated(options) => 0,
        _ if confidence >= options.min_confidence => 1,
        _ => 2,
    }
}

/// How much each term of the question tells: one that all claims share says little, one that none has nothing.
fn rarity<'q>(
    question: &'q BTreeSet<String>,
    claims: &[BTreeSet<String>],
) -> BTreeMap<&'q str, f64> {
    let known = question.iter().filter_map(|term| {
        let having = claims.iter().filter(|it| it.contains(term)).count();
        let weight = (1.0 + claims.len() as f64 / having.max(1) as f64).ln();
        (having > 0).then_some((term.as_str(), weight))
    });
    known.collect()
}

/// The terms of a text, as full-text search and ranking cut it.
pub(super) fn terms(text: &str) -> BTreeSet<String> {
    text::tokenize::terms(text, TokenizeFor::Query).into_iter().collect()
}
