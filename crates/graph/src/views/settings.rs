//! The numbers inside the views, each under a name.

use std::path::PathBuf;

use minijinja::Environment;

use crate::{Error, Result};

/// Where views come from and the numbers they use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ViewOptions {
    /// A folder of the user's own `v_*.sql.j2`. It need not exist.
    pub user_dir: Option<PathBuf>,
    pub settings: ViewSettings,
}

/// Thresholds of the views. Templates see each field under its name.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewSettings {
    /// The year that ages are counted from; `None` is the year at the time of asking.
    pub this_year: Option<i32>,
    /// From which share of the weaker side a claim counts as controversial; the most is 0.5.
    pub controversy_threshold: f64,
    /// With fewer supporting edges than this a claim is unsupported.
    pub min_supports: u32,
    /// From how many supported claims on a page is a hub.
    pub hub_min_claims: u32,
    /// How many citations away from the task's pages `v_citation_flow` looks.
    pub max_hops: u32,
    /// How many citations a page may be away from the first page of its cluster.
    pub cluster_rounds: u32,
    /// Evidence of this age or younger is recent.
    pub recent_years: u32,
    /// A claim whose newest evidence is older than this is outdated.
    pub outdated_years: u32,
    /// How many different years a trend needs.
    pub emerging_min_years: u32,
    /// A trend is listed when it is above this many edges a year.
    pub emerging_min_trend: f64,
    /// Citations within the graph that give half of that part of the authority score.
    pub authority_half_cited_by: u32,
    /// Citations counted by an academic index that give half of that part.
    pub authority_half_citations: u32,
    /// Age in years that leaves half of that part.
    pub authority_half_age: u32,
}

impl Default for ViewSettings {
    fn default() -> Self {
        Self {
            this_year: None,
            controversy_threshold: 0.2,
            min_supports: 1,
            hub_min_claims: 2,
            max_hops: 3,
            cluster_rounds: 64,
            recent_years: 5,
            outdated_years: 5,
            emerging_min_years: 2,
            emerging_min_trend: 0.0,
            authority_half_cited_by: 3,
            authority_half_citations: 100,
            authority_half_age: 10,
        }
    }
}

impl ViewSettings {
    /// Refuses numbers the shipped views cannot be built with.
    pub(super) fn check(&self) -> Result<()> {
        if !(self.controversy_threshold > 0.0 && self.controversy_threshold <= 0.5) {
            let problem = "is not above 0 and at most 0.5";
            return Err(Error::invalid("the view setting `controversy_threshold`", problem));
        }
        if !self.emerging_min_trend.is_finite() {
            return Err(Error::invalid("the view setting `emerging_min_trend`", "is not a number"));
        }
        for (what, value) in [
            ("the view setting `max_hops`", self.max_hops),
            ("the view setting `cluster_rounds`", self.cluster_rounds),
        ] {
            // Each step is written out or walked; more would be a mistake, not a wish.
            if !(1..=100).contains(&value) {
                return Err(Error::invalid(what, "is not between 1 and 100"));
            }
        }
        for (what, value) in [
            ("the view setting `authority_half_cited_by`", self.authority_half_cited_by),
            ("the view setting `authority_half_citations`", self.authority_half_citations),
            ("the view setting `authority_half_age`", self.authority_half_age),
        ] {
            if value == 0 {
                return Err(Error::invalid(what, "is 0"));
            }
        }
        Ok(())
    }

    /// Makes the fields known to templates, the shared pieces included.
    pub(super) fn give_to(&self, environment: &mut Environment<'_>) {
        let this_year = self.this_year.map_or_else(
            || "CAST(strftime('%Y', 'now') AS INTEGER)".to_owned(),
            |year| year.to_string(),
        );
        environment.add_global("this_year", this_year);
        environment.add_global("controversy_threshold", self.controversy_threshold);
        environment.add_global("min_supports", self.min_supports);
        environment.add_global("hub_min_claims", self.hub_min_claims);
        environment.add_global("max_hops", self.max_hops);
        environment.add_global("cluster_rounds", self.cluster_rounds);
        environment.add_global("recent_years", self.recent_years);
        environment.add_global("outdated_years", self.outdated_years);
        environment.add_global("emerging_min_years", self.emerging_min_years);
        environment.add_global("emerging_min_trend", self.emerging_min_trend);
        environment.add_global("authority_half_cited_by", self.authority_half_cited_by);
        environment.add_global("authority_half_citations", self.authority_half_citations);
        environment.add_global("authority_half_age", self.authority_half_age);
    }
}
