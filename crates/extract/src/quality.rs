//! How much a page looks like something written for readers.
//!
//! Six features, each between 0 (as in a page written with care) and 1 (as in a page made to be
//! found), and a score that each lowers by its weight. The score is a rule: it never hides a page,
//! and what lies in the middle is for a model or a person to judge.

mod sentences;
mod signs;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::view::PageView;

/// A score between 0 and 1, the numbers it was made of, and the reasons in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    pub score: f64,
    pub features: QualityFeatures,
    pub reasons: Vec<String>,
}

/// Shares between 0 and 1; more is worse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct QualityFeatures {
    pub advert_density: f64,
    pub link_density: f64,
    pub template_share: f64,
    pub ngram_repetition: f64,
    pub sentence_uniformity: f64,
    pub aggregator_signs: f64,
}

/// How much of the score each feature can take away. They add up to more than 1: a page that is bad
/// in every way is not worse than one that is bad enough in three.
const WEIGHTS: Weights = Weights {
    advert_density: 0.25,
    link_density: 0.2,
    template_share: 0.15,
    ngram_repetition: 0.65,
    sentence_uniformity: 0.25,
    aggregator_signs: 0.45,
};

/// A feature up to here is how ordinary pages are; it takes nothing away.
const ORDINARY: Weights = Weights {
    advert_density: 0.1,
    link_density: 0.4,
    template_share: 0.7,
    ngram_repetition: 0.1,
    sentence_uniformity: 0.5,
    aggregator_signs: 0.0,
};

/// A feature from here on takes all of its weight. A text that a site shows twice, for two sizes of
/// screen, repeats half of itself and is no spam yet.
const FULL: Weights = Weights {
    advert_density: 1.0,
    link_density: 1.0,
    template_share: 1.0,
    ngram_repetition: 0.8,
    sentence_uniformity: 1.0,
    aggregator_signs: 1.0,
};

/// What a page of hardly any words loses by: next to nothing was written.
const SHORT_LOSS: f64 = 0.7;

/// A loss below this is not worth a line.
const NAMED_LOSS: f64 = 0.01;

type Weights = QualityFeatures;

/// Judges the content of a page.
pub(crate) fn quality(view: &PageView<'_>) -> Quality {
    let text = signs::content(view);
    let words = f64::from(view.shape.content_words);
    let sentences = sentences::Sentences::of(&text);
    let found = signs::find(view, &text);
    let features = QualityFeatures {
        advert_density: advert_density(view),
        link_density: share(view.shape.link_words, view.shape.words),
        template_share: share(view.shape.words - view.shape.content_words, view.shape.words),
        ngram_repetition: sentences::repetition(&text),
        sentence_uniformity: sentences.uniformity(),
        aggregator_signs: found.strength,
    };
    let mut score = 1.0;
    let mut reasons = Vec::new();
    let mut lose = |of: fn(&Weights) -> f64, words: String| {
        let over = (of(&features) - of(&ORDINARY)) / (of(&FULL) - of(&ORDINARY));
        let loss = over.clamp(0.0, 1.0) * of(&WEIGHTS);
        score -= loss;
        if loss >= NAMED_LOSS {
            reasons.push(format!("{words} (-{loss:.2})"));
        }
    };
    let percent = |it: f64| (it * 100.0).round();
    let adverts = view.shape.adverts + view.shape.paid_links;
    lose(
        |it| it.advert_density,
        format!("{adverts} adverts and paid links among {words:.0} words"),
    );
    let links = percent(features.link_density);
    lose(|it| it.link_density, format!("{links}% of the words are in links"));
    let around = percent(features.template_share);
    lose(|it| it.template_share, format!("{around}% of the words are around the content"));
    let repeated = percent(features.ngram_repetition);
    lose(|it| it.ngram_repetition, format!("{repeated}% of the text repeats itself"));
    let count = sentences.count();
    lose(|it| it.sentence_uniformity, format!("{count} sentences of nearly one length"));
    lose(|it| it.aggregator_signs, found.words.join(", "));
    let short = (1.0 - words / view.options.quality_short_words as f64).max(0.0) * SHORT_LOSS;
    score -= short;
    if short >= NAMED_LOSS {
        reasons.push(format!("only {words:.0} words of content (-{short:.2})"));
    }
    Quality { score: score.clamp(0.0, 1.0), features, reasons }
}

/// Adverts and paid links for every hundred words of content; five are as bad as it gets.
fn advert_density(view: &PageView<'_>) -> f64 {
    const FULL: f64 = 5.0;
    let adverts = (view.shape.adverts + view.shape.paid_links) as f64;
    let hundreds = (f64::from(view.shape.content_words) / 100.0).max(1.0);
    (adverts / hundreds / FULL).min(1.0)
}

/// A part of a whole; nothing of nothing is 0.
fn share(part: f32, whole: f32) -> f64 {
    if whole <= 0.0 { 0.0 } else { f64::from(part / whole).clamp(0.0, 1.0) }
}
