//! Bytes in, a document out.

use std::borrow::Cow;
use std::collections::HashSet;

use url::Url;

use crate::binary;
use crate::confined;
use crate::document::{Document, Format, HiddenText, Metadata, Problem};
use crate::gate;
use crate::html::{self, NeedsScripts};
use crate::ocr::Ocr;
use crate::page_type::{self, PageType, Typed};
use crate::piece::Piece;
use crate::quality;
use crate::settings::ReadSettings;
use crate::view::{PageKind, PageView, Shape};
use crate::{
    charset, feed, fragments, json, links, mail, markdown, office, pdf, plain, sitemap, sniff,
};
use text::identifiers::{self, Identifier, IdentifierKind};
use text::sanitise;

/// What was fetched or opened.
#[derive(Debug, Clone, Copy, Default)]
pub struct Input<'a> {
    pub bytes: &'a [u8],
    /// Where the bytes come from: the address after redirects, or `file:` for a file.
    pub url: Option<&'a Url>,
    /// The status of the answer, where there was one.
    pub status: Option<u16>,
    /// The headers of the answer, names in lower case.
    pub headers: &'a [(String, String)],
}

impl Input<'_> {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }
}

/// Reads a page or a file.
///
/// Never fails: what cannot be read is named in [`Document::problems`], and the rest is there.
///
/// Where the program has confined child processes ([`sandbox::install`]), one of them reads; else it is read here.
pub fn read(input: Input<'_>, options: &ReadSettings) -> Document {
    confined::read(input, options).unwrap_or_else(|| read_here(input, options))
}

/// Reads in this process.
pub(crate) fn read_here(input: Input<'_>, options: &ReadSettings) -> Document {
    read_by(input, options, None)
}

/// Reads a page or a file as [`read`] does, and has pages of a PDF that are pictures read by `ocr`.
pub fn read_with_ocr(input: Input<'_>, options: &ReadSettings, ocr: &dyn Ocr) -> Document {
    read_by(input, options, Some(ocr))
}

fn read_by(input: Input<'_>, options: &ReadSettings, ocr: Option<&dyn Ocr>) -> Document {
    let mut problems = Vec::new();
    let bytes = if input.bytes.len() > options.max_bytes {
        problems.push(Problem::TooLarge { bytes: input.bytes.len(), read: options.max_bytes });
        &input.bytes[..options.max_bytes]
    } else {
        input.bytes
    };
    let content_type = input.header("content-type");
    if let Some(format) = binary::is_zip(bytes).then(|| office::format(bytes)).flatten() {
        let read = office::read(bytes, format, options);
        problems.extend(read.problems);
        let content =
            Content { hidden: read.hidden, ..Content::new(read.pieces, read.metadata, problems) };
        return content.into_document(input, format, "", "", options);
    }
    if let Some(what) = binary::kind(bytes) {
        problems.push(Problem::NotText { what: what.to_owned() });
        let content = Content::new(Vec::new(), Metadata::default(), problems);
        return content.into_document(input, Format::Text, "", "", options);
    }
    let format = sniff::format(bytes, content_type, input.url);
    if format == Format::Pdf {
        let read = pdf::read(bytes, options, ocr);
        problems.extend(read.problems);
        let hidden = read.hidden;
        let content = Content { hidden, ..Content::new(read.pieces, read.metadata, problems) };
        return content.into_document(input, format, "", "", options);
    }
    if format == Format::Email {
        let (pieces, metadata, found) = mail::read(bytes, options);
        problems.extend(found);
        let content = Content::new(pieces, metadata, problems);
        return content.into_document(input, format, "", "", options);
    }
    let decoded = charset::decode(bytes, content_type);
    let text: Cow<'_, str> = decoded.text;
    if format != Format::Html && binary::is_noise(&text) {
        problems.push(Problem::NotText { what: binary::UNKNOWN.to_owned() });
        let content = Content::new(Vec::new(), Metadata::default(), problems);
        return content.into_document(input, Format::Text, "", "", options);
    }
    let mut content = match format {
        Format::Html => {
            let page = html::read(&text, options);
            Content {
                hidden: page.hidden,
                visible: page.visible,
                base: page.base,
                says: page.says,
                shape: page.shape,
                needs_scripts: page.needs_scripts,
                ..Content::new(page.pieces, page.metadata, page.problems)
            }
        }
        Format::Markdown => Content::of(markdown::read(&text, options)),
        Format::Json => Content::of(json::read(&text, options)),
        Format::Feed => Content::of(feed::read(&text, options)),
        Format::Sitemap => Content::of(sitemap::read(&text, options)),
        // The others were read before.
        _ => Content::of(plain::read(&text, options)),
    };
    problems.append(&mut content.problems);
    content.problems = problems;
    content.into_document(input, format, decoded.charset, &text, options)
}

