//! Dates as pages and files write them, to ISO 8601. Pure calendar arithmetic, no time zone data.

/// A date or moment in ISO form: `2024-03-05`, `2024-03-05T10:00:00+09:00`.
///
/// A moment keeps its time and its zone where it is written as ISO or as in mails: the day is the one people
/// at the place read. All other forms give the day. What is neither is nothing: a wrong date is worse than none.
pub fn iso(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > 100 {
        return None;
    }
    iso_prefix(text)
        .or_else(|| mail(text))
        .or_else(|| japanese(text))
        .or_else(|| numbers(text))
        .or_else(|| english(text))
        .or_else(|| month(text))
}

/// `Tue, 05 Mar 2024 10:00:00 +0900`, as feeds and mails write it; a wrong day of the week is overlooked.
fn mail(text: &str) -> Option<String> {
    let parser = jiff::fmt::rfc2822::DateTimeParser::new().relaxed_weekday(true);
    let moment = parser.parse_zoned(text).ok()?;
    Some(moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string().replace("+00:00", "Z"))
}

/// `2024-03` or `2024`: sitemaps may give no more.
fn month(text: &str) -> Option<String> {
    let (year, month) =
        text.split_once('-').map_or((text, None), |(year, month)| (year, Some(month)));
    let year = (year.len() == 4).then(|| number_of(year)).flatten()?;
    match month {
        None => day(year, 1, 1).map(|_| format!("{year:04}")),
        Some(month) => {
            let month = number_of(month)?;
            day(year, month, 1).map(|_| format!("{year:04}-{month:02}"))
        }
    }
}

fn day(year: u32, month: u32, day: u32) -> Option<String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => return None,
    };
    ((1000..=2999).contains(&year) && (1..=length).contains(&day))
        .then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// `2024-03-05`, with a time if one follows in its normal form.
fn iso_prefix(text: &str) -> Option<String> {
    let head = text.get(..10)?;
    let bytes = head.as_bytes();
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let date = day(head[..4].parse().ok()?, head[5..7].parse().ok()?, head[8..].parse().ok()?)?;
    let Some(time) = text[10..].strip_prefix(['T', ' ']) else { return Some(date) };
    Some(iso_time(time.trim()).map_or(date.clone(), |time| format!("{date}T{time}")))
}

