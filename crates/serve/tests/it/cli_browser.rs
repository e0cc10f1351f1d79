//! Pages that need their scripts, through the commands that read them.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use testweb::{Answer as Page, TestWeb};

use crate::support::{Answer, Home, JAPANESE, online, steady};

const ARTICLE: &str = "The yield of rice fell by a tenth in the year of the flood, and farmers who had planted early \
                       lost less than farmers who had planted late.";
const URL: &str = "http://rice.test/rice";
/// Marks what a command starts, and what these start.
const MARK: &str = "LYRA_TEST_BROWSER";

fn with_shell() -> (TestWeb, Home) {
    let (web, home) = online();
    let shell = format!(
        "<!doctype html><html lang=en><title>Rice</title><div id=root></div>\
         <script>root.innerHTML = '<main><h1>Rice</h1><p>{ARTICLE}</p></main>'</script>"
    );
    web.put("rice.test", "/rice", Page::html(200, shell));
    (web, home)
}

/// Chromium does not confine itself for root, who runs the tests of CI.
fn command(home: &Home, line: &str) -> Option<Command> {
    let path = testkit::browser()?;
    let sandbox = format!("browser.sandbox={}", !rustix::process::geteuid().is_root());
    let mut arguments = vec!["--set", &sandbox, "--set", "fetch.spacing_max_ms=1500"];
    arguments.extend(line.split_whitespace());
    let mut command = home.command(&arguments);
    command.env("PATH", path).env(MARK, home.path());
    Some(command)
}

fn run(home: &Home, line: &str) -> Option<Answer> {
    Some(home.answer(command(home, line)?.output().unwrap()))
}

#[test]
fn a_page_made_by_scripts_is_read_archived_and_explained() {
    let (_web, home) = with_shell();
    let Some(read) = run(&home, &format!("read {URL}")) else { return };
    assert_eq!(read.code, Some(0), "{read}");
    assert!(read.stdout.contains(ARTICLE), "{}", read.stdout);
    assert!(read.stdout.contains("run by a browser; what they made is read"), "{}", read.stdout);

    let json = run(&home, &format!("read {URL} --json")).unwrap().json();
    let record = json["fetched"]["rendered"]["record_id"].as_str().unwrap();
    let shown = home.run(&format!("archive show {record}"));
    assert!(shown.stdout.contains("rendered by a browser"), "{}", shown.stdout);
    let picture = home.run(&format!("archive show {record} --json")).json()["picture"].clone();
    let picture = picture.as_str().unwrap();
    let raw = home.command(&["archive", "show", picture, "--raw"]).output().unwrap().stdout;
    assert_eq!(&raw[..4], b"\x89PNG");
    assert!(shown.stdout.contains(ARTICLE), "{}", shown.stdout);
    assert!(home.run(&format!("archive show {URL}")).stdout.contains(ARTICLE));
    let headers = home.run(&format!("archive show {URL} --headers")).stdout;
    assert!(headers.contains("GET /rice HTTP/1.1") && headers.contains("200 OK"), "{headers}");
    let raw = home.run(&format!("archive show {record} --raw")).stdout;
    assert!(raw.starts_with("<!doctype html>"), "{raw}");
    assert_eq!(home.run("archive verify").code, Some(0));

    let route = home.run("domain check rice.test --json").json()["route"].clone();
    assert_eq!((&route["pages"], &route["renders_at_once"]), (&2.into(), &false.into()));
    let check = home.run_with(JAPANESE, "domain check www.rice.test");
    assert!(
        check.stdout.contains("最近表示したページの 100 % で必要（計 2 ページ）"),
        "{}",
        check.stdout
    );
    // A profile is there only while it is used.
    assert_eq!(fs::read_dir(home.data().join("browser")).unwrap().count(), 0);
}

#[test]
fn without_a_browser_the_page_is_missed_and_says_why() {
    let (_web, home) = with_shell();
    let answer = home.run(&format!("read {URL} --set browser.program=/no/browser"));
    assert_eq!(answer.code, Some(8), "{answer}");
    insta::assert_snapshot!(answer.stderr, @"
    error: without its scripts the page shows nothing, and there is no browser at /no/browser
    hint: such pages need Chromium, Chrome or Edge: `lyra --set browser.program=/no/browser doctor` says which one is used and what it lacks
    ");
    let japanese = home.run_with(JAPANESE, &format!("read {URL} --set browser.enabled=false"));
    insta::assert_snapshot!(japanese.stderr, @"
    エラー: スクリプトなしでは何も表示されないページです。browser.enabled が無効です
    ヒント: このようなページには Chromium、Chrome、Edge のいずれかが必要です。使うブラウザーと足りないものは `lyra --set browser.enabled=false doctor` で確認できます
    ");
    let doctor = home.run("--offline doctor --json --set browser.program=/no/browser").json();
    let checks = doctor["checks"].as_array().unwrap();
    let browser = checks.iter().find(|it| it["name"] == "browser").unwrap();
    assert_eq!(
        browser["found"],
        "pages that need their scripts are missed: there is no browser at /no/browser"
    );
}

#[test]
fn doctor_says_which_browser_it_is() {
    let home = Home::new();
    let Some(doctor) = run(&home, "--offline doctor --json") else { return };
    let doctor = doctor.json();
    let checks = doctor["checks"].as_array().unwrap();
    let browser = checks.iter().find(|it| it["name"] == "browser").unwrap();
    assert_eq!(browser["state"], "ok", "{}", steady(&browser.to_string()));
}

#[cfg(target_os = "linux")]
#[test]
fn killed_at_any_moment_a_command_leaves_no_browser_and_the_next_one_works() {
    /// From before the browser starts to after its end.
    const KILLS: u64 = 12;
    let (_web, home) = with_shell();
    let mark = format!("{MARK}={}", home.path().display());
    for kill in 0..KILLS {
        let Some(mut command) = command(&home, &format!("read {URL} --again")) else { return };
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(100 + kill * 250));
        child.kill().unwrap();
        child.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        let mut left = marked(&mark);
        while !left.is_empty() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
            left = marked(&mark);
        }
        assert_eq!(left, [""; 0], "after kill {kill}");
    }
    let read = run(&home, &format!("read {URL} --again")).unwrap();
    assert!(read.stdout.contains(ARTICLE), "{read}");
    assert_eq!(fs::read_dir(home.data().join("browser")).unwrap().count(), 0);
    assert_eq!(home.run("--offline doctor").code, Some(0));
    assert_eq!(home.run("archive verify").code, Some(0));
}

/// The processes whose environment has this, also those that ended and that nobody waited for.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let environments = processes.filter_map(|it| {
        let environment = fs::read(it.path().join("environ")).ok()?;
        let has = environment.split(|it| *it == 0).any(|it| it == mark.as_bytes());
        has.then(|| fs::read_to_string(it.path().join("comm")).unwrap_or_default())
    });
    environments.collect()
}
