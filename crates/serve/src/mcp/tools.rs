//! The tools: what each is called, what it takes and answers, and which file does it.
//!
//! The order is fixed, so that a client's cache of the list holds. Descriptions and schemas are data
//! (`tools/NAME.json`): the same text is listed, checked against and printed in the reference.

mod arguments;
mod calibration_metrics;
mod calibration_rollback;
mod create_task;
mod feedback;
mod get_auth_queue;
mod get_report;
mod get_status;
mod library;
mod notify_user;
mod query_graph;
mod resolve_auth;
mod search;
mod stop_task;
mod vector_search;
pub(crate) mod wait_for_user;

use std::pin::Pin;
use std::sync::{Arc, LazyLock, OnceLock};

use rmcp::model::{JsonObject, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::call::Call;
use super::response::Answer;
use super::schema::closest;
use super::tool_error::{Code, ToolError};

pub(super) use get_status::task_meta;
pub(crate) use wait_for_user::{ANSWER, Asked};

/// What a tool does with a call.
pub(crate) type Handler = for<'a> fn(&'a Call) -> Doing<'a>;
pub(crate) type Doing<'a> = Pin<Box<dyn Future<Output = Result<Answer, ToolError>> + Send + 'a>>;

/// One tool.
#[derive(Debug)]
pub(crate) struct Tool {
    name: &'static str,
    /// The contract as it is written; what a call needs of it is read again when the first call comes.
    written: &'static str,
    title: String,
    description: String,
    annotations: ToolAnnotations,
    /// Arguments and answer as clients see them: every byte of the list is read by every assistant.
    asked: Arc<JsonObject>,
    published: Arc<JsonObject>,
    taken: OnceLock<Value>,
    answered: OnceLock<Value>,
    /// What arguments that do not fit are refused with.
    pub(crate) bad_arguments: Code,
    pub(crate) handler: Handler,
}

/// What a file of `tools/` holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Contract {
    title: String,
    description: Vec<String>,
    annotations: ToolAnnotations,
    input: JsonObject,
    output: JsonObject,
}

macro_rules! tools {
    ($( $name:ident: $handler:path ),+ $(,)?) => {
        &[$(
            (stringify!($name), include_str!(concat!("tools/", stringify!($name), ".json")),
             (|call| Box::pin($handler(call))) as Handler),
        )+]
    };
}

const RESEARCH: &[(&str, &str, Handler)] = tools![
    create_task: create_task::run,
    search: search::run,
    get_status: get_status::run,
    get_report: get_report::run,
    stop_task: stop_task::run,
    query_graph: query_graph::run,
    vector_search: vector_search::run,
    feedback: feedback::run,
    calibration_metrics: calibration_metrics::run,
    calibration_rollback: calibration_rollback::run,
    get_auth_queue: get_auth_queue::run,
    resolve_auth: resolve_auth::run,
    notify_user: notify_user::run,
    wait_for_user: wait_for_user::run,
];

const LIBRARY: &[(&str, &str, Handler)] = tools![
    get_tooling_guide: library::get_tooling_guide,
    manual_ls: library::manual_ls,
    manual_toc: library::manual_toc,
    manual_find: library::manual_find,
    manual_hits: library::manual_hits,
    manual_read: library::manual_read,
    manual_scan: library::manual_scan,
    vault_ls: library::vault_ls,
    vault_find: library::vault_find,
    vault_read: library::vault_read,
    vault_scan: library::vault_scan,
    vault_coverage: library::vault_coverage,
    vault_create: library::vault_create,
    vault_write: library::vault_write,
    vault_replace: library::vault_replace,
    bridge_copy: library::bridge_copy,
];

/// What a server offers: every assistant reads every tool of the list, so a client may take one set alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Toolset {
    /// Both
    #[default]
    All,
    /// Tasks, searches and the evidence graph
    Research,
    /// Your manuals and the vault
    Library,
}

static RESEARCH_TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| read(RESEARCH, Code::InvalidParams));
static LIBRARY_TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| read(LIBRARY, Code::InvalidParameter));

fn read(set: &'static [(&'static str, &'static str, Handler)], bad_arguments: Code) -> Vec<Tool> {
    let tool = |it: &'static (_, _, Handler)| Tool::read(it.0, it.1, it.2, bad_arguments);
    set.iter().map(tool).collect()
}

/// The tools of a set, in their order.
pub(crate) fn of(set: Toolset) -> impl Iterator<Item = &'static Tool> + Clone {
    let research = (set != Toolset::Library).then(|| RESEARCH_TOOLS.iter());
    let library = (set != Toolset::Research).then(|| LIBRARY_TOOLS.iter());
    research.into_iter().flatten().chain(library.into_iter().flatten())
}

