//! A tree to the counts that judges of pages look at, in one pass over its elements and its blocks.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use evidence::FragmentType;

use crate::document::HiddenBy;
use crate::piece::Piece;
use crate::view::Shape;

use super::ParsedPage;
use super::blocks::Block;
use super::measure::Measures;
use super::names::Names;
use super::tag::{Attribute, Tag};
use super::tree::{NodeId, Tree};
use text::script::count_words;

/// A block of at least this many words, hardly linked, is prose.
const PROSE_WORDS: f32 = 15.0;
const PROSE_LINKS: f32 = 0.4;

/// What repeats beside each other with a link in it and fewer words than this is an entry of a list.
const ENTRY_WORDS: f32 = 90.0;

/// Addresses of frames, scripts and forms, and names of widgets, that are kept of each; a page has
/// tens, and what a gate loads comes early.
const KEPT_ADDRESSES: usize = 500;

/// Whole words of class names and ids that say advert.
pub(super) const ADVERT_WORDS: [&str; 15] = [
    "ad",
    "ads",
    "advert",
    "adverts",
    "advertisement",
    "advertising",
    "adsbygoogle",
    "adslot",
    "adunit",
    "adbox",
    "dfp",
    "sponsored",
    "taboola",
    "outbrain",
    "koukoku",
];

/// Hosts that adverts are loaded from.
const ADVERT_HOSTS: [&str; 16] = [
    "doubleclick.net",
    "googlesyndication.com",
    "amazon-adsystem.com",
    "adnxs.com",
    "criteo.",
    "taboola.com",
    "outbrain.com",
    "mgid.com",
    "revcontent.com",
    "rubiconproject.com",
    "pubmatic.com",
    "i-mobile.co.jp",
    "microad.jp",
    "fluct.jp",
    "adingo.jp",
    "popin.cc",
];

/// Affiliate links: their host pays the page that links to it.
const PAID_LINKS: [&str; 13] = [
    "px.a8.net",
    "af.moshimo.com",
    "hb.afl.rakuten.co.jp",
    "valuecommerce.com",
    "h.accesstrade.net",
    "amzn.to/",
    "&tag=",
    "?tag=",
    "shareasale.com",
    "clickbank.net",
    "awin1.com",
    "anrdoezrs.net",
    "impact.com/c/",
];

/// Names that challenges give to the places they draw themselves in.
pub(super) const WIDGET_WORDS: [&str; 16] = [
    "g-recaptcha",
    "h-captcha",
    "hcaptcha",
    "cf-turnstile",
    "cf-challenge",
    "cf-chl",
    "cf-browser-verification",
    "challenge-",
    "px-captcha",
    "geetest",
    "frc-captcha",
    "altcha",
    "funcaptcha",
    "smartcaptcha",
    "aws-waf",
    "captcha",
];

/// Words in the names of what people wrote to each other.
pub(super) const POST_WORDS: [&str; 9] = [
    "post",
    "message",
    "reply",
    "comment",
    "answer",
    "topic",
    "cooked",
    "messagetext",
    "discussion",
];

fn finder(words: &[&str]) -> AhoCorasick {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(words)
        .expect("a fixed list of words makes an automaton")
}

static ADVERTS_FROM: LazyLock<AhoCorasick> = LazyLock::new(|| finder(&ADVERT_HOSTS));
static PAID: LazyLock<AhoCorasick> = LazyLock::new(|| finder(&PAID_LINKS));

