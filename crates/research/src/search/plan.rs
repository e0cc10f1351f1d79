//! The first step: asks the sources, and lists what is to be read.
//!
//! The query goes out as it was given; looking for refutations adds fixed suffixes to it. Official APIs are asked where the
//! question is about what they know. The library, which is on this
//! machine, is also asked in the other language, in other spellings and with other words. Sources are asked side by
//! side, and one that fails leaves the others. Papers whose abstract came along are recorded at once and not fetched.

use std::collections::BTreeSet;
use std::time::Duration;

use evidence::{JobId, StopReason};
use fetch::Reason;
use graph::NewSerpItem;
use jiff::{SignedDuration, Timestamp};
use judge::{Topic, WordShares};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sources::academic::WorkName;
use sources::folders::{FolderAnswer, FolderReason};
use sources::{
    AskedBy, Candidate, Choice, EngineSearch, Query, SourceReport, Sources, Wanted, WantedApis,
    exact,
};

use crate::calls::{MissedPage, Progress, SourceKind, Stage};
use crate::engine::{Engine, Inner, language_of};
use crate::error::Result;
use crate::slots::{Slot, priority};

use super::Context;
use super::missed::PermanentMisses;
use super::select::{Screened, Selected, SelectionCriteria, select};
use super::steps::{IdentifiersStep, PlanResult, Step, StepResult, StepRow};

/// The event that says which engines are asked for a query, and why not the others.
const ENGINE_CHOICE: &str = "engine_choice";

/// Documents of a library after which it is told how many were read.
const DOCUMENTS_TOLD: usize = 16;

/// What the sources answered.
#[derive(Debug, Default)]
struct Asked {
    exact: Vec<Candidate>,
    lists: Vec<(SourceKind, Vec<Candidate>)>,
    /// Everything engines listed, for the record.
    listed: Vec<Candidate>,
    outcomes: Vec<SourceReport>,
    missed: Vec<MissedPage>,
    words: WordShares,
}

/// Which engines are asked for a query, as it is logged.
#[derive(Debug, Serialize, Deserialize)]
struct EngineChoice {
    query: String,
    choice: Choice,
}

/// The query, and what refutation adds to it.
pub(crate) fn variants(
    query: &str,
    refute: bool,
    settings: &crate::settings::SearchSettings,
) -> Vec<String> {
    let mut variants = vec![query.to_owned()];
    if refute {
        let japanese = language_of(query).as_deref() == Some("ja");
        let suffixes =
            if japanese { &settings.refute_suffixes_ja } else { &settings.refute_suffixes };
        let added = suffixes.iter().take(settings.refute_variants);
        variants.extend(added.map(|it| format!("{query} {it}")));
    }
    variants
}

/// The words of what a search asks and of what its task asks.
fn asked_about(context: &Context) -> BTreeSet<String> {
    let task = &context.task;
    let texts = [Some(context.query()), Some(&*task.query), task.hypothesis.as_deref()];
    let topics = texts.into_iter().flatten().map(Topic::of);
    topics.flat_map(|it| it.words().map(str::to_owned).collect::<Vec<_>>()).collect()
}

impl Engine {
    pub(super) async fn plan(
        &self,
        context: &Context,
        row: &StepRow,
    ) -> Result<Option<StopReason>> {
        let asking = async {
            let _permit = self.slot(Slot::NetworkClient, priority::SERP).await;
            self.ask_sources(context).await
        };
        let Some(asked) = self.unless_cancelled(context, asking).await? else { return Ok(None) };
        let asked = asked?;
        let id = context.id();
        let (owned, row) = (context.clone(), row.id);
        let planned = self.blocking(move |inner| inner.record_plan(&owned, row, asked)).await?;
        for missed in &planned.not_asked {
            self.tell_missed(context, missed);
        }
        for problem in planned.problems {
            self.tell(Progress::Warning { search_id: id, message: problem });
        }
        self.tell(Progress::Planned {
            search_id: id,
            candidates: planned.candidates,
            pages: planned.pages,
            papers: planned.papers,
        });
        Ok(None)
    }

