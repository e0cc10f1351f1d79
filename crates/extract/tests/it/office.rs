//! Office documents, books and letters, as other programs wrote them: python-docx, python-pptx, openpyxl, odfpy, EbookLib and
//! Python's own library for mail. Themes and previews were taken out, for the size.

use std::io::Write;

use extract::{Document, Format, Input, Problem, ReadSettings, read};
use proptest::prelude::*;
use url::Url;
use zip::write::SimpleFileOptions;

const FILES: [(&str, &[u8], Format); 6] = [
    ("report.docx", include_bytes!("office/report.docx"), Format::Docx),
    ("slides.pptx", include_bytes!("office/slides.pptx"), Format::Pptx),
    ("sheets.xlsx", include_bytes!("office/sheets.xlsx"), Format::Xlsx),
    ("text.odt", include_bytes!("office/text.odt"), Format::OpenDocument),
    ("book.epub", include_bytes!("office/book.epub"), Format::Epub),
    ("mail.eml", include_bytes!("office/mail.eml"), Format::Email),
];

fn document(name: &str) -> Document {
    let (_, bytes, _) = FILES.iter().find(|it| it.0 == name).unwrap();
    read(Input { bytes, ..Input::default() }, &ReadSettings::default())
}

/// What is read, and what is said of it.
fn shown(name: &str) -> String {
    let document = document(name);
    let said = &document.metadata;
    let field = |it: &Option<String>| it.clone().unwrap_or_else(|| "-".to_owned());
    format!(
        "{} / {} / {}\n{}",
        field(&said.title),
        field(&said.author),
        field(&said.published_at),
        document.markdown()
    )
}

#[test]
fn the_bytes_tell_the_format_whatever_the_name() {
    for (name, bytes, format) in FILES {
        let told = read(Input { bytes, ..Input::default() }, &ReadSettings::default());
        assert_eq!(told.format, format, "{name}");
        let url = Url::parse("https://example.org/download?id=7").unwrap();
        let headers = [("content-type".to_owned(), "application/octet-stream".to_owned())];
        let input = Input { bytes, url: Some(&url), headers: &headers, ..Input::default() };
        let fetched = read(input, &ReadSettings::default());
        assert_eq!((fetched.format, fetched.text), (format, told.text), "{name}");
        assert_eq!(told.problems, [], "{name}");
    }
}

