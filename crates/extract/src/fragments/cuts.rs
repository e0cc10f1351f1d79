//! Where long text is cut, and what is put together again up to the longest length.

use std::ops::Range;

use evidence::FragmentType;
use unicode_segmentation::UnicodeSegmentation;

use crate::settings::ReadSettings;
use text::sentences;

/// Cuts a piece (bytes of `text`) into parts of at most the longest length, at sentences; a piece that
/// is short enough is one part. Code is cut at lines.
pub(super) fn cut(
    text: &str,
    range: Range<usize>,
    kind: FragmentType,
    options: &ReadSettings,
) -> Vec<Range<usize>> {
    let piece = &text[range.clone()];
    let kept = match kind {
        // The indent of the first line belongs to code.
        FragmentType::Code => piece.trim_start_matches(['\n', '\r']),
        _ => piece.trim_start(),
    };
    let start = range.end - kept.len();
    let kept = kept.trim_end();
    if kept.is_empty() {
        return Vec::new();
    }
    if is_at_most(kept, options.fragment_max_chars) {
        let whole = start..start + kept.len();
        return Vec::from([whole]);
    }
    let parts = match kind {
        FragmentType::Code => lines(kept),
        _ => sentences(kept),
    };
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        cut_sentence(kept, part, options.fragment_max_chars.max(1), &mut out);
    }
    out.iter().map(|it| it.start + start..it.end + start).collect()
}

fn is_at_most(text: &str, chars: usize) -> bool {
    text.len() <= chars || text.chars().count() <= chars
}

fn lines(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        if end > start {
            out.push(start..end);
        }
        start += line.len();
    }
    out
}

/// Cuts a sentence that is longer than a passage may be: behind a comma, else at a space, else between
/// two characters as people see them.
fn cut_sentence(text: &str, sentence: Range<usize>, max: usize, out: &mut Vec<Range<usize>>) {
    let mut rest = sentence;
    loop {
        let head = &text[rest.clone()];
        let Some((limit, _)) = head.char_indices().nth(max) else {
            out.push(rest);
            return;
        };
        let length = place_to_cut(head, limit);
        let part = head[..length].trim_end();
        if !part.is_empty() {
            out.push(rest.start..rest.start + part.len());
        }
        let behind = &head[length..];
        rest.start += length + behind.len() - behind.trim_start().len();
        if rest.is_empty() {
            return;
        }
    }
}

/// The bytes of `head` to keep, at most `limit`; more than half of it where a comma or space allows.
fn place_to_cut(head: &str, limit: usize) -> usize {
    // One character more shows whether the cluster at the limit continues.
    let more = head[limit..].chars().next().map_or(0, char::len_utf8);
    let (mut clause, mut space, mut any) = (0, 0, 0);
    for (at, cluster) in head[..limit + more].grapheme_indices(true) {
        if at > limit {
            break;
        }
        any = at;
        if cluster.trim().is_empty() {
            space = at;
        }
        let end = at + cluster.len();
        if end <= limit && cluster.ends_with(is_clause_end) {
            clause = end;
        }
    }
    match (clause, space, any) {
        (clause, ..) if 2 * clause > limit => clause,
        (_, space, _) if 2 * space > limit => space,
        // A cluster of more characters than a passage may have is no writing.
        (_, _, 0) => limit,
        (.., any) => any,
    }
}

fn is_clause_end(character: char) -> bool {
    matches!(character, '、' | '，' | ',' | ';' | '；' | ':' | '：' | '—' | '\n' | '」' | '）')
}

/// Puts neighbouring parts together into passages of about equal length, none longer than the longest.
///
/// Gives the piece each passage begins in, its bytes and its characters.
pub(super) fn pack(
    text: &str,
    parts: &[(usize, Range<usize>)],
    options: &ReadSettings,
) -> Vec<(usize, Range<usize>, usize)> {
    let chars_of = |range: Range<usize>| text[range].chars().count();
    let Some(((_, first), (_, last))) = parts.first().zip(parts.last()) else { return Vec::new() };
    let all = chars_of(first.start..last.end);
    let max = options.fragment_max_chars.max(1);
    let target = all.div_ceil(all.div_ceil(max));
    let mut out: Vec<(usize, Range<usize>, usize)> = Vec::new();
    let mut is_full = true;
    for (piece, part) in parts {
        let own = chars_of(part.clone());
        if let Some((_, bytes, chars)) = out.last_mut().filter(|_| !is_full) {
            let longer = *chars + chars_of(bytes.end..part.start) + own;
            if longer <= max {
                bytes.end = part.end;
                *chars = longer;
                is_full = longer >= target;
                continue;
            }
        }
        out.push((*piece, part.clone(), own));
        is_full = own >= target;
    }
    join_short_tail(text, &mut out, options);
    out
}

/// A few words left over at the end go with the passage before, where it has room.
fn join_short_tail(
    text: &str,
    out: &mut Vec<(usize, Range<usize>, usize)>,
    options: &ReadSettings,
) {
    if let [.., (_, before, before_chars), (_, tail, tail_chars)] = out.as_mut_slice() {
        let between = text[before.end..tail.start].chars().count();
        let chars = *before_chars + between + *tail_chars;
        if *tail_chars < options.fragment_min_chars && chars <= options.fragment_max_chars {
            before.end = tail.end;
            *before_chars = chars;
            out.pop();
        }
    }
}
