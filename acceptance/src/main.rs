//! Measures what Lyra is accepted by, on the small internet, and prints each number beside its target.
//!
//! `cargo xtask acceptance fetch`, `search`, `attacks`. Read [`criteria`] for how a number becomes a verdict,
//! [`fetch`] and [`search`] for what is done. `cargo xtask verify` asks the real services instead ([`services`]).

mod attacks;
mod clock;
mod criteria;
mod fetch;
mod references;
mod search;
mod services;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask acceptance WHAT [--sites N] [--seed N]

  fetch     pages, refusals, challenges, the archive, repeated visits, search engines
  search    whole searches: what they find, what they cost, what they survive
  attacks   attacks on the program, and whether it holds
  references  200 references, true, altered, invented and retracted, and what a check says of each
  services  the services of the real internet, each asked once: exit code 0 passed, 1 failed, 2 could not be asked

  --sites N   sites of the small internet [default: 200]
  --seed N    another small internet of the same kind [default: 1]
  --part P    of `search` only this: quality, model, large, killed, many [default: all]
  --topics N  topics that are studied for quality [default: 6]
  --kills N   times a search is killed [default: 100]
  --keep DIR  keep the graph and the archive of `quality` there";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, file] = &words[..]
        && word == search::worker::WORD
    {
        return search::worker::run(file.as_ref());
    }
    if let [word] = &words[..]
        && word == "services"
    {
        return services::run().into();
    }
    let criteria = match Arguments::parse(&words) {
        Ok(arguments) => match arguments.what {
            What::Fetch => fetch::run(&arguments),
            What::Search => search::run(&arguments),
            What::Attacks => attacks::run(),
            What::References => references::run(&arguments),
        },
        Err(problem) => {
            criteria::say(&format!("acceptance: {problem}\n\n{USAGE}"));
            return ExitCode::FAILURE;
        }
    };
    if criteria.print() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Debug, Clone, Copy)]
enum What {
    Fetch,
    Search,
    Attacks,
    References,
}

#[derive(Debug)]
struct Arguments {
    what: What,
    sites: usize,
    seed: u64,
    part: Option<String>,
    topics: usize,
    kills: usize,
    keep: Option<PathBuf>,
}

impl Arguments {
    fn parse(words: &[String]) -> Result<Self, String> {
        let mut words = words.iter();
        let what = match words.next().map(String::as_str) {
            Some("fetch") => What::Fetch,
            Some("search") => What::Search,
            Some("attacks") => What::Attacks,
            Some("references") => What::References,
            Some(other) => return Err(format!("`{other}` cannot be measured")),
            None => return Err("say what to measure".to_owned()),
        };
        let mut arguments =
            Self { what, sites: 200, seed: 1, part: None, topics: 6, kills: 100, keep: None };
        while let Some(flag) = words.next() {
            let word = words.next().map(String::as_str);
            let number = word.and_then(|it| it.parse::<u64>().ok());
            match (flag.as_str(), word, number) {
                ("--sites", _, Some(number @ 1..=2_000)) => {
                    arguments.sites = usize::try_from(number).expect("2,000 fits");
                }
                ("--seed", _, Some(number)) => arguments.seed = number,
                ("--topics", _, Some(number @ 1..=12)) => {
                    arguments.topics = usize::try_from(number).expect("12 fits");
                }
                ("--kills", _, Some(number @ 1..=10_000)) => {
                    arguments.kills = usize::try_from(number).expect("10,000 fits");
                }
                ("--keep", Some(folder), _) => arguments.keep = Some(folder.into()),
                ("--part", Some(part), _) if search::PARTS.iter().any(|it| it.0 == part) => {
                    arguments.part = Some(part.to_owned());
                }
                _ => return Err(format!("`{flag}` is not understood")),
            }
        }
        Ok(arguments)
    }
}
