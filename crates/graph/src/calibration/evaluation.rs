//! Measuring: samples from what people said, evaluations as stored rows, and whether they get worse.
//!
//! One prediction is one sample, with the last word said about it: a person who changes their mind
//! has not given two samples. Numbers only; what to make of them is for the reader.

use evidence::calibration::{Bin, CalibrationSource, Reliability, Sample, brier};
use evidence::{EvaluationId, EventId};
use jiff::Timestamp;
use rusqlite::{Row, params};
use serde::Serialize;
use serde_json::json;

use super::Rollback;
use crate::row::RowExt;
use crate::store::timestamp;
use crate::{CalibrationSettings, Error, Reader, Result, Writer};

/// How well stated certainty agreed with what people said, at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    pub id: EvaluationId,
    pub source: CalibrationSource,
    /// Of the certainty as the model stated it.
    pub brier_score: f64,
    /// Of the certainty as the version in force corrects it.
    pub brier_score_calibrated: Option<f64>,
    /// The share of the Brier score the version in force takes away.
    pub improvement_ratio: Option<f64>,
    /// Of the certainty in force, as are the bins.
    pub expected_calibration_error: f64,
    pub samples_evaluated: u32,
    pub bins: Vec<Bin>,
    pub calibration_version: Option<u32>,
    pub evaluated_at: Timestamp,
    pub cause_id: EventId,
}

impl Evaluation {
    /// The score of the certainty people see.
    pub fn brier_in_force(&self) -> f64 {
        self.brier_score_calibrated.unwrap_or(self.brier_score)
    }
}

/// The latest evaluation is worse than the one before.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Degradation {
    pub previous_evaluation: EvaluationId,
    pub latest_evaluation: EvaluationId,
    pub previous_brier_score: f64,
    pub latest_brier_score: f64,
    /// Share of the previous score; absent when that was perfect.
    pub worse_by: Option<f64>,
}

/// The state of a source's calibration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationStats {
    pub source: CalibrationSource,
    pub sample_count: u32,
    /// Samples since the last fit, of each judge since its own.
    pub new_sample_count: u32,
    /// The version in force; of several judges the last that was activated.
    pub current_version: Option<u32>,
    pub latest_version: Option<u32>,
    /// Of the latest evaluation, for the certainty in force.
    pub brier_score: Option<f64>,
    pub ece: Option<f64>,
    pub evaluated_at: Option<Timestamp>,
    pub degradation_detected: bool,
    pub degradation: Option<Degradation>,
}

/// An evaluation and what followed from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluated {
    pub evaluation: Evaluation,
    pub degradation: Option<Degradation>,
    /// Only where automatic rollback is enabled.
    pub rolled_back: Option<Rollback>,
}

/// How far a judge is on the way to its next version.
#[derive(Debug)]
pub(super) struct Progress {
    pub(super) model: String,
    pub(super) samples: u32,
    /// Samples since its last version.
    pub(super) fresh: u32,
}

const NLI_SAMPLES: &str =
    "SELECT coalesce(e.nli_model, '') AS model, n.predicted_confidence AS probability,
            n.predicted_label = n.correct_label AS correct
     FROM nli_corrections n JOIN edges e ON e.id = n.edge_id
     WHERE n.id IN (SELECT max(id) FROM nli_corrections GROUP BY edge_id) ORDER BY n.id";

/// A claim people rejected was wrongly extracted; one they restored was right after all.
const EXTRACTION_SAMPLES: &str = "SELECT '' AS model, c.claim_extraction_confidence AS probability, v.kind = 'restored' AS correct
     FROM claim_events v JOIN claims c ON c.id = v.claim_id
     WHERE c.claim_extraction_confidence IS NOT NULL
       AND v.id IN (SELECT max(id) FROM claim_events WHERE kind IN ('rejected', 'restored') GROUP BY claim_id)
     ORDER BY v.id";

