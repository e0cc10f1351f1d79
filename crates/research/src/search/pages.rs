//! A cycle of pages: fetched or read concurrently, recorded one by one in the order they were planned.
//!
//! Two things follow from the order: the graph of a search does not depend on which site answered first, and an
//! interrupted search resumes with the page after the last one recorded. A page archived before the interruption is
//! not requested again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use evidence::{DomainCategory, JobId, PageId, Publisher, StopReason, WorkId};
use extract::Document;
use fetch::{FetchRequest, Freshness, Reason};
use graph::{JobEnd, JobState, NewPage, NewSerpItem, NewWork, PageDetails, WorkIdentifier};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sources::AskedBy;
use sources::academic::{Scheme, WorkName};
use sources::folders::{Extent, extent_of, read_document};
use url::Url;

use crate::calls::{MissReason, MissedPage, Progress, Stage};
use crate::engine::{Engine, Inner};
use crate::error::{EngineError, Result};
use crate::read_page::{Reading, read_page};
use crate::slots::{Slot, priority};
use crate::task_state::Mode;
use crate::versions::{OldPage, may_stand_in, newest_version};

use super::Context;
use super::assess::PrefetchedVectors;
use super::citations::Confirmed;
use super::plan::word_of;
use super::prefetch::{AbortOnDrop, Prefetched};
use super::records::{Passages, stored_flags};
use super::steps::{
    FETCH, FetchStep, FetchTarget, IdentifiersStep, KnownStep, ReadResult, Step, StepFailure,
    StepResult, StepRow, steps_of,
};

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

/// A document as its library listed it.
struct Listed<'a> {
    url: &'a str,
    engine: &'a str,
    rank: u32,
    title: &'a str,
}

/// How the page of a step ended.
#[derive(Debug)]
pub(super) enum PageOutcome {
    Known(KnownStep),
    Read(FetchStep, Box<ReadPage>),
    Missed(MissedPage),
}

/// The pages of a cycle that the budget allows.
#[derive(Debug, Default)]
pub(super) struct GrantedPages {
    /// Pages that are not done yet.
    wanted: usize,
    pub(super) granted: Vec<StepRow>,
    /// Pages that were missed before and are skipped.
    left: usize,
}

impl ReadPage {
    fn brought(brought: crate::ReadPage, asked: &str) -> Self {
        Self {
            status: Some(brought.fetched.status),
            final_url: Some(brought.fetched.url.to_string()).filter(|it| it != asked),
            archive_ref: match &brought.rendered {
                None => json!({ "record_id": brought.fetched.record_id }),
                // What was read, and the answer it was made of.
                Some(it) => json!({
                    "record_id": it.record_id, "made_of": brought.fetched.record_id,
                    "cut_short": it.cut_short,
                }),
            },
            content_hash: evidence::text_hash(&brought.document.text),
            document: brought.document,
            path: None,
        }
    }

    /// A page in the version an archive has of it.
    fn as_it_was(old: OldPage, because: Reason) -> Self {
        let version = &old.version;
        Self {
            status: Some(old.fetched.status),
            final_url: Some(version.address.to_string()),
            archive_ref: json!({
                "record_id": old.fetched.record_id,
                "version": {
                    "taken_at": version.taken_at, "url": version.address, "because": because.as_str(),
                },
            }),
            content_hash: evidence::text_hash(&old.document.text),
            document: old.document,
            path: None,
        }
    }
}

