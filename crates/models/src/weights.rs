//! Reads tensors from one safetensors file or several: F32, F16, BF16, and I8 with one scale per row.
//!
//! Eight-bit weights are symmetric per row (= per output of a linear layer): a tensor `NAME` of I8
//! beside `NAME_scale` of F32, or `NAME.int8` beside `NAME.scale`. Everything is checked against the
//! shape the caller expects; the file's own word is never trusted further than its length.

use std::borrow::Cow;
use std::io::{Read, Seek, SeekFrom};

use half::{bf16, f16};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

use crate::files::Source;
use crate::{ModelError, Result};

/// A header longer than any model's: the file is not one.
const MAX_HEADER: u64 = 100_000_000;
/// Bytes that tell how long the header is.
const PREFIX: u64 = 8;

/// The weights of one model, with their table of contents read.
#[derive(Debug)]
pub(crate) struct Weights {
    model: String,
    parts: Vec<Part>,
}

/// One file of weights.
#[derive(Debug)]
struct Part {
    source: Source,
    contents: Metadata,
    /// Where the header ends and the tensors begin.
    data_at: u64,
}

/// A matrix in its stored form; rows become floats when they are asked for.
#[derive(Debug)]
pub(crate) struct Table {
    format: Format,
    rows: usize,
    columns: usize,
    bytes: Cow<'static, [u8]>,
}

#[derive(Debug)]
enum Format {
    F32,
    F16,
    BF16,
    I8 { scales: Vec<f32> },
}

impl Part {
    fn open(model: &str, source: Source) -> Result<Self> {
        let bad = |problem: String| ModelError::BadWeights { model: model.to_owned(), problem };
        let length = match &source {
            Source::Memory(bytes) => bytes.len() as u64,
            Source::File { length, .. } => *length,
        };
        if length < PREFIX {
            return Err(bad(format!("only {length} bytes")));
        }
        let prefix = read(model, &source, 0, PREFIX)?;
        let prefix = <[u8; 8]>::try_from(&*prefix).expect("eight bytes were asked for");
        let header = u64::from_le_bytes(prefix);
        if header > MAX_HEADER || header > length - PREFIX {
            return Err(bad("the header is longer than the file".to_owned()));
        }
        let text = read(model, &source, PREFIX, header)?;
        let contents: Metadata =
            serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
        let data_at = PREFIX + header;
        let (found, expected) = (length - data_at, contents.data_len() as u64);
        if found != expected {
            return Err(bad(format!("{found} bytes of tensors, the header lists {expected}")));
        }
        Ok(Self { source, contents, data_at })
    }
}

impl Weights {
    pub(crate) fn open(model: &str, sources: Vec<Source>) -> Result<Self> {
        let parts = sources.into_iter().map(|it| Part::open(model, it)).collect::<Result<_>>()?;
        Ok(Self { model: model.to_owned(), parts })
    }

    /// Size of the tensors in the files.
    pub(crate) fn bytes_stored(&self) -> u64 {
        self.parts.iter().map(|it| it.contents.data_len() as u64).sum()
    }

    pub(crate) fn has(&self, tensor: &str) -> bool {
        self.find(tensor).is_some()
    }

    /// A matrix, kept as it is stored.
    pub(crate) fn table(&self, tensor: &str, rows: usize, columns: usize) -> Result<Table> {
        let (part, info, scale) = self.find(tensor).ok_or_else(|| self.missing(tensor))?;
        self.check(tensor, info, &[rows, columns])?;
        let format = match (info.dtype, scale) {
            (Dtype::F32, _) => Format::F32,
            (Dtype::F16, _) => Format::F16,
            (Dtype::BF16, _) => Format::BF16,
            (Dtype::I8, scale) => Format::I8 { scales: self.vector(&scale, rows)? },
            (other, _) => return Err(self.format(tensor, other)),
        };
        Ok(Table { format, rows, columns, bytes: self.bytes(part, info)? })
    }

    /// A vector of floats; a column of a matrix that is one wide counts as one.
    pub(crate) fn vector(&self, tensor: &str, length: usize) -> Result<Vec<f32>> {
        let (part, info) = self.entry(tensor).ok_or_else(|| self.missing(tensor))?;
        if info.shape != [length, 1] {
            self.check(tensor, info, &[length])?;
        }
        let format = match info.dtype {
            Dtype::F32 => Format::F32,
            Dtype::F16 => Format::F16,
            Dtype::BF16 => Format::BF16,
            other => return Err(self.format(tensor, other)),
        };
        let table = Table { format, rows: 1, columns: length, bytes: self.bytes(part, info)? };
        let mut values = vec![0.0; length];
        table.row(0, &mut values);
        Ok(values)
    }

