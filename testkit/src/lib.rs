//! Public data and other people's programs, where tests find them.
//!
//! A test that cannot run without them asks here and returns. What was skipped is printed and, under
//! `cargo xtask test`, counted at the end of the run. Depends on no other crate.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::{env, thread};

/// Names the folder of public data.
const DATA: &str = "LYRA_EVAL_DATA";
/// Names the file that `cargo xtask test` counts skipped tests in.
const SKIPPED: &str = "LYRA_SKIPPED";

/// The folder of public data; without it the calling test is recorded as skipped.
pub fn public_data() -> Option<PathBuf> {
    given(DATA, "it names no folder of public data").map(PathBuf::from)
}

/// A program that `cargo xtask test` installs and names in an environment variable; without it the
/// calling test is recorded as skipped.
pub fn program(variable: &str) -> Option<OsString> {
    given(variable, "`cargo xtask test` installs the program it names")
}

/// The search path, where it leads to a browser that prints; without one the calling test is recorded as skipped.
pub fn browser() -> Option<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "google-chrome", "microsoft-edge"];
    let found = env::split_paths(&path).any(|it| names.iter().any(|name| it.join(name).is_file()));
    if !found {
        record_skip("Chromium, Chrome or Edge is not installed");
    }
    found.then_some(path)
}

/// Whether a program of other people is installed here; without it the calling test is recorded as skipped.
pub fn is_installed(program: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    let is_there = env::split_paths(&folders).any(|folder| folder.join(program).is_file());
    if !is_there {
        record_skip(&format!("{program} is not installed"));
    }
    is_there
}

fn given(variable: &str, why: &str) -> Option<OsString> {
    let value = env::var_os(variable).filter(|value| !value.is_empty());
    if value.is_none() {
        record_skip(&format!("{variable} is not set: {why}"));
    }
    value
}

/// Panics if the skip cannot be written: an uncounted skip would look like a passed test.
#[expect(clippy::print_stderr, reason = "tests print")]
fn record_skip(reason: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    eprintln!("skipped: {reason}");
    if let Some(path) = env::var_os(SKIPPED) {
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written =
            file.and_then(|mut file| file.write_all(format!("{test}: {reason}\n").as_bytes()));
        written.expect("the file that counts skipped tests can be written");
    }
}
