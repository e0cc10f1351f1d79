//! The Wayback Machine: which versions it has of a page, and each as the site sent it.
//!
//! It has something only in a world that was told so: of every page that is readable or gone two versions, an old one with a sentence
//! that the page has no more, and a newer one. Invented: the digests, and that pages are kept on these two days.

use serde_json::json;

use crate::answer::{Answer, Request};
use crate::world::{Language, hash, templates};
use crate::{Expected, Page, World};

pub(super) const HOSTS: &[&str] = &["web.archive.org"];

/// When the versions were taken: the first has the sentence that went.
const MOMENTS: [&str; 2] = ["20190501120000", "20240302083000"];

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    if request.path() == "/cdx/search/cdx" {
        return index(world, request);
    }
    let place = request.path().strip_prefix("/web/").and_then(|it| it.split_once('/'));
    let found = place.and_then(|(moment, url)| {
        let number = MOMENTS.iter().position(|it| moment.trim_end_matches("id_") == *it)?;
        Some((number, kept(world, url)?))
    });
    match found {
        Some((number, page)) => version(world, page, number),
        None => Answer::html(
            404,
            "<html><body><p>The Wayback Machine has not archived that URL.</p></body></html>",
        ),
    }
}

fn index(world: &World, request: &Request) -> Answer {
    let url = request.parameter("url").unwrap_or_default();
    let Some(page) = kept(world, &url) else { return Answer::json(200, &json!([])) };
    let limit = request.parameter("limit").and_then(|it| it.parse::<i64>().ok()).unwrap_or(100);
    let most = usize::try_from(limit.unsigned_abs()).unwrap_or(usize::MAX).min(MOMENTS.len());
    // Below zero: from the end.
    let moments = if limit < 0 { &MOMENTS[MOMENTS.len() - most..] } else { &MOMENTS[..most] };
    let row = |moment: &&str| {
        let digest = format!("{:016X}", hash(1, &format!("{moment}{}", page.url)));
        json!([moment, page.url, digest])
    };
    let mut rows = vec![json!(["timestamp", "original", "digest"])];
    rows.extend(moments.iter().map(row));
    Answer::json(200, &json!(rows))
}

fn kept<'a>(world: &'a World, url: &str) -> Option<&'a Page> {
    let page = world.page_at(url).filter(|_| world.keeps_versions())?;
    matches!(page.expected, Expected::Readable | Expected::NotFound | Expected::Forbidden)
        .then_some(page)
}

fn version(world: &World, page: &Page, number: usize) -> Answer {
    let Some(site) = world.site(page.host()) else { return crate::fault::plain(404) };
    let mut article = world.article(page);
    if number == 0 {
        let between = if page.language == Language::Japanese { "" } else { " " };
        article.lead = format!("{}{between}{}", article.lead, World::withdrawn(page.language));
    }
    Answer::html(200, templates::render(world, site, page, &article))
}
