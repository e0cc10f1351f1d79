//! The order of the passages: words, meaning, publisher and page, cut.

use crate::RankSettings;
use crate::knee::knee;
use crate::mix::{Scored, fuse, normalised, normalised_known};
use crate::words::passage_scores;

/// What is known about a passage before it is ranked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passage<'a> {
    pub text: &'a str,
    /// The headings above it, or the title of its document.
    pub heading: Option<&'a str>,
    /// What its publisher's kind leaves of the score: 0 nothing, 1 all of it.
    pub category_weight: f64,
    /// How bad its page is: 0 costs nothing, 1 the full [`RankSettings::max_quality_penalty`].
    pub quality_penalty: f64,
    /// Whether it is in another language than the query, so that its words say little.
    pub foreign: bool,
}

/// One passage and what it was ranked by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Its place among the passages that came in.
    pub index: usize,
    /// Between 0 and 1.
    pub score: f64,
    /// Words, between 0 and 1 over the passages that were left after the search by words.
    pub bm25: f64,
    /// Meaning, between 0 and 1 over the same passages; nothing if the embedder cannot read the text.
    pub similarity: Option<f64>,
}

/// Passages in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Best first.
    pub ranked: Vec<Ranked>,
    /// How many of the first lie before the knee and deserve attention.
    pub kept: usize,
}

/// Orders passages by what they have to do with the query.
///
/// Passages that share no word with the query are left out, unless all share none: then the first
/// [`RankSettings::bm25_top_k`] are ordered by meaning alone, with 0 for their words. As many that are in
/// another language stay beside them, whatever their words. `similarity` is given the indices that are
/// left, best by words first, and answers one cosine for each, or `None` for a text the embedder cannot
/// read; it is not asked when there is no passage. How a passage without a cosine competes with the
/// others: it is taken to have the same place by meaning among them as by words. One in another language
/// is taken to have the same place by words as by meaning.
///
/// Kind of publisher and quality of the page change the score after words and meaning are mixed: they
/// order, and never enter what either says.
///
/// # Panics
/// When `similarity` answers more or fewer cosines than it was asked for.
pub fn rank<E>(
    query: &str,
    passages: &[Passage<'_>],
    similarity: impl FnOnce(&[usize]) -> Result<Vec<Option<f32>>, E>,
    settings: &RankSettings,
) -> Result<Ranking, E> {
    let by_words = passage_scores(query, passages, settings);
    let left = survivors(&by_words, passages, settings.bm25_top_k);
    if left.is_empty() {
        return Ok(Ranking { ranked: Vec::new(), kept: 0 });
    }
    let cosines = similarity(&left)?;
    assert_eq!(cosines.len(), left.len(), "one answer for each passage that was asked about");
    let words: Vec<f64> = left.iter().map(|it| by_words[*it]).collect();
    let words = if words.iter().all(|it| *it == 0.0) { words } else { normalised(&words) };
    // A cosine that is no number is as good as none.
    let meaning: Vec<Option<f64>> = cosines
        .into_iter()
        .map(|cosine| cosine.filter(|it| it.is_finite()).map(f64::from))
        .collect();
    let meaning = normalised_known(&meaning);
    let columns = left.iter().zip(words).zip(meaning);
    let scored: Vec<Scored> = columns
        .map(|((index, bm25), similarity)| Scored {
            bm25,
            similarity,
            foreign: passages[*index].foreign,
        })
        .collect();
    let scores = fuse(&scored, (settings.bm25_weight, settings.embedding_weight));
    let mut ranked: Vec<Ranked> = left
        .into_iter()
        .zip(scores)
        .zip(scored)
        .map(|((index, score), Scored { bm25, similarity, .. })| {
            let score = score * regard(&passages[index], settings);
            Ranked { index, score, bm25, similarity }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
    let scores: Vec<f64> = ranked.iter().map(|it| it.score).collect();
    let kept = knee(&scores, &settings.knee);
    Ok(Ranking { ranked, kept })
}

/// The indices that meaning is asked about, best by words first.
fn survivors(by_words: &[f64], passages: &[Passage<'_>], most: usize) -> Vec<usize> {
    let best = |mut places: Vec<usize>| {
        places.sort_by(|a, b| by_words[*b].total_cmp(&by_words[*a]).then(a.cmp(b)));
        places.truncate(most);
        places
    };
    let (foreign, own): (Vec<usize>, Vec<usize>) =
        (0..by_words.len()).partition(|it| passages[*it].foreign);
    let found: Vec<usize> = own.iter().copied().filter(|it| by_words[*it] > 0.0).collect();
    let own = if found.is_empty() { own } else { found };
    let mut left = [best(own), best(foreign)].concat();
    left.sort_by(|a, b| by_words[*b].total_cmp(&by_words[*a]).then(a.cmp(b)));
    left
}

/// What publisher and page leave of a score; a number that is none changes nothing.
fn regard(passage: &Passage<'_>, settings: &RankSettings) -> f64 {
    let share = |it: f64, otherwise: f64| if it.is_nan() { otherwise } else { it.clamp(0.0, 1.0) };
    let penalty = share(settings.max_quality_penalty, 0.0) * share(passage.quality_penalty, 0.0);
    share(passage.category_weight, 1.0) * (1.0 - penalty)
}
