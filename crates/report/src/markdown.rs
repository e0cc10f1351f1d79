//! A report as Markdown: plain enough to read as it is, to mail, and to keep under version control.

mod findings;
mod rest;

use crate::escape::{self, markdown as text};
use crate::labels;
use crate::report::{Report, State};
use crate::words::{Words, fill};

/// Shows a report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut page = Page { words: Words::of(report.language), report, out: String::new() };
    page.head();
    page.answer();
    page.draft();
    page.findings();
    page.disputes();
    page.history();
    page.security();
    page.narratives();
    page.chains();
    page.set_aside();
    page.missed();
    page.reliability();
    page.sources();
    page.method();
    page.out.truncate(page.out.trim_end().len());
    page.out.push('\n');
    page.out
}

/// The parts of a report that fit on a screen: the answer, what is disputed, what was withdrawn, and what to beware of.
pub fn brief(report: &Report) -> String {
    let mut page = Page { words: Words::of(report.language), report, out: String::new() };
    page.head();
    page.answer();
    page.disputes();
    page.retractions();
    page.security();
    page.narratives();
    page.missed();
    page.out.truncate(page.out.trim_end().len());
    page.out.push('\n');
    page.out
}

/// The text so far. Whatever is not a literal here goes through `escape`.
struct Page<'r> {
    words: &'static Words,
    report: &'r Report,
    out: String,
}

