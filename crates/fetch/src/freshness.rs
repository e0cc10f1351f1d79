//! How long an answer may be used again without asking, as its server says.
//!
//! No guessing: where a server says nothing the page is asked for again, with the validators it gave.

use std::time::Duration;

use jiff::Timestamp;

use crate::http_time::http_date;
use crate::pace::later;

/// Longer promises are not believed.
const MAX_AGE: Duration = Duration::from_secs(30 * 86_400);

/// The value of the first header of this name; names are in lower case.
pub(crate) fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
}

/// Until when the answer may be used without asking; `None` where its server gives no time.
pub(crate) fn fresh_until(headers: &[(String, String)], now: Timestamp) -> Option<Timestamp> {
    let mut max_age = None;
    for (_, value) in headers.iter().filter(|(name, _)| name == "cache-control") {
        for directive in value.split(',') {
            let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
            match name.trim().to_ascii_lowercase().as_str() {
                "no-store" | "no-cache" => return None,
                "max-age" => max_age = value.trim().trim_matches('"').parse::<u64>().ok(),
                _ => {}
            }
        }
    }
    let life = match max_age {
        Some(seconds) => Duration::from_secs(seconds),
        None => {
            let expires = http_date(header(headers, "expires")?)?;
            let date = header(headers, "date").and_then(http_date).unwrap_or(now);
            Duration::try_from(expires.duration_since(date)).ok()?
        }
    };
    let age = header(headers, "age").and_then(|it| it.trim().parse().ok()).unwrap_or(0);
    let left = life.checked_sub(Duration::from_secs(age))?.min(MAX_AGE);
    (!left.is_zero()).then(|| later(now, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(headers: &[(&str, &str)]) -> Option<i64> {
        let now: Timestamp = "2015-10-21T07:28:00Z".parse().unwrap();
        let headers: Vec<_> =
            headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        fresh_until(&headers, now).map(|it| it.as_second() - now.as_second())
    }

    #[test]
    fn only_what_the_server_promises_is_fresh() {
        let date = ("date", "Wed, 21 Oct 2015 07:28:00 GMT");
        let expires = ("expires", "Wed, 21 Oct 2015 07:38:00 GMT");
        assert_eq!(seconds(&[("cache-control", "public, max-age=60")]), Some(60));
        assert_eq!(seconds(&[("cache-control", "Max-Age=\"60\"")]), Some(60));
        assert_eq!(seconds(&[("cache-control", "max-age=60"), ("age", "20")]), Some(40));
        assert_eq!(seconds(&[("cache-control", "max-age=60"), ("age", "80")]), None);
        assert_eq!(seconds(&[("cache-control", "max-age=60, no-cache")]), None);
        assert_eq!(seconds(&[("cache-control", "no-store"), date, expires]), None);
        assert_eq!(seconds(&[date, expires]), Some(600));
        assert_eq!(seconds(&[expires]), Some(600));
        assert_eq!(seconds(&[("cache-control", "max-age=5"), date, expires]), Some(5));
        assert_eq!(seconds(&[("expires", "0")]), None);
        assert_eq!(seconds(&[("expires", "Wed, 21 Oct 2015 07:00:00 GMT")]), None);
        assert_eq!(seconds(&[("cache-control", "max-age=99999999999")]), Some(2_592_000));
        assert_eq!(seconds(&[("cache-control", "max-age=-1")]), None);
        assert_eq!(seconds(&[("last-modified", "Wed, 21 Oct 2005 07:00:00 GMT")]), None);
        assert_eq!(seconds(&[]), None);
    }
}
