//! Calibration in the graph: versions fitted to what people said, put in force and taken back.
//!
//! Nothing is applied until a version is activated. The judge's own certainty stays in
//! `nli_confidence_raw`, from which `nli_confidence` is always computed anew, so that taking a
//! version back restores every value exactly. Edges a person corrected are left alone, and so is what other judges,
//! rules and notices say: a version is fitted to one judge and corrects that one. For `llm_extract` only the stated
//! value is stored, and [`Reader::evidence_of`] corrects it when it is read.

mod evaluation;

use evidence::CalibrationVersionId;
use evidence::EventId;
use evidence::calibration::{Calibration, CalibrationMethod, CalibrationSource, Sample, brier};
use jiff::{SignedDuration, Timestamp};
use rusqlite::functions::FunctionFlags;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::{Value, json};

pub use evaluation::{CalibrationStats, Degradation, Evaluated, Evaluation};

use crate::row::RowExt;
use crate::store::timestamp;
use crate::{Cause, Error, Reader, Result, Writer};

/// A correction fitted to the samples of one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationVersion {
    pub id: CalibrationVersionId,
    pub source: CalibrationSource,
    pub version: u32,
    /// Whose certainty it corrects, as `edges.nli_model` names it; empty for `llm_extract`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    #[serde(flatten)]
    pub calibration: Calibration,
    pub samples: u32,
    pub brier_before: f64,
    /// On samples the fit had not seen.
    pub brier_after: f64,
    pub is_active: bool,
    /// When it was last put in force and not taken back since.
    pub activated_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub cause_id: EventId,
}

/// What putting a version in force did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Activation {
    pub source: CalibrationSource,
    pub version: u32,
    pub previous_version: Option<u32>,
    pub edges_changed: u64,
}

/// What taking a version back did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rollback {
    pub source: CalibrationSource,
    /// `None`: the judge's own certainty holds again.
    pub rolled_back_to: Option<u32>,
    pub previous_version: u32,
    pub reason: Option<String>,
    pub edges_changed: u64,
}

impl Reader<'_> {
    /// The versions of a source, newest first.
    pub fn calibration_versions(
        &self,
        source: CalibrationSource,
    ) -> Result<Vec<CalibrationVersion>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM calibration_versions WHERE source = ?1 ORDER BY version DESC",
        )?;
        Ok(statement.query_map([source.as_str()], from_row)?.collect::<rusqlite::Result<_>>()?)
    }

    /// The versions in force, one for each judge that has one, the last that was activated first.
    pub fn active_calibrations(
        &self,
        source: CalibrationSource,
    ) -> Result<Vec<CalibrationVersion>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM calibration_versions WHERE source = ?1 AND is_active = 1
             ORDER BY activated_at DESC",
        )?;
        Ok(statement.query_map([source.as_str()], from_row)?.collect::<rusqlite::Result<_>>()?)
    }

    /// A probability that a judge stated, as the version in force for this judge corrects it.
    pub fn calibrated(
        &self,
        source: CalibrationSource,
        model: &str,
        probability: f64,
    ) -> Result<f64> {
        let active = self
            .connection
            .prepare_cached(
                "SELECT * FROM calibration_versions WHERE source = ?1 AND model = ?2 AND is_active = 1",
            )?
            .query_row([source.as_str(), model], from_row)
            .optional()?;
        Ok(active.map_or(probability, |it| it.calibration.apply(probability)))
    }

    fn calibration_version(
        &self,
        source: CalibrationSource,
        version: u32,
    ) -> Result<CalibrationVersion> {
        self.connection
            .prepare_cached(
                "SELECT * FROM calibration_versions WHERE source = ?1 AND version = ?2",
            )?
            .query_row(params![source.as_str(), version], from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("calibration version", format!("{source} {version}")))
    }
}