impl Page<'_> {
    /// A block of its own.
    fn block(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push_str("\n\n");
    }

    fn heading(&mut self, level: usize, heading: &str) {
        let marks = "#".repeat(level);
        self.block(&format!("{marks} {heading}"));
    }

    fn list(&mut self, items: impl IntoIterator<Item = String>) {
        let mut any = false;
        for item in items {
            self.out.push_str("- ");
            self.out.push_str(&item);
            self.out.push('\n');
            any = true;
        }
        if any {
            self.out.push('\n');
        }
    }

    /// A sentence about what a limit kept out, where it kept out something.
    fn left_out(&mut self, template: &str, count: u32) {
        if count > 0 {
            let line = fill(template, &[("n", &count.to_string())]);
            self.block(&text(&line));
        }
    }

    fn head(&mut self) {
        let (words, report) = (self.words, self.report);
        self.heading(1, &text(&escape::shortened(&report.question, labels::MAX_HEADING)));
        let mut facts = vec![format!("{}{}{}", words.task, words.colon, report.task_id)];
        facts.push(format!(
            "{}{}{}",
            words.started_at,
            words.colon,
            labels::time(report.started_at)
        ));
        if let Some(at) = report.generated_at {
            facts.push(format!("{}{}{}", words.made_at, words.colon, labels::time(at)));
        }
        facts.push(format!("{}{}{}", words.status, words.colon, labels::status(words, report)));
        let facts = facts.iter().map(|it| text(it)).collect::<Vec<_>>().join(" · ");
        self.block(&format!("**{}** · {facts}", words.report));
        if report.question.chars().count() > labels::MAX_HEADING {
            self.block(&format!(
                "**{}**{}{}",
                words.question_in_full,
                words.colon,
                text(&report.question)
            ));
        }
    }

    fn answer(&mut self) {
        let (words, report) = (self.words, self.report);
        self.heading(2, words.answer);
        if report.state == State::NothingFound {
            let summary = &report.summary;
            self.block(&format!("**{}**", words.nothing_found));
            let values = [
                ("searches", &*report.method.searches.len().to_string()),
                ("read", &summary.pages_read.to_string()),
                ("missed", &summary.pages_missed.to_string()),
            ];
            self.block(&text(&fill(words.nothing_found_facts, &values)));
            self.block(&text(words.nothing_found_next));
        }
        self.hypothesis();
        if report.state == State::NothingFound {
            return;
        }
        if let Some(note) = labels::answer_note(words, report) {
            self.block(&text(&note));
        }
        let lines: Vec<String> = report
            .answer
            .iter()
            .map(|it| {
                let sides = self.sides(&it.supported_by, &it.refuted_by);
                let caveats = match it.caveats.is_empty() {
                    true => String::new(),
                    false => {
                        let caveats = text(&labels::caveats(words, &it.caveats));
                        format!("\n  {}{}{caveats}", words.caveat, words.colon)
                    }
                };
                format!(
                    "{} {sides} — {} {}{}{} {}{caveats}",
                    text(&it.text),
                    words.confidence,
                    labels::figure(it.confidence, it.uncertainty),
                    words.comma,
                    words.independent_sources,
                    it.independent_sources,
                )
            })
            .collect();
        self.list(lines);
        let glance = labels::glance(words, report);
        self.heading(3, words.at_a_glance);
        self.list(
            glance.iter().map(|(number, what)| format!("**{}** {}", text(number), text(what))),
        );
    }

    fn hypothesis(&mut self) {
        let words = self.words;
        let Some(hypothesis) = &self.report.hypothesis else { return };
        let stated = text(&hypothesis.text);
        let judged = match &hypothesis.judged {
            None if hypothesis.other_language => {
                text(&format!("{} {}", words.hypothesis_unjudged, words.hypothesis_foreign))
            }
            None => text(words.hypothesis_unjudged),
            Some(it) => {
                let figure = labels::figure(it.confidence.confidence, it.confidence.uncertainty);
                let sides = self.sides(&it.supported_by, &it.refuted_by);
                format!("{} {figure}. {sides}", words.confidence)
            }
        };
        self.block(&format!("**{}**{}{stated} — {judged}", words.hypothesis, words.colon));
    }

    /// Marks of what supports, and named marks of what refutes.
    fn sides(&self, supported_by: &[u32], refuted_by: &[u32]) -> String {
        let words = self.words;
        match (supported_by, refuted_by) {
            (supported_by, []) => self.marks(supported_by),
            (supported_by, refuted_by) => {
                let refuted = format!("{} {}", words.refuted_by, self.marks(refuted_by));
                let supported = match supported_by {
                    [] => String::new(),
                    marks => self.marks(marks) + words.open.trim_start(),
                };
                match supported.is_empty() {
                    true => format!("{}{refuted}{}", words.open.trim_start(), words.close),
                    false => format!("{supported}{refuted}{}", words.close),
                }
            }
        }
    }

    /// `[1][2]`, bounded.
    fn marks(&self, numbers: &[u32]) -> String {
        labels::marks(self.words, numbers)
    }

    fn draft(&mut self) {
        let words = self.words;
        let Some(draft) = &self.report.draft else { return };
        let shown = || draft.sentences.iter().filter(|it| it.entailed != Some(false));
        self.heading(2, words.draft);
        self.block(&text(&fill(words.draft_note, &[("model", &draft.model)])));
        let sentences: Vec<String> = shown()
            .map(|it| {
                let unchecked = match it.entailed {
                    None => format!("{}{}{}", words.open, words.draft_unchecked, words.close),
                    Some(_) => String::new(),
                };
                format!("{} {}{unchecked}", text(&it.text), self.marks(&it.citations))
            })
            .collect();
        self.block(&sentences.join(" "));
        if draft.failed + draft.uncited > 0 {
            let (failed, uncited) = (draft.failed.to_string(), draft.uncited.to_string());
            let values = [("failed", &*failed), ("uncited", &*uncited)];
            self.block(&text(&fill(words.draft_left_out, &values)));
        }
    }

    /// A title that is a link where its address may be one.
    fn linked(&self, title: Option<&str>, url: &str) -> String {
        let shown = text(&escape::shortened(labels::title(title, url), labels::MAX_TITLE));
        match escape::link(url) {
            Some(link) => format!("[{shown}]({link})"),
            None => shown,
        }
    }

    /// An address as it is, and as a link where it may be one.
    fn address(&self, url: &str) -> String {
        match escape::link(url) {
            Some(link) => format!("<{link}>"),
            None => text(&escape::shortened(url, labels::MAX_ADDRESS)),
        }
    }
}
