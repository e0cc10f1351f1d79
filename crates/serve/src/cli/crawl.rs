//! `lyra crawl`: what a site has to say, from one page on.

use clap::Args;
use fetch::FetchFailure;
use research::{CrawlSettings, ReadPage, Reading, crawl};
use serde::Serialize;
use url::Url;

use crate::failure::Failure;
use crate::session::Session;
use crate::ui::{Column, Table, clean};
use crate::words::say;

/// Read a site from one page on, the best links first
///
/// Follows headings, tables of contents and related links within the same registrable domain, and the
/// site's own sitemap where it fits what is looked for. robots.txt, pauses and budgets are kept, so a page
/// takes some seconds. Pages are archived: `lyra archive show URL` has them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra crawl https://example.org/guide --pages 5
  lyra crawl https://example.org/ --looking-for \"side effects\" --json")]
pub(crate) struct Arguments {
    /// The page to begin with
    url: Url,
    /// What the pages should be about: links that share words with it go first
    #[arg(long, value_name = "TEXT", default_value = "")]
    looking_for: String,
    /// Pages to ask for, the first included [default: the setting crawl.max_pages]
    #[arg(long, value_name = "N", value_parser = super::within::<CrawlSettings, u16>("max_pages"))]
    pages: Option<u16>,
    /// Links away from the first page [default: the setting crawl.max_depth]
    #[arg(long, value_name = "N", value_parser = super::within::<CrawlSettings, u32>("max_depth"))]
    depth: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Crawled<'a> {
    pages: Vec<Page<'a>>,
    missed: &'a [FetchFailure],
}

#[derive(Debug, Serialize)]
struct Page<'a> {
    depth: u32,
    url: &'a Url,
    status: u16,
    title: Option<&'a str>,
    problem: Option<fetch::Reason>,
    passages: usize,
    record_id: Option<&'a str>,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let mut options: CrawlSettings = session.settings.crawl.clone();
        options.max_pages = self.pages.map_or(options.max_pages, usize::from);
        options.max_depth = self.depth.unwrap_or(options.max_depth);
        let network = session.network()?;
        let ui = &session.ui;
        let words = ui.words();
        let tell =
            |page: &ReadPage| ui.note(&say!(words.progress.crawl_read, url = page.fetched.url));
        let browser = session.browser();
        let read = Reading { options: &session.settings.read, browser: Some(&browser) };
        let start = self.url.clone();
        let crawled = network.run(async |fetcher| {
            crawl(fetcher, start, &self.looking_for, None, &options, read, tell).await
        })?;
        let pages = crawled.pages.iter().map(|(depth, it)| Page {
            depth: *depth,
            url: &it.fetched.url,
            status: it.fetched.status,
            title: it.document.metadata.title.as_deref(),
            problem: it.problem,
            passages: it.document.fragments.len(),
            record_id: it.record_id(),
        });
        let pages: Vec<Page<'_>> = pages.collect();
        if ui.is_json() {
            ui.document(&Crawled { pages, missed: &crawled.missed })?;
        } else if !pages.is_empty() {
            let column = &words.column;
            let mut table = Table::new([
                Column::number(&column.depth),
                Column::number(&column.http_status),
                Column::number(&column.passages),
                Column::text(&column.title),
                Column::text(&column.address),
            ]);
            for page in &pages {
                table.row([
                    page.depth.to_string(),
                    page.status.to_string(),
                    page.passages.to_string(),
                    clean(page.title.unwrap_or_default()),
                    page.url.to_string(),
                ]);
            }
            ui.print(&table.render(ui.layout(2)))?;
        }
        if crawled.pages.is_empty()
            && let Some(missed) = crawled.missed.first()
        {
            return Err(missed.clone().into());
        }
        for missed in &crawled.missed {
            ui.warn(&format!("{}: {}", missed.url, missed.detail));
        }
        Ok(())
    }
}
