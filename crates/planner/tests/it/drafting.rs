//! A draft is written from the findings of the report as its reader has set it up.

use std::sync::Arc;

use fetch::{ModelServer, ModelServerOptions};
use llm::LlmSettings;
use planner::{Event, Plan, PlanSettings};
use report::ReportSettings;
use research::LlmServer;
use research::calls::TaskConfig;
use testweb::LlmDialect;

use crate::support::{engine, library, offline, run_for};

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_rests_on_as_many_findings_as_the_report_shows() {
    let documents = library(&[
        ("tea.md", "# Tea\n\nGreen tea lowered the blood pressure of adults by 4 points."),
        ("coffee.md", "# Coffee\n\nBlack coffee raised the blood pressure of adults by 6 points."),
        ("salt.md", "# Salt\n\nLess salt lowered the blood pressure of adults by 5 points."),
    ]);
    let mut passages = Vec::new();
    for (max_findings, max_quotes) in [(1, 1), (25, 6)] {
        let home = tempfile::tempdir().unwrap();
        let model = testweb::LlmServer::start(LlmDialect::Ollama);
        let graph = graph::Graph::open(
            &home.path().join("ledger.db"),
            graph::Access::Write,
            graph::Options::default(),
        );
        let ledger = graph::GraphLedger::new(Arc::new(graph.unwrap()));
        let options = ModelServerOptions {
            url: model.url(),
            allow_remote: false,
            key: None,
            offline: true,
            max_answer_bytes: 1_000_000,
        };
        let server = ModelServer::open(Arc::new(ledger), options).unwrap();
        let llm = LlmServer { server, settings: LlmSettings::default() };
        let engine = engine(home.path(), offline(), Some(llm));
        let plan = Plan::New {
            question: "What changes the blood pressure of adults?".to_owned(),
            hypothesis: None,
            config: TaskConfig {
                library: vec![documents.path().to_owned()],
                ..TaskConfig::default()
            },
        };
        let settings = PlanSettings {
            expansions: 0,
            model_rounds: 0,
            challenged_claims: 0,
            ..PlanSettings::default()
        };
        let report = ReportSettings { max_findings, max_quotes, ..ReportSettings::default() };
        let (_, events) = run_for(&engine, plan, &settings, report).await;
        passages.extend(events.iter().filter_map(|event| match event {
            Event::Drafting { passages } => Some(*passages),
            _ => None,
        }));
        // The time of the draft is the model's time of the task.
        let counted = "SELECT count(*) FROM events WHERE kind = 'model_call'";
        let settings = graph::QuerySettings::default();
        let rows = engine.graph().query(counted, &settings).unwrap().table.rows;
        assert_eq!(rows, [[serde_json::json!(1)]]);
    }
    assert_eq!(passages.len(), 2);
    assert!(passages[0] <= 2, "one finding, one quote on each side: {passages:?}");
    assert_eq!(passages[1], 3, "all there is");
}
