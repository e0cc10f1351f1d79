//! Domains: what kind of publisher a host is, and who decides whether it may be read.

use crate::text_enum::text_enum;

text_enum! {
    /// What kind of publisher a domain is. Moves it up or down in ranking, never touches confidence.
    pub enum DomainCategory ("domain category") {
        Primary = "primary",
        Government = "government",
        Academic = "academic",
        Trusted = "trusted",
        Low = "low",
        Unverified = "unverified",
        Blocked = "blocked",
    }
}
