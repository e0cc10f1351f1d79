//! `lyra calibration versions`, `fit`, `activate` and `rollback`: corrections, and which one holds.

use clap::Args;
use evidence::calibration::{Calibration, CalibrationMethod, CalibrationSource};
use graph::{CalibrationVersion, Cause};
use serde::Serialize;
use text::messages::Message;

use super::{hinted, needs_samples, score, sources};
use crate::cli::input::reason;
use crate::cli::{Field, change, minute, print_record};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// List the fitted versions, newest first, and which one is in force
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra calibration versions nli_judge

Next: `lyra calibration activate SOURCE VERSION` puts one in force.")]
pub(super) struct Versions {
    /// Only nli_judge or llm_extract
    source: Option<CalibrationSource>,
}

/// Fit a correction to all samples of a source; it is not in force until it is activated
///
/// Where several models judge, it is fitted to the one with the most new samples, and corrects that one only.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra calibration fit nli_judge --method temperature

Next: `lyra calibration activate SOURCE VERSION` puts it in force.")]
pub(super) struct Fit {
    /// nli_judge or llm_extract
    source: CalibrationSource,
    /// platt or temperature [default: the setting calibration.method]
    #[arg(long)]
    method: Option<CalibrationMethod>,
}

/// Put a version in force: what its judge said of every edge that no person corrected is computed anew
///
/// Other judges, rules and notices are left alone. What the judge said is kept, so that taking the version back restores every value exactly.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra calibration activate nli_judge 2

Next: `lyra calibration evaluate SOURCE` measures it; `lyra calibration rollback SOURCE` takes it back.")]
pub(super) struct Activate {
    /// nli_judge or llm_extract
    source: CalibrationSource,
    /// The version's number, from `lyra calibration versions`
    version: u32,
}

/// Take the version in force back, to the one before it or to an earlier one
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra calibration rollback nli_judge --reason \"worse on the new task\"
  lyra calibration rollback nli_judge --version 0 --reason \"back to the judge's own certainty\"

Next: `lyra calibration versions SOURCE` shows what is in force.")]
pub(super) struct Rollback {
    /// nli_judge or llm_extract
    source: CalibrationSource,
    /// The version to go back to; 0 is the judge's own certainty [default: the one before]
    #[arg(long, value_name = "N")]
    version: Option<u32>,
    /// Why, or `-` to read it from stdin
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl Versions {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Listed {
            versions: Vec<CalibrationVersion>,
        }
        let graph = session.reader()?;
        let mut versions = Vec::new();
        for source in sources(self.source) {
            versions.extend(ask(graph, |r| r.calibration_versions(source))?);
        }
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Listed { versions });
        }
        let words = ui.words();
        if versions.is_empty() {
            ui.note(words.calibration.no_versions.as_str());
            return Ok(());
        }
        let (column, common) = (&words.column, &words.common);
        let mut table = Table::new([
            Column::exact(&column.calibrated),
            Column::number(&column.version),
            Column::exact(&column.judge),
            Column::exact(&column.in_force),
            Column::number(&column.samples),
            Column::number(&column.before),
            Column::number(&column.after),
            Column::exact(&column.created),
            Column::exact(&column.correction),
        ]);
        for it in &versions {
            table.row([
                it.source.to_string(),
                it.version.to_string(),
                if it.model.is_empty() { "-".to_owned() } else { it.model.clone() },
                String::from(if it.is_active { &common.yes } else { &common.no }),
                it.samples.to_string(),
                score(it.brier_before),
                score(it.brier_after),
                minute(it.created_at),
                correction(words, it.calibration),
            ]);
        }
        ui.print(&table.render(ui.layout(1)))?;
        ui.note(words.calibration.scores.as_str());
        Ok(())
    }
}

