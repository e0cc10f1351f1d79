//! BibTeX and BibLaTeX. An entry that cannot be read is named, and the others are read.

use std::collections::HashMap;

use sources::academic::Scheme;

use super::latex::plain;
use super::{add_address, add_name, year};
use crate::reference::{Format, Kind, Reference, References};

/// Types of entries that are no references.
const NO_ENTRIES: [&str; 3] = ["comment", "preamble", "string"];

pub(super) fn read(text: &str) -> References {
    let mut found = References::of(Format::Bibtex);
    let mut strings: HashMap<String, String> = HashMap::new();
    let mut at = 0;
    while let Some(start) = next_entry(text, at) {
        let line = text[..start].bytes().filter(|it| *it == b'\n').count() + 1;
        let mut scan = Scan { text, at: start + 1 };
        match entry(&mut scan, &strings) {
            Ok(Some(entry)) if entry.kind == "string" => strings.extend(entry.fields),
            Ok(Some(entry)) => found.references.push(reference(entry, line)),
            Ok(None) => {}
            Err(problem) => found.problems.push(format!("line {line}: {problem}")),
        }
        at = scan.at.max(start + 1);
    }
    found
}

/// The next `@` that begins a line.
fn next_entry(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let place = at + text[at..].find('@')?;
        let line = text[..place].rfind('\n').map_or(0, |it| it + 1);
        if text[line..place].trim().is_empty() {
            return Some(place);
        }
        at = place + 1;
    }
}

struct Entry {
    /// Lower case.
    kind: String,
    key: String,
    /// Names in lower case.
    fields: Vec<(String, String)>,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, c: char) -> bool {
        self.skip_space();
        let is_next = self.rest().starts_with(c);
        if is_next {
            self.at += c.len_utf8();
        }
        is_next
    }

    fn word(&mut self, part: impl Fn(char) -> bool) -> &'a str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// What stands between braces, or up to a quotation mark outside of braces.
    fn enclosed(&mut self, until: char) -> Result<&'a str, String> {
        let (start, mut depth, mut escaped) = (self.at, 0usize, false);
        for (place, c) in self.rest().char_indices() {
            let was_escaped = std::mem::take(&mut escaped);
            match c {
                _ if was_escaped => {}
                '\\' => escaped = true,
                c if c == until && depth == 0 => {
                    let value = &self.text[start..start + place];
                    self.at = start + place + c.len_utf8();
                    return Ok(value);
                }
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Err("a value does not end".to_owned())
    }
}

fn entry(scan: &mut Scan<'_>, strings: &HashMap<String, String>) -> Result<Option<Entry>, String> {
    let kind = scan.word(|c| c.is_ascii_alphabetic()).to_ascii_lowercase();
    let close = match (scan.take('{'), kind.as_str()) {
        (true, _) => '}',
        (false, _) if scan.take('(') => ')',
        // An address or a word in running text.
        (false, _) => return Ok(None),
    };
    if NO_ENTRIES[..2].contains(&kind.as_str()) {
        if close == '}' {
            scan.enclosed(close)?;
        }
        return Ok(None);
    }
    let mut entry = Entry { kind, key: String::new(), fields: Vec::new() };
    if entry.kind != "string" {
        entry.key = scan.word(|c| !",{}()=\"".contains(c) && !c.is_whitespace()).to_owned();
        if !scan.take(',') && !scan.rest().starts_with(close) {
            return Err(format!("there is no comma after the key `{}`", entry.key));
        }
    }
    loop {
        if scan.take(close) {
            return Ok(Some(entry));
        }
        if scan.take(',') {
            continue;
        }
        let name = scan.word(|c| !",{}()=\"#".contains(c) && !c.is_whitespace());
        if name.is_empty() || !scan.take('=') {
            return Err(format!("`{}` has a field without a value", entry.key));
        }
        let value = value(scan, strings).map_err(|it| format!("`{}`, {name}: {it}", entry.key))?;
        entry.fields.push((name.to_ascii_lowercase(), value));
    }
}

fn value(scan: &mut Scan<'_>, strings: &HashMap<String, String>) -> Result<String, String> {
    let mut value = String::new();
    loop {
        if scan.take('{') {
            value += scan.enclosed('}')?;
        } else if scan.take('"') {
            value += scan.enclosed('"')?;
        } else {
            let word = scan.word(|c| !",{}()=\"#".contains(c) && !c.is_whitespace());
            if word.is_empty() {
                return Err("there is no value".to_owned());
            }
            let name = word.to_ascii_lowercase();
            value += strings.get(&name).map_or(word, String::as_str);
        }
        if !scan.take('#') {
            return Ok(value);
        }
    }
}

