//! Arguments as tools read them. They were held against the tool's schema before.

use evidence::Id;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::mcp::call::Call;
use crate::mcp::tool_error::ToolError;

impl Call {
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.arguments[name].as_str()
    }

    pub(super) fn required_text(&self, name: &str) -> Result<&str, ToolError> {
        self.text(name).ok_or_else(|| ToolError::invalid(format!("`{name}` is missing")))
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.arguments[name].as_u64()
    }

    pub(crate) fn option(&self, name: &str) -> &Value {
        &self.arguments["options"][name]
    }

    /// An id that must be there.
    pub(super) fn id<T: Id>(&self, name: &str) -> Result<T, ToolError> {
        Ok(self.required_text(name)?.parse()?)
    }

    pub(super) fn optional_id<T: Id>(&self, name: &str) -> Result<Option<T>, ToolError> {
        Ok(self.text(name).map(str::parse).transpose()?)
    }

    pub(super) fn offset(&self) -> usize {
        self.number("offset").map_or(0, |it| usize::try_from(it).unwrap_or(usize::MAX))
    }

    pub(super) fn reason(&self) -> Option<&str> {
        self.text("reason").map(str::trim).filter(|it| !it.is_empty())
    }

    /// An object that the schema has seen, in the words of the engine.
    pub(super) fn as_engine<T: DeserializeOwned>(value: Value) -> Result<T, ToolError> {
        serde_json::from_value(value).map_err(|error| ToolError::invalid(error.to_string()))
    }
}
