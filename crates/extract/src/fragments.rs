//! Pieces to the text of a document and to passages one can cite.
//!
//! A passage is a stretch of the text, exactly: it can be found again by its position. Long pieces are
//! cut at sentences, short ones are joined with their heading or with their neighbours. Items of one
//! list and rows of one table are lines next to each other; everything else has a blank line between.

mod cuts;
mod headings;

use std::ops::Range;

use evidence::{FragmentType, text_hash};
use url::Url;

use self::cuts::{cut, pack};
use self::headings::Headings;
use crate::deep_link::deep_links;
use crate::document::{Fragment, Problem};
use crate::piece::Piece;
use crate::settings::ReadSettings;

/// The text of a document and its passages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Assembled {
    pub(crate) text: String,
    pub(crate) fragments: Vec<Fragment>,
    /// The character of the text where each piece begins. The last piece may be cut short, and those
    /// behind it are missing, where there was too much text.
    pub(crate) piece_starts: Vec<usize>,
    pub(crate) problems: Vec<Problem>,
}

/// Lays pieces out as text and cuts it into passages.
pub(crate) fn assemble(pieces: &[Piece], base: Option<&Url>, options: &ReadSettings) -> Assembled {
    let mut problems = Vec::new();
    let layout = Layout::of(pieces, options.max_text_chars);
    if layout.is_cut {
        problems.push(Problem::TooMuchText { limit: options.max_text_chars });
    }
    let mut passages = joined(cut_runs(&layout, pieces, options), &layout.text, options);
    if passages.len() > options.max_fragments {
        passages.truncate(options.max_fragments);
        problems.push(Problem::TooManyFragments { limit: options.max_fragments });
    }
    let fragments = written(&layout.text, &passages, pieces, options);
    let mut assembled =
        Assembled { text: layout.text, fragments, piece_starts: layout.char_starts, problems };
    if let Some(base) = base.filter(|it| can_be_linked(it, options)) {
        add_deep_links(&mut assembled, base, &passages);
    }
    assembled
}

/// The text, and the position of each piece in it.
struct Layout {
    text: String,
    bytes: Vec<Range<usize>>,
    char_starts: Vec<usize>,
    is_cut: bool,
}

impl Layout {
    fn of(pieces: &[Piece], max_chars: usize) -> Self {
        let capacity = pieces.iter().map(|it| it.text.len() + 2).sum();
        let mut layout = Self {
            text: String::with_capacity(capacity),
            bytes: Vec::with_capacity(pieces.len()),
            char_starts: Vec::with_capacity(pieces.len()),
            is_cut: false,
        };
        let mut chars = 0;
        let mut last: Option<&Piece> = None;
        for piece in pieces {
            let is_blank = piece.text.trim().is_empty();
            let between = match last {
                None => "",
                _ if is_blank => "",
                Some(last) if is_one_block(last, piece) => "\n",
                Some(_) => "\n\n",
            };
            let text = if is_blank { "" } else { piece.text.as_str() };
            let left = max_chars.saturating_sub(chars + between.len());
            let length = text.chars().count();
            let kept = if length <= left { text } else { first_chars(text, left) };
            if kept.is_empty() && !text.is_empty() {
                layout.is_cut = true;
                break;
            }
            layout.text += between;
            let start = layout.text.len();
            layout.text += kept;
            layout.bytes.push(start..layout.text.len());
            layout.char_starts.push(chars + between.len());
            chars += between.len() + length.min(left);
            if length > left {
                layout.is_cut = true;
                break;
            }
            if !is_blank {
                last = Some(piece);
            }
        }
        layout
    }
}

/// Items of one list, rows of one table.
fn is_one_block(one: &Piece, next: &Piece) -> bool {
    one.kind == next.kind && matches!(one.kind, FragmentType::List | FragmentType::Table)
}

fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(at, _)| &text[..at])
}

/// A passage on the way: bytes of the text, and the pieces it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Passage {
    bytes: Range<usize>,
    chars: usize,
    kind: FragmentType,
    /// The first of its pieces, and whether that is a heading joined with what is under it.
    piece: usize,
    heading: bool,
    /// A part of something longer is not joined with anything.
    whole: bool,
    page: Option<u32>,
}

