//! From when on: a day as the user's clock has it, a moment, or a while ago.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::clock::zone;

/// A moment, or how long ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    At(Timestamp),
    Ago(SignedDuration),
}

impl Since {
    /// The moment, where `now` is the present one.
    pub(super) fn before(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(time) => time,
            // Longer ago than there is time is always.
            Self::Ago(long) => now.checked_sub(long).unwrap_or(Timestamp::MIN),
        }
    }
}

/// Reads what `--since` is given.
pub(super) fn since(given: &str) -> Result<Since, String> {
    since_in(given, zone())
}

fn since_in(given: &str, zone: TimeZone) -> Result<Since, String> {
    if let Ok(time) = given.parse::<Timestamp>() {
        return Ok(Since::At(time));
    }
    if let Ok(day) = given.parse::<Date>()
        && let Ok(midnight) = day.to_zoned(zone)
    {
        return Ok(Since::At(midnight.timestamp()));
    }
    let unit = given.chars().last().and_then(|letter| match letter {
        'm' => Some(60),
        'h' => Some(3600),
        'd' => Some(24 * 3600),
        _ => None,
    });
    let number = given.get(..given.len().saturating_sub(1)).and_then(|it| it.parse::<u32>().ok());
    match (number, unit) {
        (Some(number), Some(unit)) => {
            Ok(Since::Ago(SignedDuration::from_secs(i64::from(number) * unit)))
        }
        _ => Err(
            "write a day (2026-01-15), a moment (2026-01-15T12:00:00Z) or a while (30m, 24h, 7d)"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_takes_days_moments_and_whiles() {
        let at = |text: &str| Ok(Since::At(text.parse().unwrap()));
        let tokyo = TimeZone::fixed(jiff::tz::offset(9));
        assert_eq!(since_in("2026-01-15", tokyo), at("2026-01-14T15:00:00Z"));
        let since = |given: &str| since_in(given, TimeZone::UTC);
        assert_eq!(since("2026-01-15"), at("2026-01-15T00:00:00Z"));
        assert_eq!(since("2026-01-15T12:30:00+09:00"), at("2026-01-15T03:30:00Z"));
        assert_eq!(since("90m"), Ok(Since::Ago(SignedDuration::from_mins(90))));
        assert_eq!(since("24h"), Ok(Since::Ago(SignedDuration::from_hours(24))));
        assert_eq!(since("7d"), Ok(Since::Ago(SignedDuration::from_hours(7 * 24))));
        for wrong in ["", "h", "日", "7日", "-1h", "yesterday", "5000000000d", "2026-13-01"] {
            assert!(since(wrong).is_err(), "{wrong}");
        }
    }
}
