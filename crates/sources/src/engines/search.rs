//! Asking engines through the fetcher.
//!
//! The cache first, then the network; every answer is read, remembered in the engine's health and, when it is good, in
//! the cache. An engine that fails is one line in the outcome, never the end of the search: the next engines are asked
//! while results are too few, and the last mile only after all others.

mod asking;

use std::sync::Arc;
use std::time::Duration;

use fetch::{FetchFailure, Fetcher, Reason};
use graph::Graph;
use serde::Serialize;
use settings::settings;
use tokio::task::JoinSet;
use url::Url;

use self::asking::{Asking, blocking};
use super::{Engines, Hit, merge};
use crate::choose::{Choice, ChoiceSettings, LeftOut, choose};
use crate::health::HealthSettings;
use crate::operators::Operator;
use crate::serp::{Block, SerpKind};
use crate::{AskedBy, Candidate, Query};

settings! {
    /// Web search engines. A file NAME.toml in the folder `engines` beside this one adds an engine or
    /// replaces the shipped one. `lyra engines list` shows them.
    pub struct EngineSettings {
        /// Hours an answer is good for the same query; 0 asks every time.
        cache_hours: u32 = 24, in 0..=720;
    }
    expert {
        /// Pages of results asked of one engine while it gave less than was wanted.
        max_pages as "result_pages": u32 = 1, in 1..=10;
        /// Results from all engines together below which further engines are asked.
        enough: usize = 10, in 1..=1_000;
    }
    parts {
        choice: ChoiceSettings;
        health: HealthSettings;
    }
}

/// What one search is about, beside its query.
#[derive(Debug, Clone, Default)]
pub struct EngineSearch {
    /// For whom, and why: what the ledger will say.
    pub asked_by: AskedBy,
    /// Asks exactly these, whatever their health; empty: Lyra chooses.
    pub engines: Vec<String>,
    /// Decides between equal engines.
    pub seed: u64,
    /// Asks although the answer is in the cache.
    pub fresh: bool,
    /// Asks in this order: what [`Engines::choose`] said. `None`: chosen now.
    pub choice: Option<Choice>,
}

/// What a search found, and the outcome of each engine.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The most promising first.
    pub hits: Vec<Hit>,
    /// In the order of asking.
    pub answers: Vec<EngineAnswer>,
    pub left_out: Vec<(String, LeftOut)>,
}

/// The outcome of asking one engine.
#[derive(Debug, Clone)]
pub struct EngineAnswer {
    pub engine: String,
    pub outcome: EngineOutcome,
    pub results: Vec<Candidate>,
    /// The result page: what later fetches of its results come from.
    pub page: Url,
    /// The query in the engine's words.
    pub text: String,
    /// What the engine had no way to say.
    pub dropped: Vec<Operator>,
    pub from_cache: bool,
    pub elapsed: Duration,
    /// The archived result page.
    pub record_id: Option<String>,
}

/// How asking an engine ended.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineOutcome {
    Answered(SerpKind),
    Missed(FetchFailure),
    /// The engine named does not exist.
    Unknown,
}

impl EngineAnswer {
    /// How long the answer was waited for; turns do not count.
    fn waited(&self, patience: Option<Duration>) -> Duration {
        match &self.outcome {
            EngineOutcome::Missed(missed) if missed.reason == Reason::TimedOut => {
                patience.unwrap_or_default()
            }
            _ => self.elapsed,
        }
    }

    /// What a person would have to open at `page` before the engine can be asked again.
    pub fn needs_person(&self) -> Option<Block> {
        match &self.outcome {
            EngineOutcome::Answered(SerpKind::Blocked(block)) if block.needs_person() => {
                Some(*block)
            }
            _ => None,
        }
    }
}

