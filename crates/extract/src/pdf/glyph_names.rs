//! Names of glyphs (`eacute`, `fi`, `uni65E5`) to the text they stand for.
//!
//! Letters with accents are composed from the name of the letter and of the accent, so the list below
//! holds only what cannot be composed.

use unicode_normalization::char::compose;

/// The text of a glyph by its name; none for names that say nothing (`g123`).
pub(crate) fn text_of(name: &str) -> Option<String> {
    // What follows a dot is a style: `a.sc`, `one.oldstyle`.
    let name = match name.find('.') {
        Some(0) | None => name,
        Some(dot) => &name[..dot],
    };
    if let Some(found) = whole(name) {
        return Some(found);
    }
    if !name.contains('_') {
        return None;
    }
    // A ligature names its parts: `f_f_i`.
    name.split('_').take(8).map(whole).collect()
}

fn whole(name: &str) -> Option<String> {
    let mut letters = name.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return Some(letter.to_string());
    }
    if let Ok(found) = PLAIN.binary_search_by_key(&name, |it| it.0) {
        return Some(PLAIN[found].1.to_owned());
    }
    numbered(name)
        .or_else(|| accented(name).map(String::from))
        .or_else(|| greek(name).map(String::from))
}

/// `uni65E5`, `u1F600`, and the numbers of Cyrillic and Hebrew letters (`afii10017`).
fn numbered(name: &str) -> Option<String> {
    let hex = |digits: &str| {
        let valid = digits.bytes().all(|it| it.is_ascii_hexdigit());
        valid.then(|| u32::from_str_radix(digits, 16).ok()).flatten().and_then(char::from_u32)
    };
    if let Some(digits) = name.strip_prefix("uni")
        && digits.len() >= 4
    {
        let (groups, _) = digits.as_bytes().as_chunks::<4>();
        return groups.iter().take(8).map(|it| hex(std::str::from_utf8(it).ok()?)).collect();
    }
    if let Some(digits) = name.strip_prefix('u')
        && (4..=6).contains(&digits.len())
    {
        return hex(digits).map(String::from);
    }
    let number: u32 = name.strip_prefix("afii")?.parse().ok()?;
    let code = match number {
        10017..=10022 => 0x410 + number - 10017,
        10023 => 0x401,
        10024..=10049 => 0x416 + number - 10024,
        10065..=10070 => 0x430 + number - 10065,
        10071 => 0x451,
        10072..=10097 => 0x436 + number - 10072,
        // Letters of Ukrainian, Serbian, Macedonian and old Russian.
        10050 => 0x490,
        10051..=10061 => 0x402 + number - 10051,
        10062 => 0x40E,
        10098 => 0x491,
        10099..=10109 => 0x452 + number - 10099,
        10110 => 0x45E,
        10145 => 0x40F,
        10146 => 0x462,
        10147 => 0x472,
        10148 => 0x474,
        10193 => 0x45F,
        10194 => 0x463,
        10195 => 0x473,
        10196 => 0x475,
        57409..=57434 => 0x621 + number - 57409,
        57440..=57450 => 0x640 + number - 57440,
        57664..=57690 => 0x5D0 + number - 57664,
        61352 => 0x2116,
        _ => return None,
    };
    char::from_u32(code).map(String::from)
}

fn accented(name: &str) -> Option<char> {
    const ACCENTS: [(&str, char); 14] = [
        ("acute", '\u{301}'),
        ("breve", '\u{306}'),
        ("caron", '\u{30C}'),
        ("cedilla", '\u{327}'),
        ("circumflex", '\u{302}'),
        ("commaaccent", '\u{326}'),
        ("dieresis", '\u{308}'),
        ("dotaccent", '\u{307}'),
        ("dotbelow", '\u{323}'),
        ("grave", '\u{300}'),
        ("hungarumlaut", '\u{30B}'),
        ("macron", '\u{304}'),
        ("ogonek", '\u{328}'),
        ("ring", '\u{30A}'),
    ];
    let mut letters = name.chars();
    let base = letters.next().filter(char::is_ascii_alphabetic)?;
    let accent = letters.as_str();
    if accent == "tilde" {
        return compose(base, '\u{303}');
    }
    let (_, mark) = ACCENTS.iter().find(|it| it.0 == accent)?;
    // Romanian S and T have a comma, the other letters a cedilla under the same name.
    let mark = if accent == "commaaccent" && !"SsTt".contains(base) { '\u{327}' } else { *mark };
    compose(base, mark)
}

