//! The lines under audit: what touched each, and what they say together.

use std::collections::BTreeSet;

use super::{AuditAnswer, AuditWarning, LinesByReason, Reason, Touched, UntouchedSection};
use crate::manuals::ManualText;
use crate::nodes::Node;
use crate::normal_form::lines;
use crate::paths::SafePath;
use crate::spans::Span;

/// The lines under audit, each with what touched it.
pub(super) struct Lines {
    span: Span,
    /// `None` for lines that say nothing by themselves.
    touched: Vec<Option<(BTreeSet<Reason>, BTreeSet<SafePath>)>>,
}

impl Lines {
    pub(super) fn of(text: &str, nodes: &[Node], span: Span) -> Self {
        let headings: BTreeSet<u32> =
            nodes.iter().filter(|node| node.level > 0).map(|node| node.lines.start).collect();
        let says_something = |number: u32, line: &str| {
            line.chars().any(char::is_alphanumeric) && !headings.contains(&number)
        };
        let touched = lines(text)
            .filter(|it| span.lines().contains(&it.number))
            .map(|it| says_something(it.number, it.text).then(Default::default))
            .collect();
        Self { span, touched }
    }

    pub(super) fn touch(&mut self, span: Span, reason: Reason, document: &SafePath) {
        let Some(span) = span.overlap(self.span) else { return };
        for line in span.lines() {
            let at = (line - self.span.start_line) as usize;
            if let Some(Some((reasons, documents))) = self.touched.get_mut(at) {
                reasons.insert(reason);
                documents.insert(document.clone());
            }
        }
    }

    pub(super) fn answer(
        self,
        source: &ManualText,
        documents: usize,
        nodes: &[Node],
        warnings: Vec<AuditWarning>,
    ) -> AuditAnswer {
        let (mut touched, mut untouched): (Vec<Touched>, Vec<Span>) = (Vec::new(), Vec::new());
        let mut by_reason = LinesByReason::default();
        let (mut counted, mut touched_lines) = (0, 0);
        // Lines that say nothing do not part those around them.
        let mut last_touched = None;
        for (line, (reasons, documents)) in
            self.span.lines().zip(&self.touched).filter_map(|(a, b)| Some((a, b.as_ref()?)))
        {
            counted += 1;
            let is_touched = !reasons.is_empty();
            let goes_on = last_touched == Some(is_touched);
            last_touched = Some(is_touched);
            if !is_touched {
                match untouched.last_mut().filter(|_| goes_on) {
                    Some(last) => last.end_line = line,
                    None => untouched.push(Span::new(line, line)),
                }
                continue;
            }
            touched_lines += 1;
            by_reason.copied += usize::from(reasons.contains(&Reason::Copied));
            by_reason.referenced += usize::from(reasons.contains(&Reason::Referenced));
            by_reason.quoted += usize::from(reasons.contains(&Reason::Quoted));
            match touched
                .last_mut()
                .filter(|it| goes_on && it.reasons == *reasons && it.documents == *documents)
            {
                Some(last) => last.span.end_line = line,
                None => touched.push(Touched {
                    span: Span::new(line, line),
                    reasons: reasons.clone(),
                    documents: documents.clone(),
                }),
            }
        }
        AuditAnswer {
            manual_id: source.manual_id.clone(),
            path: source.path.clone(),
            documents,
            lines: counted,
            touched_lines,
            touched_percent: percent(touched_lines, counted),
            lines_by_reason: by_reason,
            touched,
            untouched,
            untouched_sections: self.untouched_sections(nodes),
            warnings,
            span: self.span,
        }
    }

    fn untouched_sections(&self, nodes: &[Node]) -> Vec<UntouchedSection> {
        let mut sections: Vec<UntouchedSection> = Vec::new();
        for node in nodes.iter().filter(|it| it.level > 0) {
            let span = node.span();
            let listed = sections.last().is_some_and(|it| it.span.overlap(span).is_some());
            if listed || span.overlap(self.span) != Some(span) {
                continue;
            }
            let start = (span.start_line - self.span.start_line) as usize;
            let inside: Vec<_> =
                self.touched[start..start + span.count() as usize].iter().flatten().collect();
            if !inside.is_empty() && inside.iter().all(|it| it.0.is_empty()) {
                sections.push(UntouchedSection { heading: node.title.clone(), span });
            }
        }
        sections
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 0.0,
        whole => (part as f64 * 1_000.0 / whole as f64).round() / 10.0,
    }
}
