//! `get_report`: what `lyra report` writes, in pages: many clients read no resources.

use std::sync::Arc;

use evidence::TaskId;
use report::{Document, Part, Report, ReportSettings};
use serde_json::json;

use super::get_status::task_meta;
use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::schema::{clipped, closest, shown};
use crate::mcp::tool_error::ToolError;

/// Characters of a line; a longer one goes on in the next entry.
const LINE_CHARS: usize = 1_000;
/// Lines of the answer that the digest shows.
const SHOWN_LINES: usize = 12;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let task: TaskId = call.id("task_id")?;
    let state = Arc::clone(&call.state);
    let (report, meta) = call
        .state
        .read(move |graph| {
            let report = graph.read(|r| {
                let options = ReportSettings {
                    graph_fingerprint: Some(r.fingerprint(task)?),
                    ..state.session().settings.report.clone()
                };
                report::gather(r, task, &options)
            })?;
            Ok((report, task_meta(&state, graph, task)?))
        })
        .await?;
    let parts = parts(&report);
    let offset = call.offset();
    let mut contents = Vec::new();
    let mut lines = Vec::new();
    let mut found = call.text("section").is_none();
    for (part, own) in &parts {
        contents.push(json!({
            "section": part.name, "title": part.title, "offset": lines.len(), "lines": own.len(),
        }));
        if call.text("section").is_none_or(|it| it == part.name) {
            found = true;
            lines.extend(own.iter().cloned());
        }
    }
    if !found {
        return Err(no_section(call.text("section").unwrap_or_default(), &parts));
    }
    let total = lines.len();
    let text = digest(&report, &lines, offset);
    let lines: Vec<String> = lines.into_iter().skip(offset).collect();
    let mut body = json!({ "task_id": report.task_id, "lines": lines });
    match call.text("section") {
        Some(section) => body["section"] = section.into(),
        // What is the same on every page is told once.
        None if offset == 0 => {
            body["question"] = (&*report.question).into();
            body["language"] = json!(report.language);
            body["task_status"] = json!(report.task_status);
            body["verdict"] = json!(report.verdict);
            body["summary"] = json!(report.summary);
            body["contents"] = contents.into();
        }
        None => {}
    }
    let answer = Answer::new(body, text).shortening(&["lines"]).paged("lines", offset, total);
    Ok(Answer { meta, ..answer.quoting() })
}

/// The parts of the report with their lines. An empty line ends each, so that all of them are the whole text.
fn parts(report: &Report) -> Vec<(Part, Vec<String>)> {
    let parts = Document::of(report).markdown_parts();
    let lines = |part: &Part| -> Vec<String> {
        let own = part.markdown.split('\n').flat_map(pieces).chain([String::new()]);
        own.collect()
    };
    parts.into_iter().map(|part| (lines(&part), part)).map(|(lines, part)| (part, lines)).collect()
}

/// A line in pieces that fit into an answer.
fn pieces(line: &str) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    match chars.is_empty() {
        true => vec![String::new()],
        false => chars.chunks(LINE_CHARS).map(|it| it.iter().collect()).collect(),
    }
}

fn no_section(given: &str, parts: &[(Part, Vec<String>)]) -> ToolError {
    let names: Vec<&str> = parts.iter().map(|it| it.0.name).collect();
    let error = ToolError::invalid(format!("the report has no section `{}`", shown(given)));
    match closest(given, &names) {
        Some(name) => error.hint(format!("did you mean `{name}`?")),
        None => error.hint(format!("it has {}", names.join(", "))),
    }
}

fn digest(report: &Report, lines: &[String], offset: usize) -> String {
    let mut text = match &report.verdict {
        Some(verdict) => format!("{}\n", verdict.sentence),
        None => String::new(),
    };
    let summary = &report.summary;
    text += &format!(
        "findings {}, sources {}, disputes {}, pages read {}, missed {}",
        summary.findings,
        summary.sources,
        summary.disputes,
        summary.pages_read,
        summary.pages_missed
    );
    let told = lines.iter().skip(offset).filter(|it| !it.is_empty()).take(SHOWN_LINES);
    for line in told {
        text += &format!("\n{}", clipped(line, 200));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_goes_on_in_the_next_entry_and_loses_nothing() {
        let line = "語".repeat(LINE_CHARS * 2 + 1);
        let cut = pieces(&line);
        assert_eq!(cut.iter().map(|it| it.chars().count()).collect::<Vec<_>>(), [1_000, 1_000, 1]);
        assert_eq!(cut.concat(), line);
        assert_eq!(pieces(""), [""]);
    }
}
