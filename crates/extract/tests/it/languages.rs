//! The language of a document: as it says, else as its text shows.

use extract::{Format, Input, ReadSettings, read};
use url::Url;

const ENGLISH: &str = "The survey asked twelve hundred companies whether their staff had worked from home in the last year.";
const JAPANESE: &str = "在宅勤務を認めた企業では、離職率が2割低下した。";
const GERMAN: &str = "Die Untersuchung zeigt, dass die Impfung schwere Erkrankungen bei älteren Menschen verringert hat.";

fn language(name: &str, text: &str) -> (Format, Option<String>) {
    let url = Url::parse(&format!("file:///library/{name}")).unwrap();
    let input = Input { bytes: text.as_bytes(), url: Some(&url), ..Input::default() };
    let document = read(input, &ReadSettings::default());
    (document.format, document.metadata.language)
}

#[test]
fn texts_and_json_files_have_the_language_they_are_written_in() {
    let json = |text: &str| serde_json::json!({ "title": "x", "abstract": text }).to_string();
    let table = [
        ("a.txt", ENGLISH.to_owned(), Format::Text, Some("en")),
        ("b.txt", JAPANESE.to_owned(), Format::Text, Some("ja")),
        ("c.txt", GERMAN.to_owned(), Format::Text, Some("de")),
        ("d.json", json(ENGLISH), Format::Json, Some("en")),
        ("e.json", json(JAPANESE), Format::Json, Some("ja")),
        ("f.md", format!("# 調査\n\n{JAPANESE}"), Format::Markdown, Some("ja")),
        ("g.html", format!("<title>x</title><p>{ENGLISH}"), Format::Html, Some("en")),
        ("h.txt", "12.5 ± 3".to_owned(), Format::Text, None),
        ("i.txt", "Aspirin".to_owned(), Format::Text, None),
        ("j.txt", String::new(), Format::Text, None),
        ("k.json", "[]".to_owned(), Format::Json, None),
    ];
    for (name, text, format, expected) in table {
        assert_eq!(language(name, &text), (format, expected.map(str::to_owned)), "{name}");
    }
}

#[test]
fn what_a_document_says_about_its_language_goes_first() {
    let markdown = format!("---\nlang: fr\n---\n{ENGLISH}");
    assert_eq!(language("a.md", &markdown).1.as_deref(), Some("fr"));
    let html = format!("<html lang=\"de-AT\"><title>x</title><p>{ENGLISH}");
    assert_eq!(language("b.html", &html).1.as_deref(), Some("de"));
}
