//! `docs/tasks.md`: what a new user wants to do is done by the commands that stand there, and `--help` names all of them.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Home;

/// One thing to do.
struct Task<'a> {
    title: &'a str,
    commands: Vec<&'a str>,
    /// What the commands print.
    shows: Vec<&'a str>,
}

fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tasks.md");
    fs::read_to_string(path).unwrap()
}

fn tasks(document: &str) -> Vec<Task<'_>> {
    let sections = document.split("\n## ").skip(1);
    let task = |section| {
        let (title, rest): (&str, &str) = str::split_once(section, '\n').unwrap();
        let (commands, after) = rest.split_once("```sh\n").unwrap().1.split_once("```").unwrap();
        let shows = after.split_once("Shows: ").unwrap().1;
        Task {
            title,
            commands: commands.lines().collect(),
            shows: shows.split('`').skip(1).step_by(2).collect(),
        }
    };
    sections.map(task).collect()
}

/// A home with a few documents that are nobody's example.
fn home() -> Home {
    let home = Home::new();
    home.write(
        "documents/page.html",
        "<html lang=en><title>Green tea and blood pressure</title><main><h1>Green tea and blood pressure</h1>\
         <p>In a trial of 120 adults, green tea lowered systolic blood pressure by 2 mmHg.</p></main></html>",
    );
    home.write(
        "documents/letter.txt",
        "Green tea did not lower blood pressure in 80 adults who drank three cups a day.\n",
    );
    home.write(
        "documents/ja.md",
        "# 緑茶と血圧\n\n緑茶を毎日飲んだ人では、血圧が平均2mmHg下がった。\n",
    );
    home.write(
        "manuals/office/leave.md",
        "# Leave\n\n## Parental leave\n\nParental leave is up to twelve weeks. Ask two months before.\n",
    );
    home
}

fn in_shell(home: &Home, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_lyra")).parent().unwrap().display();
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(home.path()).env_clear().env("HOME", home.path());
    shell.env("PATH", format!("{program}:/usr/bin:/bin")).env("LYRA_DATA_DIR", "./demo");
    let answer = home.answer(shell.output().unwrap());
    assert_eq!(answer.code, Some(0), "{line}\n{answer}");
    format!("{}{}", answer.stdout, answer.stderr)
}

#[test]
fn every_task_is_done_by_its_commands() {
    let (home, document) = (home(), document());
    let tasks = tasks(&document);
    assert_eq!(tasks.len(), 20);
    for task in tasks {
        assert!((1..=3).contains(&task.commands.len()), "{}", task.title);
        assert!(!task.shows.is_empty(), "{}", task.title);
        let printed: String = task.commands.iter().map(|line| in_shell(&home, line)).collect();
        for text in task.shows {
            assert!(printed.contains(text), "{}: no {text:?} in\n{printed}", task.title);
        }
    }
    assert!(fs::read_to_string(home.path().join("report.html")).unwrap().contains("</html>"));
}

#[test]
fn help_names_every_command_and_option_that_the_tasks_need() {
    let (home, document) = (Home::new(), document());
    let overview = home.run("--help").stdout;
    for line in tasks(&document).iter().flat_map(|it| &it.commands) {
        let words: Vec<&str> = line.split(['"', ' ']).filter(|it| !it.is_empty()).collect();
        // A question is asked without a command; its options are those of `research`.
        let asks = line.starts_with("lyra \"");
        let path: Vec<&str> = match asks {
            true => vec!["research"],
            false => words[1..]
                .iter()
                .skip_while(|it| it.starts_with("--") || it.starts_with("./"))
                .take_while(|it| it.bytes().all(|it| it.is_ascii_lowercase() || it == b'-'))
                .take_while(|it| !it.starts_with("--"))
                .copied()
                .collect(),
        };
        let row = format!("\n  {} ", path[0]);
        assert!(overview.contains(&row), "{line}: {row:?} is not in\n{overview}");
        let deepest = (1..=path.len())
            .rev()
            .map(|length| home.run(&format!("{} --help", path[..length].join(" "))))
            .find(|answer| answer.code == Some(0))
            .unwrap();
        for option in words.iter().filter(|it| it.starts_with("--")) {
            assert!(deepest.stdout.contains(option), "{line}: {option} is not in\n{deepest}");
        }
    }
}
