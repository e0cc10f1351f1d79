//! Maps of codes: `ToUnicode` (codes to text) and the encodings of fonts with many characters
//! (codes to glyphs).

use std::collections::HashMap;

use super::lexer::{Lexer, Token};
use super::object::Object;

/// Characters one code may stand for; ligatures have three or four.
const MAX_TEXT_UNITS: usize = 64;

/// A map of codes that a file carries.
#[derive(Debug, Clone, Default)]
pub(crate) struct CMap {
    /// Length in bytes, first and last code.
    spaces: Vec<(usize, u32, u32)>,
    texts: HashMap<u32, String>,
    /// First and last code, and the text of the first; sorted.
    text_ranges: Vec<(u32, u32, Vec<u16>)>,
    /// First and last code, and the glyph of the first; sorted.
    glyph_ranges: Vec<(u32, u32, u32)>,
    pub(crate) is_vertical: bool,
    /// The map it builds upon.
    pub(crate) base: Option<Vec<u8>>,
}

impl CMap {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut map = Self::default();
        let mut lexer = Lexer::new(bytes, 0);
        // The operands before an operator. Operators take three values at most for each entry, and lists
        // are read to their `end` word, so the oldest may be forgotten.
        let mut operands: Vec<Object> = Vec::new();
        while let Some(token) = lexer.token() {
            let word = match token {
                Token::Object(object) => {
                    operands.push(object);
                    continue;
                }
                Token::Word(word) => word,
            };
            match word.as_slice() {
                b"endcodespacerange" => map.add_spaces(&operands),
                b"endbfchar" => map.add_texts(&operands),
                b"endbfrange" => map.add_text_ranges(&operands),
                b"endcidchar" => {
                    for pair in operands.chunks_exact(2) {
                        if let (Some((code, _)), Some(glyph)) = (code(&pair[0]), pair[1].count()) {
                            map.glyph_ranges.push((code, code, glyph as u32));
                        }
                    }
                }
                b"endcidrange" => {
                    for entry in operands.chunks_exact(3) {
                        if let (Some((low, _)), Some((high, _)), Some(glyph)) =
                            (code(&entry[0]), code(&entry[1]), entry[2].count())
                        {
                            map.glyph_ranges.push((low, high, glyph as u32));
                        }
                    }
                }
                b"usecmap" => {
                    if let Some(Object::Name(name)) = operands.last() {
                        map.base = Some(name.clone());
                    }
                }
                b"def" => {
                    if let [.., Object::Name(name), Object::Number(value)] = operands.as_slice()
                        && name == b"WMode"
                    {
                        map.is_vertical = *value == 1.0;
                    }
                }
                _ => {}
            }
            operands.clear();
        }
        map.text_ranges.sort_by_key(|it| it.0);
        map.glyph_ranges.sort_unstable_by_key(|it| it.0);
        map.spaces.sort_unstable();
        map.spaces.dedup();
        map.spaces.truncate(64);
        map
    }

    /// The text of a code.
    pub(crate) fn text(&self, code: u32) -> Option<String> {
        if let Some(text) = self.texts.get(&code) {
            return Some(text.clone());
        }
        let after = self.text_ranges.partition_point(|it| it.0 <= code);
        let (low, high, first) = self.text_ranges.get(after.checked_sub(1)?)?;
        if code > *high {
            return None;
        }
        let mut units = first.clone();
        let last = units.last_mut()?;
        *last = last.wrapping_add((code - low) as u16);
        Some(String::from_utf16_lossy(&units))
    }

    /// The glyph of a code.
    pub(crate) fn glyph(&self, code: u32) -> Option<u32> {
        let after = self.glyph_ranges.partition_point(|it| it.0 <= code);
        let (low, high, glyph) = self.glyph_ranges.get(after.checked_sub(1)?)?;
        (code <= *high).then(|| glyph.saturating_add(code - low))
    }

    pub(crate) fn has_texts(&self) -> bool {
        !self.texts.is_empty() || !self.text_ranges.is_empty()
    }

    /// The code at the start of `bytes`, and its length.
    pub(crate) fn next_code(&self, bytes: &[u8]) -> (u32, usize) {
        let mut code = 0;
        for (i, byte) in bytes.iter().take(4).enumerate() {
            code = code << 8 | u32::from(*byte);
            let length = i + 1;
            let inside = |space: &(usize, u32, u32)| {
                // Each byte has its own range, not the number as a whole.
                space.0 == length
                    && (0..length).all(|byte| {
                        let part = |code: u32| code >> (8 * byte) & 0xFF;
                        (part(space.1)..=part(space.2)).contains(&part(code))
                    })
            };
            if self.spaces.iter().any(inside) {
                return (code, length);
            }
        }
        // No range fits: advance by the shortest code there is.
        let length = self.spaces.first().map_or(2, |it| it.0).clamp(1, bytes.len().max(1));
        let code = bytes.iter().take(length).fold(0, |sum, it| sum << 8 | u32::from(*it));
        (code, length)
    }

    pub(crate) fn has_spaces(&self) -> bool {
        !self.spaces.is_empty()
    }

    fn add_spaces(&mut self, operands: &[Object]) {
        for pair in operands.chunks_exact(2) {
            if let (Some((low, length)), Some((high, _))) = (code(&pair[0]), code(&pair[1])) {
                self.spaces.push((length.clamp(1, 4), low, high));
            }
        }
    }

    fn add_texts(&mut self, operands: &[Object]) {
        for pair in operands.chunks_exact(2) {
            if let (Some((code, _)), Some(units)) = (code(&pair[0]), units(&pair[1])) {
                self.texts.insert(code, String::from_utf16_lossy(&units));
            }
        }
    }

    fn add_text_ranges(&mut self, operands: &[Object]) {
        for entry in operands.chunks_exact(3) {
            let (Some((low, _)), Some((high, _))) = (code(&entry[0]), code(&entry[1])) else {
                continue;
            };
            match &entry[2] {
                Object::Array(list) => {
                    for (code, text) in (low..=high).zip(list) {
                        if let Some(units) = units(text) {
                            self.texts.insert(code, String::from_utf16_lossy(&units));
                        }
                    }
                }
                other => {
                    if let Some(units) = units(other) {
                        self.text_ranges.push((low, high, units));
                    }
                }
            }
        }
    }
}

