//! A home of its own for each test, the real binary in it, and its answers as text that does not
//! change from run to run.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use graph::{Access, Cause, FixedClock, Graph, Options, Writer};
use tempfile::TempDir;
use testweb::{TestWeb, World};

/// In front of a line that says what is still at work.
const STILL: &str = "… ";

/// What a Japanese user has in the environment.
pub(crate) const JAPANESE: (&str, &str) = ("LANG", "ja_JP.UTF-8");

/// A home folder with nothing in it.
pub(crate) struct Home {
    dir: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Where Lyra keeps its data, if nobody tells it otherwise.
    pub(crate) fn data(&self) -> PathBuf {
        self.path().join(".local/share/lyra")
    }

    /// Puts a file anywhere below the home folder.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Opens the graph for writing, at noon of a fixed day, with ids that repeat.
    pub(crate) fn graph(&self) -> Graph {
        let noon = "2026-01-15T12:00:00Z".parse().unwrap();
        let options = Options {
            clock: Arc::new(FixedClock::at(noon)),
            id_seed: Some(1),
            ..Options::default()
        };
        Graph::open(&self.data().join("lyra.db"), Access::Write, options).unwrap()
    }

    /// Records something in the graph and closes it.
    pub(crate) fn fill<T>(&self, record: impl FnOnce(&Writer<'_>) -> graph::Result<T>) -> T {
        self.graph().write(Cause::new("test"), record).unwrap()
    }

    /// Records something in the graph that commands have written to, by the clock of the machine.
    pub(crate) fn fill_now<T>(&self, record: impl FnOnce(&Writer<'_>) -> graph::Result<T>) -> T {
        let database = self.data().join("lyra.db");
        let graph = Graph::open(&database, Access::Write, Options::default()).unwrap();
        graph.write(Cause::new("test"), record).unwrap()
    }

    /// A command in this home, with an empty environment.
    pub(crate) fn command<T: AsRef<str>>(&self, arguments: &[T]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lyra"));
        command
            .args(arguments.iter().map(AsRef::as_ref))
            .env_clear()
            .env("HOME", self.path())
            .env("TZ", "UTC")
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs a command given as words without spaces.
    pub(crate) fn run(&self, line: &str) -> Answer {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        self.run_arguments(&arguments)
    }

    pub(crate) fn run_arguments<T: AsRef<str>>(&self, arguments: &[T]) -> Answer {
        self.answer(self.command(arguments).output().unwrap())
    }

    /// Runs a command with one more variable in the environment.
    pub(crate) fn run_with(&self, variable: (&str, &str), line: &str) -> Answer {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let mut command = self.command(&arguments);
        self.answer(command.env(variable.0, variable.1).output().unwrap())
    }

    pub(crate) fn run_with_stdin(&self, stdin: &[u8], line: &str) -> Answer {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let mut command = self.command(&arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that has read enough may close its end first; that is its right.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        self.answer(child.wait_with_output().unwrap())
    }

    pub(crate) fn answer(&self, output: Output) -> Answer {
        let home = self.path().to_str().unwrap().to_owned();
        let stderr = String::from_utf8(output.stderr).unwrap();
        // On a slow day there are lines that say only that something is still at work.
        let (waiting, told): (Vec<&str>, Vec<&str>) =
            stderr.split_inclusive('\n').partition(|line| line.starts_with(STILL));
        Answer {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: told.concat(),
            waiting: waiting.concat(),
            home,
        }
    }
}

/// The small internet, and a home whose settings lead there.
pub(crate) fn online() -> (TestWeb, Home) {
    online_in(World::of_size(1, 40))
}

pub(crate) fn online_in(world: World) -> (TestWeb, Home) {
    let web = TestWeb::start(world);
    let home = Home::new();
    let ca_file = home.write("ca.pem", web.ca_pem());
    let settings = format!(
        "[fetch]\nhosts = {:?}\nallow_networks = [\"127.0.0.1/32\"]\nca_file = {:?}\n",
        web.hosts_setting(),
        ca_file
    );
    home.write(".config/lyra/config.toml", &settings);
    (web, home)
}

/// What a command answered. Shown with ids and times replaced, for snapshots.
pub(crate) struct Answer {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What was said of work that took long, apart from the rest.
    pub(crate) waiting: String,
    home: String,
}

impl Answer {
    /// The JSON document on stdout.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = self.stdout.clone();
        if !self.stderr.is_empty() {
            text += "--- stderr\n";
            text += &self.stderr;
        }
        let text = text.replace(&self.home, "[home]");
        let code = self.code.map_or("none".to_owned(), |it| it.to_string());
        write!(f, "{}--- exit {code}", steady(&text))
    }
}

/// The help of a command without the options that every command has.
pub(crate) fn own_help(command: &str) -> String {
    let help = Home::new().run(&format!("{command} --help")).to_string();
    let (own, rest) = help.split_once("Options of every command:\n").unwrap();
    // What follows the options begins where the lines are not indented any more.
    let after: Vec<&str> =
        rest.lines().skip_while(|line| line.is_empty() || line.starts_with(' ')).collect();
    format!("{own}{}", after.join("\n"))
}

/// Replaces each id by letters in the order of appearance, and each time by its pattern; both keep
/// their width, so that tables keep their shape.
pub(crate) fn steady(text: &str) -> String {
    let mut known: BTreeMap<String, char> = BTreeMap::new();
    let mut steady = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word_before = steady.chars().last().is_some_and(char::is_alphanumeric);
        if let Some(length) = id_length(rest).filter(|_| !word_before) {
            let next = char::from(b'A' + u8::try_from(known.len()).unwrap());
            let letter = *known.entry(rest[..length].to_owned()).or_insert(next);
            let prefix = &rest[..length - 26];
            steady += &format!("{prefix}{}", letter.to_string().repeat(26));
            rest = &rest[length..];
        } else if let Some(length) = minute_length(rest) {
            let zeros = rest[..length].replace(|c: char| c.is_ascii_digit(), "0");
            rest = &rest[length..];
            let seconds = rest.starts_with(':').then(|| rest.find('Z')).flatten();
            steady += &zeros;
            if let Some(end) = seconds {
                // JSON writes as many digits of a second as there are.
                steady += ":00.000Z";
                rest = &rest[end + 1..];
            }
        } else {
            steady.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    steady
}

/// The length of the id that a text starts with: `task_` and 26 letters and digits.
fn id_length(text: &str) -> Option<usize> {
    let underscore = text.find('_').filter(|at| (1..=4).contains(at))?;
    if !text[..underscore].bytes().all(|c| c.is_ascii_lowercase()) {
        return None;
    }
    let encoded = text.get(underscore + 1..underscore + 27)?;
    let is_ulid = encoded.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    is_ulid.then_some(underscore + 27)
}

/// The length of `2026-01-15 12:00` (or with a `T`), if a text starts with such a time.
fn minute_length(text: &str) -> Option<usize> {
    let form = b"dddd-dd-dd?dd:dd";
    let start = text.as_bytes().get(..form.len())?;
    let is_time = form.iter().zip(start).all(|(wanted, found)| match wanted {
        b'd' => found.is_ascii_digit(),
        b'?' => matches!(found, b' ' | b'T'),
        wanted => wanted == found,
    });
    is_time.then_some(form.len())
}
