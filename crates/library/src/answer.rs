//! What every call does to keep its answer small: checked limits, pages that fit, rounded shares.

use serde::Serialize;
use text::estimate_tokens;

use crate::{Refusal, Result};

/// A number that a request may name; 0 and more than `most` are refused.
pub(crate) fn within(
    name: &str,
    asked: Option<usize>,
    default: usize,
    most: usize,
) -> Result<usize> {
    match asked.unwrap_or(default.min(most)) {
        number if (1..=most).contains(&number) => Ok(number),
        number => Err(Refusal::InvalidParameter
            .because(format!("{name} {number} is not between 1 and {most}"))),
    }
}

pub(crate) fn tokens(answer: &impl Serialize) -> usize {
    serde_json::to_string(answer).map_or(0, |json| estimate_tokens(&json))
}

/// The first rows that fit into an answer. At least one, or a caller could never get on.
pub(crate) fn fitting<T: Serialize>(rows: impl Iterator<Item = T>, most_tokens: usize) -> Vec<T> {
    let mut used = 0;
    let fits = |(at, row): &(usize, T)| {
        used += tokens(row) + 1;
        *at == 0 || used <= most_tokens
    };
    rows.enumerate().take_while(fits).map(|(_, row)| row).collect()
}

/// The offset of the next page; none after the last.
pub(crate) fn next_offset(offset: usize, shown: usize, total: usize) -> Option<usize> {
    Some(offset.saturating_add(shown)).filter(|next| *next < total)
}

/// A share to three digits.
pub(crate) fn rounded(share: f64) -> f64 {
    (share * 1_000.0).round() / 1_000.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
pub(crate) const fn is_zero(count: &usize) -> bool {
    *count == 0
}
