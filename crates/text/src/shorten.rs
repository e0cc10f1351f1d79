//! The beginning of a text on one line.

/// One line of at most `max` characters, cut at a word where it can be.
pub fn shortened(text: &str, max: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if count > 0 && count + 1 + length > max {
            line.push('…');
            return line;
        }
        if count > 0 {
            line.push(' ');
            count += 1;
        }
        if length > max {
            line.extend(word.chars().take(max));
            line.push('…');
            return line;
        }
        line += word;
        count += length;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn a_long_line_is_cut_at_a_word_and_a_long_word_anywhere() {
        assert_eq!(shortened("one two\n three", 20), "one two three");
        assert_eq!(shortened("one two three", 9), "one two…");
        assert_eq!(shortened("東京都千代田区", 3), "東京都…");
        assert_eq!(shortened("", 3), "");
    }
}