impl Engines {
    /// Searches with the engines that fit, until there is enough or none is left.
    pub async fn search(
        &self,
        graph: &Arc<Graph>,
        fetcher: &Fetcher,
        query: &Query,
        search: &EngineSearch,
        settings: &EngineSettings,
    ) -> graph::Result<Searched> {
        let choice = match &search.choice {
            Some(choice) => choice.clone(),
            None => self.choose(graph, query, search, settings).await?,
        };
        let enough = if query.limit > 0 { query.limit } else { settings.enough };
        let mut answers = Vec::new();
        let mut left_out = choice.left_out.clone();
        let mut silence = Duration::ZERO;
        let step = settings.choice.first.max(1);
        let then = choice.then.chunks(step).map(<[String]>::to_vec);
        // The last mile is taken one by one: each request of it is precious.
        let last_mile = choice.last_mile.iter().map(|it| vec![it.clone()]);
        for group in std::iter::once(choice.first.clone()).chain(then).chain(last_mile) {
            if !answers.is_empty() && found(&answers) >= enough {
                break;
            }
            if search.asked_by.patience.is_some_and(|it| silence >= it) {
                left_out.extend(group.into_iter().map(|it| (it, LeftOut::NoTimeLeft)));
                continue;
            }
            let asked = self.ask_all(graph, fetcher, &group, query, search, settings).await?;
            let waits = asked.iter().map(|it| it.waited(search.asked_by.patience));
            silence += waits.max().unwrap_or_default();
            answers.extend(asked);
        }
        let hits = merge(query, answers.iter().map(|it: &EngineAnswer| it.results.clone()));
        Ok(Searched { hits, answers, left_out })
    }

    /// Asks one engine, whatever its health.
    pub async fn ask(
        &self,
        graph: &Arc<Graph>,
        fetcher: &Fetcher,
        name: &str,
        query: &Query,
        search: &EngineSearch,
        settings: &EngineSettings,
    ) -> graph::Result<EngineAnswer> {
        match self.get(name) {
            Some(engine) => {
                let asking = Asking::new(graph, fetcher, engine, query, search, settings);
                asking.ask().await
            }
            None => Ok(unknown(name)),
        }
    }

    /// Which engines a search asks, and in which order.
    pub async fn choose(
        &self,
        graph: &Arc<Graph>,
        query: &Query,
        search: &EngineSearch,
        settings: &EngineSettings,
    ) -> graph::Result<Choice> {
        if !search.engines.is_empty() {
            return Ok(Choice { first: search.engines.clone(), ..Choice::default() });
        }
        let (graph, engines) = (Arc::clone(graph), self.clone());
        let now = graph.now();
        let standings = blocking(move || graph.read(|it| engines.standings(it, now))).await?;
        let (choice, health) = (&settings.choice, &settings.health);
        Ok(choose(self.all(), &standings, query, now, search.seed, choice, health))
    }

    /// Asks a group at the same time; answers come in the order of the group.
    async fn ask_all(
        &self,
        graph: &Arc<Graph>,
        fetcher: &Fetcher,
        group: &[String],
        query: &Query,
        search: &EngineSearch,
        settings: &EngineSettings,
    ) -> graph::Result<Vec<EngineAnswer>> {
        let mut asked = JoinSet::new();
        let mut answers: Vec<Option<EngineAnswer>> = vec![None; group.len()];
        for (at, name) in group.iter().enumerate() {
            match self.get(name) {
                Some(engine) => {
                    let asking = Asking::new(graph, fetcher, engine, query, search, settings);
                    asked.spawn(async move { (at, asking.ask().await) });
                }
                None => answers[at] = Some(unknown(name)),
            }
        }
        while let Some(done) = asked.join_next().await {
            let (at, answer) = done.unwrap_or_else(|it| std::panic::resume_unwind(it.into_panic()));
            answers[at] = Some(answer?);
        }
        Ok(answers.into_iter().flatten().collect())
    }
}

fn found(answers: &[EngineAnswer]) -> usize {
    let urls = answers.iter().flat_map(|it| &it.results).map(|it| &it.url);
    urls.collect::<std::collections::HashSet<_>>().len()
}

fn unknown(name: &str) -> EngineAnswer {
    EngineAnswer {
        engine: name.to_owned(),
        outcome: EngineOutcome::Unknown,
        results: Vec::new(),
        page: Url::parse("about:blank").expect("a constant address"),
        text: String::new(),
        dropped: Vec::new(),
        from_cache: false,
        elapsed: Duration::ZERO,
        record_id: None,
    }
}
