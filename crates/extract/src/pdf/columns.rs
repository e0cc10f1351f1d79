//! Which segment is read after which: columns one after the other, tables row by row.
//!
//! A page is cut at white stripes first, so that columns and what is above or below them are judged
//! apart. A gutter is a place that few segments cross and that has text of some width on both sides.
//! Segments that cross it (titles, captions) divide the columns into bands; inside a band the left side is
//! read before the right.

use super::layout::{Segment, is_wide};

/// Places across a page where a gutter is looked for.
const PLACES: usize = 400;
/// Columns inside columns.
const MAX_DEPTH: usize = 6;
/// Lines a column has at least.
const MIN_LINES: usize = 3;
/// How much of its column a usual line fills; the cells of tables fill less.
const MIN_FILL: f32 = 0.55;
/// How wide a usual line of a column is, in parts of its letters; numbers in tables are narrower.
const MIN_EMS: f32 = 8.0;
/// A white stripe across a page that is this much higher than usual divides it, in parts of the letters.
const STRIPE: f32 = 0.45;
/// Rows a table has at least; fewer if a row has three cells.
const MIN_TABLE_ROWS: usize = 3;
/// How far from each other the edges of cells in one column may stand, in parts of the letters.
const ALIGNMENT: f32 = 0.6;

/// Lines that belong together: a column, or the part of it between two wide lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Region {
    pub(crate) lines: Vec<Line>,
}

/// A line of text or a row of a table.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    pub(crate) is_table: bool,
}

/// Puts the segments of a page (from the top, then from the left) into reading order.
pub(crate) fn regions(segments: Vec<Segment>) -> Vec<Region> {
    let mut parts = Vec::new();
    split(segments, 0, &mut parts);
    // Parts that are not divided follow each other as one region: a paragraph may run over the gap.
    let mut out: Vec<(usize, Vec<Segment>)> = Vec::new();
    for (side, segments) in parts {
        match out.last_mut() {
            Some(last) if last.0 == side => last.1.extend(segments),
            _ => out.push((side, segments)),
        }
    }
    out.into_iter().map(|it| region(it.1)).collect()
}

/// Divides segments into parts in reading order; parts of one column carry the same number.
fn split(segments: Vec<Segment>, depth: usize, out: &mut Vec<(usize, Vec<Segment>)>) {
    if depth >= MAX_DEPTH {
        out.push((out.len(), segments));
        return;
    }
    let column = out.len();
    for group in groups(segments) {
        let Some(gutter) = group.gutter else {
            out.push((column, group.segments));
            continue;
        };
        for band in bands(group.segments, gutter) {
            match band {
                Band::Whole(segments) => out.push((column, segments)),
                Band::Divided(segments) => {
                    let (left, right) = segments.into_iter().partition(|it| it.right <= gutter);
                    split(left, depth + 1, out);
                    split(right, depth + 1, out);
                }
            }
        }
    }
}

/// Segments between two white stripes across the page, and the gutter they have.
struct Group {
    segments: Vec<Segment>,
    gutter: Option<f32>,
}

/// Cuts at white stripes, and puts together again what shares a gutter.
fn groups(segments: Vec<Segment>) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::new();
    // Lines on one side only, after columns: the longer column, or the start of what comes below.
    let mut waiting: Vec<Segment> = Vec::new();
    for stripe in stripes(segments) {
        let shared = out.last().and_then(|it| it.gutter).filter(|it| continues(&stripe, *it));
        if shared.is_some() {
            let is_one_sided = |gutter: f32| {
                stripe.iter().all(|it| it.right <= gutter)
                    || stripe.iter().all(|it| it.left >= gutter)
            };
            if shared.is_some_and(is_one_sided) {
                waiting.extend(stripe);
            } else if let Some(last) = out.last_mut() {
                last.segments.append(&mut waiting);
                last.segments.extend(stripe);
            }
            continue;
        }
        let gutter = find_gutter(&stripe);
        // A line or two before text of full width are its heading.
        let is_heading = waiting.len() < MIN_LINES;
        match out.last_mut() {
            Some(last) if !is_heading => last.segments.append(&mut waiting),
            _ => {}
        }
        if !waiting.is_empty() {
            out.push(Group { segments: std::mem::take(&mut waiting), gutter: None });
        }
        out.push(Group { segments: stripe, gutter });
    }
    match out.last_mut() {
        Some(last) => last.segments.append(&mut waiting),
        None => out.push(Group { segments: waiting, gutter: None }),
    }
    out
}

