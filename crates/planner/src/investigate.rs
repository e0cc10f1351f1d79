//! A whole investigation: rounds of searches until the question is answered, nothing new comes, or the budget ends.

use std::collections::BTreeSet;

use evidence::{ClaimId, SearchStatus, StopReason, TaskId};
use expand::ExpansionKind;
use llm::Llm;
use report::ReportSettings;
use research::calls::{
    CreateTask, GetStatus, SearchAnswer, SearchCall, SearchOptions, StatusAnswer, StopTask,
    TaskConfig,
};
use research::{Engine, Result};
use serde::Serialize;
use settings::settings;

use crate::draft;
use crate::queries::{asks_more, keywords};

settings! {
    /// `lyra research`: what is searched next.
    pub struct PlanSettings {
        /// Other ways to ask the question that are searched as well, in the other language first.
        expansions: usize = 2, in 0..=10;
    }
    expert {
        /// Rounds in which a language model is asked for queries.
        model_rounds: usize = 3, in 0..=100;
        /// Queries of a round.
        queries_per_round: usize = 3, in 1..=100;
        /// Claims for which counter-evidence is searched.
        challenged_claims: usize = 3, in 0..=100;
        /// Searches in a row without anything new that end the rounds.
        dry_searches: usize = 2, in 1..=100;
        /// A search with a smaller share of new passages brought nothing new.
        least_novelty: f64 = 0.1, in 0.0..=1.0;
        /// Passages a draft may rest on.
        draft_passages: usize = 24, in 1..=1_000;
    }
}

/// What is to be investigated: something new, or a task that was begun.
#[derive(Debug, Clone)]
pub enum Plan {
    New {
        question: String,
        hypothesis: Option<String>,
        config: TaskConfig,
    },
    /// Goes on with a task.
    Resume {
        task: TaskId,
        /// Lets a task that is offline send requests from now on: the person says so.
        online: bool,
    },
}

/// What the planner decided, and why.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    TaskStarted {
        task_id: TaskId,
        question: String,
    },
    TaskResumed {
        task_id: TaskId,
        question: String,
        unfinished: usize,
        /// Nothing is sent for it.
        offline: bool,
    },
    /// A search is about to begin.
    Round {
        round: usize,
        query: String,
        refute: bool,
        why: QueryReason,
    },
    SearchDone {
        round: usize,
        answer: Box<SearchAnswer>,
    },
    ModelSilent {
        message: String,
    },
    Drafting {
        passages: usize,
    },
    Drafted {
        sentences: usize,
        failed: usize,
        unchecked: usize,
    },
    Stopped {
        reason: EndReason,
    },
}

/// Why a query is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QueryReason {
    /// The question as it was asked.
    Question,
    /// The words that carry it.
    Keywords,
    Hypothesis,
    OtherLanguage,
    OtherSpelling,
    Synonym,
    /// Something broader or narrower.
    Related,
    /// The user named it.
    Requested,
    /// A language model thought of it.
    Model,
    /// What speaks against the question or the hypothesis.
    Doubt,
    /// What speaks against a claim with good support.
    Challenge,
}

/// Why an investigation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// Everything that was planned was asked.
    Completed,
    PageBudget,
    TimeBudget,
    /// Every site that is left to read cools down: the task is paused and can be resumed.
    #[serde(rename = "all_domains_resting")]
    AllResting,
    /// The task was stopped.
    Stopped,
}

impl EndReason {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::PageBudget => "page_budget",
            Self::TimeBudget => "time_budget",
            Self::AllResting => "all_domains_resting",
            Self::Stopped => "stopped",
        }
    }

    /// What the end of a search means for the investigation: most searches simply end.
    const fn after(search: StopReason) -> Option<Self> {
        match search {
            StopReason::NoMoreCandidates | StopReason::NothingNew | StopReason::FallingReturns => {
                None
            }
            StopReason::PageBudget => Some(Self::PageBudget),
            StopReason::TimeBudget => Some(Self::TimeBudget),
            StopReason::AllResting => Some(Self::AllResting),
            StopReason::Stopped => Some(Self::Stopped),
        }
    }
}

/// How an investigation ended.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    pub task_id: TaskId,
    pub reason: EndReason,
    pub status: StatusAnswer,
}

/// A query of the mechanical plan.
#[derive(Debug, Clone)]
struct Query {
    text: String,
    refute: bool,
    why: QueryReason,
}

