//! How many tokens a text costs an assistant, guessed from its characters.
//!
//! Every assistant cuts text its own way, and none of the ways is here. The guess is on the high side for JSON,
//! English and Japanese: `docs/benchmarks.md` has it beside two real tokenizers.

/// Counts tokens in tenths, character by character.
pub(crate) fn tokens(text: &str) -> usize {
    let mut tenths = 0;
    let mut before = ' ';
    for c in text.chars() {
        tenths += weight(c, before);
        before = c;
    }
    tenths.div_ceil(10)
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
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("falls"), 2);
        assert_eq!(tokens("falls in nursing homes"), 5);
        assert_eq!(tokens("転倒の予防"), 7);
        assert_eq!(tokens("task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), 22);
    }
}
