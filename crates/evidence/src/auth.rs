//! Pages that need a person: how urgent each is, and how it ended.

use crate::DomainCategory;
use crate::text_enum::text_enum;

text_enum! {
    /// Which page a person should see to first.
    pub enum AuthPriority ("priority") {
        High = "high",
        Medium = "medium",
        Low = "low",
    }
}

impl AuthPriority {
    /// The default priority: primary sources first, an unknown domain before one known as weak.
    pub const fn of(category: DomainCategory) -> Self {
        match category {
            DomainCategory::Primary | DomainCategory::Government | DomainCategory::Academic => {
                Self::High
            }
            DomainCategory::Trusted | DomainCategory::Unverified => Self::Medium,
            DomainCategory::Low | DomainCategory::Blocked => Self::Low,
        }
    }
}

text_enum! {
    /// How a page that needs a person ended.
    pub enum AuthStatus ("queue status") {
        Pending = "pending",
        /// A person opened the way.
        Resolved = "resolved",
        /// A person decided to do without.
        Skipped = "skipped",
        /// A person tried in vain.
        Failed = "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primary_sources_come_first() {
        let shown: Vec<String> = DomainCategory::ALL
            .iter()
            .map(|it| format!("{it} {}", AuthPriority::of(*it)))
            .collect();
        assert_eq!(
            shown,
            [
                "primary high",
                "government high",
                "academic high",
                "trusted medium",
                "low low",
                "unverified medium",
                "blocked low"
            ]
        );
    }
}
