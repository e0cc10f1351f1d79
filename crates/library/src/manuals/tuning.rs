//! Statistics of searches, and the two thresholds that follow them in small steps.
//!
//! Numbers only: how many candidates, whether the scope was widened, what was read afterwards. Among settings that keep the
//! recall above its floor the one that costs the fewest tokens is preferred; what makes things worse is taken back.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::search::Thresholds;
use super::state::{read_json, write_json};
use crate::Result;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Runs that are compared; as many before them are what they are compared with.
const WINDOW: usize = 100;
const KEPT: usize = 4 * WINDOW;
/// Searches whose results were read before a threshold changes.
const ENOUGH: usize = 20;
const RECALL_FLOOR: f64 = 0.95;
const RECALL_GOOD: f64 = 0.98;
const RECALL_DROP: f64 = 0.03;
const CUTOFF_RISE: f64 = 0.05;
const LOW: std::ops::RangeInclusive<u32> = 2..=6;
const BIAS: (f64, f64) = (0.70, 0.90);
const BIAS_STEP: f64 = 0.03;

/// What is remembered of one search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub trace_id: String,
    pub at_ms: i64,
    pub candidates: usize,
    pub warnings: usize,
    pub max_stage_applied: u8,
    pub scope_expanded: bool,
    pub cutoff: bool,
    pub unscanned_sections: usize,
    pub est_tokens_in: usize,
    pub est_tokens_out: usize,
    /// Sections read later with this trace, and how many of them were candidates.
    pub used: usize,
    pub used_found: usize,
}

impl Run {
    /// The share of what was read that the search had found; `None` where nothing was read.
    pub fn recall_proxy(&self) -> Option<f64> {
        (self.used > 0).then(|| self.used_found as f64 / self.used as f64)
    }
}

/// Everything that is kept, oldest run first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    pub thresholds: Thresholds,
    pub changed_ms: i64,
    pub runs: Vec<Run>,
}

/// `ceil(characters / 4)`, as the statistics count.
pub fn est_tokens(characters: usize) -> usize {
    characters.div_ceil(4)
}

impl Statistics {
    /// The mean recall proxy of the last runs that have one.
    pub fn recall_proxy_100(&self) -> Option<f64> {
        recall(last(&self.runs, 0))
    }

    /// The thresholds that the next search should use.
    pub fn decide(&self, now_ms: i64) -> Thresholds {
        let (recent, before) = (last(&self.runs, 0), last(&self.runs, WINDOW));
        if is_worse(recent, before) {
            return Thresholds::default();
        }
        let read = recent.iter().filter(|it| it.used > 0 && it.at_ms >= self.changed_ms).count();
        if now_ms - self.changed_ms < DAY_MS || read < ENOUGH {
            return self.thresholds;
        }
        match recall(recent) {
            Some(it) if it < RECALL_FLOOR => step(self.thresholds, 1),
            Some(it) if it >= RECALL_GOOD && widening_costs(recent) => step(self.thresholds, -1),
            _ => self.thresholds,
        }
    }

    /// Adds a run and decides anew.
    pub fn record(&mut self, run: Run) {
        let now_ms = run.at_ms;
        self.runs.push(run);
        let over = self.runs.len().saturating_sub(KEPT);
        self.runs.drain(..over);
        let next = self.decide(now_ms);
        if next != self.thresholds {
            (self.thresholds, self.changed_ms) = (next, now_ms);
        }
    }

    /// Notes that a section was read after a search.
    pub fn record_use(&mut self, trace_id: &str, found: bool) {
        if let Some(run) = self.runs.iter_mut().rev().find(|it| it.trace_id == trace_id) {
            run.used += 1;
            run.used_found += usize::from(found);
        }
    }
}

/// Up to a window of runs, without the `skip` newest.
fn last(runs: &[Run], skip: usize) -> &[Run] {
    let end = runs.len().saturating_sub(skip);
    &runs[end.saturating_sub(WINDOW)..end]
}

fn recall(runs: &[Run]) -> Option<f64> {
    let known: Vec<f64> = runs.iter().filter_map(Run::recall_proxy).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

fn cutoffs(runs: &[Run]) -> f64 {
    runs.iter().filter(|it| it.cutoff).count() as f64 / runs.len().max(1) as f64
}

/// Only whole windows are compared: a few runs say nothing.
fn is_worse(recent: &[Run], before: &[Run]) -> bool {
    if recent.len() < WINDOW || before.len() < WINDOW {
        return false;
    }
    // The last digit of a sum of shares is noise.
    let drop = recall(before)
        .zip(recall(recent))
        .is_some_and(|(before, now)| before - now >= RECALL_DROP - 1e-9);
    drop || cutoffs(recent) - cutoffs(before) >= CUTOFF_RISE - 1e-9
}

/// Whether searches that widened their scope cost more than the others.
fn widening_costs(runs: &[Run]) -> bool {
    let mean = |expanded: bool| {
        let costs: Vec<usize> = runs
            .iter()
            .filter(|it| it.scope_expanded == expanded)
            .map(|it| it.est_tokens_in + it.est_tokens_out)
            .collect();
        (!costs.is_empty()).then(|| costs.iter().sum::<usize>() as f64 / costs.len() as f64)
    };
    mean(true).zip(mean(false)).is_some_and(|(wide, narrow)| wide > narrow)
}

/// One step towards widening more often (1) or less often (-1), within the limits.
fn step(now: Thresholds, direction: i32) -> Thresholds {
    let low = now.candidate_low.saturating_add_signed(direction).clamp(*LOW.start(), *LOW.end());
    let bias = now.file_bias - f64::from(direction) * BIAS_STEP;
    let bias = (bias * 100.0).round() / 100.0;
    Thresholds { candidate_low: low, file_bias: bias.clamp(BIAS.0, BIAS.1) }
}

/// The file of the statistics.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
}

