//! Tables and records that fit the terminal.
//!
//! On a terminal long text is wrapped and cut; ids and numbers never are. Where too little room is
//! left for the text, rows become records. Elsewhere (a pipe, a file) nothing is cut.

use super::text::{clean, width, wrap};

/// Text narrower than this cannot be read; rows become records before that.
const MIN_TEXT: usize = 16;
const GAP: &str = "  ";

/// The room there is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Columns of the terminal; without one, nothing is cut.
    pub(crate) width: Option<usize>,
    /// Lines one cell may take.
    pub(crate) lines: usize,
    pub(crate) bold: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Words and ids: whole or not at all.
    Exact,
    /// Right-aligned.
    Number,
    /// Gives way when there is no room.
    Text,
}

#[derive(Debug, Clone)]
pub(crate) struct Column {
    title: String,
    fit: Fit,
}

impl Column {
    pub(crate) fn exact(title: impl Into<String>) -> Self {
        Self { title: title.into(), fit: Fit::Exact }
    }

    pub(crate) fn number(title: impl Into<String>) -> Self {
        Self { title: title.into(), fit: Fit::Number }
    }

    pub(crate) fn text(title: impl Into<String>) -> Self {
        Self { title: title.into(), fit: Fit::Text }
    }
}

#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row; its cells are not trusted.
    pub(crate) fn row<T: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(|it| clean(it.as_ref())).collect());
    }

    pub(crate) fn render(&self, layout: Layout) -> String {
        match self.widths(layout.width) {
            Some(widths) => self.render_rows(&widths, layout),
            None => self.render_records(layout),
        }
    }

    /// The width of each column, or none if the text columns would get too narrow.
    fn widths(&self, room: Option<usize>) -> Option<Vec<usize>> {
        let mut widths: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(index, column)| {
                let cells = self.rows.iter().map(|row| width(&row[index]));
                cells.chain([width(&column.title)]).max().unwrap_or(0)
            })
            .collect();
        let Some(room) = room else { return Some(widths) };
        let texts: Vec<usize> = self.columns_that(Fit::Text);
        for index in &texts {
            widths[*index] = widths[*index].min(room.max(self.floor(*index)));
        }
        // The widest text gives way, a column at a time, until the line fits.
        while widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1) > room {
            let widest = texts.iter().copied().max_by_key(|it| widths[*it])?;
            if widths[widest] <= self.floor(widest) {
                return None;
            }
            widths[widest] -= 1;
        }
        Some(widths)
    }

    fn columns_that(&self, fit: Fit) -> Vec<usize> {
        (0..self.columns.len()).filter(|index| self.columns[*index].fit == fit).collect()
    }

    fn floor(&self, index: usize) -> usize {
        width(&self.columns[index].title).max(MIN_TEXT)
    }

    fn render_rows(&self, widths: &[usize], layout: Layout) -> String {
        let titles: Vec<Vec<String>> =
            self.columns.iter().map(|column| vec![column.title.clone()]).collect();
        let rules: Vec<Vec<String>> =
            self.columns.iter().map(|column| vec!["─".repeat(width(&column.title))]).collect();
        let mut header = self.render_lines(&titles, widths);
        if layout.bold {
            header = format!("\x1b[1m{}\x1b[0m\n", header.trim_end());
        }
        let mut rendered = header + &self.render_lines(&rules, widths);
        for row in &self.rows {
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(widths)
                .map(|(cell, columns)| match layout.width {
                    Some(_) if width(cell) > *columns => wrap(cell, *columns, layout.lines),
                    _ => vec![cell.clone()],
                })
                .collect();
            rendered += &self.render_lines(&cells, widths);
        }
        rendered
    }

    /// One row, of as many lines as its tallest cell.
    fn render_lines(&self, cells: &[Vec<String>], widths: &[usize]) -> String {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let mut rendered = String::new();
        for line in 0..height {
            let mut text = String::new();
            for ((cell, columns), column) in cells.iter().zip(widths).zip(&self.columns) {
                let part = cell.get(line).map_or("", String::as_str);
                let padding = " ".repeat(columns.saturating_sub(width(part)));
                match column.fit {
                    Fit::Number => text += &(padding + part),
                    Fit::Exact | Fit::Text => text += &format!("{part}{padding}"),
                }
                text += GAP;
            }
            rendered += text.trim_end();
            rendered.push('\n');
        }
        rendered
    }

    fn render_records(&self, layout: Layout) -> String {
        let records = self.rows.iter().map(|row| {
            let fields: Vec<(&str, &str)> =
                self.columns.iter().zip(row).map(|(it, cell)| (&*it.title, &**cell)).collect();
            record(&fields, layout)
        });
        records.collect::<Vec<_>>().join("\n")
    }
}

/// Renders labelled values, one below the other.
pub(crate) fn record(fields: &[(&str, &str)], layout: Layout) -> String {
    let labels = fields.iter().map(|(label, _)| width(label)).max().unwrap_or(0);
    let indent = labels + GAP.len();
    let mut rendered = String::new();
    for (label, value) in fields {
        let value = clean(value);
        let padding = " ".repeat(labels - width(label));
        let title =
            if layout.bold { format!("\x1b[1m{label}\x1b[0m") } else { (*label).to_owned() };
        // What has no space (an id) is not broken but moved to a line of its own.
        let lines = match layout.width {
            Some(room) if indent + width(&value) > room && !breakable(&value) => {
                rendered += &format!("{title}\n{GAP}{value}\n");
                continue;
            }
            Some(room) => wrap(&value, room.saturating_sub(indent).max(MIN_TEXT), usize::MAX),
            None => vec![value],
        };
        let joined = lines.join(&format!("\n{}", " ".repeat(indent)));
        rendered += format!("{title}{padding}{GAP}{joined}").trim_end();
        rendered.push('\n');
    }
    rendered
}

