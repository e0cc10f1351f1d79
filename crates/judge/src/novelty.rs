//! How much new a query still finds, and which query should continue: plain arithmetic.
//!
//! Fragments come in the order in which they were read. Nothing here stops anything: the engine acts on the numbers and
//! says why.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use settings::settings;
use text::script::is_cjk;

/// A harvest that fell this many times in a row is diminishing.
const FALLING_CYCLES: usize = 3;

settings! {
    /// When a search has nothing new to say.
    pub struct NoveltySettings {}
    expert {
        /// Novelty is the share of new passages among this many last ones.
        window: usize = 20, in 1..=1_000;
        /// Passages in one cycle.
        cycle: usize = 10, in 1..=1_000;
        /// A cycle that ends below this share is a dry one.
        least: f64 = 0.1, in 0.0..=1.0;
        /// Dry cycles in a row that end a search; 0 never ends one.
        dry_cycles: usize = 2, in 0..=100;
        /// Words (or characters, in scripts without spaces) of an n-gram.
        ngram: usize = 3, in 1..=10;
        /// How much a search that was hardly tried is preferred to one known to be good.
        exploration: f64 = 1.0, in 0.0..=10.0;
    }
    removed {
        "falling_cycles": "nothing used it";
    }
}

/// The share of new useful fragments among the last ones; nothing is known before the first.
pub fn novelty(new_and_useful: &[bool], settings: &NoveltySettings) -> Option<f64> {
    let last = &new_and_useful[new_and_useful.len().saturating_sub(settings.window)..];
    let found = last.iter().filter(|it| **it).count();
    (!last.is_empty()).then(|| found as f64 / last.len() as f64)
}

/// Whether the last cycles that ended were all dry.
pub fn is_dry(new_and_useful: &[bool], settings: &NoveltySettings) -> bool {
    let cycle = settings.cycle.max(1);
    let ended = new_and_useful.len() / cycle;
    if settings.dry_cycles == 0 || ended < settings.dry_cycles {
        return false;
    }
    (ended - settings.dry_cycles + 1..=ended).all(|cycles| {
        let novelty = novelty(&new_and_useful[..cycles * cycle], settings);
        novelty.is_some_and(|it| it < settings.least)
    })
}

/// The n-grams of fragments that were read, so that later ones can be held against all of them.
#[derive(Debug, Clone, Default)]
pub struct SeenNgrams(HashSet<u64>);

impl SeenNgrams {
    pub fn add(&mut self, fragment: &str, settings: &NoveltySettings) {
        self.0.extend(ngrams(fragment, settings.ngram));
    }

    /// The share of n-grams in the last of these fragments that neither an earlier one of them nor one seen before
    /// had; nothing is known where the last fragments are too short to have any.
    pub fn unique(&self, fragments: &[&str], settings: &NoveltySettings) -> Option<f64> {
        let (earlier, last) = fragments.split_at(fragments.len().saturating_sub(settings.window));
        let of = |fragments: &[&str]| -> HashSet<u64> {
            fragments.iter().flat_map(|fragment| ngrams(fragment, settings.ngram)).collect()
        };
        let (earlier, found) = (of(earlier), of(last));
        let unique = found.iter().filter(|it| !self.0.contains(it) && !earlier.contains(it));
        (!found.is_empty()).then(|| unique.count() as f64 / found.len() as f64)
    }
}

/// Useful fragments for each one that was read; 0 before the first.
pub fn harvest(useful: usize, read: usize) -> f64 {
    if read == 0 { 0.0 } else { useful as f64 / read as f64 }
}

/// Whether the harvest of a query fell in each of the last cycles, to half or less of what it was before.
pub fn is_diminishing(harvests: &[f64]) -> bool {
    let Some(from) = harvests.len().checked_sub(FALLING_CYCLES + 1) else { return false };
    let last = &harvests[from..];
    last.windows(2).all(|it| it[1] < it[0]) && last[FALLING_CYCLES] * 2.0 <= last[0]
}

