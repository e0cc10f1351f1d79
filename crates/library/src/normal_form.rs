//! Text as the search sees it: one normalised form, one loose form, and the way back to the original.
//!
//! Everything that is compared goes through [`normalise`]; nothing else folds width, case or numerals.

mod characters;
mod lines;
mod loose;
mod normal;
mod numerals;

pub(crate) use lines::lines;
pub(crate) use loose::{Loose, Term, Way};
pub(crate) use normal::{normalise, normalised};
pub(crate) use numerals::NUMBER_WORDS;
