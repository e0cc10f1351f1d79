//! DeBERTa's disentangled attention: besides content meeting content, content meets the embedding
//! of the distance, from the query's side (c2p) and from the key's (p2c).
//!
//! The embeddings of distances do not depend on the text, so their projections are computed once,
//! when the model is loaded. Both sides look the distance up at the same index.

use super::reshape;
use crate::config::Deberta;
use crate::kernel::{self, Kernel, Packed, Panels, Rows};

/// The embedding of each distance.
#[derive(Debug)]
pub(super) struct Relative {
    span: usize,
    max_distance: usize,
    buckets: bool,
}

/// The projected distance embeddings of one layer, packed per head.
#[derive(Debug)]
pub(super) struct RelativeWeights {
    /// Keys made of distances, for the queries to meet.
    pub(super) keys: Option<Vec<Packed>>,
    /// Queries made of distances, for the keys to meet.
    pub(super) queries: Option<Vec<Packed>>,
}

impl RelativeWeights {
    /// How many position terms are added to the scores.
    pub(super) fn parts(&self) -> usize {
        usize::from(self.keys.is_some()) + usize::from(self.queries.is_some())
    }

    pub(super) fn bytes(&self) -> usize {
        [&self.keys, &self.queries].into_iter().flatten().flatten().map(Packed::bytes).sum()
    }
}

impl Relative {
    pub(super) fn new(config: &Deberta) -> Self {
        let Deberta { span, max_distance, buckets, .. } = *config;
        Self { span, max_distance, buckets }
    }

    /// How many embeddings of distances there are.
    #[cfg(feature = "cuda")]
    pub(super) fn rows(&self) -> usize {
        2 * self.span
    }

    /// The row of a distance (query's place minus key's).
    pub(super) fn index(&self, distance: isize) -> usize {
        let bucket = if self.buckets { self.bucket(distance) } else { distance };
        let last = 2 * self.span as isize - 1;
        (bucket + self.span as isize).clamp(0, last) as usize
    }

    /// Near distances are told apart one by one, far ones in steps that grow like a logarithm.
    fn bucket(&self, distance: isize) -> isize {
        let middle = (self.span / 2) as isize;
        let far = distance.abs();
        if far <= middle {
            return distance;
        }
        let middle_f = middle as f32;
        let reach = ((self.max_distance as f32 - 1.0) / middle_f).ln();
        let step = ((far as f32 / middle_f).ln() / reach * (middle_f - 1.0)).ceil();
        (step as isize + middle) * distance.signum()
    }

    /// The panels that hold every distance a sequence of this length can have.
    fn panels(&self, kernel: Kernel, length: usize) -> (usize, usize) {
        let farthest = length as isize - 1;
        let first = self.index(-farthest) / kernel.width();
        (first, self.index(farthest) / kernel.width() - first + 1)
    }

    pub(super) fn meet_keys(
        &self,
        kernel: Kernel,
        weights: &RelativeWeights,
        head: usize,
        keys: Rows<'_>,
        output: &mut Vec<f32>,
    ) {
        if let Some(queries) = &weights.queries {
            self.meet(kernel, queries[head].panels(), keys, keys.count, output);
        }
    }

    pub(super) fn meet_queries(
        &self,
        kernel: Kernel,
        weights: &RelativeWeights,
        head: usize,
        queries: Rows<'_>,
        length: usize,
        output: &mut Vec<f32>,
    ) {
        if let Some(keys) = &weights.keys {
            self.meet(kernel, keys[head].panels(), queries, length, output);
        }
    }

    fn meet(
        &self,
        kernel: Kernel,
        distances: Panels<'_>,
        rows: Rows<'_>,
        length: usize,
        output: &mut Vec<f32>,
    ) {
        let (first, count) = self.panels(kernel, length);
        let stride = count * kernel.width();
        reshape(output, rows.count * stride);
        kernel::multiply(kernel, rows, distances.slice(kernel, first, count), None, output, stride);
    }

    /// Adds both position terms to the scores of the queries from `first` on.
    #[expect(clippy::too_many_arguments, reason = "two lookups into one matrix, with their places")]
    pub(super) fn add(
        &self,
        kernel: Kernel,
        weights: &RelativeWeights,
        first: usize,
        length: usize,
        by_query: &[f32],
        by_key: &[f32],
        scores: &mut [f32],
        padded: usize,
    ) {
        let (first_panel, count) = self.panels(kernel, length);
        let stride = count * kernel.width();
        let origin = first_panel * kernel.width();
        let farthest = length as isize - 1;
        let indexes: Vec<usize> =
            (-farthest..=farthest).map(|distance| self.index(distance) - origin).collect();
        for (row, scores) in scores.chunks_exact_mut(padded).enumerate() {
            // Distance falls as the key's place rises.
            let nearest_last = &indexes[first + row..][..length];
            let places = nearest_last.iter().rev();
            if weights.keys.is_some() {
                let met = &by_query[row * stride..][..stride];
                for (score, place) in scores.iter_mut().zip(places.clone()) {
                    *score += met[*place];
                }
            }
            if weights.queries.is_some() {
                let met = by_key.chunks_exact(stride);
                for ((score, place), met) in scores.iter_mut().zip(places).zip(met) {
                    *score += met[*place];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `make_log_bucket_position(distance, 256, 512)` in the reference library.
    #[test]
    fn far_distances_share_buckets_as_in_the_reference() {
        let relative = Relative { span: 256, max_distance: 512, buckets: true };
        let table = [
            (0, 0),
            (1, 1),
            (127, 127),
            (128, 128),
            (129, 129),
            (130, 130),
            (200, 169),
            (300, 207),
            (511, 255),
        ];
        for (distance, bucket) in table {
            assert_eq!(relative.bucket(distance), bucket, "{distance}");
            assert_eq!(relative.bucket(-distance), -bucket, "-{distance}");
        }
    }

    #[test]
    fn distances_beyond_the_last_embedding_use_the_last() {
        let relative = Relative { span: 8, max_distance: 8, buckets: false };
        let indexes = [-100, -8, -1, 0, 1, 7, 100].map(|it| relative.index(it));
        assert_eq!(indexes, [0, 0, 7, 8, 9, 15, 15]);
    }
}