impl Writer<'_> {
    /// Fits a new version to all samples of the judge that has the most new ones. It is not in force until it is
    /// activated.
    pub fn fit_calibration(
        &self,
        source: CalibrationSource,
        method: CalibrationMethod,
    ) -> Result<CalibrationVersion> {
        let most =
            self.calibration_progress(source)?.into_iter().max_by_key(|it| (it.fresh, it.samples));
        self.fit_calibration_of(source, &most.map(|it| it.model).unwrap_or_default(), method)
    }

    fn fit_calibration_of(
        &self,
        source: CalibrationSource,
        model: &str,
        method: CalibrationMethod,
    ) -> Result<CalibrationVersion> {
        let rules = &self.rules().calibration;
        let samples: Vec<Sample> = self
            .samples_by_judge(source)?
            .into_iter()
            .filter_map(|(judge, sample)| (judge == model).then_some(sample))
            .collect();
        let needed = rules.min_samples.max(2);
        let found = u32::try_from(samples.len()).unwrap_or(u32::MAX);
        let too_few = || {
            let problem = format!("of {source} needs {needed} samples; there are {found}");
            Error::invalid("the calibration", problem)
        };
        if found < needed {
            return Err(too_few());
        }
        let fitted = Calibration::fit(method, &samples).ok_or_else(too_few)?;
        let before = brier(&samples).ok_or_else(too_few)?;
        let after = Calibration::held_out_brier(method, &samples, rules.folds.max(2))
            .ok_or_else(too_few)?;
        let version = 1 + self.calibration_versions(source)?.first().map_or(0, |it| it.version);
        let id: CalibrationVersionId = self.mint();
        let event = self.calibration_event(
            "calibration_fit",
            source,
            json!({ "version": version, "model": model, "parameters": fitted, "samples": found,
                    "brier_before": before, "brier_after": after }),
        )?;
        self.connection.execute(
            "INSERT INTO calibration_versions (id, source, version, model, method, parameters, samples,
                                               brier_before, brier_after, created_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                id.to_string(),
                source.as_str(),
                version,
                model,
                method.as_str(),
                json!(fitted).to_string(),
                found,
                before,
                after,
                self.now(),
                event.to_string(),
            ],
        )?;
        // Read back, so that what the caller holds is what later readers compute with.
        self.calibration_version(source, version)
    }

    /// Fits a new version for a judge when enough samples came in since its last one. It is not in force.
    pub(crate) fn refit_if_due(
        &self,
        source: CalibrationSource,
        model: &str,
    ) -> Result<Option<CalibrationVersion>> {
        let rules = &self.rules().calibration;
        let progress = self.calibration_progress(source)?;
        let Some(judge) = progress.into_iter().find(|it| it.model == model) else {
            return Ok(None);
        };
        if judge.samples < rules.min_samples.max(2) || judge.fresh < rules.refit_after {
            return Ok(None);
        }
        let last = self.calibration_versions(source)?.into_iter().find(|it| it.model == model);
        let method = last.map_or(rules.method, |it| it.calibration.method());
        self.fit_calibration_of(source, model, method).map(Some)
    }

    /// Puts a version in force: the certainty of every edge of its judge that no person corrected is computed anew.
    pub fn activate_calibration(
        &self,
        source: CalibrationSource,
        version: u32,
    ) -> Result<Activation> {
        let wanted = self.calibration_version(source, version)?;
        let in_force = self.active_calibrations(source)?;
        let previous = in_force.iter().find(|it| it.model == wanted.model);
        let previous_version = previous.map(|it| it.version);
        if wanted.is_active {
            return Ok(Activation { source, version, previous_version, edges_changed: 0 });
        }
        let detail = json!({ "version": version, "previous_version": previous_version });
        self.calibration_event("calibration_activate", source, detail)?;
        let stamp = self.activation_stamp(source)?;
        self.switch_calibration(source, &wanted.model, Some(version))?;
        self.connection.execute(
            "UPDATE calibration_versions SET activated_at = ?3 WHERE source = ?1 AND version = ?2",
            params![source.as_str(), version, stamp],
        )?;
        let edges_changed =
            self.apply_calibration(source, &wanted.model, Some(wanted.calibration))?;
        Ok(Activation { source, version, previous_version, edges_changed })
    }

    /// Takes a version in force back: that of the judge of `version` to it, or without one the last that was activated,
    /// to what was in force before it. Version 0 is the own certainty of all judges. Goes back only, to what was in
    /// force once.
    pub fn rollback_calibration(
        &self,
        source: CalibrationSource,
        version: Option<u32>,
        reason: Option<&str>,
    ) -> Result<Rollback> {
        let mut in_force = self.active_calibrations(source)?;
        let wanted = match version {
            None | Some(0) => None,
            Some(version) => Some(self.calibration_version(source, version)?),
        };
        if let Some(wanted) = &wanted {
            in_force.retain(|it| it.model == wanted.model);
        }
        let active = in_force.first().cloned().ok_or_else(|| {
            Error::invalid("the calibration", format!("of {source} is not in force"))
        })?;
        if version != Some(0) {
            in_force.truncate(1);
        }
        let before = self.in_force_before(&active)?;
        let target = match wanted {
            None if version == Some(0) => None,
            None => before.first(),
            Some(wanted) => {
                let known = before.iter().find(|it| it.version == wanted.version);
                Some(known.ok_or_else(|| {
                    let problem =
                        format!("{} was not in force before {}", wanted.version, active.version);
                    Error::invalid("version", problem)
                })?)
            }
        };
        let to = target.map(|it| it.version);
        let reason = reason.map(str::trim).filter(|it| !it.is_empty());
        self.calibration_event(
            "calibration_rollback",
            source,
            json!({ "rolled_back_to": to, "previous_version": active.version, "reason": reason }),
        )?;
        let mut edges_changed = 0;
        for CalibrationVersion { model, .. } in &in_force {
            self.switch_calibration(source, model, to)?;
            // What was rolled over is no longer in the line of versions to go back to; the log keeps it.
            self.connection.execute(
                "UPDATE calibration_versions SET activated_at = NULL
                 WHERE source = ?1 AND model = ?2 AND activated_at > coalesce(?3, '')",
                params![
                    source.as_str(),
                    model,
                    target.and_then(|it| it.activated_at).map(timestamp)
                ],
            )?;
            edges_changed +=
                self.apply_calibration(source, model, target.map(|it| it.calibration))?;
        }
        Ok(Rollback {
            source,
            rolled_back_to: to,
            previous_version: active.version,
            reason: reason.map(str::to_owned),
            edges_changed,
        })
    }

    /// The versions of a judge that were in force before one of them, the last first.
    fn in_force_before(&self, active: &CalibrationVersion) -> Result<Vec<CalibrationVersion>> {
        let mut versions = self.calibration_versions(active.source)?;
        versions.retain(|it| {
            it.model == active.model
                && it.activated_at.is_some()
                && it.activated_at < active.activated_at
        });
        versions.sort_by_key(|it| std::cmp::Reverse(it.activated_at));
        Ok(versions)
    }

    fn switch_calibration(
        &self,
        source: CalibrationSource,
        model: &str,
        to: Option<u32>,
    ) -> Result<()> {
        // Two steps: at no moment may two versions be active.
        self.connection.execute(
            "UPDATE calibration_versions SET is_active = 0
             WHERE source = ?1 AND model = ?2 AND is_active = 1",
            [source.as_str(), model],
        )?;
        self.connection.execute(
            "UPDATE calibration_versions SET is_active = 1 WHERE source = ?1 AND version = ?2",
            params![source.as_str(), to],
        )?;
        Ok(())
    }

    /// Now, or a moment after the last activation: the order of activations must be certain.
    fn activation_stamp(&self, source: CalibrationSource) -> Result<String> {
        let last: Option<Timestamp> =
            self.calibration_versions(source)?.into_iter().filter_map(|it| it.activated_at).max();
        let after_last = last
            .and_then(|it| it.checked_add(SignedDuration::from_millis(1)).ok())
            .map(timestamp)
            .unwrap_or_default();
        Ok(self.now().max(after_last))
    }

    /// Computes `nli_confidence` of every edge of a judge from what it said; returns how many values changed.
    fn apply_calibration(
        &self,
        source: CalibrationSource,
        model: &str,
        calibration: Option<Calibration>,
    ) -> Result<u64> {
        if source != CalibrationSource::NliJudge {
            return Ok(0);
        }
        self.connection.create_scalar_function(
            "calibrate",
            1,
            FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC,
            move |context| {
                let raw: f64 = context.get(0)?;
                Ok(calibration.map_or(raw, |it| it.apply(raw)))
            },
        )?;
        let changed = self.connection.execute(
            "UPDATE edges SET nli_confidence = calibrate(nli_confidence_raw)
             WHERE edge_human_corrected = 0 AND nli_confidence_raw IS NOT NULL AND coalesce(nli_model, '') = ?1
               AND nli_confidence <> calibrate(nli_confidence_raw)",
            [model],
        );
        self.connection.remove_function("calibrate", 1)?;
        // Another statement of a source may be its surest now.
        self.recount_claims(
            "SELECT DISTINCT target_id FROM edges
             WHERE relation IN ('supports', 'refutes') AND coalesce(nli_model, '') = ?1",
            [model],
        )?;
        Ok(changed? as u64)
    }

    fn calibration_event(
        &self,
        kind: &'static str,
        source: CalibrationSource,
        detail: Value,
    ) -> Result<EventId> {
        let event = Cause::new(kind).about("calibration", source).with(detail);
        self.record_event(event.after(self.cause()?))
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<CalibrationVersion> {
    let parameters: Value = row.parse("parameters")?;
    let calibration = serde_json::from_value(parameters).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(error))
    })?;
    Ok(CalibrationVersion {
        id: row.parse("id")?,
        source: row.parse("source")?,
        version: row.get("version")?,
        model: row.get("model")?,
        calibration,
        samples: row.get("samples")?,
        brier_before: row.get("brier_before")?,
        brier_after: row.get("brier_after")?,
        is_active: row.get("is_active")?,
        activated_at: row.parse_opt("activated_at")?,
        created_at: row.parse("created_at")?,
        cause_id: row.parse("cause_id")?,
    })
}
