//! Small PDF files, written object by object.

/// A file of one page of 600 by 800 points with a font `F`, what `content` draws on it, and further
/// objects from number 6 on, which `resources` names.
pub(crate) fn page(content: &str, resources: &str, objects: &[Vec<u8>]) -> Vec<u8> {
    let mut all: Vec<Vec<u8>> = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>{resources}>>>>"
        )
        .into_bytes(),
        stream("", content.as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
    ];
    all.extend_from_slice(objects);
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in all.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", index + 1).into_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", all.len() + 1).into_bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    let end = format!("trailer <</Root 1 0 R/Size {}>>\nstartxref\n{table}\n%%EOF", all.len() + 1);
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
