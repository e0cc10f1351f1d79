//! A document as one HTML file: nothing to load, no script, for screen and paper, light and dark.
//!
//! The policy in the head allows the one style sheet by its digest and nothing else, so that even a mistake in
//! escaping could not load or run anything.

use sha2::{Digest, Sha256};

use crate::document::{
    Anchor, Block, Document, Figure, Gauge, Item, Level, Line, Link, Look, Measures, Quote,
    Section, Span,
};
use crate::escape::{self, html as text, html_lines};

const STYLE: &str = include_str!("style.css");

impl Document {
    /// One HTML file.
    pub fn html(&self) -> String {
        let title = text(&self.title);
        let fact = |(name, value): &(String, String)| {
            format!("<div><dt>{}</dt><dd>{}</dd></div>\n", text(name), text(value))
        };
        let entry = |section: &Section| {
            format!("<li><a href=\"#{}\">{}</a></li>\n", section.id.name(), text(&section.heading))
        };
        let footer = self.footer.as_deref().map_or_else(String::new, |footer| {
            format!("<footer><p>{}</p></footer>\n", text(footer))
        });
        format!(
            "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'; \
             base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta name=\"generator\" content=\"{generator}\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <header>\n<p class=\"kicker\">{generator} · {kind}</p>\n<h1>{title}</h1>\n{preface}<dl class=\"facts\">\n{facts}</dl>\n</header>\n\
             <nav aria-label=\"{nav}\"><ul>\n{contents}</ul></nav>\n<main>\n{body}</main>\n\
             {footer}</body>\n</html>\n",
            lang = self.language,
            digest = base64(&Sha256::digest(STYLE.as_bytes())),
            generator = text(&self.generator),
            kind = text(&self.kind),
            preface = blocks(&self.preface),
            facts = self.facts.iter().map(fact).collect::<String>(),
            nav = text(&self.contents),
            contents = self.sections.iter().map(entry).collect::<String>(),
            body = self.sections.iter().map(section).collect::<String>(),
        )
    }
}

/// The beginning of an element.
fn open(element: &str, look: Look, anchor: Option<Anchor>) -> String {
    let anchor = anchor.map_or_else(String::new, |it| format!(" id=\"{}\"", target(it)));
    match look.name() {
        "" => format!("<{element}{anchor}>"),
        class => format!("<{element} class=\"{class}\"{anchor}>"),
    }
}

fn target(anchor: Anchor) -> String {
    match anchor {
        Anchor::Finding(number) => format!("f{number}"),
        Anchor::Source(number) => format!("s{number}"),
    }
}

fn section(section: &Section) -> String {
    let (heading, body) = (text(&section.heading), blocks(&section.blocks));
    format!("<section id=\"{}\">\n<h2>{heading}</h2>\n{body}</section>\n", section.id.name())
}

fn blocks(blocks: &[Block]) -> String {
    blocks.iter().map(|it| block(it) + "\n").collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, heading) => {
            let element = match level {
                Level::Part => "h3",
                Level::Side => "h4",
                Level::Notes => "h5",
            };
            format!("<{element}>{}</{element}>", line(heading))
        }
        Block::Paragraph(look, words) => format!("{}{}</p>", open("p", *look, None), line(words)),
        Block::List(look, items) => {
            let element = if *look == Look::Lines { "ol" } else { "ul" };
            let items: String = items.iter().map(item).collect();
            format!("{}\n{items}</{element}>", open(element, *look, None))
        }
        Block::Table { look, header, rows } => {
            let names: String = header.iter().map(|it| format!("<th>{}</th>", text(it))).collect();
            let cells = |row: &Vec<Line>| {
                let cells: String = row.iter().map(|it| format!("<td>{}</td>", line(it))).collect();
                format!("<tr>{cells}</tr>\n")
            };
            format!(
                "{}<thead><tr>{names}</tr></thead><tbody>\n{}</tbody></table>",
                open("table", *look, None),
                rows.iter().map(cells).collect::<String>()
            )
        }
        Block::Numbers(numbers) => {
            let number = |(number, what): &(String, String)| {
                format!("<div><dt>{}</dt><dd>{}</dd></div>\n", text(what), text(number))
            };
            let numbers: String = numbers.iter().map(number).collect();
            format!("<dl class=\"glance\">\n{numbers}</dl>")
        }
        Block::Facts(facts) => {
            let fact = |(name, values): &(String, Vec<String>)| {
                let values = values.iter().map(|it| format!("<dd>{}</dd>", text(it)));
                format!("<div><dt>{}</dt>{}</div>\n", text(name), values.collect::<String>())
            };
            let facts: String = facts.iter().map(fact).collect();
            format!("<dl class=\"method\">\n{facts}</dl>")
        }
        Block::Measures(it) => measures(it),
        Block::Quote(it) => quote(it),
        Block::Figure(it) => figure(it),
        Block::Group { look, anchor, blocks: inner } => {
            let element = match look {
                Look::Finding => "article",
                Look::Caveat => "aside",
                _ => "div",
            };
            format!("{}\n{}</{element}>", open(element, *look, *anchor), blocks(inner))
        }
        Block::Fold { summary, blocks: inner } => {
            let (summary, inner) = (line(summary), blocks(inner));
            format!("<details>\n<summary>{summary}</summary>\n{inner}</details>")
        }
    }
}

