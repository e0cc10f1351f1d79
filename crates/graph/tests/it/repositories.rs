//! Recording and asking: integrity, idempotence, causes.

use evidence::{ClaimId, DomainCategory, FragmentId, Id, Node, PageId, Relation, Stance, TaskId};
use graph::{
    Cause, Error, Named, NewClaim, NewEdge, NewEmbedding, NewFragment, NewSearch, NewSerpItem,
    NewWork, PageDetails, Selected, WorkIdentifier,
};

use crate::support::{claim, count, fragment, graph, judge, page, paper, task, write};

#[test]
fn an_edge_knows_its_ends_and_their_categories() {
    let graph = graph();
    let (edge, fragment, claim) = write(&graph, |w| {
        let task = task(w, "q");
        let page = page(w, "who.int", "a", DomainCategory::Primary, Some(2020));
        let fragment = fragment(w, page, "text");
        let claim = claim(w, task, "claim");
        Ok((judge(w, fragment, claim, Stance::Refutes, 0.8), fragment, claim))
    });
    let edge = graph.read(|r| r.edge(edge)).unwrap();
    assert_eq!(edge.source, Node::Fragment(fragment));
    assert_eq!(edge.target, Node::Claim(claim));
    assert_eq!(edge.relation, Relation::Refutes);
    assert_eq!(edge.source_domain_category, DomainCategory::Primary);
    assert_eq!(edge.target_domain_category, None);
    assert_eq!(edge.nli_confidence, Some(0.8));
}

#[test]
fn recording_everything_twice_adds_nothing_not_even_an_event() {
    let graph = graph();
    let task = write(&graph, |w| Ok(task(w, "q")));
    let record = |w: &graph::Writer<'_>| {
        let page = paper(w, "10.1000/ABC", "t", Some(2001), "Nature");
        let fragment = fragment(w, page, "text");
        let claim = claim(w, task, "claim");
        let edge = judge(w, fragment, claim, Stance::Supports, 0.9);
        let vector =
            NewEmbedding { target: Node::Claim(claim), model_id: "m", vector: &[1.0, 0.0] };
        let search = w.record_search(&graph::NewSearch {
            task_id: task,
            query: "q".to_owned(),
            options: serde_json::json!({}),
        })?;
        Ok((page, fragment, claim, edge, w.record_embedding(&vector)?, search))
    };
    let first = write(&graph, record);
    let events = count(&graph, "events");
    assert_eq!(write(&graph, record), first);
    assert_eq!(count(&graph, "events"), events);
}

#[test]
fn a_paper_is_recognised_by_any_spelling_of_its_doi() {
    let graph = graph();
    let (first, second) = write(&graph, |w| {
        Ok((paper(w, "10.1000/AbC", "t", None, "v"), paper(w, "10.1000/aBc", "t", Some(2001), "v")))
    });
    assert_eq!(first, second);
    assert_eq!(count(&graph, "works WHERE year = 2001"), 1, "the unknown year was filled in");
}

#[test]
fn rows_without_their_foundation_are_refused_by_name() {
    let graph = graph();
    let nowhere = TaskId::from_parts(1, 1);
    let no_page = PageId::from_parts(1, 1);
    let no_fragment = FragmentId::from_parts(1, 1);
    let no_claim = ClaimId::from_parts(1, 1);
    let claim = NewClaim {
        task_id: nowhere,
        text: "c".to_owned(),
        language: None,
        origin_fragment_id: None,
        extraction_method: None,
        extraction_confidence: None,
    };
    let fragment = NewFragment {
        page_id: no_page,
        fragment_type: evidence::FragmentType::Quote,
        text: "t".to_owned(),
        heading_context: None,
        element_index: None,
        chars: None,
        language: None,
    };
    let edge = NewEdge::Stance {
        source: Node::Fragment(no_fragment),
        target: no_claim,
        stance: Stance::Supports,
        confidence: 0.5,
        model: "m".to_owned(),
        kind: None,
        about: true,
    };
    let refused = |error: Error| match error {
        Error::Unknown { kind, .. } => kind,
        other => panic!("{other:?}"),
    };
    let write = |f: &dyn Fn(&graph::Writer<'_>) -> graph::Result<()>| {
        refused(graph.write(Cause::new("test"), f).unwrap_err())
    };
    assert_eq!(write(&|w| w.record_claim(&claim).map(drop)), "task");
    assert_eq!(write(&|w| w.record_fragment(&fragment).map(drop)), "page");
    assert_eq!(write(&|w| w.add_edge(&edge).map(drop)), "fragment");
    assert_eq!(count(&graph, "events"), 0, "a refused transaction leaves nothing behind");
}

