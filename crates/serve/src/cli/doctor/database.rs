//! What the report says about the database and what is kept beside the settings.

use std::fs;
use std::path::Path;

use graph::{Checkup, CheckupOptions, CheckupStep, Stop, check_up, writer_of};

use super::Report;
use crate::cli::size;
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::session::{Session, ask};

/// A file of this size takes a while to read: say so.
const LARGE_BYTES: u64 = 100_000_000;

const SALVAGE: &str = "copy the file first, then bring what can be read into a new one: \
                       `lyra doctor --salvage NEW.db`";

pub(super) fn check(session: &Session, report: &mut Report) -> Result<(), Failure> {
    let path = session.places.database();
    writer(&path, report);
    let usable = match look(session, &path) {
        Err(failure) if failure.kind == Kind::Interrupted => return Err(failure),
        Err(failure) => {
            report.failure("database", &failure);
            false
        }
        Ok(None) => {
            report.note("database", format!("{} is empty or not there yet", path.display()));
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
        true => views(session, report)?,
        false => report.note("views", "not looked at, because of the database"),
    }
    policy(session, report);
    Ok(())
}

fn writer(path: &Path, report: &mut Report) {
    match writer_of(path) {
        Ok(None) => report.ok("writer", "nobody is writing"),
        Ok(Some(writer)) => report.note("writer", format!("{writer}; others can read meanwhile")),
        Err(error) => report.failure("writer", &Failure::from(error)),
    }
}

fn look(session: &Session, path: &Path) -> Result<Option<Checkup>, Failure> {
    let stop = Stop::default();
    let asked = stop.clone();
    interrupt::on_stop(move || asked.request());
    let bytes = file_size(path);
    let checkup = check_up(path, &CheckupOptions::default(), &stop, |step| {
        if bytes >= LARGE_BYTES {
            let what = match step {
                CheckupStep::Pages => "pages and indexes",
                CheckupStep::References => "references",
                CheckupStep::FullText => "full text",
            };
            session.ui.note(&format!("Checking {what} of {} ...", size(bytes)));
        }
    })?;
    interrupt::check()?;
    Ok(checkup)
}

fn about_file(path: &Path, found: &Checkup, report: &mut Report) {
    let journal = size(file_size(&path.with_file_name("lyra.db-wal")));
    let found_bytes = size(file_size(path));
    report.ok("database", format!("{}, {found_bytes}, journal {journal}", path.display()));
    let (version, current) = (found.schema_version, graph::SCHEMA_VERSION);
    match version == current {
        true => report.ok("schema", version.to_string()),
        false => report.note(
            "schema",
            format!("{version}; the next command that uses it brings it to {current}"),
        ),
    }
}

fn findings(found: &Checkup, report: &mut Report) {
    let mut list = |name, good: &str, findings: &[String], hint: &str| {
        if findings.is_empty() {
            report.ok(name, good);
        }
        for finding in findings {
            report.problem(name, finding, hint);
        }
    };
    list("pages", "every page and index is whole", &found.damage, SALVAGE);
    if found.damage.is_empty() {
        list("references", "every reference leads somewhere", &found.dangling, SALVAGE);
    }
    let rebuild = "`lyra doctor --salvage NEW.db` makes a copy with a new index";
    list("full text", "knows every passage and claim", &found.full_text, rebuild);
    let rows: Vec<String> = found
        .rows
        .iter()
        .map(|(table, rows)| match rows {
            Some(rows) => format!("{table} {rows}"),
            None => format!("{table} unknown"),
        })
        .collect();
    report.ok("content", rows.join(", "));
}

fn views(session: &Session, report: &mut Report) -> Result<(), Failure> {
    let opened = session.reader().and_then(|graph| {
        let views = ask(graph, |r| r.views())?;
        Ok((views, graph.view_problems().to_vec()))
    });
    let (views, problems) = match opened {
        Err(failure) if failure.kind == Kind::Interrupted => return Err(failure),
        Err(failure) => {
            report.failure("views", &failure);
            return Ok(());
        }
        Ok(found) => found,
    };
    let own = views.iter().filter(|it| it.origin != graph::ViewOrigin::Shipped).count();
    let folder = session.places.views();
    report.ok(
        "views",
        match own {
            0 => format!("{} shipped; yours would lie in {}", views.len(), folder.display()),
            own => format!("{}, of these {own} yours from {}", views.len(), folder.display()),
        },
    );
    for problem in problems {
        match &problem.path {
            Some(path) => report.problem(
                "views",
                problem.to_string(),
                format!(
                    "mend {}; until then the shipped one is used, if there is one",
                    path.display()
                ),
            ),
            None => report.note("views", problem.to_string()),
        }
    }
    Ok(())
}

fn policy(session: &Session, report: &mut Report) {
    let path = session.policy_path();
    match session.policy_file().problem() {
        Some(problem) => report.problem(
            "domain policy",
            format!("{}: {problem}", path.display()),
            "mend the file; until then the shipped policy is used",
        ),
        None if path.exists() => report.ok("domain policy", path.display().to_string()),
        None => {
            report
                .ok("domain policy", format!("the shipped one; yours would be {}", path.display()));
        }
    }
}

/// What cannot be looked at has no size; opening it says why.
fn file_size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |it| it.len())
}
