//! The timeline: how much evidence each year gave, and when something was withdrawn.

use super::Svg;
use crate::compose::phrases::look_of;
use crate::document::Look;
use crate::escape::html as text;
use crate::report::Timeline;
use crate::words::Words;

const WIDTH: f64 = 860.0;
const LEFT: f64 = 30.0;
/// Room for the bars on each side of the axis, and for the marks below.
const SIDE: f64 = 64.0;
const TOP: f64 = 18.0;
const BELOW: f64 = 40.0;
const WIDEST_BAR: f64 = 26.0;
/// Years that are written below the axis.
const MAX_LABELS: i32 = 14;
/// A year far from the others is most likely a mistake of a page, and would press the rest together.
const LONGEST_SPAN: i32 = 150;

/// The bars, or nothing when no year is known.
pub(crate) fn years(words: &Words, timeline: &Timeline) -> Option<Svg> {
    let newest = timeline.years.iter().map(|it| it.year).max()?;
    let years = || timeline.years.iter().filter(|it| it.year > newest - LONGEST_SPAN);
    let withdrawn: Vec<i32> = timeline
        .events
        .iter()
        .filter(|event| look_of(event.kind) == Look::Withdrawn)
        .filter_map(|event| event.date.as_deref()?.get(..4)?.parse().ok())
        .filter(|year| *year > newest - LONGEST_SPAN && *year < newest + LONGEST_SPAN)
        .collect();
    let all = || years().map(|it| it.year).chain(withdrawn.iter().copied());
    let (first, last) = (all().min()?, all().max()?);
    let most = years().map(|it| it.supports.max(it.refutes)).max()?.max(1);

    let step = (WIDTH - LEFT) / f64::from(last - first + 1);
    let x = |year: i32| LEFT + step * (f64::from(year - first) + 0.5);
    let bar = (step * 0.7).min(WIDEST_BAR);
    let axis = TOP + SIDE;
    let height = axis + SIDE + BELOW;
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">\n\
         <text class=\"sub side-name\" transform=\"translate(10 {:.0}) rotate(-90)\">{}</text>\
         <text class=\"sub side-name\" transform=\"translate(10 {:.0}) rotate(-90)\">{}</text>\n",
        text(&words.timeline),
        TOP + SIDE / 2.0,
        text(&words.legend_supports),
        axis + SIDE / 2.0 + 8.0,
        text(&words.legend_refutes),
    );
    for it in years() {
        let left = x(it.year) - bar / 2.0;
        let tall = |count: u32| SIDE * 0.86 * f64::from(count) / f64::from(most);
        if it.supports > 0 {
            let tall = tall(it.supports);
            out.push_str(&format!(
                "<rect class=\"bar supports\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{bar:.1}\" height=\"{tall:.1}\"/>\
                 <text class=\"count\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                axis - tall,
                x(it.year),
                axis - tall - 4.0,
                it.supports
            ));
        }
        if it.refutes > 0 {
            let tall = tall(it.refutes);
            out.push_str(&format!(
                "<rect class=\"bar refutes\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{bar:.1}\" height=\"{tall:.1}\"/>\
                 <text class=\"count\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                axis + 1.0,
                x(it.year),
                axis + tall + 13.0,
                it.refutes
            ));
        }
    }
    out.push_str(&format!(
        "<line class=\"axis\" x1=\"{LEFT}\" y1=\"{axis}\" x2=\"{WIDTH}\" y2=\"{axis}\"/>\n"
    ));
    for year in &withdrawn {
        let (x, r) = (x(*year), 5.0);
        out.push_str(&format!(
            "<path class=\"withdrawn\" d=\"M{:.1} {axis} L{x:.1} {:.1} L{:.1} {axis} L{x:.1} {:.1} z\"/>\n",
            x - r,
            axis - r,
            x + r,
            axis + r
        ));
    }
    let every = (last - first) / MAX_LABELS + 1;
    for year in (first..=last).filter(|it| (it - first) % every == 0) {
        out.push_str(&format!(
            "<text class=\"year\" x=\"{:.1}\" y=\"{:.1}\">{year}</text>\n",
            x(year),
            height - BELOW + 16.0
        ));
    }
    if !withdrawn.is_empty() {
        let y = height - 6.0;
        out.push_str(&format!(
            "<path class=\"withdrawn\" d=\"M{LEFT} {0:.1} l5 -5 l5 5 l-5 5 z\"/><text class=\"sub\" x=\"{1:.0}\" y=\"{y:.1}\">{2}</text>\n",
            y - 4.0,
            LEFT + 16.0,
            text(&words.retractions)
        ));
    }
    out.push_str("</svg>");
    Some(Svg(out))
}
