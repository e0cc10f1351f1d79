//! Which letters of a PDF are read, and in which order: fonts and matrices that writers of files really use.

use extract::{Input, ReadSettings};

use crate::pdf_file::{page, page_in, page_with_annotations, pages, stream};

fn text(bytes: &[u8]) -> String {
    extract::read(Input { bytes, ..Input::default() }, &ReadSettings::default()).text
}

#[test]
fn mirrored_letters_are_read_in_the_order_they_stand_on_the_page() {
    let cases = [
        (
            "turned by its size and mirrored back",
            "/F -12 Tf -100 Tz 1 0 0 -1 50 700 Tm (A form) Tj",
        ),
        ("mirrored by its stretch", "/F 12 Tf -100 Tz -1 0 0 1 50 700 Tm (A form) Tj"),
        ("turned by its size and its matrix", "/F -12 Tf -1 0 0 -1 50 700 Tm (A form) Tj"),
        ("upside down", "/F 12 Tf -1 0 0 -1 300 700 Tm (A form) Tj"),
    ];
    for (name, drawn) in cases {
        assert_eq!(text(&page(&format!("BT {drawn} ET"), "", &[])), "A form", "{name}");
    }
}

#[test]
fn a_page_whose_axis_points_down_is_read_from_the_top() {
    let content = "q 1 0 0 -1 0 800 cm
        BT /F 12 Tf 1 0 0 -1 50 100 Tm (The first line.) Tj ET
        BT /F -12 Tf -100 Tz 1 0 0 1 50 200 Tm (The second line.) Tj ET Q";
    assert_eq!(text(&page(content, "", &[])), "The first line.\n\nThe second line.");
}

/// A page with letters given by their numbers in a collection of Adobe, without a map to Unicode.
fn numbered(ordering: &str, numbers: &str) -> String {
    let font = "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]>>";
    let descendant = format!(
        "<</Type/Font/Subtype/CIDFontType0/BaseFont/X\
         /CIDSystemInfo<</Registry(Adobe)/Ordering({ordering})/Supplement 0>>>>"
    );
    let content = format!("BT /F 12 Tf 50 700 Td <{numbers}> Tj ET");
    text(&page_in(font, &content, &[descendant.into_bytes()]))
}

#[test]
fn letters_numbered_in_the_collections_of_adobe_are_read_without_a_map() {
    assert_eq!(numbered("Japan1", "0CD40E8A"), "日本");
    assert_eq!(numbered("GB1", "11CF0ED3"), "中文");
    assert_eq!(numbered("CNS1", "029502D6"), "中文");
    assert_eq!(numbered("Korea1", "0CE004B4"), "한국");
}

#[test]
fn letters_drawn_in_dots_of_a_printer_are_not_tiny() {
    let font = "<</Type/Font/Subtype/Type3/FontBBox[1 -25 71 75]/FontMatrix[1 0 0 -1 0 0]\
        /FirstChar 105/LastChar 110/Widths[27 50 50 27 81 54]/CharProcs<<>>\
        /Encoding<</Differences[105/i/j/k/l/m/n]>>>>";
    let content = "BT /F 1 Tf 0.12 0 0 -0.12 50 700 Tm (ink) Tj 180 0 Td (mill) Tj ET";
    assert_eq!(text(&page_in(font, content, &[])), "ink mill");
}

#[test]
fn letters_of_ukrainian_and_serbian_go_by_their_old_names() {
    let font = "<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 65/LastChar 70\
        /Widths[500 500 500 500 500 500]/Encoding<</Differences\
        [65/afii10055/afii10103/afii10104/afii10098/afii10099/afii10193]>>>>";
    let content = "BT /F 12 Tf 50 700 Td (ABCDEF) Tj ET";
    assert_eq!(text(&page_in(font, content, &[])), "Іії\u{491}ђџ");
}

