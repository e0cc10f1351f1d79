//! A PDF file as numbered objects, loaded when they are asked for.
//!
//! The cross-reference table says where each object is. If it is missing or wrong, the whole file is
//! searched once for objects (`repair`). Every step is bounded: objects, unpacked bytes, nesting.

mod pages;
mod tables;

pub(crate) use pages::Page;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::rc::Rc;

use memchr::memmem;

use crate::settings::ReadSettings;

use super::crypt::Key;
use super::filter;
use super::lexer::Lexer;
use super::object::{Dict, Object, Stream};

/// How many objects may wait for each other while one is loaded.
const MAX_LOADING: usize = 16;
/// Objects kept in memory; more than a page needs, less than a large file has.
const MAX_CACHED: usize = 20_000;
/// Bytes that may be read as objects even in a small file, whose packed objects are larger than itself.
const MIN_PARSED: usize = 16 << 20;
/// References that may lead to references.
const MAX_HOPS: usize = 8;

/// An open file.
#[derive(Debug)]
pub(crate) struct File<'a> {
    bytes: &'a [u8],
    max_objects: usize,
    max_stream_bytes: usize,
    max_nesting: usize,
    xref: RefCell<HashMap<u32, XrefEntry>>,
    trailer: Dict,
    key: Option<Key>,
    cached: RefCell<HashMap<u32, Rc<Object>>>,
    containers: RefCell<HashMap<u32, Option<Rc<Container>>>>,
    ends: OnceCell<Vec<usize>>,
    loading: Cell<usize>,
    unpacked_left: Cell<usize>,
    /// Bytes that may still be read as objects: those of a damaged file may all run to its end.
    parsed_left: Cell<usize>,
    pub(crate) repaired: bool,
    pub(crate) needs_password: bool,
}

#[derive(Debug, Clone, Copy)]
enum XrefEntry {
    Offset(usize),
    /// Inside a stream of objects.
    InStream(u32),
}

/// A stream of objects, unpacked: where each of its objects starts.
#[derive(Debug)]
struct Container {
    bytes: Vec<u8>,
    starts: HashMap<u32, usize>,
}

/// The name of a packing of pictures, and its parameters.
pub(crate) type Packing = (Vec<u8>, Option<Dict>);

/// A value that may have been loaded through a reference.
#[derive(Debug)]
pub(crate) enum Resolved<'o> {
    Here(&'o Object),
    Loaded(Rc<Object>),
}

impl Deref for Resolved<'_> {
    type Target = Object;

    fn deref(&self) -> &Object {
        match self {
            Self::Here(object) => object,
            Self::Loaded(object) => object,
        }
    }
}

impl<'a> File<'a> {
    pub(crate) fn open(bytes: &'a [u8], options: &ReadSettings) -> Self {
        let mut file = Self {
            bytes,
            max_objects: options.max_pdf_objects,
            max_stream_bytes: options.max_pdf_stream_bytes,
            max_nesting: options.max_pdf_nesting,
            xref: RefCell::default(),
            trailer: Dict::default(),
            key: None,
            cached: RefCell::default(),
            containers: RefCell::default(),
            ends: OnceCell::new(),
            loading: Cell::new(0),
            unpacked_left: Cell::new(options.max_pdf_unpacked_bytes),
            parsed_left: Cell::new(bytes.len() * 16 + MIN_PARSED),
            repaired: false,
            needs_password: false,
        };
        file.read_tables();
        file.unlock();
        if !file.needs_password && !file.has_pages() {
            file.repair();
        }
        file
    }

