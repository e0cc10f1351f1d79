//! What `cargo xtask eval extraction` needs beyond the public interface: the numbers that the block model is
//! trained on, and gold texts that are HTML.

use crate::html;
use crate::settings::ReadSettings;

/// The text and the numbers of every block of a page that people can see.
pub fn block_rows(page: &str) -> Vec<(String, Vec<f32>)> {
    html::rows(page, &ReadSettings::default())
}

/// All the text of a page, content or not, for gold texts that are written in HTML.
pub fn all_text(page: &str) -> String {
    html::all_text(page, &ReadSettings::default())
}
