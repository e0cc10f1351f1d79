//! The views that come with the program, as templates.

/// A view of ours. Its text is what a user copies to make a version of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShippedView {
    pub name: &'static str,
    pub template: &'static str,
}

impl ShippedView {
    /// The question it answers: the first line of its header.
    pub fn answers(&self) -> &'static str {
        let mut comments = self.template.lines().filter_map(|line| line.strip_prefix("-- "));
        comments.next().unwrap_or_default()
    }
}

macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        &[$(ShippedView { name: $name, template: include_str!(concat!("../../views/", $name, ".sql.j2")) }),+]
    };
}

/// Pieces the templates import; not a view.
pub(super) const PARTS: (&str, &str) = ("parts.sql.j2", include_str!("../../views/parts.sql.j2"));

/// The building blocks of the views, each after those it uses. Users may select from them, not replace them.
pub(super) const FOUNDATIONS: &[ShippedView] =
    templates!["claim_totals", "claim_evidence", "task_pages", "task_citations"];

/// The views people and assistants start from. They use the foundations and never each other, so
/// that replacing one cannot break another.
pub const SHIPPED_VIEWS: &[ShippedView] = templates![
    "v_claim_evidence_summary",
    "v_contradictions",
    "v_unsupported_claims",
    "v_evidence_chain",
    "v_hub_pages",
    "v_citation_flow",
    "v_citation_clusters",
    "v_orphan_sources",
    "v_evidence_timeline",
    "v_claim_temporal_support",
    "v_emerging_consensus",
    "v_outdated_evidence",
    "v_source_authority",
    "v_controversy_by_era",
    "v_citation_age_gap",
    "v_evidence_freshness",
    "v_reference_candidates",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_shipped() {
        let mut files: Vec<_> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/views"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let shipped = FOUNDATIONS.iter().chain(SHIPPED_VIEWS);
        let mut names: Vec<_> = shipped.map(|it| format!("{}.sql.j2", it.name)).collect();
        names.push(PARTS.0.to_owned());
        names.sort();
        assert_eq!(files, names);
    }

    #[test]
    fn a_view_says_what_it_answers() {
        assert_eq!(SHIPPED_VIEWS[0].answers(), "How does the evidence for each claim stand?");
        for view in SHIPPED_VIEWS {
            assert!(view.answers().ends_with('?'), "{}", view.name);
        }
    }

    #[test]
    fn no_view_uses_another() {
        for view in SHIPPED_VIEWS {
            let uses: Vec<_> = SHIPPED_VIEWS
                .iter()
                .filter(|other| view.template.contains(&format!(" {}\n", other.name)))
                .collect();
            assert_eq!(uses, [] as [&ShippedView; 0], "{}", view.name);
        }
    }
}
