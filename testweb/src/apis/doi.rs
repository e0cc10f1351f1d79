//! The resolver of DOIs.
//!
//! Invented: a description comes at once, where the real one redirects to the agency of the DOI.

use serde_json::{Value, json};

use crate::Paper;
use crate::World;
use crate::answer::{Answer, Request, unescape};

pub(super) const HOSTS: &[&str] = &["doi.org", "dx.doi.org"];

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    let doi = unescape(request.path()).trim_start_matches('/').to_lowercase();
    let found = world.registered().find(|it| it.doi == doi);
    let accept = request.header("accept").unwrap_or_default();
    if let Some(paper) =
        found.filter(|_| accept.contains("application/vnd.citationstyles.csl+json"))
    {
        return Answer::json(200, &described(paper)).with("Vary", "Accept");
    }
    match found {
        Some(paper) => Answer::redirect(302, paper.page_url.clone()).with("Vary", "Accept"),
        None => Answer::html(
            404,
            "<!DOCTYPE html><html lang=\"en\"><head><title>Error: DOI Not Found</title></head><body><h1>DOI NOT FOUND</h1><p>This DOI is not known here.</p></body></html>",
        ),
    }
}

/// A paper as CSL-JSON.
fn described(paper: &Paper) -> Value {
    let name = |author: &String| match author.rsplit_once(' ') {
        Some((given, family)) => json!({"given": given, "family": family}),
        None => json!({"literal": author}),
    };
    json!({
        "type": "article-journal", "DOI": paper.doi, "title": paper.title, "container-title": paper.venue,
        "author": paper.authors.iter().map(name).collect::<Vec<_>>(),
        "issued": {"date-parts": [[paper.year]]},
    })
}
