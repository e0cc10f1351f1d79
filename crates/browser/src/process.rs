//! The browser as a process that cannot outlive us.
//!
//! It ends by itself when our end of its pipes closes, which the kernel does for us however we end. Where we end it we
//! end its whole process group.

use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::connection::{Connection, NoResult};
use crate::profile::Profile;
use crate::{BrowserSettings, Installed, Problem};

/// How long a browser may take to say who it is.
const START: Duration = Duration::from_secs(15);

/// Its two pipes have to be its files 3 and 4. A shell puts them there, and becomes the browser.
const ARRANGE: &str = r#"exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;

/// A name that is registered for nobody (RFC 6761), so that whatever our answers do not cover ends there.
const NOWHERE: [&str; 3] = [
    "--proxy-server=http://nowhere.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
];

const FLAGS: [&str; 19] = [
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-gpu",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--password-store=basic",
    "--use-mock-keychain",
    "--metrics-recording-only",
];

/// What a browser is started for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose<'a> {
    /// Pages are rendered: nobody sees it, and it has no network.
    Rendering,
    /// A person is at work in its window; its network is the proxy at this address.
    Person { proxy: SocketAddr, languages: &'a str },
}

impl Purpose<'_> {
    fn arguments(self) -> Vec<String> {
        match self {
            Self::Rendering => {
                let own = ["--headless", "--mute-audio"];
                own.into_iter().chain(NOWHERE).map(str::to_owned).collect()
            }
            Self::Person { proxy, languages } => {
                // As headers have it, without weights.
                let languages = languages.split(',').map(|it| it.split(';').next().unwrap_or(it));
                let languages: Vec<&str> = languages.map(str::trim).collect();
                vec![
                    format!("--proxy-server=http://{proxy}"),
                    // Loopback too: the proxy refuses it.
                    "--proxy-bypass-list=<-loopback>".to_owned(),
                    format!("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {}", proxy.ip()),
                    format!("--accept-lang={}", languages.join(",")),
                ]
            }
        }
    }
}

/// Whether a browser could be started here.
pub(crate) fn may_run(installed: &Installed, settings: &BrowserSettings) -> Result<(), Problem> {
    if cfg!(not(unix)) {
        return Err(Problem::System);
    }
    match settings.sandbox && is_root() {
        true => Err(Problem::Root(installed.program.clone())),
        false => Ok(()),
    }
}

/// A running browser.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) connection: Arc<Connection>,
    child: Child,
    /// Deleted when the processes are gone.
    _profile: Profile,
}

impl Process {
    pub(crate) async fn start(
        installed: &Installed,
        folder: &Path,
        settings: &BrowserSettings,
        purpose: Purpose<'_>,
    ) -> Result<Self, Problem> {
        let profile = Profile::make(folder).map_err(|it| Problem::Folder(it.to_string()))?;
        let complaints = profile.complaints();
        let not_started = |why: String| {
            let said = files::read_text(&complaints, 64 << 10).unwrap_or_default();
            let last = said.lines().rev().find(|it| !it.trim().is_empty());
            let why = last.map_or(why.clone(), |last| format!("{why}: {}", last.trim()));
            Problem::NotStarted { program: installed.program.clone(), why }
        };
        let process = Self::spawn(installed, profile, settings, purpose)
            .map_err(|it| not_started(it.to_string()))?;
        let hello = process.connection.call(None, "Browser.getVersion", json!({}), START);
        match hello.await {
            Ok(_) => Ok(process),
            Err(NoResult::Late) => {
                Err(not_started(format!("it did not answer within {} s", START.as_secs())))
            }
            Err(NoResult::Refused(why)) => Err(not_started(why)),
            Err(NoResult::Ended | NoResult::Gone) => Err(not_started("it ended".to_owned())),
        }
    }

    fn spawn(
        installed: &Installed,
        profile: Profile,
        settings: &BrowserSettings,
        purpose: Purpose<'_>,
    ) -> std::io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", ARRANGE, "sh"])
            .arg(&installed.program)
            .args(FLAGS)
            .args(purpose.arguments())
            .arg(format!("--js-flags=--max-old-space-size={}", settings.script_memory_mb));
        if !settings.sandbox {
            command.arg("--no-sandbox");
        }
        let mut data = std::ffi::OsString::from("--user-data-dir=");
        data.push(profile.data());
        command
            .arg(data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(profile.complaints())?);
        // People write Japanese with a program that is reached over this bus.
        if matches!(purpose, Purpose::Rendering) {
            command.env("DBUS_SESSION_BUS_ADDRESS", "disabled:");
        }
        if let Some(temporary) = profile.temporary() {
            command.env("TMPDIR", temporary);
        }
        own_group(&mut command);
        let mut child = command.spawn()?;
        let input = child.stdin.take().expect("it was asked for");
        let output = child.stdout.take().expect("it was asked for");
        let connection = Arc::new(Connection::open(input, output)?);
        Ok(Self { connection, child, _profile: profile })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Err(error) = end(&mut self.child) {
            tracing::warn!(%error, "the browser was not ended");
        }
    }
}

/// Keys pressed in our terminal are meant for us.
#[cfg(unix)]
fn own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) {}

#[cfg(unix)]
fn end(child: &mut Child) -> std::io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // Until it is waited for nobody else can have its number. The rest of the group may outlive its first process.
    if let Some(group) = group
        && let Err(error) = kill_process_group(group, Signal::KILL)
        && error != rustix::io::Errno::SRCH
    {
        child.kill()?;
    }
    child.wait()?;
    Ok(())
}

#[cfg(not(unix))]
fn end(child: &mut Child) -> std::io::Result<()> {
    child.kill()?;
    child.wait()?;
    Ok(())
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
