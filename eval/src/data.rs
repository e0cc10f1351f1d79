//! Reads files of the data folder, packed or not.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;

use crate::Failure;

/// Opens a file; one that ends in `.gz` is unpacked on the way.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file: Box<dyn Read> = match path.extension() {
        Some(it) if it == "gz" => Box::new(MultiGzDecoder::new(BufReader::new(file))),
        _ => Box::new(file),
    };
    Ok(Box::new(BufReader::new(file)))
}

/// One value per line of JSON.
pub(crate) fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    let mut rows = Vec::new();
    for (number, line) in open(path)?.lines().enumerate() {
        let at = |error: &dyn std::fmt::Display| {
            format!("{}, line {}: {error}", path.display(), number + 1)
        };
        let line = line.map_err(|error| at(&error))?;
        if !line.trim().is_empty() {
            rows.push(serde_json::from_str(&line).map_err(|error| at(&error))?);
        }
    }
    Ok(rows)
}

/// The whole file as text.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    open(path)?
        .read_to_string(&mut text)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text)
}

/// `NAME` or `NAME.gz` in a folder, whichever is there.
pub(crate) fn packed_or_plain(folder: &Path, name: &str) -> PathBuf {
    let packed = folder.join(format!("{name}.gz"));
    if packed.exists() { packed } else { folder.join(name) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn packed_and_plain_lines_read_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let rows = "[1, \"a\"]\n\n[2, \"日本\"]\n";
        fs::write(folder.path().join("plain.jsonl"), rows).unwrap();
        let file = File::create(folder.path().join("packed.jsonl.gz")).unwrap();
        let mut packed = GzEncoder::new(file, Compression::fast());
        packed.write_all(rows.as_bytes()).unwrap();
        packed.finish().unwrap();
        for name in ["plain.jsonl", "packed.jsonl"] {
            let path = packed_or_plain(folder.path(), name);
            let read: Vec<(u32, String)> = json_lines(&path).unwrap();
            assert_eq!(read, [(1, "a".to_owned()), (2, "日本".to_owned())], "{name}");
        }
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.jsonl");
        fs::write(&path, "1\n2\nthree\n").unwrap();
        let problem = json_lines::<u32>(&path).unwrap_err().to_string();
        assert!(problem.contains("rows.jsonl, line 3: expected ident"), "{problem}");
    }
}
