//! The evidence as a drawing, by year, and what happened to claims and works.

use std::collections::BTreeSet;

use super::{Composer, phrases};
use crate::document::{Block, Figure, Line, Look};
use crate::drawing;
use crate::escape::shortened;
use crate::report::{Retraction, TimelineEvent, TimelineKind};
use crate::words::fill;

/// Events of the timeline that are written out.
const MAX_EVENTS: usize = 40;

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
        let about: BTreeSet<u32> =
            report.judged().filter(|it| it.about_question).map(|it| it.number).collect();
        let (events, left_out) = chosen(&timeline.events, &about);
        if !events.is_empty() {
            blocks.push(Block::entries(events.into_iter().map(|event| self.one_event(event))));
        }
        blocks.extend(self.left_out(&words.timeline_left_out, left_out));
        blocks
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
        match event.recorded_at {
            None => line,
            Some(at) => {
                let recorded = fill(&words.recorded, &[("time", &phrases::time(at))]);
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

/// The events that are written out, by date, and how many are not: what was withdrawn, then the lives of the first
/// findings about the question. That the passage a claim was taken from supports it is no news.
fn chosen<'e>(events: &'e [TimelineEvent], about: &BTreeSet<u32>) -> (Vec<&'e TimelineEvent>, u32) {
    let first_seen = events.iter().filter(|event| event.kind == TimelineKind::FirstSeen);
    let first_seen: BTreeSet<_> = first_seen.map(|event| (event.finding, event.source)).collect();
    let is_usual =
        |kind: TimelineKind| matches!(kind, TimelineKind::FirstSeen | TimelineKind::Updated);
    let is_news = |event: &&TimelineEvent| {
        let is_about = event.finding.is_none_or(|it| about.contains(&it));
        let is_known = event.kind == TimelineKind::Updated
            && first_seen.contains(&(event.finding, event.source));
        !is_known && (is_about || !is_usual(event.kind))
    };
    let mut chosen: Vec<(usize, &TimelineEvent)> =
        events.iter().filter(is_news).enumerate().collect();
    chosen.sort_by_key(|(place, event)| (is_usual(event.kind), event.finding, *place));
    let left_out = chosen.len().saturating_sub(MAX_EVENTS);
    chosen.truncate(MAX_EVENTS);
    chosen.sort_by_key(|(place, _)| *place);
    (chosen.into_iter().map(|(_, event)| event).collect(), left_out as u32)
}
