//! The user: notifications on the desktop, and questions answered on the command line.
//!
//! A notification carries a title, a reason and an address, with anything that looks like a secret taken out
//! (NTF-03). It is shown by the platform's own program; where there is none, nothing is shown and nothing fails.
//! A question is a small file below the data directory, and so is its answer: no process has to wait for another.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::schema::clipped;
use super::tool_error::{Code, ToolError};
use crate::failure::error_id;
use crate::log::without_secrets;
use crate::session::Session;

/// Longest time the program that shows a notification may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Questions that can stand at the same time.
const MAX_QUESTIONS: usize = 100;
/// Bytes of an answer that are read.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// What a notification says.
#[derive(Debug, Clone)]
pub(crate) struct Notice {
    pub(crate) urgent: bool,
    pub(crate) title: String,
    pub(crate) reason: String,
    pub(crate) url: Option<String>,
    pub(crate) timeout_seconds: Option<u64>,
}

#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) id: String,
    pub(crate) shown: bool,
}

/// Shows a notification, if this machine can.
pub(crate) async fn notify(session: &Session, notice: Notice) -> Sent {
    let id = error_id(&notice.reason).replace("err_", "n_");
    let notice = notice.fit_to_show();
    let mut shown = false;
    for way in ways(session, &notice) {
        if way.run().await {
            shown = true;
            break;
        }
    }
    Sent { id, shown }
}

impl Notice {
    /// One line each, without control characters and secrets; of an address the user part and the query are
    /// left out, where keys live.
    fn fit_to_show(self) -> Self {
        let line = |text: &str, most: usize| {
            let plain: String =
                text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            clipped(&without_secrets(&plain), most)
        };
        let url = self.url.as_deref().and_then(|it| url::Url::parse(it).ok()).map(|mut url| {
            // An address without these is still an address.
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            url.set_fragment(None);
            line(url.as_str(), 300)
        });
        Self { title: line(&self.title, 100), reason: line(&self.reason, 300), url, ..self }
    }

    fn body(&self) -> String {
        match &self.url {
            Some(url) => format!("{}\n{url}", self.reason),
            None => self.reason.clone(),
        }
    }
}

/// A program that can show a notification. Texts are arguments of their own or, for PowerShell, in its environment:
/// nothing in them is ever a command.
struct Way {
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl Way {
    fn new(program: impl Into<PathBuf>, arguments: Vec<String>) -> Self {
        Self { program: program.into(), arguments, environment: Vec::new() }
    }
}

/// The programs that can show a notification here.
fn ways(session: &Session, notice: &Notice) -> Vec<Way> {
    let (title, body) = (notice.title.clone(), notice.body());
    let own = &session.settings.mcp.notify_program;
    if !own.is_empty() {
        return vec![Way::new(own, vec![title, body])];
    }
    if cfg!(target_os = "macos") {
        let script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";
        let arguments = vec!["-e".to_owned(), script.to_owned(), title, body];
        return vec![Way::new("osascript", arguments)];
    }
    if cfg!(windows) {
        return vec![toast(title, body)];
    }
    let mut send = vec!["--app-name=Lyra".to_owned()];
    send.push(format!("--urgency={}", if notice.urgent { "critical" } else { "normal" }));
    send.extend(notice.timeout_seconds.map(|it| format!("--expire-time={}", it * 1000)));
    send.extend(["--".to_owned(), title.clone(), body.clone()]);
    // Linux inside of Windows has no desktop of its own.
    vec![Way::new("notify-send", send), toast(title, body)]
}

/// Variables that PowerShell reads the texts from. `WSLENV` names those that Linux hands over to Windows.
const TITLE: &str = "LYRA_NOTICE_TITLE";
const BODY: &str = "LYRA_NOTICE_BODY";

/// A toast of Windows. The script is always the same: quotes of any kind in the texts end nothing.
fn toast(title: String, body: String) -> Way {
    let script = "\
        [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime] | Out-Null; \
        $xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02); \
        $texts = $xml.GetElementsByTagName('text'); \
        $texts.Item(0).AppendChild($xml.CreateTextNode($env:LYRA_NOTICE_TITLE)) | Out-Null; \
        $texts.Item(1).AppendChild($xml.CreateTextNode($env:LYRA_NOTICE_BODY)) | Out-Null; \
        [Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('Lyra').Show([Windows.UI.Notifications.ToastNotification]::new($xml))";
    let arguments = ["-NoProfile", "-NonInteractive", "-Command", script].map(str::to_owned);
    let shared = std::env::var("WSLENV").map(|it| it + ":").unwrap_or_default();
    let shared = format!("{shared}{TITLE}:{BODY}");
    let environment = vec![(TITLE, title), (BODY, body), ("WSLENV", shared)];
    Way { program: "powershell.exe".into(), arguments: arguments.into(), environment }
}

impl Way {
    /// Runs a program that shows something; says whether it did.
    async fn run(&self) -> bool {
        let child = std::process::Command::new(&self.program)
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut child) = child else { return false };
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) if tokio::time::Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                _ => {
                    // It hangs: it is ended, and did not show anything that could be relied on.
                    drop(child.kill());
                    drop(child.wait());
                    return false;
                }
            }
        }
    }
}

