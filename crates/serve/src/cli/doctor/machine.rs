//! What the report says about the program and the computer it runs on.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::Report;
use crate::cli::size;
use crate::config::Places;
use crate::failure::Failure;
use crate::words::say;

/// Below this much free space a search may not be able to store what it finds.
const LITTLE_SPACE: u64 = 1_000_000_000;

pub(super) fn program(report: &mut Report) {
    let (version, schema) = (env!("CARGO_PKG_VERSION"), graph::SCHEMA_VERSION);
    report.ok(|d| &d.lyra, format!("{version} (schema {schema})"));
    let words = &report.words.doctor;
    match graph::sqlite_info() {
        Ok(info) => {
            let version = info.version;
            let found = match (info.full_text, info.math_functions) {
                (true, true) => &words.sqlite_math,
                (true, false) => &words.sqlite_plain,
                (false, _) => &words.sqlite_without,
            };
            let found = say!(found, version = version);
            match info.full_text {
                true => report.ok(|d| &d.sqlite, found),
                false => report.problem(|d| &d.sqlite, found, &words.sqlite_build),
            }
        }
        Err(error) => report.failure(|d| &d.sqlite, &Failure::from(error)),
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let features = match features().join(", ") {
        none if none.is_empty() => String::from(&words.no_vector_instructions),
        some => some,
    };
    let arch = std::env::consts::ARCH;
    let cpu = say!(words.cpu_line, arch = arch, threads = threads, features = features);
    report.ok(|d| &d.cpu, cpu);
}

/// Vector instructions that Lyra and its libraries choose from at run time.
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
    let words = &report.words.doctor;
    let dir = &places.data_dir;
    let folder = dir.display();
    match fs::metadata(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            report.note(|d| &d.data_directory, say!(words.created_later, folder = folder));
        }
        Err(error) => report.problem(
            |d| &d.data_directory,
            say!(words.folder_unreadable, folder = folder, error = error),
            &report.words.hint.folder_owner,
        ),
        Ok(about) if !about.is_dir() => report.problem(
            |d| &d.data_directory,
            say!(words.not_a_folder, folder = folder),
            &words.choose_folder,
        ),
        Ok(_) => match tempfile::tempfile_in(dir) {
            Ok(_) => report.ok(|d| &d.data_directory, say!(words.writable, folder = folder)),
            Err(error) => report.problem(
                |d| &d.data_directory,
                say!(words.unwritable, folder = folder, error = error),
                &report.words.hint.folder_owner,
            ),
        },
    }
    if let Some(free) = free_space(dir) {
        match free < LITTLE_SPACE {
            true => report.note(|d| &d.free_space, say!(words.little_space, size = size(free))),
            false => report.ok(|d| &d.free_space, size(free)),
        }
    }
    let logs = places.logs();
    let (files, bytes) = log_size(&logs);
    let found = say!(words.log_files, folder = logs.display(), n = files, size = size(bytes));
    report.ok(|d| &d.logs, found);
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