impl Shape {
    /// Counts everything but the content, which is chosen later: see [`Shape::add_content`].
    pub(crate) fn of(page: &ParsedPage) -> Self {
        let ParsedPage { tree, measures, names, hidden, blocks, words, .. } = page;
        let mut shape = Self::default();
        let mut in_advert = vec![false; tree.len()];
        let mut in_frame_of_page = vec![false; tree.len()];
        let mut entries: HashMap<(NodeId, u64), (usize, bool)> = HashMap::new();
        for node in tree.all() {
            let parent = tree.parent(node);
            let above = parent.is_some_and(|it| in_advert[it as usize]);
            let framed = parent.is_some_and(|it| in_frame_of_page[it as usize]);
            in_advert[node as usize] = above;
            let Some(tag) = tree.tag(node) else { continue };
            if !above && is_advert(tree, names, node, tag) {
                shape.adverts += 1;
                in_advert[node as usize] = true;
            }
            let framed = framed || matches!(tag, Tag::Nav | Tag::Header | Tag::Footer | Tag::Aside);
            in_frame_of_page[node as usize] = framed;
            shape.count_element(tree, names, node, tag);
            let Some(parent) = parent.filter(|_| !framed) else { continue };
            if let Some((key, is_post)) = entry(tree, measures, names, node, tag) {
                let group = entries.entry((parent, key)).or_default();
                group.0 += 1;
                group.1 |= is_post;
            }
        }
        if shape.password_fields > 0 {
            shape.password_fields = seen_password_fields(tree, hidden);
        }
        shape.entries = entries.values().map(|it| it.0).max().unwrap_or(0);
        shape.posts = entries.values().filter(|it| it.1).map(|it| it.0).max().unwrap_or(0);
        for (block, words) in blocks.iter().zip(words).filter(|it| it.0.hidden.is_none()) {
            shape.count_block(block, *words);
        }
        shape
    }

    /// The shape of a file that is all content.
    pub(crate) fn of_document(pieces: &[Piece]) -> Self {
        let mut shape = Self::default();
        shape.add_content(pieces);
        shape.words = shape.content_words;
        shape.link_words = shape.content_link_words;
        shape.blocks = shape.content_blocks;
        shape
    }

    /// Counts the content once it has been chosen.
    pub(crate) fn add_content(&mut self, pieces: &[Piece]) {
        self.content_blocks = pieces.len();
        // Floats that are summed from nothing give -0.
        self.content_words = 0.0;
        self.content_link_words = 0.0;
        for piece in pieces {
            self.content_words += count_words(&piece.text);
            for link in &piece.links {
                let text = piece.text.get(link.start..link.end).unwrap_or_default();
                self.content_link_words += count_words(text);
            }
        }
    }

    fn count_element(&mut self, tree: &Tree, names: &Names, node: NodeId, tag: Tag) {
        let read = |name| tree.attribute(node, name).unwrap_or_default();
        match tag {
            Tag::Img | Tag::Picture | Tag::Video => self.images += 1,
            Tag::Article => self.articles += 1,
            Tag::Time => self.times += 1,
            Tag::Form => keep(&mut self.forms, read(Attribute::Action)),
            Tag::Iframe | Tag::Frame => keep(&mut self.frames, read(Attribute::Src)),
            Tag::Script => {
                self.scripts += 1;
                if !read(Attribute::Src).is_empty() {
                    keep(&mut self.script_urls, read(Attribute::Src));
                }
            }
            Tag::Input => match read(Attribute::Type).trim().to_ascii_lowercase().as_str() {
                "password" => self.password_fields += 1,
                "" | "text" | "email" | "tel" | "url" | "number" => self.text_fields += 1,
                _ => {}
            },
            Tag::Textarea => self.text_fields += 1,
            Tag::Meta if read(Attribute::HttpEquiv).eq_ignore_ascii_case("refresh") => {
                let content = read(Attribute::Content);
                let target = content.split_once(['=']).map_or("", |it| it.1);
                let target = target.trim().trim_matches(['\'', '"']);
                if !target.is_empty() {
                    self.refresh = Some(target.to_owned());
                }
            }
            Tag::Meta if read(Attribute::Name).eq_ignore_ascii_case("robots") => {
                self.robots = Some(read(Attribute::Content).to_owned());
            }
            Tag::A => {
                let pays =
                    read(Attribute::Rel).split_ascii_whitespace().any(|it| it == "sponsored");
                self.paid_links += usize::from(pays || PAID.is_match(read(Attribute::Href)));
            }
            _ => {}
        }
        if tree.attribute(node, Attribute::DataSitekey).is_some() {
            keep(&mut self.widgets, "data-sitekey");
        }
        if names.class(node).widget() {
            keep(&mut self.widgets, read(Attribute::Class));
        }
        if names.id(node).widget() {
            keep(&mut self.widgets, read(Attribute::Id));
        }
    }