/// A question that waits for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Question {
    pub(crate) id: String,
    pub(crate) prompt: String,
    pub(crate) choices: Vec<String>,
    pub(crate) asked_at: Timestamp,
    pub(crate) expires_at: Timestamp,
}

impl Question {
    /// Puts a question, or finds the same one that stands already. Says whether it is new.
    pub(crate) fn ask(
        session: &Session,
        prompt: &str,
        choices: &[String],
        timeout: Duration,
    ) -> Result<(Self, bool), ToolError> {
        let words = [&[prompt.to_owned()], choices].concat().join("\u{0}");
        let id = format!("q_{}", &blake3::hash(words.as_bytes()).to_hex()[..12]);
        let standing = Self::read(&session.places.questions().join(format!("{id}.json")));
        if let Some(question) = standing.filter(|it| !it.is_over(session)) {
            return Ok((question, false));
        }
        if Self::open(session).len() >= MAX_QUESTIONS {
            return Err(ToolError::new(
                Code::PipelineError,
                "too many questions wait for the user",
            )
            .hint("`lyra answer` lists them"));
        }
        let now = session.now();
        let timeout = SignedDuration::try_from(timeout).unwrap_or(SignedDuration::MAX);
        let expires_at = now.checked_add(timeout).unwrap_or(Timestamp::MAX);
        let question = Self {
            id,
            prompt: prompt.to_owned(),
            choices: choices.to_vec(),
            asked_at: now,
            expires_at,
        };
        question.forget(session);
        let text = serde_json::to_vec_pretty(&question).expect("a question is plain data");
        write(&session.places.questions(), &question.file(), &text).map_err(unwritable)?;
        Ok((question, true))
    }

    /// The questions that stand, oldest first. Files that are none are left alone.
    pub(crate) fn open(session: &Session) -> Vec<Self> {
        let Ok(entries) = fs::read_dir(session.places.questions()) else { return Vec::new() };
        let mut found: Vec<Self> = entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let name = path.file_name()?.to_str()?;
                let is_question = name.starts_with("q_") && !name.contains(".answer");
                is_question.then(|| Self::read(&path)).flatten()
            })
            .filter(|it: &Self| !it.is_over(session) && it.answer(session).ok().flatten().is_none())
            .collect();
        found.sort_by(|a, b| (a.asked_at, &a.id).cmp(&(b.asked_at, &b.id)));
        found
    }

    fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&files::read(path, MAX_ANSWER_BYTES).ok()?).ok()
    }

    pub(crate) fn is_over(&self, session: &Session) -> bool {
        session.now() >= self.expires_at
    }

    /// What the user answered.
    pub(crate) fn answer(&self, session: &Session) -> Result<Option<String>, ToolError> {
        use std::io::Read;
        let path = session.places.questions().join(self.answer_file());
        let file = match files::open(&path) {
            Ok(file) => file,
            Err(_) => return Ok(None),
        };
        let mut text = String::new();
        file.take(MAX_ANSWER_BYTES).read_to_string(&mut text).map_err(|error| {
            ToolError::logged(Code::PipelineError, "the answer cannot be read", &error.to_string())
        })?;
        Ok(Some(text))
    }

    /// Writes the user's answer down.
    pub(crate) fn settle(&self, session: &Session, text: &str) -> std::io::Result<()> {
        write(&session.places.questions(), &self.answer_file(), text.as_bytes())
    }

    /// Removes the question and its answer.
    pub(crate) fn forget(&self, session: &Session) {
        for name in [self.file(), self.answer_file()] {
            // It may never have been there.
            drop(fs::remove_file(session.places.questions().join(name)));
        }
    }

    fn file(&self) -> String {
        format!("{}.json", self.id)
    }

    fn answer_file(&self) -> String {
        format!("{}.answer.txt", self.id)
    }
}

/// Writes a file whole or not at all.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    files::make_private_folder(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(folder.join(name)).map_err(|error| error.error)?;
    Ok(())
}

fn unwritable(error: std::io::Error) -> ToolError {
    ToolError::logged(
        Code::PipelineError,
        "the question cannot be written down",
        &error.to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notification_carries_no_secret() {
        let notice = Notice {
            urgent: false,
            title: "Sign\u{1b}[31m in".to_owned(),
            reason: "needs a login; token=abcdef0123456789abcdef0123456789 was refused".to_owned(),
            url: Some("https://me:pass@example.org/page?session=1234#top".to_owned()),
            timeout_seconds: None,
        };
        let shown = notice.fit_to_show();
        assert_eq!(shown.title, "Sign [31m in");
        assert_eq!(shown.reason, "needs a login; token=[redacted] was refused");
        assert_eq!(shown.url.as_deref(), Some("https://example.org/page"));
    }

    #[test]
    fn a_text_is_never_a_command_of_powershell() {
        // PowerShell takes typographic quotes for plain ones.
        let hostile = "\u{2018}; Remove-Item x; \u{2019}'\u{201b}";
        let way = toast("it's".to_owned(), hostile.to_owned());
        let plain = toast(String::new(), String::new());
        assert_eq!(way.arguments, plain.arguments, "the script does not depend on the texts");
        assert_eq!(way.environment[..2], [(TITLE, "it's".to_owned()), (BODY, hostile.to_owned())]);
    }
}
