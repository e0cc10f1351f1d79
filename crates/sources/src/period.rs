//! The days a query is limited to.

use jiff::civil::Date;

use crate::query::Query;

/// The first and the last day that count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Period {
    pub(crate) from: Option<Date>,
    pub(crate) until: Option<Date>,
}

impl Period {
    /// The period of a query, and what of it is no date. `2024` and `2024-05` mean all of their days.
    pub(crate) fn of(query: &Query) -> (Self, Vec<String>) {
        let mut notes = Vec::new();
        let mut day = |text: &Option<String>, end: End| {
            let text = text.as_deref()?.trim();
            let read = day(text, end);
            if read.is_none() {
                notes.push(format!("`{text}` is no date: asked without it"));
            }
            read
        };
        let from = day(&query.after, End::First);
        let until = day(&query.before, End::Last);
        (Self { from, until }, notes)
    }

    /// Whether a date is within it. What has no date may be recent enough.
    pub(crate) fn admits(self, date: Option<&str>) -> bool {
        let Some(date) = date else { return true };
        // ISO dates sort as texts; a year alone is compared as a year.
        let cut = |it: Date| it.to_string()[..date.len().min(10)].to_owned();
        self.from.is_none_or(|it| date >= cut(it).as_str())
            && self.until.is_none_or(|it| date <= cut(it).as_str())
    }

    pub(crate) fn is_open(self) -> bool {
        self == Self::default()
    }
}

#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

/// The first and the last day of what is meant: `2024-05` from its first, and until its last. What is no date stays.
pub(crate) fn whole_days(after: Option<String>, before: Option<String>) -> [Option<String>; 2] {
    let whole = |given: Option<String>, end: End| {
        given.map(|it| day(it.trim(), end).map_or(it, |day| day.to_string()))
    };
    [whole(after, End::First), whole(before, End::Last)]
}

/// Whether a text is a day, a month or a year: `2024-05-31`, `2024-05`, `2024`.
pub fn is_date(text: &str) -> bool {
    day(text.trim(), End::First).is_some()
}

fn day(text: &str, end: End) -> Option<Date> {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |text: &&str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if parts.len() > 3 || parts[0].len() != 4 || !parts.iter().all(digits) {
        return None;
    }
    let number = |at: usize| parts.get(at).map(|it| it.parse::<i8>()).transpose().ok();
    let year: i16 = parts[0].parse().ok()?;
    let month = number(1)?;
    let day = number(2)?;
    match (month, day) {
        (Some(month), Some(day)) => Date::new(year, month, day).ok(),
        (Some(month), None) => {
            let first = Date::new(year, month, 1).ok()?;
            Some(match end {
                End::First => first,
                End::Last => first.last_of_month(),
            })
        }
        (None, _) => match end {
            End::First => Date::new(year, 1, 1).ok(),
            End::Last => Date::new(year, 12, 31).ok(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(after: &str, before: &str) -> String {
        let text = |it: &str| (!it.is_empty()).then(|| it.to_owned());
        let query = Query { after: text(after), before: text(before), ..Query::default() };
        let (period, notes) = Period::of(&query);
        let shown = |date: Option<Date>| date.map_or("-".to_owned(), |it| it.to_string());
        format!("{} {} {}", shown(period.from), shown(period.until), notes.join("; "))
    }

    #[test]
    fn years_and_months_mean_all_of_their_days() {
        assert_eq!(period("2024", "2024"), "2024-01-01 2024-12-31 ");
        assert_eq!(period("2024-02", "2024-02"), "2024-02-01 2024-02-29 ");
        assert_eq!(period("2024-05-06", ""), "2024-05-06 - ");
        assert_eq!(period("", ""), "- - ");
    }

    #[test]
    fn what_is_no_date_is_said_and_left_out() {
        assert_eq!(
            period("yesterday", "2024-13"),
            "- - `yesterday` is no date: asked without it; `2024-13` is no date: asked without it"
        );
        assert_eq!(period("2024-02-30", ""), "- - `2024-02-30` is no date: asked without it");
        assert_eq!(
            period("24", "2024-1-2-3"),
            "- - `24` is no date: asked without it; `2024-1-2-3` is no date: asked without it"
        );
    }
}
