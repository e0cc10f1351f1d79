//! How screens look: the frame around them, and the pieces they share. A template escapes whatever it is given.

pub(crate) mod answer;
pub(crate) mod documents;
pub(crate) mod graph;
pub(crate) mod house;
pub(crate) mod live;
pub(crate) mod people;
pub(crate) mod pieces;
pub(crate) mod questions;
pub(crate) mod shell;
pub(crate) mod source;
pub(crate) mod task;

use jiff::Timestamp;
use report::Language;

use crate::words::Words;

/// What all parts of a screen know.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) w: &'static Words,
    pub(crate) language: Language,
    pub(crate) csrf: String,
    /// The address of this screen.
    pub(crate) here: String,
    pub(crate) now: Timestamp,
    pub(crate) offline: bool,
    /// Pages and questions that wait for a person.
    pub(crate) waiting: u64,
}