fn item(item: &Item) -> String {
    let body = match item.blocks.as_slice() {
        [Block::Paragraph(Look::Plain, only)] => line(only),
        several => several.iter().map(block).collect::<Vec<_>>().join("\n"),
    };
    format!("{}{body}</li>\n", open("li", item.look, item.anchor))
}

fn measures(measures: &Measures) -> String {
    let badge = measures.badge.as_ref().map_or_else(String::new, |it| badge(it.0, &it.1));
    let value = |(name, value): &(String, String)| {
        format!("<span>{} <b>{}</b></span>", text(name), text(value))
    };
    let values: String = measures.values.iter().map(value).collect();
    let more = measures.more.as_ref().map_or_else(String::new, |it| reference(it.0, &it.1));
    let gauge = measures.gauge.map_or_else(String::new, gauge);
    format!("<p class=\"figures\">{badge}{gauge}{values}{more}</p>")
}

fn quote(quote: &Quote) -> String {
    let class = if quote.small { "quote small" } else { "quote" };
    let mut facts: Vec<String> =
        quote.facts.iter().map(|fact| format!("<span>{}</span>", line(fact))).collect();
    if let Some((name, link)) = named_link(quote.passage.as_ref()) {
        let link = format!("<a class=\"deep\" href=\"{link}\" rel=\"noreferrer\">{name}</a>");
        facts.push(format!("<span>{link}</span>"));
    }
    let copies = quote
        .copies
        .as_ref()
        .map_or_else(String::new, |copies| format!("<p class=\"copies\">{}</p>\n", line(copies)));
    format!(
        "<figure class=\"{class}\">\n<blockquote>{}</blockquote>\n<figcaption><p class=\"from\">{}</p>\n\
         <p class=\"parts\">{}</p>\n{copies}</figcaption>\n</figure>",
        html_lines(&quote.text),
        line(&quote.source),
        facts.join(" "),
    )
}

fn named_link(passage: Option<&(String, String)>) -> Option<(String, String)> {
    let (name, url) = passage?;
    Some((text(name), text(&escape::link(url)?)))
}

fn figure(figure: &Figure) -> String {
    let note = figure
        .note
        .as_deref()
        .map_or_else(String::new, |note| format!("\n<p class=\"note\">{}</p>", text(note)));
    format!(
        "<p class=\"note\">{}</p>\n<figure class=\"drawing\">{}</figure>{note}",
        text(&figure.caption),
        figure.svg.markup()
    )
}

fn line(line: &Line) -> String {
    line.0.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Text(words) => text(words),
        Span::Strong(inner) => format!("<b>{}</b>", line(inner)),
        Span::Code(name) => format!("<code>{}</code>", text(name)),
        Span::Badge(look, name) => badge(*look, name),
        Span::Styled(look, inner) => format!("{}{}</span>", open("span", *look, None), line(inner)),
        Span::Aside(look, inner) => format!(" {}{}</span>", open("span", *look, None), line(inner)),
        Span::Mark(number) => format!("<a class=\"mark\" href=\"#s{number}\">[{number}]</a>"),
        Span::Marks(numbers, more) => {
            let mark = |number: &u32| format!("<a href=\"#s{number}\">[{number}]</a>");
            let marks: String = numbers.iter().map(mark).collect();
            let more = more.as_deref().map_or_else(String::new, |more| format!(" {}", text(more)));
            // A mark does not begin a line.
            format!("<sup class=\"marks\">&#8288;{marks}{more}</sup>")
        }
        Span::Reference(anchor, name) => reference(*anchor, name),
        Span::Link(link) => outward(link),
    }
}

fn badge(look: Look, name: &str) -> String {
    format!("<span class=\"badge {}\">{}</span>", look.name(), text(name))
}

fn reference(anchor: Anchor, name: &str) -> String {
    format!("<a href=\"#{}\">{}</a>", target(anchor), text(name))
}

/// A link where the address may be one.
fn outward(link: &Link) -> String {
    let shown = text(&link.text);
    let class = if link.text == link.url { "address" } else { "out" };
    match escape::link(&link.url).map(|url| text(&url)) {
        Some(url) => format!("<a class=\"{class}\" href=\"{url}\" rel=\"noreferrer\">{shown}</a>"),
        None => format!("<span class=\"nolink\">{shown}</span>"),
    }
}

fn gauge(gauge: Gauge) -> String {
    let place = |it: f64| format!("{:.1}", it.clamp(0.0, 1.0) * 100.0);
    format!(
        "<svg class=\"gauge\" viewBox=\"-3 0 106 12\" aria-hidden=\"true\">\
         <line class=\"track\" x1=\"0\" y1=\"6\" x2=\"100\" y2=\"6\"/>\
         <line class=\"band\" x1=\"{}\" y1=\"6\" x2=\"{}\" y2=\"6\"/>\
         <line class=\"tick\" x1=\"{t}\" y1=\"1\" x2=\"{t}\" y2=\"11\"/>\
         <circle class=\"dot\" cx=\"{}\" cy=\"6\" r=\"3\"/></svg>",
        place(gauge.value - gauge.uncertainty),
        place(gauge.value + gauge.uncertainty),
        place(gauge.value),
        t = place(gauge.threshold),
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