impl Ledger {
    pub(crate) fn new(state: &Path) -> Self {
        Self { path: state.join("statistics.json") }
    }

    /// Statistics that cannot be read begin anew: they only tune.
    pub(crate) fn read(&self) -> Statistics {
        read_json(&self.path).unwrap_or_default()
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Statistics)) -> Result<()> {
        let mut statistics = self.read();
        change(&mut statistics);
        write_json(&self.path, &statistics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = DAY_MS / 24;

    fn run(at_ms: i64) -> Run {
        Run {
            trace_id: format!("tr_{at_ms}"),
            at_ms,
            candidates: 5,
            warnings: 0,
            max_stage_applied: 3,
            scope_expanded: false,
            cutoff: false,
            unscanned_sections: 0,
            est_tokens_in: 10,
            est_tokens_out: 100,
            used: 1,
            used_found: 1,
        }
    }

    fn after(runs: Vec<Run>) -> Statistics {
        let mut all = Statistics::default();
        runs.into_iter().for_each(|it| all.record(it));
        all
    }

    #[test]
    fn nothing_changes_without_enough_runs_that_were_read() {
        let unread = (0..200).map(|it| Run { used: 0, used_found: 0, ..run(it * HOUR) }).collect();
        assert_eq!(after(unread).thresholds, Thresholds::default());
        assert_eq!(
            after((0..19).map(|it| Run { used_found: 0, ..run(2 * DAY_MS + it) }).collect())
                .thresholds,
            Thresholds::default()
        );
    }

    #[test]
    fn low_recall_widens_by_one_step_a_day_up_to_the_limits() {
        let missed = |count: i64| {
            after((0..count).map(|it| Run { used_found: 0, ..run(DAY_MS + it * HOUR) }).collect())
        };
        assert_eq!(missed(20).thresholds, Thresholds { candidate_low: 4, file_bias: 0.77 });
        // A day later, with twenty runs since then.
        assert_eq!(missed(45).thresholds, Thresholds { candidate_low: 5, file_bias: 0.74 });
        assert_eq!(missed(100).thresholds, Thresholds { candidate_low: 6, file_bias: 0.70 });
        assert_eq!(missed(199).thresholds, Thresholds { candidate_low: 6, file_bias: 0.70 });
    }

    #[test]
    fn good_recall_saves_tokens_where_widening_costs_them() {
        let wide = |it: i64| Run {
            scope_expanded: it % 4 == 0,
            est_tokens_out: if it % 4 == 0 { 150 } else { 100 },
            ..run(DAY_MS + it * HOUR)
        };
        assert_eq!(
            after((0..20).map(wide).collect()).thresholds,
            Thresholds { candidate_low: 2, file_bias: 0.83 }
        );
        assert_eq!(
            after((0..199).map(wide).collect()).thresholds,
            Thresholds { candidate_low: 2, file_bias: 0.90 }
        );
        let cheap = |it: i64| Run { scope_expanded: it % 4 == 0, ..run(DAY_MS + it * HOUR) };
        assert_eq!(after((0..60).map(cheap).collect()).thresholds, Thresholds::default());
    }

    #[test]
    fn a_drop_of_the_recall_by_three_points_takes_everything_back() {
        let mut all = Statistics {
            thresholds: Thresholds { candidate_low: 2, file_bias: 0.9 },
            ..Statistics::default()
        };
        all.changed_ms = 1_000 * DAY_MS;
        all.runs = (0..200)
            .map(|it| Run { used: 100, used_found: if it < 100 { 100 } else { 97 }, ..run(it) })
            .collect();
        assert_eq!(all.decide(200), Thresholds::default());
        all.runs.iter_mut().skip(100).for_each(|it| it.used_found = 98);
        assert_eq!(all.decide(200), Thresholds { candidate_low: 2, file_bias: 0.9 });
    }

    #[test]
    fn a_rise_of_cut_searches_by_five_points_takes_everything_back() {
        let mut all = Statistics {
            thresholds: Thresholds { candidate_low: 5, file_bias: 0.71 },
            ..Statistics::default()
        };
        all.changed_ms = 1_000 * DAY_MS;
        all.runs = (0..200).map(|it| Run { cutoff: it >= 195, ..run(it) }).collect();
        assert_eq!(all.decide(200), Thresholds::default());
        all.runs[199].cutoff = false;
        assert_eq!(all.decide(200).candidate_low, 5);
    }

    #[test]
    fn the_recall_proxy_leaves_out_what_nobody_read() {
        let runs = vec![
            Run { used: 4, used_found: 3, ..run(1) },
            Run { used: 0, used_found: 0, ..run(2) },
            run(3),
        ];
        assert_eq!(after(runs).recall_proxy_100(), Some(0.875));
        assert_eq!(Statistics::default().recall_proxy_100(), None);
    }

    #[test]
    fn what_is_read_later_counts_for_its_search() {
        let mut all = after(vec![Run { used: 0, used_found: 0, ..run(1) }]);
        all.record_use("tr_1", true);
        all.record_use("tr_1", false);
        all.record_use("tr_9", true);
        assert_eq!(all.recall_proxy_100(), Some(0.5));
    }

    #[test]
    fn four_characters_are_a_token() {
        assert_eq!([0, 1, 4, 5].map(est_tokens), [0, 1, 1, 2]);
    }
}
