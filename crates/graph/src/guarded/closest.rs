//! What a mistyped name may have meant.

use super::SchemaTable;
use crate::views;

/// Reads from SQLite's message which name does not exist, and looks for those that are like it.
///
/// For a column the tables that the query names are asked; if it names none, all of them.
pub(super) fn closest(message: &str, sql: &str, tables: &[SchemaTable]) -> Vec<String> {
    if let Some(name) = missing(message, "no such table: ") {
        return views::closest(&name, tables.iter().map(|it| it.name.clone()).collect());
    }
    let Some(name) = missing(message, "no such column: ") else { return Vec::new() };
    let sql = sql.to_ascii_lowercase();
    let words: Vec<&str> = sql.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let named = tables.iter().filter(|it| words.contains(&it.name.as_str()));
    let mut asked: Vec<&SchemaTable> = named.collect();
    if asked.is_empty() {
        asked.extend(tables);
    }
    let mut columns: Vec<String> = asked.iter().flat_map(|it| it.columns.clone()).collect();
    columns.sort_unstable();
    columns.dedup();
    views::closest(&name, columns)
}

/// The name that `message` says is missing, without its table and its quotes.
fn missing(message: &str, beginning: &str) -> Option<String> {
    let rest = message.strip_prefix(beginning)?;
    let name = rest.split_whitespace().next()?.rsplit('.').next()?;
    Some(name.trim_matches(['"', '`', '[', ']']).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(message: &str, sql: &str) -> Vec<String> {
        let table = |name: &str, columns: &[&str]| SchemaTable {
            name: name.to_owned(),
            columns: columns.iter().map(|it| (*it).to_owned()).collect(),
        };
        let tables = [
            table("claims", &["id", "claim_text", "claim_text_hash"]),
            table("pages", &["id", "title", "domain"]),
            table("v_contradictions", &["task_id", "claim_id"]),
        ];
        closest(message, sql, &tables)
    }

    #[test]
    fn a_mistyped_name_is_answered_with_those_like_it() {
        assert_eq!(asked("no such table: claim", ""), ["claims"]);
        assert_eq!(asked("no such table: main.PAGE", ""), ["pages"]);
        assert_eq!(asked("no such table: contradiction", ""), ["v_contradictions"]);
        assert_eq!(
            asked("no such column: claim_txt", "SELECT claim_txt FROM claims"),
            ["claim_text"]
        );
        assert_eq!(asked("no such column: c.claim_txt", "SELECT 1 FROM Claims c"), ["claim_text"]);
    }

    #[test]
    fn only_the_tables_of_the_query_are_asked_for_a_column() {
        assert_eq!(asked("no such column: titel", "SELECT titel FROM pages"), ["title"]);
        assert_eq!(asked("no such column: titel", "SELECT titel FROM claims"), [""; 0]);
        assert_eq!(asked("no such column: titel", "SELECT titel"), ["title"]);
    }

    #[test]
    fn quoted_words_that_were_meant_as_text_are_read_as_names() {
        let message =
            "no such column: \"titel\" - should this be a string literal in single-quotes?";
        assert_eq!(asked(message, "SELECT \"titel\" FROM pages"), ["title"]);
    }

    #[test]
    fn other_messages_and_far_names_have_no_answer() {
        assert_eq!(asked("near \"FORM\": syntax error", "SELECT 1 FORM x"), [""; 0]);
        assert_eq!(asked("no such table: zzz", ""), [""; 0]);
    }
}
