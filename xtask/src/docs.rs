//! The book in `docs`: its reference pages, and what mdBook makes of it.

use std::process::{Command, Stdio};

use crate::{Outcome, programs, tools};

/// A page and the command that prints it.
const PAGES: [(&str, &[&str]); 2] = [
    ("commands.md", &["man", "--markdown"]),
    ("settings.md", &["config", "default", "--markdown"]),
];

/// The languages and where their books go.
const BOOKS: [&str; 2] = ["en", "ja"];

pub(crate) fn write() -> Outcome {
    for language in BOOKS {
        for (page, arguments) in PAGES {
            programs::reference(arguments, language, &format!("docs/{language}/reference/{page}"))?;
        }
    }
    build()
}

/// Builds the book where mdBook is installed (`cargo install mdbook`); reading it needs none.
pub(crate) fn build() -> Outcome {
    let version = Command::new("mdbook").arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|it| it.success()) {
        tools::say(
            "skipped: mdBook is not installed, so nobody checked that it can build the book",
        );
        return Ok(());
    }
    for language in BOOKS {
        let mut command = Command::new("mdbook");
        command.args(["build", "docs"]).current_dir(tools::root());
        command.env("MDBOOK_BOOK__SRC", language).env("MDBOOK_BOOK__LANGUAGE", language);
        command.env("MDBOOK_BUILD__BUILD_DIR", format!("../target/book/{language}"));
        tools::finish(command, "mdbook")?;
    }
    Ok(())
}
