//! A text as it is searched: normalised and loose, and where its lines begin.

use std::ops::Range;

use crate::normal_form::{Loose, lines, normalised};

#[derive(Debug)]
pub(crate) struct SearchText {
    pub(crate) normal: Box<str>,
    pub(crate) loose: Loose,
    /// The byte of `normal` at which each line begins.
    line_starts: Box<[u32]>,
}

impl SearchText {
    /// Nothing for a text of more than 4 GiB.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let normal = normalised(text);
        let starts = lines(&normal).map(|it| u32::try_from(it.bytes.start));
        let line_starts = starts.collect::<Result<Box<[u32]>, _>>().ok()?;
        u32::try_from(line_starts.len()).ok()?;
        let loose = Loose::new(&normal);
        Some(Self { normal: normal.into(), loose, line_starts })
    }

    pub(crate) fn line_count(&self) -> u32 {
        u32::try_from(self.line_starts.len()).expect("checked when the text was read")
    }

    /// The bytes of the normalised text that some lines take.
    pub(crate) fn bytes(&self, lines: Range<u32>) -> Range<usize> {
        let start = |line: u32| {
            let line = line.saturating_sub(1) as usize;
            self.line_starts.get(line).map_or(self.normal.len(), |it| *it as usize)
        };
        start(lines.start)..start(lines.end)
    }

    /// The normalised text of some lines.
    pub(crate) fn lines(&self, lines: Range<u32>) -> &str {
        &self.normal[self.bytes(lines)]
    }

    /// The line of a byte of the normalised text, counted from 1.
    pub(crate) fn line_at(&self, byte: usize) -> u32 {
        u32::try_from(self.line_starts.partition_point(|it| *it as usize <= byte))
            .unwrap_or(u32::MAX)
            .max(1)
    }
}
