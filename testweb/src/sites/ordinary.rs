//! What all sites have: pages, a front page, a sitemap, a feed, and a page for what they do not have.

use hyper::body::Bytes;

use super::pdf;
use crate::answer::{Answer, Request};
use crate::world::{NOW_HTTP, hash, templates};
use crate::{Date, Expected, Page, Site, SiteKind, World};

/// Sentences about nothing that make a page of `Huge` huge.
const HUGE_BYTES: usize = 3 * 1024 * 1024;

pub(super) fn answer(world: &World, site: &Site, request: &Request) -> Answer {
    let path = request.path();
    if let Some(page) = world.page(&site.host, path) {
        return of_page(world, site, page);
    }
    if let Some(paper) = path.strip_prefix("/pdf/").and_then(|it| it.strip_suffix(".pdf"))
        && let Some(page) = world.page(&site.host, &format!("/article/{paper}"))
    {
        return of_pdf(world, page);
    }
    match path {
        "/" | "/index.html" => validated(
            Answer::html(200, templates::front_page(world, site)),
            site,
            Date { year: 2026, month: 5, day: 31 },
        ),
        "/sitemap.xml" => sitemap(world, site),
        "/feed.xml" => feed(world, site),
        "/assets/site.css" => Answer::new(200, "text/css", "body{max-width:60rem;margin:auto}"),
        _ => missing(site),
    }
}

/// The page's own bytes, with what its kind of site says about them.
pub(super) fn of_page(world: &World, site: &Site, page: &Page) -> Answer {
    if site.kind == SiteKind::Pdf {
        return of_pdf(world, page);
    }
    let html = page.html.get_or_init(|| {
        let article = world.article(page);
        let html = templates::render(world, site, page, &article);
        match site.kind {
            SiteKind::Huge => swollen(&html, &article.text()).into(),
            _ => html.into(),
        }
    });
    validated(Answer::html(200, html.clone()), site, page.published)
}

fn of_pdf(world: &World, page: &Page) -> Answer {
    let article = world.article(page);
    let mut lines = vec![article.author.clone(), article.published.english()];
    lines.push(article.lead.clone());
    for section in &article.sections {
        lines.push(section.heading.clone());
        lines.extend(section.paragraphs.iter().cloned());
    }
    Answer::new(200, "application/pdf", pdf::write(&article.title, &lines))
        .with("Last-Modified", article.published.http())
}

/// The text stays where it is; a long appendix follows it.
fn swollen(html: &str, text: &str) -> String {
    let (before, after) = html.split_at(html.find("</body>").unwrap_or(html.len()));
    let mut page = String::with_capacity(HUGE_BYTES + html.len());
    page.push_str(before);
    page.push_str("<section class=\"appendix\">\n");
    let paragraph = format!("<p>{}</p>\n", templates::escape_html(text));
    while page.len() < HUGE_BYTES {
        page.push_str(&paragraph);
    }
    page.push_str("</section>\n");
    page.push_str(after);
    page
}

/// Adds ETag or Last-Modified where the site knows them.
fn validated(answer: Answer, site: &Site, published: Date) -> Answer {
    let answer = answer.with("Date", NOW_HTTP).with("Server", "nginx");
    match site.kind {
        SiteKind::ETag => {
            let mark = hash(0, &String::from_utf8_lossy(&answer.body));
            answer.with("ETag", format!("\"{mark:016x}\"")).with("Cache-Control", "no-cache")
        }
        SiteKind::Modified => answer.with("Last-Modified", published.http()),
        _ => answer,
    }
}

fn sitemap(world: &World, site: &Site) -> Answer {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    for page in world.pages_of(&site.host).filter(|it| it.expected != Expected::Robots) {
        xml.push_str(&format!(
            "<url><loc>{}</loc><lastmod>{}</lastmod></url>\n",
            page.url,
            page.published.iso()
        ));
    }
    xml.push_str("</urlset>\n");
    Answer::new(200, "application/xml", xml)
}

fn feed(world: &World, site: &Site) -> Answer {
    let title = templates::escape_html(&site.title);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel><title>{title}</title>\
         <link>{}://{}/</link><description>{title}</description>\n",
        site.scheme, site.host
    );
    for page in world.pages_of(&site.host) {
        let lead = world.article(page).lead;
        xml.push_str(&format!(
            "<item><title>{}</title><link>{url}</link><guid>{url}</guid><pubDate>{}</pubDate><description>{}</description></item>\n",
            templates::escape_html(&page.title),
            page.published.http(),
            templates::escape_html(&lead),
            url = page.url,
        ));
    }
    xml.push_str("</channel></rss>\n");
    Answer::new(200, "application/rss+xml; charset=utf-8", xml)
}

/// A page that is not there: honest, or (soft) with status 200.
pub(super) fn missing(site: &Site) -> Answer {
    let (heading, text, home) = match site.language {
        crate::Language::English => (
            "Page not found",
            "Sorry, the page you are looking for does not exist or has been moved. Please check the address or go back to the start.",
            "Back to the start",
        ),
        crate::Language::Japanese => (
            "ページが見つかりません",
            "お探しのページは存在しないか、移動した可能性があります。アドレスをご確認いただくか、トップページへお戻りください。",
            "トップページへ",
        ),
    };
    let status = if site.kind == SiteKind::SoftMissing { 200 } else { 404 };
    Answer::html(
        status,
        Bytes::from(format!(
            "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{heading} | {site}</title></head>\n\
             <body><header><a href=\"/\">{site}</a></header><main><h1>{heading}</h1><p>{text}</p><p><a href=\"/\">{home}</a></p></main></body></html>\n",
            site.language.code(),
            site = templates::escape_html(&site.title),
        )),
    )
}
