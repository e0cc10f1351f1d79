//! Running text and Markdown: the list of references at its end, footnotes, DOIs in sentences, and what cites them.

use sources::academic::WorkName;
use text::identifiers;
use text::script::is_cjk;

use super::year;
use crate::reference::{Citation, Format, Kind, Reference, References};

mod cited;

use cited::Marks;

/// Headings of lists of references, without marks and in lower case.
const HEADINGS: [&str; 14] = [
    "references",
    "reference",
    "reference list",
    "bibliography",
    "works cited",
    "literature cited",
    "literature",
    "sources",
    "参考文献",
    "引用文献",
    "引用・参考文献",
    "参考・引用文献",
    "文献",
    "参考資料",
];

/// The longest entry, in bytes: what is longer is text.
const LONGEST_ENTRY: usize = 1_500;

pub(super) fn read(text: &str) -> References {
    let mut found = References::of(Format::Text);
    let lines: Vec<&str> = text.lines().collect();
    let mut parts = Parts::of(&lines);
    // Nothing but entries: a list of references without the text that cites them.
    if parts.entries.is_empty() && parts.body.iter().all(|it| is_entry(&it.text)) {
        parts.entries = std::mem::take(&mut parts.body).into_iter().map(Entry::whole).collect();
    }
    for entry in &parts.entries {
        if let Some(reference) = reference(entry) {
            found.references.push(reference);
        }
    }
    let marks = Marks::of(&found.references);
    for paragraph in &parts.body {
        for (line, sentence) in cited::sentences(paragraph) {
            let mut cites = marks.cited_by(&sentence);
            for name in names_in(&sentence) {
                let place = found.references.iter().position(|it| it.names.contains(&name));
                let place = place.unwrap_or_else(|| {
                    found.references.push(Reference {
                        line,
                        names: vec![name],
                        ..Reference::default()
                    });
                    found.references.len() - 1
                });
                cites.push(place);
            }
            cites.sort_unstable();
            cites.dedup();
            let keys = marks.unknown_keys(&sentence);
            found.problems.extend(keys.into_iter().map(|key| {
                format!("line {line}: `{key}` is cited and is in no list of references")
            }));
            let keys = cited::keys_elsewhere(&sentence);
            if !cites.is_empty() || !keys.is_empty() {
                let sentence = cited::without_marks(&sentence);
                found.citations.push(Citation { line, sentence, references: cites, keys });
            }
        }
    }
    found
}

