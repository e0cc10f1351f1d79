//! The model that is measured.

use std::path::Path;
use std::sync::Arc;

use models::{Embedder, ModelFiles, Options, StanceModel, load_embedder, load_stance};

use crate::Failure;

pub(crate) fn embedder(folder: Option<&Path>) -> Result<Arc<dyn Embedder>, Failure> {
    match folder {
        Some(folder) => Ok(load_embedder(ModelFiles::from_folder(folder)?, &Options::default())?),
        None => Err("name the folder of an embedding model with --model".into()),
    }
}

pub(crate) fn stance(folder: Option<&Path>) -> Result<Arc<dyn StanceModel>, Failure> {
    match folder {
        Some(folder) => Ok(load_stance(ModelFiles::from_folder(folder)?, &Options::default())?),
        None => Err("name the folder of a stance model with --model".into()),
    }
}
