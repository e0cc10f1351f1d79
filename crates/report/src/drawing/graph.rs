//! The evidence graph as a drawing: sources on the left, findings on the right, a line for each side taken.
//!
//! Sides differ by colour, by the kind of line and by its end, so that the drawing can be read in grey and by the
//! colour-blind. It is bounded to what fits on a page and says so.

use std::collections::BTreeSet;

use super::{Svg, text_lines};
use crate::compose::phrases::{figure, title};
use crate::escape::html as text;
use crate::report::{Finding, Report, Source, Standing};
use crate::words::Words;
use crate::wrap::bounded;

/// What fits on one printed page.
const MAX_CLAIMS: usize = 10;
const MAX_SOURCES: usize = 14;

const WIDTH: f64 = 860.0;
const SOURCE_WIDTH: f64 = 290.0;
const CLAIM_WIDTH: f64 = 330.0;
const SOURCE_HEIGHT: f64 = 36.0;
const CLAIM_HEIGHT: f64 = 54.0;
const SPACE: f64 = 12.0;
const TOP: f64 = 26.0;
/// Cells of text in the boxes.
const SOURCE_CELLS: usize = 37;
const CLAIM_CELLS: usize = 42;

/// What is drawn, in the order of the columns.
struct Chosen<'r> {
    claims: Vec<&'r Finding>,
    sources: Vec<&'r Source>,
}

/// The drawing with how many findings and sources it shows; nothing if there are none.
pub(crate) fn graph(words: &'static Words, report: &Report) -> Option<(Svg, usize, usize)> {
    let chosen = choose(report);
    let (claims, sources) = (chosen.claims.len(), chosen.sources.len());
    (claims > 0 && sources > 0).then(|| (Svg(draw(words, report, &chosen)), claims, sources))
}

/// The first findings about the question, disputed ones before the rest, and the sources that speak about most of them.
fn choose(report: &Report) -> Chosen<'_> {
    let mut claims: Vec<&Finding> = report.judged().filter(|it| it.about_question).collect();
    if claims.len() > MAX_CLAIMS {
        let disputed: BTreeSet<u32> =
            report.disputes.iter().take(MAX_CLAIMS / 2).map(|it| it.finding).collect();
        let mut free = MAX_CLAIMS - disputed.len();
        claims.retain(|claim| {
            if disputed.contains(&claim.number) {
                return true;
            }
            let kept = free > 0;
            free = free.saturating_sub(1);
            kept
        });
    }
    let speaks = |source: &Source| claims.iter().filter(|it| takes_side(it, source.number)).count();
    let mut sources: Vec<(usize, &Source)> = report
        .sources
        .iter()
        .map(|it| (speaks(it), it))
        .filter(|(claims, _)| *claims > 0)
        .collect();
    sources.sort_by_key(|(claims, it)| (std::cmp::Reverse(*claims), !it.primary, it.number));
    sources.truncate(MAX_SOURCES);
    let mut sources: Vec<&Source> = sources.into_iter().map(|it| it.1).collect();
    // Beside the claims they speak about, so that few lines cross.
    let place = |source: &Source| {
        let places: Vec<usize> =
            (0..claims.len()).filter(|index| takes_side(claims[*index], source.number)).collect();
        // In thousandths, so that it can be compared.
        places.iter().sum::<usize>() * 1000 / places.len().max(1)
    };
    sources.sort_by_key(|it| (place(it), it.number));
    Chosen { claims, sources }
}

fn takes_side(finding: &Finding, source: u32) -> bool {
    finding.supported_by.contains(&source) || finding.refuted_by.contains(&source)
}

