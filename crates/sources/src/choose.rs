//! Which engines are asked for a query.
//!
//! Category, language, learned weight, circuit and what is left of the day decide; equal engines are drawn by a seed,
//! so that the same search asks the same engines. The last mile (Google, Brave) comes after all others.

use std::collections::HashMap;
use std::fmt;

use graph::{CircuitState, EngineHealth};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use settings::settings;

use crate::Query;
use crate::engines::Engine;
use crate::health::HealthSettings;

settings! {
    /// Which engines are asked.
    pub struct ChoiceSettings {
        /// Engines that are never asked, such as ["google", "brave"].
        disabled: Vec<String> = Vec::new();
    }
    expert {
        /// Engines asked at first; more are asked when these give too little.
        first: usize = 3, in 1..=20;
        /// What is left of the weight of an engine that is not meant for the field of a search.
        other_category: f64 = 0.3, in 0.001..=1.0;
    }
}

/// What is known about an engine at the time of choosing.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    pub health: Option<EngineHealth>,
    pub requests_today: u32,
    /// Until when the fetcher lets it or its site rest.
    pub resting_until: Option<Timestamp>,
}

/// The engines for a query, in the order of asking.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    pub first: Vec<String>,
    /// Asked one group after the other while results are too few.
    pub then: Vec<String>,
    pub last_mile: Vec<String>,
    pub left_out: Vec<(String, LeftOut)>,
}

/// Why an engine is not asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "because")]
pub enum LeftOut {
    Disabled,
    Language,
    /// Its circuit is open, or the fetcher lets it rest.
    Resting {
        until: Option<Timestamp>,
    },
    DailyCap,
    /// Those before it were silent for as long as the search waits.
    NoTimeLeft,
    /// Another engine with the same index is asked.
    SameIndex {
        engine: String,
    },
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled => f.write_str("it is switched off"),
            Self::Language => f.write_str("it does not know the language"),
            Self::Resting { until: Some(until) } => write!(f, "it is resting until {until}"),
            Self::Resting { until: None } => f.write_str("it is resting"),
            Self::DailyCap => f.write_str("its requests of the day are used up"),
            Self::NoTimeLeft => f.write_str("no time is left"),
            Self::SameIndex { engine } => write!(f, "{engine} has the same index"),
        }
    }
}

/// Chooses for a query.
pub fn choose(
    engines: &[Engine],
    standings: &HashMap<String, Standing>,
    query: &Query,
    now: Timestamp,
    seed: u64,
    settings: &ChoiceSettings,
    health: &HealthSettings,
) -> Choice {
    let mut choice = Choice::default();
    let mut drawn: Vec<(f64, &Engine)> = Vec::new();
    for engine in engines {
        let standing = standings.get(&engine.name);
        if let Some(reason) = reason_against(engine, standing, query, now, settings, health) {
            choice.left_out.push((engine.name.clone(), reason));
            continue;
        }
        let weight =
            standing.and_then(|it| it.health.as_ref()).map_or(engine.weight, |it| it.weight);
        let fits = query.category.is_none_or(|it| engine.categories.contains(&it));
        let weight = if fits { weight } else { weight * settings.other_category };
        drawn.push((key(engine, weight, seed), engine));
    }
    drawn.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut sites: Vec<(String, &str)> = Vec::new();
    for (_, engine) in drawn {
        let site = engine.site();
        if let Some((_, other)) = sites.iter().find(|it| it.0 == site) {
            let reason = LeftOut::SameIndex { engine: (*other).to_owned() };
            choice.left_out.push((engine.name.clone(), reason));
            continue;
        }
        sites.push((site, &engine.name));
        let list = if engine.last_mile {
            &mut choice.last_mile
        } else if choice.first.len() < settings.first {
            &mut choice.first
        } else {
            &mut choice.then
        };
        list.push(engine.name.clone());
    }
    choice
}

fn reason_against(
    engine: &Engine,
    standing: Option<&Standing>,
    query: &Query,
    now: Timestamp,
    settings: &ChoiceSettings,
    health: &HealthSettings,
) -> Option<LeftOut> {
    if settings.disabled.contains(&engine.name) {
        return Some(LeftOut::Disabled);
    }
    if !engine.speaks(query.language.as_deref()) {
        return Some(LeftOut::Language);
    }
    let standing = standing?;
    if engine.limits.per_day.is_some_and(|it| standing.requests_today >= it) {
        return Some(LeftOut::DailyCap);
    }
    if let Some(until) = standing.resting_until.filter(|it| *it > now) {
        return Some(LeftOut::Resting { until: Some(until) });
    }
    let row = standing.health.as_ref()?;
    let open = health.circuit(row, now) == CircuitState::Open;
    open.then_some(LeftOut::Resting { until: row.open_until })
}

/// A draw in which an engine of twice the weight comes first twice as often: `u^(1/w)`, largest first.
fn key(engine: &Engine, weight: f64, seed: u64) -> f64 {
    // FNV-1a, so that the draw is the same on every machine and in every version.
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = engine.name.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    let drawn = fastrand::Rng::with_seed(seed ^ hash).f64().max(f64::MIN_POSITIVE);
    drawn.powf(1.0 / weight.max(1e-6))
}

impl Engine {
    /// The site it is asked at: engines of one site share an index and a limit.
    pub(crate) fn site(&self) -> String {
        let address = self.request.address(None);
        let host = address.as_ref().and_then(url::Url::host_str).unwrap_or(&self.name);
        evidence::domain::site_of(host)
    }
}
