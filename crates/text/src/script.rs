//! Which script a character belongs to, and how words are counted where no spaces separate them.
//!
//! The only place with ranges of Japanese characters. Take the narrowest predicate that says what is
//! meant: a script ([`is_kanji`]), letters of Japanese ([`is_japanese`]), text without spaces between
//! words ([`is_cjk`]), or anything East Asian ([`is_east_asian`]).

/// Kanji as Japanese writes them: ideographs of every block, and 々, 〆 and 〇, which stand for one.
pub fn is_kanji(c: char) -> bool {
    matches!(c,
        '々' | '〆' | '〇' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3fffd}')
}

/// Hiragana letters and the marks that repeat one (ゝ ゞ); no voicing marks of their own.
pub fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}')
}

/// Katakana letters, ー and the marks that repeat one, in full and in half width.
pub fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}')
        || is_half_width_katakana(c)
}

/// A letter that only Japanese is written in.
pub fn is_kana(c: char) -> bool {
    is_hiragana(c) || is_katakana(c)
}

/// Katakana that NFKC writes in full width, their voicing marks among them.
pub fn is_half_width_katakana(c: char) -> bool {
    matches!(c, '\u{ff66}'..='\u{ff9f}')
}

/// A letter of Japanese writing. Punctuation and full-width Latin letters are none.
pub fn is_japanese(c: char) -> bool {
    is_kanji(c) || is_hiragana(c) || is_katakana(c)
}

/// Syllables of Korean, which has spaces between words and endings glued to them.
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7af}')
}

/// Chinese and Japanese characters with their punctuation and full-width forms: where they meet, no
/// space separates words and lines are joined without one. Korean has spaces and is not among them.
pub fn is_cjk(c: char) -> bool {
    is_japanese(c)
        || matches!(c, '\u{3000}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff00}'..='\u{ffef}')
}

/// Any character of Chinese, Japanese and Korean typesetting: letters, radicals, punctuation,
/// full-width forms.
pub fn is_east_asian(c: char) -> bool {
    is_cjk(c) || is_hangul(c) || matches!(c, '\u{2e80}'..='\u{9fff}')
}

/// How many letters of an alphabet say as much as one character: three for an East Asian one, which
/// is half a word in [`count_words`].
pub fn letters_in(c: char) -> usize {
    if is_east_asian(c) { 3 } else { 1 }
}

/// Words, where two characters of a script without spaces count as one.
pub fn count_words(text: &str) -> f32 {
    if text.is_ascii() {
        return ascii_words(text.as_bytes()) as f32;
    }
    let (mut words, mut wide, mut inside) = (0_u32, 0_u32, false);
    for character in text.chars() {
        if character.is_ascii() {
            let letter = character.is_ascii_alphanumeric();
            words += u32::from(letter && !inside);
            inside = letter || (inside && matches!(character, '\'' | '_'));
        } else if is_cjk(character) {
            wide += u32::from(character.is_alphanumeric());
            inside = false;
        } else if character == '’' {
            // Joins what is around it, as the plain one does.
        } else if character.is_alphanumeric() {
            words += u32::from(!inside);
            inside = true;
        } else {
            inside = false;
        }
    }
    words as f32 + wide as f32 / 2.0
}

/// Most text is ASCII. A word begins at a letter with none before it: that needs no state, so sixteen
/// bytes are looked at at once; the few marks that join two letters to one word are put right after.
fn ascii_words(bytes: &[u8]) -> u32 {
    const AT_ONCE: usize = 240;
    const SHORT: usize = 24;
    let Some(first) = bytes.first() else { return 0 };
    if bytes.len() <= SHORT {
        let (mut words, mut inside) = (0, false);
        for byte in bytes {
            let letter = letter(*byte) == 1;
            words += u32::from(letter && !inside);
            inside = letter || (inside && matches!(byte, b'\'' | b'_'));
        }
        return words;
    }
    let mut words = u32::from(letter(*first));
    for (before, after) in bytes.chunks(AT_ONCE).zip(bytes[1..].chunks(AT_ONCE)) {
        let begins = |(before, after): (&u8, &u8)| letter(*after) & !letter(*before) & 1;
        words += u32::from(before.iter().zip(after).map(begins).sum::<u8>());
    }
    for mark in memchr::memchr2_iter(b'\'', b'_', bytes) {
        if bytes.get(mark + 1).is_some_and(|it| letter(*it) == 1) {
            let before = bytes[..mark].iter().rev().find(|it| !matches!(it, b'\'' | b'_'));
            words -= u32::from(before.is_some_and(|it| letter(*it) == 1));
        }
    }
    words
}

/// 1 for a letter or digit of ASCII, without a branch.
fn letter(byte: u8) -> u8 {
    u8::from((byte | 0x20).wrapping_sub(b'a') < 26) | u8::from(byte.wrapping_sub(b'0') < 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kanji, hiragana, katakana, Japanese, CJK, East Asian.
    #[test]
    fn each_character_has_its_script() {
        let table = [
            ('漢', "k..jce"),
            ('々', "k..jce"),
            ('〆', "k..jce"),
            ('〇', "k..jce"),
            ('\u{20b9f}', "k..jce"),
            ('あ', ".h.jce"),
            ('ゞ', ".h.jce"),
            ('ア', "..ajce"),
            ('ー', "..ajce"),
            ('ｱ', "..ajce"),
            ('ㇰ', "..ajce"),
            ('・', "....ce"),
            ('。', "....ce"),
            ('Ａ', "....ce"),
            ('\u{3099}', "....ce"),
            ('㈱', ".....e"),
            ('한', ".....e"),
            ('a', "......"),
            ('é', "......"),
            ('…', "......"),
        ];
        type Predicate = fn(char) -> bool;
        let predicates: [(Predicate, char); 6] = [
            (is_kanji, 'k'),
            (is_hiragana, 'h'),
            (is_katakana, 'a'),
            (is_japanese, 'j'),
            (is_cjk, 'c'),
            (is_east_asian, 'e'),
        ];
        for (c, expected) in table {
            let found: String =
                predicates.iter().map(|(is, name)| if is(c) { *name } else { '.' }).collect();
            assert_eq!(found, expected, "{c}");
        }
    }

    #[test]
    fn words_are_counted_in_every_script() {
        let words =
            ["", "a", "'", "one two", "don't o''k a_b_c 'quoted' _x_ rock 'n' roll", " 3.14 "];
        assert_eq!(words.map(count_words), [0.0, 1.0, 0.0, 2.0, 8.0, 2.0]);
        let mixed = ["don’t naïve café", "海面の上昇", "第3章 AI と人", "日本's"];
        assert_eq!(mixed.map(count_words), [3.0, 2.5, 4.0, 2.0]);
    }

    #[test]
    fn long_texts_are_counted_as_short_ones() {
        for length in [1, 119, 120, 121, 240, 241, 5_000] {
            assert_eq!(count_words(&"ab ".repeat(length)), length as f32);
            assert_eq!(count_words(&"a".repeat(length)), 1.0);
            assert_eq!(count_words(&"a'".repeat(length)), 1.0);
        }
    }
}
