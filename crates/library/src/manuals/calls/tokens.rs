//! How much a text costs a reader that counts in tokens.

/// A careful estimate: four ASCII characters are one token, every other character is one.
pub fn tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    ascii.div_ceil(4) + text.chars().filter(|it| !it.is_ascii()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_costs_a_token_for_each_character() {
        assert_eq!(tokens("麻薬の廃棄"), 5);
        assert_eq!(tokens("five5"), 2);
        assert_eq!(tokens("麻薬abcd"), 3);
        assert_eq!(tokens(""), 0);
    }
}
