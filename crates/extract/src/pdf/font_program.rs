//! What an embedded font says about its characters, for files that do not say it themselves.
//!
//! TrueType: the table from characters to glyphs, read backwards. Type 1: the list of names in its head.

use std::collections::HashMap;

use super::lexer::{Lexer, Token};
use super::object::Object;

/// Glyphs of a font; the format allows no more.
const MAX_GLYPHS: usize = 65_536;

/// The tables of a TrueType or OpenType font that text can be read from.
#[derive(Debug, Clone, Default)]
pub(crate) struct TrueType {
    /// The character of a glyph.
    pub(crate) characters: HashMap<u16, char>,
    /// The glyph of a one-byte code, where the font has its own order.
    pub(crate) symbols: HashMap<u8, u16>,
}

impl TrueType {
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let table = find_table(bytes, b"cmap")?;
        let count = u16_at(table, 2)?;
        let mut out = Self::default();
        for i in 0..usize::from(count).min(64) {
            let platform = u16_at(table, 4 + i * 8)?;
            let encoding = u16_at(table, 6 + i * 8)?;
            let offset = u32_at(table, 8 + i * 8)? as usize;
            let Some(map) = table.get(offset..) else { continue };
            match (platform, encoding) {
                (0, _) | (3, 1 | 10) => each_mapping(map, |code, glyph| {
                    if let Some(character) = char::from_u32(code).filter(|it| *it >= ' ') {
                        out.characters.entry(glyph).or_insert(character);
                    }
                }),
                (3, 0) | (1, 0) => each_mapping(map, |code, glyph| {
                    if code < 0x100 || (0xF000..0xF100).contains(&code) {
                        out.symbols.entry(code as u8).or_insert(glyph);
                    }
                }),
                _ => {}
            }
        }
        Some(out)
    }
}

fn find_table<'a>(bytes: &'a [u8], name: &[u8; 4]) -> Option<&'a [u8]> {
    let count = u16_at(bytes, 4)?;
    (0..usize::from(count)).find_map(|i| {
        let entry = bytes.get(12 + i * 16..28 + i * 16)?;
        let start = u32_at(entry, 8)? as usize;
        (&entry[..4] == name).then(|| bytes.get(start..)).flatten()
    })
}

fn each_mapping(map: &[u8], mut each: impl FnMut(u32, u16)) {
    let mut add = |code: u32, glyph: u16| {
        if glyph != 0 {
            each(code, glyph);
        }
    };
    match u16_at(map, 0) {
        Some(0) => {
            for (code, glyph) in map.iter().skip(6).take(256).enumerate() {
                add(code as u32, u16::from(*glyph));
            }
        }
        Some(4) => {
            segments(map, &mut add);
        }
        Some(6) => {
            let (Some(first), Some(count)) = (u16_at(map, 6), u16_at(map, 8)) else { return };
            for i in 0..usize::from(count) {
                let Some(glyph) = u16_at(map, 10 + i * 2) else { return };
                add(u32::from(first) + i as u32, glyph);
            }
        }
        Some(12) => {
            let mut left = MAX_GLYPHS;
            for i in 0..u32_at(map, 12).unwrap_or(0) as usize {
                let at = 16 + i * 12;
                let (Some(low), Some(high), Some(glyph)) =
                    (u32_at(map, at), u32_at(map, at + 4), u32_at(map, at + 8))
                else {
                    return;
                };
                for code in low..=high {
                    if left == 0 {
                        return;
                    }
                    left -= 1;
                    add(code, glyph.wrapping_add(code - low) as u16);
                }
            }
        }
        _ => {}
    }
}

fn segments(map: &[u8], add: &mut impl FnMut(u32, u16)) -> Option<()> {
    let count = usize::from(u16_at(map, 6)? / 2);
    let mut left = MAX_GLYPHS;
    for i in 0..count {
        let end = u16_at(map, 14 + i * 2)?;
        let start = u16_at(map, 16 + (count + i) * 2)?;
        let delta = u16_at(map, 16 + (2 * count + i) * 2)?;
        let offset_at = 16 + (3 * count + i) * 2;
        let offset = u16_at(map, offset_at)?;
        for code in start..=end {
            if left == 0 {
                return None;
            }
            left -= 1;
            let glyph = if offset == 0 {
                code.wrapping_add(delta)
            } else {
                let at = offset_at + usize::from(offset) + usize::from(code - start) * 2;
                match u16_at(map, at) {
                    Some(0) | None => 0,
                    Some(glyph) => glyph.wrapping_add(delta),
                }
            };
            if code != 0xFFFF {
                add(u32::from(code), glyph);
            }
        }
    }
    Some(())
}

/// The names in the head of a Type 1 font: `dup 65 /A put`.
pub(crate) fn type1_names(bytes: &[u8]) -> HashMap<u8, String> {
    let mut names = HashMap::new();
    let Some(start) = memchr::memmem::find(bytes, b"/Encoding") else { return names };
    // The rest of the font is encrypted and says nothing about codes.
    let end = memchr::memmem::find(bytes, b"eexec").unwrap_or(bytes.len());
    let mut lexer = Lexer::new(bytes.get(..end).unwrap_or_default(), start + b"/Encoding".len());
    let mut last: [Option<Object>; 2] = [None, None];
    while let Some(token) = lexer.token() {
        match token {
            Token::Object(object) => {
                let [_, newer] = last;
                last = [newer, Some(object)];
            }
            Token::Word(word) if word == b"put" => {
                if let [Some(code), Some(Object::Name(name))] = &last
                    && let Some(code) = code.count().and_then(|it| u8::try_from(it).ok())
                {
                    names.insert(code, String::from_utf8_lossy(name).into_owned());
                }
            }
            Token::Word(word) if word == b"def" || word == b"readonly" => {
                if !names.is_empty() {
                    break;
                }
            }
            Token::Word(_) => {}
        }
    }
    names
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_head_of_a_type_1_font() {
        let names = type1_names(
            b"/Encoding 256 array 0 1 255 {1 index exch /.notdef put} for\ndup 65 /A put dup 2 /eacute put readonly def currentfile eexec dup 3 /B put",
        );
        assert_eq!(names.get(&65).map(String::as_str), Some("A"));
        assert_eq!(names.get(&2).map(String::as_str), Some("eacute"));
        assert_eq!(names.get(&3), None);
    }

    #[test]
    fn a_broken_font_says_nothing() {
        assert!(TrueType::parse(b"\0\x01\0\0\0\x01").is_none());
        assert!(TrueType::parse(b"").is_none());
    }
}
