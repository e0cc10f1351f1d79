//! What words say, in both languages.

use rank::{Passage, RankSettings};

use crate::support::{by_words, order, passage, ranked, shown};

#[test]
fn a_rare_word_says_more_than_a_common_one() {
    let ranking = by_words(
        "Does aspirin lower fever?",
        &["fever in children", "aspirin in children", "fever in adults", "a fever chart", "sleep"],
    );
    assert_eq!(order(&ranking), [1, 0, 2, 3]);
    insta::assert_snapshot!(shown(&ranking), @r"
    1 1.000 1.000 none
    0 0.000 0.000 none
    2 0.000 0.000 none
    ---
    3 0.000 0.000 none
    ");
}

#[test]
fn bm25_is_the_published_formula() {
    // Three of 2, 4 and 5 words; `cat` and `dog` are in two each. The least becomes 0 and the largest 1.
    let texts = ["cat bird", "cat cat dog fish", "dog tree bird house garden"];
    let idf = |having: f64| (1.0 + (3.0 - having + 0.5) / (having + 0.5)).ln();
    let part = |count: f64, length: f64| {
        count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / (11.0 / 3.0)))
    };
    let scores = [
        idf(2.0) * part(1.0, 2.0),
        idf(2.0) * part(2.0, 4.0) + idf(2.0) * part(1.0, 4.0),
        idf(2.0) * part(1.0, 5.0),
    ];
    let ranking = by_words("cat dog", &texts);
    assert_eq!(order(&ranking), [1, 0, 2]);
    let expected = (scores[0] - scores[2]) / (scores[1] - scores[2]);
    assert!((ranking.ranked[1].bm25 - expected).abs() < 1e-12, "{}", ranking.ranked[1].bm25);
}

#[test]
fn japanese_is_compared_by_pairs_of_characters_and_single_ones_are_found() {
    let texts =
        ["糖尿病の予防には運動が役立つ。", "高血圧の治療について。", "肺癌治療の進歩。", "睡眠"];
    assert_eq!(order(&by_words("糖尿病は予防できるか", &texts)), [0]);
    assert_eq!(order(&by_words("癌", &texts)), [2]);
    assert_eq!(order(&by_words("高血圧と肺癌の治療", &texts)), [1, 2]);
}

#[test]
fn width_and_case_make_no_difference() {
    let texts = ["The ＷＨＯ said so", "ﾜｸﾁﾝの効果", "nothing"];
    assert_eq!(order(&by_words("who", &texts)), [0]);
    assert_eq!(order(&by_words("ワクチン", &texts)), [1]);
}

#[test]
fn a_word_of_the_heading_counts_more_than_one_of_the_text() {
    let under = |heading| Passage { heading: Some(heading), ..passage("numbers from one year") };
    let passages = [
        Passage { heading: Some("sleep"), ..passage("numbers on fever from one year") },
        under("fever"),
        under("sleep"),
    ];
    let of = |heading_weight| {
        let settings = RankSettings { heading_weight, ..RankSettings::default() };
        order(&ranked("fever", &passages, &[None; 3], &settings))
    };
    assert_eq!(of(2.0), [1, 0]);
    assert_eq!(of(0.5), [0, 1]);
    assert_eq!(of(0.0), [0]);
}

#[test]
fn a_query_says_a_word_once_however_often_it_is_repeated() {
    let texts = ["fever fever", "aspirin", "sleep well"];
    let once = by_words("aspirin fever", &texts);
    assert_eq!(by_words("aspirin fever fever fever", &texts), once);
}
