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

use crate::library::Shelf;
use crate::mcp::call::Call;
use crate::mcp::exit::Answer;
use crate::mcp::refusal::{Code, Refusal};

pub(super) async fn get_tooling_guide(call: &Call) -> Result<Answer, Refusal> {
    asked(call, |_, _: &NoArguments, _| Ok(guide()), |it| format!("start with {}", it.first_tool))
        .await
}

pub(super) async fn manual_ls(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &LsAnswer| format!("{} entries, {} shown", it.total, it.items.len());
    asked(call, |shelf, request, moment| shelf.manuals.ls(request, moment), told).await
}

pub(super) async fn manual_toc(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &TocAnswer| format!("{} headings, {} shown", it.total, it.items.len());
    asked(call, |shelf, request, moment| shelf.manuals.toc(request, moment), told).await
}

pub(super) async fn manual_find(call: &Call) -> Result<Answer, Refusal> {
    let embedder = match call.desk.session().settings.library.semantic {
        true => Some(call.desk.embedder()?),
        false => None,
    };
    let find = move |shelf: &Shelf, request: &_, moment: &Moment<'_>| {
        shelf.find(request, moment, embedder.as_deref())
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

pub(super) async fn manual_hits(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &HitsAnswer| format!("{} in all, {} shown", it.total, it.items.len());
    asked(call, |shelf, request, moment| shelf.manuals.hits(request, moment), told).await
}

pub(super) async fn manual_read(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &ReadAnswer| {
        let chars: usize = it.parts.iter().map(|it| it.text.chars().count()).sum();
        format!("{} parts, {chars} characters, {} left out", it.parts.len(), it.left_out.len())
    };
    asked(call, |shelf, request, moment| shelf.manuals.read(request, moment), told).await
}

pub(super) async fn manual_scan(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &ScanAnswer| format!("lines {} to {}", it.start_line, it.end_line);
    asked(call, |shelf, request, moment| shelf.manuals.scan(request, moment), told).await
}

pub(super) async fn vault_ls(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &VaultListed| format!("{} files, {} shown", it.total, it.files.len());
    asked(call, |shelf, request: &VaultLs, _| shelf.vault.ls(request), told).await
}

pub(super) async fn vault_find(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &VaultFound| {
        let summary = &it.summary;
        format!(
            "{}: {} candidates, {} gaps, sufficiency {:.2}",
            it.trace_id, summary.candidates, summary.gap_ranges_count, summary.sufficiency_score
        )
    };
    asked(call, |shelf, request: &VaultFind, _| shelf.vault.find(request), told).await
}

pub(super) async fn vault_read(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &VaultText| format!("{} of {} lines", it.path, it.total_lines);
    asked(call, |shelf, request: &VaultRead, _| shelf.vault.read(request), told).await
}

pub(super) async fn vault_scan(call: &Call) -> Result<Answer, Refusal> {
    let told =
        |it: &VaultScanned| format!("{} parts, {} ranges left", it.parts.len(), it.ranges_left);
    asked(call, |shelf, request, _| shelf.vault.scan(request), told).await
}

pub(super) async fn vault_coverage(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &CoverageAnswer| {
        format!("{} of {} lines read", it.summary.lines_read, it.summary.lines)
    };
    asked(call, |shelf, request, _| shelf.vault.coverage(request), told).await
}

pub(super) async fn vault_create(call: &Call) -> Result<Answer, Refusal> {
    asked(call, |shelf, request: &CreateRequest, _| shelf.vault.create(request), written).await
}

pub(super) async fn vault_write(call: &Call) -> Result<Answer, Refusal> {
    asked(call, |shelf, request: &WriteRequest, _| shelf.vault.write(request), written).await
}

pub(super) async fn vault_replace(call: &Call) -> Result<Answer, Refusal> {
    asked(call, |shelf, request: &ReplaceRequest, _| shelf.vault.replace(request), written).await
}

pub(super) async fn bridge_copy(call: &Call) -> Result<Answer, Refusal> {
    let told = |it: &CopyAnswer| format!("{} has {} lines now", it.target, it.lines);
    let copy = |shelf: &Shelf, request: &_, moment: &Moment<'_>| {
        shelf.manuals.copy_to(&shelf.vault, request, moment)
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
    ask: impl FnOnce(&Shelf, &Q, &Moment<'_>) -> library::Result<A> + Send + 'static,
    told: impl FnOnce(&A) -> String,
) -> Result<Answer, Refusal>
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    let request: Q = serde_json::from_value(call.arguments.clone())
        .map_err(|it| Refusal::new(Code::InvalidParameter, it.to_string()))?;
    let desk = Arc::clone(&call.desk);
    let asking = tokio::task::spawn_blocking(move || {
        let now = desk.session().now();
        desk.shelf().at(now, |moment| ask(desk.shelf(), &request, moment))
    });
    let answer = asking.await??;
    let text = told(&answer);
    let body = serde_json::to_value(&answer).map_err(|_| Refusal::bug(None))?;
    Ok(Answer::new(body, text).of_own_length())
}
