//! A set of questions with known verdicts, and the documents they are asked of.
//!
//! `answers/NAME` of the data folder holds `questions.jsonl` and `documents.jsonl`, packed or not. [`own`] are the sets
//! whose questions are part of this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::documents::{self, Document};
use super::own;
use crate::{Failure, data};

/// The sets that are measured where none is named. Others in the folder can be named.
const USUAL: [&str; 8] = [
    "pubmedqa_dev",
    "boolq_dev",
    "ramdocs_dev",
    "evidence_inference_dev",
    "contentious_dev",
    own::JAPANESE,
    own::MIRROR_EN,
    own::MIRROR_JA,
];

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
    /// The opposite of the statement, where somebody wrote one.
    pub(super) opposite: Option<String>,
    pub(super) truth: Truth,
    /// The documents that answer it.
    pub(super) gold: BTreeSet<String>,
    /// What questions that rest on the same documents have in common.
    pub(super) group: String,
}

#[derive(Debug, Clone)]
pub(super) struct Set {
    pub(super) name: String,
    pub(super) questions: Vec<Question>,
    /// The library: all documents there are, or a sample of them.
    pub(super) documents: Vec<Document>,
    pub(super) documents_in_all: usize,
    /// Questions without a statement, which cannot be put to the engine as a hypothesis.
    pub(super) without_statement: usize,
    /// Questions of a part that models are trained on.
    pub(super) trained_on: usize,
}

/// The sets that were asked for, by name or by how their names begin; without a name, the usual ones that are there.
pub(super) fn read(data: &Path, wanted: &[String], seed: u64) -> Result<Vec<Set>, Failure> {
    let folder = data.join("answers");
    let mut there = names(&folder)?;
    there.extend(own::names(data));
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
        let exact = there.iter().any(|it| it == name);
        let fits = |it: &&String| if exact { *it == name } else { it.starts_with(name.as_str()) };
        let fitting: Vec<&String> = there.iter().filter(fits).collect();
        if fitting.is_empty() {
            return Err(format!(
                "there is no set `{name}` in {}; there are {}",
                folder.display(),
                there.join(", ")
            )
            .into());
        }
        chosen.extend(fitting);
    }
    let read = |name: &String| match own::read(data, name, seed)? {
        Some(set) => Ok(set),
        None => Set::read(&folder.join(name), name, seed),
    };
    chosen.into_iter().map(read).collect()
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
    fn read(folder: &Path, name: &str, seed: u64) -> Result<Self, Failure> {
        let rows: Vec<QuestionRow> =
            data::json_lines(&data::packed_or_plain(folder, "questions.jsonl"))?;
        let documents: Vec<Document> =
            data::json_lines(&data::packed_or_plain(folder, "documents.jsonl"))?;
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
            documents_in_all: documents.len(),
            documents: Vec::new(),
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
                opposite: None,
                truth: row.verdict,
                gold,
                group,
            });
        }
        let gold = set.questions.iter().flat_map(|it| &it.gold).map(String::as_str).collect();
        set.documents = documents::fitting(documents, &gold, seed);
        Ok(set)
    }
}
