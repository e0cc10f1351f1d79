//! `lyra doctor`.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Answer, Home, own_help};
use crate::world::{passage, sea_level};

#[test]
fn help_of_doctor() {
    insta::assert_snapshot!(own_help("doctor"), @"
    Check installation, settings and database; save a damaged one

    Each line is ok, a note, or a problem with what to do about it. Looking changes nothing; without
    --offline it tries whether engines can be reached, and sends them nothing. Ends with code 5 when
    there is a problem.

    Usage: lyra doctor [OPTIONS]

    Options:
          --salvage <NEW.db>
              Bring what can be read of a damaged database into this new file; the old one stays as it
              is

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra doctor
      lyra doctor --json
      lyra doctor --salvage ~/saved/lyra.db && lyra --data-dir ~/saved task list

    Next: `lyra config path` shows which files are used.
    --- exit 0
    ");
}

/// The report without what differs from machine to machine: versions, the processor, sizes.
fn steady(answer: &Answer) -> String {
    let lines = answer.to_string();
    let lines = lines.lines().filter(|line| {
        let what = line.split_whitespace().nth(1).unwrap_or_default();
        !["lyra", "sqlite", "cpu", "free", "logs", "reading", "offline", "browser"].contains(&what)
    });
    lines.map(without_sizes).collect::<Vec<_>>().join("\n")
}

/// Replaces `462.8 kB` by `0 B`.
fn without_sizes(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches(',');
        if ["B", "kB", "MB", "GB"].contains(&unit) && words[at - 1].parse::<f64>().is_ok() {
            words[at - 1] = "0";
            words[at] = if words[at].ends_with(',') { "B," } else { "B" };
        }
    }
    words.join(" ")
}

/// One line of the report as (state, found, hint).
fn check(document: &Value, name: &str) -> Vec<(String, String, String)> {
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let checks = document["checks"].as_array().unwrap().iter();
    checks
        .filter(|it| it["name"] == name)
        .map(|it| (text(&it["state"]), text(&it["found"]), text(&it["hint"])))
        .collect()
}

fn database(home: &Home) -> PathBuf {
    home.data().join("lyra.db")
}

