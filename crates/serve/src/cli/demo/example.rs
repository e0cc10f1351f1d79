//! The bundled example, recorded through the same door as everything else.

use std::collections::HashMap;

use evidence::domain::DomainPolicy;
use evidence::{
    Budget, CitationSource, DomainCategory, FragmentId, FragmentType, Node, PageId, SearchStatus,
    Stance, TaskId,
};
use graph::{
    NewClaim, NewEdge, NewFragment, NewPage, NewSearch, NewSerpItem, NewTask, NewWork,
    WorkIdentifier, Writer,
};
use serde::Deserialize;
use serde_json::json;

const EXAMPLE: &str = include_str!("example.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    question: String,
    hypothesis: String,
    search: Vec<Search>,
    page: Vec<Page>,
    claim: Vec<Claim>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    query: String,
    results: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    key: String,
    url: String,
    category: DomainCategory,
    language: String,
    title: String,
    year: Option<i32>,
    doi: Option<String>,
    venue: Option<String>,
    #[serde(default)]
    cites: Vec<String>,
    passage: Vec<Passage>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Passage {
    key: String,
    heading: String,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    text: String,
    language: String,
    from: String,
    judged: Vec<Judged>,
    rejected: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    passage: String,
    stance: Stance,
    certainty: f64,
}

impl Example {
    pub(super) fn bundled() -> Self {
        toml::from_str(EXAMPLE).expect("the bundled example is read by a test")
    }

    /// Records the whole investigation as one task.
    pub(super) fn record(&self, w: &Writer<'_>, policy: &DomainPolicy) -> graph::Result<TaskId> {
        let task = w.create_task(&NewTask {
            query: self.question.clone(),
            hypothesis: Some(self.hypothesis.clone()),
            language: Some("ja".to_owned()),
            budget: Budget { max_pages: 120, max_seconds: 3600 },
            config: json!({}),
        })?;
        let mut pages = HashMap::new();
        let mut passages = HashMap::new();
        for page in &self.page {
            let id = record_page(w, page)?;
            pages.insert(page.key.as_str(), id);
            for (index, passage) in (0..).zip(&page.passage) {
                passages.insert(passage.key.as_str(), record_passage(w, page, id, passage, index)?);
            }
        }
        for page in &self.page {
            for cited in &page.cites {
                w.add_edge(&NewEdge::Citation {
                    source: Node::Page(pages[page.key.as_str()]),
                    target: Node::Page(pages[cited.as_str()]),
                    seen_by: CitationSource::Extraction,
                    context: None,
                })?;
            }
        }
        for search in &self.search {
            self.record_search(w, task, search, &pages)?;
        }
        for claim in &self.claim {
            record_claim(w, task, claim, &passages, policy)?;
        }
        Ok(task)
    }

    fn record_search(
        &self,
        w: &Writer<'_>,
        task_id: TaskId,
        search: &Search,
        pages: &HashMap<&str, PageId>,
    ) -> graph::Result<()> {
        let new = NewSearch { task_id, query: search.query.clone(), options: json!({}) };
        let search_id = w.record_search(&new)?;
        let mut useful = 0;
        for (rank, key) in (1..).zip(&search.results) {
            let page = self.page.iter().find(|it| it.key == *key).expect("a test names every page");
            useful += page.passage.len() as u32;
            w.record_serp_item(&NewSerpItem {
                search_id,
                engine: "example".to_owned(),
                rank,
                url: page.url.clone(),
                title: Some(page.title.clone()),
                snippet: page.passage.first().map(|it| it.text.clone()),
                page_id: Some(pages[key.as_str()]),
            })?;
        }
        let fetched = search.results.len() as u32;
        w.finish_search(search_id, SearchStatus::Satisfied, fetched, useful)
    }
}

fn record_page(w: &Writer<'_>, page: &Page) -> graph::Result<PageId> {
    let work_id = match &page.doi {
        None => None,
        Some(doi) => Some(w.record_work(&NewWork {
            title: page.title.clone(),
            year: page.year,
            venue: page.venue.clone(),
            identifiers: vec![WorkIdentifier { scheme: "doi".to_owned(), value: doi.clone() }],
            ..NewWork::default()
        })?),
    };
    let host = page.url.split('/').nth(2).unwrap_or_default();
    w.record_page(&NewPage {
        url: page.url.clone(),
        domain: host.to_owned(),
        domain_category: page.category,
        title: Some(page.title.clone()),
        language: Some(page.language.clone()),
        year: page.year,
        work_id,
    })
}

fn record_passage(
    w: &Writer<'_>,
    page: &Page,
    page_id: PageId,
    passage: &Passage,
    index: u32,
) -> graph::Result<FragmentId> {
    w.record_fragment(&NewFragment {
        page_id,
        fragment_type: FragmentType::Paragraph,
        text: passage.text.clone(),
        heading_context: Some(passage.heading.clone()),
        element_index: Some(index),
        chars: None,
        language: Some(page.language.clone()),
    })
}

fn record_claim(
    w: &Writer<'_>,
    task_id: TaskId,
    claim: &Claim,
    passages: &HashMap<&str, FragmentId>,
    policy: &DomainPolicy,
) -> graph::Result<()> {
    let id = w.record_claim(&NewClaim {
        task_id,
        text: claim.text.clone(),
        language: Some(claim.language.clone()),
        origin_fragment_id: Some(passages[claim.from.as_str()]),
        extraction_method: Some("example".to_owned()),
        extraction_confidence: None,
    })?;
    for judged in &claim.judged {
        w.add_edge(&NewEdge::Stance {
            source: Node::Fragment(passages[judged.passage.as_str()]),
            target: id,
            stance: judged.stance,
            confidence: judged.certainty,
            model: "example".to_owned(),
        })?;
    }
    if let Some(reason) = &claim.rejected {
        w.claim_reject(id, reason, policy)?;
    }
    Ok(())
}
