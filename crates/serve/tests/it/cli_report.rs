//! `lyra report` in the formats that people hand on, and what happens where a browser is missing or hangs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use evidence::{Stance, TaskId};

use crate::support::Home;
use crate::world::{claim, judge, passage, task};

fn with_task() -> (Home, TaskId) {
    let home = Home::new();
    let task = home.fill(|w| {
        let task = task(w, "Do pupils sleep longer?")?;
        let first = passage(w, "a.example", "Pupils sleep longer.")?;
        let second = passage(w, "b.example", "Pupils do not sleep longer.")?;
        let claim = claim(w, task, "Pupils sleep longer.", Some(first), None)?;
        judge(w, first, claim, Stance::Supports, 0.9)?;
        judge(w, second, claim, Stance::Refutes, 0.8)?;
        Ok(task)
    });
    (home, task)
}

/// A folder with a program called chromium that is no browser.
fn pretending(home: &Home, script: &str) -> PathBuf {
    let program = home.write("bin/chromium", &format!("#!/bin/sh\n{script}\n"));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    program.parent().unwrap().to_owned()
}

#[test]
fn each_ending_says_how_to_write() {
    let (home, task) = with_task();
    let begins = [
        ("r.ris", "TY  - ELEC\r\n"),
        ("r.bib", "@misc{"),
        ("r.csl.json", "[\n  {\n    \"id\":"),
        ("r.csv", "\u{feff}Source,Year,Document,"),
        ("r.json", "{\n  \"format\":"),
    ];
    for (name, beginning) in begins {
        let written = home.run(&format!("report {task} --out {name}"));
        // The answer is printed all the same.
        let note = format!("written to {name}\n");
        assert_eq!((written.code, written.stderr), (Some(0), note), "{name}");
        assert_eq!(written.stdout, home.run(&format!("report {task}")).stdout);
        let text = std::fs::read_to_string(home.path().join(name)).unwrap();
        assert!(text.starts_with(beginning), "{name}: {text}");
    }
    let unknown = home.run(&format!("report {task} --out r.odt"));
    assert_eq!(unknown.code, Some(2), "{unknown}");
    assert!(unknown.stderr.contains(".csl.json"), "{unknown}");
}

#[test]
fn with_out_and_json_a_program_gets_all_of_it() {
    let (home, task) = with_task();
    let written = home.run(&format!("report {task} --out r.html --json"));
    assert_eq!(written.json()["task_id"], task.to_string());
    assert!(std::fs::read_to_string(home.path().join("r.html")).unwrap().contains("<html"));
}

#[test]
fn while_a_browser_prints_it_says_so() {
    let (home, task) = with_task();
    let folder = pretending(
        &home,
        "/bin/sleep 4; for it in \"$@\"; do case $it in --print-to-pdf=*) echo %PDF-1 > \"${it#*=}\";; esac; done",
    );
    let line = format!("report {task} --out r.pdf");
    let answer = home.run_with(("PATH", folder.to_str().unwrap()), &line);
    assert_eq!(answer.code, Some(0), "{answer}");
    assert!(
        answer.waiting.starts_with("… printing the PDF with chromium · "),
        "{}",
        answer.waiting
    );
}

#[test]
fn without_a_browser_a_pdf_names_what_to_install() {
    let (home, task) = with_task();
    let nowhere = home.path().join("nowhere");
    let answer =
        home.run_with(("PATH", nowhere.to_str().unwrap()), &format!("report {task} --out r.pdf"));
    assert_eq!(answer.code, Some(3), "{answer}");
    assert!(answer.stderr.contains("there is no browser to print a PDF with"), "{answer}");
    assert!(answer.stderr.contains("install Chromium, Chrome or Edge"), "{answer}");
    assert!(!home.path().join("r.pdf").exists());
}

#[test]
fn a_program_in_the_folder_one_is_in_is_no_browser() {
    let (home, task) = with_task();
    let folder = pretending(&home, "echo ran > \"$HOME/ran\"");
    let mut command = home.command(&["report", &task.to_string(), "--out", "r.pdf"]);
    command.current_dir(&folder).env("PATH", ".::/nowhere");
    assert_eq!(command.stderr(Stdio::null()).status().unwrap().code(), Some(3));
    assert!(!home.path().join("ran").exists());
}

#[test]
fn a_browser_that_writes_something_else_is_no_pdf() {
    let (home, task) = with_task();
    let folder = pretending(
        &home,
        "for it in \"$@\"; do case $it in --print-to-pdf=*) echo no > \"${it#*=}\";; esac; done",
    );
    let line = format!("report {task} --out r.pdf");
    let answer = home.run_with(("PATH", folder.to_str().unwrap()), &line);
    assert_eq!(answer.code, Some(1), "{answer}");
    assert!(answer.stderr.contains("chromium: what it wrote is no PDF"), "{answer}");
    assert!(!home.path().join("r.pdf").exists());
}

/// The second Ctrl-C, or the patience of the first, ends a command; its browser must not stay behind.
#[test]
fn a_browser_that_hangs_ends_with_the_command() {
    let (home, task) = with_task();
    let folder = pretending(&home, "echo $$ > \"$HOME/pid\"; exec /bin/sleep 300");
    let mut running = home
        .command(&["report", &task.to_string(), "--out", "r.pdf"])
        .env("PATH", folder)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let pid = home.path().join("pid");
    wait_until(|| std::fs::read_to_string(&pid).is_ok_and(|it| it.ends_with('\n')));
    let browser = std::fs::read_to_string(&pid).unwrap().trim().to_owned();
    let process = Path::new("/proc").join(browser);
    assert!(process.exists());
    let sent =
        Command::new("/bin/kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(running.wait().unwrap().code(), Some(130));
    wait_until(|| !process.exists());
    assert!(!home.path().join("r.pdf").exists());
}

fn wait_until(mut it: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !it() {
        assert!(Instant::now() < deadline, "it did not come about");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_real_browser_prints_a_pdf() {
    let Some(path) = testkit::browser() else { return };
    let (home, task) = with_task();
    let temporary = home.path().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let mut command = home.command(&["report", &task.to_string(), "--out", "r.pdf"]);
    let printed = command.env("PATH", path).env("TMPDIR", &temporary).status().unwrap();
    assert_eq!(printed.code(), Some(0));
    let pdf = std::fs::read(home.path().join("r.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF-"));
    let left: Vec<_> = std::fs::read_dir(&temporary).unwrap().collect();
    assert!(left.is_empty(), "the profile is deleted: {left:?}");
}
