//! What a query becomes in the words of one engine.
//!
//! Every engine says for each operator how it writes it, that a request parameter does the work, or that it has
//! none. What an engine has none of is left out and reported, never sent as plain words that would mean something else.

use jiff::civil::Date;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Query;

/// How an engine writes each operator: a template with `{}`, `parameter`, or `unsupported`.
///
/// Templates of dates may also use `{compact}` (`20260131`).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operators {
    pub site: String,
    pub filetype: String,
    pub in_title: String,
    pub phrase: String,
    pub required: String,
    pub excluded: String,
    pub after: String,
    pub before: String,
}

/// Something a query asks for beyond its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    Site,
    Filetype,
    InTitle,
    Phrase,
    Required,
    Excluded,
    After,
    Before,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Site => "site",
            Self::Filetype => "filetype",
            Self::InTitle => "in_title",
            Self::Phrase => "phrases",
            Self::Required => "required",
            Self::Excluded => "excluded",
            Self::After => "after",
            Self::Before => "before",
        })
    }
}

/// A query in an engine's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrased {
    pub text: String,
    /// What the engine has no way to say. The words of phrases, required words and titles are still in the text.
    pub dropped: Vec<Operator>,
    /// Days that go into a request parameter.
    pub(crate) after: Option<Date>,
    pub(crate) before: Option<Date>,
}

const UNSUPPORTED: &str = "unsupported";
const PARAMETER: &str = "parameter";

impl Operators {
    /// Writes a query the way the engine understands it.
    pub fn phrase(&self, query: &Query) -> Phrased {
        let mut phrased =
            Phrased { text: String::new(), dropped: Vec::new(), after: None, before: None };
        phrased.push(&one_line(&query.text));
        for phrase in &query.phrases {
            phrased.add(Operator::Phrase, &self.phrase, &unquoted(phrase), Dropped::KeepsWords);
        }
        for word in &query.required {
            phrased.add(
                Operator::Required,
                &self.required,
                &word_or_phrase(word),
                Dropped::KeepsWords,
            );
        }
        if let Some(words) = &query.in_title {
            phrased.add(
                Operator::InTitle,
                &self.in_title,
                &word_or_phrase(words),
                Dropped::KeepsWords,
            );
        }
        for word in &query.excluded {
            phrased.add(
                Operator::Excluded,
                &self.excluded,
                &word_or_phrase(word),
                Dropped::Vanishes,
            );
        }
        if let Some(site) = &query.site {
            phrased.add(Operator::Site, &self.site, &unspaced(site), Dropped::Vanishes);
        }
        if let Some(filetype) = &query.filetype {
            let filetype = unspaced(filetype);
            phrased.add(
                Operator::Filetype,
                &self.filetype,
                filetype.trim_start_matches('.'),
                Dropped::Vanishes,
            );
        }
        phrased.after = phrased.day(Operator::After, &self.after, query.after.as_deref());
        phrased.before = phrased.day(Operator::Before, &self.before, query.before.as_deref());
        phrased
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dropped {
    /// Its words are still worth searching for.
    KeepsWords,
    Vanishes,
}

impl Phrased {
    fn push(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(words);
    }

    fn drop(&mut self, operator: Operator) {
        if !self.dropped.contains(&operator) {
            self.dropped.push(operator);
        }
    }

    fn add(&mut self, operator: Operator, template: &str, value: &str, dropped: Dropped) {
        if value.is_empty() {
            return;
        }
        if template == UNSUPPORTED {
            self.drop(operator);
            if dropped == Dropped::KeepsWords {
                self.push(value);
            }
        } else {
            // A word that is already quoted is not quoted again.
            let value = if template.contains("\"{}\"") { value.trim_matches('"') } else { value };
            self.push(&template.replace("{}", value));
        }
    }

    /// Adds a day to the text, or gives it back for a parameter. What is not a day is dropped.
    fn day(&mut self, operator: Operator, template: &str, day: Option<&str>) -> Option<Date> {
        let text = day?;
        let day = text.trim().parse::<Date>().ok();
        match (template, day) {
            (UNSUPPORTED, _) | (_, None) => {
                self.drop(operator);
                None
            }
            (PARAMETER, day) => day,
            (_, Some(day)) => {
                let compact = day.strftime("%Y%m%d").to_string();
                self.push(&template.replace("{}", &day.to_string()).replace("{compact}", &compact));
                None
            }
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unquoted(text: &str) -> String {
    one_line(&text.replace('"', " "))
}

fn unspaced(text: &str) -> String {
    text.chars().filter(|it| !it.is_whitespace() && *it != '"').collect()
}

/// One word as it is, several in quotes.
fn word_or_phrase(text: &str) -> String {
    let text = unquoted(text);
    if text.contains(' ') { format!("\"{text}\"") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operators(template_of_required: &str) -> Operators {
        Operators {
            site: "site:{}".to_owned(),
            filetype: UNSUPPORTED.to_owned(),
            in_title: "intitle:{}".to_owned(),
            phrase: "\"{}\"".to_owned(),
            required: template_of_required.to_owned(),
            excluded: "-{}".to_owned(),
            after: "since:{compact}".to_owned(),
            before: PARAMETER.to_owned(),
        }
    }

    fn query() -> Query {
        Query {
            text: "  lithium\nbattery ".to_owned(),
            phrases: vec!["solid \"state".to_owned()],
            required: vec!["電池".to_owned(), "two words".to_owned()],
            excluded: vec!["toy".to_owned()],
            site: Some("go.jp ".to_owned()),
            filetype: Some(".pdf".to_owned()),
            in_title: Some("safety report".to_owned()),
            after: Some("2026-01-31".to_owned()),
            before: Some("2026-03-01".to_owned()),
            ..Query::default()
        }
    }

    #[test]
    fn every_operator_is_written_the_way_the_engine_understands_it() {
        let phrased = operators("+{}").phrase(&query());
        assert_eq!(
            phrased.text,
            "lithium battery \"solid state\" +電池 +\"two words\" intitle:\"safety report\" -toy site:go.jp since:20260131"
        );
        assert_eq!(phrased.dropped, [Operator::Filetype]);
        assert_eq!(phrased.before.map(|it| it.to_string()).as_deref(), Some("2026-03-01"));
        assert_eq!(phrased.after, None);
    }

    #[test]
    fn words_stay_when_their_operator_is_dropped() {
        let phrased = operators(UNSUPPORTED).phrase(&query());
        assert!(phrased.text.contains(" 電池 \"two words\" "), "{}", phrased.text);
        assert_eq!(phrased.dropped, [Operator::Required, Operator::Filetype]);
    }

    #[test]
    fn what_is_no_day_is_dropped_and_said() {
        let query =
            Query { text: "a".to_owned(), after: Some("soon".to_owned()), ..Query::default() };
        let phrased = operators("+{}").phrase(&query);
        assert_eq!(
            (phrased.text.as_str(), phrased.dropped.as_slice()),
            ("a", &[Operator::After][..])
        );
    }

    #[test]
    fn an_empty_query_is_an_empty_text() {
        assert_eq!(operators("+{}").phrase(&Query::default()).text, "");
    }
}
