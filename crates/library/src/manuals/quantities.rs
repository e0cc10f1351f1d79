//! What a sentence measures: how often, by when, how long before, at what time, how much.
//!
//! Two measures of one kind can be compared: 週二日 and 週に3日 are both days in a period, 翌月5日まで and 翌月末まで both
//! days of a month by which something is due. The text is normalised, so numerals have one form.

mod english;
mod japanese;

use std::ops::Range;

use regex::{Captures, Regex};

use crate::normal_form::NUMBER_WORDS;

/// What is measured; only the same can disagree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    /// How often something happens.
    Times(Bound),
    /// On how many days of a period.
    Days(Bound),
    Weekday,
    /// The day of a month.
    MonthDay(Role),
    /// The last day of the year, month and day.
    Calendar,
    /// How soon after something.
    Within,
    /// How long before something.
    Ahead,
    TimeOfDay(Role),
    /// How many of a unit.
    Amount(String),
}

/// Two days at least and three at most contradict nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bound {
    Least,
    Plain,
}

/// What a day or a time is for: payment on the 25th and a claim by the 5th are two things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Until,
    From,
    On,
}

impl Measure {
    /// The name of what two sections disagree about.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Times(_) => "frequency",
            Self::Days(_) => "days_per_period",
            Self::Weekday => "weekday",
            Self::MonthDay(Role::Until) | Self::Calendar | Self::Within => "deadline",
            Self::MonthDay(_) => "day_of_month",
            Self::Ahead => "lead_time",
            Self::TimeOfDay(_) => "time",
            Self::Amount(unit) => unit,
        }
    }

    /// Whether it says more than a number: these are rarely meant otherwise, a number often is.
    pub(crate) const fn is_telling(&self) -> bool {
        !matches!(self, Self::Amount(_))
    }
}

/// One measure and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    pub(crate) measure: Measure,
    pub(crate) value: Value,
    pub(crate) bytes: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A number as it is written.
    Plain(String),
    /// So many of a unit, and what that comes to: in hours, or in times or days of a year.
    Scaled { number: f64, unit: &'static str, amount: f64 },
    /// The month counted from the one that is spoken of, where it is said, and the day.
    Day { month: Option<i8>, day: Day },
    /// Monday is 0.
    Weekdays(Vec<u8>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Day {
    Number(u8),
    Business(u8),
    Last,
}

/// Four times a month are once a week, thirty days a month.
const NEARLY: f64 = 0.1;

impl Value {
    /// Whether both can be followed at once.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Scaled { number: a, unit, amount },
                Self::Scaled { number: b, unit: others, amount: others_amount },
            ) => match unit == others {
                true => a == b,
                false => {
                    (amount - others_amount).abs() <= NEARLY * amount.abs().max(others_amount.abs())
                }
            },
            (Self::Day { month: a, day }, Self::Day { month: b, day: others }) => {
                day == others && (a.is_none() || b.is_none() || a == b)
            }
            (Self::Weekdays(a), Self::Weekdays(b)) => a.iter().any(|it| b.contains(it)),
            _ => self == other,
        }
    }
}

/// Everything a sentence measures. `due` says that its heading speaks of a deadline.
pub(crate) fn quantities(text: &str, due: bool) -> Vec<Quantity> {
    let mut reader = Reader { text, due, found: Vec::new() };
    japanese::read(&mut reader);
    english::read(&mut reader);
    reader.amounts();
    let mut found = reader.found;
    found.sort_by_key(|it| it.bytes.start);
    found
}

/// A sentence while it is read; what has been understood is not read again.
struct Reader<'t> {
    text: &'t str,
    due: bool,
    found: Vec<Quantity>,
}