impl Reader<'_> {
    /// What people said about the predictions of a source, oldest first.
    pub fn calibration_samples(&self, source: CalibrationSource) -> Result<Vec<Sample>> {
        Ok(self.samples_by_judge(source)?.into_iter().map(|(_, sample)| sample).collect())
    }

    /// The same, each with the judge who made the prediction.
    pub(super) fn samples_by_judge(
        &self,
        source: CalibrationSource,
    ) -> Result<Vec<(String, Sample)>> {
        let mut statement = self.connection.prepare_cached(samples_sql(source))?;
        let samples = statement.query_map([], |row| {
            let (probability, correct) = (row.get("probability")?, row.get("correct")?);
            Ok((row.get("model")?, Sample { probability, correct }))
        })?;
        Ok(samples.collect::<rusqlite::Result<_>>()?)
    }

    /// How many samples each judge has.
    pub(super) fn calibration_progress(&self, source: CalibrationSource) -> Result<Vec<Progress>> {
        let sql = format!(
            "SELECT model, count(*) AS samples, coalesce((
               SELECT v.samples FROM calibration_versions v
               WHERE v.source = ?1 AND v.model = sample.model ORDER BY v.version DESC LIMIT 1), 0) AS fitted
             FROM ({}) sample GROUP BY model ORDER BY model",
            samples_sql(source)
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let progress = statement.query_map([source.as_str()], |row| {
            let (samples, fitted): (u32, u32) = (row.get("samples")?, row.get("fitted")?);
            Ok(Progress {
                model: row.get("model")?,
                samples,
                fresh: samples.saturating_sub(fitted),
            })
        })?;
        Ok(progress.collect::<rusqlite::Result<_>>()?)
    }

    /// The state of a source's calibration.
    pub fn calibration_stats(
        &self,
        source: CalibrationSource,
        rules: &CalibrationSettings,
    ) -> Result<CalibrationStats> {
        let progress = self.calibration_progress(source)?;
        let last = self.calibration_versions(source)?.into_iter().next();
        let evaluations = self.calibration_evaluations(source, 2, None)?;
        let latest = evaluations.first();
        let degradation = degradation(&evaluations, rules);
        Ok(CalibrationStats {
            source,
            sample_count: progress.iter().map(|it| it.samples).sum(),
            new_sample_count: progress.iter().map(|it| it.fresh).sum(),
            current_version: self.active_calibrations(source)?.first().map(|it| it.version),
            latest_version: last.map(|it| it.version),
            brier_score: latest.map(Evaluation::brier_in_force),
            ece: latest.map(|it| it.expected_calibration_error),
            evaluated_at: latest.map(|it| it.evaluated_at),
            degradation_detected: degradation.is_some(),
            degradation,
        })
    }

    /// Stored evaluations of a source, newest first, at most `limit`, not before `since`.
    pub fn calibration_evaluations(
        &self,
        source: CalibrationSource,
        limit: u32,
        since: Option<Timestamp>,
    ) -> Result<Vec<Evaluation>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM calibration_evaluations
             WHERE source = ?1 AND evaluated_at >= coalesce(?3, '') ORDER BY id DESC LIMIT ?2",
        )?;
        let evaluations = statement
            .query_map(params![source.as_str(), limit, since.map(timestamp)], from_row)?
            .collect::<rusqlite::Result<_>>()?;
        Ok(evaluations)
    }
}

impl Writer<'_> {
    /// Measures a source on all its samples and stores the result with its bins.
    ///
    /// When it is worse than the one before, that is reported; the version in force is taken back
    /// only where the rules enable it.
    pub fn evaluate_calibration(&self, source: CalibrationSource) -> Result<Evaluated> {
        let (rules, judged) = (&self.rules().calibration, self.samples_by_judge(source)?);
        let versions = self.active_calibrations(source)?;
        let active = versions.first();
        let in_force: Vec<Sample> = judged
            .iter()
            .map(|(model, sample)| Sample {
                probability: versions
                    .iter()
                    .find(|it| it.model == *model)
                    .map_or(sample.probability, |version| {
                        version.calibration.apply(sample.probability)
                    }),
                ..*sample
            })
            .collect();
        let samples: Vec<Sample> = judged.into_iter().map(|(_, sample)| sample).collect();
        let nothing =
            || Error::invalid("the calibration", format!("of {source} has no samples yet"));
        let raw = brier(&samples).ok_or_else(nothing)?;
        let measured = Reliability::measure(&in_force, rules.bins).ok_or_else(nothing)?;
        let calibrated = active.map(|_| measured.brier_score);
        let improvement =
            calibrated.filter(|_| raw > 0.0).map(|calibrated| (raw - calibrated) / raw);
        let version = active.map(|it| it.version);
        let event = self.calibration_event(
            "calibration_evaluate",
            source,
            json!({ "version": version, "brier_score": raw, "brier_score_calibrated": calibrated,
                    "samples": samples.len() }),
        )?;
        let id: EvaluationId = self.mint();
        self.connection.execute(
            "INSERT INTO calibration_evaluations (id, source, brier_score, brier_score_calibrated,
                 improvement_ratio, expected_calibration_error, samples_evaluated, bins_json,
                 calibration_version, evaluated_at, created_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11)",
            params![
                id.to_string(),
                source.as_str(),
                raw,
                calibrated,
                improvement,
                measured.expected_calibration_error,
                samples.len() as i64,
                json!(measured.bins).to_string(),
                version,
                self.now(),
                event.to_string(),
            ],
        )?;
        let mut evaluations = self.calibration_evaluations(source, 2, None)?;
        let degradation = degradation(&evaluations, rules);
        let rolled_back = match &degradation {
            Some(_) if rules.enable_auto_rollback && active.is_some() => {
                let reason = "automatic: the evaluation was worse than the one before";
                Some(self.rollback_calibration(source, None, Some(reason))?)
            }
            _ => None,
        };
        Ok(Evaluated { evaluation: evaluations.swap_remove(0), degradation, rolled_back })
    }
}