fn draw(words: &'static Words, report: &Report, chosen: &Chosen<'_>) -> String {
    let column = |count: usize, height: f64| count as f64 * (height + SPACE) - SPACE;
    let (left, right) =
        (column(chosen.sources.len(), SOURCE_HEIGHT), column(chosen.claims.len(), CLAIM_HEIGHT));
    let body = left.max(right);
    let height = TOP + body + 40.0;
    let source_y = |index: usize| spread(index, chosen.sources.len(), SOURCE_HEIGHT, body);
    let claim_y = |index: usize| spread(index, chosen.claims.len(), CLAIM_HEIGHT, body);

    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">\n<defs>\
         <marker id=\"end-supports\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path class=\"end supports\" d=\"M0 0 L10 5 L0 10 z\"/></marker>\
         <marker id=\"end-refutes\" viewBox=\"0 0 10 10\" refX=\"5\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path class=\"end refutes\" d=\"M5 0 L5 10\"/></marker></defs>\n",
        text(&words.graph)
    );
    out.push_str(&format!(
        "<text class=\"column\" x=\"0\" y=\"14\">{}</text><text class=\"column\" x=\"{:.0}\" y=\"14\">{}</text>\n",
        text(&words.graph_sources),
        WIDTH - CLAIM_WIDTH,
        text(&words.graph_findings)
    ));
    for (to, claim) in chosen.claims.iter().enumerate() {
        // Lines end apart from each other at the box they lead to.
        let reaching: Vec<(usize, &str)> = (chosen.sources.iter().enumerate())
            .flat_map(|(from, source)| {
                let supports = claim.supported_by.contains(&source.number);
                let refutes = claim.refuted_by.contains(&source.number);
                [supports.then_some((from, "supports")), refutes.then_some((from, "refutes"))]
            })
            .flatten()
            .collect();
        for (index, (from, kind)) in reaching.iter().enumerate() {
            let part = (index as f64 + 1.0) / (reaching.len() as f64 + 1.0);
            let start = (SOURCE_WIDTH, source_y(*from) + SOURCE_HEIGHT / 2.0);
            let end = (WIDTH - CLAIM_WIDTH - 5.0, claim_y(to) + CLAIM_HEIGHT * part);
            out.push_str(&curve(kind, start, end));
        }
    }
    for (citing, cited) in citations(report, chosen) {
        let middle = |index| source_y(index) + SOURCE_HEIGHT / 2.0;
        let (from, to) = (middle(citing), middle(cited));
        let reach = SOURCE_WIDTH + 26.0 + (to - from).abs() * 0.12;
        out.push_str(&format!(
            "<path class=\"edge cites\" d=\"M{SOURCE_WIDTH} {from:.1} C{reach:.1} {from:.1} {reach:.1} {to:.1} {SOURCE_WIDTH} {to:.1}\"/>\n"
        ));
    }
    for (index, source) in chosen.sources.iter().enumerate() {
        out.push_str(&source_box(words, source, source_y(index)));
    }
    for (index, claim) in chosen.claims.iter().enumerate() {
        out.push_str(&claim_box(words, claim, claim_y(index)));
    }
    out.push_str(&legend(words, height - 12.0));
    out.push_str("</svg>");
    out
}

/// The top of a box in a column that is spread over the height.
fn spread(index: usize, count: usize, box_height: f64, body: f64) -> f64 {
    let free = body - count as f64 * box_height;
    let step = box_height + free / (count as f64);
    TOP + free / (2.0 * count as f64) + step * index as f64
}

