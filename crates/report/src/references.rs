//! The cited sources as entries of a bibliography, for programs that manage references.
//!
//! Which part of an author's name is the family's cannot be told, so names are written whole. The key of an entry
//! depends on its source alone: the same source has the same key in every report.

mod bibtex;
mod csl;
mod ris;

use evidence::DomainCategory;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use url::Url;

use crate::compose::phrases;
use crate::escape;
use crate::report::{Report, Source};
use crate::words::{Words, fill};

/// A source as a bibliography lists it. Every text is on one line and has no character that is not shown.
struct Reference {
    key: String,
    kind: Kind,
    title: String,
    authors: Vec<String>,
    published: Option<Date>,
    venue: Option<String>,
    /// The site of a page, or who published it.
    site: Option<String>,
    doi: Option<String>,
    url: Option<String>,
    read: Date,
    /// When it was noted that it was retracted, in words.
    retracted: Option<String>,
    /// What it says about the question, and where its bytes are kept.
    notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Article,
    Report,
    Page,
    /// A document of the user.
    Document,
}

/// A day, or as much of one as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Date {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl Report {
    /// The cited sources, in the order of their numbers.
    fn references(&self) -> impl Iterator<Item = Reference> {
        self.sources.iter().map(|source| Reference::of(source, self))
    }
}

impl Reference {
    fn of(source: &Source, report: &Report) -> Self {
        let text = |text: &Option<String>| {
            text.as_deref()
                .map(escape::plain)
                .map(|it| it.trim().to_owned())
                .filter(|it| !it.is_empty())
        };
        let (venue, doi) = (text(&source.venue), text(&source.doi));
        let authors = text(&source.author).map_or_else(Vec::new, |it| authors(&it));
        let published = source.published_at.as_deref().and_then(Date::read);
        let words = Words::of(report.language);
        Self {
            key: key(source, authors.first().map(String::as_str), published),
            kind: match source {
                _ if venue.is_some() || doi.is_some() => Kind::Article,
                _ if source.own_document => Kind::Document,
                _ if source.category == DomainCategory::Government => Kind::Report,
                _ => Kind::Page,
            },
            title: escape::plain(phrases::title(source.title.as_deref(), &source.url))
                .trim()
                .to_owned(),
            authors,
            published: published.or_else(|| Date::of_year(source.year?)),
            venue,
            site: Some(escape::plain(publisher(&source.site))),
            doi,
            url: escape::link(&source.url),
            read: Date::of(source.fetched_at.unwrap_or(source.found_at)),
            retracted: source
                .retracted_at
                .map(|at| fill(&words.retracted_on, &[("date", phrases::day(&at.to_string()))])),
            notes: notes(source, report, words),
        }
    }
}

/// What a document says about the question, with its words, and its place in the archive.
fn notes(source: &Source, report: &Report, words: &'static Words) -> Vec<String> {
    let row = report.documents.iter().find(|it| it.source == Some(source.number));
    let says = row.map(|row| {
        let quote = row.quote.as_deref().map(escape::plain);
        let quote = quote.map_or_else(String::new, |it| {
            format!("{}{}{}{}", words.colon, words.quote_open, it.trim(), words.quote_close)
        });
        format!("{}{quote}", words.codes.says.word(row.says.code()))
    });
    let archive = source.archive.as_ref().map(|it| {
        let names = [&it.record_id, &it.file, &it.digest];
        let names: Vec<String> = names.into_iter().flatten().map(|it| escape::plain(it)).collect();
        format!("{}{}{}", words.archive, words.colon, names.join(" "))
    });
    says.into_iter().chain(archive).collect()
}

/// Who published it. That of a document of the user stands behind a sign that tells it from a host.
pub(crate) fn publisher(site: &str) -> &str {
    site.strip_prefix("library:").unwrap_or(site)
}

