//! How well title and snippet answer a query, by its words alone (BM25 over the hits at hand).

use std::collections::{HashMap, HashSet};

use text::tokenize::{TokenizeFor, terms, tokenize};

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
        .flat_map(|it| terms(it, TokenizeFor::Query))
        .collect();
    let (texts, lengths): (Vec<HashMap<String, f64>>, Vec<f64>) = hits.iter().map(counts).unzip();
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

/// How often each term occurs in a hit, and how long the hit is. The single characters of Japanese share the
/// place of a pair: they are found, and make nothing longer.
fn counts(hit: &Hit) -> (HashMap<String, f64>, f64) {
    let (mut counts, mut length) = (HashMap::new(), 0.0);
    let mut add = |text: &str, weight: f64| {
        tokenize(text, TokenizeFor::Document, |term| {
            *counts.entry(term.text.to_owned()).or_insert(0.0) += weight;
            length += if term.same_position { 0.0 } else { weight };
            true
        });
    };
    add(&hit.candidate.title, TITLE);
    if let Some(snippet) = &hit.candidate.snippet {
        add(snippet, 1.0);
    }
    (counts, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(title: &str) -> Hit {
        let candidate = crate::Candidate {
            found_on: None,
            title: title.to_owned(),
            url: url::Url::parse("https://example.org/").unwrap(),
            snippet: None,
            date: None,
            engine: "test".to_owned(),
            rank: 1,
            source_tag: "web".to_owned(),
            paper: None,
            text: None,
        };
        Hit { candidate, auxiliary: Vec::new(), priority: 0.0 }
    }

    fn of(query: &str, titles: &[&str]) -> Vec<f64> {
        let query = Query { text: query.to_owned(), ..Query::default() };
        scores(&query, &titles.iter().map(|it| hit(it)).collect::<Vec<_>>())
    }

    #[test]
    fn what_answers_best_is_1_and_what_shares_no_word_0() {
        assert_eq!(of("ＡＰＩ limits", &["The API's limits", "Cats", "limits"])[..2], [1.0, 0.0]);
        assert_eq!(of("東京都の条例", &["京都の条件", "東京都の条例", "大阪"])[1..], [1.0, 0.0]);
        assert_eq!(of(" -- ", &["anything", ""]), [0.0, 0.0]);
    }

    #[test]
    fn a_single_character_finds_the_words_it_stands_in() {
        assert_eq!(of("癌", &["肺癌治療", "胃潰瘍"]), [1.0, 0.0]);
    }
}
