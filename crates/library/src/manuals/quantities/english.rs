//! English measures: twice a week, three days a week, by the 5th, by the end of the following month, within five days.

use std::sync::LazyLock;

use regex::Regex;

use super::{Bound, Day, Measure, Reader, Role, Value, day, rate, span, time};

const NUMBER: &str =
    r"(?:\d+(?:\.\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
const PERIOD: &str = "day|week|fortnight|month|quarter|year";
const UNIT: &str =
    "business days?|working days?|(?:calendar )?days?|minutes?|hours?|weeks?|months?|years?";

fn pattern(text: &str) -> Regex {
    let text = text.replace("%number%", NUMBER).replace("%period%", PERIOD).replace("%unit%", UNIT);
    Regex::new(&text).expect("tested")
}

static OF_PERIOD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:(?P<word>once|twice|thrice)|(?P<number>%number%)[ -](?P<unit>times?|days?)) (?:a|an|per|each|every|in a|in each|in every) (?P<period>%period%)\b",
    )
});
static EVERY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\bevery (?:(?P<other>other|second) |(?P<each>%number%) )?(?P<period>%period%)s?\b|\b(?P<adverb>daily|weekly|fortnightly|monthly|quarterly|yearly|annually)\b",
    )
});
static OF_MONTH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:(?P<role>by|before|until|till|no later than|not later than|due on|due by|on|from) )?(?:the )?(?:(?P<day>\d{1,2})(?:st|nd|rd|th)(?P<business> (?:business|working) day)?(?: day)?|(?P<last>end|last (?:business |working |calendar )?day|close))(?P<of> of (?:the |each |every )?(?:(?P<month>following|next|same|current|previous|subsequent) )?month)?(?P<rest> of [a-z]+| [a-z]+)?",
    )
});
static SPAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?P<within>within|no later than|not later than) (?P<soon>%number%) (?P<soon_unit>%unit%)\b|\b(?P<number>%number%)[ -](?P<unit>%unit%)'? (?:in advance|before|beforehand|prior|ahead|notice|advance notice|of notice|earlier)\b",
    )
});
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?P<role>by|before|until|till|from|after|at) (?P<hour>\d{1,2})(?::(?P<minute>\d{2}))?(?P<half_day> ?[ap]\.?m\b)?",
    )
});

pub(super) fn read(it: &mut Reader<'_>) {
    it.each(&OF_PERIOD, |it, found, bytes| {
        let times = match found.name("word").map(|it| it.as_str()) {
            Some("once") => 1.0,
            Some("twice") => 2.0,
            Some(_) => 3.0,
            None => number(&found["number"])?,
        };
        let in_days = found.name("unit").is_some_and(|it| it.as_str().starts_with("day"));
        let value = rate(times, &found["period"], 1.0)?;
        let bound = bound(it, bytes.start);
        Some((if in_days { Measure::Days(bound) } else { Measure::Times(bound) }, value))
    });
    it.each(&EVERY, |it, found, bytes| {
        let value = if let Some(adverb) = found.name("adverb") {
            rate(1.0, of_adverb(adverb.as_str())?, 1.0)?
        } else {
            let each = match found.name("each") {
                Some(each) => number(each.as_str())?,
                None if found.name("other").is_some() => 2.0,
                None => 1.0,
            };
            rate(1.0, &found["period"], each)?
        };
        Some((Measure::Times(bound(it, bytes.start)), value))
    });
    of_month(it);
    it.each(&SPAN, |_, found, _| {
        let (measure, count, of) = match found.name("within") {
            Some(_) => (Measure::Within, &found["soon"], &found["soon_unit"]),
            None => (Measure::Ahead, &found["number"], &found["unit"]),
        };
        Some((measure, span(number(count)?, unit(of)?)?))
    });
    it.each(&TIME, |_, found, _| {
        let half_day = found.name("half_day");
        // `by 2030` and `at 40` are no times of day.
        if half_day.is_none() && found.name("minute").is_none() {
            return None;
        }
        let afternoon = half_day.is_some_and(|it| it.as_str().contains('p'));
        let minute = found.name("minute").map(|it| it.as_str());
        let role = match &found["role"] {
            "from" | "after" => Role::From,
            "at" => Role::On,
            _ => Role::Until,
        };
        Some((Measure::TimeOfDay(role), time(&found["hour"], minute, afternoon)?))
    });
}

fn of_month(it: &mut Reader<'_>) {
    let mut new = Vec::new();
    for found in OF_MONTH.captures_iter(it.text) {
        let [Some(whole), rest] = [found.get(0), found.name("rest")] else { continue };
        let bytes = whole.start()..rest.map_or(whole.end(), |it| it.start());
        let role = match found.name("role").map(|it| it.as_str()) {
            Some("on" | "due on") => Role::On,
            Some("from") => Role::From,
            Some(_) => Role::Until,
            None if it.due => Role::Until,
            None => Role::On,
        };
        let of = found.name("of").is_some();
        // The 5th of May and the 5th floor are no days of a month that comes again.
        let goes_on = |it: &str| !NEXT_WORDS.contains(&it.trim_start());
        let bare = !of && (role != Role::Until || found.name("last").is_some());
        if bare || (!of && rest.is_some_and(|it| goes_on(it.as_str()))) || it.is_taken(&bytes) {
            continue;
        }
        let day = match (found.name("day"), found.name("business")) {
            (Some(number), None) => day(number.as_str()),
            (Some(number), Some(_)) => number.as_str().parse().ok().map(Day::Business),
            (None, _) => Some(Day::Last),
        };
        let Some(day) = day else { continue };
        let month = match found.name("month").map(|it| it.as_str()) {
            Some("following" | "next" | "subsequent") => Some(1),
            Some("same" | "current") => Some(0),
            Some("previous") => Some(-1),
            _ => None,
        };
        let (measure, value) = (Measure::MonthDay(role), Value::Day { month, day });
        new.push(super::Quantity { measure, value, bytes });
    }
    it.found.append(&mut new);
}

/// Words that may follow a bare `by the 5th`.
const NEXT_WORDS: [&str; 12] =
    ["with", "and", "or", "at", "to", "in", "by", "through", "using", "via", "together", "each"];

fn bound(it: &Reader<'_>, start: usize) -> Bound {
    let before = it.text[..start].trim_end();
    if ["at least", "minimum", "no less than"].iter().any(|word| before.ends_with(word)) {
        Bound::Least
    } else {
        Bound::Plain
    }
}

fn number(written: &str) -> Option<f64> {
    const WORDS: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    if matches!(written, "a" | "an") {
        return Some(1.0);
    }
    let word = WORDS.iter().position(|it| *it == written).map(|at| at as f64 + 1.0);
    word.or_else(|| written.parse().ok())
}

fn of_adverb(adverb: &str) -> Option<&'static str> {
    Some(match adverb {
        "daily" => "day",
        "weekly" => "week",
        "fortnightly" => "fortnight",
        "monthly" => "month",
        "quarterly" => "quarter",
        "yearly" | "annually" => "year",
        _ => return None,
    })
}

fn unit(written: &str) -> Option<&'static str> {
    let last = written.rsplit(' ').next()?.trim_end_matches('s');
    Some(match (written.starts_with("business") || written.starts_with("working"), last) {
        (true, _) => "business",
        (_, "minute") => "minute",
        (_, "hour") => "hour",
        (_, "day") => "day",
        (_, "week") => "week",
        (_, "month") => "month",
        (_, "year") => "year",
        _ => return None,
    })
}
