//! Lines that are no statements in any language: references, contents, captions, the small print.

use text::script::is_japanese;

use crate::page_parts::PAGE_PARTS;

/// Whether the text under a heading is about the document itself.
pub(super) fn is_unclaimed_section(heading: &str) -> bool {
    let plain = heading.trim().to_lowercase();
    let plain = plain
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '　' | ')'));
    let plain = plain.trim_end_matches([':', '：', ' ', '.']);
    PAGE_PARTS.iter().any(|it| it.unclaimed_sections.contains(plain))
}

/// Whether a folded sentence is a reference, a line of contents, a caption or small print.
pub(super) fn is_noise(plain: &str) -> bool {
    let lower = plain.to_lowercase();
    PAGE_PARTS.iter().any(|it| it.small_print.any_in(&lower))
        || is_contents(plain)
        || is_caption(&lower)
        || is_reference(plain)
}

/// Dots that lead to a page number, cells of a table, more figures than words.
fn is_contents(plain: &str) -> bool {
    if ["....", ". . .", "‥‥", "……", "・・・", "···"].iter().any(|it| plain.contains(it))
    {
        return true;
    }
    if plain.matches(" | ").count() > 1 || plain.contains(" / ") && plain.matches(" / ").count() > 2
    {
        return true;
    }
    let letters = plain.chars().filter(|it| it.is_alphabetic()).count();
    let digits = plain.chars().filter(char::is_ascii_digit).count();
    digits > letters
}

fn is_caption(lower: &str) -> bool {
    let numbered = |rest: &str| {
        let rest = rest.trim_start();
        rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, ':' | '/' | '(' | '='))
            || rest.starts_with(|c: char| "ivx".contains(c))
                && rest.chars().nth(1).is_none_or(|c| !c.is_alphabetic())
    };
    let named = |start: &str| {
        lower.strip_prefix(start).is_some_and(|rest| start.ends_with(':') || numbered(rest))
    };
    PAGE_PARTS.iter().any(|it| it.captions.iter().any(named))
        || lower.starts_with("photo by")
        || lower.starts_with("写真は")
        || lower.starts_with("(写真")
}

/// The shape of an entry in a list of references, or of a page's byline.
pub(crate) fn is_reference(plain: &str) -> bool {
    let year_volume =
        has_shape(plain, "dddd;d") || has_shape(plain, "d(d):d") || has_shape(plain, "d:d-d");
    let pages = plain.contains("pp.")
        || plain.contains("Vol.")
        || plain.contains("vol.")
        || plain.contains("doi:")
        || plain.contains("頁");
    let authored = author_list(plain);
    (year_volume && (authored || pages))
        || (authored && (pages || has_shape(plain, "(dddd)") || has_shape(plain, " dddd")))
}

/// Whether digits and marks match the pattern, where `d` is a run of digits.
fn has_shape(plain: &str, pattern: &str) -> bool {
    let mut shape = String::with_capacity(plain.len());
    let mut run = 0;
    for c in plain.chars().chain(['\n']) {
        if c.is_ascii_digit() {
            run += 1;
            continue;
        }
        shape.push_str(match run {
            0 => "",
            4 => "dddd",
            _ => "d",
        });
        run = 0;
        shape.push(c);
    }
    let runs_of_any_length = shape.replace("dddd", "d");
    if pattern.contains("dddd") {
        shape.contains(pattern)
    } else {
        runs_of_any_length.contains(pattern)
    }
}

/// `Smith J, Jones AB,` or `Smith, J.,` or `[12] Smith` at the start.
fn author_list(plain: &str) -> bool {
    let start = plain.trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '[' | ']' | '.' | ' ' | '(')
    });
    let mut words = start.split(' ');
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    let named = first.starts_with(char::is_uppercase) && first.chars().count() > 1;
    let initials = |word: &str| {
        let letters = word.trim_end_matches([',', ';', '.']);
        !letters.is_empty()
            && letters.len() <= 4
            && word.ends_with([',', ';', '.'])
            && letters.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '.' | '-'))
    };
    let bare = first.trim_end_matches(',');
    named && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'')) && initials(second)
}

