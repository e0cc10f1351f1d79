//! Attacks on the program as a user has it, each naming what it would have broken: `cargo xtask acceptance attacks`.
//!
//! Every attack goes through a door: the command line, the messages of an assistant, the HTTP server, files and folders,
//! pages on loopback. It is held if nothing leaked, nothing changed, nothing crashed and the answer came in time. The
//! table is what `docs/security.md` shows.

mod addresses;
mod bombs;
mod exports;
mod messages;
mod paths;
mod program;
mod queries;
mod reading;
mod restore;
mod terminal;

use std::collections::BTreeMap;

use crate::criteria::{Criteria, Target, say};
use program::Program;

/// An attack, and what came of it.
#[derive(Debug)]
pub(crate) struct Attack {
    area: &'static str,
    name: String,
    /// What it would have broken.
    would: &'static str,
    /// Why it was not held.
    broke: Option<String>,
}

impl Attack {
    fn new(
        area: &'static str,
        name: impl Into<String>,
        would: &'static str,
        held: Result<(), String>,
    ) -> Self {
        Self { area, name: name.into(), would, broke: held.err() }
    }
}

/// Tries all of them. The program is expected beside this one: `cargo xtask acceptance attacks` builds both.
pub(crate) fn run() -> Criteria {
    let program = Program::beside_this_one();
    let mut attacks = Vec::new();
    for area in [
        addresses::attacks,
        bombs::attacks,
        paths::attacks,
        queries::attacks,
        messages::attacks,
        terminal::attacks,
        reading::attacks,
        restore::attacks,
        exports::attacks,
    ] {
        attacks.extend(area(&program));
    }
    let mut areas: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for attack in &attacks {
        let counts = areas.entry(attack.area).or_default();
        counts.0 += 1;
        counts.1 += usize::from(attack.broke.is_none());
        if let Some(broke) = &attack.broke {
            say(&format!("NOT HELD  {}: {} ({}): {broke}", attack.area, attack.name, attack.would));
        }
    }
    say("\n| Area | What it would have broken | Tried | Held |\n| --- | --- | ---: | ---: |");
    for (area, (tried, held)) in &areas {
        let mut would: Vec<&str> =
            attacks.iter().filter(|it| it.area == *area).map(|it| it.would).collect();
        would.sort_unstable();
        would.dedup();
        say(&format!("| {area} | {} | {tried} | {held} |", would.join("; ")));
    }
    let held = areas.values().map(|it| it.1).sum();
    let mut criteria = Criteria::default();
    criteria.share("attacks held", held, attacks.len(), Target::Exactly(1.0));
    criteria.number("attacks tried", attacks.len() as f64, "", Target::AtLeast(300.0));
    criteria
}
