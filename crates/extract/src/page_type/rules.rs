//! The rules that tell one kind of content from another, each worth a few points.
//!
//! What a page calls itself and where it stands weigh most, because sites are consistent about
//! them; what it is built of decides where they say nothing.

use std::sync::LazyLock;

use evidence::FragmentType;
use serde::Deserialize;
use text::word_list::{self, WordList, WordSet};
use url::Url;

use super::{PageType, Typed};
use crate::view::PageView;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// How releases and notices begin.
    notice_texts: WordList,
    address: Vec<AddressWords>,
    title: Vec<TitleWords>,
}

/// Labels of a host's name, and parts of a path, by the kind of page that is there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AddressWords {
    page_type: PageType,
    points: u32,
    hosts: WordSet,
    paths: WordSet,
}

/// Words of titles by the kind of page that has them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TitleWords {
    page_type: PageType,
    points: u32,
    words: WordList,
}

static WORDS: LazyLock<Words> =
    LazyLock::new(|| word_list::read(include_str!("../../data/page_types.toml")));

/// Bytes at the start of a page in which a notice says that it is one.
const NOTICE_WITHIN: usize = 6_000;

pub(super) fn content_type(view: &PageView<'_>) -> Typed {
    let mut points = Points::default();
    points.says(view);
    if let Some(url) = view.url {
        points.address(url);
    }
    points.title(&view.title.to_lowercase());
    points.built(view);
    points.text(view);
    points.decide()
}

/// In the order in which equal points are settled.
const KINDS: [PageType; 6] = [
    PageType::Paper,
    PageType::Forum,
    PageType::Knowledge,
    PageType::Notice,
    PageType::Article,
    PageType::List,
];

#[derive(Debug, Default)]
struct Points {
    given: Vec<(PageType, u32, String)>,
}

impl Points {
    fn give(&mut self, page_type: PageType, points: u32, reason: impl Into<String>) {
        self.given.push((page_type, points, reason.into()));
    }

    fn decide(self) -> Typed {
        let sum = |kind: PageType| {
            self.given.iter().filter(|it| it.0 == kind).map(|it| it.1).sum::<u32>()
        };
        let mut best = (PageType::Article, 0);
        for kind in KINDS {
            if sum(kind) > best.1 {
                best = (kind, sum(kind));
            }
        }
        let mut reasons: Vec<String> =
            self.given.into_iter().filter(|it| it.0 == best.0).map(|it| it.2).collect();
        if reasons.is_empty() {
            reasons.push("nothing says what else it is".to_owned());
        }
        Typed { page_type: best.0, reasons }
    }

    fn says(&mut self, view: &PageView<'_>) {
        let says = view.says;
        if says.paper {
            self.give(PageType::Paper, 5, "it says of itself that it is a paper");
        }
        if says.forum {
            self.give(PageType::Forum, 4, "it says of itself that it is a discussion");
        }
        if says.manual {
            self.give(PageType::Knowledge, 3, "it was made by a program for manuals");
        }
        if says.article {
            self.give(PageType::Article, 2, "it says of itself that it is an article");
        } else if says.list {
            self.give(PageType::List, 3, "it says of itself that it is a list");
        }
    }

    fn address(&mut self, url: &Url) {
        let host = url.host_str().unwrap_or_default();
        let mut labels: Vec<&str> = host.split('.').collect();
        // The last label is a country's or a trade's, not the site's.
        labels.pop();
        let path = url.path().to_ascii_lowercase();
        let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
        let stem = |it: &&str| it.split('.').next().unwrap_or_default().to_owned();
        let stems: Vec<String> = parts.iter().map(stem).collect();
        for names in &WORDS.address {
            if let Some(label) = labels.iter().find(|label| names.hosts.contains(label)) {
                self.give(names.page_type, names.points, format!("its host is called {label}"));
            }
            let named = stems.iter().position(|stem| names.paths.contains(stem));
            let Some(place) = named else { continue };
            let part = &stems[place];
            let is_section = matches!(names.page_type, PageType::Article | PageType::Notice);
            if is_section && place + 1 == stems.len() {
                // The section itself, which lists its contents.
                self.give(PageType::List, 3, format!("its address ends at /{part}"));
            } else {
                self.give(names.page_type, names.points, format!("its address holds /{part}"));
            }
        }
        // Forums count their topics, magazines name them.
        for pair in parts.windows(2) {
            let counted = pair[1].starts_with(|it: char| it.is_ascii_digit());
            match pair[0] {
                "t" => self.give(PageType::Forum, 2, "its address is a thread's"),
                "topic" if counted => self.give(PageType::Forum, 2, "its address is a thread's"),
                "topic" => self.give(PageType::List, 2, "its address holds /topic"),
                _ => {}
            }
        }
        if labels.iter().any(|it| it.contains("forum") && *it != "forum" && *it != "forums") {
            self.give(PageType::Forum, 3, "its host is called a forum");
        }
        if parts.is_empty() && url.query_pairs().all(|it| it.0 != "p" && it.0 != "id") {
            self.give(PageType::List, 2, "it is the front page of its site");
        }
        if url.query_pairs().any(|it| matches!(it.0.as_ref(), "q" | "query" | "keyword" | "s")) {
            self.give(PageType::List, 3, "its address asks a question");
        }
        let is_year = |it: &&str| it.len() == 4 && (it.starts_with("20") || it.starts_with("19"));
        if parts.iter().any(|it| is_year(it) && it.bytes().all(|byte| byte.is_ascii_digit())) {
            self.give(PageType::Article, 1, "its address has a date");
        }
    }

