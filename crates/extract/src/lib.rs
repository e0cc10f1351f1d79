//! Untrusted bytes to passages that can be cited.
//!
//! Pure: no clock, disk or network; the same bytes give the same document. The program that uses it may have it work in
//! child processes (`confined`), which changes nothing but who is hurt by a crash. Read [`Document`] first, then
//! [`read()`], then the way of an HTML page: `html/tokens` -> `html/tree` -> `html/blocks` ->
//! `html/content` -> `fragments`.

mod confined;
mod document;
mod ocr;
mod office;
mod read;
mod settings;

mod binary;
mod charset;
mod sniff;

mod feed;
mod html;
mod json;
mod markdown;
mod pdf;
mod plain;
mod sitemap;
mod xml_records;

mod deep_link;
mod fragments;
mod piece;
mod render;

mod links;
mod mail;

mod gate;
mod page_type;
mod quality;
mod view;

pub mod near_duplicate;
pub mod select;

mod dates;

pub mod learning;

pub use charset::decode_text;
pub use confined::HANDLER;
pub use dates::iso as iso_date;
pub use document::{Document, Format, Fragment, Heading, HiddenBy, HiddenText, Metadata, Problem};
pub use feed::FeedEntry;
pub use gate::{Gate, GateKind};
pub use html::NeedsScripts;
pub use links::{Link, clean_address};
pub use markdown::{MarkdownHeading, markdown_body, markdown_headings};
pub use ocr::{ImageFormat, Ocr, PageImage};
pub use page_type::{PageType, Typed};
pub use quality::{Quality, QualityFeatures};
pub use read::{Input, read, read_with_ocr};
pub use settings::ReadSettings;
