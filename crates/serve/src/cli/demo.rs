//! `lyra demo`: a whole investigation of a small bundled library, live.

mod documents;

use std::path::{Path, PathBuf};

use clap::Args;
use planner::Plan;
use report::Language;
use research::calls::TaskConfig;
use serde::Serialize;

use super::report::{gathered, shown, to_screen};
use super::research::{Answer, conduct};
use crate::failure::Failure;
use crate::session::Session;
use crate::ui::{Call, quoted};
use crate::web::{self, Opening};
use crate::words::say;

/// Question and hypothesis, asked one after the other: both are answered from documents in both languages.
const QUESTIONS: [(&str, &str); 2] = [
    (
        "Do pupils sleep longer when school starts later?",
        "Pupils sleep longer when school starts later.",
    ),
    (
        "学校の始業を遅らせると生徒の睡眠時間は長くなるか",
        "学校の始業を遅らせると、生徒の睡眠時間は長くなる。",
    ),
];

/// What a careful person would also look for.
const WISHED: [&str; 2] =
    ["surveys of parents and teachers about sleep", "retracted studies of school start"];

/// See a whole investigation of a small invented library
///
/// Reads about thirty short documents in English and Japanese that agree, disagree, copy each other, are
/// outdated, retracted or hostile, and writes two reports: one question is asked in English, one in
/// Japanese, and each is answered from both languages. Needs no network; your own data is not touched.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra demo
  lyra demo --web
  lyra demo --keep ./demo

Next: `lyra research \"your question\" --library ./documents`.")]
pub(crate) struct Arguments {
    /// Print the whole reports: as text on a terminal, as Markdown elsewhere
    #[arg(long)]
    full: bool,
    /// Keep the library and the graph in this folder, to go on exploring them
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Watch it on the page (`lyra web`) instead
    #[arg(long, conflicts_with = "full")]
    web: bool,
    /// With --web: print the address and open no browser
    #[arg(long, requires = "web")]
    no_open: bool,
}

impl Arguments {
    /// Runs in a data directory of its own, which `open` makes a session for.
    pub(crate) fn run(
        &self,
        open: impl FnOnce(&Path) -> Result<Session, Failure>,
    ) -> Result<(), Failure> {
        match &self.keep {
            Some(folder) => {
                let database = folder.join("lyra.db");
                if database.exists() {
                    let message = format!("{} exists already", database.display());
                    return Err(Failure::bad_input(message).hint(|w| &w.hint.empty_folder));
                }
                std::fs::create_dir_all(folder)?;
                let folder = folder.canonicalize()?;
                let session = open(&folder)?;
                *session.ui.call() = Call::default().option("--data-dir", Some(folder.as_os_str()));
                if self.web {
                    return self.on_page(session, &folder);
                }
                session.run("demo", |session| self.show(session, &folder))
            }
            None => {
                let folder = tempfile::tempdir()?;
                let path = folder.path();
                if self.web {
                    return self.on_page(open(path)?, path);
                }
                open(path)?.run("demo", |session| self.show(session, path))
            }
        }
    }

    /// Both investigations on the page, one after the other.
    fn on_page(&self, session: Session, folder: &Path) -> Result<(), Failure> {
        let library = folder.join("library");
        documents::write(&library)?;
        let opening = Opening {
            open_browser: !self.no_open,
            path: "/".to_owned(),
            plans: QUESTIONS.map(|asked| plan(asked, &library)).into(),
            library: vec![library],
            ..Opening::default()
        };
        session.ui.note(session.ui.words().web.demo.as_str());
        session.run_to_end("demo", |session| web::serve(session, opening))
    }

    fn show(&self, session: &Session, folder: &Path) -> Result<(), Failure> {
        let library = folder.join("library");
        documents::write(&library)?;
        session.refuse_network()?;
        let ui = &session.ui;
        let own = ui.language();
        let mut languages = [Language::En, Language::Ja];
        let mut questions = QUESTIONS;
        // A person meets the own language first; programs get the same order everywhere.
        if own == Language::Ja && !ui.is_json() {
            languages.reverse();
            questions.reverse();
        }
        for language in languages {
            ui.speak(language);
            ui.note(ui.words().research.demo_intro.as_str());
            if ui.chosen_language().is_some() {
                break;
            }
        }
        ui.speak(own);
        let mut found = Vec::new();
        for asked in questions {
            ui.note("");
            let outcome = conduct(session, plan(asked, &library))?;
            let report = gathered(session, outcome.task_id)?;
            if !ui.is_json() {
                ui.write(&to_screen(ui, &report, shown(ui, self.full))?)?;
            }
            found.push((outcome, report));
        }
        if questions != QUESTIONS {
            found.reverse();
        }
        ui.speak(own);
        if ui.is_json() {
            #[derive(Serialize)]
            struct Demo<'a> {
                investigations: Vec<Answer<'a>>,
            }
            let investigations =
                found.iter().map(|(outcome, report)| Answer { outcome, report }).collect();
            return ui.document(&Demo { investigations });
        }
        let words = &ui.words().research;
        ui.note(&match (&self.keep, &found[..]) {
            (Some(_), [(english, _), (japanese, _)]) => say!(
                words.demo_kept,
                english = english.task_id,
                japanese = japanese.task_id,
                library = quoted(&library.to_string_lossy()),
            ),
            _ => String::from(&words.demo_gone),
        });
        Ok(())
    }
}

/// What is asked of the library, and what a careful person would also look for.
fn plan((question, hypothesis): (&str, &str), library: &Path) -> Plan {
    Plan::New {
        question: question.to_owned(),
        hypothesis: Some(hypothesis.to_owned()),
        config: TaskConfig {
            library: vec![library.to_owned()],
            queries: WISHED.map(str::to_owned).to_vec(),
            ..TaskConfig::default()
        },
    }
}
