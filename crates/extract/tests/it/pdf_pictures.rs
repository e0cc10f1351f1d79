//! Pages of a PDF that are pictures, and someone who reads them.

use std::cell::RefCell;

use extract::{Document, ImageFormat, Input, Ocr, PageImage, Problem, ReadSettings};

use crate::pdf_file::{page, stream};

/// Page, width, height, what it is, bytes.
type Shown = (u32, u32, u32, ImageFormat, Vec<u8>);

/// Knows two pictures by their size, and notes what it was shown.
#[derive(Debug, Default)]
struct BySize {
    shown: RefCell<Vec<Shown>>,
}

impl Ocr for BySize {
    fn read(&self, it: &PageImage<'_>) -> Option<String> {
        let shown = (it.page, it.width, it.height, it.format, it.bytes.to_vec());
        self.shown.borrow_mut().push(shown);
        match (it.width, it.height) {
            (2480, 3508) => {
                Some("The tide rose by four millimetres.\n\n海面が上がった。\n".to_owned())
            }
            (2, 2) => Some("A small one.".to_owned()),
            _ => None,
        }
    }
}

fn read(bytes: &[u8], ocr: &BySize) -> Document {
    extract::read_with_ocr(Input { bytes, ..Input::default() }, &ReadSettings::default(), ocr)
}

fn picture(entries: &str, bytes: &[u8]) -> Vec<u8> {
    stream(&format!("/Type/XObject/Subtype/Image{entries}"), bytes)
}

fn scan() -> Vec<u8> {
    let jpeg = picture(
        "/Width 2480/Height 3508/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode",
        b"\xff\xd8 jpeg \xff\xd9",
    );
    page("q 600 0 0 800 0 0 cm /P Do Q", "/XObject<</P 6 0 R>>", &[jpeg])
}

#[test]
fn what_is_read_in_a_picture_becomes_passages_of_its_page() {
    let ocr = BySize::default();
    let document = read(&scan(), &ocr);
    assert_eq!(document.text, "The tide rose by four millimetres.\n\n海面が上がった。");
    assert_eq!(document.problems, []);
    let pages: Vec<Option<u32>> = document.fragments.iter().map(|it| it.page).collect();
    assert!(!pages.is_empty());
    assert!(pages.iter().all(|it| *it == Some(1)), "{pages:?}");
    let bytes = b"\xff\xd8 jpeg \xff\xd9".to_vec();
    assert_eq!(*ocr.shown.borrow(), [(1, 2480, 3508, ImageFormat::Jpeg, bytes)]);
}

#[test]
fn without_a_reader_the_page_is_recorded_as_a_picture() {
    let bytes = scan();
    let document =
        extract::read(Input { bytes: &bytes, ..Input::default() }, &ReadSettings::default());
    assert_eq!(document.text, "");
    assert_eq!(document.problems, [Problem::OnlyImages { pages: 1, of: 1 }]);
}

#[test]
fn a_picture_that_says_nothing_leaves_the_page_recorded() {
    let other = picture("/Width 7/Height 7/Filter/JPXDecode", b"jp2");
    let bytes = page("/P Do", "/XObject<</P 6 0 R>>", &[other]);
    let ocr = BySize::default();
    let document = read(&bytes, &ocr);
    assert_eq!(document.problems, [Problem::OnlyImages { pages: 1, of: 1 }]);
    assert_eq!(*ocr.shown.borrow(), [(1, 7, 7, ImageFormat::Jpeg2000, b"jp2".to_vec())]);
}

#[test]
fn a_page_with_text_is_not_shown_to_the_reader() {
    let small = picture("/Width 2/Height 2/Filter/DCTDecode", b"jpeg");
    let content = "/P Do BT /F 12 Tf 50 700 Td (Its own words.) Tj ET";
    let bytes = page(content, "/XObject<</P 6 0 R>>", &[small]);
    let ocr = BySize::default();
    assert_eq!(read(&bytes, &ocr).text, "Its own words.");
    assert_eq!(*ocr.shown.borrow(), []);
}

#[test]
fn every_picture_comes_with_what_it_takes_to_open_it() {
    let objects = [
        picture(
            "/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/ASCIIHexDecode",
            b"00ff00ff>",
        ),
        picture("/Width 16/Height 1/ImageMask true", b"ab"),
        picture("/Width 1/Height 1/BitsPerComponent 4/ColorSpace[/ICCBased 11 0 R]", b"xy"),
        picture(
            "/Width 8/Height 9/Filter/CCITTFaxDecode/DecodeParms<</K -1/BlackIs1 true/Columns 8>>",
            b"fax",
        ),
        picture(
            "/Width 1/Height 1/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 1 (abcdef)]",
            b"z",
        ),
        stream("/N 3", b"profile"),
    ];
    let names = "/XObject<</A 6 0 R/B 7 0 R/C 8 0 R/D 9 0 R/E 10 0 R>>";
    let ocr = BySize::default();
    let document = read(&page("/A Do /B Do /C Do /D Do /E Do", names, &objects), &ocr);
    assert_eq!(document.text, "A small one.");
    assert_eq!(
        *ocr.shown.borrow(),
        [
            (1, 2, 2, ImageFormat::Pixels { bits: 8, channels: 1 }, vec![0, 255, 0, 255]),
            (1, 16, 1, ImageFormat::Pixels { bits: 1, channels: 1 }, b"ab".to_vec()),
            (1, 1, 1, ImageFormat::Pixels { bits: 4, channels: 3 }, b"xy".to_vec()),
            (1, 8, 9, ImageFormat::Fax { k: -1, black_is_1: true }, b"fax".to_vec()),
        ]
    );
}

#[test]
fn the_pictures_of_a_page_are_shown_up_to_a_limit() {
    let small = picture("/Width 2/Height 2/Filter/DCTDecode", b"jpeg");
    let bytes = page("/P Do /P Do /P Do", "/XObject<</P 6 0 R>>", &[small]);
    let ocr = BySize::default();
    let options = ReadSettings { max_pdf_page_pictures: 2, ..ReadSettings::default() };
    extract::read_with_ocr(Input { bytes: &bytes, ..Input::default() }, &options, &ocr);
    assert_eq!(ocr.shown.borrow().len(), 2);
}
