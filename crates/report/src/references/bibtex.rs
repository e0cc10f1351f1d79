//! BibTeX: for LaTeX and every manager of references.

use super::{Kind, Reference};
use crate::report::Report;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

impl Report {
    /// The cited sources as BibTeX.
    pub fn bibtex(&self) -> String {
        self.references().map(|it| entry(&it)).collect::<Vec<_>>().join("\n")
    }
}

fn entry(reference: &Reference) -> String {
    let kind = match reference.kind {
        Kind::Article => "article",
        Kind::Report | Kind::Page | Kind::Document => "misc",
    };
    let mut fields = vec![format!("  title = {{{}}}", text(&reference.title))];
    let mut say = |name: &str, value: Option<String>| {
        fields.extend(value.map(|it| format!("  {name} = {it}")));
    };
    let braced = |words: &String| format!("{{{}}}", text(words));
    let authors: Vec<String> = reference.authors.iter().map(braced).collect();
    say("author", (!authors.is_empty()).then(|| format!("{{{}}}", authors.join(" and "))));
    say("year", reference.published.map(|it| format!("{{{}}}", it.year)));
    let month = reference.published.and_then(|it| it.month);
    say("month", month.and_then(|it| MONTHS.get(usize::from(it) - 1)).map(|it| (*it).to_owned()));
    say("journal", reference.venue.as_ref().map(braced));
    say("howpublished", reference.site.as_ref().filter(|_| kind == "misc").map(braced));
    say("doi", reference.doi.as_ref().map(braced));
    say("url", reference.url.as_ref().map(|it| format!("{{{}}}", address(it))));
    let read: Vec<String> = reference.read.parts().iter().map(|it| format!("{it:02}")).collect();
    say("urldate", Some(format!("{{{}}}", read.join("-"))));
    // Printed in the bibliography, unlike an annotation.
    say("note", reference.retracted.as_ref().map(braced));
    say("annote", (!reference.notes.is_empty()).then(|| braced(&reference.notes.join(" "))));
    format!("@{kind}{{{},\n{}\n}}\n", reference.key, fields.join(",\n"))
}

/// Text as LaTeX sets it. Braces are counted by every reader, escaped or not, so they are written by name.
fn text(words: &str) -> String {
    let mut out = String::with_capacity(words.len() + words.len() / 8);
    for c in words.chars() {
        match c {
            '{' => out.push_str("\\textbraceleft{}"),
            '}' => out.push_str("\\textbraceright{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '%' | '&' | '$' | '#' | '_' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

/// An address is read as it is, but for the signs that end it.
fn address(url: &str) -> String {
    url.replace('{', "%7B").replace('}', "%7D")
}
