//! Japanese measures: 週二日, 月に3回, 毎週, 翌月5日まで, 五営業日以内, 前日まで, 17時まで.

use std::sync::LazyLock;

use regex::Regex;

use super::{Bound, Day, Measure, Reader, Role, Value, day, rate, span, time};

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("tested")
}

/// 週2日, 1か月につき最大3回.
static OF_PERIOD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<period>1日|毎日|日|1週間?|毎週|週|1か月|毎月|月|1年間?|毎年度?|年度?|毎?四半期|半年|半期)間?(?P<of> ?(?:に|あたり|当たり|につき|ごとに))? ?(?P<least>最低|少なくとも)?(?:最大|原則として|原則|合計|計|延べ|おおむね|概ね)? ?(?P<number>\d+(?:\.\d+)?) ?(?P<unit>日|回|度)間?(?P<over> ?以上)?",
    )
});
/// 2週間に1回.
static OF_PERIODS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<each>\d+) ?(?P<period>日|週間?|か月|年)間? ?(?:に|につき|ごとに) ?(?P<number>\d+) ?[回度]",
    )
});
/// 毎週, 隔月, 3か月ごと.
static EVERY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"毎日|毎朝|毎晩|毎週|毎月|毎年度?|隔日|隔週|隔月|隔年|(?:四半期|半期|半年)(?:ごと|毎)|(?P<each>\d+) ?(?P<period>日|週間?|か月|年)(?:ごと|毎)",
    )
});
/// 翌月5日, 毎月第3営業日, 当月末日, 月末.
static OF_MONTH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<month>翌々月|翌月|当月|同月|今月|来月|前月|毎月)の? ?(?:第 ?)?(?:(?P<day>\d{1,2}) ?日|(?P<business>\d{1,2}) ?営業日|(?P<last>末日?|最終営業日|最終日|月末)|(?P<first>初日|月初))|月末日?|末日|月初",
    )
});
static OF_YEAR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日|末日?)"));
/// 5営業日以内, 3日前までに.
static SPAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<number>\d+(?:\.\d+)?) ?(?P<unit>分|時間|営業日|稼働日|日|週間?|か月|年)間?(?: ?(?P<within>以内|後まで)| ?前(?:まで|に))",
    )
});
static NEAR_DAY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?P<ahead>前々日|前日|当日)(?:まで|に)|(?P<after>翌営業日|翌日)まで")
});
static WEEKDAY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"毎週 ?(?P<days>[月火水木金土日](?:[・、,/と]?[月火水木金土日])*)曜日?")
});
static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<half_day>午前|午後)? ?(?P<hour>\d{1,2})(?:時(?:(?P<minute>\d{1,2})分|(?P<half>半))?|:(?P<clock>\d{2}))",
    )
});

/// What stands before 月 or 週 of a date rather than of a period.
const OF_A_DATE: &str = "翌前今来先当同々第次";
const DUE_AFTER: [&str; 8] = ["まで", "迄", "以内", "以前", "期限", "締", "〆", "必着"];
const FROM_AFTER: [&str; 3] = ["から", "以降", "より"];
const DUE_BEFORE: [&str; 5] = ["期限", "期日", "締切", "締め切り", "〆切"];
/// How far back a word of a deadline may stand.
const NEAR: usize = 10;

