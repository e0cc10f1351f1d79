//! Links that open a page at a passage (`#:~:text=`, the WICG text fragments).
//!
//! A browser looks for the first occurrence of the words, whole words only and inside one block;
//! so terms are cut at words, never hold a line break or the border of a table's cell, and get the
//! words before and behind where the same beginning occurs elsewhere too. All links of a document are
//! made together: one pass over the text tells which beginnings are common.

use std::collections::HashMap;
use std::ops::Range;

use url::Url;

use text::script::{is_cjk, is_hiragana, is_kanji, is_katakana};

/// A passage of at most this many bytes is quoted whole.
const WHOLE_BYTES: usize = 100;
/// Characters of a beginning, an end, or the words around, where words have spaces between them.
const TERM_CHARS: usize = 36;
/// The same for Japanese, and how few it may be cut down to.
const TERM_CHARS_CJK: usize = 16;
const TERM_LEAST_CJK: usize = 8;
/// How often an end is lengthened if it also occurs inside the passage.
const LONGER_ENDS: usize = 3;
/// The separator between the cells of a row.
const CELL_BORDER: &str = " | ";
/// Beginnings are compared by this many characters: the first of these not longer than the term.
const WINDOWS: [usize; 4] = [16, 8, 4, 2];

/// The links to passages of one text, in the order of `ranges` (bytes of `text`).
pub(crate) fn deep_links(
    bases: impl IntoIterator<Item = Url>,
    text: &str,
    ranges: &[Range<usize>],
) -> Vec<String> {
    let terms: Vec<_> = ranges.iter().map(|it| Terms::of(text, it.clone())).collect();
    let common = common_beginnings(text, terms.iter().map(|it| &text[it.start.clone()]));
    bases
        .into_iter()
        .zip(terms)
        .zip(common)
        .map(|((base, terms), is_common)| written(base, text, &terms, is_common))
        .collect()
}

/// What a link quotes of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Terms {
    /// The passage without white space around it.
    passage: Range<usize>,
    start: Range<usize>,
    end: Option<Range<usize>>,
}

impl Terms {
    fn of(text: &str, range: Range<usize>) -> Self {
        let passage = trimmed(text, range);
        let quoted = &text[passage.clone()];
        if quoted.len() <= WHOLE_BYTES && cells(quoted).count() == 1 {
            return Self { start: passage.clone(), passage, end: None };
        }
        let first = cells(quoted).next().map_or(passage.clone(), |it| shifted(it, passage.start));
        let last =
            cells(quoted).next_back().map_or(passage.clone(), |it| shifted(it, passage.start));
        let start = first.start..first.start + cut_from_start(&text[first.clone()]);
        let start = trimmed(text, start);
        // One long word is its own beginning and end.
        let end = Some(end_term(text, &start, last)).filter(|it| !it.is_empty());
        Self { passage, start, end }
    }
}

/// An end that does not occur earlier in the passage; the longest tried if all do.
fn end_term(text: &str, start: &Range<usize>, last: Range<usize>) -> Range<usize> {
    // Browsers look for the end behind the start, so the two never share a word.
    let floor = last.start.max(start.end);
    let between = text[start.end..last.end].to_lowercase();
    let mut end = last.clone();
    for times in 1..=LONGER_ENDS {
        let cell = &text[floor..last.end];
        end = floor + cut_from_end(cell, times)..last.end;
        let wanted = text[end.clone()].to_lowercase();
        let is_first = between.find(&wanted) == Some(between.len() - wanted.len());
        if is_first || end.start == floor {
            break;
        }
    }
    trimmed(text, end)
}

/// The runs of a passage, each inside one block of the page.
fn cells(passage: &str) -> impl DoubleEndedIterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let mut found = Vec::new();
    for line in passage.split_inclusive('\n') {
        let mut from = start;
        for cell in line.split(CELL_BORDER) {
            let range = trimmed(passage, from..from + cell.len());
            if !range.is_empty() {
                found.push(range);
            }
            from += cell.len() + CELL_BORDER.len();
        }
        start += line.len();
    }
    found.into_iter()
}

fn shifted(range: Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + inner.len() - inner.trim_start().len();
    start..start + inner.trim().len()
}

