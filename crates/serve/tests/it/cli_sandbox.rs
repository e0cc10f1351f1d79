//! The process that reads strangers' bytes, and searches that have no network.

use serde_json::Value;

use crate::support::Home;

/// A proxy where nobody listens: to the program there is no network, wherever the test runs.
const NO_NETWORK: &str = "fetch.proxy=http://127.0.0.1:9";

fn found(document: &Value, name: &str) -> (String, String) {
    let checks = document["checks"].as_array().unwrap();
    let check = checks.iter().find(|it| it["name"] == name).unwrap();
    (check["state"].as_str().unwrap().to_owned(), check["found"].as_str().unwrap().to_owned())
}

fn doctor(setting: &str) -> Value {
    Home::new().run(&format!("--offline --set {setting} doctor --json")).json()
}

#[test]
#[cfg(target_os = "linux")]
fn the_reading_process_may_not_read_write_connect_or_run_anything() {
    let (state, said) = found(&doctor("sandbox.max_seconds=60"), "reading process");
    assert_eq!(state, "ok");
    assert_eq!(
        said,
        "confined by seccomp, Landlock; refused when tried: read_file, write_file, list_folder, run_program, tcp, udp, \
         unix_socket"
    );
}

#[test]
fn a_reading_process_that_is_switched_off_is_named() {
    let (state, said) = found(&doctor("sandbox.enabled=false"), "reading process");
    assert_eq!(state, "note");
    assert_eq!(
        said,
        "switched off (sandbox.enabled): pages and files are read in Lyra's own process"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn the_kernel_refuses_the_network_to_offline_searches_or_ends_them() {
    let (_, said) = found(&doctor("sandbox.network_attempt=refused"), "offline searches");
    assert_eq!(said, "the kernel refuses them the network");
    let (_, said) = found(&doctor("sandbox.network_attempt=fatal"), "offline searches");
    assert_eq!(said, "the kernel ends them if they ask for the network");
}

#[test]
fn a_document_is_the_same_wherever_it_is_read() {
    let home = Home::new();
    home.write(
        "page.html",
        "<html><head><title>Leave</title></head><body><article><h1>Leave</h1><p>Parental leave lasts twelve weeks, \
         as <a href='https://law.example/leave'>the law</a> says since 2019 (doi:10.1000/xyz123).</p></article></body></html>",
    );
    let confined = home.run("read page.html --json");
    let here = home.run("--set sandbox.enabled=false read page.html --json");
    assert_eq!(confined.code, Some(0));
    assert_eq!(confined.json()["links"][0]["url"], "https://law.example/leave");
    assert_eq!(confined.json(), here.json());
    let confined = home.run("read page.html --markdown").stdout;
    assert_eq!(confined, home.run("--set sandbox.enabled=false read page.html --markdown").stdout);
    assert!(confined.contains("[the law](https://law.example/leave)"), "{confined}");
}

/// Eight hundred thousand elements, of which every one is kept while the page is read.
fn heavy() -> String {
    format!("<html><body>{}</body></html>", "<p>a <b>b</b></p>".repeat(400_000))
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_takes_too_much_memory_is_one_miss_and_the_search_goes_on() {
    let home = Home::new();
    home.write("docs/heavy.html", &heavy());
    home.write(
        "docs/leave.md",
        "# Leave\n\nThe new rule raised the leave of parents to twelve weeks in 2019.\n",
    );
    let asked = "Did the new rule raise the leave of parents?";
    let arguments = [
        "--offline",
        "--json",
        "--set",
        "sandbox.max_memory_mb=64",
        "research",
        asked,
        "--library",
        "docs",
    ];
    let answer = home.run_arguments(&arguments);
    assert_eq!(answer.code, Some(0), "{answer}");
    let tasks = home.run("task list --json").json();
    let task = tasks["tasks"][0]["id"].as_str().unwrap().to_owned();
    let report = home.run(&format!("report {task} --json")).json();
    let missed = report["missed"].as_array().unwrap();
    assert_eq!(missed.len(), 1, "{missed:?}");
    assert!(missed[0].to_string().contains("heavy.html"), "{missed:?}");
    assert_eq!(report["summary"]["pages_read"], 1);
    insta::assert_snapshot!(home.run("--set sandbox.max_memory_mb=64 read docs/heavy.html"), @"
    --- stderr
    error: cannot read docs/heavy.html: it could not be read: the reading process ended before it was done
    hint: sandbox.max_memory_mb and sandbox.max_seconds say how much a file may take
    --- exit 2
    ");
}

/// Whatever is made first, the log or the graph.
#[test]
#[cfg(unix)]
fn nobody_else_can_enter_the_folders_of_the_data_directory() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::new();
    home.write(
        "docs/tea.md",
        "# Tea\n\nA cup of green tea holds about 30 milligrams of caffeine.\n",
    );
    let asked = "How much caffeine does green tea contain?";
    let found = home.run_arguments(&["--offline", "research", asked, "--library", "docs"]);
    assert_eq!(found.code, Some(0), "{found}");
    let mut folders = vec![home.data()];
    let mut open = Vec::new();
    while let Some(folder) = folders.pop() {
        let rights = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o077;
        let inside = std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path());
        let (more, files): (Vec<_>, Vec<_>) = inside.partition(|it| it.is_dir());
        open.extend(files.into_iter().chain([folder]).filter(|it| rights(it) != 0));
        folders.extend(more);
    }
    assert_eq!(open, Vec::<std::path::PathBuf>::new());
}

/// With the mask that most systems give their users. What lies outside the data directory and is no vault is a copy of what lies
/// inside.
#[test]
#[cfg(unix)]
fn whatever_is_made_is_for_its_owner_alone_but_a_vault_stays_the_users() {
    use std::os::unix::fs::PermissionsExt;
    use std::path::{Path, PathBuf};

    let home = Home::new();
    home.write(
        "docs/tea.md",
        "# Tea\n\nA cup of green tea holds about 30 milligrams of caffeine.\n",
    );
    std::fs::create_dir(home.path().join("vault")).unwrap();
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/parity/bert");
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let to = home.path().join("model").join(file);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(model.join(file), to).unwrap();
    }
    let run = |line: &str| {
        let mut command = std::process::Command::new("/bin/sh");
        command.args([
            "-c",
            "umask 022; eval exec \"$0\" \"$1\"",
            env!("CARGO_BIN_EXE_lyra"),
            line,
        ]);
        let command = command.env_clear().env("HOME", home.path()).env("TZ", "UTC");
        let ended = command.current_dir(home.path()).output().unwrap();
        assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
    };
    run("--offline research 'How much caffeine does green tea contain?' --library docs");
    // The log is of an earlier day, and is packed by the next command.
    let logs = home.data().join("logs");
    let log = std::fs::read_dir(&logs).unwrap().map(|it| it.unwrap().path());
    let log = log.filter(|it| it.extension().is_some()).max().unwrap();
    let (series, _) = log.to_str().unwrap().split_once("-20").unwrap();
    std::fs::rename(&log, format!("{series}-2020-01-01.jsonl")).unwrap();
    run("--set log.archive_days=3650 models add model");
    run("vault create notes/new/tea.md --vault vault < docs/tea.md");
    run("export latest --output task.jsonl");
    run("export latest --csv tables");
    run("report latest --out report.html");
    run("backup kept.tar.gz");
    let below = |folder: PathBuf| {
        let (mut folders, mut found) = (vec![folder], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let rights = path.metadata().unwrap().permissions().mode() & 0o777;
                folders.extend(path.is_dir().then(|| path.clone()));
                found.push((path.strip_prefix(home.path()).unwrap().to_owned(), rights));
            }
        }
        found
    };
    let made = below(home.data());
    let names: Vec<String> = made.iter().map(|it| it.0.display().to_string()).collect();
    for ending in ["lyra.db", "lyra.db-wal", "model.safetensors", ".jsonl.gz"] {
        assert!(names.iter().any(|it| it.ends_with(ending)), "{ending}: {names:?}");
    }
    let outside = ["task.jsonl", "report.html", "kept.tar.gz"].map(|it| {
        let rights = home.path().join(it).metadata().unwrap().permissions().mode();
        (PathBuf::from(it), rights & 0o777)
    });
    let mut all: Vec<(PathBuf, u32)> = made.into_iter().chain(outside).collect();
    all.extend(below(home.path().join("tables")));
    all.retain(|it| it.1 & 0o077 != 0);
    assert_eq!(all, []);
    let usual = [
        ("vault/notes/new", 0o755),
        ("vault/notes/new/tea.md", 0o644),
        ("vault/.system/lock", 0o644),
    ];
    for (path, rights) in usual {
        let found = home.path().join(path).metadata().unwrap().permissions().mode();
        assert_eq!(found & 0o777, rights, "{path}");
    }
}

