//! Screen 3: the answer, weighed. A finding opens into what speaks for it and what speaks against it.

use evidence::{Relation, Stance};
use graph::EvidenceItem;
use maud::{Markup, html};
use report::{Caveat, Evidence, Finding, Report, SetAside, TaskVerdict};

use super::Frame;
use super::pieces::{balance, figure, gauge, leads_out, marked, outward, plain, publisher, title};
use crate::house::Changed;
use crate::words::say;

/// Passages that a person set to neither side, by the claim they were held against.
pub(crate) type Neither = Vec<(evidence::ClaimId, Vec<EvidenceItem>)>;

/// Characters of a passage that takes no side.
const NEITHER_CHARS: usize = 220;

pub(crate) fn answer(frame: &Frame, report: &Report, neither: &Neither, at_work: bool) -> Markup {
    let w = frame.w;
    let about: Vec<&Finding> = report.findings.iter().filter(|it| it.about_question).collect();
    let aside: Vec<&Finding> = report.findings.iter().filter(|it| !it.about_question).collect();
    let task = report.task_id;
    html! {
        @if at_work { p.at-work { (w.still_at_work.as_str()) " " a href=(format!("/task/{task}/live")) { (w.live.as_str()) } } }
        @if let Some(verdict) = &report.verdict { (verdict_card(frame, report, verdict)) }
        @if let Some(judged) = report.hypothesis.as_ref().and_then(|it| it.judged.as_ref()) {
            (finding(frame, report, judged, neither, true))
        }
        @if report.findings.is_empty() && report.verdict.as_ref().is_none_or(|it| it.supporting_sources + it.refuting_sources == 0) {
            section.empty {
                h2 { (w.nothing_found.as_str()) }
                p { (say!(w.nothing_found_more, read = report.summary.pages_read, missed = report.summary.pages_missed)) }
                p { a.button href=(format!("/task/{task}/documents")) { (w.documents.as_str()) } " " a.button href=(format!("/task/{task}/live")) { (w.live.as_str()) } }
            }
        }
        @if !about.is_empty() {
            section.findings {
                h2 { (w.findings_about.as_str()) }
                p.note.keys { (w.keys.as_str()) " " kbd { "j" } kbd { "k" } " " (w.keys_move.as_str()) " · " kbd { "Enter" } " " (w.keys_open.as_str()) " · " kbd { "s" } " " (w.right.as_str()) " · " kbd { "r" } " " (w.wrong.as_str()) " · " kbd { "n" } " " (w.not_about.as_str()) }
                @for it in about { (finding(frame, report, it, neither, false)) }
            }
        }
        @if !aside.is_empty() {
            details.more {
                summary { (say!(w.findings_aside, n = aside.len())) }
                section.findings { @for it in aside { (finding(frame, report, it, neither, false)) } }
            }
        }
        @if report.left_out.findings > 0 { p.note { (say!(w.findings_left_out, n = report.left_out.findings)) } }
        @if !report.set_aside.is_empty() { (set_aside(frame, &report.set_aside)) }
        p.note.numbers {
            (say!(w.n_sources, n = report.summary.sources)) " · " (say!(w.n_read, n = report.summary.pages_read)) " · "
            (say!(w.n_missed, n = report.summary.pages_missed)) " · " (say!(w.n_requests, n = report.method.requests.count))
        }
    }
}

fn verdict_card(frame: &Frame, report: &Report, verdict: &TaskVerdict) -> Markup {
    let w = frame.w;
    let years = |years: Option<(i32, i32)>| match years {
        Some((from, to)) if from == to => format!(" ({from})"),
        Some((from, to)) => format!(" ({from}–{to})"),
        None => String::new(),
    };
    html! {
        section.card.verdict {
            div.row { (frame.verdict(verdict.verdict)) @if let Some(judged) = report.hypothesis.as_ref().and_then(|it| it.judged.as_ref()) { span.note { (w.confidence.as_str()) " " b { (figure(&judged.confidence)) } } } }
            p.sentence { (plain(&verdict.sentence)) }
            @if let Some(hypothesis) = &report.hypothesis {
                p.note { @if hypothesis.from_question { (w.asked_as.as_str()) } @else { (w.hypothesis.as_str()) } ": " (plain(&hypothesis.text)) }
            }
            @if verdict.supporting_sources + verdict.refuting_sources > 0 {
                div.scale {
                    span.for { b { (verdict.supporting_sources) } " " (w.side_for.as_str()) (years(verdict.supporting_years)) }
                    (balance(verdict.supporting_sources, verdict.refuting_sources))
                    span.against { b { (verdict.refuting_sources) } " " (w.side_against.as_str()) (years(verdict.refuting_years)) }
                }
            }
        }
    }
}

