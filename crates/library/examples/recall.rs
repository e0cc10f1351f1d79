//! The table of `manual_find` beside plain substring search and BM25, on the manuals written for the tests.
//!
//! `cargo run -p library --example recall [-- --missed]`
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for people to run and read"
)]

use std::path::Path;
use std::time::Duration;

use library::{LibrarySettings, ManualOptions, Manuals, Moment, Section, SectionRef, query_words};
use rank::{Passage, RankSettings, rank};

#[path = "../tests/it/measure.rs"]
mod measure;
use measure::{Case, Score, candidates, read_cases, score};

const TOP: usize = 20;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let cases = read_cases(&folder.join("requests.toml")).unwrap();
    let plain: Vec<Case> = cases.iter().filter(|it| !it.needs_synonyms).cloned().collect();
    let show_missed = std::env::args().any(|it| it == "--missed");
    println!("| method | requests | recall | precision | mean candidates |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    let row = |name: &str, cases: &[Case], it: &Score| {
        println!(
            "| {name} | {} | {:.3} | {:.3} | {:.1} |",
            cases.len(),
            it.recall,
            it.precision,
            it.mean_candidates
        );
        if show_missed && name.starts_with("Lyra") {
            it.missed.iter().for_each(|(query, name)| println!("  missed: {query}: {name}"));
        }
    };
    let moment = Moment { now_ms: 0, elapsed: &|| Duration::ZERO };
    for (name, synonyms, cases) in
        [("Lyra", true, &cases), ("Lyra without synonyms", false, &plain)]
    {
        let state = tempfile::tempdir().unwrap();
        let manuals = Manuals::new(ManualOptions {
            root: folder.join("manuals"),
            state: state.path().to_owned(),
            dictionaries: None,
            settings: LibrarySettings { synonyms, ..LibrarySettings::default() },
        });
        let sections = manuals.sections().unwrap();
        let found = score(cases, &sections, |query| {
            let found = candidates(&manuals, query, &moment).unwrap();
            if show_missed {
                println!(
                    "  {query}: {}",
                    found.iter().map(|it| shown(it, &sections)).collect::<Vec<_>>().join(", ")
                );
            }
            found
        });
        row(name, cases, &found.unwrap());
        if synonyms {
            row(
                "substring, any word",
                cases,
                &score(cases, &sections, |it| substring(it, &sections)).unwrap(),
            );
            row("BM25, top 20", cases, &score(cases, &sections, |it| bm25(it, &sections)).unwrap());
        }
    }
}

fn shown(place: &SectionRef, sections: &[Section]) -> String {
    let title = sections.iter().find(|it| it.place == *place).and_then(|it| it.path.last());
    title.map_or_else(
        || place.to_string(),
        |it| it.split(['（', ' ', '　']).next().unwrap_or("").to_owned(),
    )
}

fn bm25(query: &str, sections: &[Section]) -> Vec<SectionRef> {
    let headings: Vec<String> = sections.iter().map(|it| it.path.join(" ")).collect();
    let passages: Vec<Passage<'_>> = sections
        .iter()
        .zip(&headings)
        .map(|(it, heading)| Passage {
            text: &it.text,
            heading: Some(heading),
            category_weight: 1.0,
            quality_penalty: 0.0,
            foreign: false,
        })
        .collect();
    let settings = RankSettings { bm25_top_k: TOP, ..RankSettings::default() };
    let ranking =
        rank(query, &passages, |it| Ok::<_, ()>(vec![None; it.len()]), &settings).unwrap();
    ranking.ranked.iter().take(TOP).map(|it| sections[it.index].place.clone()).collect()
}

/// Plain substring search: sections with any word of the request, as it is written.
fn substring(query: &str, sections: &[Section]) -> Vec<SectionRef> {
    let words = query_words(query);
    let has = |it: &&Section| words.iter().any(|word| it.text.contains(word.as_str()));
    sections.iter().filter(has).map(|it| it.place.clone()).collect()
}
