//! What kind of file some bytes are.
//!
//! Bytes that are unmistakable win over what was said about them: servers call feeds HTML and PDF
//! files text. Then the content type, then the name of the file, then what the text looks like.

use memchr::memmem;
use url::Url;

use crate::charset;
use crate::document::Format;
use crate::mail;

/// Bytes at the beginning that are looked at.
const HEAD_BYTES: usize = 4096;
/// Bytes within which a PDF file begins: readers allow that much before it.
const PDF_BYTES: usize = 1024;

/// Tells the format from the bytes, the header that came with them and their address.
pub(crate) fn format(bytes: &[u8], content_type: Option<&str>, url: Option<&Url>) -> Format {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let said = content_type.and_then(of_content_type);
    let named = url.and_then(of_extension);
    let text = charset::decode(head, content_type).text;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if is_pdf(head, text, said.or(named)) {
        return Format::Pdf;
    }
    if let Some(format) = of_markup(text) {
        return format;
    }
    match (said, named) {
        // What a server says of files it does not know; the name knows better.
        (Some(Format::Text), Some(named)) => named,
        (Some(Format::Text) | None, None) => of_text(text),
        (Some(said), _) => said,
        (None, Some(named)) => named,
    }
}

fn is_pdf(head: &[u8], text: &str, told: Option<Format>) -> bool {
    if text.starts_with("%PDF-") {
        return true;
    }
    // Further in, a text may be speaking about PDF files.
    let is_binary = || std::str::from_utf8(head).is_err_and(|it| it.error_len().is_some());
    memmem::find(&head[..head.len().min(PDF_BYTES)], b"%PDF-").is_some()
        && (told == Some(Format::Pdf) || is_binary())
}

fn of_content_type(content_type: &str) -> Option<Format> {
    let essence = content_type.split([';', ',']).next()?.trim().to_ascii_lowercase();
    Some(match essence.as_str() {
        "text/html" | "application/xhtml+xml" => Format::Html,
        "application/pdf" | "application/x-pdf" => Format::Pdf,
        "text/markdown" | "text/x-markdown" => Format::Markdown,
        "application/rss+xml" | "application/atom+xml" | "application/rdf+xml" => Format::Feed,
        "application/json"
        | "text/json"
        | "application/x-ndjson"
        | "application/ndjson"
        | "application/jsonl"
        | "application/json-seq" => Format::Json,
        // A root that is none of ours is read like a page: elements and their text.
        "text/xml" | "application/xml" => Format::Html,
        "message/rfc822" => Format::Email,
        _ if essence.ends_with("+json") => Format::Json,
        _ if essence.ends_with("+xml") => Format::Html,
        _ if essence.starts_with("text/") => Format::Text,
        _ => return None,
    })
}

fn of_extension(url: &Url) -> Option<Format> {
    let name = url.path().rsplit('/').next()?;
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "html" | "htm" | "xhtml" | "shtml" | "xml" => Format::Html,
        "pdf" => Format::Pdf,
        "md" | "markdown" | "mdown" | "mkd" | "mdx" => Format::Markdown,
        "json" | "jsonl" | "ndjson" | "geojson" | "jsonld" => Format::Json,
        "eml" => Format::Email,
        "rss" | "atom" => Format::Feed,
        "txt" | "text" | "log" | "csv" | "tsv" | "rst" | "tex" | "srt" | "vtt" => Format::Text,
        _ => return None,
    })
}

/// The format of markup that cannot be mistaken, by its first element.
fn of_markup(text: &str) -> Option<Format> {
    let is_xml = text.starts_with("<?xml");
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix('<') {
        let end = if inner.starts_with("!--") {
            inner.find("-->")? + 3
        } else if inner.starts_with('?') {
            inner.find('>')? + 1
        } else if let Some(doctype) = without_case(inner, "!doctype") {
            if without_case(doctype.trim_start(), "html").is_some() {
                return Some(Format::Html);
            }
            // Declarations of entities stand in brackets, and hold `>`.
            let bracket = inner.find(['[', '>'])?;
            if inner.as_bytes()[bracket] == b'[' { inner.find("]>")? + 2 } else { bracket + 1 }
        } else {
            return of_root(inner, is_xml);
        };
        rest = inner[end..].trim_start();
    }
    None
}

fn of_root(inner: &str, is_xml: bool) -> Option<Format> {
    let end = inner.find(|it: char| it.is_whitespace() || it == '>' || it == '/')?;
    let name = &inner[..end];
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local);
    match local {
        "rss" | "feed" => Some(Format::Feed),
        "RDF" if inner.contains("purl.org/rss/1.0") || inner.contains("my.netscape.com/rdf") => {
            Some(Format::Feed)
        }
        "urlset" | "sitemapindex" => Some(Format::Sitemap),
        _ if ["html", "head", "body"].iter().any(|it| name.eq_ignore_ascii_case(it)) => {
            Some(Format::Html)
        }
        _ if is_xml => Some(Format::Html),
        _ => None,
    }
}

fn without_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// The format of a text about which nothing was said.
fn of_text(text: &str) -> Format {
    if looks_like_json(text) {
        Format::Json
    } else if looks_like_a_page(text) {
        Format::Html
    } else if looks_like_markdown(text) {
        Format::Markdown
    } else if mail::is_letter(text) {
        Format::Email
    } else {
        Format::Text
    }
}

