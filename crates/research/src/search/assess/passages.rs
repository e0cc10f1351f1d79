//! The passages of a cycle, and which of them the search keeps.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{PageId, Publisher};
use expand::ExpansionKind;
use graph::{JobState, PageForAssessment, PassageForAssessment};
use judge::WordShares;
use judge::citations::find_loops;
use rank::{Passage, Ranked};
use serde::{Deserialize, Serialize};
use text::language::detect;
use text::script::letters_in;

use crate::engine::{Engine, Inner};
use crate::error::Result;
use crate::search::Context;
use crate::search::records::{StoredFlag, flags_of};
use crate::search::steps::{Step, StepRow};
use crate::settings::SearchSettings;
use crate::verification::is_vouched_for;

use super::machine_talk::told_apart;
use super::retractions::{FoundNotice, read_notice};
use super::vectors::Vectors;

/// What was read since the last digest.
#[derive(Debug, Default)]
pub(super) struct Cycle {
    pub(super) pages: BTreeMap<PageId, PageForAssessment>,
    /// The pages in the order of reading.
    pub(super) order: Vec<PageId>,
    /// In the order of reading.
    pub(super) passages: Vec<PassageForAssessment>,
    /// Pages that speak to machines: nothing of them is used.
    pub(super) dangerous: Vec<PageId>,
    /// Passages that speak to machines on pages that are used otherwise.
    pub(super) left_out: usize,
    /// Those of them that only their meaning gives away, by their place in [`Cycle::passages`].
    pub(super) machine_talk: Vec<usize>,
    /// Passages that are not worth ranking.
    pub(super) says_nothing: usize,
    /// Pages that take something back.
    pub(super) notices: Vec<FoundNotice>,
    /// How common the words of the question are in the library the search asked.
    pub(super) words: WordShares,
}

/// A passage that is kept.
#[derive(Debug, Clone)]
pub(super) struct Useful {
    /// Its place in [`Cycle::passages`].
    pub(super) passage: usize,
    pub(super) ranked: Ranked,
    pub(super) reason: KeptFor,
}

/// Why a passage is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptFor {
    /// Its score lies before the knee.
    Score,
    /// It lies behind it, and is what its page says best.
    Page,
    /// It lies behind it, and speaks of the hypothesis.
    Hypothesis,
}

impl KeptFor {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Score => "before_knee",
            Self::Page => "best_of_page",
            Self::Hypothesis => "about_hypothesis",
        }
    }
}

/// A cycle ranked.
#[derive(Debug, Default)]
pub(super) struct RankedCycle {
    pub(super) useful: Vec<Useful>,
    /// What lies behind the knee, best first.
    pub(super) behind: Vec<Ranked>,
    pub(super) not_kept: NotKept,
}

/// Passages of a cycle that are not kept, counted by the reason. Those that address machines are counted apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NotKept {
    /// Too short to say anything, or a menu: never ranked.
    says_nothing: usize,
    /// Shares no word with the query, or too little to be compared by meaning.
    pub(super) words: usize,
    /// Was compared, and shares neither words nor meaning with the query.
    unrelated: usize,
    /// Ranked behind the knee.
    pub(super) behind_knee: usize,
}

impl Cycle {
    pub(super) fn page_of(&self, passage: usize) -> &PageForAssessment {
        &self.pages[&self.passages[passage].page_id]
    }
}

impl Engine {
    /// Asks the language model about pages whose quality the rules leave open, and mixes both. Gives the seconds it
    /// took. What speaks to machines is taken out first: the model must not read it.
    pub(super) async fn weigh_quality(&self, context: &Context, cycle: &mut Cycle) -> Result<f64> {
        let settings = &self.inner.parts.settings.search;
        let mut seconds = 0.0;
        for id in cycle.order.clone() {
            let Some(rule) = cycle.pages[&id].quality_score else { continue };
            let is_open =
                (settings.unsure_quality_from..=settings.unsure_quality_to).contains(&rule);
            if !is_open || cycle.dangerous.contains(&id) || self.inner.parts.llm.is_none() {
                continue;
            }
            let (heard, harmless) = told_apart(cycle, id);
            cycle.machine_talk.extend(heard);
            let texts = harmless.iter().map(|it| cycle.passages[*it].text.as_str());
            let text = texts.collect::<Vec<_>>().join("\n");
            if text.is_empty() {
                continue;
            }
            let asked = self.ask_model_for_quality(context, &text, &mut seconds).await?;
            if let (Some(by_model), Some(page)) = (asked, cycle.pages.get_mut(&id)) {
                let share = settings.llm_quality_weight;
                page.quality_score = Some(share * by_model + (1.0 - share) * rule);
            }
        }
        Ok(seconds)
    }
}

