//! Signs of pages made to be found, to gather others' work, or by a language model left alone.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use evidence::FragmentType;

use crate::view::PageView;

/// What the signs of a page amount to.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// 0 for none, 1 for as many as anybody would need.
    pub(super) strength: f64,
    pub(super) words: Vec<String>,
}

/// The content as one text, a line for each piece. Code and tables repeat themselves by nature.
pub(super) fn content(view: &PageView<'_>) -> String {
    let written = view
        .pieces
        .iter()
        .filter(|it| !matches!(it.kind, FragmentType::Code | FragmentType::Table));
    written.map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// A kind of sign: what it is called, the phrases that are it, how often they stand for every
/// thousand words in ordinary pages at most, and how often where nothing else is needed.
struct Kind {
    name: &'static str,
    phrases: &'static [&'static str],
    ordinary: f64,
    full: f64,
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "words of aggregators",
        phrases: &[
            "read more at",
            "read full article",
            "read the full article",
            "read the original article",
            "originally published on",
            "originally appeared on",
            "this article was first published on",
            "source link",
            "via rss",
            "continue reading on",
            "curated from",
            "the post appeared first on",
            "appeared first on",
            "まとめました",
            "まとめサイト",
            "引用元",
            "転載元",
            "元スレ",
            "元記事",
            "ネットの反応",
            "みんなの反応",
            "海外の反応",
        ],
        ordinary: 1.0,
        full: 10.0,
    },
    Kind {
        name: "words of pages made for search engines",
        phrases: &[
            "in this article, we will",
            "in this article we will",
            "in this comprehensive guide",
            "in this ultimate guide",
            "the ultimate guide",
            "everything you need to know",
            "look no further",
            "without further ado",
            "check price",
            "buy now",
            "click here to",
            "best deals",
            "in conclusion",
            "frequently asked questions",
            "let's dive in",
            "wrapping up",
            "いかがでしたか",
            "いかがでしたでしょうか",
            "調べてみました",
            "徹底解説",
            "徹底比較",
            "わかりませんでした",
            "おすすめランキング",
            "についてまとめ",
            "公式サイトはこちら",
            "詳細はこちら",
            "口コミ・評判",
            "最安値",
        ],
        ordinary: 1.0,
        full: 8.0,
    },
    Kind {
        name: "words of language models",
        phrases: &[
            "as an ai language model",
            "as a large language model",
            "i cannot fulfill",
            "i can't fulfill",
            "my knowledge cutoff",
            "regenerate response",
            "certainly! here",
            "ever-evolving landscape",
            "in today's fast-paced",
            "in today's digital age",
            "it's important to note that",
            "it is important to note that",
            "plays a crucial role",
            "a testament to",
            "delve into",
            "unlock the full potential",
            "rich tapestry",
            "navigate the complexities",
            "aiモデルとして",
            "言語モデルとして",
            "重要な役割を果たします",
            "と言えるでしょう",
            "注意することが重要です",
        ],
        ordinary: 1.0,
        full: 8.0,
    },
];

static PHRASES: LazyLock<(AhoCorasick, Vec<usize>)> = LazyLock::new(|| {
    let rows = || {
        KINDS
            .iter()
            .enumerate()
            .flat_map(|(index, it)| it.phrases.iter().map(move |it| (*it, index)))
    };
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(rows().map(|it| it.0))
        .expect("a fixed list of phrases makes an automaton");
    (automaton, rows().map(|it| it.1).collect())
});

/// A page is judged as if it had at least so many words: one phrase in a note is no pattern.
const FEWEST_WORDS: f64 = 150.0;

/// Links out of the page for every hundred words of content: ordinary up to here, and full.
const OUTSIDE_ORDINARY: f64 = 4.0;
const OUTSIDE_FULL: f64 = 12.0;
/// Fewer links than this are no collection.
const OUTSIDE_FEWEST: usize = 8;

pub(super) fn find(view: &PageView<'_>, text: &str) -> Found {
    let words = f64::from(view.shape.content_words);
    let (automaton, kinds) = &*PHRASES;
    let mut counts = [0_usize; KINDS.len()];
    for hit in automaton.find_iter(&text.replace('’', "'")) {
        counts[kinds[hit.pattern().as_usize()]] += 1;
    }
    let mut found = Found::default();
    for (kind, count) in KINDS.iter().zip(counts) {
        let rate = count as f64 * 1000.0 / words.max(FEWEST_WORDS);
        let strength = over(rate, kind.ordinary, kind.full);
        // One phrase is a phrase; a pattern is two.
        if count > 1 && strength > 0.0 {
            found.strength += strength;
            found.words.push(format!("{} {count} times", kind.name));
        }
    }
    let outside = outside_links(view);
    let strength = over(outside as f64 * 100.0 / words.max(100.0), OUTSIDE_ORDINARY, OUTSIDE_FULL);
    if outside >= OUTSIDE_FEWEST && strength > 0.0 {
        found.strength += strength;
        found.words.push(format!("{outside} links to other sites among {words:.0} words"));
    }
    found.strength = found.strength.min(1.0);
    found
}

fn over(value: f64, ordinary: f64, full: f64) -> f64 {
    ((value - ordinary) / (full - ordinary)).clamp(0.0, 1.0)
}

/// Links of the content that leave the site.
fn outside_links(view: &PageView<'_>) -> usize {
    let host = view.url.and_then(|it| it.host_str()).unwrap_or_default();
    let own = host.strip_prefix("www.").unwrap_or(host);
    let leaves = |href: &str| {
        let rest = href.strip_prefix("https://").or_else(|| href.strip_prefix("http://"));
        rest.is_some_and(|it| {
            let host = it.split(['/', '?', '#', ':']).next().unwrap_or_default();
            own.is_empty() || !(host == own || host.ends_with(&format!(".{own}")))
        })
    };
    view.pieces.iter().flat_map(|it| &it.links).filter(|it| leaves(&it.href)).count()
}
