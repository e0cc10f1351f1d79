//! What a person sees while a command works: on a terminal (a real pseudo terminal) and in a pipe.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use testweb::{LlmDialect, LlmMode, LlmServer};

use crate::support::{Home, JAPANESE};

const QUESTION: &str = "Does working from home raise productivity?";

/// A home with a document that answers the question, and one beside it.
fn with_library() -> Home {
    let home = Home::new();
    home.write(
        "library/a.md",
        "# Review\n\nWorking from home raises the productivity of office workers.",
    );
    home.write("library/b.md", "# Doubts\n\nWorking from home reduced the productivity of clerks.");
    home
}

/// A language model that never answers, and the flags that make a search wait for it so long.
fn silent_model(seconds: u32) -> (LlmServer, Vec<String>) {
    let server = LlmServer::start(LlmDialect::Ollama);
    server.answer_with(LlmMode::Hang);
    let settings = [
        format!("llm.url={}", server.url()),
        format!("llm.timeout_s={seconds}"),
        "search.llm_share=1.0".to_owned(),
    ];
    let flags = settings.into_iter().flat_map(|it| ["--set".to_owned(), it]).collect();
    (server, flags)
}

/// The program on a pseudo terminal of `columns`, by `script` of util-linux.
fn on_a_terminal(home: &Home, columns: u32, language: &str, arguments: &[&str]) -> Command {
    let quoted: Vec<String> = arguments.iter().map(|it| format!("'{it}'")).collect();
    let line = format!(
        "stty cols {columns} rows 40; exec '{}' {}",
        env!("CARGO_BIN_EXE_lyra"),
        quoted.join(" ")
    );
    let mut command = Command::new("script");
    command
        .args(["--quiet", "--return", "--echo", "never", "--command", &line, "/dev/null"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("SHELL", "/bin/sh")
        .env("HOME", home.path())
        .env("LANG", language)
        .env("TERM", "xterm-256color")
        .env("TZ", "UTC")
        .current_dir(home.path());
    command
}

/// What stands on a terminal after this was written to it, as far as the program steers one.
fn screen(written: &str) -> Vec<String> {
    let (mut lines, mut row, mut column) = (vec![Vec::<char>::new()], 0, 0);
    let mut rest = written.chars();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => {
                row += 1;
                if row == lines.len() {
                    lines.push(Vec::new());
                }
            }
            '\u{1b}' => {
                assert_eq!(rest.next(), Some('['));
                let mut numbers = String::new();
                let order = loop {
                    match rest.next().unwrap() {
                        letter if letter.is_ascii_alphabetic() => break letter,
                        digit => numbers.push(digit),
                    }
                };
                match order {
                    'J' => {
                        lines.truncate(row + 1);
                        lines[row].truncate(column);
                    }
                    'A' => row -= numbers.parse::<usize>().unwrap(),
                    // Bold and colours.
                    'm' => {}
                    other => panic!("{other}"),
                }
            }
            c => {
                let line = &mut lines[row];
                line.resize(column.max(line.len()), ' ');
                match line.get_mut(column) {
                    Some(place) => *place = c,
                    None => line.push(c),
                }
                column += 1;
            }
        }
    }
    lines.into_iter().map(String::from_iter).collect()
}

#[test]
fn at_a_terminal_each_search_is_one_line_and_what_is_at_work_comes_and_goes() {
    if !testkit::is_installed("script") {
        return;
    }
    for (columns, language, looking, first, verdict) in [
        (100, "C.UTF-8", "search 1: looking for claims, ", "search 1  Does working", "Mixed: "),
        (60, "C.UTF-8", "search 1: looking for claims, ", "search 1  Does working", "Mixed: "),
    ] {
        let home = with_library();
        let (_server, flags) = silent_model(2);
        let mut arguments = vec!["research", QUESTION, "--library", "library", "--offline"];
        arguments.extend(flags.iter().map(String::as_str));
        let output = on_a_terminal(&home, columns, language, &arguments).output().unwrap();
        let written = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{written}");
        assert!(written.contains(looking), "{written}");
        let screen = screen(&written);
        let shown = screen.join("\n");
        assert!(!shown.contains(looking), "{shown}");
        assert_eq!(screen.iter().filter(|it| it.starts_with(first)).count(), 1, "{shown}");
        assert!(screen.iter().any(|it| it.starts_with(verdict)), "{shown}");
        assert!(screen.len() < 60, "{shown}");
        let searches = screen.iter().filter(|it| it.starts_with("search "));
        let wide: Vec<_> = searches.filter(|it| it.chars().count() > columns as usize).collect();
        assert_eq!(wide, [] as [&String; 0]);
    }
}

#[test]
fn ctrl_c_takes_the_line_away_and_says_how_to_go_on() {
    if !testkit::is_installed("script") {
        return;
    }
    let home = with_library();
    let (_server, flags) = silent_model(120);
    let mut arguments = vec!["research", QUESTION, "--library", "library", "--offline"];
    arguments.extend(flags.iter().map(String::as_str));
    let mut command = on_a_terminal(&home, 100, "C.UTF-8", &arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut written = Vec::new();
    let mut part = [0; 4_096];
    while !String::from_utf8_lossy(&written).contains("looking for claims") {
        let read = out.read(&mut part).unwrap();
        assert!(read > 0, "{}", String::from_utf8_lossy(&written));
        written.extend(&part[..read]);
    }
    child.stdin.take().unwrap().write_all(b"\x03").unwrap();
    out.read_to_end(&mut written).unwrap();
    let code = child.wait().unwrap().code();
    let written = String::from_utf8(written).unwrap();
    assert_eq!(code, Some(130), "{written}");
    let shown = screen(&written).join("\n");
    assert!(!shown.contains("looking for claims"), "{shown}");
    assert!(shown.contains("error: interrupted\nhint: "), "{shown}");
    let command = shown.split_once("go on with `lyra ").unwrap().1.split_once('`').unwrap().0;
    // What is printed works as it is printed.
    drop(_server);
    let resumed = home.run(command);
    assert_eq!(resumed.code, Some(0), "{resumed}");
}

#[test]
fn in_a_pipe_a_line_says_what_is_waited_for() {
    let home = with_library();
    let (_server, flags) = silent_model(4);
    let mut arguments = vec!["research", QUESTION, "--library", "library", "--offline"];
    arguments.extend(flags.iter().map(String::as_str));
    let answer = home.run_arguments(&arguments);
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(answer.waiting.contains("… search 1: looking for claims, 0 of "), "{}", answer.waiting);
    assert!(!answer.stdout.contains('…'), "{answer}");
    let mut japanese = home.command(&arguments);
    let japanese = home.answer(
        japanese.env(JAPANESE.0, JAPANESE.1).env("LYRA_OUTPUT_LANGUAGE", "ja").output().unwrap(),
    );
    assert!(japanese.waiting.contains("… 検索 1: 主張を抽出中 0/"), "{}", japanese.waiting);
}

#[test]
fn quiet_and_json_say_nothing_of_it() {
    let home = with_library();
    let (_server, flags) = silent_model(4);
    for flag in ["--quiet", "--json"] {
        let mut arguments = vec!["research", QUESTION, "--library", "library", "--offline", flag];
        arguments.extend(flags.iter().map(String::as_str));
        let answer = home.run_arguments(&arguments);
        assert_eq!((answer.code, answer.waiting.as_str()), (Some(0), ""), "{answer}");
    }
}
