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
mod get_status;
mod notify_user;
mod query_graph;
mod resolve_auth;
mod search;
mod stop_task;
mod vector_search;
mod wait_for_user;

use std::pin::Pin;
use std::sync::{Arc, LazyLock};

use rmcp::model::{JsonObject, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::call::Call;
use super::exit::Answer;
use super::refusal::Refusal;
use super::schema::closest;

pub(crate) use wait_for_user::{ANSWER, Asked};

/// What a tool does with a call.
pub(crate) type Handler = for<'a> fn(&'a Call) -> Doing<'a>;
pub(crate) type Doing<'a> = Pin<Box<dyn Future<Output = Result<Answer, Refusal>> + Send + 'a>>;

/// One tool.
#[derive(Debug)]
pub(crate) struct Tool {
    name: &'static str,
    contract: Contract,
    pub(crate) handler: Handler,
}

#[derive(Debug)]
struct Contract {
    title: String,
    description: String,
    annotations: ToolAnnotations,
    input: Arc<JsonObject>,
    input_value: Value,
    output: Value,
    /// The fields of the answer as clients see them: every byte of the list is read by every assistant.
    published: Arc<JsonObject>,
}

macro_rules! tools {
    ($( $module:ident ),+ $(,)?) => {
        &[$(
            (stringify!($module), include_str!(concat!("tools/", stringify!($module), ".json")),
             (|call| Box::pin($module::run(call))) as Handler),
        )+]
    };
}

const RESEARCH: &[(&str, &str, Handler)] = tools![
    create_task,
    search,
    get_status,
    stop_task,
    query_graph,
    vector_search,
    feedback,
    calibration_metrics,
    calibration_rollback,
    get_auth_queue,
    resolve_auth,
    notify_user,
    wait_for_user,
];

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    RESEARCH.iter().map(|(name, contract, handler)| Tool::read(name, contract, *handler)).collect()
});

/// All tools, in their order.
pub(crate) fn all() -> &'static [Tool] {
    &TOOLS
}

/// The tool of a name; where there is none, the nearest name is part of the refusal.
pub(crate) fn find(name: &str) -> Result<&'static Tool, Refusal> {
    all().iter().find(|it| it.name == name).ok_or_else(|| {
        let names: Vec<&str> = all().iter().map(|it| it.name).collect();
        let refusal =
            Refusal::invalid(format!("there is no tool `{}`", super::schema::shown(name)));
        match closest(name, &names) {
            Some(name) => refusal.hint(format!("did you mean `{name}`?")),
            None => refusal.hint("tools/list names them"),
        }
    })
}

impl Tool {
    fn read(name: &'static str, contract: &str, handler: Handler) -> Self {
        let contract: Value =
            serde_json::from_str(contract).expect("the contracts are checked by a test");
        let lines: Vec<&str> = contract["description"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let annotations = &contract["annotations"];
        let hint = |name: &str| annotations[name].as_bool();
        let input_value = contract["input"].clone();
        let fields = contract["output"].as_object().cloned().unwrap_or_default();
        let mut published = json!({ "type": "object", "properties": with_ok(fields.clone()) });
        without_lengths(&mut published);
        Self {
            name,
            contract: Contract {
                title: contract["title"].as_str().unwrap_or(name).to_owned(),
                description: lines.join("\n"),
                annotations: ToolAnnotations::from_raw(
                    None,
                    hint("readOnlyHint"),
                    hint("destructiveHint"),
                    hint("idempotentHint"),
                    hint("openWorldHint"),
                ),
                input: Arc::new(input_value.as_object().cloned().unwrap_or_default()),
                input_value,
                output: output(fields),
                published: Arc::new(published.as_object().cloned().unwrap_or_default()),
            },
            handler,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn title(&self) -> &str {
        &self.contract.title
    }

    pub(crate) fn description(&self) -> &str {
        &self.contract.description
    }

    pub(crate) fn input(&self) -> &Value {
        &self.contract.input_value
    }

    pub(crate) fn output(&self) -> &Value {
        &self.contract.output
    }

    pub(crate) fn annotations(&self) -> &ToolAnnotations {
        &self.contract.annotations
    }

    /// The tool as clients list it.
    pub(crate) fn listed(&self) -> rmcp::model::Tool {
        rmcp::model::Tool::new(
            self.name,
            self.contract.description.clone(),
            Arc::clone(&self.contract.input),
        )
        .with_title(self.contract.title.clone())
        .with_raw_output_schema(Arc::clone(&self.contract.published))
        .with_annotations(self.contract.annotations.clone())
    }
}

fn with_ok(fields: Map<String, Value>) -> Map<String, Value> {
    let mut properties = Map::new();
    properties.insert("ok".to_owned(), json!({ "type": "boolean" }));
    properties.extend(fields);
    properties
}

/// How far texts are cut is our business.
fn without_lengths(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.remove("maxLength");
            fields.values_mut().for_each(without_lengths);
        }
        Value::Array(items) => items.iter_mut().for_each(without_lengths),
        _ => {}
    }
}

/// What every answer may have, beside the fields of its tool.
fn output(fields: Map<String, Value>) -> Value {
    let mut properties = with_ok(fields);
    for name in ["page", "omitted", "error", "_lyra_meta"] {
        properties.insert(name.to_owned(), json!({ "type": "object" }));
    }
    json!({ "type": "object", "properties": properties, "required": ["ok"] })
}