impl Inner {
    /// Gathers what the pages since the last judging say; `steps` are those before this one.
    pub(super) fn cycle_passages(&self, context: &Context, steps: &[StepRow]) -> Result<Cycle> {
        let last = steps.iter().rposition(|it| it.step == Step::Assess);
        let since = &steps[last.map_or(0, |it| it + 1)..];
        let read = since.iter().filter(|it| it.state == JobState::Done);
        let pages: Vec<PageId> = read.filter_map(StepRow::page).collect();
        let settings = &self.parts.settings.search;
        let policy = self.parts.policy.current();
        let words = steps.iter().find_map(StepRow::planned).map(|it| it.words.clone());
        let mut cycle = Cycle { words: words.unwrap_or_default(), ..Cycle::default() };
        self.graph.read(|r| {
            for id in pages {
                let page = r.page_for_assessment(id)?;
                if cycle.pages.contains_key(&id) {
                    continue;
                }
                cycle.order.push(id);
                let flags = flags_of(&page)?;
                let is_host = Publisher::is_host(&page.domain);
                let blocked = is_host && r.decide(&page.domain, &policy)?.blocked.is_some();
                // A publisher people vouch for may quote an attack; of others nothing is believed.
                let spoilt = flags.iter().any(StoredFlag::spoils_page);
                if blocked || (spoilt && !is_vouched_for(r, &page, &policy)?) {
                    cycle.dangerous.push(id);
                    cycle.pages.insert(id, page);
                    continue;
                }
                let (notice, passages) = read_notice(&page, r.passages_of(id)?);
                cycle.notices.extend(notice);
                for passage in passages {
                    if !is_worth_ranking(&passage, settings) {
                        cycle.says_nothing += 1;
                        continue;
                    }
                    let touched = passage.chars.is_some_and(|(start, end)| {
                        flags.iter().any(|it| it.char_start < end && start < it.char_end)
                    });
                    match touched {
                        true => cycle.left_out += 1,
                        false => cycle.passages.push(passage),
                    }
                }
                cycle.pages.insert(id, page);
            }
            Ok(())
        })?;
        tracing::debug!(search = %context.id(), pages = cycle.pages.len(), passages = cycle.passages.len(), "cycle");
        Ok(cycle)
    }

    /// Ranks the passages of a cycle against the query, and keeps those above the knee. What a page says best is
    /// kept as well where it has enough to do with the query: a dissenting page is often alone and far down.
    pub(super) fn rank_cycle(
        &self,
        context: &Context,
        cycle: &Cycle,
        vectors: &mut Vectors,
    ) -> Result<RankedCycle> {
        let mut not_kept = NotKept { says_nothing: cycle.says_nothing, ..NotKept::default() };
        if cycle.passages.is_empty() {
            return Ok(RankedCycle { not_kept, ..RankedCycle::default() });
        }
        let policy = self.parts.policy.current();
        let settings = &self.parts.settings.search;
        let in_loops = self.loop_factors(context, cycle)?;
        let mut weights: BTreeMap<PageId, f64> = BTreeMap::new();
        for page in cycle.pages.values() {
            let weight = match Publisher::is_host(&page.domain) {
                true => self.graph.read(|r| r.decide(&page.domain, &policy))?.weight,
                false => page.domain_category.weight(),
            };
            weights.insert(page.id, weight * in_loops.get(&page.id).copied().unwrap_or(1.0));
        }
        let headings: Vec<Option<String>> = (0..cycle.passages.len())
            .map(|index| {
                let title = cycle.page_of(index).title.as_deref();
                let above = cycle.passages[index].headings.iter().map(String::as_str);
                let all: Vec<&str> = title.into_iter().chain(above).collect();
                (!all.is_empty()).then(|| all.join(" "))
            })
            .collect();
        let query = self.ranking_query(context);
        let asked_in = detect(&query);
        let passages: Vec<Passage<'_>> = (0..cycle.passages.len())
            .map(|index| Passage {
                text: &cycle.passages[index].text,
                heading: headings[index].as_deref(),
                category_weight: weights[&cycle.passages[index].page_id],
                quality_penalty: 1.0
                    - cycle.page_of(index).quality_score.unwrap_or(1.0).clamp(0.0, 1.0),
                foreign: cycle.passages[index]
                    .language
                    .as_deref()
                    .is_some_and(|name| asked_in.differs_from(name)),
            })
            .collect();
        let ranking = rank::rank(
            &self.words_of(&query),
            &passages,
            |survivors| self.similarities(&query, cycle, survivors, vectors),
            &self.parts.settings.rank.for_query_in(asked_in),
        )?;
        let nearest = vectors.to_query.values().copied().fold(0.0, f64::max);
        // How relevant a passage is to the query, whatever its publisher: 1 is the highest of this cycle.
        let relevance =
            |ranked: &Ranked| match vectors.to_query.get(&cycle.passages[ranked.index].id) {
                Some(cosine) if nearest > 0.0 => cosine / nearest,
                _ => ranked.bm25,
            };
        let mut heard: BTreeSet<PageId> = BTreeSet::new();
        let (mut useful, mut behind) = (Vec::new(), Vec::new());
        not_kept.words = cycle.passages.len() - ranking.ranked.len();
        for (place, ranked) in ranking.ranked.into_iter().enumerate() {
            // A passage that shares neither words nor meaning with the query is not useful, however few there are.
            if ranked.bm25 <= 0.0 && ranked.similarity.is_none_or(|it| it <= 0.0) {
                not_kept.unrelated += 1;
                continue;
            }
            let is_first = heard.insert(cycle.passages[ranked.index].page_id);
            let speaks = is_first && relevance(&ranked) >= settings.best_of_page_relevance;
            let reason = match place < ranking.kept {
                true => KeptFor::Score,
                false if speaks => KeptFor::Page,
                false => {
                    not_kept.behind_knee += 1;
                    behind.push(ranked);
                    continue;
                }
            };
            useful.push(Useful { passage: ranked.index, ranked, reason });
        }
        Ok(RankedCycle { useful, behind, not_kept })
    }

