//! A page as the judges of its kind see it: what came with it, what it is built of, what it says.

#[cfg(test)]
pub(crate) mod of_page;

use url::Url;

use crate::piece::Piece;
use crate::settings::ReadSettings;

/// Everything that page type, gates and quality are judged from.
#[derive(Debug)]
pub(crate) struct PageView<'a> {
    pub(crate) url: Option<&'a Url>,
    pub(crate) status: Option<u16>,
    /// Names in lower case.
    pub(crate) headers: &'a [(String, String)],
    /// The page as decoded, for marks in scripts and markup.
    pub(crate) source: &'a str,
    pub(crate) title: &'a str,
    /// All that people can see, navigation included, one block a line.
    pub(crate) visible: &'a str,
    /// The content that was chosen from it.
    pub(crate) pieces: &'a [Piece],
    pub(crate) shape: Shape,
    /// What the page says it is.
    pub(crate) says: PageKind,
    /// Where the lines are drawn.
    pub(crate) options: &'a ReadSettings,
}

/// Counts over the elements of a page.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Shape {
    /// Words that can be seen, and those of them inside links.
    pub(crate) words: f32,
    pub(crate) link_words: f32,
    /// Words of the chosen content, and those of them inside links.
    pub(crate) content_words: f32,
    pub(crate) content_link_words: f32,
    /// Blocks that can be seen, and those chosen.
    pub(crate) blocks: usize,
    pub(crate) content_blocks: usize,
    /// Words in blocks of sentences, and how many such blocks there are.
    pub(crate) prose_words: f32,
    pub(crate) prose_blocks: usize,
    pub(crate) headings: usize,
    pub(crate) code_blocks: usize,
    /// Short texts that name a price.
    pub(crate) prices: usize,
    /// The most elements of one kind beside each other that look like entries of a list.
    pub(crate) entries: usize,
    /// The most of them whose names say that people wrote them to each other.
    pub(crate) posts: usize,
    /// Affiliate links: they pay the page that sends a reader there.
    pub(crate) paid_links: usize,
    pub(crate) images: usize,
    pub(crate) scripts: usize,
    /// Elements whose name or address says advert.
    pub(crate) adverts: usize,
    pub(crate) articles: usize,
    pub(crate) times: usize,
    /// Those that can be seen.
    pub(crate) password_fields: usize,
    pub(crate) text_fields: usize,
    pub(crate) forms: Vec<String>,
    /// Addresses of frames and scripts.
    pub(crate) frames: Vec<String>,
    pub(crate) script_urls: Vec<String>,
    /// Every `data-sitekey` and every class or id that names a challenge's widget.
    pub(crate) widgets: Vec<String>,
    /// Where the page sends the reader by itself (`<meta http-equiv=refresh>`).
    pub(crate) refresh: Option<String>,
    /// The `name=robots` of the page.
    pub(crate) robots: Option<String>,
}

/// The kinds of page that pages name themselves (Open Graph, structured data, the program that made it).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PageKind {
    pub(crate) article: bool,
    pub(crate) product: bool,
    pub(crate) forum: bool,
    pub(crate) list: bool,
    pub(crate) manual: bool,
    /// Structured data or meta tags of scholarly publishing.
    pub(crate) paper: bool,
    /// Structured data says that reading needs payment.
    pub(crate) paid: bool,
}
