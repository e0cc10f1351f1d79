//! Numbers, dates, marks and names as people read them.

use evidence::{Confidence, DomainCategory, Verdict};
use jiff::Timestamp;

use super::Composer;
use crate::Language;
use crate::document::{Anchor, Gauge, Line, Link, Look, Measures, Span};
use crate::escape::shortened;
use crate::report::{ArchiveReference, Standing, TimelineKind};
use crate::words::{fill, fill_line};

/// Marks behind a sentence.
const MAX_MARKS: usize = 8;
/// Characters of a title, and of an address that is shown.
pub(super) const MAX_TITLE: usize = 160;
const MAX_ADDRESS: usize = 200;

/// `0.83 ±0.12`
pub(crate) fn figure(value: f64, uncertainty: f64) -> String {
    format!("{value:.2} ±{uncertainty:.2}")
}

pub(super) fn two(value: f64) -> String {
    format!("{value:.2}")
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// The day of a date that may carry a time.
pub(crate) fn day(date: &str) -> &str {
    match date.split_once('T') {
        Some((day, _)) if day.len() == 10 => day,
        _ => date,
    }
}

/// A title, or the address in its place.
pub(crate) fn title<'t>(title: Option<&'t str>, url: &'t str) -> &'t str {
    title.map(str::trim).filter(|title| !title.is_empty()).unwrap_or(url)
}

/// A title that leads to its page.
pub(super) fn linked(name: Option<&str>, url: &str, listed: bool) -> Line {
    let text = shortened(title(name, url), MAX_TITLE).into_owned();
    Line::default().span(Span::Link(Link { text, url: url.to_owned(), listed }))
}

/// An address that is written out.
pub(super) fn address(url: &str) -> Line {
    let text = shortened(url.trim(), MAX_ADDRESS).into_owned();
    Line::default().span(Span::Link(Link { text, url: url.to_owned(), listed: false }))
}

pub(crate) fn look_of(kind: TimelineKind) -> Look {
    match kind {
        TimelineKind::Corrected
        | TimelineKind::Disappeared
        | TimelineKind::Retracted
        | TimelineKind::WorkRetracted => Look::Withdrawn,
        _ => Look::Usual,
    }
}

impl Composer<'_> {
    /// `2026-01-15 21:00 JST`
    pub(super) fn time(self, at: Timestamp) -> String {
        at.to_zoned(self.zone.clone()).strftime("%Y-%m-%d %H:%M %Z").to_string()
    }

    pub(super) fn category(self, category: DomainCategory) -> &'static str {
        self.words.codes.category.word(category.as_str())
    }

    /// Whose page it is: the user's, or one of a kind of publisher.
    pub(super) fn origin(self, own_document: bool, category: DomainCategory) -> &'static str {
        if own_document { &self.words.own_document } else { self.category(category) }
    }

    /// Words of a passage in quotation marks, with signs where it continues before and after.
    pub(super) fn quoted(self, quote: &str, (cut_before, cut_after): (bool, bool)) -> String {
        let words = self.words;
        let sign = |is_cut: bool, sign: &'static str| if is_cut { sign } else { "" };
        let (before, after) =
            (sign(cut_before, &words.cut_before), sign(cut_after, &words.cut_after));
        format!("{}{before}{}{after}{}", words.quote_open, quote.trim(), words.quote_close)
    }

    /// What to call a finding where it is referred to.
    pub(super) fn finding_name(self, number: u32) -> String {
        match number {
            0 => self.words.hypothesis.clone(),
            _ => format!("{} {number}", self.words.finding),
        }
    }

    pub(super) fn finding(self, number: u32) -> Span {
        Span::Reference(Anchor::Finding(number), self.finding_name(number))
    }

    /// `[1][2]`, bounded.
    pub(super) fn marks(self, numbers: &[u32]) -> Span {
        let mut shown = numbers[..numbers.len().min(MAX_MARKS)].to_vec();
        shown.sort_unstable();
        let more = (numbers.len() > MAX_MARKS)
            .then(|| fill(&self.words.more, &[("n", &(numbers.len() - MAX_MARKS).to_string())]));
        Span::Marks(shown, more)
    }

    /// Marks of what supports, and named marks of what refutes.
    pub(super) fn sides(self, supported_by: &[u32], refuted_by: &[u32]) -> Line {
        let mut line = Line::default();
        if !supported_by.is_empty() {
            line = line.span(self.marks(supported_by));
        }
        if !refuted_by.is_empty() {
            let refuted = Line::from(&self.words.refuted_by).span(self.marks(refuted_by));
            line = line.aside(Look::Against, refuted);
        }
        line
    }

    pub(super) fn standing(self, standing: Standing) -> (Look, String) {
        let (look, code) = match standing {
            Standing::Supported => (Look::Supported, "supported"),
            Standing::OneSource => (Look::Usual, "one_source"),
            Standing::Disputed => (Look::Disputed, "disputed"),
            Standing::Refuted => (Look::Refuted, "refuted"),
        };
        (look, self.words.codes.standing.word(code).to_owned())
    }

    /// The verdict in one word.
    pub(super) fn verdict_badge(self, verdict: Verdict) -> (Look, String) {
        let look = match verdict {
            Verdict::Supported => Look::Supported,
            Verdict::Refuted => Look::Refuted,
            Verdict::Mixed => Look::Disputed,
            Verdict::NotEnough => Look::Usual,
        };
        (look, self.words.codes.verdict.word(verdict.as_str()).to_owned())
    }

    /// A confidence first, then other numbers.
    pub(super) fn measures(
        self,
        badge: Option<(Look, String)>,
        (value, uncertainty): (f64, f64),
        others: &[(&str, &str)],
        more: Option<(Anchor, String)>,
    ) -> Measures {
        let confidence = (&*self.words.confidence, &*figure(value, uncertainty));
        let threshold = self.report.summary.min_confidence;
        Measures {
            badge,
            gauge: Some(Gauge { value, uncertainty, threshold }),
            values: named_values(std::iter::once(&confidence).chain(others)),
            more,
        }
    }

    /// How a claim does. One that a single source speaks of has no confidence to show: nobody else was heard.
    pub(super) fn standing_measures(
        self,
        standing: Standing,
        confidence: (f64, f64),
        counts: &[(&str, &str)],
        others: &[(&str, &str)],
        more: Option<(Anchor, String)>,
    ) -> Measures {
        let badge = Some(self.standing(standing));
        match standing {
            Standing::OneSource => {
                Measures { badge, gauge: None, values: named_values(others.iter()), more }
            }
            _ => self.measures(badge, confidence, &[counts, others].concat(), more),
        }
    }

    pub(super) fn event(self, kind: TimelineKind) -> Span {
        let code = match kind {
            TimelineKind::FirstSeen => "first_seen",
            TimelineKind::Updated => "updated",
            TimelineKind::Corrected => "corrected",
            TimelineKind::Retracted => "retracted",
            TimelineKind::Rejected => "rejected",
            TimelineKind::Restored => "restored",
            TimelineKind::WorkRetracted => "work_retracted",
            TimelineKind::Disappeared => "disappeared",
        };
        Span::Badge(look_of(kind), self.words.codes.event.word(code).to_owned())
    }

    /// Why something happened, in brackets: a code in words, or what a person or a notice said.
    pub(super) fn because(self, reason: Option<&str>) -> String {
        let words = self.words;
        reason.map_or_else(String::new, |reason| {
            let reason = words.codes.why.word(reason.trim());
            format!("{}{reason}{}", words.open, words.close)
        })
    }

    /// What a stage said, which is English: shown where the report is.
    pub(super) fn told(self, detail: Option<&str>) -> Option<&str> {
        let language = self.report.language;
        detail.filter(|told| language == Language::En || Language::of(told) == language)
    }

    /// Sentences in a row; Japanese has no space between them.
    pub(super) fn sentences(self, sentences: impl IntoIterator<Item = Line>) -> Line {
        Line::joined(sentences, &self.words.sentence_space)
    }

    pub(super) fn date(self, published_at: Option<&str>, year: Option<i32>) -> String {
        match (published_at, year) {
            (Some(date), _) => format!("{} {}", self.words.published, day(date.trim())),
            (None, Some(year)) => year.to_string(),
            (None, None) => self.words.unknown_year.clone(),
        }
    }

    pub(super) fn retracted(self, noted: Timestamp) -> String {
        fill(&self.words.retracted_on, &[("date", day(&noted.to_string()))])
    }

    pub(super) fn found(self, at: Timestamp) -> String {
        format!("{} {}", self.words.found_at, self.time(at))
    }

    /// Where the bytes are: the first name they have, or all of them.
    pub(super) fn archive(self, archive: Option<&ArchiveReference>, all: bool) -> Line {
        let names = archive.into_iter().flat_map(|it| [&it.record_id, &it.file, &it.digest]);
        let mut names = names.flatten().take(if all { 3 } else { 1 }).peekable();
        if names.peek().is_none() {
            return Line::from(&self.words.no_archive);
        }
        let names = names.map(|name| Line::default().span(Span::Code(name.clone())));
        let line = Line::from(&self.words.archive).text(" ").and(Line::joined(names, " "));
        let line = match archive.and_then(|it| it.version.as_ref()) {
            None => line,
            Some(version) => {
                let why = self.words.codes.missed.word(&version.because);
                let day = day(&version.taken_at);
                let values = [
                    ("day", Line::from(day)),
                    ("version", address(&version.url)),
                    ("why", Line::from(why)),
                ];
                line.text(" · ").and(fill_line(&self.words.old_version, &values))
            }
        };
        let Some(archive) = archive.filter(|it| it.made_of.is_some()) else { return line };
        let line = line.text(" · ").text(&self.words.rendered);
        match &archive.picture {
            Some(picture) => {
                let name = Line::default().span(Span::Code(picture.clone()));
                line.text(&self.words.rendered_picture).text(" ").and(name)
            }
            None => line,
        }
    }
}

fn named_values<'v>(values: impl Iterator<Item = &'v (&'v str, &'v str)>) -> Vec<(String, String)> {
    values.map(|(name, value)| ((*name).into(), (*value).into())).collect()
}

/// The two numbers of a confidence that are shown.
pub(super) fn shown(confidence: &Confidence) -> (f64, f64) {
    (confidence.confidence, confidence.uncertainty)
}
