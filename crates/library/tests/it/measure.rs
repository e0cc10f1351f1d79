//! How well a search finds what a careful reader lists: the yardstick of tests and of the example `recall`.

use std::path::Path;

use serde::Deserialize;

use library::{FindRequest, Manuals, Moment, Section, SectionRef};

/// A request and the sections that answer it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    pub(crate) query: String,
    /// `manual/file.md#beginning of the title`, or a file alone.
    pub(crate) expect: Vec<String>,
    /// Whether some of its words stand in none of the sections that answer it.
    #[serde(default)]
    pub(crate) needs_synonyms: bool,
}

/// What came out, over all cases together.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Score {
    /// The share of expected sections that were found.
    pub(crate) recall: f64,
    /// The share of found sections that were expected.
    pub(crate) precision: f64,
    pub(crate) mean_candidates: f64,
    /// Each expected section that was not found, with its request.
    pub(crate) missed: Vec<(String, String)>,
}

/// Reads the cases of a file with `[[request]]` tables.
pub(crate) fn read_cases(path: &Path) -> Result<Vec<Case>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Cases {
        request: Vec<Case>,
    }
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let cases: Cases = toml::from_str(&text)
        .map_err(|error| format!("{}: {}", path.display(), error.message()))?;
    Ok(cases.request)
}

/// Measures a way of finding sections. A case that names a section that is not there is an error.
pub(crate) fn score(
    cases: &[Case],
    sections: &[Section],
    mut find: impl FnMut(&str) -> Vec<SectionRef>,
) -> Result<Score, String> {
    let (mut expected, mut found, mut right) = (0, 0, 0);
    let mut all = Score::default();
    for case in cases {
        let places = find(&case.query);
        found += places.len();
        for name in &case.expect {
            let place = named(name, sections).ok_or_else(|| format!("no section {name}"))?;
            expected += 1;
            if places.contains(place) {
                right += 1;
            } else {
                all.missed.push((case.query.clone(), name.clone()));
            }
        }
    }
    let share = |of: usize| if of == 0 { 0.0 } else { f64::from(right) / of as f64 };
    (all.recall, all.precision) = (share(expected), share(found));
    all.mean_candidates = found as f64 / cases.len().max(1) as f64;
    Ok(all)
}

/// The candidates of `manual_find`, in order.
pub(crate) fn candidates(
    manuals: &Manuals,
    query: &str,
    moment: &Moment<'_>,
) -> library::Result<Vec<SectionRef>> {
    let request = FindRequest { query: query.to_owned(), ..FindRequest::default() };
    let answer = manuals.find(&request, moment)?;
    let trace = manuals.trace(&answer.trace_id, moment)?;
    Ok(trace.candidates.into_iter().map(|it| it.place).collect())
}

/// A section by the beginning of its title; 第1条 is not the beginning of 第12条's, nor 1.1 of 1.10's.
fn named<'a>(name: &str, sections: &'a [Section]) -> Option<&'a SectionRef> {
    let (file, title) = name.split_once('#').unwrap_or((name, ""));
    let begins = |it: &Section| {
        let own = it.path.last().map_or("", String::as_str);
        let own: String = own.chars().map(plain).collect();
        own.strip_prefix(title).is_some_and(|rest| {
            !(title.ends_with(|c: char| c.is_ascii_digit())
                && rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    let here = |it: &&Section| format!("{}/{}", it.place.manual, it.place.path) == file;
    sections.iter().filter(here).find(|it| title.is_empty() || begins(it)).map(|it| &it.place)
}

/// Digits of any width are the same in a name.
fn plain(c: char) -> char {
    match c {
        '０'..='９' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    }
}
