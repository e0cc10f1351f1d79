//! One binary for all tests that go through the crate's public door.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod academic_answers;
mod academic_asked;
mod academic_recordings;
mod apis;
mod apis_asked;
mod canonical;
mod cassette;
mod engine_choice;
mod engine_health;
mod engine_merge;
mod engine_requests;
mod engine_search;
mod engine_small_internet;
mod folders;
mod serp_pages;
mod serp_real_pages;
mod small_internet;
