//! One engine asked once: the cache, the request, the parsing, and what is remembered of it.

use std::sync::Arc;
use std::time::Duration;

use extract::Input;
use fetch::{FetchFailure, Fetcher, Kind, Origin, PersonNeeded};
use graph::{Cause, EngineHealth, Graph};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use tokio::task::spawn_blocking;

use super::{EngineAnswer, EngineOutcome, EngineSearch, EngineSettings};
use crate::Query;
use crate::cache::{self, CachedAnswer};
use crate::engines::{Engine, EngineRequest};
use crate::health::{Observed, PolicyChange};
use crate::serp::{Block, Serp, SerpKind};

/// Everything one engine needs to be asked on a task of its own.
pub(super) struct Asking {
    graph: Arc<Graph>,
    fetcher: Fetcher,
    engine: Arc<Engine>,
    query: Query,
    search: EngineSearch,
    settings: EngineSettings,
}

impl Asking {
    pub(super) fn new(
        graph: &Arc<Graph>,
        fetcher: &Fetcher,
        engine: &Engine,
        query: &Query,
        search: &EngineSearch,
        settings: &EngineSettings,
    ) -> Self {
        Self {
            graph: Arc::clone(graph),
            fetcher: fetcher.clone(),
            engine: Arc::new(engine.clone()),
            query: query.clone(),
            search: search.clone(),
            settings: settings.clone(),
        }
    }

    /// Asks for the first page, and for more while they bring something new and the query wants more.
    pub(super) async fn ask(self) -> graph::Result<EngineAnswer> {
        let mut answer = self.page(1).await?;
        for number in 2..=self.settings.max_pages {
            let good = matches!(answer.outcome, EngineOutcome::Answered(SerpKind::Results));
            if !good || answer.results.len() >= self.query.limit {
                break;
            }
            let next = self.page(number).await?;
            answer.from_cache &= next.from_cache;
            answer.elapsed += next.elapsed;
            let before = answer.results.len();
            for mut candidate in next.results {
                if !answer.results.iter().any(|it| it.url == candidate.url) {
                    candidate.rank = answer.results.len() as u32 + 1;
                    answer.results.push(candidate);
                }
            }
            if answer.results.len() == before {
                break;
            }
        }
        Ok(answer)
    }

    async fn page(&self, number: u32) -> graph::Result<EngineAnswer> {
        let today = self.graph.now().to_zoned(TimeZone::UTC).date();
        let mut request = self.engine.request(&self.query, number, today);
        let key = cache::key(&self.engine.name, &self.query, &request, number);
        if let Some(cached) = self.cached(&key).await? {
            return Ok(self.answer(&request, cached.serp, true, Duration::ZERO, cached.record_id));
        }
        let health = self.before_asking().await?;
        self.search.asked_by.sends(&mut request.fetch_request);
        let limits = self.settings.health.paced(&self.engine, health.as_ref());
        request.fetch_request.kind = Kind::Engine { name: self.engine.name.clone(), limits };
        let fetched = match self.fetcher.fetch(request.fetch_request.clone()).await {
            Ok(fetched) => fetched,
            Err(missed) => {
                if let Some(observed) = Observed::of_missed(&missed) {
                    self.remember(Some(observed), None, None, None).await?;
                }
                return Ok(self.missed(&request, missed));
            }
        };
        let fetched = Arc::new(fetched);
        let (engine, page, now) =
            (Arc::clone(&self.engine), Arc::clone(&fetched), self.graph.now());
        let mut serp = blocking(move || {
            let headers = page.headers.as_slice();
            let input = Input {
                bytes: &page.body,
                url: Some(&page.url),
                status: Some(page.status),
                headers,
            };
            Serp::parse(&engine, input, now)
        })
        .await;
        // Who follows a link says where it was, unless the page asks not to.
        if fetch::lets_itself_be_named(&fetched.headers, &fetched.body) {
            for result in &mut serp.results {
                result.found_on = Some(request.page.clone());
            }
        }
        // The fetcher is not told of a challenge: it would rest the whole site after the first, while the circuit of
        // the engine opens at the second and is closed again by a probe.
        let kept = CachedAnswer::is_worth_keeping(&serp).then(|| {
            let cached = CachedAnswer {
                serp: serp.clone(),
                record_id: fetched.record_id.clone(),
                fetched_at: fetched.fetched_at,
            };
            (key, cached)
        });
        let latency = Some(fetched.elapsed.as_secs_f64() * 1000.0);
        // What comes out of the archive was observed when it came.
        let observed = (fetched.origin != Origin::Archive).then(|| Observed::of(&serp));
        self.remember(observed, latency, fetched.record_id.clone(), kept).await?;
        self.queue_for_person(&request, &serp).await?;
        Ok(self.answer(&request, serp, false, fetched.elapsed, fetched.record_id.clone()))
    }

