//! SciFact: a claim, 5,183 abstracts, and which of them support or refute it.
//!
//! What the product does with a hypothesis and a library, with its own functions: words over all abstracts,
//! meaning for the best of them, a choice of few, the stance of each. Beside it, in the same run: the best
//! three by words and the stance of each, which is what there would be without the crate `rank`.
//!
//! The stance model was trained on most of these claims. The 116 it has not seen (`held_out`) are scored
//! apart; settings are chosen on the others.

mod counting;
mod data;
mod held_out;
mod lookup;

use std::collections::BTreeMap;

use evidence::Stance;
use models::{StanceModel, Verdict};
use rank::ChoiceSettings;
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
const SHARES: [f64; 5] = [0.0, 0.6, 0.7, 0.8, 0.9];
/// What of an abstract is shown to the stance model.
const READINGS: [Reading; 2] = [Reading::Whole, Reading::Sentences(5)];
/// Claims between two lines of progress.
const STEP: usize = 20;

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let SciFact { abstracts, claims } = data::read(&arguments.data)?;
    let claims = evenly(&claims, arguments.limit);
    let models = (model::embedder(None)?, model::stance(arguments.model.as_deref())?);
    let library = Library::new(&abstracts, &*models.0, &*models.1)?;
    progress(&format!("{} abstracts ready", abstracts.len()));
    let product = ChoiceSettings::default();
    let mut looked = Vec::with_capacity(claims.len());
    for (done, claim) in claims.into_iter().enumerate() {
        looked.push(library.look_up(claim, &product)?);
        if (done + 1) % STEP == 0 {
            progress(&format!("  {} claims", done + 1));
        }
    }
    Ok(report(&looked, &*models.1, arguments.limit, library.embedded))
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

