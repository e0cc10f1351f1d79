//! Everything behind the findings, as Markdown.

use super::Page;
use crate::escape::{self, markdown as text};
use crate::labels;
use crate::report::{PageName, SetAsideReason, TimelineKind};
use crate::words::fill;

impl Page<'_> {
    pub(super) fn history(&mut self) {
        let (words, timeline) = (self.words, &self.report.timeline);
        if !timeline.years.is_empty() || !timeline.events.is_empty() {
            self.heading(2, words.timeline);
        }
        if !timeline.years.is_empty() {
            let header = [words.years, words.supporting, words.refuting, words.sources];
            self.table_head(&header);
            for it in &timeline.years {
                let sources = self.marks(&it.sources);
                self.row(&[
                    it.year.to_string(),
                    it.supports.to_string(),
                    it.refutes.to_string(),
                    sources,
                ]);
            }
            self.out.push('\n');
            self.left_out(words.timeline_undated, timeline.undated);
        }
        let (shown, left_out) = labels::events(self.report);
        let events: Vec<String> = shown
            .into_iter()
            .map(|it| {
                let date = it.date.as_deref().map_or(words.unknown_date, labels::day);
                let mark = it.source.map(|it| format!(" [{it}]")).unwrap_or_default();
                let name = it.finding.map(|it| labels::finding_name(words, it) + words.colon);
                let recorded = it.recorded_at.map(|at| {
                    format!(" · {}", fill(words.recorded, &[("time", &labels::time(at))]))
                });
                format!(
                    "{} · **{}** · {}{}{mark}{}{}",
                    text(date),
                    labels::kind(words, it.kind),
                    name.unwrap_or_default(),
                    text(&escape::shortened(&it.text, labels::MAX_TITLE)),
                    self.because(it.reason.as_deref()),
                    recorded.unwrap_or_default(),
                )
            })
            .collect();
        self.list(events);
        self.left_out(words.timeline_left_out, left_out);
        self.retractions();
    }

    pub(super) fn retractions(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.retractions.is_empty() {
            return;
        }
        self.heading(2, words.retractions);
        self.block(&text(words.retractions_note));
        let lines: Vec<String> = report
            .retractions
            .iter()
            .map(|it| {
                let date = it.date.as_deref().map_or(words.unknown_date, labels::day);
                let what = match (&it.url, it.kind) {
                    (Some(url), TimelineKind::WorkRetracted) => self.linked(Some(&it.text), url),
                    _ => text(&it.text),
                };
                let mark = it.source.map(|it| format!(" [{it}]")).unwrap_or_default();
                let touched: Vec<String> =
                    it.findings.iter().map(|it| labels::finding_name(words, *it)).collect();
                let touched = match touched.is_empty() {
                    true => String::new(),
                    false => format!(" · {} {}", words.touches, touched.join(words.comma)),
                };
                let kind = labels::kind(words, it.kind);
                let because = self.because(it.reason.as_deref());
                format!("{} · **{kind}** · {what}{mark}{because}{touched}", text(date))
            })
            .collect();
        self.list(lines);
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
        self.heading(2, words.security);
        self.block(&text(words.security_note));
        let lines: Vec<String> = report
            .security
            .iter()
            .map(|it| {
                let facts = labels::security(words, it);
                let facts = facts.iter().map(|it| text(it)).collect::<Vec<_>>().join(" · ");
                format!("{} · {facts}", self.linked(it.title.as_deref(), &it.url))
            })
            .collect();
        self.list(lines);
    }

    pub(super) fn narratives(&mut self) {
        let (words, it) = (self.words, &self.report.narratives);
        if it.pages == 0 {
            return;
        }
        self.heading(2, words.narratives);
        self.block(&text(&labels::narratives(words, it)));
        let lines: Vec<String> = it
            .copied
            .iter()
            .map(|it| {
                let copies: Vec<u32> =
                    it.sources.iter().copied().filter(|other| *other != it.first).collect();
                let (first, copies) = (self.marks(&[it.first]), self.marks(&copies));
                fill(words.narrative_line, &[("first", &first), ("copies", &copies)])
            })
            .collect();
        self.list(lines);
        let repeated: Vec<String> = it
            .repeated
            .iter()
            .map(|it| {
                let name = |it: &PageName| self.linked(it.title.as_deref(), &it.url);
                let copies = it.copies.iter().map(name).collect::<Vec<_>>().join(words.comma);
                fill(words.repeated_line, &[("first", &name(&it.first)), ("copies", &copies)])
            })
            .collect();
        self.list(repeated);
        self.left_out(words.more_left_out, self.report.left_out.narratives);
    }

    pub(super) fn chains(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.chains.is_empty() {
            return;
        }
        self.heading(2, words.chains);
        self.block(&text(words.chains_note));
        let lines: Vec<String> = report
            .chains
            .iter()
            .map(|it| {
                let steps = it.steps.iter().map(|step| {
                    let mark = step.source.map(|it| format!("[{it}] ")).unwrap_or_default();
                    let category = words.code("category", step.category.as_str());
                    let title = self.linked(step.title.as_deref(), &step.url);
                    format!("{mark}{title}{}{category}{}", words.open, words.close)
                });
                steps.collect::<Vec<_>>().join(" → ")
            })
            .collect();
        self.list(lines);
        self.left_out(words.more_left_out, report.left_out.chains);
    }

    pub(super) fn set_aside(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.set_aside.is_empty() {
            return;
        }
        self.heading(2, words.set_aside);
        let lines: Vec<String> = report
            .set_aside
            .iter()
            .map(|it| match it.reason {
                SetAsideReason::Dangerous => {
                    format!("{}{}{}", it.claim_id, words.colon, words.set_aside_dangerous)
                }
                SetAsideReason::NotAdopted => {
                    let detail = self.because(it.detail.as_deref());
                    format!("{} — {}{detail}", text(&it.text), words.set_aside_person)
                }
            })
            .collect();
        self.list(lines);
        self.left_out(words.more_left_out, report.left_out.set_aside);
    }

    pub(super) fn missed(&mut self) {
        let (words, report) = (self.words, self.report);
        if !report.missed.is_empty() {
            self.heading(2, words.missed);
            self.block(&text(words.missed_note));
            let lines: Vec<String> = report
                .missed
                .iter()
                .map(|it| {
                    let reason = text(words.code("missed", &it.reason));
                    let detail = self.because(words.told(it.detail.as_deref()));
                    format!("{} — {reason}{detail}", self.address(&it.url))
                })
                .collect();
            self.list(lines);
            self.left_out(words.more_left_out, report.left_out.missed);
        }
        if !report.unsatisfied.is_empty() {
            self.heading(2, words.unsatisfied);
            self.block(&text(words.unsatisfied_note));
            let lines: Vec<String> = report
                .unsatisfied
                .iter()
                .map(|it| {
                    let facts = labels::unsatisfied(words, it);
                    let facts = facts.iter().map(|it| text(it)).collect::<Vec<_>>().join(" · ");
                    format!("{} — {facts}", text(&it.query))
                })
                .collect();
            self.list(lines);
        }
        if !report.unread.is_empty() {
            self.heading(2, words.unread);
            self.block(&text(words.unread_note));
            let lines: Vec<String> = report
                .unread
                .iter()
                .map(|it| {
                    let place = labels::place(words, it);
                    format!("{} — {}", self.linked(it.title.as_deref(), &it.url), text(&place))
                })
                .collect();
            self.list(lines);
            self.left_out(words.more_left_out, report.left_out.unread);
        }
    }

    pub(super) fn reliability(&mut self) {
        let lines = labels::reliability(self.words, self.report);
        self.heading(2, self.words.reliability);
        self.list(lines.iter().map(|it| text(it)));
    }

    pub(super) fn sources(&mut self) {
        let (words, report) = (self.words, self.report);
        if report.sources.is_empty() {
            return;
        }
        self.heading(2, words.sources);
        for it in &report.sources {
            let title = text(&escape::shortened(
                labels::title(it.title.as_deref(), &it.url),
                labels::MAX_TITLE,
            ));
            let facts = labels::source_facts(words, it);
            let facts = facts.iter().map(|it| text(it)).collect::<Vec<_>>().join(" · ");
            let address = self.address(&it.url);
            self.out.push_str(&format!("- **[{}]** {title}. {address} · {facts}\n", it.number));
        }
        self.out.push('\n');
    }

    pub(super) fn method(&mut self) {
        let (words, report) = (self.words, self.report);
        self.heading(2, words.method);
        if !report.method.searches.is_empty() {
            self.table_head(&[
                words.query,
                words.status,
                words.pages,
                words.harvest,
                words.satisfaction,
                words.novelty,
            ]);
            for it in &report.method.searches {
                let refuting = match it.refuting {
                    true => format!("{}{}{}", words.open, words.refuting_search, words.close),
                    false => String::new(),
                };
                self.row(&[
                    text(&it.query) + &refuting,
                    words.code("search", it.status.as_str()).to_owned(),
                    it.pages.to_string(),
                    labels::option(it.harvest),
                    labels::option(it.satisfaction),
                    labels::option(it.novelty),
                ]);
            }
            self.out.push('\n');
        }
        let facts = labels::method(words, report);
        let lines = facts.iter().map(|(name, values)| {
            let values = values.iter().map(|it| text(it)).collect::<Vec<_>>().join(" · ");
            format!("**{name}**{}{values}", words.colon)
        });
        let lines: Vec<String> = lines.collect();
        self.list(lines);
        let values =
            [("version", &*report.method.lyra_version), ("task", &report.task_id.to_string())];
        self.block(&format!("*{}*", text(&fill(words.made_by, &values))));
    }

    fn table_head(&mut self, names: &[&str]) {
        self.out.push_str(&format!("| {} |\n", names.join(" | ")));
        self.out.push_str(&format!("|{}\n", " --- |".repeat(names.len())));
    }

    fn row(&mut self, cells: &[String]) {
        self.out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}
