//! Whole files: what a reader gets from each.
//!
//! The files beside the crate are small and were made for these tests. Damage is made here, from a fixed
//! seed, so that a failure can be run again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::*;

fn read(bytes: &[u8], options: &ReadSettings) -> PdfText {
    super::read(bytes, options, None)
}

fn bytes_of(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdf").join(name);
    std::fs::read(path).unwrap()
}

fn text_of(name: &str) -> PdfText {
    read(&bytes_of(name), &ReadSettings::default())
}

/// One piece per line: page, kind, level, text.
fn show(text: &PdfText) -> String {
    let lines = text.pieces.iter().map(|piece| {
        let page = piece.page.unwrap_or(0);
        format!("{page} {} {}: {}", piece.kind.as_str(), piece.level, piece.text)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn problems(text: &PdfText) -> Vec<String> {
    text.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn two_columns_are_read_one_after_the_other() {
    let text = text_of("two_columns.pdf");
    insta::assert_snapshot!(show(&text), @r"
    1 heading 1: On the Order of Reading Two Columns
    1 paragraph 0: Reading order is the order in which a person reads the text of a page. Columns make it hard for machines, because the lines of both columns stand on the same height. A careful reader finds the gutter first and reads the left column to its end, then the right one. This is a measured fact and not an opinion.
    1 paragraph 0: The right column starts here and must follow the left one. It has as many lines, so every line has a neighbour at the same height. If they were read across, the sentences would be mixed up beyond repair. That would be a poor result for a research engine that quotes what it reads, word by word.
    1 heading 2: Results
    1 table 0: Year | Pages | Errors
    1 table 0: 2022 | 1,204 | 17
    1 table 0: 2023 | 2,310 | 9
    1 table 0: 2024 | 2,977 | 4
    1 list 1: The first item of the list
    1 list 1: The second item of the list
    ");
    assert_eq!(problems(&text), Vec::<String>::new());
    assert_eq!(text.pages, 1);
    assert_eq!(text.metadata.title.as_deref(), Some("Two columns"));
    assert_eq!(text.metadata.author.as_deref(), Some("A. Writer"));
    assert_eq!(text.metadata.description.as_deref(), Some("A test page"));
    assert_eq!(text.metadata.published_at, None, "when a file was made says nothing of its text");
}

#[test]
fn japanese_is_read_from_every_kind_of_font() {
    let cases = [
        "japanese_unijis.pdf",
        "japanese_shift_jis.pdf",
        "japanese_identity.pdf",
        "japanese_numbers.pdf",
        "japanese_vertical.pdf",
    ];
    let shown: Vec<String> =
        cases.into_iter().map(|it| format!("{it}\n{}", show(&text_of(it)))).collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    japanese_unijis.pdf
    1 heading 1: 証拠の連鎖について
    1 paragraph 0: この文書は、日本語の文章が正しく読めることを確かめるための小さな見本である。行の終わりで語が分かれても、空白は入らない。DNA と RNA のような英語の語も混ざる。
    japanese_shift_jis.pdf
    1 paragraph 0: 東京都の人口は約千四百万人で、日本の都道府県の中で最も多い。ﾃｽﾄ ABC も含む。
    japanese_identity.pdf
    1 paragraph 0: 深層学習による要約の評価。
    japanese_numbers.pdf
    1 paragraph 0: 文字の番号だけの書類、ひらがなとカタカナ。
    japanese_vertical.pdf
    1 paragraph 0: 吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。
    ");
    let metadata = text_of("japanese_unijis.pdf").metadata;
    assert_eq!(metadata.title.as_deref(), Some("証拠の連鎖"));
    assert_eq!(metadata.author.as_deref(), Some("山田 太郎"));
}

#[test]
fn the_outline_names_headings_and_running_lines_are_left_out() {
    let text = text_of("pages.pdf");
    insta::assert_snapshot!(show(&text), @r"
    1 heading 1: Introduction
    1 paragraph 0: This is the text of page 1, which is about the introduction and says so in one sentence over two lines.
    2 heading 2: Background
    2 paragraph 0: This is the text of page 2, which is about the background and says so in one sentence over two lines.
    3 heading 1: Findings
    3 paragraph 0: This is the text of page 3, which is about the findings and says so in one sentence over two lines.
    4 heading 1: Conclusion
    4 paragraph 0: This is the text of page 4, which is about the conclusion and says so in one sentence over two lines.
    ");
    assert_eq!(text.pages, 4);
    assert_eq!(text.metadata.title.as_deref(), Some("Four pages of XMP"));
    assert_eq!(text.metadata.author.as_deref(), Some("B. Writer, C. Writer"));
    assert_eq!(text.metadata.published_at, None, "when a file was made says nothing of its text");
    assert_eq!(text.metadata.language.as_deref(), Some("en-GB"));
}

#[test]
fn files_with_an_empty_password_are_read_like_open_ones() {
    let open = text_of("two_columns.pdf").pieces;
    for name in ["encrypted_rc4.pdf", "encrypted_aes128.pdf", "encrypted_aes256.pdf"] {
        let text = text_of(name);
        assert_eq!(text.pieces, open, "{name}");
        assert_eq!(problems(&text), Vec::<String>::new(), "{name}");
        assert_eq!(text.metadata.title.as_deref(), Some("Two columns"), "{name}");
    }
}

#[test]
fn a_file_that_needs_a_password_is_recorded_as_such() {
    let text = text_of("needs_password.pdf");
    assert_eq!(text.problems, [Problem::Encrypted]);
    assert_eq!(text.pieces, []);
}

#[test]
fn a_page_that_is_a_picture_asks_for_ocr() {
    let text = text_of("only_picture.pdf");
    assert_eq!(text.problems, [Problem::OnlyImages { pages: 1, of: 1 }]);
    assert_eq!(text.pieces, []);
}

#[test]
fn pages_beyond_the_limit_are_counted_and_not_read() {
    let options = ReadSettings { max_pdf_pages: 2, ..ReadSettings::default() };
    let text = read(&bytes_of("pages.pdf"), &options);
    assert_eq!(text.pages, 4);
    assert_eq!(text.problems, [Problem::TooManyPages { read: 2, of: 4 }]);
    assert_eq!(text.pieces.iter().filter_map(|it| it.page).max(), Some(2));
}

#[test]
fn text_beyond_the_limit_is_left_out() {
    let options = ReadSettings { max_text_chars: 30, ..ReadSettings::default() };
    let text = read(&bytes_of("pages.pdf"), &options);
    assert_eq!(
        text.problems,
        [Problem::TooMuchText { limit: 30 }, Problem::TooManyPages { read: 1, of: 4 }]
    );
    assert_eq!(text.pieces.iter().map(|it| it.text.chars().count()).sum::<usize>(), 30);
}

#[test]
fn every_limit_stops_reading_without_an_end() {
    let bytes = bytes_of("pages.pdf");
    let small = |options: ReadSettings| problems(&read(&bytes, &options));
    let cut = "4 pages could not be read: they draw or unpack more than the limits allow";
    assert_eq!(small(ReadSettings { max_pdf_page_operators: 3, ..ReadSettings::default() }), [cut]);
    let none = ["the file is damaged: no page was found"];
    assert_eq!(small(ReadSettings { max_pdf_stream_bytes: 0, ..ReadSettings::default() }), none);
    assert_eq!(small(ReadSettings { max_pdf_objects: 0, ..ReadSettings::default() }), none);
    let large = small(ReadSettings { max_bytes: 100, ..ReadSettings::default() });
    assert_eq!(large[1..], none);
}

#[test]
fn what_is_no_pdf_is_damaged_and_empty() {
    for bytes in [&b""[..], b"%PDF-1.7", b"<html>", &[0; 4096]] {
        let text = read(bytes, &ReadSettings::default());
        assert_eq!(problems(&text), ["the file is damaged: no page was found"]);
        assert_eq!(text.pieces, []);
    }
}

#[test]
fn a_lost_table_of_objects_is_made_good() {
    for name in ["two_columns.pdf", "pages.pdf", "encrypted_rc4.pdf", "encrypted_aes256.pdf"] {
        let whole = bytes_of(name);
        let at = memchr::memmem::rfind(&whole, b"startxref").unwrap();
        let text = read(&whole[..at], &ReadSettings::default());
        assert_eq!(text.pieces, read(&whole, &ReadSettings::default()).pieces, "{name}");
        assert_eq!(
            problems(&text),
            [
                "the file is damaged: its table of objects is missing or wrong; the objects were searched for"
            ],
            "{name}"
        );
    }
}

#[test]
fn a_file_cut_off_anywhere_gives_what_is_left_and_never_panics() {
    for name in ["two_columns.pdf", "japanese_shift_jis.pdf", "pages.pdf", "encrypted_aes256.pdf"] {
        let whole = bytes_of(name);
        for part in 0..20 {
            let text = read(&whole[..whole.len() * part / 20], &ReadSettings::default());
            assert_ne!(text.problems, [], "{name} {part}/20");
        }
    }
    let whole = bytes_of("japanese_shift_jis.pdf");
    let text = read(&whole[..whole.len() * 19 / 20], &ReadSettings::default());
    assert_eq!(text.pieces, text_of("japanese_shift_jis.pdf").pieces);
}

#[test]
fn flipped_bytes_never_panic() {
    let names = ["two_columns.pdf", "pages.pdf", "encrypted_aes128.pdf", "japanese_identity.pdf"];
    let mut seed = 0x5EED_u64;
    let mut random = |below: usize| {
        // A linear congruential step: enough to scatter bytes, and the same everywhere.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for round in 0..300 {
        let mut bytes = bytes_of(names[round % names.len()]);
        for _ in 0..1 + random(20) {
            let at = random(bytes.len());
            bytes[at] = random(256) as u8;
        }
        let text = read(&bytes, &ReadSettings::default());
        assert!(text.pages <= 100, "round {round}");
    }
}

/// Words that both have, twice, over the words of both.
fn word_f1(read: &str, expected: &str) -> f64 {
    let words = |text: &str| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let lower = text.to_lowercase();
        for word in
            lower.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
        {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
        counts
    };
    let (read, expected) = (words(read), words(expected));
    let shared: usize =
        read.iter().map(|(word, n)| expected.get(word).map_or(0, |it| *it.min(n))).sum();
    let all: usize = read.values().sum::<usize>() + expected.values().sum::<usize>();
    if all == 0 { 1.0 } else { 2.0 * shared as f64 / all as f64 }
}

#[test]
fn public_files_give_the_words_they_should() {
    let Some(folder) = testkit::public_data() else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("pdf"))
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "pdf"))
        .collect();
    files.sort();
    let mut scores = Vec::new();
    for file in files {
        let text = read(&std::fs::read(&file).unwrap(), &ReadSettings::default());
        let shown: Vec<&str> = text.pieces.iter().map(|it| it.text.as_str()).collect();
        let expected = std::fs::read_to_string(format!("{}.txt", file.display())).unwrap();
        let score = word_f1(&shown.join("\n"), &expected);
        println!("{score:.3} {}", file.file_name().unwrap().display());
        scores.push(score);
    }
    scores.sort_by(f64::total_cmp);
    let middle = scores.len() / 2;
    let median = (scores[(scores.len() - 1) / 2] + scores[middle]) / 2.0;
    println!("median {median:.3} of {}", scores.len());
    assert!(median >= 0.97, "median {median:.3}");
}

/// A file of many pages, each with a title, a running line, and two columns of its own words.
fn long_file(pages: usize) -> Vec<u8> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    let mut kids = String::new();
    for page in 0..pages {
        let id = objects.len() + 1;
        kids += &format!("{id} 0 R ");
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/Resources<</Font<</F 3 0 R>>>>/Contents {} 0 R>>",
            id + 1
        ));
        let mut drawn = format!("BT /F 10 Tf 1 0 0 1 250 780 Tm (Page {page} of a long file) Tj ");
        for line in 0..50 {
            let y = 750 - 14 * line;
            for (x, side) in [(50, "left"), (310, "right")] {
                drawn += &format!(
                    "1 0 0 1 {x} {y} Tm (line {line} of the {side} column of page {page} runs on) Tj "
                );
            }
        }
        drawn += "ET";
        objects.push(format!("<</Length {}>>stream\n{drawn}\nendstream", drawn.len()));
    }
    objects[1] = format!("<</Type/Pages/Kids[{kids}]/Count {pages}>>");
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut offsets = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.extend(format!("{} 0 obj\n{object}\nendobj\n", i + 1).bytes());
    }
    let table = out.len();
    out.extend(format!("xref\n1 {}\n", offsets.len()).bytes());
    for offset in offsets {
        out.extend(format!("{offset:010} 00000 n \n").bytes());
    }
    out.extend(format!("trailer <</Root 1 0 R>>\nstartxref\n{table}\n%%EOF").bytes());
    out
}

