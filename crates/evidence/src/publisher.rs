//! Publishers: who is behind a page, which is what independence counts by.

use std::fmt;

use crate::domain::site_of;
use crate::ids::WorkId;

/// What `pages.domain` begins with for a document of the user. A host name has no colon, so no site can begin like this.
const DOCUMENT: &str = "library:";

/// The registrable domain, or the host itself if there is none (an address, `localhost`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RegistrableDomain(String);

impl RegistrableDomain {
    /// The one a host belongs to.
    pub fn of_host(host: &str) -> Self {
        Self(site_of(host))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RegistrableDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Who is behind a page. Two pages with the same publisher are never independent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Publisher {
    Site(RegistrableDomain),
    /// A document of the user, by the publisher or author it names, else by its path.
    Document(String),
    /// Papers share the hosts that show them, and a file may be a copy of one: the work is what counts.
    Work(WorkId),
}

impl Publisher {
    /// The publisher of a page, from what is stored about it: its domain and the work it shows.
    pub fn of_page(domain: &str, work: Option<WorkId>) -> Self {
        work.map_or_else(|| Self::of_domain(domain), Self::Work)
    }

    /// The publisher a domain stands for, whatever work a page of it shows.
    pub fn of_domain(domain: &str) -> Self {
        match domain.strip_prefix(DOCUMENT) {
            Some(name) => Self::Document(name.to_owned()),
            None => Self::Site(RegistrableDomain::of_host(domain)),
        }
    }

    /// Whether a domain is a host that the domain policy can rule on, and not a document of the user.
    pub fn is_host(domain: &str) -> bool {
        matches!(Self::of_domain(domain), Self::Site(_))
    }
}

/// As stored in `pages.domain`; a work by its id.
impl fmt::Display for Publisher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Site(domain) => domain.fmt(f),
            Self::Document(name) => write!(f, "{DOCUMENT}{name}"),
            Self::Work(work) => work.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id;

    #[test]
    fn a_host_that_begins_like_a_document_is_a_site() {
        let site = Publisher::Site(RegistrableDomain::of_host("evil.com"));
        for host in ["library1.evil.com", "library2.evil.com", "library.evil.com"] {
            assert_eq!(Publisher::of_page(host, None), site, "{host}");
            assert!(Publisher::is_host(host), "{host}");
        }
        assert!(Publisher::is_host("library"), "a single name is a host");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let names =
            ["evidence.example", "192.0.2.7", "localhost", "library:notes/a.md", "library:who.int"];
        for name in names {
            assert_eq!(Publisher::of_domain(name).to_string(), name);
        }
        assert_eq!(
            Publisher::of_domain("library:who.int"),
            Publisher::Document("who.int".to_owned()),
        );
        assert!(!Publisher::is_host("library:who.int"));
    }

    #[test]
    fn a_work_counts_before_the_host_or_the_file_that_shows_it() {
        let work = WorkId::from_parts(1, 2);
        for domain in ["journal.example", "library:paper.pdf"] {
            assert_eq!(Publisher::of_page(domain, Some(work)), Publisher::Work(work));
        }
        assert!(Publisher::is_host("journal.example"));
    }
}
