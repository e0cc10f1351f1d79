//! Pages that are made by scripts in ten ways, each with the text that a person is shown.
//!
//! `LYRA_RENDERED_PAGES=20` makes two hundred of the thirty.

use std::sync::Arc;

use crate::support::{Pages, browser, folder, opening, shown_text};

/// Pages of each kind, unless the environment says another number.
const PAGES: usize = 3;

/// A page, what it asks for, and the text it shows.
struct Case {
    page: String,
    pages: Pages,
    shown: String,
}

/// Sentences of page `n`, in two languages.
fn sentences(n: usize) -> Vec<String> {
    let years = (0..4).map(|it| 1_990 + (n * 7 + it * 3) % 35);
    let each = years.enumerate().map(|(at, year)| match at % 2 {
        0 => format!("The yield of rice fell by {n} tons in {year}, page {n} says."),
        _ => format!("{year}年の米の収量は{n}トン減った。"),
    });
    each.collect()
}

fn case(kind: usize, n: usize) -> Case {
    let all = sentences(n);
    let json =
        format!("[{}]", all.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join(","));
    let list: String = all.iter().map(|it| format!("<p>{it}</p>")).collect();
    let joined = all.join(" ");
    let none = Pages::default;
    let helper = "const add = (text, to = root) => { const p = document.createElement('p'); p.textContent = text; to.append(p); };";
    let page = |script: &str| {
        format!(
            "<!doctype html><meta charset=utf-8><title>Rice</title><div id=root></div><script>{helper}{script}</script>"
        )
    };
    match kind {
        0 => Case { page: page(&format!("for (const it of {json}) add(it)")), pages: none(), shown: joined },
        1 => Case {
            page: page("fetch('/data').then(it => it.json()).then(all => all.forEach(it => add(it)))"),
            pages: none().with("http://page.example/data", "application/json", &json),
            shown: joined,
        },
        2 => Case {
            page: page(&format!(
                "const all = {json}; const next = () => {{ add(all.shift()); if (all.length) setTimeout(next, 900) }}; next()"
            )),
            pages: none(),
            shown: joined,
        },
        3 => Case {
            page: format!(
                "<!doctype html><meta charset=utf-8><x-part>{list}</x-part><script>
                 customElements.define('x-part', class extends HTMLElement {{ connectedCallback() {{
                   this.attachShadow({{ mode: 'open' }}).innerHTML = '<h1>Head {n}</h1><slot></slot><i>foot</i>'; }} }})</script>"
            ),
            pages: none(),
            shown: format!("Head {n} {joined} foot"),
        },
        4 => Case {
            page: page(&format!(
                "const all = {json}; let at = 0; const end = document.createElement('hr'); document.body.append(end);
                 const more = () => {{ if (at < all.length) {{ add(all[at++]); root.lastChild.style.height = '2500px'; }} }};
                 more(); new IntersectionObserver(it => it[0].isIntersecting && more()).observe(end)"
            )),
            pages: none(),
            shown: joined,
        },
        5 => Case {
            page: page(&format!(
                "{json}.forEach(it => add(it)); const wall = document.createElement('div');
                 wall.style = 'position:fixed;inset:0;background:white'; wall.innerHTML = '<button>Accept all</button>';
                 document.body.style.overflow = 'hidden'; document.body.append(wall)"
            )),
            pages: none(),
            shown: format!("{joined} Accept all"),
        },
        6 => Case {
            page: page(&format!(
                "{json}.forEach((it, at) => {{ add(it); if (at % 2) root.lastChild.className = 'off'; }});
                 const style = document.createElement('style'); style.textContent = '.off {{ display: none }}';
                 document.head.append(style)"
            )),
            pages: none(),
            shown: format!("{} {}", all[0], all[2]),
        },
        7 => Case {
            page: "<!doctype html><meta charset=utf-8><div id=root></div><template id=t><p><b></b></p></template>\
                   <script type=module src=/app.mjs></script>".to_owned(),
            pages: none()
                .script(
                    "http://page.example/app.mjs",
                    "import { all } from '/data.mjs'; for (const it of all) { const one = t.content.cloneNode(true); \
                     one.querySelector('b').textContent = it; root.append(one); }",
                )
                .with("http://page.example/data.mjs", "text/javascript; charset=utf-8", &format!("export const all = {json}")),
            shown: joined,
        },
        8 => Case {
            page: "<!doctype html><p>Before</p><iframe src=/frame></iframe><p>After</p>".to_owned(),
            pages: none().html(
                "http://page.example/frame",
                &format!("<meta charset=utf-8><div id=root></div><script>{helper}{json}.forEach(it => add(it))</script>"),
            ),
            shown: format!("Before {joined} After"),
        },
        _ => Case {
            page: page(&format!(
                "history.pushState(null, '', '/page/{n}'); document.title = 'Page {n}'; add('Loading ...');
                 requestAnimationFrame(() => Promise.resolve().then(() => {{ root.innerHTML = ''; {json}.forEach(it => add(it)) }}))"
            )),
            pages: none(),
            shown: joined,
        },
    }
}

#[tokio::test]
async fn pages_show_what_a_person_is_shown() {
    if testkit::browser().is_none() {
        return;
    }
    let folder = folder();
    let browser = browser(folder.path());
    let mut others = Vec::new();
    let pages = std::env::var("LYRA_RENDERED_PAGES").ok().map(|it| it.parse().expect("a number"));
    let pages = pages.unwrap_or(PAGES);
    let all = (0..10).flat_map(|kind| (1..=pages).map(move |n| (kind, n)));
    for (kind, n) in all {
        let Case { page, pages, shown } = case(kind, n);
        let rendered = browser.render(opening(&page), Arc::new(pages)).await.expect("a page");
        let text = shown_text(&rendered.html);
        if text != shown {
            others.push(format!("kind {kind}, page {n}:\n{text}\n{shown}"));
        }
    }
    assert_eq!(others, [""; 0]);
}
