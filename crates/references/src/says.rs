//! Whether a work says what a sentence cites it for, as a judge reads its abstract or its text.

use evidence::Stance;
use judge::{Reading, Standing, Window, judge_readings, statements, windows};
use models::{Overrides, StanceModel};
use serde::Serialize;

/// Passages of a long text that are read for one sentence: those with most of its words.
const MOST_PASSAGES: usize = 12;

/// What a work says about the sentence that cites it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "says")]
pub enum Says {
    Supports {
        quote: String,
        confidence: f64,
    },
    Refutes {
        quote: String,
        confidence: f64,
    },
    /// What was read of it does not say it, nor the opposite.
    Neither,
    /// No model reads its language.
    Unread {
        language: Option<String>,
    },
}

/// Holds a sentence against a text: of an abstract all of it, of a document its passages that share most words.
pub fn says(
    sentence: &str,
    title: &str,
    passages: &[String],
    model: &dyn StanceModel,
    set: &Overrides,
) -> models::Result<Says> {
    let chosen = nearest(sentence, passages);
    let standing = Standing { title: Some(title), headings: &[], in_study: true };
    let readings: Vec<Reading<'_>> = chosen
        .iter()
        .map(|passage| Reading { claim: sentence, windows: of(passage, &standing) })
        .filter(|it| !it.windows.is_empty())
        .collect();
    if readings.is_empty() {
        return Ok(Says::Neither);
    }
    let read: Vec<&&String> = chosen.iter().filter(|it| !of(it, &standing).is_empty()).collect();
    let judged = judge_readings(model, &readings, set)?;
    let unread = judged.iter().all(|it| it.stance.is_none());
    if unread {
        let language = judged.iter().find_map(|it| it.language.as_ref());
        return Ok(Says::Unread { language: language.map(|it| it.tag().to_owned()) });
    }
    let decided = judged.iter().zip(read).filter(|it| it.0.stance != Some(Stance::Neutral));
    let decided = decided.filter(|it| it.0.stance.is_some());
    let surest = decided.max_by(|a, b| a.0.confidence.total_cmp(&b.0.confidence));
    let Some((judged, passage)) = surest else { return Ok(Says::Neither) };
    let window = judged.window.clone().unwrap_or(0..passage.len());
    let quote = passage.get(window).unwrap_or(passage).trim().to_owned();
    let confidence = judged.confidence;
    Ok(match judged.stance {
        Some(Stance::Supports) => Says::Supports { quote, confidence },
        _ => Says::Refutes { quote, confidence },
    })
}

fn of<'a>(passage: &'a str, standing: &Standing<'_>) -> Vec<Window<'a>> {
    windows(passage, &statements(passage, standing))
}

/// The passages with most of the words of a sentence, in their order.
fn nearest<'a>(sentence: &str, passages: &'a [String]) -> Vec<&'a String> {
    if passages.len() <= MOST_PASSAGES {
        return passages.iter().collect();
    }
    let wanted = judge::Content::of(sentence);
    let mut places: Vec<(f64, usize)> = passages
        .iter()
        .enumerate()
        .map(|(place, it)| (wanted.covered_share(&judge::Content::of(it)), place))
        .collect();
    places.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    places.truncate(MOST_PASSAGES);
    places.sort_by_key(|it| it.1);
    places.into_iter().map(|it| &passages[it.1]).collect()
}
