//! All tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod broken_servers;
mod pages;
mod politeness;
mod private_addresses;
mod proxies;
mod records;
mod robots;
mod sessions;
mod small_internet;
mod support;
mod warcio;