    fn title(&mut self, title: &str) {
        for rule in &WORDS.title {
            if let Some(word) = rule.words.iter().find(|word| title.contains(word)) {
                let reason = format!("the title says “{}”", word.trim());
                self.give(rule.page_type, rule.points, reason);
            }
        }
    }

    /// What it is made of: sentences, links, entries, prices, code.
    fn built(&mut self, view: &PageView<'_>) {
        let shape = &view.shape;
        let words = shape.words.max(1.0);
        let (links, prose) = (shape.link_words / words, shape.prose_words / words);
        let percent = |it: f32| (it * 100.0).round();
        if prose >= 0.35 {
            let points = if prose >= 0.5 { 2 } else { 1 };
            let reason = format!("{}% of its words are in sentences", percent(prose));
            self.give(PageType::Article, points, reason);
        } else if shape.blocks > 0 {
            let points = if prose < 0.2 { 2 } else { 1 };
            let reason = format!("only {}% of its words are in sentences", percent(prose));
            self.give(PageType::List, points, reason);
        }
        if shape.prose_words >= 400.0 {
            let reason = format!("it has {:.0} words of sentences", shape.prose_words);
            self.give(PageType::Article, 1, reason);
        }
        if links >= 0.35 {
            let points = if links >= 0.5 { 2 } else { 1 };
            let reason = format!("{}% of its words are in links", percent(links));
            self.give(PageType::List, points, reason);
        }
        if shape.entries >= 12 {
            let points = if shape.entries >= 20 { 2 } else { 1 };
            self.give(PageType::List, points, format!("{} entries of one kind", shape.entries));
        }
        if shape.prices >= 3 {
            let points = if shape.prices >= 8 { 2 } else { 1 };
            self.give(PageType::List, points, format!("{} prices", shape.prices));
        }
        if shape.code_blocks >= 3 {
            let points = if shape.code_blocks >= 12 { 3 } else { 2 };
            let reason = format!("{} blocks of code", shape.code_blocks);
            self.give(PageType::Knowledge, points, reason);
        }
        // Comments below an article are posts too; only a page of nothing else is a thread by them.
        if shape.posts >= 4 && shape.prose_words >= 100.0 {
            self.give(PageType::Forum, 1, format!("{} posts of one kind", shape.posts));
        }
        if shape.posts >= 2 && !view.says.article {
            self.give(PageType::Forum, 1, "people answer each other on it");
        }
    }

    fn text(&mut self, view: &PageView<'_>) {
        let headings = view.pieces.iter().filter(|it| it.kind == FragmentType::Heading);
        let (mut summary, mut references) = (false, false);
        for heading in headings {
            let heading = heading
                .text
                .trim()
                .trim_start_matches(|it: char| it.is_ascii_digit() || it == '.' || it == ' ');
            summary |= ["abstract", "要旨", "抄録", "要約"].iter().any(|it| is_called(heading, it));
            references |= ["references", "bibliography", "参考文献", "引用文献"]
                .iter()
                .any(|it| is_called(heading, it));
        }
        if summary {
            self.give(PageType::Paper, 3, "it has an abstract");
        }
        if summary && references {
            self.give(PageType::Paper, 2, "it has a list of references");
        }
        let mut end = view.visible.len().min(NOTICE_WITHIN);
        while !view.visible.is_char_boundary(end) {
            end -= 1;
        }
        let start = view.visible[..end].to_lowercase();
        if let Some(words) = WORDS.notice_texts.iter().find(|words| start.contains(words)) {
            self.give(PageType::Notice, 3, format!("the text says “{words}”"));
        }
    }
}

/// Whether a heading is just this word.
fn is_called(heading: &str, name: &str) -> bool {
    heading.trim_end_matches([':', '：', ' ']).eq_ignore_ascii_case(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_lower_case() {
        for word in word_list::words_in(include_str!("../../data/page_types.toml")).unwrap() {
            assert_eq!(word, word.to_lowercase());
        }
        assert_eq!((WORDS.address.len(), WORDS.title.len()), (6, 4));
    }
}
