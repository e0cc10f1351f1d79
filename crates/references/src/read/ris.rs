//! RIS: a tag of two letters on each line.

use sources::academic::Scheme;

use super::{add_address, add_name, year};
use crate::reference::{Format, Kind, Reference, References};

pub(super) fn read(text: &str) -> References {
    let mut found = References::of(Format::Ris);
    let mut open: Option<Reference> = None;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let Some((tag, value)) = tagged(line) else {
            // A long value goes on without a tag.
            if let Some(title) = open.as_mut().and_then(|it| it.title.as_mut())
                && !line.trim().is_empty()
                && line.starts_with(' ')
            {
                title.push(' ');
                title.push_str(line.trim());
            }
            continue;
        };
        match (tag, &mut open) {
            ("TY", _) => {
                if let Some(unfinished) = open.take() {
                    let line = unfinished.line;
                    found.problems.push(format!("line {line}: the entry has no end (`ER`)"));
                    found.references.push(unfinished);
                }
                open = Some(Reference { line: number, kind: kind(value), ..Reference::default() });
            }
            ("ER", _) => found.references.extend(open.take()),
            (_, None) => {
                found.problems.push(format!("line {number}: `{tag}` is in no entry (`TY`)"));
            }
            (tag, Some(reference)) => field(reference, tag, value),
        }
    }
    if let Some(unfinished) = open {
        let line = unfinished.line;
        found.problems.push(format!("line {line}: the entry has no end (`ER`)"));
        found.references.push(unfinished);
    }
    found
}

fn tagged(line: &str) -> Option<(&str, &str)> {
    let (tag, rest) = (line.get(..2)?, line.get(2..)?);
    let is_tag = tag.bytes().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit());
    let value = rest.trim_start().strip_prefix('-')?;
    (is_tag && rest.starts_with(' ')).then(|| (tag, value.trim()))
}

fn kind(value: &str) -> Kind {
    match value {
        "ELEC" | "BLOG" | "WEB" | "ICOMM" => Kind::Page,
        "BOOK" | "CHAP" | "EBOOK" | "ECHAP" | "EDBOOK" | "THES" | "RPRT" | "GOVDOC" | "PAT"
        | "STAND" | "LEGAL" | "STAT" | "CASE" => Kind::Book,
        _ => Kind::Work,
    }
}

fn field(reference: &mut Reference, tag: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    match tag {
        "TI" | "T1" | "CT" => {
            reference.title.get_or_insert_with(|| value.to_owned());
        }
        "AU" | "A1" => reference.authors.push(value.to_owned()),
        "PY" | "Y1" | "DA" => reference.year = reference.year.or_else(|| year(value)),
        "DO" => add_name(&mut reference.names, Scheme::Doi, value),
        "UR" | "L2" | "LK" => add_address(&mut reference.names, value),
        // An accession number is a PMID where the entry comes from PubMed.
        "C2" => add_name(&mut reference.names, Scheme::Pmcid, value),
        "ID" => reference.key = Some(value.to_owned()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_by_their_tags() {
        let found = read(
            "TY  - JOUR\r\nID  - a1\r\nAU  - Smith, John\r\nAU  - Doe, Jane\r\nT1  - A title\r\nPY  - 2020/03/01/\r\nDO  - 10.1000/182\r\nER  - \r\n\r\nTY  - ELEC\nTI  - A page\nUR  - https://example.org\n",
        );
        let first = &found.references[0];
        assert_eq!(first.key.as_deref(), Some("a1"));
        assert_eq!(first.authors, ["Smith, John", "Doe, Jane"]);
        assert_eq!((first.title.as_deref(), first.year), (Some("A title"), Some(2020)));
        assert_eq!(first.names[0].value, "10.1000/182");
        assert_eq!(found.references[1].kind, Kind::Page);
        assert_eq!(found.problems, ["line 10: the entry has no end (`ER`)"]);
    }
}