/// What a format's reader gives, before it is judged.
#[derive(Debug, Default)]
struct Content {
    pieces: Vec<Piece>,
    metadata: Metadata,
    problems: Vec<Problem>,
    hidden: Vec<HiddenText>,
    visible: String,
    base: Option<String>,
    says: PageKind,
    shape: Shape,
    needs_scripts: Option<NeedsScripts>,
}

impl Content {
    fn new(pieces: Vec<Piece>, metadata: Metadata, problems: Vec<Problem>) -> Self {
        Self { pieces, metadata, problems, ..Self::default() }
    }

    fn of((pieces, metadata, problems): (Vec<Piece>, Metadata, Vec<Problem>)) -> Self {
        Self::new(pieces, metadata, problems)
    }

    fn into_document(
        mut self,
        input: Input<'_>,
        format: Format,
        charset: &str,
        source: &str,
        options: &ReadSettings,
    ) -> Document {
        if format != Format::Html {
            self.shape = Shape::of_document(&self.pieces);
        }
        let assembled = fragments::assemble(&self.pieces, input.url, options);
        if self.metadata.language.is_none() {
            let recognised = text::language::detect(&assembled.text).name();
            self.metadata.language = recognised.map(ToOwned::to_owned);
        }
        self.problems.extend(assembled.problems);
        let base = self.base.as_deref().and_then(|base| match input.url {
            Some(url) => url.join(base).ok(),
            None => Url::parse(base).ok(),
        });
        let links = links::links(
            &self.pieces,
            &assembled.piece_starts,
            input.url,
            base.as_ref().or(input.url),
            options,
        );
        let identifiers = identifiers_of(&assembled.text, &links, input.url);
        let title = self.metadata.title.clone().unwrap_or_default();
        let view = PageView {
            url: input.url,
            status: input.status,
            headers: input.headers,
            source,
            title: &title,
            visible: if format == Format::Html { &self.visible } else { &assembled.text },
            pieces: &self.pieces,
            shape: self.shape,
            says: self.says,
            options,
        };
        let (gate, page_type) = match format {
            Format::Html => {
                let gate = gate::gate(&view);
                let page_type = page_type::page_type(&view, gate.as_ref());
                (gate, page_type)
            }
            Format::Feed | Format::Sitemap => {
                (None, typed(PageType::List, "a feed or sitemap lists links"))
            }
            _ => (None, typed(PageType::Knowledge, "a document, not a web page")),
        };
        let quality = quality::quality(&view);
        // A gate is for a person, not for a browser.
        let needs_scripts = self.needs_scripts.filter(|_| gate.is_none());
        let mut flags = sanitise::flags(&assembled.text, false);
        for hidden in &self.hidden {
            flags.extend(sanitise::flags(&hidden.text, true));
        }
        Document {
            format,
            charset: charset.to_owned(),
            metadata: self.metadata,
            text: assembled.text,
            fragments: assembled.fragments,
            links,
            identifiers,
            page_type,
            needs_scripts,
            gate,
            quality,
            hidden: self.hidden,
            flags,
            problems: self.problems,
            base: base.or_else(|| input.url.cloned()),
            pieces: self.pieces,
        }
    }
}

fn typed(page_type: PageType, reason: &str) -> Typed {
    Typed { page_type, reasons: vec![reason.to_owned()] }
}

/// Identifiers in the text, then those that only links or the address of the page carry.
fn identifiers_of(text: &str, links: &[links::Link], url: Option<&Url>) -> Vec<Identifier> {
    let mut found = identifiers::find(text);
    let mut known: HashSet<(IdentifierKind, String)> =
        found.iter().map(|it| (it.kind, it.value.clone())).collect();
    let targets = links.iter().filter_map(|it| Url::parse(&it.url).ok());
    for identifier in targets.chain(url.cloned()).filter_map(|it| identifiers::of_url(&it)) {
        if known.insert((identifier.kind, identifier.value.clone())) {
            found.push(identifier);
        }
    }
    found
}
