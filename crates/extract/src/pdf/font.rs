//! A font of a file: from the bytes of a string to text and widths.

use super::cmap::CMap;
use super::composite_font::Composite;
use super::encoding::{Base, known_width};
use super::file::File;
use super::font_program::{TrueType, type1_names};
use super::glyph_names;
use super::object::{Dict, Object};

/// A font, ready to read strings with.
#[derive(Debug)]
pub(crate) struct Font {
    kind: Kind,
    to_unicode: ToUnicode,
    /// Strings run downwards.
    pub(crate) is_vertical: bool,
    pub(crate) is_bold: bool,
    /// What a thousandth of a width is, in units of text: fonts of type 3 choose it.
    unit: f64,
    /// How large its letters are at size one.
    pub(crate) letter_size: f64,
}

/// What the file says each code stands for.
#[derive(Debug)]
enum ToUnicode {
    Nothing,
    Map(CMap),
    /// The codes are Unicode themselves.
    Same,
}

#[derive(Debug)]
enum Kind {
    /// One byte is one character.
    Simple {
        texts: Vec<Option<String>>,
        widths: Vec<f64>,
    },
    Composite(Box<Composite>),
}

/// One code of a string.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Code {
    /// None where neither the file nor the font says what it stands for.
    pub(crate) text: Option<String>,
    /// How far it moves on, in units of text of size one; downwards for vertical fonts.
    pub(crate) advance: f64,
    /// A space of one byte, which the word spacing applies to.
    pub(crate) is_space: bool,
}

impl Font {
    pub(crate) fn load(file: &File<'_>, dict: &Dict) -> Self {
        let to_unicode = match file.get(dict, "ToUnicode").as_deref() {
            Some(Object::Stream(stream)) => {
                let map = CMap::parse(&file.unpack(stream).unwrap_or_default());
                if map.has_texts() { ToUnicode::Map(map) } else { ToUnicode::Nothing }
            }
            Some(Object::Name(name)) if name.starts_with(b"Identity") => ToUnicode::Same,
            _ => ToUnicode::Nothing,
        };
        let name = file.get(dict, "BaseFont").and_then(|base_font| match &*base_font {
            Object::Name(name) => Some(String::from_utf8_lossy(name).into_owned()),
            _ => None,
        });
        let name = name.unwrap_or_default();
        let subtype = dict.name("Subtype").unwrap_or_default();
        let (mut unit, mut letter_size) = (0.001, 1.0);
        let mut is_vertical = false;
        let descendant = file
            .get(dict, "DescendantFonts")
            .and_then(|it| Some(file.resolve(it.array()?.first()?).dict()?.clone()));
        let descriptor_of = descendant.as_ref().unwrap_or(dict);
        let descriptor = file
            .get(descriptor_of, "FontDescriptor")
            .and_then(|it| it.dict().cloned())
            .unwrap_or_default();
        let kind = if let Some(descendant) = &descendant {
            let font = Composite::load(file, dict, descendant, &descriptor);
            is_vertical = font.is_vertical;
            Kind::Composite(Box::new(font))
        } else {
            let kind = simple(file, dict, &descriptor, &name);
            if subtype == b"Type3" {
                (unit, letter_size) = drawn_scale(file, dict, &kind);
            }
            kind
        };
        let is_bold = is_bold(file, &descriptor, &name);
        Self { kind, to_unicode, is_vertical, is_bold, unit, letter_size }
    }

    /// Reads a string code by code.
    pub(crate) fn read(&self, bytes: &[u8], mut each: impl FnMut(Code)) {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|it| !it.is_empty()) {
            let (code, length) = self.next_code(rest);
            let raw = &rest[..length.min(rest.len())];
            let own = match &self.to_unicode {
                ToUnicode::Map(map) => map.text(code),
                ToUnicode::Same if length > 1 => char::from_u32(code).map(String::from),
                _ => None,
            };
            let own = own.and_then(readable);
            each(Code {
                text: own.or_else(|| self.fallback_text(code, raw)),
                advance: self.width(code, raw) * self.unit,
                is_space: length == 1 && code == 32,
            });
            at += length.max(1);
        }
    }

    fn next_code(&self, bytes: &[u8]) -> (u32, usize) {
        match &self.kind {
            Kind::Simple { .. } => (bytes.first().copied().map_or(0, u32::from), 1),
            Kind::Composite(font) => font.next_code(bytes),
        }
    }

    fn fallback_text(&self, code: u32, raw: &[u8]) -> Option<String> {
        match &self.kind {
            Kind::Simple { texts, .. } => texts.get(code as usize)?.clone(),
            Kind::Composite(font) => font.text(code, raw),
        }
    }

    fn width(&self, code: u32, raw: &[u8]) -> f64 {
        match &self.kind {
            Kind::Simple { widths, .. } => widths.get(code as usize).copied().unwrap_or(0.0),
            Kind::Composite(font) => font.width(code, raw),
        }
    }
}

