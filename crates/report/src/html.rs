//! A report as one HTML file: nothing to load, no script, for screen and paper, light and dark.
//!
//! The policy in the head allows the one style sheet by its digest and nothing else, so that even a mistake in
//! escaping could not load or run anything.

mod drawing;
mod findings;
mod layout;
mod rest;
mod years;

use sha2::{Digest, Sha256};

use crate::escape::{self, html as text};
use crate::labels;
use crate::report::{Report, Standing, State};
use crate::words::{Words, fill};

const STYLE: &str = include_str!("html/style.css");

/// Shows a report as one HTML file.
pub fn html(report: &Report) -> String {
    let words = Words::of(report.language);
    let mut page = Page { words, report, out: String::new(), contents: Vec::new() };
    page.answer();
    page.glance();
    page.draft();
    page.findings();
    page.disputes();
    page.drawing();
    page.timeline();
    page.retractions();
    page.security();
    page.narratives();
    page.chains();
    page.set_aside();
    page.missed();
    page.reliability();
    page.sources();
    page.method();
    page.whole()
}

/// The body so far. Whatever is not a literal here goes through `escape`.
struct Page<'r> {
    words: &'static Words,
    report: &'r Report,
    out: String,
    /// Id and heading of each section.
    contents: Vec<(&'static str, &'static str)>,
}

