//! Text of a page to tags and text, in one pass.
//!
//! Lenient as browsers are, but only as exact as reading needs: attributes without a rule are read
//! over, and comments, scripts and styles are jumped over in one search. That makes it several times
//! faster than a conforming tokenizer, and every byte is looked at a bounded number of times.

use std::borrow::Cow;

use memchr::memmem;

use super::tag::{Attribute, Tag};

/// What comes out, in order.
pub(crate) trait Sink {
    fn start(&mut self, tag: Tag, attributes: &[(Attribute, Cow<'_, str>)], self_closing: bool);
    fn end(&mut self, tag: Tag);
    fn text(&mut self, text: &str);
    /// The content of a script, style, textarea or the like.
    fn raw(&mut self, tag: Tag, text: &str);
}

/// Reads `page` to its end; with `all_attributes`, also those that have no rule.
pub(crate) fn read(page: &str, attribute_bytes: usize, all_attributes: bool, sink: &mut impl Sink) {
    let closers = Closers::default();
    let attributes = Vec::new();
    let mut reader = Reader { page, at: 0, attribute_bytes, all_attributes, closers, attributes };
    while reader.at < page.len() {
        reader.step(sink);
    }
}

struct Reader<'a> {
    page: &'a str,
    at: usize,
    attribute_bytes: usize,
    all_attributes: bool,
    closers: Closers,
    /// Those of the tag that is being read; kept for its room.
    attributes: Vec<(Attribute, Cow<'a, str>)>,
}

/// Ends that were looked for and do not come any more: not looked for again, so that a page of
/// thousands of unclosed comments or scripts takes no more than one search for each kind.
#[derive(Default)]
struct Closers {
    comment_gone: bool,
    raw_gone: Vec<Tag>,
}

impl<'a> Reader<'a> {
    fn bytes(&self) -> &'a [u8] {
        self.page.as_bytes()
    }

    fn step(&mut self, sink: &mut impl Sink) {
        let rest = &self.bytes()[self.at..];
        let length = memchr::memchr(b'<', rest).unwrap_or(rest.len());
        if length > 0 {
            self.emit_text(self.at, self.at + length, sink);
            self.at += length;
            return;
        }
        match rest.get(1) {
            Some(byte) if byte.is_ascii_alphabetic() => self.start_tag(sink),
            Some(b'/') => self.end_tag(sink),
            Some(b'!') => self.declaration(sink),
            Some(b'?') => self.jump_to(b'>'),
            _ => {
                sink.text("<");
                self.at += 1;
            }
        }
    }

    fn emit_text(&self, start: usize, end: usize, sink: &mut impl Sink) {
        let text = &self.page[start..end];
        sink.text(&unescape(text, false));
    }

    fn jump_to(&mut self, byte: u8) {
        let rest = &self.bytes()[self.at..];
        self.at += memchr::memchr(byte, rest).map_or(rest.len(), |it| it + 1);
    }

    fn declaration(&mut self, sink: &mut impl Sink) {
        let rest = &self.bytes()[self.at..];
        if rest.starts_with(b"<!--") {
            // `<!-->` and `<!--->` are whole comments.
            for short in [&b"<!-->"[..], b"<!--->"] {
                if rest.starts_with(short) {
                    self.at += short.len();
                    return;
                }
            }
            let found =
                if self.closers.comment_gone { None } else { memmem::find(&rest[4..], b"-->") };
            match found {
                Some(end) => self.at += 4 + end + 3,
                None => {
                    // A comment that never ends: browsers drop the rest, a reader would lose a page.
                    self.closers.comment_gone = true;
                    self.at += 4;
                }
            }
        } else if rest.starts_with(b"<![CDATA[") {
            let end = memmem::find(rest, b"]]>").unwrap_or(rest.len());
            sink.text(&self.page[self.at + 9..self.at + end.max(9)]);
            self.at += (end + 3).min(rest.len());
        } else {
            self.jump_to(b'>');
        }
    }

    fn end_tag(&mut self, sink: &mut impl Sink) {
        let (tag, after) = self.tag_name(self.at + 2);
        if after == self.at + 2 {
            // `</>` and `</ x>` are comments.
            self.jump_to(b'>');
            return;
        }
        self.at = after;
        self.jump_to(b'>');
        sink.end(tag);
    }

    /// The name that starts at `start`, and where it ends.
    fn tag_name(&self, start: usize) -> (Tag, usize) {
        let bytes = self.bytes();
        let mut lower = [0_u8; 16];
        let mut at = start;
        while let Some(byte) = bytes.get(at) {
            if byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<') {
                break;
            }
            if at == start && !byte.is_ascii_alphabetic() {
                break;
            }
            if let Some(slot) = lower.get_mut(at - start) {
                *slot = byte.to_ascii_lowercase();
            }
            at += 1;
        }
        let length = at - start;
        let tag = lower.get(..length).map_or(Tag::Other, Tag::from_name);
        (tag, at)
    }

    fn start_tag(&mut self, sink: &mut impl Sink) {
        let (tag, after) = self.tag_name(self.at + 1);
        self.at = after;
        self.attributes.clear();
        let self_closing = self.attributes();
        sink.start(tag, &self.attributes, self_closing);
        if tag == Tag::Plaintext {
            sink.text(&self.page[self.at..]);
            self.at = self.page.len();
        } else if tag.is_raw() && !self_closing {
            self.raw(tag, sink);
        }
    }

    /// Reads to the `>` of the tag; whether it ends in `/>`.
    fn attributes(&mut self) -> bool {
        let bytes = self.bytes();
        loop {
            while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            }
            match bytes.get(self.at) {
                None => return false,
                Some(b'>') => {
                    self.at += 1;
                    return false;
                }
                Some(b'/') => {
                    self.at += 1;
                    if bytes.get(self.at) == Some(&b'>') {
                        self.at += 1;
                        return true;
                    }
                }
                Some(_) => self.attribute(),
            }
        }
    }

