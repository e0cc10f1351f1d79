//! A query as the request one engine expects.
//!
//! Templates of parameters may contain `{query}`, `{time}` and the names a language gives values to (`{language}`,
//! `{region}` ...). A parameter that would be left with a gap is not sent.

use std::collections::BTreeMap;

use fetch::{FetchRequest, Freshness, Kind, Method};
use jiff::civil::Date;
use url::Url;
use url::form_urlencoded::Serializer;

use super::declaration::{Request, Time, Way};
use super::{Engine, EngineRequest};
use crate::Query;
use crate::operators::Operator;

impl Engine {
    /// The request for a page of results, from 1. `today` ends spans of time that have no end.
    pub fn request(&self, query: &Query, page: u32, today: Date) -> EngineRequest {
        let mut phrased = self.operators.phrase(query);
        let mut values = self.request.language_values(query.language.as_deref());
        values.insert("query", phrased.text.clone());
        if let Some(time) = self.time(phrased.after, phrased.before, today) {
            values.insert("time", time);
        } else {
            let lost = [(phrased.after, Operator::After), (phrased.before, Operator::Before)];
            phrased
                .dropped
                .extend(lost.into_iter().filter_map(|(day, operator)| day.map(|_| operator)));
        }
        let request = &self.request;
        let mut parameters: Vec<(String, String)> = request
            .parameters
            .iter()
            .filter_map(|(name, template)| Some((name.clone(), filled(template, &values)?)))
            .collect();
        if let Some(paging) = request.paging.as_ref().filter(|_| page > 1) {
            let at = paging.first + (page - 1) * paging.step;
            parameters.push((paging.parameter.clone(), at.to_string()));
        }
        let address = request
            .address(query.language.as_deref())
            .or_else(|| request.address(None))
            .expect("a declaration is read only with an address that can be asked");
        let encoded = Serializer::new(String::new()).extend_pairs(&parameters).finish();
        let mut asked = address.clone();
        asked.set_query(Some(&encoded));
        let (url, method) = match request.method {
            Way::Get => (asked.clone(), Method::Get),
            Way::Post => {
                let content_type = "application/x-www-form-urlencoded".to_owned();
                (address, Method::Post { content_type, body: encoded.into_bytes() })
            }
        };
        let headers =
            request.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let kind = Kind::Engine { name: self.name.clone(), limits: self.limits.clone() };
        let fetch_request = FetchRequest {
            method,
            headers,
            freshness: Freshness::Again,
            ..FetchRequest::new(url, kind)
        };
        EngineRequest { fetch_request, text: phrased.text, dropped: phrased.dropped, page: asked }
    }

    /// The value of `{time}`; `None` where no span is asked for or the engine cannot say it.
    fn time(&self, after: Option<Date>, before: Option<Date>, today: Date) -> Option<String> {
        if after.is_none() && before.is_none() {
            return None;
        }
        match self.request.time.as_ref()? {
            Time::Range { range } => {
                let after = after.unwrap_or(EARLIEST);
                let before = before.unwrap_or(today);
                let days = |day: Date| days_since_1970(day).to_string();
                Some(
                    range
                        .replace("{after}", &after.to_string())
                        .replace("{before}", &before.to_string())
                        .replace("{after_days}", &days(after))
                        .replace("{before_days}", &days(before)),
                )
            }
            Time::Steps { steps } => {
                let back = days_since_1970(today) - days_since_1970(after?);
                let step = steps.iter().filter(|it| it.days >= back).min_by_key(|it| it.days)?;
                Some(step.value.clone())
            }
        }
    }
}

impl Request {
    fn language_values(&self, language: Option<&str>) -> BTreeMap<&str, String> {
        let values = language.and_then(|it| self.languages.get(it));
        let values = values.or_else(|| self.languages.get("other"));
        values.into_iter().flatten().map(|(name, value)| (name.as_str(), value.clone())).collect()
    }

    /// Where the engine is asked in a language; `None` where that leaves a gap or is no address.
    pub(crate) fn address(&self, language: Option<&str>) -> Option<Url> {
        Url::parse(&filled(&self.url, &self.language_values(language))?).ok()
    }
}

/// The beginning of a span without one: engines do not know older pages.
const EARLIEST: Date = jiff::civil::date(1990, 1, 1);

fn days_since_1970(day: Date) -> i64 {
    i64::from(day.duration_since(jiff::civil::date(1970, 1, 1)).as_hours() as i32 / 24)
}

/// The template with its placeholders filled; `None` where a value is missing or empty.
fn filled(template: &str, values: &BTreeMap<&str, String>) -> Option<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        text.push_str(before);
        text.push_str(values.get(name).filter(|it| !it.is_empty())?);
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}