/// Whether each of the last cycles that ended said next to nothing that was not said before; `unique` are their shares of
/// new n-grams, and a cycle that kept nothing has none.
pub fn is_repeating(unique: &[Option<f64>], settings: &NoveltySettings) -> bool {
    let Some(from) = unique.len().checked_sub(settings.dry_cycles) else { return false };
    settings.dry_cycles > 0
        && unique[from..].iter().all(|it| it.is_some_and(|it| it < settings.least))
}

/// A query as the budget sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    pub read: usize,
    pub useful: usize,
    /// A query that was stopped gets nothing.
    pub open: bool,
}

/// How promising a branch is (UCB1): its harvest, and more for a branch that was tried little.
pub fn promise(branch: &Branch, read_in_all: usize, settings: &NoveltySettings) -> f64 {
    ucb1(harvest(branch.useful, branch.read), branch.read, read_in_all, settings)
}

/// Shares a budget of fragments to read among branches: each unit goes to the most promising one, the
/// earlier of equals, as if it brought what the branch brought so far.
pub fn share(branches: &[Branch], budget: usize, settings: &NoveltySettings) -> Vec<usize> {
    let mut shares = vec![0; branches.len()];
    let before: usize = branches.iter().map(|it| it.read).sum();
    for read_in_all in before..before.saturating_add(budget) {
        let mut best: Option<(usize, f64)> = None;
        for (index, branch) in branches.iter().enumerate().filter(|it| it.1.open) {
            let mean = harvest(branch.useful, branch.read);
            let promise = ucb1(mean, branch.read + shares[index], read_in_all, settings);
            if best.is_none_or(|it| promise > it.1) {
                best = Some((index, promise));
            }
        }
        let Some((index, _)) = best else { break };
        shares[index] += 1;
    }
    shares
}

fn ucb1(mean: f64, read: usize, read_in_all: usize, settings: &NoveltySettings) -> f64 {
    if read == 0 {
        return f64::INFINITY;
    }
    let doubt = 2.0 * (read_in_all.max(1) as f64).ln() / read as f64;
    mean + settings.exploration * doubt.sqrt()
}

