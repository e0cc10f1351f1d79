//! Free copies by DOI. Wants the address of who asks.

use serde_json::json;

use crate::World;
use crate::answer::{Answer, Request};

pub(super) const HOSTS: &[&str] = &["api.unpaywall.org"];

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    let Some(doi) = request.path().strip_prefix("/v2/") else { return crate::fault::plain(404) };
    if request.parameter("email").is_none_or(|it| !it.contains('@')) {
        return Answer::json(
            422,
            &json!({"HTTP_status_code": 422, "error": true, "message": "Please use your own email address in API calls."}),
        );
    }
    let Some(paper) = world.papers().iter().find(|it| it.doi.eq_ignore_ascii_case(doi)) else {
        return Answer::json(
            404,
            &json!({"HTTP_status_code": 404, "error": true, "message": format!("'{doi}' isn't in Unpaywall.")}),
        );
    };
    let copy = paper.open_access.then(|| {
        json!({"url": paper.pdf_url, "url_for_pdf": paper.pdf_url, "url_for_landing_page": paper.page_url,
               "host_type": "publisher", "license": "cc-by", "version": "publishedVersion"})
    });
    Answer::json(
        200,
        &json!({
            "doi": paper.doi, "doi_url": format!("https://doi.org/{}", paper.doi), "title": paper.title,
            "genre": "journal-article", "is_oa": paper.open_access, "journal_name": paper.venue,
            "published_date": paper.published.iso(), "year": paper.year, "best_oa_location": copy,
        }),
    )
}
