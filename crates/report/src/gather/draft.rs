//! What a language model wrote from the graph, sentence by sentence with what it cites.

use evidence::FragmentId;
use graph::{Reader, TaskMaterials};
use serde_json::Value;

use super::pages::Pages;
use crate::report::{Draft, DraftSentence};

/// The newest draft. A sentence whose citations lead to no page of the task is counted and not shown.
pub(super) fn draft(
    reader: &Reader<'_>,
    materials: &TaskMaterials,
    pages: &mut Pages<'_>,
) -> graph::Result<Option<Draft>> {
    let Some(draft) = &materials.draft else { return Ok(None) };
    let (mut sentences, mut uncited, mut failed) = (Vec::new(), 0, 0);
    for sentence in draft.sentences.as_array().map(Vec::as_slice).unwrap_or_default() {
        let text = sentence.get("text").and_then(Value::as_str).unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        let (fragments, citations) = cited(reader, sentence, pages)?;
        if citations.is_empty() {
            uncited += 1;
            continue;
        }
        let entailed = sentence.get("entailed").and_then(Value::as_bool);
        failed += u32::from(entailed == Some(false));
        sentences.push(DraftSentence { text: text.to_owned(), citations, fragments, entailed });
    }
    Ok(Some(Draft {
        model: draft.model.clone(),
        written_at: draft.created_at,
        sentences,
        uncited,
        failed,
    }))
}

fn cited(
    reader: &Reader<'_>,
    sentence: &Value,
    pages: &mut Pages<'_>,
) -> graph::Result<(Vec<FragmentId>, Vec<u32>)> {
    let (mut fragments, mut citations) = (Vec::new(), Vec::new());
    let ids = sentence.get("fragments").and_then(Value::as_array).map(Vec::as_slice);
    let ids = ids.unwrap_or_default().iter().filter_map(|it| it.as_str()?.parse().ok());
    for id in ids {
        let page = match reader.fragment(id) {
            Ok(fragment) => fragment.page_id,
            Err(graph::Error::Unknown { .. }) => continue,
            Err(error) => return Err(error),
        };
        let Some(page) = pages.get(page).filter(|it| it.met) else { continue };
        let number = pages.number(page);
        fragments.push(id);
        if !citations.contains(&number) {
            citations.push(number);
        }
    }
    Ok((fragments, citations))
}
