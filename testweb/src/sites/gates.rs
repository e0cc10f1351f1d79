//! Sites that want an account or money, and sites whose pages are gone.

use super::ordinary;
use crate::answer::{Answer, Request, escape};
use crate::world::templates::escape_html;
use crate::{Language, Site, SiteKind, World};

/// Where `login-redirect` sites send a visitor.
const LOGIN_PATH: &str = "/account/login";

pub(super) fn answer(world: &World, site: &Site, request: &Request) -> Option<Answer> {
    let page = world.page(&site.host, request.path());
    let answer = match site.kind {
        SiteKind::LoginRedirect if request.path() == LOGIN_PATH => login_form(site, 200),
        _ if page.is_none() => return None,
        SiteKind::LoginPage => login_form(site, 200),
        SiteKind::LoginRedirect => {
            Answer::redirect(302, format!("{LOGIN_PATH}?next={}", escape(request.path())))
        }
        SiteKind::Login401 => {
            let realm = format!("Basic realm=\"{}\"", site.host);
            login_form(site, 401).with("WWW-Authenticate", realm)
        }
        SiteKind::Paywall => paywall(world, site, page?),
        SiteKind::SoftMissing | SiteKind::Missing => ordinary::missing(site),
        _ => return None,
    };
    Some(answer)
}

fn login_form(site: &Site, status: u16) -> Answer {
    let (title, words, user, secret, button, lost) = match site.language {
        Language::English => (
            "Log in",
            "Please log in to your account to read this page.",
            "Email address",
            "Password",
            "Log in",
            "Forgot your password?",
        ),
        Language::Japanese => (
            "ログイン",
            "このページをご覧いただくにはログインが必要です。",
            "メールアドレス",
            "パスワード",
            "ログイン",
            "パスワードをお忘れの方",
        ),
    };
    Answer::html(
        status,
        format!(
            "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\"><title>{title} | {site}</title></head><body>\
             <header><a href=\"/\">{site}</a></header><main><h1>{title}</h1><p>{words}</p><form method=\"post\" action=\"{LOGIN_PATH}\">\
             <label>{user} <input type=\"email\" name=\"email\" autocomplete=\"username\"></label>\
             <label>{secret} <input type=\"password\" name=\"password\" autocomplete=\"current-password\"></label>\
             <input type=\"hidden\" name=\"csrf_token\" value=\"0\"><button type=\"submit\">{button}</button></form>\
             <p><a href=\"/account/reset\">{lost}</a></p></main></body></html>",
            language = site.language.code(),
            site = escape_html(&site.title),
        ),
    )
}

/// The beginning of the article, then the price.
fn paywall(world: &World, site: &Site, page: &crate::Page) -> Answer {
    let article = world.article(page);
    let (offer, button, rest) = match site.language {
        Language::English => (
            "To continue reading, subscribe now. Already a subscriber? Log in.",
            "Subscribe for 1 coin a week",
            "This article is for subscribers only.",
        ),
        Language::Japanese => (
            "この記事は有料会員限定です。残りの文章を読むには会員登録が必要です。",
            "月額100円で購読する",
            "会員の方はログインしてください。",
        ),
    };
    let data = serde_json::json!({
        "@context": "https://schema.org", "@type": "NewsArticle", "headline": article.title,
        "isAccessibleForFree": false,
        "hasPart": {"@type": "WebPageElement", "isAccessibleForFree": false, "cssSelector": ".paywall"},
    });
    let first: String = article.lead.chars().take(120).collect();
    Answer::html(
        200,
        format!(
            "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\"><title>{title} | {site}</title>\
             <script type=\"application/ld+json\">{data}</script></head><body><header><a href=\"/\">{site}</a></header>\
             <article><h1>{title}</h1><p>{first}…</p><div class=\"paywall\"><p><strong>{rest}</strong></p><p>{offer}</p><a class=\"subscribe\" href=\"/subscribe\">{button}</a></div></article></body></html>",
            language = site.language.code(),
            title = escape_html(&article.title),
            site = escape_html(&site.title),
            first = escape_html(&first),
        ),
    )
}
