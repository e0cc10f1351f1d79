//! What is left of a file whose writer was killed: the old version or the new one, and nothing else.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use library::vault::{CreateRequest, ReplaceRequest, WriteMode, WriteRequest};
use library::{LibrarySettings, Vault};

/// Several vaults at a time, because most of the time is spent waiting for the disk.
const VAULTS: u64 = 4;
const KILLS_PER_VAULT: usize = 25;
const CHILD: &str = "LYRA_TEST_WRITE_VAULT_UNTIL_KILLED";

#[test]
fn a_hundred_writers_killed_at_random_moments_leave_every_file_whole() {
    // The same test is the writer when it is started as one: no second program is needed.
    if let Some(root) = std::env::var_os(CHILD) {
        return write_until_killed(Path::new(&root));
    }
    let found = std::thread::scope(|scope| {
        let vaults: Vec<_> =
            (0..VAULTS).map(|seed| scope.spawn(move || kill_writers(seed))).collect();
        vaults.into_iter().map(|it| it.join().unwrap()).fold(Found::default(), Found::and)
    });
    println!("{} writes done, {} temporary files found after kills", found.writes, found.leftovers);
    assert!(found.writes >= 75, "the writers hardly came to write: {}", found.writes);
    assert!(found.leftovers >= 5, "hardly any was killed while it wrote: {}", found.leftovers);
}

#[test]
fn two_programs_that_append_to_one_file_lose_nothing() {
    const NAME: &str = "LYRA_TEST_APPEND_AS";
    const ROOT: &str = "LYRA_TEST_APPEND_IN";
    const LINES: usize = 50;
    if let Some((name, root)) = std::env::var(NAME).ok().zip(std::env::var_os(ROOT)) {
        let vault = Vault::new(Path::new(&root), LibrarySettings::default());
        for number in 0..LINES {
            let (path, text) = ("log.md".to_owned(), format!("{name} {number}\n"));
            let request = WriteRequest { path, text, mode: WriteMode::Append, expected_hash: None };
            vault.write(&request).unwrap();
        }
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let vault = Vault::new(dir.path(), LibrarySettings::default());
    vault.create(&CreateRequest { path: "log.md".to_owned(), text: String::new() }).unwrap();
    let names = ["甲", "乙"];
    let programs = names.map(|name| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "vault_kills::two_programs_that_append_to_one_file_lose_nothing"])
            .env(NAME, name)
            .env(ROOT, dir.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    });
    for mut program in programs {
        assert!(program.wait().unwrap().success());
    }
    let text = fs::read_to_string(dir.path().join("log.md")).unwrap();
    for name in names {
        let own: Vec<&str> = text.lines().filter(|it| it.starts_with(name)).collect();
        let expected: Vec<String> = (0..LINES).map(|it| format!("{name} {it}")).collect();
        assert_eq!(own, expected);
    }
    assert_eq!(text.lines().count(), 2 * LINES);
}

#[derive(Default)]
struct Found {
    writes: u64,
    leftovers: usize,
}

impl Found {
    fn and(self, other: Self) -> Self {
        Self { writes: self.writes + other.writes, leftovers: self.leftovers + other.leftovers }
    }
}

/// The number of the last round that each kind of write said it had finished.
#[derive(Default)]
struct Done {
    created: u64,
    appended: u64,
    written: u64,
    replaced: u64,
}

fn kill_writers(seed: u64) -> Found {
    let mut random = fastrand::Rng::with_seed(seed);
    let dir = tempfile::tempdir().unwrap();
    let mut found = Found::default();
    let mut done = Done::default();
    for _ in 0..KILLS_PER_VAULT {
        // One in ten is killed while it starts, the others in the middle of writing.
        let starting = random.u32(..10) == 0;
        let pause = Duration::from_micros(random.u64(..20_000));
        run_and_kill(dir.path(), starting, pause, &mut done);
        check(dir.path(), &mut done, &mut found);
    }
    found.writes = done.created + done.appended + done.written + done.replaced;
    // The next write into a folder removes what was left there.
    let vault = Vault::new(dir.path(), LibrarySettings::default());
    let end = CreateRequest { path: "end.md".to_owned(), text: String::new() };
    vault.create(&end).unwrap();
    let end = CreateRequest { path: "daily/2026-11-16.md".to_owned(), text: String::new() };
    vault.create(&end).unwrap();
    assert_eq!(temporary_files(dir.path()), 0);
    found
}

fn run_and_kill(root: &Path, starting: bool, pause: Duration, done: &mut Done) {
    let test = "vault_kills::a_hundred_writers_killed_at_random_moments_leave_every_file_whole";
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, root)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    if !starting {
        lines.by_ref().map(Result::unwrap).find(|it| note(it, done)).expect("a first write");
    }
    std::thread::sleep(pause);
    child.kill().unwrap();
    // A last line may have been cut off: what was not said in full was not said.
    for line in lines.map_while(Result::ok) {
        note(&line, done);
    }
    assert_eq!(child.wait().unwrap().code(), None, "it was killed and did not end by itself");
}

