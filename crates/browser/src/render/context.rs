//! Where a page is open: a context of the browser that shares nothing with others.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Problem;
use crate::connection::{Connection, NoResult};

/// A call that the browser answers without the page.
const CALL: Duration = Duration::from_secs(10);
/// A context without memory; nothing of it stays.
pub(super) struct Context {
    connection: Arc<Connection>,
    pub(super) id: String,
}

impl Context {
    pub(super) async fn make(connection: &Arc<Connection>) -> Result<Self, Problem> {
        let made = call(connection, None, "Target.createBrowserContext", json!({})).await?;
        let id = text(&made["browserContextId"]);
        let context = Self { connection: Arc::clone(connection), id };
        let own = json!({ "browserContextId": context.id });
        let mut download = own.clone();
        download["behavior"] = "deny".into();
        call(connection, None, "Browser.setDownloadBehavior", download).await?;
        let mut nothing = own;
        nothing["permissions"] = json!([]);
        call(connection, None, "Browser.grantPermissions", nothing).await?;
        Ok(context)
    }

    pub(super) async fn close(self) {
        let own = json!({ "browserContextId": self.id });
        // Dropping it asks the same of a browser that did not answer.
        let _ = self.connection.call(None, "Target.disposeBrowserContext", own, CALL).await;
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let own = json!({ "browserContextId": self.id });
        self.connection.tell(None, "Target.disposeBrowserContext", &own);
    }
}

/// Asks the browser for something that no page has a say in.
pub(crate) async fn call(
    connection: &Connection,
    session: Option<&str>,
    method: &str,
    params: Value,
) -> Result<Value, Problem> {
    let outcome = connection.call(session, method, params, CALL).await;
    outcome.map_err(|it| problem(method, it))
}

pub(super) fn problem(method: &str, why: NoResult) -> Problem {
    match why {
        NoResult::Ended => Problem::Ended,
        NoResult::Gone => Problem::Crashed,
        NoResult::Late => Problem::Busy(CALL.as_secs()),
        NoResult::Refused(why) => Problem::Refused { method: method.to_owned(), why },
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