#[test]
fn values_out_of_range_are_refused_in_words() {
    let graph = graph();
    let message = |f: &dyn Fn(&graph::Writer<'_>) -> graph::Result<()>| {
        graph.write(Cause::new("test"), f).unwrap_err().to_string()
    };
    assert_eq!(
        message(&|w| {
            let (task, page) = (task(w, "q"), page(w, "a.com", "a", DomainCategory::Low, None));
            let edge = NewEdge::Stance {
                source: Node::Fragment(fragment(w, page, "t")),
                target: claim(w, task, "c"),
                stance: Stance::Supports,
                confidence: f64::NAN,
                model: "m".to_owned(),
                kind: None,
                about: true,
            };
            w.add_edge(&edge).map(drop)
        }),
        "the certainty of a stance is not between 0 and 1"
    );
    assert_eq!(
        message(&|w| {
            let claim = claim(w, task(w, "q"), "c");
            let vector = NewEmbedding { target: Node::Claim(claim), model_id: "m", vector: &[] };
            w.record_embedding(&vector).map(drop)
        }),
        "the vector is empty or holds numbers that are not finite"
    );
    assert_eq!(
        message(&|w| w.record_work(&NewWork::default()).map(drop)),
        "the work has no identifier to recognise it by"
    );
}

#[test]
fn the_cause_of_a_row_leads_back_to_the_first_act() {
    let graph = graph();
    let (first, task) =
        graph.write(Cause::new("task_create"), |w| Ok((w.cause()?, task(w, "q")))).unwrap();
    let claim = graph
        .write(Cause::new("search").after(first).in_task(task), |w| Ok(claim(w, task, "c")))
        .unwrap();
    let chain = graph.read(|r| r.causes_of(r.claim(claim)?.cause_id)).unwrap();
    let kinds: Vec<_> = chain.iter().map(|it| it.kind.as_str()).collect();
    assert_eq!(kinds, ["search", "task_create"]);
    assert_eq!(count(&graph, &format!("events WHERE task_id = '{task}'")), 1);
}

#[test]
fn confidence_is_derived_from_the_edges_of_the_moment() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "q");
        let claim = claim(w, task, "c");
        for (domain, stance) in [
            ("a.com", Stance::Supports),
            ("b.com", Stance::Supports),
            ("c.com", Stance::Supports),
            ("d.com", Stance::Refutes),
        ] {
            let page = page(w, domain, "a", DomainCategory::Unverified, None);
            judge(w, fragment(w, page, "passage"), claim, stance, 0.9);
        }
        Ok(task)
    });
    let claims = graph.read(|r| r.claims_of(task)).unwrap();
    assert_eq!(claims.len(), 1);
    assert_eq!(format!("{:.3}", claims[0].confidence.confidence), "0.661");
    assert_eq!(format!("{:.3}", claims[0].confidence.controversy), "0.250");
    assert_eq!(claims[0].confidence.evidence_count, 4);
}

#[test]
fn a_page_is_found_by_its_address_before_its_work() {
    let graph = graph();
    let (plain, shown) = write(&graph, |w| {
        let plain = page(w, "a.com", "plain", DomainCategory::Low, None);
        Ok((plain, paper(w, "10.1/x", "t", None, "v")))
    });
    let work = graph.read(|r| r.page_for_assessment(shown)).unwrap().work_id;
    assert!(work.is_some());
    let at = |url: &str, work| graph.read(|r| r.page_at(url, work)).unwrap().map(|it| it.id);
    assert_eq!(at("https://a.com/plain", None), Some(plain));
    assert_eq!(at("https://a.com/plain", work), Some(plain));
    assert_eq!(at("https://a.com/elsewhere", work), Some(shown));
    assert_eq!(at("https://a.com/elsewhere", None), None);
}

#[test]
fn a_work_may_be_known_under_several_names() {
    let graph = graph();
    let id = |scheme: &str, value: &str| WorkIdentifier {
        scheme: scheme.to_owned(),
        value: value.to_owned(),
    };
    let work = |identifiers| NewWork { title: "t".to_owned(), identifiers, ..NewWork::default() };
    let (first, second) = write(&graph, |w| {
        let first = w.record_work(&work(vec![id("pmid", "1"), id("doi", "10.1/x")]))?;
        let second = w.record_work(&work(vec![id("arxiv", "2"), id("doi", "10.1/X")]))?;
        Ok((first, second))
    });
    assert_eq!(first, second);
    assert_eq!(count(&graph, "work_identifiers"), 3);
}

