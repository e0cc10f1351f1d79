//! Texts as cells of a table that a spreadsheet opens.

/// The text, with an apostrophe before one that a spreadsheet would compute instead of showing it:
/// `=HYPERLINK(...)` in a quote would be run.
pub fn spreadsheet_cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_would_compute_is_made_text() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"] {
            assert_eq!(spreadsheet_cell(text), format!("'{text}"));
        }
        for text in ["a = b", "", "日本語", "'=1"] {
            assert_eq!(spreadsheet_cell(text), text);
        }
    }
}
