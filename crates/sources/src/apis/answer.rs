//! One answer of an API to records. Nothing in it is trusted.

use serde::Serialize;
use serde_json::Value;
use text::shortened;
use unicode_normalization::UnicodeNormalization;
use url::Url;

use crate::academic::{self, WorkName};
use crate::asking::json_of;
use crate::candidate::{Candidate, Paper, SourceText};
use crate::markup::plain;
use crate::outcome::{Failure, Notes};
use crate::period::Period;
use crate::query::Query;

use super::declaration::{Api, ErrorSign, Format, NothingSign, Paging, PaperFields};
use super::path::{Expression, Path, Written};
use super::request::{Position, words_of};
use super::settings::ApiSettings;
use super::xml;

/// Something an API knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ApiRecord {
    pub candidate: Candidate,
    /// Names in the API's own schemes: `law_id`, `corporate_number`.
    pub identifiers: Vec<(String, String)>,
    /// What else the declaration asks for.
    pub extra: Vec<(String, String)>,
}

/// One page of an API's results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ApiPage {
    pub records: Vec<ApiRecord>,
    /// Records in the answer, used or not: what paging counts.
    pub seen: usize,
    pub total: Option<u64>,
    pub next: Option<Position>,
    pub notes: Vec<String>,
}

impl Api {
    /// Reads one answer. `asked` is the place it was asked for, `limit` the number of records.
    pub fn read(
        &self,
        body: &[u8],
        query: &Query,
        asked: &Position,
        limit: usize,
        first_rank: usize,
        settings: &ApiSettings,
    ) -> Result<ApiPage, Failure> {
        let answer = match self.request.format {
            Format::Json => json_of(body)?,
            Format::Xml => xml::read(body, settings)?,
        };
        for sign in &self.answer.errors {
            check(sign, &answer)?;
        }
        if self.answer.nothing.iter().any(|it| it.is_in(&answer)) {
            return Ok(ApiPage { total: Some(0), ..ApiPage::default() });
        }
        let total = self.answer.total.as_ref().and_then(|it| it.number(&answer));
        let found = self.answer.records.values(&answer);
        let records: Vec<&Value> = found
            .into_iter()
            .flat_map(|value| match value {
                Value::Array(list) => list.iter().collect(),
                // Some APIs leave the list out if there is one record.
                other => vec![other],
            })
            .collect();
        if records.is_empty() && self.answer.records.values(&answer).is_empty() && total != Some(0)
        {
            return Err(Failure::Unreadable { problem: "it has no list of records".to_owned() });
        }
        let mut notes = Notes::up_to(settings.max_notes);
        let wanted = Wanted::of(query, self);
        let mut page = ApiPage { seen: records.len(), total, ..ApiPage::default() };
        for (index, record) in records.into_iter().enumerate() {
            let place = format!("record {}", index + 1);
            match self.record(record, first_rank + page.records.len(), settings) {
                Ok(read) if wanted.is_met(self, record, &read) => page.records.push(read),
                Ok(_) => {}
                Err(problem) => notes.add(format!("{place} {problem}")),
            }
        }
        page.next = self.next(&answer, asked, limit, &page);
        page.notes = notes.into_lines();
        Ok(page)
    }

    fn next(
        &self,
        answer: &Value,
        asked: &Position,
        limit: usize,
        page: &ApiPage,
    ) -> Option<Position> {
        let counted = || {
            let limit = limit.clamp(1, self.request.max_limit);
            let all =
                page.total.is_some_and(|it| asked.number.saturating_add(page.seen as u64) > it);
            page.seen >= limit && !all
        };
        match &self.paging {
            Paging::None | Paging::Days { .. } => None,
            Paging::Page { .. } => {
                counted().then(|| Position { number: asked.number + 1, ..Position::default() })
            }
            Paging::Position { next: Some(next), .. } => next
                .number(answer)
                // The same place again would be asked for ever.
                .filter(|it| *it > asked.number)
                .map(|number| Position { number, ..Position::default() }),
            Paging::Position { next: None, .. } => counted().then(|| Position {
                number: asked.number.saturating_add(page.seen as u64),
                ..Position::default()
            }),
            // Some give a word for a page after the last.
            Paging::Cursor { .. } if page.seen < limit.clamp(1, self.request.max_limit) => None,
            Paging::Cursor { next, .. } => next
                .text(answer)
                .filter(|it| asked.cursor.as_ref() != Some(it))
                .map(|cursor| Position { cursor: Some(cursor), ..Position::default() }),
        }
    }