fn reference(entry: Entry, line: usize) -> Reference {
    let field = |names: &[&str]| {
        let given = |name: &&str| entry.fields.iter().find(|it| it.0 == **name);
        names.iter().find_map(given).map(|it| it.1.as_str()).filter(|it| !it.trim().is_empty())
    };
    let mut names = Vec::new();
    if let Some(doi) = field(&["doi"]) {
        add_name(&mut names, Scheme::Doi, &plain_address(doi));
    }
    if let Some(pmid) = field(&["pmid"]) {
        add_name(&mut names, Scheme::Pmid, pmid);
    }
    let archive = field(&["archiveprefix", "eprinttype"]).map(str::to_ascii_lowercase);
    if let Some(eprint) = field(&["eprint"]) {
        let scheme = match archive.as_deref() {
            Some("pubmed") => Scheme::Pmid,
            _ => Scheme::Arxiv,
        };
        add_name(&mut names, scheme, eprint);
    }
    if let Some(url) = field(&["url", "howpublished"]) {
        add_address(&mut names, plain_address(url).trim_start_matches("url"));
    }
    let authors = field(&["author"]).or(field(&["editor"])).map(authors).unwrap_or_default();
    let title = field(&["title"]).map(plain).map(|title| match field(&["subtitle"]) {
        Some(subtitle) => format!("{title}: {}", plain(subtitle)),
        None => title,
    });
    Reference {
        key: Some(entry.key.clone()).filter(|it| !it.is_empty()),
        line,
        kind: match entry.kind.as_str() {
            "online" | "electronic" | "www" => Kind::Page,
            "misc" | "unpublished" if names.is_empty() => Kind::Page,
            "book" | "inbook" | "incollection" | "collection" | "mvbook" | "booklet" | "manual"
            | "phdthesis" | "mastersthesis" | "thesis" | "techreport" | "report" | "patent" => {
                Kind::Book
            }
            _ => Kind::Work,
        },
        title,
        authors,
        year: field(&["year", "date"]).and_then(year),
        names,
        written: None,
    }
}

/// An address as BibTeX writes it, with or without `\url{...}`.
fn plain_address(text: &str) -> String {
    let text = text.trim().trim_start_matches("\\url");
    text.chars().filter(|it| !"{}\\".contains(*it)).collect::<String>().trim().to_owned()
}

/// Authors are parted by `and` outside of braces; a name in braces is of an organisation.
fn authors(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0usize;
    for word in text.split_whitespace() {
        if depth == 0 && word.eq_ignore_ascii_case("and") {
            parts.push(String::new());
            continue;
        }
        let opened = word.matches('{').count();
        depth = (depth + opened).saturating_sub(word.matches('}').count());
        let part = parts.last_mut().expect("there is always one");
        if !part.is_empty() {
            part.push(' ');
        }
        part.push_str(word);
    }
    let named = parts.iter().map(|it| plain(it));
    named.filter(|it| !it.is_empty() && !it.eq_ignore_ascii_case("others")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
% a comment of mine: mail me @home
@string{jcm = "Journal of Careful Measurement"}
@comment{old = {x}}

@Article{goedel1931,
  author    = {G{\"o}del, Kurt and {World Health Organization} and others},
  title     = "On formally undecidable propositions " # {of {Principia}},
  journal   = jcm,
  year      = 1931,
  doi       = {https://doi.org/10.1007/BF01700692},
}
@misc{site, title={A page}, url={https://example.org/}, year={n.d.}}
@misc(preprint, title = {Agents}, eprint = {2304.05376v2}, archivePrefix = {arXiv}, date = {2023-04-11})
@article{broken, title = {never closed
@book{last, title = {A Book}, author = {山田, 太郎}, year = {2020}}
"#;

    #[test]
    fn entries_are_read_with_their_fields() {
        let found = read(FILE);
        let first = &found.references[0];
        assert_eq!(first.key.as_deref(), Some("goedel1931"));
        assert_eq!(first.line, 6);
        assert_eq!(
            first.title.as_deref(),
            Some("On formally undecidable propositions of Principia")
        );
        assert_eq!(first.authors, ["Gödel, Kurt", "World Health Organization"]);
        assert_eq!(first.year, Some(1931));
        assert_eq!(first.names[0].value, "10.1007/bf01700692");
        let page = &found.references[1];
        assert_eq!((page.kind, page.year), (Kind::Page, None));
        let preprint = &found.references[2];
        assert_eq!(preprint.names[0].value, "2304.05376");
        assert_eq!((preprint.kind, preprint.year), (Kind::Work, Some(2023)));
    }

    #[test]
    fn a_broken_entry_is_named_and_the_next_one_is_read() {
        let found = read(FILE);
        assert_eq!(found.problems, ["line 15: `broken`, title: a value does not end"]);
        let last = found.references.last().unwrap();
        assert_eq!(last.key.as_deref(), Some("last"));
        assert_eq!((last.kind, last.authors[0].as_str()), (Kind::Book, "山田, 太郎"));
    }
}
