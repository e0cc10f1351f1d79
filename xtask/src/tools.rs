//! Running the tools, and fetching the one that is not part of Rust.

use std::env;
use std::ffi::OsString;
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::Outcome;

/// Pinned, so that a new release cannot turn a green tree red.
const CARGO_DENY_VERSION: &str = "0.20.2";

#[expect(clippy::print_stderr, reason = "xtask has no other output")]
pub(crate) fn say(text: &str) {
    eprintln!("{text}");
}

pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

fn cargo_binary() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

pub(crate) fn cargo(arguments: &[&str]) -> Outcome {
    cargo_with(arguments, &[])
}

pub(crate) fn cargo_with(arguments: &[&str], environment: &[(&str, &str)]) -> Outcome {
    finish(cargo_command(arguments, environment), &format!("cargo {}", arguments[0]))
}

/// Runs cargo and gives the exit code of what it ran.
pub(crate) fn cargo_code(arguments: &[&str]) -> ExitCode {
    match cargo_command(arguments, &[]).status() {
        Ok(status) => status.code().and_then(|it| u8::try_from(it).ok()).unwrap_or(1).into(),
        Err(error) => {
            say(&format!("xtask: cannot start cargo: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn cargo_command(arguments: &[&str], environment: &[(&str, &str)]) -> Command {
    say(&format!("$ cargo {}", arguments.join(" ")));
    let mut command = Command::new(cargo_binary());
    command.args(arguments).current_dir(root());
    // Cargo tells xtask about itself. Build scripts that look at these variables would see them change between
    // `cargo test` and `cargo xtask test`, and everything that rests on them would be built anew.
    for (name, _) in env::vars_os() {
        let told = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        if told {
            command.env_remove(name);
        }
    }
    command.envs(environment.iter().copied());
    command
}

pub(crate) fn finish(mut command: Command, name: &str) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} failed ({status})")),
        Err(error) => Err(format!("cannot start {name}: {error}")),
    }
}

/// Whether `cargo NAME` is installed.
pub(crate) fn has_cargo(name: &str) -> bool {
    Command::new(cargo_binary())
        .args([name, "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs cargo-deny, which is built into `target/tools` the first time if the system has none.
pub(crate) fn cargo_deny(arguments: &[&str]) -> Outcome {
    if has_cargo("deny") {
        return cargo(&[&["deny"], arguments].concat());
    }
    let tools = root().join("target/tools");
    let binary = tools.join("bin").join(format!("cargo-deny{}", env::consts::EXE_SUFFIX));
    if !binary.exists() {
        say("cargo-deny is not installed: building it once, this takes a few minutes");
        let mut install = Command::new(cargo_binary());
        install
            .args(["install", "cargo-deny", "--locked", "--quiet", "--version", CARGO_DENY_VERSION])
            .arg("--root")
            .arg(&tools)
            .env("CARGO_TARGET_DIR", tools.join("build"))
            .current_dir(env::temp_dir());
        finish(install, "cargo install cargo-deny")?;
        // The build folder is large and of no further use.
        std::fs::remove_dir_all(tools.join("build")).map_err(|error| error.to_string())?;
    }
    say(&format!("$ cargo deny {}", arguments.join(" ")));
    let mut command = Command::new(binary);
    command.args(arguments).current_dir(root());
    finish(command, "cargo deny")
}

/// Whether another machine can be reached from here, as far as one attempt tells.
pub(crate) fn is_reached(host: (&str, u16)) -> bool {
    const PATIENCE: Duration = Duration::from_secs(3);
    let mut addresses = host.to_socket_addrs().into_iter().flatten();
    addresses.next().is_some_and(|it| TcpStream::connect_timeout(&it, PATIENCE).is_ok())
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_machine_is_reached_where_something_listens() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        assert!(is_reached(("127.0.0.1", port)));
        drop(listener);
        assert!(!is_reached(("127.0.0.1", port)));
    }
}
