//! Puts questions to the engine as `lyra research QUESTION --hypothesis STATEMENT --library FOLDER --offline` does: the
//! same planner, engine, models and settings.
//!
//! One engine serves all questions of a set, so that a document is indexed, read and embedded once. Every question is a
//! task of its own: claims and judgements belong to a task, and none sees those of another.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use evidence::{Relation, StatementKind, TaskId, Uncounted, Verdict};
use fetch::Fetcher;
use graph::{Access, Graph, GraphLedger, PolicyFile, TaskMaterials};
use models::{Embedder, StanceModel};
use planner::{Plan, PlanSettings, investigate};
use report::{Report, ReportSettings, gather};
use research::calls::TaskConfig;
use research::{Engine, Parts};
use serde::Serialize;
use sources::Engines;
use sources::academic::Academic;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::data::Set;
use super::documents;
use super::timed::{Reading, TimedEmbedder, TimedStance};
use super::verdict::{counts, hypothesis_edges, verdict_of};
use crate::process::cpu_seconds;
use crate::{Failure, model};

/// An engine over the documents of a set.
pub(super) struct Library {
    // Before the runtime and the folder: what they still record needs both.
    engine: Engine,
    runtime: Runtime,
    documents: PathBuf,
    embedder: Arc<TimedEmbedder>,
    stance: Arc<TimedStance>,
    _folder: TempDir,
}

/// What came of one hypothesis.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Answer {
    pub(super) statement: String,
    pub(super) verdict: Verdict,
    pub(super) confidence: Option<f64>,
    /// Every passage that was judged against the statement.
    pub(super) passages: Vec<JudgedPassage>,
    /// All that the judge read and said of the statement, before any threshold.
    pub(super) readings: Vec<Reading>,
    /// The lines under "Answer".
    pub(super) lines: Vec<Line>,
    pub(super) pages_read: u32,
    pub(super) seconds: f64,
    /// Of the processor; while several questions are asked, for the others as well.
    pub(super) cpu_seconds: Option<f64>,
    /// Of the models, all threads together; while several questions are asked, of the others as well.
    pub(super) embedding_seconds: f64,
    pub(super) judging_seconds: f64,
    pub(super) embedded: u64,
    pub(super) judged: u64,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct JudgedPassage {
    pub(super) document: Option<String>,
    pub(super) gold: bool,
    /// Whether it enters the confidence in the statement.
    pub(super) counted: bool,
    /// Why it does not, where it could.
    pub(super) uncounted: Option<Uncounted>,
    pub(super) kind: Option<StatementKind>,
    pub(super) relation: Relation,
    /// As it is stored: calibrated.
    pub(super) probability: f64,
    pub(super) judge: Option<String>,
    pub(super) passage: String,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) confidence: f64,
    /// The document its words are from; where that is not told, all that support it.
    pub(super) documents: BTreeSet<String>,
    pub(super) gold: bool,
}

