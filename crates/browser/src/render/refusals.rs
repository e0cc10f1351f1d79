//! What a page asks for and does not need to show its text.

use std::sync::LazyLock;

use evidence::domain::site_of;
use url::Url;

static TRACKERS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let lines = include_str!("../../data/trackers.txt").lines().map(str::trim);
    lines.filter(|it| !it.is_empty() && !it.starts_with('#')).collect()
});

/// Why a request of a page is not made, if it is not. `kind` is the word of the protocol for what asks.
pub(super) fn refusal(
    kind: &str,
    url: &Url,
    page: &Url,
    is_page: bool,
    method: &str,
) -> Option<&'static str> {
    let host = url.host_str().unwrap_or_default();
    let same_site = page.host_str().is_some_and(|it| site_of(it) == site_of(host));
    match kind {
        "Image" | "Font" | "Media" | "TextTrack" | "Manifest" => {
            return Some("not needed for text");
        }
        "Ping" | "CSPViolationReport" => return Some("tells somebody about the visit"),
        "EventSource" | "WebSocket" | "SignedExchange" | "Prefetch" => {
            return Some("does not end, or is not needed");
        }
        "Document" if !is_page && !same_site => return Some("a frame of another site"),
        "Document" if method != "GET" => return Some("a form that was sent by script"),
        "Other" if url.path().ends_with("/favicon.ico") => return Some("not needed for text"),
        _ => {}
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Some("no address on the web");
    }
    if is_tracker(host) {
        return Some("measures visitors");
    }
    match method {
        "GET" => None,
        "POST" if same_site => None,
        "POST" => Some("sends something to another site"),
        _ => Some("changes something on a server"),
    }
}

fn is_tracker(host: &str) -> bool {
    TRACKERS.iter().any(|it| {
        host.strip_suffix(it).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(kind: &str, url: &str, is_page: bool, method: &str) -> Option<&'static str> {
        let page = Url::parse("https://www.news.example.co.jp/a").expect("an address");
        refusal(kind, &Url::parse(url).expect("an address"), &page, is_page, method)
    }

    #[test]
    fn what_makes_text_is_asked_for_and_nothing_else() {
        let own = "https://api.example.co.jp/list";
        assert_eq!(refused("XHR", own, false, "GET"), None);
        assert_eq!(refused("Fetch", own, false, "POST"), None);
        assert_eq!(refused("Script", "https://cdn.example/app.js", false, "GET"), None);
        assert_eq!(refused("Document", own, false, "GET"), None);
        assert_eq!(refused("Document", "https://other.example/", true, "GET"), None);

        assert_eq!(refused("Image", own, false, "GET"), Some("not needed for text"));
        assert_eq!(refused("Ping", own, false, "POST"), Some("tells somebody about the visit"));
        assert_eq!(refused("Document", own, true, "POST"), Some("a form that was sent by script"));
        assert_eq!(refused("XHR", own, false, "DELETE"), Some("changes something on a server"));
        let other = "https://other.example/";
        assert_eq!(refused("Document", other, false, "GET"), Some("a frame of another site"));
        assert_eq!(refused("XHR", other, false, "POST"), Some("sends something to another site"));
        let ftp = "ftp://www.news.example.co.jp/";
        assert_eq!(refused("XHR", ftp, false, "GET"), Some("no address on the web"));
    }

    #[test]
    fn a_tracker_is_known_by_its_whole_name() {
        let script = |url| refused("Script", url, false, "GET");
        assert_eq!(script("https://www.google-analytics.com/a.js"), Some("measures visitors"));
        assert_eq!(script("https://google-analytics.com/a.js"), Some("measures visitors"));
        assert_eq!(script("https://not-google-analytics.com/a.js"), None);
        assert_eq!(script("https://google-analytics.com.example/a.js"), None);
    }
}
