//! Reading WARC files: one record from its place, or all of them in order.
//!
//! Packed files have one gzip member a record, as the standard asks; the two forms are told apart by their
//! first byte. One record is held in memory at a time.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use flate2::bufread::GzDecoder;

use crate::{Error, Limits, Record};

/// A record, and its position in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Positioned {
    pub byte_start: u64,
    pub byte_length: u64,
    pub record: Record,
}

/// The names of the WARC files in a folder, in order; none where there is no folder.
pub fn files(dir: &Path) -> Result<Vec<String>, Error> {
    let access = |source| Error::File { path: dir.to_owned(), source };
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(access)?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(access)?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".warc.gz") || name.ends_with(".warc") {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Where a file of the archive lies. Names come from rows, and rows may come from strangers: none leads out of the folder.
pub fn place(dir: &Path, file: &str) -> Result<PathBuf, Error> {
    match Path::new(file).components().collect::<Vec<_>>()[..] {
        [Component::Normal(it)] if it == file => Ok(dir.join(file)),
        _ => Err(Error::BadName { name: file.to_owned() }),
    }
}

/// Reads the record at this position; more or fewer bytes than `byte_length` are damage.
pub fn read_record(
    dir: &Path,
    file: &str,
    byte_start: u64,
    byte_length: u64,
) -> Result<Record, Error> {
    let path = place(dir, file)?;
    let access = |source| Error::File { path: path.clone(), source };
    let mut open = files::open(&path).map_err(access)?;
    open.seek(SeekFrom::Start(byte_start)).map_err(access)?;
    let mut found = Records {
        input: Counted { input: Box::new(BufReader::new(open.take(byte_length))), at: byte_start },
        path,
        limits: Limits::default(),
        over: false,
    };
    let damaged = |path: PathBuf, problem: &str| Error::Damaged {
        path,
        at: byte_start,
        problem: problem.to_owned(),
    };
    match found.next() {
        None => Err(damaged(found.path, "the file ends before this record")),
        Some(record) => {
            let record = record?;
            if record.byte_length == byte_length {
                Ok(record.record)
            } else {
                Err(damaged(found.path, "the record is shorter than it should be"))
            }
        }
    }
}

/// The records of a file in order, within the product's limits.
pub fn records(path: &Path) -> Result<Records, Error> {
    records_with(path, Limits::default())
}

/// The records of a file in order. After an error nothing follows: where the next record begins is unknown.
pub fn records_with(path: &Path, limits: Limits) -> Result<Records, Error> {
    let open = files::open(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
    let input = Counted { input: Box::new(BufReader::with_capacity(64 * 1024, open)), at: 0 };
    Ok(Records { input, path: path.to_owned(), limits, over: false })
}

/// An iterator over the records of one file.
pub struct Records {
    input: Counted,
    path: PathBuf,
    limits: Limits,
    over: bool,
}

impl std::fmt::Debug for Records {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Records").field("path", &self.path).field("at", &self.input.at).finish()
    }
}

impl Iterator for Records {
    type Item = Result<Positioned, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let byte_start = self.input.at;
        let record = self.next_record();
        self.over = !matches!(record, Ok(Some(_)));
        match record {
            Ok(record) => record.map(|record| {
                let byte_length = self.input.at - byte_start;
                Ok(Positioned { byte_start, byte_length, record })
            }),
            Err(fault) => Some(Err(fault.at(&self.path, byte_start))),
        }
    }
}

impl Records {
    fn next_record(&mut self) -> Result<Option<Record>, Fault> {
        match self.input.fill_buf()?.first() {
            None => Ok(None),
            // The first byte of a gzip member; a WARC header begins with a letter.
            Some(0x1f) => {
                let mut member = BufReader::new(GzDecoder::new(&mut self.input));
                // Inside a whole member, a record that ends early is damage and not a torn file.
                let record = parse(&mut member, &self.limits).map_err(|fault| match fault {
                    Fault::Ends => {
                        Fault::Damaged("the gzip member ends before its record".to_owned())
                    }
                    fault => fault,
                })?;
                // Reading to the end also compares the checksum of the member.
                if member.read(&mut [0])? != 0 {
                    let problem = "the gzip member holds more than one record";
                    return Err(Fault::Damaged(problem.to_owned()));
                }
                Ok(Some(record))
            }
            Some(_) => parse(&mut self.input, &self.limits).map(Some),
        }
    }
}

