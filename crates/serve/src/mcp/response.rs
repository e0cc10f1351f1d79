//! The one way out: every answer of a tool and every resource passes here before a client sees it.
//!
//! Fields that the contract does not name are dropped and texts cut to their lengths (L7, `schema`), text that
//! addresses machines loses its power (`defuse`) and is named in `_lyra_meta` (L5) and in the audit log (L8), and
//! lists are shortened until the answer fits its token budget; `omitted` says how much was dropped.

use std::collections::BTreeSet;

use rmcp::model::{CallToolResult, ContentBlock, MetaObject, ResourceContents};
use serde_json::{Map, Value, json};
use text::estimate_tokens;

use super::defuse::Findings;
use super::schema::{clipped, fit};
use super::tool_error::ToolError;
use super::tools::{Asked, Tool};

/// Characters of a text block, whatever else holds.
const MAX_TEXT_CHARS: usize = 1_600;
/// Names in a list of `_lyra_meta`.
const META_NAMES: usize = 10;
/// Tokens for what is said about the answer itself: `ok`, `page`, `omitted`.
const RESERVED: usize = 80;
/// Lengths that texts are cut to, one after the other, where lists alone do not make an answer fit.
const SHORTER_TEXTS: [usize; 3] = [400, 200, 80];
/// Entries a list keeps while another can be shortened.
const KEPT: usize = 3;

/// What a tool has to say, before it is made to fit.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) body: Map<String, Value>,
    /// The digest, for people and for clients that show nothing else.
    pub(crate) text: String,
    /// Lists that may be shortened from their end, the first one first; the last takes what room is left.
    pub(crate) shortened: &'static [&'static str],
    /// Where `offset` began in the list it pages through, and how long that list is.
    pub(crate) page: Option<Page>,
    pub(crate) meta: Meta,
    /// Texts in it come from pages.
    pub(crate) quotes_strangers: bool,
    /// The tool keeps its answers small itself, and a text that was asked for comes letter by letter: what speaks to
    /// machines in it is named and left as it is.
    pub(crate) is_of_own_length: bool,
    /// The client has to ask the user this before there is an answer.
    pub(crate) asks: Option<Asked>,
}

/// Which part of a list an answer shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page {
    pub(crate) list: &'static str,
    pub(crate) offset: usize,
    pub(crate) total: usize,
}

/// What is known about the trustworthiness of an answer (L5).
#[derive(Debug, Default)]
pub(crate) struct Meta {
    pub(crate) unverified_domains: Vec<String>,
    pub(crate) blocked_domains: Vec<String>,
    pub(crate) security_warnings: BTreeSet<String>,
    /// Whether every web engine rests; told as a warning of the task.
    pub(crate) engines_rest: bool,
}

/// How an answer is to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form {
    pub(crate) max_tokens: usize,
    /// The client knows no `structuredContent`: the text block carries the data.
    pub(crate) text_only: bool,
}

impl Answer {
    pub(crate) fn new(body: Value, text: impl Into<String>) -> Self {
        let Value::Object(body) = body else { return Self::default() };
        Self { body, text: text.into(), ..Self::default() }
    }

    pub(crate) fn shortening(mut self, lists: &'static [&'static str]) -> Self {
        self.shortened = lists;
        self
    }

    pub(crate) fn paged(mut self, list: &'static str, offset: usize, total: usize) -> Self {
        self.page = Some(Page { list, offset, total });
        self
    }

    pub(crate) fn quoting(mut self) -> Self {
        self.quotes_strangers = true;
        self
    }

    pub(crate) fn of_own_length(mut self) -> Self {
        self.is_of_own_length = true;
        self
    }
}

/// Makes the result that a client gets.
pub(crate) fn leave(tool: &Tool, outcome: Result<Answer, ToolError>, form: Form) -> CallToolResult {
    let fitted = outcome.and_then(|answer| fitted(tool, answer, form));
    match fitted {
        Ok((body, text)) => {
            let text = if form.text_only { body.to_string() } else { text };
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(body);
            result
        }
        Err(tool_error) => refused(&tool_error, form),
    }
}

