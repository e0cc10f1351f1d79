//! Files of a day: opened at the first line, compressed after a week, removed after a month.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// One series of files: `NAME-YYYY-MM-DD.jsonl` in `folder`, older ones in `folder/archive`.
pub(super) struct Files {
    folder: PathBuf,
    name: &'static str,
    keep_days: u32,
    archive_days: u32,
    today: Mutex<Option<(Date, File)>>,
}

impl Files {
    pub(super) fn new(
        folder: PathBuf,
        name: &'static str,
        keep_days: u32,
        archive_days: u32,
    ) -> Self {
        Self { folder, name, keep_days, archive_days, today: Mutex::new(None) }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends a line to the file of the day. The first line of a day also tidies up.
    pub(super) fn append(&self, now: Timestamp, line: &[u8]) -> io::Result<()> {
        let date = now.to_zoned(TimeZone::UTC).date();
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(&*today, Some((day, _)) if *day == date) {
            *today = Some((date, self.open(date)?));
        }
        match &mut *today {
            // One write a line: processes that append to the same file do not mix theirs.
            Some((_, file)) => file.write_all(line),
            None => Ok(()),
        }
    }

    fn open(&self, date: Date) -> io::Result<File> {
        files::make_private_folder(&self.folder)?;
        let path = self.folder.join(format!("{}-{date}.jsonl", self.name));
        let is_new = !path.try_exists()?;
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        if is_new {
            self.tidy(date)?;
        }
        Ok(file)
    }

    fn tidy(&self, today: Date) -> io::Result<()> {
        let archive = self.folder.join("archive");
        for (path, date) in self.files_in(&self.folder, ".jsonl")? {
            if is_older(date, today, self.keep_days) {
                files::make_private_folder(&archive)?;
                compress(&path, &archive)?;
            }
        }
        for (path, date) in self.files_in(&archive, ".jsonl.gz")? {
            if is_older(date, today, self.archive_days) {
                ignore_missing(fs::remove_file(path))?;
            }
        }
        Ok(())
    }

    /// Every file of the series, those in the archive first.
    pub(super) fn all(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = self.files_in(&self.folder.join("archive"), ".jsonl.gz")?;
        files.extend(self.files_in(&self.folder, ".jsonl")?);
        Ok(files.into_iter().map(|it| it.0).collect())
    }

    /// Our files in a folder with the day each belongs to; other files are ignored.
    fn files_in(&self, folder: &Path, extension: &str) -> io::Result<Vec<(PathBuf, Date)>> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().and_then(OsStr::to_str);
            let date = name.and_then(|name| {
                name.strip_prefix(self.name)?
                    .strip_prefix('-')?
                    .strip_suffix(extension)?
                    .parse()
                    .ok()
            });
            files.extend(date.map(|date| (path, date)));
        }
        Ok(files)
    }
}

fn is_older(date: Date, today: Date, days: u32) -> bool {
    today.checked_sub(i64::from(days).days()).is_ok_and(|limit| date < limit)
}

/// Moves a log into the archive. Another process may do the same at the same moment: the archive
/// appears whole under its name, and a file that is gone was taken care of.
fn compress(log: &Path, archive: &Path) -> io::Result<()> {
    let Some(name) = log.file_name().and_then(|it| it.to_str()) else { return Ok(()) };
    let mut source = match File::open(log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        source => source?,
    };
    let unfinished = archive.join(format!("{name}.{}.part", std::process::id()));
    let mut encoder = GzEncoder::new(File::create(&unfinished)?, Compression::default());
    io::copy(&mut source, &mut encoder)?;
    encoder.finish()?.sync_all()?;
    fs::rename(&unfinished, archive.join(format!("{name}.gz")))?;
    ignore_missing(fs::remove_file(log))
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use tempfile::TempDir;

    use super::*;

    fn at(day: &str) -> Timestamp {
        format!("{day}T23:30:00Z").parse().unwrap()
    }

    /// Every file below a folder, sorted.
    fn files(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                found.extend(files(&path).into_iter().map(|it| format!("{name}/{it}")));
            } else {
                found.push(name);
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_log_is_kept_a_week_archived_a_month_and_then_gone() {
        let folder = tempfile::tempdir().unwrap();
        let log = Files::new(folder.path().to_owned(), "lyra", 7, 30);
        log.append(at("2026-01-01"), b"first\n").unwrap();
        log.append(at("2026-01-01"), b"second\n").unwrap();
        log.append(at("2026-01-08"), b"a week later\n").unwrap();
        assert_eq!(files(folder.path()), ["lyra-2026-01-01.jsonl", "lyra-2026-01-08.jsonl"]);

        log.append(at("2026-01-09"), b"a day more\n").unwrap();
        assert_eq!(
            files(folder.path()),
            ["archive/lyra-2026-01-01.jsonl.gz", "lyra-2026-01-08.jsonl", "lyra-2026-01-09.jsonl"]
        );
        let archived = File::open(folder.path().join("archive/lyra-2026-01-01.jsonl.gz")).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(archived).read_to_string(&mut text).unwrap();
        assert_eq!(text, "first\nsecond\n");

        log.append(at("2026-01-31"), b"thirty days\n").unwrap();
        assert!(folder.path().join("archive/lyra-2026-01-01.jsonl.gz").exists());
        log.append(at("2026-02-01"), b"thirty-one days\n").unwrap();
        assert_eq!(
            files(folder.path()),
            [
                "archive/lyra-2026-01-08.jsonl.gz",
                "archive/lyra-2026-01-09.jsonl.gz",
                "lyra-2026-01-31.jsonl",
                "lyra-2026-02-01.jsonl"
            ]
        );
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let folder: TempDir = tempfile::tempdir().unwrap();
        for name in ["audit-2020-01-01.jsonl", "lyra-notes.jsonl", "lyra-2020-01-01.txt"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let log = Files::new(folder.path().to_owned(), "lyra", 7, 30);
        log.append(at("2026-01-01"), b"x\n").unwrap();
        assert_eq!(
            files(folder.path()),
            [
                "audit-2020-01-01.jsonl",
                "lyra-2020-01-01.txt",
                "lyra-2026-01-01.jsonl",
                "lyra-notes.jsonl"
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_log_can_be_read_by_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        Files::new(folder.path().to_owned(), "lyra", 7, 30)
            .append(at("2026-01-01"), b"x\n")
            .unwrap();
        let mode = fs::metadata(folder.path().join("lyra-2026-01-01.jsonl")).unwrap().permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
    }
}