    /// What pages that cite in circles lose: they vouch for each other and nobody else does. A site that links to
    /// itself loses nothing.
    fn loop_factors(&self, context: &Context, cycle: &Cycle) -> Result<BTreeMap<PageId, f64>> {
        let cited = self.graph.read(|r| {
            // A page that cites nothing is in no circle, and most cycles have only such pages.
            for page in cycle.pages.keys() {
                if r.cites_pages(*page)? {
                    return r.citations_of(context.task.id);
                }
            }
            Ok(Vec::new())
        })?;
        let pairs: Vec<(PageId, PageId)> = cited.iter().map(|it| (it.citing, it.cited)).collect();
        let mut sites: BTreeMap<PageId, Publisher> = BTreeMap::new();
        for it in &cited {
            sites.entry(it.citing).or_insert_with(|| Publisher::of_domain(&it.citing_domain));
            sites.entry(it.cited).or_insert_with(|| Publisher::of_domain(&it.cited_domain));
        }
        let loops = find_loops(&pairs, |it| sites.get(&it));
        let mut factors: BTreeMap<PageId, f64> = BTreeMap::new();
        for (citing, cited) in pairs.iter().filter(|it| sites.get(&it.0) != sites.get(&it.1)) {
            let weight = loops.weight(*citing, *cited, &self.parts.settings.loops);
            let factor = factors.entry(*citing).or_insert(1.0);
            *factor = factor.min(weight);
        }
        Ok(factors)
    }

    /// What is counted as a word of the query: also those that say it in the other language.
    fn words_of(&self, query: &str) -> String {
        let all = expand::expand(query, &self.parts.settings.expand);
        let mirrors = all.into_iter().filter(|it| it.kind == ExpansionKind::Mirror);
        std::iter::once(query.to_owned())
            .chain(mirrors.map(|it| it.text))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// What passages are held against: the query, and for refutations what is to be refuted.
    fn ranking_query(&self, context: &Context) -> String {
        match (&context.task.hypothesis, context.options.refute) {
            (Some(hypothesis), true) => format!("{} {hypothesis}", context.query()),
            _ => context.query().to_owned(),
        }
    }
}

/// Whether a passage is long enough to say something, and no part of the page's furniture.
pub(super) fn is_worth_ranking(passage: &PassageForAssessment, settings: &SearchSettings) -> bool {
    letters(&passage.text) >= settings.min_passage_chars
        && !judge::says_nothing(&passage.text, &passage.headings)
}

/// The length of a text, as if it were written in an alphabet.
fn letters(text: &str) -> usize {
    text.chars().map(letters_in).sum()
}
