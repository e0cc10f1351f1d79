//! Vectors of passages and claims: taken from the graph where they are stored, computed where they are not.

use std::collections::BTreeMap;

use evidence::{ClaimId, FragmentId, Node, SearchId};
use text::language::detect;

use crate::calls::Stage;
use crate::engine::Inner;
use crate::error::Result;

use super::passages::Cycle;

/// Texts given to the model at a time: some seconds of work on a slow machine.
const EMBEDDED_AT_ONCE: usize = 64;

/// What is known so far; the fresh ones are stored with the digest.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    pub(super) fragments: BTreeMap<FragmentId, Vec<f32>>,
    pub(super) fresh: Vec<FragmentId>,
    /// How near passages are to the query.
    pub(super) to_query: BTreeMap<FragmentId, f64>,
    /// Of claims that are stored.
    pub(super) claims: BTreeMap<ClaimId, Vec<f32>>,
    /// Of passages, computed while their search waited for other pages.
    pub(super) prepared: PrefetchedVectors,
    /// The search that waits for them, to be told how far they are.
    pub(super) awaited_by: Option<SearchId>,
}

/// Vectors of passages computed before an assessment needs them.
pub(crate) type PrefetchedVectors = BTreeMap<FragmentId, Vec<f32>>;

impl Inner {
    /// The likeness of passages to the query; nothing for texts the model cannot read.
    pub(super) fn similarities(
        &self,
        query: &str,
        cycle: &Cycle,
        wanted: &[usize],
        vectors: &mut Vectors,
    ) -> Result<Vec<Option<f32>>> {
        let embedder = self.parts.embedder.as_ref();
        if !embedder.languages().admit(&detect(query)) {
            return Ok(vec![None; wanted.len()]);
        }
        let passages =
            wanted.iter().map(|it| (cycle.passages[*it].id, cycle.passages[*it].text.as_str()));
        self.embed_fragments(passages, vectors)?;
        let query = embedder.embed(&[query])?.pop().unwrap_or_default();
        let mut likeness = Vec::with_capacity(wanted.len());
        for place in wanted {
            let id = cycle.passages[*place].id;
            let cosine = vectors.fragments.get(&id).and_then(|it| judge::cosine(&query, it));
            if let Some(cosine) = cosine {
                vectors.to_query.insert(id, cosine);
            }
            likeness.push(cosine.map(|it| it as f32));
        }
        Ok(likeness)
    }

    /// Makes sure that passages the model can read have a vector.
    pub(super) fn embed_fragments<'a>(
        &self,
        passages: impl Iterator<Item = (FragmentId, &'a str)>,
        vectors: &mut Vectors,
    ) -> Result<()> {
        let embedder = self.parts.embedder.as_ref();
        let mut missing: Vec<(FragmentId, &str)> = Vec::new();
        self.graph.read(|r| {
            for (id, text) in passages {
                if vectors.fragments.contains_key(&id) {
                    continue;
                }
                match r.vector_of(Node::Fragment(id), embedder.id())? {
                    Some(vector) => {
                        vectors.fragments.insert(id, vector);
                    }
                    None => missing.push((id, text)),
                }
            }
            Ok(())
        })?;
        // What has a vector was readable; telling the language of all a task has kept took longer than reading them.
        missing.retain(|it| embedder.languages().admit(&detect(it.1)));
        let unprepared = missing.iter().filter(|it| !vectors.prepared.contains_key(&it.0));
        let texts: Vec<&str> = unprepared.map(|it| it.1).collect();
        let mut computed = self.embed_telling(&texts, vectors.awaited_by)?.into_iter();
        for (id, _) in missing {
            let Some(vector) = vectors.prepared.remove(&id).or_else(|| computed.next()) else {
                continue;
            };
            vectors.fragments.insert(id, vector);
            vectors.fresh.push(id);
        }
        Ok(())
    }

    /// Embeds texts some at a time, and tells the search that waits for them how many are done.
    fn embed_telling(&self, texts: &[&str], awaited_by: Option<SearchId>) -> Result<Vec<Vec<f32>>> {
        let mut computed = Vec::with_capacity(texts.len());
        for some in texts.chunks(EMBEDDED_AT_ONCE) {
            if let Some(search) = awaited_by {
                self.at_work(search, Stage::Ranking, computed.len(), texts.len());
            }
            computed.extend(self.parts.embedder.embed(some)?);
        }
        Ok(computed)
    }

    /// Vectors of texts; nothing for those the model cannot read.
    pub(crate) fn embed_texts(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>> {
        let embedder = self.parts.embedder.as_ref();
        let readable: Vec<bool> =
            texts.iter().map(|it| embedder.languages().admit(&detect(it))).collect();
        let wanted: Vec<&str> =
            texts.iter().zip(&readable).filter(|it| *it.1).map(|it| *it.0).collect();
        let mut computed = embedder.embed(&wanted)?.into_iter();
        Ok(readable.iter().map(|it| if *it { computed.next() } else { None }).collect())
    }
}
