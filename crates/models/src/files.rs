//! The files of one model, from a folder or from memory; nothing here looks inside them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek};
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

/// More parts than any encoder has; a damaged name must not become a list of a million files.
const MAX_PARTS: usize = 100;

/// The files a model is made of, in the layout of Hugging Face.
#[derive(Debug)]
pub struct ModelFiles {
    /// What the model is called when its manifest gives it no id: the folder's name.
    pub(crate) name: String,
    pub(crate) config: Cow<'static, [u8]>,
    pub(crate) tokenizer: Cow<'static, [u8]>,
    /// One file, or the parts of one that was too large.
    pub(crate) weights: Vec<Source>,
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
    File { name: String, file: Mutex<Box<dyn Reading>>, length: u64 },
}

/// A file, or what stands for one.
pub(crate) trait Reading: Read + Seek + Send + fmt::Debug {}

impl<T: Read + Seek + Send + fmt::Debug> Reading for T {}

impl ModelFiles {
    /// The files beside the weights that are looked at; all but the first two may be missing.
    const BESIDE_WEIGHTS: [&str; 6] = [CONFIG, TOKENIZER, MANIFEST, POOLING, SENTENCE, MODULES];

    /// The names of the files in a folder that a model is made of.
    pub fn names(path: &Path) -> Result<Vec<String>> {
        let beside = Self::BESIDE_WEIGHTS.iter().filter(|it| path.join(it).is_file());
        Ok(beside.map(|it| (*it).to_owned()).chain(weight_names(path)?).collect())
    }

    /// Opens `config.json`, `tokenizer.json` and `model.safetensors` of a folder, and beside them, if
    /// they are there, `lyra.json` and what sentence-transformers writes (`modules.json`,
    /// `1_Pooling/config.json`, `sentence_bert_config.json`). Weights may be in parts, named as Hugging Face does:
    /// `model-00001-of-00002.safetensors`.
    pub fn from_folder(path: &Path) -> Result<Self> {
        let weights = weight_names(path)?;
        // `canonicalize` so that `.` has a name too.
        let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned();

        let read = |file: &'static str| match files::read(&path.join(file), longest(file)) {
            Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ModelError::File { model: name.clone(), file: file.into(), source }),
        };
        let need = |file: &'static str| {
            read(file)?
                .ok_or_else(|| ModelError::MissingFile { model: name.clone(), file: file.into() })
        };
        Ok(Self {
            config: need(CONFIG)?,
            tokenizer: need(TOKENIZER)?,
            weights: weights
                .into_iter()
                .map(|file| open_weights(&name, path, file))
                .collect::<Result<_>>()?,
            manifest: read(MANIFEST)?,
            pooling: read(POOLING)?,
            sentence: read(SENTENCE)?,
            modules: read(MODULES)?,
            name,
        })
    }

    /// Takes files that are open already, each with its name in a folder and its length.
    pub(crate) fn from_open_files(
        files: impl Iterator<Item = (String, u64, impl Reading + 'static)>,
    ) -> Result<Self> {
        let model = "it".to_owned();
        let (mut beside, mut weights) = (BTreeMap::new(), Vec::new());
        for (name, length, file) in files {
            if !Self::BESIDE_WEIGHTS.contains(&name.as_str()) {
                weights.push(Source::File { name, file: Mutex::new(Box::new(file)), length });
                continue;
            }
            let mut bytes = Vec::new();
            if let Err(source) = file.take(longest(&name)).read_to_end(&mut bytes) {
                return Err(ModelError::File { model, file: name.into(), source });
            }
            beside.insert(name, Cow::Owned(bytes));
        }
        let mut take = |name: &str| beside.remove(name);
        Ok(Self {
            config: take(CONFIG).unwrap_or_default(),
            tokenizer: take(TOKENIZER).unwrap_or_default(),
            weights,
            manifest: take(MANIFEST),
            pooling: take(POOLING),
            sentence: take(SENTENCE),
            modules: take(MODULES),
            name: model,
        })
    }

    /// Takes the files from memory, as they are when the binary carries them; `weights` has all parts. The manifest
    /// says what the folder would have said with its extra files.
    pub fn from_memory(
        name: impl Into<String>,
        config: impl Into<Cow<'static, [u8]>>,
        tokenizer: impl Into<Cow<'static, [u8]>>,
        weights: Vec<Cow<'static, [u8]>>,
        manifest: Option<Cow<'static, [u8]>>,
    ) -> Self {
        Self {
            name: name.into(),
            config: config.into(),
            tokenizer: tokenizer.into(),
            weights: weights.into_iter().map(Source::Memory).collect(),
            manifest,
            pooling: None,
            sentence: None,
            modules: None,
        }
    }
}

/// How large a file beside the weights may be. The largest vocabularies there are take 40 MB.
fn longest(file: &str) -> u64 {
    if file == TOKENIZER { 64 << 20 } else { 1 << 20 }
}

/// The files with the weights of a folder: the whole, or else as many parts as the name of the first one says.
fn weight_names(folder: &Path) -> Result<Vec<String>> {
    let unreadable = |source| ModelError::Folder { path: folder.to_owned(), source };
    let mut parts = None;
    for file in fs::read_dir(folder).map_err(unreadable)? {
        let name = file.map_err(unreadable)?.file_name();
        if name == WEIGHTS {
            return Ok(vec![WEIGHTS.to_owned()]);
        }
        parts = parts.or_else(|| count_of_parts(name.to_str()?));
    }
    Ok(match parts {
        Some(count) => (1..=count).map(|it| part_name(it, count)).collect(),
        None => vec![WEIGHTS.to_owned()],
    })
}

/// How many parts there are, from the name of one of them.
fn count_of_parts(name: &str) -> Option<usize> {
    let (number, count) =
        name.strip_prefix("model-")?.strip_suffix(".safetensors")?.split_once("-of-")?;
    let (number, count) = (number.parse().ok()?, count.parse().ok()?);
    (count <= MAX_PARTS && name == part_name(number, count)).then_some(count)
}

fn part_name(number: usize, count: usize) -> String {
    format!("model-{number:05}-of-{count:05}.safetensors")
}

fn open_weights(model: &str, folder: &Path, name: String) -> Result<Source> {
    let open = || -> io::Result<(File, u64)> {
        let file = files::open(&folder.join(&name))?;
        let length = file.metadata()?.len();
        Ok((file, length))
    };
    match open() {
        Ok((file, length)) => Ok(Source::File { name, file: Mutex::new(Box::new(file)), length }),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(ModelError::MissingFile { model: model.to_owned(), file: name.into() })
        }
        Err(source) => Err(ModelError::File { model: model.to_owned(), file: name.into(), source }),
    }
}
