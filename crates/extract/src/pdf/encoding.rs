//! The encodings of fonts with up to 256 characters, and how wide their characters are when the file
//! leaves it to the reader.

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

/// An encoding a font may start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Standard,
    Windows,
    Mac,
    Symbol,
    Dingbats,
}

/// Codes 0xA1 to 0xFB of the standard encoding; a space if there is none.
const STANDARD_HIGH: &str =
    "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß";
/// Codes 0x20 to 0x7E of the font Symbol.
const SYMBOL_LOW: &str = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
/// Codes 0xA0 to 0xFE of the font Symbol.
const SYMBOL_HIGH: &str = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

impl Base {
    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"StandardEncoding" => Some(Self::Standard),
            b"WinAnsiEncoding" => Some(Self::Windows),
            b"MacRomanEncoding" => Some(Self::Mac),
            _ => None,
        }
    }

    /// The character of a code.
    pub(crate) fn character(self, code: u8) -> Option<char> {
        let listed = |list: &str, first: u8| {
            list.chars()
                .nth(usize::from(code.checked_sub(first)?))
                .filter(|it| *it != ' ' || code == b' ')
        };
        match self {
            Self::Standard => match code {
                b'\'' => Some('’'),
                b'`' => Some('‘'),
                0x20..=0x7E => Some(char::from(code)),
                _ => listed(STANDARD_HIGH, 0xA1),
            },
            // Codes Windows leaves free show a bullet, and the soft hyphen is a plain one.
            Self::Windows if code == 0xAD => Some('-'),
            Self::Windows if code > b' ' => decoded(WINDOWS_1252, code).or(Some('•')),
            Self::Windows => decoded(WINDOWS_1252, code),
            Self::Mac => decoded(MACINTOSH, code),
            Self::Symbol if code < 0x7F => listed(SYMBOL_LOW, 0x20),
            Self::Symbol => listed(SYMBOL_HIGH, 0xA0),
            Self::Dingbats => match code {
                b' ' => Some(' '),
                0x25 => Some('☎'),
                0x2A => Some('☛'),
                0x2B => Some('☞'),
                0x48 => Some('★'),
                0x6C => Some('●'),
                0x6E => Some('■'),
                0x73 => Some('▲'),
                0x74 => Some('▼'),
                0x75 => Some('◆'),
                0x21..=0x7E => char::from_u32(0x2700 + u32::from(code) - 0x20),
                _ => None,
            },
        }
    }
}

fn decoded(encoding: &'static Encoding, code: u8) -> Option<char> {
    let bytes = [code];
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    text.chars().next().filter(|it| !it.is_control())
}

const HELVETICA: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const TIMES: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
    556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
    722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
    278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];

/// The width of a character of a font every reader has, in thousandths of its size.
pub(crate) fn known_width(font: &str, character: Option<char>) -> f64 {
    if font.contains("Courier") || font.contains("Mono") {
        return 600.0;
    }
    let table = if font.contains("Times") || font.contains("Serif") { &TIMES } else { &HELVETICA };
    let index = character.map(|it| it as usize).and_then(|it| it.checked_sub(0x20));
    let width = index.and_then(|it| table.get(it)).copied().unwrap_or(556);
    // Bold letters are a little wider; the exact table would serve only files of the nineties.
    f64::from(width) * if font.contains("Bold") { 1.05 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_give_the_characters_of_their_encoding() {
        let read = |base: Base, codes: &[u8]| -> String {
            codes.iter().map(|it| base.character(*it).unwrap_or('?')).collect()
        };
        assert_eq!(
            read(Base::Standard, &[b'A', b'\'', 0xA1, 0xAE, 0xD0, 0xE1, 0xFB, 0xFF]),
            "A’¡ﬁ—Æß?"
        );
        assert_eq!(read(Base::Windows, &[b'A', 0x80, 0x93, 0xE9, 0x7F, 0xAD]), "A€“é•-");
        assert_eq!(read(Base::Mac, &[0x8E, 0xD0]), "é–");
        assert_eq!(read(Base::Symbol, &[b'a', b'W', 0xA3, 0xE5, 0xFE]), "αΩ≤∑⎭");
        assert_eq!(read(Base::Dingbats, &[0x21, 0x6C]), "✁●");
    }
}
