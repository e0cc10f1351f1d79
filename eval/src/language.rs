//! Languages: how often is English refused, and how often is Japanese taken for it?
//!
//! No model runs: what an English one would read is decided before. Texts that occur twice count once.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};
use text::language::{Languages, detect};

use crate::arguments::Arguments;
use crate::report::{Report, Table};
use crate::retrieval::collections::{self, Document};
use crate::{Failure, data};

/// How many of the wrong ones are shown for each set.
const SHOWN: usize = 5;
/// How much of each.
const SHOWN_CHARACTERS: usize = 100;

struct Texts {
    name: String,
    language: &'static str,
    texts: HashSet<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let english = Languages::new(["en"]);
    let mut table = Table::new(&["texts", "language", "#distinct", "#wrong", "#wrong %"]);
    let mut numbers: Vec<Value> = Vec::new();
    let mut examples = String::new();
    for Texts { name, language, texts } in gather(arguments)? {
        let mut wrong: Vec<(&str, &str)> = texts
            .iter()
            .map(|text| (detect(text), text))
            .filter(|(found, _)| english.admit(found) != (language == "en"))
            .map(|(found, text)| (found.tag(), text.as_str()))
            .collect();
        wrong.sort_unstable();
        let share = wrong.len() as f64 / texts.len().max(1) as f64;
        table.row(&[
            name.clone(),
            language.to_owned(),
            texts.len().to_string(),
            wrong.len().to_string(),
            format!("{:.2}", 100.0 * share),
        ]);
        for (found, text) in wrong.iter().take(SHOWN) {
            let text: String = text.chars().take(SHOWN_CHARACTERS).collect();
            examples += &format!("- {name}: {found}: {text}\n");
        }
        numbers.push(json!({
            "texts": name, "language": language, "distinct": texts.len(), "wrong": wrong.len(),
        }));
    }
    let markdown = format!(
        "## Languages\n\nWrong: English that an English model would refuse, or Japanese that it would \
         read.\n\n{}\nSome of the wrong ones, with the language they were taken for:\n\n{examples}",
        table.finish()
    );
    Ok(Report { markdown, json: json!({ "limit": arguments.limit, "sets": numbers }) })
}

fn gather(arguments: &Arguments) -> Result<Vec<Texts>, Failure> {
    let mut found = Vec::new();
    for set in collections::all(&arguments.data, arguments.limit)?.0 {
        let language = if set.name.starts_with("ja_") { "ja" } else { "en" };
        let queries = set.queries.into_iter().map(|it| it.text).collect();
        found.push(Texts { name: format!("{}, queries", set.name), language, texts: queries });
        // A few records of Cranfield are empty.
        let documents = set.documents.iter().map(Document::whole);
        let documents = documents.filter(|it| !it.is_empty()).collect();
        found.push(Texts { name: format!("{}, documents", set.name), language, texts: documents });
    }
    found.extend(judged_pairs(arguments)?);
    Ok(found)
}

/// Both sides of the pairs judged for stance.
fn judged_pairs(arguments: &Arguments) -> Result<Vec<Texts>, Failure> {
    #[derive(Deserialize)]
    struct Row {
        premise: String,
        hypothesis: String,
        lang: String,
    }
    let path = data::packed_or_plain(&arguments.data.join("nli"), "dev.jsonl");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows: Vec<Row> = data::json_lines(&path)?;
    let limit = arguments.limit.unwrap_or(usize::MAX);
    let mut found = Vec::new();
    for language in ["en", "ja"] {
        let of = || rows.iter().filter(|it| it.lang == language).take(limit);
        let premises = of().map(|it| it.premise.clone()).collect();
        found.push(Texts { name: "nli dev, premises".to_owned(), language, texts: premises });
        let hypotheses = of().map(|it| it.hypothesis.clone()).collect();
        found.push(Texts { name: "nli dev, hypotheses".to_owned(), language, texts: hypotheses });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_refused_or_read_wrongly_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("nli")).unwrap();
        let row = |premise: &str, hypothesis: &str, lang: &str| {
            format!(
                "{{\"premise\": \"{premise}\", \"hypothesis\": \"{hypothesis}\", \"lang\": \"{lang}\"}}\n"
            )
        };
        let rows = row("The sea is warmer than it was.", "The sea is warm.", "en")
            + &row("The sea is warmer than it was.", "12.5", "en")
            + &row("海は以前より暖かい。", "Sea temperatures rise.", "ja");
        fs::write(folder.path().join("nli/dev.jsonl"), rows).unwrap();
        let words = ["language".into(), "--data".into(), folder.path().display().to_string()];
        let arguments = Arguments::parse(&words).unwrap();
        let report = run(&arguments).unwrap();
        let shown: Vec<_> = report.markdown.lines().filter(|it| it.starts_with("| nli")).collect();
        assert_eq!(
            shown,
            [
                "| nli dev, premises | en | 1 | 0 | 0.00 |",
                "| nli dev, hypotheses | en | 2 | 1 | 50.00 |",
                "| nli dev, premises | ja | 1 | 0 | 0.00 |",
                "| nli dev, hypotheses | ja | 1 | 1 | 100.00 |",
            ]
        );
    }
}
