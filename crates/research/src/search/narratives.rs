//! Which pages tell the same story: copies by their words when a page is read, retellings by their meaning once its
//! passages have vectors. A cluster goes by the id of its first page.

use std::collections::BTreeMap;

use evidence::{DomainCategory, PageId, Publisher, WorkId};
use extract::near_duplicate::Sketch;
use graph::{ClaimSourcePage, PageForAssessment, Writer};
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

pub(super) fn source_of_page(page: &PageForAssessment) -> SourcePage {
    let cluster = page.narrative_cluster.as_deref();
    source(&page.domain, page.work_id, cluster, page.id, page.domain_category)
}

pub(crate) fn source_of_claim(page: &ClaimSourcePage) -> SourcePage {
    source(&page.domain, page.work_id, page.cluster.as_deref(), page.page_id, page.category)
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
        let task = context.task.id;
        let page = w.page_for_assessment(id)?;
        let own = page.sketch.as_deref().and_then(Sketch::from_bytes);
        let state = self.task_state(task);
        let mut sketches = state.sketches();
        if sketches.is_none() {
            let stored = w.sketches_of(task)?.into_iter();
            let read = stored
                .filter_map(|it| Some(((it.first_met, it.page), Sketch::from_bytes(&it.sketch)?)));
            *sketches = Some(read.collect());
        }
        let sketches = sketches.get_or_insert_default();
        if page.narrative_cluster.is_none() {
            let mut cluster = None;
            let near = own.iter().flat_map(|own| {
                sketches.iter().filter(|it| it.1.is_near(own, &self.parts.settings.near))
            });
            for ((_, other), _) in near.filter(|it| it.0.1 != id) {
                // None: its transaction was rolled back, and the sketch is of a page that was not read.
                cluster = w.cluster_of(*other)?;
                if cluster.is_some() {
                    break;
                }
            }
            w.cluster_page(id, &cluster.unwrap_or_else(|| id.to_string()))?;
        }
        if let (Some(own), Some(first_met)) = (own, w.first_met(task, id)?) {
            sketches.insert((first_met, id), own);
        }
        Ok(())
    }
}

/// The sketches of the pages of a task, in the order it met them.
pub(crate) type Sketches = BTreeMap<(String, PageId), Sketch>;
