//! Search engines: answers that are kept, and faults that are found.

use jiff::SignedDuration;
use sources::{
    EngineAnswer, EngineOutcome, EngineSearch, EngineSettings, Engines, Query, SerpKind,
};
use testweb::{EngineMode, topics};

use super::{A_DAY, Stage};
use crate::criteria::{Criteria, Target};

/// Engines that the small internet has, under the names both sides use.
const ENGINES: &[&str] = &[
    "duckduckgo",
    "duckduckgo_lite",
    "mojeek",
    "brave",
    "startpage",
    "ecosia",
    "bing",
    "marginalia",
    "google",
];

/// Ways an engine can answer, and whether it is a fault.
const MODES: &[(EngineMode, bool)] = &[
    (EngineMode::Normal, false),
    (EngineMode::NoResults, false),
    (EngineMode::Captcha, true),
    (EngineMode::Normal, false),
    (EngineMode::ChangedLayout, true),
    (EngineMode::Normal, false),
    (EngineMode::Http(429), true),
    (EngineMode::Http(503), true),
    (EngineMode::Down, true),
    (EngineMode::Normal, false),
];

impl Stage {
    /// The same searches twice: the second time most answers are known.
    pub(super) async fn searches(&self, criteria: &mut Criteria) {
        let engines = Engines::load(None);
        let mut asked = 0;
        let mut cached = 0;
        for run in 0..2 {
            for topic in topics() {
                for text in [topic.name.en, topic.name.ja] {
                    // Engines want seconds between two questions; here they pass quickly.
                    self.pass(SignedDuration::from_secs(30)).await;
                    let query = Query { text: text.to_owned(), limit: 10, ..Query::default() };
                    let searched = engines
                        .search(
                            &self.graph,
                            &self.fetcher,
                            &query,
                            &EngineSearch::default(),
                            &EngineSettings::default(),
                        )
                        .await
                        .expect("the graph can be written");
                    if run == 1 {
                        asked += searched.answers.len();
                        cached += searched.answers.iter().filter(|it| it.from_cache).count();
                    }
                }
            }
        }
        criteria.share(
            "result pages from the cache in a second run",
            cached,
            asked,
            Target::AtLeast(0.50),
        );
    }

    /// Each engine in each mode: what is called a fault, and what is one.
    pub(super) async fn engine_faults(&self, criteria: &mut Criteria) {
        let engines = Engines::load(None);
        let query = Query { text: topics()[0].name.en.to_owned(), limit: 10, ..Query::default() };
        let search = EngineSearch { fresh: true, ..EngineSearch::default() };
        let (mut found, mut called, mut real) = (0, 0, 0);
        let (mut whole, mut normal) = (0, 0);
        for (mode, is_fault) in MODES {
            self.pass(A_DAY).await;
            for name in ENGINES {
                self.web.set_engine(name, *mode);
                let answer = engines
                    .ask(
                        &self.graph,
                        &self.fetcher,
                        name,
                        &query,
                        &search,
                        &EngineSettings::default(),
                    )
                    .await
                    .expect("the graph can be written");
                let is_called = !is_healthy(&answer);
                real += usize::from(*is_fault);
                called += usize::from(is_called);
                found += usize::from(*is_fault && is_called);
                if *mode == EngineMode::Normal {
                    normal += 1;
                    whole += usize::from(!answer.results.is_empty());
                }
                if is_called != *is_fault
                    || *mode == EngineMode::Normal && answer.results.is_empty()
                {
                    criteria.note(format!("{name} in mode {mode:?}: {:?}", answer.outcome));
                }
                self.web.set_engine(name, EngineMode::Normal);
            }
        }
        criteria.share("engines that answer, read", whole, normal, Target::AtLeast(0.95));
        criteria.share("faults of engines: precision", found, called, Target::AtLeast(0.90));
        criteria.share("faults of engines: recall", found, real, Target::AtLeast(0.80));
    }
}

fn is_healthy(answer: &EngineAnswer) -> bool {
    matches!(answer.outcome, EngineOutcome::Answered(SerpKind::Results | SerpKind::NoResults))
}
