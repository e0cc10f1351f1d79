//! Content encodings undone within bounds: a small file can unpack to any size.

use std::io::{self, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// No honest server uses more layers than this.
const MAX_LAYERS: usize = 3;
const BROTLI_BUFFER: usize = 4096;

/// Why a body could not be unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    #[error("the body unpacks to more than {0} bytes")]
    TooLarge(u64),
    #[error("unknown content encoding: {0}")]
    Unknown(String),
    #[error("the compressed body is broken")]
    Broken(#[source] io::Error),
}

/// Undoes the content encodings of a body; `None` where there are none.
pub fn unpack(
    encodings: &str,
    body: &[u8],
    max_bytes: u64,
) -> Result<Option<Vec<u8>>, UnpackError> {
    let layers: Vec<String> = encodings
        .split(',')
        .map(|it| it.trim().to_ascii_lowercase())
        .filter(|it| !it.is_empty() && it != "identity" && it != "none")
        .collect();
    // An empty body is empty however it says it is packed (answers to HEAD, for one).
    if layers.is_empty() || body.is_empty() {
        return Ok(None);
    }
    if layers.len() > MAX_LAYERS {
        return Err(UnpackError::Unknown(encodings.to_owned()));
    }
    let mut unpacked: Option<Vec<u8>> = None;
    // The last one that was applied comes off first.
    for layer in layers.iter().rev() {
        let packed = unpacked.as_deref().unwrap_or(body);
        unpacked = Some(match layer.as_str() {
            "gzip" | "x-gzip" => bounded(MultiGzDecoder::new(packed), max_bytes)?,
            // Servers send both the zlib form, as they should, and the bare one.
            "deflate" => match bounded(ZlibDecoder::new(packed), max_bytes) {
                Err(UnpackError::Broken(_)) => bounded(DeflateDecoder::new(packed), max_bytes)?,
                other => other?,
            },
            "br" => {
                bounded(brotli_decompressor::Decompressor::new(packed, BROTLI_BUFFER), max_bytes)?
            }
            other => return Err(UnpackError::Unknown(other.to_owned())),
        });
    }
    Ok(unpacked)
}

fn bounded(reader: impl Read, max_bytes: u64) -> Result<Vec<u8>, UnpackError> {
    let mut unpacked = Vec::new();
    reader
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut unpacked)
        .map_err(UnpackError::Broken)?;
    match unpacked.len() as u64 > max_bytes {
        true => Err(UnpackError::TooLarge(max_bytes)),
        false => Ok(unpacked),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;

    use super::*;

    fn gzip(body: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    }

    fn text(encodings: &str, body: &[u8]) -> String {
        match unpack(encodings, body, 1_000) {
            Ok(None) => "as it is".to_owned(),
            Ok(Some(it)) => String::from_utf8(it).unwrap(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_encodings_of_the_web_are_undone() {
        let body = "日本語の本文".as_bytes();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(body).unwrap();
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::fast());
        bare.write_all(body).unwrap();
        // "hello" as brotli writes it without compressing.
        let brotli = [0x0b, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', 0x03];
        assert_eq!(text("gzip", &gzip(body)), "日本語の本文");
        assert_eq!(text("X-GZIP", &gzip(body)), "日本語の本文");
        assert_eq!(text("deflate", &zlib.finish().unwrap()), "日本語の本文");
        assert_eq!(text("deflate", &bare.finish().unwrap()), "日本語の本文");
        assert_eq!(text("br", &brotli), "hello");
        assert_eq!(text("gzip, gzip", &gzip(&gzip(body))), "日本語の本文");
        assert_eq!(text("identity", body), "as it is");
        assert_eq!(text("", body), "as it is");
        assert_eq!(text("gzip", b""), "as it is");
    }

    #[test]
    fn what_cannot_be_unpacked_says_why() {
        assert_eq!(text("gzip", b"not packed"), "the compressed body is broken");
        assert_eq!(text("gzip", &gzip(b"cut off")[..12]), "the compressed body is broken");
        assert_eq!(text("br", &[0xff; 20]), "the compressed body is broken");
        assert_eq!(text("zstd", b"x"), "unknown content encoding: zstd");
        assert_eq!(
            text("gzip,gzip,gzip,gzip", b"x"),
            "unknown content encoding: gzip,gzip,gzip,gzip"
        );
    }

    #[test]
    fn a_bomb_is_stopped_at_the_bound() {
        let bomb = gzip(&vec![0; 50_000_000]);
        assert!(bomb.len() < 60_000);
        assert_eq!(text("gzip", &bomb), "the body unpacks to more than 1000 bytes");
        assert_eq!(unpack("gzip", &gzip(&[7; 1_000]), 1_000).unwrap().unwrap().len(), 1_000);
        assert_eq!(text("gzip", &gzip(&[7; 1_001])), "the body unpacks to more than 1000 bytes");
    }

    proptest! {
        #[test]
        fn strange_bytes_never_panic(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            for encoding in ["gzip", "deflate", "br", "br, gzip"] {
                // Either outcome is fine; a panic is not.
                unpack(encoding, &body, 10_000).ok();
            }
        }
    }
}
