//! What a check of references found, as a person and as a program reads it.

use ::references::{Difference, Says, Status, Unchecked};
use serde::Serialize;

use super::check::{Answer, Cited, Row};
use crate::failure::{Failure, Hint, Kind};
use crate::session::Session;
use crate::ui::{Column, Table, clean};
use crate::words::{Words, say};

/// Lines one cell may take.
const LINES: usize = 6;

#[derive(Debug, Default, Serialize)]
struct Counts {
    fits: usize,
    differs: usize,
    retracted: usize,
    not_found: usize,
    not_checked: usize,
    sentences_supported: usize,
    sentences_refuted: usize,
    sentences_neither: usize,
    sentences_unread: usize,
}

impl Counts {
    fn of(answer: &Answer) -> Self {
        let mut counts = Self::default();
        for row in &answer.references {
            *match row.checked.status {
                Status::Fits => &mut counts.fits,
                Status::Differs => &mut counts.differs,
                Status::Retracted => &mut counts.retracted,
                Status::NotFound => &mut counts.not_found,
                Status::NotChecked => &mut counts.not_checked,
            } += 1;
        }
        for cited in &answer.sentences {
            *match cited.says {
                Some(Says::Supports { .. }) => &mut counts.sentences_supported,
                Some(Says::Refutes { .. }) => &mut counts.sentences_refuted,
                Some(Says::Neither) => &mut counts.sentences_neither,
                Some(Says::Unread { .. }) | None => &mut counts.sentences_unread,
            } += 1;
        }
        counts
    }

    fn wrong(&self) -> usize {
        self.differs + self.retracted + self.not_found
    }
}

pub(super) fn answer(session: &Session, answer: &Answer, all: bool) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Document<'a> {
        counts: &'a Counts,
        #[serde(flatten)]
        answer: &'a Answer,
    }
    let ui = &session.ui;
    let counts = Counts::of(answer);
    let ok = counts.wrong() == 0 && counts.sentences_refuted == 0 && answer.problems.is_empty();
    if ui.is_json() {
        ui.verdict(ok, &Document { counts: &counts, answer })?;
    } else {
        print(session, answer, &counts, all)?;
    }
    let unheard = answer.references.iter().any(|it| {
        matches!(it.checked.unchecked, Some(Unchecked::NoAnswer { .. } | Unchecked::Offline))
    });
    if !ok {
        let n = counts.wrong() + counts.sentences_refuted + answer.problems.len();
        let failure = Failure::new(Kind::Untrue, format!("{n} found that should not be so"));
        return Err(if all { failure } else { failure.hint(|w| &w.hint.refs_wrong) });
    }
    if unheard {
        let message = "not all references could be looked up".to_owned();
        return Err(session.no_answer(message, Hint::new(|w| &w.hint.refs_again)));
    }
    Ok(())
}

fn print(session: &Session, answer: &Answer, counts: &Counts, all: bool) -> Result<(), Failure> {
    let (ui, words) = (&session.ui, session.ui.words());
    let column = &words.column;
    let shown = answer.references.iter().filter(|it| all || it.checked.status != Status::Fits);
    let mut table = Table::new([
        Column::number(&column.line),
        Column::exact(&column.reference),
        Column::exact(&column.state),
        Column::text(&column.text),
        Column::text(&column.why),
    ]);
    let mut rows = 0;
    for row in shown {
        let key = row.reference.key.as_deref().unwrap_or("-");
        table.row([
            row.reference.line.to_string(),
            clean(key),
            state(words, row.checked.status),
            clean(&row.reference.about()),
            clean(&why(words, row)),
        ]);
        rows += 1;
    }
    if rows > 0 {
        ui.print(&table.render(ui.layout(LINES)))?;
    }
    let is_plain = |it: &&Cited| {
        all || matches!(
            it.says,
            Some(Says::Refutes { .. } | Says::Neither | Says::Unread { .. }) | None
        )
    };
    let shown: Vec<&Cited> = answer.sentences.iter().filter(is_plain).collect();
    if !shown.is_empty() {
        if rows > 0 {
            ui.print("\n")?;
        }
        let mut table = Table::new([
            Column::number(&column.line),
            Column::exact(&column.reference),
            Column::exact(&column.state),
            Column::text(&column.text),
            Column::text(&column.why),
        ]);
        for cited in shown {
            let reference = &answer.references[cited.reference].reference;
            let (state, quote) = said(words, cited);
            table.row([
                cited.line.to_string(),
                clean(reference.key.as_deref().unwrap_or("-")),
                state,
                clean(&cited.sentence),
                clean(&quote),
            ]);
        }
        ui.print(&table.render(ui.layout(LINES)))?;
    }
    for problem in &answer.problems {
        ui.warn(problem);
    }
    let refs = &words.refs;
    ui.note(&say!(
        refs.summary,
        n = answer.references.len(),
        fits = counts.fits,
        differs = counts.differs,
        retracted = counts.retracted,
        missing = counts.not_found,
        unchecked = counts.not_checked
    ));
    if !answer.sentences.is_empty() {
        ui.note(&say!(
            refs.sentences,
            n = answer.sentences.len(),
            supported = counts.sentences_supported,
            refuted = counts.sentences_refuted,
            neither = counts.sentences_neither,
            unread = counts.sentences_unread
        ));
    }
    Ok(())
}

