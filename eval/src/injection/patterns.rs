//! Sentences of patterns (`training/injection/patterns.txt`): what each line means is told there.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::train::Numbers;
use crate::Failure;

/// Attacks, and ordinary sentences, each once.
pub(super) fn gather(path: &Path) -> Result<(Vec<String>, Vec<String>), Failure> {
    made(&fs::read_to_string(path)?)
}

fn made(file: &str) -> Result<(Vec<String>, Vec<String>), Failure> {
    let mut slots: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut wanted = Vec::new();
    for line in file.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let unclear = || format!("no pattern: {line}");
        let (head, rest) = line.split_once(": ").ok_or_else(unclear)?;
        match head.split(' ').collect::<Vec<_>>()[..] {
            ["slot", name] => {
                slots.insert(name, rest.split(" | ").map(str::trim).collect());
            }
            [kind @ ("attack" | "ordinary"), _language, count] => {
                wanted.push((kind == "attack", count.parse::<usize>()?, rest));
            }
            _ => return Err(unclear().into()),
        }
    }
    let mut numbers = Numbers(1);
    let (mut attacks, mut ordinary) = (Vec::new(), Vec::new());
    for (is_attack, count, pattern) in wanted {
        for _ in 0..count {
            let text = filled(pattern, &slots, &mut numbers)?;
            if is_attack { &mut attacks } else { &mut ordinary }.push(text);
        }
    }
    Ok((attacks, ordinary))
}

/// The pattern with a word for each slot, from left to right.
fn filled(
    pattern: &str,
    slots: &HashMap<&str, Vec<&str>>,
    numbers: &mut Numbers,
) -> Result<String, Failure> {
    let mut text = pattern.to_owned();
    while let Some(start) = text.find('{') {
        let end = text[start..].find('}').ok_or("a slot without an end")? + start;
        let name = &text[start + 1..end];
        let words = slots.get(name).ok_or_else(|| format!("no slot {name}"))?;
        let word = words[numbers.below(words.len())];
        text.replace_range(start..=end, word);
    }
    let mut chars = text.replace(" .", ".").replace(" !", "!");
    if let Some(first) = chars.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Ok(chars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_slots_in_slots_too_and_the_same_way_each_time() {
        let file = "# note\nslot a: x | {b}\nslot b: y\n\nattack en 40: {a} and {b} .\nordinary ja 1: 犬{b}\n";
        let (attacks, ordinary) = made(file).unwrap();
        assert_eq!((attacks.len(), ordinary), (40, vec!["犬y".to_owned()]));
        assert!(attacks.iter().all(|it| ["X and y.", "Y and y."].contains(&it.as_str())));
        assert_eq!(made(file).unwrap().0, attacks);
    }

    #[test]
    fn what_is_no_pattern_is_named() {
        for (file, error) in [
            ("slot a x", "no pattern: slot a x"),
            ("attack en: x", "no pattern: attack en: x"),
            ("attack en 1: {c}", "no slot c"),
            ("attack en 1: {c", "a slot without an end"),
        ] {
            assert_eq!(made(file).unwrap_err().to_string(), error);
        }
    }
}
