//! Sentence embeddings: texts to unit vectors.

use std::fmt::Debug;

use text::language::Languages;

use crate::device::InUse;
use crate::encoder::Encoder;
use crate::load::Options;
use crate::manifest::Pooling;
use crate::tokens::Tokens;
use crate::{ModelError, Result, windows, work};

/// A model that turns texts into vectors whose product is their likeness.
pub trait Embedder: Debug + Send + Sync {
    /// What vectors of this model are stored under.
    fn id(&self) -> &str;
    fn dimension(&self) -> usize;
    /// What it can read. [`Embedder::embed`] answers for any text; a caller that ranks with the vectors
    /// asks first whether they mean something.
    fn languages(&self) -> &Languages;
    /// The longest input that is read in one piece, special tokens included.
    fn max_tokens(&self) -> usize;
    /// Bytes held by the weights.
    fn memory(&self) -> usize;
    /// What computes at the moment: a graphics card that fails gives way to the CPU.
    fn device(&self) -> InUse {
        InUse::Cpu
    }

    /// One unit vector per text, in order.
    ///
    /// A longer text is cut into overlapping windows, whose vectors are averaged, each weighing as
    /// much as it has tokens: what comes late in a page can be found, too. Past
    /// [`Options::max_windows`] windows the rest is not read. An empty text has a vector (that of
    /// the special tokens alone).
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>>;
}

#[derive(Debug)]
pub(crate) struct SentenceEncoder {
    pub(crate) id: String,
    pub(crate) encoder: Encoder,
    pub(crate) tokens: Tokens,
    pub(crate) languages: Languages,
    pub(crate) max_tokens: usize,
    pub(crate) pooling: Pooling,
    pub(crate) prefix: String,
    pub(crate) options: Options,
}

impl Embedder for SentenceEncoder {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimension(&self) -> usize {
        self.encoder.hidden()
    }

    fn languages(&self) -> &Languages {
        &self.languages
    }

    fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    fn device(&self) -> InUse {
        self.encoder.device()
    }

    fn memory(&self) -> usize {
        self.encoder.bytes()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let room = self.max_tokens - self.tokens.around_one();
        let prefix = self.tokens.read(&self.prefix, room / 2)?.ids;
        let capacity = room - prefix.len();
        let mut sequences = Vec::with_capacity(texts.len());
        let mut owners = Vec::with_capacity(texts.len());
        for (owner, text) in texts.iter().enumerate() {
            let found =
                self.tokens.read(text, capacity.saturating_mul(self.options.max_windows.max(1)))?;
            let cut = windows::cut(text, &found.places, capacity);
            for window in cut.into_iter().take(self.options.max_windows.max(1)) {
                let ids = &found.ids[window];
                owners.push((owner, ids.len().max(1) as f32));
                sequences.push(if prefix.is_empty() {
                    self.tokens.sequence(ids)
                } else {
                    self.tokens.sequence(&[&prefix, ids].concat())
                });
            }
        }
        let pooled = work::run(&self.encoder, &sequences, &self.options, |states| {
            pool(states, self.dimension(), self.pooling)
        });
        let mut vectors = vec![vec![0.0; self.dimension()]; texts.len()];
        for ((owner, weight), mut vector) in owners.into_iter().zip(pooled) {
            self.make_unit(&mut vector)?;
            let sum = &mut vectors[owner];
            sum.iter_mut().zip(&vector).for_each(|(sum, value)| *sum += weight * value);
        }
        for vector in &mut vectors {
            self.make_unit(vector)?;
        }
        Ok(vectors)
    }
}

impl SentenceEncoder {
    fn make_unit(&self, vector: &mut [f32]) -> Result<()> {
        let length = vector.iter().map(|it| f64::from(*it) * f64::from(*it)).sum::<f64>().sqrt();
        if !length.is_finite() || length == 0.0 {
            return Err(ModelError::NotANumber { model: self.id.clone() });
        }
        vector.iter_mut().for_each(|it| *it = (f64::from(*it) / length) as f32);
        Ok(())
    }
}

fn pool(states: &[f32], hidden: usize, pooling: Pooling) -> Vec<f32> {
    match pooling {
        Pooling::Cls => states[..hidden].to_vec(),
        Pooling::Mean => {
            let mut sum = vec![0.0; hidden];
            for row in states.chunks_exact(hidden) {
                sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            let share = 1.0 / (states.len() / hidden) as f32;
            sum.iter_mut().for_each(|it| *it *= share);
            sum
        }
    }
}
