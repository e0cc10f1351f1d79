//! What pages lead to: works they name, works that papers cite and are cited by, sources they link to.

use std::collections::BTreeSet;
use std::sync::Arc;

use evidence::domain::{WikipediaMode, normal_host};
use evidence::{CitationSource, Node, PageId, StopReason};
use extract::{Document, clean_address};
use graph::{NewEdge, NewPage, NewSerpItem, Writer};
use judge::citations::{
    CitedPaper, Direction, LinkKind, LinkView, SourceSeen, Standing, citation_source, impact,
    link_kind, stage_0, stage_1, stage_2,
};
use serde::{Deserialize, Serialize};
use sources::academic::WorkName;
use sources::canonical::Canonical;
use sources::{Candidate, Paper};

use crate::calls::Progress;
use crate::engine::{Engine, Inner};
use crate::error::Result;
use crate::slots::{Slot, priority};

use super::Context;
use super::prefetch::all;
use super::records::address_of;
use super::select::{Selected, Why};
use super::steps::{
    CitationsResult, FetchStep, FetchTarget, KnownStep, LookUpResult, Step, StepResult, StepRow,
    steps_of,
};

/// Characters of the sentence around a citation that are kept.
const CONTEXT_CHARS: usize = 300;

impl Engine {
    /// Looks up works that pages and results name.
    pub(super) async fn look_up(
        &self,
        context: &Context,
        row: &StepRow,
        names: &[WorkName],
    ) -> Result<Option<StopReason>> {
        let asking = async {
            let _permit = self.slot(Slot::NetworkClient, priority::PREFETCH).await;
            let by = self.asked_by(context);
            let asked = names.iter().cloned().map(|name| {
                let (inner, fetcher) = (Arc::clone(&self.inner), self.inner.fetcher(context));
                async move { Ok(inner.parts.academic.resolve(&fetcher, &name, by).await.works) }
            });
            all(asked).await
        };
        let Some(answers) = self.unless_cancelled(context, asking).await?.transpose()? else {
            return Ok(None);
        };
        let unknown = answers.iter().filter(|it| it.is_empty()).count();
        let found = answers.into_iter().flatten().map(|it| it.candidate).collect();
        let (context, row, names) = (context.clone(), row.id, names.to_vec());
        self.blocking(move |inner| {
            inner.finish_step(&context, row, "identifiers", 0.0, |w| {
                let added = inner.add_works(w, &context, found, Why::NamedByPage)?;
                Ok(((), StepResult::LookedUp(LookUpResult { names, added, unknown })))
            })
        })
        .await?;
        Ok(None)
    }

    /// Follows the references and citations of the first papers the search found, and keeps those that may be evidence
    /// or important background: three stages, counted each.
    pub(super) async fn follow_citations(
        &self,
        context: &Context,
        row: &StepRow,
    ) -> Result<Option<StopReason>> {
        let roots = {
            let context = context.clone();
            self.blocking(move |inner| inner.papers_to_follow(&context)).await?
        };
        let asking = async {
            let _permit = self.slot(Slot::NetworkClient, priority::PREFETCH).await;
            all(roots.into_iter().map(|it| self.clone().related_to(context.clone(), it))).await
        };
        let Some(related) = self.unless_cancelled(context, asking).await?.transpose()? else {
            return Ok(None);
        };
        let related: Vec<Related> = related.into_iter().flatten().collect();
        let total = related.len();
        let (kept, counts, llm_seconds) = self.worth_reading(context, related).await?;
        let kept_count = kept.len();
        let (owned, row) = (context.clone(), row.id);
        self.blocking(move |inner| {
            inner.finish_step(&owned, row, "citations", llm_seconds, |w| {
                let works = kept.iter().map(|it| it.work.candidate.clone()).collect();
                let added = inner.add_works(w, &owned, works, Why::Citation)?;
                for related in &kept {
                    inner.record_citation(w, related)?;
                }
                Ok(((), StepResult::Cited(CitationsResult { counts, added })))
            })
        })
        .await?;
        self.tell(Progress::Cited { search_id: context.id(), works: total, kept: kept_count });
        Ok(None)
    }

