//! What sites and engines answer.

use std::time::Duration;

use extract::Input;
use fetch::RobotsTxt;
use jiff::Timestamp;
use sources::{Engine, SHIPPED_ENGINES, Serp};
use url::Url;

/// No site can ask for more between two requests.
const LONGEST_PAUSE: Duration = Duration::from_secs(1_800);

/// Any bytes as the result page of every engine: results are named.
pub fn serp(bytes: &[u8]) {
    let url = Url::parse("https://engine.example/search?q=x").expect("a fixed address");
    for shipped in SHIPPED_ENGINES {
        let engine = Engine::parse(shipped.name, shipped.declaration).expect("a shipped engine");
        let input = Input { bytes, url: Some(&url), status: Some(200), headers: &[] };
        for result in Serp::parse(&engine, input, Timestamp::UNIX_EPOCH).results {
            assert!(!result.title.is_empty());
        }
    }
}

/// A path (first line) and any bytes as a robots.txt: the case of an agent's name makes no difference, pauses are bounded.
pub fn robots(bytes: &[u8]) {
    let split = bytes.iter().position(|it| *it == b'\n').unwrap_or(0);
    let (path, rules) = bytes.split_at(split);
    let robots = RobotsTxt::parse(rules);
    let path = String::from_utf8_lossy(path);
    for path in [&path, "", "/", "/robots.txt"] {
        assert_eq!(robots.allows("LYRA", path), robots.allows("lyra", path));
    }
    assert!(robots.crawl_delay("Lyra").is_none_or(|it| it <= LONGEST_PAUSE));
    assert!(robots.sitemaps().len() <= rules.len());
}
