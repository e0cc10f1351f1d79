//! What is not in the findings: claims set aside, pages that were missed or not read, searches that fell short.

use super::{Composer, phrases};
use crate::document::{Block, Line, Look, Span};
use crate::report::{SetAside, SetAsideReason, Unread, UnsatisfiedSearch};
use crate::words::fill;

impl Composer<'_> {
    pub(super) fn set_aside(self) -> Vec<Block> {
        let words = self.words;
        let line = |claim: &SetAside| match claim.reason {
            SetAsideReason::Dangerous => Line::default()
                .span(Span::Code(claim.claim_id.to_string()))
                .text(format!(" — {}", words.set_aside_dangerous)),
            SetAsideReason::NotAdopted => Line::from(claim.text.trim())
                .text(format!(" — {}", words.set_aside_person))
                .text(self.because(claim.detail.as_deref())),
        };
        let lines = self.report.set_aside.iter().map(line).collect();
        self.listed(None, lines, self.report.left_out.set_aside)
    }

    pub(super) fn missed(self) -> Vec<Block> {
        let words = self.words;
        let lines = self.report.missed.iter().map(|missed| {
            let reason = words.codes.missed.word(&missed.reason);
            let detail = self.because(self.told(missed.detail.as_deref()));
            phrases::address(&missed.url).text(" — ").text(reason).text(detail)
        });
        self.listed(Some(&words.missed_note), lines.collect(), self.report.left_out.missed)
    }

    pub(super) fn unsatisfied(self) -> Vec<Block> {
        let lines = self.report.unsatisfied.iter().map(|search| self.fell_short(search));
        self.listed(Some(&self.words.unsatisfied_note), lines.collect(), 0)
    }

    fn fell_short(self, search: &UnsatisfiedSearch) -> Line {
        let words = self.words;
        let sources = search.independent_sources;
        let facts = [
            Some(words.codes.search.word(search.status.as_str()).to_owned()),
            search.stop_reason.map(|reason| words.codes.stop.word(reason.as_str()).to_owned()),
            Some(format!("{} {}", words.satisfaction, or_dash(search.satisfaction))),
            sources.map(|count| format!("{} {count}", words.independent_sources)),
        ];
        let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        Line::from(search.query.trim()).text(" — ").styled(Look::Details, facts)
    }

    pub(super) fn unread(self) -> Vec<Block> {
        let lines = self.report.unread.iter().map(|page| {
            let title = phrases::linked(page.title.as_deref(), &page.url, false);
            title.text(" — ").styled(Look::Details, self.place(page))
        });
        let left_out = self.report.left_out.unread;
        self.listed(Some(&self.words.unread_note), lines.collect(), left_out)
    }

    /// Where an engine listed a candidate.
    fn place(self, page: &Unread) -> String {
        let words = self.words;
        let query = format!("{}{}{}", words.quote_open, page.query.trim(), words.quote_close);
        let rank = page.rank.to_string();
        fill(&words.rank_line, &[("engine", &page.engine), ("rank", &rank), ("query", &query)])
    }
}

pub(super) fn or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), phrases::two)
}
