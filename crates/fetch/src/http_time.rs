//! Times as HTTP headers write them.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The wait that a `retry-after` header asks for: seconds, or a date after `now`.
pub(crate) fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = http_date(value)?;
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

/// Reads the date of an HTTP header, also in the two older forms.
pub(crate) fn http_date(value: &str) -> Option<Timestamp> {
    let value = value.trim();
    if let Ok(it) = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value) {
        return Some(it);
    }
    for format in ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"] {
        if let Ok(it) = jiff::civil::DateTime::strptime(format, value) {
            return it.to_zoned(TimeZone::UTC).ok().map(|it| it.timestamp());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_as_seconds_and_as_dates() {
        let now: Timestamp = "2015-10-21T07:27:00Z".parse().unwrap();
        let seconds = |value: &str| retry_after(value, now).map(|it| it.as_secs());
        assert_eq!(seconds("120"), Some(120));
        assert_eq!(seconds(" 0 "), Some(0));
        assert_eq!(seconds("Wed, 21 Oct 2015 07:28:00 GMT"), Some(60));
        assert_eq!(seconds("Wednesday, 21-Oct-15 07:28:00 GMT"), Some(60));
        assert_eq!(seconds("Wed Oct 21 07:28:00 2015"), Some(60));
        assert_eq!(seconds("Wed, 21 Oct 2015 07:00:00 GMT"), Some(0));
        assert_eq!(seconds("soon"), None);
        assert_eq!(seconds("-5"), None);
        assert_eq!(seconds(""), None);
    }
}
