//! Bytes to text: which character set it is, and what cannot be read in it.
//!
//! What is declared is believed unless the bytes speak against it: servers send one header for every
//! file, and authors copy `<meta>` lines. What no character set explains becomes U+FFFD, never an error.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use memchr::{memchr, memmem};

/// Bytes at the beginning in which a page declares its character set.
const DECLARATION_BYTES: usize = 4096;
/// Bytes from which a character set is guessed: more does not change the answer.
const SAMPLE_BYTES: usize = 256 << 10;

/// Text, and the character set it was read in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) charset: &'static str,
}

/// Reads bytes as text in the character set they are declared or seem to be in; never fails.
pub fn decode_text<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    decode(bytes, content_type).text
}

/// Reads bytes as text; `content_type` is the header that came with them.
pub(crate) fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    let (encoding, bytes) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, &bytes[length..]),
        None => (settle(bytes, content_type), bytes),
    };
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let text = if memchr(0, text.as_bytes()).is_some() {
        Cow::Owned(text.replace('\0', "\u{fffd}"))
    } else {
        text
    };
    Decoded { text, charset: encoding.name() }
}

/// The character set of bytes without a byte order mark.
fn settle(bytes: &[u8], content_type: Option<&str>) -> &'static Encoding {
    if let Some(encoding) = utf16_by_zeros(bytes) {
        return encoding;
    }
    let declared = content_type.and_then(of_header).or_else(|| of_content(bytes));
    // A page that was cut off may end inside a character.
    let is_utf8 = std::str::from_utf8(bytes).map_or_else(|it| it.error_len().is_none(), |_| true);
    if bytes.is_ascii() {
        return if has_japanese_escapes(bytes) { ISO_2022_JP } else { UTF_8 };
    }
    if is_utf8 {
        // Other character sets give bytes that are whole UTF-8 only by accident.
        return UTF_8;
    }
    if let Some(encoding) = utf16_by_kana(bytes) {
        return encoding;
    }
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    match declared {
        None if is_mostly_utf8(sample) => UTF_8,
        None => guess(sample),
        Some(declared) if declared == UTF_8 && is_mostly_utf8(sample) => UTF_8,
        Some(declared) if declared == UTF_8 => guess(sample),
        Some(declared) => {
            let guessed = guess(sample);
            if speaks_against(sample, declared, guessed) { guessed } else { declared }
        }
    }
}

/// Whether the bytes cannot be what was declared, while the guess explains them.
fn speaks_against(sample: &[u8], declared: &'static Encoding, guessed: &'static Encoding) -> bool {
    if declared == guessed {
        return false;
    }
    let wrong = replaced(sample, guessed);
    if [declared, guessed].iter().all(|it| [SHIFT_JIS, EUC_JP].contains(it)) {
        // Each reads the other's bytes as half-width kana without complaint.
        return wrong == 0;
    }
    if declared == WINDOWS_1252 {
        // The label for "no idea": every byte is a character of it. Western letters are single
        // among ASCII; those of other scripts come in runs.
        return wrong == 0 && stand_in_rows(sample);
    }
    replaced(sample, declared) > 4 * wrong + high_bytes(sample) / 50
}

fn replaced(sample: &[u8], encoding: &'static Encoding) -> usize {
    let (text, had_errors) = encoding.decode_without_bom_handling(sample);
    if !had_errors {
        return 0;
    }
    // A sample may end inside a character.
    text.chars().filter(|it| *it == '\u{fffd}').count().saturating_sub(1)
}

fn high_bytes(sample: &[u8]) -> usize {
    sample.iter().filter(|it| !it.is_ascii()).count()
}

fn stand_in_rows(sample: &[u8]) -> bool {
    let beside = sample.windows(2).filter(|it| !it[0].is_ascii() && !it[1].is_ascii()).count();
    2 * beside > high_bytes(sample)
}

