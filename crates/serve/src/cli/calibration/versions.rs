//! `lyra calibration versions`, `fit`, `activate` and `rollback`: corrections, and which one holds.

use clap::Args;
use evidence::calibration::{Calibration, CalibrationMethod, CalibrationSource};
use graph::{CalibrationVersion, Cause};
use serde::Serialize;

use super::{hinted, needs_samples, score, sources};
use crate::cli::input::reason;
use crate::cli::{change, minute, print_record};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};

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

/// Put a version in force: the certainty of every edge that no person corrected is computed anew
///
/// What the judge said is kept, so that taking the version back restores every value exactly.
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
        if versions.is_empty() {
            ui.note("No versions. Fit one with: lyra calibration fit SOURCE");
            return Ok(());
        }
        let mut table = Table::new([
            Column::exact("SOURCE"),
            Column::number("VERSION"),
            Column::exact("IN FORCE"),
            Column::number("SAMPLES"),
            Column::number("BEFORE"),
            Column::number("AFTER"),
            Column::exact("CREATED"),
            Column::exact("CORRECTION"),
        ]);
        for it in &versions {
            table.row([
                it.source.to_string(),
                it.version.to_string(),
                if it.is_active { "yes" } else { "no" }.to_owned(),
                it.samples.to_string(),
                score(it.brier_before),
                score(it.brier_after),
                minute(it.created_at),
                correction(it.calibration),
            ]);
        }
        ui.print(&table.render(ui.layout(1)))?;
        ui.note("BEFORE and AFTER are Brier scores, AFTER on samples the fit had not seen.");
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
        let (before, after) = (score(version.brier_before), score(version.brier_after));
        print_record(
            ui,
            &[
                ("Source", source.to_string()),
                ("Version", version.version.to_string()),
                ("Correction", correction(version.calibration)),
                ("Samples", version.samples.to_string()),
                ("Brier score", format!("{before} as stated, {after} on samples not seen")),
            ],
        )?;
        let number = version.version;
        ui.note(&format!(
            "Nothing was changed. Put it in force with: lyra calibration activate {source} {number}"
        ));
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
        let was_active = activation.previous_version == Some(self.version);
        print_record(
            ui,
            &switched(
                source,
                activation.previous_version,
                Some(activation.version),
                activation.edges_changed,
            ),
        )?;
        if was_active {
            ui.note("It was in force already; nothing was changed.");
            return Ok(());
        }
        ui.note(untouched(source));
        ui.note(&format!("Take it back with: lyra calibration rollback {source} --reason TEXT"));
        Ok(())
    }
}

impl Rollback {
    pub(super) fn run(&self, session: &Session) -> Result<(), Failure> {
        let reason = reason(session, &self.reason)?;
        let (source, graph) = (self.source, session.open_to_change()?);
        let rollback = graph
            .write(cause(source), |w| w.rollback_calibration(source, self.version, Some(&reason)))
            .map_err(|error| hinted(error, "`lyra calibration versions` shows what is in force"))?;
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&rollback);
        }
        let previous = rollback.previous_version;
        let mut fields =
            switched(source, Some(previous), rollback.rolled_back_to, rollback.edges_changed);
        fields.extend(rollback.reason.map(|it| ("Reason", it)));
        print_record(ui, &fields)?;
        ui.note(untouched(source));
        ui.note(&format!(
            "Put it in force again with: lyra calibration activate {source} {previous}"
        ));
        Ok(())
    }
}

fn cause(source: CalibrationSource) -> Cause {
    Cause::new("calibration").about("calibration", source)
}

fn switched(
    source: CalibrationSource,
    before: Option<u32>,
    now: Option<u32>,
    edges: u64,
) -> Vec<(&'static str, String)> {
    let named = |it: Option<u32>| it.map_or("no version".to_owned(), |it| format!("version {it}"));
    vec![
        ("Source", source.to_string()),
        ("In force", change(&named(before), &named(now))),
        ("Edges changed", edges.to_string()),
    ]
}

fn untouched(source: CalibrationSource) -> &'static str {
    match source {
        CalibrationSource::NliJudge => {
            "What the judge said itself, and what people corrected, is as it was."
        }
        CalibrationSource::LlmExtract => {
            "`lyra evidence CLAIM` shows the corrected certainty of extraction; the stated one stays stored."
        }
    }
}

fn correction(calibration: Calibration) -> String {
    match calibration {
        Calibration::Platt { slope, intercept } => {
            format!("platt, slope {slope:.3}, intercept {intercept:.3}")
        }
        Calibration::Temperature { temperature } => format!("temperature {temperature:.3}"),
    }
}