impl Engine {
    /// Reads the pages of one cycle: all steps up to the next one of another kind.
    pub(super) async fn cycle(
        &self,
        context: &Context,
        steps: &[StepRow],
        prefetched: &mut Prefetched,
    ) -> Result<Option<StopReason>> {
        let state = self.inner.task_state(context.task.id);
        let passing = state.scheduler.pass(context.id());
        let Some(turn) = self.unless_cancelled(context, passing).await? else { return Ok(None) };
        let GrantedPages { wanted, granted, left } = self.grant_cycle(context, steps).await?;
        let mut reading = Vec::new();
        for row in &granted {
            // A task of its own, so that pages are fetched while earlier ones are recorded.
            let page =
                || AbortOnDrop::start(self.clone().obtain_page(context.clone(), row.clone()));
            reading.push(prefetched.pages.remove(&row.id).unwrap_or_else(page));
        }
        let mut resting = 0;
        let mut cancelled = false;
        let mut arrived = Vec::new();
        let mut on_their_way = granted.iter().zip(reading).peekable();
        let mut preparing: Option<AbortOnDrop<PrefetchedVectors>> = None;
        let (mut here, all) = (0, granted.len());
        while let Some((row, mut page)) = on_their_way.next() {
            self.inner.at_work(context.id(), Stage::Reading, here, all);
            here += 1;
            let read = match cancelled {
                false => self.unless_cancelled(context, page.join()).await?,
                true => None,
            };
            cancelled = read.is_none();
            let read = match read {
                Some(read) => read?,
                // Pages already here are kept; a pause also keeps the order, for the search that resumes.
                None if page.is_finished() => page.join().await?,
                None if state.mode() == Mode::Pause => break,
                None => continue,
            };
            arrived.push((row.id, read));
            // While the next page is awaited, those already here are recorded and embedded.
            if on_their_way.peek().is_some_and(|(_, next)| !next.is_finished()) {
                resting += self.record_pages(context, std::mem::take(&mut arrived)).await?;
                if preparing.as_ref().is_none_or(AbortOnDrop::is_finished) {
                    prefetched.take(preparing.take()).await?;
                    let prepared = std::mem::take(&mut prefetched.vectors);
                    let looking = self.clone().prepare(context.clone(), prepared);
                    preparing = Some(AbortOnDrop::start(looking));
                }
            }
        }
        resting += self.record_pages(context, arrived).await?;
        prefetched.take(preparing).await?;
        drop(turn);
        if cancelled {
            return Ok(None);
        }
        if granted.len() + left < wanted {
            return Ok(Some(StopReason::PageBudget));
        }
        let fetched = granted.iter().filter(|it| it.step.is_fetch()).count();
        Ok((fetched > 0 && resting == fetched && granted.len() == fetched)
            .then_some(StopReason::AllResting))
    }

    /// Lets the first pages of these steps begin, up to the next step of another kind.
    pub(super) async fn grant_cycle(
        &self,
        context: &Context,
        steps: &[StepRow],
    ) -> Result<GrantedPages> {
        let pages = steps.iter().take_while(|it| it.step.is_page());
        let pages: Vec<StepRow> = pages.filter(|it| !it.state.is_over()).cloned().collect();
        let wanted = pages.len();
        let owned = context.clone();
        let (granted, left) = self.blocking(move |inner| inner.grant(&owned, &pages)).await?;
        for missed in &left {
            self.tell_missed(context, missed);
        }
        Ok(GrantedPages { wanted, granted, left: left.len() })
    }

    /// Fetches or reads the page of a step.
    pub(super) async fn obtain_page(self, context: Context, row: StepRow) -> Result<PageOutcome> {
        let step = match row.step {
            Step::Fetch(step) => step,
            Step::Known(step) => return Ok(PageOutcome::Known(step)),
            Step::Plan | Step::Assess | Step::Citations | Step::Identifiers(_) => {
                return Err(EngineError::Broken);
            }
        };
        let (slot, priority) = match step.target {
            FetchTarget::File { .. } => (Slot::CpuNlp, priority::EXTRACT),
            FetchTarget::Http { .. } => (Slot::NetworkClient, priority::PREFETCH),
        };
        let _permit = self.slot(slot, priority).await;
        self.tell(Progress::Reading { search_id: context.id(), url: step.url.clone() });
        let read = match &step.target {
            FetchTarget::File { .. } => {
                let url = step.url.clone();
                self.blocking(move |inner| Ok(inner.read_file(&url))).await?
            }
            FetchTarget::Http { open_access, came_from, .. } => {
                let was_cut_off = row.state == JobState::Running;
                let came_from = came_from.as_deref();
                match open_access {
                    Some(copy) => {
                        self.fetch_paper(&context, &step.url, copy, came_from, was_cut_off).await
                    }
                    None => self.fetch_page(&context, &step.url, came_from, was_cut_off).await,
                }
            }
        };
        Ok(match read {
            Ok(read) => PageOutcome::Read(step, Box::new(read)),
            Err(missed) => PageOutcome::Missed(missed),
        })
    }

    /// Fetches the free copy of a paper, and the address of the work where the copy gives nothing to read.
    async fn fetch_paper(
        &self,
        context: &Context,
        url: &str,
        copy: &str,
        came_from: Option<&str>,
        was_cut_off: bool,
    ) -> std::result::Result<ReadPage, MissedPage> {
        let problem = match self.fetch_page(context, copy, None, was_cut_off).await {
            Ok(mut read) if !read.document.fragments.is_empty() => {
                read.final_url.get_or_insert_with(|| copy.to_owned());
                return Ok(read);
            }
            Ok(_) => "it has no text".to_owned(),
            Err(missed) => missed.detail,
        };
        self.fetch_page(context, url, came_from, was_cut_off).await.map_err(|mut missed| {
            missed.detail = format!("{}; its open-access copy {copy}: {problem}", missed.detail);
            missed
        })
    }

