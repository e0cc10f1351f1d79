//! What a test may not do, as far as its text shows it: assert one thing or another, assert only sometimes, or be
//! ignored without a reason. The other rules for tests are in CONTRIBUTING.md.

use std::path::Path;

/// The problems of one file, each with its line.
pub(crate) fn problems(path: &Path, text: &str) -> Vec<String> {
    let tests = match is_test_file(path) {
        true => 0,
        false => match text.find("#[cfg(test)]\nmod tests {") {
            Some(start) => start,
            None => return Vec::new(),
        },
    };
    let mut found = Vec::new();
    for (at, problem) in [
        starts(text, tests, "assert!(")
            .filter(|at| has_either_or(&text[at + "assert!(".len()..]))
            .map(|at| (at, "asserts one thing or another: say which"))
            .collect::<Vec<_>>(),
        starts(text, tests, "if ")
            .filter(|at| only_asserts(&text[*at..]))
            .map(|at| (at, "asserts only sometimes: assert the case, or its absence"))
            .collect(),
        starts(text, tests, "#[ignore]")
            .map(|at| (at, "ignores a test without a reason"))
            .collect(),
    ]
    .concat()
    {
        let line = text[..at].lines().count().max(1) + usize::from(text[..at].ends_with('\n'));
        found.push((line, format!("{}:{line}: {problem}", path.display())));
    }
    found.sort();
    found.into_iter().map(|it| it.1).collect()
}

fn is_test_file(path: &Path) -> bool {
    let in_tests = path.components().any(|it| it.as_os_str() == "tests");
    in_tests || path.file_name().is_some_and(|it| it == "tests.rs")
}

/// Where a word begins a line or an expression, from `from` on.
fn starts<'a>(text: &'a str, from: usize, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text[from..].match_indices(word).map(move |it| from + it.0).filter(|at| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default();
        !line.contains("//") && line.trim().is_empty()
    })
}

/// Whether the first argument of an assertion is joined by `||` outside of any bracket.
fn has_either_or(arguments: &str) -> bool {
    let mut depth = 0_usize;
    let mut in_text = false;
    let mut characters = arguments.chars().peekable();
    while let Some(it) = characters.next() {
        match it {
            '\\' if in_text => drop(characters.next()),
            '"' => in_text = !in_text,
            _ if in_text => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return false,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return false,
            '|' if depth == 0 && characters.peek() == Some(&'|') => return true,
            _ => {}
        }
    }
    false
}

/// Whether an `if` without `else` begins with an assertion and then goes on with the test. One that ends it, as a loop
/// that waits does, is none.
fn only_asserts(text: &str) -> bool {
    let Some((condition, rest)) = text.split_once('{') else { return false };
    let Some(end) = block_end(rest) else { return false };
    let (block, after) = (rest[..end].trim_start(), rest[end + 1..].trim_start());
    let ends = ["break", "return", "continue"].iter().any(|it| block.contains(it));
    !condition.contains(';') && block.starts_with("assert") && !ends && !after.starts_with("else")
}

/// The place of the brace that closes a block.
fn block_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, it) in text.char_indices() {
        match it {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: &str) -> Vec<String> {
        problems(Path::new(name), text)
    }

    #[test]
    fn an_assertion_of_one_thing_or_another_is_found() {
        let text = "fn a() {\n    assert!(a == 1 || b == 2, \"{a}\");\n}\n";
        assert_eq!(
            found("crates/a/tests/it/b.rs", text),
            ["crates/a/tests/it/b.rs:2: asserts one thing or another: say which"]
        );
        let text = "fn a() {\n    assert!(list.iter().all(|it| it.a || it.b), \"a || b\");\n}\n";
        assert_eq!(found("crates/a/tests/it/b.rs", text), [""; 0]);
    }

    #[test]
    fn an_assertion_that_is_made_only_sometimes_is_found() {
        let text =
            "fn a() {\n    if let Some(it) = found {\n        assert_eq!(it, 1);\n    }\n}\n";
        assert_eq!(
            found("crates/a/tests/it/b.rs", text),
            ["crates/a/tests/it/b.rs:2: asserts only sometimes: assert the case, or its absence"]
        );
        let waits = "loop {\n    if done {\n        assert_eq!(a, 1);\n        break;\n    }\n}\n";
        assert_eq!(found("crates/a/tests/it/b.rs", waits), [""; 0]);
    }

    #[test]
    fn a_test_that_is_ignored_says_why() {
        assert_eq!(
            found("crates/a/src/tests.rs", "#[test]\n#[ignore]\nfn a() {}\n"),
            ["crates/a/src/tests.rs:2: ignores a test without a reason"]
        );
        let reason = "#[test]\n#[ignore = \"run by another\"]\nfn a() {}\n";
        assert_eq!(found("crates/a/src/tests.rs", reason), [""; 0]);
    }

    #[test]
    fn what_is_no_test_may_do_as_it_likes() {
        let text = "fn a() {\n    assert!(a || b);\n}\n\n#[cfg(test)]\nmod tests {\n    assert!(c || d);\n}\n";
        assert_eq!(
            found("crates/a/src/b.rs", text),
            ["crates/a/src/b.rs:7: asserts one thing or another: say which"]
        );
    }
}