    fn record(
        &self,
        record: &Value,
        rank: usize,
        settings: &ApiSettings,
    ) -> Result<ApiRecord, String> {
        let fields = &self.fields;
        if !record.is_object() {
            return Err("is no record".to_owned());
        }
        let short = |it: String| shortened(&it, settings.field_chars);
        let title = fields.title.text(record, Written::AsText).map(short);
        let title = title.ok_or("has no title")?;
        let address = fields.url.text(record, Written::InAddress).ok_or("has no address")?;
        // Joined, because some APIs give addresses without a scheme.
        let url: Url = self
            .request
            .url
            .join(&address)
            .ok()
            .filter(|it| matches!(it.scheme(), "http" | "https"))
            .ok_or_else(|| format!("has an address that is none: `{}`", shortened(&address, 80)))?;
        let text = |it: &Expression| it.text(record, Written::AsText);
        let named =
            |fields: &std::collections::BTreeMap<String, Expression>| -> Vec<(String, String)> {
                fields
                    .iter()
                    .filter_map(|(name, it)| Some((name.clone(), short(text(it)?))))
                    .collect()
            };
        let paper = fields.paper.as_ref().map(|it| it.read(record, &title, settings));
        // A work is at its most lasting name, whoever lists it.
        let url = paper.as_ref().and_then(academic::address_of).unwrap_or(url);
        let summary = || paper.as_ref().and_then(|it| it.abstract_text.clone());
        let whole = fields.text.as_ref().and_then(text);
        let snippet = fields.snippet.as_ref().and_then(text).or_else(summary);
        let date = fields.date.as_ref().and_then(text).and_then(|it| self.date(&it));
        let mut paper = paper;
        if let Some(paper) = &mut paper {
            paper.year = date.as_deref().and_then(|it| it.get(..4)?.parse().ok());
        }
        Ok(ApiRecord {
            candidate: Candidate {
                found_on: None,
                title,
                url,
                snippet: snippet.map(|it| shortened(&it, settings.snippet_chars)),
                date,
                engine: self.name.clone(),
                rank: u32::try_from(rank).unwrap_or(u32::MAX),
                source_tag: if paper.is_some() { "academic" } else { "api" }.to_owned(),
                paper,
                text: whole.map(|it| SourceText {
                    text: shortened(&it, settings.text_chars),
                    record_id: None,
                }),
            },
            identifiers: named(&fields.identifiers),
            extra: named(&fields.extra),
        })
    }

    /// ISO, as exact as it was written; `None` for what is no date.
    fn date(&self, text: &str) -> Option<String> {
        if self.fields.date_formats.is_empty() {
            let day = text.split_whitespace().next()?;
            return crate::academic::date_of(day);
        }
        self.fields.date_formats.iter().find_map(|format| {
            let read = jiff::fmt::strtime::parse(format, text).ok()?;
            match (read.year()?, read.month(), read.day()) {
                (year, Some(month), Some(day)) => {
                    jiff::civil::Date::new(year, month, day).ok().map(|it| it.to_string())
                }
                (year, Some(month), None) => Some(format!("{year:04}-{month:02}")),
                (year, None, _) => Some(format!("{year:04}")),
            }
        })
    }
}

impl NothingSign {
    fn is_in(&self, answer: &Value) -> bool {
        self.at.texts(answer).iter().any(|it| self.values.contains(it))
    }
}

impl PaperFields {
    fn read(&self, record: &Value, title: &str, settings: &ApiSettings) -> Paper {
        let text = |it: &Expression| it.text(record, Written::AsText);
        let mut identifiers = Vec::new();
        for (scheme, path) in &self.names {
            let name = path.texts(record).iter().find_map(|it| WorkName::of(*scheme, it));
            identifiers.extend(name.map(|it| (it.scheme.as_str().to_owned(), it.value)));
        }
        let authors = self.authors.iter().flat_map(|it| it.values(record));
        let authors = authors.flat_map(|value| match value {
            Value::Array(list) => list.iter().collect(),
            one => vec![one],
        });
        let named = |author: &Value| match (&self.author, author) {
            (Some(name), _) => name.text(author, Written::AsText),
            (None, Value::String(name)) => Some(plain(name)),
            (None, _) => None,
        };
        let count = |it: &Path| it.number(record).and_then(|it| u32::try_from(it).ok());
        let abstract_text = self.abstract_text.as_ref().and_then(text);
        Paper {
            authors: authors.filter_map(named).take(settings.max_authors).collect(),
            year: None,
            venue: self.venue.as_ref().and_then(text),
            abstract_text: abstract_text.map(|it| shortened(&it, settings.text_chars)),
            citation_count: self.citations.as_ref().and_then(count),
            reference_count: self.references.as_ref().and_then(count),
            open_access_url: self
                .open_access
                .as_ref()
                .and_then(|it| it.text(record, Written::AsText))
                .and_then(|it| academic::web_address(&it))
                .map(|it| it.to_string()),
            retracted: academic::says_retracted(title)
                || self.retracted.iter().any(|it| it.is_in(record)),
            identifiers,
        }
    }
}

fn check(sign: &ErrorSign, answer: &Value) -> Result<(), Failure> {
    let values = sign.at.values(answer);
    let said = sign.at.text(answer);
    let fine = match &said {
        Some(said) => sign.fine.contains(said),
        // A record that has no text of its own is still there.
        None => values.is_empty() || !sign.fine.is_empty(),
    };
    if fine {
        return Ok(());
    }
    let message = sign.message.as_ref().and_then(|it| it.text(answer)).or(said).unwrap_or_default();
    Err(Failure::Refused { message: shortened(&message, 300) })
}

/// What an API cannot be told, and is looked at here.
struct Wanted {
    words: Vec<String>,
    excluded: Vec<String>,
    period: Period,
}

impl Wanted {
    fn of(query: &Query, api: &Api) -> Self {
        let words = if api.answer.words_in.is_empty() { String::new() } else { words_of(query) };
        let excluded =
            query.excluded.iter().map(|it| folded(it.trim())).filter(|it| !it.is_empty());
        Self {
            words: words.split_whitespace().map(folded).collect(),
            excluded: excluded.collect(),
            period: Period::of(query).0,
        }
    }

    fn is_met(&self, api: &Api, record: &Value, read: &ApiRecord) -> bool {
        let texts = api.answer.words_in.iter().filter_map(|it| it.text(record));
        let searched = folded(&texts.collect::<Vec<_>>().join(" "));
        let shown = folded(&format!(
            "{} {}",
            read.candidate.title,
            read.candidate.snippet.as_deref().unwrap_or_default()
        ));
        self.words.iter().all(|it| searched.contains(it))
            && !self.excluded.iter().any(|it| shown.contains(it))
            && self.period.admits(read.candidate.date.as_deref())
    }
}

fn folded(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect()
}
