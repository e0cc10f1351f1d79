//! The resolver of DOIs.

use crate::World;
use crate::answer::{Answer, Request, unescape};

pub(super) const HOSTS: &[&str] = &["doi.org", "dx.doi.org"];

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    let doi = unescape(request.path()).trim_start_matches('/').to_lowercase();
    match world.papers().iter().find(|it| it.doi == doi) {
        Some(paper) => Answer::redirect(302, paper.page_url.clone()).with("Vary", "Accept"),
        None => Answer::html(
            404,
            "<!DOCTYPE html><html lang=\"en\"><head><title>Error: DOI Not Found</title></head><body><h1>DOI NOT FOUND</h1><p>This DOI is not known here.</p></body></html>",
        ),
    }
}
