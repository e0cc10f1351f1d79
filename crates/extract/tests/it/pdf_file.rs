//! Small PDF files, written object by object.

const FONT: &str = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";

/// A file of one page of 600 by 800 points with a font `F`, what `content` draws on it, and further
/// objects from number 6 on, which `resources` names.
pub(crate) fn page(content: &str, resources: &str, objects: &[Vec<u8>]) -> Vec<u8> {
    one_page(content, &format!("/Resources<</Font<</F 5 0 R>>{resources}>>"), FONT, objects)
}

/// The same with annotations, which are the objects from number 6 on, as many as `count` says.
pub(crate) fn page_with_annotations(content: &str, count: usize, objects: &[Vec<u8>]) -> Vec<u8> {
    let listed: String = (6..6 + count).map(|it| format!("{it} 0 R ")).collect();
    let entries = format!("/Resources<</Font<</F 5 0 R>>>>/Annots[{listed}]");
    one_page(content, &entries, FONT, objects)
}

/// The same in another font.
pub(crate) fn page_in(font: &str, content: &str, objects: &[Vec<u8>]) -> Vec<u8> {
    one_page(content, "/Resources<</Font<</F 5 0 R>>>>", font, objects)
}

fn one_page(content: &str, entries: &str, font: &str, objects: &[Vec<u8>]) -> Vec<u8> {
    let mut all: Vec<Vec<u8>> = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>".to_vec(),
        format!("<</Type/Page/Parent 2 0 R/Contents 4 0 R{entries}>>").into_bytes(),
        stream("", content.as_bytes()),
        font.into(),
    ];
    all.extend_from_slice(objects);
    file(&all)
}

/// A file of several such pages; `outline` has the titles of its table of contents.
pub(crate) fn pages(contents: &[String], outline: &[&str]) -> Vec<u8> {
    let first_page = 4;
    let first_title = first_page + 2 * contents.len();
    let kids: String =
        (0..contents.len()).map(|it| format!("{} 0 R ", first_page + 2 * it)).collect();
    let last_title = first_title + outline.len();
    let mut all: Vec<Vec<u8>> = vec![
        format!(
            "<</Type/Catalog/Pages 2 0 R/Outlines<</First {first_title} 0 R/Last {last_title} 0 R>>>>"
        )
        .into_bytes(),
        format!(
            "<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>>>",
            contents.len()
        )
        .into_bytes(),
        FONT.into(),
    ];
    for (i, content) in contents.iter().enumerate() {
        let content_id = first_page + 2 * i + 1;
        all.push(format!("<</Type/Page/Parent 2 0 R/Contents {content_id} 0 R>>").into_bytes());
        all.push(stream("", content.as_bytes()));
    }
    for (i, title) in outline.iter().enumerate() {
        all.push(format!("<</Title({title})/Next {} 0 R>>", first_title + i + 1).into_bytes());
    }
    file(&all)
}

/// A file of objects, numbered from 1; the first is its catalogue.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", index + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    let size = objects.len() + 1;
    file.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").into_bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    let end = format!("trailer <</Root 1 0 R/Size {size}>>\nstartxref\n{table}\n%%EOF");
    file.extend(end.into_bytes());
    file
}

/// A stream with its length and further entries of its dictionary.
pub(crate) fn stream(entries: &str, bytes: &[u8]) -> Vec<u8> {
    let mut object = format!("<</Length {}{entries}>>stream\n", bytes.len()).into_bytes();
    object.extend(bytes);
    object.extend(b"\nendstream");
    object
}