/// UTF-8 with a few broken places: far more characters are whole than not.
fn is_mostly_utf8(sample: &[u8]) -> bool {
    let (mut whole, mut broken) = (0, 0);
    for chunk in sample.utf8_chunks() {
        whole += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    whole > 4 * broken
}

fn guess(sample: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(sample, true);
    detector.guess(None, Utf8Detection::Allow)
}

/// The escapes that lead into the Japanese sets of ISO-2022-JP.
fn has_japanese_escapes(bytes: &[u8]) -> bool {
    [&b"\x1b$B"[..], b"\x1b$@", b"\x1b(J"].iter().any(|it| memmem::find(bytes, it).is_some())
}

/// UTF-16 without a mark: the zeros of ASCII (markup, spaces, digits) are all on one side.
fn utf16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(DECLARATION_BYTES) & !1];
    let side = |side: usize| head.iter().skip(side).step_by(2).filter(|it| **it == 0).count();
    let (even, odd) = (side(0), side(1));
    let encoding = match (even, odd) {
        (0, 1..) => UTF_16LE,
        (1.., 0) => UTF_16BE,
        _ => return None,
    };
    let zeros = even.max(odd);
    // A few zeros in a file of another kind are no sign.
    (zeros >= 4 && 8 * zeros >= head.len() / 2 && is_sound(head, encoding)).then_some(encoding)
}

/// UTF-16 of Japanese without any ASCII: kana and punctuation share one first byte.
fn utf16_by_kana(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(DECLARATION_BYTES) & !1];
    let side = |side: usize| head.iter().skip(side).step_by(2).filter(|it| **it == 0x30).count();
    let (even, odd) = (side(0), side(1));
    let encoding = if even > odd { UTF_16BE } else { UTF_16LE };
    let enough = 3 * even.max(odd) >= head.len() / 2 && even.max(odd) > 4 * even.min(odd);
    (enough && is_sound(head, encoding)).then_some(encoding)
}

fn is_sound(head: &[u8], encoding: &'static Encoding) -> bool {
    let (text, _) = encoding.decode_without_bom_handling(head);
    text.chars().filter(|it| *it == '\u{fffd}' || is_stray_control(*it)).count() <= 1
}

fn is_stray_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{c}')
}

/// The character set of a `Content-Type` header.
fn of_header(content_type: &str) -> Option<&'static Encoding> {
    after_charset(content_type.as_bytes())
}

/// The character set that a page or an XML file declares in itself.
fn of_content(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(DECLARATION_BYTES)];
    let declared = of_xml(head).or_else(|| of_meta(head))?;
    // It could be read as ASCII, so it is no UTF-16, whatever it says.
    Some(if [UTF_16LE, UTF_16BE].contains(&declared) { UTF_8 } else { declared })
}

fn of_xml(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.trim_ascii_start().strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memmem::find(declaration, b"?>")?];
    let at = memmem::find(declaration, b"encoding")?;
    value(&declaration[at + b"encoding".len()..])
}

fn of_meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut rest = head;
    while let Some(at) = memchr(b'<', rest) {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix(b"!--") {
            rest = memmem::find(comment, b"-->").map_or(&[], |end| &comment[end..]);
        } else if rest.len() > 4 && rest[..4].eq_ignore_ascii_case(b"meta") {
            let end = memchr(b'>', rest).unwrap_or(rest.len());
            if let Some(found) = after_charset(&rest[4..end]) {
                return Some(found);
            }
            rest = &rest[end..];
        }
    }
    None
}

fn after_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    const NAME: &[u8] = b"charset";
    let at = bytes.windows(NAME.len()).position(|it| it.eq_ignore_ascii_case(NAME))?;
    value(&bytes[at + NAME.len()..])
}

