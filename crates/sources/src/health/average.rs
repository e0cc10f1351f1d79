//! Averages and medians that fit into one number each.

/// An average in which older answers fade with time.
pub(super) struct Average {
    pub(super) share: f64,
    /// Seconds.
    pub(super) window: f64,
    pub(super) elapsed: f64,
}

impl Average {
    pub(super) fn take(&self, average: &mut Option<f64>, happened: bool) {
        let value = f64::from(u8::from(happened));
        let faded = 1.0 - (-self.elapsed / self.window).exp();
        let share = faded.max(self.share);
        *average = Some(average.map_or(value, |it| it + share * (value - it)));
    }
}

/// Moves an estimate of the median a tenth of its value towards an answer: half of the answers pull it each way.
pub(super) fn nearer_median(median: Option<f64>, latency: f64) -> f64 {
    let Some(median) = median else { return latency };
    let step = (median * 0.1).max(1.0);
    if latency > median { (median + step).min(latency) } else { (median - step).max(latency) }
}
