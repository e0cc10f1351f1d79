//! A document as an office document (OOXML), for Word, LibreOffice, Pages and Google Docs.
//!
//! Looks are styles, so that whoever gets the file can change them in one place. Drawings are left to HTML; what says
//! the same in words stands in their place.

mod zip;

use crate::document::{
    Anchor, Block, Document, Item, Level, Line, Link, Look, Measures, Punctuation, Quote, Span,
};
use crate::escape::{self, html as text};

const CONTENT_TYPES: &str = include_str!("docx/content_types.xml");
const PACKAGE: &str = include_str!("docx/package.xml");
const STYLES: &str = include_str!("docx/styles.xml");
const NUMBERING: &str = include_str!("docx/numbering.xml");
const FOOTER: &str = include_str!("docx/footer.xml");

const DOCUMENT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
    <w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><w:body>";
/// A4 with the page number below.
const END: &str = "<w:sectPr><w:footerReference w:type=\"default\" r:id=\"footer\"/>\
    <w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1134\" w:right=\"1134\" w:bottom=\"1134\" w:left=\"1134\" \
    w:header=\"567\" w:footer=\"567\" w:gutter=\"0\"/></w:sectPr></w:body></w:document>";
const RELATIONSHIPS: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
    <Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
    <Relationship Id=\"styles\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles\" Target=\"styles.xml\"/>\
    <Relationship Id=\"numbering\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering\" Target=\"numbering.xml\"/>\
    <Relationship Id=\"footer\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/footer\" Target=\"footer.xml\"/>";
/// The width between the margins, in twentieths of a point.
const WIDTH: usize = 9638;

impl Document {
    /// The bytes of a DOCX file; the same document gives the same bytes.
    pub fn docx(&self) -> Vec<u8> {
        let mut printer =
            Printer { punctuation: self.punctuation, links: Vec::new(), bookmarks: 0 };
        let body = printer.document(self);
        let mut relationships = RELATIONSHIPS.to_owned();
        for (number, url) in printer.links.iter().enumerate() {
            let url = text(url);
            relationships.push_str(&format!(
                "<Relationship Id=\"link{number}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink\" \
                 Target=\"{url}\" TargetMode=\"External\"/>"
            ));
        }
        relationships.push_str("</Relationships>");
        let tag = if self.language == "ja" { "ja-JP" } else { "en-GB" };
        let styles = STYLES.replace("{language}", tag);
        let properties = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
             <cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
             xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>{}</dc:title><dc:creator>{}</dc:creator>\
             <dc:language>{tag}</dc:language></cp:coreProperties>",
            text(&self.title),
            text(&self.generator)
        );
        zip::zip(&[
            ("[Content_Types].xml", CONTENT_TYPES.as_bytes()),
            ("_rels/.rels", PACKAGE.as_bytes()),
            ("docProps/core.xml", properties.as_bytes()),
            ("word/document.xml", body.as_bytes()),
            ("word/_rels/document.xml.rels", relationships.as_bytes()),
            ("word/styles.xml", styles.as_bytes()),
            ("word/numbering.xml", NUMBERING.as_bytes()),
            ("word/footer.xml", FOOTER.as_bytes()),
        ])
    }
}

struct Printer {
    punctuation: Punctuation,
    /// Addresses that lead out, by number.
    links: Vec<String>,
    bookmarks: usize,
}

impl Printer {
    fn document(&mut self, document: &Document) -> String {
        let mut out = DOCUMENT.to_owned();
        let kind = format!("{} · {}", document.generator, document.kind);
        out.push_str(&paragraph("Subtitle", &run(&kind, "")));
        out.push_str(&paragraph("Title", &run(&document.title, "")));
        let colon = self.punctuation.colon;
        let facts: Vec<String> =
            document.facts.iter().map(|(name, value)| format!("{name}{colon}{value}")).collect();
        out.push_str(&paragraph("Note", &run(&facts.join(" · "), "")));
        out.push_str(&self.blocks(&document.preface));
        for section in &document.sections {
            let body = self.blocks(&section.blocks);
            if !body.is_empty() {
                out.push_str(&paragraph("Heading1", &run(&section.heading, "")));
                out.push_str(&body);
            }
        }
        if let Some(footer) = &document.footer {
            out.push_str(&paragraph("Note", &run(footer, "")));
        }
        out + END
    }

    fn blocks(&mut self, blocks: &[Block]) -> String {
        blocks.iter().map(|it| self.block(it)).collect()
    }