/// The people or bodies of a line that names several. A comma may stand within a name: it parts people only where each
/// has two words or more, as "Ann Lee, Bo Chan" and not "Lee, Ann" has.
fn authors(line: &str) -> Vec<String> {
    let strong: Vec<&str> = line.split([';', '；', '、']).collect();
    let parts = strong.into_iter().flat_map(|part| {
        let people: Vec<&str> = part.split([',', '，']).map(str::trim).collect();
        match people.iter().all(|it| it.split_whitespace().count() > 1) {
            true => people,
            false => vec![part],
        }
    });
    parts.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

/// `ostrander2015-3fa2c1`: a name, the year of publication, and digits made of the address.
fn key(source: &Source, author: Option<&str>, published: Option<Date>) -> String {
    let letters = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphabetic).map(|it| it.to_ascii_lowercase()).collect()
    };
    let author = author.and_then(|it| it.split_whitespace().map(letters).rfind(|it| it.len() > 1));
    let host = || {
        let url = Url::parse(&source.url).ok()?;
        let host = url.host_str()?.trim_start_matches("www.").split('.').next().map(letters)?;
        (!host.is_empty()).then_some(host)
    };
    let name = author.or_else(host).unwrap_or_else(|| "source".to_owned());
    let year = published.map(|it| i32::from(it.year)).or(source.year);
    let year = year.map_or_else(String::new, |it| it.to_string());
    let digest = Sha256::digest(source.url.as_bytes());
    format!("{name}{year}-{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2])
}

impl Date {
    /// The beginning of a text that is a date, such as `2015-03-02T10:00`; a year and a month will do.
    fn read(text: &str) -> Option<Self> {
        let number = |from: usize, to: usize| {
            let digits = text.trim().get(from..to)?;
            digits.bytes().all(|it| it.is_ascii_digit()).then(|| digits.parse::<u16>().ok())?
        };
        let within =
            |number: u16, most: u8| u8::try_from(number).ok().filter(|it| (1..=most).contains(it));
        let follows = |place: usize| text.trim().get(place..=place) == Some("-");
        let year = number(0, 4).filter(|it| *it > 0)?;
        let month = number(5, 7).filter(|_| follows(4)).and_then(|it| within(it, 12));
        let day = number(8, 10).filter(|_| follows(7)).and_then(|it| within(it, 31));
        Some(Self { year, month, day: day.filter(|_| month.is_some()) })
    }

    fn of_year(year: i32) -> Option<Self> {
        let year = u16::try_from(year).ok().filter(|it| (1..=9999).contains(it))?;
        Some(Self { year, month: None, day: None })
    }

    fn of(at: Timestamp) -> Self {
        // A timestamp begins with its day.
        Self::read(&at.to_string()).unwrap_or(Self { year: 1970, month: None, day: None })
    }

    /// Year, month, day, as far as they are known.
    fn parts(self) -> Vec<u16> {
        let rest = self.month.into_iter().chain(self.day).map(u16::from);
        std::iter::once(self.year).chain(rest).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_parted_and_names_are_not() {
        let cases: [(&str, &[&str]); 6] = [
            ("Marit Ostrander, Ivo Bellweather", &["Marit Ostrander", "Ivo Bellweather"]),
            ("Ostrander, Marit; Bellweather, Ivo", &["Ostrander, Marit", "Bellweather, Ivo"]),
            ("架野 澄江、月野 太郎", &["架野 澄江", "月野 太郎"]),
            ("労働統計局", &["労働統計局"]),
            ("Smith, Jones and Co.", &["Smith, Jones and Co."]),
            (" ; ", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(authors(line), expected, "{line}");
        }
    }

    #[test]
    fn a_date_is_read_as_far_as_it_is_one() {
        let cases: [(&str, &[u16]); 8] = [
            ("2015-03-02", &[2015, 3, 2]),
            (" 2015-03-02T10:00:00Z", &[2015, 3, 2]),
            ("2015-03", &[2015, 3]),
            ("2015", &[2015]),
            ("2015-13-40", &[2015]),
            ("2015-02-31x", &[2015, 2, 31]),
            ("20150302", &[2015]),
            ("2015年3月", &[2015]),
        ];
        for (text, expected) in cases {
            assert_eq!(Date::read(text).map(Date::parts).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "soon", "0000-01-01", "二〇一五年"] {
            assert_eq!(Date::read(text), None, "{text}");
        }
    }
}
