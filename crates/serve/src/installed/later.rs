//! A model that reads its weights when it is first asked something: a server starts at once and stays small
//! until somebody searches.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use models::{About, Embedder, InUse, Pair, Result, StanceModel, Thresholds, Verdict};
use text::language::Languages;

type Load<M> = Box<dyn Fn() -> Result<Arc<M>> + Send + Sync>;

pub(super) struct Later<M: ?Sized> {
    about: About,
    load: Load<M>,
    model: OnceLock<Arc<M>>,
    /// Locked while loading, so that it happens once.
    loading: Mutex<()>,
}

impl<M: ?Sized> Later<M> {
    pub(super) fn new(about: About, load: Load<M>) -> Self {
        Self { about, load, model: OnceLock::new(), loading: Mutex::new(()) }
    }

    fn model(&self) -> Result<&Arc<M>> {
        if let Some(model) = self.model.get() {
            return Ok(model);
        }
        let loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if self.model.get().is_none() {
            let model = (self.load)()?;
            // Nobody else sets it while the lock is held.
            drop(self.model.set(model));
        }
        drop(loading);
        Ok(self.model.get().expect("it was set above"))
    }
}

impl<M: ?Sized> fmt::Debug for Later<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loaded = self.model.get().is_some();
        f.debug_struct("Later").field("about", &self.about).field("loaded", &loaded).finish()
    }
}

impl Embedder for Later<dyn Embedder> {
    fn id(&self) -> &str {
        &self.about.id
    }

    fn dimension(&self) -> usize {
        self.about.dimension
    }

    fn languages(&self) -> &Languages {
        &self.about.languages
    }

    fn max_tokens(&self) -> usize {
        self.about.max_tokens
    }

    fn memory(&self) -> usize {
        self.model.get().map_or(0, |it| it.memory())
    }

    fn device(&self) -> InUse {
        self.model.get().map_or(InUse::Cpu, |it| it.device())
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        self.model()?.embed(texts)
    }
}

impl StanceModel for Later<dyn StanceModel> {
    fn id(&self) -> &str {
        &self.about.id
    }

    fn languages(&self) -> &Languages {
        &self.about.languages
    }

    fn max_tokens(&self) -> usize {
        self.about.max_tokens
    }

    fn thresholds(&self) -> Thresholds {
        self.about.thresholds
    }

    fn memory(&self) -> usize {
        self.model.get().map_or(0, |it| it.memory())
    }

    fn device(&self) -> InUse {
        self.model.get().map_or(InUse::Cpu, |it| it.device())
    }

    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>> {
        self.model()?.judge(pairs)
    }
}

#[cfg(test)]
mod tests {
    use models::{Options, builtin, describe, load_embedder};

    use super::*;

    #[test]
    fn a_later_model_says_what_the_loaded_one_says() {
        let about = describe(builtin::embedder_files()).unwrap();
        let load = || load_embedder(builtin::embedder_files(), &Options::default());
        let (later, now) = (Later::new(about, Box::new(load)), load().unwrap());
        assert_eq!(later.memory(), 0);
        assert_eq!(
            (later.id(), later.dimension(), later.max_tokens()),
            (now.id(), now.dimension(), now.max_tokens())
        );
        let text = ["Water boils at 100 degrees."];
        assert_eq!(later.embed(&text).unwrap(), now.embed(&text).unwrap());
        assert_eq!(later.memory(), now.memory());
    }
}
