//! A small internet in one process, for tests and for a person to look at.
//!
//! [`World`] is what exists: sites, pages, papers and the facts they are made from, the same for the same seed.
//! [`TestWeb`] serves it on one loopback port as hundreds of hosts, besides the search engines and the academic and
//! public APIs under their real names, and counts what reaches it. It depends on no crate of the product: it is the judge.
//! [`LlmServer`] is a language model server beside it. Start with [`TestWeb::start`], [`World`] and [`Hit`].

mod answer;
mod apis;
mod doors;
mod engines;
mod fault;
mod index;
mod living;
mod llm;
mod log;
mod server;
mod sites;
mod web;
mod world;

pub use answer::{Answer, Request, Wire};
pub use doors::{Door, DoorKind, PASSWORD, SIGN_IN_HOST};
pub use engines::EngineMode;
pub use fault::Fault;
pub use living::Living;
pub use llm::{LLM_MODEL, LlmDialect, LlmMode, LlmRequest, LlmServer};
pub use log::{Hit, Protocol, Via, registrable_domain};
pub use web::TestWeb;
pub use world::{
    Article, Date, Expected, Fact, Field, Indexed, Injection, Language, Page, PageKind, Paper,
    Section, Site, SiteKind, Stance, Template, Text, Topic, World, fact, topics,
};
