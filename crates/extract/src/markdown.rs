//! Markdown as CommonMark reads it, with tables, and the data some files carry on top.
//!
//! `pulldown-cmark` reads the markup; here its events become pieces, or the headings by which a library is cut into
//! sections. HTML inside Markdown is not shown: its tags are dropped, and the text between them stays.

use std::borrow::Cow;

use evidence::FragmentType;
use pulldown_cmark::{Event, Options as Markup, Parser, Tag, TagEnd};

use crate::dates;
use crate::document::{Metadata, Problem};
use crate::piece::{Piece, PieceLink};
use crate::settings::ReadSettings;
use text::identifiers::{self, IdentifierKind};
use text::script::is_cjk;

const MARKUP: Markup =
    Markup::ENABLE_TABLES.union(Markup::ENABLE_FOOTNOTES).union(Markup::ENABLE_STRIKETHROUGH);

/// A heading that opens a section of a Markdown file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkdownHeading {
    /// 1 to 6.
    pub level: u8,
    /// Without markup.
    pub text: String,
    /// The byte of the file at which it begins.
    pub start: usize,
}

/// The byte at which the text of a Markdown file begins, after the data on top of it.
pub fn markdown_body(text: &str) -> usize {
    text.len() - front_matter(text).1.len()
}

/// The headings of a Markdown file. Those in quotes, lists and footnotes open no section.
pub fn markdown_headings(text: &str) -> Vec<MarkdownHeading> {
    let body = markdown_body(text);
    let source = with_ascii_spaces(&text[body..]);
    let mut headings: Vec<MarkdownHeading> = Vec::new();
    let (mut containers, mut open) = (0_usize, false);
    for (event, range) in Parser::new_ext(&source, MARKUP).into_offset_iter() {
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::FootnoteDefinition(_)) => {
                containers += 1;
            }
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::FootnoteDefinition) => {
                containers = containers.saturating_sub(1);
            }
            Event::Start(Tag::Heading { level, .. }) if containers == 0 => {
                open = true;
                let start = body + range.start;
                headings.push(MarkdownHeading { level: level as u8, text: String::new(), start });
            }
            Event::End(TagEnd::Heading(_)) => open = false,
            Event::Text(text) | Event::Code(text) if open => {
                headings.last_mut().into_iter().for_each(|heading| heading.text += &text);
            }
            Event::SoftBreak | Event::HardBreak if open => {
                headings.last_mut().into_iter().for_each(|heading| heading.text.push(' '));
            }
            _ => {}
        }
    }
    headings
}

/// Japanese writers also put a full-width space after `#`. ASCII spaces of as many bytes keep every offset.
fn with_ascii_spaces(text: &str) -> Cow<'_, str> {
    match text.contains("#\u{3000}") {
        true => text.replace("#\u{3000}", "#   ").into(),
        false => text.into(),
    }
}

/// Reads Markdown.
pub(crate) fn read(text: &str, _options: &ReadSettings) -> (Vec<Piece>, Metadata, Vec<Problem>) {
    let (mut metadata, body) = front_matter(text);
    let mut reader = Reader::default();
    for event in Parser::new_ext(body, MARKUP) {
        reader.take(event);
    }
    reader.flush();
    let first = reader.pieces.iter().find(|it| it.kind == FragmentType::Heading);
    if metadata.title.is_none()
        && let Some(first) = first.filter(|it| it.level == 1)
    {
        metadata.title = Some(first.text.clone());
    }
    (reader.pieces, metadata, Vec::new())
}

