//! The printers of a document. Each knows a format and no content, and escapes every text it writes.

mod docx;
mod html;
mod markdown;
mod text;

pub use markdown::Part;

/// Marks where they are text: behind a space, and with how many more there are, escaped.
fn marks(numbers: &[u32], more: Option<String>, before: &str) -> String {
    let space = if before.is_empty() || before.ends_with(' ') { "" } else { " " };
    let marks: String = numbers.iter().map(|number| format!("[{number}]")).collect();
    match more {
        Some(more) => format!("{space}{marks} {more}"),
        None => format!("{space}{marks}"),
    }
}
