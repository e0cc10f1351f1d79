//! `lyra calibration`: how far stated certainty can be trusted, and its correction.

mod evaluate;
mod versions;

use clap::{Args, Subcommand};
use evidence::calibration::CalibrationSource;
use graph::CalibrationStats;
use serde_json::json;
use text::messages::Message;

use super::{minute, percent};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// Measure and correct how far stated certainty can be trusted
///
/// A source is nli_judge (who judges passages) or llm_extract (who takes claims from pages). Samples
/// are what people said with `lyra feedback`; a correction holds only once it was activated.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Stats(Stats),
    Evaluate(evaluate::Evaluate),
    Evaluations(evaluate::Evaluations),
    Versions(versions::Versions),
    Fit(versions::Fit),
    Activate(versions::Activate),
    Rollback(versions::Rollback),
}

/// Show how many samples there are, which version is in force, and the latest scores
///
/// The Brier score is the mean squared distance between certainty and outcome: 0 is perfect, 0.25 is
/// a shrug. ECE is how far certainty and the share of right answers lie apart.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra calibration stats nli_judge

Next: `lyra calibration evaluate SOURCE` measures anew.")]
struct Stats {
    /// Only nli_judge or llm_extract
    source: Option<CalibrationSource>,
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Stats(_) => "calibration stats",
            Command::Evaluate(_) => "calibration evaluate",
            Command::Evaluations(_) => "calibration evaluations",
            Command::Versions(_) => "calibration versions",
            Command::Fit(_) => "calibration fit",
            Command::Activate(_) => "calibration activate",
            Command::Rollback(_) => "calibration rollback",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match &self.command {
            Command::Stats(arguments) => arguments.run(session),
            Command::Evaluate(arguments) => arguments.run(session),
            Command::Evaluations(arguments) => arguments.run(session),
            Command::Versions(arguments) => arguments.run(session),
            Command::Fit(arguments) => arguments.run(session),
            Command::Activate(arguments) => arguments.run(session),
            Command::Rollback(arguments) => arguments.run(session),
        }
    }
}

impl Stats {
    fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        let stats: Vec<CalibrationStats> = sources(self.source)
            .map(|source| ask(graph, |r| r.calibration_stats(source, &graph.rules().calibration)))
            .collect::<Result<_, _>>()?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&json!({ "stats": stats }));
        }
        let words = ui.words();
        let column = &words.column;
        let numbers = [
            &column.samples,
            &column.new,
            &column.in_force,
            &column.latest,
            &column.brier,
            &column.ece,
            &column.worse_by,
        ];
        let from_zero = || String::from(&words.calibration.from_zero);
        let columns =
            [Column::exact(&column.calibrated)].into_iter().chain(numbers.map(Column::number));
        let mut table = Table::new(columns.chain([Column::exact(&column.evaluated)]));
        for it in &stats {
            let worse = it.degradation.as_ref();
            table.row([
                it.source.to_string(),
                it.sample_count.to_string(),
                it.new_sample_count.to_string(),
                or_dash(it.current_version),
                or_dash(it.latest_version),
                it.brier_score.map_or("-".to_owned(), score),
                it.ece.map_or("-".to_owned(), score),
                worse
                    .map_or("-".to_owned(), |worse| worse.worse_by.map_or_else(from_zero, percent)),
                it.evaluated_at.map_or("-".to_owned(), minute),
            ]);
        }
        ui.print(&table.render(ui.layout(1)))?;
        let needed = graph.rules().calibration.min_samples;
        if stats.iter().any(|it| it.sample_count < needed) {
            ui.note(&say!(words.calibration.needs_samples, n = needed));
        }
        Ok(())
    }
}

/// The source that was named, or all of them.
fn sources(named: Option<CalibrationSource>) -> impl Iterator<Item = CalibrationSource> {
    let all = CalibrationSource::ALL.iter().copied();
    all.filter(move |it| named.is_none_or(|named| named == *it))
}

/// Says where samples come from, when there are too few.
fn needs_samples(error: graph::Error, source: CalibrationSource) -> Failure {
    match source {
        CalibrationSource::NliJudge => hinted(error, |w| &w.hint.edge_samples),
        CalibrationSource::LlmExtract => hinted(error, |w| &w.hint.claim_samples),
    }
}

/// Adds what to do about a refusal; other errors of the graph have hints of their own.
fn hinted(error: graph::Error, hint: fn(&'static Words) -> &'static Message) -> Failure {
    let is_refusal = matches!(error, graph::Error::Invalid { .. });
    let failure = Failure::from(error);
    if is_refusal { failure.hint(hint) } else { failure }
}

fn score(value: f64) -> String {
    format!("{value:.4}")
}

fn or_dash(value: Option<u32>) -> String {
    value.map_or("-".to_owned(), |number| number.to_string())
}
