//! Is the translation of a sentence the likest of many?
//!
//! Only for models that read both languages; the others are not asked.

use std::time::Instant;

use models::Embedder;
use serde::Deserialize;
use serde_json::{Value, json};
use text::language::detect;

use crate::arguments::Arguments;
use crate::report::{Report, Table};
use crate::{Failure, data, model};

/// Sentences of everyday life, of an encyclopaedia, of the news, of medicine.
const SOURCES: [&str; 4] = ["tanaka_graded", "kyoto_wiki", "ntrex", "igakuqa"];
/// Among so many sentences the translation is looked for.
const PAIRS: usize = 1_000;

#[derive(Deserialize)]
struct Row {
    en: String,
    ja: String,
    source: String,
}

pub(super) fn run(model: &dyn Embedder, arguments: &Arguments) -> Result<Report, Failure> {
    let path = data::packed_or_plain(&arguments.data.join("bilingual"), "parallel.jsonl");
    let skipped = |why: &str| {
        let markdown = format!("Translations: skipped, {why}.\n");
        Ok(Report { markdown, json: Value::Null })
    };
    if !path.exists() {
        return skipped("the data folder has no `bilingual/parallel.jsonl.gz`");
    }
    if !model.languages().admit(&detect("これは日本語の文章です。")) {
        return skipped("the model does not read Japanese");
    }
    let rows: Vec<Row> = data::json_lines(&path)?;
    let mut table =
        Table::new(&["source", "#pairs", "direction", "#first", "#in the first ten", "#seconds"]);
    let mut numbers = Vec::new();
    for source in SOURCES {
        let of: Vec<&Row> = rows.iter().filter(|it| it.source == source).collect();
        let step = of.len().div_ceil(arguments.limit.unwrap_or(PAIRS)).max(1);
        let of: Vec<&Row> = of.into_iter().step_by(step).collect();
        let start = Instant::now();
        let english: Vec<String> = of.iter().map(|it| it.en.clone()).collect();
        let japanese: Vec<String> = of.iter().map(|it| it.ja.clone()).collect();
        let (english, japanese) =
            (model::vectors(model, &english)?, model::vectors(model, &japanese)?);
        let pairs: Vec<_> =
            english.into_iter().zip(japanese).filter_map(|(a, b)| Some((a?, b?))).collect();
        let seconds = start.elapsed().as_secs_f64();
        let (english, japanese): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        for (direction, from, to) in
            [("en to ja", &english, &japanese), ("ja to en", &japanese, &english)]
        {
            let (first, ten) = found(from, to);
            table.row(&[
                source.to_owned(),
                from.len().to_string(),
                direction.to_owned(),
                format!("{first:.3}"),
                format!("{ten:.3}"),
                format!("{seconds:.1}"),
            ]);
            numbers.push(json!({
                "source": source, "pairs": from.len(), "direction": direction, "recall@1": first,
                "recall@10": ten, "seconds": seconds,
            }));
        }
    }
    let markdown = format!(
        "Translations: how often the right sentence is the likest of all of its source, or among the ten \
         likest.\n\n{}",
        table.finish()
    );
    Ok(Report { markdown, json: Value::Array(numbers) })
}

/// The shares of sentences whose partner (at the same place) is the likest, or one of the ten likest.
fn found(from: &[Vec<f32>], to: &[Vec<f32>]) -> (f64, f64) {
    let (mut first, mut ten) = (0, 0);
    for (place, vector) in from.iter().enumerate() {
        let own = model::cosine(vector, &to[place]);
        let better = to.iter().filter(|it| model::cosine(vector, it) > own).count();
        first += usize::from(better == 0);
        ten += usize::from(better < 10);
    }
    let share = |it: usize| it as f64 / from.len().max(1) as f64;
    (share(first), share(ten))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partner_is_found_where_no_other_is_liker() {
        let right = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        assert_eq!(found(&right, &right), (1.0, 1.0));
        let crossed = vec![vec![0.0, 1.0], vec![1.0, 0.0]];
        assert_eq!(found(&right, &crossed), (0.0, 1.0));
        assert_eq!(found(&[], &[]), (0.0, 0.0));
    }
}