fn note(line: &str, done: &mut Done) -> bool {
    let Some((kind, number)) = line.strip_suffix('.').and_then(|it| it.split_once(' ')) else {
        return false;
    };
    let Ok(number) = number.parse() else { return false };
    match kind {
        "created" => done.created = number,
        "appended" => done.appended = number,
        "written" => done.written = number,
        "replaced" => done.replaced = number,
        _ => return false,
    }
    true
}

/// Every file holds the last version that was said to be done, or the one after it; that is where the next begins.
fn check(root: &Path, done: &mut Done, found: &mut Found) {
    found.leftovers += temporary_files(root);
    let read = |name: &str| fs::read_to_string(root.join(name)).ok();
    for number in 1..=done.created {
        assert_eq!(read(&format!("new-{number}.md")).unwrap(), version(number));
    }
    // One more may be there, and then it is whole.
    let next = read(&format!("new-{}.md", done.created + 1));
    assert_eq!(next, next.as_ref().map(|_| version(done.created + 1)));
    assert_eq!(read(&format!("new-{}.md", done.created + 2)), None);
    done.created += u64::from(next.is_some());

    if let Some(text) = read("written.md") {
        let number = number_of(&text);
        assert_eq!(text, version(number));
        assert!((done.written..=done.written + 1).contains(&number), "{number}");
        done.written = number;
    }
    if let Some(text) = read("replaced.md") {
        let number = number_of(&text);
        assert_eq!(text, version(number));
        assert!((done.replaced..=done.replaced + 1).contains(&number), "{number}");
        done.replaced = number;
    }
    if let Some(text) = read("daily/2026-11-15.md") {
        let entries = text.lines().count() as u64;
        let expected: String = (1..=entries).map(entry).collect();
        assert_eq!(text, expected);
        assert!((done.appended..=done.appended + 1).contains(&entries), "{entries}");
        done.appended = entries;
    }
}

fn temporary_files(root: &Path) -> usize {
    let folders = [root.to_owned(), root.join("daily")];
    let names = folders.iter().filter_map(|it| fs::read_dir(it).ok()).flatten();
    names.filter(|it| it.as_ref().unwrap().file_name().to_str().unwrap().ends_with(".tmp")).count()
}

/// A text that shows when a part of it is missing or of another version.
fn version(number: u64) -> String {
    let body = "言葉 words\n".repeat(usize::try_from(number % 7).unwrap() * 400);
    format!("版 {number}\n{body}終わり {number}\n")
}

fn number_of(text: &str) -> u64 {
    text.lines().next().unwrap().strip_prefix("版 ").unwrap().parse().unwrap()
}

fn entry(number: u64) -> String {
    format!("- {number} {} 終\n", "x".repeat(usize::try_from(number % 5).unwrap() * 300))
}

#[expect(clippy::print_stdout, reason = "this is how the writer tells its parent what is done")]
fn write_until_killed(root: &Path) {
    let vault = Vault::new(root, LibrarySettings::default());
    let create = |path: &str, text: String| {
        let request = CreateRequest { path: path.to_owned(), text };
        vault.create(&request)
    };
    let write = |path: &str, text: String, mode: WriteMode| {
        let path = path.to_owned();
        vault.write(&WriteRequest { path, text, mode, expected_hash: None }).unwrap();
    };
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    // A writer before may have come this far: then the files are there, whole.
    for (path, text) in [
        ("daily/2026-11-15.md", String::new()),
        ("written.md", version(0)),
        ("replaced.md", version(0)),
    ] {
        match create(path, text) {
            Err(error) => assert_eq!(error.code(), Some("conflict"), "{error}"),
            Ok(written) => assert_eq!(written.path.as_str(), path),
        }
    }
    let mut created = (1..).find(|it| !root.join(format!("new-{it}.md")).exists()).unwrap();
    let mut appended = read("daily/2026-11-15.md").lines().count() as u64 + 1;
    let mut written = number_of(&read("written.md")) + 1;
    let mut replaced = number_of(&read("replaced.md")) + 1;
    loop {
        create(&format!("new-{created}.md"), version(created)).unwrap();
        println!("created {created}.");
        created += 1;
        write("daily/2026-11-15.md", entry(appended), WriteMode::Append);
        println!("appended {appended}.");
        appended += 1;
        write("written.md", version(written), WriteMode::Overwrite);
        println!("written {written}.");
        written += 1;
        let request = ReplaceRequest {
            path: "replaced.md".to_owned(),
            old: Some(version(replaced - 1)),
            new: version(replaced),
            ..ReplaceRequest::default()
        };
        vault.replace(&request).unwrap();
        println!("replaced {replaced}.");
        replaced += 1;
    }
}
