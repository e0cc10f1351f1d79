//! A document as plain text for a terminal: in lines of its width, without markup or control characters.

use super::marks;
use crate::document::{
    Block, Document, Item, Level, Line, Link, Look, Measures, Punctuation, Quote, Span,
};
use crate::escape::{self, plain};
use crate::wrap::{lines, width};

/// Longer lines are hard to read, shorter ones cannot hold a table.
const COLUMNS: std::ops::RangeInclusive<usize> = 40..=100;

impl Document {
    /// Plain text in lines of at most `columns` cells, as far as words allow.
    pub fn text(&self, columns: usize) -> String {
        self.written(columns, false)
    }

    /// The same for a terminal that shows bold and colours.
    pub fn styled(&self, columns: usize) -> String {
        self.written(columns, true)
    }

    fn written(&self, columns: usize, styled: bool) -> String {
        let columns = columns.clamp(*COLUMNS.start(), *COLUMNS.end());
        let (punctuation, side) = (self.punctuation, None);
        let mut page = Page { punctuation, columns, styled, side, out: String::new() };
        page.heading(&self.title, '═');
        let fact = |(name, value): &(String, String)| {
            plain(&format!("{name}{}{value}", self.punctuation.colon))
        };
        let facts = std::iter::once(plain(&self.kind)).chain(self.facts.iter().map(fact));
        if !self.facts.is_empty() {
            let facts = facts.collect::<Vec<_>>().join(" · ");
            page.painted(DIM, |it| it.wrapped("", "", &facts));
            page.space();
        }
        page.blocks(&self.preface);
        for section in &self.sections {
            let before = page.out.len();
            page.blocks(&section.blocks);
            let body = page.out.split_off(before);
            // All it has may be drawings.
            if !body.is_empty() {
                if !section.heading.is_empty() {
                    page.heading(&section.heading, '─');
                }
                page.out.push_str(&body);
            }
        }
        page.wrapped("", "", &plain(self.footer.as_deref().unwrap_or_default()));
        page.out.trim_end().to_owned() + "\n"
    }
}

/// How a terminal is told to show a line (SGR).
type Paint = &'static str;
const BOLD: Paint = "1";
const DIM: Paint = "2";
const GREEN: Paint = "32";
const RED: Paint = "31";

struct Page {
    punctuation: Punctuation,
    columns: usize,
    /// Whether lines are painted.
    styled: bool,
    /// The colour of the side that is written.
    side: Option<Paint>,
    out: String,
}

impl Page {
    /// Text in lines, of which the first and the others begin with signs of ours.
    fn wrapped(&mut self, first: &str, others: &str, text: &str) {
        for (index, line) in lines(text, self.columns - width(first)).iter().enumerate() {
            let line = format!("{}{line}", if index == 0 { first } else { others });
            self.out.push_str(line.trim_end());
            self.out.push('\n');
        }
    }

    /// Paints the lines that `write` writes, without what they are indented by. What is painted is not painted again.
    fn painted(&mut self, paint: Paint, write: impl FnOnce(&mut Self)) {
        let before = self.out.len();
        write(self);
        if !self.styled {
            return;
        }
        let written = self.out.split_off(before);
        for line in written.lines() {
            let text = line.trim_start();
            let indent = &line[..line.len() - text.len()];
            match text.is_empty() {
                true => self.out.push('\n'),
                false => self.out += &format!("{indent}\x1b[{paint}m{text}\x1b[0m\n"),
            }
        }
    }

    fn space(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn heading(&mut self, heading: &str, rule: char) {
        let heading = plain(heading);
        self.painted(BOLD, |it| it.wrapped("", "", &heading));
        let rule: String = std::iter::repeat_n(rule, width(&heading).min(self.columns)).collect();
        self.painted(DIM, |it| it.out += &format!("{rule}\n"));
        self.out.push('\n');
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(Level::Side, heading) => {
                let heading = self.line(heading) + self.punctuation.colon;
                self.painted(self.side.unwrap_or(BOLD), |it| it.wrapped("", "", &heading));
            }
            Block::Heading(_, heading) => {
                let heading = self.line(heading);
                self.painted(BOLD, |it| it.wrapped("", "", &heading));
            }
            Block::Paragraph(look, words) => {
                let words = self.line(words);
                match paint_of(*look) {
                    Some(paint) => self.painted(paint, |it| it.wrapped("", "", &words)),
                    None => self.wrapped("", "", &words),
                }
            }
            Block::List(_, items) => items.iter().for_each(|item| self.item(item)),
            Block::Table { header, rows, .. } => self.table(header, rows),
            Block::Numbers(numbers) => self.numbers(numbers),
            Block::Facts(facts) => {
                for (name, values) in facts {
                    let values = values.join(" · ");
                    let fact = plain(&format!("{name}{}{values}", self.punctuation.colon));
                    self.wrapped("• ", "  ", &fact);
                }
            }
            Block::Measures(it) => self.painted(DIM, |page| page.wrapped("", "", &measures(it))),
            Block::Quote(it) => self.quote(it),
            Block::Figure(figure) => return self.blocks(&figure.instead),
            Block::Fold { blocks, .. } => return self.blocks(blocks),
            Block::Group { look, blocks, .. } => {
                let outside = self.side;
                self.side = match look {
                    Look::Supports => Some(GREEN),
                    Look::Refutes => Some(RED),
                    _ => outside,
                };
                self.blocks(blocks);
                self.side = outside;
                return;
            }
        }
        self.space();
    }

