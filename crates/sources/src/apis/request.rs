//! A query and a place in its results, to one request.

use fetch::FetchRequest;
use jiff::civil::Date;

use crate::academic::Scheme;
use crate::outcome::Failure;
use crate::period::Period;
use crate::query::Query;

use crate::topics;

use super::declaration::{Api, DOI_IN_PATH, Paging};
use super::settings::ApiSettings;

/// Where a page of results begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Position {
    /// Counts from the declaration's first page or record.
    pub number: u64,
    pub cursor: Option<String>,
    pub day: Option<Date>,
}

impl Api {
    /// The first pages to ask: one, or one for each day.
    pub(super) fn first_positions(
        &self,
        period: Period,
        today: Date,
    ) -> (Vec<Position>, Vec<String>) {
        match &self.paging {
            Paging::None => (vec![Position::default()], Vec::new()),
            Paging::Page { first } | Paging::Position { first, .. } => {
                (vec![Position { number: *first, ..Position::default() }], Vec::new())
            }
            Paging::Cursor { first, .. } => {
                (vec![Position { cursor: first.clone(), ..Position::default() }], Vec::new())
            }
            Paging::Days { default_days, max_days, .. } => {
                days(period, today, *default_days, *max_days)
            }
        }
    }

    /// The day it is where the API keeps its books.
    pub(super) fn today(&self, now: jiff::Timestamp) -> Date {
        let hours = match self.paging {
            Paging::Days { utc_offset_hours, .. } => utc_offset_hours,
            _ => 0,
        };
        let offset =
            jiff::tz::Offset::from_hours(hours.clamp(-23, 23)).unwrap_or(jiff::tz::Offset::UTC);
        offset.to_datetime(now).date()
    }

    /// The fetch_request for one page of results.
    pub fn fetch_request(
        &self,
        query: &Query,
        position: &Position,
        limit: usize,
        settings: &ApiSettings,
    ) -> Result<FetchRequest, Failure> {
        let text = self.written(query);
        self.request_with(&text, query, position, limit, settings)
    }

    fn request_with(
        &self,
        text: &str,
        query: &Query,
        position: &Position,
        limit: usize,
        settings: &ApiSettings,
    ) -> Result<FetchRequest, Failure> {
        let (period, _) = Period::of(query);
        let day =
            |date: Option<Date>| date.map(|it| it.strftime(&self.request.date_format).to_string());
        let value = |name: &str| -> Option<String> {
            match name {
                "text" => Some(text.to_owned()).filter(|it| !it.is_empty()),
                "from" => day(period.from),
                "until" => day(period.until),
                "language" => query.language.clone().or_else(|| self.request.language.clone()),
                "limit" => Some(limit.clamp(1, self.request.max_limit).to_string()),
                "page" | "position" => Some(position.number.to_string()),
                "cursor" => position.cursor.clone(),
                "day" => day(position.day),
                _ => None,
            }
        };
        let mut url = self.request.url.clone();
        {
            let mut pairs = url.query_pairs_mut();
            for (name, template) in &self.request.parameters {
                let template = template.as_str().unwrap_or_default();
                match template.split(" | ").find_map(|it| filled(it, &value)) {
                    Some(written) => {
                        pairs.append_pair(name, &written);
                    }
                    None if template.contains("{text}") => {
                        let problem = "the query has no words".to_owned();
                        return Err(Failure::Unsuited { problem });
                    }
                    None => {}
                }
            }
        }
        if url.query() == Some("") {
            url.set_query(None);
        }
        let mut fetch_request = self.limits.fetch_request(&self.name, url);
        fetch_request.headers.extend(self.request.headers.clone());
        if let Some(key) = &self.key {
            let given = settings.key(&key.name);
            match given {
                Some(given) => {
                    let secrets = key.parameter.iter().map(|it| (it.clone(), given.to_owned()));
                    fetch_request.secret_query.extend(secrets);
                    let secrets = key.header.iter().map(|it| (it.clone(), given.to_owned()));
                    fetch_request.secret_headers.extend(secrets);
                }
                None if key.required => {
                    return Err(Failure::NoKey { key: key.name.clone(), hint: key.get_it.clone() });
                }
                None => {}
            }
        }
        Ok(fetch_request)
    }
}

impl Api {
    /// The words of a query as the API wants them.
    fn written(&self, query: &Query) -> String {
        let words = words_of(query);
        let form = &self.words;
        if form.each == "{word}" && form.between == " " {
            return words;
        }
        let written = words.split_whitespace().map(|it| form.each.replace("{word}", &plain(it)));
        written.collect::<Vec<_>>().join(&form.between)
    }

    /// The query as a search asks it: of a question, the words that say the most.
    pub(super) fn query_for(&self, query: &Query) -> Query {
        let mut own = query.clone();
        if self.words.most > 0 {
            own.text = topics::words_of(&query.text, self.words.most);
        }
        own
    }

