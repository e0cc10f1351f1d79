//! Which script a character belongs to, and how words are counted where no spaces separate them.
//!
//! The only place with ranges of Japanese characters.

/// Scripts written without spaces between words.
pub fn is_cjk(character: char) -> bool {
    matches!(u32::from(character),
        0x3000..=0x30ff | 0x31f0..=0x31ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff
        | 0xff00..=0xffef | 0x20000..=0x3ffff)
}

/// Chinese characters as Japanese writes them, 々 and 〆 included.
pub fn is_kanji(character: char) -> bool {
    matches!(character,
        '々' | '〆' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

pub fn is_katakana(character: char) -> bool {
    matches!(character, '\u{30a1}'..='\u{30fa}' | 'ー')
}

pub fn is_hiragana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{3096}')
}

/// Whether the character is a letter of Japanese writing.
pub fn is_japanese(character: char) -> bool {
    is_kanji(character) || is_katakana(character) || is_hiragana(character)
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
