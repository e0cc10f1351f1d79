//! Letters and words, for scripts with and without spaces between words.

/// Scripts written without spaces between words.
pub(crate) fn is_cjk(character: char) -> bool {
    matches!(u32::from(character),
        0x3000..=0x30ff | 0x31f0..=0x31ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff
        | 0xff00..=0xffef | 0x20000..=0x3ffff)
}

/// Words, where two characters of a script without spaces count as one.
pub(crate) fn count_words(text: &str) -> f32 {
    let (mut words, mut wide, mut inside) = (0_u32, 0_u32, false);
    // Most text is ASCII, and a byte is told faster than a character.
    if text.is_ascii() {
        for byte in text.bytes() {
            let letter = byte.is_ascii_alphanumeric();
            words += u32::from(letter && !inside);
            inside = letter || (inside && matches!(byte, b'\'' | b'_'));
        }
    } else {
        for character in text.chars() {
            if is_cjk(character) {
                wide += u32::from(character.is_alphanumeric());
                inside = false;
            } else if character.is_alphanumeric() {
                words += u32::from(!inside);
                inside = true;
            } else if !matches!(character, '\'' | '’' | '_') {
                inside = false;
            }
        }
    }
    words as f32 + wide as f32 / 2.0
}