/// The names of works in a text, each once.
fn names_in(text: &str) -> Vec<WorkName> {
    let mut names: Vec<WorkName> = Vec::new();
    for found in identifiers::find(text) {
        if let Some(name) = WorkName::of_identifier(&found)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// Lines that belong together, joined.
#[derive(Debug)]
struct Paragraph {
    line: usize,
    text: String,
}

/// An entry, and the mark it is cited by.
#[derive(Debug)]
struct Entry {
    line: usize,
    mark: Option<String>,
    text: String,
}

impl Entry {
    fn whole(paragraph: Paragraph) -> Self {
        let (mark, text) = marked(&paragraph.text);
        Self { line: paragraph.line, mark, text: text.to_owned() }
    }
}

#[derive(Debug, Default)]
struct Parts {
    body: Vec<Paragraph>,
    entries: Vec<Entry>,
}

impl Parts {
    fn of(lines: &[&str]) -> Self {
        let mut parts = Self::default();
        let (mut in_list, mut in_code, mut open) = (false, false, false);
        // In a list whose entries have marks, a line without one goes on with the entry before.
        let mut list_is_marked = false;
        for (index, line) in lines.iter().enumerate() {
            let (number, line) = (index + 1, line.trim());
            if line.starts_with("```") || line.starts_with("~~~") {
                in_code = !in_code;
                open = false;
                continue;
            }
            if in_code {
                continue;
            }
            if is_list_heading(line) {
                (in_list, open, list_is_marked) = (true, false, false);
                continue;
            }
            if line.starts_with('#') {
                (in_list, open) = (false, false);
                continue;
            }
            if line.is_empty() {
                open &= in_list && list_is_marked;
                continue;
            }
            if let Some((name, text)) = footnote(line) {
                parts.entries.push(Entry {
                    line: number,
                    mark: Some(format!("^{name}")),
                    text: text.to_owned(),
                });
                open = false;
                continue;
            }
            if in_list {
                let (mark, text) = marked(line);
                let begins = text.len() < line.len();
                list_is_marked |= begins;
                match parts.entries.last_mut() {
                    Some(entry) if open && !begins && entry.text.len() < LONGEST_ENTRY => {
                        join(&mut entry.text, text);
                    }
                    _ => parts.entries.push(Entry { line: number, mark, text: text.to_owned() }),
                }
                // Without marks, an entry a line, unless a line plainly goes on.
                open = list_is_marked || !ends(text);
                continue;
            }
            match parts.body.last_mut() {
                Some(paragraph) if open && marked(line).1.len() == line.len() => {
                    join(&mut paragraph.text, line);
                }
                _ => parts.body.push(Paragraph { line: number, text: line.to_owned() }),
            }
            open = true;
        }
        parts
    }
}

/// Joins two lines: words with a space between, Japanese without.
fn join(text: &mut String, line: &str) {
    let meets = |c: Option<char>| c.is_some_and(is_cjk);
    if !(meets(text.chars().next_back()) && meets(line.chars().next())) {
        text.push(' ');
    }
    text.push_str(line);
}

/// Whether a line looks like the end of an entry.
fn ends(line: &str) -> bool {
    line.ends_with(['.', '。', ')', '）', '．', '/'])
        || line.chars().next_back().is_some_and(|it| it.is_ascii_digit())
}

fn is_list_heading(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| "#*_:： 　=-【】[]".contains(c));
    let bare = bare.trim_start_matches(|c: char| c.is_ascii_digit() || ". ．".contains(c));
    HEADINGS.contains(&bare.to_lowercase().as_str())
}

/// `[^name]: text`.
fn footnote(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.strip_prefix("[^")?.split_once("]:")?;
    Some((name, text.trim())).filter(|it| !it.0.is_empty() && !it.0.contains(']'))
}

/// The mark at the start of an entry, and what follows it.
fn marked(line: &str) -> (Option<String>, &str) {
    let number = |text: &str| {
        let fits =
            !text.is_empty() && text.len() <= 4 && text.bytes().all(|it| it.is_ascii_digit());
        fits.then(|| text.to_owned())
    };
    if let Some((mark, text)) = line.strip_prefix('[').and_then(|it| it.split_once(']'))
        && !text.starts_with('(')
        && mark.chars().count() <= 20
        && !mark.is_empty()
    {
        return (Some(mark.to_owned()), text.trim_start_matches([':', ' ']));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if let Some(mark) = number(&line[..digits]) {
        let rest = &line[digits..];
        let after = ['.', ')', '）', '．', '：'].iter().find_map(|it| rest.strip_prefix(*it));
        // `2020. A title` is no mark.
        if let Some(text) = after.filter(|_| digits <= 3) {
            return (Some(mark), text.trim_start());
        }
    }
    if let Some(mark) = line.strip_prefix('(').and_then(|it| it.split_once(')'))
        && let Some(number) = number(mark.0).filter(|it| it.len() <= 3)
    {
        return (Some(number), mark.1.trim_start());
    }
    let bullet = ["- ", "* ", "+ ", "• ", "・"].iter().find_map(|it| line.strip_prefix(it));
    (None, bullet.map_or(line, str::trim_start))
}

/// Whether a text reads like an entry of a list: it names a work, or has a year and is short.
fn is_entry(text: &str) -> bool {
    text.len() <= LONGEST_ENTRY
        && (!names_in(text).is_empty() || (year(text).is_some() && text.len() > 20))
        && text::sentences(text).len() <= 8
}

fn reference(entry: &Entry) -> Option<Reference> {
    if !is_entry(&entry.text) {
        return None;
    }
    let names = names_in(&entry.text);
    let has_address = entry.text.contains("http://") || entry.text.contains("https://");
    let bare = without_addresses(&entry.text);
    let is_book =
        ["ISBN", "出版", "Press,", "Press.", "書店", "書房"].iter().any(|it| bare.contains(it));
    let kind = match names.is_empty() {
        true if has_address => Kind::Page,
        true if is_book => Kind::Book,
        _ => Kind::Work,
    };
    // Nothing but a name: there is nothing to compare.
    let says = bare.split_whitespace().filter(|it| it.chars().any(char::is_alphabetic)).count() > 2
        || bare.chars().filter(|it| is_cjk(*it)).count() > 8;
    Some(Reference {
        key: entry.mark.clone(),
        line: entry.line,
        kind,
        year: None,
        names,
        written: says.then_some(bare),
        ..Reference::default()
    })
}

/// An entry without its addresses and names, which hold numbers and words of their own.
fn without_addresses(text: &str) -> String {
    let text = text.replace("](", " ").replace(['*', '_'], "");
    let is_address = |word: &&str| {
        let word = word.trim_start_matches(['<', '(', '[']).to_ascii_lowercase();
        let word = word.trim_start_matches("doi:");
        word.starts_with("http") || word.starts_with("10.") || word.starts_with("doi.org")
    };
    let words = text.split_whitespace().filter(|it| !is_address(it));
    let words = words.filter(|it| !matches!(it.to_ascii_lowercase().as_str(), "doi:" | "doi"));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Coffee and sleep

Coffee shortens sleep by half an hour [1, 3]. Tea does not.[2] In young people
the effect is larger (Okafor et al., 2021). Nothing is cited here.

See https://doi.org/10.1000/direct for a review. Naps help.[^nap]

[^nap]: Hirano D. Naps at noon. Sleep Letters. 2019;3:1-4.
[^aside]: We thank the reviewers.

## References

[1] Smith J, Doe A. Coffee and sleep in adults.
    Journal of Rest. 2018;12(3):1-9. doi:10.1000/COFFEE
[2] Tanaka E. Tea and sleep. Rest. 2020.
[3] Okafor R. Coffee in the young. Rest. 2021. https://doi.org/10.1000/young

## Appendix

More text with [2].
";

    #[test]
    fn lists_footnotes_and_names_in_sentences_are_references() {
        let found = read(TEXT);
        let shown: Vec<(Option<&str>, usize, Option<&str>)> = found
            .references
            .iter()
            .map(|it| (it.key.as_deref(), it.line, it.names.first().map(|it| it.value.as_str())))
            .collect();
        assert_eq!(
            shown,
            [
                (Some("^nap"), 8, None),
                (Some("1"), 13, Some("10.1000/coffee")),
                (Some("2"), 15, None),
                (Some("3"), 16, Some("10.1000/young")),
                (None, 6, Some("10.1000/direct")),
            ]
        );
        assert_eq!(
            found.references[1].written.as_deref(),
            Some("Smith J, Doe A. Coffee and sleep in adults. Journal of Rest. 2018;12(3):1-9.")
        );
    }

    #[test]
    fn sentences_name_what_they_cite() {
        let found = read(TEXT);
        let shown: Vec<(&str, &[usize])> =
            found.citations.iter().map(|it| (it.sentence.as_str(), &it.references[..])).collect();
        assert_eq!(
            shown,
            [
                ("Coffee shortens sleep by half an hour.", &[1, 3][..]),
                ("Tea does not.", &[2]),
                ("In young people the effect is larger.", &[3]),
                ("See https://doi.org/10.1000/direct for a review.", &[4]),
                ("Naps help.", &[0]),
                ("More text with.", &[2]),
            ]
        );
    }

    #[test]
    fn japanese_lists_are_read() {
        let found = read(
            "夜勤は睡眠を短くする（山田ら, 2020）。昼寝は効く［2］。\n\n参考文献\n\n1) 山田太郎, 佐藤花子. 夜勤と睡眠の研究. 睡眠学会誌. 2020; 3: 1-9.\n2) 鈴木一郎：昼寝の効果，労働科学，2019.\n",
        );
        let written: Vec<&str> =
            found.references.iter().filter_map(|it| it.written.as_deref()).collect();
        assert_eq!(written.len(), 2, "{found:?}");
        let cited: Vec<&[usize]> = found.citations.iter().map(|it| &it.references[..]).collect();
        assert_eq!(cited, [&[0][..], &[1]]);
        assert_eq!(found.citations[0].sentence, "夜勤は睡眠を短くする。");
    }

    #[test]
    fn a_bare_list_needs_no_heading() {
        let found = read(
            "Smith J. Coffee and sleep in adults. Rest. 2018.\n\nDoe A. Tea in the young. Rest. 2019.\n",
        );
        assert_eq!(found.references.len(), 2);
        assert_eq!(found.citations, []);
    }
}
