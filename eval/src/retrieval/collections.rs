//! The retrieval sets: documents, queries, and which belong together.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde::Deserialize;

use crate::{Failure, data};

/// How many other documents a limited set keeps for each of its queries.
const LIMITED_DOCUMENTS: usize = 10;

#[derive(Debug)]
pub(crate) struct Collection {
    pub(crate) name: &'static str,
    pub(crate) documents: Vec<Document>,
    /// Only those with something to find.
    pub(crate) queries: Vec<Query>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Query {
    pub(crate) text: String,
    /// Places in [`Collection::documents`].
    pub(crate) relevant: HashSet<usize>,
}

impl Document {
    /// Title and text in one; a text that begins with its title is not given it twice.
    pub(crate) fn whole(&self) -> String {
        if self.title.is_empty() || self.text.starts_with(&self.title) {
            return self.text.clone();
        }
        format!("{} {}", self.title, self.text).trim_end().to_owned()
    }
}

/// The sets that are there, and the names of those that are not.
pub(crate) fn all(
    folder: &Path,
    limit: Option<usize>,
) -> Result<(Vec<Collection>, Vec<&'static str>), Failure> {
    type Load = fn(&Path, &'static str) -> Result<Collection, Failure>;
    let sets: [(&str, Load); 4] = [
        ("scifact", scifact),
        ("cranfield", cranfield),
        ("ja_jsquad_valid", questions),
        ("ja_jaquad_dev", questions),
    ];
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (name, load) in sets {
        if folder.join("retrieval").join(name).is_dir() {
            let whole = load(folder, name)?;
            found.push(match limit {
                Some(limit) => limited(whole, limit),
                None => whole,
            });
        } else {
            missing.push(name);
        }
    }
    Ok((found, missing))
}

#[derive(Deserialize)]
struct QueryRow {
    #[serde(rename = "_id")]
    id: String,
    text: String,
}

fn scifact(folder: &Path, name: &'static str) -> Result<Collection, Failure> {
    #[derive(Deserialize)]
    struct Abstract {
        doc_id: u64,
        title: String,
        #[serde(rename = "abstract")]
        sentences: Vec<String>,
    }
    let rows: Vec<Abstract> =
        data::json_lines(&data::packed_or_plain(&folder.join("scifact"), "corpus.jsonl"))?;
    let documents = rows
        .into_iter()
        .map(|it| Document {
            id: it.doc_id.to_string(),
            title: it.title,
            text: it.sentences.join(" "),
        })
        .collect();
    judged(folder, name, documents)
}

fn questions(folder: &Path, name: &'static str) -> Result<Collection, Failure> {
    #[derive(Deserialize)]
    struct Paragraph {
        #[serde(rename = "_id")]
        id: String,
        title: String,
        text: String,
    }
    let path = data::packed_or_plain(&folder.join("retrieval").join(name), "corpus.jsonl");
    let rows: Vec<Paragraph> = data::json_lines(&path)?;
    let documents = rows
        .into_iter()
        .map(|Paragraph { id, title, text }| Document { id, title, text })
        .collect();
    judged(folder, name, documents)
}

/// Adds the queries and the table of what answers them.
fn judged(
    folder: &Path,
    name: &'static str,
    documents: Vec<Document>,
) -> Result<Collection, Failure> {
    let folder = folder.join("retrieval").join(name);
    let rows: Vec<QueryRow> = data::json_lines(&data::packed_or_plain(&folder, "queries.jsonl"))?;
    let queries = rows.into_iter().map(|it| (it.id, it.text)).collect();
    let table = data::text(&folder.join("qrels.tsv"))?;
    let relevant = table.lines().skip(1).filter_map(|line| {
        let mut cells = line.split('\t');
        let (query, document, score) = (cells.next()?, cells.next()?, cells.next()?);
        (score.trim().parse::<i32>().ok()? > 0).then(|| (query.to_owned(), document.to_owned()))
    });
    Ok(Collection::join(name, documents, queries, relevant))
}

/// Cranfield's own format: a letter on a line of its own begins each part of a record.
fn cranfield(folder: &Path, name: &'static str) -> Result<Collection, Failure> {
    let folder = folder.join("retrieval").join(name).join("cran");
    let documents = records(&data::text(&data::packed_or_plain(&folder, "cran.all.1400"))?)
        .into_iter()
        .map(|it| Document { id: it.number.clone(), title: it.part('T'), text: it.part('W') })
        .collect();
    // The judgements count the queries; the numbers written over them have gaps.
    let queries = records(&data::text(&data::packed_or_plain(&folder, "cran.qry"))?)
        .into_iter()
        .enumerate()
        .map(|(index, it)| ((index + 1).to_string(), it.part('W')))
        .collect();
    let table = data::text(&data::packed_or_plain(&folder, "cranqrel"))?;
    // The table lists relevant pairs only. Its third column says how relevant: 1 (a complete answer) to
    // 4 (of minimum interest), and -1 for one document of every query, which the codes do not define.
    let relevant = table.lines().filter_map(|line| {
        let mut cells = line.split_whitespace();
        Some((cells.next()?.to_owned(), cells.next()?.to_owned()))
    });
    Ok(Collection::join(name, documents, queries, relevant))
}

struct Record {
    number: String,
    parts: HashMap<char, String>,
}

impl Record {
    fn part(&self, letter: char) -> String {
        self.parts.get(&letter).cloned().unwrap_or_default()
    }
}

fn records(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut letter = None;
    for line in text.lines() {
        if let Some(number) = line.strip_prefix(".I ") {
            let number = number.trim().to_owned();
            records.push(Record { number, parts: HashMap::new() });
            letter = None;
        } else if let [b'.', name @ b'A'..=b'Z'] = line.trim_end().as_bytes() {
            letter = Some(char::from(*name));
        } else if let (Some(record), Some(letter)) = (records.last_mut(), letter) {
            let part = record.parts.entry(letter).or_default();
            let words = line.split_whitespace();
            for word in words {
                if !part.is_empty() {
                    part.push(' ');
                }
                part.push_str(word);
            }
        }
    }
    records
}

impl Collection {
    fn join(
        name: &'static str,
        documents: Vec<Document>,
        queries: Vec<(String, String)>,
        relevant: impl Iterator<Item = (String, String)>,
    ) -> Self {
        let places: HashMap<&str, usize> =
            documents.iter().enumerate().map(|(index, it)| (it.id.as_str(), index)).collect();
        let mut answers: HashMap<String, HashSet<usize>> = HashMap::new();
        for (query, document) in relevant {
            if let Some(place) = places.get(document.as_str()) {
                answers.entry(query).or_default().insert(*place);
            }
        }
        let queries = queries
            .into_iter()
            .filter_map(|(id, text)| Some(Query { text, relevant: answers.remove(&id)? }))
            .collect();
        Self { name, documents, queries }
    }
}

/// The first queries, what answers them, and some other documents.
fn limited(whole: Collection, limit: usize) -> Collection {
    let Collection { name, documents, mut queries } = whole;
    queries.truncate(limit);
    let wanted: HashSet<usize> = queries.iter().flat_map(|it| it.relevant.clone()).collect();
    let mut places = HashMap::new();
    let mut kept = Vec::new();
    let mut others = limit * LIMITED_DOCUMENTS;
    for (place, document) in documents.into_iter().enumerate() {
        if !wanted.contains(&place) {
            if others == 0 {
                continue;
            }
            others -= 1;
        }
        places.insert(place, kept.len());
        kept.push(document);
    }
    for query in &mut queries {
        query.relevant = query.relevant.iter().map(|it| places[it]).collect();
    }
    Collection { name, documents: kept, queries }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(id: &str, title: &str, text: &str) -> Document {
        Document { id: id.to_owned(), title: title.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn cranfield_records_are_read_part_by_part() {
        let found = records(
            ".I 1\n.T\nwing in a\nslipstream .\n.A\nb,m.\n.W\nwing  study\n.I 2\n.W\nheat\n",
        );
        let shown: Vec<_> =
            found.iter().map(|it| (it.number.as_str(), it.part('T'), it.part('W'))).collect();
        assert_eq!(
            shown,
            [
                ("1", "wing in a slipstream .".to_owned(), "wing study".to_owned()),
                ("2", String::new(), "heat".to_owned()),
            ]
        );
    }

    #[test]
    fn a_query_without_an_answer_is_left_out() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let set = Collection::join(
            "set",
            vec![document("a", "", "x"), document("b", "", "y")],
            vec![pair("1", "first"), pair("2", "second"), pair("3", "third")],
            [pair("1", "b"), pair("2", "gone"), pair("1", "a")].into_iter(),
        );
        assert_eq!(
            set.queries,
            [Query { text: "first".to_owned(), relevant: HashSet::from([0, 1]) }]
        );
    }

    #[test]
    fn a_limited_set_keeps_what_answers_its_queries() {
        let documents = (0..40).map(|it| document(&it.to_string(), "", "t")).collect();
        let query = |text: &str, place| Query { text: text.to_owned(), relevant: [place].into() };
        let whole =
            Collection { name: "set", documents, queries: vec![query("one", 39), query("two", 0)] };
        let small = limited(whole, 1);
        assert_eq!(small.queries, [query("one", 10)]);
        assert_eq!(small.documents.len(), 11);
        assert_eq!(small.documents[10].id, "39");
    }

    #[test]
    fn a_title_is_not_said_twice() {
        assert_eq!(
            document("1", "On wings", "On wings . They lift").whole(),
            "On wings . They lift"
        );
        assert_eq!(document("1", "On wings", "They lift").whole(), "On wings They lift");
        assert_eq!(document("1", "On wings", "").whole(), "On wings");
    }
}
