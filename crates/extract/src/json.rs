//! JSON as text one can cite: objects become headings, their values lines of `name: value`.
//!
//! Read in one pass without building the document in memory. Flat objects of an array, and lines of
//! JSON Lines, are one item each. What is not JSON is read as plain text, and said so.

use std::borrow::Cow;
use std::fmt;

use evidence::FragmentType;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::document::{Metadata, Problem};
use crate::piece::{Piece, PieceLink};
use crate::plain;
use crate::settings::ReadSettings;

/// Reads JSON or JSON Lines.
pub(crate) fn read(text: &str, options: &ReadSettings) -> (Vec<Piece>, Metadata, Vec<Problem>) {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return (Vec::new(), Metadata::default(), Vec::new());
    }
    let mut writer = Writer::new(options);
    if is_json_lines(text) {
        let problems = read_lines(text, &mut writer);
        return (writer.pieces, Metadata::default(), problems);
    }
    match read_one(text, &mut writer) {
        Ok(()) => (writer.pieces, writer.metadata, Vec::new()),
        // What is over the limit is cut off, and said, when the text is put together.
        Err(_) if writer.is_full => (writer.pieces, writer.metadata, Vec::new()),
        Err(error) => {
            let (pieces, metadata, mut problems) = plain::read(text, options);
            problems.push(Problem::Damaged { reason: error.to_string() });
            (pieces, metadata, problems)
        }
    }
}

/// More than one line, and the first is a whole document.
fn is_json_lines(text: &str) -> bool {
    text.split_once('\n').is_some_and(|(first, _)| {
        first.starts_with(['{', '['])
            && serde_json::from_str::<serde::de::IgnoredAny>(first).is_ok()
    })
}

fn read_one(text: &str, writer: &mut Writer) -> serde_json::Result<()> {
    let mut source = serde_json::Deserializer::from_str(text);
    Value { writer }.deserialize(&mut source)?;
    source.end()
}

/// Reads line by line, so that a broken one costs nothing but itself.
fn read_lines(text: &str, writer: &mut Writer) -> Vec<Problem> {
    let mut first_problem = None;
    let mut bad = 0;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        writer.path.clear();
        writer.path.push(format!("[{index}]"));
        let from = writer.pieces.len();
        if let Err(error) = read_one(line, writer) {
            if writer.is_full {
                break;
            }
            writer.fields.clear();
            writer.pieces.truncate(from);
            writer.pieces.push(Piece::new(FragmentType::Paragraph, 0, line.trim()));
            bad += 1;
            first_problem.get_or_insert_with(|| format!("line {}: {error}", index + 1));
        }
    }
    first_problem
        .map(|it| Problem::Damaged { reason: format!("{bad} lines are no JSON, the first: {it}") })
        .into_iter()
        .collect()
}

/// Where the document goes, and the position in it.
struct Writer {
    pieces: Vec<Piece>,
    metadata: Metadata,
    path: Vec<String>,
    /// Values of the open object that are not written yet.
    fields: Vec<Line>,
    chars: usize,
    max_chars: usize,
    max_name_chars: usize,
    is_full: bool,
}

/// `name: value`, and the address where the value is one.
struct Line {
    text: String,
    link: Option<PieceLink>,
}

impl Writer {
    fn new(options: &ReadSettings) -> Self {
        Self {
            pieces: Vec::new(),
            metadata: Metadata::default(),
            path: Vec::new(),
            fields: Vec::new(),
            chars: 0,
            max_chars: options.max_text_chars,
            max_name_chars: options.max_heading_chars,
            is_full: false,
        }
    }

    fn add(&mut self, name: &str, value: &str) {
        let value = value.trim();
        if value.is_empty() {
            return;
        }
        if self.path.is_empty() {
            match name {
                "title" => self.metadata.title = Some(value.to_owned()),
                "description" => self.metadata.description = Some(value.to_owned()),
                _ => {}
            }
        }
        let mut text = String::with_capacity(name.len() + value.len() + 2);
        if !name.is_empty() {
            text += name;
            text += ": ";
        }
        let start = text.len();
        text += value;
        let link =
            is_address(value).then(|| PieceLink { start, end: text.len(), href: value.to_owned() });
        self.fields.push(Line { text, link });
    }

    /// Writes the values of an object that holds others under a heading, before those others.
    fn write_fields(&mut self, at: usize) {
        if self.fields.is_empty() {
            return;
        }
        let lines = std::mem::take(&mut self.fields).into_iter().map(|line| Piece {
            links: line.link.into_iter().collect(),
            ..Piece::new(FragmentType::List, 0, line.text)
        });
        let pieces: Vec<Piece> = self.heading().into_iter().chain(lines).collect();
        for piece in &pieces {
            self.count(piece);
        }
        self.pieces.splice(at..at, pieces);
    }