    async fn ask_sources(&self, context: &Context) -> Result<Asked> {
        let parts = &self.inner.parts;
        let settings = &parts.settings.search;
        let variants = variants(context.query(), context.options.refute, settings);
        let wanted = |kind| {
            let chosen = match context.options.sources.as_slice() {
                [] => context.config.sources.as_slice(),
                own => own,
            };
            chosen.is_empty() || chosen.contains(&kind)
        };
        let online = !self.inner.fetcher(context).is_offline();
        let mut asked = Asked::default();
        let (network, library) = tokio::join!(
            async {
                match online {
                    true => self.ask_network(context, &variants, wanted).await.map(Some),
                    false => Ok(None),
                }
            },
            async {
                match wanted(SourceKind::Library) && !context.config.library.is_empty() {
                    true => Some(self.ask_library(context, &variants).await),
                    false => None,
                }
            },
        );
        let exact = self.ask_exact(context).await;
        for part in [Some(exact), library.transpose()?, network?].into_iter().flatten() {
            asked.exact.extend(part.exact);
            asked.lists.extend(part.lists);
            asked.listed.extend(part.listed);
            asked.outcomes.extend(part.outcomes);
            asked.missed.extend(part.missed);
            asked.words.extend(part.words);
        }
        Ok(asked)
    }

    /// How indexes are asked. What one of them said about a work in another search of the task, some days ago at most,
    /// is taken as it is.
    pub(super) fn asked_by(&self, context: &Context) -> AskedBy {
        let settings = &self.inner.parts.settings.search;
        let reuse = SignedDuration::from_hours(24 * i64::from(settings.reuse_days));
        let lately = self.inner.graph.now().checked_sub(reuse).unwrap_or(Timestamp::MIN);
        let begun = context.details.search.created_at;
        AskedBy {
            task: Some(context.task.id),
            cause: Some(context.details.search.cause_id),
            patience: Some(Duration::from_secs(settings.source_timeout_seconds)),
            // A step that was cut off is done again with what came back before, whenever that was.
            since: Some(begun.min(context.task.created_at.max(lately))),
        }
    }

    /// The query as sources are asked it: limited as the search says, else the task.
    fn query(&self, context: &Context, text: &str) -> Query {
        let only = context.options.only.or(&context.config.only);
        let language = only.language.as_ref().or(context.config.language.as_ref());
        // Sources know languages, not regions: `en-GB` is English.
        let primary = |it: &String| it.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        Query {
            text: text.to_owned(),
            phrases: only.phrases,
            required: only.required,
            excluded: only.excluded,
            site: only.site,
            filetype: only.filetype,
            in_title: only.in_title,
            language: language.map(primary).or_else(|| language_of(text)),
            category: only.category,
            limit: self.inner.parts.settings.search.results_per_source,
            ..Query::default()
        }
        .within(only.after, only.before)
    }

    /// Engines, indexes and APIs. Each wording of the query goes to engines and indexes; APIs are asked once, because they
    /// are asked with the words of the question that say the most.
    async fn ask_network(
        &self,
        context: &Context,
        variants: &[String],
        wanted: impl Fn(SourceKind) -> bool,
    ) -> Result<Asked> {
        let parts = &self.inner.parts;
        let fetcher = self.inner.fetcher(context);
        let sources = Sources {
            graph: &parts.graph,
            fetcher: &fetcher,
            engines: &parts.engines,
            engine_settings: &parts.settings.engines,
            academic: &parts.academic,
            apis: &parts.apis,
        };
        let mut asked = Asked::default();
        let mut lists: [Vec<Vec<Candidate>>; 3] = Default::default();
        for (nth, text) in variants.iter().enumerate() {
            let query = self.query(context, text);
            let web = match wanted(SourceKind::Web) {
                true => Some(self.engine_search(context, text, &query).await?),
                false => None,
            };
            let academic = wanted(SourceKind::Academic);
            let apis = match nth {
                0 => WantedApis::About { works: academic, records: wanted(SourceKind::Api) },
                _ => WantedApis::default(),
            };
            let asked_by = self.asked_by(context);
            let ask = Wanted { asked_by, web, academic, apis, complete: academic };
            let found = sources.ask(&query, &ask).await?;
            asked.outcomes.extend(found.reports);
            asked.listed.extend(found.listed);
            let [pages, works, records] = &mut lists;
            pages.push(found.pages);
            works.push(found.works);
            records.push(found.records);
        }
        let [pages, works, records] = lists.map(in_turns);
        asked.lists.extend([
            (SourceKind::Web, pages),
            (SourceKind::Academic, works),
            (SourceKind::Api, records),
        ]);
        asked.lists.retain(|it| !it.1.is_empty());
        Ok(asked)
    }

