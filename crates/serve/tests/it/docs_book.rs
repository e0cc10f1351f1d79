//! The book in `docs/en` and `docs/ja`: its commands work as they are printed, its reference is that of this program.
//!
//! A block marked `sh` is run; one marked `console` shows what needs the network or a reader's own values.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Home;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The blocks of a chapter that are run.
fn blocks(chapter: &str) -> Vec<String> {
    let text = fs::read_to_string(docs().join(chapter)).unwrap();
    let blocks = text.split("```sh\n").skip(1);
    blocks.map(|it| it.split("```").next().unwrap_or_default().to_owned()).collect()
}

/// A reader who types one chapter after another into one shell.
struct Reader {
    home: Home,
    /// Where the data of the chapter are: an option of `lyra`, or nothing.
    data: &'static str,
}

impl Reader {
    fn new() -> Self {
        let home = Home::new();
        home.write(".config/lyra/config.toml", "[fetch]\noffline = true\n");
        Self { home, data: "" }
    }

    /// Runs a line with its ids filled in, or several that belong to one here-document. Gives what was printed.
    fn run(&self, script: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_lyra"));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-e", "-c", script]).current_dir(self.home.path());
        shell.env_clear().env("HOME", self.home.path());
        shell.env("PATH", format!("{}:/usr/bin:/bin", program.parent().unwrap().display()));
        let answer = self.home.answer(shell.output().unwrap());
        assert_eq!(answer.code, Some(0), "{script}\n{answer}");
        format!("{}{}", answer.stdout, answer.stderr)
    }

    /// A line with the ids of what earlier commands made.
    fn filled(&self, line: &str) -> String {
        let mut line = line.to_owned();
        let ids: [(&str, &dyn Fn() -> String); 3] = [
            ("TASK", &|| self.id("task list --limit 1 --json", "/tasks/0/id")),
            ("CLAIM", &|| self.id(&format!("claims {} --json", self.task()), "/claims/0/id")),
            ("EDGE", &|| {
                let claim = self.id(&format!("claims {} --json", self.task()), "/claims/0/id");
                self.id(&format!("evidence {claim} --json"), "/evidence/0/edge_id")
            }),
        ];
        for (word, id) in ids {
            if line.split(|it: char| !it.is_ascii_alphanumeric()).any(|it| it == word) {
                line = line.replace(word, &id());
            }
        }
        line
    }

    fn task(&self) -> String {
        self.id("task list --limit 1 --json", "/tasks/0/id")
    }

    fn id(&self, command: &str, at: &str) -> String {
        let printed = self.run(&format!("lyra {} {command} 2>/dev/null", self.data));
        let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let id = json.pointer(at).and_then(serde_json::Value::as_str);
        id.unwrap_or_else(|| panic!("{command} has no {at}: {json}")).to_owned()
    }

    /// Types a chapter; gives everything that was printed.
    fn follows(&self, chapter: &str, expected: usize) -> String {
        let blocks = blocks(chapter);
        assert_eq!(blocks.len(), expected, "{chapter}");
        let mut printed = String::new();
        for block in blocks {
            if block.contains("<<'END'") {
                printed += &self.run(&block);
                continue;
            }
            for line in block.lines() {
                let line = self.filled(line);
                printed += &self.run(&line);
            }
        }
        printed
    }
}

#[test]
fn the_first_investigation_and_the_recipes_work_on_the_demo() {
    let reader = Reader { data: "--data-dir ./demo", ..Reader::new() };
    reader.follows("en/first-investigation.md", 3);
    let printed = reader.follows("en/recipes.md", 11);
    assert!(printed.contains("睡眠"), "{printed}");
}

#[test]
fn own_documents_are_asked_in_english() {
    let printed = Reader::new().follows("en/own-documents.md", 3);
    assert!(printed.contains("did not make people sleep longer"), "{printed}");
}

#[test]
fn manuals_contradict_each_other_in_english() {
    let printed = Reader::new().follows("en/manuals.md", 3);
    assert!(printed.contains("two days a week against three days a week"), "{printed}");
}

