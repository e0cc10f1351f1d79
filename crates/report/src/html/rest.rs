//! Everything behind the findings, as HTML.

use super::Page;
use crate::escape::{self, html as text};
use crate::labels;
use crate::report::{PageName, SetAsideReason, Source, TimelineKind};
use crate::words::fill;

impl Page<'_> {
    pub(super) fn retractions(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.retractions.is_empty() {
            return;
        }
        self.section("retractions", words.retractions);
        self.note(words.retractions_note);
        let lines: Vec<String> = report
            .retractions
            .iter()
            .map(|it| {
                let date = it.date.as_deref().map_or(words.unknown_date, labels::day);
                let what = match (&it.url, it.kind) {
                    (Some(url), TimelineKind::WorkRetracted) => self.linked(Some(&it.text), url),
                    _ => text(&it.text),
                };
                let mark = it.source.map(|it| self.marks(&[it])).unwrap_or_default();
                let touched: Vec<String> = it
                    .findings
                    .iter()
                    .map(|it| {
                        let name = text(&labels::finding_name(words, *it));
                        format!("<a href=\"#f{it}\">{name}</a>")
                    })
                    .collect();
                let touched = match touched.is_empty() {
                    true => String::new(),
                    false => format!(" · {} {}", text(words.touches), touched.join(words.comma)),
                };
                format!(
                    "<span class=\"badge withdrawn\">{}</span> {} · {what}{mark}{}{touched}",
                    text(labels::kind(words, it.kind)),
                    text(date),
                    self.because(it.reason.as_deref()),
                )
            })
            .collect();
        self.list("entries", lines);
        self.end_section();
    }

    fn because(&self, reason: Option<&str>) -> String {
        let words = self.words;
        let shown = |it| format!("{}{}{}", words.open, text(it), words.close);
        labels::why(words, reason).map(shown).unwrap_or_default()
    }

    pub(super) fn security(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.security.is_empty() {
            return;
        }
        self.section("security", words.security);
        self.note(words.security_note);
        let lines: Vec<String> = report
            .security
            .iter()
            .map(|it| {
                let facts = labels::security(words, it);
                let facts: Vec<String> = facts.iter().map(|it| text(it)).collect();
                let class = if it.influenced_judgements == 0 { "calm" } else { "alarm" };
                format!(
                    "<div class=\"flagged {class}\"><p>{}</p><p class=\"parts\">{}</p><p><b>{}</b> {}</p></div>",
                    self.linked(it.title.as_deref(), &it.url),
                    facts[0],
                    facts[1],
                    facts[2..].join(" ")
                )
            })
            .collect();
        self.list("entries", lines);
        self.end_section();
    }

    pub(super) fn narratives(&mut self) {
        let (words, it) = (self.words, &self.report.narratives);
        if it.pages == 0 {
            return;
        }
        self.section("narratives", words.narratives);
        let class = if it.above_limit { "alarm" } else { "calm" };
        self.push(&format!("<p class=\"{class}\">{}</p>", text(&labels::narratives(words, it))));
        let lines: Vec<String> = it
            .copied
            .iter()
            .map(|it| {
                let copies: Vec<u32> =
                    it.sources.iter().copied().filter(|other| *other != it.first).collect();
                // The template is ours and the marks are written here.
                let (first, copies) = (self.plain_marks(&[it.first]), self.plain_marks(&copies));
                fill(words.narrative_line, &[("first", &first), ("copies", &copies)])
            })
            .collect();
        if !lines.is_empty() {
            self.list("entries", lines);
        }
        let repeated: Vec<String> = it
            .repeated
            .iter()
            .map(|it| {
                let name = |it: &PageName| self.linked(it.title.as_deref(), &it.url);
                let copies = it.copies.iter().map(name).collect::<Vec<_>>().join(words.comma);
                fill(words.repeated_line, &[("first", &name(&it.first)), ("copies", &copies)])
            })
            .collect();
        if !repeated.is_empty() {
            self.list("entries", repeated);
        }
        self.left_out(words.more_left_out, self.report.left_out.narratives);
        self.end_section();
    }

    fn plain_marks(&self, numbers: &[u32]) -> String {
        numbers.iter().map(|it| format!("<a class=\"mark\" href=\"#s{it}\">[{it}]</a>")).collect()
    }

    pub(super) fn chains(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.chains.is_empty() {
            return;
        }
        self.section("chains", words.chains);
        self.note(words.chains_note);
        let lines: Vec<String> = report
            .chains
            .iter()
            .map(|it| {
                let steps = it.steps.iter().map(|step| {
                    let mark = step.source.map(|it| self.plain_marks(&[it]) + " ");
                    let category = text(words.code("category", step.category.as_str()));
                    let title = self.linked(step.title.as_deref(), &step.url);
                    let mark = mark.unwrap_or_default();
                    format!("<span class=\"step\">{mark}{title} <small>{category}</small></span>")
                });
                steps.collect::<Vec<_>>().join(" <span class=\"arrow\">→</span> ")
            })
            .collect();
        self.list("entries", lines);
        self.left_out(words.more_left_out, report.left_out.chains);
        self.end_section();
    }

    pub(super) fn set_aside(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.set_aside.is_empty() {
            return;
        }
        self.section("set-aside", words.set_aside);
        let lines: Vec<String> = report
            .set_aside
            .iter()
            .map(|it| match it.reason {
                SetAsideReason::Dangerous => {
                    format!("<code>{}</code> — {}", it.claim_id, text(words.set_aside_dangerous))
                }
                SetAsideReason::NotAdopted => {
                    let detail = self.because(it.detail.as_deref());
                    let claim = text(&it.text);
                    format!("{claim} — {}{detail}", text(words.set_aside_person))
                }
            })
            .collect();
        self.list("entries", lines);
        self.left_out(words.more_left_out, report.left_out.set_aside);
        self.end_section();
    }

    pub(super) fn missed(&mut self) {
        let (words, report) = (self.words, self.report);
        if !report.missed.is_empty() {
            self.section("missed", words.missed);
            self.note(words.missed_note);
            let lines: Vec<String> = report
                .missed
                .iter()
                .map(|it| {
                    let reason = text(words.code("missed", &it.reason));
                    let detail = self.because(words.told(it.detail.as_deref()));
                    format!("<b>{reason}</b>{detail}<br>{}", self.address(&it.url))
                })
                .collect();
            self.list("entries", lines);
            self.left_out(words.more_left_out, report.left_out.missed);
            self.end_section();
        }
        if !report.unsatisfied.is_empty() {
            self.section("unsatisfied", words.unsatisfied);
            self.note(words.unsatisfied_note);
            let lines: Vec<String> = report
                .unsatisfied
                .iter()
                .map(|it| {
                    let facts = labels::unsatisfied(words, it);
                    let facts = facts.iter().map(|it| text(it)).collect::<Vec<_>>().join(" · ");
                    format!("<b>{}</b><br><span class=\"parts\">{facts}</span>", text(&it.query))
                })
                .collect();
            self.list("entries", lines);
            self.end_section();
        }
        if !report.unread.is_empty() {
            self.section("unread", words.unread);
            self.note(words.unread_note);
            let lines: Vec<String> = report
                .unread
                .iter()
                .map(|it| {
                    let title = self.linked(it.title.as_deref(), &it.url);
                    let place = text(&labels::place(words, it));
                    format!("{title}<br><span class=\"parts\">{place}</span>")
                })
                .collect();
            self.list("entries", lines);
            self.left_out(words.more_left_out, report.left_out.unread);
            self.end_section();
        }
    }

    pub(super) fn reliability(&mut self) {
        let lines = labels::reliability(self.words, self.report);
        self.section("reliability", self.words.reliability);
        self.list("prose", lines.iter().map(|it| text(it)));
        self.end_section();
    }

    pub(super) fn sources(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.sources.is_empty() {
            return;
        }
        self.section("sources", words.sources);
        self.push(&format!(
            "<table class=\"sources\"><thead><tr><th></th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead><tbody>",
            text(words.source),
            text(words.category),
            text(words.date),
            text(words.archive_column)
        ));
        for it in &report.sources {
            self.source(it);
        }
        self.push("</tbody></table>");
        self.end_section();
    }

    fn source(&mut self, source: &Source) {
        let words = self.words;
        let title = escape::shortened(
            labels::title(source.title.as_deref(), &source.url),
            labels::MAX_TITLE,
        )
        .into_owned();
        let mut more: Vec<String> = Vec::new();
        more.extend(source.author.as_deref().map(text));
        more.extend(source.venue.as_deref().map(text));
        more.extend(source.doi.as_deref().map(|it| format!("doi:{}", text(it))));
        let more = match more.is_empty() {
            true => String::new(),
            false => format!("<span class=\"parts\">{}</span><br>", more.join(" · ")),
        };
        let mut badges = String::new();
        if let Some(at) = source.retracted_at {
            let noted = text(&labels::retracted(words, at));
            badges.push_str(&format!(" <span class=\"badge withdrawn\">{noted}</span>"));
        }
        if source.flagged {
            badges
                .push_str(&format!(" <span class=\"badge alarm\">{}</span>", text(words.flagged)));
        }
        let date = match (&source.published_at, source.year) {
            (Some(date), _) => text(labels::day(date)),
            (None, Some(year)) => year.to_string(),
            (None, None) => text(words.unknown_year),
        };
        let archive = match &source.archive {
            None => text(words.no_archive),
            Some(it) => {
                let parts = [&it.record_id, &it.file, &it.digest].into_iter().flatten();
                parts
                    .map(|it| format!("<code>{}</code>", text(it)))
                    .collect::<Vec<_>>()
                    .join("<br>")
            }
        };
        self.push(&format!(
            "<tr id=\"s{n}\"><td class=\"n\">[{n}]</td><td><b>{}</b>{badges}<br>{more}{}</td><td>{}</td>\
             <td>{date}<br><span class=\"parts\">{} {}</span></td><td>{archive}</td></tr>",
            text(&title),
            self.address(&source.url),
            text(words.code("category", source.category.as_str())),
            text(words.found_at),
            labels::time(source.found_at),
            n = source.number,
        ));
    }

    /// An address that is written out, and a link where it may be one.
    fn address(&self, url: &str) -> String {
        let shown = text(&escape::shortened(url, labels::MAX_ADDRESS));
        match escape::link(url) {
            Some(link) => {
                format!(
                    "<a class=\"address\" href=\"{}\" rel=\"noreferrer\">{shown}</a>",
                    text(&link)
                )
            }
            None => format!("<span class=\"address\">{shown}</span>"),
        }
    }

    pub(super) fn method(&mut self) {
        let (words, report) = (self.words, self.report);
        self.section("method", words.method);
        if !report.method.searches.is_empty() {
            self.push(&format!("<h3>{}</h3>", text(words.searches)));
            let names = [
                words.query,
                words.status,
                words.pages,
                words.harvest,
                words.satisfaction,
                words.novelty,
            ];
            let names: String = names.iter().map(|it| format!("<th>{}</th>", text(it))).collect();
            self.push(&format!("<table class=\"searches\"><thead><tr>{names}</tr></thead><tbody>"));
            for it in &report.method.searches {
                let refuting = match it.refuting {
                    true => format!(
                        " <span class=\"badge refuted\">{}</span>",
                        text(words.refuting_search)
                    ),
                    false => String::new(),
                };
                let reason = it.stop_reason.as_deref().map(|it| {
                    format!("<br><span class=\"parts\">{}</span>", text(words.code("stop", it)))
                });
                self.push(&format!(
                    "<tr><td>{}{refuting}</td><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    text(&it.query),
                    text(words.code("search", it.status.as_str())),
                    reason.unwrap_or_default(),
                    it.pages,
                    labels::option(it.harvest),
                    labels::option(it.satisfaction),
                    labels::option(it.novelty),
                ));
            }
            self.push("</tbody></table>");
        }
        self.push("<dl class=\"method\">");
        for (name, values) in labels::method(words, report) {
            let values: String = values.iter().map(|it| format!("<dd>{}</dd>", text(it))).collect();
            self.push(&format!("<div><dt>{}</dt>{values}</div>", text(name)));
        }
        self.push("</dl>");
        self.end_section();
    }
}
