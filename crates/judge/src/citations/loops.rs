//! Citations that lead back to where they began: a page citing its own site, two pages citing each
//! other, rings. Many pages that repeat each other look like many sources; what is found here lets a
//! report say so, and lets a weight be lowered.

use std::collections::{BTreeMap, BTreeSet};

use settings::settings;

/// What a citation within one page or one site counts.
const SELF_REFERENCE_WEIGHT: f64 = 0.1;

settings! {
    /// What a citation counts that leads back to where it began.
    pub struct LoopSettings {}
    expert {
        /// The weight of a citation between two sites that cite each other.
        round_trip_weight: f64 = 0.5, in 0.0..=1.0;
        /// The weight of a citation in a longer circle.
        cycle_weight: f64 = 0.7, in 0.0..=1.0;
    }
    removed {
        "self_reference_weight": "a site that cites itself loses nothing";
    }
}

/// The loops among citations, each list sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loops<P> {
    /// Citations within one page or one site.
    pub self_references: Vec<(P, P)>,
    /// Pages of different sites that cite each other, the smaller one first.
    pub round_trips: Vec<(P, P)>,
    /// Pages that reach each other over at least one more; sorted, and by their first page.
    pub cycles: Vec<Vec<P>>,
}

impl<P: Ord + Copy> Loops<P> {
    /// What a citation counts for: less in a loop, the least of what applies.
    pub fn weight(&self, citing: P, cited: P, settings: &LoopSettings) -> f64 {
        let ordered = (citing.min(cited), citing.max(cited));
        let in_ring = self
            .cycles
            .iter()
            .any(|it| it.binary_search(&citing).is_ok() && it.binary_search(&cited).is_ok());
        let weights = [
            (self.self_references.binary_search(&(citing, cited)).is_ok(), SELF_REFERENCE_WEIGHT),
            (self.round_trips.binary_search(&ordered).is_ok(), settings.round_trip_weight),
            (in_ring, settings.cycle_weight),
        ];
        weights.iter().filter(|it| it.0).map(|it| it.1).fold(1.0, f64::min)
    }
}

/// Finds the loops among citations given as (citing, cited). `site` says where a page belongs; pairs
/// given twice count once.
pub fn find_loops<P: Ord + Copy, S: PartialEq>(
    pairs: &[(P, P)],
    site: impl Fn(P) -> S,
) -> Loops<P> {
    let pairs: BTreeSet<(P, P)> = pairs.iter().copied().collect();
    let (within, between): (Vec<_>, Vec<_>) = pairs
        .iter()
        .copied()
        .partition(|(citing, cited)| citing == cited || site(*citing) == site(*cited));
    let round_trips =
        between.iter().copied().filter(|(a, b)| a < b && pairs.contains(&(*b, *a))).collect();
    let cycles = rings(&between).into_iter().filter(|it| it.len() > 2).collect();
    Loops { self_references: within, round_trips, cycles }
}

/// The groups of pages that reach each other (strongly connected components), without recursion: a
/// chain of citations can be of any length.
fn rings<P: Ord + Copy>(pairs: &[(P, P)]) -> Vec<Vec<P>> {
    let mut places: BTreeMap<P, usize> = BTreeMap::new();
    for (citing, cited) in pairs {
        for page in [citing, cited] {
            let next = places.len();
            places.entry(*page).or_insert(next);
        }
    }
    let mut pages: Vec<P> = places.keys().copied().collect();
    pages.sort_by_key(|it| places[it]);
    let mut cites: Vec<Vec<usize>> = vec![Vec::new(); pages.len()];
    let mut cited_by: Vec<Vec<usize>> = vec![Vec::new(); pages.len()];
    for (citing, cited) in pairs {
        cites[places[citing]].push(places[cited]);
        cited_by[places[cited]].push(places[citing]);
    }
    // Pages in the order in which a walk leaves them; walking back from the last one left finds its ring.
    let mut left = Vec::with_capacity(pages.len());
    let mut seen = vec![false; pages.len()];
    for start in 0..pages.len() {
        let mut path = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((page, next)) = path.pop() {
            match cites[page].get(next) {
                Some(&to) => {
                    path.push((page, next + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        path.push((to, 0));
                    }
                }
                None => left.push(page),
            }
        }
    }
    let mut rings = Vec::new();
    let mut taken = vec![false; pages.len()];
    for &start in left.iter().rev() {
        if std::mem::replace(&mut taken[start], true) {
            continue;
        }
        let mut ring = vec![start];
        let mut at = 0;
        while let Some(&page) = ring.get(at) {
            at += 1;
            for &from in &cited_by[page] {
                if !std::mem::replace(&mut taken[from], true) {
                    ring.push(from);
                }
            }
        }
        let mut ring: Vec<P> = ring.into_iter().map(|it| pages[it]).collect();
        ring.sort_unstable();
        rings.push(ring);
    }
    rings.sort_unstable();
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages are two letters: the site and the page.
    fn loops(pairs: &[(&'static str, &'static str)]) -> Loops<&'static str> {
        find_loops(pairs, |it| &it[..1])
    }

    #[test]
    fn loops_are_found_and_told_apart() {
        let found = loops(&[
            ("a1", "b1"),
            ("b1", "c1"),
            ("c1", "a1"),
            ("d1", "e1"),
            ("e1", "d1"),
            ("f1", "f2"),
            ("g1", "g1"),
            ("h1", "a1"),
            ("a1", "b1"),
        ]);
        assert_eq!(found.self_references, [("f1", "f2"), ("g1", "g1")]);
        assert_eq!(found.round_trips, [("d1", "e1")]);
        assert_eq!(found.cycles, [vec!["a1", "b1", "c1"]]);
        let settings = LoopSettings::default();
        let weight = |citing, cited| found.weight(citing, cited, &settings);
        assert_eq!(weight("a1", "b1"), 0.7);
        assert_eq!(weight("e1", "d1"), 0.5);
        assert_eq!(weight("f1", "f2"), 0.1);
        assert_eq!(weight("h1", "a1"), 1.0);
    }

    #[test]
    fn a_chain_has_no_loop_however_long() {
        let chain: Vec<(u32, u32)> = (0..100_000).map(|it| (it, it + 1)).collect();
        let found = find_loops(&chain, |it| it);
        assert_eq!((found.round_trips.len(), found.cycles.len()), (0, 0));
        let ring: Vec<(u32, u32)> = chain.iter().copied().chain([(100_000, 0)]).collect();
        let found = find_loops(&ring, |it| it);
        assert_eq!(found.cycles.len(), 1);
        assert_eq!(found.cycles[0].len(), 100_001);
    }

    #[test]
    fn nothing_has_no_loops() {
        let found = loops(&[]);
        assert_eq!(found, Loops { self_references: vec![], round_trips: vec![], cycles: vec![] });
    }

    #[test]
    fn the_order_of_pairs_does_not_matter() {
        let mut pairs = [("a1", "b1"), ("b1", "c1"), ("c1", "b1"), ("c1", "a1"), ("d1", "d2")];
        let one = loops(&pairs);
        pairs.reverse();
        assert_eq!(loops(&pairs), one);
        assert_eq!(one.round_trips, [("b1", "c1")]);
        assert_eq!(one.cycles, [vec!["a1", "b1", "c1"]]);
    }
}
