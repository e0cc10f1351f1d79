//! What the report says about the database and what is kept beside the settings.

use std::fs;
use std::path::Path;

use graph::{Checkup, CheckupOptions, CheckupStep, Stop, Unfinished, check_up, writer_of};
use text::messages::Message;

use super::{Name, Report};
use crate::cli::size;
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::session::{Session, ask};
use crate::words::say;

/// A file of this size takes a while to read: say so.
const LARGE_BYTES: u64 = 100_000_000;

pub(super) fn check(session: &Session, report: &mut Report) -> Result<(), Failure> {
    let path = session.places.database();
    writer(&path, report);
    let usable = match look(session, &path) {
        Err(failure) if failure.kind == Kind::Interrupted => return Err(failure),
        Err(failure) => {
            report.failure(|d| &d.database, &failure);
            false
        }
        Ok(None) => {
            let found = say!(report.words.doctor.no_database, path = path.display());
            report.note(|d| &d.database, found);
            true
        }
        Ok(Some(found)) => {
            about_file(&path, &found, report);
            findings(&found, report);
            // Opening an older file would change it, which is for a command that uses it.
            found.is_sound() && found.schema_version == graph::SCHEMA_VERSION
        }
    };
    match usable {
        true => {
            views(session, report)?;
            deletion(session, report)?;
        }
        false => report.note(|d| &d.views, &report.words.doctor.views_skipped),
    }
    policy(session, report);
    Ok(())
}

fn writer(path: &Path, report: &mut Report) {
    let words = &report.words.doctor;
    match writer_of(path) {
        Ok(None) => report.ok(|d| &d.writer, &words.nobody_writes),
        Ok(Some(writer)) => {
            report.note(|d| &d.writer, say!(words.being_written, writer = writer));
        }
        Err(error) => report.failure(|d| &d.writer, &Failure::from(error)),
    }
}

fn look(session: &Session, path: &Path) -> Result<Option<Checkup>, Failure> {
    let stop = Stop::default();
    let asked = stop.clone();
    interrupt::on_stop(move || asked.request());
    let bytes = file_size(path);
    let checkup = check_up(path, &CheckupOptions::default(), &stop, |step| {
        if bytes >= LARGE_BYTES {
            let words = &session.ui.words().doctor;
            let checking = match step {
                CheckupStep::Pages => &words.checking_pages,
                CheckupStep::References => &words.checking_references,
                CheckupStep::FullText => &words.checking_full_text,
            };
            session.ui.note(&say!(checking, size = size(bytes)));
        }
    })?;
    interrupt::check()?;
    Ok(checkup)
}

fn about_file(path: &Path, found: &Checkup, report: &mut Report) {
    let journal = size(file_size(&path.with_file_name("lyra.db-wal")));
    let (bytes, words) = (size(file_size(path)), &report.words.doctor);
    let line = say!(words.database_line, path = path.display(), size = bytes, journal = journal);
    report.ok(|d| &d.database, line);
    let (version, current) = (found.schema_version, graph::SCHEMA_VERSION);
    match version == current {
        true => report.ok(|d| &d.schema, version.to_string()),
        false => report
            .note(|d| &d.schema, say!(words.older_schema, version = version, current = current)),
    }
}

fn findings(found: &Checkup, report: &mut Report) {
    let all = report.words;
    let (words, salvage) = (&all.doctor, &all.hint.salvage);
    let mut list = |name: Name, good: &Message, findings: &[String], hint: &Message| {
        if findings.is_empty() {
            report.ok(name, good);
        }
        for finding in findings {
            report.problem(name, finding, hint);
        }
    };
    list(|d| &d.pages, &words.pages_good, &found.damage, salvage);
    if found.damage.is_empty() {
        list(|d| &d.references, &words.references_good, &found.dangling, salvage);
    }
    list(|d| &d.full_text, &words.full_text_good, &found.full_text, &words.rebuild);
    let rows = found.rows.iter().map(|(table, rows)| match rows {
        Some(rows) => format!("{} {rows}", all.code(table)),
        None => say!(words.unknown_rows, table = table),
    });
    report.ok(|d| &d.content, rows.collect::<Vec<_>>().join(", "));
}

fn views(session: &Session, report: &mut Report) -> Result<(), Failure> {
    let opened = session.reader().and_then(|graph| {
        let views = ask(graph, |r| r.views())?;
        Ok((views, graph.view_problems().to_vec()))
    });
    let (views, problems) = match opened {
        Err(failure) if failure.kind == Kind::Interrupted => return Err(failure),
        Err(failure) => {
            report.failure(|d| &d.views, &failure);
            return Ok(());
        }
        Ok(found) => found,
    };
    let own = views.iter().filter(|view| view.origin != graph::ViewOrigin::Shipped).count();
    let (folder, words) = (session.places.views(), &report.words.doctor);
    let (folder, total) = (folder.display(), views.len());
    report.ok(
        |d| &d.views,
        match own {
            0 => say!(words.views_shipped, total = total, folder = folder),
            own => say!(words.views_own, total = total, own = own, folder = folder),
        },
    );
    for problem in problems {
        match &problem.path {
            Some(path) => report.problem(
                |d| &d.views,
                problem.to_string(),
                say!(words.fix_view, path = path.display()),
            ),
            None => report.note(|d| &d.views, problem.to_string()),
        }
    }
    Ok(())
}

/// A deletion that a killed process left; one that is at work is none.
fn deletion(session: &Session, report: &mut Report) -> Result<(), Failure> {
    if !matches!(writer_of(&session.places.database()), Ok(None)) {
        return Ok(());
    }
    let Unfinished { rewrite, remove, compact } = ask(session.reader()?, |r| r.unfinished())?;
    let words = &report.words.doctor;
    let files = rewrite.len() + remove.len();
    let files = (files > 0).then(|| say!(words.deletion_files, n = files));
    let database = compact.then(|| String::from(&words.deletion_database));
    let places: Vec<String> = [files, database].into_iter().flatten().collect();
    if !places.is_empty() {
        let found = say!(words.deletion_unfinished, what = places.join(", "));
        report.problem(|d| &d.deletion, found, &words.deletion_hint);
    }
    Ok(())
}

fn policy(session: &Session, report: &mut Report) {
    let (path, words) = (session.policy_path(), &report.words.doctor);
    match session.policy_file().problem() {
        Some(problem) => report.problem(
            |d| &d.domain_policy,
            format!("{}: {problem}", path.display()),
            &words.fix_policy,
        ),
        None if path.exists() => report.ok(|d| &d.domain_policy, path.display().to_string()),
        None => {
            let found = say!(words.policy_shipped, path = path.display());
            report.ok(|d| &d.domain_policy, found);
        }
    }
}

/// What cannot be looked at has no size; opening it says why.
fn file_size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |it| it.len())
}
