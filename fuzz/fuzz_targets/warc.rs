//! Any bytes as a web archive, packed or not: no panic, and what is found lies in the file.
#![no_main]

use std::io::Write;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::with_suffix(".warc").expect("there is room for a file");
    file.write_all(bytes).expect("there is room for a file");
    if let Ok(verified) = archive::verify(file.path()) {
        assert!(verified.records as usize <= bytes.len());
    }
});
