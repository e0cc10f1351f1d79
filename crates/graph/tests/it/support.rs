//! A small world to test in: a fixed clock, repeatable ids, and short ways to say what is recorded.

use std::sync::Arc;

use evidence::{
    Budget, CitationSource, ClaimId, DomainCategory, EdgeId, FragmentId, FragmentType, Node,
    PageId, Stance, TaskId,
};
use graph::{
    Access, Cause, FixedClock, Graph, NewClaim, NewEdge, NewFragment, NewPage, NewTask, NewWork,
    Options, WorkIdentifier, Writer,
};
use tempfile::TempDir;

pub(crate) fn options() -> Options {
    let noon = "2026-01-15T12:00:00Z".parse().unwrap();
    Options { clock: Arc::new(FixedClock::at(noon)), id_seed: Some(1), ..Options::default() }
}

/// A graph in a file of its own, removed with it.
pub(crate) struct World {
    graph: Graph,
    pub(crate) dir: TempDir,
}

impl World {
    pub(crate) fn new(graph: Graph, dir: TempDir) -> Self {
        Self { graph, dir }
    }
}

impl std::ops::Deref for World {
    type Target = Graph;

    fn deref(&self) -> &Graph {
        &self.graph
    }
}

pub(crate) fn graph() -> World {
    graph_with(options())
}

pub(crate) fn graph_with(options: Options) -> World {
    let dir = tempfile::tempdir().unwrap();
    let graph = Graph::open(&dir.path().join("lyra.db"), Access::Write, options).unwrap();
    World { graph, dir }
}

/// Counts rows past the crate's own code: `count(&graph, "claims WHERE seq > 3")`.
pub(crate) fn count(graph: &Graph, from: &str) -> i64 {
    rusqlite::Connection::open(graph.path().unwrap())
        .unwrap()
        .query_row(&format!("SELECT count(*) FROM {from}"), [], |row| row.get(0))
        .unwrap()
}

/// Writes with a cause that does not matter.
pub(crate) fn write<T>(graph: &Graph, record: impl FnOnce(&Writer<'_>) -> graph::Result<T>) -> T {
    graph.write(Cause::new("test"), record).unwrap()
}

pub(crate) fn task(w: &Writer<'_>, query: &str) -> TaskId {
    w.create_task(&NewTask {
        query: query.to_owned(),
        hypothesis: None,
        language: None,
        budget: Budget { max_pages: 120, max_seconds: 3600 },
        config: serde_json::json!({}),
    })
    .unwrap()
}

/// A page at `https://{domain}/{name}`.
pub(crate) fn page(
    w: &Writer<'_>,
    domain: &str,
    name: &str,
    category: DomainCategory,
    year: Option<i32>,
) -> PageId {
    w.record_page(&NewPage {
        url: format!("https://{domain}/{name}"),
        domain: domain.to_owned(),
        domain_category: category,
        title: Some(name.to_owned()),
        language: None,
        year,
        work_id: None,
    })
    .unwrap()
}

/// A page that shows a paper with a DOI.
pub(crate) fn paper(
    w: &Writer<'_>,
    doi: &str,
    title: &str,
    year: Option<i32>,
    venue: &str,
) -> PageId {
    let work_id = w
        .record_work(&NewWork {
            title: title.to_owned(),
            year,
            venue: Some(venue.to_owned()),
            identifiers: vec![WorkIdentifier { scheme: "doi".to_owned(), value: doi.to_owned() }],
            ..NewWork::default()
        })
        .unwrap();
    w.record_page(&NewPage {
        url: format!("https://doi.org/{doi}"),
        domain: "doi.org".to_owned(),
        domain_category: DomainCategory::Academic,
        title: Some(title.to_owned()),
        language: None,
        year: None,
        work_id: Some(work_id),
    })
    .unwrap()
}

pub(crate) fn fragment(w: &Writer<'_>, page_id: PageId, text: &str) -> FragmentId {
    w.record_fragment(&NewFragment {
        page_id,
        fragment_type: FragmentType::Paragraph,
        text: text.to_owned(),
        heading_context: None,
        element_index: None,
        chars: None,
        language: None,
    })
    .unwrap()
}

pub(crate) fn claim(w: &Writer<'_>, task_id: TaskId, text: &str) -> ClaimId {
    w.record_claim(&NewClaim {
        task_id,
        text: text.to_owned(),
        language: None,
        origin_fragment_id: None,
        extraction_method: None,
        extraction_confidence: None,
    })
    .unwrap()
}

pub(crate) fn judge(
    w: &Writer<'_>,
    fragment: FragmentId,
    target: ClaimId,
    stance: Stance,
    confidence: f64,
) -> EdgeId {
    w.add_edge(&NewEdge::Stance {
        source: Node::Fragment(fragment),
        target,
        stance,
        confidence,
        model: "test-judge".to_owned(),
        kind: None,
        about: true,
    })
    .unwrap()
}

pub(crate) fn cite(w: &Writer<'_>, source: PageId, target: PageId) -> EdgeId {
    w.add_edge(&NewEdge::Citation {
        source: Node::Page(source),
        target: Node::Page(target),
        seen_by: CitationSource::SemanticScholar,
        context: None,
    })
    .unwrap()
}
