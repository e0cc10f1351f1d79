//! A declared character set (first line) and any bytes.
#![no_main]

use extract::{Input, ReadSettings};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let split = bytes.iter().position(|it| *it == b'\n').unwrap_or(0);
    let (declared, body) = bytes.split_at(split);
    let declared = String::from_utf8_lossy(declared).into_owned();
    for kind in ["text/html", "text/plain", "text/markdown", "application/json", "application/xml"] {
        let headers = [("content-type".to_owned(), format!("{kind}; charset={declared}"))];
        extract::read(Input { bytes: body, headers: &headers, ..Input::default() }, &ReadSettings::default());
    }
});
