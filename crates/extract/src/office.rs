//! Office documents and books: a ZIP file of XML parts. docx, pptx, xlsx, OpenDocument, EPUB.
//!
//! `package` unpacks parts within bounds, whatever their headers say; `xml` walks one; the others know what the parts
//! mean. What people wrote is read, not what surrounds it: no headers and footers, no comments, no deleted text.

mod book;
mod open_document;
mod package;
mod sheets;
mod slides;
mod word;
mod xml;

use crate::document::{Format, HiddenText, Metadata, Problem};
use crate::piece::Piece;
use crate::settings::ReadSettings;

use package::Package;

/// What was read of a document.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) metadata: Metadata,
    pub(crate) hidden: Vec<HiddenText>,
    pub(crate) problems: Vec<Problem>,
}

/// The kind of document a ZIP file is; nothing for other archives and for damaged ones.
pub(crate) fn format(bytes: &[u8]) -> Option<Format> {
    let mut package = Package::open(bytes).ok()?;
    let kinds = [
        ("word/document.xml", Format::Docx),
        ("ppt/presentation.xml", Format::Pptx),
        ("xl/workbook.xml", Format::Xlsx),
    ];
    if let Some(found) = kinds.iter().find(|it| package.has(it.0)) {
        return Some(found.1);
    }
    let kind = package.text("mimetype")?;
    match kind.trim() {
        "application/epub+zip" => Some(Format::Epub),
        it if it.starts_with("application/vnd.oasis.opendocument") => Some(Format::OpenDocument),
        _ => None,
    }
}

/// Reads a document of a format that `format` told.
pub(crate) fn read(bytes: &[u8], format: Format, options: &ReadSettings) -> Read {
    let mut package = match Package::open(bytes) {
        Ok(package) => package,
        Err(reason) => {
            let problems = vec![Problem::Damaged { reason }];
            return Read { problems, ..Read::default() };
        }
    };
    let mut read = match format {
        Format::Docx => word::read(&mut package),
        Format::Pptx => slides::read(&mut package),
        Format::Xlsx => sheets::read(&mut package, options),
        Format::Epub => book::read(&mut package, options),
        _ => open_document::read(&mut package),
    };
    if matches!(format, Format::Docx | Format::Pptx | Format::Xlsx)
        && let Some(core) = package.text("docProps/core.xml")
    {
        xml::describe(&core, &mut read.metadata);
    }
    read.problems.extend(package.into_problems());
    read
}