fn curve(kind: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> String {
    let bend = (x2 - x1) * 0.45;
    format!(
        "<path class=\"edge {kind}\" marker-end=\"url(#end-{kind})\" d=\"M{x1:.0} {y1:.1} C{:.0} {y1:.1} {:.0} {y2:.1} {x2:.0} {y2:.1}\"/>\n",
        x1 + bend,
        x2 - bend
    )
}

/// Citations between the sources that are drawn, as far as the chains show them.
fn citations(report: &Report, chosen: &Chosen<'_>) -> BTreeSet<(usize, usize)> {
    let place =
        |number: Option<u32>| chosen.sources.iter().position(|it| Some(it.number) == number);
    let pairs = report.chains.iter().flat_map(|it| it.steps.windows(2));
    pairs.filter_map(|pair| Some((place(pair[0].source)?, place(pair[1].source)?))).collect()
}

fn source_box(words: &'static Words, source: &Source, y: f64) -> String {
    let title = title(source.title.as_deref(), &source.url);
    let name = bounded(&format!("[{}] {title}", source.number), SOURCE_CELLS, 1);
    let category = match source.own_document {
        true => &*words.own_document,
        false => words.codes.category.word(source.category.as_str()),
    };
    let year = source.year.map_or_else(|| words.unknown_year.clone(), |it| it.to_string());
    let facts = bounded(&format!("{category} · {year} · {}", source.site), SOURCE_CELLS + 6, 1);
    let kind = if source.primary { "primary" } else { "other" };
    format!(
        "<a href=\"#s{}\"><rect class=\"box {kind}\" x=\"0.5\" y=\"{y:.1}\" width=\"{:.0}\" height=\"{SOURCE_HEIGHT}\" rx=\"4\"/>{}{}</a>\n",
        source.number,
        SOURCE_WIDTH - 1.0,
        text_lines("name", 9.0, y + 15.0, 0.0, &name),
        text_lines("sub", 9.0, y + 29.0, 0.0, &facts),
    )
}

fn claim_box(words: &'static Words, claim: &Finding, y: f64) -> String {
    let x = WIDTH - CLAIM_WIDTH;
    let number = match claim.number {
        0 => words.hypothesis.clone(),
        number => number.to_string(),
    };
    let lines = bounded(&format!("{number}. {}", claim.text), CLAIM_CELLS, 2);
    let figure = match claim.standing {
        Standing::OneSource => words.codes.standing.word("one_source").to_owned(),
        _ => {
            let shown = figure(claim.confidence.confidence, claim.confidence.uncertainty);
            format!("{} {shown}", words.confidence)
        }
    };
    let kind = if claim.number == 0 { "claim hypothesis" } else { "claim" };
    format!(
        "<a href=\"#f{}\"><rect class=\"box {kind}\" x=\"{x:.0}\" y=\"{y:.1}\" width=\"{:.0}\" height=\"{CLAIM_HEIGHT}\" rx=\"4\"/>{}{}</a>\n",
        claim.number,
        CLAIM_WIDTH - 1.0,
        text_lines("name", x + 9.0, y + 16.0, 14.0, &lines),
        text_lines("sub", x + 9.0, y + 47.0, 0.0, &[figure]),
    )
}

fn legend(words: &'static Words, y: f64) -> String {
    let line = |x: f64, kind: &str, name: &str| {
        let end = match kind {
            "cites" => String::new(),
            kind => format!(" marker-end=\"url(#end-{kind})\""),
        };
        format!(
            "<path class=\"edge {kind}\"{end} d=\"M{x:.0} {0:.1} L{1:.0} {0:.1}\"/><text class=\"sub\" x=\"{2:.0}\" y=\"{y:.1}\">{3}</text>",
            y - 4.0,
            x + 34.0,
            x + 42.0,
            text(name)
        )
    };
    let square = |x: f64, kind: &str, name: &str| {
        format!(
            "<rect class=\"box {kind}\" x=\"{x:.0}\" y=\"{:.1}\" width=\"14\" height=\"11\" rx=\"2\"/><text class=\"sub\" x=\"{:.0}\" y=\"{y:.1}\">{}</text>",
            y - 10.0,
            x + 20.0,
            text(name)
        )
    };
    [
        line(4.0, "supports", &words.legend_supports),
        line(124.0, "refutes", &words.legend_refutes),
        line(244.0, "cites", &words.legend_cites),
        square(364.0, "primary", &words.legend_primary),
        square(600.0, "other", &words.legend_other),
        "\n".to_owned(),
    ]
    .concat()
}
