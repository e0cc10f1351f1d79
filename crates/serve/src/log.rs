//! The log: what Lyra did, one JSON object a line, without anybody's secrets.
//!
//! Events of the program go to `lyra-DATE.jsonl`, events of target `audit` to `audit-DATE.jsonl`,
//! never mixed. Files are opened at the first event and belong to a day (UTC). Every text passes
//! [`redact`] before it is written. A log that cannot be written is said once and then left.

mod files;
mod reading;
mod redact;

pub(crate) use reading::{Entry, Which, entries};
pub(crate) use redact::without_secrets;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use graph::Clock;
use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::config::LogSettings;
use files::Files;

/// Target of events that belong to the audit log.
const AUDIT: &str = "audit";
/// What the files of all other events are named.
const PROGRAM: &str = "lyra";

/// Where and how to log.
pub(crate) struct Options {
    pub(crate) folder: PathBuf,
    pub(crate) settings: LogSettings,
    /// `LYRA_LOG`: a level, or targets with levels (`info,graph=debug`).
    pub(crate) directives: Option<String>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Told once, if the log cannot be written.
    pub(crate) warn: Box<dyn Fn(&str) + Send + Sync>,
}

/// Starts logging for the rest of the process.
pub(crate) fn start(options: Options) {
    // Only a second start in one process could fail here, and the first log goes on.
    let _ = tracing::subscriber::set_global_default(subscriber(options));
}

fn subscriber(options: Options) -> impl Subscriber + Send + Sync {
    let level = LevelFilter::from(options.settings.level);
    let mut targets = Targets::new().with_default(level);
    if let Some(directives) = &options.directives {
        match Targets::from_str(directives) {
            Ok(asked) => targets = asked,
            Err(error) => (options.warn)(&format!("LYRA_LOG is ignored: {error}")),
        }
    }
    // An audit event is recorded whatever the level.
    let targets = targets.with_target(AUDIT, LevelFilter::TRACE);
    tracing_subscriber::registry().with(LogLayer::new(options).with_filter(targets))
}

struct LogLayer {
    program: Files,
    audit: Files,
    clock: Arc<dyn Clock>,
    warn: Box<dyn Fn(&str) + Send + Sync>,
    has_failed: AtomicBool,
}

impl LogLayer {
    fn new(options: Options) -> Self {
        let files = |name| {
            let LogSettings { keep_days, archive_days, .. } = options.settings;
            Files::new(options.folder.clone(), name, keep_days, archive_days)
        };
        Self {
            program: files(PROGRAM),
            audit: files(AUDIT),
            clock: options.clock,
            warn: options.warn,
            has_failed: AtomicBool::new(false),
        }
    }
}

impl<S: Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if self.has_failed.load(Ordering::Relaxed) {
            return;
        }
        let now = self.clock.now();
        let metadata = event.metadata();
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut line = json!({
            "time": format!("{now:.3}"),
            "level": metadata.level().as_str().to_lowercase(),
            "target": metadata.target(),
            "message": fields.message,
            "fields": fields.others,
        })
        .to_string();
        line.push('\n');
        let files = if metadata.target() == AUDIT { &self.audit } else { &self.program };
        if let Err(error) = files.append(now, line.as_bytes())
            && !self.has_failed.swap(true, Ordering::Relaxed)
        {
            (self.warn)(&format!("cannot write the log in {}: {error}", files.folder().display()));
        }
    }
}

/// The fields of an event, each redacted as it arrives.
#[derive(Default)]
struct Fields {
    message: String,
    others: Map<String, Value>,
}

impl Fields {
    fn text(&mut self, field: &Field, text: &str) {
        let text = redact::field(field.name(), text);
        if field.name() == "message" {
            self.message = text;
        } else {
            self.others.insert(field.name().to_owned(), text.into());
        }
    }

