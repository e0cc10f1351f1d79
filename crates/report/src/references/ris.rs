//! RIS: a line for each field, two letters and a value. Read by Zotero, EndNote, Mendeley and most libraries.

use super::{Date, Kind, Reference};
use crate::report::Report;

impl Report {
    /// The cited sources as RIS.
    pub fn ris(&self) -> String {
        self.references().map(|it| entry(&it)).collect::<Vec<_>>().join("\r\n")
    }
}

fn entry(reference: &Reference) -> String {
    let (kind, venue, site) = match reference.kind {
        Kind::Article => ("JOUR", "T2", "PB"),
        Kind::Report => ("RPRT", "T2", "PB"),
        Kind::Page => ("ELEC", "T2", "T2"),
        Kind::Document => ("GEN", "T2", "PB"),
    };
    let mut lines = vec![line("TY", kind)];
    let mut say = |tag: &str, value: Option<&str>| lines.extend(value.map(|it| line(tag, it)));
    say("ID", Some(&reference.key));
    say("TI", Some(&reference.title));
    for author in &reference.authors {
        say("AU", Some(author));
    }
    say("PY", reference.published.map(|it| it.year.to_string()).as_deref());
    say("DA", reference.published.map(slashed).as_deref());
    say(venue, reference.venue.as_deref());
    say(site, reference.site.as_deref());
    say("DO", reference.doi.as_deref());
    say("UR", reference.url.as_deref());
    say("Y2", Some(&slashed(reference.read)));
    for note in reference.retracted.iter().chain(&reference.notes) {
        say("N1", Some(note));
    }
    lines.push(line("ER", ""));
    lines.concat()
}

/// Values are on one line, so that none can begin a field of its own.
fn line(tag: &str, value: &str) -> String {
    format!("{tag}  - {value}\r\n")
}

/// `2015/03/02/`, with what is unknown left empty.
fn slashed(date: Date) -> String {
    let two = |part: Option<u8>| part.map_or_else(String::new, |it| format!("{it:02}"));
    format!("{:04}/{}/{}/", date.year, two(date.month), two(date.day))
}
