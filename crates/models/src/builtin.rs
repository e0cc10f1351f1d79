//! The models the binary carries, so that the first result needs no download.
//!
//! Their files lie in `weights/`, as any other model's would in its folder. They are part of the
//! program's file and are not touched before they are asked for: a command without models starts as
//! if they were not there. `docs/models.md` says where they come from and what they can do.

use std::sync::{Arc, OnceLock};

use crate::{
    Cascade, Embedder, ModelFiles, ModelSettings, Options, Result, StanceModel, StanceRouter,
    load_embedder, load_stance,
};

/// The most bytes the program may have, all that it carries included.
pub const PROGRAM_LIMIT: u64 = 230_000_000;

/// Tokenizer and weights of a network. A file stands here once, however many models are made of it: each
/// `include_bytes!` is a copy in the program.
struct Network {
    tokenizer: &'static [u8],
    /// One file, or the parts of one.
    weights: &'static [&'static [u8]],
}

static BILINGUAL: Network = Network {
    tokenizer: include_bytes!("../weights/bilingual/tokenizer.json"),
    weights: &[include_bytes!("../weights/bilingual/model.safetensors")],
};
static STANCE_EN: Network = Network {
    tokenizer: include_bytes!("../weights/stance-en/tokenizer.json"),
    weights: &[include_bytes!("../weights/stance-en/model.safetensors")],
};

static STANCE_EN_LARGE: Network = Network {
    tokenizer: include_bytes!("../weights/stance-en-large/tokenizer.json"),
    weights: &[
        include_bytes!("../weights/stance-en-large/model-00001-of-00002.safetensors"),
        include_bytes!("../weights/stance-en-large/model-00002-of-00002.safetensors"),
    ],
};

/// A model that the binary carries: what it says about itself lies in a folder below `weights/`.
macro_rules! carried {
    ($about:literal, $network:ident) => {
        ModelFiles::from_memory(
            $about,
            &include_bytes!(concat!("../weights/", $about, "/config.json"))[..],
            $network.tokenizer,
            $network.weights.iter().map(|it| (*it).into()).collect(),
            Some(include_bytes!(concat!("../weights/", $about, "/lyra.json"))[..].into()),
        )
    };
}

/// The files of the embedder, for callers that load it with options of their own.
pub fn embedder_files() -> ModelFiles {
    carried!("bilingual/embed", BILINGUAL)
}

/// The files of each stance model, in the order of the [`StanceRouter`] they form: the better one for a language first.
pub const STANCE: [fn() -> ModelFiles; 2] =
    [|| carried!("stance-en", STANCE_EN), || carried!("bilingual/stance", BILINGUAL)];

/// The files of the stance model that decides what the others give a side any chance.
pub fn decider_files() -> ModelFiles {
    carried!("stance-en-large", STANCE_EN_LARGE)
}

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

/// The stance models as one, with the decider behind them, loaded with options of the caller's own.
pub fn stance_with(options: &Options) -> Result<Arc<dyn StanceModel>> {
    let mut members = Vec::new();
    for files in STANCE {
        members.push(load_stance(files(), options)?);
    }
    let router = Arc::new(StanceRouter::new(members));
    let decider = load_stance(decider_files(), options)?;
    let ask_from = ModelSettings::default().ask_decider_from as f32;
    Ok(Arc::new(Cascade::new(router, decider, ask_from)))
}

/// Two callers at the same time may both load; both get the model that was first.
fn once<T: Clone>(kept: &OnceLock<T>, load: impl FnOnce() -> Result<T>) -> Result<T> {
    match kept.get() {
        Some(model) => Ok(model.clone()),
        None => load().map(|model| kept.get_or_init(|| model).clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Source;

    /// Where the weights of a model lie, and how many bytes they are.
    fn places(files: ModelFiles) -> Vec<(*const u8, usize)> {
        let place = |source: &Source| match source {
            Source::Memory(bytes) => (bytes.as_ptr(), bytes.len()),
            Source::File { name, .. } => panic!("{name} is not carried"),
        };
        files.weights.iter().map(place).collect()
    }

    #[test]
    fn models_of_one_file_share_its_bytes() {
        let [english, bilingual] = STANCE.map(|files| places(files()));
        assert_eq!(places(embedder_files()), bilingual);
        assert_ne!(english, bilingual);
    }
}
