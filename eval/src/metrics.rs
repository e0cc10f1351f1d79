//! The numbers a measurement comes down to. Pure.

mod labels;
mod order;
mod overlap;
mod rankings;

pub(crate) use labels::{Scores, majority, score, score_hard};
pub(crate) use order::{auc, spearman};
pub(crate) use overlap::{Overlap, median, overlap};
pub(crate) use rankings::{ndcg, recall};
