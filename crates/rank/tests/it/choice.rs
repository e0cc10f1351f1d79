//! What a claim is held against.

use rank::{ChoiceSettings, Ranked, Ranking, choose};

fn ranking(scores: &[f64], kept: usize) -> Ranking {
    let ranked = scores
        .iter()
        .enumerate()
        .map(|(index, score)| Ranked { index, score: *score, bm25: *score, similarity: None })
        .collect();
    Ranking { ranked, kept }
}

fn chosen(scores: &[f64], kept: usize, passages: usize, share_of_best: f64) -> usize {
    let settings = ChoiceSettings { passages, share_of_best };
    choose(&ranking(scores, kept), &settings).len()
}

#[test]
fn passages_about_as_good_as_the_best_are_chosen() {
    let scores = [0.5, 0.5, 0.45, 0.4, 0.375, 0.1];
    assert_eq!(chosen(&scores, 6, 8, 0.75), 5);
    assert_eq!(chosen(&scores, 6, 8, 0.9), 3);
    assert_eq!(chosen(&scores, 6, 8, 1.0), 2);
    assert_eq!(chosen(&scores, 6, 8, 0.0), 6);
}

#[test]
fn the_knee_and_the_most_passages_bound_the_choice() {
    let scores = [0.5; 6];
    assert_eq!(chosen(&scores, 4, 8, 0.8), 4);
    assert_eq!(chosen(&scores, 4, 2, 0.8), 2);
    assert_eq!(chosen(&scores, 4, 0, 0.8), 0);
    assert_eq!(chosen(&[], 0, 8, 0.8), 0);
    assert_eq!(chosen(&[0.0, 0.0], 2, 8, 0.8), 2);
}

#[test]
fn the_product_holds_a_claim_against_eight_passages_near_the_best() {
    assert_eq!(ChoiceSettings::default(), ChoiceSettings { passages: 8, share_of_best: 0.9 });
    assert_eq!(
        toml::from_str("passages = 2"),
        Ok(ChoiceSettings { passages: 2, share_of_best: 0.9 })
    );
    let problem = toml::from_str::<ChoiceSettings>("pages = 2").unwrap_err().to_string();
    assert!(problem.contains("unknown field `pages`"), "{problem}");
}
