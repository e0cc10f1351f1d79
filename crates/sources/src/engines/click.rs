//! How well title and snippet answer a query, by its words alone (BM25 over the hits at hand).

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::Hit;
use crate::Query;

const K1: f64 = 1.2;
const B: f64 = 0.75;
/// A word in the title says more than one in the snippet.
const TITLE: f64 = 2.0;

/// A score between 0 and 1 for each hit; all 0 where the query has no words.
pub(super) fn scores(query: &Query, hits: &[Hit]) -> Vec<f64> {
    let wanted: HashSet<String> = [&query.text]
        .into_iter()
        .chain(&query.phrases)
        .chain(&query.required)
        .chain(&query.in_title)
        .flat_map(|it| terms(it))
        .collect();
    let texts: Vec<HashMap<String, f64>> = hits.iter().map(counts).collect();
    let lengths: Vec<f64> = texts.iter().map(|it| it.values().sum()).collect();
    let average = (lengths.iter().sum::<f64>() / texts.len().max(1) as f64).max(1.0);
    let mut wanted: Vec<(&String, f64)> = wanted
        .iter()
        .map(|term| {
            let having = texts.iter().filter(|it| it.contains_key(term)).count() as f64;
            let idf = (1.0 + (texts.len() as f64 - having + 0.5) / (having + 0.5)).ln();
            (term, idf)
        })
        .collect();
    // Sums of floats depend on their order.
    wanted.sort_by(|a, b| a.0.cmp(b.0));
    let score = |(text, length): (&HashMap<String, f64>, &f64)| -> f64 {
        wanted
            .iter()
            .map(|(term, idf)| {
                let count = text.get(*term).copied().unwrap_or(0.0);
                idf * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length / average))
            })
            .sum()
    };
    let scores: Vec<f64> = texts.iter().zip(&lengths).map(score).collect();
    let most = scores.iter().copied().fold(0.0, f64::max);
    scores.into_iter().map(|it| if most > 0.0 { it / most } else { 0.0 }).collect()
}

fn counts(hit: &Hit) -> HashMap<String, f64> {
    let mut counts = HashMap::new();
    for term in terms(&hit.candidate.title) {
        *counts.entry(term).or_insert(0.0) += TITLE;
    }
    for term in hit.candidate.snippet.iter().flat_map(|it| terms(it)) {
        *counts.entry(term).or_insert(0.0) += 1.0;
    }
    counts
}

/// Words in lower case; pairs of characters where words are not set apart.
fn terms(text: &str) -> Vec<String> {
    let text = text.nfkc().collect::<String>().to_lowercase();
    let mut terms = Vec::new();
    for word in text.split(|it: char| !it.is_alphanumeric() && !is_unspaced(it)) {
        for run in
            word.chars().collect::<Vec<_>>().chunk_by(|a, b| is_unspaced(*a) == is_unspaced(*b))
        {
            let length = if is_unspaced(run[0]) { run.len().min(2) } else { run.len() };
            terms.extend(run.windows(length).map(|it| it.iter().collect()));
        }
    }
    terms
}

/// Kana and ideographs.
fn is_unspaced(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_words_and_japanese_is_pairs() {
        assert_eq!(terms("The LLM's ＡＰＩ 2.0"), ["the", "llm", "s", "api", "2", "0"]);
        assert_eq!(terms("東京都の条例"), ["東京", "京都", "都の", "の条", "条例"]);
        assert_eq!(terms("AI倫理"), ["ai", "倫理"]);
        assert_eq!(terms("猫"), ["猫"]);
        assert_eq!(terms(" -- "), [""; 0]);
    }
}
