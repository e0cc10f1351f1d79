//! Technical papers in arXiv: `all:` and a word, between `AND`; an Atom feed.

use super::holds;
use crate::answer::{Answer, Request};
use crate::world::templates::escape_html;
use crate::{Paper, World};

pub(super) const HOSTS: &[&str] = &["export.arxiv.org"];

pub(super) fn answer(world: &World, request: &Request) -> Answer {
    if request.path() != "/api/query" {
        return crate::fault::plain(404);
    }
    let query = request.parameter("search_query").unwrap_or_default();
    let words: Vec<&str> = query.split(" AND ").filter_map(|it| it.strip_prefix("all:")).collect();
    let fits = |paper: &&Paper| {
        let text = format!("{} {}", paper.title, paper.abstract_text);
        paper.arxiv.is_some() && !words.is_empty() && words.iter().all(|it| holds(&text, it))
    };
    let found: Vec<&Paper> = world.papers().iter().filter(fits).collect();
    let start = request.number("start").unwrap_or(0);
    let most = request.number("max_results").unwrap_or(10);
    let entries: String = found.iter().skip(start).take(most).map(|it| entry(it)).collect();
    Answer::new(
        200,
        "application/atom+xml; charset=utf-8",
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\
             <title type=\"html\">ArXiv Query: search_query={}</title>\
             <opensearch:totalResults xmlns:opensearch=\"http://a9.com/-/spec/opensearch/1.1/\">{}</opensearch:totalResults>\
             <opensearch:startIndex xmlns:opensearch=\"http://a9.com/-/spec/opensearch/1.1/\">{start}</opensearch:startIndex>\
             {entries}</feed>\n",
            escape_html(&query),
            found.len(),
        ),
    )
}

fn entry(paper: &Paper) -> String {
    let id = paper.arxiv.as_deref().unwrap_or_default();
    let author = |it: &String| format!("<author><name>{}</name></author>", escape_html(it));
    let authors: String = paper.authors.iter().map(author).collect();
    format!(
        "<entry><id>http://arxiv.org/abs/{id}v1</id><updated>{day}T00:00:00Z</updated><published>{day}T00:00:00Z</published>\
         <title>{title}</title><summary>  {summary}\n</summary>{authors}\
         <arxiv:doi xmlns:arxiv=\"http://arxiv.org/schemas/atom\">{doi}</arxiv:doi>\
         <link href=\"http://arxiv.org/abs/{id}v1\" rel=\"alternate\" type=\"text/html\"/></entry>",
        day = paper.published.iso(),
        title = escape_html(&paper.title),
        summary = escape_html(&paper.abstract_text),
        doi = paper.doi,
    )
}