    fn count_block(&mut self, block: &Block, words: f32) {
        let linked: f32 = block
            .anchors
            .iter()
            .map(|anchor| match block.text.get(anchor.start..anchor.end) {
                Some(text) if text.len() == block.text.len() => words,
                Some(text) => count_words(text),
                None => 0.0,
            })
            .sum();
        let linked = linked.min(words);
        self.blocks += 1;
        self.words += words;
        self.link_words += linked;
        match block.kind {
            FragmentType::Heading => self.headings += 1,
            FragmentType::Code => self.code_blocks += 1,
            _ => {}
        }
        let reads_on = block.kind != FragmentType::Heading && words >= PROSE_WORDS;
        if reads_on && linked < PROSE_LINKS * words {
            self.prose_blocks += 1;
            self.prose_words += words;
        }
        self.prices += usize::from(words <= PROSE_WORDS && names_price(&block.text));
    }
}

/// Many pages carry a login that only opens when it is asked for.
fn seen_password_fields(tree: &Tree, hides: &[Option<HiddenBy>]) -> usize {
    let mut hidden = vec![false; tree.len()];
    let mut seen = 0;
    for node in tree.all() {
        let above = tree.parent(node).is_some_and(|it| hidden[it as usize]);
        hidden[node as usize] = above || hides[node as usize].is_some();
        let is_field = tree.tag(node) == Some(Tag::Input)
            && tree
                .attribute(node, Attribute::Type)
                .is_some_and(|it| it.trim().eq_ignore_ascii_case("password"));
        seen += usize::from(is_field && !hidden[node as usize]);
    }
    seen
}

fn keep(list: &mut Vec<String>, value: &str) {
    if list.len() < KEPT_ADDRESSES {
        list.push(value.trim().to_owned());
    }
}

fn is_advert(tree: &Tree, names: &Names, node: NodeId, tag: Tag) -> bool {
    let named = names.class(node).advert() || names.id(node).advert();
    let loads = || {
        matches!(tag, Tag::Iframe | Tag::Script)
            && tree.attribute(node, Attribute::Src).is_some_and(|it| ADVERTS_FROM.is_match(it))
    };
    // Names on the page itself say that it has adverts somewhere, not that it is one.
    !matches!(tag, Tag::Html | Tag::Body) && (named || loads())
}

/// What makes an element an entry among its neighbours: its name and class; and whether the class
/// says that people wrote it to each other.
fn entry(
    tree: &Tree,
    measures: &Measures,
    names: &Names,
    node: NodeId,
    tag: Tag,
) -> Option<(u64, bool)> {
    if !matches!(tag, Tag::Div | Tag::Li | Tag::Article | Tag::Section | Tag::Tr | Tag::Table) {
        return None;
    }
    let is_post = names.class(node).post();
    let sums = measures.of_node(node);
    let is_entry = sums.link_words >= 1.0 && sums.words >= 2.0 && sums.words < ENTRY_WORDS;
    let is_said = is_post && sums.words >= 2.0;
    if !(is_entry || is_said) {
        return None;
    }
    let class = tree.attribute(node, Attribute::Class).unwrap_or_default();
    let mut hasher = DefaultHasher::new();
    (tag as u8).hash(&mut hasher);
    class.split_ascii_whitespace().next().hash(&mut hasher);
    Some((hasher.finish(), is_post))
}

/// Whether a short text names a price: a sign of money beside a number.
fn names_price(text: &str) -> bool {
    let mut before = ' ';
    for character in text.chars().filter(|it| !it.is_whitespace()) {
        let money = matches!(before, '$' | '€' | '£' | '¥' | '￥') && character.is_ascii_digit();
        let money_after = before.is_ascii_digit() && matches!(character, '円' | '€' | '£');
        if money || money_after {
            return true;
        }
        before = character;
    }
    false
}
