//! Passages that belong to the page are told from those that say something.

use judge::says_nothing;
use proptest::prelude::*;

/// Passages of a language that the rules take for something else than a person did.
fn mistakes(language: &str) -> Vec<&'static str> {
    let lines = include_str!("../data/passages.tsv").lines().filter(|it| !it.starts_with('#'));
    let wrong = lines.filter(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        columns[1] == language && says_nothing(columns[2], &[]) != (columns[0] == "-")
    });
    wrong.collect()
}

#[test]
fn english_bylines_references_addresses_buttons_and_cookie_notes_say_nothing() {
    assert_eq!(mistakes("en"), Vec::<&str>::new());
}

#[test]
fn japanese_bylines_addresses_buttons_and_cookie_notes_say_nothing() {
    assert_eq!(mistakes("ja"), Vec::<&str>::new());
}

#[test]
fn lists_of_other_works_say_nothing_whatever_stands_in_them() {
    let text = "Vitamin D reduced falls by 12 % in adults over 65.";
    let under = |heading: &str| says_nothing(text, &["Vitamin D".to_owned(), heading.to_owned()]);
    for heading in ["References", "7. REFERENCES", "参考文献", "■ 関連記事", "See also:"]
    {
        assert!(under(heading), "{heading}");
    }
    for heading in ["Results", "結果", "Reference values of vitamin D", "文献から見た転倒"]
    {
        assert!(!under(heading), "{heading}");
    }
}

#[test]
fn nothing_says_nothing() {
    for text in ["", " \n", "。", "-", "12.5", "[1]"] {
        assert!(says_nothing(text, &[]), "{text:?}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(by |pdf|doi:10\\.1/x |クッキーを使用し|[ -~]{0,8}|\\PC{0,4}|download ){0,12}") {
        let _ = says_nothing(&text, std::slice::from_ref(&text));
    }
}
