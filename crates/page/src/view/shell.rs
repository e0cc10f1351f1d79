//! The frame around every screen, and what is shown to those who may not enter.

use http::StatusCode;
use maud::{DOCTYPE, Markup, html};
use report::Language;

use super::Frame;
use super::pieces::sign;
use crate::house::Trouble;
use crate::words::{Words, say};

/// Where in the page a screen is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Questions,
    People,
    House,
}

/// A whole screen.
pub(crate) fn screen(frame: &Frame, part: Part, title: &str, body: &Markup) -> Markup {
    let w = frame.w;
    let entry = |it: Part, to: &str, name: &str, count: u64| {
        let current = (it == part).then_some("page");
        html! {
            a href=(to) aria-current=[current] {
                (name) @if count > 0 { span.count { (count) } }
            }
        }
    };
    document(
        frame.language,
        title,
        &html! {
            a.skip href="#main" { (w.skip.as_str()) }
            header.bar {
                a.brand href="/" { (mark()) span { "Lyra" } }
                nav aria-label=(w.navigation.as_str()) {
                    (entry(Part::Questions, "/", w.questions.as_str(), 0))
                    (entry(Part::People, "/people", w.people.as_str(), frame.waiting))
                    (entry(Part::House, "/house", w.house.as_str(), 0))
                }
                @if frame.offline {
                    span.lock.closed title=(w.offline_explained.as_str()) { (sign("lock")) (w.offline.as_str()) }
                } @else {
                    a.lock href="/house/sent" title=(w.online_explained.as_str()) { (sign("open")) (w.online.as_str()) }
                }
                (languages(frame))
            }
            main id="main" tabindex="-1" { (body) }
            div.toast id="toast" role="status" aria-live="polite" {}
        },
    )
}

fn languages(frame: &Frame) -> Markup {
    let (to, name) = match frame.language {
        Language::En => ("ja", "日本語"),
        Language::Ja => ("en", "English"),
    };
    html! {
        form.inline.language method="post" action="/language" {
            (frame.proof())
            button.quiet type="submit" name="language" value=(to) lang=(to) { (name) }
        }
    }
}

fn document(language: Language, title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Lyra" }
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href=(crate::routes::style_address());
                script src=(crate::routes::script_address()) defer {}
            }
            body { (body) }
        }
    }
}

/// The constellation, as a sign.
fn mark() -> Markup {
    html! {
        svg viewBox="0 0 24 24" aria-hidden="true" {
            path d="M7 4 10 9 17 10M10 9 9 18 16 19 17 10" {}
            circle cx="7" cy="4" r="2.2" {} circle cx="10" cy="9" r="1.3" {} circle cx="17" cy="10" r="1.3" {}
            circle cx="9" cy="18" r="1.3" {} circle cx="16" cy="19" r="1.3" {}
        }
    }
}

/// Something went wrong: what, and what to do.
pub(crate) fn trouble(frame: &Frame, trouble: &Trouble) -> Markup {
    let told = trouble.in_language(frame.language);
    let body = html! {
        section.empty {
            h1 { (frame.w.trouble.as_str()) }
            p.lead { (told.message) }
            @if let Some(hint) = &told.hint { p { (hint) } }
            p { a.button href="/" { (frame.w.to_questions.as_str()) } }
        }
    };
    screen(frame, Part::Questions, frame.w.trouble.as_str(), &body)
}

/// Why somebody may not enter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Refusal {
    Host,
    Origin,
    Token,
    Used,
    Proof,
    Body,
    Method,
}

pub(crate) fn refused(language: Language, status: StatusCode, why: Refusal) -> Markup {
    let w = Words::of(language);
    let told = match why {
        Refusal::Host => &w.refused_host,
        Refusal::Origin => &w.refused_origin,
        Refusal::Token => &w.refused_token,
        Refusal::Used => &w.refused_used,
        Refusal::Proof => &w.refused_proof,
        Refusal::Body => &w.refused_body,
        Refusal::Method => &w.refused_method,
    };
    let title = say!(w.refused, status = status.as_u16());
    let body = html! {
        main.alone { div.brand { (mark()) span { "Lyra" } } section.empty { h1 { (title) } p.lead { (told.as_str()) } } }
    };
    document(language, &title, &body)
}

/// The first page, which goes on by itself.
pub(crate) fn opening(language: Language, to: &str) -> Markup {
    let w = Words::of(language);
    html! {
        (DOCTYPE)
        html lang=(language.tag()) {
            head {
                meta charset="utf-8";
                meta http-equiv="refresh" content=(format!("0;url={to}"));
                title { "Lyra" }
                link rel="stylesheet" href=(crate::routes::style_address());
            }
            body { main.alone { p { a href=(to) { (w.go_on.as_str()) } } } }
        }
    }
}
