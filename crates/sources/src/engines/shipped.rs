//! The engines that come with the program, and those a user adds or replaces.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{DeclarationError, Engine};

/// The declaration of an engine of ours. Its text is what a user copies to make a version of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedEngine {
    pub name: &'static str,
    pub declaration: &'static str,
}

macro_rules! declarations {
    ($($name:literal),+ $(,)?) => {
        &[$(ShippedEngine { name: $name, declaration: include_str!(concat!("../../engines/", $name, ".toml")) }),+]
    };
}

/// Qwant is not among them: what it sends without scripts is an error page, so there is nothing to read.
pub const SHIPPED_ENGINES: &[ShippedEngine] = declarations![
    "duckduckgo",
    "duckduckgo_lite",
    "mojeek",
    "marginalia",
    "wikipedia",
    "startpage",
    "ecosia",
    "bing",
    "brave",
    "google",
];

/// A user's file that declares no engine. Ours of the same name stays in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineProblem {
    pub file: PathBuf,
    pub problem: String,
}

/// The shipped engines, with the files of `folder` in place of those of the same name and after the others.
pub(super) fn load(folder: Option<&Path>) -> (Vec<Engine>, Vec<EngineProblem>) {
    let mut engines: Vec<Engine> = SHIPPED_ENGINES
        .iter()
        .map(|it| {
            Engine::parse(it.name, it.declaration).expect("a test reads every shipped engine")
        })
        .collect();
    let mut problems = Vec::new();
    for file in folder.map(files).unwrap_or_default() {
        let name = file.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        match read(name, &file) {
            Ok(engine) => match engines.iter_mut().find(|it| it.name == engine.name) {
                Some(ours) => *ours = engine,
                None => engines.push(engine),
            },
            Err(problem) => problems.push(EngineProblem { problem: problem.to_string(), file }),
        }
    }
    (engines, problems)
}

#[derive(Debug, thiserror::Error)]
enum ReadError {
    #[error("cannot be read: {0}")]
    File(#[from] io::Error),
    #[error(transparent)]
    Declaration(#[from] DeclarationError),
}

/// What a declaration may have; those that come with the program have a few kilobytes.
const MAX_BYTES: u64 = 1 << 20;

fn read(name: &str, file: &Path) -> Result<Engine, ReadError> {
    Ok(Engine::parse(name, &files::read_text(file, MAX_BYTES)?)?)
}

/// The `.toml` files of a folder in the order of their names; none where there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|it| Some(it.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|it| it == "toml"))
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_shipped_and_can_be_read() {
        let mut on_disk: Vec<String> =
            files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/engines")))
                .iter()
                .map(|it| it.file_stem().unwrap().to_str().unwrap().to_owned())
                .collect();
        let mut shipped: Vec<&str> = SHIPPED_ENGINES.iter().map(|it| it.name).collect();
        on_disk.sort();
        shipped.sort();
        assert_eq!(on_disk, shipped);
        for shipped in SHIPPED_ENGINES {
            Engine::parse(shipped.name, shipped.declaration).unwrap();
        }
    }

    #[test]
    fn the_last_mile_is_brave_and_google_with_the_smallest_daily_shares() {
        let (engines, _) = load(None);
        let shares: Vec<(&str, Option<u32>)> = engines
            .iter()
            .filter(|it| it.last_mile)
            .map(|it| (it.name.as_str(), it.limits.per_day))
            .collect();
        assert_eq!(shares, [("brave", Some(30)), ("google", Some(10))]);
        assert!(engines.iter().filter(|it| !it.last_mile).all(|it| it.limits.per_day >= Some(150)));
    }
}
