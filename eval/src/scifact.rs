//! SciFact: a claim, 5,183 abstracts, and which of them support or refute it.
//!
//! What the product does with a claim and a library, by the functions it calls: `rank::rank` orders the abstracts and
//! cuts at the knee, `judge::choose` takes those nearest in meaning, a model judges each. A hypothesis is held against
//! the first ranked instead. Beside both, in the same run: the best three by words, which is what there would be
//! without the crate `rank`.
//!
//! The stance model was trained on most of these claims. The 116 it has not seen (`held_out`) are scored
//! apart; settings are chosen on the others.

mod counting;
mod data;
mod held_out;
mod lookup;
mod rows;

use std::collections::BTreeMap;

use evidence::Stance;
use judge::StanceSettings;
use models::Thresholds;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::process::peak_memory;
use crate::report::{Report, Table, percent, progress};
use crate::{Failure, model};
use counting::Counts;
use data::{Claim, SciFact};
use lookup::{Library, Looked, Reading};

/// The settings that are compared.
const PASSAGES: [usize; 4] = [1, 2, 3, 5];
const SIMILARITIES: [f64; 5] = [0.3, 0.4, 0.5, 0.6, 0.7];
/// How likely a stance must be at least, whatever the model's own thresholds: likelier than not.
const PROBABILITY: f32 = 0.5;
const PROBABILITIES: [f32; 6] = [0.0, 0.4, 0.5, 0.6, 0.7, 0.75];
/// What of an abstract is shown to the stance model.
const READINGS: [Reading; 2] = [Reading::Whole, Reading::Sentences(5)];
/// Claims between two lines of progress.
const STEP: usize = 20;

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let SciFact { abstracts, claims } = data::read(&arguments.data)?;
    let claims = evenly(&claims, arguments.limit);
    let stance = model::stance(arguments.model.as_deref())?;
    let mut embedded = None;
    let looked = match &arguments.rows {
        Some(path) if path.exists() => rows::read(path, &claims)?,
        path => {
            let embedder = model::embedder(None)?;
            let library = Library::new(&abstracts, &*embedder, &*stance)?;
            embedded = library.embedded;
            let looked = look_up(&library, &claims)?;
            if let Some(path) = path {
                rows::write(path, &looked)?;
            }
            looked
        }
    };
    Ok(Scored { looked: &looked, own: stance.thresholds() }.report(
        stance.id(),
        arguments.limit,
        embedded,
    ))
}

fn look_up<'a>(library: &Library<'_>, claims: &[&'a Claim]) -> Result<Vec<Looked<'a>>, Failure> {
    let product = StanceSettings::default();
    let mut looked = Vec::with_capacity(claims.len());
    for (done, claim) in claims.iter().enumerate() {
        looked.push(library.look_up(claim, &product)?);
        if (done + 1) % STEP == 0 {
            progress(&format!("  {} of {} claims", done + 1, claims.len()));
        }
    }
    Ok(looked)
}

/// Who is counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Group {
    All,
    Trained,
    HeldOut,
}

impl Group {
    const EACH: [Self; 3] = [Self::All, Self::Trained, Self::HeldOut];

    fn has(self, it: &Looked<'_>) -> bool {
        match self {
            Self::All => true,
            Self::Trained => !it.is_held_out(),
            Self::HeldOut => it.is_held_out(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Trained => "seen in training",
            Self::HeldOut => "held out",
        }
    }
}

/// Both sides together, supports alone, refutes alone.
type Sides = [Counts; 3];

fn count<'a, 'b: 'a>(
    looked: impl Iterator<Item = &'a Looked<'b>>,
    said: impl Fn(&Looked<'b>) -> BTreeMap<usize, Stance>,
) -> Sides {
    let mut sides = Sides::default();
    for it in looked {
        let (said, truth) = (said(it), &it.claim.truth);
        sides[0].add(&said, truth, |_| true);
        sides[1].add(&said, truth, |it| it == Stance::Supports);
        sides[2].add(&said, truth, |it| it == Stance::Refutes);
    }
    sides
}

/// The claims and the thresholds the model brings.
struct Scored<'a> {
    looked: &'a [Looked<'a>],
    own: Thresholds,
}

