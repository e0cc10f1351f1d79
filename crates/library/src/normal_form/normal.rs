//! The normalised form of a text, with the way back to the bytes it came from.
//!
//! Invariant: lines stay lines, so that line N of the normalised text is line N of the original; and
//! normalising twice is the same as once.

use super::characters::{fold, is_invisible, is_mark};
use super::lines::lines;
use super::numerals;

/// What is normalised at once; lines that people write are far shorter.
const PIECE_BYTES: usize = 1 << 18;

/// A normalised text that knows where each part stood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Normalised {
    pub(crate) text: String,
    /// Where the distance between both texts changes: (normalised byte, original byte).
    marks: Vec<(usize, usize)>,
}

/// One folded character and the original bytes it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Traced {
    pub(super) c: char,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Normalised {
    /// The original byte at which the part that `at` belongs to begins.
    pub(crate) fn origin(&self, at: usize) -> usize {
        let next = self.marks.partition_point(|(normal, _)| *normal <= at);
        let Some((normal, original)) = next.checked_sub(1).map(|it| self.marks[it]) else {
            return at;
        };
        let limit = self.marks.get(next).map_or(usize::MAX, |(_, original)| *original);
        (original + (at - normal)).min(limit)
    }
}

/// Normalises a text and keeps the way back.
pub(crate) fn normalise(text: &str) -> Normalised {
    let mut all = Normalised::default();
    let mut expected = 0;
    for line in lines(text) {
        normalise_line(line.text, |it| {
            let start = line.bytes.start + it.start;
            if start != expected {
                all.marks.push((all.text.len(), start));
            }
            all.text.push(it.c);
            expected = start + it.c.len_utf8();
        });
        if line.bytes.end < text.len() {
            if line.bytes.end != expected {
                all.marks.push((all.text.len(), line.bytes.end));
            }
            all.text.push('\n');
            expected = line.bytes.end + 1;
        }
    }
    if expected != text.len() {
        all.marks.push((all.text.len(), text.len()));
    }
    all
}

/// The normalised text alone.
pub(crate) fn normalised(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for line in lines(text) {
        normalise_line(line.text, |it| all.push(it.c));
        if line.bytes.end < text.len() {
            all.push('\n');
        }
    }
    all
}

/// A character takes two dozen bytes while its line is worked on, so a line of many megabytes goes piece by piece.
fn normalise_line(line: &str, mut give: impl FnMut(Traced)) {
    let (mut start, mut space) = (0, false);
    while start < line.len() {
        let end = start + piece_end(&line[start..]);
        for it in normalise_piece(&line[start..end]) {
            if it.c != ' ' || !space {
                give(Traced { start: start + it.start, end: start + it.end, ..it });
            }
            space = it.c == ' ';
        }
        start = end;
    }
}

/// Where a line that is too long is cut: between two words or sentences, where nothing is folded into one; at any
/// character if there is no such place.
fn piece_end(line: &str) -> usize {
    if line.len() <= PIECE_BYTES {
        return line.len();
    }
    let end = line.floor_char_boundary(PIECE_BYTES);
    let bytes = line.as_bytes();
    let words = (end / 2..end).rev().find(|at| {
        bytes[at - 2].is_ascii_lowercase()
            && bytes[at - 1] == b' '
            && bytes[*at].is_ascii_lowercase()
    });
    let sentences = || line[..end].rfind('。').map(|at| at + '。'.len_utf8());
    words.or_else(sentences).unwrap_or(end)
}

fn normalise_piece(line: &str) -> Vec<Traced> {
    let mut out: Vec<Traced> = Vec::with_capacity(line.len());
    let mut cluster: Vec<char> = Vec::new();
    let mut place = 0..0;
    let mut characters = line.char_indices().filter(|(_, c)| !is_invisible(*c)).peekable();
    while let Some((start, c)) = characters.next() {
        let mut end = start + c.len_utf8();
        if numerals::is_sign(c) {
            push(&mut out, &cluster, place.start, place.end);
            cluster.clear();
            let mut signs = vec![c];
            while let Some((at, sign)) = characters.next_if(|(_, it)| numerals::is_sign(*it)) {
                signs.push(sign);
                end = at + sign.len_utf8();
            }
            push_roman(&mut out, &signs, start, end);
            continue;
        }
        if cluster.is_empty() || !is_mark(c) {
            push(&mut out, &cluster, place.start, place.end);
            cluster.clear();
            place.start = start;
        }
        cluster.push(c);
        place.end = end;
    }
    push(&mut out, &cluster, place.start, place.end);
    numerals::fold(&mut out);
    out
}

/// Ⅲ is 3; beside other digits it would become a different number, and stays letters.
fn push_roman(out: &mut Vec<Traced>, signs: &[char], start: usize, end: usize) {
    let beside_digit = out.last().is_some_and(|it| it.c.is_ascii_digit());
    match numerals::sign_value(signs).filter(|_| !beside_digit) {
        Some(value) => {
            out.extend(value.to_string().chars().map(|c| Traced { c, start, end }));
        }
        None => signs.iter().for_each(|it| push(out, &[*it], start, end)),
    }
}