#[test]
fn a_task_counts_what_it_uses_and_nothing_of_its_neighbour() {
    let graph = graph();
    let (busy, empty) = write(&graph, |w| {
        let (busy, empty, other) = (task(w, "busy"), task(w, "empty"), task(w, "other"));
        let read = page(w, "a.com", "read", DomainCategory::Low, None);
        let listed = page(w, "a.com", "listed", DomainCategory::Low, None);
        page(w, "a.com", "nobody's", DomainCategory::Low, None);
        let (used, judged) = (fragment(w, read, "used"), fragment(w, read, "judged"));
        fragment(w, read, "unused");
        let search = w.record_search(&graph::NewSearch {
            task_id: busy,
            query: "q".to_owned(),
            options: serde_json::json!({}),
        })?;
        for (rank, page_id) in [(1, Some(listed)), (2, Some(read)), (3, None)] {
            w.record_serp_item(&graph::NewSerpItem {
                search_id: search,
                engine: "e".to_owned(),
                rank,
                url: format!("https://a.com/{rank}"),
                title: None,
                snippet: None,
                published_at: None,
                source_tag: None,
                page_id,
            })?;
        }
        let taken = w.record_claim(&NewClaim {
            task_id: busy,
            text: "taken from a passage".to_owned(),
            language: None,
            origin_fragment_id: Some(used),
            extraction_method: None,
            extraction_confidence: None,
        })?;
        judge(w, used, taken, Stance::Supports, 0.9);
        judge(w, judged, taken, Stance::Refutes, 0.8);
        judge(w, judged, claim(w, other, "elsewhere"), Stance::Neutral, 0.8);
        Ok((busy, empty))
    });
    let counts = |task| graph.read(|r| r.task_counts(task)).unwrap();
    let none = graph::TaskCounts { searches: 0, pages: 0, fragments: 0, claims: 0, edges: 0 };
    assert_eq!(
        counts(busy),
        graph::TaskCounts { searches: 1, pages: 2, fragments: 2, claims: 1, edges: 2 }
    );
    assert_eq!(counts(empty), none);
    let claims = graph.read(|r| r.claims_of(busy)).unwrap();
    assert_eq!((claims[0].support_count, claims[0].refute_count), (1, 0), "one page, one voice");
    let nowhere = graph.read(|r| r.task_counts(TaskId::from_parts(1, 1))).unwrap_err();
    assert!(matches!(nowhere, Error::Unknown { kind: "task", .. }), "{nowhere}");
}

#[test]
fn ids_are_found_by_their_beginning_or_end_in_order_up_to_a_limit() {
    let graph = graph();
    let mut claims = write(&graph, |w| {
        let task = task(w, "q");
        Ok([claim(w, task, "one"), claim(w, task, "two"), claim(w, task, "three")])
    });
    claims.sort();
    let found = |beginning: &str, ending: Option<&str>, limit| -> Vec<ClaimId> {
        let found = graph.read(|r| r.ids_like(beginning, ending, limit)).unwrap();
        found.into_iter().map(|it| it.id).collect()
    };
    assert_eq!(found("c_", None, 10), claims);
    assert_eq!(found("c_", None, 2), claims[..2]);
    assert_eq!(found("c_", None, 0), []);
    let id = claims[1].to_string();
    assert_eq!(found(&id, None, 10), [claims[1]]);
    assert_eq!(found("c_7", Some(&id[id.len() - 6..]), 10), [claims[1]]);
    assert_eq!(found("c_", Some(&id[id.len() - 6..]), 10), claims);
    for nothing in ["task_", "c_7", "c_%", "%"] {
        assert_eq!(found(nothing, Some("%"), 10), [], "{nothing}");
    }
    let tasks: Vec<Named<TaskId>> = graph.read(|r| r.ids_like("task_", None, 10)).unwrap();
    assert_eq!(tasks.iter().map(|it| &*it.about).collect::<Vec<_>>(), ["q"]);
}

#[test]
fn the_newest_come_first() {
    let graph = graph();
    let mut tasks = write(&graph, |w| Ok([task(w, "one"), task(w, "two"), task(w, "three")]));
    tasks.sort();
    let newest = |skipped, limit| -> Vec<TaskId> {
        let found = graph.read(|r| r.newest(skipped, limit)).unwrap();
        found.into_iter().map(|it| it.id).collect()
    };
    assert_eq!(newest(0, 2), [tasks[2], tasks[1]]);
    assert_eq!(newest(2, 9), [tasks[0]]);
    assert_eq!(newest(3, 9), []);
}

