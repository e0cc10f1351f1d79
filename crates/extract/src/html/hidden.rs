//! What a person does not see.
//!
//! Text that a page hides is not what its readers were told, and it is where instructions to
//! machines are put. It is kept apart with the way it was hidden, never mixed into the text.
//! What a reader opens with a click, or a script shows when the page has loaded, is not hidden.

use std::collections::HashSet;

use crate::document::HiddenBy;

use super::measure::Measures;
use super::names::Names;
use super::tag::{Attribute, Tag};
use super::tree::{NodeId, ROOT, Tree};

/// A page that hides more of itself than this share, and more words than the next number, shows it by
/// script when it has loaded: that is not hidden.
const SHOWN_BY_SCRIPT: f32 = 0.4;
const SHOWN_BY_SCRIPT_WORDS: f32 = 150.0;

/// How each element is hidden by itself, whatever is around it.
pub(crate) fn marks(tree: &Tree, measures: &Measures, names: &Names) -> Vec<Option<HiddenBy>> {
    let opened = opened_by_readers(tree);
    let page_words = measures.of_node(ROOT).words;
    let mut marks = vec![None; tree.len()];
    for node in tree.all() {
        let Some(tag) = tree.tag(node) else { continue };
        let Some(by) = hidden_by(tree, names, node, tag) else { continue };
        let words = measures.of_node(node).words;
        let shown_by_script = words > SHOWN_BY_SCRIPT_WORDS && words > SHOWN_BY_SCRIPT * page_words;
        let shown = tag != Tag::Template && (shown_by_script || opens(tree, node, &opened));
        if !shown {
            marks[node as usize] = Some(by);
        }
    }
    marks
}

/// The ids that a reader opens with a click: panels of tabs and accordions.
fn opened_by_readers(tree: &Tree) -> HashSet<&str> {
    let mut ids = HashSet::new();
    for (name, value) in tree.all_attributes() {
        let id = match name {
            Attribute::AriaControls => value,
            Attribute::DataTarget | Attribute::DataBsTarget | Attribute::Href => {
                value.strip_prefix('#').unwrap_or_default()
            }
            _ => continue,
        };
        if !id.is_empty() {
            ids.insert(id);
        }
    }
    ids
}

/// Whether a reader can open the element, or the panel that is all it holds.
fn opens(tree: &Tree, node: NodeId, opened: &HashSet<&str>) -> bool {
    let is_panel = |node: NodeId| {
        tree.attribute(node, Attribute::Id).is_some_and(|it| opened.contains(it))
            || tree
                .attribute(node, Attribute::Role)
                .is_some_and(|it| matches!(it, "tabpanel" | "region"))
    };
    let mut elements = tree.children(node).filter(|it| tree.tag(*it).is_some());
    let only = elements.next().filter(|_| elements.next().is_none());
    is_panel(node) || only.is_some_and(is_panel)
}

fn hidden_by(tree: &Tree, names: &Names, node: NodeId, tag: Tag) -> Option<HiddenBy> {
    match tag {
        Tag::Template if tree.attribute(node, Attribute::Shadowrootmode).is_some() => {}
        Tag::Template | Tag::Noframes | Tag::Noembed | Tag::Rp => return Some(HiddenBy::Element),
        Tag::Html | Tag::Body => return None,
        _ => {}
    }
    let (mut hidden, mut aria_hidden, mut style, mut colour) = (false, false, None, false);
    for (name, value) in tree.attributes(node) {
        match name {
            Attribute::Hidden => hidden = !value.eq_ignore_ascii_case("until-found"),
            Attribute::AriaHidden => aria_hidden = value.trim().eq_ignore_ascii_case("true"),
            Attribute::Style => style = Some(value),
            Attribute::Color => colour = true,
            _ => {}
        }
    }
    if hidden {
        Some(HiddenBy::Attribute)
    } else if aria_hidden {
        Some(HiddenBy::AriaHidden)
    } else if names.class(node).screen_reader() {
        Some(HiddenBy::ScreenReaderOnly)
    } else if style.is_some() || colour {
        style.and_then(style_hides).or_else(|| same_colour(tree, node, style))
    } else {
        None
    }
}

/// Levels that are climbed to find what is painted behind a text.
const BACKGROUND_LEVELS: usize = 32;

/// Text in the colour that is behind it. A page that says nothing about its background is white;
/// where a class may say something, nothing is known.
fn same_colour(tree: &Tree, node: NodeId, style: Option<&str>) -> Option<HiddenBy> {
    let written = style
        .and_then(|it| declared(it, &["color"]))
        .or_else(|| tree.attribute(node, Attribute::Color).map(str::to_ascii_lowercase));
    let colour = plain_colour(&written?)?;
    let mut behind = None;
    for above in tree.ancestors(node).take(BACKGROUND_LEVELS) {
        let own = tree
            .attribute(above, Attribute::Style)
            .and_then(|it| declared(it, &["background-color", "background"]));
        let own =
            own.or_else(|| tree.attribute(above, Attribute::Bgcolor).map(str::to_ascii_lowercase));
        if let Some(own) = own {
            behind = plain_colour(&own);
            break;
        }
        if tree.attribute(above, Attribute::Class).is_some()
            || tree.attribute(above, Attribute::Id).is_some()
        {
            return None;
        }
        if above == ROOT {
            behind = Some("ffffff".to_owned());
        }
    }
    (behind? == colour).then_some(HiddenBy::SameColour)
}

