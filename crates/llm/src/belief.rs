//! What of a model's claims is believed: what rests on words of the text.

use std::ops::Range;

use crate::ground::Ground;
use crate::guard::{GuardSettings, SecurityWarning, check};
use judge::claims::ClaimSource;
use judge::same::Content;
use text::words::{folded, numbers};

/// What makes a claim of a model believable.
pub(super) struct Belief<'a> {
    source: &'a ClaimSource<'a>,
    ground: Ground,
    /// Characters of the text that speak to a machine.
    spoken: Vec<Range<usize>>,
    /// Title and headings.
    place: String,
    numbers: Vec<String>,
    min_share: f64,
}

impl<'a> Belief<'a> {
    pub(super) fn new(
        source: &'a ClaimSource<'a>,
        place: &[&str],
        warnings: &[SecurityWarning],
        min_share: f64,
    ) -> Self {
        let place = place.join("\n");
        Self {
            ground: Ground::of(source.text),
            spoken: warnings.iter().map(|it| it.char_start..it.char_end).collect(),
            numbers: numbers(&folded(&format!("{place}\n{}", source.text))),
            place,
            source,
            min_share,
        }
    }

    /// The characters a claim rests on, or nothing if it is not credible.
    pub(super) fn place_of(&self, claim: &str, quote: &str) -> Option<Range<usize>> {
        let chars = self.ground.find(quote)?;
        if self.spoken.iter().any(|it| it.start < chars.end && chars.start < it.end) {
            return None;
        }
        let said = numbers(&folded(claim));
        if claim.is_empty() || !said.iter().all(|it| self.numbers.contains(it)) {
            return None;
        }
        let quoted: String = self.source.text.chars().skip(chars.start).take(chars.len()).collect();
        let around = Content::of(&format!("{quoted}\n{}", self.place));
        (Content::of(claim).covered_share(&around) >= self.min_share).then_some(chars)
    }

    /// Whether an address of this kind is in the text itself.
    pub(super) fn has_address(&self, pattern: &str) -> bool {
        !is_address(pattern) || {
            let settings = GuardSettings::default();
            check(self.source.text, "", self.source.text.len(), &settings)
                .warnings
                .iter()
                .any(|it| it.pattern == pattern)
        }
    }
}

/// Something a model should never write, whatever it was asked.
pub(super) fn is_leak(warning: &SecurityWarning) -> bool {
    matches!(warning.pattern.as_str(), "prompt_fragment" | "instruction_tag" | "too_long")
}

/// An address of the network.
pub(super) fn is_address(pattern: &str) -> bool {
    matches!(pattern, "url" | "ipv4" | "ipv6")
}
