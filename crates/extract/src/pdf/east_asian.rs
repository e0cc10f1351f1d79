//! Codes of East Asian fonts that carry no map of their own: the file names a well-known encoding
//! (`90ms-RKSJ-H`, `UniJIS-UTF16-H`) or numbers the characters of a known collection (`Adobe-Japan1`).
//!
//! The named encodings are character sets that `encoding_rs` knows; the tables of the four collections come
//! with `hayro-cmap`.

use std::sync::OnceLock;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};
use hayro_cmap::{BfString, CMap, CidFamily, load_embedded};

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

/// A collection of characters that files name by number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Collection(&'static CMap);

impl Collection {
    /// The collection of Adobe with this name, as a font says it.
    pub(crate) fn ordered(ordering: &[u8]) -> Option<Self> {
        static TABLES: [OnceLock<Option<CMap>>; 4] = [const { OnceLock::new() }; 4];
        let family = CidFamily::from_registry_ordering(b"Adobe", ordering);
        let table = match family {
            CidFamily::AdobeJapan1 => &TABLES[0],
            CidFamily::AdobeGB1 => &TABLES[1],
            CidFamily::AdobeCNS1 => &TABLES[2],
            CidFamily::AdobeKorea1 => &TABLES[3],
            CidFamily::AdobeIdentity | CidFamily::Custom { .. } => return None,
        };
        let load = || CMap::parse(load_embedded(family.ucs2_cmap()?)?, load_embedded);
        table.get_or_init(load).as_ref().map(Self)
    }

    /// The text of a number.
    pub(crate) fn text(self, number: u32) -> Option<String> {
        match self.0.lookup_bf_string(number)? {
            BfString::Char(letter) => Some(letter.to_string()),
            BfString::String(text) => Some(text),
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
    fn numbers_of_the_four_collections_give_their_characters() {
        let shown = |ordering: &[u8], numbers: &[u32]| -> String {
            let collection = Collection::ordered(ordering).unwrap();
            numbers.iter().filter_map(|it| collection.text(*it)).collect()
        };
        let japanese = [
            34, 327, 633, 699, 779, 780, 843, 925, 1011, 1124, 1125, 4089, 4090, 7477, 8705, 14_290,
        ];
        assert_eq!(shown(b"Japan1", &japanese), "A｡　＜◯０あァΑя亜腕弌瑤髙﨑");
        assert_eq!(shown(b"GB1", &[34, 4559, 3795]), "A中文");
        assert_eq!(shown(b"CNS1", &[34, 661, 726]), "A中文");
        assert_eq!(shown(b"Korea1", &[34, 3296, 1204]), "A한국");
    }

    #[test]
    fn a_number_or_a_collection_that_does_not_exist_has_no_text() {
        assert_eq!(Collection::ordered(b"GB1").unwrap().text(60_000), None);
        assert!(Collection::ordered(b"Identity").is_none());
        assert!(Collection::ordered(b"Wonderland1").is_none());
    }
}