/// The units of a font whose letters are drawings (type 3), and how large these are at size one.
fn drawn_scale(file: &File<'_>, dict: &Dict, kind: &Kind) -> (f64, f64) {
    let matrix = file.get(dict, "FontMatrix");
    let scale = matrix.as_ref().and_then(|it| it.array()?.first()?.number());
    let unit = scale.map_or(0.001, f64::abs);
    let widest = match kind {
        Kind::Simple { widths, .. } => widths.iter().fold(0.0_f64, |most, it| most.max(it.abs())),
        Kind::Composite(_) => 0.0,
    };
    // The widest letter is about as wide as the letters are high. That matters only where the units are the dots of a
    // printer and letters of fifty dots are shown at size one.
    let size = widest * unit;
    let is_usual = (0.1..=5.0).contains(&size) || size <= 0.0 || !size.is_finite();
    (unit, if is_usual { 1.0 } else { size })
}

/// Some files map codes to nothing on purpose, so that their text cannot be copied.
fn readable(text: String) -> Option<String> {
    let hidden =
        |it: char| it == '\0' || it == '\u{FFFD}' || ('\u{E000}'..='\u{F8FF}').contains(&it);
    (!text.is_empty() && !text.chars().all(hidden)).then_some(text)
}

fn is_bold(file: &File<'_>, descriptor: &Dict, name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let weight = file.get(descriptor, "FontWeight").and_then(|it| it.number()).unwrap_or(0.0);
    let forced =
        file.get(descriptor, "Flags").and_then(|it| it.count()).unwrap_or(0) & 1 << 18 != 0;
    let named = ["bold", "black", "heavy", "semibold", "-w6", "-w7", "-w8"];
    weight >= 600.0 || forced || named.iter().any(|it| lower.contains(it))
}

pub(crate) fn embedded(file: &File<'_>, descriptor: &Dict, key: &str) -> Option<Vec<u8>> {
    match &*file.get(descriptor, key)? {
        Object::Stream(stream) => file.unpack(stream),
        _ => None,
    }
}

fn simple(file: &File<'_>, dict: &Dict, descriptor: &Dict, name: &str) -> Kind {
    let encoding = file.get(dict, "Encoding");
    let named = match encoding.as_deref() {
        Some(Object::Name(name)) => Base::named(name),
        Some(Object::Dict(dict)) => {
            file.get(dict, "BaseEncoding").and_then(|encoding| match &*encoding {
                Object::Name(name) => Base::named(name),
                _ => None,
            })
        }
        _ => None,
    };
    let is_symbolic = file.get(descriptor, "Flags").and_then(|it| it.count()).unwrap_or(0) & 4 != 0;
    let base = named.unwrap_or_else(|| {
        if name.contains("Symbol") {
            Base::Symbol
        } else if name.contains("Dingbats") {
            Base::Dingbats
        } else {
            Base::Standard
        }
    });
    let mut texts: Vec<Option<String>> =
        (0..=255).map(|it| base.character(it).map(String::from)).collect();
    if named.is_none() {
        if let Some(program) = embedded(file, descriptor, "FontFile") {
            for (code, name) in type1_names(&program) {
                texts[usize::from(code)] = glyph_names::text_of(&name);
            }
        }
        if let Some(font) =
            embedded(file, descriptor, "FontFile2").and_then(|it| TrueType::parse(&it))
        {
            for (code, glyph) in &font.symbols {
                if let Some(character) = font.characters.get(glyph) {
                    texts[usize::from(*code)] = Some(character.to_string());
                }
            }
        } else if dict.name("Subtype") == Some(b"TrueType") && !is_symbolic {
            // Without an encoding, what writers of such files meant is nearly always that of Windows.
            texts = (0..=255).map(|it| Base::Windows.character(it).map(String::from)).collect();
        }
    }
    if let Some(differences) =
        encoding.as_ref().and_then(|it| it.dict()).and_then(|it| file.get(it, "Differences"))
    {
        let mut code = 0;
        for entry in differences.array().unwrap_or_default() {
            match &*file.resolve(entry) {
                Object::Number(number) => code = *number as usize,
                Object::Name(name) => {
                    if let Some(text) = texts.get_mut(code) {
                        let name = String::from_utf8_lossy(name);
                        // A name that says nothing leaves the character of the base: better than none.
                        if let Some(found) = glyph_names::text_of(&name) {
                            *text = Some(found);
                        }
                    }
                    code = code.saturating_add(1);
                }
                _ => {}
            }
        }
    }
    let widths = simple_widths(file, dict, descriptor, name, &texts);
    Kind::Simple { texts, widths }
}

fn simple_widths(
    file: &File<'_>,
    dict: &Dict,
    descriptor: &Dict,
    name: &str,
    texts: &[Option<String>],
) -> Vec<f64> {
    let Some(listed) = file.get(dict, "Widths") else {
        let first = |text: &Option<String>| text.as_ref().and_then(|it| it.chars().next());
        return texts.iter().map(|it| known_width(name, first(it))).collect();
    };
    let missing = file.get(descriptor, "MissingWidth").and_then(|it| it.number()).unwrap_or(0.0);
    let first = file.get(dict, "FirstChar").and_then(|it| it.count()).unwrap_or(0);
    let mut widths = vec![missing; 256];
    for (i, width) in listed.array().unwrap_or_default().iter().take(256).enumerate() {
        if let (Some(slot), Some(width)) = (widths.get_mut(first + i), file.resolve(width).number())
        {
            *slot = width;
        }
    }
    widths
}
