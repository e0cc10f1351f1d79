//! Pages and files.

use extract::{Input, ReadSettings};
use url::Url;

const STARTS: [&[u8]; 6] = [
    b"",
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\x7fELF",
    b"\x89PNG\r\n\x1a\n",
    b"\x1f\x8b\x08",
];
const ENDINGS: [&str; 8] = ["docx", "xlsx", "md", "txt", "json", "xml", "html", "bin"];

/// Any bytes as an HTML page: positions hold.
pub fn html(bytes: &[u8]) {
    let url = Url::parse("https://example.org/a/b?c=d#e").expect("a fixed address");
    let headers = [("content-type".to_owned(), "text/html".to_owned())];
    let input = Input { bytes, url: Some(&url), status: Some(200), headers: &headers };
    let document = extract::read(input, &ReadSettings::default());
    let text: Vec<char> = document.text.chars().collect();
    for fragment in &document.fragments {
        let cut: String = text[fragment.char_start..fragment.char_end].iter().collect();
        assert_eq!(cut, fragment.text);
    }
    document.markdown();
}

/// Any bytes as a PDF: no panic, no hang.
pub fn pdf(bytes: &[u8]) {
    let headers = [("content-type".to_owned(), "application/pdf".to_owned())];
    let mut file = b"%PDF-1.7\n".to_vec();
    let bytes = if bytes.starts_with(b"%PDF") {
        bytes
    } else {
        file.extend_from_slice(bytes);
        &file
    };
    extract::read(Input { bytes, headers: &headers, ..Input::default() }, &ReadSettings::default());
}

/// A declared character set (first line) and any bytes.
pub fn charset(bytes: &[u8]) {
    let split = bytes.iter().position(|it| *it == b'\n').unwrap_or(0);
    let (declared, body) = bytes.split_at(split);
    let declared = String::from_utf8_lossy(declared);
    for kind in ["text/html", "text/plain", "text/markdown", "application/json", "application/xml"]
    {
        let headers = [("content-type".to_owned(), format!("{kind}; charset={declared}"))];
        let input = Input { bytes: body, headers: &headers, ..Input::default() };
        extract::read(input, &ReadSettings::default());
    }
}

/// Addresses: of the page (first line) and in its links.
pub fn url(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (own, target) = text.split_once('\n').unwrap_or((&text, &text));
    let url = Url::parse(own).ok();
    if let Some(url) = &url {
        text::identifiers::of_url(url);
    }
    let quoted = target.replace('"', "&quot;");
    let page = format!(
        "<base href=\"{quoted}\"><article><p>According to <a href=\"{quoted}\">the report of the year</a>, the level of the \
         sea rose by four millimetres, which is more than in the years before it, and people noticed.</p></article>"
    );
    let headers = [("content-type".to_owned(), "text/html".to_owned())];
    let input =
        Input { bytes: page.as_bytes(), url: url.as_ref(), status: None, headers: &headers };
    extract::read(input, &ReadSettings::default());
}

/// Any bytes under any name: Office files, pictures and programs are named, text is read, positions hold.
pub fn formats(bytes: &[u8]) {
    let [start, ending, rest @ ..] = bytes else { return };
    let bytes = [STARTS[usize::from(*start) % STARTS.len()], rest].concat();
    let ending = ENDINGS[usize::from(*ending) % ENDINGS.len()];
    let url = Url::parse(&format!("file:///memo.{ending}")).expect("a fixed address");
    let input = Input { bytes: &bytes, url: Some(&url), ..Input::default() };
    let document = extract::read(input, &ReadSettings::default());
    let length = document.text.chars().count();
    assert!(
        document.fragments.iter().all(|it| it.char_start <= it.char_end && it.char_end <= length)
    );
}

/// Office documents, books and letters: what is damaged is named, and positions hold.
pub fn office(bytes: &[u8]) {
    let document = extract::read(Input { bytes, ..Input::default() }, &ReadSettings::default());
    let length = document.text.chars().count();
    assert!(
        document.fragments.iter().all(|it| it.char_start <= it.char_end && it.char_end <= length)
    );
}