#[derive(Debug, Default)]
struct Reader {
    pieces: Vec<Piece>,
    text: String,
    links: Vec<PieceLink>,
    open_links: Vec<(usize, String)>,
    heading: Option<u8>,
    quotes: usize,
    lists: usize,
    items: usize,
    code: bool,
    in_table: bool,
    figure: bool,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) => self.text += &text,
            Event::SoftBreak => self.soft_break(),
            Event::HardBreak => self.text.push('\n'),
            Event::Rule => self.flush(),
            // Tags alone: what is between them comes as text, in a block of HTML as a whole.
            Event::InlineHtml(html) if html.to_ascii_lowercase().starts_with("<br") => {
                self.text.push('\n')
            }
            Event::Html(html) => self.html(&html),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Link { dest_url, .. } => {
                self.open_links.push((self.text.len(), dest_url.into_string()))
            }
            Tag::Image { .. } => self.figure = self.text.trim().is_empty(),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => {}
            Tag::TableCell => {
                if !self.text.is_empty() {
                    self.text += " | ";
                }
            }
            tag => {
                self.flush();
                match tag {
                    Tag::Heading { level, .. } => self.heading = Some(level as u8),
                    Tag::BlockQuote(_) => self.quotes += 1,
                    Tag::List(_) => self.lists += 1,
                    Tag::Item => self.items += 1,
                    Tag::CodeBlock(_) => self.code = true,
                    Tag::Table(_) => self.in_table = true,
                    _ => {}
                }
            }
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Link => {
                if let Some((start, href)) = self.open_links.pop()
                    && start < self.text.len()
                {
                    self.links.push(PieceLink { start, end: self.text.len(), href });
                }
            }
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Image
            | TagEnd::TableCell => {}
            tag => {
                self.flush();
                match tag {
                    TagEnd::Heading(_) => self.heading = None,
                    TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
                    TagEnd::List(_) => self.lists = self.lists.saturating_sub(1),
                    TagEnd::Item => self.items = self.items.saturating_sub(1),
                    TagEnd::CodeBlock => self.code = false,
                    TagEnd::Table => self.in_table = false,
                    _ => {}
                }
            }
        }
    }

    /// The end of a line of the source: a space between words, nothing inside Japanese.
    fn soft_break(&mut self) {
        if !self.text.chars().next_back().is_none_or(is_cjk) {
            self.text.push(' ');
        }
    }

    /// The text of a line of HTML, without its tags.
    fn html(&mut self, html: &str) {
        let mut rest = html;
        while let Some(open) = rest.find('<') {
            self.text += &rest[..open];
            rest = rest[open..].find('>').map_or("", |close| &rest[open + close + 1..]);
        }
        self.text += rest;
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        let mut links = std::mem::take(&mut self.links);
        self.open_links.clear();
        let is_figure = std::mem::take(&mut self.figure);
        let lead = if self.code { 0 } else { text.len() - text.trim_start().len() };
        let kept = text[lead..].trim_end();
        if kept.is_empty() {
            return;
        }
        for link in &mut links {
            link.start = link.start.saturating_sub(lead).min(kept.len());
            link.end = link.end.saturating_sub(lead).min(kept.len());
        }
        links.retain(|it| it.start < it.end);
        let (kind, level) = match () {
            () if self.code => (FragmentType::Code, 0),
            () if self.heading.is_some() => (FragmentType::Heading, self.heading.unwrap_or(1)),
            () if self.in_table => (FragmentType::Table, 0),
            () if self.quotes > 0 => (FragmentType::Quote, 0),
            () if self.items > 0 => {
                let depth = self.lists.saturating_sub(1).min(usize::from(u8::MAX));
                (FragmentType::List, u8::try_from(depth).unwrap_or(u8::MAX))
            }
            () if is_figure => (FragmentType::Figure, 0),
            () => (FragmentType::Paragraph, 0),
        };
        self.pieces.push(Piece { links, ..Piece::new(kind, level, kept) });
    }
}

/// The data between `---` lines (YAML) or `+++` lines (TOML) on top of a file, and what is behind it.
///
/// Only plain `name: value` lines are read: the rest of these languages says nothing a reader needs.
fn front_matter(text: &str) -> (Metadata, &str) {
    let mut metadata = Metadata::default();
    let text = text.trim_start_matches('\u{feff}');
    let fence = match text.lines().next().map(str::trim_end) {
        Some(fence @ ("---" | "+++")) => fence,
        _ => return (metadata, text),
    };
    let mut at = 0;
    let mut is_closed = false;
    let mut lines = Vec::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        let line = line.trim_end();
        if index > 0 && (line == fence || (fence == "---" && line == "...")) {
            is_closed = true;
            break;
        }
        lines.push(line);
    }
    let is_data = lines.iter().skip(1).all(|it| {
        it.is_empty() || it.starts_with([' ', '\t', '#', '-', '[']) || it.contains([':', '='])
    });
    if !is_closed || !is_data {
        return (metadata, text);
    }
    for line in lines {
        let Some((name, value)) = line.split_once([':', '=']) else { continue };
        let value = unquoted(value);
        if value.is_empty() {
            continue;
        }
        let known = match name.trim().to_ascii_lowercase().as_str() {
            "title" => &mut metadata.title,
            "author" | "authors" => &mut metadata.author,
            "description" | "summary" => &mut metadata.description,
            "lang" | "language" => &mut metadata.language,
            "url" | "source" | "canonical" | "permalink" => &mut metadata.canonical_url,
            "site" | "publisher" => &mut metadata.site_name,
            "doi" => {
                metadata.doi = identifiers::normalise(IdentifierKind::Doi, &value);
                continue;
            }
            "date" | "published" | "created" => {
                metadata.published_at = metadata.published_at.or_else(|| dates::iso(&value));
                continue;
            }
            "updated" | "modified" | "lastmod" => {
                metadata.modified_at = dates::iso(&value);
                continue;
            }
            _ => continue,
        };
        *known = Some(value);
    }
    (metadata, &text[at..])
}

