//! When things are said to have happened: the events of a claim, and the years it names.
//!
//! A record for readers and for the log. Nothing here changes a confidence: that takes an edge.

use serde::{Deserialize, Serialize};

use text::words::folded;

/// What happened to a claim or to its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimelineKind {
    FirstSeen,
    Updated,
    Corrected,
    Retracted,
}

impl TimelineKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FirstSeen => "first_seen",
            Self::Updated => "updated",
            Self::Corrected => "corrected",
            Self::Retracted => "retracted",
        }
    }
}

/// The years a text names, in order: 1800 to 2199, and those of the last three Japanese eras.
pub fn years(text: &str) -> Vec<i32> {
    let plain = folded(text);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = plain[at..].find(|c: char| c.is_ascii_digit() || c == '元') {
        let start = at + start;
        let digits =
            plain[start..].find(|c: char| !c.is_ascii_digit()).unwrap_or(plain.len() - start);
        let (before, number, after) =
            (&plain[..start], &plain[start..start + digits], &plain[start + digits..]);
        if digits == 0 {
            at = start + '元'.len_utf8();
            found.extend(era_year(before, 1).filter(|_| after.starts_with("元年")));
            continue;
        }
        at = start + digits;
        let Ok(number) = number.parse::<i32>() else { continue };
        if after.starts_with('年')
            && let Some(year) = era_year(before, number)
        {
            found.push(year);
            continue;
        }
        let part_of_more = before.ends_with(['.', ',', '-', '/', '$', '€', '¥'])
            && before
                .trim_end_matches(['.', ',', '-', '/', '$', '€', '¥'])
                .ends_with(|c: char| c.is_ascii_digit())
            || before.ends_with(['$', '€', '¥'])
            || before.ends_with(|c: char| c.is_ascii_alphabetic())
            || after
                .strip_prefix(['.', ','])
                .is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
        let counts = [
            "人",
            "件",
            "円",
            "名",
            "個",
            "%",
            " %",
            " mg",
            " people",
            " participants",
            " patients",
            " women",
            " men",
            "mg",
            "m",
        ]
        .iter()
        .any(|it| after.starts_with(it));
        if digits == 4 && (1800..2200).contains(&number) && !part_of_more && !counts {
            found.push(number);
        }
    }
    found
}

fn era_year(before: &str, number: i32) -> Option<i32> {
    let eras = [("令和", 2018), ("平成", 1988), ("昭和", 1925)];
    let (_, zero) = eras.iter().find(|it| before.trim_end().ends_with(it.0))?;
    (1..=64).contains(&number).then_some(zero + number)
}

/// The years between the newest year a claim names and the page that makes it; negative
/// where the claim speaks of years after the page. Nothing where it names none.
pub fn years_behind(claim: &str, page_year: i32) -> Option<i32> {
    years(claim).into_iter().max().map(|newest| page_year - newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_told_from_other_numbers() {
        let table: [(&str, &[i32]); 10] = [
            ("Falls rose in 2010 and 2012.", &[2010, 2012]),
            ("A trial of 2000 people in 1999", &[1999]),
            ("It cost $2000, or 1,990 euros.", &[]),
            ("DOI 10.1000/2010.123", &[]),
            ("２０２３年に1999円で発売された。", &[2023]),
            ("令和5年と平成元年、昭和64年", &[2023, 1989, 1989]),
            ("元気な5年", &[]),
            ("in 20105 or 1 or ABC2010", &[]),
            ("2010", &[2010]),
            ("", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(years(text), expected, "{text}");
        }
    }

    #[test]
    fn the_distance_is_counted_from_the_newest_year() {
        assert_eq!(years_behind("From 1990 to 2018 poverty fell.", 2023), Some(5));
        assert_eq!(years_behind("By 2050 it will double.", 2023), Some(-27));
        assert_eq!(years_behind("Poverty fell.", 2023), None);
    }

    #[test]
    fn kinds_have_the_names_they_are_stored_under() {
        let kinds = [
            TimelineKind::FirstSeen,
            TimelineKind::Updated,
            TimelineKind::Corrected,
            TimelineKind::Retracted,
        ];
        assert_eq!(
            kinds.map(TimelineKind::as_str),
            ["first_seen", "updated", "corrected", "retracted"]
        );
        assert_eq!(
            serde_json::to_string(&kinds).unwrap(),
            r#"["first_seen","updated","corrected","retracted"]"#
        );
    }
}
