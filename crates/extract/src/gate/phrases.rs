//! What gates ask for, however they put it: two words that mean little alone and much together.
//!
//! The table of marks knows the phrases of known gates; sites word their own in ways no table has.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Words of two groups that stand close to each other on one line.
pub(super) struct Pair {
    automaton: AhoCorasick,
    /// How many of the automaton's words are of the first group.
    first: usize,
    within: usize,
}

impl Pair {
    fn new(first: &[&str], second: &[&str], within: usize) -> Self {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(first.iter().chain(second))
            .expect("a fixed list of words makes an automaton");
        Self { automaton, first: first.len(), within }
    }

    /// The first place where both stand, from the one to the other.
    pub(super) fn find<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.lines().find_map(|line| {
            // The last word met of each group, as its place in the line.
            let mut last: [Option<(usize, usize)>; 2] = [None, None];
            for hit in self.automaton.find_iter(line) {
                let group = usize::from(hit.pattern().as_usize() >= self.first);
                if let Some((start, end)) = last[1 - group]
                    && hit.start() - end <= self.within
                {
                    return Some(line[start..hit.end()].trim());
                }
                last[group] = Some((hit.start(), hit.end()));
            }
            None
        })
    }
}

/// Prove that you are a person.
pub(super) static PROVE_HUMAN: LazyLock<Pair> = LazyLock::new(|| {
    Pair::new(
        &[
            "verif",
            "be sure",
            "checking",
            "confirm",
            "prove",
            "make sure",
            "making sure",
            "let us know",
            "we need to know",
            "check that",
            "check if",
            "checks to see",
            "ensure",
            "show that",
            "detected",
            "noticed",
            "looks like",
            "suspect",
            "確認",
            "証明",
            "検出",
            "検知",
            "判定",
        ],
        &[
            "human",
            "robot",
            " bot",
            "a person",
            "real person",
            "a program",
            "automated",
            "unusual",
            "your browser",
            "your connection",
            "suspicious",
            "ロボット",
            "人間であ",
            "自動",
            "異常な",
            "不審な",
            "不正な",
        ],
        60,
    )
});

/// Sign in to see this.
pub(super) static SIGN_IN: LazyLock<Pair> = LazyLock::new(|| {
    Pair::new(
        &[
            "log in",
            "login",
            "sign in",
            "signin",
            "logged in",
            "signed in",
            "join now",
            "join to",
            "create an account",
            "create a free account",
            "registered users",
            "ログイン",
            "サインイン",
            "会員登録",
            "会員の登録",
            "会員の方",
        ],
        &[
            "to view",
            "to see",
            "to access",
            "to continue",
            "to watch",
            "to download",
            "to proceed",
            "is required",
            "are required",
            "が必要",
            "ご覧",
            "閲覧",
            "利用でき",
            "ご利用いただけ",
        ],
        40,
    )
});

/// Pay to read on.
pub(super) static PAY_TO_READ: LazyLock<Pair> = LazyLock::new(|| {
    Pair::new(
        &[
            "continue reading",
            "keep reading",
            "read on",
            "read this",
            "read the full",
            "read the rest",
            "rest of this",
            "full article",
            "full story",
            "this article",
            "the article",
            "this story",
            "weiterlesen",
            "cet article",
            "la suite",
            "diesen artikel",
            "続きを",
            "続きは",
            "続きが",
            "この記事",
            "記事の全文",
            "全文を",
            "この先",
        ],
        &[
            "subscri",
            "free trial",
            "register",
            "become a member",
            "members only",
            "with plus",
            "mit plus",
            "abonn",
            "il vous reste",
            "suscri",
            "会員",
            "登録すると",
            "購読",
            "有料",
            "ご購入",
        ],
        60,
    )
});
