//! Japanese questions: 「XはYを下げるか」 becomes 「XはYを下げる。」
//!
//! The question is at the end; what stands before it is a predicate that may need its copula back (有効か: 有効である).

use std::sync::LazyLock;

use serde::Deserialize;
use text::script::{is_kanji, is_katakana};
use text::word_list::{self, WordList};

use super::Question;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    open: WordList,
    harmless: WordList,
    endings: WordList,
    denying: WordList,
    complete: WordList,
    unnamed: WordList,
    choices: WordList,
}

static WORDS: LazyLock<Words> =
    LazyLock::new(|| word_list::read(include_str!("../../data/ja/question.toml")));

/// A shorter text has no subject and predicate.
const SHORTEST: usize = 5;
const LONGEST: usize = 120;

pub(super) fn read(plain: &str) -> Question {
    let marked = plain.ends_with('?');
    let body = plain.trim_end_matches(['?', '。', '.', ' ', '!', '！']);
    if body.contains(['?', '。', '\u{ff01}']) {
        return if marked { Question::Unclear } else { Question::Topic };
    }
    let (stem, ending) =
        match WORDS.endings.iter().find_map(|it| Some((body.strip_suffix(it)?, it))) {
            Some((stem, ending)) => (stem, ending),
            None if marked => (body, ""),
            None => return Question::Topic,
        };
    let asking = WORDS.harmless.iter().fold(body.to_owned(), |text, it| text.replace(it, ""));
    let asking = asking.replace("かどうか", "");
    if WORDS.open.any_in(&asking) || marked && ending.is_empty() && stem.ends_with('は') {
        return Question::Open;
    }
    let length = stem.chars().count();
    if !(SHORTEST..=LONGEST).contains(&length)
        || WORDS.unnamed.any_starts(stem)
        || WORDS.choices.any_in(stem)
        || !["は", "が", "も", "を", "に"].iter().any(|it| stem.contains(it))
    {
        return Question::Unclear;
    }
    match stated(stem, ending) {
        Some(statement) => Question::Whether(format!("{statement}。")),
        None => Question::Unclear,
    }
}

fn stated(stem: &str, ending: &str) -> Option<String> {
    // 「〜ないのか」 asks whether it is not so; 「〜ないか」 and 「〜ないでしょうか」 suggest that it is.
    let is_denied = WORDS.denying.any_ends(stem);
    if is_denied && !matches!(ending, "のか" | "のでしょうか" | "のだろうか" | "のですか")
    {
        return None;
    }
    let (stem, noun) = match stem.strip_suffix('な').filter(|_| ending.starts_with(['の', 'ん']))
    {
        Some(noun) => (noun, true),
        None => (stem, false),
    };
    let last = stem.chars().next_back()?;
    if !noun && WORDS.complete.any_ends(stem) {
        return Some(stem.to_owned());
    }
    // 有効か, 安全でしょうか, べきか; a particle or a noun of form would be left hanging.
    let named =
        is_kanji(last) || is_katakana(last) || stem.ends_with("べき") || stem.ends_with("がん");
    named.then(|| format!("{stem}である"))
}
