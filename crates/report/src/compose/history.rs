//! The evidence as a drawing, by year, and what happened to claims and works.

use evidence::Uncounted;

use super::{Composer, phrases};
use crate::document::{Block, Figure, Line, Look, Span};
use crate::drawing;
use crate::escape::shortened;
use crate::report::{DocumentRow, Retraction, Says, TimelineEvent, TimelineKind};
use crate::words::fill;

/// Events of the timeline that are written out.
const MAX_EVENTS: usize = 40;
/// Of these, events that are not folded away.
const EVENTS_SHOWN: usize = 20;

impl Composer<'_> {
    pub(super) fn graph(self) -> Vec<Block> {
        let (words, report) = (self.words, self.report);
        let Some((svg, claims, sources)) = drawing::graph(words, report) else {
            return Vec::new();
        };
        let all_claims = report.judged().filter(|it| it.about_question).count();
        let all_sources = report.sources.len();
        let bounded = (claims < all_claims || sources < all_sources).then(|| {
            let values = [
                ("claims", &*claims.to_string()),
                ("all_claims", &all_claims.to_string()),
                ("sources", &sources.to_string()),
                ("all_sources", &all_sources.to_string()),
            ];
            fill(&words.graph_bounded, &values)
        });
        let caption = words.graph_note.clone();
        // The findings say the same in words.
        vec![Block::Figure(Figure { svg, caption, note: bounded, instead: Vec::new() })]
    }

    pub(super) fn timeline(self) -> Vec<Block> {
        let (words, report) = (self.words, self.report);
        let timeline = &report.timeline;
        let mut blocks = Vec::new();
        if let Some(svg) = drawing::years(words, timeline) {
            let header = [&words.years, &words.supporting, &words.refuting, &words.sources];
            let row = |year: &crate::YearCount| {
                let numbers = [year.year.to_string(), year.supports.to_string()];
                let numbers = numbers.into_iter().chain([year.refutes.to_string()]);
                let sources = Line::default().span(self.marks(&year.sources));
                numbers.map(Line::from).chain([sources]).collect()
            };
            let table = Block::Table {
                look: Look::Plain,
                header: header.map(String::clone).into(),
                rows: timeline.years.iter().map(row).collect(),
            };
            let caption = words.timeline_note.clone();
            blocks.push(Block::Figure(Figure { svg, caption, note: None, instead: vec![table] }));
            blocks.extend(self.left_out(&words.timeline_undated, timeline.undated));
        }
        let events = self.events();
        let left_out = events.len().saturating_sub(MAX_EVENTS);
        let events: Vec<Line> = events.into_iter().take(MAX_EVENTS).collect();
        let (shown, folded) = events.split_at(events.len().min(EVENTS_SHOWN));
        let entries =
            |events: &[Line]| (!events.is_empty()).then(|| Block::entries(events.iter().cloned()));
        blocks.extend(entries(shown));
        blocks.extend(self.folded_rest(entries(folded).into_iter().collect()));
        blocks.extend(self.left_out(&words.timeline_left_out, left_out as u32));
        blocks
    }

    /// When each side spoke and what was withdrawn, by date; the undated last.
    fn events(self) -> Vec<Line> {
        let withdrawn = self.report.timeline.events.iter().filter(|it| !is_usual(it.kind));
        let withdrawn = withdrawn.map(|it| (it.date.clone(), self.one_event(it)));
        let spoke = self.report.documents.iter().filter_map(|it| self.spoke(it));
        let mut events: Vec<(Option<String>, Line)> = spoke.chain(withdrawn).collect();
        events.sort_by(|(a, _), (b, _)| (a.is_none(), a).cmp(&(b.is_none(), b)));
        events.into_iter().map(|it| it.1).collect()
    }

    /// When a document said what it says. Copies say nothing of their own.
    fn spoke(self, document: &DocumentRow) -> Option<(Option<String>, Line)> {
        let look = match document.says {
            Says::Supports => Look::Supported,
            Says::Refutes => Look::Refuted,
            Says::SpeaksOfIt if self.report.hypothesis.is_none() => Look::Usual,
            _ => return None,
        };
        if document.uncounted == Some(Uncounted::SameVoice) {
            return None;
        }
        let words = self.words;
        let date = document.published_at.clone().or_else(|| document.year.map(|it| it.to_string()));
        let shown = date.as_deref().map_or(&*words.unknown_date, |date| phrases::day(date.trim()));
        let says = words.codes.says.word(document.says.code()).to_owned();
        let title = phrases::title(document.title.as_deref(), &document.url);
        let title = shortened(title, phrases::MAX_TITLE);
        let line =
            Line::from(shown).text(" · ").span(Span::Badge(look, says)).text(" · ").text(title);
        let line = match document.source {
            Some(source) => line.span(self.marks(&[source])),
            None => line,
        };
        let uncounted = document.uncounted.map(|it| words.codes.uncounted.word(it.as_str()));
        Some((date, line.text(self.because(uncounted))))
    }

    fn one_event(self, event: &TimelineEvent) -> Line {
        let words = self.words;
        let mut line = self.dated(event.date.as_deref(), event.kind);
        if let Some(number) = event.finding {
            line = line.span(self.finding(number)).text(&words.colon);
        }
        line = line.text(shortened(event.text.trim(), phrases::MAX_TITLE));
        if let Some(source) = event.source {
            line = line.span(self.marks(&[source]));
        }
        line = line.text(self.because(event.reason.as_deref()));
        // When something was withdrawn is often known only as when that was noted.
        match event.recorded_at.filter(|_| event.date.is_none()) {
            None => line,
            Some(at) => {
                let recorded = fill(&words.recorded, &[("time", &self.time(at))]);
                line.styled(Look::Details, format!(" · {recorded}"))
            }
        }
    }

    fn dated(self, date: Option<&str>, kind: TimelineKind) -> Line {
        let date = date.map_or(&*self.words.unknown_date, |date| phrases::day(date.trim()));
        Line::from(date).text(" · ").span(self.event(kind)).text(" · ")
    }

    pub(super) fn retractions(self) -> Vec<Block> {
        let lines = self.report.retractions.iter().map(|it| self.retraction(it)).collect();
        self.listed(Some(&self.words.retractions_note), lines, 0)
    }

    fn retraction(self, retraction: &Retraction) -> Line {
        let words = self.words;
        let what = match (&retraction.url, retraction.kind) {
            (Some(url), TimelineKind::WorkRetracted) => {
                phrases::linked(Some(&retraction.text), url, retraction.source.is_some())
            }
            _ => Line::from(retraction.text.trim()),
        };
        let mut line = self.dated(retraction.date.as_deref(), retraction.kind).and(what);
        if let Some(source) = retraction.source {
            line = line.span(self.marks(&[source]));
        }
        line = line.text(self.because(retraction.reason.as_deref()));
        if retraction.findings.is_empty() {
            return line;
        }
        let findings = retraction.findings.iter().map(|number| self.finding(*number));
        let findings = findings.map(|finding| Line::default().span(finding));
        line.text(format!(" · {} ", words.touches)).and(Line::joined(findings, &words.comma))
    }
}

/// Whether it is what claims do: that a page speaks of one is said by its document.
fn is_usual(kind: TimelineKind) -> bool {
    matches!(kind, TimelineKind::FirstSeen | TimelineKind::Updated)
}
