//! The measure of sentences: how alike they are in length, and how often the text says the same again.

use text::script::count_words;
use text::script::is_cjk;

/// Fewer sentences than this have no pattern.
const FEWEST: usize = 6;
/// People's sentences differ in length by about 0.5 of the mean and more; texts made by filling
/// patterns by 0.15 and less.
const HUMAN_SPREAD: f64 = 0.5;
const MADE_SPREAD: f64 = 0.1;
/// Headings and scraps are no sentences.
const SHORTEST: f32 = 3.0;

/// The lengths of the sentences of a text, in words.
#[derive(Debug, Default)]
pub(super) struct Sentences {
    lengths: Vec<f32>,
}

impl Sentences {
    pub(super) fn of(text: &str) -> Self {
        let lengths = text.lines().flat_map(split).map(count_words).filter(|it| *it >= SHORTEST);
        Self { lengths: lengths.collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.lengths.len()
    }

    /// 0 where lengths differ as people's do, 1 where all are the same.
    pub(super) fn uniformity(&self) -> f64 {
        if self.lengths.len() < FEWEST {
            return 0.0;
        }
        let count = self.lengths.len() as f64;
        let mean = self.lengths.iter().copied().map(f64::from).sum::<f64>() / count;
        let square = |it: &f32| (f64::from(*it) - mean).powi(2);
        let spread = (self.lengths.iter().map(square).sum::<f64>() / count).sqrt() / mean;
        ((HUMAN_SPREAD - spread) / (HUMAN_SPREAD - MADE_SPREAD)).clamp(0.0, 1.0)
    }
}

/// Sentences that come to an end; what trails off without one is not measured.
fn split(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['.', '!', '?', '。', '！', '？'])
        .filter(|it| it.ends_with(['.', '!', '?', '。', '！', '？']))
}

/// Words that make one n-gram, and characters in scripts without spaces.
const WORDS: usize = 4;
const CHARACTERS: usize = 8;
/// Fewer n-grams than this say nothing about repetition.
const FEWEST_GRAMS: usize = 30;

/// The share of n-grams that occur in the text more than once.
pub(super) fn repetition(text: &str) -> f64 {
    let units = units(text);
    let mut grams = Vec::with_capacity(units.len());
    for run in units.split(|it| it.is_end()) {
        // A run is in one kind of script for the most part; its own unit decides how long a gram is.
        let wide = run.iter().filter(|it| it.wide).count() * 2 > run.len();
        let windows = run.windows(if wide { CHARACTERS } else { WORDS });
        grams.extend(windows.map(|gram| gram.iter().fold(0, |sum, it| mix(sum, it.hash))));
    }
    if grams.len() < FEWEST_GRAMS {
        return 0.0;
    }
    let all = grams.len();
    grams.sort_unstable();
    grams.dedup();
    (all - grams.len()) as f64 / all as f64
}

/// A word, or a character of a script without spaces.
#[derive(Debug, Clone, Copy)]
struct Unit {
    hash: u64,
    wide: bool,
}

impl Unit {
    const END: Self = Self { hash: u64::MAX, wide: false };

    fn new(hash: u64, wide: bool) -> Self {
        // One value is kept for the end of a line.
        Self { hash: hash.min(u64::MAX - 1), wide }
    }

    fn is_end(self) -> bool {
        self.hash == u64::MAX
    }
}

/// Adds a value to a hash, so that order counts. Texts that are made to collide only make themselves
/// look more repetitive.
fn mix(hash: u64, value: u64) -> u64 {
    let mixed = (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

fn units(text: &str) -> Vec<Unit> {
    let mut units = Vec::with_capacity(text.len() / 5);
    let mut word = None;
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            let lower = u64::from(character.to_ascii_lowercase());
            word = Some(mix(word.unwrap_or(0), lower));
            continue;
        }
        let is_wide = is_cjk(character);
        if !is_wide && character.is_alphanumeric() {
            let lower = character.to_lowercase().next().unwrap_or(character);
            word = Some(mix(word.unwrap_or(0), u64::from(lower)));
            continue;
        }
        if matches!(character, '\'' | '’') {
            continue;
        }
        units.extend(word.take().map(|it| Unit::new(it, false)));
        if is_wide && character.is_alphanumeric() {
            units.push(Unit::new(mix(0, u64::from(character)), true));
        } else if character == '\n' {
            units.push(Unit::END);
        }
    }
    units.extend(word.map(|it| Unit::new(it, false)));
    units
}
