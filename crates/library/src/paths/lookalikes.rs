//! Characters that look like others, or like nothing at all.

/// Taken for `/` or `\`, by a reader or by a conversion to an old character set.
pub(super) fn separator(c: char) -> bool {
    matches!(
        c,
        '\u{FF0F}' // fullwidth solidus
        | '\u{2044}' // fraction slash
        | '\u{2215}' // division slash
        | '\u{29F8}' // big solidus
        | '\u{2571}' // box drawings diagonal
        | '\u{27CB}' // rising diagonal
        | '\u{1735}' // philippine single punctuation
        | '\u{2041}' // caret insertion point
        | '\u{31D3}' // cjk stroke sp
        | '\u{2F03}' // kangxi radical slash
        | '\u{0337}' | '\u{0338}' // combining solidus overlays
        | '\u{FF3C}' // fullwidth reverse solidus
        | '\u{2216}' // set minus
        | '\u{29F5}' // reverse solidus operator
        | '\u{29F9}' // big reverse solidus
        | '\u{FE68}' // small reverse solidus
        | '\u{2572}' // box drawings diagonal
        | '\u{27CD}' // falling diagonal
        | '\u{20E5}' // combining reverse solidus overlay
        | '\u{31D4}' // cjk stroke d
        | '\u{00A5}' | '\u{20A9}' // the backslash of Japanese and Korean character sets
    )
}

/// Taken for one or more full stops.
pub(super) fn dot(c: char) -> bool {
    matches!(
        c,
        '\u{FF0E}' // fullwidth full stop
        | '\u{2024}'
            ..='\u{2026}' // one, two and three dot leaders
        | '\u{FE52}' // small full stop
        | '\u{FE19}' | '\u{FE30}' // vertical leaders
        | '\u{A4F8}' // lisu letter tone mya ti
        | '\u{0701}' | '\u{0702}' // syriac full stops
        | '\u{0660}' | '\u{06F0}' // arabic zeros
        | '\u{1D16D}' // musical augmentation dot
        | '\u{10A50}' // kharoshthi dot
    )
}

/// Not seen at all, or changes the order in which the rest is seen.
pub(super) fn invisible(c: char) -> bool {
    matches!(
        c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{2800}'
        | '\u{3164}' | '\u{FFA0}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// The letter of `.system` that another alphabet's letter is taken for.
pub(super) fn letter(c: char) -> char {
    match c {
        '\u{0455}' | '\u{A731}' | '\u{01BD}' => 's',
        '\u{0443}' | '\u{04AF}' | '\u{03B3}' | '\u{028F}' | '\u{1EFF}' => 'y',
        '\u{0442}' | '\u{1D1B}' | '\u{03C4}' => 't',
        '\u{0435}' | '\u{1D07}' | '\u{04BD}' | '\u{212E}' => 'e',
        '\u{043C}' | '\u{1D0D}' | '\u{03FB}' => 'm',
        c => c,
    }
}
