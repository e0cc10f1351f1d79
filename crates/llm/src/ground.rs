//! Whether the words a model says it rests on are in the text, and where.

use std::ops::Range;

use text::words::folded;

/// Shorter quotations are found everywhere.
const LEAST_LETTERS: usize = 6;

/// A text in which quotations are looked for without regard to spaces, width, case and marks around
/// them.
pub(super) struct Ground {
    letters: Vec<char>,
    /// The character of the text each letter came from.
    places: Vec<usize>,
}

impl Ground {
    pub(super) fn of(text: &str) -> Self {
        let (letters, places) = letters(text);
        Self { letters, places }
    }

    /// The characters of the text a quotation is of.
    pub(super) fn find(&self, quote: &str) -> Option<Range<usize>> {
        let trimmed = quote.trim_matches(|c: char| !c.is_alphanumeric());
        let (wanted, _) = letters(trimmed);
        if wanted.len() < LEAST_LETTERS {
            return None;
        }
        let start = self.letters.windows(wanted.len()).position(|it| it == wanted)?;
        let first = self.places[start];
        let mut end = start + wanted.len();
        // What closes the quotation in the text belongs to it: a sign of a number, a quotation mark, a full stop.
        let closes = |it: &&char| {
            !it.is_alphanumeric() && !matches!(it, '(' | '「' | '『' | '[' | ',' | '、')
        };
        while let Some(mark) = self.letters.get(end).filter(closes) {
            end += 1;
            if matches!(mark, '.' | '。' | '!' | '?') {
                break;
            }
        }
        Some(first..self.places[end - 1] + 1)
    }
}

fn letters(text: &str) -> (Vec<char>, Vec<usize>) {
    let folded = folded(text);
    let kept = folded.chars().enumerate().filter(|(_, c)| !c.is_whitespace() && *c != '\u{200b}');
    kept.map(|(at, c)| (c.to_lowercase().next().unwrap_or(c), at)).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_found_whatever_their_spaces_and_width() {
        let text =
            "Falls are common. Vitamin D\nreduced falls by 12 %. ビタミンＤは転倒を\n減らした。";
        let ground = Ground::of(text);
        let found = |quote: &str| {
            ground
                .find(quote)
                .map(|it| text.chars().skip(it.start).take(it.len()).collect::<String>())
        };
        assert_eq!(
            found("vitamin d reduced falls by 12%").as_deref(),
            Some("Vitamin D\nreduced falls by 12 %.")
        );
        assert_eq!(
            found("「ビタミンDは転倒を減らした。」").as_deref(),
            Some("ビタミンＤは転倒を\n減らした。")
        );
        assert_eq!(found("\"Falls are common...\"").as_deref(), Some("Falls are common."));
        assert_eq!(found("Vitamin C reduced falls"), None);
        assert_eq!(found("falls"), None, "too short to mean anything");
        assert_eq!(found(""), None);
        assert_eq!(Ground::of("").find("Falls are common"), None);
    }
}
