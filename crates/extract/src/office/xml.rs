//! A part as a row of elements and texts. Names have no prefix; no declaration of a document type is followed.

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::dates;
use crate::document::Metadata;

/// Attributes of one element that are looked at.
const MAX_ATTRIBUTES: usize = 64;

pub(super) enum Node<'a> {
    Start { name: &'a str, attributes: &'a Attributes },
    End { name: &'a str },
    Text(&'a str),
}

/// Attributes by their names without prefix.
#[derive(Default)]
pub(super) struct Attributes(Vec<(String, String)>);

impl Attributes {
    fn of(element: &BytesStart<'_>) -> Self {
        let mut attributes = element.html_attributes();
        let found = attributes.with_checks(false).take(MAX_ATTRIBUTES).flatten();
        Self(
            found
                .map(|it| {
                    let value = htmlize::unescape_attribute(it.value.as_ref()).into_owned();
                    (local(it.key.as_ref()).to_owned(), value)
                })
                .collect(),
        )
    }

    pub(super) fn get(&self, name: &str) -> Option<String> {
        self.0.iter().find(|it| it.0 == name).map(|it| it.1.clone())
    }

    /// All of one name: `id` and `r:id` are two.
    pub(super) fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|it| it.0 == name).map(|it| it.1.clone()).collect()
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.get(name)?.trim().parse().ok()
    }
}

/// Walks through a part; where it is damaged, up to the place.
pub(super) fn walk(text: &str, mut on: impl FnMut(Node<'_>)) {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                let (name, attributes) = (element.name(), Attributes::of(&element));
                on(Node::Start { name: local(name.as_ref()), attributes: &attributes });
            }
            Ok(Event::Empty(element)) => {
                let (name, attributes) = (element.name(), Attributes::of(&element));
                let name = local(name.as_ref());
                on(Node::Start { name, attributes: &attributes });
                on(Node::End { name });
            }
            Ok(Event::End(element)) => on(Node::End { name: local(element.name().as_ref()) }),
            Ok(Event::Text(text)) => on(Node::Text(&text.xml10_content())),
            Ok(Event::CData(text)) => on(Node::Text(&text.xml10_content())),
            Ok(Event::GeneralRef(reference)) => match reference.resolve_char_ref() {
                Ok(Some(letter)) => on(Node::Text(letter.encode_utf8(&mut [0; 4]))),
                _ => {
                    let written = format!("&{};", reference.xml10_content());
                    on(Node::Text(&htmlize::unescape(&written)));
                }
            },
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |it| it.1)
}

/// Words with one space between them.
pub(super) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What Dublin Core says of a document, as all of these formats carry it. The first of each counts.
pub(super) fn describe(text: &str, metadata: &mut Metadata) {
    let mut open: Option<(String, String)> = None;
    walk(text, |node| match node {
        Node::Start { name, .. } => open = Some((name.to_owned(), String::new())),
        Node::Text(text) => {
            if let Some((_, value)) = &mut open {
                value.push_str(text);
            }
        }
        Node::End { .. } => {
            let Some((name, value)) = open.take() else { return };
            let value = spaced(&value);
            if value.is_empty() {
                return;
            }
            match name.as_str() {
                "title" => drop(metadata.title.get_or_insert(value)),
                "creator" | "initial-creator" => drop(metadata.author.get_or_insert(value)),
                "description" | "subject" => drop(metadata.description.get_or_insert(value)),
                "language" => drop(metadata.language.get_or_insert(value.to_lowercase())),
                "publisher" => drop(metadata.site_name.get_or_insert(value)),
                "created" | "creation-date" => {
                    metadata.published_at = metadata.published_at.take().or(dates::iso(&value));
                }
                "modified" => {
                    metadata.modified_at = metadata.modified_at.take().or(dates::iso(&value))
                }
                // The day of a book is that of its publication, that of a text when it was changed.
                "date" => {
                    let day = dates::iso(&value);
                    let known = &mut metadata.modified_at;
                    *known = known.take().or(day);
                }
                _ => {}
            }
        }
    });
}
