//! What holds for every set of passages.

use proptest::prelude::*;
use rank::{Passage, RankSettings, Ranking};

use crate::support::ranked;

#[derive(Debug, Clone)]
struct Given {
    text: String,
    heading: Option<String>,
    category_weight: f64,
    quality_penalty: f64,
    cosine: Option<f32>,
}

fn given() -> impl Strategy<Value = Given> {
    let words = "((aspirin|fever|trial|心臓|病院|the|of) ){0,6}";
    let heading = proptest::option::of("(aspirin|fever|病院)");
    let cosine = proptest::option::weighted(0.8, -1.0_f32..1.0);
    (words, heading, 0.0..=1.0, 0.0..=1.0, cosine).prop_map(
        |(text, heading, category_weight, quality_penalty, cosine)| Given {
            text,
            heading,
            category_weight,
            quality_penalty,
            cosine,
        },
    )
}

fn rank_all(query: &str, all: &[Given]) -> Ranking {
    let passages: Vec<Passage<'_>> = all
        .iter()
        .map(|passage| Passage {
            text: &passage.text,
            heading: passage.heading.as_deref(),
            category_weight: passage.category_weight,
            quality_penalty: passage.quality_penalty,
            foreign: false,
        })
        .collect();
    let cosines: Vec<Option<f32>> = all.iter().map(|it| it.cosine).collect();
    ranked(query, &passages, &cosines, &RankSettings::default())
}

/// Scores with the texts that have them; those of one score in the order of the alphabet.
fn lines(ranking: &Ranking, all: &[Given]) -> Vec<(f64, String)> {
    let mut lines: Vec<(f64, String)> =
        ranking.ranked.iter().map(|it| (it.score, format!("{:?}", all[it.index]))).collect();
    lines.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    lines
}

const QUERY: &str = "aspirin fever 心臓病";

proptest! {
    #[test]
    fn the_order_of_the_texts_does_not_depend_on_the_order_they_came_in(
        (all, mixed) in proptest::collection::vec(given(), 0..30)
            .prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle()))
    ) {
        let (one, other) = (rank_all(QUERY, &all), rank_all(QUERY, &mixed));
        prop_assert_eq!(lines(&one, &all), lines(&other, &mixed));
        prop_assert_eq!(one.kept, other.kept);
    }

    #[test]
    fn scores_fall_and_stay_between_0_and_1(
        all in proptest::collection::vec(given(), 0..30), query in "\\PC{0,20}|aspirin fever"
    ) {
        let ranking = rank_all(&query, &all);
        for it in &ranking.ranked {
            prop_assert!((0.0..=1.0).contains(&it.score), "{:?}", it);
            prop_assert!((0.0..=1.0).contains(&it.bm25), "{:?}", it);
            prop_assert!(it.similarity.is_none_or(|it| (0.0..=1.0).contains(&it)), "{:?}", it);
        }
        prop_assert!(ranking.ranked.is_sorted_by(|a, b| a.score >= b.score));
        prop_assert!(ranking.kept <= ranking.ranked.len().min(50));
        prop_assert!(ranking.kept >= ranking.ranked.len().min(3));
    }

    #[test]
    fn a_better_publisher_or_page_never_costs_a_passage_its_place(
        all in proptest::collection::vec(given(), 1..20),
        chosen in any::<proptest::sample::Index>(),
        category_weight in 0.0..=1.0,
        quality_penalty in 0.0..=1.0,
    ) {
        let chosen = chosen.index(all.len());
        let place = |ranking: &Ranking| ranking.ranked.iter().position(|it| it.index == chosen);
        let before = rank_all(QUERY, &all);
        let mut better = all.clone();
        better[chosen].category_weight = all[chosen].category_weight.max(category_weight);
        better[chosen].quality_penalty = all[chosen].quality_penalty.min(quality_penalty);
        let after = rank_all(QUERY, &better);
        prop_assert_eq!(place(&before).is_some(), place(&after).is_some());
        if let (Some(before_at), Some(after_at)) = (place(&before), place(&after)) {
            prop_assert!(after_at <= before_at);
            prop_assert!(after.ranked[after_at].score >= before.ranked[before_at].score);
        }
    }

    #[test]
    fn a_likelier_passage_never_falls_behind_one_it_led_by_words_and_meaning(
        all in proptest::collection::vec(given(), 2..20)
    ) {
        let equal: Vec<Given> = all
            .into_iter()
            .map(|it| Given { category_weight: 1.0, quality_penalty: 0.0, ..it })
            .collect();
        let ranking = rank_all(QUERY, &equal);
        for (place, first) in ranking.ranked.iter().enumerate() {
            for second in &ranking.ranked[..place] {
                let (Some(a), Some(b)) = (first.similarity, second.similarity) else { continue };
                prop_assert!(!(first.bm25 > second.bm25 && a > b), "{:?} {:?}", first, second);
            }
        }
    }
}
