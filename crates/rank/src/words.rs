//! BM25 over the passages at hand: what is rare is rare among them.

use std::collections::HashMap;

use text::tokenize::{TokenizeFor, terms, tokenize};

use crate::{Passage, RankSettings};

/// How often the words of the query stand in a passage, and how long it is.
struct Counted {
    text: Vec<u32>,
    heading: Vec<u32>,
    text_length: usize,
    heading_length: usize,
}

/// The score of each passage; 0 where it shares no word with the query.
pub(crate) fn bm25(query: &str, passages: &[Passage<'_>], settings: &RankSettings) -> Vec<f64> {
    // Numbered as they first appear: sums of floats depend on their order.
    let mut wanted: HashMap<String, usize> = HashMap::new();
    for term in terms(query, TokenizeFor::Query) {
        let number = wanted.len();
        wanted.entry(term).or_insert(number);
    }
    let heading_weight = settings.heading_weight.max(0.0);
    let counted: Vec<Counted> = passages.iter().map(|it| Counted::new(it, &wanted)).collect();
    // Whole numbers add up to the same in any order of the passages.
    let length = |text: usize, heading: usize| text as f64 + heading_weight * heading as f64;
    let all = length(
        counted.iter().map(|it| it.text_length).sum(),
        counted.iter().map(|it| it.heading_length).sum(),
    );
    let average = (all / counted.len().max(1) as f64).max(1.0);
    let idf: Vec<f64> = (0..wanted.len())
        .map(|term| {
            let having = counted.iter().filter(|it| it.has(term, heading_weight)).count() as f64;
            (1.0 + (counted.len() as f64 - having + 0.5) / (having + 0.5)).ln()
        })
        .collect();
    let (k1, b) = (settings.k1.max(0.0), settings.b.clamp(0.0, 1.0));
    let score = |it: &Counted| -> f64 {
        let long = 1.0 - b + b * length(it.text_length, it.heading_length) / average;
        let of_term = |(term, idf): (usize, &f64)| {
            let count = f64::from(it.text[term]) + heading_weight * f64::from(it.heading[term]);
            if count > 0.0 { idf * count * (k1 + 1.0) / (count + k1 * long) } else { 0.0 }
        };
        // From 0.0 on: the sum of nothing is -0.0.
        idf.iter().enumerate().map(of_term).fold(0.0, |sum, it| sum + it)
    };
    counted.iter().map(score).collect()
}

impl Counted {
    fn new(passage: &Passage<'_>, wanted: &HashMap<String, usize>) -> Self {
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
