//! The model that is measured: the one in the folder that was named, or the one the binary carries.
//! And what every measurement of embeddings needs of it.

use std::path::Path;
use std::sync::Arc;

use models::{Embedder, ModelFiles, Options, StanceModel, builtin, load_embedder, load_stance};
use text::language::detect;

use crate::Failure;
use crate::report::progress;

/// How many texts are embedded between two lines of progress.
const BATCH: usize = 512;

pub(crate) fn embedder(folder: Option<&Path>) -> Result<Arc<dyn Embedder>, Failure> {
    match folder {
        Some(folder) => Ok(load_embedder(ModelFiles::from_folder(folder)?, &Options::default())?),
        None => Ok(builtin::embedder()?),
    }
}

pub(crate) fn stance(folder: Option<&Path>) -> Result<Arc<dyn StanceModel>, Failure> {
    match folder {
        Some(folder) => Ok(load_stance(ModelFiles::from_folder(folder)?, &Options::default())?),
        None => Ok(builtin::stance()?),
    }
}

/// A vector for each text in a language the model reads.
pub(crate) fn vectors(
    model: &dyn Embedder,
    texts: &[String],
) -> Result<Vec<Option<Vec<f32>>>, Failure> {
    let mut vectors = vec![None; texts.len()];
    let readable: Vec<usize> =
        (0..texts.len()).filter(|it| model.languages().admit(&detect(&texts[*it]))).collect();
    for (done, batch) in readable.chunks(BATCH).enumerate() {
        let inputs: Vec<&str> = batch.iter().map(|it| texts[*it].as_str()).collect();
        for (place, vector) in batch.iter().zip(model.embed(&inputs)?) {
            vectors[*place] = Some(vector);
        }
        if readable.len() > BATCH {
            progress(&format!("  embedded {} of {}", done * BATCH + batch.len(), readable.len()));
        }
    }
    Ok(vectors)
}

/// The cosine of two unit vectors.
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f64 {
    f64::from(a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>())
}
