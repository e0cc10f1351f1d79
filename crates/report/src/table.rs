//! The documents of a report as a table (CSV), a row for each, for spreadsheets.

use csv::{Terminator, WriterBuilder};

use crate::escape;
use crate::references::publisher;
use crate::report::{DocumentRow, Report};
use crate::words::Words;

/// Without it, Excel takes the file for one in the character set of the machine.
const BYTE_ORDER_MARK: &str = "\u{feff}";

impl Report {
    /// What each document says, as CSV with a header. Texts that a spreadsheet would compute are made text.
    pub fn csv(&self) -> String {
        let words = Words::of(self.language);
        let header = [
            &words.source_number,
            &words.year,
            &words.document,
            &words.publisher,
            &words.document_says,
            &words.not_counted,
            &words.document_words,
            &words.published,
            &words.address,
            &words.archive,
        ];
        let mut out = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
        let rows = self.documents.iter().map(|it| row(it, words));
        let rows = std::iter::once(header.map(String::clone)).chain(rows);
        for row in rows {
            out.write_record(&row).expect("memory takes every row");
        }
        let bytes = out.into_inner().expect("memory takes every row");
        format!("{BYTE_ORDER_MARK}{}", String::from_utf8_lossy(&bytes))
    }
}

fn row(document: &DocumentRow, words: &'static Words) -> [String; 10] {
    let number = |number: Option<String>| number.unwrap_or_default();
    let cell =
        |text: Option<&str>| text::spreadsheet_cell(escape::plain(text.unwrap_or_default()).trim());
    let archive = document
        .archive
        .as_ref()
        .and_then(|it| it.record_id.as_deref().or(it.file.as_deref()).or(it.digest.as_deref()));
    let uncounted = document.uncounted.map(|it| words.codes.uncounted.word(it.as_str()));
    [
        number(document.source.map(|it| it.to_string())),
        number(document.year.map(|it| it.to_string())),
        cell(document.title.as_deref()),
        cell(Some(publisher(&document.site))),
        words.codes.says.word(document.says.code()).to_owned(),
        uncounted.unwrap_or_default().to_owned(),
        cell(document.quote.as_deref()),
        cell(document.published_at.as_deref()),
        cell(Some(&document.url)),
        cell(archive),
    ]
}