    /// Asks the language model about links that rules cannot tell from citations.
    pub(super) async fn confirm_links(
        &self,
        context: &Context,
        document: &Document,
    ) -> Result<Confirmed> {
        let mut confirmed = Confirmed::default();
        let unsure = document
            .links
            .iter()
            .filter(|it| link_kind(&view(it)) == LinkKind::Unsure)
            .take(self.inner.parts.settings.search.llm_links_per_page);
        for link in unsure {
            let is_citation = self
                .ask_model_for_citation(
                    context,
                    &link.sentence,
                    &link.anchor,
                    &mut confirmed.llm_seconds,
                )
                .await?;
            if is_citation == Some(true) {
                confirmed.urls.insert(link.url.clone());
            }
        }
        Ok(confirmed)
    }

    async fn related_to(self, context: Context, root: Root) -> Result<Vec<Related>> {
        let parts = &self.inner.parts;
        let (by, fetcher) = (self.asked_by(&context), self.inner.fetcher(&context));
        let direction = parts.settings.citations.direction;
        let references = async {
            match direction {
                Direction::Citations => Vec::new(),
                _ => parts.academic.references(&fetcher, &root.paper, by).await.works,
            }
        };
        let citations = async {
            match direction {
                Direction::References => Vec::new(),
                _ => parts.academic.citations(&fetcher, &root.paper, by).await.works,
            }
        };
        let (references, citations) = tokio::join!(references, citations);
        let related = |cites_root| move |work| Related { root: root.page, cites_root, work };
        let cited = references.into_iter().map(related(false));
        Ok(cited.chain(citations.into_iter().map(related(true))).collect())
    }

    /// The three stages: what the record says, nearness and impact, and what a language model makes of the abstract.
    async fn worth_reading(
        &self,
        context: &Context,
        related: Vec<Related>,
    ) -> Result<(Vec<Related>, StageCounts, f64)> {
        let settings = self.inner.parts.settings.citations.clone();
        let papers: Vec<CitedPaper<'_>> = related.iter().map(Related::as_cited).collect();
        let first = stage_0(&papers, &settings);
        let impacts: Vec<f64> =
            impact(&first.iter().map(|it| papers[*it].citations).collect::<Vec<_>>());
        let abstracts: Vec<String> = first
            .iter()
            .map(|it| papers[*it].abstract_text.unwrap_or_default().to_owned())
            .collect();
        let query = context.query().to_owned();
        let near = self.blocking(move |inner| inner.nearness(&query, &abstracts)).await?;
        let standings: Vec<Standing> = impacts
            .iter()
            .zip(&near)
            .map(|(impact, similarity)| Standing {
                similarity: *similarity,
                impact: *impact,
                usefulness: None,
            })
            .collect();
        let second = stage_1(&standings, &settings);
        let mut llm_seconds = 0.0;
        let mut llm_calls = 0;
        let mut weighed = Vec::new();
        for chosen in &second {
            let paper = &papers[first[chosen.index]];
            let useful = self
                .ask_model_for_usefulness(
                    context,
                    paper.abstract_text.unwrap_or_default(),
                    &mut llm_seconds,
                )
                .await?;
            llm_calls += usize::from(useful.is_some());
            weighed.push(Standing { usefulness: useful, ..standings[chosen.index] });
        }
        let last = stage_2(&weighed, &settings);
        let counts = StageCounts {
            candidates_total: related.len(),
            after_stage0: first.len(),
            after_stage1: second.len(),
            final_count: last.len(),
            llm_calls,
        };
        let places: Vec<usize> = last.iter().map(|it| first[second[it.index].index]).collect();
        let mut related: Vec<Option<Related>> = related.into_iter().map(Some).collect();
        let kept = places.into_iter().filter_map(|it| related[it].take()).collect();
        Ok((kept, counts, llm_seconds))
    }
}

/// Links that a language model takes for citations.
#[derive(Debug, Default)]
pub(super) struct Confirmed {
    urls: BTreeSet<String>,
    pub(super) llm_seconds: f64,
}

/// A paper whose citations are followed.
#[derive(Debug)]
struct Root {
    page: PageId,
    paper: Paper,
}

