//! How a file that others may have put there is opened and read.
//!
//! A pipe waits for a writer, a device may never end, and a file may grow while it is read. Whatever is named by a
//! user or found in a folder of theirs comes through here: only regular files (links to them included) are opened,
//! and no more is read than the caller can hold.

use std::fs::{DirBuilder, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file to read. Anything else is an error that says what it is, and nothing waits.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        use rustix::fs::OFlags;
        // Opening a pipe waits for its writer, and a terminal must not become ours.
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    }
    let file = options.open(path).map_err(|error| match std::fs::metadata(path) {
        // A socket cannot be opened at all, and the system's words for it help nobody.
        Ok(about) if !about.is_file() && !about.is_dir() => not_a_file(about.file_type()),
        _ => error,
    })?;
    // The handle is asked, not the path: something else may have taken its place.
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !about.is_file() {
        return Err(not_a_file(about.file_type()));
    }
    Ok(file)
}

/// Makes a folder that nobody else can enter, and those above it that are missing. One that is there already keeps its
/// rights: it may be anybody's.
pub fn make_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// The rights that the user's mask takes from new files, from [`keep_to_owner`] on.
#[cfg(unix)]
static USUAL_MASK: std::sync::OnceLock<u32> = std::sync::OnceLock::new();

/// From here on whatever this process and its children make is for its owner alone, whoever writes it: logs that are packed,
/// models that are copied, what a browser keeps. Called before there is a second thread.
pub fn keep_to_owner() {
    #[cfg(unix)]
    {
        let usual = rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
        USUAL_MASK.get_or_init(|| usual.as_raw_mode());
    }
}

/// Gives a new file or folder the rights that the user's own programs would give it: it lies where others may have to read it.
/// `most` is what it has without a mask.
#[cfg(unix)]
pub fn give_usual_rights(made: impl std::os::fd::AsFd, most: u32) -> io::Result<()> {
    let Some(mask) = USUAL_MASK.get() else { return Ok(()) };
    Ok(rustix::fs::fchmod(made, rustix::fs::Mode::from_raw_mode(most & !mask))?)
}

/// Reads a regular file of at most `most` bytes; a larger one is an error of the kind [`ErrorKind::FileTooLarge`].
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let problem = format!("it has more than {most} bytes");
        return Err(io::Error::new(ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// Reads a regular file of at most `most` bytes of UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

fn not_a_file(kind: FileType) -> io::Error {
    #[cfg(unix)]
    let what = {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            "a pipe"
        } else if kind.is_socket() {
            "a socket"
        } else {
            "a device"
        }
    };
    #[cfg(not(unix))]
    let what = {
        let _ = kind;
        "something else"
    };
    io::Error::new(ErrorKind::InvalidInput, format!("not a regular file: {what}"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_named_and_nothing_waits() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        std::os::unix::fs::symlink(at("pipe"), at("link")).unwrap();
        let told = |path: &Path| read(path, 10).unwrap_err().to_string();
        assert_eq!(told(&at("pipe")), "not a regular file: a pipe");
        assert_eq!(told(&at("link")), "not a regular file: a pipe");
        assert_eq!(told(&at("socket")), "not a regular file: a socket");
        assert_eq!(told(Path::new("/dev/zero")), "not a regular file: a device");
        assert_eq!(open(folder.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
        assert_eq!(open(&at("none")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn no_more_is_read_than_expected() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, b"0123456789").unwrap();
        std::os::unix::fs::symlink(&file, folder.path().join("link")).unwrap();
        assert_eq!(read_text(&folder.path().join("link"), 10).unwrap(), "0123456789");
        let error = read(&file, 9).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it has more than 9 bytes");
        std::fs::write(&file, b"\xff").unwrap();
        assert_eq!(read_text(&file, 10).unwrap_err().to_string(), "it is not UTF-8 text");
    }
}
