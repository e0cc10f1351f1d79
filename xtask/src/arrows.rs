//! Which crate may use which: the table in ARCHITECTURE.md, held against what Cargo says.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use crate::{Outcome, tools};

/// The uses of each crate among the crates of this repository.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The line of ARCHITECTURE.md that begins the table.
const HEADER: &str = "| Crate | Uses |";

/// Fails where the table and the manifests differ, in either direction.
pub(crate) fn check() -> Outcome {
    let architecture = fs::read_to_string(tools::root().join("ARCHITECTURE.md"))
        .map_err(|error| format!("ARCHITECTURE.md: {error}"))?;
    let problems = differences(&written(&architecture)?, &built()?);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The table: one row for each crate, its uses separated by spaces, `-` for none.
fn written(architecture: &str) -> Result<Arrows, String> {
    let rows = architecture
        .lines()
        .skip_while(|line| line.trim() != HEADER)
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let mut arrows = Arrows::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, uses] = cells[..] else {
            return Err(format!("ARCHITECTURE.md: not a row of two cells: {row}"));
        };
        let uses = uses.split_whitespace().filter(|used| *used != "-");
        let name = name.trim_matches('`').to_owned();
        arrows.insert(name, uses.map(|used| used.trim_matches('`').to_owned()).collect());
    }
    match arrows.is_empty() {
        true => Err(format!("ARCHITECTURE.md: no table that begins with `{HEADER}`")),
        false => Ok(arrows),
    }
}

/// What the manifests say, without dependencies of tests.
fn built() -> Result<Arrows, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = [
        "tree",
        "--workspace",
        "--depth",
        "1",
        "--edges",
        "normal",
        "--prefix",
        "depth",
        "--no-dedupe",
    ];
    let output = Command::new(cargo)
        .args(tree)
        .current_dir(tools::root())
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(arrows_of(&String::from_utf8_lossy(&output.stdout)))
}

/// Reads `cargo tree`: `0name v0.1.0 (path)` is a crate, `1name v0.1.0 (path)` one it uses. Only crates
/// of this repository have a path.
fn arrows_of(tree: &str) -> Arrows {
    let mut arrows = Arrows::new();
    let mut current = String::new();
    for line in tree.lines().filter(|line| line.contains(" (/") || line.contains(":\\")) {
        let (depth, rest) = line.split_at(1);
        let name = rest.split(' ').next().unwrap_or_default().to_owned();
        if depth == "0" {
            arrows.entry(name.clone()).or_default();
            current = name;
        } else {
            arrows.entry(current.clone()).or_default().insert(name);
        }
    }
    arrows
}

fn differences(written: &Arrows, built: &Arrows) -> Vec<String> {
    let none = BTreeSet::new();
    let names: BTreeSet<&String> = written.keys().chain(built.keys()).collect();
    let mut problems = Vec::new();
    for name in names {
        if !written.contains_key(name) {
            problems.push(format!("ARCHITECTURE.md: the table has no row for `{name}`"));
        } else if !built.contains_key(name) {
            problems.push(format!("ARCHITECTURE.md: there is no crate `{name}`"));
        }
        let may = written.get(name).unwrap_or(&none);
        let does = built.get(name).unwrap_or(&none);
        for used in does.difference(may) {
            problems.push(format!("`{name}` uses `{used}`, which ARCHITECTURE.md does not allow"));
        }
        for used in may.difference(does) {
            problems.push(format!("ARCHITECTURE.md: `{name}` does not use `{used}`"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "\
0graph v0.1.0 (/lyra/crates/graph)
1evidence v0.1.0 (/lyra/crates/evidence)
1rusqlite v0.41.0

0evidence v0.1.0 (/lyra/crates/evidence)
1serde v1.0.229
";

    #[test]
    fn a_table_that_says_what_is_built_has_no_differences() {
        let table = "| Crate | Uses |\n| --- | --- |\n| `graph` | evidence |\n| `evidence` | - |\n";
        assert_eq!(differences(&written(table).unwrap(), &arrows_of(TREE)), Vec::<String>::new());
    }

    #[test]
    fn every_difference_is_named() {
        let table = "| Crate | Uses |\n| --- | --- |\n| `graph` | fetch |\n| `hub` | - |\n";
        assert_eq!(
            differences(&written(table).unwrap(), &arrows_of(TREE)),
            [
                "ARCHITECTURE.md: the table has no row for `evidence`",
                "`graph` uses `evidence`, which ARCHITECTURE.md does not allow",
                "ARCHITECTURE.md: `graph` does not use `fetch`",
                "ARCHITECTURE.md: there is no crate `hub`",
            ]
        );
    }

    #[test]
    fn a_page_without_the_table_is_refused() {
        assert_eq!(
            written("# Architecture\n"),
            Err("ARCHITECTURE.md: no table that begins with `| Crate | Uses |`".to_owned())
        );
    }

    #[test]
    fn the_architecture_page_is_true() {
        assert_eq!(check(), Ok(()));
    }
}