/// Investigates a question to its end. Everything found is in the graph at every moment. `report` is how the findings
/// are chosen that a draft is written from.
pub async fn investigate(
    engine: &Engine,
    llm: Option<&Llm>,
    plan: Plan,
    settings: &PlanSettings,
    report: ReportSettings,
    mut tell: impl FnMut(Event),
) -> Result<Outcome> {
    let task = begin(engine, plan, &mut tell).await?;
    let wished = engine.wished_queries(task).await?;
    let mut run = Run { engine, task, settings, round: 0, dry: 0, asked: BTreeSet::new() };
    let status = run.status().await?;
    for search in &status.searches {
        run.asked.insert((search.search.query.clone(), SearchOptions::of(search).refute));
    }
    let reason = run.rounds(llm, &status, wished, &mut tell).await?;
    if let Some(llm) = llm {
        draft::write(engine, llm, task, settings, report, &mut tell).await?;
    }
    tell(Event::Stopped { reason });
    // The engine has paused a task whose sites cool down, so that it can be resumed.
    if reason != EndReason::AllResting {
        let reason = Some(reason.as_str().to_owned());
        engine.stop_task(StopTask { task_id: task, reason }).await?;
    }
    Ok(Outcome { task_id: task, reason, status: run.status().await? })
}

async fn begin(engine: &Engine, plan: Plan, tell: &mut impl FnMut(Event)) -> Result<TaskId> {
    match plan {
        Plan::New { question, hypothesis, config } => {
            engine.reach_network(&config).await?;
            let created =
                engine.create_task(CreateTask { query: question, hypothesis, config }).await?;
            tell(Event::TaskStarted { task_id: created.task_id, question: created.query });
            Ok(created.task_id)
        }
        Plan::Resume { task, online } => {
            // Before anything is widened, asked or counted.
            engine.reach_network_for(task, online).await?;
            if online {
                engine.go_online(task).await?;
            }
            let status = engine.get_status(GetStatus { task_id: task, wait_seconds: None }).await?;
            let unfinished = status
                .searches
                .iter()
                .filter(|it| it.search.status == SearchStatus::Running)
                .count();
            let offline = engine.is_offline(task).await?;
            tell(Event::TaskResumed { task_id: task, question: status.query, unfinished, offline });
            engine.resume_task(task).await?;
            Ok(task)
        }
    }
}

/// What is doubted: the hypothesis, and the question where it is in another language, for then it finds other sources.
fn doubted(question: &str, hypothesis: Option<&str>) -> Vec<String> {
    let Some(hypothesis) = hypothesis else { return vec![question.to_owned()] };
    let language = |it: &str| text::language::detect(it).name();
    let mut doubted = vec![hypothesis.to_owned()];
    if language(hypothesis) != language(question) {
        doubted.push(question.to_owned());
    }
    doubted
}

struct Run<'a> {
    engine: &'a Engine,
    task: TaskId,
    settings: &'a PlanSettings,
    round: usize,
    /// Searches in a row that brought nothing new.
    dry: usize,
    asked: BTreeSet<(String, bool)>,
}

