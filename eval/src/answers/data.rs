//! A set of questions with known verdicts, and the documents they are asked of.
//!
//! `answers/NAME` of the data folder holds `questions.jsonl` and `documents.jsonl`, packed or not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Failure, data};

/// The sets that are measured where none is named. Others in the folder can be named.
const USUAL: [&str; 5] =
    ["pubmedqa_dev", "boolq_dev", "ramdocs_dev", "evidence_inference_dev", "contentious_dev"];

/// What is true of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Truth {
    Yes,
    No,
    Mixed,
}

#[derive(Debug, Clone, Deserialize)]
struct QuestionRow {
    id: String,
    question: String,
    statement: Option<String>,
    verdict: Truth,
    gold_docs: BTreeSet<String>,
    /// Rows about the same thing.
    group: Option<String>,
    /// Questions of a `train` part may share their documents with rows the judge was trained on.
    split: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) id: String,
    pub(super) question: String,
    pub(super) statement: String,
    pub(super) truth: Truth,
    /// The documents that answer it.
    pub(super) gold: BTreeSet<String>,
    /// What questions that rest on the same documents have in common.
    pub(super) group: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(super) struct Document {
    pub(super) id: String,
    #[serde(default)]
    title: String,
    text: String,
    year: Option<i32>,
}

#[derive(Debug, Clone)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) questions: Vec<Question>,
    pub(super) documents: Vec<Document>,
    /// Questions without a statement, which cannot be put to the engine as a hypothesis.
    pub(super) without_statement: usize,
    /// Questions of a part that models are trained on.
    pub(super) trained_on: usize,
}

/// The sets that were asked for, by name or by how their name begins; without a name, the usual ones that are there.
pub(super) fn read(data: &Path, wanted: &[String]) -> Result<Vec<Set>, Failure> {
    let folder = data.join("answers");
    let there = names(&folder)?;
    let mut chosen: Vec<&String> = Vec::new();
    if wanted.is_empty() {
        chosen.extend(USUAL.iter().filter_map(|name| there.iter().find(|it| it == name)));
        if chosen.is_empty() {
            return Err(format!(
                "{}: none of the usual sets is there; name one of these with --set: {}",
                folder.display(),
                there.join(", ")
            )
            .into());
        }
    }
    for name in wanted {
        let found = there.iter().find(|it| *it == name);
        let begins = || there.iter().find(|it| it.starts_with(name.as_str()));
        chosen.push(found.or_else(begins).ok_or_else(|| {
            format!(
                "there is no set `{name}` in {}; there are {}",
                folder.display(),
                there.join(", ")
            )
        })?);
    }
    chosen.into_iter().map(|name| Set::read(&folder.join(name), name)).collect()
}

/// The names of the sets in a folder, in order.
fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let listed = fs::read_dir(folder).map_err(|error| {
        format!(
            "{}: {error}\nhint: --data names the folder that has `answers/SET/questions.jsonl` in it",
            folder.display()
        )
    })?;
    let mut names = Vec::new();
    for entry in listed {
        let entry = entry.map_err(|error| format!("{}: {error}", folder.display()))?;
        if data::packed_or_plain(&entry.path(), "questions.jsonl").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

impl Set {
    fn read(folder: &Path, name: &str) -> Result<Self, Failure> {
        let rows: Vec<QuestionRow> =
            data::json_lines(&data::packed_or_plain(folder, "questions.jsonl"))?;
        let documents: Vec<Document> =
            data::json_lines(&data::packed_or_plain(folder, "documents.jsonl"))?;
        for Document { id, .. } in &documents {
            let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if id.is_empty() || !id.chars().all(fits) {
                return Err(format!("{name}: the document id `{id}` cannot be a file name").into());
            }
        }
        // A false answer has no document of its own: those that give the right answers to its question refute it.
        let mut of_group: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in &rows {
            if let Some(group) = &row.group {
                of_group.entry(group.clone()).or_default().extend(row.gold_docs.iter().cloned());
            }
        }
        let mut set = Self {
            name: name.to_owned(),
            questions: Vec::new(),
            documents,
            without_statement: 0,
            trained_on: 0,
        };
        for row in rows {
            let Some(statement) = row.statement else {
                set.without_statement += 1;
                continue;
            };
            if row.split.as_deref() == Some("train") {
                set.trained_on += 1;
                continue;
            }
            let siblings = row.group.as_ref().and_then(|it| of_group.get(it));
            let gold = match siblings {
                Some(siblings) if row.gold_docs.is_empty() => siblings.clone(),
                _ => row.gold_docs,
            };
            let group =
                row.group.or_else(|| gold.first().cloned()).unwrap_or_else(|| row.id.clone());
            set.questions.push(Question {
                id: row.id,
                question: row.question,
                statement,
                truth: row.verdict,
                gold,
                group,
            });
        }
        Ok(set)
    }

    /// Writes every document as a Markdown file that is named after its id.
    pub(super) fn write_documents(&self, folder: &Path) -> Result<(), Failure> {
        for document in &self.documents {
            let path = folder.join(format!("{}.md", document.id));
            fs::write(&path, document.markdown())
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(())
    }
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
