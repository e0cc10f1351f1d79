//! A client of the engine: decides what to search next, when to stop, and what to write.
//!
//! Thinking is apart from working: this crate talks to [`research::Engine`] through the calls every client has, and
//! the engine never decides what is worth asking. Without a language model the plan is mechanical: the question, its
//! words, the hypothesis, refutations of both, and counter-queries to the best supported claims. With one, rounds of
//! its queries come in between, and it drafts a text whose every sentence is checked against what it cites.
//!
//! Read [`investigate()`] first.

mod draft;
mod investigate;
mod queries;

pub use investigate::{EndReason, Event, Outcome, Plan, PlanSettings, QueryReason, investigate};
