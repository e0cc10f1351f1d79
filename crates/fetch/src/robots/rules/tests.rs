use proptest::prelude::*;

use super::*;

#[test]
fn pauses_and_sitemaps_are_kept_beside_the_rules() {
    let robots = RobotsTxt::parse(
        "Sitemap: https://example.com/a.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /private\n\
         User-agent: Lyra\nCrawl-delay: 7\nAllow: /\nsitemap: /b.xml # ours\n"
            .as_bytes(),
    );
    assert_eq!(robots.crawl_delay("lyra"), Some(Duration::from_secs(7)));
    assert_eq!(robots.crawl_delay("other"), Some(Duration::from_millis(2_500)));
    assert_eq!(robots.sitemaps(), ["https://example.com/a.xml", "/b.xml"]);
    assert!(robots.allows("Lyra", "/private"));
    assert!(!robots.allows("other", "/private/x"));
}

#[test]
fn a_pause_that_means_nothing_is_passed_over() {
    let delay = |value: &str| {
        RobotsTxt::parse(format!("user-agent: *\ncrawl-delay: {value}").as_bytes()).crawl_delay("x")
    };
    assert_eq!(delay("soon"), None);
    assert_eq!(delay("-1"), None);
    assert_eq!(delay("NaN"), None);
    assert_eq!(delay("0"), None);
    assert_eq!(delay("1e30"), Some(MAX_CRAWL_DELAY));
}

#[test]
fn wildcards_and_ends_match_as_written() {
    for (pattern, path, expected) in [
        ("/", "/", true),
        ("/*", "/x", true),
        ("/a*c", "/abbc/d", true),
        ("/a*c$", "/abcbc", true),
        ("/a*c$", "/abcb", false),
        ("/*.pdf$", "/x/y.pdf", true),
        ("/*.pdf$", "/x/y.pdf?z", false),
        ("/a$b", "/a$bc", true),
        ("/ab$", "/ab", true),
        ("/ab$", "/abc", false),
        ("*b*b", "/ab", false),
        ("**", "", true),
        ("$", "", true),
        ("/a*$", "/anything", true),
        ("", "/x", true),
    ] {
        assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), expected, "{pattern} {path}");
    }
}

proptest! {
    #[test]
    fn strange_files_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), path in "/[ -~]{0,40}") {
        let robots = RobotsTxt::parse(&bytes);
        robots.allows("Lyra", &path);
        robots.crawl_delay("Lyra");
    }

    #[test]
    fn a_pattern_without_signs_matches_what_begins_with_it(start in "/[a-z]{0,8}", rest in "[a-z]{0,8}") {
        let path = format!("{start}{rest}");
        prop_assert!(matches(start.as_bytes(), path.as_bytes()));
    }
}

/// Every expectation of the public specification test; the data is read where `LYRA_EVAL_DATA` says.
#[test]
fn the_specification_test_is_passed() {
    let Some(data) = testkit::public_data() else { return };
    let root = data.join("conformance/robotstxt-spec-test/CTC");
    let mut expectations = 0;
    let mut failures = Vec::new();
    for folder in ["correctness", "stress"] {
        let mut files: Vec<_> =
            root.join(folder).read_dir().unwrap().map(|it| it.unwrap().path()).collect();
        files.sort();
        for file in files {
            for case in textproto::cases(&std::fs::read(&file).unwrap()) {
                expectations += 1;
                let robots = RobotsTxt::parse(&case.robots);
                let allowed = robots.allows(&case.agent, &textproto::path_of(&case.url));
                if allowed != case.allowed {
                    failures.push(format!("{} {} {}", file.display(), case.url, case.agent));
                }
            }
        }
    }
    assert_eq!(failures, Vec::<String>::new());
    assert_eq!(expectations, 400);
}

/// Just enough of the text form of protocol buffers to read the specification test.
mod textproto {
    pub(super) struct Case {
        pub(super) robots: Vec<u8>,
        pub(super) url: String,
        pub(super) agent: String,
        pub(super) allowed: bool,
    }

    /// The path with its query, as an unchecked caller would cut it out of an address.
    pub(super) fn path_of(url: &str) -> String {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let rest = rest.split('#').next().unwrap_or_default();
        match rest.find(['/', '?', ';']) {
            Some(at) if rest[at..].starts_with('/') => rest[at..].to_owned(),
            Some(at) => format!("/{}", &rest[at..]),
            None => "/".to_owned(),
        }
    }

    pub(super) fn cases(text: &[u8]) -> Vec<Case> {
        let mut cases = Vec::new();
        let (mut robots, mut url, mut agent) = (Vec::new(), String::new(), String::new());
        let mut field = String::new();
        let mut value: Option<Vec<u8>> = None;
        let mut at = 0;
        let mut finish = |field: &str, value: Vec<u8>, cases: &mut Vec<Case>| match field {
            "robotstxt" => robots = value,
            "testurl" => url = String::from_utf8(value).unwrap(),
            "useragent" => agent = String::from_utf8(value).unwrap(),
            "expected_outcome" => cases.push(Case {
                robots: robots.clone(),
                url: url.clone(),
                agent: agent.clone(),
                allowed: value == b"ALLOWED",
            }),
            _ => {}
        };
        while at < text.len() {
            match text[at] {
                b'#' => {
                    while at < text.len() && text[at] != b'\n' {
                        at += 1;
                    }
                }
                quote @ (b'"' | b'\'') => {
                    let (mut piece, end) = string(text, at + 1, quote);
                    at = end;
                    value.get_or_insert_default().append(&mut piece);
                }
                byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                    let end = text[at..]
                        .iter()
                        .position(|it| !it.is_ascii_alphanumeric() && *it != b'_')
                        .map_or(text.len(), |it| at + it);
                    let word = String::from_utf8(text[at..end].to_vec()).unwrap();
                    at = end - 1;
                    if matches!(word.as_str(), "ALLOWED" | "DISALLOWED") {
                        value = Some(word.into_bytes());
                    } else {
                        if let Some(value) = value.take() {
                            finish(&field, value, &mut cases);
                        }
                        field = word;
                    }
                }
                b'}' => {
                    if let Some(value) = value.take() {
                        finish(&field, value, &mut cases);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        cases
    }

    /// One quoted piece; gives the place of its closing quote.
    fn string(text: &[u8], mut at: usize, quote: u8) -> (Vec<u8>, usize) {
        let mut out = Vec::new();
        while text[at] != quote {
            if text[at] != b'\\' {
                out.push(text[at]);
                at += 1;
                continue;
            }
            at += 1;
            match text[at] {
                b'n' => out.push(b'\n'),
                b'r' => out.push(b'\r'),
                b't' => out.push(b'\t'),
                b'x' => {
                    let digits = std::str::from_utf8(&text[at + 1..at + 3]).unwrap();
                    out.push(u8::from_str_radix(digits, 16).unwrap());
                    at += 2;
                }
                other => out.push(other),
            }
            at += 1;
        }
        (out, at)
    }
}