/// A sentence without the mark of a list in front of it.
pub(crate) fn without_marker(sentence: &str) -> &str {
    let rest = sentence.trim_start_matches([
        '-', '*', '•', '・', '●', '■', '◆', '○', '▪', '–', '—', '※', '→', '✓', '□', '◎',
    ]);
    let rest = if rest.len() < sentence.len() { rest.trim_start() } else { sentence };
    // `1. `, `2) `, `(3) `, `①`
    let numbered = rest.trim_start_matches(|c: char| ('①'..='⑳').contains(&c));
    if numbered.len() < rest.len() {
        return numbered.trim_start();
    }
    let digits = rest.trim_start_matches('(').trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < rest.trim_start_matches('(').len()
        && let Some(after) = digits.strip_prefix(['.', ')', '．', '）'])
        && after.starts_with([' ', '　'])
    {
        return after.trim_start();
    }
    rest
}

/// A sentence in one line, without the numbers of references behind its words.
pub(super) fn tidied(sentence: &str) -> String {
    let mut text = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(open) = rest.find('[') {
        text.push_str(&rest[..open]);
        let mark = reference_mark(&rest[open..]);
        if mark == 0 {
            text.push('[');
        }
        rest = &rest[open + mark.max(1)..];
    }
    text.push_str(rest);
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        // A line break inside a Japanese sentence means nothing.
        let joins = line.chars().next_back().is_some_and(is_japanese)
            && word.chars().next().is_some_and(is_japanese)
            && text.contains('\n');
        if !line.is_empty() && !joins {
            line.push(' ');
        }
        line.push_str(word);
    }
    line.replace(" .", ".").replace(" ,", ",")
}

/// The length of `[12]`, `[1, 2]`, `[3-5]`, `[citation needed]`, `[要出典]` at the start of a text, or 0.
fn reference_mark(text: &str) -> usize {
    let Some(close) = text.find(']').filter(|it| *it < 40) else { return 0 };
    let inside = &text[1..close];
    let numbers = !inside.is_empty()
        && inside.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-' | '–' | '、'));
    let known =
        matches!(inside, "citation needed" | "要出典" | "note 1" | "注 1" | "注釈 1" | "a" | "b");
    if numbers || known { close + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_contents_captions_and_small_print_are_noise() {
        for line in [
            "Smith J, Jones AB. Vitamin D and falls. BMJ 2010;340:c1199.",
            "[12] Tanaka, K., Suzuki, M. (2015) Effects of aspirin. Lancet 12(3):45-50.",
            "Introduction .............. 12",
            "第1章 序論 …… 3",
            "Figure 2. Mortality by age group.",
            "Table 1 shows the baseline characteristics.",
            "図1 転倒率の推移を示す。",
            "表2: 対象者の特徴",
            "Photo by Jane Doe, used with permission.",
            "© 2020 Example Press. All rights reserved.",
            "We use cookies to improve your experience.",
            "当サイトではクッキーを使用しています。",
            "12 34 56 78 % 3.4 a",
        ] {
            assert!(is_noise(line), "{line}");
        }
        for line in [
            "Vitamin D reduced falls by 12 % in 2010.",
            "Smith et al. (2010) found that vitamin D reduces falls.",
            "ビタミンDは転倒を12％減らした。",
            "Notes from the trial were lost in 1999.",
            "Credit card debt rose by 10 % in 2023.",
            "Table tennis was invented in England.",
            "表面温度は300度に達した。",
        ] {
            assert!(!is_noise(line), "{line}");
        }
    }

    #[test]
    fn marks_of_lists_and_references_are_taken_off() {
        assert_eq!(without_marker("- Falls fell."), "Falls fell.");
        assert_eq!(without_marker("・転倒が減った。"), "転倒が減った。");
        assert_eq!(without_marker("1. Falls fell."), "Falls fell.");
        assert_eq!(without_marker("(2) Falls fell."), "Falls fell.");
        assert_eq!(without_marker("①転倒が減った。"), "転倒が減った。");
        assert_eq!(without_marker("12.5 % of falls"), "12.5 % of falls");
        assert_eq!(without_marker("-"), "");
        assert_eq!(
            tidied("Falls fell[1] by\n12 %.[2, 3] So [it] was."),
            "Falls fell by 12 %. So [it] was."
        );
        assert_eq!(tidied("転倒が\n減った[要出典]。"), "転倒が減った。");
        assert_eq!(tidied("[1"), "[1");
    }

    #[test]
    fn sections_about_the_document_have_no_claims() {
        for heading in
            ["References", "7. References", "謝辞", "参考文献：", "Conflicts of interest"]
        {
            assert!(is_unclaimed_section(heading), "{heading}");
        }
        for heading in ["Results", "結果", "Contents of vitamin D in fish", ""] {
            assert!(!is_unclaimed_section(heading), "{heading}");
        }
    }
}
