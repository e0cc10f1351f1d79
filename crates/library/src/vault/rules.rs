//! What may be done to which file, beyond where it is.

use crate::paths::{SafePath, fold};
use crate::{Refusal, Result};

/// The folder of daily notes, which only grow.
const DAILY: &str = "daily";

/// Whether a path is that of a daily note; the folder of daily notes holds nothing else.
pub(crate) fn is_daily(path: &SafePath) -> Result<bool> {
    let first = path.names().next().unwrap_or_default();
    // On a file system that does not tell letters' cases apart, `Daily/` is the same folder.
    if fold(first) != DAILY {
        return Ok(false);
    }
    let dated = path.names().count() == 2 && path.name().strip_suffix(".md").is_some_and(is_date);
    match first == DAILY && dated {
        true => Ok(true),
        false => Err(Refusal::InvalidPath.because(format!(
            "{path}: daily notes are daily/YYYY-MM-DD.md, with a day that exists"
        ))),
    }
}

/// Refuses a text that its file could not hold.
pub(crate) fn check_text(path: &SafePath, text: &str, most: usize) -> Result<()> {
    if text.len() > most {
        return Err(Refusal::InvalidParameter.because(format!("{path} has more than {most} bytes")));
    }
    if path.name().ends_with(".json")
        && let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text)
    {
        return Err(Refusal::InvalidParameter.because(format!("{path} is not JSON: {error}")));
    }
    Ok(())
}

fn is_date(text: &str) -> bool {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let number =
        |range: std::ops::Range<usize>| text.get(range).and_then(|it| it.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return false;
    };
    shape && year >= 1 && (1..=days_in(year, month)).contains(&day)
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::is_date;

    #[test]
    fn only_days_that_exist_are_dates() {
        for day in ["2026-11-15", "2024-02-29", "2000-02-29", "0001-01-01"] {
            assert!(is_date(day), "{day}");
        }
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "0000-01-01",
            "２０２６-01-01",
            "2026-1-1",
            "2026/01/01",
            "+026-01-01",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }
}
