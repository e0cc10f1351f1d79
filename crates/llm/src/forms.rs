//! The answer formats that models are asked for, read leniently.

use serde_json::Value;

/// Claims, each with the words it rests on.
pub(super) fn claims_of(value: &Value) -> Option<Vec<(String, String)>> {
    let items = value.get("claims").or(Some(value))?.as_array()?;
    let text = |it: &Value, names: &[&str]| {
        names.iter().find_map(|name| it.get(name)?.as_str().map(str::to_owned))
    };
    let claims: Vec<(String, String)> = items
        .iter()
        .filter_map(|it| Some((text(it, &["claim", "text"])?, text(it, &["quote", "evidence"])?)))
        .collect();
    // A list of something else is not an empty list of claims.
    (items.is_empty() || !claims.is_empty()).then_some(claims)
}

/// A score of 0 to 10 as a share.
pub(super) fn score_of(value: &Value) -> Option<f64> {
    let score = value.get("score").or_else(|| value.get("rating")).unwrap_or(value);
    let number = match score {
        Value::Number(it) => it.as_f64()?,
        Value::String(it) => it.split('/').next()?.trim().parse().ok()?,
        _ => return None,
    };
    (0.0..=10.0).contains(&number).then_some(number / 10.0)
}

/// A citation or none.
pub(super) fn yes_or_no_of(value: &Value) -> Option<bool> {
    let said = value.get("citation").or_else(|| value.get("answer")).unwrap_or(value);
    match said {
        Value::Bool(it) => Some(*it),
        Value::String(it) => bare_yes_or_no(it),
        _ => None,
    }
}

/// A word instead of JSON.
pub(super) fn bare_yes_or_no(answer: &str) -> Option<bool> {
    let word = answer.trim().trim_end_matches(['.', '!', '。']).to_ascii_lowercase();
    match word.as_str() {
        "yes" | "true" | "はい" => Some(true),
        "no" | "false" | "いいえ" => Some(false),
        _ => None,
    }
}

/// The strings of a list with this name.
pub(super) fn strings_of(value: &Value, name: &str) -> Option<Vec<String>> {
    let items = value.get(name).or(Some(value))?.as_array()?;
    let strings: Vec<String> =
        items.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
    (items.is_empty() || !strings.is_empty()).then_some(strings)
}

/// Sentences, each with the numbers of its passages.
pub(super) fn sentences_of(value: &Value) -> Option<Vec<(String, Vec<usize>)>> {
    let items = value.get("sentences").or(Some(value))?.as_array()?;
    let number = |value: &Value| {
        let number = match value {
            Value::Number(value) => value.as_f64()?,
            Value::String(value) => value.trim_matches(['[', ']', ' ']).parse().ok()?,
            _ => return None,
        };
        (number >= 0.0 && number.fract() == 0.0).then_some(number as usize)
    };
    let sentences: Vec<(String, Vec<usize>)> = items
        .iter()
        .filter_map(|sentence| {
            let text =
                sentence.get("text").or_else(|| sentence.get("sentence"))?.as_str()?.to_owned();
            let passages =
                sentence.get("passages").or_else(|| sentence.get("fragments"))?.as_array()?;
            Some((text, passages.iter().filter_map(number).collect()))
        })
        .collect();
    (items.is_empty() || !sentences.is_empty()).then_some(sentences)
}