#[test]
fn before_the_first_use_there_is_nothing_wrong() {
    let home = Home::new();
    insta::assert_snapshot!(steady(&home.run("--offline doctor")), @r"
    STATE  WHAT              FOUND
    ─────  ────              ─────
    ok     settings          the defaults; there is no [home]/.config/lyra/config.toml
    note   data directory    [home]/.local/share/lyra is created when it is first needed
    ok     writer            nobody is writing
    note   database          [home]/.local/share/lyra/lyra.db is empty or not there yet
    ok     views             17 shipped; yours would lie in [home]/.config/lyra/views
    ok     domain policy     the shipped one; yours would be [home]/.config/lyra/domains.toml
    ok     device            CPU
    ok     embedding model   lyra-encoder-enja-1, built in, reads en ja, 0 B
    ok     stance model      lyra-stance-en-3, built in, reads en, 0 B
    ok     stance model      lyra-stance-enja-3, built in, reads en ja, 0 B
    ok     deciding model    lyra-stance-en-large-2, built in, reads en, 0 B
    note   network           not asked: offline
    --- exit 0
    ");
    assert!(!database(&home).exists(), "looking creates no database");
}

#[test]
fn a_sound_database_is_all_ok() {
    let home = Home::new();
    home.fill(sea_level);
    insta::assert_snapshot!(steady(&home.run("--offline doctor")), @"
    STATE  WHAT              FOUND
    ─────  ────              ─────
    ok     settings          the defaults; there is no [home]/.config/lyra/config.toml
    ok     data directory    [home]/.local/share/lyra, can be written
    ok     writer            nobody is writing
    ok     database          [home]/.local/share/lyra/lyra.db, 0 B, journal 0 B
    ok     schema            13
    ok     pages             every page and index is whole
    ok     references        every reference leads somewhere
    ok     full text         knows every passage and claim
    ok     content           tasks 1, pages 3, fragments 3, claims 2, edges 3
    ok     views             17 shipped; yours would lie in [home]/.config/lyra/views
    ok     domain policy     the shipped one; yours would be [home]/.config/lyra/domains.toml
    ok     device            CPU
    ok     embedding model   lyra-encoder-enja-1, built in, reads en ja, 0 B
    ok     stance model      lyra-stance-en-3, built in, reads en, 0 B
    ok     stance model      lyra-stance-enja-3, built in, reads en ja, 0 B
    ok     deciding model    lyra-stance-en-large-2, built in, reads en, 0 B
    note   network           not asked: offline
    --- exit 0
    ");
}

#[test]
fn the_program_and_the_machine_are_named() {
    let home = Home::new();
    home.fill(sea_level);
    let answer = home.run("--offline doctor --json");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    let document = answer.json();
    assert_eq!((&document["ok"], &document["problems"]), (&json!(true), &json!(0)));
    let only = |name| check(&document, name).pop().unwrap();
    let (version, schema) = (env!("CARGO_PKG_VERSION"), graph::SCHEMA_VERSION);
    assert_eq!(only("lyra").1, format!("{version} (schema {schema})"));
    let sqlite = graph::sqlite_info().unwrap().version;
    assert_eq!(only("sqlite").1, format!("{sqlite} with full text"));
    assert!(only("cpu").1.starts_with(std::env::consts::ARCH), "{document}");
    let logs = home.data().join("logs");
    assert!(only("logs").1.starts_with(&format!("{}, 0 files", logs.display())), "{document}");
    #[cfg(unix)]
    assert!(only("free space").1.ends_with('B'), "{document}");
}

#[test]
fn a_broken_configuration_is_a_line_of_the_report() {
    let home = Home::new();
    home.write(".config/lyra/config.toml", "[task]\nmax_page = 3\n");
    let answer = home.run("--offline doctor");
    insta::assert_snapshot!(steady(&answer), @r"
    STATE    WHAT              FOUND
    ─────    ────              ─────
    problem  settings          unknown setting `task.max_page` ([home]/.config/lyra/config.toml:2)
                               hint: did you mean `task.max_pages`?
    note     settings          the rest of this report uses the defaults
    note     data directory    [home]/.local/share/lyra is created when it is first needed
    ok       writer            nobody is writing
    note     database          [home]/.local/share/lyra/lyra.db is empty or not there yet
    ok       views             17 shipped; yours would lie in [home]/.config/lyra/views
    ok       domain policy     the shipped one; yours would be [home]/.config/lyra/domains.toml
    ok       device            CPU
    ok       embedding model   lyra-encoder-enja-1, built in, reads en ja, 0 B
    ok       stance model      lyra-stance-en-3, built in, reads en, 0 B
    ok       stance model      lyra-stance-enja-3, built in, reads en ja, 0 B
    ok       deciding model    lyra-stance-en-large-2, built in, reads en, 0 B
    note     network           not asked: offline
    --- stderr
    error: 1 problem was found
    hint: the report says what to do about each
    --- exit 5
    ");
    let answer = home.run("--offline doctor --json");
    assert_eq!(answer.code, Some(5));
    assert_eq!((&answer.json()["ok"], &answer.json()["problems"]), (&json!(false), &json!(1)));
    assert_eq!(
        serde_json::from_str::<Value>(&answer.stderr).unwrap(),
        json!({ "ok": false, "error": {
            "code": "data",
            "message": "1 problem was found",
            "hint": "the report says what to do about each",
        }})
    );
}

#[test]
fn variables_that_are_no_settings_are_notes() {
    let document =
        Home::new().run_with(("LYRA_TASK_MAXPAGES", "3"), "--offline doctor --json").json();
    assert_eq!(
        check(&document, "environment")[0].1,
        "the variable LYRA_TASK_MAXPAGES is not a setting of Lyra; did you mean LYRA_TASK_MAX_PAGES?"
    );
}

#[test]
fn without_a_home_the_places_are_the_problem() {
    let home = Home::new();
    let answer =
        home.answer(home.command(&["--offline", "doctor"]).env_remove("HOME").output().unwrap());
    insta::assert_snapshot!(steady(&answer), @r"
    STATE    WHAT    FOUND
    ─────    ────    ─────
    problem  places  cannot tell where the configuration folder is: HOME is not set
                     hint: name the file with --config or LYRA_CONFIG
    --- stderr
    error: 1 problem was found
    hint: the report says what to do about each
    --- exit 5
    ");
}

#[test]
fn a_data_directory_that_is_a_file_is_a_problem() {
    let home = Home::new();
    home.write("data", "this is no folder");
    let answer = home.run("--offline doctor --data-dir data --json");
    assert_eq!(answer.code, Some(5));
    assert_eq!(
        check(&answer.json(), "data directory"),
        [(
            "problem".to_owned(),
            format!("{} is not a folder", home.path().join("data").display()),
            "choose a folder with --data-dir".to_owned()
        )]
    );
}

/// A database with several pages of passages, closed, and the numbers of those pages.
fn long_investigation() -> (Home, Vec<usize>) {
    let home = Home::new();
    home.fill(|w| {
        sea_level(w)?;
        (0..60).try_for_each(|n| {
            let text = format!("passage{n} {}", "海面 ".repeat(150));
            passage(w, "a.example.com", &text).map(drop)
        })
    });
    let marker = "海面 海面".as_bytes();
    let content = fs::read(database(&home)).unwrap();
    // A leaf of a table (13) that is full of the text above.
    let full = content.chunks(4096).enumerate().filter(|(_, page)| {
        page[0] == 13 && page.windows(marker.len()).filter(|it| *it == marker).count() > 50
    });
    let pages = full.map(|(number, _)| number + 1).collect();
    (home, pages)
}

fn spoil(home: &Home, pages: &[usize]) -> Vec<u8> {
    let mut content = fs::read(database(home)).unwrap();
    for page in pages {
        content[(page - 1) * 4096..page * 4096].fill(0xa5);
    }
    fs::write(database(home), &content).unwrap();
    content
}

#[test]
fn a_damaged_database_is_reported_and_left_as_it_is() {
    let (home, pages) = long_investigation();
    assert!(pages.len() > 10, "{pages:?}");
    let content = spoil(&home, &pages[3..4]);
    let answer = home.run("--offline doctor --json");
    assert_eq!(answer.code, Some(5));
    let document = answer.json();
    let (state, found, hint) = check(&document, "pages").remove(0);
    assert_eq!(state, "problem");
    assert!(found.contains(&format!("page {}", pages[3])), "{found}");
    assert_eq!(
        hint,
        "copy the file first, then bring what can be read into a new one: `lyra doctor --salvage NEW.db`"
    );
    assert_eq!(
        check(&document, "content")[0].1,
        "tasks 1, pages 63, fragments unknown, claims 2, edges 3"
    );
    assert_eq!(check(&document, "views")[0].1, "not looked at, because of the database");
    assert_eq!(fs::read(database(&home)).unwrap(), content);
}

#[test]
fn what_can_be_read_is_saved_and_can_be_used() {
    let (home, pages) = long_investigation();
    let content = spoil(&home, &pages[3..6]);
    let answer = home.run("--offline doctor --salvage saved/lyra.db");
    assert_eq!(answer.code, Some(0), "{answer}");
    assert_eq!(fs::read(database(&home)).unwrap(), content, "the damaged file is as it was");
    let row = |table: &str| {
        let line = answer.stdout.lines().find(|it| it.starts_with(&format!("{table} "))).unwrap();
        line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let lost: usize = row("fragments")[1].parse().unwrap();
    assert!((3..=15).contains(&lost), "{answer}");
    assert_eq!(
        row("fragments"),
        [(63 - lost).to_string(), lost.to_string(), "0".to_owned(), "0".to_owned()]
    );
    assert_eq!(row("claims"), ["2", "0", "0", "0"]);
    let told = answer.stderr.replace(home.path().to_str().unwrap(), "[home]");
    insta::assert_snapshot!(told, @r"
    Lost: could not be read. Left out: spoiled, or without the row it rests on. Cleared: a reference to a lost row.
    Use it: lyra --data-dir [home]/saved task list
    [home]/.local/share/lyra/lyra.db was left as it is.
    ");
    let listed = home.run("task list --data-dir saved --json").json();
    assert_eq!(listed["tasks"][0]["query"], "海面は上昇したか");
    assert_eq!(home.run("--offline doctor --data-dir saved").code, Some(0));
    let found = home.run("find 海面 --in fragments --limit 100 --data-dir saved --json").json();
    assert_eq!(found["found"].as_array().unwrap().len(), 61 - lost);
}

#[test]
fn a_whole_database_can_be_saved_too() {
    let home = Home::new();
    home.fill(sea_level);
    insta::assert_snapshot!(home.run("--offline doctor --salvage copy.db"), @r"
    TABLE             READ  LOST  LEFT OUT  CLEARED
    ─────             ────  ────  ────────  ───────
    claims               2     0         0        0
    edges                3     0         0        0
    events               1     0         0        0
    fragments            3     0         0        0
    lyra_meta            1     0         0        0
    pages                3     0         0        0
    tasks                1     0         0        0
    work_identifiers     1     0         0        0
    works                1     0         0        0
    --- stderr
    Everything was saved.
    Use it: put [home]/copy.db into a folder of its own as lyra.db, and name that with --data-dir.
    [home]/.local/share/lyra/lyra.db was left as it is.
    --- exit 0
    ");
    let document = home.run("--offline doctor --salvage again.db --json").json();
    assert_eq!((&document["ok"], &document["complete"]), (&json!(true), &json!(true)));
    assert_eq!(document["to"], "again.db");
    assert_eq!(document["stand_in_events"], 0);
}

#[test]
fn a_salvage_that_cannot_be_done_says_why_and_changes_nothing() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("--offline doctor --salvage new.db"), @r"
    --- stderr
    error: there is no database [home]/.local/share/lyra/lyra.db
    hint: name its folder with --data-dir; the file must be called lyra.db
    --- exit 5
    ");
    home.fill(sea_level);
    home.write("taken.db", "mine");
    insta::assert_snapshot!(home.run("--offline doctor --salvage taken.db"), @r"
    --- stderr
    error: taken.db exists already
    hint: choose a new name; nothing was changed
    --- exit 2
    ");
    assert_eq!(fs::read_to_string(home.path().join("taken.db")).unwrap(), "mine");
    let mut content = fs::read(database(&home)).unwrap();
    content[100..].fill(0x5a);
    fs::write(database(&home), &content).unwrap();
    insta::assert_snapshot!(home.run("--offline doctor --salvage new.db"), @r"
    --- stderr
    error: the database is damaged
    cause: database disk image is malformed
    hint: no table of it can be read; restore a copy from before the damage
    --- exit 5
    ");
    assert!(!home.path().join("new.db").exists());
    assert_eq!(fs::read(database(&home)).unwrap(), content);
    fs::write(database(&home), "Dear diary").unwrap();
    insta::assert_snapshot!(home.run("--offline doctor --salvage new.db"), @r"
    --- stderr
    error: [home]/.local/share/lyra/lyra.db is not a SQLite database
    hint: the file was left as it is; choose another folder with --data-dir
    --- exit 5
    ");
}

#[test]
fn a_broken_configuration_does_not_keep_anybody_from_their_data() {
    let home = Home::new();
    home.fill(sea_level);
    home.write(".config/lyra/config.toml", "nonsense");
    let answer = home.run("--offline doctor --salvage new.db");
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(home.path().join("new.db").exists());
    let warning = answer.stderr.lines().next().unwrap();
    assert!(warning.starts_with("warning: settings: "), "{warning}");
}

#[test]
fn while_somebody_writes_the_writer_is_named_and_a_salvage_is_refused() {
    let home = Home::new();
    let first = home.graph();
    let document = home.run("--offline doctor --json").json();
    assert_eq!(document["ok"], true);
    let (state, found, _) = check(&document, "writer").pop().unwrap();
    assert_eq!(state, "note");
    let process = format!("process {}, lyra ", std::process::id());
    assert!(found.starts_with(&process), "{found}");
    assert!(found.ends_with("; others can read meanwhile"), "{found}");
    let answer = home.run("--offline doctor --salvage new.db");
    assert_eq!(answer.code, Some(6), "{answer}");
    drop(first);
    assert_eq!(
        check(&home.run("--offline doctor --json").json(), "writer")[0].1,
        "nobody is writing"
    );
}

/// A sound database, changed in four bytes of its header.
fn home_with_header(offset: usize, bytes: [u8; 4]) -> (Home, Vec<u8>) {
    let home = Home::new();
    drop(home.graph());
    let mut content = fs::read(database(&home)).unwrap();
    content[offset..offset + 4].copy_from_slice(&bytes);
    fs::write(database(&home), &content).unwrap();
    (home, content)
}

#[test]
fn a_database_of_a_newer_lyra_or_of_another_program_is_left_as_it_is() {
    let (home, content) = home_with_header(60, [0, 0, 0x27, 0x0f]);
    let answer = home.run("--offline doctor --json");
    assert_eq!(answer.code, Some(5));
    let (known, path) = (graph::SCHEMA_VERSION, database(&home));
    assert_eq!(
        check(&answer.json(), "database"),
        [(
            "problem".to_owned(),
            format!(
                "{} was written by a newer Lyra (schema 9999, this one knows up to {known})",
                path.display()
            ),
            "update Lyra; the file was left as it is".to_owned()
        )]
    );
    assert_eq!(fs::read(database(&home)).unwrap(), content);

    let (home, content) = home_with_header(68, *b"GPKG");
    insta::assert_snapshot!(steady(&home.run("--offline doctor")), @r"
    STATE    WHAT              FOUND
    ─────    ────              ─────
    ok       settings          the defaults; there is no [home]/.config/lyra/config.toml
    ok       data directory    [home]/.local/share/lyra, can be written
    ok       writer            nobody is writing
    problem  database          [home]/.local/share/lyra/lyra.db belongs to another program
                               hint: the file was left as it is; choose another folder with --data-dir
    note     views             not looked at, because of the database
    ok       domain policy     the shipped one; yours would be [home]/.config/lyra/domains.toml
    ok       device            CPU
    ok       embedding model   lyra-encoder-enja-1, built in, reads en ja, 0 B
    ok       stance model      lyra-stance-en-3, built in, reads en, 0 B
    ok       stance model      lyra-stance-enja-3, built in, reads en ja, 0 B
    ok       deciding model    lyra-stance-en-large-2, built in, reads en, 0 B
    note     network           not asked: offline
    --- stderr
    error: 1 problem was found
    hint: the report says what to do about each
    --- exit 5
    ");
    assert_eq!(fs::read(database(&home)).unwrap(), content);
}

#[test]
fn an_older_database_is_looked_at_and_left_for_a_command_that_uses_it() {
    let (home, content) = home_with_header(60, [0, 0, 0, 1]);
    let document = home.run("--offline doctor --json").json();
    assert_eq!(document["ok"], true);
    let (state, found, _) = check(&document, "schema").pop().unwrap();
    let current = graph::SCHEMA_VERSION;
    assert_eq!(state, "note");
    assert_eq!(found, format!("1; the next command that uses it brings it to {current}"));
    assert_eq!(fs::read(database(&home)).unwrap(), content);
}

#[test]
fn a_large_file_shows_how_far_the_check_has_come() {
    let home = Home::new();
    home.fill(sea_level);
    // Free room behind the last page is not read.
    let file = fs::OpenOptions::new().write(true).open(database(&home)).unwrap();
    file.set_len(100_000_000).unwrap();
    let answer = home.run("--offline doctor");
    assert_eq!(answer.code, Some(0), "{answer}");
    assert_eq!(
        answer.stderr,
        "Checking pages and indexes of 100.0 MB ...\n\
         Checking references of 100.0 MB ...\n\
         Checking full text of 100.0 MB ...\n"
    );
    assert_eq!(home.run("--offline doctor --quiet").stderr, "");
}

#[test]
fn a_file_that_is_no_database_and_a_header_without_a_body_are_problems() {
    let home = Home::new();
    home.write(".local/share/lyra/lyra.db", "Dear diary");
    let document = home.run("--offline doctor --json").json();
    assert_eq!(
        check(&document, "database")[0].1,
        format!("{} is not a SQLite database", database(&home).display())
    );
    let home = Home::new();
    home.fill(sea_level);
    let mut content = fs::read(database(&home)).unwrap();
    content[100..].fill(0x5a);
    fs::write(database(&home), &content).unwrap();
    assert_eq!(
        check(&home.run("--offline doctor --json").json(), "database")[0].1,
        "the database is damaged: database disk image is malformed"
    );
}

#[test]
fn a_users_broken_files_are_problems_and_good_ones_are_named() {
    let home = Home::new();
    home.fill(sea_level);
    let good = "-- Mine\nSELECT NULL AS task_id";
    home.write(".config/lyra/views/v_mine.sql.j2", good);
    home.write(".config/lyra/domains.toml", "");
    insta::assert_snapshot!(steady(&home.run("--offline doctor")), @"
    STATE  WHAT              FOUND
    ─────  ────              ─────
    ok     settings          the defaults; there is no [home]/.config/lyra/config.toml
    ok     data directory    [home]/.local/share/lyra, can be written
    ok     writer            nobody is writing
    ok     database          [home]/.local/share/lyra/lyra.db, 0 B, journal 0 B
    ok     schema            13
    ok     pages             every page and index is whole
    ok     references        every reference leads somewhere
    ok     full text         knows every passage and claim
    ok     content           tasks 1, pages 3, fragments 3, claims 2, edges 3
    ok     views             18, of these 1 yours from [home]/.config/lyra/views
    ok     domain policy     [home]/.config/lyra/domains.toml
    ok     device            CPU
    ok     embedding model   lyra-encoder-enja-1, built in, reads en ja, 0 B
    ok     stance model      lyra-stance-en-3, built in, reads en, 0 B
    ok     stance model      lyra-stance-enja-3, built in, reads en ja, 0 B
    ok     deciding model    lyra-stance-en-large-2, built in, reads en, 0 B
    note   network           not asked: offline
    --- exit 0
    ");
    home.write(".config/lyra/views/v_hub_pages.sql.j2", "SELECT nope");
    home.write(".config/lyra/domains.toml", "[[rules]]\nnonsense = 1\n");
    insta::assert_snapshot!(steady(&home.run("--offline doctor")), @"
    STATE    WHAT              FOUND
    ─────    ────              ─────
    ok       settings          the defaults; there is no [home]/.config/lyra/config.toml
    ok       data directory    [home]/.local/share/lyra, can be written
    ok       writer            nobody is writing
    ok       database          [home]/.local/share/lyra/lyra.db, 0 B, journal 0 B
    ok       schema            13
    ok       pages             every page and index is whole
    ok       references        every reference leads somewhere
    ok       full text         knows every passage and claim
    ok       content           tasks 1, pages 3, fragments 3, claims 2, edges 3
    ok       views             18, of these 1 yours from [home]/.config/lyra/views
    problem  views             v_hub_pages: no such column: nope
                               hint: fix [home]/.config/lyra/views/v_hub_pages.sql.j2; until then the shipped one is used, if there is one
    problem  domain policy     [home]/.config/lyra/domains.toml: unknown key `nonsense` in rules[0] of the domain policy
                               hint: fix the file; until then the shipped policy is used
    ok       device            CPU
    ok       embedding model   lyra-encoder-enja-1, built in, reads en ja, 0 B
    ok       stance model      lyra-stance-en-3, built in, reads en, 0 B
    ok       stance model      lyra-stance-enja-3, built in, reads en ja, 0 B
    ok       deciding model    lyra-stance-en-large-2, built in, reads en, 0 B
    note     network           not asked: offline
    --- stderr
    error: 2 problems were found
    hint: the report says what to do about each
    --- exit 5
    ");
}

/// The program under test is built without the feature.
#[cfg(not(feature = "cuda"))]
#[test]
fn a_gpu_that_was_asked_for_and_cannot_be_had_is_a_note() {
    let checks = Home::new().run("--set models.device=cuda doctor --json").json();
    let device = checks["checks"].as_array().unwrap().iter().find(|it| it["name"] == "device");
    assert_eq!(
        *device.unwrap(),
        serde_json::json!({
            "name": "device", "state": "note",
            "found": "CPU; the GPU cannot be used: this program was built without the feature `cuda`",
        })
    );
}
