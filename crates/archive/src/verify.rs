//! Checking a file: every record is read, every digest compared.

use std::path::Path;

use serde::Serialize;

use crate::{Error, records};

/// What checking one file showed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Records that are whole.
    pub records: usize,
    /// Digests that were compared.
    pub digests: usize,
    pub problems: Vec<Problem>,
}

/// One thing that is wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where the record begins.
    pub at: u64,
    pub record_id: Option<String>,
    pub what: String,
}

/// Reads a whole file and compares the digests in it.
///
/// The error is for a file that cannot be read at all; what is wrong inside it is in [`Verified::problems`].
pub fn verify(path: &Path) -> Result<Verified, Error> {
    let mut verified = Verified::default();
    for record in records(path)? {
        let (at, what) = match record {
            Ok(positioned) => {
                let digests = positioned.record.digests();
                verified.records += 1;
                verified.digests += digests.checked;
                let record_id = positioned.record.record_id();
                verified.problems.extend(digests.wrong.iter().map(|header| Problem {
                    at: positioned.byte_start,
                    record_id: record_id.map(str::to_owned),
                    what: format!("{header} is not that of the bytes"),
                }));
                continue;
            }
            Err(Error::Torn { at, .. }) => (at, "the record is cut off".to_owned()),
            Err(Error::Damaged { at, problem, .. }) => (at, problem),
            Err(Error::TooLarge { at, part, limit, .. }) => {
                (at, format!("the {part} of the record is larger than {limit} bytes"))
            }
            Err(error) => return Err(error),
        };
        verified.problems.push(Problem { at, record_id: None, what });
    }
    Ok(verified)
}
