//! How a good page travels: packed, in pieces, late, or not at all because the client has it.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use hyper::body::Bytes;

use crate::answer::{Answer, Request, Wire};
use crate::{Site, SiteKind};

pub(super) fn pack(site: &Site, request: &Request, answer: Answer) -> Answer {
    if answer.status == 200 && is_known(request, &answer) {
        let mut answer = answer;
        answer.status = 304;
        answer.body = Bytes::new();
        answer.headers.retain(|it| it.0 != "Content-Type");
        return answer;
    }
    let accepts =
        |name: &str| request.header("accept-encoding").is_some_and(|it| it.contains(name));
    match site.kind {
        SiteKind::Gzip if accepts("gzip") => {
            let body = gzip(&answer.body);
            Answer { body: body.into(), ..answer }
                .with("Content-Encoding", "gzip")
                .with("Vary", "Accept-Encoding")
        }
        SiteKind::Deflate if accepts("deflate") => {
            let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
            packer.write_all(&answer.body).expect("memory takes everything");
            let body = packer.finish().expect("memory takes everything");
            Answer { body: body.into(), ..answer }.with("Content-Encoding", "deflate")
        }
        SiteKind::Chunked => answer.sent(Wire::Chunked(1_000)),
        SiteKind::Slow => answer.after(Duration::from_millis(700)),
        SiteKind::Drip => {
            let piece = answer.body.len().div_ceil(20).max(1);
            answer.sent(Wire::Drip { piece, pause: Duration::from_millis(40) })
        }
        SiteKind::RunsOver => {
            let said = answer.body.len() as u64 * 4 / 5;
            answer.sent(Wire::Declared(said))
        }
        _ => answer,
    }
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).expect("memory takes everything");
    packer.finish().expect("memory takes everything")
}

/// Whether the client's copy is this page.
fn is_known(request: &Request, answer: &Answer) -> bool {
    let known = |asked: &str, given: &str| {
        answer.header(given).zip(request.header(asked)).is_some_and(|(mark, said)| {
            said.split(',').any(|it| it.trim().trim_start_matches("W/") == mark)
        })
    };
    match request.header("if-none-match") {
        Some(_) => known("if-none-match", "ETag"),
        // Dates of pages never change here, so the same text is the same moment.
        None => answer
            .header("Last-Modified")
            .is_some_and(|it| request.header("if-modified-since") == Some(it)),
    }
}