#[test]
fn the_chapters_about_assistants_and_privacy_work() {
    let reader = Reader::new();
    reader.follows("en/assistant.md", 2);
    reader.follows("en/privacy.md", 2);
}

#[test]
fn the_first_investigation_works_in_japanese() {
    let reader = Reader::new();
    let printed = reader.follows("ja/first-investigation.md", 5);
    assert!(printed.contains("散歩をしても睡眠時間は長くならなかった"), "{printed}");
    reader.follows("ja/recipes.md", 7);
}

#[test]
fn manuals_contradict_each_other_in_japanese() {
    let printed = Reader::new().follows("ja/manuals.md", 3);
    for told in ["週二日 against 週に3日", "翌月5日 against 翌月末"] {
        assert!(printed.contains(told), "{told}\n{printed}");
    }
}

#[test]
fn the_other_chapters_work_in_japanese() {
    let reader = Reader::new();
    reader.follows("ja/own-documents.md", 1);
    reader.follows("ja/assistant.md", 2);
    reader.follows("ja/privacy.md", 2);
}

#[test]
fn the_reference_is_that_of_this_program() {
    let home = Home::new();
    for language in ["en", "ja"] {
        for (page, command) in
            [("commands", "man --markdown"), ("settings", "config default --markdown")]
        {
            let file = format!("{language}/reference/{page}.md");
            let stored = fs::read_to_string(docs().join(&file)).unwrap();
            let printed = home.run_with(("LYRA_OUTPUT_LANGUAGE", language), command).stdout;
            assert!(stored == printed, "docs/{file} is old: run `cargo xtask docs`");
        }
    }
}

#[test]
fn every_page_is_in_the_contents_and_every_link_leads_somewhere() {
    for language in ["en", "ja"] {
        let folder = docs().join(language);
        let contents = links(&folder.join("SUMMARY.md"));
        let mut pages = BTreeSet::new();
        for part in [folder.clone(), folder.join("reference")] {
            let Ok(files) = fs::read_dir(&part) else { continue };
            pages.extend(files.map(|it| it.unwrap().path()).filter(|it| it.is_file()));
        }
        pages.remove(&folder.join("SUMMARY.md"));
        let listed: BTreeSet<PathBuf> = contents.iter().map(|it| folder.join(it)).collect();
        assert_eq!(listed, pages);
        for page in &pages {
            for (file, anchor) in targets(page) {
                let target = match file.as_str() {
                    "" => page.clone(),
                    file => page.parent().unwrap().join(file),
                };
                assert!(target.is_file(), "{}: {file}", page.display());
                let anchors = anchors(&fs::read_to_string(&target).unwrap());
                let known = anchor.is_empty() || anchors.contains(&anchor);
                assert!(known, "{}: {file}#{anchor}, of {anchors:?}", page.display());
            }
        }
    }
}

/// The files a page links to.
fn links(page: &Path) -> Vec<String> {
    targets(page).into_iter().map(|it| it.0).filter(|it| !it.is_empty()).collect()
}

/// Where the links of a page lead: a file, or nothing for the page itself, and a heading in it.
fn targets(page: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(page).unwrap();
    let targets = text.split("](").skip(1).filter_map(|it| it.split(')').next());
    let targets = targets.filter(|it| !it.contains("://"));
    let parts = |it: &str| match it.split_once('#') {
        Some((file, anchor)) => (file.to_owned(), anchor.to_owned()),
        None => (it.to_owned(), String::new()),
    };
    targets.map(parts).collect()
}

/// What mdBook and GitHub call the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter_map(|it| it.trim_start_matches('#').strip_prefix(' '));
    let named = headings.map(|it| {
        let kept = it.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    });
    named.collect()
}

#[test]
fn links_of_the_pages_in_front_of_the_book_lead_somewhere() {
    let root = docs().join("..");
    let mut pages = vec![root.join("README.md"), docs().join("tasks.md")];
    pages.extend(["CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md"].map(|it| root.join(it)));
    for page in pages {
        for (file, _) in targets(&page) {
            let target = page.parent().unwrap().join(&file);
            assert!(target.exists(), "{}: {file}", page.display());
        }
    }
}