impl Reader<'_> {
    /// Reads everything that fits a pattern and makes sense.
    fn each(
        &mut self,
        pattern: &Regex,
        read: impl Fn(&Self, &Captures<'_>, &Range<usize>) -> Option<(Measure, Value)>,
    ) {
        let mut new = Vec::new();
        for found in pattern.captures_iter(self.text) {
            let Some(bytes) = found.get(0).map(|it| it.range()) else { continue };
            if !self.is_taken(&bytes)
                && let Some((measure, value)) = read(self, &found, &bytes)
            {
                new.push(Quantity { measure, value, bytes });
            }
        }
        self.found.append(&mut new);
    }

    fn is_taken(&self, bytes: &Range<usize>) -> bool {
        self.found.iter().any(|it| it.bytes.start < bytes.end && bytes.start < it.bytes.end)
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    fn after(&self, at: usize) -> &str {
        &self.text[at..]
    }

    /// Numbers of a unit, wherever nothing else was read.
    fn amounts(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if !bytes[at].is_ascii_digit() {
                at += 1;
                continue;
            }
            let length =
                bytes[at..].iter().take_while(|it| it.is_ascii_digit() || **it == b'.').count();
            let value = self.text[at..at + length].trim_end_matches('.');
            let named = self.text[..at].ends_with(['第', '-', '.']);
            let end = at + value.len();
            let rest = self.text[end..].trim_start_matches([' ', '-']);
            let unit = NUMBER_WORDS.units.iter().filter(|unit| rest.starts_with(*unit));
            if let Some(unit) = unit.max_by_key(|unit| unit.len()).filter(|_| !named) {
                let place = at..self.text.len() - rest.len() + unit.len();
                if !self.is_taken(&place) {
                    let unit = unit.strip_suffix('s').unwrap_or(unit);
                    self.found.push(Quantity {
                        measure: Measure::Amount(unit.to_owned()),
                        value: Value::Plain(value.to_owned()),
                        bytes: place,
                    });
                }
            }
            at += length;
        }
    }
}

/// A period, and how often it comes in a year.
fn per_year(period: &str) -> Option<(&'static str, f64)> {
    Some(match period {
        "day" => ("day", 365.0),
        "week" => ("week", 52.0),
        "fortnight" => ("fortnight", 26.0),
        "month" => ("month", 12.0),
        "quarter" => ("quarter", 4.0),
        "half" => ("half", 2.0),
        "year" => ("year", 1.0),
        _ => return None,
    })
}

/// So many times, or on so many days, of every `each` periods.
fn rate(number: f64, period: &str, each: f64) -> Option<Value> {
    let (unit, often) = per_year(period)?;
    // `every two weeks` is compared by what it comes to, whatever the unit.
    let number = number / each;
    let amount = number * often;
    (number.is_finite() && each > 0.0).then_some(Value::Scaled { number, unit, amount })
}

/// So many minutes, days or months.
fn span(number: f64, unit: &str) -> Option<Value> {
    let (unit, hours) = match unit {
        "minute" => ("minute", 1.0 / 60.0),
        "hour" => ("hour", 1.0),
        "day" => ("day", 24.0),
        // Five of them take a week.
        "business" => ("business", 24.0 * 7.0 / 5.0),
        "week" => ("week", 24.0 * 7.0),
        "month" => ("month", 24.0 * 365.0 / 12.0),
        "year" => ("year", 24.0 * 365.0),
        _ => return None,
    };
    Some(Value::Scaled { number, unit, amount: number * hours })
}

fn day(number: &str) -> Option<Day> {
    match number.parse().ok()? {
        31 => Some(Day::Last),
        it @ 1..31 => Some(Day::Number(it)),
        _ => None,
    }
}

