//! What was asked: the path, its values, the form.

use std::time::Duration;

use http::StatusCode;
use http::header::{ACCEPT_LANGUAGE, COOKIE};
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use report::Language;
use url::form_urlencoded;

use super::guard::here;

/// Bytes of a form.
const FORM_BYTES: usize = 1 << 18;
/// How long it may take to arrive.
const FORM_PATIENCE: Duration = Duration::from_secs(20);

/// A request of somebody who may ask.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) is_change: bool,
    pub(crate) path: String,
    pub(crate) query: Form,
    pub(crate) form: Form,
    pub(crate) language: Language,
    /// What forms carry to prove that they are of this page.
    pub(crate) csrf: String,
    /// Whether a script asks for a part of a page.
    pub(crate) wants_part: bool,
    /// Where to go after a change.
    pub(crate) full_path: String,
}

impl Asked {
    pub(super) fn of(head: &Parts) -> Self {
        let full_path = head.uri.path_and_query().map_or("/", |it| it.as_str());
        Self {
            is_change: head.method == http::Method::POST,
            path: head.uri.path().to_owned(),
            query: Form::of(head.uri.query().unwrap_or_default().as_bytes()),
            form: Form::default(),
            language: Language::En,
            csrf: String::new(),
            wants_part: head.headers.contains_key("x-part"),
            full_path: full_path.to_owned(),
        }
    }

    /// Where a form says to go on.
    pub(crate) fn back(&self) -> &str {
        here(self.form.text("back"))
    }
}

/// Names and values, in their order.
#[derive(Debug, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    fn of(bytes: &[u8]) -> Self {
        Self(form_urlencoded::parse(bytes).into_owned().collect())
    }

    pub(super) async fn read(body: Incoming) -> Result<Self, StatusCode> {
        let read = tokio::time::timeout(FORM_PATIENCE, Limited::new(body, FORM_BYTES).collect());
        match read.await {
            Ok(Ok(body)) => Ok(Self::of(&body.to_bytes())),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(StatusCode::PAYLOAD_TOO_LARGE),
            Ok(Err(_)) => Err(StatusCode::BAD_REQUEST),
            Err(_) => Err(StatusCode::REQUEST_TIMEOUT),
        }
    }

    /// The value of this name; nothing where it is missing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.0.iter().find(|it| it.0 == name).map_or("", |it| it.1.trim())
    }

    pub(crate) fn given(&self, name: &str) -> Option<String> {
        Some(self.text(name)).filter(|it| !it.is_empty()).map(str::to_owned)
    }

    pub(crate) fn all<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f str> {
        self.0.iter().filter(move |it| it.0 == name).map(|it| it.1.trim())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|it| it.0 == name)
    }
}

/// The language that was chosen on the page, else the first the browser names that there are words in.
pub(super) fn language_of(head: &Parts) -> Language {
    let cookies = head.headers.get_all(COOKIE).iter().filter_map(|it| it.to_str().ok());
    let chosen = cookies
        .flat_map(|it| it.split(';'))
        .find_map(|it| it.trim().strip_prefix("lyra_language="));
    match chosen {
        Some("ja") => return Language::Ja,
        Some("en") => return Language::En,
        _ => {}
    }
    let wished = head.headers.get(ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
    let known = wished.unwrap_or_default().split(',').find_map(|it| {
        match it.trim().to_ascii_lowercase().get(..2) {
            Some("ja") => Some(Language::Ja),
            Some("en") => Some(Language::En),
            _ => None,
        }
    });
    known.unwrap_or(Language::En)
}
