//! A cycle of pages: fetched or read side by side, recorded one by one in the order they were planned.
//!
//! Two things follow from the order: the graph of a search does not depend on which site answered first, and a search
//! that was cut off goes on with the page after the last one recorded. A page that was archived before the cut is not
//! asked for again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use evidence::{FragmentType, JobId, PageId, WorkId};
use extract::Document;
use fetch::{FetchRequest, Freshness, Reason};
use graph::{
    FragmentPlace, Job, JobEnd, JobState, NewFragment, NewPage, NewSerpItem, NewWork, PageDetails,
    WorkIdentifier,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sources::academic::{Scheme, WorkName};
use sources::folders::{Extent, extent_of, read_document};
use url::Url;

use crate::calls::{MissedPage, Progress};
use crate::engine::{Engine, Inner, language_of};
use crate::error::Result;
use crate::read_page::read_page;
use crate::slots::{Slot, priority};
use crate::task_state::Mode;

use super::assess::Prepared;
use super::citations::Confirmed;
use super::plan::word_of;
use super::prefetch::{Ahead, InFlight};
use super::records::flag_as_json;
use super::{Context, Ending, kind};

/// A page that was read, wherever from.
#[derive(Debug)]
pub(super) struct ReadPage {
    document: Document,
    status: Option<u16>,
    final_url: Option<String>,
    archive_ref: Value,
    content_hash: String,
    /// The file, for a document of the library.
    path: Option<PathBuf>,
}

/// What became of a page: read, known already (`None`), or missed.
pub(super) type Arrived = std::result::Result<Option<ReadPage>, MissedPage>;

/// The pages of a cycle that may be read.
#[derive(Debug, Default)]
pub(super) struct Granted {
    /// Pages that are not over yet.
    wanted: usize,
    pub(super) granted: Vec<Job>,
    /// Pages that were missed before and are left.
    left: usize,
}

impl Engine {
    /// Reads the pages of one cycle: all steps up to the next one of another kind.
    pub(super) async fn cycle(
        &self,
        context: &Context,
        jobs: &[Job],
        ahead: &mut Ahead,
    ) -> Result<Option<Ending>> {
        let state = self.inner.task_state(context.task.id);
        let passing = state.scheduler.pass(context.id());
        let Some(turn) = self.unless_called_off(context, passing).await? else { return Ok(None) };
        let Granted { wanted, granted, left } = self.grant_cycle(context, jobs).await?;
        let mut reading = Vec::new();
        for job in &granted {
            // A task of its own, so that pages are on their way while earlier ones are recorded.
            let page = || InFlight::start(self.clone().read_page(context.clone(), job.clone()));
            reading.push(ahead.pages.remove(&job.id).unwrap_or_else(page));
        }
        let mut resting = 0;
        let mut called_off = false;
        let mut arrived = Vec::new();
        let mut on_their_way = granted.iter().zip(reading).peekable();
        let mut preparing: Option<InFlight<Prepared>> = None;
        while let Some((job, mut page)) = on_their_way.next() {
            let read = match called_off {
                false => self.unless_called_off(context, page.arrive()).await?,
                true => None,
            };
            called_off = read.is_none();
            let read = match read {
                Some(read) => read?,
                // What is here already is kept; a pause also keeps the order, for whoever goes on.
                None if page.has_arrived() => page.arrive().await?,
                None if state.mode() == Mode::Pause => break,
                None => continue,
            };
            arrived.push((job.clone(), read));
            // What is here while the next one is not yet is stored and looked at meanwhile.
            if on_their_way.peek().is_some_and(|(_, next)| !next.has_arrived()) {
                resting += self.record_pages(context, std::mem::take(&mut arrived)).await?;
                if preparing.as_ref().is_none_or(InFlight::has_arrived) {
                    ahead.take(preparing.take()).await?;
                    let prepared = std::mem::take(&mut ahead.prepared);
                    let looking = self.clone().prepare(context.clone(), prepared);
                    preparing = Some(InFlight::start(looking));
                }
            }
        }
        resting += self.record_pages(context, arrived).await?;
        ahead.take(preparing).await?;
        drop(turn);
        if called_off {
            return Ok(None);
        }
        if granted.len() + left < wanted {
            return Ok(Some(Ending::PageBudget));
        }
        let fetched = granted.iter().filter(|it| it.kind == kind::FETCH).count();
        Ok((fetched > 0 && resting == fetched && granted.len() == fetched)
            .then_some(Ending::AllResting))
    }

    /// Lets the first pages of these steps begin, up to the next step of another kind.
    pub(super) async fn grant_cycle(&self, context: &Context, jobs: &[Job]) -> Result<Granted> {
        let pages = jobs.iter().take_while(|it| kind::is_page(&it.kind));
        let pages: Vec<Job> = pages.filter(|it| !it.state.is_over()).cloned().collect();
        let wanted = pages.len();
        let owned = context.clone();
        let (granted, left) = self.blocking(move |inner| inner.grant(&owned, &pages)).await?;
        for missed in &left {
            self.tell_missed(context, missed);
        }
        Ok(Granted { wanted, granted, left: left.len() })
    }

    pub(super) async fn read_page(self, context: Context, job: Job) -> Result<Arrived> {
        let url = job.payload["url"].as_str().unwrap_or_default().to_owned();
        if job.kind == kind::KNOWN {
            return Ok(Ok(None));
        }
        let is_file = job.payload["how"].as_str() == Some("file");
        let (slot, priority) = match is_file {
            true => (Slot::CpuNlp, priority::EXTRACT),
            false => (Slot::NetworkClient, priority::PREFETCH),
        };
        let _permit = self.slot(slot, priority).await;
        self.tell(Progress::Reading { search_id: context.id(), url: url.clone() });
        match is_file {
            true => self.blocking(move |inner| Ok(inner.read_file(&url).map(Some))).await,
            false => Ok(self.fetch_page(&context, &job, &url).await?.map(Some)),
        }
    }

    async fn fetch_page(
        &self,
        context: &Context,
        job: &Job,
        url: &str,
    ) -> Result<std::result::Result<ReadPage, MissedPage>> {
        let Ok(address) = Url::parse(url) else {
            return Ok(Err(MissedPage {
                url: url.to_owned(),
                reason: word_of(&Reason::BadAddress),
                detail: "it is no address".to_owned(),
            }));
        };
        let mut request = FetchRequest::page(address);
        request.task = Some(context.task.id);
        request.cause = Some(context.details.search.cause_id);
        if job.state == JobState::Running {
            // It was under way when the process ended; what came back then is in the archive.
            request.freshness = Freshness::Since(context.details.search.created_at);
        }
        let brought =
            match read_page(&self.inner.parts.fetcher, request, &self.inner.parts.settings.read)
                .await
            {
                Ok(brought) => brought,
                Err(missed) => {
                    return Ok(Err(MissedPage {
                        url: url.to_owned(),
                        reason: word_of(&missed.reason),
                        detail: missed.detail,
                    }));
                }
            };
        if let Some(reason) = brought.problem {
            return Ok(Err(MissedPage {
                url: url.to_owned(),
                reason: word_of(&reason),
                detail: format!("it answered {}", brought.fetched.status),
            }));
        }
        Ok(Ok(ReadPage {
            status: Some(brought.fetched.status),
            final_url: Some(brought.fetched.url.to_string()).filter(|it| it != url),
            archive_ref: json!({ "record_id": brought.fetched.record_id }),
            content_hash: evidence::text_hash(&brought.document.text),
            document: brought.document,
            path: None,
        }))
    }

    pub(super) fn tell_missed(&self, context: &Context, missed: &MissedPage) {
        self.tell(Progress::PageMissed {
            search_id: context.id(),
            url: missed.url.clone(),
            reason: missed.reason.clone(),
            detail: missed.detail.clone(),
        });
    }

    /// Commits pages that are here, in one transaction: a commit waits for the disk, however much is in it. Says how
    /// many were missed because their sites are left in peace.
    async fn record_pages(&self, context: &Context, pages: Vec<(Job, Arrived)>) -> Result<usize> {
        if pages.is_empty() {
            return Ok(0);
        }
        let mut told = Vec::new();
        let mut confirmed = Vec::new();
        for (job, arrived) in &pages {
            let url = job.payload["url"].as_str().unwrap_or_default().to_owned();
            told.push(match arrived {
                Ok(read) => read.as_ref().map(|it| Ok((url, it.document.metadata.title.clone()))),
                Err(missed) => Some(Err(missed.clone())),
            });
            confirmed.push(match arrived {
                Ok(Some(read)) => self.confirm_links(context, &read.document).await?,
                _ => Confirmed::default(),
            });
        }
        let owned = context.clone();
        let recorded =
            self.blocking(move |inner| inner.record_pages(&owned, &pages, &confirmed)).await?;
        let resting = [Reason::Resting, Reason::DailyBudget].map(|it| word_of(&it));
        let mut rest = 0;
        for (told, passages) in told.into_iter().zip(recorded) {
            match told {
                None => {}
                Some(Ok((url, title))) => {
                    self.tell(Progress::PageRead { search_id: context.id(), url, title, passages });
                }
                Some(Err(missed)) => {
                    rest += usize::from(resting.contains(&missed.reason));
                    self.tell_missed(context, &missed);
                }
            }
        }
        Ok(rest)
    }
}

impl Inner {
    /// Lets pages begin, as many as the budget of the task has left. Those begun before the last end count already.
    /// One that another search missed for good since it was planned is left, and costs nothing.
    fn grant(&self, context: &Context, pages: &[Job]) -> Result<(Vec<Job>, Vec<MissedPage>)> {
        let task = context.task.id;
        Ok(self.graph.write(context.cause("cycle_begin"), |w| {
            let used = w.begun_jobs(task, kind::FETCH)?;
            let mut left = context.task.budget.max_pages.saturating_sub(used);
            let mut granted = Vec::new();
            let mut not_asked = Vec::new();
            let lasting = self.lasting_misses(w, task)?;
            for job in pages {
                let named = job.payload["named"].as_bool() == Some(true);
                let known = job.payload["url"].as_str().and_then(|it| lasting.get(it));
                let waits = job.kind == kind::FETCH && job.state == JobState::Queued;
                if let Some(missed) = known.filter(|_| waits && !named) {
                    let why = context.leave_page(w, missed)?;
                    w.end_job(job.id, &JobEnd::Cancelled(why))?;
                    not_asked.push(missed.clone());
                    continue;
                }
                let costs = job.kind == kind::FETCH && job.state == JobState::Queued;
                if costs && left == 0 {
                    break;
                }
                left -= u32::from(costs);
                if job.state == JobState::Queued {
                    w.begin_job(job.id)?;
                }
                granted.push(job.clone());
            }
            Ok((granted, not_asked))
        })?)
    }

    fn read_file(&self, url: &str) -> std::result::Result<ReadPage, MissedPage> {
        let missed =
            |reason: String, detail: String| MissedPage { url: url.to_owned(), reason, detail };
        let address = Url::parse(url).ok();
        let extent = address.as_ref().map_or(Extent::Whole, extent_of);
        let path = address.and_then(|it| it.to_file_path().ok());
        let path =
            path.ok_or_else(|| missed(word_of(&Reason::BadAddress), "it is no file".to_owned()))?;
        let settings = &self.parts.settings;
        let (bytes, document) =
            read_document(&path, extent, settings.folders.max_file_bytes, &settings.read)
                .map_err(|it| missed(word_of(&it.reason), it.detail))?;
        let hash = Sha256::digest(&bytes).iter().map(|it| format!("{it:02x}")).collect::<String>();
        Ok(ReadPage {
            status: None,
            final_url: None,
            archive_ref: {
                let file = path.display().to_string();
                match extent {
                    Extent::Whole => json!({ "file": file, "sha256": hash }),
                    Extent::Lines { first, last } => {
                        json!({ "file": file, "sha256": hash, "lines": [first, last] })
                    }
                    Extent::Chars { start, end } => {
                        json!({ "file": file, "sha256": hash, "chars": [start, end] })
                    }
                }
            },
            content_hash: evidence::text_hash(&document.text),
            document,
            path: Some(path),
        })
    }

    /// The passages of each page that was read.
    fn record_pages(
        &self,
        context: &Context,
        pages: &[(Job, Arrived)],
        confirmed: &[Confirmed],
    ) -> Result<Vec<usize>> {
        Ok(self.graph.write(context.cause("pages"), |w| {
            let mut recorded = Vec::new();
            for ((job, arrived), confirmed) in pages.iter().zip(confirmed) {
                recorded.push(match arrived {
                    Ok(None) => self.record_known_page(w, context, job)?,
                    Ok(Some(read)) => self.record_read_page(w, context, job, read, confirmed)?,
                    Err(missed) => self.record_missed(w, context, job.id, missed)?,
                });
            }
            Ok(recorded)
        })?)
    }

    fn record_known_page(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        job: &Job,
    ) -> graph::Result<usize> {
        let w = &w.under(context.cause_of(job, "page_known"));
        self.end_step(w, context, job, 0.0, |w| {
            let page = job.payload["page"].as_str().unwrap_or_default();
            self.note_cluster(w, context, page.parse().ok())?;
            Ok((0, json!({ "page": page })))
        })
    }

    fn record_missed(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        job: JobId,
        missed: &MissedPage,
    ) -> graph::Result<usize> {
        let detail = serde_json::to_value(missed).expect("a missed page is plain data");
        let w = &w.under(context.cause("page_missed").with(detail.clone()));
        w.cause()?;
        w.end_job(job, &JobEnd::Failed(detail))?;
        let seconds = self.task_state(context.task.id).take_seconds();
        w.spend(context.task.id, graph::Spent { seconds, llm_seconds: 0.0 })?;
        Ok(0)
    }

    fn record_read_page(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        job: &Job,
        read: &ReadPage,
        confirmed: &Confirmed,
    ) -> graph::Result<usize> {
        let document = &read.document;
        let settings = &self.parts.settings.search;
        let w = &w.under(context.cause_of(job, "page_read"));
        self.end_step(w, context, job, confirmed.llm_seconds, |w| {
            let page = match job.payload["page"].as_str().and_then(|it| it.parse().ok()) {
                Some(page) => page,
                None => self.record_library_page(w, context, job, read)?,
            };
            let flags: Vec<Value> = document.flags.iter().map(flag_as_json).collect();
            let metadata = &document.metadata;
            let year = metadata.published_at.as_deref().and_then(|it| it.get(..4)?.parse().ok());
            let work_id = own_work(w, page, read, year)?;
            w.describe_page(
                page,
                &PageDetails {
                    final_url: read.final_url.clone(),
                    page_type: Some(word_of(&document.page_type.page_type)),
                    title: metadata.title.clone(),
                    author: metadata.author.clone(),
                    site_name: metadata.site_name.clone(),
                    language: metadata.language.clone(),
                    published_at: metadata.published_at.clone(),
                    modified_at: metadata.modified_at.clone(),
                    year,
                    http_status: read.status,
                    content_hash: Some(read.content_hash.clone()),
                    archive_ref: Some(read.archive_ref.clone()),
                    quality_score: Some(document.quality.score),
                    flags: Some(Value::Array(flags)),
                    sketch: Some(extract::near_duplicate::sketch(&document.text).to_bytes()),
                    work_id,
                },
            )?;
            let passages = document.fragments.iter().take(settings.max_passages_per_page);
            let mut recorded = 0;
            for fragment in passages {
                if fragment.fragment_type == FragmentType::Heading
                    || fragment.text.trim().is_empty()
                {
                    continue;
                }
                let place = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
                w.record_placed_fragment(
                    &NewFragment {
                        page_id: page,
                        fragment_type: fragment.fragment_type,
                        text: fragment.text.clone(),
                        heading_context: fragment.heading_context.clone(),
                        element_index: Some(place(fragment.element_index)),
                        chars: Some(place(fragment.char_start)..place(fragment.char_end)),
                        language: language_of(&fragment.text),
                    },
                    &FragmentPlace {
                        headings: fragment
                            .heading_hierarchy
                            .iter()
                            .map(|it| it.text.clone())
                            .collect(),
                        deep_link: fragment.deep_link.clone(),
                    },
                )?;
                recorded += 1;
            }
            self.note_cluster(w, context, Some(page))?;
            self.note_citations(w, context, page, document, confirmed)?;
            let names = self.note_identifiers(w, context, document)?;
            Ok((
                recorded,
                json!({ "page": page.to_string(), "passages": recorded, "names": names }),
            ))
        })
    }

    /// A document of the library: published by whom it names, else a source of its own.
    fn record_library_page(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        job: &Job,
        read: &ReadPage,
    ) -> graph::Result<PageId> {
        let metadata = &read.document.metadata;
        let named = metadata.canonical_url.as_deref().and_then(|it| Url::parse(it).ok());
        let host = named.as_ref().and_then(Url::host_str).map(evidence::domain::normal_host);
        let policy = self.parts.policy.current();
        let (domain, category) = match host {
            Some(host) => {
                let category = w.decide(&host, &policy)?.original_category;
                (host, category)
            }
            None => (publisher(context, read), evidence::DomainCategory::Unverified),
        };
        let url = job.payload["url"].as_str().unwrap_or_default().to_owned();
        let named = job.payload["title"].as_str().map(ToOwned::to_owned);
        let page = w.record_page(&NewPage {
            url: url.clone(),
            domain,
            domain_category: category,
            title: metadata.title.clone().or(named),
            language: metadata.language.clone(),
            year: None,
            work_id: None,
        })?;
        w.record_serp_item(&NewSerpItem {
            search_id: context.id(),
            engine: job.payload["engine"].as_str().unwrap_or("library").to_owned(),
            rank: job.payload["rank"].as_u64().and_then(|it| it.try_into().ok()).unwrap_or(1),
            url,
            title: metadata.title.clone(),
            snippet: None,
            page_id: Some(page),
        })?;
        Ok(page)
    }

    /// Works that a page names are looked up later, within the budget of the search.
    fn note_identifiers(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        document: &Document,
    ) -> graph::Result<usize> {
        if self.parts.fetcher.settings().offline {
            return Ok(0);
        }
        let names: BTreeSet<String> = document
            .identifiers
            .iter()
            .filter_map(|it| {
                let scheme = word_of(&it.kind);
                ["doi", "pmid", "pmcid", "arxiv"]
                    .contains(&scheme.as_str())
                    .then(|| format!("{scheme}:{}", it.value))
            })
            .collect();
        let jobs = w.jobs_of(context.id())?;
        let asked: BTreeSet<String> = jobs
            .iter()
            .filter(|it| it.kind == kind::IDENTIFIERS)
            .flat_map(|it| it.payload["names"].as_array().cloned().unwrap_or_default())
            .filter_map(|it| it.as_str().map(ToOwned::to_owned))
            .collect();
        let left = self.parts.settings.search.identifiers_per_search.saturating_sub(asked.len());
        let fresh: Vec<String> = names.difference(&asked).take(left).cloned().collect();
        if !fresh.is_empty() {
            context.add_step(w, kind::IDENTIFIERS, json!({ "names": fresh }))?;
        }
        Ok(fresh.len())
    }
}

/// The work a page shows: the one it says it is, else the one its address names.
fn own_work(
    w: &graph::Writer<'_>,
    page: PageId,
    read: &ReadPage,
    year: Option<i32>,
) -> graph::Result<Option<WorkId>> {
    let known = w.study_page(page)?;
    let metadata = &read.document.metadata;
    let said = metadata.doi.as_deref().and_then(|it| WorkName::of(Scheme::Doi, it));
    let address = read.final_url.as_deref().unwrap_or(&known.url);
    let named = || WorkName::of_url(&Url::parse(address).ok()?);
    let Some(name) = said.or_else(named).filter(|_| known.work_id.is_none()) else {
        return Ok(known.work_id);
    };
    let work = w.record_work(&NewWork {
        title: metadata.title.clone().or(known.title).unwrap_or_default(),
        year,
        venue: metadata.site_name.clone(),
        citation_count: None,
        source_api: None,
        identifiers: vec![WorkIdentifier {
            scheme: name.scheme.as_str().to_owned(),
            value: name.value,
        }],
    })?;
    Ok(Some(work))
}

/// Who stands behind a document that names no address: the publisher or author it names, else the document itself.
fn publisher(context: &Context, read: &ReadPage) -> String {
    let metadata = &read.document.metadata;
    let named = metadata.site_name.as_deref().or(metadata.author.as_deref()).map(str::trim);
    if let Some(named) = named.filter(|it| !it.is_empty()) {
        return format!("library:{named}");
    }
    let Some(path) = &read.path else { return "library".to_owned() };
    let inside = context.config.library.iter().find_map(|it| path.strip_prefix(it).ok());
    format!("library:{}", inside.unwrap_or(path).display())
}
