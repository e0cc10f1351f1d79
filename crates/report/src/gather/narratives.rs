//! How much of the evidence tells the same text.

use std::collections::{BTreeMap, BTreeSet};

use graph::PageMaterial;

use super::findings::{Judged, cluster};
use super::pages::Pages;
use crate::ReportSettings;
use crate::report::{Narrative, Narratives, PageName, Repeated};

/// Groups the pages that give evidence by the text they tell.
pub(super) fn narratives<'j, 'm>(
    judged: &[&'j Judged<'m>],
    pages: &Pages<'_>,
    options: &ReportSettings,
) -> Narratives {
    let mut clusters: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let mut known: BTreeMap<u32, &PageMaterial> = BTreeMap::new();
    let speaking =
        |it: &&'j Judged<'m>| it.supporting.iter().chain(&it.refuting).chain(&it.same_voice);
    for passage in judged.iter().flat_map(speaking) {
        // A document that is read by sections is one page here, with the text that is met first.
        if let Some(number) = pages.cited_number(&passage.page.url)
            && !known.contains_key(&number)
        {
            clusters.entry(cluster(passage.page)).or_default().insert(number);
            known.insert(number, passage.page);
        }
    }
    let total = known.len();
    let share = |count: usize| if total == 0 { 0.0 } else { count as f64 / total as f64 };
    let largest_share = share(clusters.values().map(BTreeSet::len).max().unwrap_or(0));
    let first = |sources: &BTreeSet<u32>| {
        let key = |number: &&u32| {
            let page = known[*number];
            let date = page.published_at.clone().or_else(|| page.year.map(|it| it.to_string()));
            (page.category, date.is_none(), date, **number)
        };
        sources.iter().min_by_key(key).copied()
    };
    let mut copied: Vec<Narrative> = clusters
        .iter()
        .filter(|(_, sources)| sources.len() > 1)
        .filter_map(|(cluster, sources)| {
            Some(Narrative {
                cluster: cluster.clone(),
                first: first(sources)?,
                sources: sources.iter().copied().collect(),
                share: share(sources.len()),
            })
        })
        .collect();
    let repeated = repeated(pages, options.max_list);
    copied.sort_by_key(|it| (std::cmp::Reverse(it.sources.len()), it.first));
    Narratives {
        pages: total as u32,
        clusters: clusters.len() as u32,
        largest_share,
        limit: options.max_narrative_share,
        // One page alone is no bias.
        above_limit: total > 1 && largest_share > options.max_narrative_share,
        copied,
        repeated,
    }
}

/// The pages that were read and repeat another one, as far as the sources do not show it already.
fn repeated(pages: &Pages<'_>, most: usize) -> Vec<Repeated> {
    let mut clusters: BTreeMap<String, Vec<&PageMaterial>> = BTreeMap::new();
    for page in pages.read() {
        clusters.entry(cluster(page)).or_default().push(page);
    }
    let name = |it: &&PageMaterial| PageName { title: it.title.clone(), url: it.url.clone() };
    let shown = |it: &&PageMaterial| pages.cited_number(&it.url).is_some();
    let groups = clusters.into_values().filter(|it| it.len() > 1 && !it.iter().all(shown));
    let groups = groups
        .map(|it| Repeated { first: name(&it[0]), copies: it[1..].iter().map(name).collect() });
    groups.take(most).collect()
}
