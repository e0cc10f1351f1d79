//! Which pages tell the same story: copies by their words when a page is read, retellings by their meaning once its
//! passages have vectors. A cluster goes by the id of its first page.

use std::collections::BTreeMap;

use evidence::{DomainCategory, PageId, Publisher, Relation, WorkId};
use extract::near_duplicate::Sketch;
use graph::{ClaimSourcePage, StudyPage, Writer};
use judge::SourcePage;

use crate::engine::Inner;

use super::Context;

/// A page as independence sees it: who published it, and which story it tells.
fn source(
    domain: &str,
    work: Option<WorkId>,
    cluster: Option<&str>,
    page: PageId,
    category: DomainCategory,
) -> SourcePage {
    let cluster = cluster.map_or_else(|| page.to_string(), ToOwned::to_owned);
    SourcePage { publisher: Publisher::of_page(domain, work), cluster, category }
}

pub(super) fn source_of_page(page: &StudyPage) -> SourcePage {
    let cluster = page.narrative_cluster.as_deref();
    source(&page.domain, page.work_id, cluster, page.id, page.domain_category)
}

pub(super) fn source_of_claim(page: &ClaimSourcePage) -> SourcePage {
    source(&page.domain, page.work_id, page.cluster.as_deref(), page.page_id, page.category)
}

/// How many independent sources support a claim: other publishers with other stories.
pub fn independent_support(pages: &[ClaimSourcePage]) -> usize {
    let supporting = pages.iter().filter(|it| it.relation == Relation::Supports);
    let sources: Vec<SourcePage> = supporting.map(source_of_claim).collect();
    judge::independent_sources(&sources)
}

impl Inner {
    /// Puts a page that was read into the cluster of the first page of the task it repeats, else into its own.
    pub(super) fn note_cluster(
        &self,
        w: &Writer<'_>,
        context: &Context,
        page: Option<PageId>,
    ) -> graph::Result<()> {
        let Some(id) = page else { return Ok(()) };
        let page = w.study_page(id)?;
        if page.narrative_cluster.is_some() {
            return Ok(());
        }
        let sketch = page.sketch.as_deref().and_then(Sketch::from_bytes);
        let near = match &sketch {
            Some(own) => w.read_pages_of(context.task.id)?.into_iter().find(|other| {
                other.id != id
                    && other.narrative_cluster.is_some()
                    && other
                        .sketch
                        .as_deref()
                        .and_then(Sketch::from_bytes)
                        .is_some_and(|it| it.is_near(own, &self.parts.settings.near))
            }),
            None => None,
        };
        let cluster = near.and_then(|it| it.narrative_cluster).unwrap_or_else(|| id.to_string());
        w.cluster_page(id, &cluster)
    }

    /// Joins the clusters of pages whose kept passages mean the same as a whole.
    pub(super) fn merge_narratives(
        &self,
        w: &Writer<'_>,
        context: &Context,
        vectors: &BTreeMap<evidence::FragmentId, Vec<f32>>,
    ) -> graph::Result<()> {
        let mut sums: Vec<(PageId, Vec<f32>, usize)> = Vec::new();
        for passage in w.selected_of(context.task.id)? {
            let Some(vector) = vectors.get(&passage.id) else { continue };
            match sums.iter_mut().find(|it| it.0 == passage.page_id) {
                Some((_, sum, count)) => {
                    sum.iter_mut().zip(vector).for_each(|(sum, it)| *sum += it);
                    *count += 1;
                }
                None => sums.push((passage.page_id, vector.clone(), 1)),
            }
        }
        let settings = &self.parts.settings.search;
        // One sentence and its opposite are near in meaning; only many passages that run in parallel are a retelling.
        sums.retain(|it| it.2 >= settings.narrative_min_passages);
        let least = settings.narrative_similarity;
        for (nth, (page, vector, _)) in sums.iter().enumerate() {
            for (earlier, other, _) in &sums[..nth] {
                let alike = judge::cosine(vector, other).is_some_and(|it| it >= least);
                if alike {
                    w.join_clusters(*page, *earlier)?;
                    break;
                }
            }
        }
        Ok(())
    }
}
