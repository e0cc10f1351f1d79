//! `lyra calibration evaluate` and `evaluations`: scores, and the diagram behind them.

use clap::Args;
use evidence::calibration::{Bin, CalibrationSource};
use graph::{Cause, Evaluated, Evaluation};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{needs_samples, or_dash, score, sources};
use crate::cli::{at_least_one, minute, note_rest, percent, print_record};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Layout, Table};

/// Cells a bar of the diagram has.
const CELLS: usize = 20;

/// Measure a source on all its samples, and keep the result
///
/// The diagram shows, for each range of stated certainty, how often it was right (█) and what was
/// stated on average (│): the mark right of the bar means overconfident.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra calibration evaluate nli_judge

Next: `lyra calibration fit SOURCE` fits a correction.")]
pub(super) struct Evaluate {
    /// nli_judge or llm_extract
    source: CalibrationSource,
}

/// List stored evaluations, newest first, with the diagram of the newest
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra calibration evaluations nli_judge --limit 5
  lyra calibration evaluations --since 2026-01-15 --json

With --json every evaluation has its bins.
Next: `lyra calibration evaluate SOURCE` adds one.")]
pub(super) struct Evaluations {
    /// Only nli_judge or llm_extract
    source: Option<CalibrationSource>,
    /// Only from this day or moment on, e.g. 2026-01-15 or 2026-01-15T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Timestamp>,
    /// Show at most N evaluations [default: the setting output.rows]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    limit: Option<usize>,
    /// Show all evaluations
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

impl Evaluate {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.open_to_change()?;
        let cause = Cause::new("calibration").about("calibration", self.source);
        let evaluated = graph
            .write(cause, |w| w.evaluate_calibration(self.source))
            .map_err(|error| needs_samples(error, self.source))?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&evaluated);
        }
        print_record(ui, &fields(&evaluated))?;
        ui.print(&format!("\n{}", diagram(&evaluated.evaluation.bins, ui.layout(1))))
    }
}

fn fields(evaluated: &Evaluated) -> Vec<(&'static str, String)> {
    let it = &evaluated.evaluation;
    let mut fields = vec![
        ("Evaluation", it.id.to_string()),
        ("Source", it.source.to_string()),
        ("Samples", it.samples_evaluated.to_string()),
        ("In force", it.calibration_version.map_or("no version".to_owned(), |it| it.to_string())),
        ("Brier score", brier_words(it)),
    ];
    fields.push(("ECE", score(it.expected_calibration_error)));
    fields.extend(evaluated.degradation.as_ref().map(|worse| {
        let by = worse.worse_by.map(|it| format!(" by {}", percent(it))).unwrap_or_default();
        let before = score(worse.previous_brier_score);
        ("Degradation", format!("worse{by} than the evaluation before ({before})"))
    }));
    fields.extend(evaluated.rolled_back.as_ref().map(|it| {
        let to = it.rolled_back_to.map_or("no version".to_owned(), |it| format!("version {it}"));
        let words = format!("version {} was taken back, {to} is in force", it.previous_version);
        ("Rolled back", words)
    }));
    fields
}

fn brier_words(it: &Evaluation) -> String {
    let stated = format!("{} as stated", score(it.brier_score));
    let Some(corrected) = it.brier_score_calibrated else { return stated };
    let gain = match it.improvement_ratio {
        Some(share) if share < 0.0 => format!(", {} worse", percent(-share)),
        Some(share) => format!(", {} better", percent(share)),
        None => String::new(),
    };
    format!("{stated}, {} as corrected{gain}", score(corrected))
}