#[test]
fn no_network_is_told_before_anything_is_asked_or_counted() {
    let home = Home::new();
    let question = "Does vitamin D prevent falls?";
    let answer = home.run_arguments(&["--set", NO_NETWORK, "research", question]);
    assert_eq!(answer.code, Some(8));
    insta::assert_snapshot!(answer.stderr, @"
    error: there is no network: none of the 27 engines, indexes and APIs can be reached
    hint: connect this machine, or search your own documents alone: --offline --library DIR
    ");
    assert_eq!(home.run("task list --json").json()["tasks"], serde_json::json!([]));
    assert_eq!(home.run("egress --json").json()["totals"]["requests"], 0);
    let engines = home.run("engines list --json").json();
    let asked: Vec<&Value> =
        engines["engines"].as_array().unwrap().iter().map(|it| &it["requests_today"]).collect();
    assert_eq!(asked, vec![&Value::from(0); 10]);
}

/// Widening is refused where it would lead nowhere, and a task stays as it was.
#[test]
fn a_task_that_goes_on_without_a_network_says_so_and_is_not_widened() {
    let home = Home::new();
    home.write(
        "docs/tea.md",
        "# Tea\n\nA cup of green tea holds about 30 milligrams of caffeine.\n",
    );
    let asked = "How much caffeine does green tea contain?";
    let found = home.run_arguments(&["--offline", "research", asked, "--library", "docs"]);
    assert_eq!(found.code, Some(0), "{found}");
    let widened = ["--set", NO_NETWORK, "research", "--resume", "latest", "--online"];
    let answer = home.run_arguments(&widened);
    assert_eq!(answer.code, Some(8), "{answer}");
    assert!(answer.stderr.starts_with("error: there is no network: none of the "), "{answer}");
    assert_eq!(home.run("egress --json").json()["totals"]["requests"], 0);
    let events = "SELECT count(*) FROM events WHERE kind = 'task_widened'";
    assert_eq!(home.run_arguments(&["sql", events, "--json"]).json()["rows"][0][0], 0);
    // Without the flag nothing of it is needed: it was begun offline.
    let again = home.run_arguments(&["--set", NO_NETWORK, "research", "--resume", "latest"]);
    assert_eq!(again.code, Some(0), "{again}");
}

#[test]
fn doctor_says_whether_the_network_answers_only_where_it_may_ask() {
    let home = Home::new();
    let silent = home.run_arguments(&["--set", NO_NETWORK, "doctor", "--json"]).json();
    assert_eq!(
        found(&silent, "network"),
        ("note".to_owned(), "none of the 12 engines and indexes can be reached".to_owned())
    );
    let offline = home.run("--offline doctor --json").json();
    assert_eq!(found(&offline, "network").1, "not asked: offline");
}

/// The kernel ends the process at the first attempt to have a connection: it ended well, so there was none.
#[test]
#[cfg(target_os = "linux")]
fn an_offline_search_never_asks_the_kernel_for_the_network() {
    let home = Home::new();
    home.write(
        "docs/leave.md",
        "# Leave\n\nThe new rule raised the leave of parents to twelve weeks, see https://law.example/leave and \
         doi:10.1000/xyz123.\n",
    );
    let answer = home.run_arguments(&[
        "--offline",
        "--set",
        "sandbox.network_attempt=fatal",
        "research",
        "Did the new rule raise the leave of parents?",
        "--library",
        "docs",
    ]);
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(answer.stdout.contains("0 requests left this machine"), "{answer}");
}
