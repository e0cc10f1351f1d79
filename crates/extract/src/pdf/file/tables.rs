//! Where the objects of a file are: its cross-reference tables, and a search through the whole file if they fail.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use memchr::memmem;

use super::super::lexer::{Lexer, is_space};
use super::super::object::{Dict, Object};
use super::{File, XrefEntry};

impl File<'_> {
    pub(super) fn read_tables(&mut self) {
        let tail = self.bytes.len().saturating_sub(2048);
        let Some(found) = memmem::rfind(&self.bytes[tail..], b"startxref") else { return };
        let mut lexer = Lexer::new(self.bytes, tail + found + b"startxref".len());
        lexer.skip_space();
        // Bytes before the head shift every position, as mail gateways and broken servers add some.
        let head = &self.bytes[..self.bytes.len().min(1024)];
        let shift = memmem::find(head, b"%PDF-").unwrap_or(0);
        let mut next = lexer.digits().map(|it| it as usize);
        let mut seen = HashSet::new();
        let mut also = Vec::new();
        while let Some(at) = next.or_else(|| also.pop()) {
            next = None;
            if !seen.insert(at) || seen.len() > self.max_objects {
                continue;
            }
            let Some(dict) = self.read_table(at.saturating_add(shift), shift) else { continue };
            next = dict.get("Prev").and_then(Object::count);
            also.extend(dict.get("XRefStm").and_then(Object::count));
            self.keep_trailer(dict);
        }
    }

    fn keep_trailer(&mut self, dict: Dict) {
        for key in ["Root", "Info", "Encrypt", "ID"] {
            if self.trailer.get(key).is_none()
                && let Some(value) = dict.get(key)
            {
                self.trailer.insert(key.as_bytes().to_vec(), value.clone());
            }
        }
    }

    fn read_table(&self, at: usize, shift: usize) -> Option<Dict> {
        let mut lexer = self.lexer(self.bytes, at);
        if !lexer.take_word(b"xref") {
            return self.read_table_stream(at, shift);
        }
        let mut xref = self.xref.borrow_mut();
        loop {
            lexer.skip_space();
            let Some(first) = lexer.digits() else { break };
            lexer.skip_space();
            let count = lexer.digits()?;
            for i in 0..count {
                lexer.skip_space();
                let Some(offset) = lexer.digits() else { break };
                lexer.skip_space();
                lexer.digits()?;
                let used = lexer.take_word(b"n");
                if !used && !lexer.take_word(b"f") {
                    return None;
                }
                if xref.len() >= self.max_objects {
                    return None;
                }
                let id = u32::try_from(first.saturating_add(i)).ok()?;
                if used {
                    xref.entry(id)
                        .or_insert(XrefEntry::Offset((offset as usize).saturating_add(shift)));
                }
            }
        }
        lexer.take_word(b"trailer");
        self.parse(&mut lexer)?.dict().cloned()
    }

    fn read_table_stream(&self, at: usize, shift: usize) -> Option<Dict> {
        let Some(Object::Stream(stream)) = self.object_at(at, None) else { return None };
        let bytes = self.unpack(&stream)?;
        let numbers = |key: &str| -> Option<Vec<usize>> {
            Some(stream.dict.get(key)?.array()?.iter().filter_map(Object::count).collect())
        };
        let widths =
            numbers("W").filter(|widths| widths.len() >= 3 && widths.iter().all(|it| *it <= 8))?;
        let size = stream.dict.get("Size").and_then(Object::count).unwrap_or(0);
        let ranges = numbers("Index").unwrap_or_else(|| vec![0, size]);
        let row = widths.iter().sum::<usize>().max(1);
        let mut rows = bytes.chunks_exact(row);
        let mut xref = self.xref.borrow_mut();
        for range in ranges.chunks_exact(2) {
            for id in range[0]..range[0].saturating_add(range[1]) {
                let Some(entry) = rows.next() else { return Some(stream.dict) };
                if xref.len() >= self.max_objects {
                    return Some(stream.dict);
                }
                let field = |from: usize, width: usize| {
                    entry[from..from + width]
                        .iter()
                        .fold(0_u64, |sum, it| sum << 8 | u64::from(*it))
                };
                let kind = if widths[0] == 0 { 1 } else { field(0, widths[0]) };
                let value = field(widths[0], widths[1]);
                let entry = match kind {
                    1 => XrefEntry::Offset((value as usize).saturating_add(shift)),
                    2 => XrefEntry::InStream(value as u32),
                    _ => continue,
                };
                if let Ok(id) = u32::try_from(id) {
                    xref.entry(id).or_insert(entry);
                }
            }
        }
        Some(stream.dict)
    }

    /// Searches the whole file for objects; the last one of a number counts.
    pub(super) fn repair(&mut self) {
        self.repaired = true;
        self.cached.borrow_mut().clear();
        self.containers.borrow_mut().clear();
        let mut xref = HashMap::new();
        for found in memmem::find_iter(self.bytes, b"obj") {
            if let Some((id, at)) = self.head_before(found) {
                if xref.len() >= self.max_objects {
                    break;
                }
                xref.insert(id, XrefEntry::Offset(at));
            }
        }
        self.xref = RefCell::new(xref);
        for found in memmem::find_iter(self.bytes, b"trailer") {
            let mut lexer = self.lexer(self.bytes, found + b"trailer".len());
            if let Some(Object::Dict(dict)) = self.parse(&mut lexer) {
                self.keep_trailer(dict);
            }
        }
        let mut containers = Vec::new();
        let mut catalogue = None;
        for id in self.ids() {
            let object = self.load(id);
            let Some(dict) = object.dict() else { continue };
            match dict.name("Type") {
                Some(b"ObjStm") => containers.push(id),
                Some(b"XRef") => self.keep_trailer(dict.clone()),
                Some(b"Catalog") => catalogue = Some(id),
                _ => {}
            }
        }
        if self.key.is_none() {
            self.unlock();
        }
        if self.needs_password {
            return;
        }
        for container in containers {
            let Some(opened) = self.open_container(container) else { continue };
            let mut xref = self.xref.borrow_mut();
            for id in opened.starts.keys() {
                if xref.len() < self.max_objects {
                    xref.entry(*id).or_insert(XrefEntry::InStream(container));
                }
            }
        }
        self.cached.borrow_mut().clear();
        if !self.has_pages() {
            let inside = || {
                self.ids().into_iter().find(|id| {
                    self.load(*id).dict().and_then(|it| it.name("Type")) == Some(b"Catalog")
                })
            };
            if let Some(id) = catalogue.or_else(inside) {
                self.trailer.insert(b"Root".to_vec(), Object::Reference(id));
            }
        }
    }

    /// The number before a word `obj`, and where it starts.
    fn head_before(&self, obj: usize) -> Option<(u32, usize)> {
        let mut at = obj;
        // Longer runs of digits or spaces are no head; the bound keeps the search linear.
        let floor = obj.saturating_sub(32);
        let back = |at: &mut usize, matches: fn(u8) -> bool| {
            let from = *at;
            while *at > floor && matches(self.bytes[*at - 1]) {
                *at -= 1;
            }
            from != *at
        };
        back(&mut at, is_space);
        let is_digit = |it: u8| it.is_ascii_digit();
        if !back(&mut at, is_digit) || !back(&mut at, is_space) || !back(&mut at, is_digit) {
            return None;
        }
        let id = Lexer::new(self.bytes, at).digits()?;
        Some((u32::try_from(id).ok()?, at))
    }
}
