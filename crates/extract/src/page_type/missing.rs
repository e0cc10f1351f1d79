//! Pages that say that there is nothing to read: errors, and errors that call themselves a success.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{PageType, Typed};
use crate::view::PageView;

/// Lines of a page in which it says what happened.
const FIRST_LINES: usize = 40;

const NOT_FOUND: [&str; 30] = [
    "page not found",
    "404 not found",
    "not found (404)",
    "error 404",
    "404 error",
    "404 -",
    "404 |",
    "file not found",
    "page isn't available",
    "page is not available",
    "page you requested",
    "page you were looking for",
    "page you are looking for",
    "page you're looking for",
    "page doesn't exist",
    "page does not exist",
    "page no longer exists",
    "content is no longer available",
    "article is no longer available",
    "has been removed or",
    "ページが見つかりません",
    "ページは見つかりません",
    "記事が見つかりません",
    "お探しのページ",
    "ページは存在しません",
    "ページが存在しません",
    "指定されたページ",
    "ページは削除されました",
    "記事は削除されました",
    "掲載期間が終了",
];

const FAILED: [&str; 17] = [
    "internal server error",
    "service unavailable",
    "bad gateway",
    "gateway timeout",
    "gateway time-out",
    "error establishing a database connection",
    "temporarily unavailable",
    "under maintenance",
    "scheduled maintenance",
    "an error has occurred",
    "an error occurred while",
    "fatal error:",
    "403 forbidden",
    "メンテナンス中",
    "システムエラー",
    "エラーが発生しました",
    "サーバーエラー",
];

static MARKS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(NOT_FOUND.iter().chain(&FAILED))
        .expect("a fixed list of phrases makes an automaton")
});

pub(super) fn missing(view: &PageView<'_>) -> Option<Typed> {
    if let Some(status) = view.status.filter(|it| *it >= 400) {
        let reasons = vec![format!("the server answered {status}")];
        return Some(Typed { page_type: PageType::Error, reasons });
    }
    let shape = &view.shape;
    let little = shape.prose_words <= view.options.missing_max_prose_words as f32
        && shape.words - shape.link_words <= view.options.missing_max_words as f32;
    if !little {
        return None;
    }
    let title = view.title.trim();
    let (phrase, place) = if title == "404" {
        (0, "title")
    } else if let Some(phrase) = first_mark(title) {
        (phrase, "title")
    } else {
        let phrase = view.visible.lines().take(FIRST_LINES).find_map(first_mark)?;
        (phrase, "text")
    };
    let (page_type, words) = match NOT_FOUND.get(phrase) {
        Some(words) => (PageType::Soft404, *words),
        None => (PageType::Error, FAILED[phrase - NOT_FOUND.len()]),
    };
    let said = if title == "404" { "404" } else { words };
    let mut reasons = vec![
        format!("the {place} says “{said}”"),
        format!("it has only {:.0} words of sentences", shape.prose_words),
    ];
    if page_type == PageType::Soft404
        && let Some(status) = view.status
    {
        reasons.push(format!("the server answered {status} all the same"));
    }
    Some(Typed { page_type, reasons })
}

fn first_mark(text: &str) -> Option<usize> {
    MARKS.find(&text.replace('’', "'")).map(|it| it.pattern().as_usize())
}