fn code(object: &Object) -> Option<(u32, usize)> {
    match object {
        Object::String(bytes) if bytes.len() <= 4 => {
            Some((bytes.iter().fold(0, |sum, it| sum << 8 | u32::from(*it)), bytes.len()))
        }
        Object::Number(_) => Some((object.count()? as u32, 1)),
        _ => None,
    }
}

fn units(object: &Object) -> Option<Vec<u16>> {
    let Object::String(bytes) = object else { return None };
    if let [byte] = bytes.as_slice() {
        return Some(vec![u16::from(*byte)]);
    }
    let (pairs, _) = bytes.as_chunks::<2>();
    Some(pairs.iter().take(MAX_TEXT_UNITS).map(|it| u16::from_be_bytes(*it)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_codes_ranges_and_lists_give_their_text() {
        let map = CMap::parse(
            b"1 begincodespacerange <0000> <FFFF> endcodespacerange
              2 beginbfchar <0001> <65E5> <0002> <00660069> endbfchar
              2 beginbfrange <0010> <0012> <3042> <0020> <0021> [<0041> <D83DDE00>] endbfrange",
        );
        let read = |code| map.text(code).unwrap_or_else(|| "none".into());
        let shown: Vec<String> =
            [1, 2, 0x10, 0x12, 0x13, 0x20, 0x21].into_iter().map(read).collect();
        assert_eq!(shown, ["日", "fi", "あ", "い", "none", "A", "😀"]);
    }

    #[test]
    fn codes_of_mixed_length_are_told_apart() {
        let map = CMap::parse(
            b"2 begincodespacerange <00> <80> <8140> <9FFC> endcodespacerange
              1 begincidrange <8140> <817E> 633 endcidrange",
        );
        assert_eq!(map.next_code(b"A"), (0x41, 1));
        assert_eq!(map.next_code(b"\x81\x41"), (0x8141, 2));
        assert_eq!(map.glyph(0x8141), Some(634));
        assert_eq!(map.glyph(0x9000), None);
    }
}