    /// How engines are asked.
    async fn engine_search(
        &self,
        context: &Context,
        text: &str,
        query: &Query,
    ) -> Result<EngineSearch> {
        let mut search = EngineSearch {
            // Engines have a cache with a time of its own.
            asked_by: AskedBy {
                since: Some(context.details.search.created_at),
                ..self.asked_by(context)
            },
            engines: context.options.engines.clone(),
            seed: seed_of(context.query()),
            ..EngineSearch::default()
        };
        search.choice = Some(self.engines_for(context, text, query, &search).await?);
        Ok(search)
    }

    /// Which engines are asked: what was chosen before the search was cut off, for they are not as they were then.
    async fn engines_for(
        &self,
        context: &Context,
        text: &str,
        query: &Query,
        search: &EngineSearch,
    ) -> Result<Choice> {
        let (task, id, wanted) = (context.task.id, context.id().to_string(), text.to_owned());
        let before = self
            .blocking(move |inner| {
                let events = inner.graph.read(|r| r.events_of_kind(task, ENGINE_CHOICE))?;
                let own = events.into_iter().filter(|it| it.subject_id.as_deref() == Some(&id));
                // A choice of another version, with engines that are gone perhaps, is made again.
                let mut choices = own.filter_map(|it| EngineChoice::deserialize(it.detail).ok());
                Ok(choices.find(|it| it.query == wanted).map(|it| it.choice))
            })
            .await?;
        if let Some(choice) = before {
            return Ok(choice);
        }
        let parts = &self.inner.parts;
        let choice =
            parts.engines.choose(&parts.graph, query, search, &parts.settings.engines).await?;
        let detail = EngineChoice { query: text.to_owned(), choice: choice.clone() };
        let cause = context.cause(ENGINE_CHOICE).with(json!(detail));
        self.blocking(move |inner| Ok(inner.graph.write(cause, |w| w.cause().map(drop))?)).await?;
        Ok(choice)
    }

    async fn ask_library(&self, context: &Context, variants: &[String]) -> Result<Asked> {
        let roots = context.config.library.clone();
        // What differs only in what the index folds by itself finds the same sections.
        let settings = &self.inner.parts.settings.expand;
        let others =
            expand::expand(context.query(), settings).into_iter().filter(|it| it.new_terms);
        let all = variants.iter().cloned().chain(others.map(|it| it.text));
        let queries: Vec<Query> = all.map(|it| self.query(context, &it)).collect();
        // A folder answers a query without words with everything it has, which is not wanted here.
        let has_words = context.query().chars().any(char::is_alphanumeric);
        let asked_about = asked_about(context);
        let id = context.id();
        self.blocking(move |inner| {
            let mut asked = Asked::default();
            let mut candidates = Vec::new();
            let words: Vec<&str> = asked_about.iter().map(String::as_str).collect();
            let (mut sections, mut with) = (0, vec![0; words.len()]);
            for root in roots {
                if !has_words {
                    let (root, query) = (root.display().to_string(), &queries[0].text);
                    let why = "the query has no words";
                    asked.outcomes.push(SourceReport::not_asked(&root, query, why));
                    continue;
                }
                let folder = inner.folder(&root);
                let mut folder = folder.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let told = |done: usize, total: usize| {
                    if done == total || done.is_multiple_of(DOCUMENTS_TOLD) {
                        inner.at_work(id, Stage::Indexing, done, total);
                    }
                };
                for (nth, query) in queries.iter().enumerate() {
                    let answer = folder.search_telling(query, &told);
                    asked.outcomes.push(SourceReport::answered(
                        &root.display().to_string(),
                        &query.text,
                        answer.candidates.len(),
                        library_problem(&answer),
                    ));
                    if nth == 0 {
                        asked.missed.extend(answer.missed.iter().map(|file| MissedPage {
                            url: file.path.display().to_string(),
                            reason: file.reason.into(),
                            detail: file.detail.clone(),
                        }));
                    }
                    asked.listed.extend(answer.candidates.iter().cloned());
                    candidates.push(answer.candidates);
                }
                let counted = folder.with_words(&words);
                sections += counted.sections;
                with.iter_mut().zip(counted.with).for_each(|(all, here)| *all += here);
            }
            asked.words = Topic::shares(&words, sections, &with);
            asked.lists.push((SourceKind::Library, in_turns(candidates)));
            Ok(asked)
        })
        .await
    }

