//! The marks that gates leave: in headers, in titles, in what they say, load and draw.
//!
//! One row a mark. Marks are compared without regard to case, `’` is read as `'`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::GateKind::{self, Challenge, Login, Paywall};
use crate::view::PageView;

/// How much a mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// A gate, whatever else the page holds.
    Alone,
    /// A gate where the page says little.
    Little,
    /// A gate where the page says little and the server refused it.
    Refused,
    /// A gate where the page says next to nothing and asks for nothing else.
    Bare,
    /// Two of these, or one and a refusal, are a gate where the page says little.
    Hint,
    /// Only tells whose gate it is.
    Vendor,
}

/// Where a mark is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A header of this name.
    Header(&'static str),
    /// The start of a `set-cookie` header.
    Cookie,
    Title,
    Text,
    /// Markup and scripts.
    Source,
    /// Addresses of scripts, frames and forms, and where the page sends its reader.
    Load,
    Widget,
    /// The address of the page itself.
    Address,
}

#[derive(Debug)]
pub(super) struct Sign {
    pub(super) kind: GateKind,
    /// Empty where anybody's page may say so.
    pub(super) vendor: &'static str,
    pub(super) place: Place,
    pub(super) weight: Weight,
    pub(super) mark: &'static str,
}

impl Sign {
    pub(super) fn words(&self) -> String {
        let mark = self.mark;
        match self.place {
            Place::Header(name) if mark.is_empty() => format!("it has the header {name}"),
            Place::Header(name) => format!("the header {name} says “{mark}”"),
            Place::Cookie => format!("it sets the cookie {mark}"),
            Place::Title => format!("the title says “{mark}”"),
            Place::Text => format!("the text says “{mark}”"),
            Place::Source => format!("the markup holds {mark}"),
            Place::Load => format!("it loads {mark}"),
            Place::Widget => format!("it draws a widget {mark}"),
            Place::Address => format!("its address holds {mark}"),
        }
    }
}

/// How much of a page is searched for marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Search {
    /// Only what came with it.
    Headers,
    /// What it says, loads and draws as well.
    Page,
    /// And its markup, which is ten times as long.
    Source,
}