/// Runs of segments with no wide white stripe between them.
fn stripes(segments: Vec<Segment>) -> Vec<Vec<Segment>> {
    // The white space above each segment, measured from the lowest letter so far.
    let mut whites = Vec::with_capacity(segments.len());
    let mut floor = f32::INFINITY;
    for segment in &segments {
        whites.push((floor - segment.y - segment.size) / segment.size);
        floor = floor.min(segment.y);
    }
    let mut usual: Vec<f32> =
        whites.iter().copied().filter(|it| *it > -0.5 && it.is_finite()).collect();
    let middle = usual.len() / 2;
    let usual = match usual.get_mut(middle) {
        Some(_) => *usual.select_nth_unstable_by(middle, f32::total_cmp).1,
        None => 0.0,
    };
    let limit = usual.max(0.0) + STRIPE;
    let mut out: Vec<Vec<Segment>> = Vec::new();
    for (segment, white) in segments.into_iter().zip(whites) {
        match out.last_mut() {
            Some(last) if white < limit => last.push(segment),
            _ => out.push(vec![segment]),
        }
    }
    out
}

/// Lines that continue in the columns beside a gutter: none crosses it, and each side has one per row.
fn continues(segments: &[Segment], gutter: f32) -> bool {
    let is_left = |it: &Segment| it.right <= gutter;
    let doubled =
        segments.windows(2).any(|it| it[0].row == it[1].row && is_left(&it[0]) == is_left(&it[1]));
    !doubled && !segments.iter().any(|it| crosses(it, gutter))
}

enum Band {
    Whole(Vec<Segment>),
    Divided(Vec<Segment>),
}

fn crosses(segment: &Segment, gutter: f32) -> bool {
    segment.left < gutter && segment.right > gutter
}

fn bands(segments: Vec<Segment>, gutter: f32) -> Vec<Band> {
    let mut runs: Vec<(bool, Vec<Segment>)> = Vec::new();
    for segment in segments {
        let crossing = crosses(&segment, gutter);
        match runs.last_mut() {
            Some(run) if run.0 == crossing => run.1.push(segment),
            _ => runs.push((crossing, vec![segment])),
        }
    }
    let mut out: Vec<Band> = Vec::new();
    for (crossing, run) in runs {
        let right = run.iter().filter(|it| it.left >= gutter).count();
        // The short last line of a wide paragraph crosses nothing and is still a part of it.
        let is_remainder = right == 0 && run.len() < MIN_LINES;
        match (crossing || is_remainder, out.last_mut()) {
            (true, Some(Band::Whole(last))) => last.extend(run),
            (true, _) => out.push(Band::Whole(run)),
            (false, _) => out.push(Band::Divided(run)),
        }
    }
    out
}

fn find_gutter(segments: &[Segment]) -> Option<f32> {
    let left = segments.iter().map(|it| it.left).fold(f32::INFINITY, f32::min);
    let right = segments.iter().map(|it| it.right).fold(f32::NEG_INFINITY, f32::max);
    let step = (right - left) / PLACES as f32;
    if !step.is_finite() || step <= 0.0 {
        return None;
    }
    let place = |x: f32| (((x - left) / step) as usize).min(PLACES - 1);
    // How many segments end before, and start after, each place.
    let mut ends = vec![0_usize; PLACES + 1];
    let mut starts = vec![0_usize; PLACES + 1];
    for segment in segments {
        ends[place(segment.right) + 1] += 1;
        starts[place(segment.left)] += 1;
    }
    let total = segments.len();
    let (mut ended, mut started) = (0, 0);
    let mut best: Option<(isize, usize, usize)> = None;
    for i in 0..PLACES {
        ended += ends[i];
        started += starts[i];
        let after = total - started;
        let crossing = total.saturating_sub(ended + after);
        if ended < MIN_LINES || after < MIN_LINES {
            continue;
        }
        let score = ended.min(after) as isize - 2 * crossing as isize;
        match &mut best {
            Some((top, _, last)) if *top == score && *last + 1 == i => *last = i,
            Some((top, ..)) if *top >= score => {}
            _ => best = Some((score, i, i)),
        }
    }
    let (score, first, last) = best?;
    if score <= 0 {
        return None;
    }
    let gutter = left + step * ((first + last) as f32 / 2.0 + 0.5);
    let side =
        |keep: fn(&Segment, f32) -> bool| is_column(segments.iter().filter(|it| keep(it, gutter)));
    (side(|it, gutter| it.right <= gutter) && side(|it, gutter| it.left >= gutter))
        .then_some(gutter)
}

/// Lines of running text rather than cells.
fn is_column<'a>(segments: impl Iterator<Item = &'a Segment> + Clone) -> bool {
    let left = segments.clone().map(|it| it.left).fold(f32::INFINITY, f32::min);
    let right = segments.clone().map(|it| it.right).fold(f32::NEG_INFINITY, f32::max);
    let mut widths: Vec<(f32, f32)> =
        segments.map(|it| (it.right - it.left, (it.right - it.left) / it.size)).collect();
    if widths.len() < MIN_LINES {
        return false;
    }
    let middle = widths.len() / 2;
    let (_, (width, ems), _) = widths.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0));
    *width >= MIN_FILL * (right - left) && *ems >= MIN_EMS
}