#[test]
fn the_claims_after_one_come_with_page_and_vector() {
    let graph = graph();
    let (task_id, page_id) = write(&graph, |w| {
        let task_id = task(w, "q");
        let page_id = page(w, "a.com", "1", DomainCategory::Low, None);
        let passage = fragment(w, page_id, "Tea lowers pressure.");
        let new = |text: &str, method: &str, origin| NewClaim {
            task_id,
            text: text.to_owned(),
            language: None,
            origin_fragment_id: origin,
            extraction_method: Some(method.to_owned()),
            extraction_confidence: None,
        };
        w.record_claim(&new("tea is good", "hypothesis", None))?;
        let claim = w.record_claim(&new("tea lowers pressure", "extractive", Some(passage)))?;
        claim_of_another_task(w);
        let target = Node::Claim(claim);
        w.record_embedding(&NewEmbedding { target, model_id: "m", vector: &[0.5, -1.0] })?;
        Ok((task_id, page_id))
    });
    let all = graph.read(|r| r.claims_after(task_id, 0, "m")).unwrap();
    let shown: Vec<_> =
        all.iter().map(|it| (it.text.as_str(), it.is_hypothesis, it.page, &it.vector)).collect();
    assert_eq!(
        shown,
        [
            ("tea is good", true, None, &None),
            ("tea lowers pressure", false, Some(page_id), &Some(vec![0.5, -1.0])),
        ]
    );
    let later = graph.read(|r| r.claims_after(task_id, all[0].seq, "other")).unwrap();
    assert_eq!(later.len(), 1);
    assert_eq!((later[0].id, &later[0].vector), (all[1].id, &None));
    assert_eq!(graph.read(|r| r.claims_after(task_id, all[1].seq, "m")).unwrap(), []);
}

fn claim_of_another_task(w: &graph::Writer<'_>) -> ClaimId {
    claim(w, task(w, "another"), "tea lowers pressure")
}

#[test]
fn refuting_pages_and_the_claims_of_its_pages_are_known_for_each_search() {
    let graph = graph();
    let (task_id, one, found, missed) = write(&graph, |w| {
        let task_id = task(w, "q");
        let (a, b) = (
            page(w, "a.com", "1", DomainCategory::Academic, None),
            page(w, "b.com", "1", DomainCategory::Low, None),
        );
        let passages = [fragment(w, a, "No."), fragment(w, a, "Never."), fragment(w, b, "Yes.")];
        let new = NewClaim {
            task_id,
            text: "tea works".to_owned(),
            language: None,
            origin_fragment_id: Some(passages[2]),
            extraction_method: None,
            extraction_confidence: None,
        };
        let (one, two) = (w.record_claim(&new)?, claim(w, task_id, "tea is safe"));
        // Two passages of one page refute the first claim: one page. It refutes the second as well.
        judge(w, passages[0], one, Stance::Refutes, 0.9);
        judge(w, passages[1], one, Stance::Refutes, 0.9);
        judge(w, passages[0], two, Stance::Refutes, 0.9);
        judge(w, passages[2], two, Stance::Supports, 0.9);
        judge(w, passages[0], claim_of_another_task(w), Stance::Refutes, 0.9);
        let searches = ["one", "two"].map(|query| NewSearch {
            task_id,
            query: query.to_owned(),
            options: serde_json::json!({}),
        });
        let [found, missed] = searches.map(|search| w.record_search(&search).unwrap());
        let selected = Selected {
            fragment_id: passages[1],
            score: 1.0,
            bm25: 1.0,
            similarity: None,
            reason: "before_knee",
        };
        w.select_fragment(found, &selected)?;
        w.select_fragment(missed, &Selected { fragment_id: passages[2], ..selected })?;
        Ok((task_id, one, found, missed))
    });
    assert_eq!(graph.read(|r| r.refutations_of(task_id, found)).unwrap(), 2);
    // A search that found another page found no refutation.
    assert_eq!(graph.read(|r| r.refutations_of(task_id, missed)).unwrap(), 0);
    let claims = graph.read(|r| r.claims_of_search(task_id, missed)).unwrap();
    let [(id, origin)] = &claims[..] else { panic!("{claims:?}") };
    assert_eq!((*id, origin.url.as_str()), (one, "https://b.com/1"));
    assert_eq!(origin.category, DomainCategory::Low);
    assert_eq!(graph.read(|r| r.claims_of_search(task_id, found)).unwrap(), []);
    let counted = graph.read(|r| r.task_claim(one)).unwrap();
    assert_eq!((counted.support_count, counted.refute_count), (0, 1), "two passages, one source");
    let claims = graph.read(|r| r.claims_of(task_id)).unwrap();
    let counts: Vec<_> = claims.iter().map(|it| (it.support_count, it.refute_count)).collect();
    assert_eq!(counts, [(0, 1), (1, 1)]);
}

