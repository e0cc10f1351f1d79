//! House rules that neither the compiler nor cargo-deny can see.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Outcome, paid_services, test_rules, tools};

pub(crate) fn run() -> Outcome {
    tools::say("$ house rules");
    let root = tools::root();
    let mut problems = Vec::new();
    migrations_are_numbered(&root, &mut problems)?;
    views_say_what_they_answer(&root, &mut problems)?;
    sources_keep_their_place(&root, &mut problems)?;
    tests_say_what_they_expect(&root, &mut problems)?;
    paid_services::check(&root, &mut problems)?;
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Migrations are `0001_name.sql`, without gaps, and begin with the reason they exist.
fn migrations_are_numbered(root: &Path, problems: &mut Vec<String>) -> Outcome {
    for (index, path) in files(&root.join("crates/graph/migrations"), "sql")?.iter().enumerate() {
        let name = name_of(path);
        if !name.starts_with(&format!("{:04}_", index + 1)) {
            problems.push(format!("migration {name}: expected number {:04}", index + 1));
        }
        if !read(path)?.starts_with("-- ") {
            problems.push(format!("migration {name}: begins without a reason"));
        }
    }
    Ok(())
}

/// A view begins with a comment: what it answers, then its columns.
fn views_say_what_they_answer(root: &Path, problems: &mut Vec<String>) -> Outcome {
    for path in files(&root.join("crates/graph/views"), "j2")? {
        let text = read(&path)?;
        // Templates may first import the parts they share.
        let first = text.lines().find(|line| !line.starts_with("{%"));
        if !first.is_some_and(|line| line.starts_with("-- ") || line.starts_with("{#")) {
            problems
                .push(format!("view {}: begins without saying what it answers", name_of(&path)));
        }
    }
    Ok(())
}

/// Words that name no thing make a drawer, and drawers fill up.
fn sources_keep_their_place(root: &Path, problems: &mut Vec<String>) -> Outcome {
    for path in files(&root.join("crates"), "rs")? {
        let name = name_of(&path);
        if ["utils.rs", "util.rs", "common.rs", "helpers.rs", "types.rs", "misc.rs", "rest.rs"]
            .contains(&name.as_str())
        {
            problems.push(format!("{}: name the thing it holds", path.display()));
        }
    }
    Ok(())
}

/// Tests keep the rules that can be read off their text.
fn tests_say_what_they_expect(root: &Path, problems: &mut Vec<String>) -> Outcome {
    for folder in ["crates", "acceptance", "eval", "fuzz", "testkit", "testweb", "xtask"] {
        for path in files(&root.join(folder), "rs")? {
            let short = path.strip_prefix(root).unwrap_or(&path);
            problems.extend(test_rules::problems(short, &read(&path)?));
        }
    }
    Ok(())
}

/// All files below `folder` that end in `extension`, in order.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tree_keeps_the_house_rules() {
        assert_eq!(super::run(), Ok(()));
    }
}