/// What is wrong with a record, before file and position are added.
enum Fault {
    /// The input ends inside the record.
    Ends,
    /// The packed input ends inside the record.
    Torn,
    Damaged(String),
    TooLarge {
        part: &'static str,
        limit: u64,
    },
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Torn,
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => {
                Self::Damaged(error.to_string())
            }
            _ => Self::Io(error),
        }
    }
}

impl Fault {
    fn at(self, path: &Path, at: u64) -> Error {
        let path = path.to_owned();
        match self {
            Self::Ends | Self::Torn => Error::Torn { path, at },
            Self::Damaged(problem) => Error::Damaged { path, at, problem },
            Self::TooLarge { part, limit } => Error::TooLarge { path, at, part, limit },
            Self::Io(source) => Error::File { path, source },
        }
    }
}

/// Reads one unpacked record with the two empty lines that end it.
fn parse(input: &mut impl BufRead, limits: &Limits) -> Result<Record, Fault> {
    let headers = parse_headers(input, limits.header_bytes)?;
    let mut record = Record { headers, block: Vec::new() };
    let length = record.header("Content-Length").and_then(|it| it.trim().parse::<u64>().ok());
    let Some(length) = length else {
        return Err(Fault::Damaged("the record does not say how long it is".to_owned()));
    };
    if length > limits.block_bytes {
        return Err(Fault::TooLarge { part: "block", limit: limits.block_bytes });
    }
    input.take(length).read_to_end(&mut record.block)?;
    if (record.block.len() as u64) < length {
        return Err(Fault::Ends);
    }
    let mut end = Vec::new();
    input.take(4).read_to_end(&mut end)?;
    match end.as_slice() {
        b"\r\n\r\n" => Ok(record),
        cut if b"\r\n\r\n".starts_with(cut) => Err(Fault::Ends),
        _ => Err(Fault::Damaged("the record is not as long as it says".to_owned())),
    }
}

const VERSION: &[u8] = b"WARC/";

fn parse_headers(input: &mut impl BufRead, limit: usize) -> Result<Vec<(String, String)>, Fault> {
    let mut left = limit;
    let mut next_line = || -> Result<Vec<u8>, Fault> {
        let mut line = Vec::new();
        input.take(left as u64).read_until(b'\n', &mut line)?;
        let whole = line.pop_if(|it| *it == b'\n').is_some();
        if !whole {
            let full = line.len() == left;
            // Bytes that never were a WARC header are named as such, however the file ends.
            let begun = left < limit || VERSION.starts_with(&line) || line.starts_with(VERSION);
            return Err(match (full, begun) {
                (_, false) => not_a_record(),
                (true, true) => Fault::TooLarge { part: "header", limit: limit as u64 },
                (false, true) => Fault::Ends,
            });
        }
        left -= line.len() + 1;
        line.pop_if(|it| *it == b'\r');
        Ok(line)
    };
    if !next_line()?.starts_with(VERSION) {
        return Err(not_a_record());
    }
    let mut headers: Vec<(String, String)> = Vec::new();
    loop {
        let line = next_line()?;
        if line.is_empty() {
            return Ok(headers);
        }
        let line = String::from_utf8_lossy(&line);
        if line.starts_with([' ', '\t'])
            && let Some((_, value)) = headers.last_mut()
        {
            value.push(' ');
            value.push_str(line.trim());
        } else if let Some((name, value)) = line.split_once(':') {
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        } else {
            return Err(Fault::Damaged("a line of the record's header has no colon".to_owned()));
        }
    }
}

fn not_a_record() -> Fault {
    Fault::Damaged("no WARC record begins here".to_owned())
}

/// Counts what is consumed: the position in the file.
struct Counted {
    input: Box<dyn BufRead + Send>,
    at: u64,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl BufRead for Counted {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
        self.at += amount as u64;
    }
}
