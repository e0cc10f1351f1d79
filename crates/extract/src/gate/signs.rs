//! The marks that gates leave: in headers, in titles, in what they say, load and draw.
//!
//! The table is `data/gate_signs.toml`. Marks are compared without regard to case, `’` is read as `'`.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::Deserialize;
use text::word_list;

use super::GateKind;
use crate::view::PageView;

/// How much a mark says; the file says what each weight means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Weight {
    Alone,
    Little,
    Refused,
    Bare,
    Hint,
    Vendor,
}

/// Where a mark is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum SignPlace {
    /// A header of this name.
    Header(String),
    /// The start of a `set-cookie` header.
    Cookie,
    Title,
    Text,
    /// Markup and scripts.
    Source,
    /// Addresses of scripts, frames and forms, and where the page sends its reader.
    Load,
    Widget,
    /// The address of the page itself.
    Address,
}

impl TryFrom<String> for SignPlace {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Ok(match name.as_str() {
            "cookie" => Self::Cookie,
            "title" => Self::Title,
            "text" => Self::Text,
            "source" => Self::Source,
            "load" => Self::Load,
            "widget" => Self::Widget,
            "address" => Self::Address,
            _ => match name.strip_prefix("header ") {
                Some(header) => Self::Header(header.to_owned()),
                None => return Err(format!("no place is called “{name}”")),
            },
        })
    }
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "(GateKind, String, SignPlace, Weight, String)")]
pub(super) struct Sign {
    pub(super) kind: GateKind,
    /// Empty if any vendor's page may say so.
    pub(super) vendor: String,
    pub(super) place: SignPlace,
    pub(super) weight: Weight,
    pub(super) mark: String,
}

impl From<(GateKind, String, SignPlace, Weight, String)> for Sign {
    fn from(
        (kind, vendor, place, weight, mark): (GateKind, String, SignPlace, Weight, String),
    ) -> Self {
        Self { kind, vendor, place, weight, mark }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    signs: Vec<Sign>,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| word_list::read(include_str!("../../data/gate_signs.toml")));

impl Sign {
    pub(super) fn words(&self) -> String {
        let mark = &self.mark;
        match &self.place {
            SignPlace::Header(name) if mark.is_empty() => format!("it has the header {name}"),
            SignPlace::Header(name) => format!("the header {name} says “{mark}”"),
            SignPlace::Cookie => format!("it sets the cookie {mark}"),
            SignPlace::Title => format!("the title says “{mark}”"),
            SignPlace::Text => format!("the text says “{mark}”"),
            SignPlace::Source => format!("the markup holds {mark}"),
            SignPlace::Load => format!("it loads {mark}"),
            SignPlace::Widget => format!("it draws a widget {mark}"),
            SignPlace::Address => format!("its address holds {mark}"),
        }
    }
}

/// How much of a page is searched for marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Search {
    /// Only what came with it.
    Headers,
    /// What it says, loads and draws as well.
    Page,
    /// And its markup, which is ten times as long.
    Source,
}

/// Every mark of the table that is found.
pub(super) fn find(view: &PageView<'_>, search: Search) -> Vec<&'static Sign> {
    let mut found = vec![false; TABLE.signs.len()];
    if search >= Search::Page {
        find_on_page(view, &mut found);
    }
    if search == Search::Source {
        FINDERS.source.mark(view.source, &mut found);
    }
    for (index, sign) in TABLE.signs.iter().enumerate() {
        let in_header = |name: &str, test: &dyn Fn(&str) -> bool| {
            view.headers.iter().any(|it| it.0 == name && test(&it.1.to_ascii_lowercase()))
        };
        found[index] |= match &sign.place {
            SignPlace::Header(name) => in_header(name, &|it| it.contains(&sign.mark)),
            SignPlace::Cookie => in_header("set-cookie", &|it| it.starts_with(&sign.mark)),
            _ => false,
        };
    }
    let signs = TABLE.signs.iter().zip(found);
    signs.filter_map(|(sign, is_found)| is_found.then_some(sign)).collect()
}

fn find_on_page(view: &PageView<'_>, found: &mut [bool]) {
    let finders = &*FINDERS;
    finders.title.mark(&plain(view.title), found);
    finders.text.mark(&plain(view.visible), found);
    if let Some(url) = view.url {
        finders.address.mark(url.as_str(), found);
    }
    let shape = &view.shape;
    let loads = shape.script_urls.iter().chain(&shape.frames).chain(&shape.forms);
    for address in loads.chain(&shape.refresh) {
        finders.load.mark(address, found);
    }
    for widget in &shape.widgets {
        finders.widget.mark(widget, found);
    }
}

fn plain(text: &str) -> String {
    text.replace('’', "'")
}

/// Looks for all marks of one place at once.
struct Finder {
    automaton: AhoCorasick,
    signs: Vec<usize>,
}

impl Finder {
    fn of(place: &SignPlace) -> Self {
        let rows = || TABLE.signs.iter().enumerate().filter(|it| it.1.place == *place);
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(rows().map(|it| it.1.mark.as_str()))
            .expect("a fixed table of marks makes an automaton");
        Self { automaton, signs: rows().map(|it| it.0).collect() }
    }

    fn mark(&self, text: &str, found: &mut [bool]) {
        for hit in self.automaton.find_overlapping_iter(text) {
            found[self.signs[hit.pattern().as_usize()]] = true;
        }
    }
}

struct Finders {
    title: Finder,
    text: Finder,
    source: Finder,
    load: Finder,
    widget: Finder,
    address: Finder,
}

static FINDERS: LazyLock<Finders> = LazyLock::new(|| Finders {
    title: Finder::of(&SignPlace::Title),
    text: Finder::of(&SignPlace::Text),
    source: Finder::of(&SignPlace::Source),
    load: Finder::of(&SignPlace::Load),
    widget: Finder::of(&SignPlace::Widget),
    address: Finder::of(&SignPlace::Address),
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mark_is_there_twice_and_all_are_in_lower_case() {
        let signs = &TABLE.signs;
        for (index, sign) in signs.iter().enumerate() {
            assert_eq!(sign.mark, plain(&sign.mark).to_lowercase());
            let again = |it: &&Sign| it.mark == sign.mark && it.place == sign.place;
            assert_eq!(signs[..index].iter().find(again), None);
        }
    }

    /// An empty mark is in every text.
    #[test]
    fn only_headers_are_enough_by_being_there() {
        let empty = TABLE.signs.iter().filter(|it| it.mark.is_empty());
        assert!(empty.clone().all(|it| matches!(it.place, SignPlace::Header(_))));
        assert_eq!(empty.count(), 7);
    }
}
