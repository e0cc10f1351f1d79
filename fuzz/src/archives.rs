//! Web archives.

use std::io::Write;

/// Any bytes as a web archive, packed or not: what is found lies in the file.
pub fn warc(bytes: &[u8]) {
    let mut file = tempfile::NamedTempFile::with_suffix(".warc").expect("there is room for a file");
    file.write_all(bytes).expect("there is room for a file");
    if let Ok(verified) = archive::verify(file.path()) {
        assert!(verified.records <= bytes.len());
    }
}