/// The tool of a name; where there is none, the nearest name is part of the tool_error.
pub(crate) fn find(set: Toolset, name: &str) -> Result<&'static Tool, ToolError> {
    of(set).find(|it| it.name == name).ok_or_else(|| {
        let names: Vec<&str> = of(set).map(|it| it.name).collect();
        let tool_error =
            ToolError::invalid(format!("there is no tool `{}`", super::schema::shown(name)));
        match closest(name, &names) {
            Some(name) => tool_error.hint(format!("did you mean `{name}`?")),
            None => tool_error.hint("tools/list names them"),
        }
    })
}

impl Tool {
    /// Reads a contract; nothing of it is copied, because a client waits for the list.
    fn read(
        name: &'static str,
        written: &'static str,
        handler: Handler,
        bad_arguments: Code,
    ) -> Self {
        let contract = contract(written);
        let mut asked = contract.input;
        shorten_input(&mut asked, true);
        Self {
            name,
            written,
            title: contract.title,
            description: contract.description.join("\n"),
            annotations: contract.annotations,
            asked: Arc::new(asked),
            published: Arc::new(shortened_output(&contract.output)),
            taken: OnceLock::new(),
            answered: OnceLock::new(),
            bad_arguments,
            handler,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn description(&self) -> &str {
        &self.description
    }

    /// What arguments are held against.
    pub(crate) fn input(&self) -> &Value {
        self.taken.get_or_init(|| Value::Object(contract(self.written).input))
    }

    /// What answers are held against.
    pub(crate) fn output(&self) -> &Value {
        self.answered.get_or_init(|| output(contract(self.written).output))
    }

    pub(crate) fn annotations(&self) -> &ToolAnnotations {
        &self.annotations
    }

    /// The tool as clients list it.
    pub(crate) fn listed(&'static self) -> rmcp::model::Tool {
        let input = Arc::clone(&self.asked);
        rmcp::model::Tool::new(self.name, self.description.as_str(), input)
            .with_title(self.title.as_str())
            .with_raw_output_schema(Arc::clone(&self.published))
            .with_annotations(self.annotations.clone())
    }
}

fn contract(written: &str) -> Contract {
    serde_json::from_str(written).expect("the contracts are read by every test of the tools")
}

fn with_ok(fields: Map<String, Value>) -> Map<String, Value> {
    let mut properties = Map::new();
    properties.insert("ok".to_owned(), json!({ "type": "boolean" }));
    properties.extend(fields);
    properties
}

/// Numbers above this are there to bound our work; nobody comes near them who means a page, a limit or a time.
const LARGE: f64 = 1_000.0;

/// Arguments as they are published: what an assistant can ask for. Lengths, sizes and the bounds nobody meets are left to
/// [`check`](super::schema::check), which says them where they are broken; so is that inner objects take no strangers.
fn shorten_input(schema: &mut JsonObject, outermost: bool) {
    schema.retain(|name, value| match (&**name, &*value) {
        ("maxLength" | "minLength" | "maxItems", Value::Number(_)) => false,
        ("minimum", Value::Number(least)) => least.as_f64().is_none_or(|it| it > 1.0),
        ("maximum", Value::Number(most)) => most.as_f64().is_none_or(|it| it <= LARGE),
        ("additionalProperties", Value::Bool(_)) => outermost,
        ("default", Value::Bool(false)) => false,
        ("default", Value::Number(usual)) => usual.as_f64() != Some(0.0),
        _ => true,
    });
    let inner = |value: &mut Value| {
        if let Value::Object(schema) = value {
            shorten_input(schema, false);
        }
    };
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        fields.values_mut().for_each(inner);
    }
    schema.get_mut("items").map(inner);
}

/// An answer as it is published: the names of its fields. What is in them is in `docs/tools.md`, and
/// [`fit`](super::schema::fit) holds every answer against all of it.
fn shortened_output(fields: &JsonObject) -> JsonObject {
    let properties: JsonObject = fields.keys().map(|name| (name.clone(), json!({}))).collect();
    JsonObject::from_iter([
        ("type".to_owned(), Value::from("object")),
        ("properties".to_owned(), properties.into()),
    ])
}

/// What every answer may have, beside the fields of its tool.
fn output(fields: Map<String, Value>) -> Value {
    let mut properties = with_ok(fields);
    for name in ["page", "omitted", "error", "_lyra_meta"] {
        properties.insert(name.to_owned(), json!({ "type": "object" }));
    }
    json!({ "type": "object", "properties": properties, "required": ["ok"] })
}