    fn block(&mut self, block: &Block) -> String {
        match block {
            Block::Heading(level, heading) => {
                let style = match level {
                    Level::Part => "Heading2",
                    Level::Side => "Heading3",
                    Level::Notes => "Heading4",
                };
                paragraph(style, &self.line(heading))
            }
            Block::Paragraph(look, words) => paragraph(style(*look), &self.line(words)),
            Block::List(look, items) => {
                items.iter().enumerate().map(|(place, it)| self.item(*look, place, it)).collect()
            }
            Block::Table { header, rows, look } => self.table(*look, header, rows),
            Block::Numbers(numbers) => {
                let number = |(number, what): &(String, String)| {
                    listed(&(run(number, "<w:b/>") + &run(&format!(" {what}"), "")))
                };
                numbers.iter().map(number).collect()
            }
            Block::Facts(facts) => {
                let fact = |(name, values): &(String, Vec<String>)| {
                    let values = values.iter().map(|it| listed(&run(it, "")));
                    paragraph("Heading4", &run(name, "")) + &values.collect::<String>()
                };
                facts.iter().map(fact).collect()
            }
            Block::Measures(it) => paragraph("Note", &measures(it)),
            Block::Quote(it) => self.quote(it),
            Block::Figure(it) => match &*it.instead {
                [] => String::new(),
                instead => paragraph("Note", &run(&it.caption, "")) + &self.blocks(instead),
            },
            Block::Fold { blocks, .. } => self.blocks(blocks),
            Block::Group { anchor, blocks, .. } => {
                let anchor = anchor.map_or_else(String::new, |it| self.bookmark(it));
                anchor + &self.blocks(blocks)
            }
        }
    }

    /// A mark at the place that references lead to.
    fn bookmark(&mut self, anchor: Anchor) -> String {
        self.bookmarks += 1;
        let (id, name) = (self.bookmarks, target(anchor));
        format!("<w:bookmarkStart w:id=\"{id}\" w:name=\"{name}\"/><w:bookmarkEnd w:id=\"{id}\"/>")
    }

    fn item(&mut self, look: Look, place: usize, item: &Item) -> String {
        let anchor = item.anchor.map_or_else(String::new, |it| self.bookmark(it));
        let body = match item.blocks.as_slice() {
            [Block::Paragraph(_, only)] => match look {
                Look::Sources => paragraph("Source", &self.line(only)),
                _ => listed(&self.line(only)),
            },
            [Block::Paragraph(_, first), rest @ ..] => {
                let number = match look {
                    Look::Lines => run(&format!("{}. ", place + 1), "<w:b/>"),
                    _ => String::new(),
                };
                paragraph("", &(number + &self.line(first))) + &self.blocks(rest)
            }
            several => self.blocks(several),
        };
        anchor + &body
    }

    fn table(&mut self, look: Look, header: &[String], rows: &[Vec<Line>]) -> String {
        let widths = widths(look, header.len());
        let mut out = String::from(
            "<w:tbl><w:tblPr><w:tblStyle w:val=\"Report\"/><w:tblW w:w=\"5000\" w:type=\"pct\"/>\
             <w:tblLayout w:type=\"fixed\"/><w:tblLook w:firstRow=\"1\"/></w:tblPr><w:tblGrid>",
        );
        for width in &widths {
            out.push_str(&format!("<w:gridCol w:w=\"{width}\"/>"));
        }
        out.push_str("</w:tblGrid><w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>");
        for (name, width) in header.iter().zip(&widths) {
            out.push_str(&cell(*width, &paragraph("Cell", &run(name, "<w:b/>"))));
        }
        out.push_str("</w:tr>");
        for row in rows {
            out.push_str("<w:tr><w:trPr><w:cantSplit/></w:trPr>");
            for (line, width) in row.iter().zip(&widths) {
                out.push_str(&cell(*width, &paragraph("Cell", &self.line(line))));
            }
            out.push_str("</w:tr>");
        }
        // Tables that touch would become one.
        out + "</w:tbl>" + &paragraph("Cell", "")
    }

    fn quote(&mut self, quote: &Quote) -> String {
        let lines: Vec<String> = quote.text.lines().map(|it| run(it, "")).collect();
        let mut out = paragraph("Quote", &lines.join("<w:r><w:br/></w:r>"));
        let mut facts = vec![self.line(&quote.source)];
        facts.extend(quote.facts.iter().map(|it| self.line(it)));
        if let Some((name, url)) = &quote.passage {
            let link = Link { text: name.clone(), url: url.clone(), listed: false };
            facts.push(self.link(&link));
        }
        out.push_str(&paragraph("Origin", &facts.join(&run(" · ", ""))));
        if let Some(copies) = &quote.copies {
            out.push_str(&paragraph("Origin", &self.line(copies)));
        }
        out
    }