/// N-grams of words; in scripts without spaces every character is a word.
fn ngrams(text: &str, size: usize) -> Vec<u64> {
    let mut words: Vec<String> = Vec::new();
    let mut inside = false;
    for character in text.chars().flat_map(char::to_lowercase) {
        if !character.is_alphanumeric() {
            inside = false;
            continue;
        }
        let alone = is_cjk(character);
        match words.last_mut().filter(|_| inside && !alone) {
            Some(word) => word.push(character),
            None => words.push(character.to_string()),
        }
        inside = !alone;
    }
    let hash = |words: &[String]| {
        let mut hasher = DefaultHasher::new();
        words.hash(&mut hasher);
        hasher.finish()
    };
    words.windows(size.max(1)).map(hash).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `+` is a fragment that was new and useful.
    fn read(marks: &str) -> Vec<bool> {
        marks.chars().map(|it| it == '+').collect()
    }

    #[test]
    fn novelty_looks_at_the_last_twenty() {
        let settings = NoveltySettings::default();
        let shown = |marks: &str| novelty(&read(marks), &settings);
        assert_eq!(shown(""), None);
        assert_eq!(shown("+"), Some(1.0));
        assert_eq!(shown("+---"), Some(0.25));
        assert_eq!(shown(&("+".repeat(30) + &"-".repeat(15))), Some(0.25));
    }

    #[test]
    fn two_dry_cycles_in_a_row_end_a_query() {
        let settings = NoveltySettings::default();
        let dry = |marks: String| is_dry(&read(&marks), &settings);
        assert!(!dry(String::new()));
        assert!(!dry("-".repeat(10)), "one dry cycle");
        assert!(!dry("-".repeat(19)), "the second has not ended");
        assert!(dry("-".repeat(20)));
        assert!(dry("-".repeat(25)));
        assert!(!dry("++".to_owned() + &"-".repeat(18)), "exactly a tenth is enough");
        assert!(!dry("+".repeat(10) + &"-".repeat(20)), "only the last of three is dry");
        assert!(dry("+".repeat(10) + &"-".repeat(30)));
        assert!(!dry("-".repeat(20) + &"+".repeat(10)));
    }

    #[test]
    fn ngrams_that_were_there_before_are_not_new() {
        let settings = NoveltySettings { window: 1, ..NoveltySettings::default() };
        let shown = |fragments: &[&str]| SeenNgrams::default().unique(fragments, &settings);
        assert_eq!(shown(&[]), None);
        assert_eq!(shown(&["two words"]), None, "no three words");
        assert_eq!(shown(&["Vitamin D reduces falls"]), Some(1.0));
        assert_eq!(shown(&["Vitamin D reduces falls", "vitamin d reduces falls!"]), Some(0.0));
        assert_eq!(shown(&["Vitamin D reduces falls", "vitamin D reduces pain"]), Some(0.5));
        assert_eq!(shown(&["転倒を減らす", "転倒を増やす"]), Some(0.75));
        let mut seen = SeenNgrams::default();
        seen.add("Vitamin D reduces falls", &settings);
        assert_eq!(seen.unique(&["vitamin D reduces pain"], &settings), Some(0.5));
        assert_eq!(seen.unique(&["falls", "Vitamin D reduces falls"], &settings), Some(0.0));
    }

    #[test]
    fn a_harvest_that_keeps_falling_is_diminishing() {
        assert_eq!((harvest(0, 0), harvest(1, 4)), (0.0, 0.25));
        assert!(!is_diminishing(&[]));
        assert!(!is_diminishing(&[0.5, 0.4, 0.3]));
        assert!(is_diminishing(&[0.5, 0.4, 0.3, 0.2]));
        assert!(!is_diminishing(&[0.5, 0.4, 0.4, 0.2]));
        assert!(is_diminishing(&[0.1, 0.9, 0.4, 0.3, 0.2]));
        assert!(!is_diminishing(&[0.9, 0.8, 0.7, 0.6]), "it still brings most of what it did");
    }

    #[test]
    fn two_cycles_of_words_that_were_there_before_are_a_repetition() {
        let settings = NoveltySettings::default();
        let repeats = |unique: &[Option<f64>]| is_repeating(unique, &settings);
        assert!(!repeats(&[]));
        assert!(!repeats(&[Some(0.05)]));
        assert!(repeats(&[Some(1.0), Some(0.05), Some(0.0)]));
        assert!(!repeats(&[Some(0.05), Some(0.1)]), "exactly a tenth is new");
        assert!(!repeats(&[Some(0.0), None]), "nothing was kept, so nothing was repeated");
        let never = NoveltySettings { dry_cycles: 0, ..settings.clone() };
        assert!(!is_repeating(&[Some(0.0), Some(0.0)], &never));
    }

    #[test]
    fn a_budget_goes_to_what_brought_most_and_to_what_was_not_tried() {
        let settings = NoveltySettings::default();
        let branch = |read, useful| Branch { read, useful, open: true };
        assert_eq!(share(&[], 5, &settings), [0; 0]);
        assert_eq!(share(&[branch(10, 9), branch(10, 1)], 10, &settings), [10, 0]);
        assert_eq!(share(&[branch(10, 9), branch(10, 5)], 100, &settings), [90, 10]);
        assert_eq!(share(&[branch(10, 9), branch(0, 0)], 2, &settings), [0, 2]);
        assert_eq!(share(&[branch(10, 5), branch(10, 5)], 4, &settings), [2, 2]);
        let closed = Branch { open: false, ..branch(10, 9) };
        assert_eq!(share(&[closed, branch(10, 0)], 3, &settings), [0, 3]);
        assert_eq!(share(&[closed], 3, &settings), [0]);
    }

    #[test]
    fn promise_is_the_published_formula() {
        let settings = NoveltySettings::default();
        let branch = Branch { read: 10, useful: 5, open: true };
        let promise = super::promise(&branch, 100, &settings);
        assert!((promise - (0.5 + (2.0 * 100_f64.ln() / 10.0).sqrt())).abs() < 1e-12);
        assert_eq!(
            super::promise(&Branch { read: 0, useful: 0, open: true }, 9, &settings),
            f64::INFINITY
        );
    }
}