    /// An entry, whose blocks begin a line each.
    fn item(&mut self, item: &Item) {
        for (index, block) in item.blocks.iter().enumerate() {
            let (text, paint) = match block {
                Block::Measures(it) => (measures(it), Some(DIM)),
                Block::Paragraph(look, words) => (self.line(words), paint_of(*look)),
                Block::Heading(_, words) => (self.line(words), Some(BOLD)),
                other => {
                    self.block(other);
                    continue;
                }
            };
            let first = if index == 0 { "• " } else { "  " };
            match paint {
                Some(paint) => self.painted(paint, |it| it.wrapped(first, "  ", &text)),
                None => self.wrapped(first, "  ", &text),
            }
        }
    }

    fn numbers(&mut self, numbers: &[(String, String)]) {
        let widest = numbers.iter().map(|(number, _)| width(number)).max().unwrap_or(0);
        let others = " ".repeat(widest + 2);
        for (number, what) in numbers {
            let number = plain(number);
            let first = format!("{}{number}  ", " ".repeat(widest - width(&number)));
            self.wrapped(&first, &others, &plain(what));
        }
    }

    fn quote(&mut self, quote: &Quote) {
        for line in quote.text.lines() {
            self.wrapped("  │ ", "  │ ", &plain(line));
        }
        let facts = quote.facts.iter().map(|fact| self.line(fact));
        let source = std::iter::once(self.line(&quote.source)).chain(facts);
        let source = source.collect::<Vec<_>>().join(" · ");
        self.painted(DIM, |it| it.wrapped("  — ", "    ", &source));
        if let Some(copies) = &quote.copies {
            let copies = self.line(copies);
            self.painted(DIM, |it| it.wrapped("    ", "    ", &copies));
        }
    }

    /// Columns as wide as their cells; where that is too wide, the widest is broken into lines, and where even single
    /// words are too wide, each row is an entry.
    fn table(&mut self, header: &[String], rows: &[Vec<Line>]) {
        let header: Vec<String> = header.iter().map(|name| plain(name)).collect();
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| self.line(cell)).collect()).collect();
        let Some(widths) = column_widths(&header, &rows, self.columns) else {
            let colon = self.punctuation.colon;
            for row in &rows {
                let cells =
                    header.iter().zip(row).map(|(name, cell)| format!("{name}{colon}{cell}"));
                self.wrapped("• ", "  ", &cells.collect::<Vec<_>>().join(" · "));
            }
            return;
        };
        for row in std::iter::once(&header).chain(&rows) {
            let cells: Vec<Vec<String>> =
                row.iter().zip(&widths).map(|(cell, width)| lines(cell, *width)).collect();
            for index in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let line = cells.iter().zip(&widths).map(|(cell, column)| {
                    let text = cell.get(index).map_or("", String::as_str);
                    format!("{text}{}", " ".repeat(column.saturating_sub(width(text))))
                });
                self.out.push_str(line.collect::<Vec<_>>().join("  ").trim_end());
                self.out.push('\n');
            }
        }
    }

    fn line(&self, line: &Line) -> String {
        let mut out = String::new();
        for span in &line.0 {
            let written = match span {
                Span::Text(text) | Span::Code(text) | Span::Badge(_, text) => plain(text),
                Span::Reference(_, name) => plain(name),
                Span::Strong(line) | Span::Styled(_, line) => self.line(line),
                Span::Aside(_, line) => {
                    let Punctuation { open, close, .. } = self.punctuation;
                    format!("{open}{}{close}", self.line(line))
                }
                Span::Mark(number) => format!("[{number}]"),
                Span::Marks(numbers, more) => marks(numbers, more.as_deref().map(plain), &out),
                Span::Link(link) => outward(link),
            };
            out.push_str(&written);
        }
        out
    }
}

fn paint_of(look: Look) -> Option<Paint> {
    match look {
        Look::Note | Look::Details | Look::Limits => Some(DIM),
        Look::Verdict | Look::Usual => Some(BOLD),
        Look::Supported => Some("1;32"),
        Look::Refuted => Some("1;31"),
        Look::Disputed => Some("1;33"),
        _ => None,
    }
}

/// How wide each column of a table is, with two cells between columns; nothing if it cannot fit.
fn column_widths(header: &[String], rows: &[Vec<String>], columns: usize) -> Option<Vec<usize>> {
    let column =
        |index: usize| header.get(index).into_iter().chain(rows.iter().map(move |it| &it[index]));
    let widest = |cell: &String, cells| lines(cell, cells).iter().map(|it| width(it)).max();
    let wanted = |cells: usize| -> Vec<usize> {
        let all =
            (0..header.len()).map(|index| column(index).filter_map(|it| widest(it, cells)).max());
        all.map(Option::unwrap_or_default).collect()
    };
    let (least, mut widths) = (wanted(1), wanted(usize::MAX));
    let room = columns.saturating_sub(2 * header.len().saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let can_shrink = |(width, least): &(&mut usize, &usize)| **width > **least;
        let widest = widths.iter_mut().zip(&least).filter(can_shrink).max();
        *widest?.0 -= 1;
    }
    Some(widths)
}

fn measures(measures: &Measures) -> String {
    let badge = measures.badge.iter().map(|(_, name)| name.clone());
    plain(&badge.chain(measures.numbers()).collect::<Vec<_>>().join(" · "))
}

/// A name, with its address where that is not listed with the sources.
fn outward(link: &Link) -> String {
    let name = plain(&link.text);
    match escape::link(&link.url) {
        Some(url) if link.text == link.url => plain(&url),
        Some(url) if !link.listed => format!("{name} <{}>", plain(&url)),
        _ => name,
    }
}
