//! All tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod auth_queue;
mod bad_days;
mod calibration;
mod checkup;
mod confidence;
mod deletion;
mod domains;
mod feedback;
mod fetching;
mod find;
mod guarded;
mod materials;
mod opening;
mod repositories;
mod salvage;
mod support;
mod transfer;
mod vectors;
mod view_files;
mod views;
mod voices;
