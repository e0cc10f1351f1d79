//! Pages that ask for a person: logins, challenges, payment.
//!
//! What a gate leaves on a page is listed in [`signs`]; this module decides how much of it is enough. A gate that is
//! missed loses its page without a word, a false one costs a person a look: so one clear mark is
//! enough where the page says little. A page that says much is no gate, whatever it embeds or
//! writes about, unless the server itself says so.

#[cfg(test)]
mod cases;
mod payment;
mod phrases;
mod signs;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use text::word_list::{self, WordList, WordSet};

use self::phrases::PHRASES;
use self::signs::{Search, Sign, SignPlace, Weight};
use crate::settings::ReadSettings;
use crate::view::PageView;

/// Why a page cannot be read without a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    pub kind: GateKind,
    /// Whose gate it is, where it can be told: `cloudflare`, `hcaptcha` ...
    pub vendor: Option<String>,
    /// What gave it away.
    pub signs: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateKind {
    Login,
    Challenge,
    Paywall,
}

/// Words outside links, and words in all, up to which a page says little: the wordiest challenges
/// explain themselves in about 150 words, and carry the menu and the foot of their site.
fn little(options: &ReadSettings) -> Amount {
    Amount::of(options.challenge_max_words, options.challenge_max_all_words)
}

/// Login pages explain more: rules of use, help, other ways to sign in.
fn login(options: &ReadSettings) -> Amount {
    Amount::of(options.login_max_words, options.login_max_all_words)
}

/// As [`little`], for a page that was not refused and only speaks of a challenge: articles do that too.
const TOLD: Amount = Amount { own: 150.0, all: 350.0 };
/// Up to which it says next to nothing.
const BARE: Amount = Amount { own: 60.0, all: 200.0 };
/// A page without a password field has to be shorter to be the way to one.
const LOGIN_WITHOUT_FIELD: Amount = Amount { own: 160.0, all: 700.0 };
/// Up to which a page that asks to wait says nothing else.
const WAITING_WORDS: f32 = 40.0;
/// Sentences of its own that an ordinary page with a login form at its top may have.
const ORDINARY_PROSE: f32 = 40.0;

#[derive(Debug, Clone, Copy)]
struct Amount {
    own: f32,
    all: f32,
}

impl Amount {
    fn of(own: usize, all: usize) -> Self {
        Self { own: own as f32, all: all as f32 }
    }

    fn holds(self, view: &PageView<'_>) -> bool {
        let shape = &view.shape;
        shape.words - shape.link_words <= self.own && shape.words <= self.all
    }
}

/// Tells whether a page asks for a person, and by what.
pub(crate) fn gate(view: &PageView<'_>) -> Option<Gate> {
    let mut found = FoundSigns { view, signs: signs::find(view, search(view)) };
    let challenge = found.challenge();
    if let Some((gate, true)) = challenge {
        return Some(gate);
    }
    let asks = found.login();
    if let Some((gate, true)) = asks {
        return Some(gate);
    }
    if search(view) == Search::Page && payment::asks_for_source(view, &found.signs) {
        found.signs = signs::find(view, Search::Source);
    }
    payment::paywall(view, &found.signs)
        .or_else(|| asks.map(|it| it.0))
        .or_else(|| challenge.map(|it| it.0))
}

/// How far to search: a page that says much is made a gate by nothing but the server's own word, and
/// what only markup tells makes none but challenges and logins, which say little.
fn search(view: &PageView<'_>) -> Search {
    let says_little = login(view.options).holds(view) || little(view.options).holds(view);
    match (says_little, payment::may_be_teaser(view)) {
        (true, _) => Search::Source,
        (false, true) if refuses(view.status) => Search::Source,
        (false, true) => Search::Page,
        (false, false) => Search::Headers,
    }
}

/// Codes by which a server refuses a machine and may let a person in. 202 is how one vendor answers
/// while it looks at the browser.
fn refuses(status: Option<u16>) -> bool {
    matches!(status, Some(202 | 401 | 403 | 405 | 406 | 407 | 418 | 429 | 503 | 999))
}

struct FoundSigns<'a> {
    view: &'a PageView<'a>,
    signs: Vec<&'static Sign>,
}