fn state(words: &Words, status: Status) -> String {
    let refs = &words.refs;
    String::from(match status {
        Status::Fits => &refs.fits,
        Status::Differs => &refs.differs,
        Status::Retracted => &refs.retracted,
        Status::NotFound => &refs.not_found,
        Status::NotChecked => &refs.not_checked,
    })
}

/// What a person should know about a reference.
fn why(words: &Words, row: &Row) -> String {
    let refs = &words.refs;
    let checked = &row.checked;
    let mut parts: Vec<String> = checked
        .differences
        .iter()
        .map(|difference| match difference {
            Difference::Title { found } => say!(refs.other_title, found = found),
            Difference::Authors { unknown, found } => {
                say!(refs.other_authors, unknown = unknown.join(", "), found = found.join(", "))
            }
            Difference::Year { given, found } => {
                say!(refs.other_year, given = given, found = found)
            }
            Difference::NoSuchDoi { given } => say!(refs.no_such_doi, given = given),
            Difference::DoiOfAnother { given, of } => {
                say!(refs.doi_of_another, given = given, of = of)
            }
        })
        .collect();
    let has_other_doi = checked
        .differences
        .iter()
        .any(|it| matches!(it, Difference::NoSuchDoi { .. } | Difference::DoiOfAnother { .. }));
    if let Some(found) = &checked.found {
        let doi = found.doi.as_deref().filter(|_| has_other_doi || row.reference.names.is_empty());
        parts.extend(doi.map(|doi| say!(refs.found_as, doi = doi)));
        if found.retracted {
            parts.push(say!(refs.says_retracted, sources = found.sources.join(", ")));
        }
    }
    match &checked.unchecked {
        None if checked.status == Status::NotFound => parts.push(String::from(&refs.nobody_knows)),
        None => {}
        Some(Unchecked::NoAnswer { from }) => {
            let told = from.iter().map(|(source, why)| format!("{source}: {why}"));
            parts.push(say!(refs.no_answer, why = told.collect::<Vec<_>>().join("; ")));
        }
        Some(Unchecked::NotListed { .. }) => parts.push(String::from(&refs.not_listed)),
        Some(Unchecked::NothingToLookFor) => parts.push(String::from(&refs.nothing_to_look_for)),
        Some(Unchecked::Offline) => parts.push(String::from(&refs.offline)),
        Some(Unchecked::Undescribed) => parts.push(String::from(&refs.undescribed)),
    }
    parts.join("; ")
}

fn said(words: &Words, cited: &Cited) -> (String, String) {
    let refs = &words.refs;
    let read = cited.read.as_deref().unwrap_or_default();
    let read = if read == "abstract" { refs.in_abstract.as_str() } else { read };
    let quoted = |quote: &str| say!(words.common.quoted, quote = quote, source = read);
    match &cited.says {
        Some(Says::Supports { quote, .. }) => (String::from(&refs.supports), quoted(quote)),
        Some(Says::Refutes { quote, .. }) => (String::from(&refs.refutes), quoted(quote)),
        Some(Says::Neither) => (String::from(&refs.neither), read.to_owned()),
        Some(Says::Unread { language }) => {
            let language = language.as_deref().unwrap_or("?");
            (String::from(&refs.unread), say!(refs.no_model, language = language))
        }
        None => (String::from(&refs.unread), String::from(&refs.nothing_to_read)),
    }
}
