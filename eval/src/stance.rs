//! Stance: how often the model is right, how honest its probabilities are, and how often it refutes
//! without reason.
//!
//! Probabilities are those the product sees, so after the model's own temperature. Pairs the model
//! abstains from are counted and not scored.

mod rows;
mod scoring;

use std::time::Instant;

use evidence::Stance;
use models::{Pair, StanceModel, Verdict};
use serde_json::{Value, json};
use text::language::detect;

use crate::arguments::Arguments;
use crate::metrics::Scores;
use crate::report::{Report, Table, percent, progress};
use crate::{Failure, model};
use rows::{Row, Sets, Truth};
use scoring::{Space, Taken};

/// Claims held against what a web search brings, or against abstracts.
const WEB: &[&str] = &[
    "check_covid",
    "fever_retrieved",
    "healthver",
    "healthver_csv",
    "healthver_short",
    "healthver_whole",
    "scifact_short",
    "scifact_whole",
    "wice",
];
/// What a claim meets on the web: mostly evidence that does not decide. Shares of supports, refutes
/// and neutral as in climate-fever.
const WEB_SHARES: [(Truth, f64); 3] =
    [(Truth::Supports, 0.27), (Truth::Refutes, 0.11), (Truth::Neutral, 0.62)];
/// The passage of the claim-only baseline: has words, says nothing.
const NO_PASSAGE: &str = "This text says nothing about it.";
/// How many pairs are judged between two lines of progress.
const BATCH: usize = 1_000;

/// Sets in the same languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    English,
    Japanese,
    Across,
}

impl Group {
    const ALL: [Self; 3] = [Self::English, Self::Japanese, Self::Across];

    fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Japanese => "Japanese",
            Self::Across => "Claim and passage in different languages",
        }
    }
}

struct Measured {
    name: String,
    rows: Vec<Row>,
    space: Space,
    verdicts: Vec<Verdict>,
    scores: Scores,
    /// Accuracy and macro-F1 of three baselines.
    majority: (f64, f64),
    length_only: (f64, f64),
    claim_only: (f64, f64),
    seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let model = model::stance(arguments.model.as_deref())?;
    let Sets { sets, notes } = rows::read(&arguments.data, arguments.limit)?;
    let mut measured = Vec::new();
    for (name, rows) in sets {
        progress(&format!("{name}: {} pairs", rows.len()));
        measured.push(Measured::new(name, rows, &*model)?);
    }
    let mut markdown = format!("## Stance, {}\n\n{}\n\n", model.id(), notes.join("\n"));
    markdown += "Baselines as accuracy / macro-F1. Length only: the most frequent label of the rows with \
                 passages about as long. Claim only: this model with a passage that says nothing.\n";
    let mut groups = Vec::new();
    for kind in Group::ALL {
        let own: Vec<&Measured> = measured.iter().filter(|it| it.group() == kind).collect();
        if !own.is_empty() {
            markdown += &format!("\n### {}\n\n{}", kind.name(), scores_table(&own));
            groups.push(at_thresholds(kind, &own, &mut markdown));
        }
    }
    let json = json!({
        "model": model.id(),
        "limit": arguments.limit,
        "notes": notes,
        "groups": groups,
        "sets": measured.iter().map(Measured::json).collect::<Vec<_>>(),
    });
    Ok(Report { markdown, json })
}