#[test]
fn a_text_is_read_with_headings_lists_and_tables() {
    insta::assert_snapshot!(shown("report.docx"), @"
    Night shifts and sleep / Ada Fenwick / 2024-05-01T09:00:00Z
    # Night shifts and sleep

    # Findings

    Nurses on night shifts slept 58 minutes less than others.

    夜勤の看護師の睡眠は58分短かった。

      - First point of the list
      - Second point of the list

    | Group | Minutes |
    | --- | --- |
    | Night | 392 |
    ");
}

#[test]
fn slides_are_read_in_their_order_with_notes() {
    insta::assert_snapshot!(shown("slides.pptx"), @"
    Slides on sleep / - / 2013-01-27T09:14:16Z
    ## Night shifts

      - Sleep fell by 58 minutes
      - Errors rose

    Say that the trial had 420 nurses.

    ## 提案

      - 仮眠室を設ける
    ");
    let pages: Vec<Option<u32>> =
        document("slides.pptx").fragments.iter().map(|it| it.page).collect();
    assert_eq!(pages.last(), Some(&Some(2)));
}

#[test]
fn sheets_are_read_as_they_are_shown_and_hidden_ones_are_hidden() {
    insta::assert_snapshot!(shown("sheets.xlsx"), @"
    Sleep by ward / openpyxl / 2026-11-20T00:28:30Z
    ## Sleep

    | Ward | Date | Minutes | Share |
    | --- | --- | --- | --- |
    | North | 2024-03-01 | 392 | 0.25 |
    | 南病棟 | 2024-03-02 08:30 | 401.5 | TRUE |
    | Total |
    ");
    let hidden = document("sheets.xlsx").hidden;
    assert_eq!(hidden.len(), 1);
    assert_eq!(hidden[0].text, "Hidden\nSecret | value");
}

#[test]
fn an_open_document_is_read() {
    insta::assert_snapshot!(shown("text.odt"), @"
    Odt on sleep / Jun Morikawa / -
    # Findings

    Nurses on night shifts slept 58 minutes less.

      - A point

    | Group | Minutes |
    | --- | --- |

    夜勤の看護師の睡眠は短い。
    ");
}

#[test]
fn a_book_is_read_chapter_by_chapter() {
    insta::assert_snapshot!(shown("book.epub"), @"
    A book on sleep / Leila Sandoval / -
    # Chapter one

    Nurses on night shifts slept 58 minutes less than others in the trial.

    # Chapter two

    夜勤の看護師の睡眠は短い。
    ");
}

#[test]
fn a_letter_is_read_and_its_attachments_are_named() {
    insta::assert_snapshot!(shown("mail.eml"), @"
    夜勤と睡眠について / Ada Fenwick / 2024-05-01T09:00:00+09:00
    # 夜勤と睡眠について

    Nurses on night shifts slept 58 minutes less.

    夜勤の看護師の睡眠は短い。

      - roster.pdf
    ");
}

/// A ZIP file of these parts.
fn packed(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn a_file_that_wants_to_be_large_is_cut_off() {
    let mut part = b"<w:document><w:body><w:p><w:r><w:t>A beginning. ".to_vec();
    part.resize(60 << 20, b'a');
    let bomb = packed(&[("word/document.xml", &part)]);
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    let document = read(Input { bytes: &bomb, ..Input::default() }, &ReadSettings::default());
    assert_eq!(document.format, Format::Docx);
    assert_eq!(document.problems[0], Problem::TooMuchText { limit: 32 << 20 });
    // Many parts share what all may unpack together.
    let row = "<row><c t=\"inlineStr\"><is><t>x</t></is></c></row>".repeat(700_000);
    let names: Vec<String> = (0..8).map(|it| format!("xl/worksheets/s{it}.xml")).collect();
    let workbook: String =
        (0..8).map(|it| format!("<sheet name=\"{it}\" r:id=\"r{it}\"/>")).collect();
    let relations: String = names
        .iter()
        .enumerate()
        .map(|(n, it)| format!("<Relationship Id=\"r{n}\" Target=\"/{it}\"/>"))
        .collect();
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("xl/workbook.xml", workbook.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
    ];
    parts.extend(names.iter().map(|it| (it.as_str(), row.as_bytes())));
    let bomb = packed(&parts);
    let document = read(Input { bytes: &bomb, ..Input::default() }, &ReadSettings::default());
    let cut = document.problems.iter().filter(|it| matches!(it, Problem::TooMuchText { .. }));
    assert!(cut.count() > 1, "{:?}", document.problems);
    assert!(document.text.chars().count() <= ReadSettings::default().max_text_chars);
}

#[test]
fn what_is_damaged_is_named() {
    let damaged = |bytes: &[u8]| {
        let document = read(Input { bytes, ..Input::default() }, &ReadSettings::default());
        document.problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let empty = packed(&[("word/document.xml", b"<w:document/>")]);
    assert_eq!(damaged(&empty), ["the file is damaged: no text was found in word/document.xml"]);
    let none = packed(&[("a.txt", b"text")]);
    assert_eq!(damaged(&none), ["it is an archive (ZIP), which is not read"]);
    let half = &FILES[0].1[..FILES[0].1.len() / 2];
    assert_eq!(damaged(half), ["it is a Word document (docx), which is not read"]);
}

#[test]
fn deleted_text_comments_and_the_second_choice_are_left_out() {
    let part = "<w:document><w:body><w:p><w:r><w:t>Kept </w:t></w:r><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del>\
        <mc:AlternateContent><mc:Choice><w:r><w:t>shown</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>shown</w:t></w:r></mc:Fallback></mc:AlternateContent>\
        </w:p></w:body></w:document>";
    let file = packed(&[("word/document.xml", part.as_bytes())]);
    let document = read(Input { bytes: &file, ..Input::default() }, &ReadSettings::default());
    assert_eq!(document.text.trim(), "Kept shown");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_bytes_make_it_fail(
        file in 0..FILES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..40),
        end in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let mut bytes = FILES[file].1.to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(end.index(bytes.len()) + 1);
        }
        let _ = read(Input { bytes: &bytes, ..Input::default() }, &ReadSettings::default());
    }
}
