//! Any bytes under any name: Office files, pictures and programs are named, text is read, positions hold.
#![no_main]

use extract::{Input, ReadSettings};
use libfuzzer_sys::fuzz_target;
use url::Url;

const STARTS: [&[u8]; 6] = [b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x7fELF", b"\x89PNG\r\n\x1a\n", b"\x1f\x8b\x08"];
const ENDINGS: [&str; 8] = ["docx", "xlsx", "md", "txt", "json", "xml", "html", "bin"];

fuzz_target!(|bytes: &[u8]| {
    let [start, ending, rest @ ..] = bytes else { return };
    let bytes = [STARTS[usize::from(*start) % STARTS.len()], rest].concat();
    let ending = ENDINGS[usize::from(*ending) % ENDINGS.len()];
    let url = Url::parse(&format!("file:///memo.{ending}")).expect("a fixed address");
    let document = extract::read(Input { bytes: &bytes, url: Some(&url), ..Input::default() }, &ReadSettings::default());
    let length = document.text.chars().count();
    assert!(document.fragments.iter().all(|it| it.char_start <= it.char_end && it.char_end <= length));
});
