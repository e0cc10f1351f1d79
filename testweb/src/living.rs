//! Pages whose text is made by scripts, and pages that misbehave while they make it, each with the truth: what a person is shown.
//!
//! [`crate::TestWeb::put_living`] puts page `number` of a kind on a host. Its text is in a `main`, in two languages.

use crate::answer::{Answer, Wire};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident,)*) => {
        /// How a page makes its text, or what it does meanwhile.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Living { $($(#[$doc])* $kind,)* }

        impl Living {
            pub const ALL: &[Self] = &[$(Self::$kind,)*];
        }
    };
}

kinds! {
    /// At once.
    Inline,
    /// From data that it asks for.
    Fetched,
    /// By an old way to ask.
    OldRequest,
    /// One sentence after another.
    Slowly,
    /// From modules.
    Modules,
    /// In a shadow root.
    Shadow,
    /// In a frame of its own site.
    Framed,
    /// In a worker.
    Worked,
    /// More when its end comes into sight.
    Scrolled,
    /// Behind a question about cookies.
    ConsentWall,
    /// With a service worker in between.
    ServiceWorker,
    /// Opens windows.
    Popups,
    /// Starts downloads.
    Downloads,
    /// Asks in dialogs.
    Dialogs,
    /// Wants a WebSocket, and does without.
    WebSocket,
    /// Wants a stream of events, and does without.
    Events,
    /// Waits for a script that never comes, after it has shown its text.
    NeverLoads,
    /// Changes its address without leaving.
    Router,
    /// Sends itself elsewhere twice.
    Hops,
    /// Asks for something again and again.
    Polls,
}

/// A page, what it asks for, and what a person is shown.
#[derive(Debug)]
pub(crate) struct LivingPage {
    pub(crate) parts: Vec<(String, Answer)>,
}

impl Living {
    /// Where page `number` of this kind is on its host.
    pub fn path(self, number: usize) -> String {
        format!("/{self:?}/{number}").to_lowercase()
    }

    /// The sentences that a person is shown, in their order.
    pub fn truth(self, number: usize) -> Vec<String> {
        let place = self as usize;
        let sentence = |at: usize| {
            let year = 1_960 + (number * 7 + at * 11 + place * 3) % 60;
            let tons = 100 + number * 13 + at * 7 + place;
            match at % 2 {
                0 => format!(
                    "In {year} the yield of rice in district {number} fell by {tons} tons after a flood, the ministry reported."
                ),
                _ => format!(
                    "{year}年の洪水のあと、第{number}地区の米の収量は{tons}トン減ったと省は報告した。"
                ),
            }
        };
        (0..5).map(sentence).collect()
    }