/// Text of spaces or of wide characters can be broken; an id or a URL should not be.
fn breakable(value: &str) -> bool {
    value.contains(' ') || !value.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new([
            Column::exact("ID"),
            Column::number("PAGES"),
            Column::exact("STATUS"),
            Column::text("QUESTION"),
        ]);
        table.row([
            "task_1",
            "120",
            "created",
            "再生可能エネルギーの発電コストは2020年以降に下がったのか、地域ごとの差はどれほどか",
        ]);
        table.row([
            "task_2",
            "7",
            "completed",
            "Does vitamin D prevent respiratory infections in adults?",
        ]);
        table.row(["task_3", "0", "failed", "👩‍🔬 e\u{301}tude\u{1b}[31m\nか\u{3099}"]);
        table
    }

    fn at(width: usize, lines: usize) -> String {
        sample().render(Layout { width: Some(width), lines, bold: false })
    }

    #[test]
    fn at_120_columns_everything_fits_on_one_line() {
        insta::assert_snapshot!(at(120, 1), @r"
        ID      PAGES  STATUS     QUESTION
        ──      ─────  ──────     ────────
        task_1    120  created    再生可能エネルギーの発電コストは2020年以降に下がったのか、地域ごとの差はどれほどか
        task_2      7  completed  Does vitamin D prevent respiratory infections in adults?
        task_3      0  failed     👩‍🔬 étude␛[31m が
        ");
    }

    #[test]
    fn at_80_columns_the_text_is_cut_or_wrapped() {
        insta::assert_snapshot!(at(80, 1), @r"
        ID      PAGES  STATUS     QUESTION
        ──      ─────  ──────     ────────
        task_1    120  created    再生可能エネルギーの発電コストは2020年以降に下がった…
        task_2      7  completed  Does vitamin D prevent respiratory infections in adul…
        task_3      0  failed     👩‍🔬 étude␛[31m が
        ");
        insta::assert_snapshot!(at(80, 3), @r"
        ID      PAGES  STATUS     QUESTION
        ──      ─────  ──────     ────────
        task_1    120  created    再生可能エネルギーの発電コストは2020年以降に下がったの
                                  か、地域ごとの差はどれほどか
        task_2      7  completed  Does vitamin D prevent respiratory infections in
                                  adults?
        task_3      0  failed     👩‍🔬 étude␛[31m が
        ");
    }

    #[test]
    fn at_40_columns_rows_become_records() {
        insta::assert_snapshot!(at(40, 1), @r"
        ID        task_1
        PAGES     120
        STATUS    created
        QUESTION  再生可能エネルギーの発電コスト
                  は2020年以降に下がったのか、地
                  域ごとの差はどれほどか

        ID        task_2
        PAGES     7
        STATUS    completed
        QUESTION  Does vitamin D prevent
                  respiratory infections in
                  adults?

        ID        task_3
        PAGES     0
        STATUS    failed
        QUESTION  👩‍🔬 étude␛[31m が
        ");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for columns in [30, 40, 60, 80, 100, 120] {
            for line in at(columns, 3).lines() {
                assert!(width(line) <= columns, "{columns}: {line}");
            }
        }
    }

    #[test]
    fn away_from_a_terminal_nothing_is_cut() {
        let layout = Layout { width: None, lines: 1, bold: false };
        insta::assert_snapshot!(sample().render(layout), @r"
        ID      PAGES  STATUS     QUESTION
        ──      ─────  ──────     ────────
        task_1    120  created    再生可能エネルギーの発電コストは2020年以降に下がったのか、地域ごとの差はどれほどか
        task_2      7  completed  Does vitamin D prevent respiratory infections in adults?
        task_3      0  failed     👩‍🔬 étude␛[31m が
        ");
    }

    #[test]
    fn two_long_texts_share_the_room() {
        let mut table = Table::new([Column::text("A"), Column::text("B")]);
        table.row(["あ".repeat(30), "x ".repeat(60)]);
        let rendered = table.render(Layout { width: Some(60), lines: 1, bold: false });
        insta::assert_snapshot!(rendered, @r"
        A                              B
        ─                              ─
        ああああああああああああああ…  x x x x x x x x x x x x x x…
        ");
    }

    #[test]
    fn an_empty_table_is_its_header_underlined() {
        let table = Table::new([Column::exact("ID"), Column::text("QUESTION")]);
        let rendered = table.render(Layout { width: Some(80), lines: 1, bold: true });
        assert_eq!(rendered, "\u{1b}[1mID  QUESTION\u{1b}[0m\n──  ────────\n");
    }

    #[test]
    fn a_long_id_keeps_its_shape_in_a_record() {
        let layout = Layout { width: Some(20), lines: 1, bold: false };
        let fields = [("ID", "task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), ("STATUS", "created")];
        assert_eq!(
            record(&fields, layout),
            "ID\n  task_01ARZ3NDEKTSV4RRFFQ69G5FAV\nSTATUS  created\n"
        );
    }
}
