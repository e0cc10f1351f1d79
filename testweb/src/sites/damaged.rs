//! Sites whose answers never arrive whole.

use std::io::Write;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;

use super::ordinary;
use crate::answer::{Answer, Request, Wire};
use crate::fault;
use crate::{Site, SiteKind, World};

const TOO_LARGE_BYTES: usize = 25 * 1024 * 1024;
const BOMB_BYTES: usize = 200 * 1024 * 1024;

pub(super) fn answer(world: &World, site: &Site, request: &Request) -> Option<Answer> {
    let page = world.page(&site.host, request.path())?;
    let answer = match site.kind {
        SiteKind::TooLarge => Answer::html(200, too_large()),
        SiteKind::Endless => {
            Answer::html(200, "<p>and so it goes on</p>\n".repeat(400)).sent(Wire::Endless)
        }
        SiteKind::ZipBomb => Answer::html(200, bomb()).with("Content-Encoding", "gzip"),
        SiteKind::HeaderFlood => Answer::wired(Wire::HeaderFlood),
        SiteKind::CutShort => {
            let mut answer = ordinary::of_page(world, site, page);
            let whole = answer.body.len() as u64;
            answer.body.truncate(answer.body.len() / 2);
            answer.sent(Wire::Declared(whole))
        }
        SiteKind::Reset => Answer::wired(Wire::Reset),
        SiteKind::Silent => Answer::wired(Wire::Close),
        SiteKind::Garbage => fault::garbage(),
        SiteKind::Stalled => ordinary::of_page(world, site, page).sent(Wire::Stall(500)),
        _ => return None,
    };
    Some(answer)
}

/// Made once: every world's too large page is the same.
fn too_large() -> Bytes {
    static PAGE: OnceLock<Bytes> = OnceLock::new();
    let line = "<p>This page holds far more than anybody will read.</p>\n";
    PAGE.get_or_init(|| line.repeat(TOO_LARGE_BYTES / line.len() + 1).into()).clone()
}

fn bomb() -> Bytes {
    static PAGE: OnceLock<Bytes> = OnceLock::new();
    let make = || {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        let zeros = vec![b' '; 1024 * 1024];
        for _ in 0..BOMB_BYTES / zeros.len() {
            packer.write_all(&zeros).expect("memory takes everything");
        }
        packer.finish().expect("memory takes everything").into()
    };
    PAGE.get_or_init(make).clone()
}
