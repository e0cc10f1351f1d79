//! Lists written in XML: records, and the fields of each.
//!
//! What feeds and sitemaps have in common. Names are matched, not nesting: many feeds leave a tag open
//! somewhere. No declaration of a document type is followed, so there are no entities but the known
//! ones and each stands for one character or two.

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use crate::document::Problem;

/// Attributes of one element that are looked at.
const MAX_ATTRIBUTES: usize = 16;

/// The names to look for; a name has its prefix, save those of the formats themselves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) records: &'static [&'static str],
    pub(crate) fields: &'static [&'static str],
}

/// An element with text or an address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    pub(crate) href: Option<String>,
    pub(crate) rel: Option<String>,
    /// `isPermaLink="false"`: the text is no address.
    pub(crate) is_name_only: bool,
}

/// What was read: the fields outside of all records, and those of each.
#[derive(Debug, Default)]
pub(crate) struct Records {
    pub(crate) head: Vec<Field>,
    pub(crate) records: Vec<Vec<Field>>,
    pub(crate) problems: Vec<Problem>,
}

/// Reads the records of an XML file; where it is damaged, those before the place.
pub(crate) fn records(text: &str, shape: Shape, max_records: usize) -> Records {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut walk = Walk { shape, out: Records::default(), record: None, field: None };
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                if walk.out.records.len() >= max_records && walk.is_record(element.name().as_ref())
                {
                    walk.out.problems.push(Problem::TooManyEntries { limit: max_records });
                    break;
                }
                walk.start(&element);
            }
            Ok(Event::Empty(element)) => {
                walk.start(&element);
                walk.end(element.name().as_ref());
            }
            Ok(Event::End(element)) => walk.end(element.name().as_ref()),
            Ok(Event::Text(text)) => walk.text(&text.xml10_content()),
            Ok(Event::CData(text)) => walk.text(&text.xml10_content()),
            Ok(Event::GeneralRef(reference)) => walk.reference(&reference),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                walk.out.problems.push(Problem::Damaged { reason: error.to_string() });
                break;
            }
        }
    }
    walk.close_record();
    walk.out
}

struct Walk {
    shape: Shape,
    out: Records,
    record: Option<Vec<Field>>,
    /// The field that is open, and how many elements of its name are open inside it.
    field: Option<(Field, usize)>,
}

impl Walk {
    fn is_record(&self, name: &str) -> bool {
        self.shape.records.contains(&own_name(name))
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        let name = element.name();
        let name = own_name(name.as_ref());
        if self.is_record(name) {
            self.close_record();
            self.record = Some(Vec::new());
            return;
        }
        if let Some((field, inside)) = &mut self.field {
            // What is set apart inside a field is words apart.
            field.text.push(' ');
            *inside += usize::from(field.name == name);
            return;
        }
        let Some(name) = self.shape.fields.iter().find(|it| **it == name) else { return };
        let mut field = Field { name, ..Field::default() };
        let mut attributes = element.html_attributes();
        for attribute in attributes.with_checks(false).take(MAX_ATTRIBUTES).flatten() {
            let value = htmlize::unescape_attribute(attribute.value.as_ref()).trim().to_owned();
            match attribute.key.as_ref() {
                "href" => field.href = Some(value),
                "rel" => field.rel = Some(value),
                "isPermaLink" => field.is_name_only = value == "false",
                _ => {}
            }
        }
        self.field = Some((field, 0));
    }

    fn end(&mut self, name: &str) {
        let name = own_name(name);
        if self.is_record(name) {
            self.close_record();
        } else if let Some((field, inside)) = &mut self.field
            && field.name == name
        {
            if *inside == 0 {
                self.close_field();
            } else {
                *inside -= 1;
            }
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((field, _)) = &mut self.field {
            field.text += text;
        }
    }

    fn reference(&mut self, reference: &BytesRef<'_>) {
        match reference.resolve_char_ref() {
            Ok(Some(character)) => self.text(character.encode_utf8(&mut [0; 4])),
            _ => {
                let written = format!("&{};", reference.xml10_content());
                self.text(&htmlize::unescape(&written));
            }
        }
    }

    fn close_field(&mut self) {
        if let Some((field, _)) = self.field.take() {
            self.record.as_mut().unwrap_or(&mut self.out.head).push(field);
        }
    }

    fn close_record(&mut self) {
        self.close_field();
        self.out.records.extend(self.record.take());
    }
}

/// A name without the prefix that some files give the format's own elements.
fn own_name(name: &str) -> &str {
    match name.split_once(':') {
        Some(("atom" | "a10" | "rss" | "sm" | "sitemap", local)) => local,
        _ => name,
    }
}
