//! BM25, for passages here and for sections of documents elsewhere: a term is rare among the texts at hand.

use std::collections::{HashMap, HashSet};

use text::tokenize::{TokenizeFor, terms, tokenize};

use crate::{Passage, RankSettings};

/// How often each term of a query is in one text and in the headings above it, and how long both are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermCounts {
    /// One number for each term of the query, in its order.
    pub text: Vec<u32>,
    pub heading: Vec<u32>,
    pub text_length: usize,
    pub heading_length: usize,
}

/// The different terms of a query, numbered as they first appear: sums of floats depend on their order.
pub fn query_terms(query: &str) -> Vec<String> {
    let mut known = HashSet::new();
    let all = terms(query, TokenizeFor::Query).into_iter();
    all.filter(|term| known.insert(term.clone())).collect()
}

/// The score of each text; 0 where it has no term of the query.
pub fn bm25(counted: &[TermCounts], settings: &RankSettings) -> Vec<f64> {
    let heading_weight = settings.heading_weight.max(0.0);
    // Whole numbers add up to the same in any order of the texts.
    let length = |text: usize, heading: usize| text as f64 + heading_weight * heading as f64;
    let all = length(
        counted.iter().map(|it| it.text_length).sum(),
        counted.iter().map(|it| it.heading_length).sum(),
    );
    let average = (all / counted.len().max(1) as f64).max(1.0);
    let terms = counted.first().map_or(0, |it| it.text.len());
    let idf: Vec<f64> = (0..terms)
        .map(|term| {
            let having = counted.iter().filter(|it| it.has(term, heading_weight)).count() as f64;
            (1.0 + (counted.len() as f64 - having + 0.5) / (having + 0.5)).ln()
        })
        .collect();
    let (k1, b) = (settings.k1.max(0.0), settings.b.clamp(0.0, 1.0));
    let score = |counts: &TermCounts| -> f64 {
        let long = 1.0 - b + b * length(counts.text_length, counts.heading_length) / average;
        let of_term = |(term, idf): (usize, &f64)| {
            let count =
                f64::from(counts.text[term]) + heading_weight * f64::from(counts.heading[term]);
            if count > 0.0 { idf * count * (k1 + 1.0) / (count + k1 * long) } else { 0.0 }
        };
        // From 0.0 on: the sum of nothing is -0.0.
        idf.iter().enumerate().map(of_term).fold(0.0, |sum, counts| sum + counts)
    };
    counted.iter().map(score).collect()
}

/// The score of each passage.
pub(crate) fn passage_scores(
    query: &str,
    passages: &[Passage<'_>],
    settings: &RankSettings,
) -> Vec<f64> {
    let wanted: HashMap<String, usize> = query_terms(query).into_iter().zip(0..).collect();
    let counted: Vec<TermCounts> =
        passages.iter().map(|passage| TermCounts::of_passage(passage, &wanted)).collect();
    bm25(&counted, settings)
}

impl TermCounts {
    fn of_passage(passage: &Passage<'_>, wanted: &HashMap<String, usize>) -> Self {
        let (text, text_length) = count(passage.text, wanted);
        let (heading, heading_length) = count(passage.heading.unwrap_or_default(), wanted);
        Self { text, heading, text_length, heading_length }
    }

    fn has(&self, term: usize, heading_weight: f64) -> bool {
        self.text[term] > 0 || (heading_weight > 0.0 && self.heading[term] > 0)
    }
}

/// The single characters of Japanese text are found, but share the place of a pair: they make no text longer.
fn count(text: &str, wanted: &HashMap<String, usize>) -> (Vec<u32>, usize) {
    let (mut counts, mut length) = (vec![0_u32; wanted.len()], 0);
    tokenize(text, TokenizeFor::Document, |term| {
        if let Some(number) = wanted.get(term.text) {
            counts[*number] = counts[*number].saturating_add(1);
        }
        length += usize::from(!term.same_position);
        true
    });
    (counts, length)
}
