//! Pages of the small internet that are made by scripts in twenty ways: what is read is what a person is shown.
//!
//! `LYRA_LIVING_PAGES=10` makes two hundred of the twenty.

use std::net::TcpListener;

use browser::{Browser, BrowserSettings};
use extract::ReadSettings;
use fetch::FetchRequest;
use research::{Reading, read_page};
use testweb::{Answer, Living};
use url::Url;

use crate::support::online;

/// Pages of each kind, unless the environment says another number.
const PAGES: usize = 1;
const HOST: &str = "living.test";

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_all_kinds_are_read_as_a_person_is_shown_them() {
    if testkit::browser().is_none() {
        return;
    }
    let pages = std::env::var("LYRA_LIVING_PAGES").ok().map(|it| it.parse().expect("a number"));
    let pages = pages.unwrap_or(PAGES);
    let online = online();
    // Chromium does not confine itself for root, who runs the tests of CI.
    let sandbox = !rustix::process::geteuid().is_root();
    // Those that never come to rest have an end.
    let settings = BrowserSettings { sandbox, page_ms: 8_000, ..BrowserSettings::default() };
    let browser = Browser::new(settings, &online.folder.path().join("browser"));
    let options = ReadSettings::default();
    let mut others = Vec::new();
    for kind in Living::ALL {
        for number in 1..=pages {
            online.web.put_living(HOST, *kind, number);
            let url = format!("http://{HOST}{}", kind.path(number));
            let request = FetchRequest::page(Url::parse(&url).unwrap());
            let reading = Reading { options: &options, browser: Some(&browser) };
            let page = read_page(&online.fetcher, request, reading).await.unwrap();
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (read, shown) = (words(&page.document.text), kind.truth(number).join(" "));
            if read != shown {
                let why = (page.problem, page.not_rendered, page.rendered.map(|it| it.cut_short));
                others.push(format!("{kind:?} {number} {why:?}:\n{read}\n{shown}"));
            }
        }
    }
    let all = Living::ALL.len() * pages;
    // At least 98 of a hundred; of twenty that is all of them.
    assert!(
        others.len() * 100 <= all * 2,
        "{} of {all} differ:\n{}",
        others.len(),
        others.join("\n")
    );
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_page_reaches_nothing_private_whatever_way_it_tries() {
    if testkit::browser().is_none() {
        return;
    }
    let online = online();
    // The small internet itself is at 127.0.0.1; everything else on this machine is private.
    let listener = TcpListener::bind("127.0.0.2:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    listener.set_nonblocking(true).unwrap();
    let private = format!("http://127.0.0.2:{port}");
    online.web.put("trap.test", "/moved", Answer::redirect(302, format!("{private}/moved")));
    let page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Trap</title><div id=root></div>\
         <iframe src='{private}/frame'></iframe><iframe src='/moved'></iframe><iframe name=f></iframe>\
         <form id=form target=f method=get action='{private}/form'><input name=a value=b></form>\
         <link rel=stylesheet href='http://127.2:{port}/style.css'>\
         <script>const main = document.createElement('main'); main.innerHTML = '<p>TEXT</p>'; root.append(main);\
         const quiet = run => {{ try {{ const it = run(); it?.catch?.(() => 0) }} catch {{}} }};\
         for (const host of ['127.0.0.2', 'localhost', '[::1]', '[::ffff:127.0.0.2]', '2130706434', '0x7f000002'])\
           quiet(() => fetch('http://' + host + ':{port}/', {{ mode: 'no-cors' }}));\
         quiet(() => fetch('/moved', {{ mode: 'no-cors' }})); quiet(() => fetch('http://10.0.0.1/'));\
         quiet(() => fetch('http://169.254.169.254/latest/meta-data/')); quiet(() => new WebSocket('ws://127.0.0.2:{port}/'));\
         quiet(() => navigator.sendBeacon('{private}/beacon', 'x')); quiet(() => form.submit());\
         quiet(() => {{ const it = new RTCPeerConnection({{ iceServers: [{{ urls: 'turn:127.0.0.2:{port}?transport=tcp', username: 'a', credential: 'b' }}] }});\
           it.createDataChannel('x'); return it.createOffer().then(offer => it.setLocalDescription(offer)) }});\
         </script></html>"
    );
    let text = "The yield of rice fell by a tenth in the year of the flood, and farmers who had planted early lost less than others.";
    online.web.put("trap.test", "/", Answer::html(200, page.replace("TEXT", text)));
    let sandbox = !rustix::process::geteuid().is_root();
    let settings = BrowserSettings { sandbox, ..BrowserSettings::default() };
    let browser = Browser::new(settings, &online.folder.path().join("browser"));
    let options = ReadSettings::default();
    let request = FetchRequest::page(Url::parse("http://trap.test/").unwrap());
    let reading = Reading { options: &options, browser: Some(&browser) };
    let page = read_page(&online.fetcher, request, reading).await.unwrap();
    assert!(page.rendered.is_some(), "{:?}", page.not_rendered);
    assert!(page.document.text.contains(text), "{}", page.document.text);
    assert!(online.asked("trap.test").contains(&"/moved".to_owned()));
    let arrived = listener.accept().map(|it| it.1).map_err(|it| it.kind());
    assert_eq!(arrived, Err(std::io::ErrorKind::WouldBlock));
}
