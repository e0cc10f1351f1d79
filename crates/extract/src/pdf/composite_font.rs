//! Fonts with many characters: codes of one to four bytes that lead to numbered glyphs.
//!
//! Japanese, Chinese and Korean files use them, and most files of today for every script.

use std::collections::HashMap;

use super::cmap::CMap;
use super::east_asian::{Codes, Collection};
use super::file::File;
use super::font::embedded;
use super::font_program::TrueType;
use super::object::{Dict, Object};

/// Widths a font may list: numbers of glyphs have two bytes, and a few may be said twice.
const MAX_WIDTHS: usize = 4 << 16;

/// A font whose glyphs go by number.
#[derive(Debug)]
pub(crate) struct Composite {
    codes: Codes,
    /// The map the file carries in place of a well-known one.
    own: Option<CMap>,
    characters: Characters,
    widths: HashMap<u32, f64>,
    default_width: f64,
    has_narrow_latin: bool,
    pub(crate) is_vertical: bool,
}

/// How glyphs become text, when the file does not say it.
#[derive(Debug)]
enum Characters {
    Unknown,
    /// By the numbers of a collection.
    Collection(Collection),
    /// By the tables of the font, and the glyph of each number where the file changes it.
    Font {
        font: TrueType,
        glyphs: Option<Vec<u8>>,
    },
}

impl Composite {
    pub(crate) fn load(file: &File<'_>, dict: &Dict, descendant: &Dict, descriptor: &Dict) -> Self {
        let mut is_vertical = false;
        let mut own = None;
        let mut name = Vec::new();
        match file.get(dict, "Encoding").as_deref() {
            Some(Object::Name(found)) => name = found.clone(),
            Some(Object::Stream(stream)) => {
                let map = CMap::parse(&file.unpack(stream).unwrap_or_default());
                let mode = file.get(&stream.dict, "WMode").and_then(|it| it.number());
                is_vertical = map.is_vertical || mode == Some(1.0);
                name = map.base.clone().unwrap_or_default();
                own = Some(map);
            }
            _ => {}
        }
        let name = String::from_utf8_lossy(&name);
        is_vertical |= name.ends_with("-V") || name == "V";
        Self {
            codes: Codes::named(&name).unwrap_or(Codes::Glyphs),
            own,
            characters: Characters::load(file, descendant, descriptor),
            widths: widths(file, descendant),
            default_width: file.get(descendant, "DW").and_then(|it| it.number()).unwrap_or(1000.0),
            has_narrow_latin: name.contains("-HW") || name.starts_with("90ms-"),
            is_vertical,
        }
    }

    /// The code at the start of `bytes`, and its length.
    pub(crate) fn next_code(&self, bytes: &[u8]) -> (u32, usize) {
        match &self.own {
            Some(map) if map.has_spaces() => map.next_code(bytes),
            _ => {
                let length = self.codes.length(bytes);
                let code = bytes.iter().take(length).fold(0, |sum, it| sum << 8 | u32::from(*it));
                (code, length)
            }
        }
    }

    /// The text of a code, by its encoding or by its glyph.
    pub(crate) fn text(&self, code: u32, raw: &[u8]) -> Option<String> {
        self.codes.text(raw).or_else(|| self.characters.text(self.glyph(code)))
    }

    /// How far a code moves on, in thousandths of the size.
    pub(crate) fn width(&self, code: u32, raw: &[u8]) -> f64 {
        if self.is_vertical {
            return 1000.0;
        }
        if self.codes == Codes::Glyphs {
            return self.widths.get(&self.glyph(code)).copied().unwrap_or(self.default_width);
        }
        // Widths go by the numbers of a collection, which are known for Latin letters only.
        let latin = self.codes.text(raw).and_then(|it| it.chars().next()).filter(char::is_ascii);
        match latin {
            Some(_) if self.has_narrow_latin => 500.0,
            Some(letter) => {
                let number = (letter as u32).saturating_sub(31);
                self.widths.get(&number).copied().unwrap_or(500.0)
            }
            None if raw.len() == 1 => 500.0,
            None => self.default_width,
        }
    }

    fn glyph(&self, code: u32) -> u32 {
        self.own.as_ref().and_then(|it| it.glyph(code)).unwrap_or(code)
    }
}

impl Characters {
    fn load(file: &File<'_>, descendant: &Dict, descriptor: &Dict) -> Self {
        let collection = file.get(descendant, "CIDSystemInfo").and_then(|info| {
            match &*file.get(info.dict()?, "Ordering")? {
                Object::String(ordering) => Collection::ordered(ordering),
                _ => None,
            }
        });
        if let Some(collection) = collection {
            return Self::Collection(collection);
        }
        let program = embedded(file, descriptor, "FontFile2")
            .or_else(|| embedded(file, descriptor, "FontFile3"));
        let Some(font) = program.and_then(|it| TrueType::parse(&it)) else { return Self::Unknown };
        let glyphs = match file.get(descendant, "CIDToGIDMap").as_deref() {
            Some(Object::Stream(stream)) => file.unpack(stream),
            _ => None,
        };
        Self::Font { font, glyphs }
    }

    fn text(&self, glyph: u32) -> Option<String> {
        let character = match self {
            Self::Unknown => None,
            Self::Collection(collection) => return collection.text(glyph),
            Self::Font { font, glyphs: None } => {
                font.characters.get(&u16::try_from(glyph).ok()?).copied()
            }
            Self::Font { font, glyphs: Some(map) } => {
                let at = glyph as usize * 2;
                let glyph = u16::from_be_bytes(map.get(at..at + 2)?.try_into().ok()?);
                font.characters.get(&glyph).copied()
            }
        };
        character.map(String::from)
    }
}

/// `[first [w w w] first last w ...]`.
fn widths(file: &File<'_>, descendant: &Dict) -> HashMap<u32, f64> {
    let mut widths = HashMap::new();
    let Some(listed) = file.get(descendant, "W") else { return widths };
    let mut entries = listed.array().unwrap_or_default().iter();
    // A short list may name a long one many times over.
    let mut left = MAX_WIDTHS;
    while let Some(first) = entries.next() {
        let Some(first) = file.resolve(first).count() else { break };
        let Some(second) = entries.next() else { break };
        match &*file.resolve(second) {
            Object::Array(list) => {
                for (i, width) in list.iter().take(left).enumerate() {
                    if let Some(width) = file.resolve(width).number() {
                        widths.insert((first + i) as u32, width);
                    }
                }
                left = left.saturating_sub(list.len());
            }
            other => {
                let (Some(last), Some(width)) = (other.count(), entries.next()) else { break };
                let Some(width) = file.resolve(width).number() else { break };
                let range = first..last.min(0xFFFF) + 1;
                left = left.saturating_sub(range.len());
                widths.extend(range.take(left).map(|it| (it as u32, width)));
            }
        }
    }
    widths
}