    /// Numbers say little about their owner, except where the name says that they do.
    fn plain(&mut self, field: &Field, value: impl Into<Value>) {
        let value = if redact::is_secret_name(field.name()) {
            redact::REDACTED.into()
        } else {
            value.into()
        };
        self.others.insert(field.name().to_owned(), value);
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.text(field, &format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field, value);
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        let chain = std::iter::successors(Some(value), |error| error.source());
        let chain: Vec<String> = chain.map(ToString::to_string).collect();
        self.text(field, &chain.join(": "));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.plain(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.plain(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.plain(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.plain(field, value);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Mutex;

    use graph::FixedClock;
    use tempfile::TempDir;

    use super::*;
    use crate::config::LogLevel;

    struct Written {
        folder: TempDir,
        warnings: Arc<Mutex<Vec<String>>>,
    }

    /// Logs into a folder of its own; `prepare` may spoil it first.
    fn logged(level: LogLevel, prepare: impl FnOnce(&TempDir), act: impl FnOnce()) -> Written {
        let folder = tempfile::tempdir().unwrap();
        prepare(&folder);
        let warnings = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&warnings);
        let subscriber = subscriber(Options {
            folder: folder.path().join("logs"),
            settings: LogSettings { level, keep_days: 7, archive_days: 30 },
            directives: None,
            clock: Arc::new(FixedClock::at("2026-01-15T12:00:00Z".parse().unwrap())),
            warn: Box::new(move |text| told.lock().unwrap().push(text.to_owned())),
        });
        tracing::subscriber::with_default(subscriber, act);
        Written { folder, warnings }
    }

    impl Written {
        fn read(&self, name: &str) -> String {
            fs::read_to_string(self.folder.path().join("logs").join(name)).unwrap()
        }
    }

    #[test]
    fn an_event_is_one_line_of_json() {
        let written = logged(
            LogLevel::Info,
            |_| {},
            || {
                tracing::info!(target: "lyra", pages = 3, domain = "例え.jp", "page read");
                tracing::debug!(target: "lyra", "too quiet to be recorded");
            },
        );
        assert_eq!(
            written.read("lyra-2026-01-15.jsonl"),
            concat!(
                r#"{"time":"2026-01-15T12:00:00.000Z","level":"info","target":"lyra","#,
                r#""message":"page read","fields":{"pages":3,"domain":"例え.jp"}}"#,
                "\n"
            )
        );
    }

    #[test]
    fn audit_events_have_a_file_of_their_own_at_any_level() {
        let written = logged(
            LogLevel::Off,
            |_| {},
            || {
                tracing::info!(target: "lyra", "not recorded");
                tracing::info!(target: "audit", pattern = "ignore_previous", position = 17, "found");
            },
        );
        let files: Vec<_> = fs::read_dir(written.folder.path().join("logs"))
            .unwrap()
            .map(|it| it.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(files, ["audit-2026-01-15.jsonl"]);
        let audit: Value = serde_json::from_str(&written.read(&files[0])).unwrap();
        assert_eq!(audit["fields"], json!({ "pattern": "ignore_previous", "position": 17 }));
    }

    #[test]
    fn without_events_there_is_no_file() {
        let written = logged(LogLevel::Info, |_| {}, || {});
        assert!(!written.folder.path().join("logs").exists());
    }

    #[test]
    fn a_secret_reaches_the_file_by_no_way() {
        let secret = "hunter2secret";
        #[derive(Debug, thiserror::Error)]
        #[error("request failed: https://aki:{0}@example.com/?access_token={0}")]
        struct Inner(&'static str);
        #[derive(Debug, thiserror::Error)]
        #[error("cannot fetch")]
        struct Outer(#[source] Inner);

        let error = Outer(Inner(secret));
        let written = logged(
            LogLevel::Trace,
            |_| {},
            || {
                tracing::info!(password = secret, "by name");
                tracing::info!(session_cookie = secret, "by name");
                tracing::info!(api_key = ?secret, "by name and Debug");
                tracing::info!(pin_token = 4711_u64, ok_count = 3, "a number by name");
                tracing::info!("Authorization: Bearer {secret}");
                tracing::info!("GET https://example.com/a?page=2&token={secret} took 3 ms");
                tracing::info!("proxy aki:{secret}@proxy.example.com");
                tracing::info!(url = format!("https://aki:{secret}@example.com/"), "in a field");
                tracing::info!(headers = ?[("Cookie", format!("sid={secret}"))], "in a Debug field");
                tracing::info!(body = format!(r#"{{"client_secret":"{secret}"}}"#), "in JSON");
                tracing::info!(error = &error as &(dyn std::error::Error + 'static), "in an error");
                tracing::info!(target: "audit", token = secret, "audit too");
            },
        );
        for file in ["lyra-2026-01-15.jsonl", "audit-2026-01-15.jsonl"] {
            let text = written.read(file);
            assert!(!text.contains("hunter2"), "{text}");
            assert!(!text.contains("4711"), "{text}");
        }
        assert_eq!(written.read("lyra-2026-01-15.jsonl").lines().count(), 11);
    }

    #[test]
    fn of_a_panic_the_place_is_kept_and_no_word_of_what_was_read() {
        use crate::failure::{guarded, install_panic_hook};

        install_panic_hook();
        let mut id = None;
        let act = || {
            let question = String::from("末期がんの患者");
            let cut = guarded::<usize>(|| Ok(question[1..].len())).unwrap_err();
            guarded::<()>(|| panic!("{question} was asked")).unwrap_err();
            guarded::<()>(|| panic!("a fixed text")).unwrap_err();
            id = cut.error_id;
        };
        let log = logged(LogLevel::Info, |_| {}, act).read("lyra-2026-01-15.jsonl");
        assert!(!log.contains("がん"), "{log}");
        assert_eq!(log.matches("log.rs:").count(), 3, "{log}");
        assert_eq!(log.matches(&id.unwrap()).count(), 1, "{log}");
        assert!(log.contains(": a fixed text"), "{log}");
    }

    #[test]
    fn a_log_that_cannot_be_written_is_said_once() {
        let spoil = |folder: &TempDir| fs::write(folder.path().join("logs"), "a file").unwrap();
        let written = logged(LogLevel::Info, spoil, || {
            tracing::info!("one");
            tracing::info!("two");
        });
        let warnings = written.warnings.lock().unwrap();
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].starts_with("cannot write the log in "), "{warnings:?}");
    }
}
