//! Loose text: the normalised text without spaces and separators, so that a search finds what is written with them.
//!
//! Everything in the normalised text is also in the loose one, so one pass over the loose text finds both; where a
//! match is in the normalised text says which of the two it is. No regular expressions.

use super::normal::normalised;

/// How many letters an English word may have after the one looked for: `report` finds `reporting`.
const LONGEST_ENDING: usize = 5;
/// Shorter words only take the plural.
const SHORT_WORD: usize = 4;

/// The loose form of a normalised text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Loose {
    pub(crate) text: Box<str>,
    /// One bit for each byte of the normalised text: whether it was kept.
    kept: Box<[u64]>,
    /// How many bytes were kept before each word of `kept`.
    before: Box<[u32]>,
}

/// How a term was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// As it is written, after normalisation.
    Normal,
    /// With spaces or separators that the request does not have, or without its own.
    Loose,
}

/// Something to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) normal: String,
    pub(crate) loose: String,
}

impl Loose {
    /// Leaves out spaces, separators and the line breaks inside a paragraph.
    pub(crate) fn new(normal: &str) -> Self {
        let mut text = String::with_capacity(normal.len());
        let mut kept = vec![0_u64; normal.len().div_ceil(64)];
        for (at, c) in normal.char_indices() {
            if is_left_out(normal, at, c) {
                continue;
            }
            text.push(c);
            for byte in at..at + c.len_utf8() {
                kept[byte / 64] |= 1 << (byte % 64);
            }
        }
        let mut sum = 0;
        let before = kept
            .iter()
            .map(|it| {
                let before = sum;
                sum += it.count_ones();
                before
            })
            .collect();
        Self { text: text.into(), kept: kept.into(), before }
    }

    /// The byte of the normalised text that byte `at` of the loose text was.
    pub(crate) fn normal(&self, at: usize) -> usize {
        let word = self.before.partition_point(|it| *it as usize <= at).saturating_sub(1);
        let Some(mut bits) = self.kept.get(word).copied() else { return 0 };
        for _ in self.before[word] as usize..at {
            bits &= bits.wrapping_sub(1);
        }
        word * 64 + bits.trailing_zeros() as usize
    }

    /// Where a match of `term` at byte `at` of the loose text is in the normalised text, and how it was found.
    ///
    /// `None` for matches that only look like one: inside another word or number.
    pub(crate) fn verify(
        &self,
        normal: &str,
        term: &Term,
        at: usize,
    ) -> Option<(std::ops::Range<usize>, Way)> {
        let start = self.normal(at);
        let last = self.normal(at + term.loose.len() - 1);
        let end = last + 1;
        let (found, before, after) = (&normal[start..end], &normal[..start], &normal[end..]);
        if !begins_word(&term.loose, before) || !ends_word(&term.loose, after) {
            return None;
        }
        let way = if found == term.normal || found.len() == term.loose.len() && term.is_plain() {
            Way::Normal
        } else {
            Way::Loose
        };
        (way == Way::Normal || !splits_number(&term.normal, found)).then_some((start..end, way))
    }
}

impl Term {
    /// Normalises what is looked for; `None` where nothing but separators is left.
    pub(crate) fn new(written: &str) -> Option<Self> {
        let normal = normalised(written).trim().to_owned();
        let loose: String = normal.chars().filter(|it| !is_separator(*it) && *it != '\n').collect();
        (!loose.is_empty()).then_some(Self { normal, loose })
    }

    fn is_plain(&self) -> bool {
        self.normal.len() == self.loose.len()
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '-' | '・' | '/' | '_' | '*' | '`')
}

fn is_left_out(normal: &str, at: usize, c: char) -> bool {
    if c == '\n' {
        return is_inside_paragraph(&normal[..at], &normal[at + 1..]);
    }
    is_separator(c)
}

/// Whether a line break only wraps a sentence: text on both sides, and no heading, list, quote or table.
fn is_inside_paragraph(before: &str, after: &str) -> bool {
    let wraps_into = |line: &str| {
        let mut characters = line.trim_start_matches(' ').chars();
        match characters.next() {
            None | Some('\n' | '#' | '>' | '|' | '=') => false,
            Some('-' | '*' | '+' | '・') => !matches!(characters.next(), Some(' ' | '-' | '*')),
            Some('0'..='9') => {
                let mut rest = characters.skip_while(char::is_ascii_digit);
                !(matches!(rest.next(), Some('.' | ')')) && rest.next() == Some(' '))
            }
            Some(_) => true,
        }
    };
    let last = before.rfind('\n').map_or(before, |it| &before[it + 1..]);
    !last.trim_start_matches(' ').is_empty()
        && !last.trim_start_matches(' ').starts_with(['#', '|', '='])
        && wraps_into(after)
}

/// `car` is not found in `scar`, nor 3 in 13.
fn begins_word(term: &str, before: &str) -> bool {
    let Some(neighbour) = before.as_bytes().last() else { return true };
    match term.as_bytes().first() {
        Some(it) if it.is_ascii_alphabetic() => !neighbour.is_ascii_alphabetic(),
        Some(it) if it.is_ascii_digit() => {
            !neighbour.is_ascii_digit() && !is_fraction(before.as_bytes())
        }
        _ => true,
    }
}

