//! The findings with their evidence, and the claims that both sides speak about.

use super::{Composer, phrases};
use crate::document::{Anchor, Block, Item, Level, Line, Look, Quote, Span};
use crate::gather::span_of_years;
use crate::report::{Caveat, Dispute, Evidence, Finding, Improvement, Standing};
use crate::words::{fill, fill_line};

/// Disputes that are not folded away: each finding shows both its sides.
const DISPUTES_SHOWN: usize = 3;

impl Composer<'_> {
    /// The hypothesis and the findings about the question.
    pub(super) fn findings(self) -> Vec<Block> {
        let about = self.report.judged().filter(|it| it.about_question);
        let mut blocks: Vec<Block> = about.map(|it| self.one_finding(it)).collect();
        if !blocks.is_empty() {
            blocks.insert(0, Block::note(&self.words.findings_note));
        }
        blocks
    }

    /// What was found by the way, folded: in full where more than one source speaks of it, else as it is said.
    pub(super) fn also_found(self) -> Vec<Block> {
        let (words, left_out) = (self.words, &self.report.left_out);
        let others = self.report.findings.iter().filter(|it| !it.about_question);
        let (alone, heard): (Vec<_>, Vec<_>) =
            others.partition(|it| it.standing == Standing::OneSource);
        let mut blocks: Vec<Block> = heard.into_iter().map(|it| self.one_finding(it)).collect();
        if !alone.is_empty() {
            let items = alone.into_iter().map(|it| self.said_once(it));
            blocks.push(Block::List(Look::Entries, items.collect()));
        }
        if !blocks.is_empty() {
            let count = self.report.findings.iter().filter(|it| !it.about_question).count();
            let summary = fill(&words.also_found_count, &[("n", &count.to_string())]);
            let note = Block::note(&words.also_found_note);
            blocks = vec![note, Block::fold(summary, blocks)];
        }
        if !self.report.findings.is_empty() {
            blocks.extend(self.left_out(&words.findings_left_out, left_out.findings));
            let unjudged = left_out.claims_without_evidence;
            blocks.extend(self.left_out(&words.claims_without_evidence, unjudged));
        }
        blocks
    }

    /// A claim that only its own source speaks of, in a line or two, with the words of the source where they are others.
    fn said_once(self, finding: &Finding) -> Item {
        let number = Line::default().styled(Look::Number, format!("{}. ", finding.number));
        let claim = number.text(finding.text.trim());
        let claim = claim.and(self.sides(&finding.supported_by, &finding.refuted_by));
        let facts = [
            Some(Line::from(self.standing(finding.standing).1)),
            finding.newest_year.map(|it| Line::from(it.to_string())),
            (!finding.caveats.is_empty()).then(|| self.caveats(&finding.caveats)),
        ];
        let facts = Line::joined(facts.into_iter().flatten(), " · ");
        let words = finding.supporting.iter().filter(|it| !it.quote.contains(finding.text.trim()));
        let words = words.map(|it| self.quoted(&it.quote, (it.cut_before, it.cut_after)));
        let words = words.map(|it| Block::Paragraph(Look::Plain, Line::from(it)));
        let mut blocks = vec![Block::Paragraph(Look::Plain, claim)];
        blocks.extend(words);
        blocks.push(Block::Paragraph(Look::Details, facts));
        Item { look: Look::Plain, anchor: Some(Anchor::Finding(finding.number)), blocks }
    }

    fn one_finding(self, finding: &Finding) -> Block {
        let words = self.words;
        let number = match finding.number {
            0 => format!("{}{}", words.hypothesis, words.colon),
            number => format!("{number}. "),
        };
        let heading = Line::default().styled(Look::Number, number).text(finding.text.trim());
        let heading = heading.and(self.sides(&finding.supported_by, &finding.refuted_by));
        let mut blocks =
            vec![Block::Heading(Level::Part, heading), Block::Measures(self.numbers(finding))];
        blocks.extend(self.limits(finding));
        let mut folded = Vec::from_iter(self.improvements(finding));
        let look = match finding.standing {
            Standing::Disputed => Look::TwoSides,
            _ => Look::Sides,
        };
        let supporting = self.side(
            (Look::Supports, &words.supporting),
            &finding.supporting,
            finding.supporting_left_out,
        );
        let refuting = self.side(
            (Look::Refutes, &words.refuting),
            &finding.refuting,
            finding.refuting_left_out,
        );
        folded.push(Block::group(look, supporting.into_iter().chain(refuting).collect()));
        if !finding.retracted.is_empty() {
            let quotes = finding.retracted.iter().map(|evidence| self.quote(evidence));
            let heading = Block::Heading(Level::Side, Line::from(&words.retracted));
            let retracted = std::iter::once(heading).chain(quotes).collect();
            folded.push(Block::group(Look::Sides, retracted));
        }
        folded.extend(self.left_out(&words.neutral, finding.neutral_count));
        blocks.push(Block::fold(self.passages(finding), folded));
        let anchor = Some(Anchor::Finding(finding.number));
        Block::Group { look: Look::Finding, anchor, blocks }
    }

    fn numbers(self, finding: &Finding) -> crate::document::Measures {
        let words = self.words;
        let years = finding.oldest_year.zip(finding.newest_year).map(span_of_years);
        let verified = |code| words.codes.verification.word(code);
        let status = verified(finding.verification.as_str());
        let verification = match finding.verification_reason.as_deref().map(verified) {
            None => status.to_owned(),
            Some(reason) => format!("{status}{}{reason}{}", words.open, words.close),
        };
        let controversy = phrases::two(finding.confidence.controversy);
        let sources = finding.independent_sources.to_string();
        let counts =
            [(&*words.controversy, &*controversy), (&*words.independent_sources, &*sources)];
        let years = years.as_deref().map(|it| (&*words.years, it));
        let others: Vec<(&str, &str)> =
            years.into_iter().chain([(&*words.verification, &*verification)]).collect();
        let confidence = phrases::shown(&finding.confidence);
        let mut measures =
            self.standing_measures(finding.standing, confidence, &counts, &others, None);
        if let (0, Some(verdict)) = (finding.number, &self.report.verdict) {
            measures.badge = Some(self.verdict_badge(verdict.verdict));
        }
        measures
    }

    /// How many passages take a side.
    fn passages(self, finding: &Finding) -> String {
        let count = |side: &[Evidence], left_out: u32| (side.len() as u32 + left_out).to_string();
        let supporting = count(&finding.supporting, finding.supporting_left_out);
        let refuting = count(&finding.refuting, finding.refuting_left_out);
        let values = [("supporting", &*supporting), ("refuting", &*refuting)];
        fill(&self.words.passages_count, &values)
    }

    /// What limits a finding.
    fn limits(self, finding: &Finding) -> Option<Block> {
        let words = self.words;
        (!finding.caveats.is_empty()).then(|| {
            let label = Line::default().strong(&words.caveat).text(&words.colon);
            let line = label.and(self.caveats(&finding.caveats));
            Block::group(Look::Caveat, vec![Block::Paragraph(Look::Plain, line)])
        })
    }

    /// What would raise the confidence of a finding about the question.
    fn improvements(self, finding: &Finding) -> Option<Block> {
        (finding.about_question && !finding.improvements.is_empty()).then(|| {
            let label = Line::default().strong(&self.words.improve);
            let lines = finding.improvements.iter().map(|it| Line::from(self.improvement(it)));
            let list = Block::List(Look::Plain, lines.map(Item::from).collect());
            Block::group(Look::Caveat, vec![Block::Paragraph(Look::Plain, label), list])
        })
    }

    pub(super) fn caveats(self, caveats: &[Caveat]) -> Line {
        self.sentences(caveats.iter().map(|caveat| self.caveat(caveat)))
    }

    fn caveat(self, caveat: &Caveat) -> Line {
        let words = self.words;
        match caveat {
            Caveat::LowConfidence { threshold } => {
                fill(&words.caveat_low, &[("threshold", &phrases::two(*threshold))]).into()
            }
            Caveat::SpeaksAgainst => Line::from(&words.caveat_against),
            Caveat::EvidenceOnBothSides => Line::from(&words.caveat_both),
            Caveat::FewIndependentSources { found, wanted } => {
                let values = [("found", &*found.to_string()), ("wanted", &wanted.to_string())];
                fill(&words.caveat_few, &values).into()
            }
            Caveat::NoPrimarySource => Line::from(&words.caveat_no_primary),
            Caveat::OneNarrative { pages } => {
                fill(&words.caveat_one_narrative, &[("pages", &pages.to_string())]).into()
            }
            Caveat::RetractedSource { sources } => {
                let sources = Line::default().span(self.marks(sources));
                fill_line(&words.caveat_retracted, &[("sources", sources)])
            }
            Caveat::Withdrawn => Line::from(&words.caveat_withdrawn),
        }
    }

    fn improvement(self, improvement: &Improvement) -> String {
        let words = self.words;
        match improvement {
            Improvement::MoreSupport { passages, certainty, threshold } => {
                let values = [
                    ("passages", &*passages.to_string()),
                    ("certainty", &phrases::two(*certainty)),
                    ("threshold", &phrases::two(*threshold)),
                ];
                fill(words.improve_support.of(*passages), &values)
            }
            Improvement::MoreIndependentSources { more } => {
                fill(words.improve_sources.of(*more), &[("more", &more.to_string())])
            }
            Improvement::PrimarySource => words.improve_primary.clone(),
            Improvement::SettleDispute => words.improve_settle.clone(),
        }
    }

    /// The passages on one side: primary sources first, the others as notes.
    fn side(self, (look, name): (Look, &str), side: &[Evidence], left_out: u32) -> Option<Block> {
        if side.is_empty() {
            return None;
        }
        let (primary, others): (Vec<_>, Vec<_>) =
            side.iter().partition(|it| it.primary || it.own_document);
        let mut blocks = vec![Block::Heading(Level::Side, name.into())];
        blocks.extend(primary.into_iter().map(|evidence| self.quote(evidence)));
        if !others.is_empty() {
            blocks.push(Block::Heading(Level::Notes, Line::from(&self.words.notes)));
            blocks.extend(others.into_iter().map(|evidence| self.quote(evidence)));
        }
        blocks.extend(self.left_out(&self.words.quotes_left_out, left_out));
        Some(Block::group(look, blocks))
    }

    fn quote(self, evidence: &Evidence) -> Block {
        let words = self.words;
        let numbered = |number: u32, title: Option<&str>, url: &str| {
            let mark = Line::default().span(Span::Mark(number)).text(" ");
            mark.and(phrases::linked(title, url, true))
        };
        let headings = (!evidence.headings.is_empty()).then(|| evidence.headings.join(" › "));
        let retracted = evidence.retracted_at.map(|at| self.retracted(at));
        let facts = [
            headings,
            Some(self.origin(evidence.own_document, evidence.category).to_owned()),
            evidence.statement_kind.map(|it| words.codes.statement.word(it.as_str()).to_owned()),
            Some(self.date(evidence.published_at.as_deref(), evidence.year)),
            retracted,
            Some(fill(&words.judged, &[("certainty", &phrases::two(evidence.nli_confidence))])),
            evidence.human_corrected.then(|| words.corrected_by_person.clone()),
            evidence.flagged.then(|| words.flagged.clone()),
            evidence.is_origin.then(|| words.origin.clone()),
            Some(self.found(evidence.found_at)),
        ];
        let facts = facts.into_iter().flatten().map(Line::from);
        let copies = evidence
            .copies
            .iter()
            .map(|copy| numbered(copy.source, copy.title.as_deref(), &copy.url));
        let copies = (!evidence.copies.is_empty()).then(|| {
            let label = Line::from(&words.copies).text(&words.colon);
            label.and(Line::joined(copies, &words.comma))
        });
        Block::Quote(Quote {
            text: self.quoted(&evidence.quote, (evidence.cut_before, evidence.cut_after)),
            source: numbered(evidence.source, evidence.title.as_deref(), &evidence.url),
            facts: facts.chain([self.archive(evidence.archive.as_ref(), false)]).collect(),
            passage: evidence.deep_link.clone().map(|url| (words.passage.clone(), url)),
            copies,
            small: !evidence.primary && !evidence.own_document,
        })
    }

    /// What both sides speak about of the question; other disputes show where they were found.
    pub(super) fn disputes(self) -> Vec<Block> {
        let is_about = |dispute: &&Dispute| {
            self.report.judged().any(|it| it.number == dispute.finding && it.about_question)
        };
        let disputes = self.report.disputes.iter().filter(is_about);
        let mut blocks: Vec<Block> = disputes.map(|it| self.dispute(it)).collect();
        if blocks.is_empty() {
            return blocks;
        }
        let rest = blocks.split_off(blocks.len().min(DISPUTES_SHOWN));
        blocks.insert(0, Block::note(&self.words.disputes_note));
        blocks.extend(self.folded_rest(rest));
        blocks
    }

    fn dispute(self, dispute: &Dispute) -> Block {
        let words = self.words;
        let name = Line::default().span(self.finding(dispute.finding));
        let claim = Line::default().span(Span::Strong(name)).text(&words.colon);
        let claim = claim.text(dispute.text.trim());
        let claim = claim.and(self.sides(&dispute.supported_by, &dispute.refuted_by));
        let controversy = phrases::two(dispute.controversy);
        let measures = self.measures(
            None,
            (dispute.confidence, dispute.uncertainty),
            &[(&words.controversy, &controversy)],
            None,
        );
        let side = |look, name: &str, marks: &[u32], years: &[i32], undated: u32| {
            let unknown = (undated > 0).then(|| words.unknown_year.clone());
            let years: Vec<String> = years.iter().map(i32::to_string).chain(unknown).collect();
            let line = Line::default().strong(name).span(self.marks(marks)).text(&words.colon);
            Item { look, ..Item::from(line.text(years.join(&words.comma))) }
        };
        let facing = vec![
            Item { look: Look::Plain, anchor: None, blocks: vec![Block::Measures(measures)] },
            side(
                Look::Supports,
                &words.supported_by,
                &dispute.supported_by,
                &dispute.supporting_years,
                dispute.supporting_undated,
            ),
            side(
                Look::Refutes,
                &words.refuted_by,
                &dispute.refuted_by,
                &dispute.refuting_years,
                dispute.refuting_undated,
            ),
            Item::from(Line::from(self.gap(dispute.year_gap))),
        ];
        let blocks = vec![Block::Paragraph(Look::Claim, claim), Block::List(Look::Facing, facing)];
        Block::group(Look::Dispute, blocks)
    }

    fn gap(self, year_gap: Option<i32>) -> String {
        let words = self.words;
        match year_gap {
            None => words.gap_unknown.clone(),
            Some(0) => words.gap_same.clone(),
            Some(gap) => {
                let template = if gap > 0 { &words.gap_newer } else { &words.gap_older };
                let years = gap.unsigned_abs();
                fill(template.of(years), &[("years", &years.to_string())])
            }
        }
    }
}
