//! Vectors as a search scans them: rounded, row after row, in memory.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use super::best::{Best, Candidate};
use super::code::{Code, numbers, padded, quantise};
use super::simd::dots;

/// Rows of a block; a block is the unit that threads share out and that snapshots share.
const BLOCK_ROWS: usize = 4096;
/// Rows scored between two looks at the best so far: small enough to stay in the first cache.
const BATCH_ROWS: usize = 256;

/// Some rows, column by column.
#[derive(Debug, Clone, Default)]
pub(super) struct Block {
    pub(super) seqs: Vec<i64>,
    pub(super) scales: Vec<f32>,
    pub(super) codes: Vec<u8>,
}

impl Block {
    pub(super) fn with_capacity(rows: usize, length: usize) -> Self {
        Self {
            seqs: Vec::with_capacity(rows),
            scales: Vec::with_capacity(rows),
            codes: Vec::with_capacity(rows * length),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.seqs.len()
    }

    pub(super) fn push(&mut self, seq: i64, numbers: &[f32]) {
        self.scales.push(quantise(numbers, &mut self.codes));
        self.seqs.push(seq);
    }

    fn copy_row(&mut self, from: &Self, row: usize, length: usize) {
        self.seqs.push(from.seqs[row]);
        self.scales.push(from.scales[row]);
        self.codes.extend_from_slice(from.code(row, length));
    }

    /// The bytes of one row.
    pub(super) fn code(&self, row: usize, length: usize) -> &[u8] {
        &self.codes[row * length..(row + 1) * length]
    }

    /// Offers every row to `best`.
    pub(super) fn scan(&self, query: &Code, best: &mut Best) {
        let mut products = [0; BATCH_ROWS];
        let batches = self.codes.chunks(BATCH_ROWS * query.bytes.len());
        let columns = self.scales.chunks(BATCH_ROWS).zip(self.seqs.chunks(BATCH_ROWS));
        for (codes, (scales, seqs)) in batches.zip(columns) {
            let products = &mut products[..seqs.len()];
            dots(&query.bytes, codes, products);
            for ((product, scale), seq) in products.iter().zip(scales).zip(seqs) {
                let score = *product as f32 * scale * query.scale;
                if score >= best.floor() {
                    best.offer(Candidate { score, seq: *seq });
                }
            }
        }
    }
}

/// The vectors of one model over one kind of target, oldest first.
///
/// Cloning is cheap and gives a snapshot: full blocks are shared, and adding to one copy leaves the
/// others as they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Matrix {
    dimension: Option<usize>,
    blocks: Vec<Arc<Block>>,
    rows: usize,
}

impl Matrix {
    /// The length of the vectors, known once there is one.
    pub(super) fn dimension(&self) -> Option<usize> {
        self.dimension
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn blocks(&self) -> &[Arc<Block>] {
        &self.blocks
    }

    pub(super) fn last_seq(&self) -> Option<i64> {
        self.blocks.last()?.seqs.last().copied()
    }

    /// Bytes of a row, padding included.
    pub(super) fn length(&self) -> usize {
        padded(self.dimension.unwrap_or(0))
    }

    /// Adds a stored vector; its length must be that of the others.
    pub(super) fn push(&mut self, seq: i64, blob: &[u8]) {
        let dimension = *self.dimension.get_or_insert(blob.len() / 4);
        assert_eq!(blob.len(), 4 * dimension, "checked by the loader");
        self.open_block().push(seq, &numbers(blob));
        self.rows += 1;
    }

    /// Copies the rows recorded after `seq`.
    pub(super) fn after(&self, seq: i64) -> Self {
        let mut rest = Self { dimension: self.dimension, ..Self::default() };
        for block in &self.blocks {
            for row in block.seqs.partition_point(|it| *it <= seq)..block.rows() {
                let length = rest.length();
                rest.open_block().copy_row(block, row, length);
                rest.rows += 1;
            }
        }
        rest
    }

    /// Copies the rows at these places, in their order.
    pub(super) fn pick(&self, places: &[usize]) -> Vec<Arc<Block>> {
        let mut picked = Self { dimension: self.dimension, ..Self::default() };
        for place in places {
            let (block, row) = (&self.blocks[place / BLOCK_ROWS], place % BLOCK_ROWS);
            let length = picked.length();
            picked.open_block().copy_row(block, row, length);
        }
        picked.blocks
    }

    /// The block that takes the next row.
    fn open_block(&mut self) -> &mut Block {
        if self.blocks.last().is_none_or(|it| it.rows() == BLOCK_ROWS) {
            self.blocks.push(Arc::new(Block::with_capacity(BLOCK_ROWS, self.length())));
        }
        Arc::make_mut(self.blocks.last_mut().expect("the line above made one"))
    }

    /// Compares all rows with the query.
    pub(super) fn scan(&self, query: &Code, keep: usize, threads: usize) -> Best {
        let scan = |blocks: &[Arc<Block>]| {
            let mut best = Best::new(keep);
            blocks.iter().for_each(|block| block.scan(query, &mut best));
            best
        };
        let parts = in_parallel(&self.blocks, threads, scan);
        parts.into_iter().reduce(Best::merge).unwrap_or_else(|| Best::new(keep))
    }
}

/// Gives each of `threads` an equal run of the items; the results keep their order.
///
/// A machine that has no thread left is slower, not broken: the caller does the work.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    if items.is_empty() {
        return Vec::new();
    }
    let mut runs = items.chunks(items.len().div_ceil(threads.max(1)));
    let first = runs.next().expect("there are items");
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = runs
            .map(|run| {
                thread::Builder::new().spawn_scoped(scope, move || work(run)).map_err(|_| run)
            })
            .collect();
        let mut results = vec![work(first)];
        results.extend(others.into_iter().map(|it| match it {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(run) => work(run),
        }));
        results
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn blob(numbers: &[f32]) -> Vec<u8> {
        numbers.iter().flat_map(|it| it.to_le_bytes()).collect()
    }

    #[test]
    fn a_snapshot_does_not_see_later_rows() {
        let mut matrix = Matrix::default();
        matrix.push(1, &blob(&[1.0, 0.0]));
        let before = matrix.clone();
        matrix.push(2, &blob(&[0.0, 1.0]));
        assert_eq!((before.rows(), before.last_seq()), (1, Some(1)));
        assert_eq!((matrix.rows(), matrix.last_seq()), (2, Some(2)));
        assert_eq!(before.blocks()[0].rows(), 1);
    }

    #[test]
    fn the_rest_after_a_row_starts_in_the_middle_of_a_block() {
        let mut matrix = Matrix::default();
        let rows = i64::try_from(BLOCK_ROWS).unwrap() + 3;
        for seq in 1..=rows {
            matrix.push(seq * 10, &blob(&[seq as f32]));
        }
        let rest = matrix.after(rows * 10 - 45);
        let seqs: Vec<i64> = rest.blocks().iter().flat_map(|it| it.seqs.clone()).collect();
        assert_eq!(seqs, (rows - 4..=rows).map(|it| it * 10).collect::<Vec<_>>());
        assert_eq!(rest.rows(), 5);
        assert_eq!(matrix.after(rows * 10).rows(), 0);
    }

    proptest! {
        #[test]
        fn work_is_shared_out_in_order(items in proptest::collection::vec(0_u8.., 0..40), threads in 0_usize..9) {
            let parts = in_parallel(&items, threads, <[u8]>::to_vec);
            prop_assert!(parts.len() <= threads.max(1));
            prop_assert_eq!(parts.concat(), items);
        }
    }
}