    pub(crate) fn page(self, number: usize) -> LivingPage {
        let path = self.path(number);
        let at = |name: &str| format!("{path}/{name}");
        let all = serde_json::json!(self.truth(number)).to_string();
        let html = |body: &str, script: &str| {
            Answer::html(
                200,
                format!(
                    "<!doctype html><html lang=en><meta charset=utf-8><title>District {number}</title>\
                     <main id=root></main>{body}<script>const all = {all};\
                     const add = text => {{ const p = document.createElement('p'); p.textContent = text; root.append(p) }};\
                     const show = list => list.forEach(add);{script}</script></html>"
                ),
            )
        };
        let data = || (at("data.json"), Answer::new(200, "application/json", all.clone()));
        let js = |name: &str, text: String| {
            (at(name), Answer::new(200, "text/javascript; charset=utf-8", text))
        };
        let asked = format!("fetch('{path}/data.json').then(it => it.json()).then(show)");
        let mut parts = Vec::new();
        let main = match self {
            Self::Inline => html("", "show(all)"),
            Self::Fetched => {
                parts.push(data());
                html("", &asked)
            }
            Self::OldRequest => {
                parts.push(data());
                html(
                    "",
                    &format!(
                        "const old = new XMLHttpRequest(); old.open('GET', '{path}/data.json'); \
                         old.onload = () => show(JSON.parse(old.responseText)); old.send()"
                    ),
                )
            }
            Self::Slowly => html(
                "",
                "const next = () => { add(all.shift()); if (all.length) setTimeout(next, 700) }; setTimeout(next, 300)",
            ),
            Self::Modules => {
                parts.push(js("data.mjs", format!("export default {all}")));
                parts.push(js(
                    "app.mjs",
                    "import all from './data.mjs'; window.show(all)".to_owned(),
                ));
                html(
                    &format!("<script type=module src='{path}/app.mjs'></script>"),
                    "window.show = show",
                )
            }
            Self::Shadow => html(
                "",
                "const box = document.createElement('x-box'); root.append(box); \
                 const inside = box.attachShadow({ mode: 'open' }); \
                 for (const it of all) { const p = document.createElement('p'); p.textContent = it; inside.append(p) }",
            ),
            Self::Framed => {
                parts.push((at("frame"), html("", "show(all)")));
                Answer::html(
                    200,
                    format!(
                        "<!doctype html><html lang=en><meta charset=utf-8><title>District {number}</title>\
                         <div id=root></div><script>const it = document.createElement('iframe'); it.src = '{path}/frame'; \
                         document.getElementById('root').append(it)</script></html>"
                    ),
                )
            }
            Self::Worked => {
                parts.push(data());
                parts.push(js(
                    "worker.js",
                    format!("fetch('{path}/data.json').then(it => it.json()).then(it => postMessage(it))"),
                ));
                html("", &format!("new Worker('{path}/worker.js').onmessage = it => show(it.data)"))
            }
            Self::Scrolled => html(
                "<hr id=end>",
                "const more = () => { if (all.length) { add(all.shift()); root.lastChild.style.height = '1800px' } }; \
                 more(); new IntersectionObserver(it => it[0].isIntersecting && more()).observe(end)",
            ),
            Self::ConsentWall => html(
                "",
                "show(all); const wall = document.createElement('div'); wall.className = 'cookie-consent'; \
                 wall.setAttribute('role', 'dialog'); wall.style = 'position:fixed;inset:0;background:white'; \
                 wall.innerHTML = '<p>We use cookies.</p><button>Accept all</button>'; \
                 document.body.style.overflow = 'hidden'; document.body.append(wall)",
            ),
            Self::ServiceWorker => {
                parts.push(data());
                parts.push(js(
                    "sw.js",
                    "addEventListener('fetch', it => it.respondWith(new Response('[\"made up\"]')))".to_owned(),
                ));
                html(
                    "",
                    &format!(
                        "navigator.serviceWorker?.register('{path}/sw.js').catch(() => 0); {asked}"
                    ),
                )
            }
            Self::Popups => {
                parts.push((at("window"), Answer::html(200, "<p>An offer.</p>")));
                html(
                    "",
                    &format!("for (let i = 0; i < 5; i++) window.open('{path}/window'); show(all)"),
                )
            }
            Self::Downloads => {
                let kind = "application/octet-stream";
                let file =
                    Answer::new(200, kind, "bytes").with("Content-Disposition", "attachment");
                parts.push((at("file"), file));
                html(
                    "",
                    &format!(
                        "const link = document.createElement('a'); link.href = '{path}/file'; link.download = 'a.exe'; \
                         document.body.append(link); link.click(); link.remove(); show(all)"
                    ),
                )
            }
            Self::Dialogs => html(
                "",
                "alert('Stop'); if (!confirm('Really?')) add(all.shift()); else add('confirmed'); \
                 prompt('Your name?'); show(all); window.onbeforeunload = () => 'Stay'",
            ),
            Self::WebSocket => {
                parts.push(data());
                html(
                    "",
                    &format!(
                        "new WebSocket('ws://' + location.host + '{path}/ws').onerror = () => {asked}"
                    ),
                )
            }
            Self::Events => {
                parts.push(data());
                html(
                    "",
                    &format!(
                        "const events = new EventSource('{path}/events'); events.onerror = () => {{ events.close(); {asked} }}"
                    ),
                )
            }
            Self::NeverLoads => {
                parts.push((
                    at("never.js"),
                    Answer::new(200, "text/javascript", "//").sent(Wire::Stall(1)),
                ));
                html(
                    "",
                    &format!(
                        "show(all); const it = document.createElement('script'); it.src = '{path}/never.js'; document.head.append(it)"
                    ),
                )
            }
            Self::Router => html(
                "",
                "add('Loading'); history.pushState(null, '', '?view=all'); \
                 requestAnimationFrame(() => setTimeout(() => { root.innerHTML = ''; show(all) }, 50))",
            ),
            Self::Hops => {
                parts.push((at("two"), html("", &format!("location.href = '{path}/three'"))));
                parts.push((at("three"), html("", "show(all)")));
                html("", &format!("location.replace('{path}/two')"))
            }
            Self::Polls => {
                parts.push((at("tick"), Answer::new(200, "text/plain", "tick")));
                html(
                    "",
                    &format!(
                        "show(all); let n = 0; setInterval(() => fetch('{path}/tick?n=' + n++), 400)"
                    ),
                )
            }
        };
        parts.push((path, main));
        LivingPage { parts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_text_of_its_own_and_does_not_give_it_away_before_its_scripts_run() {
        let mut seen = std::collections::HashSet::new();
        for kind in Living::ALL {
            for number in 1..=10 {
                let truth = kind.truth(number);
                assert!(seen.insert(truth.clone()), "{kind:?} {number}");
                let page = kind.page(number);
                let (path, main) = page.parts.last().expect("the page itself");
                assert_eq!(*path, kind.path(number));
                let body = String::from_utf8(main.body.to_vec()).expect("text");
                assert!(!body.contains(&format!("<p>{}", truth[0])), "{kind:?}");
            }
        }
    }
}