fn samples_sql(source: CalibrationSource) -> &'static str {
    match source {
        CalibrationSource::NliJudge => NLI_SAMPLES,
        CalibrationSource::LlmExtract => EXTRACTION_SAMPLES,
    }
}

/// Compares the two latest evaluations, newest first.
fn degradation(evaluations: &[Evaluation], rules: &CalibrationSettings) -> Option<Degradation> {
    /// Five per cent worse is five per cent worse, also where binary fractions say a hair less.
    const ROUNDING: f64 = 1e-9;
    let [latest, previous, ..] = evaluations else { return None };
    let (new, old) = (latest.brier_in_force(), previous.brier_in_force());
    let worse_by = (old > 0.0).then(|| (new - old) / old);
    let worse = worse_by.map_or(new > 0.0, |it| it + ROUNDING >= rules.degradation_threshold);
    worse.then_some(Degradation {
        previous_evaluation: previous.id,
        latest_evaluation: latest.id,
        previous_brier_score: old,
        latest_brier_score: new,
        worse_by,
    })
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Evaluation> {
    let bins: serde_json::Value = row.parse("bins_json")?;
    Ok(Evaluation {
        id: row.parse("id")?,
        source: row.parse("source")?,
        brier_score: row.get("brier_score")?,
        brier_score_calibrated: row.get("brier_score_calibrated")?,
        improvement_ratio: row.get("improvement_ratio")?,
        expected_calibration_error: row.get("expected_calibration_error")?,
        samples_evaluated: row.get("samples_evaluated")?,
        bins: serde_json::from_value(bins).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(
                0,
                rusqlite::types::Type::Text,
                Box::new(error),
            )
        })?,
        calibration_version: row.get("calibration_version")?,
        evaluated_at: row.parse("evaluated_at")?,
        cause_id: row.parse("cause_id")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::Id;

    fn evaluation(number: u64, brier: f64) -> Evaluation {
        Evaluation {
            id: EvaluationId::from_parts(number, 0),
            source: CalibrationSource::NliJudge,
            brier_score: brier,
            brier_score_calibrated: None,
            improvement_ratio: None,
            expected_calibration_error: 0.0,
            samples_evaluated: 1,
            bins: Vec::new(),
            calibration_version: None,
            evaluated_at: Timestamp::UNIX_EPOCH,
            cause_id: EventId::from_parts(number, 0),
        }
    }

    #[test]
    fn a_degradation_starts_at_exactly_five_per_cent() {
        let worse_by = |old: f64, new: f64| {
            let latest_first = [evaluation(2, new), evaluation(1, old)];
            degradation(&latest_first, &CalibrationSettings::default()).map(|it| it.worse_by)
        };
        assert_eq!(worse_by(0.20, 0.2099), None);
        assert_eq!(format!("{:.3?}", worse_by(0.20, 0.21)), "Some(Some(0.050))");
        assert_eq!(worse_by(0.20, 0.10), None);
        assert_eq!(worse_by(0.0, 0.0), None);
        assert_eq!(worse_by(0.0, 0.01), Some(None));
        assert_eq!(degradation(&[evaluation(1, 0.9)], &CalibrationSettings::default()), None);
    }
}
