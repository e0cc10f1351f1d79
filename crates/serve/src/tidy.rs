//! What is left to do to files after rows went, for `task delete` and `gc`: archive files are written again without what no
//! row names any more, and the database without its free pages.
//!
//! The graph remembers what is to be done until it is done, so a process may end at any moment: the next one that writes
//! goes on ([`crate::session::Session`] sees to that).

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use archive::Span;
use graph::{Compacted, Graph, Place, Removal};
use serde::Serialize;

use crate::failure::{Failure, Hint};
use crate::session::Session;
use crate::ui::Ui;
use crate::words::{Words, say};

/// What the files came to.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Finished {
    /// Bytes by which the archive is smaller.
    pub(crate) archive_bytes: u64,
    pub(crate) files_rewritten: usize,
    pub(crate) files_removed: usize,
    pub(crate) database: Option<Compacted>,
}

impl Finished {
    pub(crate) fn freed(&self) -> u64 {
        let database = self.database.map_or(0, |it| it.bytes_before.saturating_sub(it.bytes_after));
        self.archive_bytes + database
    }
}

/// A file of the archive with bytes that no row names: what a killed process wrote and could not record.
#[derive(Debug, Serialize)]
pub(crate) struct Stray {
    pub(crate) file: String,
    pub(crate) bytes: u64,
}

/// The strays of the archive; none while another process may be about to record some.
pub(crate) fn strays(session: &Session, graph: &Graph) -> Result<Vec<Stray>, Failure> {
    let folder = session.places.archive();
    let named = graph.read(|r| r.archive_files())?;
    let named: HashMap<&str, u64> = named.iter().map(|it| (&*it.file, it.bytes)).collect();
    let mut found = Vec::new();
    for file in archive::files(&folder)?.into_iter().filter(|it| archive::is_ours(it)) {
        let path = folder.join(&file);
        let Ok(about) = fs::metadata(&path) else { continue };
        let expected = match named.get(&*file) {
            Some(bytes) => archive::preamble(&path)? + bytes,
            None => 0,
        };
        if about.len() > expected {
            found.push(Stray { file, bytes: about.len() - expected });
        }
    }
    Ok(found)
}

/// Does what is to be done, and what an earlier process left. After an error the next process goes on.
pub(crate) fn finish(session: &Session, graph: &Graph) -> Result<Finished, Failure> {
    work(session, graph)
        .map_err(|failure| Failure { hint: Some(Hint::new(|w| &w.hint.unfinished)), ..failure })
}

fn work(session: &Session, graph: &Graph) -> Result<Finished, Failure> {
    let folder = session.places.archive();
    let words = &session.ui.words().tidy;
    let mut finished = Finished::default();
    let todo = graph.read(|r| r.unfinished())?;
    let total = todo.rewrite.len();
    for (number, file) in (1..).zip(&todo.rewrite) {
        session.ui.note(&say!(words.rewriting, name = file, number = number, total = total));
        let path = archive::place(&folder, file)?;
        let Ok(before) = fs::metadata(&path) else {
            graph.removed(file)?;
            continue;
        };
        let kept = graph.read(|r| r.kept_in(file))?;
        let mut after = 0;
        if kept.is_empty() {
            graph.moved(file, None)?;
        } else {
            let spans: Vec<Span> = kept.iter().map(span).collect();
            let new = archive::rewrite(&folder, file, &spans, session.now())?;
            let places: Vec<Place> =
                kept.into_iter().zip(new.spans).map(|(it, span)| placed(it, span)).collect();
            graph.moved(file, Some((&new.file, &places)))?;
            after = fs::metadata(folder.join(&new.file)).map_or(0, |it| it.len());
            finished.files_rewritten += 1;
        }
        finished.archive_bytes += before.len().saturating_sub(after);
    }
    for file in graph.read(|r| r.unfinished())?.remove {
        archive::remove(&folder, &file)?;
        graph.removed(&file)?;
        finished.files_removed += 1;
    }
    if graph.read(|r| r.unfinished())?.compact {
        session.ui.note(words.compacting.as_str());
        let compacted = graph.compact()?;
        if !compacted.journal_emptied {
            session.ui.warn(words.journal_in_use.as_str());
        }
        finished.database = Some(compacted);
    }
    Ok(finished)
}

fn span(place: &Place) -> Span {
    Span { byte_start: place.byte_start, byte_length: place.byte_length }
}

fn placed(place: Place, span: Span) -> Place {
    Place { byte_start: span.byte_start, byte_length: span.byte_length, ..place }
}

/// Folders with data from before a restore, which a deletion does not reach.
pub(crate) fn older_copies(session: &Session) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(&session.places.data_dir) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|it| it.ok())
        .filter(|it| it.file_name().to_string_lossy().starts_with(crate::backup::BEFORE))
        .map(|it| it.path())
        .collect();
    found.sort();
    found
}

/// What goes, in a few lines: labels and values.
pub(crate) fn described(
    ui: &Ui,
    words: &'static Words,
    removal: &Removal,
    strays: &[Stray],
) -> Result<(), Failure> {
    use crate::cli::{print_record, size};
    let tidy = &words.tidy;
    let rows: u64 = removal.rows.values().sum();
    let counts = [
        (&tidy.claims, removal.rows_of("claims")),
        (&tidy.pages, removal.rows_of("pages")),
        (&tidy.passages, removal.rows_of("fragments")),
        (&tidy.vectors, removal.rows_of("embeddings")),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|it| it.1 > 0).map(|(word, n)| say!(word, n = n)).collect();
    let mut value = say!(tidy.rows, n = rows);
    if !counts.is_empty() {
        value = say!(tidy.rows_of, rows = value, counts = counts.join(", "));
    }
    let mut fields = vec![
        (&tidy.database, value),
        (&tidy.texts, size(removal.text_bytes)),
        (
            &tidy.archive,
            say!(tidy.records, n = removal.archive_records, size = size(removal.archive_bytes)),
        ),
    ];
    if removal.ledger_rows > 0 {
        fields.push((&tidy.ledger, say!(tidy.requests, n = removal.ledger_rows)));
    }
    if !strays.is_empty() {
        let bytes = strays.iter().map(|it| it.bytes).sum();
        fields.push((&tidy.unnamed, say!(tidy.files, n = strays.len(), size = size(bytes))));
    }
    if removal.shared_pages > 0 {
        fields.push((&tidy.stays, say!(tidy.shared, n = removal.shared_pages)));
    }
    print_record(ui, &fields)
}