impl FoundSigns<'_> {
    fn of(&self, kind: GateKind) -> impl Iterator<Item = &'static Sign> {
        self.signs.iter().copied().filter(move |it| it.kind == kind)
    }

    /// A challenge, and whether a mark says so by itself.
    fn challenge(&self) -> Option<(Gate, bool)> {
        let kind = GateKind::Challenge;
        let shape = &self.view.shape;
        let refused = refuses(self.view.status);
        let little = little(self.view.options).holds(self.view);
        let asks_more = shape.password_fields > 0 || shape.text_fields > 1;
        let bare = BARE.holds(self.view) && !asks_more;
        let told = refused || TOLD.holds(self.view) && !asks_more;
        let spoken = |it: &Sign| matches!(it.place, SignPlace::Text | SignPlace::Title);
        let enough = |it: &Sign| it.weight == Weight::Little && (told || !spoken(it));
        let count = |weight| self.of(kind).filter(|it| it.weight == weight).count();
        let clear = count(Weight::Alone) > 0
            || little && (self.of(kind).any(enough) || refused && count(Weight::Refused) > 0);
        if self.says_when_to_come_back() && count(Weight::Alone) == 0 {
            return None;
        }
        let mut words = Vec::new();
        if !clear
            && little
            && told
            && let Some(phrase) = PHRASES.prove_human.find(self.view.visible)
        {
            words.push(format!("the text says “{phrase}”"));
        }
        if !clear
            && bare
            && let Some(phrase) = PHRASES.wait_in_line.find_across(self.view.visible)
        {
            words.push(format!("the text says “{}”", phrase.replace('\n', " / ")));
        }
        if !clear && bare && self.waits_for_script() {
            words.push("it asks to wait and leaves the rest to a script".to_owned());
        }
        if !clear && little && self.is_unexplained_refusal() {
            words.push("nothing on it says why it was refused".to_owned());
        }
        let hints = count(Weight::Hint) + count(Weight::Bare);
        let hinted = !words.is_empty()
            || bare && count(Weight::Bare) > 0
            || little && refused && hints > 0
            || little && !asks_more && self.different_hints(kind) > 1;
        (clear || hinted).then(|| (self.say(kind, words), clear))
    }

    /// A page of one short line that asks to wait: what comes next is decided by a script of its own.
    fn waits_for_script(&self) -> bool {
        let shape = &self.view.shape;
        let said = format!("{}\n{}", self.view.title, self.view.visible).to_lowercase();
        shape.words <= WAITING_WORDS
            && shape.prose_blocks == 0
            && shape.scripts > 0
            && LOGIN_PAGES.waits.any_in(&said)
    }

    /// A refusal that is not the plain page of a web server: most are guards without a name.
    fn is_unexplained_refusal(&self) -> bool {
        let visible = self.view.visible.to_lowercase();
        let plain = ["forbidden", "permission to access this resource", "禁止"];
        matches!(self.view.status, Some(403 | 429 | 999))
            && !plain.iter().any(|it| visible.contains(it))
    }

    /// A server that says when to come back wants fewer requests, not a person.
    fn says_when_to_come_back(&self) -> bool {
        self.view.status == Some(429) && self.view.headers.iter().any(|it| it.0 == "retry-after")
    }

    /// Hints of different places: a widget and the script that draws it say the same thing.
    fn different_hints(&self, kind: GateKind) -> usize {
        let hints = self.of(kind).filter(|it| it.weight == Weight::Hint);
        let (drawn, others): (Vec<&Sign>, Vec<&Sign>) = hints.partition(|it| {
            matches!(it.place, SignPlace::Load | SignPlace::Source | SignPlace::Widget)
        });
        others.len() + usize::from(!drawn.is_empty())
    }

    /// A login, and whether the page calls itself one.
    fn login(&self) -> Option<(Gate, bool)> {
        let kind = GateKind::Login;
        let view = self.view;
        let mut words = Vec::new();
        let chooses = |text| {
            let asks = view.shape.text_fields > 0 || self.names_itself(&mut Vec::new());
            asks.then(|| PHRASES.choose_institution.find(text)).flatten()
        };
        let bare = || BARE.holds(view).then(|| PHRASES.use_account.find(view.visible)).flatten();
        let asked = LOGIN_WITHOUT_FIELD
            .holds(view)
            .then(|| {
                PHRASES.sign_in.find(view.visible).or_else(|| chooses(view.visible)).or_else(bare)
            })
            .flatten()
            .map(|phrase| words.push(format!("the text says “{phrase}”")))
            .is_some();
        let has_field = view.shape.password_fields > 0;
        if has_field {
            words.push("it asks for a password".to_owned());
        }
        if let Some(status @ (401 | 407)) = view.status {
            words.push(format!("the server answered {status}"));
            return Some((self.say(kind, words), true));
        }
        let named = self.names_itself(&mut words);
        let count = |weight| self.of(kind).filter(|it| it.weight == weight).count();
        let says = asked || count(Weight::Little) > 0;
        let hints = count(Weight::Hint);
        if count(Weight::Alone) > 0 {
            return Some((self.say(kind, words), true));
        }
        let with_field = has_field
            && login(view.options).holds(view)
            && (named || says || hints > 0 || BARE.holds(view))
            && (named || view.shape.prose_words <= ORDINARY_PROSE || says && hints > 0);
        let without = LOGIN_WITHOUT_FIELD.holds(view)
            && (says
                || named
                    && (view.shape.text_fields > 0
                        || refuses(view.status)
                        || BARE.holds(view)
                        || hints > 0));
        (with_field || without).then(|| (self.say(kind, words), named && has_field))
    }

    /// Whether the title, the address or the place the page sends its reader to is a login's.
    fn names_itself(&self, words: &mut Vec<String>) -> bool {
        let before = words.len();
        if let Some(part) = login_title(self.view.title) {
            words.push(format!("the title says “{part}”"));
        }
        if let Some(part) = self.view.url.and_then(|it| login_path(it.path())) {
            words.push(format!("its address holds /{part}"));
        }
        if let Some(part) = self.view.shape.refresh.as_deref().and_then(login_path) {
            words.push(format!("it sends the reader to /{part}"));
        }
        if BARE.holds(self.view)
            && let Some(part) = scripted_login(self.view.source)
        {
            words.push(format!("a script sends the reader to /{part}"));
        }
        words.len() > before
    }

    fn say(&self, kind: GateKind, words: Vec<String>) -> Gate {
        say(kind, &self.signs, self.view.status, words)
    }
}

