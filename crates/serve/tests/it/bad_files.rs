//! Files that are none, or not what their name says: pipes, binary files, odd names, damaged databases.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use evidence::{Budget, TaskId};
use graph::NewTask;

use crate::mcp_client::home_with_manual;
use crate::support::{Answer, Home};

/// Makes a pipe that nobody writes to.
fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
}

/// Runs a command that must not wait for ever.
fn run(home: &Home, line: &str) -> Answer {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let mut command = home.command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("`lyra {line}` waits for ever");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    home.answer(child.wait_with_output().unwrap())
}

#[test]
fn a_pipe_in_place_of_a_file_is_named_and_not_waited_for() {
    let home = Home::new();
    pipe(&home.path().join("page.html"));
    insta::assert_snapshot!(run(&home, "read page.html"), @"
    --- stderr
    error: cannot read page.html: not a regular file: a pipe
    hint: name a file, an address that begins with https://, or `-` for stdin
    --- exit 2
    ");
    insta::assert_snapshot!(run(&home, "read /dev/zero"), @"
    --- stderr
    error: cannot read /dev/zero: not a regular file: a device
    hint: name a file, an address that begins with https://, or `-` for stdin
    --- exit 2
    ");
    insta::assert_snapshot!(run(&home, "--config page.html task list"), @"
    --- stderr
    error: cannot read the configuration file [home]/page.html
    cause: not a regular file: a pipe
    hint: name another file with --config
    --- exit 4
    ");
    insta::assert_snapshot!(run(&home, "import page.html"), @"
    --- stderr
    error: cannot open page.html: not a regular file: a pipe
    hint: name a file that `lyra export` wrote
    --- exit 2
    ");
    let socket = home.path().join("socket");
    let _held = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    insta::assert_snapshot!(run(&home, "read socket"), @"
    --- stderr
    error: cannot read socket: not a regular file: a socket
    hint: name a file, an address that begins with https://, or `-` for stdin
    --- exit 2
    ");
}

#[test]
fn a_pipe_in_a_folder_of_models_or_views_is_named_and_not_waited_for() {
    let home = Home::new();
    let parity = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/parity/bert");
    let folder = home.path().join("bert");
    fs::create_dir_all(&folder).unwrap();
    for file in ["config.json", "model.safetensors"] {
        fs::copy(parity.join(file), folder.join(file)).unwrap();
    }
    pipe(&folder.join("tokenizer.json"));
    insta::assert_snapshot!(run(&home, "models add bert"), @"
    --- stderr
    error: cannot read tokenizer.json of bert
    cause: not a regular file: a pipe
    hint: check that the file may be read by you; nothing was added
    --- exit 2
    ");
    fs::remove_file(folder.join("tokenizer.json")).unwrap();
    let huge = fs::File::create(folder.join("tokenizer.json")).unwrap();
    huge.set_len(6_000_000_000).unwrap();
    insta::assert_snapshot!(run(&home, "models add bert"), @"
    --- stderr
    error: cannot read tokenizer.json of bert
    cause: it has more than 67108864 bytes
    hint: check that the file may be read by you; nothing was added
    --- exit 2
    ");

    let home = Home::new();
    drop(home.graph());
    pipe(&home.path().join(".config/lyra/views/v_mine.sql.j2"));
    let views = run(&home, "views");
    assert_eq!(views.code, Some(0), "{views}");
    assert!(views.stderr.contains("v_mine: cannot be read: not a regular file: a pipe"), "{views}");
}

#[test]
fn a_pipe_among_manuals_or_in_the_archive_is_named_and_not_waited_for() {
    let home = home_with_manual();
    pipe(&home.data().join("manuals/handbook/pipe.md"));
    pipe(&home.data().join("archive/pipe.warc.gz"));
    let found = run(&home, "manual find probation");
    assert_eq!(found.code, Some(0), "{found}");
    assert!(found.stdout.starts_with("handbook/leave.md#L9-12"), "{found}");
    insta::assert_snapshot!(run(&home, "manual ls --skipped"), @"
    FILE              WHY
    ────              ───
    handbook/pipe.md  cannot be read
    --- exit 0
    ");
    insta::assert_snapshot!(run(&home, "archive verify"), @"
    --- stderr
    Checking pipe.warc.gz (1 of 1).
    error: cannot access [home]/.local/share/lyra/archive/pipe.warc.gz
    cause: not a regular file: a pipe
    hint: `lyra config path` shows which folders are used
    --- exit 5
    ");
}

#[test]
fn manuals_with_odd_names_are_found_and_read_or_skipped_with_the_reason() {
    let home = home_with_manual();
    let folder = home.data().join("manuals/handbook");
    for name in
        ["Policy: leave.md", "back\\slash.md", "new\nline.md", "bell\u{7}.md", "turned\u{202e}.md"]
    {
        fs::write(
            folder.join(name),
            format!("# Sabbatical\n\nA sabbatical is a year in {name:?}.\n"),
        )
        .unwrap();
    }
    let found = home.run("manual find sabbatical --json").json();
    let mut places: Vec<&str> = found["hits"]["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["ref"].as_str().unwrap())
        .collect();
    places.sort_unstable();
    assert_eq!(places, ["handbook/Policy: leave.md#L1", "handbook/back\\slash.md#L1"]);
    let trace = found["trace_id"].as_str().unwrap();
    let again = home.run(&format!("manual hits {trace} --json"));
    assert_eq!(again.code, Some(0), "{again}");
    assert_eq!(again.json()["total"], 2);
    for place in places {
        let read = home.run_arguments(&["manual", "read", place]);
        assert_eq!(read.code, Some(0), "{read}");
        assert!(read.stdout.contains("A sabbatical is a year"), "{read}");
    }
    insta::assert_snapshot!(home.run("manual ls --skipped"), @r#"
    FILE                        WHY
    ────                        ───
    handbook/bell\u{7}.md       a control character in the name
    handbook/new\u{a}line.md    a control character in the name
    handbook/turned\u{202e}.md  an invisible character in the name
    --- exit 0
    "#);
}

#[test]
fn files_that_hold_no_text_are_named_with_a_hint_and_are_errors() {
    let home = Home::new();
    let told = |name: &str, bytes: &[u8]| {
        fs::write(home.path().join(name), bytes).unwrap();
        let answer = home.run(&format!("read {name}"));
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""), "{answer}");
        assert_eq!(home.run(&format!("read {name} --json")).code, Some(2));
        answer.stderr.lines().next().unwrap().to_owned()
    };
    let docx =
        b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0[Content_Types].xml\0\0word/document.xml\x8f\x02";
    assert_eq!(
        told("memo.docx", docx),
        "error: cannot read memo.docx: it is a Word document (docx), which is not read"
    );
    assert_eq!(
        told("a.zip", b"PK\x03\x04\x14\0a.txt"),
        "error: cannot read a.zip: it is an archive (ZIP), which is not read"
    );
    assert_eq!(
        told("photo.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        "error: cannot read photo.txt: it is a picture (PNG), which is not read"
    );
    assert_eq!(
        told("lyra.md", b"\x7fELF\x02\x01\x01"),
        "error: cannot read lyra.md: it is a program (ELF), which is not read"
    );
    let noise: Vec<u8> =
        (0..4000_u32).map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    assert_eq!(
        told("noise", &noise),
        "error: cannot read noise: it is a binary file of an unknown kind, which is not read"
    );
    assert_eq!(
        told("broken.pdf", b"%PDF-1.7\n\x8f\x02 nothing of a file"),
        "error: cannot read broken.pdf: the file is damaged: no page was found"
    );
    insta::assert_snapshot!(home.run("read memo.docx"), @"
    --- stderr
    error: cannot read memo.docx: it is a Word document (docx), which is not read
    hint: HTML, PDF, Office documents (docx, pptx, xlsx, odt), EPUB, eml, Markdown, text, JSON, feeds and sitemaps are read; save it as one of these
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with(("LANG", "ja_JP.UTF-8"), "read memo.docx"), @"
    --- stderr
    エラー: memo.docx を読めません: Word 文書（docx）は読めない形式です
    ヒント: 読めるのは HTML、PDF、Office 文書（docx、pptx、xlsx、odt）、EPUB、eml、Markdown、テキスト、JSON、フィード、サイトマップです。いずれかの形式で保存し直してください
    --- exit 2
    ");
}

fn ask(home: &Home, question: &str) -> TaskId {
    let new = NewTask {
        query: question.to_owned(),
        hypothesis: None,
        language: None,
        budget: Budget { max_pages: 120, max_seconds: 3600 },
        config: serde_json::json!({}),
    };
    home.fill(|w| w.create_task(&new))
}

#[test]
fn a_report_as_json_escapes_what_drives_a_terminal_and_loses_nothing() {
    let home = Home::new();
    let question = "Is \u{9b}31m red\u{202e} safe?";
    let task = ask(&home, question);
    for line in [format!("report {task} --json"), format!("report {task} --format json")] {
        let report = home.run(&line);
        assert_eq!(report.code, Some(0), "{report}");
        assert!(report.stdout.contains("Is \\u009b31m red\\u202e safe?"), "{report}");
        assert!(!report.stdout.contains(['\u{9b}', '\u{202e}']), "{report}");
    }
    for format in ["html", "md", "text"] {
        let report = home.run(&format!("report {task} --format {format}"));
        assert_eq!(report.code, Some(0), "{report}");
        assert!(!report.stdout.contains(['\u{9b}', '\u{202e}']), "{report}");
    }
}

#[test]
fn text_that_is_no_text_in_a_database_is_damage() {
    let home = Home::new();
    ask(&home, "Is QQQQ safe?");
    let database = home.data().join("lyra.db");
    let mut bytes = fs::read(&database).unwrap();
    let places: Vec<usize> =
        bytes.windows(4).enumerate().filter(|it| it.1 == b"QQQQ").map(|it| it.0).collect();
    for at in places {
        bytes[at..at + 4].copy_from_slice(b"\xff\xfe\xff\xfe");
    }
    fs::write(&database, bytes).unwrap();
    insta::assert_snapshot!(home.run("task list"), @"
    --- stderr
    error: the database is damaged
    cause: invalid utf-8 sequence of 1 bytes from index 3 at index 1
    hint: copy the file first, then bring what can be read into a new one: `lyra doctor --salvage NEW.db`
    --- exit 5
    ");
}

/// A manual whose words stand on one line, as converters write them.
#[cfg(target_os = "linux")]
#[test]
fn a_manual_of_one_long_line_takes_no_more_than_a_few_times_its_size() {
    let home = Home::new();
    let folder = home.data().join("manuals/m");
    fs::create_dir_all(&folder).unwrap();
    let text = "overtime needs the approval of a manager and is paid with the next salary "
        .repeat(203_000);
    fs::write(folder.join("one.md"), &text[..15_000_000]).unwrap();
    let mut command = home.command(&["manual", "find", "approval", "--json"]);
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let code = loop {
        let now = fs::read_to_string(&status).unwrap_or_default();
        let held = now.lines().find_map(|it| it.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        most = most.max(held.map_or(0, |it| it.parse::<u64>().unwrap()) / 1024);
        match child.try_wait().unwrap() {
            Some(status) => break status.code(),
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    assert_eq!(code, Some(0));
    assert!((20..300).contains(&most), "{most} MB");
}