/// A work that a paper cites, or that cites it.
#[derive(Debug)]
struct Related {
    root: PageId,
    cites_root: bool,
    work: Canonical,
}

impl Related {
    fn as_cited(&self) -> CitedPaper<'_> {
        let paper = self.work.candidate.paper.as_ref();
        CitedPaper {
            doi: paper.and_then(|it| it.identifier("doi")),
            abstract_text: paper.and_then(|it| it.abstract_text.as_deref()),
            citations: paper.and_then(|it| it.citation_count),
        }
    }
}

/// How many candidates each stage left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StageCounts {
    candidates_total: usize,
    after_stage0: usize,
    after_stage1: usize,
    final_count: usize,
    llm_calls: usize,
}

impl Inner {
    /// Adds works to what the search reads. One that the task has met already is not read again.
    fn add_works(
        &self,
        w: &Writer<'_>,
        context: &Context,
        works: Vec<Candidate>,
        why: Why,
    ) -> graph::Result<Vec<String>> {
        let met: BTreeSet<PageId> =
            w.read_pages_of(context.task.id)?.into_iter().map(|it| it.id).collect();
        let mut steps = Vec::new();
        let mut added = Vec::new();
        for candidate in works {
            let screened = self.consider(w, candidate)?;
            if screened.blocked.is_some() {
                continue;
            }
            let known = w.page_at(&screened.address, None)?.map(|it| it.id);
            if known.is_some_and(|it| met.contains(&it)) || added.contains(&screened.address) {
                continue;
            }
            let chosen = Selected { screened, why };
            steps.push(self.record_chosen(w, &chosen)?);
            self.record_listed(w, context, &chosen.screened.candidate)?;
            added.push(chosen.screened.address);
        }
        context.add_cycles(w, &steps, self.parts.settings.search.cycle_pages)?;
        Ok(added)
    }

    /// Notes the sources a page links to, so that it is known what rests on what.
    pub(super) fn note_citations(
        &self,
        w: &Writer<'_>,
        context: &Context,
        page: PageId,
        document: &Document,
        confirmed: &Confirmed,
    ) -> graph::Result<()> {
        let policy = self.parts.policy.current();
        let own = w.page_for_assessment(page)?;
        let own_names = match own.work_id {
            Some(work) => w.identifiers_of(work)?,
            None => Vec::new(),
        };
        let decision = w.decide(&own.domain, &policy)?;
        let follows = decision.fields.wikipedia_mode == Some(WikipediaMode::FollowCitations);
        let mut cited = 0;
        let mut steps = Vec::new();
        // An article cites a source in several places.
        let mut followed: BTreeSet<PageId> = BTreeSet::new();
        for link in &document.links {
            if cited >= self.parts.settings.search.cited_links_per_page {
                break;
            }
            let is_citation = match link_kind(&view(link)) {
                LinkKind::Citation => true,
                LinkKind::Unsure => confirmed.urls.contains(&link.url),
                LinkKind::Other => false,
            };
            let Some(url) = clean_address(&link.url, None).filter(|_| is_citation) else {
                continue;
            };
            // A page that shows its own DOI does not cite itself.
            if WorkName::of_url(&url).is_some_and(|name| {
                own_names
                    .iter()
                    .any(|it| it.scheme == name.scheme.as_str() && it.value == name.value)
            }) {
                continue;
            }
            let host = url.host_str().map(normal_host).unwrap_or_default();
            let target = w.record_page(&NewPage {
                url: url.to_string(),
                domain_category: w.decide(&host, &policy)?.category,
                domain: host,
                title: None,
                language: None,
                year: None,
                work_id: None,
            })?;
            if target == page {
                continue;
            }
            cited += 1;
            w.add_edge(&NewEdge::Citation {
                source: Node::Page(page),
                target: Node::Page(target),
                seen_by: CitationSource::Extraction,
                context: Some(link.sentence.chars().take(CONTEXT_CHARS).collect()),
            })?;
            let is_fresh = || w.page_for_assessment(target).map(|it| it.fetched_at.is_none());
            if follows && is_fresh()? && followed.insert(target) {
                steps.push(Step::Fetch(FetchStep {
                    url: url.to_string(),
                    target: FetchTarget::Http {
                        page: target,
                        named: false,
                        open_access: None,
                        came_from: Some(own.url.clone()),
                    },
                }));
                self.record_followed(w, context, target, url.as_str())?;
            }
        }
        context.add_cycles(w, &steps, self.parts.settings.search.cycle_pages)
    }