    async fn fetch_page(
        &self,
        context: &Context,
        url: &str,
        came_from: Option<&str>,
        was_cut_off: bool,
    ) -> std::result::Result<ReadPage, MissedPage> {
        let missed = |reason: Reason, detail: String| MissedPage {
            url: url.to_owned(),
            reason: reason.into(),
            detail,
        };
        let address = Url::parse(url)
            .map_err(|_| missed(Reason::BadAddress, "it is no address".to_owned()))?;
        let mut request = FetchRequest::page(address);
        request.task = Some(context.task.id);
        request.cause = Some(context.details.search.cause_id);
        request.came_from = came_from.and_then(|it| Url::parse(it).ok());
        if was_cut_off {
            // It was under way when the process ended; what came back then is in the archive.
            request.freshness = Freshness::Since(context.details.search.created_at);
        }
        let parts = &self.inner.parts;
        let reading = Reading { options: &parts.settings.read, browser: parts.browser.as_ref() };
        let page = request.url.clone();
        let brought = read_page(&self.inner.fetcher(context), request, reading).await;
        let (reason, detail) = match brought {
            Err(failure) => (failure.reason, failure.detail),
            Ok(brought) => match brought.problem {
                None => return Ok(ReadPage::brought(brought, url)),
                Some(reason) => (reason, brought.detail()),
            },
        };
        if !may_stand_in(reason) {
            return Err(missed(reason, detail));
        }
        match self.older_version(context, &page, reason).await {
            Ok(Some(read)) => Ok(read),
            Ok(None) => Err(missed(reason, detail)),
            Err(problem) => Err(missed(reason, format!("{detail}; {problem}"))),
        }
    }

    /// The archive's newest version of a page that is gone or does not let us in, where the task has one left.
    async fn older_version(
        &self,
        context: &Context,
        page: &Url,
        because: Reason,
    ) -> std::result::Result<Option<ReadPage>, String> {
        let fetcher = self.inner.fetcher(context);
        let settings = &self.inner.parts.settings;
        let own = &settings.versions;
        let most = f64::from(context.task.budget.max_pages) * own.share_of_pages;
        let state = self.inner.task_state(context.task.id);
        let asks = own.enabled && !fetcher.is_offline();
        if !asks || !state.take_version(most.ceil() as usize) {
            return Ok(None);
        }
        let asked_by = AskedBy {
            task: Some(context.task.id),
            cause: Some(context.details.search.cause_id),
            // A search that goes on after a kill takes what came back before.
            since: Some(context.details.search.created_at),
            patience: Some(Duration::from_secs(settings.search.source_timeout_seconds)),
        };
        let found = newest_version(&fetcher, page, own, &settings.read, asked_by).await;
        match found {
            Ok(None) => Ok(None),
            Ok(Some(old)) if old.is_none() => {
                Err("its version at the Internet Archive has no text".to_owned())
            }
            Ok(Some(old)) => Ok(Some(ReadPage::as_it_was(old, because))),
            Err(failure) => Err(format!("the Internet Archive: {failure}")),
        }
    }

    pub(super) fn tell_missed(&self, context: &Context, missed: &MissedPage) {
        self.tell(Progress::PageMissed {
            search_id: context.id(),
            url: missed.url.clone(),
            reason: missed.reason,
            detail: missed.detail.clone(),
        });
    }

    /// Commits pages that are here, in one transaction: a commit waits for the disk, however much is in it. Says how
    /// many were missed because their sites are resting.
    async fn record_pages(
        &self,
        context: &Context,
        pages: Vec<(JobId, PageOutcome)>,
    ) -> Result<usize> {
        if pages.is_empty() {
            return Ok(0);
        }
        let mut told = Vec::new();
        let mut confirmed = Vec::new();
        for (_, arrived) in &pages {
            told.push(match arrived {
                PageOutcome::Read(step, read) => {
                    Some(Ok((step.url.clone(), read.document.metadata.title.clone())))
                }
                PageOutcome::Known(_) => None,
                PageOutcome::Missed(missed) => Some(Err(missed.clone())),
            });
            confirmed.push(match arrived {
                PageOutcome::Read(_, read) => self.confirm_links(context, &read.document).await?,
                PageOutcome::Known(_) | PageOutcome::Missed(_) => Confirmed::default(),
            });
        }
        let owned = context.clone();
        let recorded =
            self.blocking(move |inner| inner.record_pages(&owned, &pages, &confirmed)).await?;
        let mut resting = 0;
        for (told, passages) in told.into_iter().zip(recorded) {
            match told {
                None => {}
                Some(Ok((url, title))) => {
                    self.tell(Progress::PageRead { search_id: context.id(), url, title, passages });
                }
                Some(Err(missed)) => {
                    let rests = [Reason::Resting, Reason::DailyBudget].map(MissReason::Page);
                    resting += usize::from(rests.contains(&missed.reason));
                    self.tell_missed(context, &missed);
                }
            }
        }
        Ok(resting)
    }
}

