//! xlsx: the rows of each sheet, as they are shown. Sheets that are hidden are hidden text.

use std::collections::HashMap;

use evidence::FragmentType;
use jiff::civil::{Date, date};

use super::Read;
use super::package::Package;
use super::xml::{Node, spaced, walk};
use crate::document::{HiddenBy, HiddenText, Problem};
use crate::piece::Piece;
use crate::settings::ReadSettings;

/// Cells of one row that are shown.
const MAX_CELLS: usize = 500;

pub(super) fn read(package: &mut Package<'_>, options: &ReadSettings) -> Read {
    const MAIN: &str = "xl/workbook.xml";
    let relations = package.relations(MAIN);
    let mut sheets: Vec<(String, String, bool)> = Vec::new();
    let mut from_1904 = false;
    if let Some(text) = package.text(MAIN) {
        walk(&text, |node| match node {
            Node::Start { name: "sheet", attributes } => {
                let part = attributes.all("id").into_iter().find_map(|it| relations.get(&it));
                let hidden = attributes.get("state").is_some_and(|it| it != "visible");
                let name = attributes.get("name").unwrap_or_default();
                sheets.extend(part.map(|it| (name, it.path.clone(), hidden)));
            }
            Node::Start { name: "workbookPr", attributes } => {
                from_1904 = matches!(attributes.get("date1904").as_deref(), Some("1" | "true"));
            }
            _ => {}
        });
    }
    if sheets.is_empty() {
        package.note(Problem::Damaged { reason: "no sheet was found".to_owned() });
    }
    let texts = package.text("xl/sharedStrings.xml").map(|it| shared(&it)).unwrap_or_default();
    let styles = package.text("xl/styles.xml").map(|it| date_styles(&it)).unwrap_or_default();
    let book = Book { texts, styles, from_1904 };
    let mut read = Read::default();
    let mut chars = 0;
    for (name, path, hidden) in sheets {
        let Some(text) = package.text(&path) else { continue };
        let rows = book.rows(&text, options.max_text_chars.saturating_sub(chars));
        chars += rows.iter().map(|it| it.len()).sum::<usize>();
        if rows.is_empty() {
            continue;
        }
        if hidden {
            let text = format!("{name}\n{}", rows.join("\n"));
            let text = text.chars().take(options.max_hidden_chars).collect();
            read.hidden.push(HiddenText { text, hidden_by: HiddenBy::Attribute });
            continue;
        }
        read.pieces.push(Piece::new(FragmentType::Heading, 2, spaced(&name)));
        let rows = rows.into_iter().map(|it| Piece::new(FragmentType::Table, 0, it));
        read.pieces.extend(rows);
    }
    read
}

struct Book {
    texts: Vec<String>,
    /// The styles of cells that show dates, by their places; whether with the time.
    styles: HashMap<usize, bool>,
    from_1904: bool,
}

impl Book {
    fn rows(&self, text: &str, max_chars: usize) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        let mut cells: Vec<String> = Vec::new();
        let (mut kind, mut style, mut value) = (String::new(), None, String::new());
        let (mut in_value, mut chars) = (false, 0);
        walk(text, |node| {
            if chars > max_chars {
                return;
            }
            match node {
                Node::Start { name: "row", .. } => cells.clear(),
                Node::Start { name: "c", attributes } => {
                    kind = attributes.get("t").unwrap_or_default();
                    style = attributes.number("s");
                    value.clear();
                    // Cells that are empty are left out: the place says where this one is.
                    let place = attributes.get("r").and_then(|it| column(&it));
                    let place = place.unwrap_or(cells.len()).min(MAX_CELLS);
                    cells.resize(place.max(cells.len()), String::new());
                }
                Node::Start { name: "v" | "t", .. } => in_value = true,
                Node::End { name: "v" | "t" } => in_value = false,
                Node::Text(text) if in_value => value.push_str(text),
                Node::End { name: "c" } if cells.len() < MAX_CELLS => {
                    cells.push(self.shown(&kind, style, &value));
                }
                Node::End { name: "row" } => {
                    while cells.last().is_some_and(String::is_empty) {
                        cells.pop();
                    }
                    if !cells.is_empty() {
                        let row = cells.join(" | ");
                        chars += row.len();
                        rows.push(row);
                    }
                }
                _ => {}
            }
        });
        rows
    }

    fn shown(&self, kind: &str, style: Option<usize>, value: &str) -> String {
        let value = value.trim();
        match kind {
            "s" => {
                let place = value.parse::<usize>().ok();
                place.and_then(|it| self.texts.get(it)).cloned().unwrap_or_default()
            }
            "b" => if value == "1" { "TRUE" } else { "FALSE" }.to_owned(),
            "" | "n" => {
                let with_time = style.and_then(|it| self.styles.get(&it));
                let serial = value.parse::<f64>().ok();
                let day = with_time.zip(serial).and_then(|it| self.day(it.1, *it.0));
                day.unwrap_or_else(|| value.to_owned())
            }
            _ => spaced(value),
        }
    }

    /// A count of days as the day it is.
    fn day(&self, serial: f64, with_time: bool) -> Option<String> {
        if !(0.0..3_000_000.0).contains(&serial) {
            return None;
        }
        let whole = serial.floor() as i64;
        // 1900 had a 29 February there, which all days after it are one too late for.
        let start: Date = match (self.from_1904, whole) {
            (true, _) => date(1904, 1, 1),
            (false, 0..60) => date(1899, 12, 31),
            (false, _) => date(1899, 12, 30),
        };
        let day = start.checked_add(jiff::Span::new().days(whole)).ok()?;
        let seconds = ((serial - serial.floor()) * 86_400.0).round() as i64;
        if !with_time || seconds == 0 {
            return Some(day.to_string());
        }
        Some(format!("{day} {:02}:{:02}", seconds / 3_600 % 24, seconds / 60 % 60))
    }
}

