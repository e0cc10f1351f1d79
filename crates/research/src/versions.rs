//! What a page said before: the archive's version of one that is gone, and what two versions say otherwise.

use std::collections::HashSet;

use extract::{Document, Input, PageType};
use fetch::{FetchResponse, Fetcher, Reason};
use serde::Serialize;
use sources::versions::{Version, VersionSettings, version_bytes, versions};
use sources::{AskedBy, Failure};
use url::Url;

/// A page as it was.
#[derive(Debug)]
pub struct OldPage {
    pub version: Version,
    /// The answer of the archive without its body.
    pub fetched: FetchResponse,
    pub document: Document,
}

impl OldPage {
    /// Whether the archive kept something else than the page: a login, a challenge, "not found", nothing.
    pub fn is_none(&self) -> bool {
        let kind = self.document.page_type.page_type;
        self.document.fragments.is_empty()
            || self.document.gate.is_some()
            || matches!(kind, PageType::Error | PageType::Soft404)
    }
}

/// Whether an older version stands in for a page that was missed so: it is gone, or its site does not answer or let us in. What
/// asks for a login or a payment, or asks programs to stay away, is left alone.
pub fn may_stand_in(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::NotFound
            | Reason::Forbidden
            | Reason::Challenge
            | Reason::UnknownHost
            | Reason::CannotConnect
            | Reason::BadCertificate
            | Reason::TimedOut
            | Reason::BrokenAnswer
            | Reason::ServerError
    )
}

/// The newest version the archive has of a page; `None` where it has none.
pub async fn newest_version(
    fetcher: &Fetcher,
    page: &Url,
    settings: &VersionSettings,
    options: &extract::ReadSettings,
    asked_by: AskedBy,
) -> Result<Option<OldPage>, Failure> {
    let found = versions(fetcher, page, 1, settings, asked_by).await?;
    match found.into_iter().next() {
        Some(version) => {
            read_version(fetcher, version, settings, options, asked_by).await.map(Some)
        }
        None => Ok(None),
    }
}

/// Brings and reads a version. Its passages lead to the archive: the page itself no longer shows them.
pub async fn read_version(
    fetcher: &Fetcher,
    version: Version,
    settings: &VersionSettings,
    options: &extract::ReadSettings,
    asked_by: AskedBy,
) -> Result<OldPage, Failure> {
    let mut fetched = version_bytes(fetcher, &version, settings, asked_by).await?;
    let body = std::mem::take(&mut fetched.body);
    let (options, page) = (options.clone(), version.original.clone());
    let reading = tokio::task::spawn_blocking(move || {
        let input = Input {
            bytes: &body,
            url: Some(&page),
            status: Some(fetched.status),
            headers: &fetched.headers,
        };
        (extract::read(input, &options), fetched)
    });
    let (mut document, fetched) = reading.await.expect("reading does not panic on any bytes");
    for fragment in &mut document.fragments {
        let place = fragment.deep_link.as_ref().and_then(|it| it.split_once('#'));
        fragment.deep_link = place.map(|(_, place)| format!("{}#{place}", version.address));
    }
    Ok(OldPage { version, fetched, document })
}

/// What a newer version of a page says otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    pub headings_gone: Vec<String>,
    pub headings_new: Vec<String>,
    pub sentences_gone: Vec<String>,
    pub sentences_new: Vec<String>,
    /// The day of publication or of the last change that it names, before and after, where they differ.
    pub date: Option<(Option<String>, Option<String>)>,
}

impl Changes {
    pub fn between(older: &Document, newer: &Document) -> Self {
        let (before, after) = (Said::by(older), Said::by(newer));
        let only = |here: &[String], there: &[String]| -> Vec<String> {
            let there: HashSet<String> = there.iter().map(|it| plain(it)).collect();
            here.iter().filter(|it| !there.contains(&plain(it))).cloned().collect()
        };
        let date = |it: &Document| {
            it.metadata.modified_at.clone().or_else(|| it.metadata.published_at.clone())
        };
        let dates = (date(older), date(newer));
        Self {
            headings_gone: only(&before.headings, &after.headings),
            headings_new: only(&after.headings, &before.headings),
            sentences_gone: only(&before.sentences, &after.sentences),
            sentences_new: only(&after.sentences, &before.sentences),
            date: (dates.0 != dates.1).then_some(dates),
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Headings and sentences of a document, each once.
struct Said {
    headings: Vec<String>,
    sentences: Vec<String>,
}

impl Said {
    fn by(document: &Document) -> Self {
        let mut said = Self { headings: Vec::new(), sentences: Vec::new() };
        let mut seen = HashSet::new();
        for fragment in &document.fragments {
            for heading in &fragment.heading_hierarchy {
                if seen.insert(plain(&heading.text)) {
                    said.headings.push(heading.text.clone());
                }
            }
            for place in text::sentences(&fragment.text) {
                let sentence = fragment.text[place].trim();
                let key = plain(sentence);
                if !key.is_empty() && seen.insert(key) {
                    said.sentences.push(sentence.to_owned());
                }
            }
        }
        said
    }
}

/// Whether a document still says a passage: all of its sentences, whatever the white space and the setting around them.
pub fn still_says(document: &Document, passage: &str) -> bool {
    let text = plain(&document.text);
    text::sentences(passage)
        .into_iter()
        .map(|place| plain(&passage[place]))
        .all(|sentence| text.contains(&sentence))
}

/// Letters and digits alone, in lower case.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|it| it.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(html: &str) -> Document {
        let input = Input { bytes: html.as_bytes(), ..Input::default() };
        extract::read(input, &extract::ReadSettings::default())
    }

    #[test]
    fn what_two_versions_say_otherwise_is_listed() {
        let page = |body: &str| {
            document(&format!("<html><body><article><h1>Report</h1>{body}</article></body></html>"))
        };
        let older =
            page("<h2>Findings</h2><p>The bridge is safe. It was built in 1990 by the county.</p>");
        let newer = page(
            "<h2>Results</h2><p>The bridge is closed. It was built in 1990  by the county.</p>",
        );
        let changes = Changes::between(&older, &newer);
        assert_eq!(changes.headings_gone, ["Findings"]);
        assert_eq!(changes.headings_new, ["Results"]);
        assert_eq!(changes.sentences_gone, ["The bridge is safe."]);
        assert_eq!(changes.sentences_new, ["The bridge is closed."]);
        assert!(Changes::between(&older, &older).is_empty());
        assert!(still_says(&older, "the bridge is safe."));
        assert!(!still_says(&newer, "It was built in 1990 by the county. The bridge is safe."));
    }
}
