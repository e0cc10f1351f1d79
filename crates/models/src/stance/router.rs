//! Several stance models as one: each pair goes to the first that reads both its languages.

use std::sync::Arc;

use text::language::{Language, Languages, detect};

use super::{Pair, StanceModel, Thresholds, Verdict};
use crate::Result;
use crate::device::InUse;

/// Stance models in the order they are asked, the best for a language first.
#[derive(Debug)]
pub struct StanceRouter {
    id: String,
    languages: Languages,
    members: Vec<Arc<dyn StanceModel>>,
}

impl StanceRouter {
    pub fn new(members: Vec<Arc<dyn StanceModel>>) -> Self {
        let ids: Vec<&str> = members.iter().map(|it| it.id()).collect();
        Self { id: ids.join("+"), languages: together(&members), members }
    }
}

/// All that at least one of the models reads.
pub(super) fn together(members: &[Arc<dyn StanceModel>]) -> Languages {
    let mut tags: Vec<String> = Vec::new();
    for tag in members.iter().flat_map(|it| it.languages().tags()) {
        if !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
    Languages::new(tags)
}

/// Whether a model reads both texts of a pair.
pub(super) fn reads(model: &dyn StanceModel, languages: &[Language; 2]) -> bool {
    languages.iter().all(|language| model.languages().admit(language))
}

impl StanceModel for StanceRouter {
    fn id(&self) -> &str {
        &self.id
    }

    fn languages(&self) -> &Languages {
        &self.languages
    }

    fn max_tokens(&self) -> usize {
        self.members.iter().map(|it| it.max_tokens()).min().unwrap_or_default()
    }

    /// Those of the first; each judgement brings its own.
    fn thresholds(&self) -> Thresholds {
        self.members.first().map(|it| it.thresholds()).unwrap_or_default()
    }

    fn memory(&self) -> usize {
        self.members.iter().map(|it| it.memory()).sum()
    }

    fn device(&self) -> InUse {
        self.members.first().map_or(InUse::Cpu, |it| it.device())
    }

    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>> {
        let mut shares: Vec<Vec<usize>> = vec![Vec::new(); self.members.len()];
        let mut verdicts: Vec<Option<Verdict>> = vec![None; pairs.len()];
        for (place, Pair { passage, claim }) in pairs.iter().enumerate() {
            let languages = [passage, claim].map(|it| detect(it));
            match self.members.iter().position(|it| reads(&**it, &languages)) {
                Some(member) => shares[member].push(place),
                None => {
                    // The one no model reads, or the first of two that no model reads together.
                    let foreign = languages.iter().find(|it| !self.languages.admit(it));
                    let language = *foreign.unwrap_or(&languages[0]);
                    verdicts[place] = Some(Verdict::Abstained { language });
                }
            }
        }
        for (member, share) in self.members.iter().zip(shares) {
            // A member that loads its weights when it is first asked stays unread.
            if share.is_empty() {
                continue;
            }
            let own: Vec<Pair<'_>> = share.iter().map(|it| pairs[*it]).collect();
            for (place, verdict) in share.into_iter().zip(member.judge(&own)?) {
                verdicts[place] = Some(verdict);
            }
        }
        Ok(verdicts
            .into_iter()
            .map(|it| it.expect("a member judged the pair, or none reads it"))
            .collect())
    }
}
