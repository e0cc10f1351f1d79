//! The models the binary carries, so that the first result needs no download.
//!
//! Their files lie in `weights/`, as any other model's would in its folder. They are part of the
//! program's file and are not touched before they are asked for: a command without models starts as
//! if they were not there. `docs/models.md` says where they come from and what they can do.

use std::sync::{Arc, OnceLock};

use crate::{
    Embedder, ModelFiles, Options, Result, StanceModel, StanceRouter, load_embedder, load_stance,
};

/// Files below `weights/`: what the model says about itself in one folder, tokenizer and weights in another.
macro_rules! carried {
    ($about:literal, $weights:literal) => {
        ModelFiles::from_memory(
            $about,
            &include_bytes!(concat!("../weights/", $about, "/config.json"))[..],
            &include_bytes!(concat!("../weights/", $weights, "/tokenizer.json"))[..],
            &include_bytes!(concat!("../weights/", $weights, "/model.safetensors"))[..],
            Some(include_bytes!(concat!("../weights/", $about, "/lyra.json"))[..].into()),
        )
    };
}

/// The files of the embedder, for callers that load it with options of their own.
pub fn embedder_files() -> ModelFiles {
    carried!("bilingual/embed", "bilingual")
}

/// The files of each stance model, in the order of the [`StanceRouter`] they form: the better one for a language first.
pub const STANCE: [fn() -> ModelFiles; 2] =
    [|| carried!("stance-en", "stance-en"), || carried!("bilingual/stance", "bilingual")];

/// The embedder, loaded at the first call with the usual options and kept.
pub fn embedder() -> Result<Arc<dyn Embedder>> {
    static LOADED: OnceLock<Arc<dyn Embedder>> = OnceLock::new();
    once(&LOADED, || load_embedder(embedder_files(), &Options::default()))
}

/// The stance models, loaded at the first call with the usual options and kept.
pub fn stance() -> Result<Arc<dyn StanceModel>> {
    static LOADED: OnceLock<Arc<dyn StanceModel>> = OnceLock::new();
    once(&LOADED, || stance_with(&Options::default()))
}

/// The stance models as one, loaded with options of the caller's own.
pub fn stance_with(options: &Options) -> Result<Arc<dyn StanceModel>> {
    let mut members = Vec::new();
    for files in STANCE {
        members.push(load_stance(files(), options)?);
    }
    Ok(Arc::new(StanceRouter::new(members)))
}

/// Two callers at the same time may both load; both get the model that was first.
fn once<T: Clone>(kept: &OnceLock<T>, load: impl FnOnce() -> Result<T>) -> Result<T> {
    match kept.get() {
        Some(model) => Ok(model.clone()),
        None => load().map(|model| kept.get_or_init(|| model).clone()),
    }
}
