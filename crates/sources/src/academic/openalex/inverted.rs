//! Abstracts as OpenAlex gives them: each word with the places where it stands.

use crate::academic::fields::Fields;

/// The words in their order. Holes close up; of two words at one place the one named first stays; places from `max`
/// on are left out, so that one absurd number costs nothing.
pub(super) fn text(index: &Fields<'_>, max: usize) -> Option<String> {
    let mut words: Vec<(u64, &str)> = Vec::new();
    let mut left_out = 0usize;
    for (word, places) in index.map() {
        let Some(places) = places.as_array() else {
            left_out += 1;
            continue;
        };
        for place in places {
            match place.as_u64().filter(|it| *it < max as u64) {
                Some(place) if words.len() < 2 * max => words.push((place, word)),
                _ => left_out += 1,
            }
        }
    }
    if left_out > 0 {
        index.note(&format!("{left_out} places of words cannot be used"));
    }
    // Stable: equal places keep the order of the answer.
    words.sort_by_key(|it| it.0);
    words.dedup_by_key(|it| it.0);
    let text = words
        .iter()
        .map(|it| it.1.trim())
        .filter(|it| !it.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use serde_json::{Value, json};

    use super::*;
    use crate::outcome::Notes;

    fn inverted(index: Value, max: usize) -> (Option<String>, Vec<String>) {
        let notes = RefCell::new(Notes::up_to(9));
        let text = {
            let fields = Fields::of(&index, "index".to_owned(), &notes).unwrap();
            text(&fields, max)
        };
        (text, notes.into_inner().into_lines())
    }

    #[test]
    fn words_come_back_in_their_order() {
        let (text, notes) =
            inverted(json!({"the": [0, 3], "fish": [4], "cat": [1], "eats": [2]}), 100);
        assert_eq!(text.unwrap(), "the cat eats the fish");
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!(
            inverted(json!({"東京": [0], "の": [1], "天気": [2]}), 100).0.unwrap(),
            "東京 の 天気"
        );
    }

    #[test]
    fn holes_close_up_and_one_place_holds_one_word() {
        assert_eq!(inverted(json!({"b": [90], "a": [7]}), 100).0.unwrap(), "a b");
        assert_eq!(
            inverted(json!({"first": [0], "second": [0], "end": [1, 1]}), 100).0.unwrap(),
            "first end"
        );
    }

    #[test]
    fn absurd_places_are_left_out_and_said() {
        let index = json!({"a": [0, 18446744073709551615u64, -1, 1.5, "2"], "b": "no list", "c": [99], "d": [100]});
        let (text, notes) = inverted(index, 100);
        assert_eq!(text.unwrap(), "a c");
        assert_eq!(notes, ["index: 6 places of words cannot be used"]);
    }

    #[test]
    fn nothing_gives_nothing() {
        assert_eq!(inverted(json!({}), 100).0, None);
        assert_eq!(inverted(json!({"": [0], " ": [1]}), 100).0, None);
    }
}
