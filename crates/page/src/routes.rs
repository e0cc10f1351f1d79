//! Which path shows what, and what a form does.

mod changes;
mod screens;

use std::sync::{Arc, LazyLock};

use evidence::BadId;
use graph::{Graph, Reader};
use http::StatusCode;
use http::request::Parts;
use maud::Markup;
use report::Language;

use crate::door::{Answered, Asked, html};
use crate::house::{House, Told, Trouble};
use crate::reports::Reports;
use crate::view::{Frame, shell};
use crate::words::Words;

const STYLE: &str = include_str!("../assets/page.css");
const SCRIPT: &str = include_str!("../assets/page.js");
const ICON: &str = include_str!("../assets/icon.svg");

static STYLE_ADDRESS: LazyLock<String> = LazyLock::new(|| address("/page.css", STYLE));
static SCRIPT_ADDRESS: LazyLock<String> = LazyLock::new(|| address("/page.js", SCRIPT));

/// With a digest, so that a browser that kept an older one asks again.
fn address(path: &str, text: &str) -> String {
    format!("{path}?{}", &blake3::hash(text.as_bytes()).to_hex()[..12])
}

pub(crate) fn style_address() -> &'static str {
    &STYLE_ADDRESS
}

pub(crate) fn script_address() -> &'static str {
    &SCRIPT_ADDRESS
}

/// Files of the program itself: nothing of the person is in them.
pub(crate) fn asset(head: &Parts) -> Option<Answered> {
    let (kind, text) = match head.uri.path() {
        "/page.css" => ("text/css; charset=utf-8", STYLE),
        "/page.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "/icon.svg" => ("image/svg+xml", ICON),
        _ => return None,
    };
    Some(crate::door::asset(kind, text))
}

/// A request while it is answered.
pub(crate) struct Visit {
    pub(crate) house: Arc<dyn House>,
    pub(crate) reports: Arc<Reports>,
    pub(crate) asked: Asked,
}

pub(crate) async fn answer(house: Arc<dyn House>, reports: Arc<Reports>, asked: Asked) -> Answered {
    let visit = Visit { house, reports, asked };
    let path = visit.asked.path.clone();
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let done = match visit.asked.is_change {
        false => screens::show(&visit, &parts).await,
        true => changes::change(&visit, &parts).await,
    };
    match done {
        Ok(answered) => answered,
        Err(trouble) => {
            let frame = visit.frame(0);
            html(trouble.status, &shell::trouble(&frame, &trouble))
        }
    }
}

impl Visit {
    /// Asks the graph, on a thread where that may take a while.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Reader<'_>) -> graph::Result<T> + Send + 'static,
    ) -> Result<T, Trouble> {
        ask(&self.house, question).await
    }

    fn frame(&self, waiting: u64) -> Frame {
        Frame {
            w: Words::of(self.asked.language),
            language: self.asked.language,
            csrf: self.asked.csrf.clone(),
            here: self.asked.full_path.clone(),
            now: self.house.now(),
            offline: self.house.offline(),
            waiting,
        }
    }

    /// The frame of a screen, with what waits for a person.
    pub(crate) async fn whole_frame(&self) -> Result<Frame, Trouble> {
        let pages = self.ask(|r| r.auth_waiting(None)).await?.pending;
        let questions = self.house.questions().len() as u64;
        Ok(self.frame(pages + questions))
    }
}

pub(crate) async fn ask<T: Send + 'static>(
    house: &Arc<dyn House>,
    question: impl FnOnce(&Reader<'_>) -> graph::Result<T> + Send + 'static,
) -> Result<T, Trouble> {
    let house = Arc::clone(house);
    let asked = tokio::task::spawn_blocking(move || {
        let (mut question, mut answer) = (Some(question), None);
        house.with_graph(&mut |graph: &Graph| {
            answer = question.take().map(|it| graph.read(it));
        })?;
        match answer {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(error)) => Err(house.trouble(error)),
            None => Err(bug()),
        }
    });
    asked.await.unwrap_or_else(|_| Err(bug()))
}

fn told(
    pick: fn(&'static Words) -> &'static text::messages::Message,
    status: StatusCode,
) -> Trouble {
    let told = |language| Told { message: String::from(pick(Words::of(language))), hint: None };
    Trouble { status, english: told(Language::En), japanese: told(Language::Ja) }
}

/// There is no such screen.
pub(crate) fn missing() -> Trouble {
    told(|w| &w.missing, StatusCode::NOT_FOUND)
}

/// What a form sends is not what it offers.
pub(crate) fn misfit() -> Trouble {
    told(|w| &w.misfit, StatusCode::BAD_REQUEST)
}

fn bug() -> Trouble {
    told(|w| &w.bug, StatusCode::INTERNAL_SERVER_ERROR)
}

pub(crate) fn id<T: std::str::FromStr<Err = BadId>>(given: &str) -> Result<T, Trouble> {
    given.parse().map_err(|_| missing())
}

pub(crate) fn shown(page: &Markup) -> Answered {
    html(StatusCode::OK, page)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn script_and_style_are_small() {
        let packed: usize = [STYLE, SCRIPT, ICON]
            .map(|text| {
                let mut packer = GzEncoder::new(Vec::new(), Compression::best());
                packer.write_all(text.as_bytes()).unwrap();
                packer.finish().unwrap().len()
            })
            .iter()
            .sum();
        assert!(packed < 16_000, "{packed} bytes");
    }

    #[test]
    fn they_load_nothing_from_anywhere() {
        for text in [STYLE, SCRIPT] {
            for word in ["http://", "https://", "@import", "url(", "eval(", "innerHTML +="] {
                assert!(!text.contains(word), "{word}");
            }
        }
    }
}