    /// What the client named, and what engines' results are known by: works are looked up in the indexes.
    async fn ask_exact(&self, context: &Context) -> Asked {
        let parts = &self.inner.parts;
        let named = exact::targets(&context.options.urls, &context.options.dois);
        let mut asked = Asked::default();
        for bad in named.bad {
            asked.missed.push(MissedPage {
                url: bad.given,
                reason: Reason::BadAddress.into(),
                detail: bad.problem,
            });
        }
        let fetcher = self.inner.fetcher(context);
        for target in named.targets {
            let resolved =
                exact::resolve(&parts.academic, &fetcher, target, self.asked_by(context)).await;
            let given = &resolved.target.given;
            let reports = resolved.outcomes.iter().map(|it| SourceReport::of_outcome(it, given));
            asked.outcomes.extend(reports);
            let candidate = resolved.work.map_or(resolved.target.candidate, |it| it.candidate);
            asked.listed.push(candidate.clone());
            asked.exact.push(candidate);
        }
        asked
    }
}

struct Planned {
    candidates: usize,
    pages: usize,
    papers: usize,
    problems: Vec<String>,
    /// Pages that were missed before and are left.
    not_asked: Vec<MissedPage>,
}

impl Inner {
    fn record_plan(&self, context: &Context, row: JobId, asked: Asked) -> Result<Planned> {
        let settings = &self.parts.settings.search;
        let candidates = asked.exact.len() + asked.lists.iter().map(|it| it.1.len()).sum::<usize>();
        let consider = |list: Vec<Candidate>| {
            self.graph.read(|r| {
                list.into_iter()
                    .map(|it| self.consider(r, it))
                    .collect::<graph::Result<Vec<Screened>>>()
            })
        };
        let exact = consider(asked.exact)?;
        let lasting = self.graph.read(|r| self.permanent_misses(r, context.task.id))?;
        let mut lists = Vec::new();
        let mut left: PermanentMisses = PermanentMisses::new();
        for (source, list) in asked.lists {
            let (kept, missed): (Vec<_>, Vec<_>) =
                consider(list)?.into_iter().partition(|it| !lasting.contains_key(&it.address));
            let missed = missed.iter().filter_map(|it| lasting.get_key_value(&it.address));
            left.extend(missed.map(|(url, missed)| (url.clone(), missed.clone())));
            lists.push((source, kept));
        }
        // What is named besides is tried, whatever a list says about it.
        exact.iter().for_each(|it| drop(left.remove(&it.address)));
        let max_pages = context.options.max_pages.unwrap_or(settings.pages_per_search);
        let criteria = SelectionCriteria {
            priority_domains: &context.config.priority_domains,
            seek_primary: context.options.seek_primary,
            max_pages: max_pages as usize,
        };
        let (chosen, left_out) = select(exact, lists, criteria);
        let problems = problems(&asked.outcomes);
        let (pages, papers) = self.finish_step(context, row, "search_plan", 0.0, |w| {
            let mut steps = Vec::new();
            for chosen in &chosen {
                steps.push(self.record_chosen(w, chosen)?);
            }
            let papers = steps.iter().filter(|it| matches!(it, Step::Known(_))).count();
            for listed in &asked.listed {
                self.record_listed(w, context, listed)?;
            }
            let names = match self.fetcher(context).is_offline() {
                true => Vec::new(),
                false => self.names_in(&chosen, settings.identifiers_per_search),
            };
            if !names.is_empty() {
                context.add_step(w, &Step::Identifiers(IdentifiersStep { names }))?;
            }
            let citations = &self.parts.settings.citations;
            let are_followed = citations.top_papers > 0 && citations.depth > 0;
            if papers > 0 && are_followed && !self.fetcher(context).is_offline() {
                context.add_step(w, &Step::Citations)?;
            }
            context.add_cycles(w, &steps, settings.cycle_pages)?;
            for missed in left.values() {
                context.leave_page(w, missed)?;
            }
            let result = PlanResult {
                sources: asked.outcomes,
                chosen: chosen.iter().map(Selected::note).collect(),
                left_out,
                missed: asked.missed.into_iter().chain(left.values().cloned()).collect(),
                words: asked.words,
            };
            Ok(((steps.len() - papers, papers), StepResult::Planned(result)))
        })?;
        let not_asked = left.into_values().collect();
        Ok(Planned { candidates, pages, papers, problems, not_asked })
    }