/// What is left of a group at the thresholds each judgement brings: in English, of the web-style sets.
fn at_thresholds(kind: Group, own: &[&Measured], markdown: &mut String) -> Value {
    let ece = |keep: fn(&Measured) -> bool| {
        let kept = own.iter().filter(|it| keep(it));
        let kept: Vec<_> = kept.map(|it| (it.space, &it.rows[..], &it.verdicts[..])).collect();
        scoring::together(&kept)
    };
    let (all, counted) = (ece(|_| true), ece(Measured::is_counted));
    *markdown += &format!(
        "\nECE of all rows together {all:.3}, of the sets below {counted:.3}.\n\n\
         At the thresholds of each judgement:\n\n"
    );
    let sides = [
        ("refutes", Stance::Refutes, Truth::Refutes),
        ("supports", Stance::Supports, Truth::Supports),
    ];
    let mut taken = Vec::new();
    let mut table =
        Table::new(&["set", "stance", "#precision", "#recall", "#taken", "#there", "#rows"]);
    for (name, stance, truth) in sides {
        let mut sum = Taken::default();
        let mut rows = 0;
        for it in own.iter().filter(|it| it.is_counted()) {
            let found = Taken::count(&it.rows, &it.verdicts, (stance, truth));
            if found.there == 0 && found.taken == 0 {
                continue;
            }
            sum.rightly += found.rightly;
            sum.taken += found.taken;
            sum.there += found.there;
            rows += it.rows.len();
            table.row(&taken_row(&it.name, name, found, it.rows.len()));
        }
        table.row(&taken_row("**together**", name, sum, rows));
        let shares = own.iter().filter(|it| it.is_counted() && it.space == Space::Three);
        let on_the_web = shared_precision(shares.copied(), stance, truth);
        taken.push((name, sum, on_the_web));
    }
    *markdown += &table.finish();
    for (name, _, on_the_web) in &taken {
        if let Some(it) = on_the_web {
            *markdown += &format!(
                "\nPrecision of \"{name}\" if 27 % of the evidence supported, 11 % refuted and 62 % left the \
                 claim open, every three-way set weighing the same: {it:.3}.\n"
            );
        }
    }
    let taken: Vec<Value> = taken
        .iter()
        .map(|(name, it, web)| {
            json!({
                "stance": name, "precision": it.precision(), "recall": it.recall(), "taken": it.taken,
                "there": it.there, "precision_at_web_shares": web,
            })
        })
        .collect();
    json!({ "group": kind.name(), "ece": all, "ece_counted": counted, "at_thresholds": taken })
}

impl Measured {
    fn new(name: String, rows: Vec<Row>, model: &dyn StanceModel) -> Result<Self, Failure> {
        let space = Space::of(&rows);
        let start = Instant::now();
        let verdicts = judge(model, &rows, |it| &it.passage)?;
        let seconds = start.elapsed().as_secs_f64();
        let alone = judge(model, &rows, |_| NO_PASSAGE)?;
        let claim_only = scoring::judged(space, &rows, &alone);
        Ok(Self {
            space,
            scores: scoring::judged(space, &rows, &verdicts),
            majority: scoring::majority_baseline(space, &rows),
            length_only: scoring::length_baseline(space, &rows),
            claim_only: (claim_only.accuracy, claim_only.macro_f1),
            name,
            rows,
            verdicts,
            seconds,
        })
    }

    /// By the languages of its first row: every set has the same ones throughout.
    fn group(&self) -> Group {
        let languages = self.rows.first().map(|it| (detect(&it.claim), detect(&it.passage)));
        match languages.map(|(claim, passage)| (claim.tag() == "ja", passage.tag() == "ja")) {
            Some((true, true)) => Group::Japanese,
            Some((false, false)) | None => Group::English,
            Some(_) => Group::Across,
        }
    }

    /// Whether it says how often stances are taken rightly in practice.
    fn is_counted(&self) -> bool {
        self.group() != Group::English || WEB.contains(&self.name.as_str())
    }

    fn abstained(&self) -> usize {
        self.verdicts.iter().filter(|it| scoring::probabilities(it).is_none()).count()
    }

    fn json(&self) -> Value {
        let pair = |(accuracy, macro_f1): (f64, f64)| json!({ "accuracy": accuracy, "macro_f1": macro_f1 });
        json!({
            "set": self.name,
            "pairs": self.rows.len(),
            "abstained": self.abstained(),
            "labels": self.space.labels(),
            "scores": self.scores,
            "majority": pair(self.majority),
            "length_only": pair(self.length_only),
            "claim_only": pair(self.claim_only),
            "seconds": self.seconds,
        })
    }
}

