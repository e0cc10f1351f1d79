//! Where sentences end, in Japanese and in English.
//!
//! Own rules in one pass: a mark ends a sentence unless what precedes it (an abbreviation, an
//! initial, a number) or after it (a small letter, a particle) says that it continues. What is in
//! brackets belongs to the sentence around it. Time is linear in the text: every look to the left or
//! right is bounded.

use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::script::is_cjk;
use crate::word_list::{self, WordList, WordSet};

/// A quotation or bracket longer than this (in bytes) has sentences of its own.
const LONG_BRACKET: usize = 900;
/// A note such as `[12]` or `[citation needed]` behind a mark is at most this long, in bytes.
const LONG_NOTE: usize = 32;
/// Abbreviations and words that are looked up are at most this long, in bytes.
const LONG_WORD: usize = 16;

/// Abbreviations and beginnings of sentences; the files say what each list is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct English {
    before_names: WordSet,
    before_numbers: WordSet,
    only_before_numbers: WordSet,
    often_inside: WordSet,
    starters: WordSet,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Japanese {
    starters: WordList,
}

static ENGLISH: LazyLock<English> =
    LazyLock::new(|| word_list::read(include_str!("../data/en/sentences.toml")));
static JAPANESE: LazyLock<Japanese> =
    LazyLock::new(|| word_list::read(include_str!("../data/ja/sentences.toml")));

/// Cuts a text into sentences: byte ranges in order, without white space around them.
///
/// Every character that is not white space is inside exactly one of them.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut cutter = Cutter { text, start: 0, out: Vec::new() };
    let closes = matching_brackets(text);
    let mut closes = closes.iter().peekable();
    let mut protected: Option<Range<usize>> = None;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let next = at + character.len_utf8();
        while closes.next_if(|it| it.start < at).is_some() {}
        if character == '\n' {
            protected = None;
            if cutter.line_ends(at, next) {
                cutter.cut(at);
            }
            at = next;
            continue;
        }
        if let Some(bracket) = &protected {
            if at < bracket.end {
                at = next;
                continue;
            }
            // The bracket closes here.
            at = next;
            if let Some(end) = cutter.ends_with_bracket(bracket) {
                cutter.cut(end);
                at = end;
            }
            protected = None;
            continue;
        }
        if let Some(bracket) = closes.next_if(|it| it.start == at) {
            if bracket.end - bracket.start <= LONG_BRACKET {
                protected = Some(bracket.clone());
            }
            at = next;
            continue;
        }
        if is_mark(character) {
            let run = next + run_of(&text[next..], is_mark);
            if let Some(end) = cutter.ends_with_marks(at..run) {
                cutter.cut(end);
                at = end;
            } else {
                at = run;
            }
            continue;
        }
        at = next;
    }
    cutter.cut(text.len());
    cutter.out
}

struct Cutter<'a> {
    text: &'a str,
    start: usize,
    out: Vec<Range<usize>>,
}

