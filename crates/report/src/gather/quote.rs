//! What is quoted of a passage: its own words, whole where they fit, else the sentences that matter.

use std::ops::Range;

use judge::{Topic, Words};

/// A piece of a passage, unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote<'t> {
    pub(super) text: &'t str,
    pub(super) cut_before: bool,
    pub(super) cut_after: bool,
}

/// Chooses what to quote within `limit` characters: the sentence the claim rests on (`rests_on` counts
/// characters of the passage), else the one with most words of the claim, and its context.
pub(super) fn quote<'t>(
    passage: &'t str,
    rests_on: Option<(usize, usize)>,
    claim: &str,
    limit: usize,
) -> Quote<'t> {
    let text = passage.trim();
    if text.chars().count() <= limit {
        return Quote { text, cut_before: false, cut_after: false };
    }
    let sentences = text::sentences(passage);
    if sentences.is_empty() {
        return Quote { text, cut_before: false, cut_after: false };
    }
    let rests_on = rests_on.map(|(start, _)| byte_of(passage, start));
    let best = match rests_on {
        Some(byte) => sentences.iter().position(|it| byte < it.end),
        None => None,
    };
    let best = best.unwrap_or_else(|| closest(passage, &sentences, claim));
    let Range { mut start, mut end } = sentences[best].clone();
    let (mut first, mut last) = (best, best);
    let fits = |start: usize, end: usize| passage[start..end].trim().chars().count() <= limit;
    loop {
        // What follows explains more than what precedes, so it is taken first.
        if last + 1 < sentences.len() && fits(start, sentences[last + 1].end) {
            last += 1;
            end = sentences[last].end;
        } else if first > 0 && fits(sentences[first - 1].start, end) {
            first -= 1;
            start = sentences[first].start;
        } else {
            break;
        }
    }
    let mut chosen = passage[start..end].trim();
    if let Some((cut, _)) = chosen.char_indices().nth(limit) {
        // One sentence that is longer than a quote may be: its beginning, up to a word.
        let whole = &chosen[..cut];
        chosen = whole.rfind(char::is_whitespace).map_or(whole, |it| &whole[..it]).trim_end();
    }
    let at = chosen.as_ptr() as usize - passage.as_ptr() as usize;
    Quote {
        text: chosen,
        cut_before: !passage[..at].trim().is_empty(),
        cut_after: !passage[at + chosen.len()..].trim().is_empty(),
    }
}

/// The sentence that has most of what the claim is about; the first of several.
fn closest(passage: &str, sentences: &[Range<usize>], claim: &str) -> usize {
    let topic = Topic::of(claim);
    let mut best = (0, 0.0);
    for (index, sentence) in sentences.iter().enumerate() {
        let share = topic.covered(&Words::of(&passage[sentence.clone()]));
        if share > best.1 {
            best = (index, share);
        }
    }
    best.0
}

fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |it| it.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(passage: &str, rests_on: Option<(usize, usize)>, claim: &str, limit: usize) -> String {
        let it = quote(passage, rests_on, claim, limit);
        assert!(passage.contains(it.text));
        let mark = |cut| if cut { "…" } else { "" };
        format!("{}{}{}", mark(it.cut_before), it.text, mark(it.cut_after))
    }

    #[test]
    fn a_passage_that_fits_is_quoted_whole() {
        assert_eq!(shown(" One. Two. ", None, "two", 10), "One. Two.");
    }

    #[test]
    fn a_longer_one_shows_the_sentence_that_shares_words_with_the_claim() {
        let passage = "The sky was grey. Mortality fell by 12 % in the group. Nobody left. The end came late.";
        assert_eq!(
            shown(passage, None, "mortality fell by 12 %", 52),
            "…Mortality fell by 12 % in the group. Nobody left.…"
        );
    }

    #[test]
    fn the_words_the_claim_was_taken_from_come_before_shared_words() {
        let passage = "Coffee is a drink. It contains caffeine.";
        assert_eq!(shown(passage, Some((19, 30)), "coffee", 21), "…It contains caffeine.");
    }

    #[test]
    fn a_sentence_longer_than_the_limit_is_cut_at_a_word() {
        assert_eq!(shown("alpha beta gamma delta", None, "x", 12), "alpha beta…");
        assert_eq!(shown("あいうえおかきくけこ", None, "x", 4), "あいうえ…");
    }

    #[test]
    fn japanese_sentences_end_at_their_marks() {
        let passage = "血圧は下がった。「効果はない。」と述べた。対照群は変わらなかった。";
        assert_eq!(shown(passage, None, "血圧は下がった", 8), "血圧は下がった。…");
        assert_eq!(shown(passage, None, "対照群は変わらない", 14), "…対照群は変わらなかった。");
    }

    #[test]
    fn offsets_beyond_the_passage_are_no_reason_to_fail() {
        assert_eq!(shown("One two. Three four.", Some((99, 120)), "three", 12), "…Three four.");
    }
}
