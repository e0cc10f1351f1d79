//! The numbers inside the views, each under a name.

use std::path::PathBuf;

use minijinja::{Environment, Value};
use settings::{OutOfRange, Section, settings};

use crate::{Error, Result};

/// Where views come from and the numbers they use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ViewOptions {
    /// A folder of the user's own `v_*.sql.j2`. It need not exist.
    pub user_dir: Option<PathBuf>,
    pub settings: ViewSettings,
}

settings! {
    /// Numbers inside the views; your own templates see them under the same names.
    pub struct ViewSettings {}
    expert {
        /// The year that ages are counted from; 0 is the current one.
        this_year: i32 = 0, in 0..=9_999;
        /// The share of the weaker side from which a claim counts as controversial.
        controversy_threshold: f64 = 0.2, in 0.001..=0.5;
        /// A claim with fewer supporting sources than this is unsupported.
        min_supports: u32 = 1, in 1..=100_000;
        /// Supported claims that make a page a hub.
        hub_min_claims: u32 = 2, in 1..=100_000;
        /// How many citations away from the task's pages v_citation_flow looks.
        max_hops: u32 = 3, in 1..=100;
        /// How many citations a page may be away from the first page of its cluster.
        cluster_rounds: u32 = 64, in 1..=100;
        /// Evidence of this age in years or younger is recent.
        recent_years: u32 = 5, in 0..=1_000;
        /// A claim whose newest evidence is older than this many years is outdated.
        outdated_years: u32 = 5, in 0..=1_000;
        /// How many different years a trend needs.
        emerging_min_years: u32 = 2, in 1..=1_000;
        /// A trend is listed when it is above this many sources a year.
        emerging_min_trend: f64 = 0.0, in -1000.0..=1000.0;
        /// Citations within the graph that give half of that part of the authority score.
        authority_half_cited_by: u32 = 3, in 1..=1_000_000;
        /// Citations counted by an academic index that give half of that part.
        authority_half_citations: u32 = 100, in 1..=1_000_000;
        /// Age in years that leaves half of that part.
        authority_half_age: u32 = 10, in 1..=1_000;
    }
}

impl ViewSettings {
    /// Refuses numbers the shipped views cannot be built with.
    pub(super) fn refuse_unusable(&self) -> Result<()> {
        self.check().map_err(|OutOfRange { name, expected, given }| {
            Error::invalid("the view setting", format!("`{name}` must be {expected}, not {given}"))
        })
    }

    /// Makes the fields known to templates, the shared pieces included.
    pub(super) fn give_to(&self, environment: &mut Environment<'_>) {
        for (name, value) in settings::values(self) {
            let number = value.as_integer().map(Value::from);
            environment.add_global(name, number.or(value.as_float().map(Value::from)));
        }
        if self.this_year == 0 {
            environment.add_global("this_year", "CAST(strftime('%Y', 'now') AS INTEGER)");
        }
    }
}