impl Cutter<'_> {
    fn cut(&mut self, end: usize) {
        let sentence = &self.text[self.start..end];
        let trimmed = sentence.trim();
        if !trimmed.is_empty() {
            let start = self.start + sentence.len() - sentence.trim_start().len();
            self.out.push(start..start + trimmed.len());
        }
        self.start = end;
    }

    /// Whether the line break is an end: only a line cut in the middle of a sentence continues.
    fn line_ends(&self, at: usize, next: usize) -> bool {
        let after = self.text[next..].trim_start_matches([' ', '\t', '\r', '\u{3000}']);
        if after.starts_with('\n') {
            return true;
        }
        let before = self.text[self.start..at].trim_end().chars().next_back();
        let goes_on = before.is_some_and(|it| matches!(it, ',' | '、' | '，'))
            || (after.starts_with(char::is_lowercase) && before.is_some_and(|it| !is_mark(it)));
        !goes_on
    }

    /// The end of the sentence, if the marks end one: behind closing quotes and notes.
    fn ends_with_marks(&self, marks: Range<usize>) -> Option<usize> {
        let text = self.text;
        let run = &text[marks.clone()];
        let before = text[..marks.start].chars().next_back();
        let closed = marks.end + run_of(&text[marks.end..], is_closer);
        let end = closed + notes(&text[closed..]);
        let after = text[end..].chars().next();
        let is_wide = run.chars().any(is_wide_mark);
        let spaced = after.is_none_or(char::is_whitespace);
        if is_wide {
            return self.ends_with_wide(run, before, closed > marks.end, end).then_some(end);
        }
        if run.chars().all(|it| it == '…') {
            return (spaced && self.next_starts_big(end)).then_some(end);
        }
        if !spaced {
            // A mark between Japanese letters needs no space behind it.
            let between = before.is_some_and(is_cjk) && after.is_some_and(is_cjk);
            return (between && !self.goes_on(end)).then_some(end);
        }
        if run == "." && closed == marks.end && !self.period_ends(marks.start, end) {
            return None;
        }
        self.next_starts_sentence(end, run == ".").then_some(end)
    }

    /// `。`, `！`, `？` and their kin.
    fn ends_with_wide(&self, run: &str, before: Option<char>, closed: bool, end: usize) -> bool {
        let after = self.text[end..].chars().next();
        let in_name = before.is_some_and(|it| it.is_ascii_alphanumeric())
            && after.is_some_and(|it| !it.is_whitespace())
            && !run.contains(['。', '｡', '？']);
        let in_number = run == "．"
            && before.is_some_and(char::is_numeric)
            && after.is_some_and(char::is_numeric);
        if in_name || in_number {
            return false;
        }
        let is_full_stop = run.contains(['。', '｡', '．']);
        if closed || !is_full_stop {
            return !self.goes_on(end);
        }
        true
    }

    /// Whether a bracket that closes here ends the sentence around it, and where.
    fn ends_with_bracket(&self, bracket: &Range<usize>) -> Option<usize> {
        let text = self.text;
        let inner = text[bracket.clone()].trim_end_matches(is_closer);
        let last = inner.chars().next_back().filter(|it| is_mark(*it))?;
        let closer = text[bracket.end..].chars().next()?;
        let closed = bracket.end + run_of(&text[bracket.end..], is_closer);
        let end = closed + notes(&text[closed..]);
        if is_wide_bracket(closer) {
            return (is_wide_mark(last) && !self.goes_on(end)).then_some(end);
        }
        // `(loudly!)` inside a sentence ends nothing; a sentence that is all in brackets does.
        let is_whole = self.text[self.start..bracket.start].trim().is_empty();
        (is_whole && self.next_starts_sentence(end, true)).then_some(end)
    }

    /// Whether Japanese continues behind a quotation or an exclamation: a particle, a comma, a mark.
    fn goes_on(&self, end: usize) -> bool {
        let rest = &self.text[end..];
        let Some(after) = rest.chars().next() else { return false };
        matches!(after, '、' | '，' | '。' | '．' | '・' | '」' | '』' | '）' | '〜' | '～')
            || (matches!(
                after,
                'と' | 'っ' | 'は' | 'が' | 'を' | 'に' | 'の' | 'も' | 'や' | 'な' | 'で'
            ) && !JAPANESE.starters.any_starts(rest))
    }

    /// Whether a single period behind the word that ends at `at` can end a sentence.
    fn period_ends(&self, at: usize, end: usize) -> bool {
        let word = word_before(self.text, self.start, at);
        let next = word_after(self.text, end);
        let starts_new = ENGLISH.starters.contains(next);
        let is_number = next.starts_with(|it: char| it.is_ascii_digit());
        let lower = word.to_ascii_lowercase();
        let lower = lower.as_str();
        // `ED.` and `SR.` are names of things; only `FIG. 3` is meant as a reference.
        if word.len() > 1 && word.bytes().all(|it| it.is_ascii_uppercase()) {
            return !(is_number && ENGLISH.only_before_numbers.contains(lower));
        }
        if ENGLISH.before_names.contains(lower) {
            // "the house of the Dr." ends a text, nothing else.
            return next.is_empty();
        }
        if ENGLISH.before_numbers.contains(lower) && is_number {
            return false;
        }
        if ENGLISH.only_before_numbers.contains(lower) {
            return starts_new || next.is_empty();
        }
        let is_initial = word.len() == 1 && word.starts_with(|it: char| it.is_ascii_uppercase());
        let is_dotted = word.contains('.')
            && word
                .split('.')
                .all(|it| it.len() <= 2 && it.bytes().all(|byte| byte.is_ascii_alphabetic()));
        if is_initial || is_dotted || ENGLISH.often_inside.contains(lower) {
            return starts_new || next.is_empty();
        }
        // `3. Results`: the number of a heading or an item.
        let is_first = self.text[self.start..at].trim() == word;
        let counts =
            word.len() <= 3 && !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit());
        !(is_first && counts)
    }

    fn next_starts_sentence(&self, end: usize, after_period: bool) -> bool {
        let rest = self.text[end..].trim_start_matches(|it: char| it != '\n' && it.is_whitespace());
        let rest = rest.trim_start_matches(is_opener);
        rest.chars().next().is_none_or(|next| {
            // `. . . .` leads the eye to a page number.
            !next.is_lowercase() && next != '.' && (after_period || !matches!(next, ',' | ';'))
        })
    }

    fn next_starts_big(&self, end: usize) -> bool {
        let rest = self.text[end..].trim_start().trim_start_matches(is_opener);
        rest.chars().next().is_none_or(|it| it.is_uppercase() || is_cjk(it))
    }
}