#[test]
fn values_of_form_fields_are_read_where_they_stand() {
    let drawing = |text: &str| {
        let content = format!("/Tx BMC q BT /F 12 Tf 2 4 Td ({text}) Tj ET Q EMC");
        stream("/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 5 0 R>>>>", content.as_bytes())
    };
    let content = "BT /F 12 Tf 50 704 Td (Name:) Tj 0 -40 Td (Town:) Tj 0 -40 Td (Member:) Tj ET";
    let field = |rect: &str, entries: &str| {
        format!("<</Subtype/Widget/Rect[{rect}]{entries}>>").into_bytes()
    };
    let objects = [
        field("100 700 300 720", "/AP<</N 10 0 R>>"),
        field("100 660 300 680", "/F 4/AP<</N 11 0 R>>"),
        // Of the states of a box, the one it is in.
        field("100 620 300 640", "/AS/Yes/AP<</N<</Yes 12 0 R/Off 13 0 R>>>>"),
        field("100 580 300 600", "/F 2/AP<</N 14 0 R>>"),
        drawing("Ada Lovelace"),
        drawing("London"),
        drawing("ticked"),
        drawing("not ticked"),
        drawing("a hidden field"),
    ];
    let read = text(&page_with_annotations(content, 4, &objects));
    insta::assert_snapshot!(read, @r"
    Name: Ada Lovelace

    Town: London

    Member: ticked
    ");
}

#[test]
fn a_drawing_of_a_field_is_stretched_to_its_place() {
    let content = b"BT /F 120 Tf 20 40 Td (Ten times too large) Tj ET";
    let drawing =
        stream("/Subtype/Form/BBox[0 0 2000 200]/Resources<</Font<</F 5 0 R>>>>", content);
    let field = b"<</Subtype/Widget/Rect[100 700 300 720]/AP<</N 7 0 R>>>>".to_vec();
    let label = "BT /F 12 Tf 50 704 Td (Size:) Tj ET";
    assert_eq!(
        text(&page_with_annotations(label, 1, &[field, drawing])),
        "Size: Ten times too large"
    );
}

/// Six slides with a head and a foot each, and a headline in larger letters.
fn slides(headlines: [&str; 6], outline: &[&str]) -> String {
    let slide = |(i, headline): (usize, &str)| {
        format!(
            "BT /F 8 Tf 50 780 Td (A running head) Tj ET BT /F 20 Tf 50 740 Td ({headline}) Tj ET \
             BT /F 12 Tf 50 600 Td (Slide {i} says something of its own.) Tj ET \
             BT /F 8 Tf 50 20 Td (Foot {i}) Tj ET"
        )
    };
    let contents: Vec<String> = headlines.into_iter().enumerate().map(slide).collect();
    text(&pages(&contents, outline))
}

#[test]
fn a_running_head_is_kept_once_where_the_outline_names_it() {
    let headlines = ["One", "Two", "Three", "Four", "Five", "Six"];
    let heads = |outline: &[&str]| slides(headlines, outline).matches("A running head").count();
    assert_eq!(heads(&[]), 0);
    assert_eq!(heads(&["A running head"]), 1);
}

#[test]
fn a_headline_that_slides_repeat_is_kept() {
    let slide = |(i, headline): (usize, &str)| {
        format!(
            "BT /F 20 Tf 50 740 Td ({headline}) Tj ET \
             BT /F 12 Tf 50 600 Td (Slide {i} says something of its own.) Tj ET"
        )
    };
    let headlines = ["Start", "Results", "Results", "Results", "Results", "End"];
    let contents: Vec<String> = headlines.into_iter().enumerate().map(slide).collect();
    assert_eq!(text(&pages(&contents, &[])).matches("Results").count(), 4);
    let contents: Vec<String> = ["Firm"; 6].into_iter().enumerate().map(slide).collect();
    assert_eq!(text(&pages(&contents, &[])).matches("Firm").count(), 0);
}
