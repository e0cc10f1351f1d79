//! XML as the same values JSON gives: elements are fields, repeated ones lists, attributes `@name`, the text of an
//! element with attributes `#text`. Names keep their prefix (`dc:title`), because that is how documentation writes them.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Map, Value};

use crate::outcome::Failure;

use super::settings::ApiSettings;

pub(super) fn read(body: &[u8], settings: &ApiSettings) -> Result<Value, Failure> {
    let wrong = |problem: String| Failure::Unreadable { problem };
    let text = std::str::from_utf8(body)
        .map_err(|_| wrong("it is XML in letters other than UTF-8".to_owned()))?;
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    reader.config_mut().check_end_names = true;
    let mut open: Vec<Element> = vec![Element::default()];
    let mut elements = 0;
    loop {
        let event = reader.read_event().map_err(|error| wrong(error.to_string()))?;
        let top = open.last_mut().expect("the document itself is never closed");
        match event {
            Event::Start(start) => {
                elements += 1;
                if open.len() > settings.max_xml_depth {
                    return Err(wrong(format!(
                        "its elements are nested deeper than {}",
                        settings.max_xml_depth
                    )));
                }
                open.push(Element::of(&start));
            }
            Event::Empty(start) => {
                elements += 1;
                let element = Element::of(&start);
                top.add(element);
            }
            Event::End(_) => {
                let element = open.pop().expect("end names are checked");
                match open.last_mut() {
                    Some(parent) => parent.add(element),
                    None => return Err(wrong("it closes more than it opens".to_owned())),
                }
            }
            Event::Text(text) => top.text += &text,
            Event::CData(text) => top.text += &text,
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten();
                match (character, quick_xml::escape::resolve_predefined_entity(&reference)) {
                    (Some(character), _) => top.text.push(character),
                    (None, Some(text)) => top.text += text,
                    // Entities of a document type are not followed.
                    (None, None) => {}
                }
            }
            Event::Eof => break,
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::DocType(_) => {}
        }
        if elements > settings.max_xml_elements {
            return Err(wrong(format!("it has more than {} elements", settings.max_xml_elements)));
        }
    }
    match open.pop() {
        Some(document) if open.is_empty() && !document.children.is_empty() => {
            Ok(document.into_value())
        }
        Some(_) if open.is_empty() => Err(wrong("it is no XML".to_owned())),
        _ => Err(wrong("it breaks off".to_owned())),
    }
}

#[derive(Default)]
struct Element {
    name: String,
    children: Map<String, Value>,
    text: String,
}

impl Element {
    fn of(start: &BytesStart<'_>) -> Self {
        let name = start.name().as_ref().to_owned();
        let mut children = Map::new();
        for attribute in start.attributes().with_checks(false).flatten() {
            let key = attribute.key.as_ref().to_owned();
            let raw = attribute.value.into_owned();
            let value = quick_xml::escape::unescape(&raw).map_or(raw.clone(), |it| it.into_owned());
            children.insert(format!("@{key}"), Value::String(value));
        }
        Self { name, children, text: String::new() }
    }

    fn add(&mut self, child: Self) {
        let name = child.name.clone();
        let value = child.into_value();
        match self.children.get_mut(&name) {
            None => {
                self.children.insert(name, value);
            }
            Some(Value::Array(list)) => list.push(value),
            Some(first) => {
                let first = first.take();
                self.children.insert(name, Value::Array(vec![first, value]));
            }
        }
    }

    fn into_value(mut self) -> Value {
        let text = self.text.trim();
        if self.children.is_empty() {
            return Value::String(text.to_owned());
        }
        if !text.is_empty() {
            self.children.insert("#text".to_owned(), Value::String(text.to_owned()));
        }
        Value::Object(self.children)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> String {
        match read(text.as_bytes(), &ApiSettings::default()) {
            Ok(value) => value.to_string(),
            Err(failure) => failure.to_string(),
        }
    }

    #[test]
    fn elements_become_fields_and_repeated_ones_lists() {
        assert_eq!(
            read_text(
                "<?xml version='1.0'?><rss><dc:title lang='ja'>表 &amp; 題&#x21;</dc:title><item>1</item><item><![CDATA[<2>]]></item><item/></rss>"
            ),
            r##"{"rss":{"dc:title":{"@lang":"ja","#text":"表 & 題!"},"item":["1","<2>",""]}}"##
        );
    }

    #[test]
    fn broken_and_endless_xml_is_a_failure_with_a_reason() {
        assert_eq!(read_text(""), "its answer cannot be read: it is no XML");
        assert_eq!(read_text("just words"), "its answer cannot be read: it is no XML");
        assert_eq!(read_text("<a><b></b>"), "its answer cannot be read: it breaks off");
        assert_eq!(
            read_text(&"<a>".repeat(100)),
            "its answer cannot be read: its elements are nested deeper than 64"
        );
        let many = format!("<r>{}</r>", "<i/>".repeat(200_001));
        assert_eq!(read_text(&many), "its answer cannot be read: it has more than 200000 elements");
        assert_eq!(
            read_text("<!DOCTYPE a [<!ENTITY x \"lots\">]><a>&x;&x;</a>"),
            r#"{"a":""}"#,
            "entities are not unfolded"
        );
    }
}