impl Inner {
    /// Lets pages begin, as many as the budget of the task has left. Those begun before the last end count already.
    /// One that another search missed for good since it was planned is left, and costs nothing.
    fn grant(
        &self,
        context: &Context,
        pages: &[StepRow],
    ) -> Result<(Vec<StepRow>, Vec<MissedPage>)> {
        let task = context.task.id;
        let seconds = context.seconds_left(self.seconds_used(task)?);
        Ok(self.graph.write(context.cause("cycle_begin"), |w| {
            let used = w.begun_jobs(task, FETCH)?;
            let mut left = context.task.budget.max_pages.saturating_sub(used);
            let mut granted = Vec::new();
            let mut not_asked = Vec::new();
            let lasting = self.permanent_misses(w, task)?;
            for row in pages {
                let waits = row.state == JobState::Queued;
                if let Step::Fetch(step) = &row.step
                    && waits
                {
                    let named = matches!(step.target, FetchTarget::Http { named: true, .. });
                    if let Some(missed) = lasting.get(&step.url).filter(|_| !named) {
                        context.leave_page(w, missed)?;
                        let why = StepFailure::Missed(missed.clone());
                        w.end_job(row.id, &JobEnd::Cancelled(why.to_json()))?;
                        not_asked.push(missed.clone());
                        continue;
                    }
                    if left == 0 {
                        break;
                    }
                    left -= 1;
                }
                if waits {
                    w.begin_job(row.id, row.step.budget(seconds))?;
                }
                granted.push(row.clone());
            }
            Ok((granted, not_asked))
        })?)
    }

    fn read_file(&self, url: &str) -> std::result::Result<ReadPage, MissedPage> {
        let missed =
            |reason: MissReason, detail: String| MissedPage { url: url.to_owned(), reason, detail };
        let address = Url::parse(url).ok();
        let extent = address.as_ref().map_or(Extent::Whole, extent_of);
        let path = address.and_then(|it| it.to_file_path().ok());
        let path =
            path.ok_or_else(|| missed(Reason::BadAddress.into(), "it is no file".to_owned()))?;
        let settings = &self.parts.settings;
        let (bytes, document) =
            read_document(&path, extent, settings.folders.max_file_bytes, &settings.read)
                .map_err(|it| missed(it.reason.into(), it.detail))?;
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
        pages: &[(JobId, PageOutcome)],
        confirmed: &[Confirmed],
    ) -> Result<Vec<usize>> {
        Ok(self.graph.write(context.cause("pages"), |w| {
            let mut recorded = Vec::new();
            for ((row, arrived), confirmed) in pages.iter().zip(confirmed) {
                recorded.push(match arrived {
                    PageOutcome::Known(known) => self.record_known_page(w, context, *row, known)?,
                    PageOutcome::Read(step, read) => {
                        self.record_read_page(w, context, *row, step, read, confirmed)?
                    }
                    PageOutcome::Missed(missed) => self.record_missed(w, context, *row, missed)?,
                });
            }
            Ok(recorded)
        })?)
    }

    fn record_known_page(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        row: JobId,
        known: &KnownStep,
    ) -> graph::Result<usize> {
        let w = &w.under(context.cause_of(row, "page_known"));
        self.end_step(w, context, row, 0.0, |w| {
            self.note_cluster(w, context, Some(known.page))?;
            let result = ReadResult { page: known.page, passages: None, names: None };
            Ok((0, StepResult::Read(result)))
        })
    }

    fn record_missed(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        row: JobId,
        missed: &MissedPage,
    ) -> graph::Result<usize> {
        let detail = StepFailure::Missed(missed.clone()).to_json();
        let w = &w.under(context.cause("page_missed").with(detail.clone()));
        w.cause()?;
        w.end_job(row, &JobEnd::Failed(detail))?;
        let seconds = self.task_state(context.task.id).take_seconds();
        w.spend(context.task.id, graph::Spent { seconds, llm_seconds: 0.0 })?;
        Ok(0)
    }