fn looks_like_json(text: &str) -> bool {
    let second = |text: &str| text.trim_start().chars().next();
    match text.split_at_checked(1) {
        Some(("{", rest)) => matches!(second(rest), Some('"' | '}')),
        // Not a number: `[1]` begins a list of references.
        Some(("[", rest)) => matches!(second(rest), Some('{' | '[' | '"' | ']')),
        _ => false,
    }
}

fn looks_like_a_page(text: &str) -> bool {
    text.starts_with('<')
        && ["</p>", "</div>", "</a>", "</table>", "<br", "</script>", "</ul>"]
            .iter()
            .any(|it| text.contains(it))
}

/// A heading with something else of Markdown, or a block of data at the very top.
fn looks_like_markdown(text: &str) -> bool {
    let (mut headings, mut others) = (0, 0);
    for line in text.lines() {
        let hashes = line.bytes().take_while(|it| *it == b'#').count();
        if (1..=6).contains(&hashes) && line[hashes..].starts_with(' ') {
            headings += 1;
        } else if line.starts_with("```") || line.contains("](http") || line.contains("**") {
            others += 1;
        }
    }
    let has_front_matter = text.starts_with("---\n") && text[4..].contains("\n---\n");
    headings > 0 && (headings + others > 1 || has_front_matter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(bytes: &[u8], content_type: &str, address: &str) -> Format {
        let url = Url::parse(address).ok();
        format(bytes, Some(content_type).filter(|it| !it.is_empty()), url.as_ref())
    }

    #[test]
    fn unmistakable_bytes_win_over_what_was_said() {
        let utf16: Vec<u8> = "<?xml version='1.0' encoding='utf-16'?><rss version='2.0'>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (bytes, content_type, expected) in [
            (&b"%PDF-1.7\n%\xe2\xe3\xcf\xd3"[..], "text/html", Format::Pdf),
            (b"\xef\xbb\xbf\n%PDF-1.4", "", Format::Pdf),
            (b"HTTP junk\xff\xff\n%PDF-1.4", "application/octet-stream", Format::Pdf),
            (b"<!DOCTYPE html><title>", "text/plain", Format::Html),
            (b"\n<!-- x --><HTML lang=ja>", "application/json", Format::Html),
            (b"<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"\"><html>", "text/xml", Format::Html),
            (
                b"<?xml version=\"1.0\"?>\n<!-- made by x -->\n<rss version=\"2.0\">",
                "text/html",
                Format::Feed,
            ),
            (b"<feed xmlns=\"http://www.w3.org/2005/Atom\">", "text/plain", Format::Feed),
            (b"<rdf:RDF xmlns=\"http://purl.org/rss/1.0/\">", "text/xml", Format::Feed),
            (b"<?xml version=\"1.0\"?><urlset xmlns=\"x\">", "text/xml", Format::Sitemap),
            (
                b"<?xml version=\"1.0\"?><?xml-stylesheet href='a'?><sitemapindex>",
                "",
                Format::Sitemap,
            ),
            (b"<!DOCTYPE rss [<!ENTITY a \"b>\">]><rss >", "", Format::Feed),
            (&utf16, "", Format::Feed),
        ] {
            let shown = String::from_utf8_lossy(bytes);
            assert_eq!(sniff(bytes, content_type, ""), expected, "{shown}");
        }
    }

    #[test]
    fn the_content_type_decides_where_the_bytes_do_not() {
        for (content_type, expected) in [
            ("text/html; charset=utf-8", Format::Html),
            ("Application/PDF", Format::Pdf),
            ("text/markdown", Format::Markdown),
            ("application/ld+json", Format::Json),
            ("application/x-ndjson", Format::Json),
            ("application/atom+xml", Format::Feed),
            ("image/svg+xml", Format::Html),
            ("text/csv", Format::Text),
            ("text/plain", Format::Text),
            ("application/octet-stream", Format::Text),
            ("", Format::Text),
        ] {
            assert_eq!(sniff(b"some words", content_type, ""), expected, "{content_type}");
        }
    }

    #[test]
    fn the_name_decides_where_the_server_does_not_know() {
        for (address, content_type, expected) in [
            ("https://a.example/README.md", "text/plain; charset=utf-8", Format::Markdown),
            ("https://a.example/data.JSON?x=1.md", "text/plain", Format::Json),
            ("https://a.example/notes.txt", "", Format::Text),
            ("https://a.example/a.b/paper.pdf", "", Format::Pdf),
            ("https://a.example/paper.pdf", "text/html", Format::Html),
            ("file:///home/a/page.htm", "", Format::Html),
            ("https://a.example/v1.2", "text/plain", Format::Text),
        ] {
            assert_eq!(sniff(b"# words", content_type, address), expected, "{address}");
        }
    }

    #[test]
    fn text_about_which_nothing_was_said_is_told_by_its_looks() {
        for (text, expected) in [
            ("", Format::Text),
            ("{\"a\": 1}", Format::Json),
            ("[\n  {}]", Format::Json),
            ("[1] Smith, J. A study.", Format::Text),
            ("{curly} words", Format::Text),
            ("<div align=\"center\">\n<p>Hello</p></div>", Format::Html),
            ("<name@example.com> wrote:", Format::Text),
            ("# Title\n\n## Part\n", Format::Markdown),
            ("# 題名\n\n[出典](https://a.example)を見る", Format::Markdown),
            ("---\ntitle: A\n---\n# A", Format::Markdown),
            ("# a comment in a script", Format::Text),
            ("The header `%PDF-1.7` begins a PDF file.", Format::Text),
        ] {
            assert_eq!(sniff(text.as_bytes(), "", ""), expected, "{text}");
        }
    }
}