/// A resource as a client gets it: nothing in it can pass for an instruction (L4), what tried to is named, and it is
/// cut at `max_chars`.
pub(crate) fn resource(
    uri: &str,
    text: &str,
    mut meta: Meta,
    max_chars: usize,
) -> ResourceContents {
    let mut found = Findings::default();
    found.notice(text, "text");
    found.log(uri, "a resource addresses machines");
    meta.security_warnings.extend(found.names());
    let clean = text::sanitise::clean(text).into_text();
    let length = clean.chars().count();
    let shown = match length <= max_chars {
        true => clean,
        false => {
            format!("{}\n\n(cut: {max_chars} of {length} characters)", clipped(&clean, max_chars))
        }
    };
    let mut told = MetaObject::default();
    told.insert("_lyra_meta".to_owned(), meta.told());
    ResourceContents::text(shown, uri).with_meta(told)
}

/// A stranger's words where a client expects a name or a title: on one line, and without power.
pub(crate) fn title(text: &str, most: usize) -> String {
    let clean = text::sanitise::clean(text).into_text();
    clipped(&clean.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// An error as a client gets it.
pub(crate) fn refused(tool_error: &ToolError, form: Form) -> CallToolResult {
    let mut document = tool_error.document();
    let mut text = match &tool_error.hint {
        Some(hint) => format!("{}: {}\nhint: {hint}", tool_error.code.as_str(), tool_error.message),
        None => format!("{}: {}", tool_error.code.as_str(), tool_error.message),
    };
    let mut found = Findings::default();
    found.defuse(&mut document, "error");
    found.defuse_text(&mut text, "text");
    found.log(tool_error.code.as_str(), "an error addresses machines");
    if form.text_only {
        text = document.to_string();
    }
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.structured_content = Some(document);
    result
}

fn fitted(tool: &Tool, answer: Answer, form: Form) -> Result<(Value, String), ToolError> {
    let Answer {
        mut body,
        mut text,
        shortened,
        page,
        mut meta,
        quotes_strangers,
        is_of_own_length,
        asks: _,
    } = answer;
    body.insert("ok".to_owned(), true.into());
    let mut found = Findings::default();
    for (name, value) in &mut body {
        match (quotes_strangers, is_of_own_length) {
            (true, _) => found.defuse(value, name),
            (false, true) => found.notice_all(value, name),
            (false, false) => {}
        }
    }
    found.defuse_text(&mut text, "text");
    found.log(tool.name(), "an answer addresses machines");
    meta.security_warnings.extend(found.names());
    let described = fit(tool.output(), Value::Object(body)).map_err(|misfit| {
        ToolError::logged(
            super::tool_error::Code::InternalError,
            "the answer was not as described and is held back",
            &format!("{}: {}", tool.name(), misfit.message),
        )
    })?;
    let Value::Object(mut body) = described else { return Err(ToolError::bug(None)) };
    let text = clipped(&text, MAX_TEXT_CHARS);
    // What is told about the answer itself has room of its own.
    let meta = meta.told();
    let reserved = estimate_tokens(&meta.to_string()) + RESERVED;
    let room = form.max_tokens.saturating_sub(reserved);
    let room = if form.text_only { room / 2 } else { room.saturating_sub(estimate_tokens(&text)) };
    let mut omitted = shorten(&mut body, shortened, room);
    // Entries are weighed one by one, and together they may weigh a little more.
    while cost_of(&body) > room {
        let more = shorten(&mut body, shortened, room);
        if more.is_empty() {
            break;
        }
        for (list, count) in more {
            let earlier = omitted.get(&list).and_then(Value::as_u64).unwrap_or(0);
            omitted.insert(list, (earlier + count.as_u64().unwrap_or(0)).into());
        }
    }
    for most in SHORTER_TEXTS {
        if !is_of_own_length && cost_of(&body) > room {
            body.values_mut().for_each(|it| clip(it, most));
        }
    }
    if omitted.contains_key("rows") {
        let shown = body.get("rows").and_then(Value::as_array).map_or(0, Vec::len);
        body.insert("row_count".to_owned(), shown.into());
        body.insert("truncated".to_owned(), true.into());
    }
    if let Some(page) = page {
        let told = told_page(page, &body);
        if !told.is_null() {
            body.insert("page".to_owned(), told);
        }
    }
    if !omitted.is_empty() {
        body.insert("omitted".to_owned(), Value::Object(omitted));
    }
    body.insert("_lyra_meta".to_owned(), meta);
    // `ok` comes first, where a person looks.
    let mut first = Map::new();
    first.insert("ok".to_owned(), true.into());
    first.extend(body);
    Ok((Value::Object(first), text))
}

/// Shortens lists until the whole costs no more than `room`; says how many entries of each were left out.
fn shorten(body: &mut Map<String, Value>, lists: &[&str], room: usize) -> Map<String, Value> {
    let mut omitted = Map::new();
    let mut cost = cost_of(body);
    // Each list keeps a beginning as long as others can give way.
    for least in [KEPT, 0] {
        for list in lists {
            let Some(items) = list_in(body, list).filter(|_| cost > room) else { continue };
            let before = items.len();
            while cost > room && items.len() > least {
                let Some(item) = items.pop() else { break };
                cost -= estimate_tokens(&item.to_string()).min(cost);
            }
            let left_out = before - items.len();
            if left_out > 0 {
                let earlier = omitted.get(*list).and_then(Value::as_u64).unwrap_or(0);
                omitted.insert((*list).to_owned(), (earlier + left_out as u64).into());
            }
        }
    }
    omitted
}

/// The list under a name, which may be one of an inner object: `schema.tables`.
fn list_in<'a>(body: &'a mut Map<String, Value>, path: &str) -> Option<&'a mut Vec<Value>> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
    let value = body.get_mut(first)?;
    match rest {
        None => value.as_array_mut(),
        Some(rest) => list_in(value.as_object_mut()?, rest),
    }
}