    /// The heading of the position that is being read; the top has none.
    fn heading(&self) -> Option<Piece> {
        let level = u8::try_from(self.path.len().min(6)).unwrap_or(6);
        (level > 0).then(|| Piece::new(FragmentType::Heading, level, self.path_text()))
    }

    /// Writes an object without others in it as one item.
    fn write_row(&mut self) {
        let mut row = Piece::new(FragmentType::List, 0, "");
        for line in std::mem::take(&mut self.fields) {
            if !row.text.is_empty() {
                row.text.push('\n');
            }
            let at = row.text.len();
            row.links.extend(line.link.map(|link| PieceLink {
                start: link.start + at,
                end: link.end + at,
                ..link
            }));
            row.text += &line.text;
        }
        if !row.text.is_empty() {
            self.count(&row);
            self.pieces.push(row);
        }
    }

    fn count(&mut self, piece: &Piece) {
        self.chars += piece.text.chars().count();
        self.is_full |= self.chars > self.max_chars;
    }

    fn path_text(&self) -> String {
        let mut out = String::new();
        for part in &self.path {
            if !out.is_empty() && !part.starts_with('[') {
                out.push('.');
            }
            out += part;
        }
        out
    }

    /// A name or a path as it is repeated in what is below: a file may have a book for a name.
    fn shortened(&self, name: String) -> String {
        match name.char_indices().nth(self.max_name_chars) {
            Some((end, _)) => name[..end].to_owned(),
            None => name,
        }
    }

    /// Goes a step down, and gives the depth to come back to.
    fn enter(&mut self, part: String) -> usize {
        let depth = self.path.len();
        if !part.is_empty() {
            let part = self.shortened(part);
            self.path.push(part);
        }
        depth
    }

    fn check<E: serde::de::Error>(&self) -> Result<(), E> {
        if self.is_full { Err(E::custom("too much text")) } else { Ok(()) }
    }
}

/// The top of a document.
struct Value<'a> {
    writer: &'a mut Writer,
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        Member { writer: &mut *self.writer, position: JsonPosition::Top }.deserialize(source)?;
        self.writer.write_row();
        Ok(())
    }
}

/// One value, and where it stands.
struct Member<'a> {
    writer: &'a mut Writer,
    position: JsonPosition<'a>,
}

enum JsonPosition<'a> {
    Top,
    /// Under a name of an object.
    Named(&'a str),
    /// In an array, whose single values are put into one line.
    Listed {
        array: &'a str,
        index: usize,
        values: &'a mut Vec<String>,
    },
}

impl JsonPosition<'_> {
    /// The name that a line has for it.
    fn name(&self) -> String {
        match self {
            Self::Top => String::new(),
            Self::Named(name) => (*name).to_owned(),
            Self::Listed { array, index, .. } => format!("{array}[{index}]"),
        }
    }

    /// What it adds to the path of what it is in.
    fn part(&self) -> String {
        match self {
            Self::Listed { index, .. } => format!("[{index}]"),
            _ => self.name(),
        }
    }
}

