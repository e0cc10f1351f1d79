//! What a measurement leaves behind: Markdown for people, JSON for programs.

use std::fmt::Write;

use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) markdown: String,
    pub(crate) json: Value,
}

/// A Markdown table that grows by rows.
#[derive(Debug)]
pub(crate) struct Table(String);

impl Table {
    /// Columns whose name begins with `#` hold numbers and stand to the right.
    pub(crate) fn new(columns: &[&str]) -> Self {
        let names: Vec<&str> = columns.iter().map(|it| it.trim_start_matches('#')).collect();
        let sides = columns.iter().map(|it| if it.starts_with('#') { "---:" } else { "---" });
        let sides: Vec<&str> = sides.collect();
        Self(format!("| {} |\n| {} |\n", names.join(" | "), sides.join(" | ")))
    }

    pub(crate) fn row(&mut self, cells: &[String]) {
        writeln!(self.0, "| {} |", cells.join(" | ")).expect("a string takes every line");
    }

    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// A share as people read it: `0.612` is `61.2`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

#[expect(clippy::print_stdout, reason = "the table is the result")]
pub(crate) fn print(text: &str) {
    println!("{}", text.trim_end());
}

#[expect(clippy::print_stderr, reason = "a measurement takes minutes and says how far it is")]
pub(crate) fn progress(text: &str) {
    eprintln!("{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_markdown() {
        let mut table = Table::new(&["set", "#n"]);
        table.row(&["wice".to_owned(), "12".to_owned()]);
        assert_eq!(table.finish(), "| set | n |\n| --- | ---: |\n| wice | 12 |\n");
    }
}
