//! Vectors as a search scans them: rounded, row after row, in memory.

use std::panic::resume_unwind;
use std::thread;

use super::best::{Best, Candidate};
use super::code::{Code, padded, quantise};
use super::simd::dots;
use crate::embeddings::numbers;

/// Rows of a block, the unit that threads share out.
const BLOCK_ROWS: usize = 4096;
/// Rows scored between two looks at the best so far: small enough to stay in the first cache.
const BATCH_ROWS: usize = 256;

/// Some rows, column by column.
#[derive(Debug)]
struct Block {
    seqs: Vec<i64>,
    scales: Vec<f32>,
    codes: Vec<u8>,
}

impl Block {
    fn with_capacity(rows: usize, length: usize) -> Self {
        Self {
            seqs: Vec::with_capacity(rows),
            scales: Vec::with_capacity(rows),
            codes: Vec::with_capacity(rows * length),
        }
    }

    fn rows(&self) -> usize {
        self.seqs.len()
    }

    fn push(&mut self, seq: i64, numbers: &[f32]) {
        self.scales.push(quantise(numbers, &mut self.codes));
        self.seqs.push(seq);
    }

    /// Offers every row to `best`.
    fn scan(&self, query: &Code, best: &mut Best) {
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
#[derive(Debug, Default)]
pub(super) struct Matrix {
    dimension: Option<usize>,
    blocks: Vec<Block>,
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

    pub(super) fn last_seq(&self) -> Option<i64> {
        self.blocks.last()?.seqs.last().copied()
    }

    /// Adds a stored vector; its length must be that of the others.
    pub(super) fn push(&mut self, seq: i64, blob: &[u8]) {
        let dimension = *self.dimension.get_or_insert(blob.len() / 4);
        assert_eq!(blob.len(), 4 * dimension, "checked by the loader");
        self.open_block().push(seq, &numbers(blob));
        self.rows += 1;
    }

    /// The block that takes the next row.
    fn open_block(&mut self) -> &mut Block {
        if self.blocks.last().is_none_or(|it| it.rows() == BLOCK_ROWS) {
            let length = padded(self.dimension.unwrap_or(0));
            self.blocks.push(Block::with_capacity(BLOCK_ROWS, length));
        }
        self.blocks.last_mut().expect("the lines above made one")
    }

    /// Compares all rows with the query.
    pub(super) fn scan(&self, query: &Code, keep: usize, threads: usize) -> Best {
        let scan = |blocks: &[Block]| {
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
fn in_parallel<T: Sync, R: Send>(
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
        results.extend(others.into_iter().map(|started| match started {
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

    #[test]
    fn rows_of_many_blocks_are_all_scanned() {
        let mut matrix = Matrix::default();
        let rows = i64::try_from(BLOCK_ROWS).unwrap() + 3;
        for seq in 1..=rows {
            let angle = 1.0 / seq as f32;
            let vector: Vec<u8> =
                [angle.cos(), angle.sin()].iter().flat_map(|number| number.to_le_bytes()).collect();
            matrix.push(seq * 10, &vector);
        }
        assert_eq!((matrix.rows(), matrix.last_seq()), (BLOCK_ROWS + 3, Some(rows * 10)));
        let query = Code::new(&[1.0, 0.0]);
        let all = |threads| matrix.scan(&query, BLOCK_ROWS * 2, threads).into_sorted();
        assert_eq!(all(1).len(), BLOCK_ROWS + 3);
        assert_eq!(all(2), all(1));
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
