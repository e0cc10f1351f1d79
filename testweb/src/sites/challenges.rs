//! Pages that ask for a person: what the common guards send, with their status codes and headers.

use crate::answer::Answer;
use crate::world::hash;
use crate::{Site, SiteKind};

pub(super) fn answer(site: &Site) -> Option<Answer> {
    let host = site.host.as_str();
    let answer = match site.kind {
        SiteKind::CloudflareManaged => cloudflare_managed(host),
        SiteKind::Turnstile => turnstile(host),
        SiteKind::HCaptcha => hcaptcha(host),
        SiteKind::ReCaptcha => recaptcha(host),
        SiteKind::Akamai => akamai(host),
        SiteKind::DataDome => datadome(host),
        SiteKind::Kakunin => kakunin(host),
        _ => return None,
    };
    Some(answer)
}

/// The full-page check of Cloudflare.
pub(crate) fn cloudflare_managed(host: &str) -> Answer {
    let ray = ray(host);
    Answer::html(
        403,
        format!(
            "<!DOCTYPE html><html lang=\"en-US\"><head><title>Just a moment...</title><meta http-equiv=\"Content-Type\" content=\"text/html; charset=UTF-8\">\
             <meta http-equiv=\"X-UA-Compatible\" content=\"IE=Edge\"><meta name=\"robots\" content=\"noindex,nofollow\"><meta http-equiv=\"refresh\" content=\"360\"></head>\
             <body><div class=\"main-wrapper\" role=\"main\"><div class=\"main-content\"><noscript><div class=\"h2\"><span id=\"challenge-error-text\">Enable JavaScript and cookies to continue</span></div></noscript></div></div>\
             <script>(function(){{window._cf_chl_opt={{cvId:'3',cZone:'{host}',cType:'managed',cRay:'{ray}',cH:'placeholder'}};\
             var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray={ray}';\
             document.getElementsByTagName('head')[0].appendChild(a);}}());</script></body></html>"
        ),
    )
    .with("Server", "cloudflare")
    .with("CF-Mitigated", "challenge")
    .with("CF-RAY", format!("{ray}-NRT"))
    .with("Accept-CH", "Sec-CH-UA-Bitness, Sec-CH-UA-Arch, Sec-CH-UA-Full-Version")
    .with("Cross-Origin-Embedder-Policy", "require-corp")
    .with("Cache-Control", "private, max-age=0, no-store, no-cache, must-revalidate")
}

/// A site's own challenge page with a Turnstile box in it.
fn turnstile(host: &str) -> Answer {
    let words = "Before you go on, please confirm that you are a person. This takes a moment and happens once a day.";
    challenge_page(
        200,
        host,
        "Security check",
        words,
        "<script src=\"https://challenges.cloudflare.com/turnstile/v0/api.js\" async defer></script>",
        "<div class=\"cf-turnstile\" data-sitekey=\"0x4AAAAAAAtestsitekey\" data-callback=\"onDone\"></div>",
    )
}

fn hcaptcha(host: &str) -> Answer {
    let words = "Please complete the security check to access this site.";
    challenge_page(
        403,
        host,
        "One more step",
        words,
        "<script src=\"https://js.hcaptcha.com/1/api.js\" async defer></script>",
        "<div class=\"h-captcha\" data-sitekey=\"00000000-0000-0000-0000-000000000000\"></div>",
    )
}

fn recaptcha(host: &str) -> Answer {
    let words = "Our systems have noticed unusual traffic from your network. Please show that you are not a robot.";
    challenge_page(
        429,
        host,
        "Are you a robot?",
        words,
        "<script src=\"https://www.google.com/recaptcha/api.js\" async defer></script>",
        "<div class=\"g-recaptcha\" data-sitekey=\"6Ltestsitekey\"></div>",
    )
}

fn kakunin(host: &str) -> Answer {
    let page = challenge_page(
        403,
        host,
        "アクセスの確認",
        "自動化されたアクセスを防ぐため、あなたがロボットではないことを確認しています。画像認証を完了してください。",
        "<script src=\"https://www.google.com/recaptcha/api.js?hl=ja\" async defer></script>",
        "<div class=\"g-recaptcha\" data-sitekey=\"6Ltestsitekey\"></div><p>続行するにはJavaScriptとCookieを有効にしてください。</p>",
    );
    page.with("Content-Language", "ja")
}

fn challenge_page(
    status: u16,
    host: &str,
    title: &str,
    words: &str,
    script: &str,
    check: &str,
) -> Answer {
    Answer::html(
        status,
        format!(
            "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>{title}</title><meta name=\"robots\" content=\"noindex\">{script}</head>\
             <body><main><h1>{title}</h1><p>{words}</p><form id=\"challenge-form\" method=\"post\" action=\"/verify\">{check}\
             <input type=\"hidden\" name=\"return\" value=\"https://{host}/\"></form></main></body></html>"
        ),
    )
    .with("Cache-Control", "no-store")
}

/// The computing task of Akamai's bot manager.
fn akamai(host: &str) -> Answer {
    Answer::html(
        428,
        format!(
            "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>Challenge Validation</title></head><body>\
             <script type=\"text/javascript\" src=\"/_sec/cp_challenge/ak-challenge-4-3.htm\"></script>\
             <div id=\"sec-if-cpt-container\" data-key=\"{:x}\" data-duration=\"5\"><p>Powered and protected by</p></div>\
             <script src=\"/_sec/cp_challenge/sec-4-4.js\" async defer></script></body></html>",
            hash(1, host)
        ),
    )
    .with("Server", "AkamaiGHost")
    .with("Cache-Control", "no-cache, no-store")
}

fn datadome(host: &str) -> Answer {
    let mark = format!("{:016x}", hash(2, host));
    Answer::html(
        403,
        format!(
            "<html lang=\"en\"><head><title>{host}</title><style>#cmsg{{animation: A 1.5s;}}</style></head><body style=\"margin:0\">\
             <p id=\"cmsg\">Please enable JS and disable any ad blocker</p>\
             <script data-cfasync=\"false\">var dd={{'rt':'c','cid':'{mark}','hsh':'{mark}','t':'bv','s':1,'host':'geo.captcha-delivery.com'}}</script>\
             <script data-cfasync=\"false\" src=\"https://ct.captcha-delivery.com/c.js\"></script></body></html>"
        ),
    )
    .with("Server", "DataDome")
    .with("X-DataDome", "protected")
    .with("X-DD-B", "1")
    .with("Set-Cookie", format!("datadome={mark}; Max-Age=31536000; Domain=.{host}; Path=/; Secure; SameSite=Lax"))
}

fn ray(host: &str) -> String {
    format!("{:016x}", hash(3, host))
}
