//! What need not be asked again: pages and robots.txt.

use jiff::Timestamp;

/// What is known of a page that was fetched before; its body is in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedFetch {
    pub url: String,
    pub final_url: Option<String>,
    pub status: Option<u16>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub content_hash: Option<String>,
    /// Until then the page need not even be asked whether it changed.
    pub fresh_until: Option<Timestamp>,
    /// The archived response.
    pub record_id: Option<String>,
    pub checked_at: Timestamp,
}

/// What rendering pages of a site was worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DomainRoute {
    /// The share of pages whose text needed it, newer ones weighing more.
    pub needs_scripts: f64,
    /// How many pages that rests on.
    pub pages: u32,
    pub updated_at: Timestamp,
}

impl DomainRoute {
    /// Pages that a share has to rest on before it decides anything.
    const ENOUGH: u32 = 3;
    /// The share from which the pages of a site are rendered whatever they look like.
    const MOST: f64 = 0.7;
    /// Sites are built anew: after this many days without a page what is known weighs half.
    const HALF_LIFE_DAYS: f64 = 60.0;

    /// The share as it counts now.
    pub fn share_at(&self, now: Timestamp) -> f64 {
        let days = now.duration_since(self.updated_at).as_secs_f64() / 86_400.0;
        self.needs_scripts * 0.5_f64.powf(days.max(0.0) / Self::HALF_LIFE_DAYS)
    }

    /// Whether the pages of the site are rendered whatever they look like.
    pub fn renders_at_once(&self, now: Timestamp) -> bool {
        self.pages >= Self::ENOUGH && self.share_at(now) >= Self::MOST
    }
}

/// A robots.txt as it was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedRobots {
    /// Scheme, host and port.
    pub origin: String,
    /// `None`: the host did not answer.
    pub status: Option<u16>,
    pub body: Vec<u8>,
    pub fetched_at: Timestamp,
    pub expires_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_rendered_at_once_after_three_pages_and_until_it_was_not_seen_for_a_month() {
        let seen: Timestamp = "2026-01-01T00:00:00Z".parse().expect("a time");
        let route = |needs_scripts, pages| DomainRoute { needs_scripts, pages, updated_at: seen };
        let later = |days: i64| seen + jiff::SignedDuration::from_hours(24 * days);
        assert!(route(1.0, 3).renders_at_once(seen));
        assert!(!route(1.0, 2).renders_at_once(seen));
        assert!(!route(0.69, 9).renders_at_once(seen));
        assert!(route(1.0, 9).renders_at_once(later(30)));
        assert!(!route(1.0, 9).renders_at_once(later(32)));
        assert!((route(1.0, 9).share_at(later(60)) - 0.5).abs() < 1e-9);
    }
}
