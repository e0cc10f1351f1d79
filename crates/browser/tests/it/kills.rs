//! Nothing of a browser is left when the process that started it is killed, at whatever moment.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Pages, browser, folder, opening};

const MARK: &str = "LYRA_TEST_BROWSER";
const FOLDER: &str = "LYRA_TEST_BROWSER_FOLDER";
const KILLS: u64 = 12;

#[tokio::test]
#[ignore = "the program that the test below kills"]
async fn renders_until_it_is_killed() {
    let folder = std::env::var_os(FOLDER).expect("the other test says where");
    loop {
        let browser = browser(folder.as_ref());
        for _ in 0..3 {
            let page =
                opening("<script>setTimeout(() => document.body.append('late'), 900)</script>");
            browser.render(page, Arc::new(Pages::default())).await.expect("a page");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_and_no_folder_is_left_of_a_killed_parent() {
    if testkit::browser().is_none() {
        return;
    }
    let folder = folder();
    let mark = format!("{MARK}={}", folder.path().display());
    for kill in 0..KILLS {
        let own = std::env::current_exe().expect("this test is a program");
        let mut parent = Command::new(own)
            .args(["--exact", "kills::renders_until_it_is_killed", "--ignored"])
            .env(MARK, folder.path())
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // From before the browser starts to its second page.
        thread::sleep(Duration::from_millis(20 + kill * 130));
        assert!(parent.try_wait().expect("it is ours").is_none(), "it was at work");
        parent.kill().expect("it is ours");
        parent.wait().expect("it is ours");
        let until = Instant::now() + Duration::from_secs(10);
        let mut left = marked(&mark);
        while !left.is_empty() && Instant::now() < until {
            thread::sleep(Duration::from_millis(20));
            left = marked(&mark);
        }
        assert_eq!(left, [""; 0], "after kill {kill}");
    }
    // What the last one left lies there until the next run.
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let browser = browser(folder.path());
        browser.render(opening("<p>"), Arc::new(Pages::default())).await.expect("a page");
        browser.close().await;
    });
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 0, "{left:?}");
}

/// The processes whose environment has this, also those that ended and that nobody waited for.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("Linux").filter_map(Result::ok);
    let environments = processes.filter_map(|it| {
        let environment = fs::read(it.path().join("environ")).ok()?;
        let has = environment.split(|it| *it == 0).any(|it| it == mark.as_bytes());
        has.then(|| fs::read_to_string(it.path().join("comm")).unwrap_or_default())
    });
    environments.collect()
}
