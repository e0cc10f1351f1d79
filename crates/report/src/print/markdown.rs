//! A document as Markdown: plain enough to read as it is, to mail, and to keep under version control.

use super::marks;
use crate::document::{
    Block, Document, Item, Level, Line, Measures, Punctuation, Quote, Section, Span,
};
use crate::escape::{self, LinePosition};

impl Document {
    /// Markdown.
    pub fn markdown(&self) -> String {
        let parts: Vec<String> = self.markdown_parts().into_iter().map(|it| it.markdown).collect();
        parts.join("\n\n") + "\n"
    }

    /// The same in its parts, which an empty line joins.
    pub fn markdown_parts(&self) -> Vec<Part> {
        let printer = Printer(self.punctuation);
        let fact = |(name, value): &(String, String)| {
            printer.inside(&format!("{name}{}{value}", self.punctuation.colon))
        };
        let facts = self.facts.iter().map(fact).collect::<Vec<_>>().join(" · ");
        let title = printer.inside(&self.title);
        let kind = printer.inside(&self.kind);
        let mut head = vec![format!("# {title}"), format!("**{kind}** · {facts}")];
        head.extend(printer.blocks(&self.preface));
        // A section of drawings alone has nothing to say here.
        let part = |name, title: &str, blocks: Vec<String>| {
            let title = title.to_owned();
            (!blocks.is_empty()).then(|| Part { name, title, markdown: blocks.join("\n\n") })
        };
        let mut parts = vec![part("head", &self.kind, head)];
        parts.extend(
            self.sections
                .iter()
                .map(|section| part(section.id.name(), &section.heading, printer.section(section))),
        );
        let footer = self.footer.as_deref().map(|it| format!("*{}*", printer.inside(it)));
        parts.push(part("footer", "", footer.into_iter().collect()));
        parts.into_iter().flatten().collect()
    }
}

/// A part of a document that can be shown alone: what is above the sections, a section, or the line below them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The same in every language.
    pub name: &'static str,
    pub title: String,
    pub markdown: String,
}

#[derive(Clone, Copy)]
struct Printer(Punctuation);

impl Printer {
    /// A section; nothing if all it has is drawings.
    fn section(self, section: &Section) -> Vec<String> {
        let mut blocks = self.blocks(&section.blocks);
        if !blocks.is_empty() {
            blocks.insert(0, format!("## {}", self.inside(&section.heading)));
        }
        blocks
    }

    fn blocks(self, blocks: &[Block]) -> Vec<String> {
        blocks.iter().flat_map(|block| self.block(block)).collect()
    }

    fn block(self, block: &Block) -> Vec<String> {
        let one = match block {
            Block::Heading(level, heading) => {
                let heading = self.spans(heading, &mut LinePosition::Inside);
                match level {
                    Level::Part => format!("### {heading}"),
                    Level::Side => format!("**{heading}**"),
                    Level::Notes => format!("*{heading}*"),
                }
            }
            Block::Paragraph(_, words) => self.line(words),
            Block::List(_, items) => {
                items.iter().map(|item| self.item(item)).collect::<Vec<_>>().join("\n")
            }
            Block::Table { header, rows, .. } => self.table(header, rows),
            Block::Numbers(numbers) => {
                let number = |(number, what): &(String, String)| {
                    format!("- **{}** {}", self.inside(number), self.inside(what))
                };
                numbers.iter().map(number).collect::<Vec<_>>().join("\n")
            }
            Block::Facts(facts) => {
                let fact = |(name, values): &(String, Vec<String>)| {
                    let values: Vec<String> = values.iter().map(|it| self.inside(it)).collect();
                    format!("- **{}**{}{}", self.inside(name), self.0.colon, values.join(" · "))
                };
                facts.iter().map(fact).collect::<Vec<_>>().join("\n")
            }
            Block::Measures(it) => self.measures(it),
            Block::Quote(it) => self.quote(it),
            Block::Figure(figure) => return self.blocks(&figure.instead),
            Block::Group { blocks, .. } | Block::Fold { blocks, .. } => return self.blocks(blocks),
        };
        vec![one]
    }

    /// An entry, whose blocks begin a line each.
    fn item(self, item: &Item) -> String {
        format!("- {}", self.blocks(&item.blocks).join("  \n  "))
    }

    fn table(self, header: &[String], rows: &[Vec<Line>]) -> String {
        let names: Vec<String> = header.iter().map(|it| self.inside(it)).collect();
        let head = format!("| {} |\n|{}", names.join(" | "), " --- |".repeat(names.len()));
        let rows = rows.iter().map(|row| {
            let cells: Vec<String> =
                row.iter().map(|cell| self.spans(cell, &mut LinePosition::Inside)).collect();
            format!("| {} |", cells.join(" | "))
        });
        std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n")
    }

    fn measures(self, measures: &Measures) -> String {
        let badge = measures.badge.iter().map(|(_, name)| format!("**{}**", self.inside(name)));
        let numbers = measures.numbers().map(|number| self.inside(&number));
        badge.chain(numbers).collect::<Vec<_>>().join(" · ")
    }

    fn quote(self, quote: &Quote) -> String {
        let lines = quote.text.lines().map(|line| escape::markdown(line, &mut LinePosition::Start));
        let mut lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        let mut source = vec![self.line(&quote.source)];
        source.extend(quote.facts.iter().map(|fact| self.line(fact)));
        let passage = quote.passage.as_ref();
        let passage = passage.and_then(|(name, url)| Some((name, escape::link(url)?)));
        source.extend(passage.map(|(name, url)| format!("[{}]({url})", self.inside(name))));
        lines.extend([String::new(), format!("— {}", source.join(" · "))]);
        if let Some(copies) = &quote.copies {
            lines.extend([String::new(), self.line(copies)]);
        }
        let lines: Vec<String> =
            lines.iter().map(|line| format!("> {line}").trim_end().to_owned()).collect();
        lines.join("\n")
    }

    /// Text that does not begin a line.
    fn inside(self, text: &str) -> String {
        escape::markdown(text, &mut LinePosition::Inside)
    }

    fn line(self, line: &Line) -> String {
        self.spans(line, &mut LinePosition::Start)
    }

    fn spans(self, line: &Line, position: &mut LinePosition) -> String {
        let mut out = String::new();
        for span in &line.0 {
            let inner = |line: &Line| self.spans(line, &mut LinePosition::Inside);
            let written = match span {
                Span::Text(text) | Span::Code(text) => escape::markdown(text, position),
                Span::Reference(_, name) => escape::markdown(name, position),
                Span::Styled(_, line) => self.spans(line, position),
                Span::Strong(line) => format!("**{}**", inner(line)),
                Span::Badge(_, name) => format!("**{}**", self.inside(name)),
                Span::Aside(_, line) => format!("{}{}{}", self.0.open, inner(line), self.0.close),
                Span::Mark(number) => format!("[{number}]"),
                Span::Marks(numbers, more) => {
                    marks(numbers, more.as_deref().map(|more| self.inside(more)), &out)
                }
                Span::Link(link) => match escape::link(&link.url) {
                    // An address as it is, complete.
                    Some(url) if link.text == link.url => format!("<{url}>"),
                    Some(url) => format!("[{}]({url})", self.inside(&link.text)),
                    None => escape::markdown(&link.text, position),
                },
            };
            if !written.is_empty() {
                *position =
                    if *position == LinePosition::Start { LinePosition::Inside } else { *position };
            }
            out.push_str(&written);
        }
        out
    }
}
