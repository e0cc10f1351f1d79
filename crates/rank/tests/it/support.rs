//! Passages and rankings as lines. The only place here that knows the whole of the API.

use std::convert::Infallible;

use rank::{Passage, RankSettings, Ranking, rank};

pub(crate) fn passage(text: &str) -> Passage<'_> {
    Passage { text, heading: None, category_weight: 1.0, quality_penalty: 0.0, foreign: false }
}

/// Ranks with one cosine for each passage.
pub(crate) fn ranked(
    query: &str,
    passages: &[Passage<'_>],
    cosines: &[Option<f32>],
    settings: &RankSettings,
) -> Ranking {
    let asked = |left: &[usize]| Ok::<_, Infallible>(left.iter().map(|it| cosines[*it]).collect());
    rank(query, passages, asked, settings).unwrap()
}

/// Ranks texts by their words.
pub(crate) fn by_words(query: &str, texts: &[&str]) -> Ranking {
    let passages: Vec<Passage<'_>> = texts.iter().map(|it| passage(it)).collect();
    ranked(query, &passages, &vec![None; texts.len()], &RankSettings::default())
}

pub(crate) fn order(ranking: &Ranking) -> Vec<usize> {
    ranking.ranked.iter().map(|it| it.index).collect()
}

/// `index score bm25 similarity`, best first; a line under the last that is kept.
pub(crate) fn shown(ranking: &Ranking) -> String {
    let mut lines = Vec::new();
    for (place, it) in ranking.ranked.iter().enumerate() {
        if place == ranking.kept {
            lines.push("---".to_owned());
        }
        let similarity = it.similarity.map_or("none".to_owned(), |it| format!("{it:.3}"));
        lines.push(format!("{} {:.3} {:.3} {similarity}", it.index, it.score, it.bm25));
    }
    lines.join("\n")
}
