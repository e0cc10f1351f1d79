//! What is asked: a question, and the searches a careful client would make for it.

use evidence::TaskId;
use research::Engine;
use research::calls::{
    BudgetConfig, CreateTask, SearchAnswer, SearchCall, SearchOptions, TaskConfig,
};
use serde::{Deserialize, Serialize};
use testweb::{Language, Topic};

/// A task and its searches.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) question: String,
    pub(crate) searches: Vec<Search>,
    pub(crate) max_pages: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Search {
    pub(crate) query: String,
    pub(crate) refute: bool,
    pub(crate) max_pages: Option<u32>,
}

/// More than any run here takes.
const MAX_SECONDS: u32 = 24 * 3_600;

impl Plan {
    /// The topic as such, each of its facts, official sources first, and what speaks against each.
    pub(crate) fn of_topic(topic: &Topic) -> Self {
        let name = topic.name.of(Language::English);
        let mut searches = vec![Search::plain(name)];
        let facts = || topic.facts.iter().map(|it| Search::plain(&question(it.says.en)));
        searches.extend(facts());
        searches.extend(facts().map(|it| Search { refute: true, ..it }));
        Self { question: format!("What is known about {name}?"), searches, max_pages: 120 }
    }

    pub(crate) async fn create(&self, engine: &Engine) -> TaskId {
        let config = TaskConfig {
            budget: BudgetConfig {
                max_pages: Some(self.max_pages),
                max_seconds: Some(MAX_SECONDS),
            },
            language: Some("en".to_owned()),
            ..TaskConfig::default()
        };
        let call = CreateTask { query: self.question.clone(), hypothesis: None, config };
        engine.create_task(call).await.expect("the question is a good one").task_id
    }
}

impl Search {
    pub(crate) fn plain(query: &str) -> Self {
        Self { query: query.to_owned(), refute: false, max_pages: None }
    }

    /// Asks and waits for the end.
    pub(crate) async fn run(&self, engine: &Engine, task: TaskId) -> SearchAnswer {
        let options = SearchOptions {
            refute: self.refute,
            seek_primary: !self.refute,
            max_pages: self.max_pages,
            ..SearchOptions::default()
        };
        let call = SearchCall { task_id: task, query: self.query.clone(), options };
        engine.search(call).await.expect("the query is a good one")
    }
}

/// A fact as a question of a person who does not know its number.
fn question(says: &str) -> String {
    let words = says.split_whitespace().filter(|it| !it.contains("{n}"));
    words.collect::<Vec<_>>().join(" ").trim_end_matches('.').to_owned()
}
