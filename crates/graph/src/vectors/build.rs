//! Building an index file: all rows into lists, and the lists into a file.
//!
//! The rounded rows are in memory while it works. It writes under another name and renames at the
//! end, so that nobody ever opens half an index.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use evidence::text_hash;
use rusqlite::{Connection, OpenFlags};

use super::clusters::{Clusters, cluster};
use super::ivf::{Coverage, HASH, Ivf, MAGIC, PREFIX, VERSION, checksum};
use super::matrix::Matrix;
use super::{Space, VectorOptions, rows};
use crate::store::connect;
use crate::{Error, Result};

/// Builds the index of a space from `start` and the rows after it, and opens it.
pub(super) fn build(
    database: &Path,
    space: &Space,
    start: Matrix,
    options: &VectorOptions,
    stop: &AtomicBool,
) -> Result<Ivf> {
    let mut connection = connect(database, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let transaction = connection.transaction()?;
    let (matrix, covered) = all_rows(&transaction, space, start, stop)?;
    drop(transaction);
    let clusters = cluster(&matrix, options, options.ann_build_threads, stop)?;
    let path = index_path(database, space);
    let file = |source| Error::File { path: path.clone(), source };
    write(&path, space, &matrix, &clusters, &covered, stop).map_err(|error| {
        if stop.load(Ordering::Relaxed) { Error::Interrupted } else { file(error) }
    })?;
    Ivf::open(&path, space).map_err(|flaw| file(std::io::Error::other(flaw)))
}

/// Completes `start` to all rows of one state of the graph.
fn all_rows(
    connection: &Connection,
    space: &Space,
    start: Matrix,
    stop: &AtomicBool,
) -> Result<(Matrix, Coverage)> {
    let mut matrix = start;
    let last_id = |matrix: &Matrix| match matrix.last_seq() {
        Some(seq) => rows::embedding_id(connection, seq),
        None => Ok(None),
    };
    if last_id(&matrix)?.is_none() {
        // Its last row was taken out since, and with it perhaps others.
        matrix = Matrix::default();
    }
    while rows::load(connection, space, matrix.last_seq().unwrap_or(0), None, &mut matrix)? {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
    }
    let (rows, last_seq) = (matrix.rows() as u64, matrix.last_seq().unwrap_or(0));
    match last_id(&matrix)? {
        Some(last_id) => Ok((matrix, Coverage { rows, last_seq, last_id })),
        None => Err(Error::unknown("vector of model", &space.model)),
    }
}

/// `lyra.db.vectors/claim-<hash of the model>.ivf`, beside the database.
pub(super) fn index_path(database: &Path, space: &Space) -> PathBuf {
    let mut folder = database.file_name().unwrap_or_default().to_owned();
    folder.push(".vectors");
    let file = format!("{}-{}.ivf", space.target.node_type(), text_hash(&space.model));
    database.with_file_name(folder).join(file)
}

/// Writes the index of `matrix` to `path`: all of it or nothing, also when the power goes.
fn write(
    path: &Path,
    space: &Space,
    matrix: &Matrix,
    clusters: &Clusters,
    coverage: &Coverage,
    stop: &AtomicBool,
) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut unfinished = Unfinished { path: path.with_extension("tmp"), renamed: false };
    let mut file = File::create(&unfinished.path)?;
    let lists = clusters.centres.rows();
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); lists];
    for (place, list) in clusters.list_of.iter().enumerate() {
        members[*list as usize].push(place);
    }
    let mut directory = Vec::new();
    put_text(&mut directory, space.target.node_type());
    put_text(&mut directory, &space.model);
    put_u32(&mut directory, matrix.dimension().unwrap_or(0));
    directory.extend(coverage.rows.to_le_bytes());
    directory.extend(coverage.last_seq.to_le_bytes());
    put_text(&mut directory, &coverage.last_id);
    put_u32(&mut directory, lists);
    let length = matrix.length();
    // The directory comes first in the file but is known last: its place is left free.
    let directory_bytes = directory.len() + lists * (4 + length + 4 + HASH);
    file.seek(SeekFrom::Start((PREFIX + directory_bytes) as u64))?;
    for (list, places) in members.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let (mut head, mut scales, mut codes) = (Vec::new(), Vec::new(), Vec::new());
        for block in matrix.pick(places) {
            head.extend(block.seqs.iter().flat_map(|it| it.to_le_bytes()));
            scales.extend(block.scales.iter().flat_map(|it| it.to_le_bytes()));
            codes.extend_from_slice(&block.codes);
        }
        head.extend(scales);
        file.write_all(&head)?;
        file.write_all(&codes)?;
        directory.extend(clusters.centres.scales[list].to_le_bytes());
        directory.extend(clusters.centres.code(list, length));
        put_u32(&mut directory, places.len());
        directory.extend(checksum(&head, &codes));
    }
    file.rewind()?;
    file.write_all(&MAGIC)?;
    file.write_all(&VERSION.to_le_bytes())?;
    file.write_all(&(directory_bytes as u64).to_le_bytes())?;
    file.write_all(blake3::hash(&directory).as_bytes())?;
    file.write_all(&directory)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&unfinished.path, path)?;
    unfinished.renamed = true;
    sync_folder(path)
}

/// A file that is taken away again unless it was finished.
struct Unfinished {
    path: PathBuf,
    renamed: bool,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.renamed {
            // Should this fail, the next build writes over it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn put_u32(directory: &mut Vec<u8>, value: usize) {
    let value = u32::try_from(value).expect("dimensions, lists and their rows are far below 2^32");
    directory.extend(value.to_le_bytes());
}

fn put_text(directory: &mut Vec<u8>, text: &str) {
    put_u32(directory, text.len());
    directory.extend(text.as_bytes());
}

/// Makes the new name as durable as the bytes behind it.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

#[cfg(windows)]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::VectorTarget;
    use super::super::matrix::Block;
    use super::*;

    #[test]
    fn a_build_that_is_stopped_leaves_no_file_behind() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vectors").join("claim.ivf");
        let space = Space { target: VectorTarget::Claims, model: "m".to_owned() };
        let mut matrix = Matrix::default();
        matrix.push(1, &1.0_f32.to_le_bytes());
        let mut centres = Block::default();
        centres.push(0, &[1.0]);
        let clusters = Clusters { centres, list_of: vec![0] };
        let coverage = Coverage { rows: 1, last_seq: 1, last_id: "emb".to_owned() };
        let write =
            |stop| write(&path, &space, &matrix, &clusters, &coverage, &AtomicBool::new(stop));
        assert_eq!(write(true).unwrap_err().kind(), io::ErrorKind::Interrupted);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
        write(false).unwrap();
        let index = Ivf::open(&path, &space).unwrap();
        assert_eq!((index.dimension(), index.lists(), index.coverage()), (1, 1, &coverage));
    }
}
