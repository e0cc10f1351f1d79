//! The documents that questions are asked of, as files in a folder.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::sample::hash;
use crate::Failure;

/// How many documents a library has that cannot take all there are.
const SAMPLED: usize = 300;
/// A set with more characters than this consists of whole articles, and its library is a sample of them: read and
/// judged whole, hundreds of articles more would change what a question costs and hardly what is found.
const MOST_CHARACTERS: usize = 8_000_000;

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Document {
    #[serde(alias = "_id")]
    pub(super) id: String,
    #[serde(default)]
    pub(super) title: String,
    pub(super) text: String,
    pub(super) year: Option<i32>,
}

/// All documents where they are short; else as many as a library takes.
pub(super) fn fitting(documents: Vec<Document>, gold: &BTreeSet<&str>, seed: u64) -> Vec<Document> {
    match documents.iter().map(|it| it.text.len()).sum::<usize>() {
        ..=MOST_CHARACTERS => documents,
        _ => sampled(documents, gold, seed),
    }
}

/// As many documents as a library takes: those that answer a question, and others that a seed decides.
pub(super) fn sampled(
    mut documents: Vec<Document>,
    gold: &BTreeSet<&str>,
    seed: u64,
) -> Vec<Document> {
    documents.sort_by_cached_key(|it| {
        (!gold.contains(it.id.as_str()), hash("library", &it.id, seed), it.id.clone())
    });
    documents.truncate(SAMPLED.max(gold.len()));
    documents
}

/// Writes every document as a Markdown file that is named after its id.
pub(super) fn write(documents: &[Document], folder: &Path) -> Result<(), Failure> {
    for document in documents {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if document.id.is_empty() || !document.id.chars().all(fits) {
            return Err(format!("the document id `{}` cannot be a file name", document.id).into());
        }
        let path = folder.join(format!("{}.md", document.id));
        fs::write(&path, document.markdown())
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

impl Document {
    fn markdown(&self) -> String {
        let mut markdown = String::new();
        if let Some(year) = self.year {
            write!(markdown, "---\ndate: {year}\n---\n\n").expect("a string takes every line");
        }
        let title = self.title.split_whitespace().collect::<Vec<_>>().join(" ");
        if !title.is_empty() {
            markdown += &format!("# {}\n\n", plain(&title));
        }
        let paragraphs = self.text.split("\n\n").map(str::trim);
        for paragraph in paragraphs.filter(|it| !it.is_empty() && *it != title) {
            if is_section_name(paragraph) {
                markdown += &format!("## {}\n\n", plain(paragraph));
                continue;
            }
            for line in paragraph.lines() {
                markdown += &plain(line.trim());
                markdown.push('\n');
            }
            markdown.push('\n');
        }
        markdown
    }
}

/// Text that Markdown reads as the characters it has.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut is_start = true;
    for (at, c) in line.char_indices() {
        let digits = line[..at].chars().all(|it| it.is_ascii_digit());
        let begins_block = match c {
            '#' | '>' | '-' | '+' | '=' | '|' => is_start,
            '.' | ')' => at > 0 && digits,
            _ => false,
        };
        if begins_block || matches!(c, '\\' | '<' | '*' | '_' | '`' | '[' | ']' | '~' | '&') {
            plain.push('\\');
        }
        plain.push(c);
        is_start = false;
    }
    plain
}

/// Whether a paragraph is the heading of a part of a paper, as whole articles have them.
fn is_section_name(paragraph: &str) -> bool {
    const NAMES: [&str; 10] = [
        "introduction",
        "background",
        "methods",
        "materials and methods",
        "patients and methods",
        "results",
        "discussion",
        "conclusion",
        "conclusions",
        "competing interests",
    ];
    let is_short = paragraph.len() <= 60 && !paragraph.contains('\n');
    is_short
        && (paragraph.starts_with("Abstract - ")
            || NAMES.iter().any(|it| paragraph.eq_ignore_ascii_case(it)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_the_documents_that_answer_and_does_not_change() {
        let documents: Vec<Document> = (0..1_000)
            .map(|nth| Document {
                id: format!("d{nth}"),
                title: String::new(),
                text: "Tea helps.".to_owned(),
                year: None,
            })
            .collect();
        let gold = BTreeSet::from(["d7", "d500"]);
        let ids = |seed: u64| -> BTreeSet<String> {
            sampled(documents.clone(), &gold, seed).into_iter().map(|it| it.id).collect()
        };
        assert_eq!(ids(7).len(), 300);
        assert_eq!(ids(7), ids(7));
        assert_ne!(ids(7), ids(8));
        assert!(ids(7).contains("d7") && ids(8).contains("d500"));
        assert_eq!(fitting(documents.clone(), &gold, 7).len(), 1_000);
    }

    #[test]
    fn a_document_reads_back_as_the_text_it_has() {
        let document = Document {
            id: "d1".to_owned(),
            title: "Tea & sleep".to_owned(),
            text: "Tea & sleep\n\nAbstract - Results\n\nSleep was *shorter* (p <a 0.05).\n\n# not a heading\n1. not a list"
                .to_owned(),
            year: Some(2019),
        };
        let markdown = document.markdown();
        let read = extract::read(
            extract::Input {
                bytes: markdown.as_bytes(),
                url: Some(&"file:///d1.md".parse().unwrap()),
                ..extract::Input::default()
            },
            &extract::ReadSettings::default(),
        );
        assert_eq!(read.metadata.title.as_deref(), Some("Tea & sleep"));
        assert_eq!(read.metadata.published_at.as_deref(), Some("2019"));
        assert_eq!(
            read.text,
            "Tea & sleep\n\nAbstract - Results\n\nSleep was *shorter* (p <a 0.05).\n\n# not a heading 1. not a list"
        );
    }
}