/// The length of a beginning that ends where a word ends.
fn cut_from_start(cell: &str) -> usize {
    let mut cut = Cut::default();
    let mut before = None;
    for (count, (at, character)) in cell.char_indices().enumerate() {
        if let Some(before) = before {
            cut.offer(at, count, border(before, character));
        }
        before = Some(character);
        if cut.is_done(count, character) {
            return cut.best();
        }
    }
    cell.len()
}

/// Where an end begins, at the beginning of a word, `times` as long as a beginning.
fn cut_from_end(cell: &str, times: usize) -> usize {
    let mut cut = Cut { times, ..Cut::default() };
    let mut behind: Option<(usize, char)> = None;
    for (count, (at, character)) in cell.char_indices().rev().enumerate() {
        if let Some((behind_at, behind)) = behind {
            cut.offer(behind_at, count, border(character, behind));
        }
        behind = Some((at, character));
        if cut.is_done(count, character) {
            return cut.best();
        }
    }
    0
}

/// The best place to cut so far, when walking away from the edge of a passage.
#[derive(Debug)]
struct Cut {
    times: usize,
    clean: Option<usize>,
    fair: Option<usize>,
    any: usize,
}

impl Default for Cut {
    fn default() -> Self {
        Self { times: 1, clean: None, fair: None, any: 0 }
    }
}

impl Cut {
    fn offer(&mut self, at: usize, count: usize, border: Border) {
        self.any = at;
        match border {
            Border::Clean if count >= TERM_LEAST_CJK * self.times => self.clean = Some(at),
            Border::Fair if count >= TERM_LEAST_CJK * self.times => self.fair = Some(at),
            Border::Clean => self.fair = Some(at),
            _ => {}
        }
    }

    fn is_done(&self, count: usize, character: char) -> bool {
        let limit = if is_cjk(character) { TERM_CHARS_CJK } else { TERM_CHARS };
        count >= limit * self.times && (self.clean.is_some() || self.fair.is_some())
            || count >= 4 * TERM_CHARS * self.times
    }