/// One finding; it opens into two columns.
pub(crate) fn finding(
    frame: &Frame,
    report: &Report,
    it: &Finding,
    neither: &Neither,
    is_hypothesis: bool,
) -> Markup {
    let w = frame.w;
    let set = neither.iter().find(|of| of.0 == it.claim_id).map(|of| of.1.as_slice());
    html! {
        details.finding id=(it.claim_id) data-item open[is_hypothesis] {
            summary {
                @if is_hypothesis { h2.text { (w.evidence_on_it.as_str()) } } @else { div.text { (plain(&it.text)) } }
                div.figures {
                    (frame.standing(it.standing)) (gauge(&it.confidence))
                    span { (w.confidence.as_str()) " " b.confidence { (figure(&it.confidence)) } }
                    span { (say!(w.n_independent, n = it.independent_sources)) }
                }
                @if !it.caveats.is_empty() { p.caveats { (caveats(frame, &it.caveats)) } }
            }
            div.columns {
                (side(frame, report, it, true))
                (side(frame, report, it, false))
            }
            @if it.neutral_count > 0 { p.note { (say!(w.neutral, n = it.neutral_count)) } }
            @if let Some(set) = set.filter(|it| !it.is_empty()) {
                div.neither {
                    h4 { (w.set_neither.as_str()) }
                    @for item in set {
                        div.passage {
                            p { (text::shortened(&plain(&item.quote), NEITHER_CHARS)) }
                            div.row {
                                @if let Some(url) = &item.url { span.note { (title(item.title.as_deref(), url)) } }
                                (judge(frame, &item.edge_id.to_string(), Stance::Supports, "button small", w.says_for.as_str()))
                                (judge(frame, &item.edge_id.to_string(), Stance::Refutes, "button small", w.says_against.as_str()))
                            }
                        }
                    }
                }
            }
            @if !is_hypothesis {
                form.aside method="post" action=(format!("/claim/{}/aside", it.claim_id)) {
                    (frame.proof())
                                        label { (w.set_aside_why.as_str()) input type="text" name="reason" required maxlength="400"; }
                    button.small type="submit" { (w.set_aside_do.as_str()) }
                }
            }
        }
    }
}

fn side(frame: &Frame, report: &Report, it: &Finding, supports: bool) -> Markup {
    let w = frame.w;
    let (passages, more, class, name, none) = match supports {
        true => (&it.supporting, it.supporting_left_out, "for", &w.column_for, &w.column_for_none),
        false => (
            &it.refuting,
            it.refuting_left_out,
            "against",
            &w.column_against,
            &w.column_against_none,
        ),
    };
    html! {
        section.side.(class) {
            h3 { (name.as_str()) " " span.count { (passages.len()) } }
            @if passages.is_empty() { p.note { (none.as_str()) } }
            @for passage_of in passages { (passage(frame, report, &it.text, passage_of, supports)) }
            @if more > 0 { p.note { (say!(w.n_more, n = more)) } }
        }
    }
}

fn passage(frame: &Frame, report: &Report, claim: &str, it: &Evidence, supports: bool) -> Markup {
    let w = frame.w;
    let own = if supports { Stance::Supports } else { Stance::Refutes };
    let other = if supports { Stance::Refutes } else { Stance::Supports };
    let edge = it.edge_id.to_string();
    let task = report.task_id;
    let site = report.source(it.source).map(|it| publisher(&it.site));
    let source = format!("/source/{}?task={task}#{}", it.page_id, it.fragment_id);
    html! {
        figure.passage id=(edge) data-item tabindex="0" {
            blockquote { @if it.cut_before { "… " } (marked(&it.quote, claim)) @if it.cut_after { " …" } }
            figcaption {
                a href=(source) { (title(it.title.as_deref(), &it.url)) }
                p.note {
                    @if let Some(site) = &site { b { (site) } " · " }
                    (category(frame, it))
                    @if let Some(year) = it.year { " · " (year) }
                    " · " (say!(w.certainty, n = format!("{:.2}", it.nli_confidence)))
                    @if it.is_origin { " · " (w.is_origin.as_str()) }
                    @if it.human_corrected { " · " b { (w.by_person.as_str()) } }
                    @if it.flagged { " · " span.warn { (w.flagged.as_str()) } }
                    @if it.retracted_at.is_some() { " · " span.warn { (w.retracted.as_str()) } }
                    @if let Some(link) = it.deep_link.as_deref().filter(|it| leads_out(it)) { " · " (outward(w.open_there.as_str(), link)) }
                }
                @if !it.copies.is_empty() {
                    details.copies {
                        summary { (say!(w.n_copies, n = it.copies.len())) }
                        ul { @for copy in &it.copies { li { a href=(format!("/source/{}?task={task}", copy.page_id)) { (title(copy.title.as_deref(), &copy.url)) } } } }
                    }
                }
            }
            div.judge {
                (judge(frame, &edge, own, "button small s", w.right.as_str()))
                (judge(frame, &edge, other, "button small r", w.wrong.as_str()))
                (judge(frame, &edge, Stance::Neutral, "button small n", w.not_about.as_str()))
            }
        }
    }
}

