//! Papers without an abstract: the free copy an index names is read, else the address of the work.

use evidence::domain::{BlockReason, DomainPolicy};
use graph::Cause;
use research::Engine;
use research::calls::{
    CreateTask, SearchAnswer, SearchCall, SearchOptions, SourceKind, TaskConfig,
};
use serde_json::{Value, json};
use testweb::{Answer, World};

use crate::support::{Online, aspirin_page, online_in, quick_indexes, rows};

const COPY: &str = "https://repository.test/copy";

/// A small internet in which one index knows the first paper, without an abstract, and the other does not know it.
struct OnePaper {
    online: Online,
    doi: String,
}

impl OnePaper {
    /// `fields` of the record in OpenAlex name a copy.
    fn in_openalex(fields: Value) -> Self {
        let online = online_in(World::to_study(1, 16));
        let paper = online.web.world().papers()[0].clone();
        let mut record = json!({
            "id": format!("https://openalex.org/{}", paper.openalex_id), "title": paper.title,
            "doi": format!("https://doi.org/{}", paper.doi), "abstract_inverted_index": null,
        });
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        Self::with_records(online, paper.doi, Some(record), None)
    }

    /// `fields` of the record in Semantic Scholar name a copy.
    fn in_semantic_scholar(fields: Value) -> Self {
        let online = online_in(World::to_study(1, 16));
        let paper = online.web.world().papers()[0].clone();
        let mut record = json!({
            "paperId": paper.s2_id, "title": paper.title, "abstract": null, "externalIds": { "DOI": paper.doi },
        });
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        Self::with_records(online, paper.doi, None, Some(record))
    }

    fn with_records(
        online: Online,
        doi: String,
        openalex: Option<Value>,
        semantic_scholar: Option<Value>,
    ) -> Self {
        for (host, path, record) in [
            ("api.openalex.org", format!("/works/doi:{doi}"), openalex),
            ("api.semanticscholar.org", format!("/graph/v1/paper/DOI:{doi}"), semantic_scholar),
        ] {
            let answer = match record {
                Some(record) => Answer::json(200, &record),
                None => Answer::json(404, &json!({})),
            };
            online.web.put(host, &path, answer);
        }
        online.put("repository.test", "/copy", &aspirin_page("A free copy"));
        Self { online, doi }
    }

    async fn read(&self) -> SearchAnswer {
        let mut parts = self.online.parts();
        parts.academic = quick_indexes();
        parts.settings.citations.top_papers = 0;
        let engine = Engine::new(parts);
        let config = TaskConfig { sources: vec![SourceKind::Library], ..TaskConfig::default() };
        let call = CreateTask { query: "aspirin".to_owned(), hypothesis: None, config };
        let task_id = engine.create_task(call).await.unwrap().task_id;
        let options = SearchOptions { dois: vec![self.doi.clone()], ..SearchOptions::default() };
        let call = SearchCall { task_id, query: "aspirin".to_owned(), options };
        engine.search(call).await.unwrap()
    }

    /// How often the repository and the resolver of DOIs were asked.
    fn asked(&self) -> (usize, usize) {
        (self.online.asked("repository.test").len(), self.online.asked("doi.org").len())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_free_copy_that_an_index_names_is_read_before_the_doi() {
    for paper in [
        OnePaper::in_semantic_scholar(json!({ "openAccessPdf": { "url": COPY } })),
        OnePaper::in_openalex(json!({ "open_access": { "is_oa": true, "oa_url": COPY } })),
        OnePaper::in_openalex(json!({ "best_oa_location": { "pdf_url": COPY } })),
    ] {
        let answer = paper.read().await;
        assert_eq!((answer.pages_fetched, answer.missed.len()), (1, 0));
        assert_eq!(paper.asked(), (1, 0));
        let address = format!("https://doi.org/{}", paper.doi);
        let sql = format!(
            "SELECT p.final_url, w.oa_url, f.text_content FROM pages p JOIN works w ON w.id = p.work_id
             JOIN fragments f ON f.page_id = p.id WHERE p.url = '{address}'"
        );
        let text = "Aspirin thins the blood, and people who took it every day bled more often than people who did \
                    not take it.";
        assert_eq!(rows(&paper.online.graph, &sql), [[json!(COPY), json!(COPY), json!(text)]]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_gone_leaves_the_address_of_the_work() {
    let paper = OnePaper::in_semantic_scholar(json!({ "openAccessPdf": { "url": COPY } }));
    paper.online.web.put("repository.test", "/copy", Answer::html(404, "gone"));
    let answer = paper.read().await;
    assert_eq!((answer.pages_fetched, answer.missed.len()), (1, 0));
    assert_eq!(paper.asked(), (1, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paper_that_is_gone_everywhere_says_so_of_both_addresses() {
    let paper = OnePaper::in_semantic_scholar(json!({ "openAccessPdf": { "url": COPY } }));
    paper.online.web.put("repository.test", "/copy", Answer::html(404, "gone"));
    paper.online.web.put("doi.org", &format!("/{}", paper.doi), Answer::html(410, "gone"));
    let answer = paper.read().await;
    let missed: Vec<(&str, &str)> =
        answer.missed.iter().map(|it| (it.url.as_str(), it.detail.as_str())).collect();
    let address = format!("https://doi.org/{}", paper.doi);
    let detail = format!("it answered 410; its open-access copy {COPY}: it answered 404");
    assert_eq!(missed, [(address.as_str(), detail.as_str())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_on_a_blocked_site_is_not_asked_for() {
    let paper = OnePaper::in_semantic_scholar(json!({ "openAccessPdf": { "url": COPY } }));
    let block = |w: &graph::Writer<'_>| {
        let (reason, policy) = (BlockReason::Manual, DomainPolicy::default());
        w.block_domain_recorded("repository.test", reason, "spam", &policy)
    };
    paper.online.graph.write(Cause::new("test"), block).unwrap();
    assert_eq!(paper.read().await.pages_fetched, 1);
    assert_eq!(paper.asked(), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_at_the_address_of_the_work_is_asked_for_once() {
    let paper = OnePaper::in_openalex(json!({}));
    let same = json!({ "open_access": { "oa_url": format!("http://doi.org/{}", paper.doi) } });
    let paper = OnePaper::in_openalex(same);
    assert_eq!(paper.read().await.pages_fetched, 1);
    assert_eq!(paper.asked(), (0, 1));
}