/// Cuts every piece, and every run of items or rows, into passages of at most the longest length.
fn cut_runs(layout: &Layout, pieces: &[Piece], options: &ReadSettings) -> Vec<Passage> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < layout.bytes.len() {
        let piece = &pieces[at];
        let mut stop = at + 1;
        while stop < layout.bytes.len()
            && is_one_block(piece, &pieces[stop])
            && piece.page == pieces[stop].page
        {
            stop += 1;
        }
        let units = (at..stop)
            .flat_map(|index| {
                cut(&layout.text, layout.bytes[index].clone(), piece.kind, options)
                    .into_iter()
                    .map(move |it| (index, it))
            })
            .collect::<Vec<_>>();
        let packed = pack(&layout.text, &units, options);
        let whole = packed.len() == 1;
        out.extend(packed.into_iter().map(|(piece_index, bytes, chars)| Passage {
            bytes,
            chars,
            kind: piece.kind,
            piece: piece_index,
            heading: false,
            whole,
            page: piece.page,
        }));
        at = stop;
    }
    out
}

/// Joins what is too short to be cited alone: with the heading above, then with short neighbours.
fn joined(passages: Vec<Passage>, text: &str, options: &ReadSettings) -> Vec<Passage> {
    let min = options.fragment_min_chars;
    let mut out: Vec<Passage> = Vec::with_capacity(passages.len());
    // Whether the last passage of `out` may still take in a neighbour.
    let mut is_open = false;
    for passage in passages {
        let is_short =
            passage.whole && passage.chars < min && passage.kind != FragmentType::Heading;
        if let Some(last) = out.last_mut().filter(|it| is_short && it.page == passage.page) {
            let under = last.kind == FragmentType::Heading && last.whole;
            let beside = is_open && last.kind == passage.kind && last.chars < min;
            let between = text[last.bytes.end..passage.bytes.start].chars().count();
            let chars = last.chars + between + passage.chars;
            if (under || beside) && chars <= options.fragment_max_chars {
                last.bytes.end = passage.bytes.end;
                last.chars = chars;
                last.kind = passage.kind;
                last.heading |= under;
                is_open = true;
                continue;
            }
        }
        is_open = is_short;
        out.push(passage);
    }
    out
}

/// Passages as they are given out: positions in characters, counted on along the text.
fn written(
    text: &str,
    passages: &[Passage],
    pieces: &[Piece],
    options: &ReadSettings,
) -> Vec<Fragment> {
    let mut headings = Headings::new(options.max_heading_chars);
    let mut next_piece = 0;
    let (mut byte, mut char) = (0, 0);
    let mut out = Vec::with_capacity(passages.len());
    for passage in passages {
        // A heading is above what comes behind it, and above what is joined with it.
        let own = usize::from(passage.heading);
        while next_piece < passage.piece + own {
            headings.pass(&pieces[next_piece]);
            next_piece += 1;
        }
        char += text[byte..passage.bytes.start].chars().count();
        byte = passage.bytes.start;
        let quoted = &text[passage.bytes.clone()];
        let (hierarchy, element_index) = match passage.kind {
            FragmentType::Heading => headings.above(pieces[passage.piece].level),
            _ => headings.here(),
        };
        out.push(Fragment {
            fragment_type: passage.kind,
            text: quoted.to_owned(),
            char_start: char,
            char_end: char + passage.chars,
            heading_context: hierarchy.last().map(|it| it.text.clone()),
            heading_hierarchy: hierarchy,
            element_index,
            text_hash: text_hash(quoted),
            deep_link: None,
            page: passage.page,
        });
    }
    out
}

fn can_be_linked(base: &Url, options: &ReadSettings) -> bool {
    matches!(base.scheme(), "http" | "https" | "file")
        && base.as_str().len() <= options.max_deep_link_base_bytes
}

