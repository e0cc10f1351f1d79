//! Numbers of a sentence in one form, so that `1,200`, `１２００` and `twelve percent` can be compared.

use crate::script::is_japanese;

const WORDS: [(&str, &str); 12] = [
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("half", "0.5"),
];

/// The numbers in folded text, sorted, each with `%` where it is a share.
pub fn numbers(folded: &str) -> Vec<String> {
    let mut found = Vec::new();
    let bytes = folded.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b'.' | b',')
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
        {
            at += 1;
        }
        // The 19 of COVID-19 and the 3 of IL3 belong to a name.
        let before = folded[..start].trim_end_matches('-');
        if before.ends_with(|c: char| c.is_alphabetic() && !is_japanese(c)) {
            continue;
        }
        let digits = folded[start..at].replace(',', "");
        found.push(in_one_form(&digits) + share_mark(&folded[at..]));
    }
    for word in super::latin_words(folded) {
        let lower = word.to_ascii_lowercase();
        if let Some((_, digits)) = WORDS.iter().find(|it| it.0 == lower) {
            let rest = &folded[word.as_ptr() as usize - folded.as_ptr() as usize + word.len()..];
            found.push((*digits).to_owned() + share_mark(rest));
        }
    }
    found.sort_unstable();
    found
}

/// `12.50` and `12.5` are one number; so are `007` and `7`.
fn in_one_form(digits: &str) -> String {
    let digits = match digits.split_once('.') {
        Some((whole, part)) if !part.contains('.') => {
            let part = part.trim_end_matches('0');
            if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
        }
        _ => digits.to_owned(),
    };
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() || trimmed.starts_with('.') {
        format!("0{trimmed}")
    } else {
        trimmed.to_owned()
    }
}

fn share_mark(rest: &str) -> &'static str {
    let rest = rest.trim_start();
    let is_share =
        ["%", "percent", "per cent", "パーセント", "％"].iter().any(|it| rest.starts_with(it));
    if is_share { "%" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::folded;

    #[test]
    fn numbers_meet_in_one_form() {
        let table: [(&str, &[&str]); 8] = [
            ("It fell by 12 % in 1,200 people.", &["12%", "1200"]),
            ("It fell by twelve percent in 1200 people.", &["12%", "1200"]),
            ("１２．５％減少し、0.50倍となった。", &["0.5", "12.5%"]),
            ("COVID-19 and IL3 in 2021", &["2021"]),
            ("約3割、10パーセント", &["10%", "3"]),
            ("version 2.0.1", &["2.0.1"]),
            ("no numbers", &[]),
            ("", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(numbers(&folded(text)), expected, "{text}");
        }
    }
}