    fn record_followed(
        &self,
        w: &Writer<'_>,
        context: &Context,
        page: PageId,
        url: &str,
    ) -> graph::Result<()> {
        w.record_serp_item(&NewSerpItem {
            search_id: context.id(),
            engine: "citation".to_owned(),
            rank: 1,
            url: url.to_owned(),
            title: None,
            snippet: None,
            published_at: None,
            source_tag: Some("citation".to_owned()),
            page_id: Some(page),
        })?;
        Ok(())
    }

    fn papers_to_follow(&self, context: &Context) -> Result<Vec<Root>> {
        Ok(self.graph.read(|r| {
            let mut roots = Vec::new();
            for row in steps_of(r, context.id())? {
                let Step::Known(KnownStep { page, .. }) = row.step else { continue };
                let Some(work) = r.page_for_assessment(page)?.work_id else { continue };
                let names = r.identifiers_of(work)?;
                let identifiers = names.into_iter().map(|it| (it.scheme, it.value)).collect();
                roots.push(Root { page, paper: Paper { identifiers, ..Paper::default() } });
                if roots.len() >= self.parts.settings.citations.top_papers {
                    break;
                }
            }
            Ok(roots)
        })?)
    }

    /// How near abstracts are to a query; nothing for texts the model cannot read, and for those whose words have
    /// nothing to do with it.
    fn nearness(&self, query: &str, abstracts: &[String]) -> Result<Vec<Option<f64>>> {
        let embedder = self.parts.embedder.as_ref();
        let mut near = vec![None; abstracts.len()];
        if abstracts.is_empty() || !embedder.languages().admit(&text::language::detect(query)) {
            return Ok(near);
        }
        let asked_in = text::language::detect(query);
        let passages: Vec<rank::Passage<'_>> = abstracts
            .iter()
            .map(|text| rank::Passage {
                text,
                heading: None,
                category_weight: 1.0,
                quality_penalty: 0.0,
                foreign: text::language::detect(text)
                    .name()
                    .is_some_and(|name| asked_in.differs_from(name)),
            })
            .collect();
        let own = embedder.embed(&[query])?.pop().unwrap_or_default();
        rank::rank(
            query,
            &passages,
            |survivors| -> Result<Vec<Option<f32>>> {
                let texts: Vec<&str> = survivors.iter().map(|it| abstracts[*it].as_str()).collect();
                let mut likeness = Vec::new();
                for (place, vector) in survivors.iter().zip(embedder.embed(&texts)?) {
                    near[*place] = judge::cosine(&own, &vector);
                    likeness.push(near[*place].map(|it| it as f32));
                }
                Ok(likeness)
            },
            &self.parts.settings.rank,
        )?;
        Ok(near)
    }

    fn record_citation(&self, w: &Writer<'_>, related: &Related) -> graph::Result<()> {
        let address = address_of(&related.work.candidate);
        let Some(page) = w.page_at(&address, None)? else { return Ok(()) };
        let (citing, cited) = match related.cites_root {
            true => (page.id, related.root),
            false => (related.root, page.id),
        };
        if citing == cited {
            return Ok(());
        }
        let named = |engine: &str| related.work.records.iter().any(|it| it.engine == engine);
        let seen_by = citation_source(SourceSeen {
            semantic_scholar: named("semantic_scholar"),
            openalex: named("openalex"),
        });
        w.add_edge(&NewEdge::Citation {
            source: Node::Page(citing),
            target: Node::Page(cited),
            seen_by,
            context: None,
        })?;
        Ok(())
    }
}

/// A link of a page as the citation rules see it.
fn view(link: &extract::Link) -> LinkView<'_> {
    LinkView {
        url: &link.url,
        anchor: &link.anchor,
        sentence: &link.sentence,
        cues: &link.cues,
        leaves_site: link.leaves_site,
    }
}
