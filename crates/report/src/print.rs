//! The printers of a document. Each knows a format and no content, and escapes every text it writes.

mod html;
mod markdown;
mod text;
