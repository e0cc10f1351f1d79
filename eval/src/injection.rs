//! Text that speaks to machines: how much of it is flagged, and how often ordinary text is?
//!
//! Phrases and the head that the binary carries are measured together, as a search uses them. For each set of attacks that
//! trained the head, another is trained without it: what it flags there was learned elsewhere. Sources of ordinary text
//! train, draw the line or score, never two of them ([`sets`]). `--rows DIR` writes the head of all training sources, `--limit` takes
//! the first texts of each source.

mod patterns;
mod sets;
mod train;

use std::fs;

use models::MachineTalk;
use serde_json::{Value, json};
use text::machine_talk::{Window, windows};

use crate::Failure;
use crate::arguments::Arguments;
use crate::report::{Report, Table, percent, progress};
use sets::{Files, Part, Source};

/// What was written for this project: the first two score, the others train.
const OWN: Files<'static> = Files {
    japanese: "eval/data/injection_ja.tsv",
    fresh: "eval/data/injection_fresh.tsv",
    indirect: "training/injection/own.tsv",
    patterns: "training/injection/patterns.txt",
};
/// The name of the source that is made of patterns.
const PATTERNS: &str = "patterns";
/// The name of the source whose orders to people are the hardest.
const MANUALS: &str = "Japanese manuals, a third";

/// A text as a head sees it.
#[derive(Debug)]
struct Row {
    set: &'static str,
    is_attack: bool,
    part: Part,
    /// A phrase flags it already.
    has_phrase: bool,
    windows: Vec<Window>,
}

impl Row {
    fn trains(&self) -> bool {
        self.part == Part::Train
    }

    fn chooses(&self) -> bool {
        self.part == Part::Choose
    }

    fn is_heard_by(&self, head: &MachineTalk) -> bool {
        self.windows.iter().any(|it| head.hears_window(it))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let sources = sets::gather(&arguments.data, &OWN, arguments.limit)?;
    let mut rows = Vec::new();
    for Source { name, is_attack, part, texts } in sources {
        progress(&format!("{name} ({}): {}", part.name(), texts.len()));
        rows.extend(texts.iter().map(|text| Row {
            set: name,
            is_attack,
            part,
            has_phrase: !text::sanitise::flags(text, false).is_empty(),
            windows: windows(text),
        }));
    }
    progress("training");
    let whole = train::train(&rows, |_| true);
    if let Some(folder) = &arguments.rows {
        let (about, weights) = whole.files()?;
        fs::write(folder.join("machine_talk.json"), about)?;
        fs::write(folder.join("machine_talk.bin"), weights)?;
        progress(&format!("the head is in {}", folder.display()));
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
        // Patterns are no strangers' words: how many of them are heard says nothing.
        let counts = if row.is_attack { set != PATTERNS } else { part == Part::Score };
        if seen.contains(&(set, part)) || !counts {
            continue;
        }
        seen.push((set, part));
        let left_out = row.is_attack && part == Part::Train;
        let other = left_out.then(|| {
            progress(&format!("training without {set}"));
            train::train(&rows, |it| !(it.is_attack && it.set == set))
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
        "## Text that speaks to machines\n\n{}\n{}\nFlagged ordinary passages: {wrong} of {all}.\n",
        attacks.finish(),
        plain.finish()
    );
    Ok(Report { markdown, json: json!({ "limit": arguments.limit, "sets": numbers }) })
}