fn judge<'a>(
    model: &dyn StanceModel,
    rows: &'a [Row],
    passage: impl Fn(&'a Row) -> &'a str,
) -> Result<Vec<Verdict>, Failure> {
    let mut verdicts = Vec::with_capacity(rows.len());
    for batch in rows.chunks(BATCH) {
        let pairs: Vec<Pair<'_>> =
            batch.iter().map(|it| Pair { passage: passage(it), claim: &it.claim }).collect();
        verdicts.extend(model.judge(&pairs)?);
        if rows.len() > BATCH {
            progress(&format!("  judged {} of {}", verdicts.len(), rows.len()));
        }
    }
    Ok(verdicts)
}

/// Precision when the labels had the shares they have on the web, every set weighing the same.
fn shared_precision<'a>(
    sets: impl Iterator<Item = &'a Measured>,
    stance: Stance,
    truth: Truth,
) -> Option<f64> {
    let (mut rightly, mut all) = (0.0, 0.0);
    for set in sets {
        for (label, share) in WEB_SHARES {
            let there = || set.rows.iter().zip(&set.verdicts).filter(|it| it.0.truth == label);
            let taken = there().filter(|it| scoring::taken(it.1) == Some(stance)).count() as f64;
            let weight = share * taken / there().count().max(1) as f64;
            all += weight;
            if label == truth {
                rightly += weight;
            }
        }
    }
    (all > 0.0).then(|| rightly / all)
}

fn scores_table(measured: &[&Measured]) -> String {
    let mut table = Table::new(&[
        "set",
        "#pairs",
        "labels",
        "#majority",
        "#length only",
        "#claim only",
        "#accuracy",
        "#macro-F1",
        "#ECE",
        "#Brier",
        "#abstained",
        "#seconds",
    ]);
    let both = |(accuracy, f1): (f64, f64)| format!("{:.0} / {:.0}", 100.0 * accuracy, 100.0 * f1);
    for it in measured {
        table.row(&[
            it.name.clone(),
            it.rows.len().to_string(),
            it.space.name().to_owned(),
            both(it.majority),
            both(it.length_only),
            both(it.claim_only),
            percent(it.scores.accuracy),
            percent(it.scores.macro_f1),
            format!("{:.3}", it.scores.ece),
            format!("{:.3}", it.scores.brier),
            it.abstained().to_string(),
            format!("{:.1}", it.seconds),
        ]);
    }
    let mean = |of: &dyn Fn(&Measured) -> f64| {
        measured.iter().map(|it| of(it)).sum::<f64>() / measured.len().max(1) as f64
    };
    let both_means =
        |of: fn(&Measured) -> (f64, f64)| both((mean(&|it| of(it).0), mean(&|it| of(it).1)));
    table.row(&[
        "**mean**".to_owned(),
        measured.iter().map(|it| it.rows.len()).sum::<usize>().to_string(),
        String::new(),
        both_means(|it| it.majority),
        both_means(|it| it.length_only),
        both_means(|it| it.claim_only),
        percent(mean(&|it| it.scores.accuracy)),
        percent(mean(&|it| it.scores.macro_f1)),
        format!("{:.3}", mean(&|it| it.scores.ece)),
        format!("{:.3}", mean(&|it| it.scores.brier)),
        measured.iter().map(|it| it.abstained()).sum::<usize>().to_string(),
        format!("{:.1}", measured.iter().map(|it| it.seconds).sum::<f64>()),
    ]);
    table.finish()
}

fn taken_row(set: &str, stance: &str, found: Taken, rows: usize) -> [String; 7] {
    let share = |it: Option<f64>| it.map_or("none".to_owned(), |it| format!("{it:.3}"));
    [
        set.to_owned(),
        stance.to_owned(),
        share(found.precision()),
        share(found.recall()),
        found.taken.to_string(),
        found.there.to_string(),
        rows.to_string(),
    ]
}