/// The pairs of brackets that close on their own line, by where they open; only the outermost count.
fn matching_brackets(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, character) in text.char_indices() {
        match character {
            '\n' => open.clear(),
            '「' => open.push((at, '」')),
            '『' => open.push((at, '』')),
            '（' => open.push((at, '）')),
            '【' => open.push((at, '】')),
            '〈' => open.push((at, '〉')),
            '《' => open.push((at, '》')),
            '(' => open.push((at, ')')),
            '」' | '』' | '）' | '】' | '〉' | '》' | ')' => {
                // A bracket that is closed by another's sign was never one (an emoticon, a slip).
                let within = open.len().saturating_sub(8);
                if let Some(depth) = open[within..].iter().rposition(|it| it.1 == character) {
                    let (start, _) = open[within + depth];
                    open.truncate(within + depth);
                    found.push(start..at);
                }
            }
            _ => {}
        }
    }
    found.sort_unstable_by_key(|it| it.start);
    found
}

fn run_of(text: &str, is_one: fn(char) -> bool) -> usize {
    text.find(|it: char| !is_one(it)).unwrap_or(text.len())
}

/// The length of notes such as `[1][2]` at the beginning of a text.
fn notes(text: &str) -> usize {
    let mut length = 0;
    while text[length..].starts_with('[') {
        let note = &text.as_bytes()[length..];
        let Some(end) = note.iter().take(LONG_NOTE).position(|it| matches!(it, b']' | b'\n'))
        else {
            break;
        };
        if note[end] == b'\n' {
            break;
        }
        length += end + 1;
    }
    length
}

/// The word that ends at `at`, without the bracket or quote around it.
fn word_before(text: &str, start: usize, at: usize) -> &str {
    let mut from = at;
    for character in text[start..at].chars().rev() {
        if character.is_whitespace() || is_opener(character) || is_cjk(character) {
            break;
        }
        from -= character.len_utf8();
        if at - from > LONG_WORD {
            return "";
        }
    }
    &text[from..at]
}

fn word_after(text: &str, end: usize) -> &str {
    let rest = text[end..].trim_start_matches(|it: char| it.is_whitespace() || is_opener(it));
    let mut length = 0;
    for character in rest.chars() {
        if !character.is_alphanumeric() || length > LONG_WORD {
            break;
        }
        length += character.len_utf8();
    }
    &rest[..length]
}

fn is_mark(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…') || is_wide_mark(character)
}

fn is_wide_mark(character: char) -> bool {
    matches!(character, '。' | '｡' | '．' | '！' | '？' | '‼' | '⁇' | '⁈' | '⁉')
}