    /// The request for one work.
    pub(super) fn work_request(
        &self,
        doi: &str,
        settings: &ApiSettings,
    ) -> Result<FetchRequest, Failure> {
        let place = Position::default();
        let mut request = self.fetch_request(&Query::default(), &place, 1, settings)?;
        let escaped: String = url::form_urlencoded::byte_serialize(doi.as_bytes()).collect();
        let path = request.url.path().replace(DOI_IN_PATH, &escaped.replace("%2F", "/"));
        request.url.set_path(&path);
        Ok(request)
    }
}

impl Api {
    /// The requests for works of one scheme by their names, and the names that cannot be asked for.
    pub(super) fn lookup_requests(
        &self,
        scheme: Scheme,
        names: &[String],
        settings: &ApiSettings,
    ) -> Result<(Vec<FetchRequest>, Vec<String>), Failure> {
        let form = self.lookup.as_ref().and_then(|it| Some((it, it.names.get(&scheme)?)));
        let Some((lookup, form)) = form else {
            let problem = format!("it cannot be asked for works by {}", scheme.as_str());
            return Err(Failure::Unsuited { problem });
        };
        let (names, left_out): (Vec<&String>, Vec<&String>) =
            names.iter().partition(|it| !it.contains(|c| lookup.unless.contains(c)));
        let request = |names: &[&String]| {
            let written = names.iter().map(|it| form.replace("{value}", it));
            let written = written.collect::<Vec<_>>().join(&lookup.between);
            self.asked_for(&lookup.parameter, &written, names.len(), settings)
        };
        let requests = names.chunks(lookup.most).map(request).collect::<Result<_, _>>()?;
        Ok((requests, left_out.into_iter().cloned().collect()))
    }

    /// The request for works of this title.
    pub(super) fn title_request(
        &self,
        title: &str,
        limit: usize,
        settings: &ApiSettings,
    ) -> Result<FetchRequest, Failure> {
        let Some(form) = self.lookup.as_ref().and_then(|it| it.title.as_ref()) else {
            let problem = "it cannot be asked for works by their title".to_owned();
            return Err(Failure::Unsuited { problem });
        };
        let words = title.split_whitespace().map(plain).collect::<Vec<_>>().join(" ");
        let written = form.written.replace("{title}", &words);
        self.asked_for(&form.parameter, &written, limit, settings)
    }

    /// A request whose one condition stands in `parameter`.
    fn asked_for(
        &self,
        parameter: &str,
        written: &str,
        limit: usize,
        settings: &ApiSettings,
    ) -> Result<FetchRequest, Failure> {
        let mut place = Position::default();
        match &self.paging {
            Paging::Page { first } | Paging::Position { first, .. } => place.number = *first,
            Paging::Cursor { first, .. } => place.cursor.clone_from(first),
            Paging::None | Paging::Days { .. } => {}
        }
        // The words are a stand-in: the parameter that takes them makes room for the condition.
        let mut request = self.request_with("-", &Query::default(), &place, limit, settings)?;
        let takes_words = |name: &str| {
            let template = self.request.parameters.get(name).and_then(|it| it.as_str());
            template.is_some_and(|it| it.contains("{text}"))
        };
        let kept: Vec<(String, String)> = request
            .url
            .query_pairs()
            .filter(|(name, _)| name != parameter && !takes_words(name))
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        request.url.query_pairs_mut().clear().extend_pairs(kept).append_pair(parameter, written);
        Ok(request)
    }
}

/// A word without what is syntax in one API or another.
fn plain(word: &str) -> String {
    word.chars().filter(|it| !"\"()[]{}:*?~^\\".contains(*it)).collect()
}

/// Every word a record should have.
pub(super) fn words_of(query: &Query) -> String {
    let parts = std::iter::once(&query.text)
        .chain(&query.phrases)
        .chain(&query.required)
        .chain(&query.in_title);
    parts.flat_map(|it| it.split_whitespace()).collect::<Vec<_>>().join(" ")
}

/// The template with its values; `None` where one is missing.
fn filled(template: &str, value: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        text += before;
        text += &value(name)?;
        rest = after;
    }
    Some(text + rest)
}

fn days(
    period: Period,
    today: Date,
    default_days: u32,
    max_days: u32,
) -> (Vec<Position>, Vec<String>) {
    let last = period.until.map_or(today, |it| it.min(today));
    let back = |count: u32| {
        last.checked_sub(jiff::Span::new().days(i64::from(count.saturating_sub(1)))).unwrap_or(last)
    };
    let first = match period.from {
        Some(first) => first,
        None => back(default_days),
    };
    let mut notes = Vec::new();
    let earliest = back(max_days);
    let first = if first < earliest {
        notes.push(format!("only {max_days} days are asked: {earliest} to {last}"));
        earliest
    } else {
        first
    };
    let mut positions = Vec::new();
    let mut day = last;
    while day >= first {
        positions.push(Position { day: Some(day), ..Position::default() });
        match day.yesterday() {
            Ok(before) => day = before,
            Err(_) => break,
        }
    }
    (positions, notes)
}
