//! What is said to a page once it has come to rest.

use serde_json::{Value, json};

/// Reads the document (`read.js`), up to a number of letters.
pub(super) fn read(max: usize) -> String {
    format!("{}({max})", include_str!("read.js"))
}

/// Shows the next screen; says whether there was one. A page knows what is on the screen, and what left it, once that is
/// drawn.
pub(super) const SCROLL: &str = "(async () => { \
    const drawn = () => new Promise((it) => requestAnimationFrame(() => requestAnimationFrame(it))); \
    await drawn(); const at = window.scrollY; window.scrollBy(0, window.innerHeight); \
    await drawn(); return window.scrollY > at; })()";

/// Back to where a person begins.
pub(super) const TO_THE_TOP: &str = "window.scrollTo(0, 0)";

/// Runs something in a world of its own, where the scripts of the page have changed nothing.
pub(super) fn in_world(world: &Value, expression: &str) -> Value {
    json!({ "expression": expression, "contextId": world, "returnByValue": true, "awaitPromise": true })
}

/// The picture of a page, from its top.
pub(super) fn picture(height: f64) -> Value {
    /// Higher pages are cut: a picture is for people, the text is beside it.
    const HIGHEST: f64 = 8_000.0;
    let height = height.clamp(f64::from(super::page::HEIGHT), HIGHEST);
    json!({
        "format": "png",
        "captureBeyondViewport": true,
        "clip": { "x": 0, "y": 0, "width": super::page::WIDTH, "height": height, "scale": 1 },
    })
}
