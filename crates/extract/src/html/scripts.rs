//! Pages that show their text only once their scripts have run.
//!
//! A page that says much needs nothing. One that says little is taken for an empty shell where it leaves room for a program
//! that draws it, or says that it needs one; else it only may be.

use serde::{Deserialize, Serialize};

use super::tag::{Attribute, Tag};
use super::tree::{NodeId, Tree};
use crate::view::Shape;

/// How a page gives away that its text is made by scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NeedsScripts {
    /// It has an empty place for a program that draws it, and next to nothing else.
    Shell,
    /// It says so to those who read it without.
    SaysSo,
    /// It stands behind a question about cookies.
    Consent,
    /// It has scripts and few words, and may have said all.
    Perhaps,
}

impl NeedsScripts {
    /// Whether what the page shows without its scripts is not worth reading.
    pub const fn is_sure(self) -> bool {
        matches!(self, Self::Shell | Self::SaysSo)
    }
}

/// Words up to which a page may be empty without its scripts.
const FEW: f32 = 60.0;
/// Words up to which a page may be nothing but a question about cookies.
const CONSENT: f32 = 200.0;
/// Where common programs draw a page.
const PLACES: [&str; 10] = [
    "root",
    "app",
    "__next",
    "__nuxt",
    "gatsby-focus-wrapper",
    "svelte",
    "ember-app",
    "react-root",
    "app-root",
    "main-app",
];

pub(super) fn needs_scripts(tree: &Tree, shape: &Shape, visible: &str) -> Option<NeedsScripts> {
    if shape.scripts == 0 {
        return None;
    }
    if shape.words <= CONSENT && asks_about_cookies(visible) {
        return Some(NeedsScripts::Consent);
    }
    if shape.words > FEW {
        return None;
    }
    let unscripted = tree.all().filter(|it| tree.tag(*it) == Some(Tag::Noscript));
    if unscripted.map(|it| tree.text_under(it)).any(|it| speaks_of_scripts(&it))
        || speaks_of_scripts(visible)
    {
        return Some(NeedsScripts::SaysSo);
    }
    let empty_place = tree.all().any(|it| is_place(tree, it) && is_empty(tree, it));
    Some(if empty_place { NeedsScripts::Shell } else { NeedsScripts::Perhaps })
}

fn is_place(tree: &Tree, node: NodeId) -> bool {
    let id = tree.attribute(node, Attribute::Id).unwrap_or_default();
    PLACES.contains(&id)
}

/// A word or two may stand there meanwhile.
fn is_empty(tree: &Tree, node: NodeId) -> bool {
    const MEANWHILE: usize = 20;
    tree.text_under(node).trim().chars().count() <= MEANWHILE
}

fn speaks_of_scripts(text: &str) -> bool {
    let text = text.to_lowercase();
    text.contains("javascript") || text.contains("スクリプトを有効")
}

fn asks_about_cookies(visible: &str) -> bool {
    let text = visible.to_lowercase();
    let about = ["cookie", "クッキー"].iter().any(|it| text.contains(it));
    let asks = ["accept", "agree", "consent", "同意", "許可", "承諾"];
    about && asks.iter().any(|it| text.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Input, ReadSettings, read};

    fn sign(page: &str) -> Option<NeedsScripts> {
        let html = [("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
        let input = Input { bytes: page.as_bytes(), headers: &html, ..Input::default() };
        read(input, &ReadSettings::default()).needs_scripts
    }

    #[test]
    fn an_empty_place_for_a_program_is_a_shell() {
        let shell = |inside: &str| {
            sign(&format!(
                "<title>Rice</title><div id=root>{inside}</div><script src=/app.js></script>"
            ))
        };
        assert_eq!(shell(""), Some(NeedsScripts::Shell));
        assert_eq!(shell("読み込み中..."), Some(NeedsScripts::Shell));
        assert_eq!(shell("The yield of rice fell by a tenth."), Some(NeedsScripts::Perhaps));
        let many = "The yield of rice fell by a tenth in the year of the flood. ".repeat(8);
        assert_eq!(shell(&format!("<p>{many}")), None);
        assert_eq!(
            sign("<title>Rice</title><div id=root></div>"),
            None,
            "without scripts it is empty"
        );
    }

    #[test]
    fn a_page_may_say_that_it_needs_scripts() {
        for says in
            ["You need to enable JavaScript to run this app.", "JavaScriptを有効にしてください。"]
        {
            let page =
                format!("<noscript>{says}</noscript><div id=x></div><script>draw()</script>");
            assert_eq!(sign(&page), Some(NeedsScripts::SaysSo), "{says}");
        }
    }

    #[test]
    fn a_question_about_cookies_may_stand_before_a_page() {
        for says in
            ["We use cookies. Accept all or manage choices.", "クッキーの使用に同意しますか。"]
        {
            let page = format!(
                "<div class=wall><p>{says}</p><button>OK</button></div><script>wall()</script>"
            );
            assert_eq!(sign(&page), Some(NeedsScripts::Consent), "{says}");
        }
    }
}
