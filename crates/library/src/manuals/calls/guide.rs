//! `get_tooling_guide`: where to begin, and what usually follows.

use serde::Serialize;

/// How the tools of the library belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Guide {
    pub first_tool: &'static str,
    pub steps: Vec<GuideStep>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GuideStep {
    pub tool: &'static str,
    pub when: &'static str,
}

/// The same for everybody; calling it is optional.
pub fn get_tooling_guide() -> Guide {
    let steps = [
        (
            "manual_find",
            "everything about a subject in the manuals: counts and a trace_id, no text",
        ),
        ("manual_hits", "the sections found, or kind=unscanned|conflicts|gaps, page by page"),
        ("manual_read", "the text of a section, of several, or of a file; give the trace_id"),
        ("manual_scan", "a long file in steps"),
        ("manual_toc", "the headings of a manual"),
        ("manual_ls", "which manuals and files there are, and what was skipped"),
        ("bridge_copy", "a section or file of a manual into the vault, without reading it here"),
        ("vault_find", "what has been written to the vault"),
        ("vault_scan", "what a vault_find left open, or a long file, in steps"),
        ("vault_coverage", "which lines of a vault_find have been read, and which not"),
        ("vault_create", "a new file of the vault; vault_write and vault_replace change one"),
    ];
    let steps = steps.into_iter().map(|(tool, when)| GuideStep { tool, when }).collect();
    Guide { first_tool: "manual_find", steps }
}
