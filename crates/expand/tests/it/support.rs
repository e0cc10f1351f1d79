//! What a reader would see of an expansion.

use expand::{ExpandSettings, Expansion, ExpansionKind, expand};

/// The texts of one kind, one a line.
pub(crate) fn texts(query: &str, kind: ExpansionKind) -> String {
    let all = expand(query, &ExpandSettings::default());
    let own = all.iter().filter(|it| it.kind == kind).map(|it| it.text.as_str());
    own.collect::<Vec<_>>().join("\n")
}

/// The query in the other language, or nothing.
pub(crate) fn mirror(query: &str) -> String {
    texts(query, ExpansionKind::Mirror)
}

/// Everything about each expansion.
pub(crate) fn shown(query: &str, settings: &ExpandSettings) -> String {
    expand(query, settings).iter().map(line).collect::<Vec<_>>().join("\n")
}

fn line(it: &Expansion) -> String {
    let changes =
        it.changes.iter().map(|it| format!("{} > {} {}", it.from, it.to, it.relation.as_str()));
    let changes = changes.collect::<Vec<_>>().join(", ");
    let same = if it.new_terms { "" } else { " (same terms)" };
    format!("{}: {} [{changes}]{same}", it.kind.as_str(), it.text)
}
