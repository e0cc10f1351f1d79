//! What gates ask for, however they put it: two words that mean little alone and much together.
//!
//! The table of marks knows the phrases of known gates; sites word their own in ways no table has.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Words of two groups that stand close to each other.
pub(super) struct Pair {
    automaton: AhoCorasick,
    /// How many of the automaton's words are of the first group.
    first: usize,
    within: usize,
    /// Whether the first group has to come first.
    is_ordered: bool,
}

impl Pair {
    fn new(first: &[&str], second: &[&str], within: usize) -> Self {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(first.iter().chain(second))
            .expect("a fixed list of words makes an automaton");
        Self { automaton, first: first.len(), within, is_ordered: false }
    }

    fn in_order(self) -> Self {
        Self { is_ordered: true, ..self }
    }

    /// The first place where both stand in one line, from the one to the other.
    pub(super) fn find<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.lines().find_map(|line| self.find_across(line))
    }

    /// The same, over the ends of lines.
    pub(super) fn find_across<'a>(&self, text: &'a str) -> Option<&'a str> {
        // The last word met of each group, as its place in the text.
        let mut last: [Option<(usize, usize)>; 2] = [None, None];
        for hit in self.automaton.find_iter(text) {
            let group = usize::from(hit.pattern().as_usize() >= self.first);
            if let Some((start, end)) = last[1 - group]
                && (group == 1 || !self.is_ordered)
                && hit.start() - end <= self.within
            {
                return Some(text[start..hit.end()].trim());
            }
            last[group] = Some((hit.start(), hit.end()));
        }
        None
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
            "hold on",
            "one moment",
            "stand by",
            "we know",
            "know you",
            "know that you",
            "solve",
            "complete",
            "tell us",
            "お待ち",
            "教えて",
            "確かめ",
        ],
        &[
            "human",
            "robot",
            " bot",
            "a person",
            "real person",
            "puzzle",
            "not a machine",
            "a program",
            "automated",
            "unusual",
            "your browser",
            "your connection",
            "your request",
            "your visit",
            "your access",
            "security of",
            "javascript",
            "ブラウザ",
            "接続",
            "通常とは異なる",
            "不自然な",
            "プログラム",
            "機械",
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
            "register for free",
            "register now",
            "one-time code",
            "magic link",
            "認証",
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
            "to read",
            "to join",
            "to use this",
            "to get access",
            "is required",
            "are required",
            "が必要",
            "ご覧",
            "閲覧",
            "利用でき",
            "ご利用いただけ",
            "続けるには",
            "表示するには",
            "見るには",
            "読むには",
        ],
        40,
    )
});

/// Come in with an account: for pages that say next to nothing else.
pub(super) static USE_ACCOUNT: LazyLock<Pair> = LazyLock::new(|| {
    Pair::new(
        &[
            "continue with",
            "already have",
            "have an",
            "have a",
            "join",
            "with your",
            "use your",
            "private",
            "only members",
            "not a member",
            "アカウントで",
            "メンバーだけ",
            "メンバーのみ",
            "会員だけ",
            "会員のみ",
            "関係者",
            "利用者のみ",
            "招待された",
            "メンバー以外",
            "メンバーの方",
            "会員以外",
            "you need",
            "ask for",
            "request",
            "switch to",
        ],
        &[
            "account",
            "google",
            "microsoft",
            "apple",
            "to connect",
            "access",
            "credentials",
            "member",
            "password",
            "続け",
            "見られ",
            "入室",
            "ご覧",
            "閲覧",
            "限定",
            "専用",
            "公開",
        ],
        40,
    )
});

/// Wait until it is your turn.
pub(super) static WAIT_IN_LINE: LazyLock<Pair> = LazyLock::new(|| {
    Pair::new(
        &[
            "your turn",
            "in line",
            "in the queue",
            "your place",
            "waiting room",
            "ahead of you",
            "順番",
            "待ち人数",
            "待ち時間",
            "多くの方が",
            "アクセスが集中",
            "混み合",
            "混雑",
        ],
        &[
            "automatically",
            "estimated",
            "refresh",
            "close this",
            "minutes",
            "let you in",
            "自動的",
            "予想",
            "お待ち",
            "切り替わ",
            "ご案内",
            "約",
        ],
        90,
    )
});

/// Say where you study or work: the front of a login that others keep.
pub(super) static CHOOSE_INSTITUTION: LazyLock<Pair> = LazyLock::new(|| {
    Pair::new(
        &[
            "access through",
            "access via",
            "sign in through",
            "sign in via",
            "log in through",
            "log in via",
            "login via",
            "find your",
            "select your",
            "choose your",
            "search for your",
            "選択",
            "選んで",
            "検索",
        ],
        &[
            "institution",
            "university",
            "organisation",
            "organization",
            "identity provider",
            "所属機関",
            "ご所属",
            "大学",
        ],
        40,
    )
});

/// Buy the rest: the text breaks off, and what follows is a price. The two stand in lines of their own.
pub(super) static BUY_THE_REST: LazyLock<Pair> = LazyLock::new(|| {
    Pair::new(
        &[
            "ここから先",
            "この先は",
            "この続き",
            "続きをみる",
            "続きを見る",
            "続きを読む",
            "続きをお読み",
            "全文を読む",
            "continue reading",
            "keep reading",
            "read the rest",
            "read the full",
            "the rest of this",
            "full access",
            "unlimited access",
            "unlock",
            "get access",
            "membership",
            "subscription",
            "finish this",
            "finish reading",
            "プラン",
            "会員",
            "weiterlesen",
            "la suite",
        ],
        &[
            "購入",
            "月額",
            "税込",
            "purchase",
            "buy this",
            "a month",
            "per month",
            "/month",
            "a week",
            "per week",
            "cancel any",
            " euro",
            "im monat",
            "par mois",
        ],
        90,
    )
    .in_order()
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
            "すべての記事",
            "全ての記事",
            "全記事",
            "finish this",
            "finish reading",
            "the rest of",
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
            "プラン",
            "プレミアム",
            "申し込",
            "membership",
            "a member",
        ],
        60,
    )
});
