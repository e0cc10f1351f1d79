//! The index file for very many vectors: the rows of each list lie together, and a search reads only
//! the lists whose centres are nearest to the query.
//!
//! The file is a copy of what the rows say and can be thrown away at any time. Nothing in it is
//! believed before its checksum was seen to hold; a reason not to use a file is a [`Flaw`], which
//! never reaches a user: the file is ignored and made anew.
//!
//! Layout, little-endian: magic, version, length and BLAKE3 of the directory; the directory (whose
//! vectors, the lists, their centres); then for each list the seqs, scales and codes of its rows.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Space;
use super::best::Best;
use super::code::{Code, padded};
use super::matrix::{Block, in_parallel};

pub(super) const MAGIC: [u8; 8] = *b"LYRA-IVF";
pub(super) const VERSION: u32 = 1;
/// Magic, version, length and checksum of the directory.
pub(super) const PREFIX: usize = 8 + 4 + 8 + HASH;
pub(super) const HASH: usize = 32;
/// What a row takes beside its code: seq and scale.
const ROW_HEAD: usize = 8 + 4;

/// Why an index file is not used.
#[derive(Debug, thiserror::Error)]
pub(super) enum Flaw {
    #[error("there is none")]
    Missing,
    #[error("it was written by another version")]
    Version,
    #[error("it belongs to other vectors")]
    Foreign,
    #[error("it is damaged")]
    Damaged,
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
}

/// Which rows an index covers: all of a space up to one row, which is named so that the index of
/// another database, or of a later state of this one, is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coverage {
    pub(super) rows: u64,
    pub(super) last_seq: i64,
    pub(super) last_id: String,
}

/// An open index file.
#[derive(Debug)]
pub(super) struct Ivf {
    file: File,
    dimension: usize,
    coverage: Coverage,
    centres: Block,
    lists: Vec<List>,
    bytes: u64,
}

#[derive(Debug)]
struct List {
    start: u64,
    rows: usize,
    checksum: [u8; HASH],
    /// Set once the checksum was seen to hold; later reads come from the same open file.
    checked: AtomicBool,
}

