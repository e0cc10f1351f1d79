//! Findings and disputes as Markdown.

use super::Page;
use crate::escape::{self, markdown as text, markdown_lines};
use crate::labels;
use crate::report::{Evidence, Finding};

impl Page<'_> {
    pub(super) fn findings(&mut self) {
        let (words, report) = (self.words, self.report);
        let judged = report.hypothesis.as_ref().and_then(|it| it.judged.as_ref());
        if report.findings.is_empty() && judged.is_none() {
            return;
        }
        self.heading(2, words.findings);
        self.block(&text(words.findings_note));
        for finding in judged.into_iter().chain(&report.findings) {
            self.finding(finding);
        }
        self.left_out(words.findings_left_out, report.left_out.findings);
        self.left_out(words.claims_without_evidence, report.left_out.claims_without_evidence);
    }

    fn finding(&mut self, finding: &Finding) {
        let words = self.words;
        let name = match finding.number {
            0 => format!("{}{}", words.hypothesis, words.colon),
            number => format!("{number}. "),
        };
        let sides = self.sides(&finding.supported_by, &finding.refuted_by);
        self.heading(3, &format!("{name}{} {sides}", text(&finding.text)));
        let mut facts: Vec<String> = vec![labels::standing(words, finding.standing).to_owned()];
        facts.extend(
            labels::numbers(words, finding)
                .into_iter()
                .map(|(name, value)| format!("{name} {value}")),
        );
        self.block(&facts.join(" · "));
        if !finding.caveats.is_empty() {
            let caveats = text(&labels::caveats(words, &finding.caveats));
            self.block(&format!("**{}**{}{caveats}", words.caveat, words.colon));
        }
        if !finding.improvements.is_empty() {
            self.block(&format!("**{}**", words.improve));
            let lines = finding.improvements.iter().map(|it| labels::improvement(words, it));
            self.list(lines.map(|it| text(&it)));
        }
        self.side(words.supporting, &finding.supporting, finding.supporting_left_out);
        self.side(words.refuting, &finding.refuting, finding.refuting_left_out);
        self.left_out(words.neutral, finding.neutral_count);
    }

    fn side(&mut self, name: &str, side: &[Evidence], left_out: u32) {
        let words = self.words;
        if side.is_empty() {
            return;
        }
        self.block(&format!("**{name}**"));
        for evidence in side.iter().filter(|it| it.primary) {
            self.quote(evidence);
        }
        let has_notes = side.iter().any(|it| !it.primary);
        if has_notes {
            self.block(&format!("*{}*", words.notes));
        }
        for evidence in side.iter().filter(|it| !it.primary) {
            self.quote(evidence);
        }
        self.left_out(words.quotes_left_out, left_out);
    }

    fn quote(&mut self, evidence: &Evidence) {
        let words = self.words;
        let mut lines = markdown_lines(&evidence.quote);
        if let Some(first) = lines.first_mut() {
            let cut = if evidence.cut_before { words.cut_before } else { "" };
            *first = format!("{}{cut}{first}", words.quote_open);
        }
        if let Some(last) = lines.last_mut() {
            let cut = if evidence.cut_after { words.cut_after } else { "" };
            *last = format!("{last}{cut}{}", words.quote_close);
        }
        let mut parts = vec![format!(
            "[{}] {}",
            evidence.source,
            self.linked(evidence.title.as_deref(), &evidence.url)
        )];
        if !evidence.headings.is_empty() {
            let headings = evidence.headings.iter().map(|it| text(it)).collect::<Vec<_>>();
            parts.push(headings.join(" › "));
        }
        parts.extend(labels::evidence_facts(words, evidence).iter().map(|it| text(it)));
        let archive = labels::archive(words, evidence.archive.as_ref());
        parts.push(format!("{} {}", words.archive, text(&archive)));
        if let Some(link) = evidence.deep_link.as_deref().and_then(escape::link) {
            parts.push(format!("[{}]({link})", words.passage));
        }
        lines.push(String::new());
        lines.push(format!("— {}", parts.join(" · ")));
        if !evidence.copies.is_empty() {
            let copies = evidence
                .copies
                .iter()
                .map(|it| format!("[{}] {}", it.source, self.linked(it.title.as_deref(), &it.url)));
            let copies = copies.collect::<Vec<_>>().join(words.comma);
            lines.push(String::new());
            lines.push(format!("{}{}{copies}", words.copies, words.colon));
        }
        let quoted = lines.iter().map(|it| format!("> {it}").trim_end().to_owned());
        let quoted = quoted.collect::<Vec<_>>().join("\n");
        self.block(&quoted);
    }

    pub(super) fn disputes(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.disputes.is_empty() {
            return;
        }
        self.heading(2, words.disputes);
        self.block(&text(words.disputes_note));
        for it in &report.disputes {
            let sides = self.sides(&it.supported_by, &it.refuted_by);
            let name = labels::finding_name(words, it.finding);
            self.block(&format!("**{name}**{}{} {sides}", words.colon, text(&it.text)));
            let figure = labels::figure(it.confidence, it.uncertainty);
            let controversy = labels::two(it.controversy);
            let supporting = labels::years(words, &it.supporting_years, it.supporting_undated);
            let refuting = labels::years(words, &it.refuting_years, it.refuting_undated);
            let lines = [
                format!("{} {figure} · {} {controversy}", words.confidence, words.controversy),
                format!(
                    "{} {}{}{supporting}",
                    words.supported_by,
                    self.marks(&it.supported_by),
                    words.colon
                ),
                format!(
                    "{} {}{}{refuting}",
                    words.refuted_by,
                    self.marks(&it.refuted_by),
                    words.colon
                ),
                text(&labels::gap(words, it)),
            ];
            self.list(lines);
        }
    }
}
