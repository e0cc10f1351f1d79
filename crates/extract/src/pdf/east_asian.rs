//! Codes of East Asian fonts that carry no map of their own: the file names a well-known encoding
//! (`90ms-RKSJ-H`, `UniJIS-UTF16-H`) or numbers the characters of a known collection (`Adobe-Japan1`).
//!
//! The named encodings are character sets that `encoding_rs` knows, so no tables are shipped for them.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};

/// How the codes of a font are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codes {
    /// Two bytes that number a glyph.
    Glyphs,
    ShiftJis,
    /// A set whose two-byte codes start with a high byte.
    Euc(Set),
    /// The same, without the high bits.
    SevenBit(Set),
    Utf8,
    Utf16,
    Utf32,
}

/// A character set of two-byte codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    Japanese,
    Chinese,
    Taiwanese,
    Korean,
}

impl Set {
    fn encoding(self) -> &'static Encoding {
        match self {
            Self::Japanese => EUC_JP,
            Self::Chinese => GB18030,
            Self::Taiwanese => BIG5,
            Self::Korean => EUC_KR,
        }
    }
}

impl Codes {
    /// The encoding of a name of the specification, without its `-H` or `-V`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let stem = name.strip_suffix("-H").or(name.strip_suffix("-V")).unwrap_or(name);
        Some(match stem {
            "Identity" => Self::Glyphs,
            "H" | "V" | "78" | "Add" | "Ext" | "NWP" | "Hankaku" | "Hiragana" | "Katakana" => {
                Self::SevenBit(Set::Japanese)
            }
            "EUC" | "78-EUC" => Self::Euc(Set::Japanese),
            "GB" | "GBT" => Self::SevenBit(Set::Chinese),
            "GB-EUC" | "GBpc-EUC" | "GBT-EUC" | "GBTpc-EUC" | "GBK-EUC" | "GBKp-EUC" | "GBK2K" => {
                Self::Euc(Set::Chinese)
            }
            "KSC" => Self::SevenBit(Set::Korean),
            "KSC-EUC" | "KSCms-UHC" | "KSCms-UHC-HW" | "KSCpc-EUC" => Self::Euc(Set::Korean),
            _ if stem.contains("RKSJ") => Self::ShiftJis,
            _ if stem.contains("UCS2") || stem.contains("UTF16") => Self::Utf16,
            _ if stem.contains("UTF8") => Self::Utf8,
            _ if stem.contains("UTF32") => Self::Utf32,
            _ if stem.contains("B5") => Self::Euc(Set::Taiwanese),
            _ => return None,
        })
    }

    /// How many bytes the code at the start of `bytes` has.
    pub(crate) fn length(self, bytes: &[u8]) -> usize {
        let first = bytes.first().copied().unwrap_or(0);
        let second = bytes.get(1).copied().unwrap_or(0);
        let length = match self {
            Self::Glyphs | Self::SevenBit(_) => 2,
            Self::ShiftJis => 1 + usize::from(matches!(first, 0x81..=0x9F | 0xE0..=0xFC)),
            Self::Euc(Set::Japanese) => match first {
                0x8F => 3,
                0x8E | 0xA1..=0xFE => 2,
                _ => 1,
            },
            Self::Euc(Set::Chinese) if first > 0x80 && second.is_ascii_digit() => 4,
            Self::Euc(_) => 1 + usize::from(matches!(first, 0x81..=0xFE)),
            Self::Utf8 => match first {
                0xF0.. => 4,
                0xE0.. => 3,
                0xC0.. => 2,
                _ => 1,
            },
            Self::Utf16 => 2 + 2 * usize::from(matches!(first, 0xD8..=0xDB)),
            Self::Utf32 => 4,
        };
        length.min(bytes.len()).max(1)
    }

    /// The text of one code; none for numbers of glyphs.
    pub(crate) fn text(self, code: &[u8]) -> Option<String> {
        let decode = |encoding: &'static Encoding, bytes: &[u8]| {
            encoding
                .decode_without_bom_handling_and_without_replacement(bytes)
                .map(std::borrow::Cow::into_owned)
        };
        match self {
            Self::Glyphs => None,
            Self::ShiftJis => decode(SHIFT_JIS, code),
            Self::Euc(set) => decode(set.encoding(), code),
            Self::SevenBit(set) => {
                let high: Vec<u8> = code.iter().map(|it| it | 0x80).collect();
                decode(set.encoding(), &high)
            }
            Self::Utf8 => String::from_utf8(code.to_vec()).ok(),
            Self::Utf16 => {
                let (pairs, _) = code.as_chunks::<2>();
                let units: Vec<u16> = pairs.iter().map(|it| u16::from_be_bytes(*it)).collect();
                String::from_utf16(&units).ok()
            }
            Self::Utf32 => {
                let code = u32::from_be_bytes(code.try_into().ok()?);
                char::from_u32(code).map(String::from)
            }
        }
    }
}