fn clip(value: &mut Value, most: usize) {
    match value {
        Value::String(text) => *text = clipped(text, most),
        Value::Array(items) => items.iter_mut().for_each(|it| clip(it, most)),
        Value::Object(fields) => fields.values_mut().for_each(|it| clip(it, most)),
        _ => {}
    }
}

fn cost_of(body: &Map<String, Value>) -> usize {
    body.iter()
        .map(|(name, value)| estimate_tokens(name) + 2 + estimate_tokens(&value.to_string()))
        .sum()
}

/// Nothing where the whole list is there.
fn told_page(page: Page, body: &Map<String, Value>) -> Value {
    let shown = body.get(page.list).and_then(Value::as_array).map_or(0, Vec::len);
    let next = page.offset + shown;
    if page.offset == 0 && next >= page.total {
        return Value::Null;
    }
    let mut told =
        json!({ "list": page.list, "offset": page.offset, "shown": shown, "total": page.total });
    if next < page.total {
        told["next_offset"] = next.into();
    }
    told
}

impl Meta {
    fn told(&self) -> Value {
        let mut told = Map::new();
        let warnings: Vec<String> = self.security_warnings.iter().cloned().collect();
        for (name, list) in [
            ("unverified_domains", &self.unverified_domains),
            ("blocked_domains", &self.blocked_domains),
            ("security_warnings", &warnings),
        ] {
            let shown: Vec<&String> = list.iter().take(META_NAMES).collect();
            if list.len() > shown.len() {
                told.insert(format!("{name}_total"), list.len().into());
            }
            if name == "security_warnings" || !list.is_empty() {
                told.insert(name.to_owned(), json!(shown));
            }
        }
        Value::Object(told)
    }
}
