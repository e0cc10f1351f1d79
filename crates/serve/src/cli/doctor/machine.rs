//! What the report says about the program and the computer it runs on.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::Report;
use crate::cli::size;
use crate::config::Places;
use crate::failure::Failure;

/// Below this much free space a search may not be able to store what it finds.
const LITTLE_SPACE: u64 = 1_000_000_000;

pub(super) fn program(report: &mut Report) {
    let (version, schema) = (env!("CARGO_PKG_VERSION"), graph::SCHEMA_VERSION);
    report.ok("lyra", format!("{version} (schema {schema})"));
    match graph::sqlite_info() {
        Ok(info) => {
            let math = if info.math_functions { ", mathematical functions" } else { "" };
            match info.full_text {
                true => report.ok("sqlite", format!("{} with full text{math}", info.version)),
                false => report.problem(
                    "sqlite",
                    format!("{} without full text (FTS5)", info.version),
                    "build Lyra with its bundled SQLite",
                ),
            }
        }
        Err(error) => report.failure("sqlite", &Failure::from(error)),
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let features = match features().join(", ") {
        none if none.is_empty() => "no vector instructions that Lyra uses".to_owned(),
        some => some,
    };
    report.ok("cpu", format!("{}, {threads} threads, {features}", std::env::consts::ARCH));
}

/// Vector instructions that Lyra or what it stands on chooses at run time.
fn features() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let known = [
        ("sse4.1", std::arch::is_x86_feature_detected!("sse4.1")),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("fma", std::arch::is_x86_feature_detected!("fma")),
        ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
    ];
    #[cfg(target_arch = "aarch64")]
    let known = [("neon", std::arch::is_aarch64_feature_detected!("neon"))];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let known: [(&str, bool); 0] = [];
    known.into_iter().filter(|(_, found)| *found).map(|(name, _)| name).collect()
}

pub(super) fn data_directory(places: &Places, report: &mut Report) {
    let dir = &places.data_dir;
    let shown = dir.display();
    match fs::metadata(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            report.note("data directory", format!("{shown} is created when it is first needed"));
        }
        Err(error) => report.problem(
            "data directory",
            format!("{shown} cannot be looked at: {error}"),
            "check who owns the folder, or choose another with --data-dir",
        ),
        Ok(about) if !about.is_dir() => report.problem(
            "data directory",
            format!("{shown} is not a folder"),
            "choose a folder with --data-dir",
        ),
        Ok(_) => match tempfile::tempfile_in(dir) {
            Ok(_) => report.ok("data directory", format!("{shown}, can be written")),
            Err(error) => report.problem(
                "data directory",
                format!("{shown} cannot be written: {error}"),
                "check who owns the folder, or choose another with --data-dir",
            ),
        },
    }
    if let Some(free) = free_space(dir) {
        match free < LITTLE_SPACE {
            true => report.note("free space", format!("only {}; make room", size(free))),
            false => report.ok("free space", size(free)),
        }
    }
    let (files, bytes) = log_size(&places.logs());
    let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    report.ok("logs", format!("{}, {files}, {}", places.logs().display(), size(bytes)));
}

/// Room on the disk that holds `dir`, or will once it is created.
#[cfg(unix)]
fn free_space(dir: &Path) -> Option<u64> {
    let existing = dir.ancestors().find(|it| it.is_dir())?;
    let about = rustix::fs::statvfs(existing).ok()?;
    Some(about.f_bavail.saturating_mul(about.f_frsize))
}

/// The standard library does not tell, and one line of a report is not worth a dependency.
#[cfg(not(unix))]
fn free_space(_dir: &Path) -> Option<u64> {
    None
}

/// The number and the bytes of log files, the compressed ones included.
fn log_size(folder: &Path) -> (usize, u64) {
    let files = [folder.to_owned(), folder.join("archive")].into_iter().flat_map(fs::read_dir);
    let sizes: Vec<u64> = files
        .flatten()
        .flatten()
        .filter_map(|it| it.metadata().ok())
        .filter(fs::Metadata::is_file)
        .map(|it| it.len())
        .collect();
    (sizes.len(), sizes.iter().sum())
}
