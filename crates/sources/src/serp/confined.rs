//! A result page read in a child process that can do nothing else, where the program has such children (`sandbox`).

use extract::Input;
use jiff::Timestamp;
use sandbox::{Answer, Handler, Work};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{Serp, SerpKind};
use crate::engines::Engine;

/// What a child does with a result page.
pub const HANDLER: Handler = Handler { name: "serp", run: Work::OnBytes(run) };

/// What is wanted of the bytes. An engine travels as its declaration.
#[derive(Serialize, Deserialize)]
struct Wanted {
    engine: String,
    declaration: String,
    url: Option<Url>,
    status: Option<u16>,
    headers: Vec<(String, String)>,
    now: Timestamp,
}

/// The child's part.
fn run(wanted: &[u8], bytes: &[u8]) -> Answer {
    let it: Wanted = serde_json::from_slice(wanted)?;
    let engine = Engine::parse(&it.engine, &it.declaration).map_err(serde::de::Error::custom)?;
    let input = Input { bytes, url: it.url.as_ref(), status: it.status, headers: &it.headers };
    serde_json::to_vec(&Serp::parse_here(&engine, input, it.now))
}

/// Has a child read; `None` where the program has none.
pub(super) fn parse(engine: &Engine, input: Input<'_>, now: Timestamp) -> Option<Serp> {
    if !sandbox::is_installed() {
        return None;
    }
    let wanted = Wanted {
        engine: engine.name.clone(),
        declaration: engine.declaration.to_string(),
        url: input.url.cloned(),
        status: input.status,
        headers: input.headers.to_vec(),
        now,
    };
    let wanted = serde_json::to_vec(&wanted).ok()?;
    let answer = sandbox::ask(HANDLER.name, &wanted, input.bytes)?;
    let serp = answer.map_err(|it| it.to_string()).and_then(|it| {
        serde_json::from_slice(&it).map_err(|_| "the reading process gave no page".to_owned())
    });
    Some(serp.unwrap_or_else(|why| Serp::empty(SerpKind::Broken { why })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::SHIPPED_ENGINES;

    #[test]
    fn a_result_page_comes_through_the_pipe_as_it_was() {
        let shipped = SHIPPED_ENGINES[2];
        let engine = Engine::parse(shipped.name, shipped.declaration).unwrap();
        let page = r#"<ul class="results-standard"><li><h2><a class="title" href="https://a.example/x">A result</a></h2>
            <p class="s">Its snippet.</p></li></ul>"#;
        let now = Timestamp::UNIX_EPOCH;
        let input = Input { bytes: page.as_bytes(), status: Some(200), ..Input::default() };
        let here = Serp::parse_here(&engine, input, now);
        assert_eq!(here.results[0].title, "A result");
        let wanted = Wanted {
            engine: engine.name.clone(),
            declaration: engine.declaration.to_string(),
            url: None,
            status: Some(200),
            headers: Vec::new(),
            now,
        };
        let answer = run(&serde_json::to_vec(&wanted).unwrap(), page.as_bytes()).unwrap();
        assert_eq!(serde_json::from_slice::<Serp>(&answer).unwrap(), here);
    }
}
