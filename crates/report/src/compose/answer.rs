//! The answer, the numbers at a glance, and what a language model wrote.

use super::{Composer, phrases};
use crate::document::{Anchor, Block, Item, Level, Line, Look, Span};
use crate::report::{AnswerLine, Hypothesis, State};
use crate::words::fill;

impl Composer<'_> {
    pub(super) fn answer(self) -> Vec<Block> {
        let report = self.report;
        let mut blocks = Vec::new();
        if report.state == State::NothingFound {
            blocks.push(self.nothing_found());
        }
        blocks.extend(report.hypothesis.as_ref().map(|hypothesis| self.hypothesis(hypothesis)));
        if report.state == State::NothingFound {
            return blocks;
        }
        blocks.extend(self.answer_note().map(Block::note));
        if !report.answer.is_empty() {
            let lines = report.answer.iter().map(|line| self.answer_line(line)).collect();
            blocks.push(Block::List(Look::Lines, lines));
        }
        blocks.push(Block::Heading(Level::Part, Line::from(&self.words.at_a_glance)));
        blocks.push(Block::Numbers(self.glance()));
        blocks
    }

    fn nothing_found(self) -> Block {
        let (words, report) = (self.words, self.report);
        let values = [
            ("searches", &*report.method.searches.len().to_string()),
            ("read", &report.summary.pages_read.to_string()),
            ("missed", &report.summary.pages_missed.to_string()),
        ];
        let lines = [
            Line::default().strong(&words.nothing_found),
            Line::from(fill(&words.nothing_found_facts, &values)),
            Line::from(&words.nothing_found_next),
        ];
        let blocks = lines.map(|line| Block::Paragraph(Look::Plain, line)).into();
        Block::group(Look::NothingFound, blocks)
    }

    fn hypothesis(self, hypothesis: &Hypothesis) -> Block {
        let words = self.words;
        let stated = |name: Line| {
            let line = Line::default().span(Span::Strong(name)).text(&words.colon);
            line.text(hypothesis.text.trim())
        };
        let Some(judged) = &hypothesis.judged else {
            let claim = stated(Line::from(&words.hypothesis));
            let foreign = hypothesis.other_language.then_some(&words.hypothesis_foreign);
            let why = [Some(&words.hypothesis_unjudged), foreign].into_iter().flatten();
            let why = Block::note(self.sentences(why.map(Line::from)));
            return Block::group(Look::Hypothesis, vec![Block::Paragraph(Look::Claim, claim), why]);
        };
        let claim = stated(Line::default().span(self.finding(judged.number)));
        let claim = claim.and(self.sides(&judged.supported_by, &judged.refuted_by));
        let measures = self.measures(
            Some(judged.standing),
            phrases::shown(&judged.confidence),
            &[(&words.independent_sources, &judged.independent_sources.to_string())],
            None,
        );
        let blocks = vec![Block::Paragraph(Look::Claim, claim), Block::Measures(measures)];
        Block::group(Look::Hypothesis, blocks)
    }

    /// What to say before the lines of the answer; nothing if it has none and there is only a hypothesis.
    fn answer_note(self) -> Option<String> {
        let (words, report) = (self.words, self.report);
        let threshold = report.summary.min_confidence;
        match report.answer.first() {
            None if report.findings.is_empty() => None,
            None => Some(words.answer_only_refuted.clone()),
            Some(_) if report.answer.iter().all(|line| line.confidence < threshold) => {
                Some(fill(&words.answer_weak, &[("threshold", &phrases::two(threshold))]))
            }
            Some(_) => Some(words.answer_note.clone()),
        }
    }

    fn answer_line(self, line: &AnswerLine) -> Item {
        let words = self.words;
        let claim = Line::from(line.text.trim());
        let claim = claim.and(self.sides(&line.supported_by, &line.refuted_by));
        let measures = self.measures(
            Some(line.standing),
            (line.confidence, line.uncertainty),
            &[(&words.independent_sources, &line.independent_sources.to_string())],
            Some((Anchor::Finding(line.finding), self.finding_name(line.finding))),
        );
        let mut blocks = vec![Block::Paragraph(Look::Claim, claim), Block::Measures(measures)];
        if !line.caveats.is_empty() {
            let label = Line::from(&words.caveat).text(&words.colon);
            blocks.push(Block::Paragraph(Look::Limits, label.and(self.caveats(&line.caveats))));
        }
        Item { look: Look::Plain, anchor: None, blocks }
    }

    /// The big numbers of the report, each with what it counts.
    fn glance(self) -> Vec<(String, String)> {
        let (words, summary) = (self.words, &self.report.summary);
        let of_findings = |count: u32, template: &str, name: &str, value: &str| {
            let values = [("n", &*count.to_string()), ("total", &summary.findings.to_string())];
            (fill(&words.of, &values), fill(template, &[(name, value)]))
        };
        let threshold = phrases::two(summary.min_confidence);
        let wanted = summary.wanted_sources.to_string();
        let mut numbers = vec![
            of_findings(
                summary.confident_findings,
                &words.glance_confident,
                "threshold",
                &threshold,
            ),
            of_findings(
                summary.well_sourced_findings,
                &words.glance_well_sourced,
                "wanted",
                &wanted,
            ),
        ];
        let counts = [
            (summary.disputes, words.glance_disputes.of(summary.disputes)),
            (summary.sources, words.glance_sources.of(summary.sources)),
            (summary.primary_sources, &*words.glance_primary),
            (summary.pages_read, words.glance_read.of(summary.pages_read)),
            (summary.pages_missed, words.glance_missed.of(summary.pages_missed)),
            (summary.retractions, words.glance_retractions.of(summary.retractions)),
        ];
        numbers.extend(counts.map(|(count, what)| (count.to_string(), what.to_owned())));
        numbers
    }

    pub(super) fn draft(self) -> Vec<Block> {
        let words = self.words;
        let Some(draft) = &self.report.draft else { return Vec::new() };
        let shown = draft.sentences.iter().filter(|sentence| sentence.entailed != Some(false));
        let sentences = shown.map(|sentence| {
            let line = Line::from(sentence.text.trim()).span(self.marks(&sentence.citations));
            match sentence.entailed {
                None => line.aside(Look::Unchecked, &words.draft_unchecked),
                Some(_) => line,
            }
        });
        let mut blocks = vec![
            Block::note(fill(&words.draft_note, &[("model", &draft.model)])),
            Block::Paragraph(Look::Prose, Line::joined(sentences, " ")),
        ];
        if draft.failed + draft.uncited > 0 {
            let (failed, uncited) = (draft.failed.to_string(), draft.uncited.to_string());
            let values = [("failed", &*failed), ("uncited", &*uncited)];
            blocks.push(Block::note(fill(&words.draft_left_out, &values)));
        }
        blocks
    }
}
