//! MPNet's relative positions: each head adds a number to the scores that depends on the distance alone, the same in all
//! layers.

use crate::config::BUCKETS;

/// All distances from here on are one; MPNet has it in its code, not in its config.
const FARTHEST: usize = 128;

#[derive(Debug)]
pub(super) struct PositionBias {
    /// What each head adds for the distances (query's place minus key's) from `-FARTHEST` to `FARTHEST`.
    by_distance: Vec<f32>,
}

impl PositionBias {
    /// `row` writes what each head adds for a bucket of distances. It is added before scores are divided by the root of
    /// `depth`, so it is multiplied by that.
    pub(super) fn new(heads: usize, depth: usize, mut row: impl FnMut(usize, &mut [f32])) -> Self {
        let mut table = vec![0.0; BUCKETS * heads];
        for (bucket, by_head) in table.chunks_exact_mut(heads).enumerate() {
            row(bucket, by_head);
        }
        let (reach, root) = (FARTHEST as isize, (depth as f32).sqrt());
        let mut by_distance = Vec::with_capacity(heads * (2 * FARTHEST + 1));
        for head in 0..heads {
            let of = |distance| root * table[bucket(distance) * heads + head];
            by_distance.extend((-reach..=reach).map(of));
        }
        Self { by_distance }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.by_distance.as_slice())
    }

    /// Adds the bias to the scores of the queries from `first` on.
    pub(super) fn add(
        &self,
        head: usize,
        first: usize,
        length: usize,
        scores: &mut [f32],
        padded: usize,
    ) {
        let own = &self.by_distance[head * (2 * FARTHEST + 1)..][..2 * FARTHEST + 1];
        let of = |distance: isize| {
            own[(distance + FARTHEST as isize).clamp(0, 2 * FARTHEST as isize) as usize]
        };
        // Distance falls as the key's place rises.
        let farthest = length as isize - 1;
        let falling: Vec<f32> = (-farthest..=farthest).rev().map(of).collect();
        for (row, scores) in scores.chunks_exact_mut(padded).enumerate() {
            let values = &falling[length - 1 - (first + row)..][..length];
            scores.iter_mut().zip(values).for_each(|(score, value)| *score += value);
        }
    }
}

/// The bucket of a distance: half of them for keys before the query, half for those behind it. Near distances have their
/// own, far ones share, more of them the farther.
fn bucket(distance: isize) -> usize {
    let half = BUCKETS / 2;
    let first = if distance < 0 { half } else { 0 };
    let (far, exact) = (distance.unsigned_abs(), half / 2);
    if far < exact {
        return first + far;
    }
    let [exact_f, far_f] = [exact, far].map(|it| it as f32);
    let share = (far_f / exact_f).ln() / (FARTHEST as f32 / exact_f).ln();
    let step = (share * (half - exact) as f32) as usize;
    first + (exact + step).min(half - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of `relative_position_bucket` in the reference library.
    #[test]
    fn distances_share_buckets_as_in_the_reference() {
        let table = [
            (1, 1),
            (7, 7),
            (8, 8),
            (11, 8),
            (12, 9),
            (15, 9),
            (16, 10),
            (22, 10),
            (23, 11),
            (31, 11),
            (32, 12),
            (45, 12),
            (46, 13),
            (63, 13),
            (64, 14),
            (90, 14),
            (91, 15),
            (128, 15),
            (500, 15),
        ];
        assert_eq!(bucket(0), 0);
        for (distance, expected) in table {
            assert_eq!(bucket(distance), expected, "{distance}");
            assert_eq!(bucket(-distance), 16 + expected, "-{distance}");
        }
    }
}
