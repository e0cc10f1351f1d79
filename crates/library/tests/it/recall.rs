//! What a careful reader lists is found.

use library::LibrarySettings;

use crate::corpus::{NOW, folder, open};
use crate::measure::{Case, Score, candidates, read_cases, score};

fn measured(settings: LibrarySettings, wanted: impl Fn(&Case) -> bool) -> Score {
    let (manuals, _state) = open(settings);
    let cases = read_cases(&folder().join("requests.toml")).unwrap();
    let cases: Vec<Case> = cases.into_iter().filter(wanted).collect();
    let sections = manuals.sections().unwrap();
    score(&cases, &sections, |query| candidates(&manuals, query, &NOW).unwrap()).unwrap()
}

#[test]
fn a_careful_reader_misses_almost_nothing() {
    let all = measured(LibrarySettings::default(), |_| true);
    assert!(all.recall >= 0.98, "{all:#?}");
}

#[test]
fn requests_in_the_words_of_the_manual_need_no_synonyms() {
    let settings = LibrarySettings { synonyms: false, ..LibrarySettings::default() };
    let plain = measured(settings, |it| !it.needs_synonyms);
    assert!(plain.recall >= 0.95, "{plain:#?}");
}
