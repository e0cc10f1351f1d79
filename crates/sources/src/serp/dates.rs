//! Dates as result pages write them, often in front of the snippet and counted back from today.

use jiff::{SignedDuration, Timestamp, ToSpan, civil::Date};

/// Characters at the beginning of a snippet in which a date may be.
const PREFIX_CHARS: usize = 40;
/// What engines put between the date and the words.
const SEPARATORS: [&str; 8] = [" — ", "—", " – ", "·", " - ", "...", "…", "|"];

/// The date a text consists of, as exact as it says: `2026-05-01`, or `2026-05` for "3 months ago".
pub(super) fn date_of(text: &str, now: Timestamp) -> Option<String> {
    let text = text.trim().trim_end_matches([' ', '-', '–', '—', '·', '|', '.', '…', ',']).trim();
    if text.is_empty() || text.chars().count() > PREFIX_CHARS {
        return None;
    }
    let iso = extract::iso_date(text).map(|it| it.chars().take(10).collect::<String>());
    // A bare number of four digits is more often a count than a year.
    let iso = iso.filter(|it| it.len() >= 7);
    iso.or_else(|| day_first(text)).or_else(|| ago(text, now))
}

/// The date in front of a snippet, and the snippet without it.
pub(super) fn leading_date(snippet: &str, now: Timestamp) -> Option<(String, &str)> {
    let cut = snippet.char_indices().nth(PREFIX_CHARS + 5).map_or(snippet.len(), |it| it.0);
    let (at, separator) = SEPARATORS
        .iter()
        .filter_map(|it| Some((snippet[..cut].find(it)?, it)))
        .filter(|(at, _)| *at > 0)
        .min_by_key(|(at, separator)| (*at, usize::MAX - separator.len()))?;
    let date = date_of(&snippet[..at], now)?;
    let rest = snippet[at + separator.len()..].trim_start_matches(['.', '…', '·', ' ', '—', '-']);
    Some((date, rest))
}

/// `20.08.2025`: with dots the day comes first.
fn day_first(text: &str) -> Option<String> {
    let [day, month, year] = text.split('.').collect::<Vec<_>>()[..] else { return None };
    let number = |it: &str| it.trim().parse::<i16>().ok();
    if year.trim().len() != 4 {
        return None;
    }
    let (day, month) = (i8::try_from(number(day)?).ok()?, i8::try_from(number(month)?).ok()?);
    Date::new(number(year)?, month, day).ok().map(|it| it.to_string())
}

/// `3 days ago`, `3 日前`, `yesterday`, `昨日`.
fn ago(text: &str, now: Timestamp) -> Option<String> {
    let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    let text = text.to_lowercase();
    match text.as_str() {
        "today" | "今日" | "本日" | "just now" | "たった今" => {
            return Some(today.to_string());
        }
        "yesterday" | "昨日" => return Some(today.yesterday().ok()?.to_string()),
        "一昨日" => return Some(today.checked_sub(2.days()).ok()?.to_string()),
        _ => {}
    }
    let english = text.strip_suffix(" ago");
    let said = english.or_else(|| text.strip_suffix('前'))?.trim();
    let digits = said.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = match digits {
        0 => (1, said.strip_prefix("an ").or_else(|| said.strip_prefix("a "))?),
        // No result is older than a century, and nothing overflows.
        1..=3 => (said[..digits].parse::<i64>().ok()?, &said[digits..]),
        _ => return None,
    };
    let unit = unit.trim();
    let unit = unit.strip_suffix('s').filter(|it| it.len() >= 3).unwrap_or(unit);
    match unit {
        "second" | "sec" | "秒" => moment(now, SignedDuration::from_secs(count)),
        "minute" | "min" | "分" => moment(now, SignedDuration::from_mins(count)),
        "hour" | "hr" | "時間" => moment(now, SignedDuration::from_hours(count)),
        "day" | "日" => Some(today.checked_sub(count.days()).ok()?.to_string()),
        "week" | "週間" | "週" => Some(today.checked_sub(count.weeks()).ok()?.to_string()),
        "month" | "か月" | "ヶ月" | "カ月" | "ヵ月" | "ケ月" | "月" => {
            Some(today.checked_sub(count.months()).ok()?.strftime("%Y-%m").to_string())
        }
        "year" | "年" => Some(today.checked_sub(count.years()).ok()?.strftime("%Y").to_string()),
        _ => None,
    }
}

fn moment(now: Timestamp, back: SignedDuration) -> Option<String> {
    let then = now.checked_sub(back).ok()?;
    Some(then.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-05-04T02:00:00Z".parse().unwrap()
    }

    #[test]
    fn dates_are_read_as_engines_write_them() {
        for (text, expected) in [
            ("2026-05-01", "2026-05-01"),
            ("2026年5月1日", "2026-05-01"),
            ("May 1, 2026", "2026-05-01"),
            ("14 Oct 2023", "2023-10-14"),
            ("December 13, 2024 -", "2024-12-13"),
            ("20.08.2025", "2025-08-20"),
            ("3 days ago", "2026-05-01"),
            ("3日前", "2026-05-01"),
            ("3 日前", "2026-05-01"),
            ("5 hours ago", "2026-05-03"),
            ("5時間前", "2026-05-03"),
            ("an hour ago", "2026-05-04"),
            ("2 weeks ago", "2026-04-20"),
            ("2週間前", "2026-04-20"),
            ("3 months ago", "2026-02"),
            ("3 か月前", "2026-02"),
            ("1 year ago", "2025"),
            ("2年前", "2024"),
            ("yesterday", "2026-05-03"),
            ("昨日", "2026-05-03"),
            ("2026-05-01T10:00:00.0000000", "2026-05-01"),
        ] {
            assert_eq!(date_of(text, now()).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "2026",
            "ago",
            "days ago",
            "9999 days ago",
            "31.02.2025",
            "5 apples ago",
            "年前",
            "W3Schools",
        ] {
            assert_eq!(date_of(text, now()), None, "{text}");
        }
    }

    #[test]
    fn a_date_in_front_of_the_snippet_leaves_it() {
        for (snippet, expected) in [
            ("14 Oct 2023 ... JavaScript course", Some(("2023-10-14", "JavaScript course"))),
            ("Jul 12, 2025· JavaScript can read", Some(("2025-07-12", "JavaScript can read"))),
            ("20.08.2025— With the Fetch API", Some(("2025-08-20", "With the Fetch API"))),
            ("2026年5月1日 - 東京都は", Some(("2026-05-01", "東京都は"))),
            ("3 日前 · 新しい報告", Some(("2026-05-01", "新しい報告"))),
            ("In May 2026 the price rose.", None),
            ("Prices - the whole list", None),
            ("", None),
        ] {
            let read = leading_date(snippet, now());
            let read = read.as_ref().map(|(date, rest)| (date.as_str(), *rest));
            assert_eq!(read, expected, "{snippet}");
        }
    }
}
