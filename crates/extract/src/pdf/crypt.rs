//! Decrypts files whose user password is empty: they ask readers not to print or copy, not to not read.
//!
//! The standard security handler, revisions 2 to 6: RC4 and AES. A file that needs a password is
//! recorded as such and never guessed at.

use aes::cipher::consts::U16;
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use aes::{Aes128, Aes256};
use md5::{Digest, Md5};
use sha2::{Sha256, Sha384, Sha512};

use super::object::{Dict, Object};

const BLOCK: usize = 16;

/// What the specification fills short passwords up with; an empty one is this alone.
const PADDING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];

/// The key of a file and what it is used for.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    key: Vec<u8>,
    strings: Method,
    streams: Method,
    encrypts_metadata: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    None,
    Rc4,
    Aes128,
    Aes256,
}

impl Key {
    /// The key that an empty password opens; none where a password is needed.
    pub(crate) fn open(encrypt: &Dict, file_id: &[u8]) -> Option<Self> {
        let number = |key: &str| encrypt.get(key).and_then(Object::number);
        let version = number("V").unwrap_or(0.0) as u8;
        let revision = number("R").unwrap_or(0.0) as u8;
        let bytes = |key: &str| match encrypt.get(key) {
            Some(Object::String(bytes)) => Some(bytes.as_slice()),
            _ => None,
        };
        if encrypt.name("Filter").is_some_and(|it| it != b"Standard") {
            return None;
        }
        let encrypts_metadata = encrypt.get("EncryptMetadata") != Some(&Object::Bool(false));
        let (strings, streams) = match version {
            1 | 2 => (Method::Rc4, Method::Rc4),
            4 | 5 => (method(encrypt, "StrF"), method(encrypt, "StmF")),
            _ => return None,
        };
        let key = if version == 5 {
            key_of_revision_6(bytes("U")?, bytes("UE")?, revision)?
        } else {
            let length = match version {
                1 => 5,
                4 => 16,
                _ => (number("Length").unwrap_or(40.0) as usize / 8).clamp(5, 16),
            };
            let permissions = number("P").unwrap_or(0.0) as i64 as u32;
            let hidden_metadata = revision >= 4 && !encrypts_metadata;
            key_of_revision_4(
                bytes("O")?,
                bytes("U")?,
                permissions,
                file_id,
                revision,
                length,
                hidden_metadata,
            )?
        };
        Some(Self { key, strings, streams, encrypts_metadata })
    }

    pub(crate) fn string(&self, bytes: &[u8], id: (u32, u16)) -> Vec<u8> {
        self.decrypt(self.strings, bytes, id)
    }

    pub(crate) fn stream(&self, bytes: &[u8], dict: &Dict, id: (u32, u16)) -> Vec<u8> {
        let kind = dict.name("Type");
        let plain = kind == Some(b"XRef") || kind == Some(b"Metadata") && !self.encrypts_metadata;
        if plain { bytes.to_vec() } else { self.decrypt(self.streams, bytes, id) }
    }

    fn decrypt(&self, method: Method, bytes: &[u8], (number, generation): (u32, u16)) -> Vec<u8> {
        let object_key = || {
            let mut hash = Md5::new();
            hash.update(&self.key);
            hash.update(&number.to_le_bytes()[..3]);
            hash.update(generation.to_le_bytes());
            if method == Method::Aes128 {
                hash.update(b"sAlT");
            }
            hash.finalize()[..(self.key.len() + 5).min(16)].to_vec()
        };
        match method {
            Method::None => bytes.to_vec(),
            Method::Rc4 => rc4(&object_key(), bytes),
            Method::Aes128 => unpadded(aes_with_vector(&object_key(), bytes)),
            Method::Aes256 => unpadded(aes_with_vector(&self.key, bytes)),
        }
    }
}

fn method(encrypt: &Dict, key: &str) -> Method {
    let filter = encrypt.name(key).and_then(|name| {
        let filters = encrypt.get("CF")?.dict()?;
        filters.get(std::str::from_utf8(name).ok()?)?.dict()?.name("CFM")
    });
    match filter {
        Some(b"V2") => Method::Rc4,
        Some(b"AESV2") => Method::Aes128,
        Some(b"AESV3") => Method::Aes256,
        _ => Method::None,
    }
}

