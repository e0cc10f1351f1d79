//! Files for their owner alone: a question can be as private as what answers it.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

/// How a file is made that nobody else can read.
pub(crate) fn options() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has rights to set"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes an empty file unless there is one, and takes the rights of others from one that an earlier version made.
pub(crate) fn make_file(path: &Path) -> io::Result<()> {
    match options().write(true).create_new(true).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => narrow(path),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn narrow(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut rights = fs::metadata(path)?.permissions();
    if rights.mode() & 0o077 == 0 {
        return Ok(());
    }
    rights.set_mode(rights.mode() & 0o700);
    match fs::set_permissions(path, rights) {
        // A file of somebody else that we may write: its rights are theirs.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        done => done,
    }
}

#[cfg(not(unix))]
fn narrow(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn rights(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn folders_and_files_are_made_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, file) = (folder.path().join("a/b"), folder.path().join("a/b/c"));
        files::make_private_folder(&inside).unwrap();
        make_file(&file).unwrap();
        assert_eq!((rights(&inside), rights(&file)), (0o700, 0o600));
    }

    #[test]
    fn a_file_of_an_earlier_version_is_narrowed_and_keeps_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lyra.db");
        fs::write(&file, "bytes").unwrap();
        fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
        make_file(&file).unwrap();
        assert_eq!((rights(&file), &*fs::read_to_string(&file).unwrap()), (0o600, "bytes"));
    }
}
