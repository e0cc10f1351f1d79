//! The answer: the verdict, findings about the question, the numbers at a glance, and what a language model wrote.

use evidence::Verdict;

use super::{Composer, phrases};
use crate::document::{Anchor, Block, Item, Level, Line, Look, Quote, Span};
use crate::escape::shortened;
use crate::report::{AnswerLine, BestPassage, Caveat, Hypothesis, Standing, State, TaskVerdict};
use crate::words::fill;

/// Characters of an entry in the list that answers an open question.
const MAX_ENTRY: usize = 240;

impl Composer<'_> {
    pub(super) fn answer(self) -> Vec<Block> {
        let report = self.report;
        let mut blocks = Vec::new();
        if report.state == State::NothingFound {
            blocks.push(self.nothing_found());
        }
        let hypothesis = report.hypothesis.as_ref();
        blocks.extend(report.verdict.as_ref().map(|it| self.verdict(hypothesis, it)));
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
        let next = Block::Paragraph(Look::Plain, Line::from(&self.words.nothing_found_next));
        let blocks = self.found_nothing().into_iter().chain([next]).collect();
        Block::group(Look::NothingFound, blocks)
    }

    /// That nothing was found, and in how many places.
    pub(super) fn found_nothing(self) -> [Block; 2] {
        let (words, report) = (self.words, self.report);
        let values = [
            ("searches", &*report.method.searches.len().to_string()),
            ("read", &report.summary.pages_read.to_string()),
            ("missed", &report.summary.pages_missed.to_string()),
        ];
        let lines = [
            Line::default().strong(&words.nothing_found),
            Line::from(fill(&words.nothing_found_facts, &values)),
        ];
        lines.map(|line| Block::Paragraph(Look::Plain, line))
    }

    /// The verdict in a sentence, what it is on, and the passage of each side to read first.
    fn verdict(self, hypothesis: Option<&Hypothesis>, verdict: &TaskVerdict) -> Block {
        let words = self.words;
        let mut blocks =
            vec![Block::Paragraph(Look::Verdict, Line::default().strong(&verdict.sentence))];
        let Some(hypothesis) = hypothesis else {
            return Block::group(Look::Hypothesis, blocks);
        };
        let name = if hypothesis.from_question { &words.asked_as } else { &words.hypothesis };
        let stated = |name: Line| {
            let line = Line::default().span(Span::Strong(name)).text(&words.colon);
            line.text(hypothesis.text.trim())
        };
        let Some(judged) = hypothesis.judged.as_ref() else {
            blocks.push(Block::Paragraph(Look::Claim, stated(Line::from(name))));
            return Block::group(Look::Hypothesis, blocks);
        };
        let anchor = Anchor::Finding(judged.number);
        let claim = stated(Line::default().span(Span::Reference(anchor, name.clone())));
        let claim = claim.and(self.sides(&judged.supported_by, &judged.refuted_by));
        blocks.push(Block::Paragraph(Look::Claim, claim));
        let confidence = phrases::shown(&judged.confidence);
        blocks.push(Block::Measures(self.measures(None, confidence, &[], None)));
        let best = |look, name: &str, passage: Option<&BestPassage>| {
            let passage = self.best_passage(passage?);
            let blocks = vec![Block::Heading(Level::Side, name.into()), passage];
            Some(Block::group(look, blocks))
        };
        let sides = [
            best(Look::Supports, &words.best_supporting, verdict.best_supporting.as_ref()),
            best(Look::Refutes, &words.best_refuting, verdict.best_refuting.as_ref()),
        ];
        let sides: Vec<Block> = sides.into_iter().flatten().collect();
        let look = if sides.len() > 1 { Look::TwoSides } else { Look::Sides };
        blocks.push(Block::group(look, sides));
        Block::group(Look::Hypothesis, blocks)
    }

    fn best_passage(self, passage: &BestPassage) -> Block {
        let source = match passage.source {
            Some(number) => Line::default().span(Span::Mark(number)).text(" "),
            None => Line::default(),
        };
        let cut = (passage.cut_before, passage.cut_after);
        Block::Quote(Quote {
            text: self.quoted(&passage.quote, cut),
            source: source.and(phrases::linked(passage.title.as_deref(), &passage.url, true)),
            facts: vec![Line::from(self.date(None, passage.year))],
            passage: None,
            copies: None,
            small: false,
        })
    }

    /// What to say before the lines of the answer; nothing if there are neither lines nor findings.
    pub(super) fn answer_note(self) -> Option<String> {
        let (words, report) = (self.words, self.report);
        let threshold = report.summary.min_confidence;
        let is_weak = |line: &AnswerLine| {
            line.standing == Standing::OneSource
                || line.caveats.iter().any(|it| matches!(it, Caveat::LowConfidence { .. }))
        };
        let decides = |verdict: &TaskVerdict| verdict.verdict != Verdict::NotEnough;
        match report.answer.first() {
            None if report.findings.is_empty() => None,
            None if report.findings.iter().any(|it| it.about_question) => {
                Some(words.answer_only_refuted.clone())
            }
            None if report.verdict.as_ref().is_some_and(decides) => None,
            None => Some(words.answer_none.clone()),
            Some(_) if report.hypothesis.is_none() => Some(words.answer_open.clone()),
            Some(_) if report.answer.iter().all(is_weak) => {
                Some(fill(&words.answer_weak, &[("threshold", &phrases::two(threshold))]))
            }
            Some(_) => Some(words.answer_note.clone()),
        }
    }

    fn answer_line(self, line: &AnswerLine) -> Item {
        let words = self.words;
        let text = match self.report.hypothesis {
            Some(_) => line.text.trim().into(),
            None => shortened(line.text.trim(), MAX_ENTRY),
        };
        let claim = Line::from(text);
        let claim = claim.and(self.sides(&line.supported_by, &line.refuted_by));
        let measures = self.standing_measures(
            line.standing,
            (line.confidence, line.uncertainty),
            &[(&words.independent_sources, &line.independent_sources.to_string())],
            &[],
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
        // Of the user's own documents nobody asks whether they are primary.
        let is_own = self.report.sources.iter().all(|it| it.own_document);
        let primary = (!is_own).then_some((summary.primary_sources, &*words.glance_primary));
        let requests = u32::try_from(self.report.method.requests.count).unwrap_or(u32::MAX);
        let counts = [
            Some((summary.disputes, words.glance_disputes.of(summary.disputes))),
            Some((summary.sources, words.glance_sources.of(summary.sources))),
            primary,
            Some((summary.pages_read, words.glance_read.of(summary.pages_read))),
            Some((summary.pages_missed, words.glance_missed.of(summary.pages_missed))),
            Some((requests, words.glance_requests.of(requests))),
            Some((summary.retractions, words.glance_retractions.of(summary.retractions))),
        ];
        let counts = counts.into_iter().flatten();
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