fn report(
    looked: &[Looked<'_>],
    stance: &dyn StanceModel,
    limit: Option<usize>,
    embedded: Option<f64>,
) -> Report {
    let product = ChoiceSettings::default();
    let reading = Reading::Whole;
    let mut markdown = format!("## SciFact, {} claims, {}\n\n", looked.len(), stance.id());
    if let Some(limit) = limit {
        markdown += &format!("**Limited to {limit} claims: not comparable.**\n\n");
    }
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
    for group in Group::EACH {
        let members = || looked.iter().filter(|it| group.has(it));
        let three =
            count(members(), |it| it.said(Reading::Whole, it.baseline.iter().copied(), stance));
        let ours = count(members(), |it| it.said(reading, it.chosen(&product), stance));
        for (name, sides) in [("BM25, best 3, whole abstracts", three), ("**rank, chosen**", ours)]
        {
            let of = sides[0];
            table.row(&[
                group.name().to_owned(),
                name.to_owned(),
                members().count().to_string(),
                percent(of.precision()),
                percent(of.recall()),
                percent(of.f1()),
                percent(sides[1].f1()),
                percent(sides[2].f1()),
            ]);
            numbers.push(json!({
                "claims": group.name(), "method": name, "both": of.json(), "supports": sides[1].json(),
                "refutes": sides[2].json(),
            }));
        }
    }
    markdown += &table.finish();
    let (grid, grid_numbers) = grid(looked, stance);
    markdown += &format!(
        "\nF1 (both sides) by how many abstracts are taken and how near to the best they must be:\n\n{grid}"
    );
    let (labels, label_numbers) = labels(looked);
    markdown += &format!("\nThe right abstract given, supports or refutes:\n\n{labels}");
    let (costs, cost_numbers) = costs(looked, embedded);
    markdown += &costs;
    let json = json!({
        "model": stance.id(), "limit": limit, "scores": numbers, "grid": grid_numbers,
        "labels": label_numbers, "costs": cost_numbers,
    });
    Report { markdown, json }
}

/// Every setting that was tried, on the claims settings may be chosen on and on the others.
fn grid(looked: &[Looked<'_>], stance: &dyn StanceModel) -> (String, Value) {
    let shares: Vec<String> = SHARES.iter().map(|it| format!("#{it}")).collect();
    let mut columns = vec!["claims", "read", "#abstracts"];
    columns.extend(shares.iter().map(String::as_str));
    let mut table = Table::new(&columns);
    let mut numbers = Vec::new();
    for group in [Group::Trained, Group::HeldOut] {
        for reading in READINGS {
            for passages in PASSAGES {
                let mut row = vec![group.name().to_owned(), reading.name(), passages.to_string()];
                for share_of_best in SHARES {
                    let settings = ChoiceSettings { passages, share_of_best };
                    let members = looked.iter().filter(|it| group.has(it));
                    let counts =
                        count(members, |it| it.said(reading, it.chosen(&settings), stance))[0];
                    row.push(percent(counts.f1()));
                    numbers.push(json!({
                        "claims": group.name(), "read": reading.name(), "passages": passages,
                        "share_of_best": share_of_best, "counts": counts.json(),
                    }));
                }
                table.row(&row);
            }
        }
    }
    (table.finish(), Value::Array(numbers))
}

/// How often the likelier of supports and refutes is the right one.
fn labels(looked: &[Looked<'_>]) -> (String, Value) {
    let mut table = Table::new(&["claims", "read", "#pairs", "#right %"]);
    let mut numbers = Vec::new();
    for group in Group::EACH {
        for reading in READINGS {
            let (mut right, mut pairs) = (0, 0);
            for it in looked.iter().filter(|it| group.has(it)) {
                for (place, truth) in &it.claim.truth {
                    pairs += 1;
                    let Some(Verdict::Judged { supports, refutes, .. }) =
                        it.verdicts.get(&(reading, *place))
                    else {
                        continue;
                    };
                    let said = if refutes > supports { Stance::Refutes } else { Stance::Supports };
                    right += usize::from(said == *truth);
                }
            }
            let share = right as f64 / pairs.max(1) as f64;
            table.row(&[
                group.name().to_owned(),
                reading.name(),
                pairs.to_string(),
                percent(share),
            ]);
            numbers.push(json!({
                "claims": group.name(), "read": reading.name(), "pairs": pairs, "right": right,
            }));
        }
    }
    (table.finish(), Value::Array(numbers))
}

fn costs(looked: &[Looked<'_>], embedded: Option<f64>) -> (String, Value) {
    let mean = |of: &dyn Fn(&Looked<'_>) -> f64| {
        looked.iter().map(of).sum::<f64>() / looked.len().max(1) as f64
    };
    let wall = mean(&|it| it.seconds.0);
    let cpu = mean(&|it| it.seconds.1.unwrap_or(f64::NAN));
    let kept = mean(&|it| it.ranking.kept as f64);
    let chosen = mean(&|it| it.chosen(&ChoiceSettings::default()).count() as f64);
    let memory = peak_memory().map(|it| it as f64 / 1e6);
    let known = |it: Option<f64>| it.map_or("unknown".to_owned(), |it| format!("{it:.0}"));
    let markdown = format!(
        "\nA claim takes {wall:.2} s ({cpu:.2} s of processor time): {kept:.1} abstracts lie before the knee, \
         {chosen:.1} are judged. Embedding the library took {} s of processor time. Most memory held: {} MB.\n",
        known(embedded),
        known(memory),
    );
    let json = json!({
        "seconds": wall, "cpu_seconds": cpu, "kept": kept, "judged": chosen, "embedding_cpu_seconds": embedded,
        "peak_memory_mb": memory,
    });
    (markdown, json)
}

/// At most `limit` claims, spread over all.
fn evenly(claims: &[Claim], limit: Option<usize>) -> Vec<&Claim> {
    let wanted = limit.unwrap_or(claims.len()).min(claims.len());
    (0..wanted).map(|it| &claims[it * claims.len() / wanted]).collect()
}