fn category(frame: &Frame, it: &Evidence) -> Markup {
    let w = frame.w;
    let word = match it.category.as_str() {
        "primary" => &w.category_primary,
        "government" => &w.category_government,
        "academic" => &w.category_academic,
        "trusted" => &w.category_trusted,
        "low" => &w.category_low,
        "blocked" => &w.category_blocked,
        _ => &w.category_unverified,
    };
    let own = it.own_document;
    html! { @if own { (w.own_document.as_str()) } @else { (word.as_str()) } }
}

/// One of the words of a person about a passage.
fn judge(frame: &Frame, edge: &str, says: Stance, class: &str, name: &str) -> Markup {
    html! {
        form.inline method="post" action=(format!("/edge/{edge}")) data-judge {
            (frame.proof())
            button class=(class) type="submit" name="says" value=(says) { (name) }
        }
    }
}

/// What a word of a person changed, and the way back.
pub(crate) fn changed(frame: &Frame, edge: &str, it: &Changed, said: Stance) -> Markup {
    let w = frame.w;
    let said = match said {
        Stance::Supports => &w.said_for,
        Stance::Refutes => &w.said_against,
        Stance::Neutral => &w.said_neither,
    };
    html! {
        p { (said.as_str()) " " (w.confidence.as_str()) ": " b { (figure(&it.before)) } " → " b { (figure(&it.now)) } }
        @if let Some(was) = it.was { (judge(frame, edge, was, "small", w.take_back.as_str())) }
    }
}

fn set_aside(frame: &Frame, claims: &[SetAside]) -> Markup {
    let w = frame.w;
    html! {
        details.more {
            summary { (say!(w.claims_aside, n = claims.len())) }
            ul.plain {
                @for it in claims {
                    li {
                        p { @if it.text.is_empty() { (w.dangerous.as_str()) } @else { (plain(&it.text)) } }
                        @if let Some(detail) = &it.detail { p.note { (plain(detail)) } }
                        @if it.reason == report::SetAsideReason::NotAdopted {
                            (frame.button(&format!("/claim/{}/restore", it.claim_id), "small", w.restore.as_str()))
                        }
                    }
                }
            }
        }
    }
}

fn caveats(frame: &Frame, caveats: &[Caveat]) -> String {
    let w = frame.w;
    let told = caveats.iter().map(|it| match it {
        Caveat::LowConfidence { threshold } => say!(w.caveat_low, n = format!("{threshold:.2}")),
        Caveat::SpeaksAgainst => String::from(&w.caveat_against),
        Caveat::EvidenceOnBothSides => String::from(&w.caveat_both),
        Caveat::FewIndependentSources { found, wanted } => {
            say!(w.caveat_few, found = found, wanted = wanted)
        }
        Caveat::NoPrimarySource => String::from(&w.caveat_primary),
        Caveat::OneNarrative { pages } => say!(w.caveat_one_story, n = pages),
        Caveat::RetractedSource { .. } => String::from(&w.caveat_retracted),
        Caveat::Withdrawn => String::from(&w.caveat_withdrawn),
    });
    told.collect::<Vec<_>>().join(" · ")
}

/// Those of a claim's passages that a person set to neither side.
pub(crate) fn set_by_person(items: Vec<EvidenceItem>) -> Vec<EvidenceItem> {
    let by_person = |it: &EvidenceItem| it.edge_human_corrected && it.relation == Relation::Neutral;
    items.into_iter().filter(by_person).collect()
}
