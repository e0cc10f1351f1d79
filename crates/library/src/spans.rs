//! Ranges of lines: joined, cut out of each other, counted.

use serde::{Deserialize, Serialize};

/// The first and the last line, counted from 1 as editors do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    pub start_line: u32,
    pub end_line: u32,
}

impl Span {
    pub const fn new(start_line: u32, end_line: u32) -> Self {
        Self { start_line, end_line }
    }

    pub(crate) fn lines(self) -> std::ops::RangeInclusive<u32> {
        self.start_line..=self.end_line
    }

    pub(crate) fn count(self) -> u32 {
        self.end_line.saturating_add(1).saturating_sub(self.start_line)
    }

    pub(crate) fn overlap(self, other: Self) -> Option<Self> {
        let both = Self {
            start_line: self.start_line.max(other.start_line),
            end_line: self.end_line.min(other.end_line),
        };
        (both.start_line <= both.end_line).then_some(both)
    }
}

/// Sorted, without overlaps; neighbours become one.
pub(crate) fn joined(mut spans: Vec<Span>) -> Vec<Span> {
    spans.retain(|it| it.start_line <= it.end_line);
    spans.sort_unstable();
    let mut all: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match all.last_mut() {
            Some(last) if span.start_line <= last.end_line.saturating_add(1) => {
                last.end_line = last.end_line.max(span.end_line);
            }
            _ => all.push(span),
        }
    }
    all
}

/// What of `from` is in none of `taken`, which are joined.
pub(crate) fn without(from: Span, taken: &[Span]) -> Vec<Span> {
    let mut left = Vec::new();
    let mut next = from.start_line;
    for span in taken.iter().filter_map(|it| it.overlap(from)) {
        if next < span.start_line {
            left.push(Span::new(next, span.start_line - 1));
        }
        next = span.end_line.saturating_add(1);
    }
    if next <= from.end_line {
        left.push(Span::new(next, from.end_line));
    }
    left
}

/// Lines in spans that are joined.
pub(crate) fn count(spans: &[Span]) -> u32 {
    spans.iter().map(|it| it.count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans(of: &[(u32, u32)]) -> Vec<Span> {
        of.iter().map(|(start, end)| Span::new(*start, *end)).collect()
    }

    #[test]
    fn neighbours_and_overlaps_become_one() {
        assert_eq!(
            joined(spans(&[(7, 9), (1, 2), (3, 4), (8, 12), (20, 19)])),
            spans(&[(1, 4), (7, 12)])
        );
    }

    #[test]
    fn what_is_left_stands_around_what_was_taken() {
        let taken = spans(&[(1, 2), (5, 6), (10, 30)]);
        assert_eq!(without(Span::new(2, 12), &taken), spans(&[(3, 4), (7, 9)]));
        assert_eq!(without(Span::new(11, 12), &taken), []);
        assert_eq!(without(Span::new(3, 4), &taken), spans(&[(3, 4)]));
    }

    proptest! {
        #[test]
        fn every_line_is_taken_or_left(parts in proptest::collection::vec((1_u32..40, 1_u32..40), 0..8)) {
            let taken = joined(spans(&parts));
            let whole = Span::new(1, 40);
            let left = without(whole, &taken);
            prop_assert_eq!(count(&left) + count(&taken), whole.count());
        }
    }
}
