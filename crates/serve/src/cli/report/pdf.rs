//! A report as PDF: our own page, printed by a browser that is installed.
//!
//! The browser gets a profile of its own that is deleted afterwards, resolves no name, and ends with us: it stays in our
//! process group, prints one page and quits.

use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::ui::{Doing, Ui};
use crate::words::say;

/// How long a browser may take: a report of a hundred pages needs seconds.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often to look whether it is done.
const GLANCE: Duration = Duration::from_millis(20);

/// The bytes of a PDF of a page.
pub(super) fn printed(ui: &Ui, html: &str) -> Result<Vec<u8>, Failure> {
    let folder = tempfile::Builder::new().prefix("lyra-print-").tempdir()?;
    std::fs::write(folder.path().join("report.html"), html)?;
    let mut reasons = Vec::new();
    for browser::Installed { program: browser } in browser::installed() {
        let shown = printing(ui, &browser);
        let pdf = print(&browser, folder.path());
        drop(shown);
        match pdf {
            Ok(pdf) => return Ok(pdf),
            Err(reason) => reasons.push(format!("{}: {reason}", browser.display())),
        }
        interrupt::check()?;
    }
    Err(match reasons.is_empty() {
        true => Failure::new(Kind::NotFound, "there is no browser to print a PDF with")
            .hint(|w| &w.hint.install_browser),
        false => Failure::new(
            Kind::Internal,
            format!("no browser printed the report: {}", reasons.join("; ")),
        )
        .hint(|w| &w.hint.install_browser),
    })
}

/// Says that a browser is at work.
fn printing(ui: &Ui, browser: &Path) -> Doing {
    let name = browser.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (began, own) = (Instant::now(), ui.clone());
    ui.doing(Box::new(move || {
        let progress = &own.words().progress;
        let time = say!(progress.seconds, n = began.elapsed().as_secs());
        say!(progress.printing, browser = name, time = time)
    }))
}

fn print(browser: &Path, folder: &Path) -> io::Result<Vec<u8>> {
    let (page, pdf) = (folder.join("report.html"), folder.join("report.pdf"));
    let address = url::Url::from_file_path(&page).map_err(|()| io::Error::other("bad folder"))?;
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check"])
        .args(["--disable-extensions", "--disable-sync", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-domain-reliability", "--disable-breakpad"])
        .args(["--password-store=basic", "--use-mock-keychain", "--no-pdf-header-footer"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--generate-pdf-document-outline"])
        .arg(join("--user-data-dir=", &folder.join("profile")))
        .arg(join("--print-to-pdf=", &pdf))
        .arg(address.as_str())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Chromium does not start for root with the sandbox it has. The page is our own, escaped, and its policy lets it
    // neither run nor load anything.
    #[cfg(unix)]
    if rustix::process::geteuid().is_root() {
        command.arg("--no-sandbox");
    }
    let running = Running::start(&mut command)?;
    running.wait()?;
    let bytes = std::fs::read(&pdf).map_err(|_| io::Error::other("it wrote nothing"))?;
    std::fs::remove_file(&pdf)?;
    match bytes.starts_with(b"%PDF-") {
        true => Ok(bytes),
        false => Err(io::Error::other("what it wrote is no PDF")),
    }
}

fn join(flag: &str, path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(flag);
    argument.push(path);
    argument
}

/// A browser at work. It is ended where nobody waits for it any longer.
struct Running(Arc<Mutex<Child>>);

impl Running {
    fn start(command: &mut Command) -> io::Result<Self> {
        let child = Arc::new(Mutex::new(command.spawn()?));
        let stopped = Arc::clone(&child);
        interrupt::on_stop(move || end(&stopped));
        Ok(Self(child))
    }

    fn wait(&self) -> io::Result<()> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = lock(&self.0).try_wait()? {
                return match status.success() {
                    true => Ok(()),
                    false => Err(io::Error::other(status.to_string())),
                };
            }
            thread::sleep(GLANCE);
        }
        Err(io::Error::other(format!("it took longer than {} s", PATIENCE.as_secs())))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        end(&self.0);
    }
}

fn end(child: &Mutex<Child>) {
    let mut child = lock(child);
    // One that has ended is none to end.
    if matches!(child.try_wait(), Ok(None))
        && let Err(error) = child.kill().and_then(|()| child.wait())
    {
        let error = &error as &(dyn std::error::Error + 'static);
        tracing::warn!(error, "the browser was not ended");
    }
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}