/// `C12`: the third column, from 0.
fn column(place: &str) -> Option<usize> {
    let letters: Vec<u8> = place.bytes().take_while(u8::is_ascii_uppercase).collect();
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    Some(letters.iter().fold(0, |it, letter| it * 26 + usize::from(letter - b'A') + 1) - 1)
}

fn shared(text: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let (mut in_text, mut in_reading) = (false, false);
    walk(text, |node| match node {
        Node::Start { name: "si", .. } => texts.push(String::new()),
        // How Japanese words are read stands beside them.
        Node::Start { name: "rPh", .. } => in_reading = true,
        Node::End { name: "rPh" } => in_reading = false,
        Node::Start { name: "t", .. } => in_text = true,
        Node::End { name: "t" } => in_text = false,
        Node::End { name: "si" } => {
            if let Some(text) = texts.last_mut() {
                *text = spaced(text);
            }
        }
        Node::Text(text) if in_text && !in_reading => {
            if let Some(open) = texts.last_mut() {
                open.push_str(text);
            }
        }
        _ => {}
    });
    texts
}

/// Which styles of cells are dates.
fn date_styles(text: &str) -> HashMap<usize, bool> {
    let mut formats: HashMap<usize, String> = HashMap::new();
    let mut styles = HashMap::new();
    let (mut in_cells, mut place) = (false, 0);
    walk(text, |node| match node {
        Node::Start { name: "numFmt", attributes } => {
            let named = attributes.number("numFmtId").zip(attributes.get("formatCode"));
            formats.extend(named);
        }
        Node::Start { name: "cellXfs", .. } => in_cells = true,
        Node::End { name: "cellXfs" } => in_cells = false,
        Node::Start { name: "xf", attributes } if in_cells => {
            let id = attributes.number("numFmtId").unwrap_or(0);
            if let Some(with_time) = date_format(id, formats.get(&id).map(String::as_str)) {
                styles.insert(place, with_time);
            }
            place += 1;
        }
        _ => {}
    });
    styles
}

/// Whether a format of numbers is one of dates, and whether it has the time.
fn date_format(id: usize, code: Option<&str>) -> Option<bool> {
    match (id, code) {
        (14..=17 | 27..=36 | 50..=58, None) => Some(false),
        (22, None) => Some(true),
        (_, Some(code)) => {
            // Texts in quotation marks and colours in brackets are no part of the pattern.
            let mut pattern = String::new();
            let mut closing = None;
            for c in code.to_lowercase().chars() {
                match (closing, c) {
                    (Some(end), c) if c == end => closing = None,
                    (Some(_), _) => {}
                    (None, '"') => closing = Some('"'),
                    (None, '[') => closing = Some(']'),
                    (None, c) => pattern.push(c),
                }
            }
            let is_date = pattern.contains('y') || pattern.contains('d');
            is_date.then(|| pattern.contains('h'))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_spreadsheets_count() {
        let book = |from_1904| Book { texts: Vec::new(), styles: HashMap::new(), from_1904 };
        let day = |serial, with_time| book(false).day(serial, with_time).unwrap();
        assert_eq!(day(45_351.0, false), "2024-02-29");
        assert_eq!(day(59.0, false), "1900-02-28");
        assert_eq!(day(61.0, false), "1900-03-01");
        assert_eq!(day(45_351.354_166_666_664, true), "2024-02-29 08:30");
        assert_eq!(book(true).day(0.0, false).unwrap(), "1904-01-01");
        assert_eq!(book(false).day(-1.0, false), None);
        assert_eq!(column("A1"), Some(0));
        assert_eq!(column("AB7"), Some(27));
        assert_eq!(column("ZZZZ9"), None);
    }

    #[test]
    fn formats_of_dates_are_told_from_others() {
        assert_eq!(date_format(14, None), Some(false));
        assert_eq!(date_format(22, None), Some(true));
        assert_eq!(date_format(2, None), None);
        assert_eq!(date_format(164, Some("yyyy\"年\"m\"月\"d\"日\"")), Some(false));
        assert_eq!(date_format(164, Some("yyyy-mm-dd hh:mm")), Some(true));
        assert_eq!(date_format(164, Some("[Red]0.00")), None);
        assert_eq!(date_format(164, Some("0\" days\"")), None);
    }
}