impl Page<'_> {
    fn push(&mut self, html: &str) {
        self.out.push_str(html);
        self.out.push('\n');
    }

    fn section(&mut self, id: &'static str, heading: &'static str) {
        self.contents.push((id, heading));
        self.push(&format!("<section id=\"{id}\">\n<h2>{}</h2>", text(heading)));
    }

    fn end_section(&mut self) {
        self.push("</section>");
    }

    fn note(&mut self, note: &str) {
        self.push(&format!("<p class=\"note\">{}</p>", text(note)));
    }

    /// A sentence about what a limit kept out, where it kept out something.
    fn left_out(&mut self, template: &str, count: u32) {
        if count > 0 {
            self.note(&fill(template, &[("n", &count.to_string())]));
        }
    }

    fn list(&mut self, class: &str, items: impl IntoIterator<Item = String>) {
        self.push(&format!("<ul class=\"{class}\">"));
        for item in items {
            self.push(&format!("<li>{item}</li>"));
        }
        self.push("</ul>");
    }

    fn whole(self) -> String {
        let (words, report) = (self.words, self.report);
        let title = text(&escape::shortened(&report.question, labels::MAX_HEADING));
        let mut facts = vec![
            (words.status, labels::status(words, report)),
            (words.started_at, labels::time(report.started_at)),
        ];
        facts.extend(report.generated_at.map(|it| (words.made_at, labels::time(it))));
        facts.push((words.task, report.task_id.to_string()));
        let facts: String = facts
            .iter()
            .map(|(name, value)| {
                format!("<div><dt>{}</dt><dd>{}</dd></div>\n", text(name), text(value))
            })
            .collect();
        let long = report.question.chars().count() > labels::MAX_HEADING;
        let in_full = match long {
            true => format!(
                "<p class=\"full\"><b>{}</b>{}{}</p>\n",
                text(words.question_in_full),
                words.colon,
                text(&report.question)
            ),
            false => String::new(),
        };
        let contents: String = self
            .contents
            .iter()
            .map(|(id, heading)| format!("<li><a href=\"#{id}\">{}</a></li>\n", text(heading)))
            .collect();
        let values =
            [("version", &*report.method.lyra_version), ("task", &report.task_id.to_string())];
        format!(
            "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'; \
             base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"generator\" content=\"Lyra {version}\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <header>\n<p class=\"kicker\">Lyra · {kind}</p>\n<h1>{title}</h1>\n{in_full}<dl class=\"facts\">\n{facts}</dl>\n</header>\n\
             <nav aria-label=\"{nav}\"><ul>\n{contents}</ul></nav>\n<main>\n{body}</main>\n\
             <footer><p>{made_by}</p></footer>\n</body>\n</html>\n",
            lang = words.tag,
            digest = base64(&Sha256::digest(STYLE.as_bytes())),
            version = text(&report.method.lyra_version),
            kind = text(words.report),
            nav = text(words.contents),
            body = self.out,
            made_by = text(&fill(words.made_by, &values)),
        )
    }

    fn answer(&mut self) {
        let (words, report) = (self.words, self.report);
        self.section("answer", words.answer);
        if report.state == State::NothingFound {
            let (searches, summary) = (report.method.searches.len(), &report.summary);
            let values = [
                ("searches", &*searches.to_string()),
                ("read", &summary.pages_read.to_string()),
                ("missed", &summary.pages_missed.to_string()),
            ];
            let facts = text(&fill(words.nothing_found_facts, &values));
            self.push(&format!(
                "<div class=\"nothing\"><p><b>{}</b></p>\n<p>{facts}</p>\n<p>{}</p></div>",
                text(words.nothing_found),
                text(words.nothing_found_next)
            ));
        }
        self.hypothesis();
        if report.state == State::Found {
            if let Some(note) = labels::answer_note(words, report) {
                self.note(&note);
            }
            self.answer_lines();
        }
        self.end_section();
    }

    fn answer_lines(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.answer.is_empty() {
            return;
        }
        self.push("<ol class=\"lines\">");
        for it in &report.answer {
            let sides = self.sides(&it.supported_by, &it.refuted_by);
            let gauge = gauge(it.confidence, it.uncertainty, report.summary.min_confidence);
            let caveats = match it.caveats.is_empty() {
                true => String::new(),
                false => {
                    let caveats = text(&labels::caveats(words, &it.caveats));
                    format!("\n<p class=\"limits\">{caveats}</p>")
                }
            };
            self.push(&format!(
                "<li><p class=\"claim\">{}{sides}</p>\n<p class=\"figures\">{}{gauge}<span>{} <b>{}</b></span>\
                 <span>{} <b>{}</b></span><a href=\"#f{}\">{}</a></p>{caveats}</li>",
                text(&it.text),
                self.badge(it.standing),
                text(words.confidence),
                labels::figure(it.confidence, it.uncertainty),
                text(words.independent_sources),
                it.independent_sources,
                it.finding,
                text(&labels::finding_name(words, it.finding)),
            ));
        }
        self.push("</ol>");
    }

    fn hypothesis(&mut self) {
        let words = self.words;
        let Some(hypothesis) = &self.report.hypothesis else { return };
        let judged = match &hypothesis.judged {
            None if hypothesis.other_language => format!(
                "<p class=\"note\">{} {}</p>",
                text(words.hypothesis_unjudged),
                text(words.hypothesis_foreign)
            ),
            None => format!("<p class=\"note\">{}</p>", text(words.hypothesis_unjudged)),
            Some(it) => {
                let (value, uncertainty) = (it.confidence.confidence, it.confidence.uncertainty);
                format!(
                    "<p class=\"figures\">{}{}<span>{} <b>{}</b></span><span>{} <b>{}</b></span>\
                     <a href=\"#f0\">{}</a></p>",
                    self.badge(it.standing),
                    gauge(value, uncertainty, self.report.summary.min_confidence),
                    text(words.confidence),
                    labels::figure(value, uncertainty),
                    text(words.independent_sources),
                    it.independent_sources,
                    text(words.judgements),
                )
            }
        };
        let sides = hypothesis.judged.as_ref();
        let sides = sides.map(|it| self.sides(&it.supported_by, &it.refuted_by));
        self.push(&format!(
            "<div class=\"hypothesis\"><p class=\"kicker\">{}</p>\n<p class=\"claim\">{}{}</p>\n{judged}</div>",
            text(words.hypothesis),
            text(&hypothesis.text),
            sides.unwrap_or_default(),
        ));
    }

    fn glance(&mut self) {
        if self.report.state == State::NothingFound {
            return;
        }
        let items = labels::glance(self.words, self.report);
        self.push(&format!(
            "<section class=\"glance\" aria-label=\"{}\"><dl>",
            text(self.words.at_a_glance)
        ));
        for (number, what) in items {
            self.push(&format!("<div><dt>{}</dt><dd>{}</dd></div>", text(&what), text(&number)));
        }
        self.push("</dl></section>");
    }

    fn draft(&mut self) {
        let words = self.words;
        let Some(draft) = &self.report.draft else { return };
        self.section("summary", words.draft);
        self.note(&fill(words.draft_note, &[("model", &draft.model)]));
        let mut prose = String::new();
        for it in draft.sentences.iter().filter(|it| it.entailed != Some(false)) {
            let unchecked = match it.entailed {
                None => {
                    format!(" <small class=\"unchecked\">{}</small>", text(words.draft_unchecked))
                }
                Some(_) => String::new(),
            };
            prose.push_str(&format!("{}{}{unchecked} ", text(&it.text), self.marks(&it.citations)));
        }
        self.push(&format!("<p class=\"prose\">{}</p>", prose.trim_end()));
        if draft.failed + draft.uncited > 0 {
            let (failed, uncited) = (draft.failed.to_string(), draft.uncited.to_string());
            let values = [("failed", &*failed), ("uncited", &*uncited)];
            self.note(&fill(words.draft_left_out, &values));
        }
        self.end_section();
    }

    fn badge(&self, standing: Standing) -> String {
        let class = match standing {
            Standing::Supported => "supported",
            Standing::Disputed => "disputed",
            Standing::Refuted => "refuted",
        };
        format!(
            "<span class=\"badge {class}\">{}</span>",
            text(labels::standing(self.words, standing))
        )
    }

    /// Marks of what supports, and named marks of what refutes.
    fn sides(&self, supported_by: &[u32], refuted_by: &[u32]) -> String {
        let supported = match supported_by {
            [] => String::new(),
            marks => self.marks(marks),
        };
        match refuted_by {
            [] => supported,
            marks => format!(
                "{supported} <span class=\"against\">{}{}</span>",
                text(self.words.refuted_by),
                self.marks(marks)
            ),
        }
    }

    /// Marks that lead to the list of sources, bounded.
    fn marks(&self, numbers: &[u32]) -> String {
        let (shown, more) = labels::marked(numbers);
        let marks: String =
            shown.iter().map(|it| format!("<a href=\"#s{it}\">[{it}]</a>")).collect();
        let more = match more {
            0 => String::new(),
            more => format!(" {}", text(&fill(self.words.more, &[("n", &more.to_string())]))),
        };
        // A mark does not begin a line.
        format!("<sup class=\"marks\">&#8288;{marks}{more}</sup>")
    }

    /// A title that is a link where its address may be one.
    fn linked(&self, title: Option<&str>, url: &str) -> String {
        let shown = text(&escape::shortened(labels::title(title, url), labels::MAX_TITLE));
        match escape::link(url) {
            Some(link) => {
                format!("<a class=\"out\" href=\"{}\" rel=\"noreferrer\">{shown}</a>", text(&link))
            }
            None => format!("<span class=\"nolink\">{shown}</span>"),
        }
    }
}