impl Run<'_> {
    async fn status(&self) -> Result<StatusAnswer> {
        self.engine.get_status(GetStatus { task_id: self.task, wait_seconds: None }).await
    }

    async fn rounds(
        &mut self,
        llm: Option<&Llm>,
        status: &StatusAnswer,
        wished: Vec<String>,
        tell: &mut impl FnMut(Event),
    ) -> Result<EndReason> {
        let mut opening =
            vec![Query { text: status.query.clone(), refute: false, why: QueryReason::Question }];
        opening.extend(keywords(&status.query).map(|text| Query {
            text,
            refute: false,
            why: QueryReason::Keywords,
        }));
        let hypothesis = status.hypothesis.clone().filter(|it| asks_more(it, &status.query));
        opening.extend(hypothesis.map(|text| Query {
            text,
            refute: false,
            why: QueryReason::Hypothesis,
        }));
        let others = self.engine.other_ways_to_ask(&status.query).into_iter();
        opening.extend(others.take(self.settings.expansions).map(|it| Query {
            text: it.text,
            refute: false,
            why: match it.kind {
                ExpansionKind::Mirror => QueryReason::OtherLanguage,
                ExpansionKind::Script => QueryReason::OtherSpelling,
                ExpansionKind::Synonym => QueryReason::Synonym,
                ExpansionKind::Related => QueryReason::Related,
            },
        }));
        let wished = wished.into_iter();
        opening.extend(wished.map(|text| Query {
            text,
            refute: false,
            why: QueryReason::Requested,
        }));
        if let Some(ended) = self.search_all(opening, tell).await? {
            return Ok(ended);
        }
        if let Some(llm) = llm
            && let Some(ended) = self.model_rounds(llm, &status.query, tell).await?
        {
            return Ok(ended);
        }
        let doubted = doubted(&status.query, status.hypothesis.as_deref()).into_iter();
        let doubts = doubted.map(|text| Query { text, refute: true, why: QueryReason::Doubt });
        if let Some(ended) = self.search_all(doubts.collect(), tell).await? {
            return Ok(ended);
        }
        let challenges = self.challenges().await?;
        if let Some(ended) = self.search_all(challenges, tell).await? {
            return Ok(ended);
        }
        Ok(EndReason::Completed)
    }

    /// Rounds of queries that a language model thinks of, as long as they bring something.
    async fn model_rounds(
        &mut self,
        llm: &Llm,
        question: &str,
        tell: &mut impl FnMut(Event),
    ) -> Result<Option<EndReason>> {
        for _ in 0..self.settings.model_rounds {
            if self.dry >= self.settings.dry_searches {
                break;
            }
            let known: Vec<String> = self.asked.iter().map(|it| it.0.clone()).collect();
            if !self.engine.model_has_time(self.task).await? {
                let message = "its share of the time is used up; no more queries".to_owned();
                tell(Event::ModelSilent { message });
                break;
            }
            let asked = llm.queries(question, &known, self.settings.queries_per_round);
            let queries = match self.engine.timed_model(self.task, asked).await? {
                Ok(answer) => answer.value,
                Err(error) => {
                    let message = format!("it thought of no queries: {error}");
                    tell(Event::ModelSilent { message });
                    break;
                }
            };
            if queries.is_empty() {
                break;
            }
            let why = QueryReason::Model;
            let queries = queries.into_iter().map(|text| Query { text, refute: false, why });
            if let Some(ended) = self.search_all(queries.collect(), tell).await? {
                return Ok(Some(ended));
            }
        }
        Ok(None)
    }

    /// The best claims about the question are challenged: what nobody doubted was perhaps not looked for.
    async fn challenges(&self) -> Result<Vec<Query>> {
        let best = self.engine.best_claims(self.task, self.settings.challenged_claims).await?;
        let best: Vec<(ClaimId, String)> = best;
        Ok(best
            .into_iter()
            .map(|(_, text)| Query { text, refute: true, why: QueryReason::Challenge })
            .collect())
    }

    /// Runs queries one after the other; returns why nothing more should be asked, if so.
    async fn search_all(
        &mut self,
        queries: Vec<Query>,
        tell: &mut impl FnMut(Event),
    ) -> Result<Option<EndReason>> {
        for query in queries {
            if !self.asked.insert((query.text.clone(), query.refute)) {
                continue;
            }
            let status = self.status().await?;
            if status.budget.pages_used >= status.budget.pages_limit {
                return Ok(Some(EndReason::PageBudget));
            }
            if status.budget.time_used_seconds >= f64::from(status.budget.time_limit_seconds) {
                return Ok(Some(EndReason::TimeBudget));
            }
            self.round += 1;
            tell(Event::Round {
                round: self.round,
                query: query.text.clone(),
                refute: query.refute,
                why: query.why,
            });
            let answer = self
                .engine
                .search(SearchCall {
                    task_id: self.task,
                    query: query.text,
                    options: SearchOptions { refute: query.refute, ..SearchOptions::default() },
                })
                .await?;
            let novelty = answer.novelty_score.unwrap_or(0.0);
            self.dry = if novelty < self.settings.least_novelty { self.dry + 1 } else { 0 };
            let ended = answer.stop_reason.and_then(EndReason::after);
            tell(Event::SearchDone { round: self.round, answer: Box::new(answer) });
            if ended.is_some() {
                return Ok(ended);
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_doubted_as_well_where_the_hypothesis_is_in_another_language() {
        const ENGLISH: &str = "Does working from home raise the productivity of office workers?";
        const JAPANESE: &str = "在宅勤務は生産性を上げる。";
        let same = "Working from home raises the productivity of office workers.";
        assert_eq!(doubted(ENGLISH, None), [ENGLISH]);
        assert_eq!(doubted(ENGLISH, Some(same)), [same]);
        assert_eq!(doubted(ENGLISH, Some(JAPANESE)), [JAPANESE, ENGLISH]);
    }
}
