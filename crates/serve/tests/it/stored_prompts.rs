//! What is sent to a language model is stored nowhere: not in the graph, the archive or the logs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::json;
use testweb::{Answer, LlmDialect, LlmServer};

use crate::mcp_client::Client;
use crate::support::{Home, online};

const PAGE: &str = "<html lang=en><title>Tea</title><main><h1>Green tea</h1><p>Green tea lowered the blood \
    pressure of adults by 4 points in a trial with 200 people.</p><p>Coffee raised the blood pressure of \
    adults by 2 points in the same trial.</p></main>";
const QUESTION: &str = "Is green tea good for the blood pressure of adults?";
const QUERY: &str = "green tea trial of blood pressure";

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(files_below(&path)),
            false => files.push(path),
        }
    }
    files
}

/// What a file says; an archive is unpacked.
fn content(path: &Path) -> Vec<u8> {
    if !path.to_str().unwrap().ends_with(".warc.gz") {
        return std::fs::read(path).unwrap();
    }
    let mut content = Vec::new();
    for found in archive::records(path).unwrap() {
        let record = found.unwrap().record;
        for (name, value) in &record.headers {
            content.extend(format!("{name}: {value}\n").into_bytes());
        }
        content.extend(record.block);
    }
    content
}

/// To which part of the data a file belongs.
fn part(home: &Home, file: &Path) -> &'static str {
    let below = file.strip_prefix(home.data()).unwrap().to_str().unwrap();
    let known = [("lyra.db", "graph"), ("archive/", "archive"), ("logs/", "logs")];
    known.into_iter().find(|(name, _)| below.starts_with(name)).map_or("elsewhere", |it| it.1)
}

fn has(content: &[u8], words: &str) -> bool {
    content.windows(words.len()).any(|it| it == words.as_bytes())
}

#[test]
fn no_file_holds_the_words_a_model_was_asked_with() {
    let (web, home) = online();
    web.put("tea.test", "/", Answer::html(200, PAGE.to_owned()));
    let server = LlmServer::start(LlmDialect::Ollama);
    let url = format!("llm.url={}", server.url());
    let settings = ["--set", &url, "--set", "search.llm_share=1.0", "--set", "log.level=trace"];
    let mut client = Client::start(&home, &settings);
    let task = client.ok("create_task", json!({ "query": QUESTION }))["task_id"].clone();
    let options = json!({ "urls": ["https://tea.test/"], "sources": ["library"] });
    let search = json!({ "task_id": task, "query": QUERY, "options": options });
    assert_eq!(client.ok("search", search)["pages_fetched"], 1);
    assert_eq!(client.leave(), Some(0));

    let asked = server.requests();
    // A long text may lie on several pages of a database: its sentences are looked for.
    let lines = asked.iter().flat_map(|it| it.system.lines());
    let mut pieces: Vec<&str> = lines.flat_map(|line| line.split(". ")).collect();
    pieces.retain(|it| it.len() >= 12);
    pieces.sort_unstable();
    pieces.dedup();
    assert!(pieces.iter().any(|it| it.contains("Take the factual claims out")), "{pieces:?}");
    assert!(
        asked.iter().any(|it| it.user.contains(QUESTION) || it.user.contains(QUERY)),
        "{asked:?}"
    );

    let files: Vec<(&str, Vec<u8>)> =
        files_below(&home.data()).iter().map(|it| (part(&home, it), content(it))).collect();
    let holding = |words: &str| -> BTreeSet<&str> {
        let found = files.iter().filter(|(_, content)| has(content, words));
        found.map(|(part, _)| *part).collect()
    };
    // What is looked through is what was written: the query, the page, the log of the call.
    assert_eq!(holding(QUERY), BTreeSet::from(["graph"]));
    assert_eq!(holding("in a trial with 200 people"), BTreeSet::from(["archive", "graph"]));
    assert_eq!(holding("tool called"), BTreeSet::from(["logs"]));
    for piece in pieces {
        assert_eq!(holding(piece), BTreeSet::new(), "{piece}");
    }
    for request in asked {
        assert_eq!(holding(&request.user), BTreeSet::new());
    }
}
