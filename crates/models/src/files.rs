//! The files of one model, from a folder or from memory; nothing here looks inside them.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Mutex;

use crate::{ModelError, Result};

pub(crate) const CONFIG: &str = "config.json";
pub(crate) const TOKENIZER: &str = "tokenizer.json";
pub(crate) const WEIGHTS: &str = "model.safetensors";
pub(crate) const MANIFEST: &str = "lyra.json";
pub(crate) const POOLING: &str = "1_Pooling/config.json";
pub(crate) const SENTENCE: &str = "sentence_bert_config.json";
pub(crate) const MODULES: &str = "modules.json";

/// The files a model is made of, in the layout of Hugging Face.
#[derive(Debug)]
pub struct ModelFiles {
    /// What the model is called when its manifest gives it no id: the folder's name.
    pub(crate) name: String,
    pub(crate) config: Cow<'static, [u8]>,
    pub(crate) tokenizer: Cow<'static, [u8]>,
    pub(crate) weights: Source,
    pub(crate) manifest: Option<Cow<'static, [u8]>>,
    pub(crate) pooling: Option<Cow<'static, [u8]>>,
    pub(crate) sentence: Option<Cow<'static, [u8]>>,
    pub(crate) modules: Option<Cow<'static, [u8]>>,
}

/// Where the weights are read from: a file is read tensor by tensor, so that a large model never
/// is in memory twice.
#[derive(Debug)]
pub(crate) enum Source {
    Memory(Cow<'static, [u8]>),
    File { file: Mutex<File>, length: u64 },
}

impl ModelFiles {
    /// Every file of a folder that is looked at; all but the first three may be missing.
    pub const NAMES: [&str; 7] = [CONFIG, TOKENIZER, WEIGHTS, MANIFEST, POOLING, SENTENCE, MODULES];

    /// Opens `config.json`, `tokenizer.json` and `model.safetensors` of a folder, and beside them, if
    /// they are there, `lyra.json` and what sentence-transformers writes (`modules.json`,
    /// `1_Pooling/config.json`, `sentence_bert_config.json`).
    pub fn from_folder(path: &Path) -> Result<Self> {
        fs::read_dir(path)
            .map_err(|source| ModelError::Folder { path: path.to_owned(), source })?;
        // `canonicalize` so that `.` has a name too.
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned();

        let read = |file: &'static str| match fs::read(path.join(file)) {
            Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ModelError::File { model: name.clone(), file, source }),
        };
        let need = |file: &'static str| {
            read(file)?.ok_or_else(|| ModelError::MissingFile { model: name.clone(), file })
        };
        Ok(Self {
            config: need(CONFIG)?,
            tokenizer: need(TOKENIZER)?,
            weights: open_weights(&name, path)?,
            manifest: read(MANIFEST)?,
            pooling: read(POOLING)?,
            sentence: read(SENTENCE)?,
            modules: read(MODULES)?,
            name,
        })
    }

    /// Takes the files from memory, as they are when the binary carries them. The manifest says what
    /// the folder would have said with its extra files.
    pub fn from_memory(
        name: impl Into<String>,
        config: impl Into<Cow<'static, [u8]>>,
        tokenizer: impl Into<Cow<'static, [u8]>>,
        weights: impl Into<Cow<'static, [u8]>>,
        manifest: Option<Cow<'static, [u8]>>,
    ) -> Self {
        Self {
            name: name.into(),
            config: config.into(),
            tokenizer: tokenizer.into(),
            weights: Source::Memory(weights.into()),
            manifest,
            pooling: None,
            sentence: None,
            modules: None,
        }
    }
}

fn open_weights(model: &str, folder: &Path) -> Result<Source> {
    let open = || -> io::Result<(File, u64)> {
        let file = File::open(folder.join(WEIGHTS))?;
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "not a plain file"));
        }
        Ok((file, about.len()))
    };
    match open() {
        Ok((file, length)) => Ok(Source::File { file: Mutex::new(file), length }),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(ModelError::MissingFile { model: model.to_owned(), file: WEIGHTS })
        }
        Err(source) => Err(ModelError::File { model: model.to_owned(), file: WEIGHTS, source }),
    }
}
