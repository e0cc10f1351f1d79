//! A set of decision trees, as `training/extract/train.py` writes them.

use std::sync::LazyLock;

use super::features::{FEATURES, Features};

/// Trees whose leaves add up to the log-odds that a block is content.
///
/// Every question of a tree is asked, and each answer crosses out the leaves that cannot be reached
/// any more; the first that is left is the one a walk from the root would end at. No branch depends on
/// the block, so several blocks are asked at once.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    trees: Vec<Tree>,
}

#[derive(Debug)]
struct Tree {
    questions: Vec<Question>,
    /// From left to right.
    leaves: Vec<f32>,
}

#[derive(Debug, Clone, Copy)]
struct Question {
    threshold: f32,
    feature: u8,
    /// The leaves to the left, which cannot be reached above the threshold, as bits.
    left: u32,
}

/// Leaves of one tree, at most: each has a bit.
const MOST_LEAVES: usize = 32;

/// Blocks that are asked at once.
const AT_ONCE: usize = 16;

static BLOCKS: LazyLock<Forest> = LazyLock::new(|| {
    Forest::read(include_bytes!("../../model/blocks.bin"))
        .expect("the file is part of the program, and a test reads it")
});

/// The forest that comes with Lyra.
pub(crate) fn blocks() -> &'static Forest {
    &BLOCKS
}

impl Forest {
    fn read(mut bytes: &[u8]) -> Option<Self> {
        let input = &mut bytes;
        if take::<6>(input)? != *b"LYRB1\0" {
            return None;
        }
        let features = u16::from_le_bytes(take(input)?);
        let count = u16::from_le_bytes(take(input)?);
        if usize::from(features) != FEATURES {
            return None;
        }
        let mut forest = Self::default();
        for _ in 0..count {
            forest.read_tree(input)?;
        }
        input.is_empty().then_some(forest)
    }

    fn read_tree(&mut self, input: &mut &[u8]) -> Option<()> {
        let [nodes, leaves] = take(input)?;
        let mut questions = Vec::new();
        let mut children = Vec::new();
        for _ in 0..nodes {
            let [feature] = take(input)?;
            let threshold = f32::from_le_bytes(take(input)?);
            let [left] = take(input)?;
            let [right] = take(input)?;
            if usize::from(feature) >= FEATURES {
                return None;
            }
            questions.push(Question { threshold, feature, left: 0 });
            children.push([left.cast_signed(), right.cast_signed()]);
        }
        let mut values = Vec::new();
        for _ in 0..leaves {
            values.push(f32::from_le_bytes(take(input)?));
        }
        let mut tree = Tree { questions, leaves: Vec::new() };
        // A tree without a question is its one leaf.
        tree.place(if nodes == 0 { -1 } else { 0 }, -1, &children, &values)?;
        self.trees.push(tree);
        Some(())
    }

    /// The chance of each block that it is content.
    pub(crate) fn chances(&self, blocks: &[&Features]) -> Vec<f32> {
        let mut chances = Vec::with_capacity(blocks.len());
        let mut row = [[0.0; AT_ONCE]; FEATURES];
        for group in blocks.chunks(AT_ONCE) {
            for (place, features) in group.iter().enumerate() {
                for (values, value) in row.iter_mut().zip(*features) {
                    values[place] = *value;
                }
            }
            let mut odds = [0.0; AT_ONCE];
            for tree in &self.trees {
                tree.add(&row, &mut odds);
            }
            chances.extend(odds[..group.len()].iter().map(|it| 1.0 / (1.0 + (-it).exp())));
        }
        chances
    }
}

impl Tree {
    /// Lines up the leaves under a child, a node or -1 - a leaf, and crosses them out where they are left behind.
    /// Children come after their parents and leaves exist: every way down ends.
    fn place(
        &mut self,
        child: i8,
        parent: i16,
        children: &[[i8; 2]],
        values: &[f32],
    ) -> Option<()> {
        let Ok(node) = usize::try_from(child) else {
            self.leaves.push(*values.get(usize::from(child.unsigned_abs()) - 1)?);
            return (self.leaves.len() <= MOST_LEAVES).then_some(());
        };
        if i16::from(child) <= parent {
            return None;
        }
        let [left, right] = *children.get(node)?;
        let first = self.leaves.len();
        self.place(left, i16::from(child), children, values)?;
        for leaf in first..self.leaves.len() {
            self.questions[node].left |= 1 << leaf;
        }
        self.place(right, i16::from(child), children, values)
    }

    fn add(&self, row: &[[f32; AT_ONCE]; FEATURES], odds: &mut [f32; AT_ONCE]) {
        for (odds, possible) in odds.iter_mut().zip(self.possible(row)) {
            *odds += self.leaves[possible.trailing_zeros() as usize];
        }
    }

    /// The leaves that each block can still reach, as bits. Written without a choice and kept out of its
    /// caller, every step is one instruction for several blocks; inside it, the compiler parts them.
    #[inline(never)]
    fn possible(&self, row: &[[f32; AT_ONCE]; FEATURES]) -> [u32; AT_ONCE] {
        let mut possible = [u32::MAX; AT_ONCE];
        for question in &self.questions {
            let values = &row[usize::from(question.feature)];
            for (possible, value) in possible.iter_mut().zip(values) {
                let above = u32::from(*value > question.threshold).wrapping_neg();
                *possible &= !(above & question.left);
            }
        }
        possible
    }
}

fn take<const N: usize>(input: &mut &[u8]) -> Option<[u8; N]> {
    let (head, rest) = input.split_first_chunk::<N>()?;
    *input = rest;
    Some(*head)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One tree: feature 0 at most 1 gives 2, else feature 1 at most 0.5 gives -1, else 0.
    fn small() -> Vec<u8> {
        let mut bytes = b"LYRB1\0".to_vec();
        bytes.extend((FEATURES as u16).to_le_bytes());
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend([2, 3]);
        bytes.push(0);
        bytes.extend(1.0_f32.to_le_bytes());
        bytes.extend([(-1_i8).cast_unsigned(), 1]);
        bytes.push(1);
        bytes.extend(0.5_f32.to_le_bytes());
        bytes.extend([(-2_i8).cast_unsigned(), (-3_i8).cast_unsigned()]);
        for leaf in [2.0_f32, -1.0, 0.0] {
            bytes.extend(leaf.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn a_block_falls_to_the_leaf_its_numbers_lead_to() {
        let forest = Forest::read(&small()).expect("well formed");
        let mut features = [0.0; FEATURES];
        assert_eq!(forest.chances(&[&features]), [1.0 / (1.0 + (-2.0_f32).exp())]);
        features[0] = 3.0;
        assert_eq!(forest.chances(&[&features]), [1.0 / (1.0 + 1.0_f32.exp())]);
        features[1] = 0.75;
        assert_eq!(forest.chances(&[&features]), [0.5]);
    }

    #[test]
    fn a_forest_that_is_cut_short_too_long_or_goes_in_circles_is_refused() {
        let whole = small();
        for length in 0..whole.len() {
            assert!(Forest::read(&whole[..length]).is_none(), "{length} bytes");
        }
        assert!(Forest::read(&[&whole[..], &[0]].concat()).is_none());
        let mut circle = whole.clone();
        circle[18] = 0;
        assert!(Forest::read(&circle).is_none());
        let mut nowhere = whole;
        nowhere[17] = (-9_i8).cast_unsigned();
        assert!(Forest::read(&nowhere).is_none());
    }

    #[test]
    fn the_forest_inside_the_program_is_whole() {
        assert!(!blocks().trees.is_empty());
    }
}
