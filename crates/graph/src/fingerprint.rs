//! A task's graph as one number: the same findings give the same number, whenever and under whichever ids they were
//! recorded. Two people who ask the same question of the same sources can compare it.

use evidence::TaskId;
use rusqlite::params;

use crate::{Reader, Result};

/// Every kind of row in terms of its content; ids, times and causes are left out.
const LINES: &[&str] = &[
    "SELECT json_array('search', query_text, options, status, pages_fetched, useful_fragments,
              round(satisfaction_score, 6), round(novelty_score, 6), stop_reason) FROM queries WHERE task_id = ?1",
    "SELECT json_array('result', q.query_text, q.options, s.engine, s.rank, s.url, p.url)
     FROM serp_items s JOIN queries q ON q.id = s.query_id LEFT JOIN pages p ON p.id = s.page_id WHERE q.task_id = ?1",
    "SELECT json_array('page', p.url, p.final_url, p.title, p.domain_category, p.content_hash, p.language,
              p.published_at, round(p.quality_score, 6), p.flags, c.url)
     FROM pages p LEFT JOIN pages c ON c.id = p.narrative_cluster WHERE p.id IN (
       SELECT s.page_id FROM serp_items s JOIN queries q ON q.id = s.query_id WHERE q.task_id = ?1)",
    "SELECT json_array('passage', p.url, f.text_hash, f.char_start, f.heading_hierarchy)
     FROM fragments f JOIN pages p ON p.id = f.page_id WHERE p.id IN (
       SELECT s.page_id FROM serp_items s JOIN queries q ON q.id = s.query_id WHERE q.task_id = ?1)",
    "SELECT json_array('kept', q.query_text, q.options, p.url, f.text_hash, round(k.score, 6))
     FROM selected_fragments k JOIN queries q ON q.id = k.query_id JOIN fragments f ON f.id = k.fragment_id
     JOIN pages p ON p.id = f.page_id WHERE q.task_id = ?1",
    "SELECT json_array('claim', c.claim_text, c.claim_adoption_status, c.source_verification_status,
              c.source_verification_reason, c.claim_extraction_method, p.url, f.text_hash)
     FROM claims c LEFT JOIN fragments f ON f.id = c.origin_fragment_id LEFT JOIN pages p ON p.id = f.page_id
     WHERE c.task_id = ?1",
    "SELECT json_array('stance', c.claim_text, e.relation, round(e.nli_confidence, 6), e.nli_model, e.statement_kind,
              e.uncounted, p.url, f.text_hash)
     FROM claims c JOIN edges e ON e.target_id = c.id LEFT JOIN fragments f ON f.id = e.source_id
     LEFT JOIN pages p ON p.id = f.page_id WHERE c.task_id = ?1",
    "SELECT json_array('cites', a.url, b.url, e.citation_source)
     FROM edges e JOIN pages a ON a.id = e.source_id JOIN pages b ON b.id = e.target_id
     WHERE e.relation = 'cites' AND a.id IN (
       SELECT s.page_id FROM serp_items s JOIN queries q ON q.id = s.query_id WHERE q.task_id = ?1)",
    "SELECT json_array('life', c.claim_text, v.kind, v.reason, p.url)
     FROM claim_events v JOIN claims c ON c.id = v.claim_id LEFT JOIN pages p ON p.id = v.page_id WHERE c.task_id = ?1",
    "SELECT json_array('mention', c.claim_text, n.kind, n.normalized_name)
     FROM entity_links l JOIN claims c ON c.id = l.target_id JOIN entities n ON n.id = l.entity_id WHERE c.task_id = ?1",
];

impl Reader<'_> {
    /// The content of a task's graph, one line for each row, sorted.
    pub fn content_lines(&self, task: TaskId) -> Result<Vec<String>> {
        self.task(task)?;
        let mut lines: Vec<String> = Vec::new();
        for sql in LINES {
            let mut statement = self.counted()?.prepare_cached(sql)?;
            let found = statement.query_map(params![task.to_string()], |row| row.get(0))?;
            for line in found {
                lines.push(line?);
            }
        }
        lines.sort_unstable();
        Ok(lines)
    }

    /// A short name for the content of a task's graph: 32 hexadecimal digits.
    pub fn fingerprint(&self, task: TaskId) -> Result<String> {
        let lines = self.content_lines(task)?;
        Ok(evidence::text_hash(&lines.join("\n")).chars().take(32).collect())
    }
}
