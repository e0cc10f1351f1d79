//! Drawings of a report, as SVG without scripts: how sources and findings hang together, and the evidence by year.

mod graph;
mod years;

pub(crate) use graph::graph;
pub(crate) use years::years;

use crate::escape;

/// Markup of a drawing, in which every text is escaped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Svg(String);

impl Svg {
    pub(crate) fn markup(&self) -> &str {
        &self.0
    }
}

/// Lines of text, one below the other.
fn text_lines(class: &str, x: f64, y: f64, step: f64, lines: &[String]) -> String {
    let line = |(index, line): (usize, &String)| {
        let y = y + step * index as f64;
        let text = escape::html(line);
        format!("<text class=\"{class}\" x=\"{x:.0}\" y=\"{y:.1}\">{text}</text>")
    };
    lines.iter().enumerate().map(line).collect()
}
