//! robots.txt of each kind of site.

use crate::answer::Answer;
use crate::fault::plain;
use crate::world::templates::escape_html;
use crate::{Site, SiteKind};

/// Where `robots-some` sites keep what programs should not read.
pub(crate) const CLOSED_FOLDER: &str = "/members/";

pub(super) fn answer(site: &Site) -> Answer {
    let origin = format!("{}://{}", site.scheme, site.host);
    let rules = match site.kind {
        SiteKind::RobotsSome => format!(
            "# Please be gentle.\nUser-agent: badbot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 2\nDisallow: {CLOSED_FOLDER}\n\
             Disallow: /*?print=\nAllow: {CLOSED_FOLDER}open$\n\nSitemap: {origin}/sitemap.xml\n"
        ),
        SiteKind::RobotsAll => "User-agent: *\nDisallow: /\n".to_owned(),
        SiteKind::RobotsError => return plain(503),
        SiteKind::RobotsHtml => {
            let title = escape_html(&site.title);
            return Answer::html(200, format!("<!doctype html><title>{title}</title><p>Welcome!"));
        }
        SiteKind::News | SiteKind::Blog | SiteKind::Journal => {
            format!("User-agent: *\nDisallow: /admin/\nSitemap: {origin}/sitemap.xml\n")
        }
        SiteKind::Forum => "User-agent: *\r\nDisallow:\r\n".to_owned(),
        _ => return plain(404),
    };
    Answer::new(200, "text/plain", rules)
}