    fn record_read_page(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        row: JobId,
        step: &FetchStep,
        read: &ReadPage,
        confirmed: &Confirmed,
    ) -> graph::Result<usize> {
        let document = &read.document;
        let w = &w.under(context.cause_of(row, "page_read"));
        self.end_step(w, context, row, confirmed.llm_seconds, |w| {
            let page = match &step.target {
                FetchTarget::Http { page, .. } => *page,
                FetchTarget::File { engine, rank, title } => {
                    let listed = Listed { url: &step.url, engine, rank: *rank, title };
                    self.record_library_page(w, context, &listed, read)?
                }
            };
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
                    flags: Some(stored_flags(&document.flags)),
                    sketch: Some(extract::near_duplicate::sketch(&document.text).to_bytes()),
                    work_id,
                },
            )?;
            let passages = Passages { heading: None, of: &document.fragments };
            let recorded = self.record_passages(w, page, passages)?;
            self.note_cluster(w, context, Some(page))?;
            self.note_citations(w, context, page, document, confirmed)?;
            let names = self.note_identifiers(w, context, document)?;
            let result = ReadResult { page, passages: Some(recorded), names: Some(names) };
            Ok((recorded, StepResult::Read(result)))
        })
    }

    /// A document of the user. The address it names gives it neither a site's standing nor its category: anybody can
    /// write one into a file.
    fn record_library_page(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        listed: &Listed<'_>,
        read: &ReadPage,
    ) -> graph::Result<PageId> {
        let metadata = &read.document.metadata;
        let page = w.record_page(&NewPage {
            url: listed.url.to_owned(),
            domain: document_publisher(context, read).to_string(),
            domain_category: DomainCategory::Unverified,
            title: metadata.title.clone().or_else(|| Some(listed.title.to_owned())),
            language: metadata.language.clone(),
            year: None,
            work_id: None,
        })?;
        w.record_serp_item(&NewSerpItem {
            search_id: context.id(),
            engine: listed.engine.to_owned(),
            rank: listed.rank,
            url: listed.url.to_owned(),
            title: metadata.title.clone(),
            snippet: None,
            published_at: metadata.published_at.clone(),
            source_tag: Some("library".to_owned()),
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
        if self.fetcher(context).is_offline() {
            return Ok(0);
        }
        let names = document.identifiers.iter().filter_map(WorkName::of_identifier);
        let names: BTreeSet<WorkName> = names.collect();
        let mut asked: BTreeSet<WorkName> = BTreeSet::new();
        for row in steps_of(w, context.id())? {
            if let Step::Identifiers(step) = row.step {
                asked.extend(step.names);
            }
        }
        let left = self.parts.settings.search.identifiers_per_search.saturating_sub(asked.len());
        let names: Vec<WorkName> = names.difference(&asked).take(left).cloned().collect();
        let fresh = names.len();
        if fresh > 0 {
            context.add_step(w, &Step::Identifiers(IdentifiersStep { names }))?;
        }
        Ok(fresh)
    }
}

/// The work a page shows: the one it says it is, else the one its address names. A path on the user's disk names none.
fn own_work(
    w: &graph::Writer<'_>,
    page: PageId,
    read: &ReadPage,
    year: Option<i32>,
) -> graph::Result<Option<WorkId>> {
    let known = w.page_for_assessment(page)?;
    let metadata = &read.document.metadata;
    let said = metadata.doi.as_deref().and_then(|it| WorkName::of(Scheme::Doi, it));
    let address = read.final_url.as_deref().unwrap_or(&known.url);
    let named = || {
        let address = Url::parse(address).ok().filter(|it| it.scheme() != "file")?;
        WorkName::of_url(&address)
    };
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

/// Who is behind a document of the user: the publisher or author it names, else the document itself.
fn document_publisher(context: &Context, read: &ReadPage) -> Publisher {
    let metadata = &read.document.metadata;
    let named = metadata.site_name.as_deref().or(metadata.author.as_deref()).map(str::trim);
    if let Some(named) = named.filter(|it| !it.is_empty()) {
        return Publisher::Document(named.to_owned());
    }
    let path = read.path.as_deref().unwrap_or_else(|| Path::new(""));
    let inside = context.config.library.iter().find_map(|it| path.strip_prefix(it).ok());
    Publisher::Document(inside.unwrap_or(path).display().to_string())
}
