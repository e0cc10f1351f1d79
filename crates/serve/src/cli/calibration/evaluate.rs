//! `lyra calibration evaluate` and `evaluations`: scores, and the diagram behind them.

use clap::Args;
use evidence::calibration::{Bin, CalibrationSource};
use graph::{Cause, Evaluated, Evaluation};
use serde::Serialize;

use super::versions::version;
use super::{needs_samples, or_dash, score, sources};
use crate::cli::since::{Since, since};
use crate::cli::{Field, at_least_one, minute, note_rest, percent, print_record};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Layout, Table};
use crate::words::{Words, say};

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
    /// Only since this day (of your time zone) or moment, or in the last hours or days: 2026-01-15,
    /// 2026-01-15T12:00:00Z, 24h, 7d
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<Since>,
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
        let words = ui.words();
        print_record(ui, &fields(words, &evaluated))?;
        ui.print(&format!("\n{}", diagram(words, &evaluated.evaluation.bins, ui.layout(1))))
    }
}

fn fields(words: &'static Words, evaluated: &Evaluated) -> Vec<Field> {
    let (evaluation, label) = (&evaluated.evaluation, &words.label);
    let none = || String::from(&words.calibration.no_version);
    let in_force = evaluation.calibration_version;
    let mut fields = vec![
        (&label.evaluation, evaluation.id.to_string()),
        (&label.calibrated, evaluation.source.to_string()),
        (&label.samples, evaluation.samples_evaluated.to_string()),
        (&label.in_force, in_force.map_or_else(none, |version| version.to_string())),
        (&label.brier, brier_words(words, evaluation)),
        (&label.ece, score(evaluation.expected_calibration_error)),
    ];
    fields.extend(evaluated.degradation.as_ref().map(|worse| {
        let before = score(worse.previous_brier_score);
        let told = match worse.worse_by {
            Some(by) => say!(words.calibration.worse_by, share = percent(by), before = before),
            None => say!(words.calibration.worse, before = before),
        };
        (&label.degradation, told)
    }));
    fields.extend(evaluated.rolled_back.as_ref().map(|rollback| {
        let told = say!(
            words.calibration.rolled_back,
            previous = rollback.previous_version,
            current = version(words, rollback.rolled_back_to),
        );
        (&label.rolled_back, told)
    }));
    fields
}

fn brier_words(words: &Words, evaluation: &Evaluation) -> String {
    let words = &words.calibration;
    let stated = score(evaluation.brier_score);
    let Some(corrected) = evaluation.brier_score_calibrated.map(score) else {
        return say!(words.stated, stated = stated);
    };
    match evaluation.improvement_ratio {
        Some(gain) if gain < 0.0 => {
            say!(words.stated_worse, stated = stated, corrected = corrected, share = percent(-gain))
        }
        Some(gain) => {
            say!(words.stated_better, stated = stated, corrected = corrected, share = percent(gain))
        }
        None => say!(words.stated_corrected, stated = stated, corrected = corrected),
    }
}

impl Evaluations {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Listed {
            total: usize,
            evaluations: Vec<Evaluation>,
        }
        let graph = session.reader()?;
        let since = self.since.map(|it| it.before(graph.now()));
        let mut evaluations = Vec::new();
        for source in sources(self.source) {
            let found = ask(graph, |r| r.calibration_evaluations(source, u32::MAX, since))?;
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
        let words = ui.words();
        let Some(newest) = evaluations.first() else {
            ui.note(words.calibration.no_evaluations.as_str());
            return Ok(());
        };
        let layout = ui.layout(1);
        ui.print(&table(words, &evaluations).render(layout))?;
        ui.print(&format!("\n{}", diagram(words, &newest.bins, layout)))?;
        note_rest(ui, evaluations.len(), total, &words.rest.evaluations);
        ui.note(&say!(words.calibration.diagram_of, evaluation = newest.id));
        Ok(())
    }
}

fn table(words: &Words, evaluations: &[Evaluation]) -> Table {
    let column = &words.column;
    let names = [&column.evaluation, &column.calibrated, &column.time].map(Column::exact);
    let numbers = [&column.samples, &column.brier, &column.corrected, &column.ece, &column.version]
        .map(Column::number);
    let mut table = Table::new(names.into_iter().chain(numbers));
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
fn diagram(words: &Words, bins: &[Bin], layout: Layout) -> String {
    let column = &words.column;
    let mut table = Table::new([
        Column::exact(&column.certainty),
        Column::number(&column.samples),
        Column::number(&column.stated),
        Column::number(&column.right),
        Column::exact(&column.right_and_stated),
    ]);
    for it in bins {
        let share =
            |value: Option<f64>| value.map_or("-".to_owned(), |share| format!("{share:.2}"));
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
}
