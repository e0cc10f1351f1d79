//! The answer as it fits on a screen or two: the verdict, the passage of each side to read first, the findings about
//! the question, and what there is beside them in numbers. Sources are named and not numbered: there is no list of them.

use std::borrow::Cow;

use evidence::Verdict;
use jiff::tz::TimeZone;

use super::{Composer, phrases};
use crate::document::{Block, Document, Item, Level, Line, Look, Quote, Section, SectionId};
use crate::escape::shortened;
use crate::report::{
    AnswerLine, BestPassage, Hypothesis, Language, Report, Standing, State, TaskVerdict,
};
use crate::words::{Words, fill};

/// Characters of a quote, and of a finding.
const MAX_QUOTE: usize = 280;
const MAX_FINDING: usize = 240;

impl Document {
    /// What a person sees first of a report.
    pub fn short(report: &Report) -> Self {
        let mut document = Self::of(report);
        let words = Words::of(report.language);
        let composer = Composer { words, report, zone: &TimeZone::UTC };
        document.facts.clear();
        document.footer = None;
        document.sections = composer.short();
        document
    }
}

impl Composer<'_> {
    fn short(self) -> Vec<Section> {
        let (words, report) = (self.words, self.report);
        let section =
            |id, heading: &str, blocks| Section { id, heading: heading.to_owned(), blocks };
        let mut answer = Vec::new();
        if report.state == State::NothingFound {
            answer.extend(self.found_nothing());
        }
        if let Some(verdict) = &report.verdict {
            answer.extend(self.short_verdict(report.hypothesis.as_ref(), verdict));
        }
        if report.state == State::NothingFound {
            return vec![section(SectionId::Answer, "", answer)];
        }
        if report.answer.is_empty() {
            answer.extend(self.answer_note().map(Block::note));
        }
        let mut sections = vec![section(SectionId::Answer, "", answer)];
        if !report.answer.is_empty() {
            let lines = self.findings_to_read().map(|it| self.short_finding(it)).collect();
            let findings = vec![Block::List(Look::Lines, lines)];
            sections.push(section(SectionId::Findings, &words.about_question, findings));
        }
        let numbers = vec![Block::note(self.in_numbers())];
        sections.push(section(SectionId::Summary, "", numbers));
        sections
    }

    /// Findings for a first look. What one source says in another language than the question is for the whole report, where
    /// there is anything else.
    fn findings_to_read(&self) -> impl Iterator<Item = &AnswerLine> {
        let Report { language, answer, .. } = self.report;
        let is_aside = |it: &&AnswerLine| {
            it.standing == Standing::OneSource && Language::of(&it.text) != *language
        };
        let all_aside = answer.iter().all(|it| is_aside(&it));
        answer.iter().filter(move |it| all_aside || !is_aside(it))
    }

    fn short_verdict(self, hypothesis: Option<&Hypothesis>, verdict: &TaskVerdict) -> Vec<Block> {
        let words = self.words;
        let look = match verdict.verdict {
            Verdict::Supported => Look::Supported,
            Verdict::Refuted => Look::Refuted,
            Verdict::Mixed => Look::Disputed,
            Verdict::NotEnough => Look::Usual,
        };
        let sentence = Line::default().strong(&verdict.sentence);
        let mut blocks = vec![Block::Paragraph(look, sentence)];
        let Some(hypothesis) = hypothesis else { return blocks };
        let name = if hypothesis.from_question { &words.asked_as } else { &words.hypothesis };
        let stated = format!("{name}{}{}", words.colon, hypothesis.text.trim());
        let confidence = hypothesis.judged.as_ref().map(|judged| {
            let (value, uncertainty) = phrases::shown(&judged.confidence);
            format!("{} {}", words.confidence, phrases::figure(value, uncertainty))
        });
        let facts: Vec<String> = std::iter::once(stated).chain(confidence).collect();
        blocks.push(Block::note(facts.join(" · ")));
        let best = |look, name: &str, passage: Option<&BestPassage>| {
            let heading = Block::Heading(Level::Side, name.into());
            Some(Block::group(look, vec![heading, self.short_quote(passage?)]))
        };
        blocks.extend(best(
            Look::Supports,
            &words.best_supporting,
            verdict.best_supporting.as_ref(),
        ));
        blocks.extend(best(Look::Refutes, &words.best_refuting, verdict.best_refuting.as_ref()));
        blocks
    }

    fn short_quote(self, passage: &BestPassage) -> Block {
        let quote = shortened(passage.quote.trim(), MAX_QUOTE);
        // What was shortened ends with its own dots.
        let is_shortened = matches!(quote, Cow::Owned(_));
        let year = passage.year.map(|it| Line::from(it.to_string()));
        Block::Quote(Quote {
            text: self.quoted(&quote, (passage.cut_before, passage.cut_after && !is_shortened)),
            source: Line::from(shortened(
                phrases::title(passage.title.as_deref(), &passage.url),
                phrases::MAX_TITLE,
            )),
            facts: year.into_iter().collect(),
            passage: None,
            copies: None,
            small: false,
        })
    }

    fn short_finding(self, line: &AnswerLine) -> Item {
        let sources = line.independent_sources.to_string();
        let measures = self.standing_measures(
            line.standing,
            (line.confidence, line.uncertainty),
            &[(&self.words.independent_sources, &sources)],
            &[],
            None,
        );
        let text = Line::from(shortened(line.text.trim(), MAX_FINDING));
        let blocks = vec![Block::Paragraph(Look::Claim, text), Block::Measures(measures)];
        Item { look: Look::Plain, anchor: None, blocks }
    }

    /// `12 sources cited · 30 pages read · 2 pages missed`: what is zero is left out, except what left the machine.
    fn in_numbers(self) -> String {
        let (words, summary) = (self.words, &self.report.summary);
        let requests = u32::try_from(self.report.method.requests.count).unwrap_or(u32::MAX);
        let counts = [
            (summary.pages_read, &words.glance_read),
            (summary.sources, &words.glance_sources),
            (summary.disputes, &words.glance_disputes),
            (summary.retractions, &words.glance_retractions),
            (summary.flagged_pages, &words.glance_flagged),
            (summary.pages_missed, &words.glance_missed),
            (requests, &words.glance_requests),
        ];
        let told = counts
            .iter()
            .filter(|(count, what)| *count > 0 || std::ptr::eq(*what, &words.glance_requests));
        let told = told.map(|(count, what)| {
            fill(&words.counted, &[("n", &*count.to_string()), ("what", what.of(*count))])
        });
        told.collect::<Vec<_>>().join(" · ")
    }
}
