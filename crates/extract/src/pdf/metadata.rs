//! What a file says about itself: the Info dictionary, its XMP packet, its language and outline.

use std::borrow::Cow;
use std::collections::HashSet;

use encoding_rs::{UTF_16BE, UTF_16LE};
use memchr::memmem;

use crate::document::Metadata;

use super::file::File;
use super::object::Object;

/// Bytes of an XMP packet that are looked at.
const MAX_XMP_BYTES: usize = 1 << 20;
/// Characters of a title, an author or a description.
const MAX_VALUE_CHARS: usize = 2_000;

/// Title, author, dates, language and description, where the file has them.
///
/// When a file was made is not when its text was published: a paper of 1998 may have been scanned, typeset again or
/// printed to a file last week. Only a date that is given as one of publication counts.
pub(crate) fn read(file: &File<'_>) -> Metadata {
    let mut metadata = Metadata::default();
    if let Some(info) = file.get(file.trailer(), "Info")
        && let Some(info) = info.dict()
    {
        let text = |key: &str| match &*file.get(info, key)? {
            Object::String(bytes) => clean(&text_string(bytes)),
            _ => None,
        };
        metadata.title = text("Title");
        metadata.author = text("Author");
        metadata.description = text("Subject");
        metadata.modified_at = text("ModDate").and_then(|it| iso_date(&it));
    }
    let Some(root) = file.catalogue() else { return metadata };
    let Some(root) = root.dict() else { return metadata };
    if let Some(Object::String(language)) = file.get(root, "Lang").as_deref() {
        metadata.language = clean(&text_string(language));
    }
    if let Some(Object::Stream(stream)) = file.get(root, "Metadata").as_deref()
        && let Some(bytes) = file.unpack(stream)
    {
        add_xmp(&mut metadata, &bytes[..bytes.len().min(MAX_XMP_BYTES)]);
    }
    metadata
}

/// Titles of the outline with their depth from 1, at most `limit`.
pub(crate) fn outline(file: &File<'_>, limit: usize) -> Vec<(u8, String)> {
    let mut titles = Vec::new();
    let root = file.catalogue();
    let top = root.as_ref().and_then(|it| it.dict()).and_then(|it| file.get(it, "Outlines"));
    let first = top.as_ref().and_then(|it| it.dict()).and_then(|it| it.get("First")).cloned();
    let mut open: Vec<(Object, u8)> = first.map(|it| (it, 1)).into_iter().collect();
    let mut seen = HashSet::new();
    while let Some((entry, depth)) = open.pop() {
        let Object::Reference(id) = entry else { continue };
        if !seen.insert(id) || titles.len() >= limit {
            continue;
        }
        let entry = file.resolve(&entry);
        let Some(dict) = entry.dict() else { continue };
        if let Some(Object::String(title)) = file.get(dict, "Title").as_deref()
            && let Some(title) = clean(&text_string(title))
        {
            titles.push((depth, title));
        }
        // The next entry waits until those below this one are done.
        open.extend(dict.get("Next").map(|it| (it.clone(), depth)));
        open.extend(dict.get("First").map(|it| (it.clone(), depth.saturating_add(1))));
    }
    titles
}

/// A string meant for people: UTF-16 or UTF-8 with a mark, else close to Latin 1.
pub(crate) fn text_string(bytes: &[u8]) -> String {
    let text: Cow<'_, str> = match bytes {
        [0xFE, 0xFF, rest @ ..] => UTF_16BE.decode_without_bom_handling(rest).0,
        [0xFF, 0xFE, rest @ ..] => UTF_16LE.decode_without_bom_handling(rest).0,
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        // Not allowed, and common in Japanese and Chinese files.
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => bytes.iter().map(|it| document_character(*it)).collect::<String>().into(),
        },
    };
    text.into_owned()
}

fn document_character(byte: u8) -> char {
    const HIGH: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž";
    match byte {
        0x80..=0x9E => HIGH.chars().nth(usize::from(byte - 0x80)).unwrap_or(' '),
        0xA0 => '€',
        _ => char::from(byte),
    }
}

fn clean(text: &str) -> Option<String> {
    let visible: String = text
        .chars()
        .take(MAX_VALUE_CHARS)
        .map(|it| if it.is_control() { ' ' } else { it })
        .collect();
    let joined = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    (!joined.is_empty()).then_some(joined)
}

/// `D:20240131093000+09'00'` as ISO 8601; as much as it says.
fn iso_date(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_prefix("D:").unwrap_or(text);
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let part = |from: usize, to: usize, low: u32, high: u32| {
        let value: u32 = digits.get(from..to)?.parse().ok()?;
        (low..=high).contains(&value).then_some(value)
    };
    let mut out = format!("{:04}", part(0, 4, 1, 9999)?);
    let Some(month) = part(4, 6, 1, 12) else { return Some(out) };
    out += &format!("-{month:02}");
    let Some(day) = part(6, 8, 1, 31) else { return Some(out) };
    out += &format!("-{day:02}");
    let (Some(hour), Some(minute)) = (part(8, 10, 0, 23), part(10, 12, 0, 59)) else {
        return Some(out);
    };
    out += &format!("T{hour:02}:{minute:02}:{:02}", part(12, 14, 0, 59).unwrap_or(0));
    let zone = &text[digits.len()..];
    match zone.chars().next() {
        Some('Z') => out.push('Z'),
        Some(sign @ ('+' | '-')) => {
            let digits: String = zone.chars().filter(char::is_ascii_digit).take(4).collect();
            let hours: Option<u32> = digits.get(..2).and_then(|it| it.parse().ok());
            let minutes: u32 = digits.get(2..4).and_then(|it| it.parse().ok()).unwrap_or(0);
            if let Some(hours) = hours.filter(|it| *it < 24 && minutes < 60) {
                out += &format!("{sign}{hours:02}:{minutes:02}");
            }
        }
        _ => {}
    }
    Some(out)
}