    /// What sources listed stays on record, whether it is read or not.
    pub(super) fn record_listed(
        &self,
        w: &graph::Writer<'_>,
        context: &Context,
        candidate: &Candidate,
    ) -> graph::Result<()> {
        let address = super::records::address_of(candidate);
        let page = w.page_at(&address, None)?.map(|it| it.id);
        w.record_serp_item(&NewSerpItem {
            search_id: context.id(),
            engine: candidate.engine.clone(),
            rank: candidate.rank,
            url: address,
            title: Some(candidate.title.clone()),
            snippet: candidate.snippet.clone(),
            published_at: candidate.date.clone(),
            source_tag: Some(candidate.source_tag.clone()),
            page_id: page,
        })?;
        Ok(())
    }

    /// Works that chosen results name, in their addresses, titles or snippets, and that are not described yet.
    fn names_in(&self, chosen: &[Selected], max: usize) -> Vec<WorkName> {
        let candidates = chosen.iter().map(|it| &it.screened.candidate);
        let names: BTreeSet<WorkName> =
            candidates.filter(|it| it.paper.is_none()).flat_map(names_of).collect();
        names.into_iter().take(max).collect()
    }
}

/// Works that a result of an engine names.
fn names_of(candidate: &Candidate) -> Vec<WorkName> {
    let shown = [Some(candidate.title.as_str()), candidate.snippet.as_deref()];
    let found = shown.into_iter().flatten().flat_map(text::identifiers::find);
    let shown = found.filter_map(|it| WorkName::of_identifier(&it));
    WorkName::of_url(&candidate.url).into_iter().chain(shown).collect()
}

impl Context {
    /// Adds pages to be read, with a step after each cycle of them that ranks and judges.
    pub(super) fn add_cycles(
        &self,
        w: &graph::Writer<'_>,
        steps: &[Step],
        cycle: usize,
    ) -> graph::Result<()> {
        for cycle in steps.chunks(cycle.max(1)) {
            for step in cycle {
                self.add_step(w, step)?;
            }
            self.add_step(w, &Step::Assess)?;
        }
        Ok(())
    }
}

/// What a person should know about a library that gave less than it has, or has nothing.
fn library_problem(answer: &FolderAnswer) -> Option<String> {
    let too_many = answer.missed.iter().find(|it| it.reason == FolderReason::TooMany);
    match (answer.files, too_many) {
        (_, Some(missed)) => Some(format!("it is not read whole: {}", missed.detail)),
        (0, None) => Some("there are no documents that can be read in it".to_owned()),
        _ => None,
    }
}

/// Sources that gave nothing, or less than they have, in words for a person; each once.
fn problems(outcomes: &[SourceReport]) -> Vec<String> {
    let mut told = BTreeSet::new();
    // A key that nobody gave is said in the report of the search and need not be said each time.
    let is_told = |it: &&SourceReport| !it.lacks_key;
    for outcome in outcomes.iter().filter(is_told) {
        if let Some(problem) = &outcome.problem {
            told.insert(format!("{}: {problem}", outcome.source));
        }
    }
    told.into_iter().collect()
}

/// The lists of several variants of a query, one by one from each.
fn in_turns(lists: Vec<Vec<Candidate>>) -> Vec<Candidate> {
    let mut queues: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(queues.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}

/// The same query asks equal engines in the same order.
fn seed_of(query: &str) -> u64 {
    u64::from_str_radix(&evidence::text_hash(query)[..16], 16).unwrap_or(0)
}

/// The word an enum goes by in JSON.
pub(super) fn word_of(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::SearchSettings;

    #[test]
    fn refutation_adds_fixed_suffixes_in_the_language_of_the_query() {
        let settings = SearchSettings::default();
        assert_eq!(variants("vitamin D", false, &settings), ["vitamin D"]);
        assert_eq!(
            variants("does vitamin D prevent falls in older people", true, &settings),
            [
                "does vitamin D prevent falls in older people",
                "does vitamin D prevent falls in older people limitations",
                "does vitamin D prevent falls in older people criticism",
                "does vitamin D prevent falls in older people no effect",
            ]
        );
        assert_eq!(
            variants("在宅勤務の生産性", true, &settings),
            [
                "在宅勤務の生産性",
                "在宅勤務の生産性 課題",
                "在宅勤務の生産性 批判",
                "在宅勤務の生産性 問題点",
            ]
        );
    }
}