/// Revisions 2 to 4; none where the empty password is not the right one.
fn key_of_revision_4(
    owner: &[u8],
    user: &[u8],
    permissions: u32,
    file_id: &[u8],
    revision: u8,
    length: usize,
    hidden_metadata: bool,
) -> Option<Vec<u8>> {
    let mut hash = Md5::new();
    hash.update(PADDING);
    hash.update(owner.get(..32)?);
    hash.update(permissions.to_le_bytes());
    hash.update(file_id);
    if hidden_metadata {
        hash.update([0xFF; 4]);
    }
    let mut key = hash.finalize().to_vec();
    if revision >= 3 {
        for _ in 0..50 {
            key = Md5::digest(&key[..length]).to_vec();
        }
    }
    key.truncate(length);
    let (expected, checked) = if revision >= 3 {
        let mut hash = Md5::new();
        hash.update(PADDING);
        hash.update(file_id);
        let mut value = hash.finalize().to_vec();
        for round in 0..20 {
            let mixed: Vec<u8> = key.iter().map(|it| it ^ round).collect();
            value = rc4(&mixed, &value);
        }
        (value, 16)
    } else {
        (rc4(&key, &PADDING), 32)
    };
    (user.get(..checked)? == expected).then_some(key)
}

/// Revisions 5 and 6, whose key is stored encrypted by the password.
fn key_of_revision_6(user: &[u8], user_key: &[u8], revision: u8) -> Option<Vec<u8>> {
    let hash = |salt: &[u8]| {
        if revision >= 6 { hardened_hash(salt) } else { Sha256::digest(salt).to_vec() }
    };
    if hash(user.get(32..40)?) != user.get(..32)? {
        return None;
    }
    let mut with_vector = vec![0; BLOCK];
    with_vector.extend(user_key.get(..32)?);
    Some(aes_with_vector(&hash(user.get(40..48)?), &with_vector))
}

/// The hash of revision 6 for an empty password: at least 64 rounds of AES and SHA-2.
fn hardened_hash(salt: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::digest(salt).to_vec();
    let mut round = 0;
    loop {
        let mut text = hash.repeat(64);
        let Some((key, rest)) = hash.split_at_checked(BLOCK) else { return hash };
        let Ok(cipher) = Aes128::new_from_slice(key) else { return hash };
        let mut vector = [0; BLOCK];
        vector.copy_from_slice(&rest[..BLOCK]);
        for chunk in text.chunks_exact_mut(BLOCK) {
            chunk.iter_mut().zip(vector).for_each(|(byte, other)| *byte ^= other);
            let mut block = vector;
            block.copy_from_slice(chunk);
            let mut block = block.into();
            cipher.encrypt_block(&mut block);
            chunk.copy_from_slice(&block);
            vector = block.into();
        }
        let remainder = text[..BLOCK].iter().map(|it| u32::from(*it)).sum::<u32>() % 3;
        hash = match remainder {
            0 => Sha256::digest(&text).to_vec(),
            1 => Sha384::digest(&text).to_vec(),
            _ => Sha512::digest(&text).to_vec(),
        };
        let last = text.last().copied().unwrap_or(0);
        round += 1;
        // A byte is at most 255, so this ends after 287 rounds at the latest.
        if round >= 64 && i32::from(last) <= round - 32 {
            hash.truncate(32);
            return hash;
        }
    }
}

/// CBC: the first block is the vector, the rest the text.
fn aes_with_vector(key: &[u8], bytes: &[u8]) -> Vec<u8> {
    if key.len() == 32 {
        Aes256::new_from_slice(key).map(|it| chained(&it, bytes)).unwrap_or_default()
    } else {
        Aes128::new_from_slice(key).map(|it| chained(&it, bytes)).unwrap_or_default()
    }
}

fn chained<C>(cipher: &C, bytes: &[u8]) -> Vec<u8>
where
    C: BlockCipherDecrypt + BlockSizeUser<BlockSize = U16>,
{
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let mut out = Vec::with_capacity(bytes.len());
    for pair in blocks.windows(2) {
        let mut block = pair[1].into();
        cipher.decrypt_block(&mut block);
        out.extend(block.iter().zip(pair[0]).map(|(byte, other)| byte ^ other));
    }
    out
}

fn unpadded(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(&padding) = bytes.last()
        && (1..=BLOCK).contains(&usize::from(padding))
    {
        bytes.truncate(bytes.len().saturating_sub(usize::from(padding)));
    }
    bytes
}

fn rc4(key: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut state: [u8; 256] = std::array::from_fn(|it| it as u8);
    let mut j = 0_u8;
    for i in 0..256 {
        j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
        state.swap(i, usize::from(j));
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    let mix = |byte: &u8| {
        i = i.wrapping_add(1);
        j = j.wrapping_add(state[usize::from(i)]);
        state.swap(usize::from(i), usize::from(j));
        let at = state[usize::from(i)].wrapping_add(state[usize::from(j)]);
        byte ^ state[usize::from(at)]
    };
    bytes.iter().map(mix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rc4_gives_the_known_answer() {
        assert_eq!(
            rc4(b"Key", b"Plaintext"),
            [0xBB, 0xF3, 0x16, 0xE8, 0xD9, 0x40, 0xAF, 0x0A, 0xD3]
        );
    }
}
