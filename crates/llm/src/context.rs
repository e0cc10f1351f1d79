//! How much fits: an estimate of tokens that rather says too many.

/// Estimates the tokens of a text: about three characters of Latin script each, one character of
/// others and a little more.
pub(super) fn tokens(text: &str) -> usize {
    let (mut narrow, mut wide) = (0, 0);
    for c in text.chars() {
        if c.is_ascii() {
            narrow += 1;
        } else {
            wide += 1;
        }
    }
    narrow / 3 + wide + wide / 5 + 1
}

/// The characters of a text that fit into so many tokens, in the script of its beginning.
pub(super) fn chars_within(text: &str, tokens_left: usize) -> usize {
    let mut used = 0;
    for (index, c) in text.chars().enumerate() {
        used += if c.is_ascii() { 5 } else { 18 };
        // Fifteenths of a token: a third each, or six fifths.
        if used > tokens_left.saturating_mul(15) {
            return index;
        }
    }
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_fit_fits() {
        for text in ["plain English words", "日本語の文章です。", "mixed 日本語 text", ""]
        {
            for left in [0, 1, 3, 5, 100] {
                let chars = chars_within(text, left);
                let kept: String = text.chars().take(chars).collect();
                assert!(tokens(&kept) <= left + 1, "{text} {left}: {chars}");
            }
        }
        assert_eq!(chars_within("plain English words", 100), 19);
        assert_eq!(tokens(&"語".repeat(100)), 121);
    }
}
