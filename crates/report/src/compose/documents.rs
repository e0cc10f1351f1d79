//! What each document says about the question, a row for each, and which say nothing.

use super::{Composer, phrases};
use crate::document::{Block, Line, Look, Span};
use crate::escape::shortened;
use crate::report::{DocumentRow, Says};
use crate::words::fill;

/// Documents that are named as not being about the question.
const MAX_NAMED: usize = 20;
/// Characters of a title in a row.
const MAX_ROW_TITLE: usize = 90;

impl Composer<'_> {
    pub(super) fn documents(self) -> Vec<Block> {
        let (words, report) = (self.words, self.report);
        let (silent, speaking): (Vec<_>, Vec<_>) =
            report.documents.iter().partition(|it| it.says == Says::NotAbout);
        let mut blocks = Vec::new();
        if !speaking.is_empty() {
            let header =
                [&words.document, &words.year, &words.document_says, &words.document_words];
            blocks.push(Block::note(&words.documents_note));
            blocks.push(Block::Table {
                look: Look::Documents,
                header: header.map(String::clone).into(),
                rows: speaking.into_iter().map(|it| self.document(it)).collect(),
            });
        }
        if !silent.is_empty() {
            blocks.push(Block::note(self.silent(&silent)));
        }
        blocks.extend(self.left_out(&words.more_left_out, report.left_out.documents));
        blocks
    }

    fn document(self, row: &DocumentRow) -> Vec<Line> {
        let words = self.words;
        let title = self.name(row);
        let document = match row.source {
            Some(number) => Line::default().span(Span::Mark(number)).text(" ").and(title),
            None => title,
        };
        let year = row.year.map_or_else(|| "–".to_owned(), |it| it.to_string());
        let facts = [
            row.statement_kind.map(|it| words.codes.statement.word(it.as_str())),
            row.uncounted.map(|it| words.codes.uncounted.word(it.as_str())),
        ];
        let facts: Vec<&str> = facts.into_iter().flatten().collect();
        let says = words.codes.says.word(row.says.code());
        let says = match facts.is_empty() {
            true => says.to_owned(),
            false => format!("{says}{}{}{}", words.open, facts.join(&words.comma), words.close),
        };
        let quote = row
            .quote
            .as_ref()
            .map(|quote| format!("{}{}{}", words.quote_open, quote.trim(), words.quote_close));
        vec![document, Line::from(year), Line::from(says), Line::from(quote.unwrap_or_default())]
    }

    fn name(self, row: &DocumentRow) -> Line {
        let title = phrases::title(row.title.as_deref(), &row.url);
        let title = shortened(title, MAX_ROW_TITLE).into_owned();
        phrases::linked(Some(&title), &row.url, row.source.is_some())
    }

    /// The documents that are not about the question, by name.
    fn silent(self, rows: &[&DocumentRow]) -> Line {
        let words = self.words;
        let label = fill(&words.documents_silent, &[("n", &rows.len().to_string())]);
        let names = rows.iter().take(MAX_NAMED).map(|row| {
            let title = phrases::title(row.title.as_deref(), &row.url);
            Line::from(shortened(title, MAX_ROW_TITLE))
        });
        let line = Line::from(label).text(&words.colon).and(Line::joined(names, &words.semicolon));
        match rows.len().saturating_sub(MAX_NAMED) {
            0 => line,
            more => {
                let more = fill(&words.more, &[("n", &more.to_string())]);
                line.text(&words.semicolon).text(more)
            }
        }
    }
}