impl Member<'_> {
    fn single(self, value: &str) {
        match self.position {
            JsonPosition::Top => self.writer.add("", value),
            JsonPosition::Named(name) => self.writer.add(name, value),
            JsonPosition::Listed { values, .. } => values.push(value.trim().to_owned()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Member<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Member<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.single(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.single(&value.to_string());
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.single(&value.to_string());
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.single(&value.to_string());
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.single(value);
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut source: A) -> Result<(), A::Error> {
        let array = self.writer.shortened(self.position.name());
        let depth = self.writer.enter(self.position.part());
        let start = self.writer.pieces.len();
        let mut values = Vec::new();
        let mut index = 0;
        loop {
            let position = JsonPosition::Listed { array: &array, index, values: &mut values };
            let member = Member { writer: &mut *self.writer, position };
            if source.next_element_seed(member)?.is_none() {
                break;
            }
            index += 1;
            self.writer.check()?;
        }
        if self.writer.pieces.len() > start
            && let Some(heading) = self.writer.heading()
        {
            self.writer.count(&heading);
            self.writer.pieces.insert(start, heading);
        }
        self.writer.path.truncate(depth);
        values.retain(|it| !it.is_empty());
        if values.iter().any(|it| is_address(it)) {
            for value in values {
                self.writer.add(&array, &value);
            }
        } else {
            self.writer.add(&array, &values.join(", "));
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut source: A) -> Result<(), A::Error> {
        let around = std::mem::take(&mut self.writer.fields);
        let depth = self.writer.enter(self.position.part());
        let start = self.writer.pieces.len();
        while let Some(name) = source.next_key::<Cow<'_, str>>()? {
            let position = JsonPosition::Named(&name);
            source.next_value_seed(Member { writer: &mut *self.writer, position })?;
            self.writer.check()?;
        }
        let is_flat = self.writer.pieces.len() == start;
        if is_flat && !matches!(self.position, JsonPosition::Named(_)) {
            self.writer.write_row();
        } else {
            self.writer.write_fields(start);
        }
        self.writer.path.truncate(depth);
        self.writer.fields = around;
        Ok(())
    }
}

fn is_address(value: &str) -> bool {
    (value.starts_with("https://") || value.starts_with("http://"))
        && !value.contains(char::is_whitespace)
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
    fn objects_are_headings_and_values_are_lines() {
        let text = r#"{
            "title": "A study", "year": 2024, "open": true, "none": null, "score": 0.5,
            "tags": ["a", "b"], "url": "https://a.example/x",
            "journal": {"name": "Journal", "editor": {"name": "E"}},
            "sources": ["https://a.example/1", "see there"],
            "authors": [{"name": "One", "orcid": "https://orcid.org/1"}, {"name": "二"}],
            "matrix": [[1, 2], [3, 4]]
        }"#;
        insta::assert_snapshot!(shown(text), @r"
        list 0: title: A study
        list 0: year: 2024
        list 0: open: true
        list 0: score: 0.5
        list 0: tags: a, b
        list 0: url: https://a.example/x {https://a.example/x=https://a.example/x}
        list 0: sources: https://a.example/1 {https://a.example/1=https://a.example/1}
        list 0: sources: see there
        list 0: matrix[0]: 1, 2
        list 0: matrix[1]: 3, 4
        heading 1: journal
        list 0: name: Journal
        heading 2: journal.editor
        list 0: name: E
        heading 1: authors
        list 0: name: One⏎orcid: https://orcid.org/1 {https://orcid.org/1=https://orcid.org/1}
        list 0: name: 二
        ");
        assert_eq!(read(text, &ReadSettings::default()).1.title.as_deref(), Some("A study"));
    }

    #[test]
    fn a_flat_object_is_one_item_and_single_values_are_lines() {
        assert_eq!(shown(r#"{"a": 1, "b": "x\ny"}"#), "list 0: a: 1⏎b: x⏎y");
        assert_eq!(shown("[1, 2, \"\", 3]"), "list 0: 1, 2, 3");
        assert_eq!(shown("\"text\""), "list 0: text");
        for nothing in ["", " ", "{}", "[]", "null", "[[], {}]", r#"{"a": ""}"#] {
            assert_eq!(shown(nothing), "", "{nothing}");
        }
    }

    #[test]
    fn every_line_of_json_lines_is_an_item_and_a_broken_one_costs_itself() {
        let text = "{\"a\": 1}\n{\"a\": 2, \"b\": {\"c\": 3}}\n{broken\n\n{\"a\": 4}\n";
        let (pieces, _, problems) = read(text, &ReadSettings::default());
        insta::assert_snapshot!(render(&pieces), @r"
        list 0: a: 1
        heading 1: [1]
        list 0: a: 2
        heading 2: [1].b
        list 0: c: 3
        paragraph 0: {broken
        list 0: a: 4
        ");
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                "the file is damaged: 1 lines are no JSON, the first: line 3: key must be a string at line 1 column 2"
            ]
        );
    }

    #[test]
    fn broken_json_is_read_as_text() {
        let (pieces, metadata, problems) =
            read("{\"title\": \"A\",\n\n\"b\": ", &ReadSettings::default());
        assert_eq!(render(&pieces), "paragraph 0: {\"title\": \"A\",\nparagraph 0: \"b\":");
        assert_eq!(metadata, Metadata::default());
        assert_eq!(
            problems,
            [Problem::Damaged {
                reason: "EOF while parsing a value at line 3 column 4".to_owned()
            }]
        );
    }

    #[test]
    fn depth_and_length_have_limits() {
        let deep = "[".repeat(100_000);
        let (_, _, problems) = read(&deep, &ReadSettings::default());
        assert_eq!(
            problems,
            [Problem::Damaged {
                reason: "recursion limit exceeded at line 1 column 128".to_owned()
            }]
        );
        let long = format!("[{}{{}}]", "{\"name\": \"value\"},".repeat(100));
        let options = ReadSettings { max_text_chars: 100, ..ReadSettings::default() };
        let (pieces, _, problems) = read(&long, &options);
        assert_eq!((pieces.len(), problems), (10, vec![]));
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in "[\\[\\]{}:,\"a0-2 \n]{0,80}") {
            for piece in read(&text, &ReadSettings::default()).0 {
                prop_assert!(!piece.text.trim().is_empty());
            }
        }
    }
}
