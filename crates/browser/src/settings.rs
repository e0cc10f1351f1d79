//! The settings of the browser.

use std::path::PathBuf;

use settings::settings;

settings! {
    /// Pages that need scripts, rendered by the Chromium, Chrome or Edge that is installed here.
    pub struct BrowserSettings {
        /// Whether pages that need scripts are rendered. Without it such a page is missed, and says so.
        enabled: bool = true;
        /// The browser to use; "" looks on the search path and in the usual places.
        program: PathBuf = PathBuf::new();
        /// Whether a picture of each rendered page is kept in the archive.
        screenshots: bool = true;
    }
    expert {
        /// Milliseconds a page may take to render, besides the time its requests wait for their turn.
        render_ms: u64 = 30_000, in 1_000..=600_000;
        /// Milliseconds a page may take in all, with that wait.
        page_ms: u64 = 180_000, in 1_000..=3_600_000;
        /// Milliseconds of its timers that a page is given after it has loaded. They pass at once.
        timers_ms: u64 = 5_000, in 0..=60_000;
        /// Screens a page is scrolled down, so that what loads on sight is loaded.
        max_screens: u32 = 20, in 0..=500;
        /// Requests a page may make while it is rendered.
        max_requests: usize = 150, in 1..=5_000;
        /// Times a page may send itself elsewhere by script.
        max_navigations: usize = 5, in 0..=50;
        /// Bytes of a rendered page.
        max_page_bytes: usize = 20 << 20, in 1_024..=1_073_741_824;
        /// Megabytes that the scripts of a page may use.
        script_memory_mb: u32 = 512, in 64..=16_384;
        /// Seconds without a page after which the browser is ended.
        idle_seconds: u64 = 60, in 1..=3_600;
        /// Whether the browser confines its own processes. Turn it off only where it cannot: it does not do so for root.
        sandbox: bool = true;
    }
}
