//! What the report says about strangers: the process that reads their bytes, and the way to them.

use sandbox::NetworkProbe;
use sources::Engines;
use sources::academic::Academic;
use tokio::runtime::Builder;
use url::Url;

use super::Report;
use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::words::say;

pub(super) fn check(session: &Session, report: &mut Report) {
    reading(session, report);
    browser(session, report);
    offline(session, report);
    network(session, report);
}

/// Has the reading process try what it may not.
fn reading(session: &Session, report: &mut Report) {
    let (words, settings) = (&report.words.doctor, &session.settings.sandbox);
    if !settings.enabled {
        return report.note(|d| &d.reading, &words.reading_here);
    }
    match sandbox::probe(settings) {
        Ok(probe) => {
            let (refused, done): (Vec<_>, Vec<_>) =
                probe.attempts.iter().partition(|it| it.refused.is_some());
            let names = |list: &[&sandbox::Attempt]| {
                list.iter().map(|it| it.what.as_str()).collect::<Vec<_>>().join(", ")
            };
            let confined = probe.confinement;
            let by = [("seccomp", confined.seccomp), ("Landlock", confined.landlock)];
            let by: Vec<&str> = by.iter().filter(|it| it.1).map(|it| it.0).collect();
            match probe.holds() {
                true => report.ok(
                    |d| &d.reading,
                    say!(words.reading_confined, by = by.join(", "), refused = names(&refused)),
                ),
                false => report
                    .note(|d| &d.reading, say!(words.reading_not_confined, done = names(&done))),
            }
        }
        Err(stopped) => report.problem(|d| &d.reading, stopped.to_string(), &words.reading_hint),
    }
}

/// Which browser renders pages that need their scripts. It is not started.
fn browser(session: &Session, report: &mut Report) {
    let words = &report.words.doctor;
    let browser = session.browser();
    if !browser.settings().enabled {
        return report.note(|d| &d.browser, &words.browser_off);
    }
    match browser.usable() {
        Ok(found) => {
            let program = found.program.display().to_string();
            report.ok(
                |d| &d.browser,
                match found.version() {
                    Some(version) => format!("{version}, {program}"),
                    None => program,
                },
            );
        }
        Err(problem) => report.note(
            |d| &d.browser,
            say!(words.browser_missing, why = report.words.code(problem.to_string())),
        ),
    }
}

/// Has a program without a network ask for one.
fn offline(session: &Session, report: &mut Report) {
    let words = &report.words.doctor;
    match sandbox::probe_network(&session.settings.sandbox) {
        Ok(NetworkProbe::Refused(_)) => report.ok(|d| &d.offline, &words.offline_refused),
        Ok(NetworkProbe::Ended) => report.ok(|d| &d.offline, &words.offline_ended),
        Ok(NetworkProbe::Open) => report.note(|d| &d.offline, &words.offline_open),
        Err(stopped) => report.note(|d| &d.offline, stopped.to_string()),
    }
}

/// Whether anything on the network answers; asked only if the settings allow it.
fn network(session: &Session, report: &mut Report) {
    let words = &report.words.doctor;
    let settings = &session.settings.fetch;
    if settings.offline {
        return report.note(|d| &d.network, &words.network_offline);
    }
    let engines = Engines::load(Some(&session.places.engines()));
    let addresses: Vec<Url> =
        engines.addresses().chain(Academic::addresses()).filter_map(|it| it.parse().ok()).collect();
    let runtime = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return report.failure(|d| &d.network, &Failure::new(Kind::Internal, error));
        }
    };
    match runtime.block_on(fetch::reaches_any(settings, &addresses)) {
        Ok(true) => report.ok(|d| &d.network, &words.network_answers),
        Ok(false) => report.note(|d| &d.network, say!(words.network_silent, n = addresses.len())),
        Err(error) => report.failure(|d| &d.network, &error.into()),
    }
    // A lookup that hangs is not waited for.
    runtime.shutdown_background();
}
