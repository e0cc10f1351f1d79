//! Measures what Lyra is accepted by, on the small internet, and prints each number beside its target.
//!
//! `cargo xtask acceptance fetch`. Read [`criteria`] for how a number becomes a verdict, [`fetch`] for what is done.

mod clock;
mod criteria;
mod fetch;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask acceptance WHAT [--sites N] [--seed N]

  fetch   pages, refusals, challenges, the archive, repeated visits, search engines

  --sites N   sites of the small internet [default: 200]
  --seed N    another small internet of the same kind [default: 1]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let criteria = match Arguments::parse(&words) {
        Ok(arguments) => fetch::run(&arguments),
        Err(problem) => {
            criteria::say(&format!("acceptance: {problem}\n\n{USAGE}"));
            return ExitCode::FAILURE;
        }
    };
    if criteria.print() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Arguments {
    sites: usize,
    seed: u64,
}

impl Arguments {
    fn parse(words: &[String]) -> Result<Self, String> {
        let mut arguments = Self { sites: 200, seed: 1 };
        let mut words = words.iter();
        match words.next().map(String::as_str) {
            Some("fetch") => {}
            Some(other) => return Err(format!("`{other}` cannot be measured")),
            None => return Err("say what to measure".to_owned()),
        }
        while let Some(flag) = words.next() {
            let number = words.next().and_then(|it| it.parse::<u64>().ok());
            match (flag.as_str(), number) {
                ("--sites", Some(number @ 1..=2_000)) => {
                    arguments.sites = usize::try_from(number).expect("2,000 fits");
                }
                ("--seed", Some(number)) => arguments.seed = number,
                _ => return Err(format!("`{flag}` is not understood")),
            }
        }
        Ok(arguments)
    }
}
