//! Findings and disputes as HTML.

use super::{Page, gauge};
use crate::escape::{self, html as text, html_lines};
use crate::labels;
use crate::report::{Evidence, Finding, Standing};

impl Page<'_> {
    pub(super) fn findings(&mut self) {
        let (words, report) = (self.words, self.report);
        let judged = report.hypothesis.as_ref().and_then(|it| it.judged.as_ref());
        if report.findings.is_empty() && judged.is_none() {
            return;
        }
        self.section("findings", words.findings);
        self.note(words.findings_note);
        for finding in judged.into_iter().chain(&report.findings) {
            self.finding(finding);
        }
        self.left_out(words.findings_left_out, report.left_out.findings);
        self.left_out(words.claims_without_evidence, report.left_out.claims_without_evidence);
        self.end_section();
    }

    fn finding(&mut self, finding: &Finding) {
        let words = self.words;
        let name = match finding.number {
            0 => words.hypothesis.to_owned(),
            number => number.to_string(),
        };
        let sides = self.sides(&finding.supported_by, &finding.refuted_by);
        self.push(&format!(
            "<article class=\"finding\" id=\"f{}\">\n<div class=\"top\">\n<h3><span class=\"number\">{}</span> {}{sides}</h3>",
            finding.number,
            text(&name),
            text(&finding.text)
        ));
        let it = &finding.confidence;
        let numbers: String = labels::numbers(words, finding)
            .into_iter()
            .map(|(name, value)| format!("<span>{} <b>{}</b></span>", text(name), text(&value)))
            .collect();
        self.push(&format!(
            "<p class=\"figures\">{}{}{numbers}</p>",
            self.badge(finding.standing),
            gauge(it.confidence, it.uncertainty, self.report.summary.min_confidence),
        ));
        self.caveats(finding);
        self.push("</div>");
        let class = if finding.standing == Standing::Disputed { "sides two" } else { "sides" };
        self.push(&format!("<div class=\"{class}\">"));
        self.side("supports", words.supporting, &finding.supporting, finding.supporting_left_out);
        self.side("refutes", words.refuting, &finding.refuting, finding.refuting_left_out);
        self.push("</div>");
        self.left_out(words.neutral, finding.neutral_count);
        self.push("</article>");
    }

    fn caveats(&mut self, finding: &Finding) {
        let words = self.words;
        if finding.caveats.is_empty() && finding.improvements.is_empty() {
            return;
        }
        self.push("<aside class=\"caveat\">");
        self.push(&format!(
            "<p><b>{}</b>{}{}</p>",
            text(words.caveat),
            words.colon,
            text(&labels::caveats(words, &finding.caveats))
        ));
        if !finding.improvements.is_empty() {
            self.push(&format!("<p><b>{}</b></p>", text(words.improve)));
            let lines: Vec<String> = finding
                .improvements
                .iter()
                .map(|it| text(&labels::improvement(words, it)))
                .collect();
            self.list("plain", lines);
        }
        self.push("</aside>");
    }

    fn side(&mut self, class: &str, name: &str, side: &[Evidence], left_out: u32) {
        if side.is_empty() {
            return;
        }
        self.push(&format!("<div class=\"side {class}\">\n<h4>{}</h4>", text(name)));
        for evidence in side.iter().filter(|it| it.primary) {
            self.quote(evidence);
        }
        if side.iter().any(|it| !it.primary) {
            self.push(&format!("<h5>{}</h5>", text(self.words.notes)));
        }
        for evidence in side.iter().filter(|it| !it.primary) {
            self.quote(evidence);
        }
        self.left_out(self.words.quotes_left_out, left_out);
        self.push("</div>");
    }

    fn quote(&mut self, evidence: &Evidence) {
        let words = self.words;
        let class = if evidence.primary { "quote" } else { "quote small" };
        let mut parts = Vec::new();
        if !evidence.headings.is_empty() {
            let headings: Vec<String> = evidence.headings.iter().map(|it| text(it)).collect();
            parts.push(headings.join(" › "));
        }
        parts.extend(labels::evidence_facts(words, evidence).iter().map(|it| text(it)));
        let archive = labels::archive(words, evidence.archive.as_ref());
        parts.push(match &evidence.archive {
            Some(_) => format!("{} <code>{}</code>", text(words.archive), text(&archive)),
            None => text(&archive),
        });
        if let Some(link) = evidence.deep_link.as_deref().and_then(escape::link) {
            let (link, name) = (text(&link), text(words.passage));
            parts.push(format!("<a class=\"deep\" href=\"{link}\" rel=\"noreferrer\">{name}</a>"));
        }
        let parts: Vec<String> = parts.iter().map(|it| format!("<span>{it}</span>")).collect();
        self.push(&format!(
            "<figure class=\"{class}\">\n<blockquote>{}{}{}{}{}</blockquote>\n<figcaption>\
             <p class=\"from\"><a class=\"mark\" href=\"#s{n}\">[{n}]</a> {}</p>\n<p class=\"parts\">{}</p>",
            text(words.quote_open),
            if evidence.cut_before { words.cut_before } else { "" },
            html_lines(&evidence.quote),
            if evidence.cut_after { words.cut_after } else { "" },
            text(words.quote_close),
            self.linked(evidence.title.as_deref(), &evidence.url),
            parts.join(" "),
            n = evidence.source,
        ));
        if !evidence.copies.is_empty() {
            let copies: Vec<String> = evidence
                .copies
                .iter()
                .map(|it| {
                    let title = self.linked(it.title.as_deref(), &it.url);
                    format!("<a class=\"mark\" href=\"#s{n}\">[{n}]</a> {title}", n = it.source)
                })
                .collect();
            self.push(&format!(
                "<p class=\"copies\">{}{}{}</p>",
                text(words.copies),
                words.colon,
                copies.join(words.comma)
            ));
        }
        self.push("</figcaption>\n</figure>");
    }

    pub(super) fn disputes(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.disputes.is_empty() {
            return;
        }
        self.section("disputes", words.disputes);
        self.note(words.disputes_note);
        for it in &report.disputes {
            let name = labels::finding_name(words, it.finding);
            let supporting = labels::years(words, &it.supporting_years, it.supporting_undated);
            let refuting = labels::years(words, &it.refuting_years, it.refuting_undated);
            let side = |class: &str, name: &str, marks: String, years: &str| {
                format!(
                    "<div class=\"{class}\"><p><b>{}</b>{marks}</p><p>{} {}</p></div>",
                    text(name),
                    text(words.years),
                    text(years)
                )
            };
            self.push(&format!(
                "<div class=\"dispute\">\n<p class=\"claim\"><a href=\"#f{}\">{}</a>{}{}{}</p>\n\
                 <p class=\"figures\">{}<span>{} <b>{}</b></span><span>{} <b>{}</b></span></p>\n\
                 <div class=\"against-each-other\">{}{}</div>\n<p class=\"gap\">{}</p>\n</div>",
                it.finding,
                text(&name),
                words.colon,
                text(&it.text),
                self.sides(&it.supported_by, &it.refuted_by),
                gauge(it.confidence, it.uncertainty, report.summary.min_confidence),
                text(words.confidence),
                labels::figure(it.confidence, it.uncertainty),
                text(words.controversy),
                labels::two(it.controversy),
                side("supports", words.supported_by, self.marks(&it.supported_by), &supporting),
                side("refutes", words.refuted_by, self.marks(&it.refuted_by), &refuting),
                text(&labels::gap(words, it)),
            ));
        }
        self.end_section();
    }
}
