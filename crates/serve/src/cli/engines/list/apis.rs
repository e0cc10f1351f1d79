//! The rows of the public APIs.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Serialize;
use sources::apis::{Api, Apis};
use sources::{Standing, Topic};

use crate::clock::local;
use crate::ui::{Column, Table};
use crate::words::{Words, say};

#[derive(Debug, Serialize)]
pub(super) struct Row<'a> {
    name: &'a str,
    title: &'a str,
    topics: &'a [Topic],
    languages: &'a [String],
    /// It tells about works by their DOI, and cannot search.
    by_doi: bool,
    registers_dois: bool,
    disabled: bool,
    key: Option<&'a str>,
    key_needed: bool,
    key_given: bool,
    resting_until: Option<Timestamp>,
    requests_today: u32,
    requests_a_day: Option<u32>,
}

pub(super) fn rows<'a>(apis: &'a Apis, standings: &HashMap<String, Standing>) -> Vec<Row<'a>> {
    let settings = apis.settings();
    let row = |api: &'a Api| {
        let standing = standings.get(&api.name);
        let (key, key_needed) = api.key().map_or((None, false), |it| (Some(it.0), it.1));
        Row {
            name: &api.name,
            title: &api.title,
            topics: &api.topics,
            languages: &api.languages,
            by_doi: api.is_by_doi(),
            registers_dois: api.is_register_of_dois(),
            disabled: settings.disabled.contains(&api.name),
            key,
            key_needed,
            key_given: key.is_some_and(|it| settings.key(it).is_some()),
            resting_until: standing.and_then(|it| it.resting_until),
            requests_today: standing.map_or(0, |it| it.requests_today),
            requests_a_day: api.requests_a_day(),
        }
    };
    apis.all().map(row).collect()
}

pub(super) fn table(words: &Words, rows: &[Row<'_>]) -> Table {
    let column = &words.column;
    let mut table = Table::new([
        Column::exact(&column.api),
        Column::text(&column.purpose),
        Column::exact(&column.state),
        Column::number(&column.today),
    ]);
    for row in rows {
        let today = match row.requests_a_day {
            Some(most) => format!("{}/{most}", row.requests_today),
            None => row.requests_today.to_string(),
        };
        table.row([row.name.to_owned(), purpose(words, row), state(words, row), today]);
    }
    table
}

fn purpose(words: &Words, row: &Row<'_>) -> String {
    let words = &words.topic;
    let name = |topic: &Topic| match topic {
        Topic::Law => words.law.as_str(),
        Topic::Parliament => words.parliament.as_str(),
        Topic::Statistics => words.statistics.as_str(),
        Topic::Company => words.company.as_str(),
        Topic::Medicine => words.medicine.as_str(),
        Topic::Research => words.research.as_str(),
        Topic::ExactScience => words.exact_science.as_str(),
        Topic::Thing => words.thing.as_str(),
        Topic::Book => words.book.as_str(),
    };
    let mut purpose: Vec<&str> = row.topics.iter().map(name).collect();
    if row.registers_dois {
        purpose.push(words.references.as_str());
    } else if row.by_doi {
        purpose.push(words.free_copies.as_str());
    }
    let languages = match row.languages {
        [] => String::new(),
        languages => format!(" ({})", languages.join(" ")),
    };
    format!("{}{languages}", purpose.join(", "))
}

fn state(words: &Words, row: &Row<'_>) -> String {
    let told = &words.sources;
    match (row.disabled, row.key, row.resting_until) {
        (true, ..) => String::from(&told.off),
        (_, Some(key), _) if row.key_needed && !row.key_given => say!(told.needs_key, key = key),
        (_, _, Some(until)) => {
            let time = local(until).strftime("%H:%M").to_string();
            say!(words.engines.resting_until, time = time)
        }
        (_, Some(_), _) if !row.key_given => String::from(&told.without_key),
        _ => String::from(&told.ready),
    }
}
