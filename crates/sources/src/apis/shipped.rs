//! The declarations in the binary, and those of the user's folder in their place or beside them.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::declaration::{Api, ApiDeclarationError};

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        /// The shipped files: name and text.
        pub const SHIPPED_APIS: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../sources/", $name, ".toml")))),+
        ];
    };
}

shipped![
    "arxiv",
    "cinii",
    "crossref",
    "dbpedia",
    "diet_minutes",
    "doi",
    "edinet",
    "egov_law",
    "estat",
    "europe_pmc",
    "gbizinfo",
    "jstage",
    "ndl_search",
    "unpaywall",
    "wikidata"
];

/// A file that declares no API; the others are used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", file.display())]
pub struct ApiProblem {
    pub file: PathBuf,
    pub problem: String,
}

/// Files larger than this are no declarations.
const MAX_BYTES: u64 = 256 * 1024;

pub(super) fn load(folder: Option<&Path>) -> (Vec<Api>, Vec<ApiProblem>) {
    let shipped = SHIPPED_APIS
        .iter()
        .map(|(_, text)| Api::parse(text).expect("a test reads all shipped files"));
    let mut apis: Vec<Api> = shipped.collect();
    let mut problems = Vec::new();
    for file in folder.map(|it| files(it, &mut problems)).unwrap_or_default() {
        match own(&file) {
            Ok(api) => match apis.iter_mut().find(|it| it.name == api.name) {
                Some(shipped) => *shipped = api,
                None => apis.push(api),
            },
            Err(problem) => problems.push(ApiProblem { file, problem }),
        }
    }
    apis.sort_by(|one, other| one.name.cmp(&other.name));
    (apis, problems)
}

fn files(folder: &Path, problems: &mut Vec<ApiProblem>) -> Vec<PathBuf> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            problems.push(ApiProblem { file: folder.to_owned(), problem: error.to_string() });
            return Vec::new();
        }
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "toml"));
    files.sort();
    files
}

fn own(file: &Path) -> Result<Api, String> {
    let text = files::read_text(file, MAX_BYTES).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => format!("a declaration has at most {MAX_BYTES} bytes: {error}"),
        _ => error.to_string(),
    })?;
    Api::parse(&text).map_err(|error: ApiDeclarationError| error.to_string())
}
