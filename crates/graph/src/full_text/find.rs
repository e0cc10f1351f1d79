//! Full-text search over fragments and claims, best first.

use std::ops::Range;

use evidence::{Adoption, Node, PageId, TaskId};
use rusqlite::{Row, named_params};
use serde::Serialize;
use settings::settings;

use super::marks::{find_marks, snippet};
use super::query::{Phrase, Wanted};
use crate::row::RowExt;
use crate::{Error, Reader, Result};

/// BM25 weights: a heading covers many passages, so a word in it says less about each.
const TEXT_WEIGHT: f64 = 1.0;
const HEADING_WEIGHT: f64 = 0.5;

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindTarget {
    Fragments,
    Claims,
    Both,
}

/// How many of the words must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    All,
    Any,
    /// All of them; if nothing has all, whatever has some.
    AllElseAny,
}

settings! {
    /// Finding passages and claims by their words.
    #[derive(Eq)]
    pub struct FindSettings {
        /// Hits that `lyra find` shows unless --limit says otherwise.
        limit as "hits": usize = 20, in 1..=1_000_000;
    }
    expert {
        /// Characters shown of each text that was found.
        snippet_chars: usize = 160, in 20..=100_000;
        /// Characters of the text to find.
        text_chars: usize = 2_000, in 1..=100_000;
    }
    internal {
        target: FindTarget = FindTarget::Both;
        /// Only what belongs to this task.
        task: Option<TaskId> = None;
        words: Words = Words::AllElseAny;
    }
}

/// What was found, and whether it has all the words or only some.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindAnswer {
    pub found: Vec<FullTextHit>,
    pub matched: Matched,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Matched {
    AllWords,
    SomeWords,
}

/// One passage or claim that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FullTextHit {
    #[serde(flatten)]
    pub node: Node,
    /// The part of its text that shows best why it was found.
    pub snippet: String,
    /// The words that were found, as ranges of characters of `snippet`.
    pub marks: Vec<Range<usize>>,
    /// The heading above the passage.
    pub heading: Option<String>,
    /// The page of the passage, or of the passage a claim was taken from.
    pub page_id: Option<PageId>,
    pub url: Option<String>,
    pub title: Option<String>,
    /// For claims: those that are not adopted are found too, and marked.
    pub adoption: Option<Adoption>,
    /// BM25, larger is better. Comparable within one answer only.
    pub score: f64,
}

/// Fragments that evidence of the task rests on, and those of pages its searches brought up.
const TASK_FRAGMENTS: &str = "
    SELECT f.seq FROM claims c JOIN edges e ON e.target_id = c.id JOIN fragments f ON f.id = e.source_id
    WHERE c.task_id = :task AND e.source_type = 'fragment'
    UNION
    SELECT f.seq FROM claims c JOIN fragments f ON f.id = c.origin_fragment_id WHERE c.task_id = :task
    UNION
    SELECT f.seq FROM queries q JOIN serp_items s ON s.query_id = q.id
    JOIN fragments f ON f.page_id = s.page_id WHERE q.task_id = :task";

const TASK_CLAIMS: &str = "SELECT seq FROM claims WHERE task_id = :task";

