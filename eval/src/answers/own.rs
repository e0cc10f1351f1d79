//! The sets that are part of this repository: our questions about texts that others wrote.
//!
//! `eval/data` has the questions and what reading the text says of each; the texts stay in the data folder, where a
//! document is named `FOLDER#ID`. A text that is no longer the one that was read is refused: its verdict may not hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::data::{Question, Set, Truth};
use super::documents::{self, Document};
use crate::{Failure, data};

/// Yes/no questions in Japanese.
pub(super) const JAPANESE: &str = "ja";
/// Statements that a document bears out, each with its opposite.
pub(super) const MIRROR_EN: &str = "mirror_en";
pub(super) const MIRROR_JA: &str = "mirror_ja";

const QUESTIONS_JA: &str = include_str!("../../data/answers_ja.jsonl");
const MIRROR: &str = include_str!("../../data/mirror.tsv");

#[derive(Debug, Clone, Deserialize)]
struct Row {
    id: String,
    question: String,
    statement: String,
    opposite: Option<String>,
    verdict: Truth,
    document: String,
    /// The first digits of the SHA-256 of the document's text.
    sha256: String,
}

/// The sets whose documents are in the data folder.
pub(super) fn names(data: &Path) -> Vec<String> {
    let is_there = |name: &&str| {
        let rows = rows(name).ok().flatten().unwrap_or_default();
        rows.iter().all(|row| data.join(folder_of(&row.document)).is_dir())
    };
    let sets = [JAPANESE, MIRROR_EN, MIRROR_JA].into_iter();
    sets.filter(is_there).map(str::to_owned).collect()
}

/// A set of ours; nothing where the name is not one of them.
pub(super) fn read(data: &Path, name: &str, seed: u64) -> Result<Option<Set>, Failure> {
    let Some(rows) = rows(name)? else { return Ok(None) };
    let folders: BTreeSet<&str> = rows.iter().map(|it| folder_of(&it.document)).collect();
    let mut documents = BTreeMap::new();
    for folder in folders {
        for document in read_folder(&data.join(folder))? {
            documents.insert(format!("{folder}#{}", document.id), document);
        }
    }
    let mut questions = Vec::new();
    for row in rows {
        let document = documents
            .get(&row.document)
            .ok_or_else(|| format!("{}: there is no document {}", row.id, row.document))?;
        if !sha256(&document.text).starts_with(&row.sha256) {
            return Err(
                format!("{}: {} is not the text that was read", row.id, row.document).into()
            );
        }
        questions.push(Question {
            id: row.id,
            question: row.question,
            statement: row.statement,
            opposite: row.opposite,
            truth: row.verdict,
            gold: BTreeSet::from([file_name(&row.document)]),
            group: row.document,
        });
    }
    let documents: Vec<Document> = documents
        .into_iter()
        .map(|(key, document)| Document { id: file_name(&key), ..document })
        .collect();
    let gold = questions.iter().flat_map(|it| &it.gold).map(String::as_str).collect();
    let documents_in_all = documents.len();
    let documents = documents::sampled(documents, &gold, seed);
    Ok(Some(Set {
        name: name.to_owned(),
        questions,
        documents,
        documents_in_all,
        without_statement: 0,
        trained_on: 0,
    }))
}

fn rows(name: &str) -> Result<Option<Vec<Row>>, Failure> {
    let rows = match name {
        JAPANESE => {
            QUESTIONS_JA.lines().map(serde_json::from_str).collect::<Result<Vec<Row>, _>>()?
        }
        MIRROR_EN => mirrors("en-")?,
        MIRROR_JA => mirrors("ja-")?,
        _ => return Ok(None),
    };
    Ok(Some(rows))
}

/// The pairs whose id begins so.
fn mirrors(language: &str) -> Result<Vec<Row>, Failure> {
    let lines = MIRROR.lines().filter(|it| it.starts_with(language));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, _kind, document, sha256, question, statement, opposite] = fields[..] else {
            return Err(format!("mirror.tsv: `{line}` has not seven fields"));
        };
        Ok(Row {
            id: id.to_owned(),
            question: question.to_owned(),
            statement: statement.to_owned(),
            opposite: Some(opposite.to_owned()),
            verdict: Truth::Yes,
            document: document.to_owned(),
            sha256: sha256.to_owned(),
        })
    };
    Ok(lines.map(row).collect::<Result<_, _>>()?)
}

/// The documents of a set of questions, or the corpus of a retrieval set.
fn read_folder(folder: &Path) -> Result<Vec<Document>, Failure> {
    let documents = data::packed_or_plain(folder, "documents.jsonl");
    let corpus = || data::packed_or_plain(folder, "corpus.jsonl");
    data::json_lines(&if documents.exists() { documents } else { corpus() })
}

fn folder_of(document: &str) -> &str {
    document.split('#').next().unwrap_or(document)
}

/// `retrieval/SET#ID` becomes `SET-ID`.
fn file_name(document: &str) -> String {
    document.rsplit('/').next().unwrap_or(document).replace('#', "-")
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|it| format!("{it:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_questions_are_half_yes_half_no_and_each_has_a_text_of_its_own() {
        let rows = rows(JAPANESE).unwrap().unwrap();
        let count = |truth: Truth| rows.iter().filter(|it| it.verdict == truth).count();
        assert_eq!((count(Truth::Yes), count(Truth::No)), (30, 30));
        let documents: BTreeSet<&str> = rows.iter().map(|it| it.document.as_str()).collect();
        assert_eq!(documents.len(), 60);
    }

    #[test]
    fn every_statement_of_the_mirror_set_has_an_opposite() {
        for (name, language) in [(MIRROR_EN, "en"), (MIRROR_JA, "ja")] {
            let rows = rows(name).unwrap().unwrap();
            assert_eq!(rows.len(), 32, "{name}");
            for row in rows {
                assert_ne!(row.opposite.as_ref(), Some(&row.statement), "{}", row.id);
                assert_eq!(text::language::detect(&row.question).tag(), language, "{}", row.id);
            }
        }
    }

    #[test]
    fn the_public_texts_are_those_that_were_read() {
        let Some(data) = testkit::public_data() else { return };
        for (name, questions) in [(JAPANESE, 60), (MIRROR_EN, 32), (MIRROR_JA, 32)] {
            let set = read(&data, name, 7).unwrap().unwrap();
            assert_eq!((set.questions.len(), set.documents.len()), (questions, 300), "{name}");
        }
    }

    #[test]
    fn a_text_that_changed_is_refused() {
        let data = tempfile::tempdir().unwrap();
        let mut corpora: BTreeMap<String, String> = BTreeMap::new();
        for row in rows(JAPANESE).unwrap().unwrap() {
            let (folder, id) = row.document.split_once('#').unwrap();
            let line = format!("{{\"_id\": \"{id}\", \"text\": \"別の文章\"}}\n");
            *corpora.entry(folder.to_owned()).or_default() += &line;
        }
        assert_eq!(names(data.path()), [""; 0]);
        for (folder, lines) in corpora {
            let folder = data.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("corpus.jsonl"), lines).unwrap();
        }
        assert_eq!(names(data.path()), [JAPANESE, MIRROR_JA]);
        let problem = read(data.path(), JAPANESE, 7).unwrap_err().to_string();
        assert_eq!(problem, "ja-01: retrieval/ja_jsquad_valid#d35 is not the text that was read");
    }
}