impl Scored<'_> {
    fn members(&self, group: Group) -> impl Iterator<Item = &Looked<'_>> {
        self.looked.iter().filter(move |it| group.has(it))
    }

    /// How well the choice of passages for a claim does.
    fn chosen(
        &self,
        group: Group,
        reading: Reading,
        choice: &StanceSettings,
        thresholds: Thresholds,
    ) -> Sides {
        count(self.members(group), |it| it.said(reading, it.chosen(choice), thresholds))
    }

    /// How well the choice of passages for a hypothesis does.
    fn as_hypothesis(&self, group: Group, thresholds: Thresholds) -> Sides {
        count(self.members(group), |it| it.said(Reading::Whole, it.first_ranked(), thresholds))
    }

    fn baseline(&self, group: Group, thresholds: Thresholds) -> Sides {
        count(self.members(group), |it| {
            it.said(Reading::Whole, it.baseline.iter().copied(), thresholds)
        })
    }

    fn report(&self, model: &str, limit: Option<usize>, embedded: Option<f64>) -> Report {
        let mut markdown = format!("## SciFact, {} claims, {model}\n\n", self.looked.len());
        if let Some(limit) = limit {
            markdown += &format!("**Limited to {limit} claims: not comparable.**\n\n");
        }
        let (scores, score_numbers) = self.scores();
        let (grid, grid_numbers) = self.grid();
        let (raised, raised_numbers) = self.raised();
        let (labels, label_numbers) = self.labels();
        let (costs, cost_numbers) = self.costs(embedded);
        markdown += &format!(
            "{scores}\nF1 at a probability of at least {PROBABILITY}, by how many abstracts are taken and how similar \
             to the claim they must be:\n\n{grid}\nF1 of the product's choice by the least probability of a \
             stance:\n\n{raised}\nThe right abstract given, supports or refutes:\n\n{labels}\n{costs}"
        );
        let json = json!({
            "model": model, "limit": limit, "scores": score_numbers, "grid": grid_numbers,
            "probabilities": raised_numbers, "labels": label_numbers, "costs": cost_numbers,
        });
        Report { markdown, json }
    }

    fn scores(&self) -> (String, Value) {
        let mut table = Table::new(&[
            "claims",
            "",
            "#n",
            "#precision",
            "#recall",
            "#F1",
            "#F1 supports",
            "#F1 refutes",
        ]);
        let mut numbers = Vec::new();
        let (product, raised) = (StanceSettings::default(), self.own.at_least(PROBABILITY));
        for group in Group::EACH {
            let rows = [
                ("BM25, best 3", self.baseline(group, self.own)),
                ("BM25, best 3, likelier than not", self.baseline(group, raised)),
                ("**as a claim**", self.chosen(group, Reading::Whole, &product, self.own)),
                (
                    "as a claim, likelier than not",
                    self.chosen(group, Reading::Whole, &product, raised),
                ),
                ("**as a hypothesis**", self.as_hypothesis(group, self.own)),
                ("as a hypothesis, likelier than not", self.as_hypothesis(group, raised)),
            ];
            for (name, [both, supports, refutes]) in rows {
                table.row(&[
                    group.name().to_owned(),
                    name.to_owned(),
                    self.members(group).count().to_string(),
                    percent(both.precision()),
                    percent(both.recall()),
                    percent(both.f1()),
                    percent(supports.f1()),
                    percent(refutes.f1()),
                ]);
                numbers.push(json!({
                    "claims": group.name(), "method": name.trim_matches('*'), "both": both.json(),
                    "supports": supports.json(), "refutes": refutes.json(),
                }));
            }
        }
        (table.finish(), Value::Array(numbers))
    }

    /// Every choice that was tried, on the claims settings may be chosen on and on the others.
    fn grid(&self) -> (String, Value) {
        let least: Vec<String> = SIMILARITIES.iter().map(|it| format!("#{it}")).collect();
        let mut columns = vec!["claims", "read", "#abstracts"];
        columns.extend(least.iter().map(String::as_str));
        let mut table = Table::new(&columns);
        let mut numbers = Vec::new();
        for group in [Group::Trained, Group::HeldOut] {
            for (reading, passages) in READINGS.iter().flat_map(|it| PASSAGES.map(|n| (*it, n))) {
                let mut row = vec![group.name().to_owned(), reading.name(), passages.to_string()];
                for min_similarity in SIMILARITIES {
                    let choice = StanceSettings {
                        passages_per_claim: passages,
                        min_similarity,
                        ..StanceSettings::default()
                    };
                    let [both, ..] =
                        self.chosen(group, reading, &choice, self.own.at_least(PROBABILITY));
                    row.push(percent(both.f1()));
                    numbers.push(json!({
                        "claims": group.name(), "read": reading.name(), "passages": passages,
                        "min_similarity": min_similarity, "both": both.json(),
                    }));
                }
                table.row(&row);
            }
        }
        (table.finish(), Value::Array(numbers))
    }

    fn raised(&self) -> (String, Value) {
        let least: Vec<String> = PROBABILITIES.iter().map(|it| format!("#{it}")).collect();
        let mut columns = vec!["claims"];
        columns.extend(least.iter().map(String::as_str));
        let mut table = Table::new(&columns);
        let mut numbers = Vec::new();
        for group in Group::EACH {
            let mut row = vec![group.name().to_owned()];
            for least in PROBABILITIES {
                let [both, ..] = self.chosen(
                    group,
                    Reading::Whole,
                    &StanceSettings::default(),
                    self.own.at_least(least),
                );
                row.push(percent(both.f1()));
                numbers
                    .push(json!({ "claims": group.name(), "least": least, "both": both.json() }));
            }
            table.row(&row);
        }
        (table.finish(), Value::Array(numbers))
    }

    /// How often the likelier of supports and refutes is the right one.
    fn labels(&self) -> (String, Value) {
        let mut table = Table::new(&["claims", "read", "#pairs", "#right %"]);
        let mut numbers = Vec::new();
        for (group, reading) in Group::EACH.iter().flat_map(|it| READINGS.map(|read| (*it, read))) {
            let (mut right, mut pairs) = (0, 0);
            for it in self.members(group) {
                for (place, truth) in &it.claim.truth {
                    pairs += 1;
                    right += usize::from(it.likelier(reading, *place) == Some(*truth));
                }
            }
            let share = right as f64 / f64::from(pairs).max(1.0);
            let cells =
                [group.name().to_owned(), reading.name(), pairs.to_string(), percent(share)];
            table.row(&cells);
            numbers.push(json!({
                "claims": group.name(), "read": reading.name(), "pairs": pairs, "right": right,
            }));
        }
        (table.finish(), Value::Array(numbers))
    }

    fn costs(&self, embedded: Option<f64>) -> (String, Value) {
        let mean = |of: &dyn Fn(&Looked<'_>) -> f64| {
            self.looked.iter().map(of).sum::<f64>() / self.looked.len().max(1) as f64
        };
        let wall = mean(&|it| it.seconds.0);
        let cpu = mean(&|it| it.seconds.1.unwrap_or(f64::NAN));
        let kept = mean(&|it| it.ranking.kept as f64);
        let chosen = mean(&|it| it.chosen(&StanceSettings::default()).count() as f64);
        let memory = peak_memory().map(|it| it as f64 / 1e6);
        let known = |it: Option<f64>| it.map_or("unknown".to_owned(), |it| format!("{it:.0}"));
        let markdown = format!(
            "A claim takes {wall:.2} s ({cpu:.2} s of processor time): {kept:.1} abstracts lie before the knee, \
             {chosen:.1} are judged. Embedding the library took {} s of processor time. Most memory held by this \
             process: {} MB.\n",
            known(embedded),
            known(memory),
        );
        let json = json!({
            "seconds": wall, "cpu_seconds": cpu, "kept": kept, "judged": chosen,
            "embedding_cpu_seconds": embedded, "peak_memory_mb": memory,
        });
        (markdown, json)
    }
}

/// At most `limit` claims, spread over all.
fn evenly(claims: &[Claim], limit: Option<usize>) -> Vec<&Claim> {
    let wanted = limit.unwrap_or(claims.len()).min(claims.len());
    (0..wanted).map(|it| &claims[it * claims.len() / wanted]).collect()
}
