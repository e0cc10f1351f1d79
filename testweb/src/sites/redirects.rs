//! Sites whose pages are somewhere else.
//!
//! The listed address of a page is the old one; where it leads in the end is the same path under
//! `/now`.

use crate::answer::{Answer, Request};
use crate::{Site, SiteKind, World};

/// Steps of a redirect chain that every client refuses.
const LONG_WAY: usize = 30;

/// Where `to-private` sites lead.
pub(crate) const PRIVATE: [&str; 8] = [
    "http://127.0.0.2/admin",
    "http://10.0.0.5/",
    "http://192.168.1.1/setup",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://2130706434/",
    "http://localhost/",
    "http://[::ffff:10.0.0.1]/",
];

pub(super) fn answer(world: &World, site: &Site, request: &Request) -> Option<Answer> {
    from_page(world, site, request).or_else(|| further(world, site, request))
}

fn from_page(world: &World, site: &Site, request: &Request) -> Option<Answer> {
    let path = request.path();
    let number = world.pages_of(&site.host).position(|it| it.path() == path)?;
    let new = format!("/now{path}");
    let answer = match site.kind {
        SiteKind::Moved => Answer::redirect(301, new),
        SiteKind::Temporary => Answer::redirect([302, 303, 307][number % 3], new),
        SiteKind::Upgraded if !request.secure => {
            Answer::redirect(301, format!("https://{}{path}", site.host))
        }
        SiteKind::Upgraded if request.host.starts_with("www.") => return None,
        SiteKind::Upgraded => Answer::redirect(308, format!("https://www.{}{path}", site.host)),
        SiteKind::Crossing => {
            let there = world
                .sites_of(SiteKind::News)
                .find_map(|it| world.pages_of(&it.host).nth(number))?;
            Answer::redirect(302, there.url.clone())
        }
        SiteKind::Relative => Answer::redirect(302, format!("../now{path}#main")),
        SiteKind::Loop => Answer::redirect(302, format!("/round{path}")),
        SiteKind::LongWay => Answer::redirect(302, format!("/step/1{path}")),
        SiteKind::ToPrivate => {
            Answer::redirect(302, PRIVATE[(site_number(site) + number) % PRIVATE.len()])
        }
        _ => return None,
    };
    Some(answer)
}

/// The addresses on the way and at its end.
fn further(world: &World, site: &Site, request: &Request) -> Option<Answer> {
    let path = request.path();
    match site.kind {
        SiteKind::Loop => {
            let back = path.strip_prefix("/round")?;
            Some(Answer::redirect(302, back))
        }
        SiteKind::LongWay => {
            let (step, rest) = path.strip_prefix("/step/")?.split_once('/')?;
            let step: usize = step.parse().ok()?;
            let next = if step < LONG_WAY {
                format!("/step/{}/{rest}", step + 1)
            } else {
                format!("/now/{rest}")
            };
            Some(Answer::redirect(302, next))
        }
        _ => {
            let page = world.page(&site.host, path.strip_prefix("/now")?)?;
            Some(super::ordinary::of_page(world, site, page))
        }
    }
}

fn site_number(site: &Site) -> usize {
    let digits = site.host.split('.').next().and_then(|it| it.rsplit('-').next());
    digits.and_then(|it| it.parse().ok()).unwrap_or(0)
}
