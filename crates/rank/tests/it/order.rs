//! How words, meaning, publisher and page make one order.

use rank::{KneeSettings, Passage, RankSettings, Ranking, rank};

use crate::support::{by_words, order, passage, ranked, shown};

const TEXTS: [&str; 5] = [
    "aspirin and fever in aspirin trials",
    "aspirin for adults",
    "fever of unknown origin",
    "nothing in common",
    "trials of aspirin against fever",
];

fn passages() -> Vec<Passage<'static>> {
    TEXTS.iter().map(|it| passage(it)).collect()
}

#[test]
fn words_and_meaning_are_each_brought_to_one_scale_before_they_are_mixed() {
    let cosines = [Some(0.30), Some(0.50), Some(0.10), Some(0.99), Some(0.40)];
    let ranking = ranked("aspirin fever trials", &passages(), &cosines, &RankSettings::default());
    insta::assert_snapshot!(shown(&ranking), @r"
    4 0.813 0.960 0.750
    1 0.714 0.046 1.000
    0 0.650 1.000 0.500
    2 0.000 0.000 0.000
    ");
}

#[test]
fn the_survivors_of_the_search_by_words_are_asked_about_best_first() {
    let settings = RankSettings { bm25_top_k: 2, ..RankSettings::default() };
    let mut asked = Vec::new();
    let ranking = rank(
        "aspirin fever trials",
        &passages(),
        |left| {
            asked = left.to_vec();
            Ok::<_, ()>(vec![Some(0.1), Some(0.9)])
        },
        &settings,
    );
    assert_eq!(asked, [0, 4]);
    assert_eq!(order(&ranking.unwrap()), [4, 0]);
}

#[test]
fn a_failing_embedder_fails_the_ranking() {
    let failed = rank("aspirin", &passages(), |_| Err("no model"), &RankSettings::default());
    assert_eq!(failed, Err("no model"));
}

#[test]
fn where_nothing_shares_a_word_meaning_decides_alone() {
    let cosines = [Some(0.1), Some(0.3), Some(0.2), None, Some(0.2)];
    let ranking = ranked("糖尿病", &passages(), &cosines, &RankSettings::default());
    insta::assert_snapshot!(shown(&ranking), @r"
    1 0.700 0.000 1.000
    2 0.350 0.000 0.500
    3 0.350 0.000 none
    ---
    4 0.350 0.000 0.500
    0 0.000 0.000 0.000
    ");
}

#[test]
fn the_embedder_is_not_asked_about_nothing() {
    let asked = |_: &[usize]| -> Result<Vec<Option<f32>>, ()> { panic!("asked") };
    let none = Ranking { ranked: Vec::new(), kept: 0 };
    assert_eq!(rank("aspirin", &[], asked, &RankSettings::default()), Ok(none.clone()));
    let settings = RankSettings { bm25_top_k: 0, ..RankSettings::default() };
    assert_eq!(rank("aspirin", &passages(), asked, &settings), Ok(none));
}

#[test]
fn one_passage_is_the_best_one() {
    let one = [passage("aspirin lowers fever")];
    let ranking = ranked("aspirin", &one, &[Some(-0.2)], &RankSettings::default());
    assert_eq!(shown(&ranking), "0 1.000 1.000 1.000");
    assert_eq!(ranking.kept, 1);
    assert_eq!(shown(&by_words("", &["aspirin"])), "0 0.000 0.000 none");
}

#[test]
fn a_passage_the_embedder_cannot_read_keeps_its_place_by_words() {
    // By words 0 > 4 > 1 > 2. The unreadable one (4) is beaten by one readable passage of three there, so it is
    // given the similarity that beats two thirds of theirs.
    let cosines = [Some(0.30), Some(0.50), Some(0.10), None, None];
    let ranking = ranked("aspirin fever trials", &passages(), &cosines, &RankSettings::default());
    insta::assert_snapshot!(shown(&ranking), @r"
    4 0.755 0.960 none
    1 0.714 0.046 1.000
    0 0.650 1.000 0.500
    2 0.000 0.000 0.000
    ");
}

#[test]
fn a_cosine_that_is_no_number_is_as_good_as_none() {
    let broken = [Some(0.3), Some(f32::NAN), Some(0.1), None, Some(f32::INFINITY)];
    let without = [Some(0.3), None, Some(0.1), None, None];
    let of = |cosines| ranked("aspirin fever", &passages(), cosines, &RankSettings::default());
    assert_eq!(of(&broken), of(&without));
}

#[test]
fn publisher_and_page_change_the_order_after_the_mix() {
    let cosines = [Some(0.30), Some(0.50), Some(0.10), None, Some(0.40)];
    let mut passages = passages();
    passages[4].category_weight = 0.5;
    passages[0].quality_penalty = 1.0;
    let ranking = ranked("aspirin fever trials", &passages, &cosines, &RankSettings::default());
    insta::assert_snapshot!(shown(&ranking), @r"
    1 0.714 0.046 1.000
    4 0.406 0.960 0.750
    0 0.130 1.000 0.500
    2 0.000 0.000 0.000
    ");
}

#[test]
fn weights_outside_their_bounds_are_taken_as_the_nearest_within() {
    let of = |category_weight, quality_penalty| {
        let one = [Passage { category_weight, quality_penalty, ..passage("aspirin") }];
        ranked("aspirin", &one, &[None], &RankSettings::default()).ranked[0].score
    };
    assert_eq!(of(7.0, -1.0), 1.0);
    assert_eq!(of(-1.0, 0.0), 0.0);
    assert!((of(1.0, 9.0) - 0.2).abs() < 1e-12);
    assert_eq!(of(f64::NAN, f64::NAN), 1.0);
}

#[test]
fn equal_scores_stay_in_the_order_of_the_passages() {
    let ranking = by_words("aspirin", &["aspirin one", "aspirin two", "aspirin six"]);
    assert_eq!(shown(&ranking), "0 1.000 1.000 none\n1 1.000 1.000 none\n2 1.000 1.000 none");
}

#[test]
fn what_lies_before_the_knee_is_kept() {
    let passages = [passage("aspirin"); 20];
    let cosines: Vec<Option<f32>> =
        (0..20).map(|it| Some(if it < 6 { 0.9 - 0.01 * it as f32 } else { 0.2 })).collect();
    let of = |knee| {
        let settings = RankSettings { knee, ..RankSettings::default() };
        ranked("aspirin", &passages, &cosines, &settings).kept
    };
    assert_eq!(of(KneeSettings::default()), 6);
    assert_eq!(of(KneeSettings { min: 8, ..KneeSettings::default() }), 8);
    assert_eq!(of(KneeSettings { max: 4, ..KneeSettings::default() }), 4);
}

#[test]
fn settings_are_read_in_parts() {
    let read: RankSettings = toml::from_str("bm25_weight = 0.5\nknee_max = 10\n").unwrap();
    let expected = RankSettings {
        bm25_weight: 0.5,
        knee: KneeSettings { max: 10, ..KneeSettings::default() },
        ..RankSettings::default()
    };
    assert_eq!(read, expected);
}

#[test]
fn the_product_ranks_with_the_numbers_of_the_design() {
    insta::assert_snapshot!(toml::to_string(&RankSettings::default()).unwrap(), @"
    bm25_weight = 0.3
    embedding_weight = 0.7
    bm25_weight_ja = 0.5
    embedding_weight_ja = 0.5
    bm25_top_k = 150
    k1 = 1.2
    b = 0.75
    heading_weight = 2.0
    max_quality_penalty = 0.8
    knee_sensitivity = 1.0
    knee_min = 3
    knee_max = 50
    ");
}

#[test]
fn passages_in_another_language_stay_beside_the_best_by_words() {
    let settings = RankSettings { bm25_top_k: 2, ..RankSettings::default() };
    let foreign = |text| Passage { foreign: true, ..passage(text) };
    let mut passages = passages();
    passages.extend([foreign("解熱剤の試験"), foreign("aspirin の試験"), foreign("橋の開通")]);
    let mut asked = Vec::new();
    let ranking = rank(
        "aspirin fever trials",
        &passages,
        |left| {
            asked = left.to_vec();
            Ok::<_, ()>(vec![Some(0.8), Some(0.4), Some(0.9), Some(0.1)])
        },
        &settings,
    );
    // Two of each: of those in another language, the one with a word of the query first.
    assert_eq!(asked, [0, 4, 6, 5]);
    assert_eq!(order(&ranking.unwrap()), [6, 0, 4, 5]);
}

#[test]
fn words_count_more_where_the_query_is_japanese() {
    let settings = RankSettings::default();
    for (query, weights) in [
        ("does aspirin reduce fever", (0.3, 0.7)),
        ("アスピリンは熱を下げるか", (0.5, 0.5)),
        ("血糖値", (0.5, 0.5)),
        ("COVID-19", (0.3, 0.7)),
        ("2020", (0.3, 0.7)),
    ] {
        let own = settings.for_query_in(text::language::detect(query));
        assert_eq!((own.bm25_weight, own.embedding_weight), weights, "{query}");
    }
}
