//! English words without their endings. Crude on purpose: both sides of a comparison are cut alike.

/// Cuts the usual endings off a word in lower case.
pub fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let cut = |ending: &str, least: usize| {
        word.strip_suffix(ending).filter(|it| it.chars().count() >= least)
    };
    if !word.is_ascii() || word.bytes().any(|it| it.is_ascii_digit()) {
        return word.to_owned();
    }
    if let Some(rest) = cut("ies", 2) {
        return format!("{rest}y");
    }
    if let Some(rest) = cut("ied", 2) {
        return format!("{rest}y");
    }
    for (ending, least) in [("ingly", 3), ("edly", 3), ("ing", 3), ("ed", 3)] {
        if let Some(rest) = cut(ending, least) {
            return without_doubled_end(rest);
        }
    }
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.to_owned();
    }
    if let Some(rest) = cut("es", 3) {
        return without_doubled_end(rest);
    }
    if let Some(rest) = cut("s", 3).or_else(|| cut("e", 3)) {
        return without_doubled_end(rest.strip_suffix('e').unwrap_or(rest));
    }
    word.to_owned()
}

/// `stopp` and `stop` are one; so are `reduc` and `reduce`.
fn without_doubled_end(rest: &str) -> String {
    let bytes = rest.as_bytes();
    let doubled = matches!(bytes, [.., a, b] if a == b && !b"aeiouls".contains(b));
    rest[..rest.len() - usize::from(doubled)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_meet() {
        for forms in [
            &["reduce", "reduces", "reduced", "reducing"][..],
            &["study", "studies", "studied"],
            &["stop", "stops", "stopped", "stopping"],
            &["vaccine", "vaccines"],
            &["risk", "risks", "risk's"],
        ] {
            let first = stem(forms[0]);
            for form in forms {
                assert_eq!(stem(form), first, "{form}");
            }
        }
    }

    #[test]
    fn short_words_and_numbers_stay() {
        for word in ["is", "bus", "press", "2021", "covid-19", "red", "as", ""] {
            assert_eq!(stem(word), word);
        }
    }
}
