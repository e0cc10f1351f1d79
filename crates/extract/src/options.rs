//! Every limit of reading, with the product's defaults.

use serde::{Deserialize, Serialize};

/// How far reading goes, and how passages are cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Bytes of a page or file that are read; the rest is left out and said so.
    pub max_bytes: usize,
    /// Elements of an HTML page.
    pub max_elements: usize,
    /// Depth of an HTML page; what is nested deeper is laid flat.
    pub max_depth: usize,
    /// Bytes of one attribute.
    pub max_attribute_bytes: usize,
    /// Pages of a PDF.
    pub max_pdf_pages: usize,
    /// Objects of a PDF.
    pub max_pdf_objects: usize,
    /// Bytes of one stream of a PDF once it is unpacked.
    pub max_pdf_stream_bytes: usize,
    /// Bytes of all streams of a PDF once they are unpacked.
    pub max_pdf_unpacked_bytes: usize,
    /// Depth of the objects of a PDF, and of drawings inside drawings.
    pub max_pdf_nesting: usize,
    /// Pictures of one page of a PDF that are shown to whoever reads pictures.
    pub max_pdf_page_pictures: usize,
    /// Drawing operators and characters of one page of a PDF.
    pub max_pdf_page_operators: usize,
    /// Characters of text a document may have.
    pub max_text_chars: usize,
    /// A passage longer than this is split at sentences.
    pub fragment_max_chars: usize,
    /// A passage shorter than this is joined with its heading or its neighbour.
    pub fragment_min_chars: usize,
    /// Passages that are cut; the text behind the last one is kept.
    pub max_fragments: usize,
    /// Characters of a heading that passages under it repeat.
    pub max_heading_chars: usize,
    /// Bytes of an address that links to passages are built on; there are none for longer ones.
    pub max_deep_link_base_bytes: usize,
    /// Links that are kept.
    pub max_links: usize,
    /// Entries of a feed, or addresses of a sitemap, that are read.
    pub max_entries: usize,
    /// Characters of an entry's summary.
    pub max_summary_chars: usize,
    /// Characters kept of a link's text, and of the sentence around it.
    pub link_context_chars: usize,
    /// Characters of hidden text that are kept.
    pub max_hidden_chars: usize,
    /// Words outside links up to which a page may be a challenge: more are a page of its own.
    pub challenge_max_words: usize,
    /// The same, with the words of links.
    pub challenge_max_all_words: usize,
    /// Words outside links up to which a page may be a login.
    pub login_max_words: usize,
    /// The same, with the words of links.
    pub login_max_all_words: usize,
    /// Words of sentences up to which a page that asks to be paid shows a beginning, not the whole.
    pub teaser_max_words: usize,
    /// Words of sentences up to which a page that says so is missing.
    pub missing_max_prose_words: usize,
    /// Words outside links up to which it is, for pages without sentences.
    pub missing_max_words: usize,
    /// Words of content below which a page loses quality for being short.
    pub quality_short_words: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_bytes: 20 << 20,
            max_elements: 1_000_000,
            max_depth: 512,
            max_attribute_bytes: 8 << 10,
            max_pdf_pages: 2_000,
            max_pdf_objects: 500_000,
            max_pdf_stream_bytes: 64 << 20,
            max_pdf_unpacked_bytes: 256 << 20,
            max_pdf_nesting: 32,
            max_pdf_page_pictures: 64,
            max_pdf_page_operators: 2_000_000,
            max_text_chars: 10_000_000,
            fragment_max_chars: 1_200,
            fragment_min_chars: 80,
            max_fragments: 50_000,
            max_heading_chars: 200,
            max_deep_link_base_bytes: 2_048,
            max_links: 5_000,
            max_entries: 50_000,
            max_summary_chars: 1_000,
            link_context_chars: 600,
            max_hidden_chars: 100_000,
            challenge_max_words: 220,
            challenge_max_all_words: 500,
            login_max_words: 300,
            login_max_all_words: 900,
            teaser_max_words: 450,
            missing_max_prose_words: 120,
            missing_max_words: 250,
            quality_short_words: 80,
        }
    }
}
