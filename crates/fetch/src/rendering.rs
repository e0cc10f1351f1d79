//! What a browser made of a page: kept beside the answer it was made of, and read back.

use std::sync::Arc;

use evidence::domain::site_of;
use jiff::Timestamp;
use ledger::{ArchiveKind, ArchiveRecord};
use url::Url;

use crate::recorder::Made;
use crate::{FetchFailure, Fetcher, Reason};

/// A page as its scripts made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendering {
    /// The address it was at in the end.
    pub url: Url,
    pub html: String,
    /// As PNG.
    pub picture: Option<Vec<u8>>,
}

/// A rendering in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRendering {
    pub url: Url,
    pub html: String,
    /// The record of the document.
    pub record_id: String,
    pub kept_at: Timestamp,
}

const DOCUMENT: &str = "text/html; charset=utf-8";
const PICTURE: &str = "image/png";

impl Fetcher {
    /// Puts a rendering into the archive, beside the answer it was made of; gives the record of its document.
    pub async fn keep_rendering(
        &self,
        of: &str,
        rendering: Rendering,
    ) -> Result<String, FetchFailure> {
        let Rendering { url, html, picture } = rendering;
        let id = of.to_owned();
        let answer = self.inner.read(&url, move |ledger| ledger.archive_record(&id)).await?;
        let made = |kind, media_type, bytes| Made {
            kind,
            url: url.to_string(),
            at: self.now(),
            media_type,
            bytes,
            of: of.to_owned(),
            egress_seq: answer.as_ref().and_then(|it| it.egress_seq),
        };
        let mut all = vec![made(ArchiveKind::Document, DOCUMENT, html.into_bytes())];
        all.extend(picture.map(|it| made(ArchiveKind::Picture, PICTURE, it)));
        let recorded = self.inner.recorder.made(all).await.map_err(|problem| {
            missed(&url, format!("the rendered page could not be recorded: {problem}"))
        })?;
        recorded.record_id.ok_or_else(|| missed(&url, "the rendered page has no record".to_owned()))
    }

    /// The newest rendering of an archived answer, if there is one that can be read.
    pub async fn rendering_of(
        &self,
        url: &Url,
        record_id: &str,
    ) -> Result<Option<KeptRendering>, FetchFailure> {
        let id = record_id.to_owned();
        let dir = self.inner.dir.clone();
        let found = self.inner.read(url, move |ledger| {
            let made = ledger.made_of(&id)?;
            let documents = made.iter().filter(|it| it.kind == ArchiveKind::Document);
            Ok(documents.filter_map(|row| read(&dir, row)).next())
        });
        found.await
    }

    /// Notes whether a page of a host needed its scripts.
    pub fn rendered(&self, host: &str, needed: bool) {
        self.inner.recorder.rendered(site_of(host), needed);
    }

    /// Whether the pages of a host have needed their scripts so often that the next one is rendered at once.
    pub async fn renders_at_once(&self, url: &Url) -> Result<bool, FetchFailure> {
        let site = site_of(url.host_str().unwrap_or_default());
        let now = Arc::clone(&self.inner.ledger).now();
        let route = self.inner.read(url, move |ledger| ledger.domain_route(&site)).await?;
        Ok(route.is_some_and(|it| it.renders_at_once(now)))
    }
}

fn read(dir: &std::path::Path, row: &ArchiveRecord) -> Option<KeptRendering> {
    let damaged = |problem: &dyn std::fmt::Display| {
        tracing::warn!(record = row.record_id, %problem, "a rendered page cannot be read");
    };
    let record = archive::read_record(dir, &row.file, row.byte_start, row.byte_length)
        .inspect_err(|it| damaged(it))
        .ok()?;
    let html = String::from_utf8(record.block).inspect_err(|it| damaged(it)).ok()?;
    Some(KeptRendering {
        url: row.url.parse().inspect_err(|it| damaged(it)).ok()?,
        html,
        record_id: row.record_id.clone(),
        kept_at: row.archived_at,
    })
}

fn missed(url: &Url, detail: String) -> FetchFailure {
    let reason = Reason::NotRecorded;
    FetchFailure { url: url.clone(), reason, detail, status: None, again_at: None }
}