/// XMP is newer than the Info dictionary; writers that fill both fill this one with more care.
fn add_xmp(metadata: &mut Metadata, bytes: &[u8]) {
    let text: Cow<'_, str> = match bytes {
        [0xFE, 0xFF, ..] | [0, b'<', ..] => UTF_16BE.decode_with_bom_removal(bytes).0,
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => UTF_16LE.decode_with_bom_removal(bytes).0,
        _ => String::from_utf8_lossy(bytes),
    };
    let value = |name: &str| xmp_value(&text, name);
    let put = |slot: &mut Option<String>, found: Option<String>| {
        if found.is_some() {
            *slot = found;
        }
    };
    let date = |name: &str| value(name).filter(|it| is_iso_date(it));
    put(&mut metadata.title, value("dc:title"));
    put(&mut metadata.author, value("dc:creator"));
    put(&mut metadata.description, value("dc:description"));
    let published = ["prism:publicationDate", "prism:coverDate"];
    put(&mut metadata.published_at, published.into_iter().find_map(date));
    put(&mut metadata.modified_at, date("xmp:ModifyDate").or_else(|| date("xap:ModifyDate")));
    if metadata.language.is_none() {
        metadata.language = value("dc:language");
    }
}

/// The text of an element, or of an attribute of that name.
fn xmp_value(text: &str, name: &str) -> Option<String> {
    let element = format!("<{name}");
    if let Some(start) = memmem::find(text.as_bytes(), element.as_bytes()) {
        let rest = &text[start + element.len()..];
        let end = memmem::find(rest.as_bytes(), format!("</{name}").as_bytes())?;
        let open = memchr::memchr(b'>', rest.as_bytes()).filter(|it| *it < end)?;
        return plain(&rest[open + 1..end]);
    }
    let attribute = format!("{name}=");
    let start = memmem::find(text.as_bytes(), attribute.as_bytes())?;
    let rest = &text[start + attribute.len()..];
    let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    plain(rest[1..].split(quote).next()?)
}

/// The items of a list, joined by commas; the text without its tags.
fn plain(inner: &str) -> Option<String> {
    let items: Vec<String> = inner.split("</rdf:li>").take(64).filter_map(without_tags).collect();
    (!items.is_empty()).then(|| items.join(", "))
}

fn without_tags(inner: &str) -> Option<String> {
    let mut out = String::new();
    let mut in_tag = false;
    for letter in inner.chars() {
        match letter {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            _ if !in_tag => out.push(letter),
            _ => {}
        }
    }
    clean(&htmlize::unescape(out))
}

fn is_iso_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 4
        && bytes[..4].iter().all(u8::is_ascii_digit)
        && bytes
            .iter()
            .all(|it| matches!(it, b'0'..=b'9' | b'-' | b':' | b'T' | b'Z' | b'+' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_iso_8601_as_far_as_they_go() {
        let cases = [
            ("D:20240131093000+09'00'", "2024-01-31T09:30:00+09:00"),
            ("D:20240131093000Z", "2024-01-31T09:30:00Z"),
            ("D:20240131093000", "2024-01-31T09:30:00"),
            ("D:20240131", "2024-01-31"),
            ("2024", "2024"),
            ("D:19991332", "1999"),
            ("D:20240131093000-05", "2024-01-31T09:30:00-05:00"),
        ];
        for (written, expected) in cases {
            assert_eq!(iso_date(written).as_deref(), Some(expected), "{written}");
        }
        assert_eq!(iso_date("Tuesday"), None);
        assert_eq!(iso_date(""), None);
    }

    #[test]
    fn strings_for_people_are_read_in_every_encoding() {
        assert_eq!(text_string(b"\xFE\xFF\x65\xE5\x67\x2C"), "日本");
        assert_eq!(text_string(b"\xEF\xBB\xBF\xE6\x97\xA5"), "日");
        assert_eq!(text_string(b"caf\xE9 \x84"), "café —");
    }

    #[test]
    fn xmp_is_preferred_where_it_speaks() {
        let mut metadata = Metadata {
            title: Some("old".into()),
            author: Some("kept".into()),
            ..Metadata::default()
        };
        add_xmp(
            &mut metadata,
            br#"<rdf:Description xmp:CreateDate="2024-02-03T04:05:06+09:00" prism:coverDate="1998-05-01"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B</rdf:li></rdf:Alt></dc:title></rdf:Description>"#,
        );
        assert_eq!(metadata.title.as_deref(), Some("A & B"));
        assert_eq!(metadata.author.as_deref(), Some("kept"));
        assert_eq!(metadata.published_at.as_deref(), Some("1998-05-01"));
    }
}
