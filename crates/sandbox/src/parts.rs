//! Files too large to be sent at once: the child asks for what it reads, and the parent answers from files it has open.
//!
//! The child names a file by its place in the list, and gets bytes of these files only.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use crate::child::{Pipes, locked};
use crate::wire;

/// Bytes that are asked for at a time.
const MAX_PART: usize = 4 << 20;
/// The first byte of a frame of the child: a question, or the answer that ends its work.
const QUESTION: u8 = b'?';
const LAST: u8 = b'!';

/// The child's way to the files.
#[derive(Debug, Clone)]
pub struct Parts {
    pipes: Arc<Mutex<Pipes>>,
}

impl Parts {
    pub(crate) fn new(pipes: &Arc<Mutex<Pipes>>) -> Self {
        Self { pipes: Arc::clone(pipes) }
    }

    /// A file of the list, which is `length` bytes long.
    pub fn file(&self, index: usize, length: u64) -> PartFile {
        PartFile { parts: self.clone(), index, length, at: 0 }
    }
}

/// A file that the parent has open, as the child reads it.
#[derive(Debug)]
pub struct PartFile {
    parts: Parts,
    index: usize,
    length: u64,
    at: u64,
}

#[derive(Serialize, Deserialize)]
struct Question {
    index: usize,
    at: u64,
    length: usize,
}

impl Read for PartFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let length = into.len().min(MAX_PART).min(left);
        if length == 0 {
            return Ok(0);
        }
        let question = Question { index: self.index, at: self.at, length };
        let mut frame = vec![QUESTION];
        serde_json::to_writer(&mut frame, &question)?;
        let mut pipes = locked(&self.parts.pipes);
        pipes.say(&frame)?;
        let part = wire::read(&mut pipes.requests)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let read = part.len().min(length);
        into[..read].copy_from_slice(&part[..read]);
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for PartFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::End(by) => (self.length, by),
            SeekFrom::Current(by) => (self.at, by),
        };
        self.at = from.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// The answer that ends a child's work on files.
pub(crate) fn last(mut answer: Vec<u8>) -> Vec<u8> {
    answer.insert(0, LAST);
    answer
}

/// What a child said: the last answer, or the bytes that answer its question.
pub(crate) enum Said {
    Last(Vec<u8>),
    Part(Vec<u8>),
}

/// The parent's part: reads what a child asks for.
pub(crate) fn heard<F: Read + Seek>(mut frame: Vec<u8>, files: &mut [F]) -> io::Result<Said> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidData);
    match frame.first() {
        Some(&LAST) => {
            frame.remove(0);
            Ok(Said::Last(frame))
        }
        Some(&QUESTION) => {
            let asked: Question = serde_json::from_slice(&frame[1..])?;
            let file = files.get_mut(asked.index).ok_or_else(invalid)?;
            let mut part = Vec::new();
            file.seek(SeekFrom::Start(asked.at))?;
            file.take(asked.length.min(MAX_PART) as u64).read_to_end(&mut part)?;
            Ok(Said::Part(part))
        }
        _ => Err(invalid()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn part(question: &str) -> io::Result<Vec<u8>> {
        let mut files = [Cursor::new(b"weights".to_vec())];
        heard([&b"?"[..], question.as_bytes()].concat(), &mut files).map(|said| match said {
            Said::Part(bytes) | Said::Last(bytes) => bytes,
        })
    }

    #[test]
    fn a_child_gets_parts_of_the_files_it_was_given_and_of_no_others() {
        assert_eq!(part(r#"{"index":0,"at":2,"length":3}"#).unwrap(), b"igh");
        assert_eq!(part(r#"{"index":0,"at":90,"length":3}"#).unwrap(), b"");
        let problem = |question: &str| part(question).unwrap_err().kind();
        assert_eq!(problem(r#"{"index":1,"at":0,"length":3}"#), io::ErrorKind::InvalidData);
        assert_eq!(problem(r#"{"index":0,"at":-1,"length":3}"#), io::ErrorKind::InvalidData);
        let nonsense = heard(b"x".to_vec(), &mut [Cursor::new(Vec::<u8>::new())]);
        assert_eq!(nonsense.err().unwrap().kind(), io::ErrorKind::InvalidData);
    }
}
