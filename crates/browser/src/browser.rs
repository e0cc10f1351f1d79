//! The one browser: started with the first page, ended when it has been idle.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::installed::chosen;
use crate::process::{self, Process, Purpose};
use crate::render::page;
use crate::{BrowserSettings, Installed, Network, Opening, Problem, Rendered};

/// The browser of a process. Clones share it, and one page at a time is open in it.
#[derive(Debug, Clone)]
pub struct Browser {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    settings: BrowserSettings,
    /// Where its folders are made.
    folder: PathBuf,
    slot: Mutex<Slot>,
}

#[derive(Debug, Default)]
struct Slot {
    process: Option<Process>,
    /// A page is open; set when one that was called off left the process in an unknown state.
    busy: bool,
    used: Option<Instant>,
}

impl Browser {
    /// Prepares to start one with a folder of its own below `folder`. Nothing is started yet.
    pub fn new(settings: BrowserSettings, folder: &Path) -> Self {
        let folder = folder.to_owned();
        Self { inner: Arc::new(Inner { settings, folder, slot: Mutex::default() }) }
    }

    pub fn settings(&self) -> &BrowserSettings {
        &self.inner.settings
    }

    /// Which browser it is, or why there is none that would render.
    pub fn usable(&self) -> Result<Installed, Problem> {
        let settings = &self.inner.settings;
        let installed = chosen(&settings.program)?;
        process::may_run(&installed, settings)?;
        Ok(installed)
    }

    /// Lets the scripts of a page run and reads what they make of it. Whatever the page asks for is asked of `network`.
    /// Dropping the future closes the page.
    pub async fn render(
        &self,
        opening: Opening,
        network: Arc<dyn Network>,
    ) -> Result<Rendered, Problem> {
        let mut slot = self.inner.slot.lock().await;
        let usable = slot.process.as_ref().is_some_and(|it| !it.connection.has_ended());
        if !usable || slot.busy {
            slot.process = None;
            let installed = self.usable()?;
            let Inner { settings, folder, .. } = &*self.inner;
            let started = Process::start(&installed, folder, settings, Purpose::Rendering);
            slot.process = Some(started.await?);
        }
        slot.busy = true;
        let process = slot.process.as_ref().expect("it was started above");
        let rendered =
            page::render(&process.connection, &self.inner.settings, opening, network).await;
        slot.busy = false;
        slot.used = Some(Instant::now());
        // After a page that did not end well the next one gets a browser that nothing happened to.
        if rendered.is_err() {
            slot.process = None;
        }
        drop(slot);
        self.end_when_idle();
        rendered
    }

    /// Ends the browser, if one runs and no page is open.
    pub async fn close(&self) {
        self.inner.slot.lock().await.process = None;
    }

    fn end_when_idle(&self) {
        let idle = Duration::from_secs(self.inner.settings.idle_seconds);
        let inner = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            tokio::time::sleep(idle).await;
            let Some(inner) = inner.upgrade() else { return };
            // Where a page is open now, its end waits again.
            let Ok(mut slot) = inner.slot.try_lock() else { return };
            if slot.used.is_some_and(|it| it.elapsed() >= idle) {
                slot.process = None;
            }
        });
    }
}
