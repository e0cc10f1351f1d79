//! How many sources say something independently of each other.
//!
//! Two pages are independent when neither their publisher ([`Publisher`]) nor their story
//! (the narrative cluster: copies and rewritings of one text) is the same. Copies of one press
//! release are one source, however many newspapers print it.

use std::collections::BTreeMap;

use evidence::{DomainCategory, Publisher};
use settings::settings;

/// A page as independence sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePage {
    pub publisher: Publisher,
    /// The narrative cluster. A page that is near to no other has a cluster of its own.
    pub cluster: String,
    pub category: DomainCategory,
}

settings! {
    /// When a search has enough sources.
    pub struct SatisfactionSettings {}
    expert {
        /// Independent sources wanted.
        wanted_sources: usize = 3, in 1..=100;
        /// The part of the score that independent sources can reach.
        sources_weight: f64 = 0.7, in 0.0..=1.0;
        /// The part of the score that a primary source adds.
        primary_weight: f64 = 0.3, in 0.0..=1.0;
        /// The score that is enough.
        satisfied_at: f64 = 0.8, in 0.0..=1.0;
    }
}

/// Counts independent sources: the largest choice of pages in which no two share a publisher or
/// a cluster. The order of the pages does not matter.
pub fn independent_sources(pages: &[SourcePage]) -> usize {
    let mut clusters: BTreeMap<&str, usize> = BTreeMap::new();
    let mut published: BTreeMap<&Publisher, Vec<usize>> = BTreeMap::new();
    for page in pages {
        let next = clusters.len();
        let cluster = *clusters.entry(&page.cluster).or_insert(next);
        let own = published.entry(&page.publisher).or_default();
        if !own.contains(&cluster) {
            own.push(cluster);
        }
    }
    let published: Vec<Vec<usize>> = published.into_values().collect();
    largest_matching(&published, clusters.len())
}

/// Whether a page is first-hand evidence: of governments, of research, or of those the
/// matter belongs to.
pub fn is_primary(category: DomainCategory) -> bool {
    matches!(
        category,
        DomainCategory::Primary | DomainCategory::Government | DomainCategory::Academic
    )
}

/// How well sources answer a question, 0 to 1.
pub fn satisfaction(independent: usize, has_primary: bool, settings: &SatisfactionSettings) -> f64 {
    let sources = independent as f64 / settings.wanted_sources.max(1) as f64;
    let primary = if has_primary { settings.primary_weight } else { 0.0 };
    (sources * settings.sources_weight + primary).min(1.0)
}

/// Whether a score counts as satisfied.
pub fn is_satisfied(satisfaction: f64, settings: &SatisfactionSettings) -> bool {
    // 3 of 3 sources with a weight of 0.7 and 0.1 from elsewhere must not fail on the last bit.
    satisfaction >= settings.satisfied_at - 1e-9
}

