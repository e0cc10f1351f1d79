//! Text in pictures, read by an engine that the caller provides.
//!
//! Reading pictures takes a model or a program of its own, which this crate has not: it hands out the
//! picture of a page that has no text, and takes what comes back as the text of that page.

use std::fmt::Debug;

/// Reads the text in a picture.
pub trait Ocr: Debug {
    /// The text, its paragraphs parted by empty lines; nothing if there is none.
    fn read(&self, image: &PageImage<'_>) -> Option<String>;
}

/// A picture on a page of a PDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageImage<'a> {
    /// The page it stands on, from 1.
    pub page: u32,
    /// Its size in pixels, as the file states it.
    pub width: u32,
    pub height: u32,
    pub format: ImageFormat,
    pub bytes: &'a [u8],
}

/// What the bytes of a picture are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// A whole JPEG file.
    Jpeg,
    /// A whole JPEG 2000 file.
    Jpeg2000,
    /// A fax as ITU-T T.4 (`k` 0 or more) or T.6 (`k` below 0) packs it.
    Fax { k: i32, black_is_1: bool },
    /// Rows of pixels from the top, each row filled up to whole bytes.
    Pixels { bits: u8, channels: u8 },
}
