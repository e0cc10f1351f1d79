//! What pages show once their scripts have run, and what ends those that never come to rest.

use browser::{PartOutcome, Problem};

use crate::support::{Pages, browser, folder, opening, render, render_with, text_of};

#[tokio::test]
async fn text_made_by_scripts_is_read_with_timers_frames_shadow_roots_and_workers() {
    if testkit::browser().is_none() {
        return;
    }
    let page = r#"<!doctype html><meta charset="utf-8"><title>Rice</title><main id="m">Loading</main>
        <p style="display:none">never shown</p><x-card></x-card>
        <iframe src="/frame"></iframe><iframe src="http://elsewhere.example/ad"></iframe>
        <script src="/app.js"></script>
        <script>
        customElements.define("x-card", class extends HTMLElement {
          connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<p>in a card</p>"; }
        });
        const add = (text) => { const p = document.createElement("p"); p.textContent = text;
          document.getElementById("m").append(p); };
        setTimeout(() => add("after four seconds"), 4000);
        fetch("/data.json").then((it) => it.json()).then((it) => add(it.text));
        new Worker("/worker.js").onmessage = (it) => add(it.data);
        </script>"#;
    let pages = Pages::default()
        .script(
            "http://page.example/app.js",
            "document.getElementById('m').textContent = '米の収量';",
        )
        .script(
            "http://page.example/worker.js",
            "fetch('/w').then(r => r.text()).then(postMessage)",
        )
        .with("http://page.example/data.json", "application/json", r#"{"text":"from data & <b>"}"#)
        .with("http://page.example/w", "text/plain", "from a worker")
        .html("http://page.example/frame", "<p>in a frame");
    let (rendered, pages) = render(page, pages).await;
    let rendered = rendered.expect("a page");

    let shown =
        text_of(&rendered.html.replace(r#"<p style="display:none" hidden>never shown</p>"#, ""));
    for part in [
        "米の収量",
        "after four seconds",
        "from data &amp; &lt;b&gt;",
        "from a worker",
        "in a card",
        "in a frame",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(!shown.contains("Loading") && !shown.contains("never shown"), "{shown}");
    assert_eq!((rendered.cut_short, rendered.url.as_str()), (None, "http://page.example/"));
    let picture = rendered.screenshot.expect("a picture");
    assert_eq!(&picture[..4], b"\x89PNG");
    // The page itself came before; the other site's frame is not asked for.
    let own = ["app.js", "data.json", "frame", "w", "worker.js"];
    assert_eq!(pages.asked(), own.map(|it| format!("http://page.example/{it}")));
}

#[tokio::test]
async fn a_list_that_grows_as_it_is_scrolled_is_read_to_its_end() {
    if testkit::browser().is_none() {
        return;
    }
    let page = r#"<!doctype html><div id="list"></div><div id="end">·</div><script>
        let n = 0;
        const more = () => { for (let i = 0; i < 10 && n < 60; i++) { const p = document.createElement("p");
          p.style.height = "150px"; p.textContent = "row " + ++n; list.append(p); } };
        more();
        new IntersectionObserver((seen) => seen[0].isIntersecting && more()).observe(end);
        </script>"#;
    let (rendered, _) = render(page, Pages::default()).await;
    let shown = text_of(&rendered.expect("a page").html);
    assert!(shown.contains("row 1 ") && shown.contains("row 60"), "{shown}");
}

#[tokio::test]
async fn an_answer_that_came_from_elsewhere_is_known_by_its_own_address() {
    if testkit::browser().is_none() {
        return;
    }
    let page = r#"<!doctype html><p id="p"></p><script type="module" src="/m.js"></script>"#;
    let pages = Pages::default()
        .moved("http://page.example/m.js", "http://page.example/deep/m.js")
        .script(
            "http://page.example/deep/m.js",
            "import { text } from './part.js'; p.textContent = text;",
        )
        .script("http://page.example/deep/part.js", "export const text = 'whole';");
    let (rendered, pages) = render(page, pages).await;
    assert_eq!(text_of(&rendered.expect("a page").html), "whole");
    assert_eq!(pages.asked(), ["http://page.example/deep/part.js", "http://page.example/m.js"]);
}

#[tokio::test]
async fn a_page_may_send_itself_elsewhere_a_few_times() {
    if testkit::browser().is_none() {
        return;
    }
    let go = |to: &str| format!("<script>location.href = '{to}'</script>");
    let pages = Pages::default()
        .html("http://page.example/2", &go("http://other.example/3"))
        .html("http://other.example/3", "<p>arrived");
    let (rendered, _) = render(&go("/2"), pages).await;
    let rendered = rendered.expect("a page");
    assert_eq!(rendered.url.as_str(), "http://other.example/3");
    assert_eq!(text_of(&rendered.html), "arrived");

    let forever = "<script>location.href = '/?' + Math.random()</script>";
    let (rendered, _) = render(forever, Pages::default()).await;
    assert!(matches!(rendered, Err(Problem::NotOpened { .. })), "{rendered:?}");

    let pages = (0..10).fold(Pages::default(), |it, n| {
        it.html(&format!("http://page.example/{n}"), &go(&format!("/{}", n + 1)))
    });
    let (rendered, _) = render(&go("/0"), pages).await;
    assert_eq!(rendered.map(|it| it.html), Err(Problem::Navigations(5)));
}

#[tokio::test]
async fn dialogs_windows_and_downloads_are_refused_and_stop_nothing() {
    if testkit::browser().is_none() {
        return;
    }
    let page = r#"<!doctype html><p id="p"></p><a id="a" href="data:text/plain,x" download="x.txt">x</a><script>
        alert("one"); const yes = confirm("two"); const word = prompt("three");
        window.open("http://popup.example/");
        a.click();
        print();
        p.textContent = "done " + yes + " " + word;
        addEventListener("beforeunload", (it) => it.preventDefault());
        </script>"#;
    let (rendered, pages) = render(page, Pages::default()).await;
    let rendered = rendered.expect("a page");
    assert!(text_of(&rendered.html).starts_with("done false null"), "{}", rendered.html);
    assert!(rendered.refused >= 4, "{}", rendered.refused);
    assert_eq!(pages.asked(), [""; 0]);
}

#[tokio::test]
async fn a_page_that_never_rests_is_cut_short_and_one_that_never_answers_is_given_up() {
    if testkit::browser().is_none() {
        return;
    }
    let asking = r"<p>text</p><script>
        let n = 0; const ask = () => fetch('/' + n++).finally(() => setTimeout(ask, 10)); ask();
        </script>";
    let quick = |it: &mut browser::BrowserSettings| it.render_ms = 3_000;
    let (rendered, pages) = render_with(asking, Pages::default(), quick).await;
    let rendered = rendered.expect("a page");
    assert_eq!(text_of(&rendered.html), "text");
    assert!(pages.asked().len() <= 150, "{}", pages.asked().len());
    let too_much = PartOutcome::Refused("the page asked for too much".to_owned());
    assert!(rendered.parts.iter().any(|it| it.outcome == too_much));

    let (rendered, _) = render_with("<script>for (;;);</script>", Pages::default(), quick).await;
    assert_eq!(rendered.map(|it| it.html), Err(Problem::Busy(3)));
}

#[tokio::test]
async fn after_a_crash_the_next_page_is_rendered() {
    if testkit::browser().is_none() {
        return;
    }
    let folder = folder();
    let browser = browser(folder.path());
    // Scripts may use half a gigabyte.
    let greedy =
        "<script>const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()));</script>";
    let pages = || std::sync::Arc::new(Pages::default());
    let crashed = browser.render(opening(greedy), pages()).await;
    assert_eq!(crashed.map(|it| it.html), Err(Problem::Crashed));
    let next = browser.render(opening("<p>next"), pages()).await.expect("a page");
    assert_eq!(text_of(&next.html), "next");
}

#[tokio::test]
async fn pages_share_a_browser_and_nothing_else() {
    if testkit::browser().is_none() {
        return;
    }
    let folder = folder();
    let browser = browser(folder.path());
    let page = "<p id=p></p><script>p.textContent = document.cookie + '/' + localStorage.x; \
                document.cookie = 'a=b'; localStorage.x = 1;</script>";
    for _ in 0..2 {
        let pages = std::sync::Arc::new(Pages::default());
        let rendered = browser.render(opening(page), pages).await.expect("a page");
        assert_eq!(text_of(&rendered.html), "/undefined");
    }
    browser.close().await;
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 0, "{left:?}");
}

#[tokio::test]
async fn without_a_browser_the_problem_says_so() {
    let folder = folder();
    let nowhere = folder.path().join("no-browser");
    let named = |it: &mut browser::BrowserSettings| it.program = nowhere.clone();
    let (rendered, _) = render_with("<p>", Pages::default(), named).await;
    assert_eq!(rendered.map(|it| it.html), Err(Problem::NotThere(nowhere.clone())));

    let no_browser = |it: &mut browser::BrowserSettings| it.program = "/bin/false".into();
    let (rendered, _) = render_with("<p>", Pages::default(), no_browser).await;
    let problem = rendered.expect_err("false is no browser").to_string();
    assert_eq!(problem, "/bin/false did not start: it ended");
}