impl Fit {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Fitted {
            version: CalibrationVersion,
        }
        let (source, graph) = (self.source, session.open_to_change()?);
        let method = self.method.unwrap_or(session.settings.calibration.method);
        let version = graph
            .write(cause(source), |w| w.fit_calibration(source, method))
            .map_err(|error| needs_samples(error, source))?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&Fitted { version });
        }
        let words = ui.words();
        let (label, number) = (&words.label, version.version);
        let (before, after) = (score(version.brier_before), score(version.brier_after));
        let scores = say!(words.calibration.fitted_scores, before = before, after = after);
        let mut fields =
            vec![(&label.calibrated, source.to_string()), (&label.version, number.to_string())];
        let model = Some(version.model).filter(|it| !it.is_empty());
        fields.extend(model.map(|model| (&label.judge, model)));
        fields.extend([
            (&label.correction, correction(words, version.calibration)),
            (&label.samples, version.samples.to_string()),
            (&label.brier, scores),
        ]);
        print_record(ui, &fields)?;
        let command = format!("lyra calibration activate {source} {number}");
        ui.note(&say!(words.calibration.activate, command = command));
        Ok(())
    }
}

impl Activate {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let (source, graph) = (self.source, session.open_to_change()?);
        let activation =
            graph.write(cause(source), |w| w.activate_calibration(source, self.version))?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&activation);
        }
        let words = ui.words();
        let was_active = activation.previous_version == Some(self.version);
        print_record(
            ui,
            &switched(
                words,
                source,
                activation.previous_version,
                Some(activation.version),
                activation.edges_changed,
            ),
        )?;
        if was_active {
            ui.note(words.calibration.already_in_force.as_str());
            return Ok(());
        }
        ui.note(untouched(words, source).as_str());
        let command = format!("lyra calibration rollback {source} --reason TEXT");
        ui.note(&say!(words.common.take_back, command = command));
        Ok(())
    }
}

impl Rollback {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let reason = reason(session, &self.reason)?;
        let (source, graph) = (self.source, session.open_to_change()?);
        let rollback = graph
            .write(cause(source), |w| w.rollback_calibration(source, self.version, Some(&reason)))
            .map_err(|error| hinted(error, |w| &w.hint.in_force))?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&rollback);
        }
        let (words, previous) = (ui.words(), rollback.previous_version);
        let now = rollback.rolled_back_to;
        let mut fields = switched(words, source, Some(previous), now, rollback.edges_changed);
        fields.extend(rollback.reason.map(|reason| (&words.label.reason, reason)));
        print_record(ui, &fields)?;
        ui.note(untouched(words, source).as_str());
        let command = format!("lyra calibration activate {source} {previous}");
        ui.note(&say!(words.calibration.activate_again, command = command));
        Ok(())
    }
}

fn cause(source: CalibrationSource) -> Cause {
    Cause::new("calibration").about("calibration", source)
}

fn switched(
    words: &'static Words,
    source: CalibrationSource,
    before: Option<u32>,
    now: Option<u32>,
    edges: u64,
) -> Vec<Field> {
    let label = &words.label;
    vec![
        (&label.calibrated, source.to_string()),
        (&label.in_force, change(words, &version(words, before), &version(words, now))),
        (&label.edges_changed, edges.to_string()),
    ]
}

/// A version by its number, or that there is none.
pub(super) fn version(words: &Words, version: Option<u32>) -> String {
    match version {
        Some(version) => say!(words.calibration.version, version = version),
        None => String::from(&words.calibration.no_version),
    }
}

fn untouched(words: &Words, source: CalibrationSource) -> &Message {
    match source {
        CalibrationSource::NliJudge => &words.calibration.judge_untouched,
        CalibrationSource::LlmExtract => &words.calibration.extract_untouched,
    }
}

fn correction(words: &Words, calibration: Calibration) -> String {
    let words = &words.calibration;
    let number = |value: f64| format!("{value:.3}");
    match calibration {
        Calibration::Platt { slope, intercept } => {
            say!(words.platt, slope = number(slope), intercept = number(intercept))
        }
        Calibration::Temperature { temperature } => {
            say!(words.temperature, temperature = number(temperature))
        }
    }
}