fn is_closer(character: char) -> bool {
    matches!(character, '"' | '\'' | '”' | '’' | '»' | ')' | ']') || is_wide_bracket(character)
}

fn is_wide_bracket(character: char) -> bool {
    matches!(character, '」' | '』' | '）' | '】' | '〉' | '》')
}

fn is_opener(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '“' | '‘' | '«' | '(' | '[' | '「' | '『' | '（' | '【' | '〈' | '《'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each case is a text with `|` where it should be cut.
    const CASES: &[&str] = &[
        // Japanese.
        "今日は晴れです。|明日は雨でしょう。",
        "本当ですか？|はい、本当です！|ありがとう。",
        "「はい。」|彼はうなずいた。",
        "「行きます。」と彼女は言った。|それから出かけた。",
        "彼は「もう遅い。帰ろう。」と言って席を立った。|外は雨だった。",
        "『坊っちゃん』は名作だ。|『こころ』も読みたい。",
        "「なぜ？」が大切だ。|考えよう。",
        "「モーニング娘。」のコンサートに行った。|楽しかった。",
        "価格は３．１４ドルです。|安いですね。",
        "成功率は99.5%でした。|失敗は0.5%です。",
        "本当か？と聞かれた。|答えられなかった。",
        "やった！！|ついに完成した。",
        "え！？|そんなはずはない。",
        "Yahoo!ニュースによると雨だ。|傘を持とう。",
        "Yahoo！ニュースによると雨だ。|傘を持とう。",
        "これは例である（詳細は後述する。）。|次に進む。",
        "調査を行った（対象は100名。）。|結果を示す。",
        "彼（当時は学生だった。）は笑った。|私も笑った。",
        "人口は増えている[1]。|しかし減少も予測される。",
        "人口は増えている。[1][2]|しかし減少も予測される。",
        "増えている。[要出典]|減っている。",
        "そうか……でも違う。|やり直そう。",
        "しかし…無理だ。|諦めよう。",
        "これは何?|それは本です。",
        "論文である．|次に述べる．",
        "はい｡|いいえ｡",
        "見出し\n|本文が始まる。|続く。",
        "東京、\n大阪、\n名古屋で開催。",
        "「終わりのない引用が始まる。|でも続く。|まだ続く。",
        "顔文字(笑。|次の文。",
        "『「二重」の引用。』とある。|以上。",
        "「いい天気ですね。」|「そうですね。」|二人は歩いた。",
        "Dr.スミスは言った。|正しい。",
        "第1章 序論\n\n|本章では背景を述べる。",
        "「でも、だめだ。」|でも、彼は諦めなかった。",
        "速報！|がんの新薬が承認。",
        "【速報】地震が発生しました。|津波の心配はありません。",
        "すごい！と叫んだ。",
        // English.
        "The cat sat. |The dog ran.",
        "Is it true? |Yes! |It is.",
        "Mr. Smith met Dr. Jones. |They talked.",
        "J. K. Rowling wrote it. |George W. Bush read it.",
        "The value is 3.14 units. |It rose by 2.5%.",
        "Smith et al. found an effect. |It was small.",
        "Smith et al. (2010) found one. |So did we.",
        "Some drugs, e.g. aspirin, help. |Others, i.e. placebos, do not.",
        "See Fig. 3 for details. |See also Figs. 4 and 5.",
        "See Eq. 2 and Sec. 4.1. |The rest follows.",
        "He lives in the U.S. and works. |She lives in the U.K. |They met.",
        "He moved to the U.S. |The move was hard.",
        "It closed at 5 p.m. on Monday. |It opened at 9 a.m. |We waited.",
        "Apple Inc. announced it. |Foo Ltd. |The market fell.",
        "We bought apples, pears, etc. |Then we left.",
        "Visit https://example.com/a.b?c=d. |Then return.",
        "Go to example.com. |It works.",
        "Node.js is fast. |So is Rust.",
        "Wait... what? |He left... |Then she came.",
        "Well… maybe. |Well… |Perhaps.",
        "\"I came.\" |\"I saw.\"",
        "\"Why?\" he asked. |\"Because.\" |She laughed.",
        "“It works.” |He smiled.",
        "He said (loudly!) that he would. |He did.",
        "He said (it was Dr. Who. Really.) nothing. |Then he left.",
        "(This is an aside. It is long.) |The text goes on.",
        "The effect was real.[12] |It was replicated.[13][14] |Good.",
        "The effect was real.[citation needed] |It was not.",
        "1. Introduction\n|2. Methods",
        "No. 5 is alive. |No. |It is dead.",
        "Yahoo! is a company. |It is old.",
        "It ended in 2010. |25 people died.",
        "Version 2.0.1 is out. |Get it now!!! |Really?!",
        "This line was wrapped\nby a program. |It goes on.",
        "A title\n|A new sentence.",
        "A paragraph.\n\n|another one.",
        "He got a Ph.D. in 1999. |He got a Ph.D. |However, he quit.",
        "Published in Jan. 2020. |Revised on Feb. 3.",
        "vol. 3, no. 2, pp. 10-20. |See there.",
        "Vitamin C. |The dose was high.",
        "What a day! |¿Y mañana? |Ça va.",
        "The U.N. Security Council met. |It voted.",
        "Prices rose (by 3.5 percent). |Wages did not.",
        "Washington, D.C. is hot. |St. Louis is hotter.",
        "Men with ED. |Two had none. |See FIG. 3 for SR. |Three more.",
        "Damage . . . . . . |171 Repair",
        "(See NCT00585195.). |It ended.",
        "He cited Smith vs. Jones. |The court agreed.",
        "A mix of 日本語 and English. |次の文です。|End.",
        // Edges.
        "",
        "   \n ",
        "。",
        "...",
        "word",
        "?!?!",
    ];

    fn shown(text: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        for (index, sentence) in sentences(text).into_iter().enumerate() {
            out += &text[at..sentence.start];
            if index > 0 {
                out.push('|');
            }
            out += &text[sentence.clone()];
            at = sentence.end;
        }
        out + &text[at..]
    }

    #[test]
    fn sentences_end_where_readers_end_them() {
        let mut wrong = Vec::new();
        for case in CASES {
            let text = case.replace('|', "");
            let found = shown(&text);
            if found != *case {
                wrong.push(format!("expected {case:?}\n   found {found:?}"));
            }
        }
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
        assert!(CASES.len() >= 60);
    }

    #[test]
    fn a_mark_repeated_without_end_is_read_to_the_end() {
        let one = ["(", "「", ".", "\"", "!)", ".)", "[", ".[", "a. ", "。」", "…", ". \t", "(.)"];
        for (unit, expected) in
            one.map(|it| (it, 1)).into_iter().chain([("\n", 0), ("「。", 200_000)])
        {
            assert_eq!(sentences(&unit.repeat(200_000)).len(), expected, "{unit:?}");
        }
    }

    #[test]
    fn abbreviations_are_in_lower_case_and_short_enough_to_be_looked_up() {
        let lists = [
            &ENGLISH.before_names,
            &ENGLISH.before_numbers,
            &ENGLISH.only_before_numbers,
            &ENGLISH.often_inside,
        ];
        for word in lists.into_iter().flat_map(WordSet::iter) {
            assert!(word.len() <= LONG_WORD && *word == word.to_ascii_lowercase(), "{word}");
        }
        assert!(ENGLISH.starters.iter().all(|it| it.starts_with(char::is_uppercase)));
        assert!(JAPANESE.starters.iter().all(|it| it.chars().all(crate::script::is_cjk)));
    }

    proptest! {
        #[test]
        fn every_character_is_in_one_sentence(text in "[ \n\ta-cA-C0-2.!?。！？「」（）()\\[\\]\"'、…とはU\u{3000}]{0,120}") {
            let mut at = 0;
            for sentence in sentences(&text) {
                prop_assert!(sentence.start >= at && sentence.end > sentence.start);
                prop_assert!(text[at..sentence.start].trim().is_empty());
                prop_assert_eq!(text[sentence.clone()].trim().len(), sentence.len());
                at = sentence.end;
            }
            prop_assert!(text[at..].trim().is_empty());
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,200}") {
            sentences(&text);
        }
    }
}
