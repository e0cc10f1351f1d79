//! Days of the small internet's calendar. Its today is fixed: the same seed gives the same bytes on any day.

/// A day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    pub year: i32,
    pub month: u32,
    pub day: u32,
}

/// What every server here believes the time to be.
pub(crate) const NOW_HTTP: &str = "Mon, 01 Jun 2026 09:00:00 GMT";

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Date {
    /// `2026-03-09`.
    pub fn iso(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// `9 March 2026`.
    pub fn english(&self) -> String {
        format!("{} {} {}", self.day, self.month_name(), self.year)
    }

    /// `2026年3月9日`.
    pub fn japanese(&self) -> String {
        format!("{}年{}月{}日", self.year, self.month, self.day)
    }

    /// `Mon, 09 Mar 2026 08:15:00 GMT`.
    pub fn http(&self) -> String {
        let month = &self.month_name()[..3];
        format!("{}, {:02} {month} {} 08:15:00 GMT", self.weekday(), self.day, self.year)
    }

    fn month_name(&self) -> &'static str {
        MONTHS[(self.month as usize - 1).min(11)]
    }

    /// By the rule of Sakamoto.
    fn weekday(&self) -> &'static str {
        const SHIFT: [i32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        const NAMES: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
        let year = if self.month < 3 { self.year - 1 } else { self.year };
        let days = year + year / 4 - year / 100 + year / 400;
        let number = days + SHIFT[(self.month as usize - 1).min(11)] + self.day as i32;
        NAMES[number.rem_euclid(7) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn a_day_is_written_as_each_reader_expects_it() {
        let date = Date { year: 2026, month: 3, day: 9 };
        assert_eq!(date.iso(), "2026-03-09");
        assert_eq!(date.english(), "9 March 2026");
        assert_eq!(date.japanese(), "2026年3月9日");
        assert_eq!(date.http(), "Mon, 09 Mar 2026 08:15:00 GMT");
        assert_eq!(Date { year: 2024, month: 2, day: 29 }.http(), "Thu, 29 Feb 2024 08:15:00 GMT");
    }
}
