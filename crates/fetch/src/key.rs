//! The key that sessions are sealed with: 32 random bytes in a file of the user, away from what it seals.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::rand::{SecureRandom, SystemRandom};

const BYTES: usize = 32;

/// Seals and opens. Never shown.
pub(crate) struct SessionKey(LessSafeKey);

impl std::fmt::Debug for SessionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionKey(..)")
    }
}

/// Bytes that were sealed, and the number used for it once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sealed {
    pub(crate) nonce: [u8; NONCE_LEN],
    pub(crate) bytes: Vec<u8>,
}

impl SessionKey {
    /// Reads a key; `None` where there is no file.
    pub(crate) fn read(path: &Path) -> io::Result<Option<Self>> {
        let text = match files::read_text(path, 1_024) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        only_for_its_owner(path)?;
        let bytes = from_hex(text.trim());
        let bytes = bytes.ok_or_else(|| problem("it holds no key of 32 bytes"))?;
        Self::of(&bytes).map(Some)
    }

    /// Reads a key, or makes a new one that only its owner can read.
    pub(crate) fn read_or_make(path: &Path) -> io::Result<Self> {
        if let Some(key) = Self::read(path)? {
            return Ok(key);
        }
        let mut bytes = [0; BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| problem("no random numbers"))?;
        if let Some(folder) = path.parent() {
            files::make_private_folder(folder)?;
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path)?;
        let written = file.write_all(hex(&bytes).as_bytes()).and_then(|()| file.sync_all());
        if let Err(error) = written {
            // Half a key would keep every later one from being made.
            drop(fs::remove_file(path));
            return Err(error);
        }
        Self::of(&bytes)
    }

    fn of(bytes: &[u8; BYTES]) -> io::Result<Self> {
        let key = UnboundKey::new(&CHACHA20_POLY1305, bytes);
        Ok(Self(LessSafeKey::new(key.map_err(|_| problem("it holds no key"))?)))
    }

    /// Seals bytes for one place: they do not open anywhere else.
    pub(crate) fn seal(&self, place: &str, mut bytes: Vec<u8>) -> io::Result<Sealed> {
        let mut nonce = [0; NONCE_LEN];
        SystemRandom::new().fill(&mut nonce).map_err(|_| problem("no random numbers"))?;
        let place = Aad::from(place.as_bytes());
        self.0
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), place, &mut bytes)
            .map_err(|_| problem("it cannot be sealed"))?;
        Ok(Sealed { nonce, bytes })
    }

    /// Opens what was sealed for a place with this key; `None` where it was not.
    pub(crate) fn open(&self, place: &str, sealed: Sealed) -> Option<Vec<u8>> {
        let Sealed { nonce, mut bytes } = sealed;
        let nonce = Nonce::assume_unique_for_key(nonce);
        let opened = self.0.open_in_place(nonce, Aad::from(place.as_bytes()), &mut bytes).ok()?;
        Some(opened.to_vec())
    }
}

#[cfg(unix)]
fn only_for_its_owner(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    match fs::metadata(path)?.mode() & 0o077 {
        0 => Ok(()),
        _ => Err(problem("others may read it (chmod 600)")),
    }
}

#[cfg(not(unix))]
fn only_for_its_owner(_: &Path) -> io::Result<()> {
    Ok(())
}

fn problem(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what.to_owned())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

pub(crate) fn bytes_of_hex(text: &str) -> Option<Vec<u8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).ok()).collect()
}

fn from_hex(text: &str) -> Option<[u8; BYTES]> {
    bytes_of_hex(text)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_with_the_same_key_at_the_same_place_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("below/session.key");
        assert!(SessionKey::read(&path).expect("no file is no error").is_none());
        let key = SessionKey::read_or_make(&path).expect("a key");
        let sealed = key.seal("news.example", b"secret".to_vec()).expect("sealed");
        assert!(!sealed.bytes.windows(6).any(|it| it == b"secret"));
        let other = key.seal("news.example", b"secret".to_vec()).expect("sealed");
        assert_ne!(sealed, other, "never twice the same");

        let again = SessionKey::read_or_make(&path).expect("the same key");
        assert_eq!(again.open("news.example", sealed.clone()).as_deref(), Some(&b"secret"[..]));
        assert_eq!(again.open("other.example", sealed.clone()), None);
        let mut changed = sealed.clone();
        changed.bytes[0] ^= 1;
        assert_eq!(again.open("news.example", changed), None);
        let stranger = SessionKey::read_or_make(&folder.path().join("other.key")).expect("a key");
        assert_eq!(stranger.open("news.example", sealed), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_key_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("session.key");
        SessionKey::read_or_make(&path).expect("a key");
        let mode = |it: &Path| fs::metadata(it).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("it is ours");
        let error = SessionKey::read(&path).expect_err("others may read it");
        assert_eq!(error.to_string(), "others may read it (chmod 600)");
        fs::write(&path, "not a key").expect("it is ours");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("it is ours");
        let error = SessionKey::read(&path).expect_err("no key");
        assert_eq!(error.to_string(), "it holds no key of 32 bytes");
    }
}