#[test]
fn sketches_come_in_the_order_a_task_met_their_pages() {
    let graph = graph();
    let (task_id, pages) = write(&graph, |w| {
        let task_id = task(w, "q");
        let new = NewSearch { task_id, query: "q".to_owned(), options: Default::default() };
        let search_id = w.record_search(&new)?;
        let pages: Vec<PageId> = ["1", "2", "3", "4"]
            .map(|name| page(w, "a.com", name, DomainCategory::Low, None))
            .into();
        // The last one was not met, the second is in no cluster.
        for (rank, at) in [(1, 2), (2, 1), (3, 0)] {
            w.record_serp_item(&NewSerpItem {
                search_id,
                engine: "e".to_owned(),
                rank,
                url: format!("https://a.com/{}", at + 1),
                title: None,
                snippet: None,
                published_at: None,
                source_tag: None,
                page_id: Some(pages[at]),
            })?;
        }
        for (at, page) in pages.iter().enumerate() {
            let sketch = Some(vec![u8::try_from(at).unwrap()]);
            w.describe_page(*page, &PageDetails { sketch, ..PageDetails::default() })?;
            if at != 1 {
                w.cluster_page(*page, "c")?;
            }
        }
        Ok((task_id, pages))
    });
    let sketches = graph.read(|r| r.sketches_of(task_id)).unwrap();
    let shown: Vec<_> = sketches.iter().map(|it| (it.page, it.sketch.as_slice())).collect();
    assert_eq!(shown, [(pages[2], &[2_u8][..]), (pages[0], &[0][..])]);
    let first_met = graph.read(|r| r.first_met(task_id, pages[0])).unwrap();
    assert_eq!(first_met.as_ref(), Some(&sketches[1].first_met));
    assert_eq!(graph.read(|r| r.first_met(task_id, pages[3])).unwrap(), None);
}

#[test]
fn a_page_knows_the_claims_its_passages_take_a_side_on() {
    let graph = graph();
    let (page_id, passages, claims) = write(&graph, |w| {
        let (first, second) = (task(w, "q"), task(w, "other"));
        let page_id = page(w, "a.com", "a", DomainCategory::Low, None);
        let elsewhere = fragment(w, page(w, "b.com", "b", DomainCategory::Low, None), "elsewhere");
        let passages = ["one", "two", "three"].map(|text| fragment(w, page_id, text));
        let claims = [claim(w, first, "x"), claim(w, first, "y"), claim(w, second, "x")];
        judge(w, passages[1], claims[0], Stance::Refutes, 0.8);
        judge(w, passages[1], claims[2], Stance::Supports, 0.7);
        judge(w, passages[0], claims[1], Stance::Supports, 0.9);
        judge(w, passages[2], claims[0], Stance::Neutral, 0.9);
        judge(w, elsewhere, claims[1], Stance::Refutes, 0.9);
        Ok((page_id, passages, claims))
    });
    let judged = graph.read(|r| r.judged_on(page_id)).unwrap();
    let shown: Vec<_> =
        judged.iter().map(|it| (it.fragment_id, it.claim_id, it.relation)).collect();
    assert_eq!(
        shown,
        [
            (passages[0], claims[1], Relation::Supports),
            (passages[1], claims[2], Relation::Supports),
            (passages[1], claims[0], Relation::Refutes),
        ]
    );
    assert!(!judged[1].says_the_same(&judged[2]));
}

#[test]
fn the_newest_claims_come_first_and_the_log_says_when_anything_was_recorded() {
    let graph = graph();
    let newest = || graph.read(|r| r.newest_event()).unwrap();
    assert_eq!(newest(), None);
    let id = write(&graph, |w| {
        let id = task(w, "q");
        for text in ["a", "b", "c"] {
            claim(w, id, text);
        }
        Ok(id)
    });
    let claims = graph.read(|r| r.newest_claims_of(id, 2)).unwrap();
    let texts: Vec<&str> = claims.iter().map(|it| it.claim.claim_text.as_str()).collect();
    assert_eq!(texts, ["c", "b"]);
    let before = newest();
    assert_eq!(newest(), before);
    write(&graph, |w| Ok(claim(w, id, "a")));
    assert_eq!(newest(), before, "what is known is not recorded again");
    write(&graph, |w| Ok(claim(w, id, "d")));
    assert!(newest() > before);
}
