//! Sorts vectors into lists of neighbours, so that a search can leave most lists out.
//!
//! This is k-means by direction, on a sample and for a few rounds: lists only have to be good enough
//! that the nearest rows lie in the lists whose centres are nearest. It draws from a fixed seed and
//! compares in integers, so the same rows give the same lists on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::VectorOptions;
use super::matrix::{Block, Matrix, in_parallel};
use super::simd::dots;
use crate::{Error, Result};

const SEED: u64 = 0x4c79_7261;
/// Rows between two looks at the stop flag: a few milliseconds of work.
const STOP_EVERY: usize = 256;

/// Which row belongs to which list.
#[derive(Debug)]
pub(super) struct Clusters {
    /// One row per list; its `seq` is the number of the list.
    pub(super) centres: Block,
    /// The list of each row of the matrix, in order.
    pub(super) list_of: Vec<u32>,
}

/// Sorts the rows into `rows / ann_rows_per_list` lists.
pub(super) fn cluster(
    matrix: &Matrix,
    options: &VectorOptions,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Clusters> {
    let length = matrix.length();
    let lists = (matrix.rows() / options.ann_rows_per_list.max(1)).max(1);
    let mut random = fastrand::Rng::with_seed(SEED);
    let wanted = lists.saturating_mul(options.ann_sample_per_list.max(1));
    let mut places = random.choose_multiple(0..matrix.rows(), wanted);
    random.shuffle(&mut places);
    let sample = matrix.pick(&places);
    // The sample is in random order, so its first rows are as good a start as any.
    let mut centres = centres_from(&first_rows(&sample, lists, length), length);
    for _ in 0..options.ann_rounds {
        let list_of = nearest(&sample, &centres, length, threads, stop)?;
        let mut sums = vec![0.0_f32; centres.rows() * length];
        let mut counts = vec![0_u32; centres.rows()];
        let rows = sample.iter().flat_map(|it| (0..it.rows()).map(move |row| (it, row)));
        for ((block, row), list) in rows.zip(&list_of) {
            let list = *list as usize;
            counts[list] += 1;
            let scale = block.scales[row];
            let sum = &mut sums[list * length..(list + 1) * length];
            for (sum, byte) in sum.iter_mut().zip(block.code(row, length)) {
                *sum += f32::from(byte.cast_signed()) * scale;
            }
        }
        for list in (0..centres.rows()).filter(|it| counts[*it] == 0) {
            // Nobody's nearest: start again somewhere else.
            let place = random.usize(..places.len());
            let row = matrix.pick(&places[place..=place]);
            sums[list * length..(list + 1) * length].copy_from_slice(&first_rows(&row, 1, length));
        }
        centres = centres_from(&sums, length);
    }
    let list_of = nearest(matrix.blocks(), &centres, length, threads, stop)?;
    Ok(Clusters { centres, list_of })
}

/// The first rows as numbers.
fn first_rows(blocks: &[Arc<Block>], count: usize, length: usize) -> Vec<f32> {
    let rows = blocks.iter().flat_map(|it| it.codes.chunks_exact(length));
    rows.take(count).flatten().map(|byte| f32::from(byte.cast_signed())).collect()
}

fn centres_from(numbers: &[f32], length: usize) -> Block {
    let mut centres = Block::with_capacity(numbers.len() / length, length);
    for (list, centre) in (0..).zip(numbers.chunks_exact(length)) {
        centres.push(list, centre);
    }
    centres
}

/// The nearest centre of every row; of equally near ones, the first.
fn nearest(
    blocks: &[Arc<Block>],
    centres: &Block,
    length: usize,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<u32>> {
    let of_blocks = |blocks: &[Arc<Block>]| {
        let mut lists = Vec::new();
        let mut products = vec![0; centres.rows()];
        for (at, code) in blocks.iter().flat_map(|it| it.codes.chunks_exact(length)).enumerate() {
            if at % STOP_EVERY == 0 && stop.load(Ordering::Relaxed) {
                return None;
            }
            dots(code, &centres.codes, &mut products);
            let mut best = (f32::NEG_INFINITY, 0);
            for (list, (product, scale)) in (0..).zip(products.iter().zip(&centres.scales)) {
                let score = *product as f32 * scale;
                if score > best.0 {
                    best = (score, list);
                }
            }
            lists.push(best.1);
        }
        Some(lists)
    };
    let parts: Option<Vec<Vec<u32>>> =
        in_parallel(blocks, threads, of_blocks).into_iter().collect();
    parts.map(|it| it.concat()).ok_or(Error::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(vectors: &[[f32; 2]]) -> Matrix {
        let mut matrix = Matrix::default();
        for (seq, vector) in (1..).zip(vectors) {
            let blob: Vec<u8> = vector.iter().flat_map(|it| it.to_le_bytes()).collect();
            matrix.push(seq, &blob);
        }
        matrix
    }

    fn options(ann_rows_per_list: usize) -> VectorOptions {
        VectorOptions { ann_rows_per_list, ..VectorOptions::default() }
    }

    #[test]
    fn neighbours_come_into_one_list_whatever_their_length() {
        let rows = [[1.0, 0.1], [0.0, 5.0], [9.0, 0.0], [0.1, 1.0], [0.5, -0.05], [0.01, 0.2]];
        let clusters = cluster(&matrix(&rows), &options(3), 1, &AtomicBool::new(false)).unwrap();
        let list = |row: usize| clusters.list_of[row];
        assert_eq!(clusters.centres.rows(), 2);
        assert_eq!([list(2), list(4)], [list(0); 2]);
        assert_eq!([list(3), list(5)], [list(1); 2]);
        assert_ne!(list(0), list(1));
    }

    #[test]
    fn rows_that_are_all_alike_and_rows_of_zeros_are_sorted_too() {
        let clusters =
            cluster(&matrix(&[[0.0, 0.0]; 10]), &options(2), 1, &AtomicBool::new(false)).unwrap();
        assert_eq!(clusters.list_of, [0; 10]);
        let clusters =
            cluster(&matrix(&[[1.0, 2.0]; 10]), &options(2), 1, &AtomicBool::new(false)).unwrap();
        assert_eq!(clusters.list_of, [0; 10]);
    }

    #[test]
    fn a_stop_ends_the_work_without_a_result() {
        let stop = AtomicBool::new(true);
        let error = cluster(&matrix(&[[1.0, 2.0]; 10]), &options(2), 1, &stop).unwrap_err();
        assert!(matches!(error, Error::Interrupted), "{error:?}");
    }
}