fn push(out: &mut Vec<Traced>, cluster: &[char], start: usize, end: usize) {
    if cluster.is_empty() {
        return;
    }
    fold(cluster, |c| {
        if c != ' ' || out.last().is_none_or(|it| it.c != ' ') {
            out.push(Traced { c, start, end });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_normalised_as_if_it_were_not() {
        for (part, normal) in [
            ("The  Ｒｕｌｅ of １２ days ", "the rule of 12 days "),
            ("年次有給休暇は２０日とする。", "年次有給休暇は20日とする。"),
        ] {
            let times = 3 * PIECE_BYTES / part.len();
            assert_eq!(normalised(&part.repeat(times)), normal.repeat(times));
        }
        let text = "rule of ".repeat(PIECE_BYTES);
        let all = normalise(&text);
        assert_eq!(all.origin(text.len() - 3), text.len() - 3);
        assert_eq!(normalised(&"1".repeat(2 * PIECE_BYTES)).len(), 2 * PIECE_BYTES);
    }
    use proptest::prelude::*;

    fn same(written: &[&str]) {
        for other in &written[1..] {
            assert_eq!(normalised(written[0]), normalised(other), "{} and {other}", written[0]);
        }
    }

    #[test]
    fn width_and_case_make_no_difference() {
        same(&["USBメモリ", "ＵＳＢメモリ", "usbﾒﾓﾘ"]);
        same(&["ガイド", "ｶﾞｲﾄﾞ", "カ\u{3099}イト\u{3099}"]);
        same(&["STRASSE", "Straße"]);
        same(&["㈱", "(株)"]);
    }

    #[test]
    fn hyphens_dots_brackets_slashes_and_quotes_have_one_form_each() {
        same(&["A-1", "A‐1", "A‑1", "A–1", "A—1", "A−1", "Ａ－１"]);
        same(&["データ・ベース", "データ･ベース", "データ·ベース"]);
        same(&["(注)", "（注）"]);
        same(&["[重要]", "【重要】", "〔重要〕", "［重要］"]);
        same(&["『規程』", "「規程」"]);
        same(&["入/出", "入／出", "入∕出"]);
        same(&["it's \"so\"", "it’s “so”"]);
    }

    #[test]
    fn runs_of_spaces_are_one_and_invisible_characters_none() {
        same(&["a b", "a\u{3000} b", "a\tb", "a \u{a0}b"]);
        same(&["機密情報", "機\u{200b}密情\u{fe00}報\u{feff}"]);
    }

    #[test]
    fn every_line_break_is_one_line_feed() {
        assert_eq!(normalised("a\r\nb\rc\n\nd"), "a\nb\nc\n\nd");
    }

    #[test]
    fn numerals_of_articles_have_one_form() {
        same(&["第3条", "第３条", "第三条", "第Ⅲ条", "第III条"]);
        same(&["第十二条第二項", "第12条第2項", "第１２条第２項", "第Ⅻ条第Ⅱ項", "第ⅩⅡ条第ⅱ項"]);
        same(&["第二十一条の三", "第21条の3"]);
    }

    #[test]
    fn offsets_lead_back_to_the_original() {
        let text = "（Ａ）\r\n第三十条　ｶﾞｲﾄﾞ";
        let it = normalise(text);
        assert_eq!(it.text, "(a)\n第30条 ガイド");
        let back = |part: &str| {
            let start = it.text.find(part).unwrap();
            &text[it.origin(start)..it.origin(start + part.len())]
        };
        assert_eq!(back("a"), "Ａ");
        assert_eq!(back("30条"), "三十条");
        assert_eq!(back("ガイ"), "ｶﾞｲ");
        assert_eq!(back("ガイド"), "ｶﾞｲﾄﾞ");
    }

    #[test]
    fn the_end_leads_to_the_end() {
        for text in ["", "abc", "（）", "ｶﾞ", "一\u{200b}"] {
            let it = normalise(text);
            assert_eq!(it.origin(it.text.len()), text.len(), "{text:?}");
        }
    }

    /// Texts in which numerals, units and signs meet more often than in life.
    fn crowded() -> impl Strategy<Value = String> {
        "[第一二三十百千万億〇壱0-9,，.年月日条項号円名分部か箇ヶ数何iIvVxXⅠ-Ⅿⅰ-ⅿ ３Ａa\\-・（partz\n]{0,24}"
    }

    proptest! {
        #[test]
        fn twice_is_once(text in "\\PC*") {
            let once = normalised(&text);
            prop_assert_eq!(normalised(&once), once);
        }

        #[test]
        fn twice_is_once_where_numbers_meet_units(text in crowded()) {
            let once = normalised(&text);
            prop_assert_eq!(normalised(&once), once);
        }

        #[test]
        fn both_ways_of_normalising_agree(text in crowded()) {
            prop_assert_eq!(normalise(&text).text, normalised(&text));
        }

        #[test]
        fn lines_stay_lines(text in "([a-z（ 　一三条]|\r\n|\r|\n){0,20}") {
            prop_assert_eq!(lines(&normalised(&text)).count(), lines(&text).count());
        }

        #[test]
        fn origins_are_boundaries_in_order(text in "\\PC*") {
            let it = normalise(&text);
            let places = it.text.char_indices().map(|(at, _)| it.origin(at));
            let places: Vec<usize> = places.chain([it.origin(it.text.len())]).collect();
            prop_assert!(places.is_sorted());
            prop_assert!(places.iter().all(|at| text.is_char_boundary(*at)));
        }

        #[test]
        fn ascii_letters_and_their_wide_forms_are_the_same(text in "[!-~]{0,20}") {
            let wide: String = text
                .chars()
                .map(|c| char::from_u32(u32::from(c) + 0xfee0).unwrap())
                .collect();
            prop_assert_eq!(normalised(&wide), normalised(&text));
            prop_assert_eq!(normalised(&text.to_ascii_uppercase()), normalised(&text));
        }
    }
}
