//! Letters of other scripts that look like Latin ones, as those who hide words use them.

use unicode_normalization::UnicodeNormalization;

/// The plain lower-case letter a character looks like; itself if there is none.
pub(super) fn looks_like(c: char) -> char {
    match c {
        'a'..='z' | '0'..='9' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        _ if c.is_ascii() => c,
        'а' | 'А' | 'α' | 'Α' | 'ɑ' | 'ᴀ' | 'ꭺ' => 'a',
        'в' | 'В' | 'ь' | 'Ь' | 'β' | 'Β' | 'ʙ' => 'b',
        'с' | 'С' | 'ϲ' | 'Ϲ' | 'ᴄ' | 'ⅽ' => 'c',
        'ԁ' | 'Ԁ' | 'ᴅ' | 'ɗ' => 'd',
        'е' | 'Е' | 'ё' | 'Ё' | 'ε' | 'Ε' | 'ᴇ' | 'є' | 'Є' | 'ҽ' => 'e',
        'ғ' | 'Ғ' | 'ꜰ' | 'ƒ' => 'f',
        'ɡ' | 'ɢ' | 'ց' => 'g',
        'һ' | 'Һ' | 'н' | 'Н' | 'Η' | 'ʜ' | 'հ' => 'h',
        'і' | 'І' | 'ї' | 'Ї' | 'ι' | 'Ι' | 'ı' | 'ɪ' | 'ɩ' => 'i',
        'ј' | 'Ј' | 'ᴊ' | 'ϳ' => 'j',
        'к' | 'К' | 'κ' | 'Κ' | 'ᴋ' => 'k',
        'ӏ' | 'Ӏ' | 'ʟ' | 'ⅼ' | 'ǀ' => 'l',
        'м' | 'М' | 'Μ' | 'ᴍ' => 'm',
        'п' | 'η' | 'Ν' | 'ɴ' | 'ո' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'ᴏ' | 'օ' | 'σ' | 'ө' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' | 'ᴘ' => 'p',
        'ԛ' | 'Ԛ' | 'զ' => 'q',
        'г' | 'ʀ' | 'ꞃ' => 'r',
        'ѕ' | 'Ѕ' | 'ꜱ' => 's',
        'т' | 'Т' | 'τ' | 'Τ' | 'ᴛ' => 't',
        'υ' | 'ᴜ' | 'ս' | 'ʋ' => 'u',
        'ν' | 'ѵ' | 'Ѵ' | 'ᴠ' => 'v',
        'ѡ' | 'ԝ' | 'Ԝ' | 'ω' | 'ᴡ' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'Υ' | 'γ' | 'ʏ' | 'ү' | 'Ү' => 'y',
        'Ζ' | 'ᴢ' => 'z',
        '’' | '‘' | 'ʼ' | '′' => '\'',
        '“' | '”' | '„' | '″' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '▁' => '_',
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => without_accent(c),
        _ => c,
    }
}

fn without_accent(c: char) -> char {
    let base = std::iter::once(c).nfd().next().unwrap_or(c);
    base.to_lowercase().next().unwrap_or(base)
}
