//! The results as tables.

use evidence::{Uncounted, Verdict};

use super::Measured;
use super::data::Truth;
use super::scores::Share;
use crate::report::{Table, percent};

pub(super) fn markdown(measured: &[Measured]) -> String {
    format!("{}\n{}\n{}", verdicts(measured), grounds(measured), costs(measured))
}

fn verdicts(measured: &[Measured]) -> String {
    let mut table = Table::new(&[
        "set, half",
        "#yes, no, mixed",
        "#balanced accuracy",
        "#always yes",
        "#yes called s/r/m/n",
        "#no called s/r/m/n",
        "#mixed called s/r/m/n",
    ]);
    for it in measured {
        for (half, scores) in it.parts() {
            let called = |truth: Truth| {
                let count = |verdict: &Verdict| scores.count(truth, *verdict).to_string();
                let counts: Vec<String> = Verdict::ALL.iter().map(count).collect();
                if scores.questions(truth) == 0 { "-".to_owned() } else { counts.join("/") }
            };
            let [yes, no, mixed] =
                [Truth::Yes, Truth::No, Truth::Mixed].map(|truth| scores.questions(truth));
            table.row(&[
                format!("{}, {half}", it.set.name),
                format!("{yes}, {no}, {mixed}"),
                shown(scores.balanced_accuracy()),
                shown(scores.always_yes()),
                called(Truth::Yes),
                called(Truth::No),
                called(Truth::Mixed),
            ]);
        }
    }
    let left_out = measured.iter().filter(|it| it.set.without_statement + it.set.trained_on > 0);
    let left_out: Vec<String> = left_out
        .map(|Measured { set, .. }| {
            let (without, trained_on) = (set.without_statement, set.trained_on);
            format!("{} {without} without a statement, {trained_on} trained on", set.name)
        })
        .collect();
    let mut text = table.finish();
    text += "\ns/r/m/n: supported, refuted, mixed, not enough evidence.\n";
    if !left_out.is_empty() {
        text += &format!("Left out: {}.\n", left_out.join("; "));
    }
    text
}

fn grounds(measured: &[Measured]) -> String {
    let mut table = Table::new(&[
        "set, half",
        "#counted passages in gold documents",
        "#uncounted v/a/k/r",
        "#answer lines from gold documents",
        "#pairs of opposites, with evidence",
        "#median mirror error",
        "#right direction",
    ]);
    for it in measured {
        for (half, scores) in it.parts() {
            let count = |reason: &Uncounted| scores.uncounted.get(reason).copied().unwrap_or(0);
            let uncounted: Vec<String> =
                Uncounted::ALL.iter().map(|reason| count(reason).to_string()).collect();
            table.row(&[
                format!("{}, {half}", it.set.name),
                of(scores.passages),
                uncounted.join("/"),
                of(scores.lines),
                format!("{}, {}", scores.mirrors_asked, scores.mirror_errors.len()),
                scores.mirror_error().map_or("-".to_owned(), |it| format!("{it:.2}")),
                of(scores.mirror_directions),
            ]);
        }
    }
    let mut text = table.finish();
    text += "\nv/a/k/r: judged and not counted, because another passage of the same source counts, the passage is not about the \
             statement, it is no statement by its kind, its source was retracted.\n";
    text
}

fn costs(measured: &[Measured]) -> String {
    let mut table = Table::new(&[
        "set",
        "#documents",
        "#minutes in all",
        "#seconds a question, median",
        "#mean",
        "#CPU",
        "#embedding",
        "#judging",
        "#texts embedded",
        "#pairs judged",
        "#peak MB",
    ]);
    let number = |it: Option<f64>| it.map_or("-".to_owned(), |it| format!("{it:.1}"));
    let whole = |it: Option<f64>| it.map_or("-".to_owned(), |it| format!("{it:.0}"));
    for it in measured {
        table.row(&[
            it.set.name.clone(),
            match (it.set.documents.len(), it.set.documents_in_all) {
                (taken, all) if taken < all => format!("{taken} of {all}"),
                (_, all) => all.to_string(),
            },
            number(Some(it.cost.wall_seconds / 60.0)),
            number(it.median_seconds()),
            number(it.mean(|answer| answer.seconds)),
            number(it.mean_cpu()),
            number(it.mean(|answer| answer.embedding_seconds)),
            number(it.mean(|answer| answer.judging_seconds)),
            whole(it.mean(|answer| answer.embedded as f64)),
            whole(it.mean(|answer| answer.judged as f64)),
            whole(it.cost.peak_bytes.map(|bytes| bytes as f64 / 1e6)),
        ]);
    }
    table.finish()
}

fn shown(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), percent)
}

fn of(share: Share) -> String {
    match share.value() {
        Some(value) => format!("{} ({} of {})", percent(value), share.part, share.whole),
        None => "-".to_owned(),
    }
}
