//! Words in class names and in short texts that tell what a part of a page is for.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use text::script::is_hiragana;

/// How many kinds of hint there are.
pub(crate) const HINTS: usize = 16;

/// Kinds of hint and the words that give them, as they appear inside class names and ids.
pub(super) const CLASS_WORDS: [(usize, &[&str]); HINTS] = [
    (0, &["nav", "menu", "breadcrumb", "pagination", "pager", "tabs", "toolbar"]),
    (1, &["sidebar", "side-", "sidenav", "widget", "rail", "aside"]),
    (2, &["footer", "foot", "copyright", "legal", "colophon"]),
    (3, &["header", "masthead", "banner", "topbar", "hero"]),
    (
        4,
        &[
            "advert",
            "ad-",
            "-ad",
            "ads",
            "sponsor",
            "promo",
            "dfp",
            "taboola",
            "outbrain",
            "affiliate",
        ],
    ),
    (5, &["share", "social", "follow", "tweet", "facebook"]),
    (6, &["comment", "disqus", "respond", "livefyre"]),
    (
        7,
        &[
            "related",
            "recommend",
            "read-next",
            "suggest",
            "popular",
            "trending",
            "latest",
            "more-",
            "also",
            "similar",
            "next",
            "prev",
        ],
    ),
    (8, &["meta", "byline", "author", "date", "tag", "categor", "bio", "credit", "timestamp"]),
    (
        9,
        &[
            "modal",
            "popup",
            "overlay",
            "cookie",
            "consent",
            "gdpr",
            "newsletter",
            "subscri",
            "signup",
            "login",
            "cta",
            "alert",
        ],
    ),
    (10, &["content", "main", "body", "text", "story", "page"]),
    (
        11,
        &[
            "article", "post", "entry", "prose", "rich", "markdown", "wysiwyg", "blog", "md-",
            "docs", "rst",
        ],
    ),
    (
        12,
        &[
            "product", "price", "sku", "descri", "spec", "detail", "feature", "cart", "buy",
            "review", "rating",
        ],
    ),
    (
        13,
        &[
            "thread",
            "message",
            "reply",
            "topic",
            "question",
            "answer",
            "forum",
            "discussion",
            "topic",
        ],
    ),
    (
        14,
        &[
            "grid", "card", "item", "list", "result", "tile", "row", "col-", "teaser", "carousel",
            "slider", "swiper",
        ],
    ),
    (
        15,
        &[
            "faq",
            "accordion",
            "collaps",
            "toggle",
            "tabpanel",
            "panel",
            "caption",
            "figure",
            "title",
            "headline",
            "heading",
        ],
    ),
];

/// How many kinds of phrase are counted in a text.
pub(crate) const PHRASES: usize = 7;

/// Phrases that pages say about themselves rather than about their subject.
const PHRASE_WORDS: [(usize, &[&str]); PHRASES] = [
    (0, &["©", "copyright", "all rights reserved", "無断転載", "著作権", "rights reserved"]),
    (1, &["cookie", "privacy policy", "terms of", "プライバシー", "利用規約", "個人情報"]),
    (
        2,
        &[
            "subscribe",
            "newsletter",
            "sign up",
            "sign in",
            "log in",
            "login",
            "register",
            "会員登録",
            "ログイン",
            "購読",
            "メルマガ",
        ],
    ),
    (
        3,
        &[
            "share",
            "tweet",
            "facebook",
            "twitter",
            "linkedin",
            "pinterest",
            "follow us",
            "シェア",
            "ツイート",
            "フォロー",
            "instagram",
            "whatsapp",
        ],
    ),
    (
        4,
        &[
            "related",
            "recommended",
            "you may also",
            "you might also",
            "read more",
            "see more",
            "view all",
            "more from",
            "popular",
            "trending",
            "see also",
            "関連",
            "おすすめ",
            "もっと見る",
            "続きを読む",
            "人気",
            "ランキング",
            "learn more",
            "show more",
            "load more",
        ],
    ),
    (5, &["comment", "reply", "replies", "コメント", "返信", "leave a", "upvote", "votes"]),
    (
        6,
        &[
            "posted",
            "published",
            "updated",
            "written by",
            "min read",
            "minutes read",
            "author",
            "by ",
            "公開日",
            "更新日",
            "投稿",
            "ago",
            "views",
        ],
    ),
];

static PHRASE_AUTOMATON: LazyLock<(AhoCorasick, Vec<u8>)> = LazyLock::new(|| {
    let mut words = Vec::new();
    let mut kinds = Vec::new();
    for (kind, list) in PHRASE_WORDS {
        for word in list {
            words.push(*word);
            kinds.push(kind as u8);
        }
    }
    (automaton(&words), kinds)
});

/// How often each kind of phrase stands in a text.
pub(crate) fn phrases(text: &str) -> [u8; PHRASES] {
    let (automaton, kinds) = &*PHRASE_AUTOMATON;
    let mut counts = [0_u8; PHRASES];
    for found in automaton.find_overlapping_iter(text) {
        let kind = usize::from(kinds[found.pattern().as_usize()]);
        counts[kind] = counts[kind].saturating_add(1);
    }
    counts
}

pub(super) fn automaton(words: &[&str]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        // They run over every class and every text of a page.
        .kind(Some(AhoCorasickKind::DFA))
        .build(words)
        .expect("a fixed list of words makes an automaton")
}

/// English words that hold sentences together.
const GLUE: [&str; 44] = [
    "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "as", "was", "with", "be",
    "by", "on", "not", "he", "i", "this", "are", "or", "his", "from", "at", "which", "but", "have",
    "an", "had", "they", "you", "were", "their", "we", "can", "has", "your", "if", "will", "its",
    "so", "our", "than",
];

/// The same, each as the number that its letters make, in order.
static GLUE_NUMBERS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut numbers: Vec<u64> = GLUE.iter().filter_map(|it| number(it.as_bytes())).collect();
    numbers.sort_unstable();
    numbers
});

/// A short word as a number, in lower case.
fn number(word: &[u8]) -> Option<u64> {
    const LONGEST: usize = 5;
    let one = |sum: u64, byte: &u8| (sum << 8) | u64::from(byte.to_ascii_lowercase());
    (word.len() <= LONGEST).then(|| word.iter().fold(0, one))
}

/// The share of words that hold sentences together: English function words, or hiragana.
pub(crate) fn glue(text: &str) -> f32 {
    let numbers = &*GLUE_NUMBERS;
    let holds = |word: &[u8]| number(word).is_some_and(|it| numbers.binary_search(&it).is_ok());
    let (mut all, mut glue) = (0_u32, 0_u32);
    if text.is_ascii() {
        let words = text.as_bytes().split(|it| !it.is_ascii_alphanumeric());
        for word in words.filter(|it| !it.is_empty()) {
            all += 1;
            glue += u32::from(holds(word));
        }
    } else {
        for word in text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
            all += 1;
            glue += u32::from(if word.is_ascii() {
                holds(word.as_bytes())
            } else {
                word.chars().any(is_hiragana)
            });
        }
    }
    if all == 0 { 0.0 } else { glue as f32 / all as f32 }
}