impl Evaluations {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Listed {
            total: usize,
            evaluations: Vec<Evaluation>,
        }
        let graph = session.reader()?;
        let mut evaluations = Vec::new();
        for source in sources(self.source) {
            let found = ask(graph, |r| r.calibration_evaluations(source, u32::MAX, self.since))?;
            evaluations.extend(found);
        }
        evaluations.sort_by_key(|it| std::cmp::Reverse(it.id));
        let total = evaluations.len();
        if !self.all {
            evaluations.truncate(self.limit.unwrap_or(session.settings.output.rows));
        }
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Listed { total, evaluations });
        }
        let Some(newest) = evaluations.first() else {
            ui.note("No evaluations. Measure with: lyra calibration evaluate SOURCE");
            return Ok(());
        };
        let layout = ui.layout(1);
        ui.print(&table(&evaluations).render(layout))?;
        ui.print(&format!("\n{}", diagram(&newest.bins, layout)))?;
        note_rest(ui, evaluations.len(), total, "evaluations");
        ui.note(&format!("The diagram is that of {}.", newest.id));
        Ok(())
    }
}

fn table(evaluations: &[Evaluation]) -> Table {
    let words = ["EVALUATION", "SOURCE", "TIME"].map(Column::exact);
    let numbers = ["SAMPLES", "BRIER", "CORRECTED", "ECE", "VERSION"].map(Column::number);
    let mut table = Table::new(words.into_iter().chain(numbers));
    for it in evaluations {
        table.row([
            it.id.to_string(),
            it.source.to_string(),
            minute(it.evaluated_at),
            it.samples_evaluated.to_string(),
            score(it.brier_score),
            it.brier_score_calibrated.map_or("-".to_owned(), score),
            score(it.expected_calibration_error),
            or_dash(it.calibration_version),
        ]);
    }
    table
}

/// The reliability diagram: one bar for each range of certainty.
fn diagram(bins: &[Bin], layout: Layout) -> String {
    let mut table = Table::new([
        Column::exact("CERTAINTY"),
        Column::number("SAMPLES"),
        Column::number("STATED"),
        Column::number("RIGHT"),
        Column::exact("RIGHT █ STATED │"),
    ]);
    for it in bins {
        let share = |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{it:.2}"));
        table.row([
            format!("{:.2}-{:.2}", it.lower, it.upper),
            it.count.to_string(),
            share(it.mean_confidence),
            share(it.accuracy),
            bar(it),
        ]);
    }
    table.render(layout)
}

fn bar(bin: &Bin) -> String {
    let (Some(stated), Some(right)) = (bin.mean_confidence, bin.accuracy) else {
        return String::new();
    };
    let cells = |share: f64| (share * CELLS as f64).round() as usize;
    let (mark, filled) = (cells(stated).min(CELLS - 1), cells(right));
    (0..CELLS)
        .map(|cell| match cell {
            cell if cell == mark => '│',
            cell if cell < filled => '█',
            _ => '·',
        })
        .collect()
}

/// A moment, or the beginning of a day in UTC.
fn moment(given: &str) -> Result<Timestamp, String> {
    let day = || given.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    let moment = given.parse().ok().or_else(|| day().map(|it| it.timestamp()));
    moment.ok_or_else(|| "expected a day such as 2026-01-15, or 2026-01-15T12:00:00Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(stated: f64, right: f64) -> Bin {
        let count = 4;
        let (mean_confidence, accuracy) = (Some(stated), Some(right));
        Bin { lower: 0.0, upper: 1.0, count, mean_confidence, accuracy }
    }

    #[test]
    fn a_bar_shows_how_often_it_was_right_and_what_was_stated() {
        assert_eq!(bar(&bin(0.95, 0.5)), "██████████·········│");
        assert_eq!(bar(&bin(0.25, 0.5)), "█████│████··········");
        assert_eq!(bar(&bin(0.0, 0.0)), "│···················");
        assert_eq!(bar(&bin(1.0, 1.0)), "███████████████████│");
        assert_eq!(bar(&Bin { mean_confidence: None, accuracy: None, ..bin(0.0, 0.0) }), "");
    }

    #[test]
    fn a_moment_is_a_day_or_a_time() {
        let shown = |given: &str| moment(given).map(|it| it.to_string());
        assert_eq!(shown("2026-01-15"), Ok("2026-01-15T00:00:00Z".to_owned()));
        assert_eq!(shown("2026-01-15T12:00:00+09:00"), Ok("2026-01-15T03:00:00Z".to_owned()));
        for given in ["", "yesterday", "2026-13-01", "15"] {
            assert!(moment(given).is_err(), "{given}");
        }
    }
}
