//! The documents under a folder, kept fresh: a file is read again only when its stamp changed.
//!
//! What is kept of a file is its owner's business ([`DocumentIndex`] is generic over it); which files there are,
//! how far is looked and why a file is left out is decided here, the same for manuals and for any other folder.

mod crawl;

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::UNIX_EPOCH;

pub(crate) use crawl::{Bounds, Crawl, Links, extension};
pub use crawl::{FolderReason, MissedFile};

/// Hears how many documents of how many were read, from several threads.
pub type Told<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// What tells that a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    modified_ns: u128,
    size: u64,
    inode: u64,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self { modified_ns: modified.map_or(0, |it| it.as_nanos()), size: metadata.len(), inode }
    }

    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// One number for a trace, which only needs to know whether the file is still the same.
    pub(crate) fn short(&self) -> u64 {
        let fold = |hash: u64, it: u64| (hash ^ it).wrapping_mul(0x0000_0100_0000_01b3);
        let modified = [self.modified_ns as u64, (self.modified_ns >> 64) as u64];
        [modified[0], modified[1], self.size, self.inode]
            .into_iter()
            .fold(0xcbf2_9ce4_8422_2325, fold)
    }
}

/// What is known of each document, in the order of the paths.
#[derive(Debug)]
pub(crate) struct DocumentIndex<D> {
    documents: BTreeMap<PathBuf, (Stamp, Arc<D>)>,
}

/// What a refresh did.
#[derive(Debug, Default)]
pub(crate) struct Refreshed {
    /// Files that were read: new ones and those that changed.
    pub(crate) read: usize,
    /// Files that could not be read. They are tried again the next time.
    pub(crate) missed: Vec<MissedFile>,
    /// Whether a document came, went or is another one.
    pub(crate) changed: bool,
}

impl<D> Default for DocumentIndex<D> {
    fn default() -> Self {
        Self { documents: BTreeMap::new() }
    }
}

impl<D: Send + Sync> DocumentIndex<D> {
    /// Forgets what is gone and reads what is new or changed, on all cores.
    pub(crate) fn refresh(
        &mut self,
        files: Vec<(PathBuf, Stamp)>,
        read: impl Fn(&Path, Stamp) -> Result<D, MissedFile> + Sync,
        told: Told<'_>,
    ) -> Refreshed {
        let mut known = std::mem::take(&mut self.documents);
        let mut fresh = Vec::new();
        for (path, stamp) in files {
            match known.remove(&path).filter(|it| it.0 == stamp) {
                Some(same) => {
                    self.documents.insert(path, same);
                }
                None => fresh.push((path, stamp)),
            }
        }
        let mut done =
            Refreshed { read: fresh.len(), changed: !known.is_empty(), ..Refreshed::default() };
        let documents = read_all(&fresh, &read, told);
        for ((path, stamp), document) in fresh.into_iter().zip(documents) {
            done.changed = true;
            match document {
                Ok(document) => {
                    self.documents.insert(path, (stamp, Arc::new(document)));
                }
                Err(missed) => done.missed.push(missed),
            }
        }
        done
    }

    pub(crate) fn len(&self) -> usize {
        self.documents.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Path, &Arc<D>)> {
        self.documents.iter().map(|(path, (_, document))| (path.as_path(), document))
    }
}

/// Reads files on all cores, and gives them in their order.
fn read_all<D: Send>(
    files: &[(PathBuf, Stamp)],
    read: &(impl Fn(&Path, Stamp) -> Result<D, MissedFile> + Sync),
    told: Told<'_>,
) -> Vec<Result<D, MissedFile>> {
    let done = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let each = files.len().div_ceil(cores).max(1);
    thread::scope(|scope| {
        let read_part = |part: &[(PathBuf, Stamp)]| -> Vec<_> {
            let read_one = |(path, stamp): &(PathBuf, Stamp)| {
                let document = read(path, *stamp);
                told(done.fetch_add(1, Ordering::Relaxed) + 1, files.len());
                document
            };
            part.iter().map(read_one).collect()
        };
        let parts: Vec<_> =
            files.chunks(each).map(|part| scope.spawn(move || read_part(part))).collect();
        let joined = parts.into_iter().map(|it| it.join());
        joined.flat_map(|it| it.expect("reading does not panic on any bytes")).collect()
    })
}
