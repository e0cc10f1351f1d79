//! The abstracts, the claims, and what people found in the one about the other.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use evidence::Stance;
use serde::Deserialize;

use crate::{Failure, data};

#[derive(Debug)]
pub(crate) struct SciFact {
    pub(crate) abstracts: Vec<Abstract>,
    pub(crate) claims: Vec<Claim>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Abstract {
    pub(crate) title: String,
    pub(crate) sentences: Vec<String>,
    pub(crate) text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) id: u64,
    pub(crate) text: String,
    /// The stance of each abstract that takes one, by its place in [`SciFact::abstracts`].
    pub(crate) truth: BTreeMap<usize, Stance>,
}

impl Abstract {
    fn new(title: String, sentences: Vec<String>) -> Self {
        let text = sentences.join(" ");
        Self { title, sentences, text }
    }

    pub(crate) fn whole(&self) -> String {
        format!("{} {}", self.title, self.text)
    }
}

pub(crate) fn read(folder: &Path) -> Result<SciFact, Failure> {
    #[derive(Deserialize)]
    struct AbstractRow {
        doc_id: u64,
        title: String,
        #[serde(rename = "abstract")]
        sentences: Vec<String>,
    }
    #[derive(Deserialize)]
    struct ClaimRow {
        id: u64,
        claim: String,
        evidence: BTreeMap<String, Vec<Rationale>>,
    }
    #[derive(Deserialize)]
    struct Rationale {
        label: String,
    }
    let folder = folder.join("scifact");
    let rows: Vec<AbstractRow> = data::json_lines(&data::packed_or_plain(&folder, "corpus.jsonl"))?;
    let places: HashMap<String, usize> =
        rows.iter().enumerate().map(|(place, it)| (it.doc_id.to_string(), place)).collect();
    let abstracts = rows.into_iter().map(|it| Abstract::new(it.title, it.sentences)).collect();
    let path = data::packed_or_plain(&folder, "claims_train.jsonl");
    let mut claims = Vec::new();
    for row in data::json_lines::<ClaimRow>(&path)? {
        let mut truth = BTreeMap::new();
        for (document, rationales) in &row.evidence {
            let (Some(place), Some(first)) = (places.get(document), rationales.first()) else {
                return Err(format!("claim {}: no abstract {document}", row.id).into());
            };
            let stance = match first.label.as_str() {
                "SUPPORT" => Stance::Supports,
                "CONTRADICT" => Stance::Refutes,
                other => return Err(format!("claim {}: unknown label {other}", row.id).into()),
            };
            truth.insert(*place, stance);
        }
        claims.push(Claim { id: row.id, text: row.claim, truth });
    }
    Ok(SciFact { abstracts, claims })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn abstracts_and_claims_are_joined() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("scifact");
        fs::create_dir(&place).unwrap();
        fs::write(
            place.join("corpus.jsonl"),
            r#"{"doc_id": 7, "title": "Sleep", "abstract": ["One.", "Two."], "structured": false}
{"doc_id": 3, "title": "Fever", "abstract": ["Three."], "structured": false}
"#,
        )
        .unwrap();
        let claims = place.join("claims_train.jsonl");
        fs::write(
            &claims,
            r#"{"id": 1, "claim": "A.", "evidence": {}, "cited_doc_ids": [7]}
{"id": 2, "claim": "B.", "evidence": {"3": [{"sentences": [0], "label": "CONTRADICT"}]}, "cited_doc_ids": [3]}
"#,
        )
        .unwrap();
        let SciFact { abstracts, claims: read_claims } = read(folder.path()).unwrap();
        assert_eq!(abstracts[0].whole(), "Sleep One. Two.");
        assert_eq!(read_claims[0].truth, BTreeMap::new());
        assert_eq!(read_claims[1].truth, BTreeMap::from([(1, Stance::Refutes)]));

        fs::write(claims, r#"{"id": 2, "claim": "B.", "evidence": {"9": [{"label": "SUPPORT"}]}}"#)
            .unwrap();
        assert_eq!(read(folder.path()).unwrap_err().to_string(), "claim 2: no abstract 9");
    }
}
