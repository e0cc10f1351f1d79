//! Which finding comes first.
//!
//! Claims about the question come before what was found by the way. Among each, claims with enough independent sources
//! come before those without: many copies of one text make a confidence high and a claim no better founded. What was
//! withdrawn or is only refuted comes last. Within a group: the language of the question first, then how sure, from how
//! many independent sources, and how much of the question it speaks about. The order is for reading; no number of the
//! report depends on it.

use super::about::Subject;
use super::findings::{Judged, rounded};
use crate::ReportSettings;
use crate::report::Standing;

/// Tells claims about the question from the others and sorts them for reading; equal ones stay in the order they were
/// recorded.
pub(super) fn best_first<'m>(
    mut claims: Vec<Judged<'m>>,
    subject: &Subject,
    options: &ReportSettings,
) -> Vec<Judged<'m>> {
    for claim in &mut claims {
        claim.about_question = subject.is_about(claim);
        claim.of_decider = subject.decides(claim);
    }
    let score = |claim: &Judged<'_>| {
        let wanted = f64::from(options.wanted_sources.max(1));
        let sources = (f64::from(claim.independent_sources()) / wanted).min(1.0);
        let share = subject.share(&claim.claim.text);
        claim.confidence.confidence * (1.0 + sources) * (1.0 + share)
    };
    let key = |claim: &Judged<'_>| {
        let is_foreign = !subject.speaks(&claim.claim.text);
        (!claim.about_question, group(claim, options), is_foreign)
    };
    let mut keyed: Vec<_> = claims.into_iter().map(|it| (key(&it), score(&it), it)).collect();
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
    match claim.standing {
        Standing::Refuted => 4,
        _ if claim.withdrawn || rounded(claim.confidence.confidence) < 0.5 => 3,
        _ if claim.is_corroborated(options) => 0,
        _ if claim.is_confident(options) => 1,
        _ => 2,
    }
}