/// A confidence between 0 and 1 with its uncertainty and the threshold.
fn gauge(value: f64, uncertainty: f64, threshold: f64) -> String {
    let place = |it: f64| format!("{:.1}", it.clamp(0.0, 1.0) * 100.0);
    let (low, high) = ((value - uncertainty).max(0.0), (value + uncertainty).min(1.0));
    format!(
        "<svg class=\"gauge\" viewBox=\"-3 0 106 12\" aria-hidden=\"true\">\
         <line class=\"track\" x1=\"0\" y1=\"6\" x2=\"100\" y2=\"6\"/>\
         <line class=\"band\" x1=\"{}\" y1=\"6\" x2=\"{}\" y2=\"6\"/>\
         <line class=\"tick\" x1=\"{t}\" y1=\"1\" x2=\"{t}\" y2=\"11\"/>\
         <circle class=\"dot\" cx=\"{}\" cy=\"6\" r=\"3\"/></svg>",
        place(low),
        place(high),
        place(value),
        t = place(threshold),
    )
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let three = [chunk[0], *chunk.get(1).unwrap_or(&0), *chunk.get(2).unwrap_or(&0)];
        let bits = u32::from_be_bytes([0, three[0], three[1], three[2]]);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_as_the_standard_says() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, encoded) in cases {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
    }

    #[test]
    fn the_style_sheet_loads_nothing_and_closes_nothing() {
        for word in ["url(", "@import", "</"] {
            assert!(!STYLE.contains(word), "{word}");
        }
    }
}
