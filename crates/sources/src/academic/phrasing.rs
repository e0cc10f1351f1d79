//! A query in the words of each index, and what has to be checked afterwards because an index cannot be told.

use crate::candidate::Candidate;
use crate::period::Period;
use crate::query::Query;

/// One query as both indexes are asked it.
pub(super) struct Phrasing {
    pub(super) semantic_scholar: String,
    /// `from:until` in the form of Semantic Scholar.
    pub(super) dates: Option<String>,
    pub(super) openalex: String,
    pub(super) filters: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Phrasing {
    pub(super) fn of(query: &Query) -> Self {
        let (period, mut notes) = Period::of(query);
        for (part, value) in [("site", &query.site), ("filetype", &query.filetype)] {
            if value.is_some() {
                notes.push(format!("an academic index has no `{part}`: asked without it"));
            }
        }
        let words = [query.text.as_str()].into_iter();
        let words: Vec<String> = words
            .chain(query.phrases.iter().map(String::as_str))
            .chain(query.required.iter().map(String::as_str))
            .chain(query.in_title.as_deref())
            .map(plain)
            .filter(|it| !it.is_empty())
            .collect();
        let mut openalex = vec![plain(&query.text)];
        let quoted = query.phrases.iter().chain(query.required.iter());
        openalex.extend(
            quoted.map(|it| plain(it)).filter(|it| !it.is_empty()).map(|it| format!("\"{it}\"")),
        );
        openalex.retain(|it| !it.is_empty());
        let mut filters = Vec::new();
        filters.extend(period.from.map(|it| format!("from_publication_date:{it}")));
        filters.extend(period.until.map(|it| format!("to_publication_date:{it}")));
        let in_title = query.in_title.as_deref().map(|it| plain(it).replace([',', '|', ':'], " "));
        filters.extend(in_title.filter(|it| !it.is_empty()).map(|it| format!("title.search:{it}")));
        let day =
            |date: Option<jiff::civil::Date>| date.map(|it| it.to_string()).unwrap_or_default();
        Self {
            semantic_scholar: words.join(" "),
            dates: (!period.is_open())
                .then(|| format!("{}:{}", day(period.from), day(period.until))),
            openalex: openalex.join(" "),
            filters,
            notes,
        }
    }
}

/// Text without what the indexes would take for syntax: quotes, brackets, wildcards, the words AND, OR, NOT.
fn plain(text: &str) -> String {
    let cleaned: String =
        text.chars().map(|it| if "\"“”()[]{}*?~^\\!".contains(it) { ' ' } else { it }).collect();
    let words = cleaned.split_whitespace().map(|word| match word {
        "AND" | "OR" | "NOT" => word.to_lowercase(),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a result is what was asked for, in the points an index cannot be told. Words that may be in the part
/// of a paper that we cannot see do not count against it.
pub(super) fn fits(candidate: &Candidate, query: &Query) -> bool {
    let title = candidate.title.to_lowercase();
    let summary = candidate.paper.as_ref().and_then(|it| it.abstract_text.as_deref());
    let summary = summary.unwrap_or_default().to_lowercase();
    let unwanted = |word: &String| {
        let word = word.trim().to_lowercase();
        !word.is_empty() && (title.contains(&word) || summary.contains(&word))
    };
    let titled = query
        .in_title
        .as_deref()
        .is_none_or(|it| it.to_lowercase().split_whitespace().all(|word| title.contains(word)));
    titled && !query.excluded.iter().any(unwanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_put_in_the_words_of_each_index() {
        let query = Query {
            text: "cancer AND (immune*) therapy?".to_owned(),
            phrases: vec!["checkpoint inhibitor".to_owned()],
            required: vec!["PD-1".to_owned()],
            in_title: Some("trial, phase".to_owned()),
            after: Some("2020".to_owned()),
            before: Some("2021-06-30".to_owned()),
            site: Some("nature.com".to_owned()),
            ..Query::default()
        };
        let phrasing = Phrasing::of(&query);
        assert_eq!(
            phrasing.semantic_scholar,
            "cancer and immune therapy checkpoint inhibitor PD-1 trial, phase"
        );
        assert_eq!(phrasing.dates.unwrap(), "2020-01-01:2021-06-30");
        assert_eq!(
            phrasing.openalex,
            "cancer and immune therapy \"checkpoint inhibitor\" \"PD-1\""
        );
        assert_eq!(
            phrasing.filters,
            [
                "from_publication_date:2020-01-01",
                "to_publication_date:2021-06-30",
                "title.search:trial  phase"
            ]
        );
        assert_eq!(phrasing.notes, ["an academic index has no `site`: asked without it"]);
    }

    #[test]
    fn an_open_end_of_a_period_stays_open() {
        let query = Query { after: Some("2024-05".to_owned()), ..Query::default() };
        assert_eq!(Phrasing::of(&query).dates.unwrap(), "2024-05-01:");
        assert_eq!(Phrasing::of(&Query::default()).dates, None);
    }
}
