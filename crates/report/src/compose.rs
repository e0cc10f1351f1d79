//! What a report says, and in which order: the one place that turns a [`Report`] into a [`Document`].

mod answer;
mod coverage;
mod documents;
mod findings;
mod history;
mod method;
mod origin;
pub(crate) mod phrases;
mod short;

use jiff::tz::TimeZone;

use crate::document::{Block, Document, Line, Look, Punctuation, Section, SectionId};
use crate::escape::shortened;
use crate::report::Report;
use crate::words::{Words, fill};

/// Entries of a list that are not folded away.
const ENTRIES_SHOWN: usize = 8;

/// Characters of a question that is a heading.
const MAX_HEADING: usize = 240;

impl Document {
    /// A report as a reader sees it, with its times in UTC.
    pub fn of(report: &Report) -> Self {
        Self::in_zone(report, &TimeZone::UTC)
    }

    /// A report as a reader sees it, with its times by the clock of `zone`.
    pub fn in_zone(report: &Report, zone: &TimeZone) -> Self {
        let words = Words::of(report.language);
        let composer = Composer { words, report, zone };
        let question = report.question.trim();
        let in_full = question.chars().count() > MAX_HEADING;
        let preface = in_full.then(|| {
            let line = Line::default().strong(&words.question_in_full).text(&words.colon);
            Block::Paragraph(Look::Note, line.text(question))
        });
        let version = &*report.method.lyra_version;
        let values = [("version", version), ("task", &report.task_id.to_string())];
        Self {
            language: report.language.tag(),
            punctuation: Punctuation {
                colon: &words.colon,
                open: &words.open,
                close: &words.close,
            },
            generator: format!("Lyra {version}"),
            kind: words.report.clone(),
            title: shortened(question, MAX_HEADING).into_owned(),
            facts: composer.facts(),
            preface: preface.into_iter().collect(),
            contents: words.contents.clone(),
            sections: composer.sections(),
            footer: Some(fill(&words.made_by, &values)),
        }
    }
}

/// A report and the words to tell it in.
#[derive(Clone, Copy)]
struct Composer<'r> {
    words: &'static Words,
    report: &'r Report,
    zone: &'r TimeZone,
}

impl Composer<'_> {
    fn facts(self) -> Vec<(String, String)> {
        let (words, report) = (self.words, self.report);
        let made = report.generated_at.map(|at| (&words.made_at, self.time(at)));
        [
            Some((&words.task, report.task_id.to_string())),
            Some((&words.started_at, self.time(report.started_at))),
            made,
            Some((&words.status, self.status())),
        ]
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value))
        .collect()
    }

    /// How far the task is, and why it stopped.
    fn status(self) -> String {
        let words = self.words;
        let status = words.codes.status.word(self.report.task_status.as_str());
        match self.report.stop_reason.as_deref().map(|reason| words.codes.stop.word(reason)) {
            Some(reason) if reason != status => {
                format!("{status}{}{reason}{}", words.open, words.close)
            }
            _ => status.to_owned(),
        }
    }

    /// The sections that have something to say.
    fn sections(self) -> Vec<Section> {
        let words = self.words;
        let sections = [
            (SectionId::Answer, &words.answer, self.answer()),
            (SectionId::Summary, &words.draft, self.draft()),
            (SectionId::Documents, &words.documents, self.documents()),
            (SectionId::Findings, &words.findings, self.findings()),
            (SectionId::AlsoFound, &words.also_found, self.also_found()),
            (SectionId::Disputes, &words.disputes, self.disputes()),
            (SectionId::Graph, &words.graph, self.graph()),
            (SectionId::Timeline, &words.timeline, self.timeline()),
            (SectionId::Retractions, &words.retractions, self.retractions()),
            (SectionId::Security, &words.security, self.security()),
            (SectionId::Narratives, &words.narratives, self.narratives()),
            (SectionId::Chains, &words.chains, self.chains()),
            (SectionId::SetAside, &words.set_aside, self.set_aside()),
            (SectionId::Missed, &words.missed, self.missed()),
            (SectionId::Unsatisfied, &words.unsatisfied, self.unsatisfied()),
            (SectionId::Unread, &words.unread, self.unread()),
            (SectionId::Reliability, &words.reliability, self.reliability()),
            (SectionId::Sources, &words.sources, self.sources()),
            (SectionId::Method, &words.method, self.method()),
        ];
        sections
            .into_iter()
            .filter(|section| !section.2.is_empty())
            .map(|(id, heading, blocks)| Section { id, heading: heading.clone(), blocks })
            .collect()
    }

    /// A list with a note above it and what a limit kept out below; nothing if the list is empty.
    fn listed(self, note: Option<&str>, lines: Vec<Line>, left_out: u32) -> Vec<Block> {
        if lines.is_empty() {
            return Vec::new();
        }
        let note = note.map(Block::note);
        let (shown, folded) = lines.split_at(lines.len().min(ENTRIES_SHOWN));
        let entries = |lines: &[Line]| Block::entries(lines.iter().cloned());
        let folded = (!folded.is_empty()).then(|| entries(folded));
        let folded = self.folded_rest(folded.into_iter().collect());
        let left_out = self.left_out(&self.words.more_left_out, left_out);
        note.into_iter().chain([entries(shown)]).chain(folded).chain(left_out).collect()
    }

    /// What else belongs to a list, folded.
    fn folded_rest(self, blocks: Vec<Block>) -> Option<Block> {
        (!blocks.is_empty()).then(|| Block::fold(&self.words.rest, blocks))
    }

    /// A sentence about what a limit kept out, where it kept out something.
    fn left_out(self, template: &str, count: u32) -> Option<Block> {
        (count > 0).then(|| Block::note(fill(template, &[("n", &count.to_string())])))
    }
}
