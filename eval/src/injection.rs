//! Text that speaks to machines: how much of it is flagged, and how often ordinary text is?
//!
//! Phrases and the head that the binary carries are measured together, as a search uses them. For each set of attacks that
//! trained the head, another is trained without it: what it flags there was learned elsewhere. Sources of ordinary text
//! train, draw the line or score, never two of them ([`sets`]). `--rows FILE` writes the head of all training sources.

mod sets;
mod train;

use std::fs;
use std::path::Path;

use models::MachineTalk;
use models::machine_talk::features;
use serde_json::{Value, json};
use text::script::is_kana;

use crate::arguments::Arguments;
use crate::report::{Report, Table, percent, progress};
use crate::{Failure, model};
use sets::{Part, Source};

/// Our own attacks in Japanese, which only score, and those that train.
const SCORING: &str = "eval/data/injection_ja.tsv";
const TRAINING: &str = "training/injection/own.tsv";
/// Texts that are embedded at once.
const BATCH: usize = 512;

/// A text as a head sees it.
#[derive(Debug)]
struct Row {
    set: &'static str,
    is_attack: bool,
    part: Part,
    is_japanese: bool,
    /// A phrase flags it already.
    has_phrase: bool,
    features: Vec<f32>,
}

impl Row {
    fn trains(&self) -> bool {
        self.part == Part::Train
    }

    fn chooses(&self) -> bool {
        self.part == Part::Choose
    }

    fn is_heard_by(&self, head: &MachineTalk) -> bool {
        let line = if self.is_japanese { head.threshold_ja } else { head.threshold };
        head.score(&self.features) > line
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let model = model::embedder(arguments.model.as_deref())?;
    let sources =
        sets::gather(&arguments.data, Path::new(SCORING), Path::new(TRAINING), arguments.limit)?;
    let mut rows = Vec::new();
    for Source { name, is_attack, part, texts } in sources {
        progress(&format!("{name} ({}): {}", part.name(), texts.len()));
        for batch in texts.chunks(BATCH) {
            let inputs: Vec<&str> = batch.iter().map(String::as_str).collect();
            for (text, vector) in batch.iter().zip(model.embed(&inputs)?) {
                rows.push(Row {
                    set: name,
                    is_attack,
                    part,
                    is_japanese: text.chars().any(is_kana),
                    has_phrase: !text::sanitise::flags(text, false).is_empty(),
                    features: features(&vector, text),
                });
            }
        }
    }
    let whole = train::train(model.id(), &rows, |_| true);
    if let Some(path) = &arguments.rows {
        fs::write(path, serde_json::to_string(&whole)? + "\n")?;
        progress(&format!("the head is in {}", path.display()));
    }
    // A head that was just written is the one to be shipped.
    let shipped = if arguments.rows.is_some() { &whole } else { MachineTalk::builtin() };
    let mut attacks = Table::new(&[
        "attacks",
        "judged by",
        "#texts",
        "#phrases",
        "#head",
        "#either",
        "#either %",
    ]);
    let mut plain = Table::new(&["ordinary text", "#passages", "#phrases", "#head", "#either %"]);
    let mut numbers: Vec<Value> = Vec::new();
    let mut seen: Vec<(&str, Part)> = Vec::new();
    let (mut all, mut wrong) = (0, 0);
    for row in &rows {
        let (set, part) = (row.set, row.part);
        if seen.contains(&(set, part)) || (!row.is_attack && part != Part::Score) {
            continue;
        }
        seen.push((set, part));
        let left_out = row.is_attack && part == Part::Train;
        let other = left_out.then(|| {
            progress(&format!("training without {set}"));
            train::train(model.id(), &rows, |it| !(it.is_attack && it.set == set))
        });
        let head = other.as_ref().unwrap_or(shipped);
        let own = || {
            rows.iter()
                .filter(|it| it.set == set && it.part == part && it.is_attack == row.is_attack)
        };
        let texts = own().count();
        let phrases = own().filter(|it| it.has_phrase).count();
        let heard = own().filter(|it| it.is_heard_by(head)).count();
        let either = own().filter(|it| it.has_phrase || it.is_heard_by(head)).count();
        let share = either as f64 / texts as f64;
        let count = |it: usize| it.to_string();
        if row.is_attack {
            let judge = if left_out { "a head trained without them" } else { "the shipped head" };
            attacks.row(&[
                set.to_owned(),
                judge.to_owned(),
                count(texts),
                count(phrases),
                count(heard),
                count(either),
                percent(share),
            ]);
        } else {
            (all, wrong) = (all + texts, wrong + either);
            plain.row(&[
                set.to_owned(),
                count(texts),
                count(phrases),
                count(heard),
                format!("{:.3}", 100.0 * share),
            ]);
        }
        numbers.push(
            json!({ "set": set, "attack": row.is_attack, "left_out": left_out, "texts": texts,
                             "phrases": phrases, "head": heard, "either": either }),
        );
    }
    let markdown = format!(
        "## Text that speaks to machines, {}\n\n{}\n{}\nFlagged ordinary passages: {wrong} of {all}.\n",
        model.id(),
        attacks.finish(),
        plain.finish()
    );
    Ok(Report {
        markdown,
        json: json!({ "model": model.id(), "limit": arguments.limit, "sets": numbers }),
    })
}