/// The size of the largest matching between publishers and the clusters they published: by augmenting
/// paths, without recursion, because a long chain of copies is made by others.
fn largest_matching(published: &[Vec<usize>], clusters: usize) -> usize {
    let mut taken_by: Vec<Option<usize>> = vec![None; clusters];
    let mut size = 0;
    for start in 0..published.len() {
        let mut reached_from: Vec<Option<usize>> = vec![None; clusters];
        let mut queue = vec![start];
        let mut at = 0;
        let mut free = None;
        'search: while let Some(&publisher) = queue.get(at) {
            at += 1;
            for &cluster in &published[publisher] {
                if reached_from[cluster].is_some() {
                    continue;
                }
                reached_from[cluster] = Some(publisher);
                match taken_by[cluster] {
                    Some(other) => queue.push(other),
                    None => {
                        free = Some(cluster);
                        break 'search;
                    }
                }
            }
        }
        let mut gained = free;
        size += usize::from(gained.is_some());
        while let Some(cluster) = gained {
            let publisher = reached_from[cluster].expect("the path was walked to this cluster");
            gained = taken_by.iter().position(|it| *it == Some(publisher));
            taken_by[cluster] = Some(publisher);
            if let Some(before) = gained {
                taken_by[before] = None;
            }
            if publisher == start {
                break;
            }
        }
    }
    size
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn page(domain: &str, cluster: &str, category: DomainCategory) -> SourcePage {
        let publisher = Publisher::of_domain(domain);
        SourcePage { publisher, cluster: cluster.to_owned(), category }
    }

    fn count(pages: &[(&str, &str)]) -> usize {
        let pages: Vec<SourcePage> =
            pages.iter().map(|it| page(it.0, it.1, DomainCategory::Low)).collect();
        independent_sources(&pages)
    }

    #[test]
    fn copies_and_pages_of_one_publisher_count_once() {
        assert_eq!(count(&[]), 0);
        assert_eq!(count(&[("a.example", "x")]), 1);
        assert_eq!(count(&[("a.example", "x"), ("a.example", "y")]), 1, "one publisher");
        assert_eq!(count(&[("a.example", "x"), ("b.example", "x")]), 1, "one story");
        assert_eq!(count(&[("a.example", "x"), ("b.example", "y")]), 2);
        assert_eq!(
            count(&[
                ("library:メモ.md", "x"),
                ("library:報告書.pdf", "y"),
                ("library:報告書.pdf", "x")
            ]),
            2
        );
    }

    #[test]
    fn the_largest_choice_is_found_in_any_order() {
        let mut pages = [("a", "x"), ("a", "y"), ("b", "x"), ("c", "y"), ("c", "z")];
        assert_eq!(count(&pages), 3);
        pages.reverse();
        assert_eq!(count(&pages), 3);
        // Every newspaper printed the release, one of them wrote something of its own as well.
        let release = [("a", "pr"), ("b", "pr"), ("c", "pr"), ("c", "own"), ("d", "pr")];
        assert_eq!(count(&release), 2);
    }

    /// The definition itself, by trying every choice.
    fn by_trying(pages: &[(u8, u8)]) -> usize {
        (0..1_u32 << pages.len())
            .filter(|choice| {
                let chosen: Vec<_> = (0..pages.len())
                    .filter(|it| choice >> it & 1 == 1)
                    .map(|it| pages[it])
                    .collect();
                (0..chosen.len()).all(|one| {
                    (0..one)
                        .all(|two| chosen[one].0 != chosen[two].0 && chosen[one].1 != chosen[two].1)
                })
            })
            .map(|choice| choice.count_ones() as usize)
            .max()
            .unwrap_or(0)
    }

    proptest! {
        #[test]
        fn no_larger_choice_exists(pages in prop::collection::vec((0_u8..5, 0_u8..5), 0..9)) {
            let names: Vec<(String, String)> =
                pages.iter().map(|it| (it.0.to_string(), it.1.to_string())).collect();
            let borrowed: Vec<(&str, &str)> =
                names.iter().map(|it| (it.0.as_str(), it.1.as_str())).collect();
            prop_assert_eq!(count(&borrowed), by_trying(&pages));
        }
    }

    #[test]
    fn the_score_grows_with_sources_and_with_a_primary_one() {
        let settings = SatisfactionSettings::default();
        let shown = |independent, primary| {
            let score = satisfaction(independent, primary, &settings);
            format!("{score:.3} {}", is_satisfied(score, &settings))
        };
        assert_eq!(shown(0, false), "0.000 false");
        assert_eq!(shown(1, false), "0.233 false");
        assert_eq!(shown(1, true), "0.533 false");
        assert_eq!(shown(2, true), "0.767 false");
        assert_eq!(shown(3, false), "0.700 false");
        assert_eq!(shown(3, true), "1.000 true");
        assert_eq!(shown(4, false), "0.933 true");
        assert_eq!(shown(9, true), "1.000 true");
    }
}