impl Reader<'_> {
    /// Finds passages and claims by their words; see [`FindSettings`].
    ///
    /// Words are separated by spaces and all wanted; `"a phrase"`, `begin*` and `-without` work as in
    /// search engines, and nothing else is special.
    pub fn find(&self, text: &str, options: &FindSettings) -> Result<FindAnswer> {
        if text.chars().nth(options.text_chars).is_some() {
            let problem = format!("has more than {} characters", options.text_chars);
            return Err(Error::invalid("the text to find", problem));
        }
        let wanted = Wanted::parse(text)?;
        if let Some(task) = options.task {
            self.task(task)?;
        }
        let (all, any) = (wanted.all(), wanted.any());
        if options.words != Words::Any {
            let found = self.find_form(&all, options)?;
            // With a single term the two forms are one.
            if !found.is_empty() || options.words == Words::All || all.0 == any.0 {
                return Ok(FindAnswer { found, matched: Matched::AllWords });
            }
        }
        Ok(FindAnswer { found: self.find_form(&any, options)?, matched: Matched::SomeWords })
    }

    fn find_form(
        &self,
        (expression, phrases): &(String, Vec<Phrase>),
        options: &FindSettings,
    ) -> Result<Vec<FullTextHit>> {
        let mut found = Vec::new();
        if options.target != FindTarget::Claims {
            found.extend(self.find_fragments(expression, phrases, options)?);
        }
        if options.target != FindTarget::Fragments {
            found.extend(self.find_claims(expression, phrases, options)?);
        }
        // Stable: equal scores keep the order in which they were recorded.
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found.truncate(options.limit);
        Ok(found)
    }

    fn find_fragments(
        &self,
        expression: &str,
        phrases: &[Phrase],
        options: &FindSettings,
    ) -> Result<Vec<FullTextHit>> {
        let best =
            best("fragments_fts", &format!("{TEXT_WEIGHT}, {HEADING_WEIGHT}"), TASK_FRAGMENTS);
        let sql = format!(
            "{best} SELECT f.id, f.text_content AS text, f.heading_context AS heading, p.id AS page_id,
                    p.url, coalesce(w.title, p.title) AS title, -best.rank AS score
             FROM best JOIN fragments f ON f.seq = best.seq JOIN pages p ON p.id = f.page_id
             LEFT JOIN works w ON w.id = p.work_id
             ORDER BY best.rank, best.seq"
        );
        self.collect(&sql, expression, options, |row| {
            let heading = row.get("heading")?;
            let node = Node::Fragment(row.parse("id")?);
            Ok(FullTextHit { heading, ..from_row(row, node, phrases, options)? })
        })
    }

    fn find_claims(
        &self,
        expression: &str,
        phrases: &[Phrase],
        options: &FindSettings,
    ) -> Result<Vec<FullTextHit>> {
        let best = best("claims_fts", &TEXT_WEIGHT.to_string(), TASK_CLAIMS);
        let sql = format!(
            "{best} SELECT c.id, c.claim_text AS text, c.claim_adoption_status AS adoption, p.id AS page_id,
                    p.url, coalesce(w.title, p.title) AS title, -best.rank AS score
             FROM best JOIN claims c ON c.seq = best.seq
             LEFT JOIN fragments f ON f.id = c.origin_fragment_id LEFT JOIN pages p ON p.id = f.page_id
             LEFT JOIN works w ON w.id = p.work_id
             ORDER BY best.rank, best.seq"
        );
        self.collect(&sql, expression, options, |row| {
            let adoption = Some(row.parse("adoption")?);
            let node = Node::Claim(row.parse("id")?);
            Ok(FullTextHit { adoption, ..from_row(row, node, phrases, options)? })
        })
    }

    fn collect(
        &self,
        sql: &str,
        expression: &str,
        options: &FindSettings,
        from_row: impl FnMut(&Row<'_>) -> rusqlite::Result<FullTextHit>,
    ) -> Result<Vec<FullTextHit>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let limit = i64::try_from(options.limit).unwrap_or(i64::MAX);
        let task = options.task.map(|it| it.to_string());
        let rows = statement.query_map(
            named_params! { ":expression": expression, ":task": task, ":limit": limit },
            from_row,
        )?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// The best rows of an index, before anything else is read about them.
///
/// The `+` keeps SQLite from asking the index once per row of the task.
fn best(index: &str, weights: &str, of_task: &str) -> String {
    format!(
        "WITH best(seq, rank) AS MATERIALIZED (
           SELECT rowid, bm25({index}, {weights}) AS rank FROM {index}
           WHERE {index} MATCH :expression AND (:task IS NULL OR +rowid IN ({of_task}))
           ORDER BY rank, rowid LIMIT :limit)"
    )
}

fn from_row(
    row: &Row<'_>,
    node: Node,
    phrases: &[Phrase],
    options: &FindSettings,
) -> rusqlite::Result<FullTextHit> {
    let text: String = row.get("text")?;
    let (snippet, marks) = snippet(&text, &find_marks(&text, phrases), options.snippet_chars);
    Ok(FullTextHit {
        node,
        snippet,
        marks,
        heading: None,
        page_id: row.parse_opt("page_id")?,
        url: row.get("url")?,
        title: row.get("title")?,
        adoption: None,
        score: row.get("score")?,
    })
}