/// Every mark of the table that is found.
pub(super) fn find(view: &PageView<'_>, search: Search) -> Vec<&'static Sign> {
    let mut found = vec![false; SIGNS.len()];
    if search >= Search::Page {
        find_on_page(view, &mut found);
    }
    if search == Search::Source {
        FINDERS.source.mark(view.source, &mut found);
    }
    for (index, sign) in SIGNS.iter().enumerate() {
        let in_header = |name: &str, test: &dyn Fn(&str) -> bool| {
            view.headers.iter().any(|it| it.0 == name && test(&it.1.to_ascii_lowercase()))
        };
        found[index] |= match sign.place {
            Place::Header(name) => in_header(name, &|it| it.contains(sign.mark)),
            Place::Cookie => in_header("set-cookie", &|it| it.starts_with(sign.mark)),
            _ => false,
        };
    }
    SIGNS.iter().zip(found).filter(|it| it.1).map(|it| it.0).collect()
}

fn find_on_page(view: &PageView<'_>, found: &mut [bool]) {
    let finders = &*FINDERS;
    finders.title.mark(&plain(view.title), found);
    finders.text.mark(&plain(view.visible), found);
    if let Some(url) = view.url {
        finders.address.mark(url.as_str(), found);
    }
    let shape = &view.shape;
    let loads = shape.script_urls.iter().chain(&shape.frames).chain(&shape.forms);
    for address in loads.chain(&shape.refresh) {
        finders.load.mark(address, found);
    }
    for widget in &shape.widgets {
        finders.widget.mark(widget, found);
    }
}

fn plain(text: &str) -> String {
    text.replace('’', "'")
}

/// Looks for all marks of one place at once.
struct Finder {
    automaton: AhoCorasick,
    signs: Vec<usize>,
}

impl Finder {
    fn of(place: Place) -> Self {
        let rows = || SIGNS.iter().enumerate().filter(|it| it.1.place == place);
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(rows().map(|it| it.1.mark))
            .expect("a fixed table of marks makes an automaton");
        Self { automaton, signs: rows().map(|it| it.0).collect() }
    }

    fn mark(&self, text: &str, found: &mut [bool]) {
        for hit in self.automaton.find_overlapping_iter(text) {
            found[self.signs[hit.pattern().as_usize()]] = true;
        }
    }
}

struct Finders {
    title: Finder,
    text: Finder,
    source: Finder,
    load: Finder,
    widget: Finder,
    address: Finder,
}

static FINDERS: LazyLock<Finders> = LazyLock::new(|| Finders {
    title: Finder::of(Place::Title),
    text: Finder::of(Place::Text),
    source: Finder::of(Place::Source),
    load: Finder::of(Place::Load),
    widget: Finder::of(Place::Widget),
    address: Finder::of(Place::Address),
});

/// One row of the table.
const fn row(
    kind: GateKind,
    vendor: &'static str,
    place: Place,
    weight: Weight,
    mark: &'static str,
) -> Sign {
    Sign { kind, vendor, place, weight, mark }
}

#[rustfmt::skip]
const SIGNS: &[Sign] = {
    use Place::{Address, Cookie, Header, Load, Source, Text, Title, Widget};
    use Weight::{Alone, Bare, Hint, Little, Refused, Vendor};
    &[
        // Cloudflare, Turnstile among it.
        row(Challenge, "cloudflare", Header("cf-mitigated"), Alone, "challenge"),
        row(Challenge, "cloudflare", Title, Little, "just a moment..."),
        row(Challenge, "cloudflare", Title, Little, "attention required! | cloudflare"),
        row(Challenge, "cloudflare", Title, Little, "しばらくお待ちください..."),
        row(Challenge, "cloudflare", Source, Little, "_cf_chl_opt"),
        row(Challenge, "cloudflare", Source, Little, "cf-chl-bypass"),
        row(Challenge, "cloudflare", Source, Little, "__cf_chl_"),
        row(Challenge, "cloudflare", Source, Hint, "cf-chl-"),
        row(Challenge, "cloudflare", Source, Little, "cf-browser-verification"),
        row(Challenge, "cloudflare", Source, Little, "/cdn-cgi/challenge-platform/h/"),
        row(Challenge, "cloudflare", Source, Hint, "/cdn-cgi/challenge-platform/"),
        row(Challenge, "cloudflare", Text, Little, "checking if the site connection is secure"),
        row(Challenge, "cloudflare", Text, Little, "needs to review the security of your connection"),
        row(Challenge, "", Text, Little, "checking your browser before accessing"),
        row(Challenge, "cloudflare", Text, Little, "performance & security by cloudflare"),
        row(Challenge, "cloudflare", Text, Little, "サイト接続が安全かどうかを確認しています"),
        row(Challenge, "cloudflare", Text, Little, "接続のセキュリティを確認する必要があります"),
        row(Challenge, "cloudflare", Text, Hint, "cloudflare ray id"),
        row(Challenge, "cloudflare", Text, Hint, "ray id:"),
        row(Challenge, "cloudflare", Header("server"), Vendor, "cloudflare"),
        row(Challenge, "turnstile", Widget, Bare, "cf-turnstile"),
        row(Challenge, "turnstile", Load, Hint, "challenges.cloudflare.com/turnstile"),
        // Widgets of captchas, which stand in ordinary forms as well.
        row(Challenge, "hcaptcha", Widget, Bare, "h-captcha"),
        row(Challenge, "hcaptcha", Widget, Bare, "hcaptcha"),
        row(Challenge, "hcaptcha", Load, Hint, "hcaptcha.com/"),
        row(Challenge, "recaptcha", Widget, Bare, "g-recaptcha"),
        row(Challenge, "recaptcha", Load, Hint, "google.com/recaptcha"),
        row(Challenge, "recaptcha", Load, Hint, "recaptcha.net/recaptcha"),
        row(Challenge, "geetest", Widget, Bare, "geetest"),
        row(Challenge, "geetest", Source, Hint, "initgeetest"),
        row(Challenge, "geetest", Load, Hint, "geetest.com/"),
        row(Challenge, "arkose", Widget, Bare, "funcaptcha"),
        row(Challenge, "arkose", Load, Hint, "arkoselabs.com"),
        row(Challenge, "arkose", Load, Hint, "funcaptcha.com"),
        row(Challenge, "friendly_captcha", Widget, Bare, "frc-captcha"),
        row(Challenge, "altcha", Widget, Bare, "altcha"),
        row(Challenge, "yandex", Widget, Bare, "smartcaptcha"),
        row(Challenge, "yandex", Address, Little, "/showcaptcha"),
        row(Challenge, "", Widget, Bare, "captcha"),
        // PerimeterX, now HUMAN.
        row(Challenge, "perimeterx", Widget, Little, "px-captcha"),
        row(Challenge, "perimeterx", Source, Bare, "_pxappid"),
        row(Challenge, "perimeterx", Source, Little, "px-captcha"),
        row(Challenge, "perimeterx", Load, Little, "captcha.px-cdn.net"),
        row(Challenge, "perimeterx", Load, Little, "captcha.perimeterx.net"),
        row(Challenge, "perimeterx", Load, Hint, "px-cloud.net"),
        row(Challenge, "perimeterx", Text, Little, "press & hold to confirm you are"),
        row(Challenge, "perimeterx", Text, Little, "press and hold the button"),
        row(Challenge, "perimeterx", Title, Little, "access to this page has been denied"),
        row(Challenge, "perimeterx", Cookie, Refused, "_px"),
        row(Challenge, "perimeterx", Header("x-px-blocked"), Alone, "1"),
        // DataDome.
        row(Challenge, "datadome", Load, Little, "captcha-delivery.com"),
        row(Challenge, "datadome", Source, Little, "captcha-delivery.com"),
        row(Challenge, "datadome", Header("x-dd-b"), Alone, ""),
        row(Challenge, "datadome", Header("x-datadome"), Refused, ""),
        row(Challenge, "datadome", Cookie, Refused, "datadome="),
        // Akamai.
        row(Challenge, "akamai", Text, Little, "errors.edgesuite.net"),
        row(Challenge, "akamai", Source, Little, "errors.edgesuite.net"),
        row(Challenge, "akamai", Source, Little, "bm-verify"),
        row(Challenge, "akamai", Source, Little, "sec-if-cpt-container"),
        row(Challenge, "akamai", Source, Little, "sec-cpt-if"),
        row(Challenge, "akamai", Header("server"), Refused, "akamaighost"),
        row(Challenge, "akamai", Cookie, Refused, "_abck="),
        row(Challenge, "akamai", Cookie, Refused, "ak_bmsc="),
        // Imperva, once Incapsula.
        row(Challenge, "imperva", Source, Little, "_incapsula_resource?cwudnsai="),
        row(Challenge, "imperva", Source, Bare, "_incapsula_resource?swjiylwa="),
        row(Challenge, "imperva", Source, Hint, "_incapsula_resource"),
        row(Challenge, "imperva", Text, Little, "incapsula incident id"),
        row(Challenge, "imperva", Title, Little, "pardon our interruption"),
        row(Challenge, "imperva", Text, Little, "made us think you were a bot"),
        row(Challenge, "imperva", Header("x-iinfo"), Refused, ""),
        row(Challenge, "imperva", Cookie, Refused, "incap_ses_"),
        row(Challenge, "imperva", Cookie, Refused, "visid_incap_"),
        row(Challenge, "imperva", Cookie, Refused, "reese84="),
        // AWS WAF and CloudFront.
        row(Challenge, "aws_waf", Header("x-amzn-waf-action"), Alone, ""),
        row(Challenge, "aws_waf", Source, Little, "gokuprops"),
        row(Challenge, "aws_waf", Source, Little, "awswafcaptcha"),
        row(Challenge, "aws_waf", Load, Bare, "token.awswaf.com"),
        row(Challenge, "aws_waf", Load, Little, "captcha.awswaf.com"),
        row(Challenge, "cloudfront", Text, Little, "generated by cloudfront"),
        row(Challenge, "amazon", Load, Little, "/errors/validatecaptcha"),
        row(Challenge, "amazon", Text, Little, "enter the characters you see below"),
        row(Challenge, "amazon", Text, Little, "make sure you're not a robot"),
        // Kasada.
        row(Challenge, "kasada", Header("x-kpsdk-ct"), Refused, ""),
        row(Challenge, "kasada", Source, Bare, "window.kpsdk"),
        row(Challenge, "kasada", Source, Bare, "x-kpsdk-"),
        row(Challenge, "kasada", Load, Bare, "/149e9513-01fa-4fb0-aad4-566afd725d1b/"),
        row(Challenge, "kasada", Cookie, Refused, "kp_uidz"),
        // Sucuri, DDoS-Guard and others of their trade.
        row(Challenge, "sucuri", Source, Little, "sucuri_cloudproxy_js"),
        row(Challenge, "sucuri", Title, Little, "sucuri website firewall"),
        row(Challenge, "sucuri", Text, Little, "sucuri website firewall"),
        row(Challenge, "sucuri", Header("x-sucuri-id"), Refused, ""),
        row(Challenge, "ddos_guard", Title, Little, "ddos-guard"),
        row(Challenge, "ddos_guard", Source, Little, "/.well-known/ddos-guard/"),
        row(Challenge, "ddos_guard", Header("server"), Refused, "ddos-guard"),
        row(Challenge, "ddos_guard", Text, Little, "ddos protection by ddos-guard"),
        row(Challenge, "vercel", Title, Little, "vercel security checkpoint"),
        row(Challenge, "vercel", Header("x-vercel-mitigated"), Alone, "challenge"),
        row(Challenge, "anubis", Title, Little, "making sure you're not a bot"),
        row(Challenge, "anubis", Source, Little, "/.within.website/x/cmd/anubis"),
        row(Challenge, "wordfence", Text, Little, "generated by wordfence"),
        row(Challenge, "f5", Text, Little, "please consult with your administrator. your support id is"),
        row(Challenge, "f5", Text, Little, "the requested url was rejected"),
        row(Challenge, "radware", Load, Little, "perfdrive.com"),
        row(Challenge, "radware", Source, Little, "validate.perfdrive.com"),
        row(Challenge, "queue_it", Address, Little, ".queue-it.net/"),
        row(Challenge, "queue_it", Source, Hint, "queue-it.net"),
        row(Challenge, "queue_it", Text, Little, "you are now in line"),
        row(Challenge, "alibaba", Source, Little, "_____tmd_____/punish"),
        row(Challenge, "alibaba", Load, Little, "_____tmd_____/punish"),
        row(Challenge, "baidu", Title, Little, "百度安全验证"),
        // Engines that think they are asked by a machine.
        row(Challenge, "google", Text, Little, "unusual traffic from your computer network"),
        row(Challenge, "google", Text, Little, "通常と異なるトラフィックが検出されました"),
        row(Challenge, "google", Address, Little, "google.com/sorry/"),
        row(Challenge, "google", Load, Little, "/sorry/index"),
        row(Challenge, "bing", Text, Little, "one last step"),
        row(Challenge, "bing", Source, Little, "/turing/captcha"),
        row(Challenge, "duckduckgo", Text, Little, "bots use duckduckgo too"),
        row(Challenge, "duckduckgo", Source, Little, "anomaly-modal"),
        row(Challenge, "duckduckgo", Load, Little, "/anomaly.js"),
        // What any challenge may say.
        row(Challenge, "", Text, Little, "verify you are human"),
        row(Challenge, "", Text, Little, "verify that you are human"),
        row(Challenge, "", Text, Little, "verifying you are human"),
        row(Challenge, "", Text, Little, "verify you're human"),
        row(Challenge, "", Text, Little, "confirm you are human"),
        row(Challenge, "", Text, Little, "confirm that you are human"),
        row(Challenge, "", Text, Little, "prove you are human"),
        row(Challenge, "", Text, Little, "prove that you are human"),
        row(Challenge, "", Text, Little, "are you a robot?"),
        row(Challenge, "", Text, Little, "are you human?"),
        row(Challenge, "", Text, Little, "you are not a robot"),
        row(Challenge, "", Text, Little, "you're not a robot"),
        row(Challenge, "", Text, Little, "i'm not a robot"),
        row(Challenge, "", Text, Little, "i am not a robot"),
        row(Challenge, "", Text, Little, "complete the captcha"),
        row(Challenge, "", Text, Little, "solve the captcha"),
        row(Challenge, "", Text, Little, "complete the security check"),
        row(Challenge, "", Text, Little, "automated access to"),
        row(Challenge, "", Text, Little, "automated requests"),
        row(Challenge, "", Text, Little, "unusual activity from your"),
        row(Challenge, "", Text, Little, "suspicious activity"),
        row(Challenge, "", Text, Little, "detected unusual traffic"),
        row(Challenge, "", Text, Little, "sorry, you have been blocked"),
        row(Challenge, "", Text, Hint, "your ip address"),
        row(Challenge, "", Text, Hint, "enable javascript and cookies to continue"),
        row(Challenge, "", Text, Hint, "security check"),
        row(Challenge, "", Text, Hint, "request blocked"),
        row(Challenge, "", Text, Refused, "access denied"),
        row(Challenge, "", Text, Refused, "too many requests"),
        row(Challenge, "", Text, Refused, "rate limit"),
        row(Challenge, "", Text, Refused, "captcha"),
        row(Challenge, "", Title, Hint, "access denied"),
        row(Challenge, "", Title, Hint, "security check"),
        row(Challenge, "", Title, Hint, "robot check"),
        row(Challenge, "", Title, Hint, "captcha"),
        row(Challenge, "", Title, Hint, "ddos protection"),
        row(Challenge, "", Text, Little, "ロボットではありません"),
        row(Challenge, "", Text, Little, "ロボットではないことを確認"),
        row(Challenge, "", Text, Little, "ロボットでないことを"),
        row(Challenge, "", Text, Little, "人間であることを確認"),
        row(Challenge, "", Text, Little, "人間であることを証明"),
        row(Challenge, "", Text, Little, "あなたが人間であること"),
        row(Challenge, "", Text, Little, "画像認証"),
        row(Challenge, "", Text, Little, "画像に表示されている文字"),
        row(Challenge, "", Text, Little, "画像に表示された文字"),
        row(Challenge, "", Text, Little, "セキュリティ認証"),
        row(Challenge, "", Text, Little, "セキュリティチェックを完了"),
        row(Challenge, "", Text, Little, "不正なアクセスを検"),
        row(Challenge, "", Text, Little, "不正アクセスの可能性"),
        row(Challenge, "", Text, Little, "不正なアクセスと判断"),
        row(Challenge, "", Text, Little, "不正なアクセスです"),
        row(Challenge, "", Text, Little, "自動化されたアクセス"),
        row(Challenge, "", Text, Little, "機械的なアクセス"),
        row(Challenge, "", Text, Little, "ただいまアクセスが集中"),
        row(Challenge, "", Text, Little, "現在アクセスが集中"),
        row(Challenge, "", Text, Little, "アクセスが集中しており"),
        row(Challenge, "", Text, Little, "アクセスが集中しているため"),
        row(Challenge, "", Text, Little, "アクセスを制限しています"),
        row(Challenge, "", Text, Little, "アクセスが制限されています"),
        row(Challenge, "", Text, Little, "アクセスを一時的に制限"),
        row(Challenge, "", Text, Little, "アクセスを制限させて"),
        row(Challenge, "", Text, Hint, "しばらく時間をおいて"),
        row(Challenge, "", Title, Hint, "アクセス制限"),
        row(Challenge, "", Title, Hint, "アクセスが集中"),
        row(Challenge, "", Text, Little, "请完成安全验证"),
        row(Challenge, "", Text, Little, "请输入验证码"),
        row(Challenge, "", Text, Little, "confirme que vous êtes humain"),
        row(Challenge, "", Text, Little, "vous n'êtes pas un robot"),
        row(Challenge, "", Text, Little, "dass sie kein roboter sind"),
        row(Challenge, "", Text, Little, "no eres un robot"),
        // Single sign-on.
        row(Login, "okta", Address, Little, ".okta.com/"),
        row(Login, "okta", Load, Little, "oktacdn.com"),
        row(Login, "okta", Source, Little, "okta-sign-in"),
        row(Login, "okta", Source, Little, "okta-signin"),
        row(Login, "azure_ad", Address, Little, "login.microsoftonline.com"),
        row(Login, "azure_ad", Load, Little, "login.microsoftonline.com"),
        row(Login, "azure_ad", Source, Little, "aadcdn.ms"),
        row(Login, "azure_ad", Address, Little, "/adfs/ls"),
        row(Login, "azure_ad", Load, Little, "/adfs/ls"),
        row(Login, "gakunin", Address, Little, "gakunin.nii.ac.jp"),
        row(Login, "gakunin", Load, Little, "gakunin.nii.ac.jp"),
        row(Login, "gakunin", Text, Little, "学認"),
        row(Login, "gakunin", Text, Little, "gakunin"),
        row(Login, "gakunin", Text, Hint, "所属機関の選択"),
        row(Login, "shibboleth", Address, Little, "/idp/profile/"),
        row(Login, "shibboleth", Load, Little, "/idp/profile/"),
        row(Login, "shibboleth", Load, Little, "/shibboleth.sso/"),
        row(Login, "shibboleth", Address, Little, "/shibboleth.sso/"),
        row(Login, "openathens", Address, Little, "openathens.net"),
        row(Login, "openathens", Load, Little, "openathens.net"),
        row(Login, "openathens", Text, Hint, "openathens"),
        row(Login, "cas", Address, Little, "/cas/login"),
        row(Login, "google", Address, Little, "accounts.google.com"),
        row(Login, "auth0", Address, Little, ".auth0.com/"),
        row(Login, "auth0", Load, Little, "cdn.auth0.com"),
        row(Login, "keycloak", Address, Little, "/protocol/openid-connect/auth"),
        row(Login, "keycloak", Source, Little, "kc-form-login"),
        row(Login, "saml", Source, Little, "name=\"samlrequest\""),
        row(Login, "linkedin", Address, Little, "linkedin.com/authwall"),
        row(Login, "linkedin", Load, Little, "/authwall"),
        row(Login, "facebook", Address, Little, "facebook.com/login"),
        row(Login, "instagram", Address, Little, "instagram.com/accounts/login"),
        // What a login wall says.
        row(Login, "", Header("www-authenticate"), Alone, ""),
        row(Login, "", Text, Little, "please log in to continue"),
        row(Login, "", Text, Little, "please login to continue"),
        row(Login, "", Text, Little, "please sign in to continue"),
        row(Login, "", Text, Little, "sign in to continue"),
        row(Login, "", Text, Little, "log in to continue"),
        row(Login, "", Text, Little, "you must log in"),
        row(Login, "", Text, Little, "you need to log in"),
        row(Login, "", Text, Little, "you need to sign in"),
        row(Login, "", Text, Little, "you must sign in"),
        row(Login, "", Text, Little, "logged in to view"),
        row(Login, "", Text, Little, "logged in to access"),
        row(Login, "", Text, Little, "logged in to see"),
        row(Login, "", Text, Little, "logged in to read"),
        row(Login, "", Text, Little, "log in to view"),
        row(Login, "", Text, Little, "log in to see"),
        row(Login, "", Text, Little, "log in or sign up to view"),
        row(Login, "", Text, Little, "log in or sign up to see"),
        row(Login, "", Text, Little, "sign in to view"),
        row(Login, "", Text, Little, "sign in to see"),
        row(Login, "", Text, Little, "sign in to access"),
        row(Login, "", Text, Little, "login required"),
        row(Login, "", Text, Little, "authentication required"),
        row(Login, "", Text, Little, "only available to registered"),
        row(Login, "", Text, Little, "restricted to registered"),
        row(Login, "", Text, Little, "restricted to members"),
        row(Login, "", Text, Little, "your session has expired"),
        row(Login, "", Text, Hint, "members only"),
        row(Login, "", Text, Hint, "forgot your password"),
        row(Login, "", Text, Hint, "forgot password"),
        row(Login, "", Text, Little, "ログインしてください"),
        row(Login, "", Text, Little, "ログインして下さい"),
        row(Login, "", Text, Little, "ログインが必要です"),
        row(Login, "", Text, Little, "ログインが必要なページ"),
        row(Login, "", Text, Little, "ログインすると閲覧"),
        row(Login, "", Text, Little, "ログイン後にご覧"),
        row(Login, "", Text, Little, "サインインしてください"),
        row(Login, "", Text, Little, "会員登録が必要です"),
        row(Login, "", Text, Little, "会員登録(無料)が必要"),
        row(Login, "", Text, Little, "会員登録（無料）が必要"),
        row(Login, "", Text, Little, "会員専用ページ"),
        row(Login, "", Text, Little, "会員の方のみ"),
        row(Login, "", Text, Little, "セッションの有効期限が切れ"),
        row(Login, "", Text, Little, "セッションがタイムアウト"),
        row(Login, "", Text, Hint, "会員登録"),
        row(Login, "", Text, Hint, "パスワードをお忘れ"),
        row(Login, "", Text, Hint, "パスワードを忘れた"),
        // Payment: whose.
        row(Paywall, "piano", Load, Vendor, "tinypass.com"),
        row(Paywall, "piano", Load, Vendor, "piano.io"),
        row(Paywall, "piano", Source, Vendor, "tinypass.com"),
        row(Paywall, "piano", Source, Vendor, "piano.io/"),
        row(Paywall, "poool", Load, Vendor, "poool.fr"),
        row(Paywall, "poool", Load, Vendor, "poool.tech"),
        row(Paywall, "poool", Source, Vendor, "poool-widget"),
        row(Paywall, "zephr", Load, Vendor, "zephr"),
        row(Paywall, "zephr", Source, Vendor, "zephr-"),
        row(Paywall, "pelcro", Load, Vendor, "pelcro.com"),
        row(Paywall, "leaky_paywall", Source, Vendor, "leaky_paywall"),
        row(Paywall, "leaky_paywall", Source, Vendor, "leaky-paywall"),
        row(Paywall, "google_swg", Load, Vendor, "news.google.com/swg/"),
        row(Paywall, "substack", Load, Vendor, "substackcdn.com"),
        row(Paywall, "substack", Text, Little, "this post is for paid subscribers"),
        row(Paywall, "medium", Text, Little, "read the full story with a free account"),
        row(Paywall, "medium", Text, Little, "the author made this story available to medium members only"),
        row(Paywall, "note", Text, Little, "この続きをみるには"),
        // What a paywall says.
        row(Paywall, "", Text, Little, "subscribe to continue reading"),
        row(Paywall, "", Text, Little, "subscribe to keep reading"),
        row(Paywall, "", Text, Little, "subscribe to read the full"),
        row(Paywall, "", Text, Little, "subscribe to read this"),
        row(Paywall, "", Text, Little, "subscribe to unlock"),
        row(Paywall, "", Text, Little, "subscribe now to read"),
        row(Paywall, "", Text, Little, "to continue reading, subscribe"),
        row(Paywall, "", Text, Little, "to read the full story, subscribe"),
        row(Paywall, "", Text, Little, "to continue reading this article"),
        row(Paywall, "", Text, Little, "continue reading with a subscription"),
        row(Paywall, "", Text, Little, "this article is for subscribers"),
        row(Paywall, "", Text, Little, "this article is reserved for subscribers"),
        row(Paywall, "", Text, Little, "this content is for subscribers"),
        row(Paywall, "", Text, Little, "exclusive to subscribers"),
        row(Paywall, "", Text, Little, "for subscribers only"),
        row(Paywall, "", Text, Little, "subscriber-only"),
        row(Paywall, "", Text, Little, "subscriber exclusive"),
        row(Paywall, "", Text, Little, "reached your article limit"),
        row(Paywall, "", Text, Little, "reached your limit of free"),
        row(Paywall, "", Text, Little, "you have no free articles"),
        row(Paywall, "", Text, Little, "unlock this article"),
        row(Paywall, "", Text, Little, "this is a preview of subscription content"),
        row(Paywall, "", Text, Little, "purchase access to this article"),
        row(Paywall, "", Text, Hint, "already a subscriber"),
        row(Paywall, "", Text, Hint, "start your free trial"),
        row(Paywall, "", Text, Hint, "subscribe now"),
        row(Paywall, "", Text, Hint, "rent or buy this article"),
        row(Paywall, "", Text, Little, "有料会員限定"),
        row(Paywall, "", Text, Little, "有料会員になると"),
        row(Paywall, "", Text, Little, "有料会員の方のみ"),
        row(Paywall, "", Text, Little, "この記事は会員限定です"),
        row(Paywall, "", Text, Little, "この記事は会員限定記事"),
        row(Paywall, "", Text, Little, "会員限定記事です"),
        row(Paywall, "", Text, Little, "この記事は有料"),
        row(Paywall, "", Text, Little, "有料記事です"),
        row(Paywall, "", Text, Little, "続きを読むには"),
        row(Paywall, "", Text, Little, "続きをお読みいただくには"),
        row(Paywall, "", Text, Little, "全文をお読みいただくには"),
        row(Paywall, "", Text, Little, "購読者限定"),
        row(Paywall, "", Text, Little, "有料プランに登録"),
        row(Paywall, "", Text, Hint, "会員限定"),
        row(Paywall, "", Text, Hint, "有料会員"),
        row(Paywall, "", Text, Hint, "有料登録"),
        row(Paywall, "", Text, Little, "réservé aux abonnés"),
        row(Paywall, "", Text, Little, "réservé à nos abonnés"),
        row(Paywall, "", Text, Little, "nur für abonnenten"),
        row(Paywall, "", Text, Little, "contenido exclusivo para suscriptores"),
    ]
};
