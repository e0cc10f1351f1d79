//! Reports that people hand on: DOCX, references, a table. Other programs must read what was meant.

use std::collections::BTreeMap;
use std::io::Read as _;

use biblatex::{Bibliography, ChunksExt};
use evidence::{DomainCategory, Stance, TaskId};
use graph::{Graph, PageDetails};
use report::{Document, Report};
use serde_json::Value;

use crate::world::{Read, claim, gathered, graph, judge, page, passage, task, write};
use crate::{air, japanese};

/// What a title or a name may hold, and what is left of it where characters are not shown.
const ATTACKS: [(&str, &str); 10] = [
    ("{unbalanced {braces}", "{unbalanced {braces}"),
    ("}} @misc{evil, title = {x}", "}} @misc{evil, title = {x}"),
    ("\"quoted\" 'title'", "\"quoted\" 'title'"),
    ("line\r\nTY  - JOUR\nER  - ", "line TY - JOUR ER -"),
    ("<b>HTML</b> &amp; <script>alert(1)</script>", "<b>HTML</b> &amp; <script>alert(1)</script>"),
    ("\u{202e}gnp.exe\u{2066}\u{200f}", "gnp.exe"),
    ("bell\u{7} nul\u{0} esc\u{1b}[31m \u{ffff}end", "bell nul esc[31m end"),
    (r"\input{/etc/passwd} $x_1^2$ 50 % #1 & ~", r"\input{/etc/passwd} $x_1^2$ 50 % #1 & ~"),
    ("=HYPERLINK(\"http://evil.example\")", "=HYPERLINK(\"http://evil.example\")"),
    ("在宅勤務、始業時刻と睡眠", "在宅勤務、始業時刻と睡眠"),
];

/// A report on one page, every text of which is the attack.
fn attacked(text: &str) -> Report {
    let (graph, task) = one_page(text, "https://a.example/x", Some(("10.5555/x", text)));
    gathered(&graph, task)
}

fn one_page(text: &str, url: &str, work: Option<(&str, &str)>) -> (Graph, TaskId) {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "Do pupils sleep longer?", Some("Pupils sleep longer."));
        let category = DomainCategory::Academic;
        let read =
            Read { url, category, title: text, year: Some(2021), doi: work, ..Read::default() };
        let id = page(w, &read);
        let author = Some(text.to_owned());
        let published_at = Some("2021-03-02T10:00:00Z".to_owned());
        w.describe_page(id, &PageDetails { author, published_at, ..PageDetails::default() })?;
        let passage = passage(w, id, url, &[text], 0, text);
        let hypothesis = claim(w, task, None, "hypothesis", "Pupils sleep longer.");
        judge(w, passage, hypothesis, Stance::Supports, 0.9);
        Ok(task)
    });
    (graph, task)
}

/// The fields of each entry, by their tags; fails at a line that is none.
fn ris(text: &str) -> Vec<BTreeMap<String, Vec<String>>> {
    let (mut entries, mut entry) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    for line in text.split("\r\n").filter(|it| !it.is_empty()) {
        let (tag, value) = line.split_once("  - ").unwrap_or_else(|| panic!("no field: {line:?}"));
        let of_tag = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit();
        assert_eq!((tag.len(), tag.chars().all(of_tag)), (2, true), "{line:?}");
        assert_eq!(entry.is_empty(), tag == "TY", "an entry begins with its type: {line:?}");
        match tag {
            "ER" => entries.push(std::mem::take(&mut entry)),
            tag => entry.entry(tag.to_owned()).or_default().push(value.to_owned()),
        }
    }
    assert_eq!(entry.len(), 0, "the last entry is ended");
    entries
}

/// The files of a zip, by name, as its directory lists them.
fn unzip(bytes: &[u8]) -> BTreeMap<String, String> {
    let number = |at: usize, length: usize| {
        bytes[at..at + length].iter().rev().fold(0, |sum, it| sum * 256 + usize::from(*it))
    };
    let end = bytes.len() - 22;
    assert_eq!(&bytes[end..end + 4], b"PK\x05\x06");
    let (count, mut at) = (number(end + 10, 2), number(end + 16, 4));
    let mut files = BTreeMap::new();
    for _ in 0..count {
        assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
        let (sum, packed, plain) = (number(at + 16, 4), number(at + 20, 4), number(at + 24, 4));
        let (name, place) = (number(at + 28, 2), number(at + 42, 4));
        let text = String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap();
        let begin = place + 30 + name;
        let mut file = String::new();
        flate2::read::DeflateDecoder::new(&bytes[begin..begin + packed])
            .read_to_string(&mut file)
            .unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(file.as_bytes());
        assert_eq!((file.len(), crc.sum() as usize), (plain, sum), "{text}");
        files.insert(text, file);
        at += 46 + name;
    }
    files
}

