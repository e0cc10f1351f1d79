//! The tools of the library: each hands its arguments to the crate `library`, which keeps its answers small itself.

use std::sync::Arc;

use library::vault::{
    CoverageAnswer, CreateRequest, FindAnswer as VaultFound, FindRequest as VaultFind,
    LsAnswer as VaultListed, LsRequest as VaultLs, ReadAnswer as VaultText,
    ReadRequest as VaultRead, ReplaceRequest, ScanAnswer as VaultScanned, WriteRequest, Written,
};
use library::{
    CopyAnswer, FindAnswer, HitsAnswer, LsAnswer, Moment, ReadAnswer, ScanAnswer, TocAnswer,
    get_tooling_guide as guide,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::library::Library;
use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::tool_error::{Code, ToolError};

pub(super) async fn get_tooling_guide(call: &Call) -> Result<Answer, ToolError> {
    asked(call, |_, _: &NoArguments, _| Ok(guide()), |it| format!("start with {}", it.first_tool))
        .await
}

pub(super) async fn manual_ls(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &LsAnswer| format!("{} entries, {} shown", it.total, it.items.len());
    asked(call, |library, request, moment| library.manuals.ls(request, moment), told).await
}

pub(super) async fn manual_toc(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &TocAnswer| format!("{} headings, {} shown", it.total, it.items.len());
    asked(call, |library, request, moment| library.manuals.toc(request, moment), told).await
}

pub(super) async fn manual_find(call: &Call) -> Result<Answer, ToolError> {
    let embedder = match call.state.session().settings.library.semantic {
        true => Some(call.state.embedder()?),
        false => None,
    };
    let find = move |library: &Library, request: &_, moment: &Moment<'_>| {
        library.find(request, moment, embedder.as_deref())
    };
    let told = |it: &FindAnswer| {
        let summary = &it.summary;
        format!(
            "{}: {} candidates in {} files, {} conflicts, {} gaps, {} not looked at, sufficiency {:.2}",
            it.trace_id,
            summary.candidates,
            summary.files,
            summary.conflicts,
            summary.gaps,
            summary.unscanned_sections,
            summary.sufficiency_score
        )
    };
    asked(call, find, told).await
}

pub(super) async fn manual_hits(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &HitsAnswer| format!("{} in all, {} shown", it.total, it.items.len());
    asked(call, |library, request, moment| library.manuals.hits(request, moment), told).await
}

pub(super) async fn manual_read(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &ReadAnswer| {
        let chars: usize = it.parts.iter().map(|it| it.text.chars().count()).sum();
        format!("{} parts, {chars} characters, {} left out", it.parts.len(), it.left_out.len())
    };
    asked(call, |library, request, moment| library.manuals.read(request, moment), told).await
}

pub(super) async fn manual_scan(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &ScanAnswer| format!("lines {} to {}", it.start_line, it.end_line);
    asked(call, |library, request, moment| library.manuals.scan(request, moment), told).await
}

pub(super) async fn vault_ls(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &VaultListed| format!("{} files, {} shown", it.total, it.files.len());
    asked(call, |library, request: &VaultLs, _| library.vault.ls(request), told).await
}

pub(super) async fn vault_find(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &VaultFound| {
        let summary = &it.summary;
        format!(
            "{}: {} candidates, {} gaps, sufficiency {:.2}",
            it.trace_id, summary.candidates, summary.gap_ranges_count, summary.sufficiency_score
        )
    };
    asked(call, |library, request: &VaultFind, _| library.vault.find(request), told).await
}

pub(super) async fn vault_read(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &VaultText| format!("{} of {} lines", it.path, it.total_lines);
    asked(call, |library, request: &VaultRead, _| library.vault.read(request), told).await
}

pub(super) async fn vault_scan(call: &Call) -> Result<Answer, ToolError> {
    let told =
        |it: &VaultScanned| format!("{} parts, {} ranges left", it.parts.len(), it.ranges_left);
    asked(call, |library, request, _| library.vault.scan(request), told).await
}

pub(super) async fn vault_coverage(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &CoverageAnswer| {
        format!("{} of {} lines read", it.summary.lines_read, it.summary.lines)
    };
    asked(call, |library, request, _| library.vault.coverage(request), told).await
}

pub(super) async fn vault_create(call: &Call) -> Result<Answer, ToolError> {
    asked(call, |library, request: &CreateRequest, _| library.vault.create(request), written).await
}

pub(super) async fn vault_write(call: &Call) -> Result<Answer, ToolError> {
    asked(call, |library, request: &WriteRequest, _| library.vault.write(request), written).await
}

pub(super) async fn vault_replace(call: &Call) -> Result<Answer, ToolError> {
    asked(call, |library, request: &ReplaceRequest, _| library.vault.replace(request), written)
        .await
}

pub(super) async fn bridge_copy(call: &Call) -> Result<Answer, ToolError> {
    let told = |it: &CopyAnswer| format!("{} has {} lines now", it.target, it.lines);
    let copy = |library: &Library, request: &_, moment: &Moment<'_>| {
        library.manuals.copy_to(&library.vault, request, moment)
    };
    asked(call, copy, told).await
}

#[derive(serde::Deserialize)]
struct NoArguments {}

fn written(written: &Written) -> String {
    format!("{} has {} lines now", written.path, written.lines)
}

/// Does one call on a thread where reading files may take a while.
async fn asked<Q, A>(
    call: &Call,
    ask: impl FnOnce(&Library, &Q, &Moment<'_>) -> library::Result<A> + Send + 'static,
    told: impl FnOnce(&A) -> String,
) -> Result<Answer, ToolError>
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    let request: Q = serde_json::from_value(call.arguments.clone())
        .map_err(|it| ToolError::new(Code::InvalidParameter, it.to_string()))?;
    let state = Arc::clone(&call.state);
    let asking = tokio::task::spawn_blocking(move || {
        let now = state.session().now();
        state.library().at(now, |moment| ask(state.library(), &request, moment))
    });
    let answer = asking.await??;
    let text = told(&answer);
    let body = serde_json::to_value(&answer).map_err(|_| ToolError::bug(None))?;
    Ok(Answer::new(body, text).of_own_length())
}