    /// The value behind a reference, or the value itself.
    pub(crate) fn resolve<'o>(&self, object: &'o Object) -> Resolved<'o> {
        let Object::Reference(id) = object else { return Resolved::Here(object) };
        let mut found = self.load(*id);
        for _ in 0..MAX_HOPS {
            let Object::Reference(id) = *found else { break };
            found = self.load(id);
        }
        Resolved::Loaded(found)
    }

    pub(crate) fn get<'o>(&self, dict: &'o Dict, key: &str) -> Option<Resolved<'o>> {
        let found = self.resolve(dict.get(key)?);
        (*found != Object::Null).then_some(found)
    }

    /// The bytes of a stream without its packing; none for pictures.
    pub(crate) fn unpack(&self, stream: &Stream) -> Option<Vec<u8>> {
        self.unpack_picture(stream).filter(|it| it.1.is_none()).map(|it| it.0)
    }

    /// The same for pictures: where one is packed as a picture, its bytes stay so, and the packing is
    /// named with its parameters.
    pub(crate) fn unpack_picture(&self, stream: &Stream) -> Option<(Vec<u8>, Option<Packing>)> {
        let raw = self.bytes.get(stream.range.clone())?;
        // Reading a plain stream costs as well, and a drawing may be drawn many times.
        let left = self.unpacked_left.get();
        if left == 0 {
            return None;
        }
        self.unpacked_left.set(left.saturating_sub(raw.len()));
        let mut bytes = match &self.key {
            Some(key) => key.stream(raw, &stream.dict, stream.id),
            None => raw.to_vec(),
        };
        let filters = self.get(&stream.dict, "Filter").or_else(|| self.get(&stream.dict, "F"));
        let parameters =
            self.get(&stream.dict, "DecodeParms").or_else(|| self.get(&stream.dict, "DP"));
        let one_or_many = |object: Option<&Object>, i: usize| match object {
            Some(Object::Array(array)) => array.get(i).map(|it| (*self.resolve(it)).clone()),
            Some(other) if i == 0 => Some(other.clone()),
            _ => None,
        };
        // Real streams have a few filters, but a list of filters may be as long as the file.
        for i in 0..MAX_HOPS {
            let Some(Object::Name(name)) = one_or_many(filters.as_deref(), i) else { break };
            let limit = self.max_stream_bytes.min(self.unpacked_left.get());
            let parameters = one_or_many(parameters.as_deref(), i);
            let resolved =
                parameters.as_ref().and_then(Object::dict).map(|it| self.resolved_values(it));
            let Some(unpacked) = filter::decode(&name, &bytes, resolved.as_ref(), limit) else {
                return Some((bytes, Some((name, resolved))));
            };
            bytes = unpacked;
            self.unpacked_left.set(self.unpacked_left.get().saturating_sub(bytes.len()));
        }
        Some((bytes, None))
    }

    /// All bytes that may be unpacked have been.
    pub(crate) fn is_spent(&self) -> bool {
        self.unpacked_left.get() == 0
    }

    pub(crate) fn trailer(&self) -> &Dict {
        &self.trailer
    }

    pub(crate) fn catalogue(&self) -> Option<Resolved<'_>> {
        self.get(&self.trailer, "Root").filter(|it| it.dict().is_some())
    }

    fn has_pages(&self) -> bool {
        let Some(root) = self.catalogue() else { return false };
        let pages =
            root.dict().and_then(|root| self.get(root, "Pages").map(|it| it.dict().is_some()));
        pages.unwrap_or(false)
    }

    fn ids(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = self.xref.borrow().keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    fn load(&self, id: u32) -> Rc<Object> {
        if let Some(found) = self.cached.borrow().get(&id) {
            return Rc::clone(found);
        }
        let depth = self.loading.get();
        if depth >= MAX_LOADING {
            return Rc::new(Object::Null);
        }
        self.loading.set(depth + 1);
        let entry = self.xref.borrow().get(&id).copied();
        let object = match entry {
            Some(XrefEntry::Offset(at)) => self.object_at(at, Some(id)),
            Some(XrefEntry::InStream(container)) => self.object_in(container, id),
            None => None,
        };
        self.loading.set(depth);
        let object = Rc::new(object.unwrap_or(Object::Null));
        let mut cached = self.cached.borrow_mut();
        if cached.len() >= MAX_CACHED {
            cached.clear();
        }
        cached.insert(id, Rc::clone(&object));
        object
    }

    /// The object at an offset of the file, if it is the one expected there.
    fn object_at(&self, at: usize, expected: Option<u32>) -> Option<Object> {
        let mut lexer = self.lexer(self.bytes, at);
        let id = lexer.object_head()?;
        if expected.is_some_and(|it| it != id.0) {
            return None;
        }
        let mut object = self.parse(&mut lexer)?;
        if let Some(key) = &self.key {
            decrypt_strings(&mut object, key, id);
        }
        if let Object::Dict(dict) = object {
            if !lexer.take_word(b"stream") {
                return Some(Object::Dict(dict));
            }
            let rest = lexer.rest();
            let line_end = if rest.starts_with(b"\r\n") {
                2
            } else {
                usize::from(matches!(rest.first(), Some(b'\n' | b'\r')))
            };
            let start = lexer.at + line_end;
            let range = self.stream_range(start, &dict);
            return Some(Object::Stream(Stream { dict, range, id }));
        }
        Some(object)
    }

    fn stream_range(&self, start: usize, dict: &Dict) -> Range<usize> {
        let length = self.get(dict, "Length").and_then(|it| it.count());
        let said = length.and_then(|it| start.checked_add(it)).filter(|it| *it <= self.bytes.len());
        if let Some(end) = said {
            let mut after = Lexer::new(self.bytes, end);
            if after.take_word(b"endstream") {
                return start..end;
            }
        }
        // The ends are looked up in one list: searching anew for each stream would be quadratic.
        let ends = self.ends.get_or_init(|| memmem::find_iter(self.bytes, b"endstream").collect());
        let next = ends.partition_point(|it| *it < start);
        let mut end = ends.get(next).copied().or(said).unwrap_or(self.bytes.len());
        if end > start && self.bytes[end - 1] == b'\n' {
            end -= 1;
        }
        if end > start && self.bytes[end - 1] == b'\r' {
            end -= 1;
        }
        start..end
    }

    fn object_in(&self, container: u32, id: u32) -> Option<Object> {
        let opened = self.containers.borrow().get(&container).cloned();
        let opened = match opened {
            Some(opened) => opened,
            None => {
                let opened = self.open_container(container).map(Rc::new);
                self.containers.borrow_mut().insert(container, opened.clone());
                opened
            }
        }?;
        let start = *opened.starts.get(&id)?;
        self.parse(&mut self.lexer(&opened.bytes, start))
    }

    fn lexer<'b>(&self, bytes: &'b [u8], at: usize) -> Lexer<'b> {
        Lexer::new(bytes, at).with_nesting(self.max_nesting)
    }

    fn parse(&self, lexer: &mut Lexer<'_>) -> Option<Object> {
        let left = self.parsed_left.get();
        if left == 0 {
            return None;
        }
        let start = lexer.at;
        let object = lexer.object();
        self.parsed_left.set(left.saturating_sub(lexer.at - start));
        object
    }

    fn open_container(&self, id: u32) -> Option<Container> {
        // Object streams cannot be nested: this ends the walk of a file that says so.
        if !matches!(self.xref.borrow().get(&id), Some(XrefEntry::Offset(_))) {
            return None;
        }
        let object = self.load(id);
        let Object::Stream(stream) = &*object else { return None };
        let count = self.get(&stream.dict, "N")?.count()?.min(self.max_objects);
        let first = self.get(&stream.dict, "First")?.count()?;
        let bytes = self.unpack(stream)?;
        let mut starts = HashMap::new();
        let mut lexer = Lexer::new(&bytes, 0);
        for _ in 0..count {
            lexer.skip_space();
            let Some(id) = lexer.digits() else { break };
            lexer.skip_space();
            let Some(offset) = lexer.digits() else { break };
            if let Ok(id) = u32::try_from(id) {
                starts.insert(id, first.saturating_add(offset as usize));
            }
        }
        Some(Container { bytes, starts })
    }

    /// A copy whose values are no references, for the few that filters look at.
    fn resolved_values(&self, dict: &Dict) -> Dict {
        let mut out = Dict::default();
        for (key, value) in dict.iter() {
            let value = self.resolve(value);
            if matches!(*value, Object::Number(_) | Object::Bool(_)) {
                out.insert(key.to_vec(), (*value).clone());
            }
        }
        out
    }

    fn unlock(&mut self) {
        let Some(encrypt) = self.get(&self.trailer, "Encrypt") else { return };
        let Some(encrypt) = encrypt.dict() else { return };
        let id = self.get(&self.trailer, "ID").and_then(|ids| {
            match ids.array()?.first().map(|it| (*self.resolve(it)).clone()) {
                Some(Object::String(id)) => Some(id),
                _ => None,
            }
        });
        let mut dict = Dict::default();
        for (key, value) in encrypt.iter() {
            dict.insert(key.to_vec(), (*self.resolve(value)).clone());
        }
        let key = Key::open(&dict, &id.unwrap_or_default());
        self.needs_password = key.is_none();
        self.key = key;
        // Loaded before there was a key.
        self.cached.borrow_mut().clear();
        self.containers.borrow_mut().clear();
    }
}

fn decrypt_strings(object: &mut Object, key: &Key, id: (u32, u16)) {
    match object {
        Object::String(bytes) => *bytes = key.string(bytes, id),
        Object::Array(array) => array.iter_mut().for_each(|it| decrypt_strings(it, key, id)),
        Object::Dict(dict) => dict.values_mut().for_each(|it| decrypt_strings(it, key, id)),
        _ => {}
    }
}