/// A value without quotes, a list as its members with commas between.
fn unquoted(value: &str) -> String {
    let value = value.trim();
    let list = value.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let quotes = ['"', '\''];
    match list {
        Some(list) => {
            let members = list.split(',').map(|it| it.trim().trim_matches(quotes));
            members.filter(|it| !it.is_empty()).collect::<Vec<_>>().join(", ")
        }
        None => value.trim_matches(quotes).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::piece::tests::render;

    fn shown(text: &str) -> String {
        render(&read(text, &ReadSettings::default()).0)
    }

    #[test]
    fn every_kind_of_block_becomes_a_piece_of_its_kind() {
        let text = "\
# Title *with* `code`

Setext
------

A paragraph with **bold** text
on two lines and a [link](https://a.example/x \"t\").\\
A hard break. <https://b.example>

> A quote
> goes on.

- one
- two
  - inner

1. first

   its second paragraph
2. second

```rust
fn main() {}
    indented
```

    indented code

| Name | Year |
|------|-----:|
| [A](u) | 1999 |

![a chart of prices](chart.png)

***

<div align=\"center\">
<b>Raw</b> HTML
</div>
";
        insta::assert_snapshot!(shown(text), @r"
        heading 1: Title with code
        heading 2: Setext
        paragraph 0: A paragraph with bold text on two lines and a link.⏎A hard break. https://b.example {link=https://a.example/x} {https://b.example=https://b.example}
        quote 0: A quote goes on.
        list 0: one
        list 0: two
        list 1: inner
        list 0: first
        list 0: its second paragraph
        list 0: second
        code 0: fn main() {}⏎    indented
        code 0: indented code
        table 0: Name | Year
        table 0: A | 1999 {A=u}
        figure 0: a chart of prices
        paragraph 0: Raw HTML
        ");
    }

    #[test]
    fn headings_of_the_file_itself_open_sections() {
        let text = "---\ntitle: x\n---\n#　全角 **太字**\n> # quoted\n\n- # listed\n\nOne\ntwo\n---\n```\n# code\n```\n";
        let shown = |it: &MarkdownHeading| {
            format!("{} {} ({})", it.level, it.text, text[it.start..].lines().next().unwrap())
        };
        let headings: Vec<String> = markdown_headings(text).iter().map(shown).collect();
        assert_eq!(headings, ["1 全角 太字 (#　全角 **太字**)", "2 One two (One)"]);
        assert!(text[markdown_body(text)..].starts_with("#　全角"));
    }

    #[test]
    fn japanese_lines_are_joined_without_a_space() {
        insta::assert_snapshot!(shown("# 見出し\n\n一行目の\n文です。\n\n* 項目\n"), @r"
        heading 1: 見出し
        paragraph 0: 一行目の文です。
        list 0: 項目
        ");
    }

    #[test]
    fn data_on_top_becomes_metadata_and_no_text() {
        let text = "---\ntitle: \"A study: of things\"\nauthor: [A. One, 'B. Two']\ndate: 2024-05-01\ndoi: 10.1000/A.1\n\
                    updated: 2024-06-01T10:00:00+09:00\ntags:\n  - x\nlang: ja\n---\n\n# Other\n";
        let (pieces, metadata, problems) = read(text, &ReadSettings::default());
        assert_eq!(render(&pieces), "heading 1: Other");
        assert_eq!(problems, []);
        let expected = Metadata {
            title: Some("A study: of things".to_owned()),
            author: Some("A. One, B. Two".to_owned()),
            published_at: Some("2024-05-01".to_owned()),
            modified_at: Some("2024-06-01T10:00:00+09:00".to_owned()),
            language: Some("ja".to_owned()),
            doi: Some("10.1000/a.1".to_owned()),
            ..Metadata::default()
        };
        assert_eq!(metadata, expected);
        let toml = read("+++\ntitle = \"T\"\n+++\nText", &ReadSettings::default());
        assert_eq!(
            (toml.1.title.as_deref(), render(&toml.0).as_str()),
            (Some("T"), "paragraph 0: Text")
        );
    }

    #[test]
    fn a_rule_on_top_is_no_data_and_the_first_heading_is_the_title() {
        let (pieces, metadata, _) =
            read("---\nJust words\n---\n# Head\n", &ReadSettings::default());
        assert_eq!(render(&pieces), "heading 2: Just words\nheading 1: Head");
        assert_eq!(metadata.title, None);
        assert_eq!(read("# Head\n", &ReadSettings::default()).1.title.as_deref(), Some("Head"));
        assert_eq!(
            read("---\ntitle: never closed", &ReadSettings::default()).1,
            Metadata::default()
        );
        assert_eq!(read("", &ReadSettings::default()), (vec![], Metadata::default(), vec![]));
    }

    proptest! {
        #[test]
        fn any_text_can_be_read_and_links_lie_inside(text in "[-+#>*_`|:=\\[\\]()<>a \n\t!~0-2日、\\\\]{0,200}") {
            for piece in read(&text, &ReadSettings::default()).0 {
                prop_assert!(!piece.text.trim().is_empty());
                for link in piece.links {
                    prop_assert!(piece.text.get(link.start..link.end).is_some_and(|it| !it.is_empty()));
                }
            }
        }
    }
}
