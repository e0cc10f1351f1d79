//! A home with two tasks that read one page in common, each with words of its own everywhere: in questions, addresses, texts,
//! the ledger and the archive. And a search for words in everything a home holds.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use archive::{Exchange, Response, Writer as Archive};
use evidence::{DomainCategory, Stance, TaskId};
use graph::{
    Access, ArchiveKind, ArchiveRecord, CachedFetch, Cause, EgressAnswer, Graph, NewEgress,
    NewEmbedding, NewFragment, NewPage, NewSearch, NewSerpItem, Options,
};
use serde_json::json;

use crate::support::{Answer, Home};
use crate::world::{claim, judge};

pub(crate) const OURS: &str = "zirkelquast";
pub(crate) const THEIRS: &str = "lumpenfrosch";
pub(crate) const SHARED: &str = "gemeingut";

pub(crate) struct TwoTasks {
    pub(crate) home: Home,
    pub(crate) ours: String,
    pub(crate) theirs: String,
}

fn archive_of(home: &Home) -> Archive {
    let options = archive::Options { file_bytes: 400_000, software: "lyra-test".to_owned() };
    Archive::open(&home.data().join("archive"), options).unwrap()
}

fn graph_of(home: &Home) -> Graph {
    Graph::open(&home.data().join("lyra.db"), Access::Write, Options::default()).unwrap()
}

/// Writes tasks with a page each, one after the other, until it is to stop, and counts those that are whole.
pub(crate) fn write_on(home: &Home, stop: &AtomicBool, written: &AtomicUsize) {
    let (graph, mut archive) = (graph_of(home), archive_of(home));
    while !stop.load(SeqCst) {
        let number = written.load(SeqCst) + 1_000;
        let task = begin(&graph, THEIRS);
        read(&graph, &mut archive, THEIRS, &task, Some(number), 10_000);
        written.fetch_add(1, SeqCst);
    }
}

/// Each task has `pages` pages of its own of about `bytes` bytes, and the shared one.
pub(crate) fn two_tasks(pages: usize, bytes: usize) -> TwoTasks {
    let home = Home::new();
    let (graph, mut archive) = (graph_of(&home), archive_of(&home));
    // In turns, so that no file belongs to one of them alone.
    let tasks = [OURS, THEIRS].map(|word| begin(&graph, word));
    for number in 0..=pages {
        for (word, task) in [OURS, THEIRS].into_iter().zip(&tasks) {
            let shared = number == pages;
            read(&graph, &mut archive, word, task, (!shared).then_some(number), bytes);
        }
    }
    let [ours, theirs] = tasks.map(|it| it.task.to_string());
    TwoTasks { home, ours, theirs }
}

struct Begun {
    task: TaskId,
    search: evidence::SearchId,
    claim: evidence::ClaimId,
}

fn begin(graph: &Graph, word: &str) -> Begun {
    let task = graph
        .write(Cause::new("task_create"), |w| {
            crate::world::task(w, &format!("Is {word} 秘匿 true?"))
        })
        .unwrap();
    let cause = Cause::new("search_start").in_task(task).with(json!({ "query": word }));
    let made = graph.write(cause, |w| {
        let query = format!("about {word}");
        let search = w.record_search(&NewSearch { task_id: task, query, options: json!({}) })?;
        let claim = claim(w, task, &format!("It is true that {word} holds."), None, Some(0.8))?;
        Ok((search, claim))
    });
    let (search, claim) = made.unwrap();
    Begun { task, search, claim }
}

/// Text that does not pack well.
fn noise(seed: usize, bytes: usize) -> String {
    let mut state = seed as u64 * 2_654_435_761 + 1;
    let letters = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'a' + (state % 26) as u8)
    });
    letters.take(bytes).collect()
}