impl Ivf {
    /// Opens the file if it is whole and made for this space.
    pub(super) fn open(path: &Path, space: &Space) -> Result<Self, Flaw> {
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Flaw::Missing,
            _ => Flaw::Unreadable(error),
        })?;
        let bytes = file.metadata().map_err(Flaw::Unreadable)?.len();
        if bytes < PREFIX as u64 {
            return Err(Flaw::Damaged);
        }
        let prefix = read(&file, 0, PREFIX)?;
        let mut prefix = Fields(&prefix);
        if prefix.take::<8>()? != MAGIC {
            return Err(Flaw::Foreign);
        }
        if prefix.u32()? != VERSION {
            return Err(Flaw::Version);
        }
        let length = prefix.u64()?;
        let data = length.checked_add(PREFIX as u64).filter(|it| *it <= bytes);
        let data = data.ok_or(Flaw::Damaged)?;
        let directory =
            read(&file, PREFIX as u64, usize::try_from(length).or(Err(Flaw::Damaged))?)?;
        if blake3::hash(&directory) != prefix.take::<HASH>()? {
            return Err(Flaw::Damaged);
        }
        Self::from_directory(file, bytes, data, &directory, space)
    }

    fn from_directory(
        file: File,
        bytes: u64,
        data: u64,
        directory: &[u8],
        space: &Space,
    ) -> Result<Self, Flaw> {
        let mut fields = Fields(directory);
        if fields.text()? != space.target.node_type() || fields.text()? != space.model {
            return Err(Flaw::Foreign);
        }
        let dimension = fields.u32()? as usize;
        let coverage = Coverage {
            rows: fields.u64()?,
            last_seq: fields.u64()?.cast_signed(),
            last_id: fields.text()?.to_owned(),
        };
        let length = padded(dimension);
        let count = i64::from(fields.u32()?);
        let mut centres = Block::default();
        let (mut lists, mut start) = (Vec::new(), data);
        for list in 0..count {
            centres.seqs.push(list);
            centres.scales.push(f32::from_bits(fields.u32()?));
            centres.codes.extend_from_slice(fields.bytes(length)?);
            let rows = fields.u32()? as usize;
            let checksum = fields.take()?;
            lists.push(List { start, rows, checksum, checked: AtomicBool::new(false) });
            let bytes = (rows as u64).checked_mul((ROW_HEAD + length) as u64);
            start = bytes.and_then(|it| start.checked_add(it)).ok_or(Flaw::Damaged)?;
        }
        let rows: u64 = lists.iter().map(|it| it.rows as u64).sum();
        if start != bytes || rows != coverage.rows || dimension == 0 || !fields.0.is_empty() {
            return Err(Flaw::Damaged);
        }
        Ok(Self { file, dimension, coverage, centres, lists, bytes })
    }

    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    pub(super) fn coverage(&self) -> &Coverage {
        &self.coverage
    }

    pub(super) fn lists(&self) -> usize {
        self.lists.len()
    }

    /// The size of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Compares the rows of the `probe` nearest lists; also says how many those were.
    pub(super) fn scan(
        &self,
        query: &Code,
        keep: usize,
        probe: usize,
        threads: usize,
    ) -> Result<(Best, usize), Flaw> {
        let mut nearest = Best::new(probe.max(1));
        self.centres.scan(query, &mut nearest);
        let nearest: Vec<&List> = nearest
            .into_sorted()
            .iter()
            .filter_map(|it| self.lists.get(usize::try_from(it.seq).ok()?))
            .filter(|it| it.rows > 0)
            .collect();
        let parts = in_parallel(&nearest, threads, |lists| {
            let (mut best, mut block) = (Best::new(keep), Block::default());
            for list in lists {
                self.read_list(list, &mut block)?;
                block.scan(query, &mut best);
            }
            Ok(best)
        });
        let mut best = Best::new(keep);
        for part in parts {
            best = best.merge(part?);
        }
        Ok((best, nearest.iter().map(|it| it.rows).sum()))
    }

    fn read_list(&self, list: &List, block: &mut Block) -> Result<(), Flaw> {
        let head = read(&self.file, list.start, list.rows * ROW_HEAD)?;
        block.codes.resize(list.rows * padded(self.dimension), 0);
        read_at(&self.file, list.start + head.len() as u64, &mut block.codes)
            .map_err(Flaw::Unreadable)?;
        if !list.checked.load(Ordering::Relaxed) {
            if checksum(&head, &block.codes) != list.checksum {
                return Err(Flaw::Damaged);
            }
            list.checked.store(true, Ordering::Relaxed);
        }
        let (seqs, scales) = head.split_at(list.rows * 8);
        block.seqs.clear();
        block.seqs.extend(seqs.as_chunks().0.iter().map(|it| i64::from_le_bytes(*it)));
        block.scales.clear();
        block.scales.extend(scales.as_chunks().0.iter().map(|it| f32::from_le_bytes(*it)));
        Ok(())
    }
}

pub(super) fn checksum(head: &[u8], codes: &[u8]) -> [u8; HASH] {
    *blake3::Hasher::new().update(head).update(codes).finalize().as_bytes()
}

fn read(file: &File, start: u64, length: usize) -> Result<Vec<u8>, Flaw> {
    let mut bytes = vec![0; length];
    read_at(file, start, &mut bytes).map_err(Flaw::Unreadable)?;
    Ok(bytes)
}

#[cfg(unix)]
fn read_at(file: &File, start: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(windows)]
fn read_at(file: &File, mut start: u64, mut bytes: &mut [u8]) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !bytes.is_empty() {
        match file.seek_read(bytes, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                start += read as u64;
                bytes = &mut bytes[read..];
            }
        }
    }
    Ok(())
}

/// Reads a directory field by field; what is missing is damage.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, length: usize) -> Result<&'a [u8], Flaw> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Flaw::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(Flaw::Damaged)?;
        self.0 = rest;
        Ok(*bytes)
    }

    fn u32(&mut self) -> Result<u32, Flaw> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Flaw> {
        self.take().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Result<&'a str, Flaw> {
        let length = self.u32()? as usize;
        std::str::from_utf8(self.bytes(length)?).or(Err(Flaw::Damaged))
    }
}