    /// The tensor, and what its scale is called should it need one.
    fn find(&self, tensor: &str) -> Option<(&Part, &TensorInfo, String)> {
        if let Some((part, info)) = self.entry(tensor) {
            return Some((part, info, format!("{tensor}_scale")));
        }
        let (part, info) = self.entry(&format!("{tensor}.int8"))?;
        Some((part, info, format!("{tensor}.scale")))
    }

    fn entry(&self, tensor: &str) -> Option<(&Part, &TensorInfo)> {
        self.parts.iter().find_map(|part| Some((part, part.contents.info(tensor)?)))
    }

    fn bytes(&self, part: &Part, info: &TensorInfo) -> Result<Cow<'static, [u8]>> {
        let (start, end) = info.data_offsets;
        read(&self.model, &part.source, part.data_at + start as u64, (end - start) as u64)
    }

    fn check(&self, tensor: &str, info: &TensorInfo, expected: &[usize]) -> Result<()> {
        if info.shape == expected {
            return Ok(());
        }
        Err(ModelError::Shape {
            model: self.model.clone(),
            tensor: tensor.to_owned(),
            expected: expected.to_vec(),
            found: info.shape.clone(),
        })
    }

    fn missing(&self, tensor: &str) -> ModelError {
        ModelError::MissingTensor { model: self.model.clone(), tensor: tensor.to_owned() }
    }

    fn format(&self, tensor: &str, found: Dtype) -> ModelError {
        ModelError::NumberFormat {
            model: self.model.clone(),
            tensor: tensor.to_owned(),
            found: format!("{found:?}"),
        }
    }
}

impl Table {
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Whether it is stored as whole numbers of eight bits, which [`Table::int8_row`] gives.
    pub(crate) fn is_int8(&self) -> bool {
        matches!(self.format, Format::I8 { .. })
    }

    /// Writes one row as whole numbers and returns their scale; a table of floats has none.
    pub(crate) fn int8_row(&self, index: usize, out: &mut [i8]) -> f32 {
        let Format::I8 { scales } = &self.format else { return 0.0 };
        let bytes = &self.bytes[index * self.columns..][..self.columns];
        for (value, byte) in out.iter_mut().zip(bytes) {
            *value = byte.cast_signed();
        }
        scales[index]
    }

    /// Writes one row as floats.
    pub(crate) fn row(&self, index: usize, out: &mut [f32]) {
        let width = match self.format {
            Format::F32 => 4,
            Format::F16 | Format::BF16 => 2,
            Format::I8 { .. } => 1,
        };
        let size = self.columns * width;
        let bytes = &self.bytes[index * size..][..size];
        match &self.format {
            Format::F32 => {
                for (value, bytes) in out.iter_mut().zip(bytes.as_chunks::<4>().0) {
                    *value = f32::from_le_bytes(*bytes);
                }
            }
            Format::F16 => {
                for (value, bytes) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
                    *value = f16::from_le_bytes(*bytes).to_f32();
                }
            }
            Format::BF16 => {
                for (value, bytes) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
                    *value = bf16::from_le_bytes(*bytes).to_f32();
                }
            }
            Format::I8 { scales } => {
                let scale = scales[index];
                for (value, byte) in out.iter_mut().zip(bytes) {
                    *value = f32::from(byte.cast_signed()) * scale;
                }
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let scales = match &self.format {
            Format::I8 { scales } => size_of_val(scales.as_slice()),
            _ => 0,
        };
        self.bytes.len() + scales
    }
}

fn read(model: &str, source: &Source, at: u64, length: u64) -> Result<Cow<'static, [u8]>> {
    match source {
        Source::Memory(bytes) => {
            let (start, end) = (at as usize, (at + length) as usize);
            Ok(match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[start..end]),
                Cow::Owned(bytes) => Cow::Owned(bytes[start..end].to_vec()),
            })
        }
        Source::File { name, file, .. } => {
            let mut bytes = vec![0; length as usize];
            let mut file = file.lock().unwrap_or_else(|it| it.into_inner());
            file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes)).map_err(
                |source| ModelError::File {
                    model: model.to_owned(),
                    file: name.clone().into(),
                    source,
                },
            )?;
            Ok(Cow::Owned(bytes))
        }
    }
}
