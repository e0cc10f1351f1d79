//! Any folder of documents, searched by sections.

use std::fs;
use std::path::Path;

use library::{DocumentFolder, Extent, FolderSettings, SectionQuery, read_document};
use rank::RankSettings;

/// Text that is too long to be one section with what follows.
fn filler(word: &str) -> String {
    format!("{word} has a rule of its own. ").repeat(200)
}

fn search(root: &Path, text: &str) -> Vec<(String, String)> {
    let mut folder = DocumentFolder::new(root, FolderSettings::default(), RankSettings::default());
    let found = folder.search(&SectionQuery { text: text.to_owned(), ..SectionQuery::default() });
    let shown = |it: &library::FoundSection| {
        let name = it.path.file_name().unwrap().to_string_lossy().into_owned();
        (it.title.clone(), format!("{name}#{}", it.extent.fragment().unwrap_or_default()))
    };
    found.sections.iter().map(shown).collect()
}

#[test]
fn a_long_document_is_found_by_its_sections() {
    let root = tempfile::tempdir().unwrap();
    let text = format!(
        "---\ntitle: Ward manual\nauthor: The pharmacy\n---\n# Medicines\n\n{}\n\n## Insulin\n\n### Storage\n\nOpened \
         insulin pens keep for 28 days.\n\n### Disposal\n\nNeedles go into the yellow box.\n\n## Opioids\n\n{}\n",
        filler("Paracetamol"),
        filler("Morphine")
    );
    fs::write(root.path().join("ward.md"), &text).unwrap();
    assert_eq!(
        search(root.path(), "insulin pens"),
        [("Ward manual > Medicines > Insulin".to_owned(), "ward.md#L9-L18".to_owned())]
    );
    assert_eq!(
        search(root.path(), "morphine"),
        [("Ward manual > Medicines > Opioids".to_owned(), "ward.md#L19-L21".to_owned())]
    );
    let path = root.path().join("ward.md");
    let extent = Extent::of_fragment("L9-L18");
    let options = extract::ReadSettings::default();
    let (bytes, document) = read_document(&path, extent, 1 << 20, &options).unwrap();
    assert_eq!(bytes, text.as_bytes());
    assert_eq!(
        document.text,
        "Insulin\n\nStorage\n\nOpened insulin pens keep for 28 days.\n\nDisposal\n\nNeedles go into the yellow box."
    );
    assert_eq!(document.metadata.author.as_deref(), Some("The pharmacy"));
    assert_eq!(document.metadata.title, None);
    let headings: Vec<&str> = document
        .fragments
        .last()
        .unwrap()
        .heading_hierarchy
        .iter()
        .map(|it| it.text.as_str())
        .collect();
    assert_eq!(headings, ["Medicines", "Insulin", "Disposal"]);
}

#[test]
fn a_short_document_is_one_section() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("note.md"), "# Tea\n\nGreen tea.\n\n## Coffee\n\nBlack coffee.\n")
        .unwrap();
    assert_eq!(search(root.path(), "coffee"), [("Tea".to_owned(), "note.md#".to_owned())]);
}

#[test]
fn a_long_page_of_html_is_found_by_characters_of_its_text() {
    let root = tempfile::tempdir().unwrap();
    let page = format!(
        "<html><head><title>Ward manual</title><meta name=\"author\" content=\"The pharmacy\"></head><body><article>\
         <h1>Medicines</h1><p>{}</p><h2>Insulin</h2><p>Opened insulin pens keep for twenty-eight days at room \
         temperature, and nobody uses them after that.</p><h2>Opioids</h2><p>{}</p></article></body></html>",
        filler("Paracetamol"),
        filler("Morphine")
    );
    fs::write(root.path().join("ward.html"), page).unwrap();
    let found = search(root.path(), "insulin pens");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "Ward manual > Medicines > Insulin");
    let extent = Extent::of_fragment(found[0].1.rsplit_once('#').unwrap().1);
    let path = root.path().join("ward.html");
    let (_, document) =
        read_document(&path, extent, 1 << 20, &extract::ReadSettings::default()).unwrap();
    assert_eq!(
        document.text.trim(),
        "Insulin\n\nOpened insulin pens keep for twenty-eight days at room temperature, and nobody uses them after that."
    );
    assert_eq!(document.metadata.author.as_deref(), Some("The pharmacy"));
    for passage in &document.fragments {
        let text: String = document
            .text
            .chars()
            .skip(passage.char_start)
            .take(passage.text.chars().count())
            .collect();
        assert_eq!(text, passage.text);
    }
    assert!(!document.fragments.is_empty());
}