/// The text of each paragraph with its style, in order; fails where a part is no XML.
fn paragraphs(docx: &[u8]) -> Vec<(String, String)> {
    use quick_xml::events::Event;
    let files = unzip(docx);
    let mut found = Vec::new();
    for (name, file) in &files {
        let mut reader = quick_xml::Reader::from_str(file);
        let (mut style, mut text) = (String::new(), String::new());
        loop {
            let event = reader.read_event().unwrap_or_else(|error| panic!("{name}: {error}"));
            match event {
                Event::Eof => break,
                Event::Start(tag) if tag.name().as_ref() == "w:p" => {
                    (style, text) = (String::new(), String::new());
                }
                Event::Empty(tag) if tag.name().as_ref() == "w:pStyle" => {
                    let value = tag.try_get_attribute("w:val").unwrap().unwrap();
                    style = value
                        .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                        .unwrap()
                        .into_owned();
                }
                Event::Empty(tag) if tag.name().as_ref() == "w:br" => text.push(' '),
                Event::Text(words) => text.push_str(&words),
                Event::GeneralRef(name) => {
                    let known = name.resolve_char_ref().unwrap();
                    let named =
                        || quick_xml::escape::resolve_predefined_entity(&name).unwrap().to_owned();
                    text.push_str(&known.map_or_else(named, String::from));
                }
                Event::End(tag) if tag.name().as_ref() == "w:p" && name == "word/document.xml" => {
                    found.push((style.clone(), text.clone()));
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn hostile_words_are_one_field_of_one_entry_in_ris() {
    for (attack, shown) in ATTACKS {
        let entries = ris(&attacked(attack).ris());
        assert_eq!(entries.len(), 1, "{attack:?}");
        assert_eq!(entries[0]["TI"], [shown], "{attack:?}");
        assert_eq!(entries[0]["T2"], [shown], "{attack:?}");
        assert_eq!(entries[0]["TY"], ["JOUR"]);
        assert_eq!(entries[0]["DA"], ["2021/03/02/"]);
        assert_eq!(entries[0]["DO"], ["10.5555/x"]);
    }
}

#[test]
fn hostile_words_are_text_to_a_reader_of_bibtex() {
    for (attack, shown) in ATTACKS {
        let written = attacked(attack).bibtex();
        let read = Bibliography::parse(&written).unwrap_or_else(|it| panic!("{written}\n{it}"));
        assert_eq!(read.len(), 1, "{written}");
        let entry = read.iter().next().unwrap();
        // The reader leaves out commands it does not know, so they are put back before it reads.
        let named = [
            ("textbraceleft", "{"),
            ("textbraceright", "}"),
            ("textbackslash", "\\"),
            ("textasciicircum", "^"),
            ("textasciitilde", "~"),
            ("textless", "<"),
            ("textgreater", ">"),
        ];
        let title = entry.title().unwrap().format_verbatim();
        let plain =
            named.iter().fold(title, |text, (name, sign)| text.replace(&format!("\\{name}"), sign));
        assert_eq!(plain, shown, "{written}");
        assert_eq!(entry.entry_type.to_string(), "article");
    }
}

#[test]
fn hostile_words_are_values_in_csl_json() {
    for (attack, shown) in ATTACKS {
        let csl = attacked(attack).csl();
        assert_eq!(csl[0]["title"], shown, "{attack:?}");
        assert_eq!(csl[0]["container-title"], shown, "{attack:?}");
        assert_eq!(csl[0]["type"], "article-journal");
        assert_eq!(csl[0]["issued"]["date-parts"], serde_json::json!([[2021, 3, 2]]));
        assert_eq!(csl.as_array().unwrap().len(), 1);
    }
}

#[test]
fn hostile_words_are_cells_of_one_row_and_no_formula() {
    for (attack, shown) in ATTACKS {
        let csv = attacked(attack).csv();
        let mut reader = csv::Reader::from_reader(csv.trim_start_matches('\u{feff}').as_bytes());
        let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(header[..4], ["Source", "Year", "Document", "Publisher"]);
        let rows: Vec<csv::StringRecord> = reader.records().map(|it| it.unwrap()).collect();
        assert_eq!(rows.len(), 1, "{attack:?}");
        let cell = if shown.starts_with('=') { format!("'{shown}") } else { shown.to_owned() };
        assert_eq!(&rows[0][2], cell, "{attack:?}");
        assert_eq!((&rows[0][0], &rows[0][1], &rows[0][4]), ("1", "2021", "supports"));
        assert_eq!(&rows[0][8], "https://a.example/x");
    }
}

#[test]
fn hostile_words_are_text_in_an_office_document() {
    for (attack, shown) in ATTACKS {
        let document = Document::of(&attacked(attack));
        let found = paragraphs(&document.docx());
        let quote = found.iter().find(|it| it.0 == "Quote").unwrap();
        assert_eq!(quote.1.trim_matches(['“', '”']), shown, "{attack:?}");
    }
}

#[test]
fn an_office_document_has_the_headings_tables_and_links_of_the_report() {
    let (graph, task) = air::investigation();
    let document = Document::of(&gathered(&graph, task));
    let docx = document.docx();
    assert_eq!(docx, document.docx(), "the same report, the same bytes");
    let found = paragraphs(&docx);
    let of = |style: &str| -> Vec<&str> {
        found.iter().filter(|it| it.0 == style).map(|it| it.1.as_str()).collect()
    };
    assert_eq!(of("Title"), [air::QUESTION]);
    assert_eq!(of("Heading1")[..3], ["Answer", "Summary", "What each document says"]);
    assert!(of("Cell").contains(&"In its words"));
    let files = unzip(&docx);
    let body = &files["word/document.xml"];
    let links = &files["word/_rels/document.xml.rels"];
    assert!(links.contains("Target=\"https://health.gov.example/air/final-report\""), "{links}");
    for wanted in body.split("w:anchor=\"").skip(1).map(|it| it.split('"').next().unwrap()) {
        assert_eq!(body.matches(&format!("w:name=\"{wanted}\"")).count(), 1, "{wanted}");
    }
    for wanted in body.split("r:id=\"").skip(1).map(|it| it.split('"').next().unwrap()) {
        assert_eq!(links.matches(&format!("Id=\"{wanted}\"")).count(), 1, "{wanted}");
    }
}

#[test]
fn a_japanese_report_has_japanese_headings_and_columns() {
    let (graph, task) = japanese::investigation();
    let report = gathered(&graph, task);
    let found = paragraphs(&Document::of(&report).docx());
    let headings: Vec<&str> =
        found.iter().filter(|it| it.0 == "Heading1").map(|it| it.1.as_str()).collect();
    assert_eq!(headings[..3], ["回答", "各資料が述べていること", "知見"]);
    let csv = report.csv();
    let header = csv.lines().next().unwrap();
    assert_eq!(
        header,
        "\u{feff}出典番号,年,資料,発行元,述べていること,数えない理由,原文,公開,アドレス,保存記録"
    );
}

/// A key names the same source in every report, whatever its number there.
#[test]
fn keys_are_of_the_source_and_not_of_the_report() {
    let (graph, task) = air::investigation();
    let report = gathered(&graph, task);
    let keys = |report: &Report| -> BTreeMap<String, String> {
        let csl = report.csl();
        let entries = csl.as_array().unwrap().iter();
        let text = |it: &Value, name: &str| it[name].as_str().unwrap().to_owned();
        entries.map(|it| (text(it, "URL"), text(it, "id"))).collect()
    };
    let mut other = report.clone();
    other.sources.reverse();
    for (number, source) in (1..).zip(&mut other.sources) {
        source.number = number;
        source.found_at = "2030-01-01T00:00:00Z".parse().unwrap();
    }
    let of_report = keys(&report);
    assert_eq!(of_report, keys(&other));
    let distinct: std::collections::BTreeSet<&String> = of_report.values().collect();
    assert_eq!(distinct.len(), report.sources.len());
    let ris: Vec<String> = ris(&report.ris()).iter().map(|it| it["ID"][0].clone()).collect();
    let bibtex = Bibliography::parse(&report.bibtex()).unwrap();
    let of_bibtex: Vec<&str> = bibtex.keys().collect();
    assert_eq!(of_bibtex, ris);
}

#[test]
fn references_of_an_investigation() {
    let (graph, task) = air::investigation();
    let report = gathered(&graph, task);
    let first = |text: &str, end: &str| text.split_inclusive(end).next().unwrap().to_owned();
    insta::assert_snapshot!("ris", first(&report.ris().replace("\r\n", "\n"), "ER  - \n"));
    insta::assert_snapshot!("bibtex", first(&report.bibtex(), "\n}\n"));
    insta::assert_snapshot!("csl", serde_json::to_string_pretty(&report.csl()[0]).unwrap());
}
