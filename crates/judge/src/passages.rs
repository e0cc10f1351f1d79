//! Passages that belong to the page and say nothing: bylines, references, bare addresses, buttons, cookie notes.
//!
//! A passage is left only where all of it is of that kind: an article about cookies, a sentence with an address in it
//! and a paragraph that ends in a reference stay.

use crate::claims::{english, noise};
use crate::page_parts::PAGE_PARTS;
use text::script::letters_in;
use text::words::{folded, is_japanese, latin_words};

/// What is done with an article, and a month that is a verb as well.
const BYLINE_VERBS: &str =
    "written|reviewed|checked|edited|posted|published|updated|received|accepted|revised|read|may";

/// The longest byline, in words and in Japanese characters.
const BYLINE_WORDS: usize = 40;
const BYLINE_CHARACTERS: usize = 120;
/// A passage with fewer letters besides buttons and addresses says nothing.
const LEAST_LETTERS: usize = 15;
/// The longest cookie note, row of buttons and entry of a list of references, in bytes: longer passages are not looked
/// through.
const COOKIE_NOTE: usize = 2_400;
const ROW_OF_BUTTONS: usize = 600;
const ENTRY: usize = 800;

/// Whether a passage is part of the page's furniture and says nothing about the world.
pub fn says_nothing(text: &str, headings: &[String]) -> bool {
    if headings.last().is_some_and(|it| is_list(it)) {
        return true;
    }
    let plain = folded(text);
    let lower = plain.to_lowercase();
    is_cookie_note(&lower)
        || is_buttons_and_addresses(&lower)
        || is_byline(&plain, &lower)
        || is_names(&plain)
        || is_references(text)
}

fn is_list(heading: &str) -> bool {
    let plain = folded(heading).to_lowercase();
    let numbers = |it: char| it.is_ascii_digit() || matches!(it, '.' | ' ' | ')' | '■' | '●');
    let plain = plain.trim_start_matches(numbers).trim_end_matches([':', ' ', '.']);
    PAGE_PARTS.iter().any(|it| it.list_sections.contains(plain))
}

fn is_cookie_note(lower: &str) -> bool {
    lower.len() <= COOKIE_NOTE
        && (lower.contains("cookie") || lower.contains("クッキー"))
        && PAGE_PARTS.iter().any(|it| it.cookies.any_in(lower))
        && PAGE_PARTS.iter().flat_map(|it| it.visitors.iter()).any(|visitor| {
            if is_japanese(visitor) { lower.contains(visitor) } else { has_words(lower, visitor) }
        })
}

/// Whether words occur in a text as whole words.
fn has_words(lower: &str, words: &str) -> bool {
    lower.match_indices(words).any(|(at, _)| {
        let before = lower[..at].chars().next_back();
        let after = lower[at + words.len()..].chars().next();
        !before.is_some_and(|it| it.is_ascii_alphanumeric())
            && !after.is_some_and(|it| it.is_ascii_alphanumeric())
    })
}

/// Whether hardly anything is left without button labels, addresses and names of works.
fn is_buttons_and_addresses(lower: &str) -> bool {
    if lower.len() > ROW_OF_BUTTONS {
        return false;
    }
    let words = lower.split_whitespace().filter(|it| !is_address(it));
    let mut text = words.collect::<Vec<_>>().join(" ");
    let before = letters(&text);
    if before < LEAST_LETTERS {
        return true;
    }
    for button in PAGE_PARTS.iter().flat_map(|it| it.buttons.iter()) {
        while let Some(at) = text.find(button) {
            let end = at + button.len();
            let inside = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            let is_word = is_japanese(button)
                || !(inside(text[..at].chars().next_back()) || inside(text[end..].chars().next()));
            // A word that only begins like a button ends the search for this button.
            if !is_word {
                break;
            }
            text.replace_range(at..end, "");
        }
    }
    // Buttons alone, not a sentence that names one of them.
    letters(&text) < LEAST_LETTERS && 2 * letters(&text) < before
}

fn letters(text: &str) -> usize {
    text.chars().filter(|it| it.is_alphabetic()).map(letters_in).sum()
}

fn is_address(word: &str) -> bool {
    let bare =
        word.trim_matches(|it: char| matches!(it, '(' | ')' | '<' | '>' | '[' | ']' | ',' | '.'));
    bare.starts_with("http://")
        || bare.starts_with("https://")
        || bare.starts_with("www.")
        || bare.starts_with("doi:")
        || bare.starts_with("doi.org/")
        || (bare.starts_with("10.") && bare.contains('/'))
        || bare.starts_with("pmid:")
        || bare.starts_with("pmcid:")
        || bare.starts_with("arxiv:")
        || matches!(bare, "doi" | "pmid" | "pmcid" | "url" | "issn" | "isbn" | "link" | "リンク")
}

/// Who wrote it and when, without a sentence.
fn is_byline(plain: &str, lower: &str) -> bool {
    let lower = lower.trim_start_matches(['(', '[', '【', '■', ' ']);
    if !PAGE_PARTS.iter().any(|it| it.bylines.any_starts(lower)) {
        return false;
    }
    if is_japanese(plain) {
        let states = plain.contains('。');
        return !states && plain.chars().nth(BYLINE_CHARACTERS).is_none();
    }
    let words: Vec<&str> = latin_words(plain).collect();
    let named = words
        .get(1)
        .is_some_and(|it| it.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()));
    // "By 2030 the sea will rise": a sentence has a verb besides those of a byline.
    let others = plain.split(' ').filter(|word| {
        let lower = word.to_lowercase();
        !BYLINE_VERBS.split('|').any(|verb| lower.trim_end_matches([':', ',']) == verb)
    });
    let others = others.collect::<Vec<_>>().join(" ");
    (named || !lower.starts_with("by "))
        && words.len() <= BYLINE_WORDS
        && !english::has_verb(&others)
}

/// A list of names: authors with their marks, the institutes they work at.
fn is_names(plain: &str) -> bool {
    if is_japanese(plain) || plain.matches(',').count() < 2 {
        return false;
    }
    let small = [
        "and", "of", "the", "for", "de", "van", "von", "der", "la", "in", "at", "al", "et", "del",
        "di",
    ];
    let words: Vec<&str> = latin_words(plain).filter(|it| !small.contains(it)).collect();
    let is_name = |it: &&&str| it.starts_with(char::is_uppercase);
    let names = words.iter().filter(is_name).count();
    10 * names >= 9 * words.len() && words.len() >= 4 && !english::has_verb(plain)
}

/// Whether every line is an entry of a list of references.
fn is_references(text: &str) -> bool {
    let mut any = false;
    for line in text.lines().map(str::trim).filter(|it| !it.is_empty()) {
        any = true;
        if line.len() > ENTRY || !noise::is_reference(&folded(noise::without_marker(line))) {
            return false;
        }
    }
    any
}