fn add_deep_links(assembled: &mut Assembled, base: &Url, passages: &[Passage]) {
    let ranges: Vec<_> = passages.iter().map(|it| it.bytes.clone()).collect();
    let bases = passages.iter().map(|passage| {
        let mut base = base.clone();
        // Viewers of PDF files open the page even where they know no text fragments.
        if let Some(page) = passage.page {
            base.set_fragment(Some(&format!("page={page}")));
        }
        base
    });
    let links = deep_links(bases, &assembled.text, &ranges);
    for (fragment, link) in assembled.fragments.iter_mut().zip(links) {
        fragment.deep_link = Some(link);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece(kind: FragmentType, level: u8, text: &str) -> Piece {
        Piece::new(kind, level, text)
    }

    fn heading(level: u8, text: &str) -> Piece {
        piece(FragmentType::Heading, level, text)
    }

    fn paragraph(text: &str) -> Piece {
        piece(FragmentType::Paragraph, 0, text)
    }

    fn item(text: &str) -> Piece {
        piece(FragmentType::List, 0, text)
    }

    fn sizes(min: usize, max: usize) -> ReadSettings {
        ReadSettings { fragment_min_chars: min, fragment_max_chars: max, ..ReadSettings::default() }
    }

    /// One passage a line: place, kind, headings above with its place under them, text.
    fn render(assembled: &Assembled) -> String {
        let lines = assembled.fragments.iter().map(|fragment| {
            let above: Vec<_> = fragment
                .heading_hierarchy
                .iter()
                .map(|heading| format!("{}:{}", heading.level, heading.text))
                .collect();
            format!(
                "{}-{} {} [{}]#{} {}",
                fragment.char_start,
                fragment.char_end,
                fragment.fragment_type.as_str(),
                above.join(" > "),
                fragment.element_index,
                fragment.text.replace('\n', "⏎")
            )
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn shown(pieces: &[Piece], options: &ReadSettings) -> String {
        render(&assemble(pieces, None, options))
    }

    #[test]
    fn a_document_without_text_has_no_passages() {
        for pieces in [vec![], vec![paragraph(""), paragraph(" \n ")]] {
            let assembled = assemble(&pieces, None, &ReadSettings::default());
            assert_eq!((assembled.text.as_str(), assembled.fragments), ("", vec![]));
            assert_eq!(assembled.piece_starts, vec![0; pieces.len()]);
        }
    }

    #[test]
    fn pieces_are_apart_by_a_blank_line_and_items_by_a_line() {
        let pieces = [
            heading(1, "見出し"),
            paragraph("長い段落です。"),
            item("一"),
            item("二"),
            paragraph(""),
            piece(FragmentType::Table, 0, "a | b"),
            piece(FragmentType::Table, 0, "c | d"),
        ];
        let assembled = assemble(&pieces, None, &sizes(0, 100));
        assert_eq!(assembled.text, "見出し\n\n長い段落です。\n\n一\n二\n\na | b\nc | d");
        assert_eq!(assembled.piece_starts, [0, 5, 14, 16, 17, 19, 25]);
        insta::assert_snapshot!(render(&assembled), @r"
        0-3 heading []#0 見出し
        5-12 paragraph [1:見出し]#0 長い段落です。
        14-17 list [1:見出し]#1 一⏎二
        19-30 table [1:見出し]#2 a | b⏎c | d
        ");
    }

    #[test]
    fn a_long_paragraph_is_cut_at_sentences_into_parts_of_like_length() {
        let pieces = [paragraph(
            "The first sentence is here. The second one follows. The third is a bit longer than that. \
             The fourth closes.",
        )];
        insta::assert_snapshot!(shown(&pieces, &sizes(10, 60)), @r"
        0-51 paragraph []#0 The first sentence is here. The second one follows.
        52-107 paragraph []#1 The third is a bit longer than that. The fourth closes.
        ");
    }

    #[test]
    fn a_long_japanese_sentence_is_cut_behind_a_comma_and_never_inside_a_cluster() {
        let pieces =
            [paragraph("今年の夏は暑く、来年の夏はもっと暑いと言われ、対策が急がれている。")];
        insta::assert_snapshot!(shown(&pieces, &sizes(0, 25)), @r"
        0-23 paragraph []#0 今年の夏は暑く、来年の夏はもっと暑いと言われ、
        23-33 paragraph []#1 対策が急がれている。
        ");
        let family = "👨‍👩‍👧‍👦".repeat(4);
        insta::assert_snapshot!(shown(&[paragraph(&family)], &sizes(0, 16)), @r"
        0-14 paragraph []#0 👨‍👩‍👧‍👦👨‍👩‍👧‍👦
        14-28 paragraph []#1 👨‍👩‍👧‍👦👨‍👩‍👧‍👦
        ");
        let no_writing = format!("e{}", "\u{301}".repeat(40));
        let longest = assemble(&[paragraph(&no_writing)], None, &sizes(0, 16));
        assert!(longest.fragments.iter().all(|it| it.char_end - it.char_start <= 16));
    }

    #[test]
    fn a_short_paragraph_is_joined_with_the_heading_right_above() {
        let pieces = [
            heading(1, "Report"),
            heading(2, "Results"),
            paragraph("Mortality fell."),
            paragraph("A paragraph that is long enough to stand alone."),
            heading(2, "Limits"),
            paragraph("A paragraph that is long enough to stand alone."),
        ];
        insta::assert_snapshot!(shown(&pieces, &sizes(30, 200)), @r"
        0-6 heading []#0 Report
        8-32 paragraph [1:Report > 2:Results]#0 Results⏎⏎Mortality fell.
        34-81 paragraph [1:Report > 2:Results]#1 A paragraph that is long enough to stand alone.
        83-89 heading [1:Report]#0 Limits
        91-138 paragraph [1:Report > 2:Limits]#0 A paragraph that is long enough to stand alone.
        ");
    }

    #[test]
    fn short_neighbours_of_one_kind_are_joined_until_they_are_long_enough() {
        let pieces = [
            paragraph("Yes."),
            paragraph("No."),
            paragraph("Perhaps so."),
            paragraph("Never."),
            piece(FragmentType::Quote, 0, "Who knows?"),
            paragraph("I do."),
        ];
        insta::assert_snapshot!(shown(&pieces, &sizes(15, 200)), @r"
        0-22 paragraph []#0 Yes.⏎⏎No.⏎⏎Perhaps so.
        24-30 paragraph []#1 Never.
        32-42 quote []#2 Who knows?
        44-49 paragraph []#3 I do.
        ");
    }

    #[test]
    fn items_fill_a_passage_up_to_the_longest_length() {
        let pieces: Vec<_> = (1..=6).map(|it| item(&format!("Item number {it}"))).collect();
        insta::assert_snapshot!(shown(&pieces, &sizes(10, 45)), @r"
        0-41 list []#0 Item number 1⏎Item number 2⏎Item number 3
        42-83 list []#1 Item number 4⏎Item number 5⏎Item number 6
        ");
    }

    #[test]
    fn headings_nest_where_a_page_skips_levels() {
        let pieces = [
            heading(1, "One"),
            heading(4, "Four"),
            paragraph("Under four."),
            heading(3, "Three"),
            paragraph("Under three."),
            heading(3, "Three again"),
            heading(0, "No level"),
            paragraph("Under none."),
        ];
        insta::assert_snapshot!(shown(&pieces, &sizes(0, 200)), @r"
        0-3 heading []#0 One
        5-9 heading [1:One]#0 Four
        11-22 paragraph [1:One > 4:Four]#0 Under four.
        24-29 heading [1:One]#1 Three
        31-43 paragraph [1:One > 3:Three]#0 Under three.
        45-56 heading [1:One]#2 Three again
        58-66 heading []#1 No level
        68-79 paragraph [1:No level]#0 Under none.
        ");
    }

    #[test]
    fn code_is_cut_at_lines_and_keeps_its_indent() {
        let code = "    fn main() {\n        let a = 1. Then;\n    }\n\n    fn other() {}\n";
        let pieces = [piece(FragmentType::Code, 0, code)];
        insta::assert_snapshot!(shown(&pieces, &sizes(0, 48)), @r"
        0-40 code []#0     fn main() {⏎        let a = 1. Then;
        41-65 code []#1     }⏎⏎    fn other() {}
        ");
    }

    #[test]
    fn equal_texts_are_passages_of_their_own_with_one_hash() {
        let pieces = [paragraph("The same words."), item("x"), paragraph("The same words.")];
        let fragments = assemble(&pieces, None, &sizes(0, 200)).fragments;
        assert_eq!(fragments.len(), 3);
        assert_eq!(fragments[0].text_hash, fragments[2].text_hash);
        assert_eq!(fragments[0].text_hash, text_hash("The same words."));
        assert_ne!(fragments[0].char_start, fragments[2].char_start);
    }

    #[test]
    fn pages_of_a_pdf_are_not_mixed_and_links_open_them() {
        let on = |page, it: Piece| Piece { page: Some(page), ..it };
        let pieces = [
            on(3, heading(1, "Data")),
            on(4, paragraph("Short.")),
            on(4, item("a")),
            on(5, item("b")),
        ];
        let base = Url::parse("https://a.example/b.pdf").unwrap();
        let assembled = assemble(&pieces, Some(&base), &sizes(50, 200));
        let links: Vec<_> = assembled
            .fragments
            .iter()
            .map(|it| (it.page.unwrap(), it.deep_link.as_deref().unwrap()))
            .collect();
        assert_eq!(
            links,
            [
                (3, "https://a.example/b.pdf#page=3:~:text=Data"),
                (4, "https://a.example/b.pdf#page=4:~:text=Short."),
                (4, "https://a.example/b.pdf#page=4:~:text=Short.-,a,-b"),
                (5, "https://a.example/b.pdf#page=5:~:text=a-,b"),
            ]
        );
    }

    #[test]
    fn addresses_that_cannot_be_opened_at_a_passage_get_no_links() {
        let long = format!("https://a.example/{}", "x".repeat(2_048));
        for address in ["data:text/plain,hello", "mailto:a@b.example", &long] {
            let base = Url::parse(address).unwrap();
            let assembled = assemble(&[paragraph("Words.")], Some(&base), &ReadSettings::default());
            assert_eq!(assembled.fragments[0].deep_link, None, "{address}");
        }
    }

    #[test]
    fn too_much_text_is_cut_off_and_said() {
        let options = ReadSettings { max_text_chars: 8, ..sizes(0, 100) };
        let assembled =
            assemble(&[paragraph("日本語"), paragraph("abcdef"), paragraph("x")], None, &options);
        assert_eq!(assembled.text, "日本語\n\nabc");
        assert_eq!(assembled.piece_starts, [0, 5]);
        assert_eq!(assembled.problems, [Problem::TooMuchText { limit: 8 }]);
        let whole = assemble(&[paragraph("12345678")], None, &options);
        assert_eq!(whole.problems, []);
    }

    #[test]
    fn too_many_passages_and_a_heading_that_is_a_book_stay_small() {
        let mut pieces = vec![heading(1, &"words ".repeat(50_000))];
        for index in 0..100 {
            pieces.push(paragraph(&format!("Paragraph {index}.")));
            pieces.push(item("x"));
        }
        let options = ReadSettings { max_fragments: 350, ..sizes(0, 1_200) };
        let assembled = assemble(&pieces, None, &options);
        assert_eq!(assembled.fragments.len(), 350);
        assert_eq!(assembled.problems, [Problem::TooManyFragments { limit: 350 }]);
        let context = assembled.fragments[349].heading_context.as_deref().unwrap();
        assert_eq!(context.chars().count(), 200);
        assert!(context.ends_with("words w…"), "{context}");
    }

    fn any_piece() -> impl Strategy<Value = Piece> {
        let kind = prop_oneof![
            3 => Just(FragmentType::Paragraph),
            1 => Just(FragmentType::Heading),
            2 => Just(FragmentType::List),
            1 => Just(FragmentType::Table),
            1 => Just(FragmentType::Code),
        ];
        (
            kind,
            0..8_u8,
            "[a-dA-D .,。、「」あ漢👨\u{200d}\u{301}\n]{0,60}",
            proptest::option::of(1..3_u32),
        )
            .prop_map(|(kind, level, text, page)| Piece { page, ..Piece::new(kind, level, text) })
    }

    proptest! {
        #[test]
        fn passages_are_stretches_of_the_text_and_cover_all_of_it(
            pieces in proptest::collection::vec(any_piece(), 0..20),
            min in 0..30_usize,
            max in 1..50_usize,
        ) {
            let base = Url::parse("https://a.example/").unwrap();
            let assembled = assemble(&pieces, Some(&base), &sizes(min, max));
            let text: Vec<char> = assembled.text.chars().collect();
            let mut at = 0;
            for fragment in &assembled.fragments {
                prop_assert!(text[at..fragment.char_start].iter().all(|it| it.is_whitespace()));
                let stretch: String = text[fragment.char_start..fragment.char_end].iter().collect();
                prop_assert_eq!(&stretch, &fragment.text);
                prop_assert!(!stretch.trim().is_empty());
                prop_assert!(fragment.char_end - fragment.char_start <= max);
                at = fragment.char_end;
            }
            prop_assert!(text[at..].iter().all(|it| it.is_whitespace()));
            prop_assert_eq!(assembled.piece_starts.len(), pieces.len());
            for (start, piece) in assembled.piece_starts.iter().zip(&pieces) {
                let here: String = text[*start..].iter().collect();
                prop_assert!(piece.text.trim().is_empty() || here.starts_with(&piece.text));
            }
        }

        #[test]
        fn passages_under_one_heading_are_numbered_from_zero(
            pieces in proptest::collection::vec(any_piece(), 0..20),
        ) {
            let assembled = assemble(&pieces, None, &sizes(10, 50));
            let mut last: Option<&Fragment> = None;
            for fragment in &assembled.fragments {
                let levels: Vec<_> = fragment.heading_hierarchy.iter().map(|it| it.level).collect();
                prop_assert!(levels.is_sorted_by(|a, b| a < b));
                if let Some(last) = last
                    && last.heading_hierarchy == fragment.heading_hierarchy
                    && last.fragment_type != FragmentType::Heading
                {
                    prop_assert_eq!(last.element_index + 1, fragment.element_index);
                }
                last = Some(fragment);
            }
        }
    }
}