    fn best(&self) -> usize {
        self.clean.or(self.fair).unwrap_or(self.any)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Border {
    /// Certainly between words.
    Clean,
    /// Between words more often than not: the script changes.
    Fair,
    Inside,
}

/// What the place between two characters is. Browsers ask a dictionary for Japanese; hiragana before
/// another script is nearly always the end of a word.
fn border(before: char, after: char) -> Border {
    use Script::{Hiragana, Mark, Space, Word};
    match (script(before), script(after)) {
        (_, Space) | (Space, _) => Border::Clean,
        // A mark goes with what precedes it.
        (Mark, other) if other.is_cjk() => Border::Clean,
        (Hiragana, other) if other != Hiragana && other.is_cjk() => Border::Clean,
        (one, Word) | (Word, one) if one.is_cjk() => Border::Fair,
        (one, other) if one != other && one.is_cjk() && other.is_cjk() && other != Hiragana => {
            Border::Fair
        }
        _ => Border::Inside,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Space,
    Mark,
    Word,
    Hiragana,
    Katakana,
    Kanji,
}

impl Script {
    fn is_cjk(self) -> bool {
        matches!(self, Self::Hiragana | Self::Katakana | Self::Kanji)
    }
}

fn script(character: char) -> Script {
    match character {
        _ if character.is_whitespace() => Script::Space,
        // Voicing marks of their own and ・ belong to the word around them.
        '\u{3099}'..='\u{309c}' => Script::Hiragana,
        '・' => Script::Katakana,
        _ if is_hiragana(character) => Script::Hiragana,
        _ if is_katakana(character) => Script::Katakana,
        _ if is_kanji(character) => Script::Kanji,
        _ if character.is_alphanumeric() => Script::Word,
        _ => Script::Mark,
    }
}

/// Whether each term's beginning occurs more than once in the text, ignoring case.
///
/// Compared are windows of a fixed length by their hash, so that one pass per length is enough for
/// any number of terms; a window that is common while the whole term is not only makes a link longer.
fn common_beginnings<'a>(text: &str, terms: impl Iterator<Item = &'a str>) -> Vec<bool> {
    let keys: Vec<Option<(usize, u64)>> = terms.map(window_of).collect();
    let mut counts: [HashMap<u64, u32>; WINDOWS.len()] = Default::default();
    for (size, hash) in keys.iter().flatten() {
        counts[*size].insert(*hash, 0);
    }
    for (counts, window) in counts.iter_mut().zip(WINDOWS) {
        if !counts.is_empty() {
            count_windows(text, window, counts);
        }
    }
    keys.into_iter()
        .map(|key| key.is_none_or(|(size, hash)| counts[size].get(&hash).is_some_and(|it| *it > 1)))
        .collect()
}

/// The hash of a term's window; none for a term of one character, which is taken as common.
fn window_of(term: &str) -> Option<(usize, u64)> {
    let folded: Vec<u64> = term.chars().take(WINDOWS[0]).map(folded).collect();
    let size = WINDOWS.iter().position(|it| *it <= folded.len())?;
    let hash = folded[..WINDOWS[size]].iter().fold(0, |hash, it| rolled(hash, *it));
    Some((size, hash))
}

fn count_windows(text: &str, window: usize, counts: &mut HashMap<u64, u32>) {
    // What the oldest character of a window has been multiplied by when it leaves.
    let weight = (0..window).fold(1_u64, |it, _| it.wrapping_mul(FACTOR));
    let mut leaving = text.chars();
    let mut hash = 0;
    // Nearly no window is wanted: a bit says so without a map lookup.
    let bit = |hash: u64| ((hash >> 50) as usize, 1_u64 << (hash >> 44 & 63));
    let mut wanted = vec![0_u64; 1 << 14];
    for hash in counts.keys() {
        let (word, bit) = bit(*hash);
        wanted[word] |= bit;
    }
    for (index, character) in text.chars().enumerate() {
        hash = rolled(hash, folded(character));
        if index >= window
            && let Some(oldest) = leaving.next()
        {
            hash = hash.wrapping_sub(folded(oldest).wrapping_mul(weight));
        }
        let (word, bit) = bit(hash);
        if wanted[word] & bit != 0
            && index + 1 >= window
            && let Some(count) = counts.get_mut(&hash)
        {
            *count = count.saturating_add(1);
        }
    }
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

fn rolled(hash: u64, next: u64) -> u64 {
    hash.wrapping_mul(FACTOR).wrapping_add(next)
}

fn folded(character: char) -> u64 {
    let lower = match character {
        _ if character.is_ascii() => character.to_ascii_lowercase(),
        // Latin, Greek, Cyrillic and Armenian; elsewhere case is rare, and asking for it slow.
        '\u{80}'..='\u{24f}' | '\u{370}'..='\u{587}' => {
            character.to_lowercase().next().unwrap_or(character)
        }
        _ => character,
    };
    // Spread, so that sums of neighbouring letters do not meet.
    (u64::from(u32::from(lower)) + 1).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

fn written(mut base: Url, text: &str, terms: &Terms, is_common: bool) -> String {
    let kept = base.fragment().unwrap_or_default();
    let kept = kept.split_once(":~:").map_or(kept, |(before, _)| before).to_owned();
    base.set_fragment(None);
    let mut link = format!("{base}#{kept}:~:text=");
    let around = if is_common { Around::of(text, &terms.passage) } else { Around::default() };
    if let Some(prefix) = around.before {
        encode(prefix, &mut link);
        link += "-,";
    }
    encode(&text[terms.start.clone()], &mut link);
    if let Some(end) = &terms.end {
        link.push(',');
        encode(&text[end.clone()], &mut link);
    }
    if let Some(suffix) = around.behind {
        link += ",-";
        encode(suffix, &mut link);
    }
    link
}

/// The words before and behind a passage, each inside one block.
#[derive(Debug, Default)]
struct Around<'a> {
    before: Option<&'a str>,
    behind: Option<&'a str>,
}

impl<'a> Around<'a> {
    fn of(text: &'a str, passage: &Range<usize>) -> Self {
        // Far enough for any term, and no further: a line may be the whole document.
        let near = 8 * 4 * TERM_CHARS;
        let mut from = passage.start.saturating_sub(near);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let mut to = text.len().min(passage.end + near);
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        let is_border = |it: char| it.is_whitespace() || it == '|';
        let before = text[from..passage.start].trim_end_matches(is_border);
        let before = &before[before.rfind('\n').map_or(0, |it| it + 1)..];
        let before = before.rsplit(CELL_BORDER).next().unwrap_or_default();
        let behind = text[passage.end..to].trim_start_matches(is_border);
        let behind = &behind[..behind.find('\n').unwrap_or(behind.len())];
        let behind = behind.split(CELL_BORDER).next().unwrap_or_default();
        let some = |text: &'a str| Some(text.trim()).filter(|it| !it.is_empty());
        Self {
            before: some(&before[cut_from_end(before, 1)..]),
            behind: some(&behind[..cut_from_start(behind)]),
        }
    }
}

/// Escapes a term for a link: `-`, `,` and `&` have a meaning there.
fn encode(term: &str, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in term.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAGE: &str = "https://a.example/page";

    fn link(text: &str, passage: &str) -> String {
        let start = text.find(passage).unwrap();
        link_at(PAGE, text, start..start + passage.len())
    }

    fn link_at(base: &str, text: &str, range: Range<usize>) -> String {
        deep_links([Url::parse(base).unwrap()], text, std::slice::from_ref(&range)).remove(0)
    }

    /// What a browser shows for a link: the steps of the WICG text, on characters.
    fn shown(text: &str, link: &str) -> Option<String> {
        let (_, directive) = link.split_once(":~:text=")?;
        let decoded = |term: &str| -> Vec<char> {
            let bytes: Vec<u8> = url::form_urlencoded::parse(term.replace('+', "%2B").as_bytes())
                .next()
                .map(|it| it.0.into_owned().into_bytes())
                .unwrap_or_default();
            String::from_utf8(bytes).unwrap().chars().map(lower).collect()
        };
        let mut terms: Vec<&str> = directive.split(',').collect();
        let prefix = terms[0].strip_suffix('-').map(decoded);
        if prefix.is_some() {
            terms.remove(0);
        }
        let suffix = terms[terms.len() - 1].strip_prefix('-').map(decoded);
        if suffix.is_some() {
            terms.pop();
        }
        let start = decoded(terms[0]);
        let end = terms.get(1).map(|it| decoded(it));
        let page: Vec<char> = text.chars().map(lower).collect();
        let is_at = |at: usize, term: &[char]| {
            let stop = at + term.len();
            let one_word = |at: usize| {
                at > 0
                    && at < page.len()
                    && [page[at - 1], page[at]].iter().all(|it| script(*it) == Script::Word)
            };
            page.get(at..stop) == Some(term) && !one_word(at) && !one_word(stop)
        };
        let skip = |mut at: usize| {
            while page.get(at).is_some_and(|it| it.is_whitespace() || *it == '|') {
                at += 1;
            }
            at
        };
        let has_suffix = |at: usize| suffix.as_ref().is_none_or(|it| is_at(skip(at), it));
        for from in 0..page.len() {
            let at = match &prefix {
                Some(prefix) if is_at(from, prefix) => skip(from + prefix.len()),
                Some(_) => continue,
                None => from,
            };
            if !is_at(at, &start) {
                continue;
            }
            let first = at + start.len();
            let stop = match &end {
                None => has_suffix(first).then_some(first),
                Some(end) => (first..page.len())
                    .find(|it| is_at(*it, end) && has_suffix(it + end.len()))
                    .map(|it| it + end.len()),
            };
            if let Some(stop) = stop {
                return Some(text.chars().skip(at).take(stop - at).collect());
            }
        }
        None
    }

    fn lower(character: char) -> char {
        character.to_lowercase().next().unwrap()
    }

    #[test]
    fn a_short_passage_is_quoted_whole_and_signs_with_a_meaning_are_escaped() {
        let text = "Intro.\n\nSalt & pepper, well-mixed: 50%.\n\nEnd.";
        assert_eq!(
            link(text, "Salt & pepper, well-mixed: 50%."),
            "https://a.example/page#:~:text=Salt%20%26%20pepper%2C%20well%2Dmixed%3A%2050%25."
        );
    }

    #[test]
    fn a_long_passage_is_quoted_by_whole_words_at_both_ends() {
        let text = "The committee found that the measures taken in the spring had reduced the number of \
                    accidents by a third, and recommended that they be continued.";
        assert_eq!(
            link(text, text),
            "https://a.example/page#:~:text=The%20committee%20found%20that%20the,\
             recommended%20that%20they%20be%20continued."
        );
        assert_eq!(shown(text, &link(text, text)).as_deref(), Some(text));
    }

    #[test]
    fn japanese_is_cut_where_a_word_ends() {
        let text = "気象庁によると、今年の夏は平年より気温が高くなる見込みで、熱中症の予防を呼びかけている。";
        let found = link(text, text);
        let (_, directive) = found.split_once("text=").unwrap();
        let terms: Vec<String> = directive
            .split(',')
            .map(|it| url::form_urlencoded::parse(it.as_bytes()).next().unwrap().0.into_owned())
            .collect();
        assert_eq!(terms, ["気象庁によると、今年の夏は", "熱中症の予防を呼びかけている。"]);
        assert_eq!(shown(text, &found).as_deref(), Some(text));
    }

    #[test]
    fn words_around_tell_apart_beginnings_that_stand_twice() {
        let text = "Spring\n\nYes, it is.\n\nSummer\n\nYes, it is.\n\nAutumn";
        let second = text.rfind("Yes").unwrap();
        let found = link_at(PAGE, text, second..second + "Yes, it is.".len());
        assert_eq!(found, "https://a.example/page#:~:text=Summer-,Yes%2C%20it%20is.,-Autumn");
        assert_eq!(shown(text, &found).as_deref(), Some("Yes, it is."));
    }

    #[test]
    fn an_end_that_stands_inside_the_passage_is_made_longer() {
        let text = "First of all the words of the day are said, and then the words of the day are said. \
                    After a long while and much waiting, the words of the day are said.";
        assert_eq!(shown(text, &link(text, text)).as_deref(), Some(text));
    }

    #[test]
    fn terms_never_span_lines_or_cells() {
        let text = "Name | Place | Year\nAlpha | Tokyo | 1999\nBeta | Osaka | 2004";
        let found = link(text, text);
        assert_eq!(found, "https://a.example/page#:~:text=Name,2004");
        assert_eq!(shown(text, &found).as_deref(), Some(text));
    }

    #[test]
    fn a_fragment_of_the_address_stays_and_an_older_directive_goes() {
        let text = "One line.";
        for (base, expected) in [
            ("https://a.example/#part", "https://a.example/#part:~:text=One%20line."),
            ("https://a.example/#part:~:text=old", "https://a.example/#part:~:text=One%20line."),
            ("https://a.example/?q=1#", "https://a.example/?q=1#:~:text=One%20line."),
        ] {
            assert_eq!(link_at(base, text, 0..text.len()), expected);
        }
    }

    proptest! {
        #[test]
        fn the_link_of_a_paragraph_leads_to_it(
            words in proptest::collection::vec("[a-z]{1,9}[.,]?", 1..400),
            cut in proptest::collection::vec(1..30_usize, 1..12),
        ) {
            let mut text = String::new();
            let mut ranges = Vec::new();
            let mut left = words.as_slice();
            for (index, size) in cut.into_iter().enumerate() {
                let (paragraph, rest) = left.split_at(size.min(left.len()));
                left = rest;
                if paragraph.is_empty() {
                    break;
                }
                // Every paragraph begins with a word of its own, as real ones do.
                let start = text.len();
                text += &format!("Part{index} {}", paragraph.join(" "));
                ranges.push(start..text.len());
                text += "\n\n";
            }
            let base = Url::parse(PAGE).unwrap();
            let links = deep_links(vec![base; ranges.len()], &text, &ranges);
            for (link, range) in links.iter().zip(ranges) {
                prop_assert_eq!(shown(&text, link), Some(text[range].to_owned()));
            }
        }

        #[test]
        fn any_text_gives_a_link(text in "[ab \n|。、あ漢カ-]{1,200}") {
            let link = link_at(PAGE, &text, 0..text.len());
            prop_assert!(Url::parse(&link).is_ok());
        }
    }
}
