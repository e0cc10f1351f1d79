//! A site, from one page on: what its headings, its contents and its "see also" lead to, best first.
//!
//! The fetcher keeps the pace and checks robots.txt; this module decides which link is worth the next request.

mod links;

use std::collections::{BinaryHeap, HashSet};

use evidence::TaskId;
use fetch::{FetchFailure, FetchRequest, Fetcher, Reason};
use settings::settings;
use url::Url;

use crate::{ReadPage, Reading, read_page};
use links::{Lead, leads, same_site};

settings! {
    /// Reading a site, from one page on.
    #[derive(Eq)]
    pub struct CrawlSettings {
        /// Links away from the first page.
        max_depth: u32 = 2, in 0..=2;
        /// Pages that are asked for, the first included.
        max_pages: usize = 10, in 1..=1_000;
    }
    expert {
        /// Addresses taken from the site's own sitemap; 0 does not ask for it.
        max_sitemap_leads: usize = 50, in 0..=10_000;
        /// Pages that wait for their turn; the least promising fall off.
        max_waiting: usize = 1_000, in 1..=100_000;
    }
}

/// What a crawl brought.
#[derive(Debug, Default)]
pub struct Crawl {
    /// Pages in the order they were read, with how far they are from the first one.
    pub pages: Vec<(u32, ReadPage)>,
    pub missed: Vec<FetchFailure>,
}

/// Reads pages of one site, best leads first, until the budget is used up or nothing is left.
///
/// `looking_for` is what the task asks; links whose words share something with it go first. `on_page` is told of
/// each page as it comes. Dropping the future stops the crawl.
pub async fn crawl(
    fetcher: &Fetcher,
    start: Url,
    looking_for: &str,
    task: Option<TaskId>,
    options: &CrawlSettings,
    reading: impl Into<Reading<'_>>,
    mut on_page: impl FnMut(&ReadPage),
) -> Crawl {
    let reading = reading.into();
    let mut crawl = Crawl::default();
    let mut seen = HashSet::from([without_fragment(start.clone())]);
    let mut waiting = BinaryHeap::from([Lead::first(start.clone())]);
    let mut asked = 0;
    while asked < options.max_pages
        && let Some(lead) = waiting.pop()
    {
        let mut request = FetchRequest::page(lead.url.clone());
        request.came_from = lead.came_from.clone();
        request.task = task;
        asked += 1;
        let brought = match read_page(fetcher, request, reading).await {
            Ok(brought) => brought,
            Err(missed) => {
                let site_is_closed = closes_site(missed.reason);
                crawl.missed.push(missed);
                if site_is_closed {
                    break;
                }
                continue;
            }
        };
        on_page(&brought);
        if brought.problem.is_none() {
            if lead.depth == 0 {
                for lead in sitemap_leads(fetcher, &brought, looking_for, options, reading).await {
                    if seen.insert(without_fragment(lead.url.clone())) {
                        waiting.push(lead);
                    }
                }
            }
            if lead.depth < options.max_depth {
                for next in
                    leads(&brought.document, &brought.fetched.url, lead.depth + 1, looking_for)
                {
                    if seen.insert(without_fragment(next.url.clone())) {
                        waiting.push(next);
                    }
                }
            }
            trim(&mut waiting, options.max_waiting);
        }
        let site_is_closed = brought.problem.is_some_and(closes_site);
        crawl.pages.push((lead.depth, brought));
        if site_is_closed {
            break;
        }
    }
    crawl
}

/// Whether a site that answers like this should get no more requests for now.
fn closes_site(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Offline
            | Reason::BlockedDomain
            | Reason::Resting
            | Reason::DailyBudget
            | Reason::UnknownHost
            | Reason::CannotConnect
            | Reason::BadCertificate
            | Reason::Challenge
            | Reason::Login
            | Reason::Forbidden
            | Reason::TooManyRequests
            | Reason::NotRecorded
    )
}

/// Addresses that the site itself lists. One sitemap is asked for; an index of sitemaps gives no pages.
async fn sitemap_leads(
    fetcher: &Fetcher,
    first: &ReadPage,
    looking_for: &str,
    options: &CrawlSettings,
    reading: Reading<'_>,
) -> Vec<Lead> {
    if options.max_sitemap_leads == 0 {
        return Vec::new();
    }
    let home = &first.fetched.url;
    let Some(sitemap) = fetcher.sitemaps_of(home).await.into_iter().find(|it| same_site(it, home))
    else {
        return Vec::new();
    };
    let Ok(brought) = read_page(fetcher, FetchRequest::page(sitemap), reading).await else {
        return Vec::new();
    };
    if brought.problem.is_some() {
        return Vec::new();
    }
    let mut found = leads(&brought.document, home, 1, looking_for);
    // Only what has to do with the question: a sitemap lists everything.
    found.retain(|it| it.shares_words);
    found.sort_by(|a, b| b.cmp(a));
    found.truncate(options.max_sitemap_leads);
    found
}

fn trim(waiting: &mut BinaryHeap<Lead>, limit: usize) {
    if waiting.len() > limit {
        let mut best = std::mem::take(waiting).into_sorted_vec();
        best.reverse();
        best.truncate(limit);
        *waiting = best.into();
    }
}

fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}
