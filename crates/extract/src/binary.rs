//! Files that hold no text of their own: archives, pictures, programs. They are named and not read.

use memchr::memmem;

/// What is said of bytes that are no text and no format we know.
pub(crate) const UNKNOWN: &str = "a binary file of an unknown kind";

/// Characters at the beginning that are looked at.
const HEAD_CHARS: usize = 4096;
/// Bytes of an archive in which the name of its first files stands.
const ARCHIVE_BYTES: usize = 8192;

/// First bytes that no text has.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (doc, xls, ppt)"),
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF87a", "a picture (GIF)"),
    (b"GIF89a", "a picture (GIF)"),
    (b"II*\0", "a picture (TIFF)"),
    (b"MM\0*", "a picture (TIFF)"),
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ\x90\0", "a program (Windows)"),
    (b"\xcf\xfa\xed\xfe", "a program (macOS)"),
    (b"\xca\xfe\xba\xbe", "a program (macOS or Java)"),
    (b"\0asm", "a program (WebAssembly)"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"BZh9", "a compressed file (bzip2)"),
    (b"\xfd7zXZ\0", "a compressed file (xz)"),
    (b"\x28\xb5\x2f\xfd", "a compressed file (zstd)"),
    (b"7z\xbc\xaf\x27\x1c", "an archive (7z)"),
    (b"Rar!\x1a\x07", "an archive (RAR)"),
    (b"SQLite format 3\0", "a database (SQLite)"),
    (b"OggS\0", "a sound or film (Ogg)"),
    (b"ID3\x03", "a sound (MP3)"),
    (b"ID3\x04", "a sound (MP3)"),
    (b"fLaC\0", "a sound (FLAC)"),
    (b"\x1aE\xdf\xa3", "a film (Matroska)"),
    (b"wOF2", "a font (WOFF)"),
    (b"wOFF", "a font (WOFF)"),
];

/// What is in an archive, by a name that stands near its beginning.
const PACKED: &[(&[u8], &str)] = &[
    (b"mimetypeapplication/epub+zip", "a book (EPUB)"),
    (b"mimetypeapplication/vnd.oasis", "an OpenDocument file (odt, ods, odp)"),
    (b"word/", "a Word document (docx)"),
    (b"xl/", "an Excel workbook (xlsx)"),
    (b"ppt/", "a PowerPoint presentation (pptx)"),
    (b"[Content_Types].xml", "an Office document"),
];

pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The kind of file, where its first bytes leave no doubt.
pub(crate) fn kind(bytes: &[u8]) -> Option<&'static str> {
    if is_zip(bytes) {
        let head = &bytes[..bytes.len().min(ARCHIVE_BYTES)];
        let packed = PACKED.iter().find(|it| memmem::find(head, it.0).is_some());
        return Some(packed.map_or("an archive (ZIP)", |it| it.1));
    }
    if let Some((b"RIFF", rest)) = bytes.split_at_checked(4) {
        return match rest.get(4..8)? {
            b"WEBP" => Some("a picture (WebP)"),
            b"WAVE" => Some("a sound (WAV)"),
            b"AVI " => Some("a film (AVI)"),
            _ => None,
        };
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some("a film or picture (MP4, HEIC, AVIF)");
    }
    SIGNATURES.iter().find(|it| bytes.starts_with(it.0)).map(|it| it.1)
}

/// Whether a text was made of bytes that are none: more than a twentieth of it are controls, or a third could not be
/// read in any character set.
pub(crate) fn is_noise(text: &str) -> bool {
    let (mut all, mut controls, mut unreadable) = (0, 0, 0);
    for c in text.chars().take(HEAD_CHARS) {
        all += 1;
        match c {
            // White space, page breaks, backspaces of old printers, and colours of a terminal.
            '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{8}' | '\u{1b}' => {}
            '\u{fffd}' => unreadable += 1,
            c if c.is_control() => controls += 1,
            _ => {}
        }
    }
    controls * 20 > all || unreadable * 3 > all
}