fn greek(name: &str) -> Option<char> {
    const NAMES: [&str; 24] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
        "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi",
        "chi", "psi", "omega",
    ];
    let lower = name.to_ascii_lowercase();
    let index = NAMES.iter().position(|it| *it == lower)? as u32;
    let gap = u32::from(index >= 17);
    let start = if name.starts_with(|it: char| it.is_ascii_uppercase()) { 0x391 } else { 0x3B1 };
    char::from_u32(start + index + gap)
}

/// Sorted by name.
const PLAIN: [(&str, &str); 232] = [
    ("AE", "Æ"),
    ("Dcroat", "Đ"),
    ("Eth", "Ð"),
    ("Euro", "€"),
    ("Hbar", "Ħ"),
    ("IJ", "Ĳ"),
    ("Lslash", "Ł"),
    ("OE", "Œ"),
    ("Oslash", "Ø"),
    ("Thorn", "Þ"),
    ("acute", "´"),
    ("ae", "æ"),
    ("aleph", "ℵ"),
    ("ampersand", "&"),
    ("angleleft", "〈"),
    ("angleright", "〉"),
    ("approxequal", "≈"),
    ("arrowboth", "↔"),
    ("arrowdblboth", "⇔"),
    ("arrowdblleft", "⇐"),
    ("arrowdblright", "⇒"),
    ("arrowdown", "↓"),
    ("arrowleft", "←"),
    ("arrowmapsto", "↦"),
    ("arrowright", "→"),
    ("arrowup", "↑"),
    ("asciicircum", "^"),
    ("asciitilde", "~"),
    ("asterisk", "*"),
    ("asteriskmath", "∗"),
    ("at", "@"),
    ("backslash", "\\"),
    ("bar", "|"),
    ("braceleft", "{"),
    ("braceright", "}"),
    ("bracketleft", "["),
    ("bracketleftbig", "["),
    ("bracketright", "]"),
    ("bracketrightbig", "]"),
    ("breve", "˘"),
    ("brokenbar", "¦"),
    ("bullet", "•"),
    ("caron", "ˇ"),
    ("cedilla", "¸"),
    ("cent", "¢"),
    ("checkmark", "✓"),
    ("circlecopyrt", "○"),
    ("circlemultiply", "⊗"),
    ("circleplus", "⊕"),
    ("circumflex", "ˆ"),
    ("club", "♣"),
    ("colon", ":"),
    ("comma", ","),
    ("congruent", "≅"),
    ("copyright", "©"),
    ("currency", "¤"),
    ("dagger", "†"),
    ("daggerdbl", "‡"),
    ("dcroat", "đ"),
    ("degree", "°"),
    ("degreecentigrade", "℃"),
    ("diamond", "♦"),
    ("dieresis", "¨"),
    ("divide", "÷"),
    ("dollar", "$"),
    ("dotaccent", "˙"),
    ("dotlessi", "ı"),
    ("dotlessj", "ȷ"),
    ("dotmath", "⋅"),
    ("eight", "8"),
    ("eightsuperior", "⁸"),
    ("element", "∈"),
    ("ellipsis", "…"),
    ("emdash", "—"),
    ("emptyset", "∅"),
    ("endash", "–"),
    ("epsilon1", "ϵ"),
    ("equal", "="),
    ("equivalence", "≡"),
    ("estimated", "℮"),
    ("eth", "ð"),
    ("exclam", "!"),
    ("exclamdown", "¡"),
    ("existential", "∃"),
    ("ff", "ff"),
    ("ffi", "ffi"),
    ("ffl", "ffl"),
    ("fi", "fi"),
    ("five", "5"),
    ("fiveeighths", "⅝"),
    ("fivesuperior", "⁵"),
    ("fl", "fl"),
    ("florin", "ƒ"),
    ("four", "4"),
    ("foursuperior", "⁴"),
    ("fraction", "⁄"),
    ("germandbls", "ß"),
    ("gradient", "∇"),
    ("grave", "`"),
    ("greater", ">"),
    ("greaterequal", "≥"),
    ("greatermuch", "≫"),
    ("guillemotleft", "«"),
    ("guillemotright", "»"),
    ("guilsinglleft", "‹"),
    ("guilsinglright", "›"),
    ("hbar", "ħ"),
    ("heart", "♥"),
    ("hungarumlaut", "˝"),
    ("hyphen", "-"),
    ("hyphenminus", "-"),
    ("ij", "ĳ"),
    ("infinity", "∞"),
    ("integral", "∫"),
    ("integraldisplay", "∫"),
    ("integraltext", "∫"),
    ("intersection", "∩"),
    ("kgreenlandic", "ĸ"),
    ("less", "<"),
    ("lessequal", "≤"),
    ("lessmuch", "≪"),
    ("logicaland", "∧"),
    ("logicalnot", "¬"),
    ("logicalor", "∨"),
    ("longs", "ſ"),
    ("lozenge", "◊"),
    ("lscript", "ℓ"),
    ("lslash", "ł"),
    ("macron", "¯"),
    ("middot", "·"),
    ("minus", "−"),
    ("minute", "′"),
    ("mu1", "µ"),
    ("multiply", "×"),
    ("nbspace", " "),
    ("negationslash", "̸"),
    ("nine", "9"),
    ("ninesuperior", "⁹"),
    ("nonbreakingspace", " "),
    ("notelement", "∉"),
    ("notequal", "≠"),
    ("notsubset", "⊄"),
    ("numbersign", "#"),
    ("oe", "œ"),
    ("ogonek", "˛"),
    ("omega1", "ϖ"),
    ("one", "1"),
    ("oneeighth", "⅛"),
    ("onehalf", "½"),
    ("onequarter", "¼"),
    ("onesuperior", "¹"),
    ("ordfeminine", "ª"),
    ("ordmasculine", "º"),
    ("oslash", "ø"),
    ("overscore", "¯"),
    ("paragraph", "¶"),
    ("parenleft", "("),
    ("parenleftbig", "("),
    ("parenright", ")"),
    ("parenrightbig", ")"),
    ("partialdiff", "∂"),
    ("percent", "%"),
    ("period", "."),
    ("periodcentered", "·"),
    ("perpendicular", "⊥"),
    ("perthousand", "‰"),
    ("phi1", "ϕ"),
    ("plus", "+"),
    ("plusminus", "±"),
    ("prime", "′"),
    ("product", "∏"),
    ("productdisplay", "∏"),
    ("producttext", "∏"),
    ("propersubset", "⊂"),
    ("propersuperset", "⊃"),
    ("proportional", "∝"),
    ("question", "?"),
    ("questiondown", "¿"),
    ("quotedbl", "\""),
    ("quotedblbase", "„"),
    ("quotedblleft", "“"),
    ("quotedblright", "”"),
    ("quoteleft", "‘"),
    ("quotereversed", "‛"),
    ("quoteright", "’"),
    ("quotesinglbase", "‚"),
    ("quotesingle", "'"),
    ("radical", "√"),
    ("reflexsubset", "⊆"),
    ("reflexsuperset", "⊇"),
    ("registered", "®"),
    ("rho1", "ϱ"),
    ("ring", "˚"),
    ("second", "″"),
    ("section", "§"),
    ("semicolon", ";"),
    ("seven", "7"),
    ("seveneighths", "⅞"),
    ("sevensuperior", "⁷"),
    ("sfthyphen", "\u{ad}"),
    ("sigma1", "ς"),
    ("similar", "∼"),
    ("similarequal", "≃"),
    ("six", "6"),
    ("sixsuperior", "⁶"),
    ("slash", "/"),
    ("softhyphen", "\u{ad}"),
    ("space", " "),
    ("spade", "♠"),
    ("sterling", "£"),
    ("summation", "∑"),
    ("summationdisplay", "∑"),
    ("summationtext", "∑"),
    ("therefore", "∴"),
    ("theta1", "ϑ"),
    ("thorn", "þ"),
    ("three", "3"),
    ("threeeighths", "⅜"),
    ("threequarters", "¾"),
    ("threesuperior", "³"),
    ("tilde", "˜"),
    ("trademark", "™"),
    ("two", "2"),
    ("twosuperior", "²"),
    ("underscore", "_"),
    ("union", "∪"),
    ("universal", "∀"),
    ("visiblespace", " "),
    ("weierstrass", "℘"),
    ("yen", "¥"),
    ("zero", "0"),
    ("zerosuperior", "⁰"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        assert!(PLAIN.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn names_give_the_text_a_reader_sees() {
        let names = [
            "A",
            "eacute",
            "Scommaaccent",
            "kcommaaccent",
            "ntilde",
            "germandbls",
            "fi",
            "f_f_i",
            "one.oldstyle",
            "uni65E5",
            "uni00660069",
            "u1F600",
            "afii10017",
            "alpha",
            "Omega",
            "sigma",
            "quoteright",
            "emdash",
            "ccaron",
        ];
        let shown: Vec<String> = names.into_iter().filter_map(text_of).collect();
        assert_eq!(shown.join(" "), "A é Ș ķ ñ ß fi ffi 1 日 fi 😀 А α Ω σ ’ — č");
    }

    #[test]
    fn names_that_say_nothing_give_nothing() {
        assert_eq!(text_of("g123"), None);
        assert_eq!(text_of(".notdef"), None);
        assert_eq!(text_of("uniD800"), None);
        assert_eq!(text_of(""), None);
    }
}
