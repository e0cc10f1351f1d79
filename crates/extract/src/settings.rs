//! The settings of reading: how far it goes, and how passages are cut.

use settings::settings;

settings! {
    /// Reading of pages and files.
    pub struct ReadSettings {}
    expert {
        /// Bytes of a page or file that are read; the rest is left out, and the page says so.
        max_bytes: usize = 20 << 20, in 1_024..=1_073_741_824;
        /// Elements of an HTML page.
        max_elements: usize = 1_000_000, in 1_000..=50_000_000;
        /// Depth of an HTML page; deeper elements are flattened.
        max_depth: usize = 512, in 16..=1_024;
        /// Pages of a PDF.
        max_pdf_pages: usize = 2_000, in 1..=1_000_000_000;
        /// Bytes of one stream of a PDF once it is unpacked.
        max_pdf_stream_bytes: usize = 64 << 20, in 1..=1_000_000_000;
        /// Bytes of all streams of a PDF once they are unpacked.
        max_pdf_unpacked_bytes: usize = 256 << 20, in 1..=1_000_000_000;
        /// Characters of text in a document.
        max_text_chars: usize = 10_000_000, in 1..=1_000_000_000;
        /// A passage longer than this many characters is split at sentences.
        fragment_max_chars: usize = 1_200, in 100..=100_000;
        /// A passage shorter than this many characters is joined with its heading or its neighbour.
        fragment_min_chars: usize = 80, in 0..=10_000;
        /// Passages of a document; the text after the last one is kept.
        max_fragments: usize = 50_000, in 1..=1_000_000_000;
        /// Characters of a heading that the passages under it repeat.
        max_heading_chars: usize = 200, in 10..=10_000;
        /// Links of a page that are kept.
        max_links: usize = 5_000, in 1..=1_000_000_000;
        /// Entries of a feed, or addresses of a sitemap.
        max_entries: usize = 50_000, in 1..=1_000_000_000;
        /// Characters of an entry's summary.
        max_summary_chars: usize = 1_000, in 1..=1_000_000_000;
        /// Characters kept of a link's text, and of the sentence around it.
        link_context_chars: usize = 600, in 20..=10_000;
        /// Characters of hidden text that are kept.
        max_hidden_chars: usize = 100_000, in 1..=1_000_000_000;
        /// A page with more words outside links than this is not a challenge.
        challenge_max_words: usize = 220, in 0..=1_000_000;
        /// A page with more words than this, links included, is not a challenge.
        challenge_max_all_words: usize = 500, in 0..=1_000_000;
        /// A page with more words outside links than this is not a login.
        login_max_words: usize = 300, in 0..=1_000_000;
        /// A page with more words than this, links included, is not a login.
        login_max_all_words: usize = 900, in 0..=1_000_000;
        /// A page that asks for payment and has no more words in sentences than this shows only a beginning.
        teaser_max_words: usize = 450, in 0..=1_000_000;
        /// A page that says it is missing is believed up to this many words in sentences.
        missing_max_prose_words: usize = 120, in 0..=1_000_000;
        /// The same for a page without sentences, in words outside links.
        missing_max_words: usize = 250, in 0..=1_000_000;
        /// A page with fewer words of content than this loses quality.
        quality_short_words: usize = 80, in 1..=1_000_000;
    }
    internal {
        /// Bytes of one attribute.
        max_attribute_bytes: usize = 8 << 10;
        /// Objects of a PDF.
        max_pdf_objects: usize = 500_000;
        /// Depth of the objects of a PDF, and of drawings inside drawings.
        max_pdf_nesting: usize = 32;
        /// Pictures of one page of a PDF that are handed to the OCR engine.
        max_pdf_page_pictures: usize = 64;
        /// Drawing operators and characters of one page of a PDF.
        max_pdf_page_operators: usize = 2_000_000;
        /// Bytes of an address that links to passages are built on; longer ones get none.
        max_deep_link_base_bytes: usize = 2_048;
    }
    removed {
        "max_attribute_bytes": "it is a fixed bound now";
        "max_pdf_objects": "it is a fixed bound now";
        "max_pdf_nesting": "it is a fixed bound now";
        "max_pdf_page_pictures": "pictures are not read";
        "max_pdf_page_operators": "it is a fixed bound now";
        "max_deep_link_base_bytes": "it is a fixed bound now";
    }
}