#[test]
fn a_long_file_takes_time_in_proportion_to_its_pages() {
    let options = ReadSettings::default();
    let timed = |pages: usize| {
        let bytes = long_file(pages);
        let once = || {
            let start = std::time::Instant::now();
            let text = read(&bytes, &options);
            let spent = start.elapsed();
            assert_eq!(text.pages, pages);
            assert_eq!(text.pieces.iter().filter_map(|it| it.page).max(), Some(pages as u32));
            spent
        };
        // Whatever else the machine does only makes it slower.
        (0..3).map(|_| once()).min().unwrap_or_default()
    };
    let (short, long) = (timed(20), timed(200));
    println!("20 pages {short:?}, 200 pages {long:?}");
    // Ten times the pages; a quadratic step would make it a hundred.
    assert!(long < short * 40, "{short:?} {long:?}");
}

#[test]
fn loops_and_bombs_inside_a_file_end() {
    let cases: [&[u8]; 4] = [
        // Pages that hold themselves.
        b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]>>endobj trailer<</Root 1 0 R>>",
        // References in a ring.
        b"1 0 obj 2 0 R endobj 2 0 obj 1 0 R endobj trailer<</Root 1 0 R>>",
        // A stream whose length is its own.
        b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Length 2 0 R>>stream\nx\nendstream endobj trailer<</Root 1 0 R>>",
        // A drawing that draws itself twice.
        b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<</Type/Page/Contents 4 0 R/Resources 5 0 R>>endobj 4 0 obj<</Type/XObject/Subtype/Form/Length 11>>stream\n/X Do /X Do\nendstream endobj 5 0 obj<</XObject<</X 4 0 R>>>>endobj trailer<</Root 1 0 R>>",
    ];
    let pages: Vec<usize> =
        cases.iter().map(|it| read(it, &ReadSettings::default()).pages).collect();
    assert_eq!(pages, [0, 0, 1, 1]);
}