/// The lines of one column, with the rows of tables told apart.
fn region(segments: Vec<Segment>) -> Region {
    let mut rows: Vec<Vec<Segment>> = Vec::new();
    for segment in segments {
        match rows.last_mut() {
            Some(row) if row.last().is_some_and(|it| it.row == segment.row) => row.push(segment),
            _ => rows.push(vec![segment]),
        }
    }
    let in_table = table_rows(&rows);
    let lines = rows.into_iter().zip(in_table).filter_map(|(row, is_table)| line(row, is_table));
    Region { lines: lines.collect() }
}

/// Which rows belong to a table: several in a run whose cells are aligned.
fn table_rows(rows: &[Vec<Segment>]) -> Vec<bool> {
    let mut marks = vec![false; rows.len()];
    let mut start = 0;
    while start < rows.len() {
        let mut end = start + 1;
        if rows[start].len() >= 2 {
            while end < rows.len()
                && rows[end].len() >= 2
                && are_aligned(&rows[end - 1], &rows[end])
            {
                end += 1;
            }
            let cells = rows[start..end].iter().map(Vec::len).max().unwrap_or(0);
            let needed = if cells >= 3 { MIN_TABLE_ROWS - 1 } else { MIN_TABLE_ROWS };
            if end - start >= needed {
                marks[start..end].fill(true);
            }
        }
        start = end;
    }
    marks
}

/// At least two cells of a row are aligned with cells of the row above, by an edge or by their middle.
fn are_aligned(above: &[Segment], below: &[Segment]) -> bool {
    let mut found = 0;
    let mut from = 0;
    for cell in below {
        let slack = ALIGNMENT * cell.size;
        // Both rows run from the left: what ends before this cell cannot be above a later one.
        while from < above.len() && above[from].right + slack < cell.left {
            from += 1;
        }
        let is_aligned = |segment: &Segment| {
            let middle = |it: &Segment| (it.left + it.right) / 2.0;
            (segment.left - cell.left).abs() < slack
                || (segment.right - cell.right).abs() < slack
                || (middle(segment) - middle(cell)).abs() < slack
        };
        if above[from..].iter().take(2).any(is_aligned) {
            found += 1;
        }
    }
    found >= 2
}

fn line(row: Vec<Segment>, is_table: bool) -> Option<Line> {
    let largest = row.iter().max_by_key(|it| it.text.len())?;
    let (y, size) = (largest.y, largest.size);
    let letters: usize = row.iter().map(|it| it.text.len()).sum();
    let bold: usize = row.iter().filter(|it| it.is_bold).map(|it| it.text.len()).sum();
    let left = row.iter().map(|it| it.left).fold(f32::INFINITY, f32::min);
    let right = row.iter().map(|it| it.right).fold(f32::NEG_INFINITY, f32::max);
    let mut text = String::new();
    for segment in &row {
        if is_table && !text.is_empty() {
            text.push_str(" | ");
        } else if text.chars().next_back().is_some_and(|it| !is_wide(it)) {
            text.push(' ');
        }
        text.push_str(&segment.text);
    }
    Some(Line { text, left, right, y, size, is_bold: bold * 2 > letters, is_table })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(text: &str, left: f32, right: f32, row: usize) -> Segment {
        Segment {
            text: text.into(),
            left,
            right,
            y: 700.0 - 12.0 * row as f32,
            size: 10.0,
            is_bold: false,
            row,
        }
    }

    fn read(segments: Vec<Segment>) -> String {
        let lines = regions(segments).into_iter().flat_map(|it| it.lines).map(|it| it.text);
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_wide_title_comes_before_both_columns() {
        let mut segments = vec![segment("Title", 50.0, 550.0, 0)];
        for row in 1..5 {
            segments.push(segment(&format!("left {row}"), 50.0, 290.0, row));
            segments.push(segment(&format!("right {row}"), 310.0, 550.0, row));
        }
        insta::assert_snapshot!(read(segments), @r"
        Title
        left 1
        left 2
        left 3
        left 4
        right 1
        right 2
        right 3
        right 4
        ");
    }

    #[test]
    fn a_table_is_read_row_by_row() {
        let mut segments = Vec::new();
        for row in 0..4 {
            segments.push(segment(&format!("name {row}"), 50.0, 90.0, row));
            segments.push(segment(&format!("{row}.5"), 200.0, 220.0, row));
            segments.push(segment(&format!("{row}%"), 300.0, 315.0, row));
        }
        insta::assert_snapshot!(read(segments), @r"
        name 0 | 0.5 | 0%
        name 1 | 1.5 | 1%
        name 2 | 2.5 | 2%
        name 3 | 3.5 | 3%
        ");
    }

    #[test]
    fn nothing_on_a_page_gives_no_lines() {
        assert_eq!(read(Vec::new()), "");
        assert_eq!(read(vec![segment("one", 0.0, 0.0, 0)]), "one");
    }
}