/// `10:00`, `10:00:00`, `10:00:00.123Z`, `10:00:00+09:00`, `10:00:00+0900`.
fn iso_time(text: &str) -> Option<String> {
    let clock_end = text.find(['Z', 'z', '+', '-', ' ']).unwrap_or(text.len());
    let (clock, zone) = text.split_at(clock_end);
    let clock = clock.split('.').next()?;
    let parts: Vec<u32> = clock.split(':').map(|it| it.parse().ok()).collect::<Option<_>>()?;
    let (hour, minute, second) = match parts[..] {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = zone.trim();
    let zone = match zone {
        "" => String::new(),
        "Z" | "z" | "UTC" | "GMT" => "Z".to_owned(),
        _ => {
            let sign = zone.chars().next().filter(|it| matches!(it, '+' | '-'))?;
            let digits: String = zone[1..].chars().filter(char::is_ascii_digit).collect();
            match digits.len() {
                2 => format!("{sign}{digits}:00"),
                4 => format!("{sign}{}:{}", &digits[..2], &digits[2..]),
                _ => return None,
            }
        }
    };
    Some(format!("{hour:02}:{minute:02}:{second:02}{zone}"))
}

/// `2024年3月5日`, `令和6年3月5日`, digits of either width.
fn japanese(text: &str) -> Option<String> {
    let (before, rest) = text.split_once('年')?;
    let (month, rest) = rest.split_once('月')?;
    let (date, _) = rest.split_once('日')?;
    let year_text = before.trim();
    let eras = [("令和", 2018), ("平成", 1988), ("昭和", 1925), ("大正", 1911), ("明治", 1867)];
    let year =
        match eras.iter().find_map(|(name, zero)| Some((year_text.split_once(name)?.1, zero))) {
            Some(("元", zero)) => zero + 1,
            Some((number, zero)) => zero + number_of(number)?,
            None => {
                let start = year_text.trim_end_matches(|it: char| it.is_numeric()).len();
                number_of(&year_text[start..])?
            }
        };
    day(year, number_of(month)?, number_of(date)?)
}

fn number_of(text: &str) -> Option<u32> {
    let mut value: u32 = 0;
    let text = text.trim();
    if text.is_empty() || text.chars().count() > 4 {
        return None;
    }
    for character in text.chars() {
        let wide = u32::from(character).wrapping_sub(u32::from('０'));
        let digit = character.to_digit(10).or((wide < 10).then_some(wide))?;
        value = value * 10 + digit;
    }
    Some(value)
}

/// `2024/03/05`, `2024.3.5`, `20240305`. Day and month alone at the front are ambiguous and not read.
fn numbers(text: &str) -> Option<String> {
    let head: Vec<&str> = text.split([' ', 'T']).next()?.split(['/', '.']).collect();
    match head[..] {
        [year, month, date] if year.len() == 4 => {
            day(number_of(year)?, number_of(month)?, number_of(date)?)
        }
        [all] if all.len() == 8 && all.bytes().all(|it| it.is_ascii_digit()) => {
            day(number_of(&all[..4])?, number_of(&all[4..6])?, number_of(&all[6..])?)
        }
        _ => None,
    }
}

/// `March 5, 2024`, `5 Mar 2024`, `Tue, 05 Mar 2024 10:00:00 GMT`.
fn english(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let words: Vec<&str> =
        text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).take(8).collect();
    let month_at = words.iter().position(|word| {
        let lower = word.to_ascii_lowercase();
        word.len() >= 3 && MONTHS.iter().any(|month| lower.starts_with(month)) && word.is_ascii()
    })?;
    let lower = words[month_at].to_ascii_lowercase();
    let month = MONTHS.iter().position(|it| lower.starts_with(it))? as u32 + 1;
    let ordinal = |it: &str| number_of(it.trim_end_matches(|c: char| c.is_ascii_alphabetic()));
    let year_of = |at: usize| words.get(at).filter(|it| it.len() == 4).and_then(|it| number_of(it));
    let before = month_at.checked_sub(1).and_then(|at| ordinal(words[at])).filter(|it| *it <= 31);
    if let (Some(date), Some(year)) = (before, year_of(month_at + 1)) {
        return day(year, month, date);
    }
    day(year_of(month_at + 2)?, month, ordinal(words.get(month_at + 1)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_many_forms_become_iso() {
        for (text, expected) in [
            ("2024-03-05", "2024-03-05"),
            ("2024-03-05T10:20:30Z", "2024-03-05T10:20:30Z"),
            ("2024-03-05T10:20:30.123+09:00", "2024-03-05T10:20:30+09:00"),
            ("2024-03-05T10:20:30+0900", "2024-03-05T10:20:30+09:00"),
            ("2024-03-05 10:20", "2024-03-05T10:20:00"),
            ("2024-03-05Tsoon", "2024-03-05"),
            ("2024/3/5", "2024-03-05"),
            ("2024.03.05 12:00", "2024-03-05"),
            ("20240305", "2024-03-05"),
            ("2024年3月5日(火)", "2024-03-05"),
            ("公開日：２０２４年３月５日", "2024-03-05"),
            ("令和6年3月5日", "2024-03-05"),
            ("平成元年1月8日", "1989-01-08"),
            ("March 5, 2024", "2024-03-05"),
            ("Mar 5th, 2024 at 9am", "2024-03-05"),
            ("5 March 2024", "2024-03-05"),
            ("Tue, 05 Mar 2024 10:00:00 GMT", "2024-03-05T10:00:00Z"),
            ("Mon, 05 Mar 2024 10:00:00 +0900", "2024-03-05T10:00:00+09:00"),
            ("2024-03", "2024-03"),
            ("2024", "2024"),
            ("2024-02-29", "2024-02-29"),
        ] {
            assert_eq!(iso(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_gives_none() {
        for text in [
            "",
            "yesterday",
            "2023-02-29",
            "2024-13-01",
            "03/05/2024",
            "2024年",
            "令和6年13月5日",
            "May be later",
            "1",
            "9999999999",
            "日月年",
            "2024-3-5x",
            "０",
            "Mar",
            "99 March 2024",
        ] {
            assert_eq!(iso(text), None, "{text}");
        }
    }
}
