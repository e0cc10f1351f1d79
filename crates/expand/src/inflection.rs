//! Verbs and adjectives: the dictionary has one form of each, a query any.

use crate::dictionary;
use text::script::{is_hiragana, is_japanese, is_kanji};

/// What a dictionary form ends in.
const ENDINGS: [char; 10] = ['う', 'く', 'ぐ', 'す', 'つ', 'ぬ', 'ぶ', 'む', 'る', 'い'];

/// The verb or adjective that begins with `stem` and continues with `next`.
pub(crate) fn inflected(stem: &str, next: Option<char>) -> Option<String> {
    let forms = ENDINGS.into_iter().filter(|it| goes_on(stem, *it, next));
    forms.map(|it| format!("{stem}{it}")).find(|it| dictionary::knows_japanese(it))
}

/// Whether a word of the dictionary is a verb or an adjective, whose ending depends on what follows.
pub(crate) fn is_inflected(word: &str) -> bool {
    word.chars().next().is_some_and(is_kanji)
        && word.chars().nth(1).is_some()
        && word.chars().next_back().is_some_and(|it| ENDINGS.contains(&it))
}

/// Whether a word in dictionary form may continue like this after its stem: 飲む as 飲み, 食べる as 食べた.
fn goes_on(stem: &str, ending: char, next: Option<char>) -> bool {
    let Some(next) = next else { return stem.chars().next_back().is_some_and(is_hiragana) };
    if !is_hiragana(next) {
        // 増え続ける
        return is_japanese(next) && stem.chars().next_back().is_some_and(is_hiragana);
    }
    let moves = match ending {
        'う' => "わいうえおっ",
        'く' => "かきくけこい",
        'ぐ' => "がぎぐげごい",
        'す' => "さしすせそ",
        'つ' => "たちつてとっ",
        'ぬ' => "なにぬねのん",
        'ぶ' => "ばびぶべぼん",
        'む' => "まみむめもん",
        'る' if stem.chars().next_back().is_some_and(is_hiragana) => return true,
        'る' => "らりるれろってたなまずよ",
        _ => "いくかけさ",
    };
    moves.contains(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_and_adjectives_are_known_in_all_their_forms() {
        for (stem, ending, next, expected) in [
            ("飲", 'む', Some('み'), true),
            ("飲", 'む', Some('ん'), true),
            ("飲", 'む', Some('食'), false),
            ("飲", 'む', None, false),
            ("食べ", 'る', Some('た'), true),
            ("増え", 'る', Some('続'), true),
            ("増え", 'る', None, true),
            ("見", 'る', Some('て'), true),
            ("見", 'る', Some('出'), false),
            ("高", 'い', Some('く'), true),
            ("高", 'い', Some('ま'), false),
        ] {
            assert_eq!(goes_on(stem, ending, next), expected, "{stem}{ending} {next:?}");
        }
    }
}
