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

#[test]
fn no_network_is_told_before_anything_is_asked_or_counted() {
    let home = Home::new();
    let question = "Does vitamin D prevent falls?";
    let answer = home.run_arguments(&["--set", NO_NETWORK, "research", question]);
    assert_eq!(answer.code, Some(8));
    insta::assert_snapshot!(answer.stderr, @"
    error: there is no network: none of the 26 engines, indexes and APIs can be reached
    hint: connect this machine, or search your own documents alone: --offline --library DIR
    ");
    assert_eq!(home.run("task list --json").json()["tasks"], serde_json::json!([]));
    assert_eq!(home.run("egress --json").json()["totals"]["requests"], 0);
    let engines = home.run("engines list --json").json();
    let asked: Vec<&Value> =
        engines["engines"].as_array().unwrap().iter().map(|it| &it["requests_today"]).collect();
    assert_eq!(asked, vec![&Value::from(0); 10]);
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
