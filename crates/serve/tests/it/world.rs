//! Small worlds for the commands that judge: pages, passages, claims and what was said about them.

use evidence::{
    Budget, CitationSource, ClaimId, DomainCategory, EdgeId, FragmentId, FragmentType, Node,
    Stance, TaskId,
};
use graph::{
    NewClaim, NewEdge, NewFragment, NewPage, NewTask, NewWork, Result, WorkIdentifier, Writer,
};
use serde_json::json;

pub(crate) fn task(w: &Writer<'_>, query: &str) -> Result<TaskId> {
    w.create_task(&NewTask {
        query: query.to_owned(),
        hypothesis: None,
        language: None,
        budget: Budget { max_pages: 120, max_seconds: 3600 },
        config: json!({}),
    })
}

/// A passage on a page of its own.
pub(crate) fn passage(w: &Writer<'_>, host: &str, text: &str) -> Result<FragmentId> {
    let page_id = w.record_page(&NewPage {
        url: format!("https://{host}/{text}"),
        domain: host.to_owned(),
        domain_category: DomainCategory::Unverified,
        title: None,
        language: None,
        year: None,
        work_id: None,
    })?;
    w.record_fragment(&NewFragment {
        page_id,
        fragment_type: FragmentType::Paragraph,
        text: text.to_owned(),
        heading_context: None,
        element_index: None,
        chars: None,
        language: None,
    })
}

/// A claim taken from a passage; `certainty` is that of whoever took it.
pub(crate) fn claim(
    w: &Writer<'_>,
    task_id: TaskId,
    text: &str,
    origin: Option<FragmentId>,
    certainty: Option<f64>,
) -> Result<ClaimId> {
    w.record_claim(&NewClaim {
        task_id,
        text: text.to_owned(),
        language: None,
        origin_fragment_id: origin,
        extraction_method: None,
        extraction_confidence: certainty,
    })
}

pub(crate) fn judge(
    w: &Writer<'_>,
    source: FragmentId,
    target: ClaimId,
    stance: Stance,
    confidence: f64,
) -> Result<EdgeId> {
    let source = Node::Fragment(source);
    w.add_edge(&NewEdge::Stance {
        source,
        target,
        stance,
        confidence,
        model: "test".to_owned(),
        kind: None,
        about: true,
    })
}

pub(crate) fn cite(w: &Writer<'_>, source: FragmentId, target: FragmentId) -> Result<EdgeId> {
    let (source, target) = (Node::Fragment(source), Node::Fragment(target));
    let seen_by = CitationSource::Extraction;
    w.add_edge(&NewEdge::Citation { source, target, seen_by, context: None })
}

/// `total` claims, each taken from a page of `host`.
pub(crate) fn claims_from(w: &Writer<'_>, host: &str, total: usize) -> Result<Vec<ClaimId>> {
    let task = task(w, host)?;
    (0..total)
        .map(|n| {
            let origin = passage(w, host, &format!("本文{n}"))?;
            claim(w, task, &format!("主張{n}"), Some(origin), Some(0.8))
        })
        .collect()
}

/// A task with six claims from six pages, each supported by its passage and the first refuted by the last, which is of
/// another site.
pub(crate) fn small_investigation(w: &Writer<'_>) -> Result<TaskId> {
    let task = task(w, "在宅勤務は生産性を上げるか")?;
    let mut passages = Vec::new();
    let mut claims = Vec::new();
    for n in 0..6 {
        let host = if n == 5 { "b.example.org" } else { "a.example.com" };
        passages.push(passage(w, host, &format!("テレワーク実態調査 {n}"))?);
        claims.push(claim(w, task, &format!("主張{n}"), Some(passages[n]), Some(0.8))?);
        judge(w, passages[n], claims[n], Stance::Supports, 0.9)?;
    }
    judge(w, passages[5], claims[0], Stance::Refutes, 0.8)?;
    Ok(task)
}

