//! Sites that say no: always, at first, to the hasty, or because they are busy.

use std::time::Duration;

use crate::answer::{Answer, Request};
use crate::fault::plain;
use crate::{Site, SiteKind};

/// Coming again sooner than this is hasty.
const HASTE: Duration = Duration::from_millis(300);

pub(super) fn answer(site: &Site, request: &Request) -> Option<Answer> {
    let refusal = match site.kind {
        SiteKind::Refused => plain(403),
        SiteKind::RefusedOnce if request.visit == 0 => plain(403),
        SiteKind::RefusedHasty if request.since_last.is_some_and(|it| it < HASTE) => plain(403),
        SiteKind::Busy if request.visit == 0 => plain(429).with("Retry-After", "1"),
        SiteKind::Unavailable if request.visit == 0 => plain(503).with("Retry-After", "1"),
        SiteKind::ServerError => plain(500),
        _ => return None,
    };
    Some(refusal)
}
