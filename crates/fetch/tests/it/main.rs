//! One binary for all tests that go through the crate's public door.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod broken_servers;
mod pages;
mod politeness;
mod private_addresses;
mod proxies;
mod records;
mod robots;
mod small_internet;
mod support;
mod warcio;
