//! The models the binary carries, so that the first result needs no download.
//!
//! Their files lie in `weights/`, as any other model's would in its folder. They are part of the
//! program's file and are not touched before they are asked for: a command without models starts as
//! if they were not there. `docs/models.md` says where they come from and what they can do.

use std::sync::{Arc, OnceLock};

use crate::{Embedder, ModelFiles, Options, Result, StanceModel, load_embedder, load_stance};

macro_rules! carried {
    ($name:literal) => {
        ModelFiles::from_memory(
            $name,
            &include_bytes!(concat!("../weights/", $name, "/config.json"))[..],
            &include_bytes!(concat!("../weights/", $name, "/tokenizer.json"))[..],
            &include_bytes!(concat!("../weights/", $name, "/model.safetensors"))[..],
            Some(include_bytes!(concat!("../weights/", $name, "/lyra.json"))[..].into()),
        )
    };
}

/// The files of the embedder, for whoever loads it with options of their own.
pub fn embedder_files() -> ModelFiles {
    carried!("embed")
}

/// The files of the stance model, for whoever loads it with options of their own.
pub fn stance_files() -> ModelFiles {
    carried!("stance")
}

/// The embedder, loaded at the first call with the usual options and kept.
pub fn embedder() -> Result<Arc<dyn Embedder>> {
    static LOADED: OnceLock<Arc<dyn Embedder>> = OnceLock::new();
    once(&LOADED, || load_embedder(embedder_files(), &Options::default()))
}

/// The stance model, loaded at the first call with the usual options and kept.
pub fn stance() -> Result<Arc<dyn StanceModel>> {
    static LOADED: OnceLock<Arc<dyn StanceModel>> = OnceLock::new();
    once(&LOADED, || load_stance(stance_files(), &Options::default()))
}

/// Two callers at the same time may both load; both get the model that was first.
fn once<T: Clone>(kept: &OnceLock<T>, load: impl FnOnce() -> Result<T>) -> Result<T> {
    match kept.get() {
        Some(model) => Ok(model.clone()),
        None => load().map(|model| kept.get_or_init(|| model).clone()),
    }
}
