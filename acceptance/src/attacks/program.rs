//! The program under attack, in a home of its own.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Nothing that is asked of the program may take longer.
pub(super) const IN_TIME: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct Program {
    path: PathBuf,
}

/// A home folder with a secret beside the data.
#[derive(Debug)]
pub(super) struct Home {
    dir: TempDir,
}

/// What must appear in no answer.
pub(super) const SECRET: &str = "the-secret-of-this-home";

/// How a call ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) in_time: bool,
}

impl Program {
    pub(super) fn beside_this_one() -> Self {
        let own = std::env::current_exe().expect("a running program has a file");
        let path = own.with_file_name(format!("lyra{}", std::env::consts::EXE_SUFFIX));
        assert!(path.is_file(), "{} is missing: cargo xtask acceptance builds it", path.display());
        Self { path }
    }

    pub(super) fn command(&self, home: &Home, arguments: &[&str]) -> Command {
        let mut command = self.online(home, arguments);
        command.env("LYRA_FETCH_OFFLINE", "true");
        command
    }

    fn online(&self, home: &Home, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command.args(arguments).env_clear().env("HOME", home.path()).current_dir(home.path());
        command
    }

    /// Runs a command with something on its standard input, for as long as anything may take.
    pub(super) fn run(&self, home: &Home, arguments: &[&str], stdin: &[u8]) -> Ended {
        Self::ended(self.command(home, arguments), stdin)
    }

    /// Runs a command that may send requests.
    pub(super) fn run_online(&self, home: &Home, arguments: &[&str]) -> Ended {
        Self::ended(self.online(home, arguments), b"")
    }

    fn ended(mut command: Command, stdin: &[u8]) -> Ended {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let mut input = child.stdin.take().expect("it was piped");
        let given = stdin.to_owned();
        // A program that has read enough closes its end; that is its right.
        std::thread::spawn(move || drop(input.write_all(&given)));
        let stdout = collect(child.stdout.take().expect("it was piped"));
        let stderr = collect(child.stderr.take().expect("it was piped"));
        let begun = Instant::now();
        let code = loop {
            match child.try_wait().expect("a child can be waited for") {
                Some(status) => break Some(status),
                None if begun.elapsed() > IN_TIME => {
                    child.kill().expect("a child can be ended");
                    child.wait().expect("a child can be waited for");
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let text = |bytes: std::thread::JoinHandle<Vec<u8>>| {
            String::from_utf8_lossy(&bytes.join().unwrap_or_default()).into_owned()
        };
        Ended {
            in_time: code.is_some(),
            code: code.and_then(|it| it.code()),
            stdout: text(stdout),
            stderr: text(stderr),
        }
    }

    pub(super) fn output(&self, home: &Home, arguments: &[&str]) -> Output {
        self.command(home, arguments).output().expect("the program can be started")
    }
}

fn collect(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before it broke is what there is to look at.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

impl Ended {
    /// It ended by itself, without a crash, and told nothing it must not.
    pub(super) fn decent(&self) -> Result<(), String> {
        if !self.in_time {
            return Err(format!("no end within {} s", IN_TIME.as_secs()));
        }
        let Some(code) = self.code else { return Err("it was ended by a signal".to_owned()) };
        let said = format!("{}{}", self.stdout, self.stderr);
        if code == 1 || code == 101 || said.contains("panicked") {
            return Err(format!("it failed on its own (code {code}): {}", self.stderr.trim()));
        }
        match said.contains(SECRET) {
            true => Err("it told the secret".to_owned()),
            false => Ok(()),
        }
    }

    /// It ended decently and refused.
    pub(super) fn refused(&self) -> Result<(), String> {
        self.decent()?;
        match self.code {
            Some(0) => Err(format!(
                "it did as told: {}",
                self.stdout.chars().take(200).collect::<String>()
            )),
            _ => Ok(()),
        }
    }
}

impl Home {
    pub(super) fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().expect("there is room for a folder") };
        home.write("secret.md", SECRET.as_bytes());
        home
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        let folder = path.parent().expect("it lies in the home");
        std::fs::create_dir_all(folder).expect("a folder can be made in one's own home");
        std::fs::write(&path, bytes).expect("a file can be written in one's own home");
        path
    }

    /// The names and contents of all files but those of the program.
    pub(super) fn outside_data(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && entry.file_name() != ".local" => {
                        folders.push(path)
                    }
                    Ok(kind) if kind.is_file() => {
                        files.push((path.clone(), std::fs::read(path).unwrap_or_default()));
                    }
                    _ => {}
                }
            }
        }
        files.sort();
        files
    }
}