fn time(hour: &str, minute: Option<&str>, afternoon: bool) -> Option<Value> {
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.unwrap_or("0").parse().ok()?);
    let hour = if afternoon && hour < 12 { hour + 12 } else { hour };
    (hour <= 30 && minute < 60).then(|| Value::Plain(format!("{hour}:{minute:02}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal_form::normalised;

    /// What is read in a sentence, one entry each: measure, text.
    fn read(text: &str) -> String {
        let text = normalised(text);
        let shown = |it: &Quantity| format!("{}: {}", it.measure.name(), &text[it.bytes.clone()]);
        quantities(&text, false).iter().map(shown).collect::<Vec<_>>().join("; ")
    }

    /// The values of two sentences with one measure each.
    fn agree(a: &str, b: &str) -> bool {
        let [a, b] = [a, b].map(|it| quantities(&normalised(it), false));
        assert_eq!((a.len(), b.len(), &a[0].measure), (1, 1, &b[0].measure), "{a:?} {b:?}");
        a[0].value.agrees(&b[0].value)
    }

    #[test]
    fn how_often_is_read_however_it_is_written() {
        for (written, read_as) in [
            ("在宅勤務は週二日を上限とする", "days_per_period: 週2日"),
            ("週に３日まで", "days_per_period: 週に3日"),
            ("一週間につき最大三日", "days_per_period: 1週間につき最大3日"),
            ("点検は月二回行う", "frequency: 月2回"),
            ("月に３回", "frequency: 月に3回"),
            ("１日２回", "frequency: 1日2回"),
            ("毎週報告する", "frequency: 毎週"),
            ("三か月ごとに交換", "frequency: 3か月ごと"),
            ("2週間に1回", "frequency: 2週間に1回"),
            ("twice a week", "frequency: twice a week"),
            ("up to three days per week", "days_per_period: three days per week"),
            ("every two weeks", "frequency: every two weeks"),
            ("Passwords are changed monthly.", "frequency: monthly"),
        ] {
            assert_eq!(read(written), read_as, "{written}");
        }
    }

    #[test]
    fn days_and_times_by_which_something_is_due_are_read() {
        for (written, read_as) in [
            ("翌月5日までに", "deadline: 翌月5日"),
            ("翌月末までに", "deadline: 翌月末"),
            ("翌月の末日まで", "deadline: 翌月の末日"),
            ("翌月第３営業日までに", "deadline: 翌月第3営業日"),
            ("毎月25日に支払う", "day_of_month: 毎月25日"),
            ("提出期限は月末とする", "deadline: 月末"),
            ("3月31日まで", "deadline: 3月31日"),
            ("五営業日以内に", "deadline: 5営業日以内"),
            ("一週間以内", "deadline: 1週間以内"),
            ("前日までに", "lead_time: 前日まで"),
            ("3営業日前までに", "lead_time: 3営業日前まで"),
            ("毎週水曜日", "weekday: 毎週水曜日"),
            ("午後５時半まで", "time: 午後5時半"),
            ("by the 5th", "deadline: by the 5th"),
            ("by the end of the following month", "deadline: by the end of the following month"),
            ("within five business days", "deadline: within five business days"),
            ("at least 14 days in advance", "lead_time: 14 days in advance"),
            ("before 5:30 pm", "time: before 5:30 pm"),
        ] {
            assert_eq!(read(written), read_as, "{written}");
        }
    }

    #[test]
    fn dates_names_and_plain_numbers_are_what_they_were() {
        for (written, read_as) in [
            ("2024年4月2日に改定", "年: 2024年; 日: 2日"),
            ("第3回の会議", ""),
            ("日当は2,500円とする", "円: 2500円"),
            ("一時的に止める", ""),
            ("二十四時間", "時間: 24時間"),
            ("annual leave", ""),
            ("the 5th floor", ""),
        ] {
            assert_eq!(read(written), read_as, "{written}");
        }
    }

    #[test]
    fn values_disagree_where_only_one_can_be_followed() {
        for (a, b) in [
            ("週二日", "週に3日"),
            ("翌月5日まで", "翌月末まで"),
            ("翌月末まで", "当月末まで"),
            ("翌月5日まで", "翌月第5営業日まで"),
            ("月二回", "月に3回"),
            ("毎週", "月に1回"),
            ("5日以内", "5営業日以内"),
            ("10日以内", "11日以内"),
            ("前日まで", "3日前まで"),
            ("毎週月曜日", "毎週金曜日"),
            ("17時まで", "午後6時まで"),
            ("twice a week", "three times a week"),
            ("two days a week", "three days a week"),
            ("by the 5th", "by the end of the following month"),
            ("within 5 days", "5営業日以内"),
        ] {
            assert!(!agree(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn values_agree_in_whatever_words() {
        for (a, b) in [
            ("週二日", "週に２日"),
            ("翌月末まで", "翌月の末日まで"),
            ("月末まで", "当月31日まで"),
            ("毎週", "月に4回"),
            ("隔週", "2週間に1回"),
            ("四半期に1回", "年4回"),
            ("一週間以内", "7日以内"),
            ("5営業日以内", "1週間以内"),
            ("1か月以内", "30日以内"),
            ("17時まで", "午後5時まで"),
            ("twice a week", "週2回"),
            ("every other week", "隔週"),
            ("by the end of the month", "月末まで"),
        ] {
            assert!(agree(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn at_least_and_at_most_are_two_things() {
        let measure = |text: &str| quantities(&normalised(text), false)[0].measure.clone();
        assert_eq!(measure("週2日以上出社する"), Measure::Days(Bound::Least));
        assert_eq!(measure("週3日まで"), Measure::Days(Bound::Plain));
        assert_eq!(measure("at least twice a year"), Measure::Times(Bound::Least));
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_fail(text in "[0-9毎週月日回翌末まで以内午後時分 :twice a week]{0,40}") {
            let text = normalised(&text);
            for it in quantities(&text, true) {
                proptest::prop_assert!(text.get(it.bytes.clone()).is_some());
            }
        }
    }
}
