//! Hours in which sites are asked less.

use jiff::Timestamp;
use jiff::civil::Weekday;
use jiff::tz::Offset;

use crate::{FetchSettings, OpenError};

/// When it is quiet, and what that means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Quiet {
    /// From this hour up to, without, that one.
    hours: Option<(i8, i8)>,
    weekends: bool,
    offset: Offset,
    factor: f64,
}

impl Quiet {
    pub(super) fn new(settings: &FetchSettings) -> Result<Self, OpenError> {
        let bad = |setting, value: String, problem: &str| OpenError::Setting {
            setting,
            value,
            problem: problem.to_owned(),
        };
        let hours = match settings.quiet_hours.trim() {
            "" => None,
            text => {
                let hour =
                    |text: &str| text.trim().parse::<i8>().ok().filter(|it| (0..24).contains(it));
                let hours = text.split_once('-').and_then(|(a, b)| Some((hour(a)?, hour(b)?)));
                Some(hours.ok_or_else(|| {
                    bad("quiet_hours", text.to_owned(), "is no range of hours such as 22-7")
                })?)
            }
        };
        let offset = i8::try_from(settings.quiet_utc_offset_hours)
            .ok()
            .filter(|it| (-14..=14).contains(it))
            .ok_or_else(|| {
                let value = settings.quiet_utc_offset_hours.to_string();
                bad("quiet_utc_offset_hours", value, "is no time zone")
            })?;
        if !(settings.quiet_factor >= 1.0 && settings.quiet_factor <= 1_000.0) {
            let value = settings.quiet_factor.to_string();
            return Err(bad("quiet_factor", value, "does not lie between 1 and 1000"));
        }
        Ok(Self {
            hours,
            weekends: settings.quiet_weekends,
            offset: Offset::constant(offset),
            factor: settings.quiet_factor,
        })
    }

    pub(super) fn factor_at(&self, now: Timestamp) -> f64 {
        if self.holds(now) { self.factor } else { 1.0 }
    }

    fn holds(&self, now: Timestamp) -> bool {
        let local = self.offset.to_datetime(now);
        let weekend = matches!(local.weekday(), Weekday::Saturday | Weekday::Sunday);
        let hour = local.hour();
        let at_night = self.hours.is_some_and(|(from, to)| match from <= to {
            true => (from..to).contains(&hour),
            false => hour >= from || hour < to,
        });
        at_night || (self.weekends && weekend)
    }

    /// The first full hour from `now` on that is not quiet.
    pub(super) fn end(&self, now: Timestamp) -> Timestamp {
        const WEEK: i64 = 7 * 24;
        let hour = now.as_second().div_euclid(3_600);
        (1..=WEEK)
            .filter_map(|it| Timestamp::from_second((hour + it) * 3_600).ok())
            .find(|it| !self.holds(*it))
            .unwrap_or(now)
    }
}
