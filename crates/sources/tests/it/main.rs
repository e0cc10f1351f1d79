//! All tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod academic_answers;
mod academic_asked;
mod academic_recordings;
mod apis;
mod apis_asked;
mod ask;
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
