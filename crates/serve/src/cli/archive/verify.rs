//! `lyra archive verify`: every row of the index against its bytes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use archive::{Positioned, Record};
use clap::Args;
use graph::ArchiveRecord;
use serde::Serialize;

use crate::cli::note_rest;
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::{Archive, say};

/// Lines the description of a problem may take on a terminal.
const PROBLEM_LINES: usize = 3;

/// Check every archived record: that it is where it should be, whole, and as it was written
///
/// Reads all files of the archive, compares the digests in them, and compares them with the index in the
/// graph. Records that no row names are counted and no damage: a run that was stopped leaves them. Looking
/// changes nothing. Ends with code 5 when something is damaged or missing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra archive verify
  lyra archive verify --json

Next: `lyra archive show RECORD_ID` shows one record.")]
pub(crate) struct Verify {
    /// List all problems instead of the first
    #[arg(long)]
    all: bool,
}

/// What was found in the whole archive.
#[derive(Debug, Default, Serialize)]
struct Report {
    files: usize,
    /// Records that are whole, with those that say who wrote a file.
    records: usize,
    /// Digests that were compared.
    digests: usize,
    /// Rows of the index that were compared with a record.
    rows: usize,
    /// Records of requests and answers that no row names.
    unnamed: usize,
    /// Files whose last record is cut off, which no row names.
    cut_off: usize,
    problems: Vec<Problem>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Problem {
    file: String,
    at: u64,
    record_id: Option<String>,
    problem: String,
}

impl Verify {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let graph = session.reader()?;
        // The names first: a file begun meanwhile is not checked this time.
        let present = archive::files(&session.places.archive())?;
        let mut rows: BTreeMap<String, Vec<ArchiveRecord>> = BTreeMap::new();
        ask(graph, |r| {
            r.each_archived(|record| {
                rows.entry(record.file.clone()).or_default().push(record);
                Ok(())
            })
        })?;
        let names: BTreeSet<&String> = present.iter().chain(rows.keys()).collect();
        let mut report = Report::default();
        let words = &session.ui.words().archive;
        for (number, name) in names.iter().enumerate() {
            let (number, total) = (number + 1, names.len());
            session.ui.note(&say!(words.checking, name = name, number = number, total = total));
            let rows = rows.get(*name).map_or(&[][..], Vec::as_slice);
            report.check_file(session, words, name, rows)?;
        }
        self.finish(session, &report)
    }

    fn finish(&self, session: &Session, report: &Report) -> Result<(), Failure> {
        let ui = &session.ui;
        let problems = report.problems.len();
        if ui.is_json() {
            ui.verdict(problems == 0, report)?;
        } else {
            report.print(session, self.all)?;
        }
        let failed =
            |message: String| Failure::new(Kind::Data, message).hint(|w| &w.hint.restore_archive);
        match problems {
            0 => Ok(()),
            1 => Err(failed("1 problem was found in the archive".to_owned())),
            several => Err(failed(format!("{several} problems were found in the archive"))),
        }
    }
}

