//! `lyra web`: who is let in, what is shown, and what the forms do, through the door a browser goes through.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use evidence::{DomainCategory, FragmentType, Node, Stance};
use graph::{FragmentPlace, NewClaim, NewEdge, NewFragment, NewPage, NewTask, PageDetails};

use crate::support::Home;

/// A page that is served, and a browser that was let in.
pub(crate) struct Served {
    child: Child,
    /// Host and port.
    authority: String,
    /// The path of the first address, with its token.
    entrance: String,
    cookie: String,
    csrf: String,
}

/// An answer: status, head in lower case, body.
pub(crate) struct Got {
    status: u16,
    head: String,
    pub(crate) body: String,
}

impl Got {
    fn location(&self) -> &str {
        self.head.lines().find_map(|it| it.strip_prefix("location: ")).unwrap()
    }
}

impl Served {
    pub(crate) fn start(home: &Home, arguments: &[&str]) -> Self {
        let mut command = home.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (authority, entrance) =
            line.trim().strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut served = Self {
            child,
            authority: authority.to_owned(),
            entrance: format!("/{entrance}"),
            cookie: String::new(),
            csrf: String::new(),
        };
        let opened = served.send("GET", &served.entrance, &[], "");
        let cookie = opened.head.lines().find_map(|it| it.strip_prefix("set-cookie: ")).unwrap();
        served.cookie = cookie.split(';').next().unwrap().to_owned();
        served.csrf = between(&served.get("/").body, "name=\"csrf\" value=\"", "\"").to_owned();
        served
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Got {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        let given = |name: &str| headers.iter().any(|it| it.0.eq_ignore_ascii_case(name));
        if !given("host") {
            head += &format!("Host: {}\r\n", self.authority);
        }
        if !given("cookie") && !self.cookie.is_empty() {
            head += &format!("Cookie: {}\r\n", self.cookie);
        }
        if method == "POST" && !given("origin") {
            head += &format!("Origin: http://{}\r\n", self.authority);
        }
        for (name, value) in headers.iter().filter(|it| !it.1.is_empty()) {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        let mut stream = TcpStream::connect(&self.authority).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        // A server that has seen enough may close its end first.
        let _ = stream.write_all(body.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
        Got { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn get(&self, path: &str) -> Got {
        self.send("GET", path, &[], "")
    }

    /// Sends a form as the page would.
    fn post(&self, path: &str, form: &[(&str, &str)]) -> Got {
        let mut body = url_encoded(&[("csrf", &self.csrf)]);
        body += "&";
        body += &url_encoded(form);
        self.send("POST", path, &[], &body)
    }

    /// The ids of the tasks, newest first.
    pub(crate) fn tasks(&self) -> Vec<String> {
        let list = self.get("/").body;
        list.split("href=\"/task/")
            .skip(1)
            .map(|it| it[..it.find('"').unwrap()].to_owned())
            .collect()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn url_encoded(form: &[(&str, &str)]) -> String {
    let encode = |text: &str| -> String { text.bytes().map(|it| format!("%{it:02X}")).collect() };
    let pairs: Vec<String> =
        form.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    pairs.join("&")
}

pub(crate) fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let from = text.find(start).unwrap_or_else(|| panic!("{start} is not in {text}")) + start.len();
    &text[from..from + text[from..].find(end).unwrap()]
}

/// Everything a browser can show of a task.
const SCREENS: [&str; 6] = ["", "/live", "/graph", "/documents", "/report", "/delete"];

#[test]
fn the_printed_address_lets_one_browser_in_once() {
    let home = Home::new();
    let served = Served::start(&home, &["web", "--no-open", "--offline"]);
    assert_eq!(served.get("/").status, 200);
    for path in ["/", "/new", "/people", "/house", "/task/task_1"] {
        assert_eq!(served.send("GET", path, &[("Cookie", "")], "").status, 403, "{path}");
    }
    assert_eq!(served.send("GET", &served.entrance, &[("Cookie", "")], "").status, 403);
    assert_eq!(served.send("GET", "/", &[("Cookie", "lyra_1=x")], "").status, 403);
    let opened = served.get(&served.entrance);
    assert_eq!(opened.status, 200);
    let refused = served.send("GET", &served.entrance, &[("Cookie", "")], "");
    assert!(refused.body.contains("This address let a browser in once"), "{}", refused.body);
}

#[test]
fn strange_hosts_origins_forms_and_methods_are_turned_away() {
    let home = Home::new();
    let served = Served::start(&home, &["web", "--no-open", "--offline"]);
    let port = served.authority.rsplit(':').next().unwrap();
    let (own, other) = (format!("localhost:{port}"), format!("evil.example:{port}"));
    for (headers, expected) in [
        (vec![("Host", "evil.example")], 403),
        (vec![("Host", other.as_str())], 403),
        (vec![("Host", "127.0.0.1:1")], 403),
        (vec![("Origin", "http://evil.example")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Host", own.as_str())], 200),
    ] {
        assert_eq!(served.send("GET", "/", &headers, "").status, expected, "{headers:?}");
    }
    let form = format!("csrf={}&language=ja&back=/", served.csrf);
    let sent = |headers: &[(&str, &str)], body: &str| {
        served.send("POST", "/language", headers, body).status
    };
    assert_eq!(sent(&[], &form), 303);
    assert_eq!(sent(&[("Origin", "http://evil.example")], &form), 403);
    assert_eq!(sent(&[("Origin", "")], &form), 403);
    assert_eq!(sent(&[("Sec-Fetch-Site", "cross-site")], &form), 403);
    assert_eq!(sent(&[], "language=ja"), 403);
    assert_eq!(sent(&[], "csrf=0&language=ja"), 403);
    assert_eq!(sent(&[], &format!("{form}&x={}", "x".repeat(300_000))), 413);
    assert_eq!(served.send("PUT", "/", &[], "").status, 405);
    assert_eq!(served.get("/nothing").status, 404);
    assert_eq!(served.get("/task/task_01ARZ3NDEKTSV4RRFFQ69G5FAV").status, 404);
    assert_eq!(served.get("/source/../../etc/passwd").status, 404);
    let away = served.post("/language", &[("language", "ja"), ("back", "//evil.example")]);
    assert_eq!(away.location(), "/");
}

#[test]
fn every_answer_forbids_the_browser_to_load_anything_from_elsewhere() {
    let home = Home::new();
    let served = Served::start(&home, &["web", "--no-open", "--offline"]);
    for path in ["/", "/new", "/people", "/house/settings", "/page.css", "/page.js", "/nothing"] {
        let head = served.get(path).head;
        let policy = between(&head, "content-security-policy: ", "\r\n");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert!(head.contains("x-content-type-options: nosniff"), "{path}");
        // With "no-referrer" a browser sends the forms of the page with the origin "null".
        assert!(head.contains("referrer-policy: same-origin"), "{path}");
    }
    let page = served.get("/").body;
    for word in [" style=", " onclick", "javascript:", "http://", "https://", "<style"] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn an_empty_house_says_what_can_be_done() {
    let home = Home::new();
    let served = Served::start(&home, &["web", "--no-open"]);
    let list = served.get("/").body;
    assert!(list.contains("Nothing has been asked yet"), "{list}");
    assert!(list.contains("lyra demo --web"));
    assert!(served.get("/people").body.contains("Nothing waits for you"));
    assert!(served.get("/house/sent").body.contains("Nothing has left this machine"));
    assert!(served.get("/house").body.contains("lyra"));
    assert!(served.get("/house/settings").body.contains("task.max_pages"));
    assert!(served.get("/house/engines").body.contains("<td"));
    let japanese = served.send("GET", "/", &[("Accept-Language", "ja,en;q=0.8")], "").body;
    assert!(japanese.contains("<html lang=\"ja\">"), "{japanese}");
    assert!(japanese.contains("まだ調査がありません"));
    assert!(!home.data().join("lyra.db").exists());
}

#[test]
fn a_question_that_cannot_be_asked_comes_back_with_what_was_typed() {
    let home = Home::new();
    let folder = home.path().join("documents");
    std::fs::create_dir(&folder).unwrap();
    let library = folder.to_str().unwrap();
    let served = Served::start(&home, &["web", "--no-open", "--library", library]);
    let form = served.get("/new").body;
    assert!(form.contains(library), "{form}");
    assert!(form.contains("name=\"offline\" value=\"yes\" data-lock"), "{form}");
    let asked = [("question", "Does <b>tea</b> help?"), ("offline", "yes"), ("folder", "9")];
    let wrong = served.post("/new", &asked);
    assert_eq!(wrong.status, 422);
    assert!(wrong.body.contains("offline there is nothing to search without a folder"));
    assert!(wrong.body.contains("Does &lt;b&gt;tea&lt;/b&gt; help?"), "{}", wrong.body);
    let asked = [("question", " "), ("source", "web")];
    assert_eq!(served.post("/new", &asked).status, 422);
    let asked = [("question", "Tea?"), ("source", "web"), ("after", "yesterday")];
    assert_eq!(served.post("/new", &asked).status, 422);
    let asked = [("question", "Tea?"), ("source", "web"), ("pages", "0")];
    assert_eq!(served.post("/new", &asked).status, 422);
    let asked = [("question", "Tea?"), ("source", "/etc")];
    assert_eq!(served.post("/new", &asked).status, 400);
    assert_eq!(served.tasks(), Vec::<String>::new());
}

/// In every field that a stranger can fill.
const HOSTILE: &str = "</textarea></title><script>alert(1)</script><img src=x onerror=alert(1)>\"'><svg/onload=alert(1)>\u{202e}";

#[test]
fn hostile_text_in_any_field_stays_text() {
    let home = Home::new();
    let (task, page, claim) = home.fill(|w| {
        let task = w.create_task(&NewTask {
            query: HOSTILE.to_owned(),
            hypothesis: Some(HOSTILE.to_owned()),
            language: None,
            budget: evidence::Budget { max_pages: 10, max_seconds: 60 },
            config: serde_json::json!({}),
        })?;
        let page = w.record_page(&NewPage {
            url: "https://a.example/?q=\"><script>alert(1)</script>".to_owned(),
            domain: "a.example".to_owned(),
            domain_category: DomainCategory::Unverified,
            title: Some(HOSTILE.to_owned()),
            language: None,
            year: None,
            work_id: None,
        })?;
        let details = PageDetails {
            title: Some(HOSTILE.to_owned()),
            author: Some(HOSTILE.to_owned()),
            site_name: Some(HOSTILE.to_owned()),
            ..PageDetails::default()
        };
        w.describe_page(page, &details)?;
        let fragment = NewFragment {
            page_id: page,
            fragment_type: FragmentType::Paragraph,
            text: HOSTILE.to_owned(),
            heading_context: None,
            element_index: None,
            chars: None,
            language: None,
        };
        let place = FragmentPlace {
            headings: vec![HOSTILE.to_owned()],
            deep_link: Some("javascript:alert(1)".to_owned()),
        };
        let fragment = w.record_placed_fragment(&fragment, &place)?;
        let claim = w.record_claim(&NewClaim {
            task_id: task,
            text: HOSTILE.to_owned(),
            language: None,
            origin_fragment_id: Some(fragment),
            extraction_method: None,
            extraction_confidence: None,
        })?;
        w.add_edge(&NewEdge::Stance {
            source: Node::Fragment(fragment),
            target: claim,
            stance: Stance::Supports,
            confidence: 0.9,
            model: HOSTILE.to_owned(),
            kind: None,
            about: true,
        })?;
        Ok((task, page, claim))
    });
    let served = Served::start(&home, &["web", "--no-open", "--offline"]);
    let of_task = SCREENS.map(|it| format!("/task/{task}{it}"));
    let others = [
        "/".to_owned(),
        "/?q=script".to_owned(),
        format!("/?q={}", url_encoded(&[("q", HOSTILE)]).split_once('=').unwrap().1),
        format!("/source/{page}?task={task}"),
        "/house/sent".to_owned(),
        "/people".to_owned(),
    ];
    let mut with_text = 0;
    for path in of_task.iter().chain(&others) {
        let got = served.get(path);
        assert_eq!(got.status, 200, "{path}");
        for markup in ["<script>alert", "<img", "<svg/onload", "\u{202e}", "href=\"javascript:"] {
            assert!(!got.body.contains(markup), "{path} has {markup}: {}", got.body);
        }
        with_text += usize::from(got.body.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }
    assert_eq!(with_text, 10);
    let back = served.post(&format!("/claim/{claim}/aside"), &[("reason", HOSTILE), ("back", "/")]);
    assert_eq!(back.status, 303);
    let answer = served.get(&format!("/task/{task}")).body;
    assert!(answer.contains("Claims set aside (1)"), "{answer}");
    assert!(!answer.contains("<script>alert"));
}

#[test]
fn a_whole_investigation_is_watched_weighed_corrected_and_taken_along() {
    let home = Home::new();
    let keep = home.path().join("kept");
    let served =
        Served::start(&home, &["demo", "--web", "--no-open", "--keep", keep.to_str().unwrap()]);
    let begun = Instant::now();
    let mut tasks = served.tasks();
    while tasks.is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no investigation began");
        std::thread::sleep(Duration::from_millis(50));
        tasks = served.tasks();
    }
    let english = tasks[0].clone();
    // A hundred reloads while it works, of one tab after the other.
    let live = format!("/task/{english}/live");
    for number in 0..100 {
        let got = served.get(&live);
        assert_eq!(got.status, 200, "reload {number}");
        assert!(got.body.contains("Pages read"), "reload {number}: {}", got.body);
    }
    // Another tab hears of the end.
    let stream = served.get(&format!("/task/{english}/events")).body;
    assert!(stream.contains("event: over"), "{}", &stream[stream.len().saturating_sub(600)..]);
    assert!(stream.contains("\ndata: <section class=\"card now\">"), "{}", &stream[..200]);
    let answer = served.get(&format!("/task/{english}")).body;
    assert!(answer.contains("11 independent sources support it"), "{answer}");
    assert!(answer.contains("<mark>"), "{answer}");

    // A word of a person has its effect at once, and is taken back.
    let hypothesis = between(&answer, "<details class=\"finding\"", "<details class=\"finding\"");
    let before = between(hypothesis, "<b class=\"confidence\">", "</b>").to_owned();
    // Of a source that nobody copied: a copy would speak in its place.
    let review = hypothesis.split_once("Reviews of Imagined Health").unwrap().1;
    let edge = between(review, "action=\"/edge/", "\"").to_owned();
    let form = format!("csrf={}&says=neutral&back=/task/{english}", served.csrf);
    let told = served.send("POST", &format!("/edge/{edge}"), &[("X-Part", "1")], &form);
    assert_eq!(told.status, 200);
    assert!(told.body.contains(&format!("<b>{before}</b> → <b>")), "{}", told.body);
    assert!(told.body.contains("value=\"supports\">Take back</button>"), "{}", told.body);
    let after = served.get(&format!("/task/{english}")).body;
    assert!(after.contains("10 independent sources support it"), "{after}");
    assert!(after.contains("Set aside by a person: not about this"), "{after}");
    let back = [("says", "supports"), ("back", &*format!("/task/{english}"))];
    assert_eq!(served.post(&format!("/edge/{edge}"), &back).status, 303);
    let again = served.get(&format!("/task/{english}")).body;
    assert!(again.contains("11 independent sources support it"), "{again}");

    // A source at its passage, with its original in a frame that can do nothing.
    let source = between(&answer, "href=\"/source/", "\"").replace("&amp;", "&");
    let shown = served.get(&format!("/source/{}", source.split('#').next().unwrap())).body;
    assert!(shown.contains("<iframe class=\"original\" sandbox=\"\""), "{shown}");
    let original = between(&shown, "src=\"/source/", "\"");
    let original = served.get(&format!("/source/{original}"));
    assert_eq!(original.status, 200);
    assert!(
        original
            .head
            .contains("form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox\r\n")
    );

    // The same forms as the command line has.
    for (form, begins) in [
        ("html", "<!doctype html>"),
        ("docx", "PK"),
        ("md", "# "),
        ("text", ""),
        ("csv", ""),
        ("ris", "TY  - "),
        ("bibtex", "@"),
        ("csl-json", "["),
        ("json", "{"),
        ("jsonl", "{"),
    ] {
        let got = served.get(&format!("/task/{english}/export/{form}"));
        assert_eq!(got.status, 200, "{form}");
        assert!(got.body.starts_with(begins), "{form}: {}", &got.body[..80]);
        assert!(got.head.contains("content-disposition: attachment"), "{form}");
        assert!(got.body.len() > 500, "{form}");
    }
    assert_eq!(served.get(&format!("/task/{english}/export/exe")).status, 404);
    let read = served.get(&format!("/task/{english}/read"));
    assert!(read.head.contains("sandbox allow-popups"), "{}", read.head);
    assert!(served.get(&format!("/task/{english}/graph")).body.contains("<svg class=\"graph\""));
    assert!(
        served
            .get(&format!("/task/{english}/documents"))
            .body
            .contains("Handbook for head teachers")
    );

    // A question of one's own, locked; then it goes, after a look at what goes with it.
    let stream = loop {
        let newest = served.tasks()[0].clone();
        if newest != english {
            break served.get(&format!("/task/{newest}/events")).body;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(stream.contains("event: over"));
    let asked = [("question", "Do pupils like breakfast?"), ("offline", "yes"), ("folder", "0")];
    let begun = served.post("/new", &asked);
    assert_eq!(begun.status, 303, "{}", begun.body);
    let own = begun.location().strip_prefix("/task/").unwrap().strip_suffix("/live").unwrap();
    let own = own.to_uppercase().replace("TASK_", "task_");
    assert!(served.get(&format!("/task/{own}/live")).body.contains("nothing: locked"));
    assert!(served.get(&format!("/task/{own}/events")).body.contains("event: over"));
    let going = served.get(&format!("/task/{own}/delete")).body;
    assert!(going.contains("Delete this question?"), "{going}");
    assert_eq!(served.post(&format!("/task/{own}/delete"), &[]).location(), "/");
    assert_eq!(served.get(&format!("/task/{own}")).status, 404);
    assert_eq!(served.tasks().len(), 2);
    // Nothing left this machine for any of it.
    assert!(served.get("/house/sent").body.contains("Nothing has left this machine"));
}

#[test]
fn a_question_rests_when_a_person_says_so_and_goes_on() {
    let home = Home::new();
    let keep = home.path().join("kept");
    let served =
        Served::start(&home, &["demo", "--web", "--no-open", "--keep", keep.to_str().unwrap()]);
    let begun = Instant::now();
    let task = loop {
        if let Some(task) = served.tasks().first() {
            break task.clone();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no investigation began");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(served.post(&format!("/task/{task}/pause"), &[]).status, 303);
    // The stream ends when what had begun is finished.
    assert!(served.get(&format!("/task/{task}/events")).body.contains("event: over"));
    let live = served.get(&format!("/task/{task}/live")).body;
    assert!(live.contains("Paused: nothing is lost"), "{live}");
    assert!(live.contains(&format!("action=\"/task/{task}/resume\"")), "{live}");
    assert_eq!(served.post(&format!("/task/{task}/resume"), &[]).status, 303);
    assert!(served.get(&format!("/task/{task}/events")).body.contains("event: over"));
    let answer = served.get(&format!("/task/{task}")).body;
    assert!(answer.contains("<span class=\"state over\">Done</span>"), "{answer}");
    assert!(answer.contains("independent sources support it"), "{answer}");
}

#[test]
fn a_real_browser_is_let_in_and_runs_the_script_under_the_policy() {
    let Some(path) = testkit::browser() else { return };
    let home = Home::new();
    let task = home.fill(|w| {
        let task = w.create_task(&NewTask {
            query: "Does tea help?".to_owned(),
            hypothesis: None,
            language: None,
            budget: evidence::Budget { max_pages: 10, max_seconds: 60 },
            config: serde_json::json!({}),
        })?;
        Ok(task)
    });
    let mut command = home.command(&["web", "latest", "--no-open", "--offline"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = format!("{}%2Flive", address.trim());
    let program = browser::installed().into_iter().next().unwrap().program;
    let profile = home.path().join("profile");
    let mut browser = std::process::Command::new(program);
    browser
        .args(["--headless", "--disable-gpu", "--no-first-run", "--virtual-time-budget=8000"])
        .args(["--dump-dom", "--enable-logging=stderr"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .env("PATH", path);
    if rustix::process::geteuid().is_root() {
        // Chromium does not confine itself for root, who runs the tests of CI.
        browser.arg("--no-sandbox");
    }
    let shown = browser.arg(&address).stdin(Stdio::null()).output().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let (dom, log) =
        (String::from_utf8_lossy(&shown.stdout), String::from_utf8_lossy(&shown.stderr));
    assert!(dom.contains("<h1>Does tea help?</h1>"), "{dom}");
    assert!(dom.contains(&format!("action=\"/task/{task}/resume\"")), "{dom}");
    // The script says so when it is ready; the policy would have kept any other from running.
    assert!(dom.contains("<html lang=\"en\" class=\"ready\">"), "{dom}");
    assert!(!log.contains("Content Security Policy"), "{log}");
}
