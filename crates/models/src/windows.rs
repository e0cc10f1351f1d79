//! Cuts a text that is too long for a model into overlapping windows of tokens, at the ends of
//! sentences where there are any. Pure.

use std::ops::Range;

/// Cuts `places.len()` tokens into windows of at most `capacity` tokens.
///
/// A window ends after the last sentence that ends in its final quarter, else where it is full. The
/// next begins up to a quarter of a window earlier: at the first sentence that begins in that
/// stretch, else at its beginning. So neighbours overlap, every token is in a window, and there are
/// at most about two windows per `capacity` tokens.
pub(crate) fn cut(text: &str, places: &[Range<usize>], capacity: usize) -> Vec<Range<usize>> {
    let capacity = capacity.max(1);
    let quarter = capacity / 4;
    let mut windows = Vec::new();
    let mut start = 0;
    loop {
        let full = start + capacity;
        if full >= places.len() {
            windows.push(start..places.len());
            return windows;
        }
        let sentence_end = (full - quarter..=full).rev().find(|it| ends_at(text, places, *it));
        let end = sentence_end.unwrap_or(full);
        windows.push(start..end);
        let earliest = (end - quarter).max(start + 1);
        start = (earliest..end).find(|it| ends_at(text, places, *it)).unwrap_or(earliest);
    }
}

/// The bytes a window covers.
pub(crate) fn bytes(text: &str, places: &[Range<usize>], window: &Range<usize>) -> Range<usize> {
    if window.len() == places.len() {
        return 0..text.len();
    }
    let (Some(first), Some(last)) =
        (places.get(window.start), places.get(window.end.wrapping_sub(1)))
    else {
        return 0..0;
    };
    text.floor_char_boundary(first.start)..text.ceil_char_boundary(last.end)
}

/// Whether a sentence ends before token `index`.
fn ends_at(text: &str, places: &[Range<usize>], index: usize) -> bool {
    let (Some(previous), Some(next)) =
        (index.checked_sub(1).and_then(|it| places.get(it)), places.get(index))
    else {
        return false;
    };
    let token = text.get(previous.clone()).unwrap_or("");
    let gap = text.get(previous.end..next.start).unwrap_or("");
    let following = text.get(next.clone()).unwrap_or("");
    if gap.contains('\n') || following.starts_with('\n') {
        return true;
    }
    match token.chars().next_back() {
        Some('。' | '！' | '？' | '．' | '…') => true,
        // A point inside a number or a name is followed at once by the rest of it.
        Some('.' | '!' | '?') => !gap.is_empty() || following.starts_with(char::is_whitespace),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token per word and per mark, as a WordPiece tokenizer would cut.
    fn words(text: &str) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::new();
        let mut open = false;
        for (at, character) in text.char_indices() {
            let end = at + character.len_utf8();
            if character.is_whitespace() {
                open = false;
            } else if character.is_ascii_alphanumeric() && open {
                if let Some(last) = places.last_mut() {
                    last.end = end;
                }
            } else {
                places.push(at..end);
                open = character.is_ascii_alphanumeric();
            }
        }
        places
    }

    fn shown(text: &str, capacity: usize) -> Vec<String> {
        let places = words(text);
        let windows = cut(text, &places, capacity);
        windows.iter().map(|it| text[bytes(text, &places, it)].to_owned()).collect()
    }

    #[test]
    fn a_text_that_fits_is_one_window() {
        assert_eq!(shown("One two. Three.", 8), ["One two. Three."]);
        assert_eq!(shown("", 8), [""]);
    }

    #[test]
    fn windows_end_with_a_sentence_and_overlap() {
        let text = "a b c d e f. g h i j k l m n o p q r";
        // Capacity 8: the sentence ends within the last quarter of the first window.
        assert_eq!(shown(text, 8), ["a b c d e f.", "f. g h i j k l", "k l m n o p q r"]);
    }

    #[test]
    fn the_overlap_begins_with_a_sentence_if_one_begins_there() {
        let text = "a b c d e f g h i j k l m n. o p. q r s t u v";
        assert_eq!(shown(text, 20), ["a b c d e f g h i j k l m n. o p.", "o p. q r s t u v"]);
    }

    #[test]
    fn a_point_inside_a_number_ends_no_sentence() {
        let text = "a b c 3.5 e f g h";
        let places = words(text);
        assert!((0..places.len()).all(|it| !ends_at(text, &places, it)));
    }

    #[test]
    fn japanese_sentences_end_without_a_space() {
        let text = "水は百度で沸く。氷は零度で溶ける。";
        let places = words(text);
        let ends: Vec<_> = (0..places.len()).filter(|it| ends_at(text, &places, *it)).collect();
        assert_eq!(ends, [8]);
    }

    #[test]
    fn every_token_is_in_a_window_and_windows_stay_few_at_any_size() {
        for count in [1, 2, 3, 7, 50, 333] {
            let text = "x ".repeat(count);
            let places = words(&text);
            for capacity in [1, 2, 3, 4, 5, 17, 100] {
                let windows = cut(&text, &places, capacity);
                let mut covered = 0;
                for window in &windows {
                    assert!(window.start <= covered, "gap before {window:?}");
                    assert!(window.len() <= capacity && !window.is_empty());
                    covered = window.end;
                }
                assert_eq!(covered, count);
                assert!(windows.len() <= 1 + 2 * count.div_ceil(capacity), "{count} {capacity}");
            }
        }
    }
}
