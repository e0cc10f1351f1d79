//! Loads weights and runs them: sentence embeddings and stance. The only crate that does.
//!
//! It reads a folder in the layout of Hugging Face, or the same files from memory, and computes on
//! the CPU with its own kernels, or on a graphics card (feature `cuda`, [`Device`]). It ranks nothing,
//! stores nothing and decides no threshold for others. Read [`Embedder`] and [`StanceModel`] first (what
//! a model can do), then [`load()`] (how one is made), [`builtin`] (those the binary carries) and
//! [`ModelManifest`] (what a model says about itself in `lyra.json`).
//!
//! Same text, same numbers: a result never depends on the batch it was computed in or on the number
//! of threads.

pub mod builtin;
mod config;
mod device;
mod embed;
mod encoder;
mod error;
mod files;
mod first_reading;
mod kernel;
mod load;
pub mod machine_talk;
mod manifest;
mod rarity;
mod stance;
mod tokens;
mod weights;
mod windows;
mod work;

pub use device::{Device, DeviceError, InUse, Listener, find_device};
pub use embed::Embedder;
pub use error::{ModelError, Result};
pub use files::ModelFiles;
pub use first_reading::{
    HANDLER, digest, first_reading, first_reading_elsewhere, note_first_reading,
};
pub use load::{
    About, Arithmetic, Model, ModelSettings, Options, describe, load, load_embedder, load_stance,
};
pub use machine_talk::MachineTalk;
pub use manifest::{Calibration, Kind, ModelManifest, Order, Pooling};
pub use rarity::rarity;
pub use stance::{Cascade, Overrides, Pair, StanceModel, StanceRouter, Thresholds, Verdict};
