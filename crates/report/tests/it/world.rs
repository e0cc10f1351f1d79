//! A small world to report on: a fixed clock, repeatable ids, and short ways to say what was found.

use std::sync::Arc;

use evidence::{
    Budget, ClaimId, DomainCategory, FragmentId, FragmentType, Node, PageId, SearchStatus, Stance,
    TaskId,
};
use graph::{
    Cause, ClaimDetails, FixedClock, FragmentPlace, Graph, NewClaim, NewEdge, NewFragment, NewPage,
    NewSearch, NewTask, NewWork, Options, PageDetails, SearchEnd, WorkIdentifier, Writer,
};
use report::{Report, ReportSettings};
use serde_json::{Value, json};

pub(crate) fn graph() -> Graph {
    let noon = "2026-01-15T12:00:00Z".parse().unwrap();
    let clock = Arc::new(FixedClock::at(noon));
    Graph::in_memory(Options { clock, id_seed: Some(6), ..Options::default() }).unwrap()
}

pub(crate) fn write<T>(graph: &Graph, record: impl FnOnce(&Writer<'_>) -> graph::Result<T>) -> T {
    graph.write(Cause::new("test"), record).unwrap()
}

pub(crate) fn options() -> ReportSettings {
    ReportSettings {
        generated_at: Some("2026-01-15T13:30:00Z".parse().unwrap()),
        lyra_version: "0.1.0".to_owned(),
        graph_fingerprint: Some("5f3c0de15f3c0de15f3c0de15f3c0de1".to_owned()),
        ..ReportSettings::default()
    }
}

pub(crate) fn gathered(graph: &Graph, task: TaskId) -> Report {
    let mut report = graph.read(|reader| report::gather(reader, task, &options())).unwrap();
    // Each migration raises it, and no test here is about that.
    report.method.schema_version = 4;
    report
}

pub(crate) fn task(w: &Writer<'_>, query: &str, hypothesis: Option<&str>) -> TaskId {
    w.create_task(&NewTask {
        query: query.to_owned(),
        hypothesis: hypothesis.map(str::to_owned),
        language: None,
        budget: Budget { max_pages: 40, max_seconds: 600 },
        config: json!({}),
    })
    .unwrap()
}

/// A page that was read; what it does not say stays unknown.
pub(crate) struct Read<'a> {
    pub(crate) url: &'a str,
    pub(crate) category: DomainCategory,
    pub(crate) title: &'a str,
    pub(crate) published: Option<&'a str>,
    pub(crate) year: Option<i32>,
    pub(crate) doi: Option<(&'a str, &'a str)>,
    pub(crate) flags: Option<Value>,
}

impl Default for Read<'_> {
    fn default() -> Self {
        Self {
            url: "https://a.example/",
            category: DomainCategory::Unverified,
            title: "",
            published: None,
            year: None,
            doi: None,
            flags: None,
        }
    }
}

pub(crate) fn page(w: &Writer<'_>, read: &Read<'_>) -> PageId {
    let host = match read.url.strip_prefix("file:///") {
        Some(file) => format!("library:{file}"),
        None => read.url.split('/').nth(2).unwrap_or_default().to_owned(),
    };
    let work_id = read.doi.map(|(doi, venue)| {
        let identifiers = vec![WorkIdentifier { scheme: "doi".to_owned(), value: doi.to_owned() }];
        w.record_work(&NewWork {
            title: read.title.to_owned(),
            year: read.year,
            venue: Some(venue.to_owned()),
            identifiers,
            ..NewWork::default()
        })
        .unwrap()
    });
    let id = w
        .record_page(&NewPage {
            url: read.url.to_owned(),
            domain: host.clone(),
            domain_category: read.category,
            title: (!read.title.is_empty()).then(|| read.title.to_owned()),
            language: None,
            year: read.year,
            work_id,
        })
        .unwrap();
    let archive_ref = match read.url.strip_prefix("file:///") {
        Some(file) => json!({ "file": file, "sha256": "9b74c9897bac770ffc029102a200c5de" }),
        None => {
            json!({ "record_id": format!("urn:uuid:0190{:08x}", id.to_string().len() + host.len()) })
        }
    };
    let details = PageDetails {
        published_at: read.published.map(str::to_owned),
        archive_ref: Some(archive_ref),
        flags: read.flags.clone(),
        page_type: Some("article".to_owned()),
        quality_score: Some(0.9),
        ..PageDetails::default()
    };
    w.describe_page(id, &details).unwrap();
    id
}

/// A passage that begins at the given character of its page.
pub(crate) fn passage(
    w: &Writer<'_>,
    page: PageId,
    url: &str,
    headings: &[&str],
    start: u32,
    text: &str,
) -> FragmentId {
    let end = start + text.chars().count() as u32;
    let new = NewFragment {
        page_id: page,
        fragment_type: FragmentType::Paragraph,
        text: text.to_owned(),
        heading_context: headings.last().map(|it| (*it).to_owned()),
        element_index: None,
        chars: Some(start..end),
        language: None,
    };
    let words: String = text.split_whitespace().take(3).collect::<Vec<_>>().join("%20");
    let place = FragmentPlace {
        headings: headings.iter().map(|it| (*it).to_owned()).collect(),
        deep_link: url.starts_with("http").then(|| format!("{url}#:~:text={words}")),
    };
    w.record_placed_fragment(&new, &place).unwrap()
}

pub(crate) fn claim(
    w: &Writer<'_>,
    task: TaskId,
    origin: Option<FragmentId>,
    method: &str,
    text: &str,
) -> ClaimId {
    let id = w
        .record_claim(&NewClaim {
            task_id: task,
            text: text.to_owned(),
            language: None,
            origin_fragment_id: origin,
            extraction_method: Some(method.to_owned()),
            extraction_confidence: Some(0.8),
        })
        .unwrap();
    w.describe_claim(id, &ClaimDetails::default()).unwrap();
    id
}

pub(crate) fn judge(
    w: &Writer<'_>,
    passage: FragmentId,
    claim: ClaimId,
    stance: Stance,
    confidence: f64,
) {
    w.add_edge(&NewEdge::Stance {
        source: Node::Fragment(passage),
        target: claim,
        stance,
        confidence,
        model: "lyra-stance 1.2".to_owned(),
        kind: None,
        about: true,
    })
    .unwrap();
}

pub(crate) fn search(
    w: &Writer<'_>,
    task: TaskId,
    query: &str,
    refute: bool,
    status: SearchStatus,
    (pages, fragments, independent): (u32, u32, u32),
    stop_reason: &str,
) -> evidence::SearchId {
    let options = if refute { json!({ "refute": true }) } else { json!({}) };
    let id =
        w.record_search(&NewSearch { task_id: task, query: query.to_owned(), options }).unwrap();
    w.end_search(
        id,
        &SearchEnd {
            status,
            stop_reason: stop_reason.parse().unwrap(),
            pages_fetched: pages,
            useful_fragments: fragments,
            satisfaction_score: (f64::from(independent) / 3.0 * 0.7).min(1.0),
            novelty_score: 0.42,
            independent_sources: independent,
            has_primary_source: true,
        },
    )
    .unwrap();
    id
}
