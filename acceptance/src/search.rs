//! Whole searches: what they find out, what they cost, and what they survive.

mod environment;
mod findings;
mod killed;
mod language_model;
mod large;
mod many;
mod plan;
mod quality;
mod timed;
pub(crate) mod worker;

use crate::Arguments;
use crate::criteria::Criteria;

/// The parts in the order they are measured.
pub(crate) const PARTS: [(&str, Part); 5] = [
    ("quality", quality::run),
    ("model", language_model::run),
    ("large", large::run),
    ("killed", killed::run),
    ("many", many::run),
];

type Part = fn(&Arguments, &mut Criteria);

pub(crate) fn run(arguments: &Arguments) -> Criteria {
    let mut criteria = Criteria::default();
    for (name, part) in PARTS {
        if arguments.part.as_deref().is_none_or(|it| it == name) {
            part(arguments, &mut criteria);
        }
    }
    criteria
}