/// The character a number of the collection Adobe-Japan1 stands for.
///
/// Its first numbers follow ASCII and the order of JIS X 0208, so they are computed; the rare forms
/// above them are not known here.
pub(crate) fn japanese_character(number: u32) -> Option<char> {
    // First and last number, and the row and cell of JIS X 0208 of the first.
    const RUNS: [(u32, u32, u32, u32); 17] = [
        (633, 740, 1, 1),
        (741, 748, 2, 26),
        (749, 755, 2, 42),
        (756, 770, 2, 60),
        (771, 778, 2, 82),
        (779, 779, 2, 94),
        (780, 789, 3, 16),
        (790, 815, 3, 33),
        (816, 841, 3, 65),
        (842, 924, 4, 1),
        (925, 1010, 5, 1),
        (1011, 1034, 6, 1),
        (1035, 1058, 6, 33),
        (1059, 1091, 7, 1),
        (1092, 1124, 7, 49),
        (1125, 4089, 16, 1),
        (4090, 7477, 48, 1),
    ];
    match number {
        1..=94 => match number {
            61 => Some('¥'),
            _ => char::from_u32(number + 31),
        },
        231..=325 => char::from_u32(number - 199),
        327..=389 => char::from_u32(0xFF61 + number - 327),
        _ => {
            let (first, _, row, cell) =
                RUNS.into_iter().find(|it| (it.0..=it.1).contains(&number))?;
            let index = (row - 1) * 94 + cell - 1 + (number - first);
            let bytes = [0xA1 + (index / 94) as u8, 0xA1 + (index % 94) as u8];
            Codes::Euc(Set::Japanese).text(&bytes)?.chars().next()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_encodings_give_the_text_of_their_codes() {
        let read = |name: &str, bytes: &[u8]| {
            let codes = Codes::named(name).unwrap();
            let mut at = 0;
            let mut out = String::new();
            while at < bytes.len() {
                let length = codes.length(&bytes[at..]);
                out += &codes.text(&bytes[at..at + length]).unwrap();
                at += length;
            }
            out
        };
        assert_eq!(read("90ms-RKSJ-H", b"\x93\xFA\x96{A\xB1"), "日本Aｱ");
        assert_eq!(read("EUC-V", b"\xC6\xFC\xCB\xDC"), "日本");
        assert_eq!(read("H", b"\x46\x7C\x4B\x5C"), "日本");
        assert_eq!(read("UniJIS-UCS2-HW-H", b"\x65\xE5\x00A"), "日A");
        assert_eq!(read("UniJIS-UTF16-H", b"\xD8\x40\xDC\x0B"), "𠀋");
        assert_eq!(read("UniJIS-UTF8-H", "日本".as_bytes()), "日本");
        assert_eq!(read("KSCms-UHC-H", b"\xC7\xD1a"), "한a");
        assert_eq!(read("GBK-EUC-H", b"\xD6\xD0"), "中");
        assert_eq!(read("ETen-B5-H", b"\xA4\xA4"), "中");
    }

    #[test]
    fn an_unknown_name_is_no_encoding() {
        assert_eq!(Codes::named("Custom"), None);
    }

    #[test]
    fn numbers_of_adobe_japan_give_their_characters() {
        let numbers = [34, 327, 633, 699, 779, 780, 843, 925, 1011, 1124, 1125, 4089, 4090, 7477];
        let shown: String = numbers.into_iter().filter_map(japanese_character).collect();
        assert_eq!(shown, "A｡　＜◯０あァΑя亜腕弌瑤");
        assert_eq!(japanese_character(9000), None);
    }
}