    fn attribute(&mut self) {
        let bytes = self.bytes();
        let start = self.at;
        // The first byte belongs to the name whatever it is, so every call moves on.
        self.at += 1;
        while let Some(byte) = bytes.get(self.at) {
            if byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'/') {
                break;
            }
            self.at += 1;
        }
        let name = &bytes[start..self.at];
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        let value = if bytes.get(self.at) == Some(&b'=') {
            self.at += 1;
            self.value()
        } else {
            ""
        };
        let mut lower = [0_u8; 16];
        let known = lower.get_mut(..name.len()).and_then(|slot| {
            slot.copy_from_slice(name);
            slot.make_ascii_lowercase();
            Attribute::from_name(slot)
        });
        let known = known.or_else(|| self.all_attributes.then(|| Attribute::any(name)));
        if let Some(known) = known
            && self.attributes.iter().all(|(it, _)| *it != known)
        {
            let mut end = value.len().min(self.attribute_bytes);
            while !value.is_char_boundary(end) {
                end -= 1;
            }
            self.attributes.push((known, unescape(&value[..end], true)));
        }
    }

    fn value(&mut self) -> &'a str {
        let bytes = self.bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        match bytes.get(self.at) {
            Some(quote @ (b'"' | b'\'')) => {
                let start = self.at + 1;
                match memchr::memchr(*quote, &bytes[start..]) {
                    Some(length) => {
                        self.at = start + length + 1;
                        &self.page[start..start + length]
                    }
                    // An unclosed quote would swallow the rest of the page: it ends with the tag.
                    None => {
                        let rest = &bytes[start..];
                        self.at = start + memchr::memchr(b'>', rest).unwrap_or(rest.len());
                        &self.page[start..self.at]
                    }
                }
            }
            _ => {
                let start = self.at;
                while let Some(byte) = bytes.get(self.at) {
                    if byte.is_ascii_whitespace() || *byte == b'>' {
                        break;
                    }
                    self.at += 1;
                }
                &self.page[start..self.at]
            }
        }
    }

    /// The content of an element that holds only text, up to its end tag.
    fn raw(&mut self, tag: Tag, sink: &mut impl Sink) {
        if self.closers.raw_gone.contains(&tag) {
            sink.end(tag);
            return;
        }
        let bytes = self.bytes();
        let start = self.at;
        let mut from = start;
        loop {
            let Some(found) = memmem::find(&bytes[from..], b"</") else {
                // No end: what follows is read as a page, not lost with the element.
                self.closers.raw_gone.push(tag);
                sink.end(tag);
                return;
            };
            let close = from + found;
            let (name, after) = self.tag_name(close + 2);
            if name == tag {
                let text = &self.page[start..close];
                if matches!(tag, Tag::Title | Tag::Textarea) {
                    sink.raw(tag, &unescape(text, false));
                } else {
                    sink.raw(tag, text);
                }
                self.at = after;
                self.jump_to(b'>');
                sink.end(tag);
                return;
            }
            from = close + 2;
        }
    }
}

fn unescape(text: &str, attribute: bool) -> Cow<'_, str> {
    if memchr::memchr(b'&', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    if attribute { htmlize::unescape_attribute(text) } else { htmlize::unescape(text) }
}