    fn line(&mut self, line: &Line) -> String {
        self.spans(line, "")
    }

    /// Spans with properties they share.
    fn spans(&mut self, line: &Line, looks: &str) -> String {
        let mut out = String::new();
        for span in &line.0 {
            let Punctuation { open, close, .. } = self.punctuation;
            let written = match span {
                Span::Text(words) => run(words, looks),
                Span::Code(name) => run(name, "<w:rStyle w:val=\"Code\"/>"),
                Span::Strong(inner) => self.spans(inner, "<w:b/>"),
                Span::Badge(_, name) => run(name, "<w:b/>"),
                Span::Styled(_, inner) => self.spans(inner, looks),
                Span::Aside(_, inner) => {
                    run(open, looks) + &self.spans(inner, looks) + &run(close, looks)
                }
                Span::Mark(number) => within(Anchor::Source(*number), &format!("[{number}]")),
                Span::Marks(numbers, more) => {
                    let marks =
                        numbers.iter().map(|it| within(Anchor::Source(*it), &format!("[{it}]")));
                    let more = more.as_ref().map(|it| run(&format!(" {it}"), looks));
                    run(" ", "") + &marks.chain(more).collect::<String>()
                }
                Span::Reference(anchor, name) => within(*anchor, name),
                Span::Link(link) => self.link(link),
            };
            out.push_str(&written);
        }
        out
    }

    /// A link where the address may be one.
    fn link(&mut self, link: &Link) -> String {
        let shown = run(&link.text, "<w:rStyle w:val=\"Hyperlink\"/>");
        let Some(url) = escape::link(&link.url) else { return run(&link.text, "") };
        let number = self.links.iter().position(|it| *it == url).unwrap_or_else(|| {
            self.links.push(url);
            self.links.len() - 1
        });
        format!("<w:hyperlink r:id=\"link{number}\" w:history=\"1\">{shown}</w:hyperlink>")
    }
}

fn paragraph(style: &str, runs: &str) -> String {
    match style {
        "" => format!("<w:p>{runs}</w:p>"),
        style => format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{runs}</w:p>"),
    }
}

/// An entry of a list.
fn listed(runs: &str) -> String {
    paragraph("ListBullet", runs)
}

fn run(words: &str, looks: &str) -> String {
    let looks = if looks.is_empty() { String::new() } else { format!("<w:rPr>{looks}</w:rPr>") };
    format!("<w:r>{looks}<w:t xml:space=\"preserve\">{}</w:t></w:r>", text(words))
}

/// A link to a place in the document.
fn within(anchor: Anchor, name: &str) -> String {
    let shown = run(name, "<w:rStyle w:val=\"Hyperlink\"/>");
    format!("<w:hyperlink w:anchor=\"{}\" w:history=\"1\">{shown}</w:hyperlink>", target(anchor))
}

fn target(anchor: Anchor) -> String {
    match anchor {
        Anchor::Finding(number) => format!("finding{number}"),
        Anchor::Source(number) => format!("source{number}"),
    }
}

fn measures(measures: &Measures) -> String {
    let badge = measures.badge.iter().map(|(_, name)| run(name, "<w:b/>"));
    let numbers = measures.numbers().map(|it| run(&it, ""));
    badge.chain(numbers).collect::<Vec<_>>().join(&run(" · ", ""))
}

fn cell(width: usize, content: &str) -> String {
    format!("<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/></w:tcPr>{content}</w:tc>")
}

/// How wide the columns of a table are.
fn widths(look: Look, columns: usize) -> Vec<usize> {
    let shares: &[usize] = match look {
        Look::Documents => &[30, 8, 20, 42],
        Look::Searches => &[40, 20, 10, 10, 10, 10],
        _ => &[],
    };
    match shares.len() == columns {
        true => shares.iter().map(|it| WIDTH * it / 100).collect(),
        false => vec![WIDTH / columns.max(1); columns],
    }
}

fn style(look: Look) -> &'static str {
    match look {
        Look::Note | Look::Details | Look::Calm | Look::Limits => "Note",
        Look::Verdict => "Verdict",
        _ => "",
    }
}