/// The last value that a style gives one of `names`, in lower case.
fn declared(style: &str, names: &[&str]) -> Option<String> {
    let found = style.split(';').rev().find_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        names.iter().any(|wanted| name.trim().eq_ignore_ascii_case(wanted)).then_some(value)
    })?;
    Some(found.trim().trim_end_matches("!important").trim_end().to_ascii_lowercase())
}

/// Classes that take a text off the screen and leave it to programs that read aloud.
pub(super) const SCREEN_READER_CLASSES: [&str; 11] = [
    "sr-only",
    "sronly",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screenreader",
    "screen-reader",
    "screen-reader-only",
    "u-visually-hidden",
    "show-for-sr",
    "a11y-hidden",
];

/// The way a style hides what it is put on.
pub(crate) fn style_hides(style: &str) -> Option<HiddenBy> {
    let (mut thin, mut low, mut clipped) = (false, false, false);
    for declaration in style.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let name = name.trim().to_ascii_lowercase();
        let value = value.trim().trim_end_matches("!important").trim_end().to_ascii_lowercase();
        match name.as_str() {
            "display" if value == "none" => return Some(HiddenBy::DisplayNone),
            "visibility" if value == "hidden" || value == "collapse" => {
                return Some(HiddenBy::Invisible);
            }
            "opacity" if number(&value).is_some_and(|it| it < 0.05) => {
                return Some(HiddenBy::Transparent);
            }
            "font-size" if length(&value).is_some_and(|it| it <= 1.0) => {
                return Some(HiddenBy::Tiny);
            }
            "text-indent" if length(&value).is_some_and(|it| it <= -500.0) => {
                return Some(HiddenBy::OffPage);
            }
            "left" | "top" | "right" | "margin-left" | "margin-top"
                if length(&value).is_some_and(|it| it <= -900.0) =>
            {
                return Some(HiddenBy::OffPage);
            }
            "width" | "max-width" => thin |= length(&value).is_some_and(|it| it <= 1.0),
            "height" | "max-height" => low |= length(&value).is_some_and(|it| it <= 1.0),
            "overflow" => clipped |= value.starts_with("hidden"),
            "clip" if value.replace([' ', ','], "").contains("rect(0") => {
                return Some(HiddenBy::OffPage);
            }
            "color" if value == "transparent" => return Some(HiddenBy::Transparent),
            _ => {}
        }
    }
    if (thin || low) && clipped {
        return Some(HiddenBy::Tiny);
    }
    None
}

fn number(value: &str) -> Option<f32> {
    value.strip_suffix('%').map_or_else(
        || value.parse().ok(),
        |it| it.parse().ok().map(|percent: f32| percent / 100.0),
    )
}

/// A length in CSS pixels, roughly.
fn length(value: &str) -> Option<f32> {
    let split = value
        .find(|it: char| !(it.is_ascii_digit() || matches!(it, '.' | '-' | '+')))
        .unwrap_or(value.len());
    let (digits, unit) = value.split_at(split);
    let size: f32 = digits.parse().ok()?;
    let scale = match unit.trim() {
        "px" => 1.0,
        "" if size == 0.0 => 1.0,
        "em" | "rem" => 16.0,
        "pt" => 4.0 / 3.0,
        "%" if size <= 0.0 => 10.0,
        _ => return None,
    };
    Some(size * scale)
}

/// A colour as six hexadecimal digits, where it is written plainly.
fn plain_colour(value: &str) -> Option<String> {
    let value = value.split_ascii_whitespace().next()?;
    match value {
        "white" => return Some("ffffff".to_owned()),
        "black" => return Some("000000".to_owned()),
        _ => {}
    }
    if let Some(digits) = value.strip_prefix('#') {
        return match digits.len() {
            3 if digits.is_ascii() => Some(digits.chars().flat_map(|it| [it, it]).collect()),
            6 | 8 if digits.is_ascii() => Some(digits[..6].to_owned()),
            _ => None,
        };
    }
    let inner =
        value.strip_prefix("rgba(").or_else(|| value.strip_prefix("rgb("))?.strip_suffix(')')?;
    let mut out = String::new();
    for part in inner.split(',').take(3) {
        out += &format!("{:02x}", part.trim().parse::<u8>().ok()?);
    }
    (out.len() == 6).then_some(out)
}