/// The label in `= "label"`, with or without quotes.
fn value(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = bytes.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let bytes = bytes.strip_prefix(b"\"").or(bytes.strip_prefix(b"'")).unwrap_or(bytes);
    let end = bytes
        .iter()
        .position(|it| it.is_ascii_whitespace() || b"\"';/>?,".contains(it))
        .unwrap_or(bytes.len());
    Encoding::for_label_no_replacement(&bytes[..end])
}

#[cfg(test)]
mod tests {
    use encoding_rs::{BIG5, EUC_KR, GBK, WINDOWS_1251};
    use proptest::prelude::*;

    use super::*;

    const JAPANESE: &str =
        "気象庁によると、今年の夏は平年より気温が高くなる見込みです。熱中症に注意してください。";

    fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        let (bytes, _, had_errors) = encoding.encode(text);
        assert!(!had_errors);
        bytes.into_owned()
    }

    fn utf16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes_of).collect()
    }

    fn read(bytes: &[u8], content_type: Option<&str>) -> (String, &'static str) {
        let decoded = decode(bytes, content_type);
        (decoded.text.into_owned(), decoded.charset)
    }

    #[test]
    fn japanese_is_read_whatever_it_is_written_in_and_without_a_word_about_it() {
        for encoding in [SHIFT_JIS, EUC_JP, ISO_2022_JP, UTF_8] {
            let bytes = encode(JAPANESE, encoding);
            assert_eq!(read(&bytes, None), (JAPANESE.to_owned(), encoding.name()));
        }
    }

    #[test]
    fn a_declared_character_set_is_believed() {
        let chinese = "据报道，今年夏天的气温将高于往年，请注意防暑。";
        let korean = "기상청에 따르면 올해 여름은 평년보다 더울 전망입니다.";
        let russian = "По данным метеослужбы, лето будет жарким.";
        let french = "L’été sera très chaud, d’après Météo‑France, « prudence ».".replace('‑', "-");
        for (text, encoding, header) in [
            (chinese, GBK, "text/html; charset=GBK"),
            (chinese, GBK, "text/html;charset=\"gb2312\""),
            ("據報導，今年夏天的氣溫將高於往年。", BIG5, "text/html; charset=big5"),
            (korean, EUC_KR, "text/html; charset=euc-kr"),
            (russian, WINDOWS_1251, "text/html; Charset = windows-1251"),
            (&french, WINDOWS_1252, "text/html; charset=iso-8859-1"),
            (JAPANESE, SHIFT_JIS, "text/html; charset=x-sjis"),
            (JAPANESE, ISO_2022_JP, "text/plain; charset=iso-2022-jp"),
        ] {
            let bytes = encode(text, encoding);
            assert_eq!(read(&bytes, Some(header)), (text.to_owned(), encoding.name()), "{header}");
        }
    }

    #[test]
    fn pages_and_xml_files_declare_themselves() {
        for (before, encoding) in [
            ("<html><meta charset=euc-jp><title>", EUC_JP),
            (
                "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=Shift_JIS\">",
                SHIFT_JIS,
            ),
            ("<!-- <meta charset=utf-8> --><META CHARSET='shift_jis'/>", SHIFT_JIS),
            ("<?xml version=\"1.0\" encoding=\"EUC-JP\"?><rss>", EUC_JP),
        ] {
            let text = format!("{before}{}", "日本");
            let bytes = encode(&text, encoding);
            assert_eq!(read(&bytes, Some("text/html")), (text, encoding.name()));
        }
    }

    #[test]
    fn utf_16_is_read_with_and_without_its_mark() {
        let page = format!("<html><p>{JAPANESE}</p>");
        for text in [page.as_str(), JAPANESE, "Plain English, nothing else."] {
            let little = utf16(text, u16::to_le_bytes);
            let big = utf16(text, u16::to_be_bytes);
            assert_eq!(read(&little, None), (text.to_owned(), "UTF-16LE"));
            assert_eq!(read(&big, None), (text.to_owned(), "UTF-16BE"));
            let marked: Vec<u8> = [&b"\xff\xfe"[..], &little].concat();
            assert_eq!(
                read(&marked, Some("text/html; charset=utf-8")),
                (text.to_owned(), "UTF-16LE")
            );
            let marked: Vec<u8> = [&b"\xfe\xff"[..], &big].concat();
            assert_eq!(read(&marked, None), (text.to_owned(), "UTF-16BE"));
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(read("\u{feff}はい".as_bytes(), None), ("はい".to_owned(), "UTF-8"));
    }

    #[test]
    fn a_wrong_declaration_is_noticed() {
        let page = |label: &str| format!("<html><meta charset={label}><p>{JAPANESE}</p></html>");
        for (declared, truth) in [
            ("utf-8", SHIFT_JIS),
            ("utf-8", EUC_JP),
            ("shift_jis", UTF_8),
            ("euc-jp", UTF_8),
            ("shift_jis", EUC_JP),
            ("euc-jp", SHIFT_JIS),
            ("iso-8859-1", SHIFT_JIS),
            ("iso-8859-1", EUC_JP),
            ("iso-8859-1", UTF_8),
            ("utf-16", UTF_8),
            ("utf-8", ISO_2022_JP),
        ] {
            let text = page(declared);
            let bytes = encode(&text, truth);
            assert_eq!(read(&bytes, None), (text.clone(), truth.name()), "{declared} in the page");
            let header = format!("text/html; charset={declared}");
            assert_eq!(
                read(&bytes, Some(&header)),
                (text, truth.name()),
                "{declared} in the header"
            );
        }
    }

    #[test]
    fn western_text_declared_as_utf_8_keeps_its_letters() {
        let text = "It’s a café in Zürich, isn’t it?";
        let bytes = encode(text, WINDOWS_1252);
        assert_eq!(
            read(&bytes, Some("text/html; charset=utf-8")),
            (text.to_owned(), "windows-1252")
        );
    }

    #[test]
    fn a_broken_place_in_utf_8_does_not_change_how_the_rest_is_read() {
        let mut bytes = JAPANESE.as_bytes().to_vec();
        bytes.extend(b"\xe6\x97");
        assert_eq!(read(&bytes, None), (format!("{JAPANESE}\u{fffd}"), "UTF-8"));
    }

    #[test]
    fn zeros_and_bytes_without_meaning_become_replacement_characters() {
        assert_eq!(read(b"a\0b", None), ("a\u{fffd}b".to_owned(), "UTF-8"));
        assert_eq!(read(b"", None), (String::new(), "UTF-8"));
        assert_eq!(read(b"\0", None), ("\u{fffd}".to_owned(), "UTF-8"));
        assert_eq!(read(b"\xff\xfe", None), (String::new(), "UTF-16LE"));
        let (binary, _) = read(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06", None);
        assert!(!binary.contains('\0'), "{binary:?}");
    }

    #[test]
    fn labels_that_name_nothing_are_passed_over() {
        for header in
            ["text/html; charset=", "charset=klingon", "text/html; charset", "; charset=\""]
        {
            let bytes = encode(JAPANESE, SHIFT_JIS);
            assert_eq!(read(&bytes, Some(header)), (JAPANESE.to_owned(), "Shift_JIS"), "{header}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_under_any_header_give_text_without_zeros(
            bytes in proptest::collection::vec(any::<u8>(), 0..600),
            header in proptest::option::of("text/html; charset=(utf-8|shift_jis|euc-jp|utf-16|gbk|big5|\\PC{0,8})"),
        ) {
            prop_assert!(!decode(&bytes, header.as_deref()).text.contains('\0'));
        }

        #[test]
        fn utf_8_is_never_changed(text in "[^\0\u{1b}\u{feff}]{0,80}あ[^\0\u{1b}]{0,80}") {
            let decoded = decode(text.as_bytes(), Some("text/html; charset=shift_jis"));
            prop_assert_eq!(decoded.text.as_ref(), &text);
        }
    }
}