/// 2 in `1.2` is a part of another number.
fn is_fraction(before: &[u8]) -> bool {
    matches!(before, [.., digit, b'.'] if digit.is_ascii_digit())
}

/// `report` is found in `reporting`, `log` in `logs` but not in `login`, and 3 not in 30.
fn ends_word(term: &str, after: &str) -> bool {
    let after = after.as_bytes();
    let letters = after.iter().take_while(|it| it.is_ascii_alphabetic()).count();
    let word = term.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    match term.as_bytes().last() {
        Some(it) if it.is_ascii_alphabetic() && word < SHORT_WORD => {
            letters == 0 || matches!(&after[..letters], b"s" | b"es")
        }
        Some(it) if it.is_ascii_alphabetic() => letters <= LONGEST_ENDING,
        Some(it) if it.is_ascii_digit() => {
            !after.first().is_some_and(u8::is_ascii_digit)
                && !matches!(after, [b'.', digit, ..] if digit.is_ascii_digit())
        }
        _ => true,
    }
}

/// 31 is not found in 3-1.
fn splits_number(term: &str, found: &str) -> bool {
    splits(found) != splits(term)
}

/// How often a separator is between two digits.
fn splits(text: &str) -> usize {
    let (mut count, mut open) = (0, false);
    let mut digit_before = false;
    for c in text.chars() {
        if is_separator(c) || c == '\n' {
            open |= digit_before;
            continue;
        }
        count += usize::from(open && c.is_ascii_digit());
        open = false;
        digit_before = c.is_ascii_digit();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How `term` is found in `text`: the part of the normalised text, and the way.
    fn find(text: &str, term: &str) -> Vec<(String, Way)> {
        let normal = normalised(text);
        let loose = Loose::new(&normal);
        let term = Term::new(term).unwrap();
        loose
            .text
            .match_indices(term.loose.as_str())
            .filter_map(|(at, _)| loose.verify(&normal, &term, at))
            .map(|(place, way)| (normal[place].to_owned(), way))
            .collect()
    }

    fn one(part: &str, way: Way) -> Vec<(String, Way)> {
        vec![(part.to_owned(), way)]
    }

    #[test]
    fn spaces_and_separators_are_ignored() {
        assert_eq!(find("データ・ベースの設計", "データベース"), one("データ・ベース", Way::Loose));
        assert_eq!(find("デ ー タ ベース", "データベース"), one("デ ー タ ベース", Way::Loose));
        assert_eq!(find("a multi-factor sign-in", "multi factor"), one("multi-factor", Way::Loose));
        assert_eq!(find("**申請**期限は", "申請期限"), one("申請**期限", Way::Loose));
        assert_eq!(find("入/出庫の記録", "入出庫"), one("入/出庫", Way::Loose));
    }

    #[test]
    fn what_is_written_alike_is_no_loose_match() {
        assert_eq!(find("ＵＳＢメモリの持出し", "usbメモリ"), one("usbメモリ", Way::Normal));
        assert_eq!(find("two-factor", "two-factor"), one("two-factor", Way::Normal));
    }

    #[test]
    fn a_sentence_goes_on_after_a_line_break_but_not_after_a_paragraph() {
        assert_eq!(find("経費の申\n請書", "申請書"), one("申\n請書", Way::Loose));
        assert_eq!(find("経費の申\n\n請書", "申請書"), []);
        assert_eq!(find("# 申\n請書", "申請書"), []);
        assert_eq!(find("申\n- 請書", "申請書"), []);
        assert_eq!(find("申\n1. 請書", "申請書"), []);
    }

    #[test]
    fn words_and_numbers_are_found_whole() {
        assert_eq!(find("the scar and the card", "car"), []);
        assert_eq!(find("login logs", "log"), one("log", Way::Normal));
        assert_eq!(find("reporting it", "report"), one("report", Way::Normal));
        assert_eq!(find("on the basis", "as is"), []);
        assert_eq!(find("第13条、第3条、第30条、1.3", "3"), one("3", Way::Normal));
        assert_eq!(find("3-1 and 31", "31"), one("31", Way::Normal));
        assert_eq!(find("AB-12-3", "ab12-3"), one("ab-12-3", Way::Loose));
    }

    #[test]
    fn nothing_but_separators_is_no_term() {
        assert_eq!(Term::new(" - ・"), None);
        assert_eq!(Term::new(""), None);
    }

    proptest! {
        #[test]
        fn what_stands_in_a_text_is_found_in_its_loose_form(
            text in "[あ亜ア・ /\\-*\n]{0,20}", start in 0_usize..20, length in 1_usize..8
        ) {
            let part: String = text.chars().skip(start).take(length).collect();
            prop_assume!(!part.contains('\n'));
            if let Some(term) = Term::new(&part) {
                prop_assert!(Loose::new(&normalised(&text)).text.contains(&term.loose));
            }
        }

        #[test]
        fn loose_bytes_lead_back_to_the_same_characters(text in "\\PC{0,90}") {
            let normal = normalised(&text);
            let loose = Loose::new(&normal);
            for (at, c) in loose.text.char_indices() {
                prop_assert!(normal[loose.normal(at)..].starts_with(c));
            }
        }
    }
}
