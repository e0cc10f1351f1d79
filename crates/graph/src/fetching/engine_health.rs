//! How the search engines are doing.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use crate::row::RowExt;
use crate::store::timestamp;
use crate::{Reader, Result, Writer};

/// Whether an engine is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CircuitState {
    Closed,
    HalfOpen,
    Open,
}

impl CircuitState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::HalfOpen => "half_open",
            Self::Open => "open",
        }
    }

    fn of(name: &str) -> Self {
        match name {
            "open" => Self::Open,
            "half_open" => Self::HalfOpen,
            // The schema allows no fourth.
            _ => Self::Closed,
        }
    }
}

/// What an engine's weight and its circuit rest on. Rates are moving averages between 0 and 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineHealth {
    pub engine: String,
    pub circuit_state: CircuitState,
    pub consecutive_failures: u32,
    pub open_until: Option<Timestamp>,
    pub success_rate_1h: Option<f64>,
    pub success_rate_24h: Option<f64>,
    pub captcha_rate: Option<f64>,
    pub http_error_rate: Option<f64>,
    pub parse_failure_rate: Option<f64>,
    pub median_latency_ms: Option<f64>,
    pub ban_suspected: bool,
    pub weight: f64,
    pub samples: u32,
    /// The archive record of a page the parser could not read.
    pub broken_sample: Option<String>,
    pub last_outcome: Option<String>,
    pub updated_at: Timestamp,
}

impl EngineHealth {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            engine: row.get("engine")?,
            circuit_state: CircuitState::of(&row.get::<_, String>("circuit_state")?),
            consecutive_failures: row.get("consecutive_failures")?,
            open_until: row.parse_opt("open_until")?,
            success_rate_1h: row.get("success_rate_1h")?,
            success_rate_24h: row.get("success_rate_24h")?,
            captcha_rate: row.get("captcha_rate")?,
            http_error_rate: row.get("http_error_rate")?,
            parse_failure_rate: row.get("parse_failure_rate")?,
            median_latency_ms: row.get("median_latency_ms")?,
            ban_suspected: row.get("ban_suspected")?,
            weight: row.get("weight")?,
            samples: row.get("samples")?,
            broken_sample: row.get("broken_sample")?,
            last_outcome: row.get("last_outcome")?,
            updated_at: row.parse("updated_at")?,
        })
    }
}

impl Writer<'_> {
    /// Keeps how an engine is doing.
    pub fn keep_engine_health(&self, health: &EngineHealth) -> Result<()> {
        self.connection.execute(
            "INSERT INTO engine_health (engine, circuit_state, consecutive_failures, open_until, success_rate_1h,
               success_rate_24h, captcha_rate, http_error_rate, parse_failure_rate, median_latency_ms,
               ban_suspected, weight, samples, broken_sample, last_outcome, updated_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
             ON CONFLICT (engine) DO UPDATE SET circuit_state = ?2, consecutive_failures = ?3, open_until = ?4,
               success_rate_1h = ?5, success_rate_24h = ?6, captcha_rate = ?7, http_error_rate = ?8,
               parse_failure_rate = ?9, median_latency_ms = ?10, ban_suspected = ?11, weight = ?12,
               samples = ?13, broken_sample = ?14, last_outcome = ?15, updated_at = ?16, cause_id = ?17",
            params![
                health.engine,
                health.circuit_state.as_str(),
                health.consecutive_failures,
                health.open_until.map(timestamp),
                health.success_rate_1h,
                health.success_rate_24h,
                health.captcha_rate,
                health.http_error_rate,
                health.parse_failure_rate,
                health.median_latency_ms,
                health.ban_suspected,
                health.weight,
                health.samples,
                health.broken_sample,
                health.last_outcome,
                timestamp(health.updated_at),
                self.cause()?.to_string(),
            ],
        )?;
        Ok(())
    }
}

impl Reader<'_> {
    pub fn engine_health(&self, engine: &str) -> Result<Option<EngineHealth>> {
        Ok(self
            .connection
            .prepare_cached("SELECT * FROM engine_health WHERE engine = ?1")?
            .query_row([engine], EngineHealth::from_row)
            .optional()?)
    }
}