pub(super) fn read(it: &mut Reader<'_>) {
    it.each(&OF_MONTH, |it, found, bytes| {
        let bare = found.name("month").is_none();
        let dated = |it: char| it.is_ascii_digit() || OF_A_DATE.contains(it);
        let rest = it.after(bytes.end);
        // 3月末 is a day of the year, 毎月3日間 a number of days.
        if bare && it.before(bytes.start).is_some_and(dated)
            || ["間", "以上", "程度", "分", "ほど", "を上限"].iter().any(|it| rest.starts_with(it))
        {
            return None;
        }
        let month = match found.name("month").map(|it| it.as_str()) {
            Some("翌々月") => Some(2),
            Some("翌月" | "来月") => Some(1),
            Some("当月" | "同月" | "今月") => Some(0),
            Some("前月") => Some(-1),
            _ => None,
        };
        let number = |name| found.name(name).map(|it| it.as_str());
        let day = if let Some(number) = number("day") {
            day(number)?
        } else if let Some(number) = number("business") {
            Day::Business(number.parse().ok()?)
        } else if number("first").is_some() || &it.text[bytes.clone()] == "月初" {
            Day::Number(1)
        } else {
            Day::Last
        };
        Some((Measure::MonthDay(role(it, bytes)), Value::Day { month, day }))
    });
    it.each(&OF_YEAR, |it, found, bytes| {
        let month: i8 = found["month"].parse().ok()?;
        let day = found.name("day").map_or(Some(Day::Last), |it| day(it.as_str()))?;
        let dated = it.before(bytes.start).is_some_and(|it| it == '年' || it.is_ascii_digit());
        (!dated && role(it, bytes) == Role::Until)
            .then_some((Measure::Calendar, Value::Day { month: Some(month), day }))
    });
    it.each(&OF_PERIOD, |it, found, bytes| {
        let dated = |it: char| it.is_ascii_digit() || OF_A_DATE.contains(it);
        if it.before(bytes.start).is_some_and(dated) {
            return None;
        }
        let period = period(&found["period"])?;
        let least = found.name("least").or(found.name("over")).is_some();
        let bound = if least { Bound::Least } else { Bound::Plain };
        let in_days = &found["unit"] == "日";
        // 日2日 is nothing, nor is 年度3日.
        if in_days && period == "day" {
            return None;
        }
        let value = rate(found["number"].parse().ok()?, period, 1.0)?;
        Some((if in_days { Measure::Days(bound) } else { Measure::Times(bound) }, value))
    });
    it.each(&OF_PERIODS, |_, found, _| {
        let each = found["each"].parse().ok()?;
        let value = rate(found["number"].parse().ok()?, period(&found["period"])?, each)?;
        Some((Measure::Times(Bound::Plain), value))
    });
    it.each(&WEEKDAY, |_, found, _| {
        let place = |it: char| "月火水木金土日".chars().position(|day| day == it);
        let days = found["days"].chars().filter_map(|it| u8::try_from(place(it)?).ok());
        Some((Measure::Weekday, Value::Weekdays(days.collect())))
    });
    it.each(&EVERY, |it, found, bytes| {
        let value = match found.name("each") {
            Some(each) => rate(1.0, period(&found["period"])?, each.as_str().parse().ok()?)?,
            None => every(&it.text[bytes.clone()])?,
        };
        Some((Measure::Times(Bound::Plain), value))
    });
    it.each(&SPAN, |it, found, bytes| {
        if it.before(bytes.start).is_some_and(|it| matches!(it, '第' | '月' | '-' | '.')) {
            return None;
        }
        let value = span(found["number"].parse().ok()?, unit(&found["unit"])?)?;
        Some((if found.name("within").is_some() { Measure::Within } else { Measure::Ahead }, value))
    });
    it.each(&NEAR_DAY, |_, found, _| {
        if let Some(after) = found.name("after") {
            let unit = if after.as_str() == "翌営業日" { "business" } else { "day" };
            return Some((Measure::Within, span(1.0, unit)?));
        }
        let days = match &found["ahead"] {
            "前々日" => 2.0,
            "前日" => 1.0,
            _ => 0.0,
        };
        Some((Measure::Ahead, span(days, "day")?))
    });
    it.each(&TIME, |it, found, bytes| {
        let rest = it.after(bytes.end);
        if rest.starts_with(['間', '点', '代', ':'])
            || it.before(bytes.start).is_some_and(|it| it == ':' || it.is_ascii_digit())
        {
            return None;
        }
        let role = match role(it, bytes) {
            Role::On if !rest.starts_with('に') => return None,
            role => role,
        };
        let minute = found.name("minute").or(found.name("clock")).map(|it| it.as_str());
        let minute = minute.or(found.name("half").map(|_| "30"));
        let afternoon = found.name("half_day").is_some_and(|it| it.as_str() == "午後");
        Some((Measure::TimeOfDay(role), time(&found["hour"], minute, afternoon)?))
    });
}

fn period(written: &str) -> Option<&'static str> {
    Some(match written.trim_start_matches(['1', '毎']).trim_end_matches(['間', '度']) {
        "日" => "day",
        "週" => "week",
        "か月" | "月" => "month",
        "年" => "year",
        "四半期" => "quarter",
        "半年" | "半期" => "half",
        _ => return None,
    })
}

fn every(written: &str) -> Option<Value> {
    match written {
        "隔日" => rate(1.0, "day", 2.0),
        "隔週" => rate(1.0, "week", 2.0),
        "隔月" => rate(1.0, "month", 2.0),
        "隔年" => rate(1.0, "year", 2.0),
        "毎朝" | "毎晩" => rate(1.0, "day", 1.0),
        other => rate(1.0, period(other.trim_end_matches("ごと").trim_end_matches('毎'))?, 1.0),
    }
}

fn unit(written: &str) -> Option<&'static str> {
    Some(match written {
        "分" => "minute",
        "時間" => "hour",
        "日" => "day",
        "営業日" | "稼働日" => "business",
        "週" | "週間" => "week",
        "か月" => "month",
        "年" => "year",
        _ => return None,
    })
}

fn role(it: &Reader<'_>, bytes: &std::ops::Range<usize>) -> Role {
    let rest = it.after(bytes.end).trim_start_matches([' ', ')', '」', '(', 'の']);
    if DUE_AFTER.iter().any(|word| rest.starts_with(word)) {
        return Role::Until;
    }
    if FROM_AFTER.iter().any(|word| rest.starts_with(word)) {
        return Role::From;
    }
    let before: String = it.text[..bytes.start].chars().rev().take(NEAR).collect();
    let before: String = before.chars().rev().collect();
    if it.due || DUE_BEFORE.iter().any(|word| before.contains(word)) {
        return Role::Until;
    }
    Role::On
}
