//! Older versions of pages, in the Wayback Machine of the Internet Archive.
//!
//! [`versions`] asks its index (the CDX server) which versions there are, [`version_bytes`] brings one as the site sent it, without
//! what the archive puts around it.

use fetch::{FetchResponse, Fetcher};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::Serialize;
use settings::settings;
use url::Url;

use crate::asking::{ApiLimits, AskedBy, ask, json_of};
use crate::outcome::Failure;

const NAME: &str = "wayback";
const INDEX: &str = "https://web.archive.org/cdx/search/cdx";
const PAGES: &str = "https://web.archive.org/web";
const MOMENT: &str = "%Y%m%d%H%M%S";

settings! {
    /// Older versions of pages, from the Internet Archive.
    pub struct VersionSettings {
        /// Whether a search reads the archive's version of a page that is gone or does not let it in. The address of the page is
        /// then told to web.archive.org.
        enabled: bool = true;
    }
    expert {
        /// The share of a task's pages that may be read in an older version.
        share_of_pages: f64 = 0.15, in 0.0..=1.0;
        /// Versions that are compared.
        versions_compared: usize = 4, in 1..=50;
        /// Requests to the archive a day.
        per_day: u32 = 500, in 1..=100_000;
    }
}

/// One version of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Version {
    pub taken_at: Timestamp,
    /// Where a person sees it.
    pub address: Url,
    /// The address of the page itself.
    pub original: Url,
    /// The digest of its bytes: the same as before where nothing changed.
    pub digest: String,
    #[serde(skip)]
    moment: String,
}

impl Version {
    /// Where its bytes are, as the site sent them.
    fn bytes_address(&self) -> Option<Url> {
        Url::parse(&format!("{PAGES}/{}id_/{}", self.moment, self.original)).ok()
    }

    fn of(moment: &str, original: &str, digest: &str) -> Option<Self> {
        let taken_at = DateTime::strptime(MOMENT, moment).ok()?.to_zoned(TimeZone::UTC).ok()?;
        let original = Url::parse(original).ok()?;
        Some(Self {
            taken_at: taken_at.timestamp(),
            address: Url::parse(&format!("{PAGES}/{moment}/{original}")).ok()?,
            original,
            digest: digest.to_owned(),
            moment: moment.to_owned(),
        })
    }
}

fn limits(settings: &VersionSettings) -> ApiLimits {
    ApiLimits {
        concurrent: 1,
        per_second: 1.0,
        spacing_min_ms: 1_000,
        spacing_max_ms: 1_500,
        per_day: settings.per_day,
    }
}

/// The newest versions of a page that the archive has whole, each other than the one before; the newest first.
pub async fn versions(
    fetcher: &Fetcher,
    page: &Url,
    most: usize,
    settings: &VersionSettings,
    asked_by: AskedBy,
) -> Result<Vec<Version>, Failure> {
    let mut url = Url::parse(INDEX).expect("a constant that is an address");
    url.query_pairs_mut()
        .append_pair("url", page.as_str())
        .append_pair("output", "json")
        .append_pair("fl", "timestamp,original,digest")
        .append_pair("filter", "statuscode:200")
        .append_pair("collapse", "digest")
        // From the end: the newest.
        .append_pair("limit", &format!("-{}", most.max(1)));
    let request = limits(settings).fetch_request(NAME, url);
    let answer = ask(fetcher, request, asked_by).await?;
    // Where it knows nothing it sends an empty list, or nothing at all.
    if answer.body.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    read(&answer.body)
}

fn read(body: &[u8]) -> Result<Vec<Version>, Failure> {
    let unreadable = || Failure::Unreadable { problem: "it is no list of versions".to_owned() };
    let answer = json_of(body)?;
    let rows = answer.as_array().ok_or_else(unreadable)?;
    let mut versions = Vec::new();
    // The first row has the names of the columns.
    for row in rows.iter().skip(1) {
        let text = |at: usize| row.get(at).and_then(|it| it.as_str());
        let version = text(0).zip(text(1)).zip(text(2));
        let version = version.and_then(|((moment, url), digest)| Version::of(moment, url, digest));
        versions.push(version.ok_or_else(unreadable)?);
    }
    versions.sort_by_key(|it| std::cmp::Reverse(it.taken_at));
    versions.dedup_by(|a, b| a.digest == b.digest);
    Ok(versions)
}

/// A version as the site sent it.
pub async fn version_bytes(
    fetcher: &Fetcher,
    version: &Version,
    settings: &VersionSettings,
    asked_by: AskedBy,
) -> Result<FetchResponse, Failure> {
    let address = version
        .bytes_address()
        .ok_or_else(|| Failure::Unsuited { problem: "its version has no address".to_owned() })?;
    ask(fetcher, limits(settings).fetch_request(NAME, address), asked_by).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_newest_first_and_each_once() {
        let body = br#"[["timestamp","original","digest"],
            ["20190501120000","https://example.org/a?b=1","AAAA"],
            ["20200102030405","https://example.org/a?b=1","BBBB"],
            ["20210102030405","https://example.org/a?b=1","BBBB"]]"#;
        let found = read(body).unwrap();
        let shown: Vec<String> = found.iter().map(|it| it.taken_at.to_string()).collect();
        assert_eq!(shown, ["2021-01-02T03:04:05Z", "2019-05-01T12:00:00Z"]);
        assert_eq!(
            found[1].address.as_str(),
            "https://web.archive.org/web/20190501120000/https://example.org/a?b=1"
        );
        assert_eq!(
            found[1].bytes_address().unwrap().as_str(),
            "https://web.archive.org/web/20190501120000id_/https://example.org/a?b=1"
        );
    }

    #[test]
    fn an_answer_that_is_no_list_is_told() {
        assert_eq!(read(b"[]").unwrap(), []);
        for body in [&b"{}"[..], b"[[\"timestamp\"],[\"x\",\"y\",\"z\"]]", b"<html>", b"[[1],[2]]"]
        {
            assert!(matches!(read(body), Err(Failure::Unreadable { .. })), "{body:?}");
        }
    }
}
