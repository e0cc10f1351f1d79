//! Changes of policy that are worth a line in the log.

use graph::CircuitState;
use jiff::Timestamp;
use serde_json::{Value, json};

/// A change of policy, for the log.
#[derive(Debug, Clone, PartialEq)]
pub enum PolicyChange {
    Circuit {
        from: CircuitState,
        to: CircuitState,
        until: Option<Timestamp>,
        because: String,
    },
    Weight {
        from: f64,
        to: f64,
    },
    /// The parser no longer fits, or fits again.
    Demoted {
        parse_failure_rate: f64,
        sample: Option<String>,
    },
    Restored {
        parse_failure_rate: f64,
    },
}

impl PolicyChange {
    /// What the log keeps.
    pub fn detail(&self) -> Value {
        match self {
            Self::Circuit { from, to, until, because } => json!({
                "change": "circuit", "from": from, "to": to,
                "until": until.map(|it| it.to_string()), "because": because,
            }),
            Self::Weight { from, to } => json!({ "change": "weight", "from": from, "to": to }),
            Self::Demoted { parse_failure_rate, sample } => json!({
                "change": "demoted", "parse_failure_rate": parse_failure_rate, "sample": sample,
            }),
            Self::Restored { parse_failure_rate } => {
                json!({ "change": "restored", "parse_failure_rate": parse_failure_rate })
            }
        }
    }
}