#[test]
fn sections_are_read_again_only_when_their_file_changed() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.md"), "# A\n\nApples.\n").unwrap();
    fs::write(root.path().join("b.md"), "# B\n\nPears.\n").unwrap();
    let mut folder =
        DocumentFolder::new(root.path(), FolderSettings::default(), RankSettings::default());
    let mut search = |text: &str| {
        let query = SectionQuery { text: text.to_owned(), ..SectionQuery::default() };
        let found = folder.search(&query);
        (found.read, found.sections.len())
    };
    assert_eq!(search("apples"), (2, 1));
    assert_eq!(search("pears"), (0, 1));
    fs::write(root.path().join("b.md"), "# B\n\nApples and pears.\n").unwrap();
    assert_eq!(search("apples"), (1, 2));
}

#[test]
fn office_documents_and_letters_are_found() {
    let root = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| fs::write(root.path().join(name), bytes).unwrap();
    put("report.docx", include_bytes!("../../../extract/tests/it/office/report.docx"));
    put("slides.pptx", include_bytes!("../../../extract/tests/it/office/slides.pptx"));
    put("sheets.xlsx", include_bytes!("../../../extract/tests/it/office/sheets.xlsx"));
    put("mail.eml", include_bytes!("../../../extract/tests/it/office/mail.eml"));
    let mut folder =
        DocumentFolder::new(root.path(), FolderSettings::default(), RankSettings::default());
    let mut found = |text: &str| {
        let query = SectionQuery { text: text.to_owned(), ..SectionQuery::default() };
        let found = folder.search(&query);
        assert_eq!(found.missed, []);
        let name = |it: &library::FoundSection| {
            it.path.file_name().unwrap().to_string_lossy().into_owned()
        };
        let mut names: Vec<String> = found.sections.iter().map(name).collect();
        names.sort();
        names
    };
    assert_eq!(found("nurses"), ["mail.eml", "report.docx", "slides.pptx"]);
    assert_eq!(found("ward"), ["sheets.xlsx"]);
    assert_eq!(found("仮眠室"), ["slides.pptx"]);
}

#[test]
fn documents_that_cannot_be_read_are_missed_once_with_the_reason() {
    let root = tempfile::tempdir().unwrap();
    let put = |name: &str, bytes: &[u8]| fs::write(root.path().join(name), bytes).unwrap();
    put("note.md", b"# Tea\n\nGreen tea.\n");
    put("memo.docx", b"PK\x03\x04\x14\0word/document.xml");
    put("renamed.txt", b"PK\x03\x04\x14\0word/document.xml");
    put("photo.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    put("broken.pdf", b"%PDF-1.7\nnothing more");
    put("holiday.jpg", b"\xff\xd8\xff\xe0");
    let mut folder =
        DocumentFolder::new(root.path(), FolderSettings::default(), RankSettings::default());
    let mut missed = || {
        let found =
            folder.search(&SectionQuery { text: "tea".to_owned(), ..SectionQuery::default() });
        assert_eq!(found.sections.len(), 1);
        let told = |it: &library::MissedFile| {
            format!("{}: {}", it.path.file_name().unwrap().to_string_lossy(), it.detail)
        };
        let mut all: Vec<String> = found.missed.iter().map(told).collect();
        all.sort();
        all
    };
    let expected = [
        "broken.pdf: the file is damaged: no page was found",
        "memo.docx: it is a Word document (docx), which is not read",
        "photo.md: it is a picture (PNG), which is not read",
        "renamed.txt: it is a Word document (docx), which is not read",
    ];
    assert_eq!(missed(), expected);
    assert_eq!(missed(), expected);
}