/// `total` passages that support one claim with this certainty, all by the same judge.
pub(crate) fn supports(
    w: &Writer<'_>,
    claim: ClaimId,
    name: &str,
    total: usize,
    certainty: f64,
) -> Result<Vec<EdgeId>> {
    (0..total)
        .map(|n| {
            let passage = passage(w, &format!("{name}{n}.example"), "page")?;
            judge(w, passage, claim, Stance::Supports, certainty)
        })
        .collect()
}

/// People look at edges that support: those for which `right` holds are confirmed, others refuted.
pub(crate) fn look_at(
    w: &Writer<'_>,
    edges: &[EdgeId],
    right: impl Fn(usize) -> bool,
) -> Result<()> {
    for (n, edge) in edges.iter().enumerate() {
        let truth = if right(n) { Stance::Supports } else { Stance::Refutes };
        w.edge_correct(*edge, truth, None)?;
    }
    Ok(())
}

/// A question with a disputed claim in English and one in Japanese that nobody has judged.
pub(crate) struct SeaLevel {
    pub(crate) task: TaskId,
    pub(crate) disputed: ClaimId,
    pub(crate) unjudged: ClaimId,
    pub(crate) edges: Vec<EdgeId>,
}

/// Three sources: a paper, a page with a year, and one of which little is known.
pub(crate) fn sea_level(w: &Writer<'_>) -> Result<SeaLevel> {
    let task = task(w, "海面は上昇したか")?;
    let work_id = w.record_work(&NewWork {
        title: "Sea-level rise since 1901".to_owned(),
        year: Some(2021),
        venue: Some("Nature".to_owned()),
        identifiers: vec![WorkIdentifier {
            scheme: "doi".to_owned(),
            value: "10.1000/sea".to_owned(),
        }],
        ..NewWork::default()
    })?;
    let paper = NewPage {
        url: "https://nature.example.com/sea".to_owned(),
        domain: "nature.example.com".to_owned(),
        domain_category: DomainCategory::Academic,
        title: None,
        language: None,
        year: None,
        work_id: Some(work_id),
    };
    let agency = NewPage {
        url: "https://www.example.jp/kaimen".to_owned(),
        domain: "www.example.jp".to_owned(),
        domain_category: DomainCategory::Government,
        title: Some("海面水位の長期変化".to_owned()),
        language: Some("ja".to_owned()),
        year: Some(2019),
        work_id: None,
    };
    let blog = NewPage {
        url: "https://blog.example.org/tides".to_owned(),
        domain: "blog.example.org".to_owned(),
        domain_category: DomainCategory::Unverified,
        title: None,
        language: None,
        year: None,
        work_id: None,
    };
    let mut sources = Vec::new();
    for (page, text, heading) in [
        (
            paper,
            "Global mean sea level rose by about 20 cm between 1901 and 2018.",
            Some("Results"),
        ),
        (agency, "世界の平均海面水位は1901年から2018年の間に約20 cm上昇した。", None),
        (blog, "The tides at my pier have not changed at all.\u{1b}[31m", None),
    ] {
        let page_id = w.record_page(&page)?;
        sources.push(w.record_fragment(&NewFragment {
            page_id,
            fragment_type: FragmentType::Paragraph,
            text: text.to_owned(),
            heading_context: heading.map(str::to_owned),
            element_index: None,
            chars: None,
            language: None,
        })?);
    }
    let disputed =
        claim(w, task, "Sea level rose by about 20 cm since 1901.", Some(sources[0]), None)?;
    let unjudged =
        claim(w, task, "海面上昇の速さは1990年代以降に増している。", Some(sources[1]), None)?;
    let edges = vec![
        judge(w, sources[0], disputed, Stance::Supports, 0.95)?,
        judge(w, sources[1], disputed, Stance::Supports, 0.8)?,
        judge(w, sources[2], disputed, Stance::Refutes, 0.6)?,
    ];
    Ok(SeaLevel { task, disputed, unjudged, edges })
}
