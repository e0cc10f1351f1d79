//! A minimal PDF by hand: one font, text in lines, as many pages as needed.
//!
//! Only Latin text: characters outside ASCII become `?`, so papers and reports here are in English.

const LINE_LETTERS: usize = 90;
const LINES_PER_PAGE: usize = 54;

/// The file with a title and paragraphs.
pub(super) fn write(title: &str, paragraphs: &[String]) -> Vec<u8> {
    let mut lines = vec![(16, title.to_owned()), (10, String::new())];
    for paragraph in paragraphs {
        lines.extend(wrapped(paragraph).into_iter().map(|it| (10, it)));
        lines.push((10, String::new()));
    }
    let pages: Vec<&[(u32, String)]> = lines.chunks(LINES_PER_PAGE).collect();

    // Objects: 1 catalogue, 2 page tree, 3 font, 4 information, then page and content in turn.
    let kids: String = (0..pages.len()).map(|it| format!("{} 0 R ", 5 + it * 2)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
        format!("<< /Title ({}) /Producer (testweb) >>", escaped(title)),
    ];
    for (number, page) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents {} 0 R >>",
            6 + number * 2
        ));
        let mut content = String::from("BT\n14 TL\n60 790 Td\n");
        for (size, line) in *page {
            content.push_str(&format!("/F1 {size} Tf\n({}) Tj\nT*\n", escaped(line)));
        }
        content.push_str("ET");
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }

    let mut file = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.extend_from_slice(format!("{} 0 obj\n{object}\nendobj\n", number + 1).as_bytes());
    }
    let start = file.len();
    let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        end.push_str(&format!("{offset:010} 00000 n \n"));
    }
    end.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    file.extend_from_slice(end.as_bytes());
    file
}

fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.len() + word.len() > LINE_LETTERS {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '(' | ')' | '\\' => plain.extend(['\\', letter]),
            '\u{20}'..='\u{7e}' => plain.push(letter),
            '–' | '—' => plain.push('-'),
            _ => plain.push('?'),
        }
    }
    plain
}
