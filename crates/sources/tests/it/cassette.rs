//! Recorded HTTP conversations in the YAML form of vcrpy, as public projects keep them.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One recorded request and its answer.
pub(crate) struct Exchange {
    pub(crate) file: String,
    pub(crate) url: url::Url,
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

#[derive(Deserialize)]
struct Cassette {
    interactions: Vec<Interaction>,
}

#[derive(Deserialize)]
struct Interaction {
    request: Request,
    response: Response,
}

#[derive(Deserialize)]
struct Request {
    uri: url::Url,
}

/// Older recordings have `content` and `status_code`, newer ones `body.string` and `status.code`.
#[derive(Deserialize)]
struct Response {
    body: Option<Body>,
    content: Option<String>,
    status: Option<Status>,
    status_code: Option<u16>,
}

#[derive(Deserialize)]
struct Body {
    string: String,
}

#[derive(Deserialize)]
struct Status {
    code: u16,
}

/// The exchanges of a file; for one that is no YAML, the addresses that were asked.
pub(crate) fn exchanges(path: &Path) -> Result<Vec<Exchange>, Vec<url::Url>> {
    let text = String::from_utf8(bytes_of(path)).unwrap();
    let file = path.file_name().unwrap().to_string_lossy().into_owned();
    // The bodies that are packed are `!!binary`, the others text: both are read as text first.
    let options = serde_saphyr::options! { ignore_binary_tag_for_string: true };
    let Ok(cassette) = serde_saphyr::from_str_with_options::<Cassette>(&text, options) else {
        let asked = text.lines().filter_map(|it| it.trim().strip_prefix("uri:"));
        return Err(asked.map(|it| it.trim().parse().unwrap()).collect());
    };
    let exchange = |interaction: Interaction| {
        let body = match (interaction.response.body, interaction.response.content) {
            (Some(Body { string: text }), _) | (None, Some(text)) => bytes_in(&text),
            (None, None) => panic!("{file}: an answer without a body"),
        };
        let status =
            interaction.response.status.map(|it| it.code).or(interaction.response.status_code);
        Exchange {
            file: file.clone(),
            url: interaction.request.uri,
            status: status.unwrap(),
            body: unpacked(body),
        }
    };
    Ok(cassette.interactions.into_iter().map(exchange).collect())
}

/// The bytes of a body: packed ones are base64, and begin as all gzip files do.
fn bytes_in(text: &str) -> Vec<u8> {
    if !text.starts_with("H4sI") {
        return text.as_bytes().to_vec();
    }
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for c in text.bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

pub(crate) fn bytes_of(path: &Path) -> Vec<u8> {
    unpacked(fs::read(path).unwrap())
}

fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).unwrap();
    unpacked
}

/// All files under a folder, in order.
pub(crate) fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}