/// Files that are cheap to write and dear to read without limits. Each must end soon.
#[test]
fn files_made_to_take_forever_end_soon() {
    let page = |content: &str| {
        format!(
            "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj \
             3 0 obj<</Type/Page/Contents 4 0 R/Resources 5 0 R>>endobj \
             4 0 obj<</Length {}>>stream\n{content}\nendstream endobj \
             5 0 obj<</XObject<</X 6 0 R>>/Font<</F 7 0 R>>>>endobj \
             7 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj \
             6 0 obj<</Subtype/Form/Length 500012>>stream\n/X Do /X Do {}\nendstream endobj \
             trailer<</Root 1 0 R>>",
            content.len(),
            " ".repeat(500_000)
        )
    };
    let cases = [
        ("unclosed strings", (1..100_000).map(|it| format!("{it} 0 obj(")).collect::<String>()),
        ("unclosed dictionaries", (1..100_000).map(|it| format!("{it} 0 obj<</A")).collect()),
        ("signs", format!("1 0 obj {}", "-".repeat(2_000_000))),
        ("a drawing inside itself", page("/X Do")),
        ("divided words", page(&format!("BT /F 9 Tf 9 TL {} ET", "(a-)' ".repeat(50_000)))),
        (
            "words on one line",
            page(&format!("BT /F 9 Tf {} ET", "(a) Tj 50 0 Td ".repeat(100_000))),
        ),
        (
            "text on one spot",
            page(&format!("BT /F 9 Tf {} ET", "(a) Tj (b) Tj 1 0 0 1 9 9 Tm ".repeat(50_000))),
        ),
    ];
    for (name, bytes) in cases {
        let start = std::time::Instant::now();
        let text = read(bytes.as_bytes(), &ReadSettings::default());
        let spent = start.elapsed();
        println!("{name}: {spent:?}, {} pieces, {:?}", text.pieces.len(), problems(&text));
        assert!(spent.as_secs() < 60, "{name}: {spent:?}");
    }
}