impl Library {
    pub(super) fn open(set: &Set, stance: Option<&std::path::Path>) -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        let home = folder.path().canonicalize()?;
        let documents = home.join("documents");
        std::fs::create_dir(&documents)?;
        documents::write(&set.documents, &documents)?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let inside = runtime.enter();
        let graph = Graph::open(&home.join("lyra.db"), Access::Write, graph::Options::default())?;
        let graph = Arc::new(graph);
        let ledger = Arc::new(GraphLedger::new(Arc::clone(&graph)));
        let offline = fetch::FetchSettings { offline: true, ..fetch::FetchSettings::default() };
        let embedder = Arc::new(TimedEmbedder::new(model::embedder(None)?));
        let stance = Arc::new(TimedStance::new(model::stance(stance)?));
        let engine = Engine::new(Parts {
            browser: None,
            fetcher: Fetcher::open(ledger, &home.join("archive"), offline)?,
            graph,
            policy: Arc::new(PolicyFile::open(None)),
            embedder: Arc::clone(&embedder) as Arc<dyn Embedder>,
            stance: Arc::clone(&stance) as Arc<dyn StanceModel>,
            thresholds: models::Overrides::default(),
            engines: Engines::load(None),
            academic: Academic::default(),
            apis: sources::apis::Apis::default(),
            llm: None,
            settings: research::Settings::default(),
        });
        drop(inside);
        Ok(Self { engine, runtime, documents, embedder, stance, _folder: folder })
    }

    /// Investigates a question with a hypothesis to its end, and reads off what a user is told.
    pub(super) fn ask(
        &self,
        question: &str,
        statement: &str,
        gold: &BTreeSet<String>,
    ) -> Result<Answer, Failure> {
        let (started, cpu) = (Instant::now(), cpu_seconds());
        let (embedding, judging) = (self.embedder.spent(), self.stance.spent());
        let plan = Plan::New {
            question: question.to_owned(),
            hypothesis: Some(statement.to_owned()),
            config: TaskConfig { library: vec![self.documents.clone()], ..TaskConfig::default() },
        };
        let (settings, usual) = (PlanSettings::default(), ReportSettings::default());
        let work = investigate(&self.engine, None, plan, &settings, usual, |_| {});
        let outcome = self.runtime.block_on(work)?;
        let (report, materials) = self.read(outcome.task_id)?;
        let seconds = started.elapsed().as_secs_f64();
        let cpu_seconds = cpu_seconds().zip(cpu).map(|(after, before)| after - before);
        let embedding = self.embedder.spent().since(embedding);
        let judging = self.stance.spent().since(judging);
        let (verdict, confidence) = verdict_of(&report);
        Ok(Answer {
            statement: statement.to_owned(),
            verdict,
            confidence,
            passages: passages(&materials, gold),
            readings: self.stance.readings(statement),
            lines: lines(&report, gold),
            pages_read: outcome.status.budget.pages_used,
            seconds,
            cpu_seconds,
            embedding_seconds: embedding.seconds,
            judging_seconds: judging.seconds,
            embedded: embedding.computed,
            judged: judging.computed,
        })
    }

    /// Makes the models compute everything anew, as for somebody who asks one question.
    pub(super) fn forget(&self) {
        self.embedder.forget();
        self.stance.forget();
    }

    fn read(&self, task: TaskId) -> Result<(Report, TaskMaterials), Failure> {
        // All quotes, so that the one a finding was taken from is among them.
        let options = ReportSettings { max_quotes: 1_000, ..ReportSettings::default() };
        let graph = self.engine.graph();
        Ok(graph.read(|r| Ok((gather(r, task, &options)?, r.materials_of(task)?)))?)
    }
}

fn passages(materials: &TaskMaterials, gold: &BTreeSet<String>) -> Vec<JudgedPassage> {
    let url_of = |page| materials.pages.iter().find(|it| Some(it.id) == page).map(|it| &it.url);
    let passage = |edge: &graph::EvidenceMaterial| {
        let document = url_of(edge.page_id).and_then(|it| document_of(it));
        JudgedPassage {
            gold: document.as_ref().is_some_and(|it| gold.contains(it)),
            document,
            counted: counts(edge),
            uncounted: edge.uncounted,
            kind: edge.statement_kind,
            relation: edge.relation,
            probability: edge.nli_confidence,
            judge: edge.nli_model.clone(),
            passage: edge.text.clone().unwrap_or_default(),
        }
    };
    hypothesis_edges(materials).map(passage).collect()
}

fn lines(report: &Report, gold: &BTreeSet<String>) -> Vec<Line> {
    let line = |line: &report::AnswerLine| {
        let finding = report.findings.iter().find(|it| it.number == line.finding);
        let origin = finding.and_then(|it| it.supporting.iter().find(|it| it.is_origin));
        let documents: BTreeSet<String> = match origin {
            Some(origin) => document_of(&origin.url).into_iter().collect(),
            None => {
                let sources = line.supported_by.iter().filter_map(|it| report.source(*it));
                sources.filter_map(|it| document_of(&it.url)).collect()
            }
        };
        Line {
            text: line.text.clone(),
            confidence: line.confidence,
            gold: !documents.is_disjoint(gold),
            documents,
        }
    };
    report.answer.iter().map(line).collect()
}

/// The id of the document a page is of: its file is named after it.
fn document_of(url: &str) -> Option<String> {
    let file = url.split('#').next()?.rsplit('/').next()?;
    file.strip_suffix(".md").map(str::to_owned)
}