fn read(
    graph: &Graph,
    archive: &mut Archive,
    word: &str,
    Begun { task, search, claim }: &Begun,
    number: Option<usize>,
    bytes: usize,
) {
    let (host, path, said) = match number {
        Some(number) => ("own.example", format!("{word}/{number}"), word),
        None => ("shared.example", SHARED.to_owned(), SHARED),
    };
    let url = format!("https://{host}/{path}");
    let noise = noise(number.map_or(7, |it| it * 2 + usize::from(word == OURS) + 11), bytes);
    let text = format!("What {said} is, in {number:?}: 秘匿 {noise}");
    let at = "2026-01-15T12:00:00Z".parse().unwrap();
    let appended = archive
        .append(&Exchange {
            url: &url,
            at,
            address: Some("192.0.2.7"),
            request_head: format!("GET /{path} HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes(),
            request_body: b"",
            response: Response::Full {
                head: b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n",
                body: format!("<html><main><p>{text}</p></main></html>").as_bytes(),
                truncated: None,
            },
        })
        .unwrap();
    archive.sync().unwrap();
    let cause = Cause::new("pages").in_task(*task).about("search", search);
    graph
        .write(cause, |w| {
            let seq = w.record_egress(&NewEgress {
                task_id: Some(*task),
                purpose: "page".to_owned(),
                route: "http",
                method: "GET",
                scheme: "https".to_owned(),
                host: host.to_owned(),
                port: 443,
                path: format!("/{path}"),
                request_bytes: 100,
            })?;
            w.answer_egress(
                seq,
                &EgressAnswer {
                    address: None,
                    status: Some(200),
                    sent_bytes: 100,
                    response_bytes: bytes as u64,
                    outcome: "answered".to_owned(),
                },
            )?;
            let response = appended.response.as_ref().unwrap();
            for (stored, kind) in
                [(&appended.request, ArchiveKind::Request), (response, ArchiveKind::Response)]
            {
                w.record_archived(&ArchiveRecord {
                    record_id: stored.record_id.clone(),
                    kind,
                    url: stored.url.clone(),
                    status: (kind == ArchiveKind::Response).then_some(200),
                    file: stored.file.clone(),
                    byte_start: stored.byte_start,
                    byte_length: stored.byte_length,
                    payload_digest: stored.payload_digest.clone(),
                    refers_to: None,
                    egress_seq: Some(seq),
                    archived_at: stored.date,
                })?;
            }
            w.cache_fetch(&CachedFetch {
                url: url.clone(),
                final_url: None,
                status: Some(200),
                etag: None,
                last_modified: None,
                content_hash: None,
                fresh_until: None,
                record_id: Some(response.record_id.clone()),
                checked_at: at,
            })?;
            let page = w.record_page(&NewPage {
                url: url.clone(),
                domain: host.to_owned(),
                domain_category: DomainCategory::Unverified,
                title: Some(said.to_owned()),
                language: None,
                year: None,
                work_id: None,
            })?;
            let passage = w.record_fragment(&NewFragment {
                page_id: page,
                fragment_type: evidence::FragmentType::Paragraph,
                text: text.clone(),
                heading_context: None,
                element_index: None,
                chars: None,
                language: None,
            })?;
            judge(w, passage, *claim, Stance::Supports, 0.9)?;
            w.record_embedding(&NewEmbedding {
                target: evidence::Node::Fragment(passage),
                model_id: "test",
                vector: &[0.5; 8],
            })?;
            w.record_serp_item(&NewSerpItem {
                search_id: *search,
                engine: "test".to_owned(),
                rank: 1,
                url: url.clone(),
                title: Some(format!("{word} {said}")),
                snippet: None,
                published_at: None,
                source_tag: None,
                page_id: Some(page),
            })?;
            Ok(())
        })
        .unwrap();
}

/// The files below a folder that hold a word: as it is, percent-encoded, in any case of letters, and also inside of packed files
/// and of bodies that were sent packed.
pub(crate) fn files_with(folder: &Path, word: &str) -> Vec<PathBuf> {
    let encoded: String = word.bytes().map(|it| format!("%{it:02x}")).collect();
    let forms = [word.to_lowercase().into_bytes(), encoded.into_bytes()];
    let holds = |bytes: &[u8]| {
        let bytes = bytes.to_ascii_lowercase();
        forms.iter().any(|form| bytes.windows(form.len()).any(|it| it == form))
    };
    let mut found = Vec::new();
    for path in files_below(folder) {
        let bytes = fs::read(&path).unwrap();
        let packed = path.extension().is_some_and(|it| it == "gz");
        let inside = packed && unpacked(&path).iter().any(|it| holds(it));
        if holds(&bytes) || inside {
            found.push(path);
        }
    }
    found
}

/// All records of a packed file, and the bodies in them without their packing.
fn unpacked(path: &Path) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for record in archive::records(path).unwrap() {
        // A copy whose writing was cut short ends in the middle of a record; what is before its end counts.
        if matches!(record, Err(archive::Error::Torn { .. })) {
            break;
        }
        let record = record.unwrap().record;
        texts.push(format!("{:?}", record.headers).into_bytes());
        let mut plain = Vec::new();
        if let Ok((_, body)) = record.http()
            && flate2::read::MultiGzDecoder::new(body).read_to_end(&mut plain).is_ok()
        {
            texts.push(plain);
        }
        texts.push(record.block);
    }
    texts
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

/// Copies a folder with everything in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// A report without the names of archive files: a record may move to another file, which changes neither its id nor its digest.
pub(crate) fn report_of(home: &Home, task: &str) -> String {
    let mut report = home.run(&format!("report {task} --format json")).stdout;
    while let Some(at) = report.find("lyra-2") {
        let end = at + report[at..].find(".warc.gz").unwrap() + ".warc.gz".len();
        report.replace_range(at..end, "[file]");
    }
    report
}

/// Archive and database are sound, and every record has its row.
pub(crate) fn assert_whole(home: &Home) {
    let verified = home.run("archive verify --json");
    assert_eq!((verified.code, &verified.json()["unnamed"]), (Some(0), &json!(0)), "{verified}");
    assert_eq!(home.graph().check().unwrap(), Vec::<String>::new());
}

/// An answer with sizes replaced: they follow from how things are packed.
pub(crate) fn sizeless(answer: &Answer) -> String {
    let text = answer.to_string();
    let lines = text.lines().map(|line| {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for at in 1..words.len() {
            let unit = words[at].trim_end_matches([',', '.', ')']).to_owned();
            let number = words[at - 1].parse::<f64>();
            if ["B", "kB", "MB"].contains(&&*unit) && number.is_ok() {
                words[at - 1] = "[n]".to_owned();
                words[at] = words[at].replace(&unit, "bytes");
            }
        }
        words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}
