//! Seven ways to put a text into a page, with everything that surrounds a text on the real web.
//!
//! Navigation, adverts, banners, related links and footers are there to be told apart from the article. The main text
//! is never in the same kind of element twice in a row: `article`, `main`, `div`, table cells.

mod parts;
mod shapes;

use super::{Article, Page, Site, World};
pub(crate) use parts::escape_html;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Template {
    /// `article` with JSON-LD, a sidebar, adverts between paragraphs.
    Newspaper,
    /// A public office: breadcrumbs, tables, contact at the end.
    Office,
    /// A blog: `main`, tags, comments.
    Blog,
    /// A forum: posts of several people.
    Forum,
    /// An encyclopedia: infobox, contents, references.
    Encyclopedia,
    /// A journal: `citation_*` meta elements, abstract, references.
    Journal,
    /// A page of twenty years ago: nested tables, no semantic element.
    OldTables,
}

impl Template {
    pub(super) const GENERAL: [Self; 5] =
        [Self::Newspaper, Self::Blog, Self::Office, Self::Encyclopedia, Self::OldTables];
}

/// The page as HTML.
pub(crate) fn render(world: &World, site: &Site, page: &Page, article: &Article) -> String {
    let sheet = parts::Sheet { world, site, page, article };
    match site.template {
        Template::Newspaper => shapes::newspaper(&sheet),
        Template::Office => shapes::office(&sheet),
        Template::Blog => shapes::blog(&sheet),
        Template::Forum => shapes::forum(&sheet),
        Template::Encyclopedia => shapes::encyclopedia(&sheet),
        Template::Journal => shapes::journal(&sheet),
        Template::OldTables => shapes::old_tables(&sheet),
    }
}

/// The front page of a site: a list of what it holds.
pub(crate) fn front_page(world: &World, site: &Site) -> String {
    parts::front_page(world, site)
}
