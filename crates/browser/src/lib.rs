//! Pages that need scripts, rendered by the browser that the user has installed.
//!
//! [`Browser::render`] takes a page as a plain request brought it and gives the text that its scripts make of it. The
//! browser has no network of its own: whatever a page asks for is held, shown to a [`Network`], and answered from there
//! or refused; what escapes that finds no name and no address. `docs/adr/0030` has the reasons.
//!
//! One page at a time is open, in a context of its own that is thrown away. The browser starts with the first page, ends
//! when it has been idle, and ends with the process that started it, however that ends.

// What is there, and how it is run.
mod installed;
mod process;
mod profile;
mod settings;

// The DevTools protocol.
mod connection;

// A page, from its first request to its text.
mod problem;
mod render;

// A window for a person.
mod window;

// The one slot.
mod browser;

pub use browser::Browser;
pub use installed::{Installed, installed};
pub use problem::Problem;
pub use render::network::{Bringing, Brought, Network, Wanted};
pub use render::{Opening, Part, PartOutcome, Rendered};
pub use settings::BrowserSettings;
pub use window::{Cookie, Seen, Window, screen};