    /// A result page that a person can open waits for one; the engine rests meanwhile.
    async fn queue_for_person(&self, request: &EngineRequest, serp: &Serp) -> graph::Result<()> {
        let auth_type = match serp.kind {
            SerpKind::Blocked(Block::Challenge) => "challenge",
            SerpKind::Blocked(Block::Consent) => "consent",
            _ => return Ok(()),
        };
        let needed = PersonNeeded {
            url: request.page.clone(),
            auth_type: auth_type.to_owned(),
            task: self.search.asked_by.task,
            cause: self.search.asked_by.cause,
        };
        self.fetcher.queue_for_person(needed).await?;
        Ok(())
    }

    async fn cached(&self, key: &str) -> graph::Result<Option<CachedAnswer>> {
        if self.search.fresh || self.settings.cache_hours == 0 {
            return Ok(None);
        }
        let (graph, key) = (Arc::clone(&self.graph), key.to_owned());
        let payload = blocking(move || graph.read(|it| it.cached_serp(&key, graph.now()))).await?;
        Ok(payload.and_then(CachedAnswer::of))
    }

    /// The health of the engine; an open circuit whose time is over is now half open.
    async fn before_asking(&self) -> graph::Result<Option<EngineHealth>> {
        let (graph, name) = (Arc::clone(&self.graph), self.engine.name.clone());
        let (settings, cause) = (self.settings.health.clone(), self.cause("engine_probe"));
        blocking(move || {
            let now = graph.now();
            let Some(mut health) = graph.read(|it| it.engine_health(&name))? else {
                return Ok(None);
            };
            let changes = settings.asked(&mut health, now);
            if !changes.is_empty() {
                graph.write(cause, |writer| {
                    writer.keep_engine_health(&health)?;
                    log(writer, &name, &changes)
                })?;
            }
            Ok(Some(health))
        })
        .await
    }

    /// Keeps what was observed, if it was now, and the answer where it is worth it.
    async fn remember(
        &self,
        observed: Option<Observed>,
        latency_ms: Option<f64>,
        sample: Option<String>,
        kept: Option<(String, CachedAnswer)>,
    ) -> graph::Result<()> {
        let (graph, engine) = (Arc::clone(&self.graph), Arc::clone(&self.engine));
        let (settings, cause) = (self.settings.health.clone(), self.cause("engine_answer"));
        let hours = i64::from(self.settings.cache_hours);
        blocking(move || {
            let now = graph.now();
            graph.write(cause, |writer| {
                if let Some(observed) = observed {
                    let known = writer.engine_health(&engine.name)?;
                    let mut health = known.unwrap_or_else(|| settings.new_health(&engine, now));
                    let changes = settings.observe(
                        &engine,
                        &mut health,
                        observed,
                        latency_ms,
                        sample.as_deref(),
                        now,
                    );
                    writer.keep_engine_health(&health)?;
                    log(writer, &engine.name, &changes)?;
                }
                if let Some((key, answer)) = kept.filter(|_| hours > 0) {
                    let payload =
                        serde_json::to_value(&answer).expect("plain data has a JSON form");
                    writer.cache_serp(&key, &payload, expiry(now, hours))?;
                }
                Ok(())
            })
        })
        .await
    }

    fn cause(&self, kind: &'static str) -> Cause {
        let mut cause = Cause::new(kind).about("engine", &self.engine.name);
        if let Some(task) = self.search.asked_by.task {
            cause = cause.in_task(task);
        }
        match self.search.asked_by.cause {
            Some(parent) => cause.after(parent),
            None => cause,
        }
    }

    fn answer(
        &self,
        request: &EngineRequest,
        serp: Serp,
        from_cache: bool,
        elapsed: Duration,
        record_id: Option<String>,
    ) -> EngineAnswer {
        EngineAnswer {
            engine: self.engine.name.clone(),
            outcome: EngineOutcome::Answered(serp.kind),
            results: serp.results,
            page: request.page.clone(),
            text: request.text.clone(),
            dropped: request.dropped.clone(),
            from_cache,
            elapsed,
            record_id,
        }
    }

    fn missed(&self, request: &EngineRequest, missed: FetchFailure) -> EngineAnswer {
        let nothing = Serp { results: Vec::new(), kind: SerpKind::NoResults };
        let answer = self.answer(request, nothing, false, Duration::ZERO, None);
        EngineAnswer { outcome: EngineOutcome::Missed(missed), ..answer }
    }
}

fn expiry(now: Timestamp, hours: i64) -> Timestamp {
    now.checked_add(SignedDuration::from_hours(hours)).unwrap_or(Timestamp::MAX)
}

fn log(writer: &graph::Writer<'_>, engine: &str, changes: &[PolicyChange]) -> graph::Result<()> {
    for change in changes {
        let cause = Cause::new("engine_policy").about("engine", engine).with(change.detail());
        writer.record_event(cause.after(writer.cause()?))?;
        tracing::info!(engine, change = %change.detail(), "engine policy changed");
    }
    Ok(())
}

/// Runs what waits for the disk or takes long on a thread that may wait.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match spawn_blocking(work).await {
        Ok(value) => value,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Cancelled: the program is ending, and no caller waits for this any more.
            Err(_) => std::future::pending().await,
        },
    }
}
