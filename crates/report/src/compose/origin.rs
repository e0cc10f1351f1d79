//! Where the evidence comes from, and what to beware of: instructions to machines, copies, the way to primary sources.

use super::{Composer, phrases};
use crate::document::{Block, Item, Line, Look, Span};
use crate::report::{Chain, FlaggedPage, Narrative, PageName, Repeated};
use crate::words::{fill, fill_line};

impl Composer<'_> {
    pub(super) fn security(self) -> Vec<Block> {
        let pages = &self.report.security;
        if pages.is_empty() {
            return Vec::new();
        }
        let items = pages.iter().map(|page| self.flagged(page));
        vec![Block::note(&self.words.security_note), Block::entries(items)]
    }

    /// What was found on a flagged page, and whether it had influence.
    fn flagged(self, page: &FlaggedPage) -> Item {
        let words = self.words;
        let (visible, hidden) = (page.visible_places.to_string(), page.hidden_places.to_string());
        let rules = page.rules.join(&words.comma);
        let values = [("visible", &*visible), ("hidden", &*hidden), ("rules", &*rules)];
        let (look, influence) = match page.influenced_judgements {
            0 => (Look::Calm, words.security_no_influence.clone()),
            count => {
                let warning = fill(&words.security_influence, &[("n", &count.to_string())]);
                (Look::Alarm, warning)
            }
        };
        let other = (page.other_judgements > 0)
            .then(|| fill(&words.security_other, &[("n", &page.other_judgements.to_string())]));
        let facts = [
            Some(phrases::linked(page.title.as_deref(), &page.url, false)),
            Some(Line::from(fill(&words.security_places, &values))),
            Some(Line::default().strong(influence)),
            other.map(Line::from),
        ];
        Item { look, ..Item::from(Line::joined(facts.into_iter().flatten(), " · ")) }
    }

    pub(super) fn narratives(self) -> Vec<Block> {
        let (words, narratives) = (self.words, &self.report.narratives);
        if narratives.pages == 0 {
            return Vec::new();
        }
        let values = [
            ("pages", &*narratives.pages.to_string()),
            ("clusters", &narratives.clusters.to_string()),
            ("share", &phrases::percent(narratives.largest_share)),
        ];
        let (look, limit) = match narratives.above_limit {
            true => (Look::Alarm, &words.narratives_above),
            false => (Look::Calm, &words.narratives_below),
        };
        let limit = fill(limit, &[("limit", &phrases::percent(narratives.limit))]);
        let found = fill(&words.narratives_note, &values);
        let found = self.sentences([Line::from(found), Line::from(limit)]);
        let copied = narratives.copied.iter().map(|narrative| self.narrative(narrative));
        let repeated = narratives.repeated.iter().map(|repeated| self.repeated(repeated));
        let lines = copied.chain(repeated).collect();
        let lines = self.listed(None, lines, self.report.left_out.narratives);
        std::iter::once(Block::Paragraph(look, found)).chain(lines).collect()
    }

    fn narrative(self, narrative: &Narrative) -> Line {
        let mark = |number: u32| Line::default().span(Span::Mark(number));
        let copies = narrative.sources.iter().filter(|number| **number != narrative.first);
        let copies = Line::joined(copies.map(|number| mark(*number)), "");
        let values = [("first", mark(narrative.first)), ("copies", copies)];
        fill_line(&self.words.narrative_line, &values)
    }

    fn repeated(self, repeated: &Repeated) -> Line {
        let words = self.words;
        let name = |page: &PageName| phrases::linked(page.title.as_deref(), &page.url, false);
        let copies = Line::joined(repeated.copies.iter().map(name), &words.comma);
        let values = [("first", name(&repeated.first)), ("copies", copies)];
        fill_line(&words.repeated_line, &values)
    }

    pub(super) fn chains(self) -> Vec<Block> {
        let chains = &self.report.chains;
        let lines = chains.iter().map(|chain| self.chain(chain)).collect();
        self.listed(Some(&self.words.chains_note), lines, self.report.left_out.chains)
    }

    fn chain(self, chain: &Chain) -> Line {
        let steps = chain.steps.iter().map(|step| {
            let line = match step.source {
                Some(number) => Line::default().span(Span::Mark(number)).text(" "),
                None => Line::default(),
            };
            let title = phrases::linked(step.title.as_deref(), &step.url, step.source.is_some());
            line.and(title).aside(Look::Details, self.category(step.category))
        });
        Line::joined(steps, " → ")
    }
}
