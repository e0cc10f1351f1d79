//! A file to its references. Nothing in it is trusted, and what cannot be read is named.

mod bibtex;
mod csl;
mod latex;
mod prose;
mod ris;

use sources::academic::{Scheme, WorkName};

use crate::reference::{Format, References};

/// Why a file has no references to check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReferences {
    #[error("it is no JSON: {0}")]
    NoJson(String),
    #[error("it is JSON, and no list of references in CSL-JSON")]
    NoCsl,
    #[error("no references were found in it")]
    None,
}

/// References in one file; nobody cites more.
const MOST: usize = 20_000;

/// Reads the references of a file. `name` is its name, whose ending tells the format where the text does not.
pub fn read(name: &str, text: &str) -> Result<References, NotReferences> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = match format(name, text) {
        Format::Bibtex => bibtex::read(text),
        Format::Ris => ris::read(text),
        Format::CslJson => csl::read(text)?,
        Format::Text => prose::read(text),
    };
    if found.references.is_empty() && found.problems.is_empty() && found.citations.is_empty() {
        return Err(NotReferences::None);
    }
    if found.references.len() > MOST {
        let left_out = found.references.len() - MOST;
        found.problems.push(format!("{left_out} references beyond the first {MOST} are left out"));
        found.references.truncate(MOST);
        found.citations.iter_mut().for_each(|it| it.references.retain(|place| *place < MOST));
    }
    Ok(found)
}

fn format(name: &str, text: &str) -> Format {
    let ending = name.rsplit_once('.').map(|it| it.1.to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "bib" | "bibtex" => return Format::Bibtex,
        "ris" => return Format::Ris,
        "json" => return Format::CslJson,
        "md" | "markdown" | "txt" => return Format::Text,
        _ => {}
    }
    let start = text.trim_start();
    let first_word = start.split(['{', '(']).next().unwrap_or_default().trim_end();
    if first_word.len() > 1
        && first_word.starts_with('@')
        && first_word[1..].bytes().all(|it| it.is_ascii_alphabetic())
    {
        Format::Bibtex
    } else if start.starts_with("TY  -") {
        Format::Ris
    } else if start.starts_with('[') && start[1..].trim_start().starts_with('{') {
        Format::CslJson
    } else {
        Format::Text
    }
}

/// A name a field gives, once.
fn add_name(names: &mut Vec<WorkName>, scheme: Scheme, value: &str) {
    if let Some(name) = WorkName::of(scheme, value)
        && !names.contains(&name)
    {
        names.push(name);
    }
}

/// The name that an address is, if it is one.
fn add_address(names: &mut Vec<WorkName>, value: &str) {
    let name = url::Url::parse(value.trim()).ok().and_then(|it| WorkName::of_url(&it));
    names.extend(name.filter(|it| !names.contains(it)));
}

/// The first number that is a year.
fn year(text: &str) -> Option<i32> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|it| it.len() == 4);
    digits.filter_map(|it| it.parse().ok()).find(|it| (1500..=2100).contains(it))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_text_says_its_format_where_the_name_does_not() {
        assert_eq!(format("-", "@article{a, title={B}}"), Format::Bibtex);
        assert_eq!(format("-", "TY  - JOUR\n"), Format::Ris);
        assert_eq!(format("-", " [ {\"id\":1}]"), Format::CslJson);
        assert_eq!(format("-", "[1] Smith J. A title. 2020."), Format::Text);
        assert_eq!(format("notes.md", "@article is a word here"), Format::Text);
    }

    #[test]
    fn what_has_no_references_says_so() {
        assert_eq!(read("a.md", "Nothing is cited here."), Err(NotReferences::None));
        assert_eq!(read("a.json", "{\"a\":1}"), Err(NotReferences::NoCsl));
        assert!(matches!(read("a.json", "{"), Err(NotReferences::NoJson(_))));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(
            text in r#"(@[a-z]{1,8}\{|[a-z]{1,5} = |\{|\}|"|\\["'`^~]|TY  - JOUR\n|ER  - |# References\n|\[[0-9^@a]{1,3}\]:?|10\.1000/x|[ \n,.;（）「」年著a-zA-Zé0-9]{0,12}){0,40}"#,
        ) {
            for name in ["a.bib", "a.ris", "a.json", "a.md", "-"] {
                let _ = read(name, &text).map(|it| it.references.len());
            }
        }
    }
}
