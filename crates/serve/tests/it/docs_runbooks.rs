//! The runbooks in `docs/runbooks`: every command in them works as it is printed.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use evidence::{AuthPriority, ClaimId, EdgeId, TaskId};
use graph::NewAuth;

use crate::support::Home;
use crate::world::{claim, look_at, supports, task};

/// A home in which everything that runbooks speak of is there.
struct Kept {
    home: Home,
    task: TaskId,
    claim: ClaimId,
    edge: EdgeId,
}

impl Kept {
    fn new() -> Self {
        let home = Home::new();
        home.write(".config/lyra/config.toml", "[fetch]\noffline = true\n");
        let page = "<html lang=en><title>Lead</title><main><p>The report found lead in the tap water of 12 of 40 houses \
                    that were built before 1970.</p></main>";
        home.write("saved/page.html", page);
        let (task, claim, edge) = home.fill(|w| {
            let task = task(w, "Is there lead in tap water?")?;
            let claim = claim(w, task, "There is lead in tap water.", None, Some(0.8))?;
            let edges = supports(w, claim, "passage", 41, 0.9)?;
            look_at(w, &edges[..40], |n| n % 3 != 0)?;
            w.queue_auth(&NewAuth {
                task_id: Some(task),
                url: "https://protected.example.org/report".to_owned(),
                domain: "protected.example.org".to_owned(),
                auth_type: "login".to_owned(),
                priority: AuthPriority::High,
            })?;
            Ok((task, claim, edges[40]))
        });
        Self { home, task, claim, edge }
    }

    /// Runs a line as a shell would, with the ids in place of the words that stand for them.
    fn run(&self, line: &str) {
        let line = line
            .replace("TASK", &self.task.to_string())
            .replace("CLAIM", &self.claim.to_string())
            .replace("EDGE", &self.edge.to_string());
        let program = Path::new(env!("CARGO_BIN_EXE_lyra"));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &line]).current_dir(self.home.path()).env("HOME", self.home.path());
        shell.env("PATH", format!("{}:/usr/bin:/bin", program.parent().unwrap().display()));
        let answer = self.home.answer(shell.output().unwrap());
        assert_eq!(answer.code, Some(0), "{line}\n{answer}");
    }
}

/// The lines of a document's blocks of commands.
fn commands(document: &str) -> Vec<&str> {
    let blocks = document.split("```sh\n").skip(1);
    blocks.flat_map(|it| it.split("```").next().unwrap_or_default().lines()).collect()
}

fn all_work(name: &str, expected: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/runbooks");
    let document = fs::read_to_string(folder.join(name)).unwrap();
    let commands = commands(&document);
    assert_eq!(commands.len(), expected, "{commands:?}");
    let kept = Kept::new();
    for line in commands {
        kept.run(line);
    }
}

#[test]
fn the_commands_about_pages_that_need_a_person_work() {
    all_work("people.md", 5);
}

#[test]
fn the_commands_about_the_scheduler_work() {
    all_work("scheduler.md", 7);
}

#[test]
fn the_commands_about_domains_work() {
    all_work("domains.md", 12);
}

#[test]
fn the_commands_about_calibration_work() {
    all_work("calibration.md", 13);
}
