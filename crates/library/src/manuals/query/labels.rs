//! Labels: how a text calls its own parts. 第3条の2, 別表1, section 4.2, appendix B.

use std::ops::Range;

/// The name of a numbered part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    /// 条, 章, 別表, section, appendix.
    pub(crate) unit: String,
    /// 3, 3の2, 4.2, b; empty for 別表 without a number.
    pub(crate) number: String,
}

/// What is numbered with 第.
const UNITS: [char; 6] = ['編', '部', '章', '節', '款', '条'];
const APPENDICES: [&str; 11] =
    ["別表", "別紙", "別添", "別図", "様式", "付録", "附録", "付表", "附表", "付則", "附則"];
const PARTS: [&str; 12] = [
    "section", "chapter", "article", "part", "clause", "appendix", "annex", "schedule", "table",
    "figure", "form", "§",
];

/// The labels of a normalised text with their places, in order.
pub(crate) fn labels(text: &str) -> Vec<(Range<usize>, Label)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if let Some((length, label)) = label_at(text, at) {
            // 別表 alone is a word; only a numbered one is a name.
            if !label.number.is_empty() {
                found.push((at..at + length, label));
                at += length;
                continue;
            }
        }
        at += text[at..].chars().next().map_or(1, char::len_utf8);
    }
    found
}

/// The label that begins at a byte, and its length.
pub(crate) fn label_at(text: &str, at: usize) -> Option<(usize, Label)> {
    let rest = &text[at..];
    article(rest).or_else(|| appendix(rest)).or_else(|| part(text, at))
}

/// 第3条, 第3条の2, and with 第2項第1号 behind, which belongs to the same article.
fn article(rest: &str) -> Option<(usize, Label)> {
    let after = rest.strip_prefix('第')?;
    let mut number = digits(after)?.to_owned();
    let mut tail = &after[number.len()..];
    let unit = tail.chars().next().filter(|it| UNITS.contains(it))?;
    tail = &tail[unit.len_utf8()..];
    if let Some(branch) = tail.strip_prefix('の').and_then(digits) {
        number = format!("{number}の{branch}");
        tail = &tail['の'.len_utf8() + branch.len()..];
    }
    while let Some(inner) = tail.strip_prefix('第') {
        let Some(length) = digits(inner).map(str::len) else { break };
        let Some(unit) = inner[length..].chars().next().filter(|it| matches!(it, '項' | '号'))
        else {
            break;
        };
        tail = &inner[length + unit.len_utf8()..];
    }
    Some((rest.len() - tail.len(), Label { unit: unit.to_string(), number }))
}

/// 別表, 別表1, 別表第1, 様式第2号, 別表(1), 付録a.
fn appendix(rest: &str) -> Option<(usize, Label)> {
    let unit = APPENDICES.iter().find(|it| rest.starts_with(**it))?;
    let mut tail = &rest[unit.len()..];
    let without = (unit.len(), Label { unit: (*unit).to_owned(), number: String::new() });
    tail = tail.trim_start_matches(' ');
    tail = tail.strip_prefix(['第', '(', '-']).unwrap_or(tail);
    let number: &str = match digits(tail) {
        Some(it) => it,
        None => match tail.as_bytes() {
            [b'a'..=b'z', next @ ..] if !next.first().is_some_and(u8::is_ascii_alphabetic) => {
                &tail[..1]
            }
            _ => return Some(without),
        },
    };
    tail = &tail[number.len()..];
    tail = tail.strip_prefix(['号', ')']).unwrap_or(tail);
    Some((rest.len() - tail.len(), Label { unit: (*unit).to_owned(), number: number.to_owned() }))
}

/// section 4.2, appendix b, §4.
fn part(text: &str, at: usize) -> Option<(usize, Label)> {
    let rest = &text[at..];
    let unit = PARTS.iter().find(|it| rest.starts_with(**it))?;
    if text[..at].ends_with(|it: char| it.is_ascii_alphanumeric()) {
        return None;
    }
    let tail = &rest[unit.len()..];
    let tail = tail.strip_prefix('s').unwrap_or(tail);
    let gap = tail.len() - tail.trim_start_matches(' ').len();
    let tail = tail.trim_start_matches(' ');
    if gap == 0 && *unit != "§" {
        return None;
    }
    let number = match dotted(tail) {
        Some(it) => it,
        None => match tail.as_bytes() {
            [b'a'..=b'z', next @ ..] if !next.first().is_some_and(u8::is_ascii_alphanumeric) => {
                // `section a` may go on as a sentence.
                matches!(*unit, "appendix" | "annex" | "schedule" | "form" | "table")
                    .then_some(&tail[..1])?
            }
            _ => return None,
        },
    };
    let length = rest.len() - tail.len() + number.len();
    Some((length, Label { unit: (*unit).to_owned(), number: number.to_owned() }))
}

fn digits(text: &str) -> Option<&str> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| &text[..length])
}

/// 4, 4.2, 4.2.1, without a last dot.
pub(crate) fn dotted(text: &str) -> Option<&str> {
    let mut end = digits(text)?.len();
    while let Some(more) = text[end..].strip_prefix(['.', '-']).and_then(digits) {
        end += 1 + more.len();
    }
    Some(&text[..end])
}

#[cfg(test)]
mod tests {
    use super::super::super::super::normal_form::normalised;
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let text = normalised(text);
        labels(&text)
            .into_iter()
            .map(|(at, it)| format!("{}={}{}", &text[at], it.unit, it.number))
            .collect()
    }

    #[test]
    fn articles_appendices_and_sections_have_labels() {
        assert_eq!(
            read("第三条第2項及び第５条の２、別表第一・様式第2号"),
            ["第3条第2項=条3", "第5条の2=条5の2", "別表第1=別表1", "様式第2号=様式2"]
        );
        assert_eq!(
            read("See Section 4.2, chapter IV and Appendix B."),
            ["section 4.2=section4.2", "chapter 4=chapter4", "appendix b=appendixb"]
        );
    }

    #[test]
    fn words_that_only_look_like_labels_are_none() {
        assert_eq!(read("第一に、別表のとおり、intersection 4, section a person, 第3者"), [""; 0]);
    }
}
