//! A set of decision trees, as `training/extract/train.py` writes them.

use std::sync::LazyLock;

use super::features::{FEATURES, Features};

/// Trees whose leaves add up to the log-odds that a block is content. All lie in one row: a block
/// visits every tree, and what it visits next should be near.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    nodes: Vec<Node>,
    leaves: Vec<f32>,
    /// Where each tree begins.
    trees: Vec<Step>,
}

#[derive(Debug)]
struct Node {
    threshold: f32,
    feature: u8,
    /// Where to go at most the threshold, and above it. An index and no branch: which way a block goes
    /// cannot be foreseen.
    next: [Step; 2],
}

/// A node, or -1 - the place of a leaf.
type Step = i16;

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
        let (first_node, first_leaf) = (self.nodes.len(), self.leaves.len());
        // Children come after their parents and leaves exist: every way down ends.
        let step = |at: u8, child: i8| match u8::try_from(child) {
            Ok(node) if node > at && node < nodes => {
                Step::try_from(first_node + usize::from(node)).ok()
            }
            Err(_) if child.unsigned_abs() <= leaves => {
                let leaf = first_leaf + usize::from(child.unsigned_abs()) - 1;
                Step::try_from(leaf).ok().map(|it| -1 - it)
            }
            _ => None,
        };
        for at in 0..nodes {
            let [feature] = take(input)?;
            let threshold = f32::from_le_bytes(take(input)?);
            let [left] = take(input)?;
            let [right] = take(input)?;
            let next = [step(at, left.cast_signed())?, step(at, right.cast_signed())?];
            if usize::from(feature) >= FEATURES {
                return None;
            }
            self.nodes.push(Node { threshold, feature, next });
        }
        for _ in 0..leaves {
            self.leaves.push(f32::from_le_bytes(take(input)?));
        }
        // A tree without a question is its one leaf.
        let root = if nodes == 0 { step(0, -1)? } else { Step::try_from(first_node).ok()? };
        self.trees.push(root);
        Some(())
    }

    /// The chance that a block with these numbers is content.
    pub(crate) fn chance(&self, features: &Features) -> f32 {
        let odds: f32 = self.trees.iter().map(|it| self.value(*it, features)).sum();
        1.0 / (1.0 + (-odds).exp())
    }

    fn value(&self, mut at: Step, features: &Features) -> f32 {
        while let Ok(index) = usize::try_from(at) {
            let node = &self.nodes[index];
            at = node.next[usize::from(features[usize::from(node.feature)] > node.threshold)];
        }
        self.leaves[usize::from(at.unsigned_abs()) - 1]
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
        assert_eq!(forest.chance(&features), 1.0 / (1.0 + (-2.0_f32).exp()));
        features[0] = 3.0;
        assert_eq!(forest.chance(&features), 1.0 / (1.0 + 1.0_f32.exp()));
        features[1] = 0.75;
        assert_eq!(forest.chance(&features), 0.5);
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