impl Report {
    fn check_file(
        &mut self,
        session: &Session,
        words: &Archive,
        name: &str,
        rows: &[ArchiveRecord],
    ) -> Result<(), Failure> {
        let path = session.places.archive().join(name);
        let mut waiting: HashMap<u64, &ArchiveRecord> =
            rows.iter().map(|it| (it.byte_start, it)).collect();
        let walk = match archive::records(&path) {
            Ok(walk) => walk,
            Err(error) if error.is_missing_file() => {
                self.rows += rows.len();
                for row in rows {
                    self.problem(row, words.file_missing.as_str());
                }
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        };
        self.files += 1;
        let mut broken = None;
        for found in walk {
            interrupt::check()?;
            match found {
                Ok(found) => {
                    let row = waiting.remove(&found.byte_start);
                    self.check_record(words, name, &found, row);
                }
                Err(error) => broken = Some(error),
            }
        }
        // After damage, the rows still say where the next records begin.
        let mut left: Vec<&ArchiveRecord> = waiting.into_values().collect();
        left.sort_unstable_by_key(|it| it.byte_start);
        match broken {
            Some(archive::Error::Torn { .. }) if left.is_empty() => self.cut_off += 1,
            Some(error) if left.is_empty() => {
                let (at, problem) = described(words, &error);
                let file = name.to_owned();
                self.problems.push(Problem { file, at, record_id: None, problem });
            }
            _ => {}
        }
        for row in left {
            interrupt::check()?;
            self.check_row(session, words, row);
        }
        Ok(())
    }

    /// A record that was met on the way through its file.
    fn check_record(
        &mut self,
        words: &Archive,
        file: &str,
        found: &Positioned,
        row: Option<&ArchiveRecord>,
    ) {
        let record = &found.record;
        self.records += 1;
        let digests = record.digests();
        self.digests += digests.checked;
        let mut problems: Vec<String> =
            digests.wrong.iter().map(|name| say!(words.wrong_digest, name = name)).collect();
        match row {
            Some(row) => {
                self.rows += 1;
                if found.byte_length != row.byte_length {
                    problems.push(String::from(&words.wrong_length));
                }
                problems.extend(differences(words, record, row));
            }
            None => self.unnamed += usize::from(record.kind().is_some()),
        }
        for problem in problems {
            let record_id = record.record_id().map(str::to_owned);
            let (file, at) = (file.to_owned(), found.byte_start);
            self.problems.push(Problem { file, at, record_id, problem });
        }
    }

    /// A row whose record was not met on the way.
    fn check_row(&mut self, session: &Session, words: &Archive, row: &ArchiveRecord) {
        let folder = session.places.archive();
        match archive::read_record(&folder, &row.file, row.byte_start, row.byte_length) {
            Ok(record) => {
                let found =
                    Positioned { byte_start: row.byte_start, byte_length: row.byte_length, record };
                self.check_record(words, &row.file, &found, Some(row));
            }
            Err(error) => {
                self.rows += 1;
                self.problem(row, &described(words, &error).1);
            }
        }
    }

    fn problem(&mut self, row: &ArchiveRecord, problem: &str) {
        self.problems.push(Problem {
            file: row.file.clone(),
            at: row.byte_start,
            record_id: Some(row.record_id.clone()),
            problem: problem.to_owned(),
        });
    }

    fn print(&self, session: &Session, all: bool) -> Result<(), Failure> {
        let (ui, words) = (&session.ui, session.ui.words());
        let (column, archive) = (&words.column, &words.archive);
        let limit = if all { usize::MAX } else { session.settings.output.rows };
        if !self.problems.is_empty() {
            let mut table = Table::new([
                Column::exact(&column.file),
                Column::number(&column.byte),
                Column::text(&column.problem),
                Column::exact(&column.record),
            ]);
            for it in self.problems.iter().take(limit) {
                let at = it.at.to_string();
                table.row([&*it.file, &*at, &*it.problem, it.record_id.as_deref().unwrap_or("-")]);
            }
            ui.print(&table.render(ui.layout(PROBLEM_LINES)))?;
            note_rest(
                ui,
                self.problems.len().min(limit),
                self.problems.len(),
                &words.rest.problems,
            );
        }
        if self.files == 0 && self.rows == 0 {
            ui.note(words.common.archive_empty.as_str());
            return Ok(());
        }
        let looked_at = [
            say!(archive.files, n = self.files),
            say!(archive.records, n = self.records),
            say!(archive.digests, n = self.digests),
            say!(archive.rows, n = self.rows),
        ];
        let found = match self.problems.len() {
            0 => String::from(&archive.all_good),
            several => say!(archive.problems, n = several),
        };
        ui.print(&say!(archive.verified, checked = looked_at.join(", "), found = found))?;
        if self.unnamed > 0 {
            ui.note(&say!(archive.unnamed, n = self.unnamed));
        }
        if self.cut_off > 0 {
            ui.note(&say!(archive.cut_off, n = self.cut_off));
        }
        Ok(())
    }
}

/// What the index says otherwise than the record.
fn differences(words: &Archive, record: &Record, row: &ArchiveRecord) -> Vec<String> {
    let compared = [
        (&words.wrong_id, record.record_id() == Some(row.record_id.as_str())),
        (&words.wrong_kind, record.type_name() == row.kind.warc_type()),
        (&words.wrong_address, record.url() == Some(row.url.as_str())),
        (&words.wrong_time, record.date() == Some(row.archived_at)),
        (
            &words.wrong_payload,
            record.header("WARC-Payload-Digest") == row.payload_digest.as_deref(),
        ),
    ];
    let different = compared.iter().filter(|(_, same)| !same);
    different.map(|(problem, _)| String::from(*problem)).collect()
}

/// Where and what, without the path: the table has the file already.
fn described(words: &Archive, error: &archive::Error) -> (u64, String) {
    use archive::Error as E;
    match error {
        E::Torn { at, .. } => (*at, String::from(&words.record_cut_off)),
        E::Damaged { at, problem, .. } => (*at, problem.clone()),
        E::TooLarge { at, part, limit, .. } => {
            (*at, say!(words.part_too_large, part = part, limit = limit))
        }
        error => (0, error.to_string()),
    }
}