/// Marks named in one gate; a long list says no more than its head.
const NAMED_SIGNS: usize = 8;

fn say(kind: GateKind, signs: &[&'static Sign], status: Option<u16>, words: Vec<String>) -> Gate {
    let own = || signs.iter().filter(|it| it.kind == kind);
    // The clearest mark that has a name names the gate.
    let rank = |sign: &Sign| match sign.weight {
        Weight::Alone => 0,
        Weight::Little => 1,
        Weight::Refused => 2,
        Weight::Bare => 3,
        Weight::Hint => 4,
        Weight::Vendor => 5,
    };
    let vendor = own().filter(|it| !it.vendor.is_empty()).min_by_key(|it| rank(it));
    let mut said: Vec<String> = words;
    if let Some(status) = status.filter(|it| refuses(Some(*it)) && !matches!(it, 401 | 407)) {
        said.push(format!("the server answered {status}"));
    }
    said.extend(own().map(|it| it.words()));
    said.truncate(NAMED_SIGNS);
    Gate { kind, vendor: vendor.map(|it| it.vendor.to_owned()), signs: said }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoginPages {
    titles: WordSet,
    title_starts: WordList,
    title_ends: WordList,
    paths: WordSet,
    /// What a page says that waits for a script.
    waits: WordList,
}

static LOGIN_PAGES: LazyLock<LoginPages> =
    LazyLock::new(|| word_list::read(include_str!("../data/login_pages.toml")));

/// The part of a title that is the name of a login page.
fn login_title(title: &str) -> Option<&str> {
    /// Longer parts are sentences, and sentences write about logins.
    const LONGEST: usize = 40;
    let parts = title.split(['|', '–', '—', ':', '：', '·', '•', '｜', '»', '/']);
    parts.flat_map(|it| it.split(" - ")).map(str::trim).find(|part| {
        if part.chars().count() > LONGEST {
            return false;
        }
        let lower = part.to_lowercase();
        LOGIN_PAGES.titles.contains(&lower)
            || LOGIN_PAGES.title_starts.any_starts(&lower)
            || LOGIN_PAGES.title_ends.any_ends(&lower)
    })
}

/// The part of a path that is the name of a login page.
fn login_path(path: &str) -> Option<&str> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.split('/').find(|part| {
        let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
        LOGIN_PAGES.paths.contains(&stem)
    })
}

/// Where a script of a nearly empty page sends its reader, if that is a login.
fn scripted_login(source: &str) -> Option<&str> {
    const LONGEST: usize = 300;
    let sends =
        ["location.href", "location.replace", "location.assign", "window.location", "location ="];
    sends.iter().find_map(|command| {
        let after = source.get(source.find(command)? + command.len()..)?;
        let quote = after.find(['"', '\'']).filter(|it| *it < 20)?;
        let target = &after[quote + 1..];
        let end = target.find(['"', '\'']).filter(|it| *it < LONGEST)?;
        login_path(&target[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn login_pages_are_told_by_title_and_address() {
        for word in word_list::words_in(include_str!("../data/login_pages.toml")).unwrap() {
            assert_eq!(word, word.to_lowercase());
        }
        assert_eq!(login_title("Sign in | Example"), Some("Sign in"));
        assert_eq!(login_title("Log in to Example"), Some("Log in to Example"));
        assert_eq!(login_title("会員ログイン"), Some("会員ログイン"));
        assert_eq!(login_title("Logins of the world"), None);
        assert_eq!(login_path("/a/Login.php?x=1"), Some("Login.php"));
        assert_eq!(login_path("/a/logins"), None);
    }
}
