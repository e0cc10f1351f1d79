//! How many tokens a text costs a language model, estimated from its characters.
//!
//! Every model cuts text its own way, and none of the ways is here. The estimate is on the high side
//! for JSON, English and Japanese: `docs/benchmarks.md` has it beside two real tokenizers.

/// Estimates the tokens of a text.
pub fn estimate_tokens(text: &str) -> usize {
    tenths(text).sum::<usize>().div_ceil(10)
}

/// How many characters at the beginning of a text fit into a number of tokens.
pub fn chars_within(text: &str, tokens: usize) -> usize {
    let limit = tokens.saturating_mul(10);
    let used = tenths(text).scan(0, |used, cost| {
        *used += cost;
        Some(*used)
    });
    used.take_while(|it| *it <= limit).count()
}

/// What each character costs, in tenths of a token.
fn tenths(text: &str) -> impl Iterator<Item = usize> {
    text.chars().scan(' ', |before, c| {
        let cost = weight(c, *before);
        *before = c;
        Some(cost)
    })
}

fn weight(c: char, before: char) -> usize {
    match c {
        'a'..='z' if before.is_ascii_lowercase() => 2,
        // Words begin here, ids consist of it.
        'a'..='z' => 4,
        'A'..='Z' if before.is_ascii_uppercase() || before.is_ascii_digit() => 8,
        'A'..='Z' => 5,
        '0'..='9' if before.is_ascii_uppercase() => 8,
        '0'..='9' => 5,
        ' ' | '\n' => 1,
        c if c.is_ascii_punctuation() && before.is_ascii_punctuation() => 4,
        c if c.is_ascii() => 7,
        // Kana mostly go in pairs, rare ideographs in several tokens.
        'ぁ'..='ヿ' => 11,
        '一'..='鿿' => 13,
        c if c.is_alphabetic() => 7,
        _ => 12,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_text_costs_more() {
        assert_eq!(estimate_tokens(""), 0);
        assert_eq!(estimate_tokens("falls"), 2);
        assert_eq!(estimate_tokens("falls in nursing homes"), 5);
        assert_eq!(estimate_tokens("転倒の予防"), 7);
        assert_eq!(estimate_tokens("task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), 22);
        assert_eq!(estimate_tokens(&"語".repeat(100)), 130);
    }

    #[test]
    fn what_is_said_to_fit_fits_and_one_character_more_does_not() {
        for text in ["plain English words", "日本語の文章です。", "mixed 日本語 text", ""]
        {
            let length = text.chars().count();
            for tokens in [0, 1, 3, 5, 100] {
                let fits = chars_within(text, tokens);
                let head = |chars: usize| text.chars().take(chars).collect::<String>();
                assert!(estimate_tokens(&head(fits)) <= tokens, "{text} {tokens}: {fits}");
                let longer = estimate_tokens(&head(fits + 1));
                assert_eq!(longer > tokens, fits < length, "{text} {tokens}: {fits}");
            }
        }
        assert_eq!(chars_within("plain English words", 100), 19);
    }
}
