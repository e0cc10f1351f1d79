//! Prints the expansions of the queries on standard input, one a line, with where each word comes from.

use std::io::{BufRead, Write};

use expand::{ExpandSettings, expand};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for query in std::io::stdin().lock().lines() {
        let query = query?;
        writeln!(out, "{query}")?;
        for it in expand(&query, &ExpandSettings::default()) {
            let changes: Vec<_> = it
                .changes
                .iter()
                .map(|it| format!("{} > {} ({})", it.from, it.to, it.relation.as_str()))
                .collect();
            writeln!(out, "  {:8} {} [{}]", it.kind.as_str(), it.text, changes.join(", "))?;
        }
    }
    Ok(())
}
