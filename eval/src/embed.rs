//! Embeddings: does likeness say what people say?
//!
//! Three questions, each of the data that is there: is an entailed sentence liker than one that is
//! not ([`entailment`]), is a translation the likest ([`translations`]), and does likeness put pairs
//! in the order people do ([`judged`])? How well documents are found is measured by `retrieval`.

mod entailment;
mod judged;
mod translations;

use serde_json::json;

use crate::arguments::Arguments;
use crate::report::Report;
use crate::{Failure, model};

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let model = model::embedder(arguments.model.as_deref())?;
    let mut markdown = format!("## Likeness of sentences, {}\n", model.id());
    if let Some(limit) = arguments.limit {
        markdown += &format!("\n**Limited to {limit} pairs a set: not comparable.**\n");
    }
    let parts = [
        ("entailment", entailment::run(&*model, arguments)?),
        ("translations", translations::run(&*model, arguments)?),
        ("judged", judged::run(&*model, arguments)?),
    ];
    let mut json = json!({ "model": model.id(), "limit": arguments.limit });
    for (name, part) in parts {
        markdown += &format!("\n{}", part.markdown);
        json[name] = part.json;
    }
    Ok(Report { markdown, json })
}
