//! The tests that had nothing to check, counted: a skipped test must not look like a passed one.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::{Outcome, tools};

/// The file that tests write one line to when they skip themselves (see `testkit`).
pub(crate) struct Skipped(PathBuf);

impl Skipped {
    /// Forgets what an earlier run skipped.
    pub(crate) fn start() -> Result<Self, String> {
        let path = tools::root().join("target/skipped-tests.txt");
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        fs::write(&path, "").map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> String {
        self.0.display().to_string()
    }

    /// Says how many tests skipped themselves, and why.
    pub(crate) fn report(&self) -> Outcome {
        let lines = fs::read_to_string(&self.0)
            .map_err(|error| format!("{}: {error}", self.0.display()))?;
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (test, reason) in lines.lines().filter_map(|line| line.split_once(": ")) {
            let tests = reasons.entry(reason).or_default();
            // A test that asks twice is still one test.
            if !tests.contains(&test) {
                tests.push(test);
            }
        }
        let count: usize = reasons.values().map(Vec::len).sum();
        tools::say(&format!("{count} tests had nothing to check and skipped themselves"));
        for (reason, tests) in reasons {
            tools::say(&format!("  {} because {reason}: {}", tests.len(), tests.join(", ")));
        }
        Ok(())
    }
}
