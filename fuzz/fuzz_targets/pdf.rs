//! Any bytes as a PDF: no panic, no hang.
#![no_main]

use extract::{Input, ReadSettings};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let headers = [("content-type".to_owned(), "application/pdf".to_owned())];
    let mut file = b"%PDF-1.7\n".to_vec();
    let bytes = if bytes.starts_with(b"%PDF") {
        bytes
    } else {
        file.extend_from_slice(bytes);
        &file
    };
    extract::read(Input { bytes, headers: &headers, ..Input::default() }, &ReadSettings::default());
});
