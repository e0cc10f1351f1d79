//! Digests as WARC headers write them: `algorithm:value`.

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// What comparing a digest with the bytes showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Same,
    Differs,
    /// An algorithm or a spelling we do not know.
    Unknown,
}

/// The digest under which the body of a request or an answer is recorded.
pub fn payload_digest(body: &[u8]) -> String {
    sha256(&[body])
}

/// The digest our records carry. Hexadecimal, so that `sha256sum` of the bytes shows the same letters.
pub(crate) fn sha256(parts: &[&[u8]]) -> String {
    format!("sha256:{}", hexadecimal(&hash::<Sha256>(parts)))
}

/// Compares the bytes with a digest in any common form: SHA-1 or SHA-256, hexadecimal or base 32.
pub(crate) fn compare(written: &str, parts: &[&[u8]]) -> Comparison {
    let Some((algorithm, value)) = written.trim().split_once(':') else {
        return Comparison::Unknown;
    };
    let hash = match algorithm.to_ascii_lowercase().as_str() {
        "sha1" | "sha-1" => hash::<Sha1>(parts),
        "sha256" | "sha-256" => hash::<Sha256>(parts),
        _ => return Comparison::Unknown,
    };
    let value = value.trim_end_matches('=');
    let ours = if value.len() == hash.len() * 2 {
        hexadecimal(&hash)
    } else if value.len() == (hash.len() * 8).div_ceil(5) {
        base32(&hash)
    } else {
        return Comparison::Unknown;
    };
    if ours.eq_ignore_ascii_case(value) { Comparison::Same } else { Comparison::Differs }
}

/// The bytes of a SHA-256 digest.
pub(crate) fn sha256_bytes(parts: &[&[u8]]) -> Vec<u8> {
    hash::<Sha256>(parts)
}

fn hash<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
    let mut digest = D::new();
    for part in parts {
        digest.update(part);
    }
    digest.finalize().to_vec()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

/// Base 32 of RFC 4648, without the padding.
fn base32(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::new();
    for group in bytes.chunks(5) {
        let bits = group.iter().fold(0_u64, |bits, &it| bits << 8 | u64::from(it))
            << (8 * (5 - group.len()));
        let letters = (group.len() * 8).div_ceil(5);
        text.extend(
            (0..letters).map(|it| char::from(LETTERS[(bits >> (35 - 5 * it) & 31) as usize])),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base32_is_that_of_the_standard() {
        let cases = [
            ("", ""),
            ("f", "MY"),
            ("fo", "MZXQ"),
            ("foo", "MZXW6"),
            ("foob", "MZXW6YQ"),
            ("fooba", "MZXW6YTB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(base32(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn a_digest_is_recognised_however_it_is_spelt() {
        let same = [
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha-256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
            "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ====",
            "sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
            "SHA1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
        ];
        for written in same {
            assert_eq!(compare(written, &[b"a", b"bc"]), Comparison::Same, "{written}");
            assert_eq!(compare(written, &[b"abd"]), Comparison::Differs, "{written}");
        }
        for written in ["", "sha1", "md5:900150983cd24fb0d6963f7d28e17f72", "sha1:short", "sha256:"]
        {
            assert_eq!(compare(written, &[b"abc"]), Comparison::Unknown, "{written}");
        }
        assert_eq!(
            sha256(&[b"abc"]),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
