//! Every limit of the fetcher, with the product's values in `Default`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Refuse everything.
    pub offline: bool,
    /// Where a site's owner can reach the person who runs this: an address or a page; part of the user agent.
    pub contact: String,
    pub accept_language: String,
    /// `socks5://host:port`, `socks5h://..` or `http://..`; empty: none.
    ///
    /// With `socks5` names are resolved and checked here, and the proxy is given the address that was checked.
    /// With `socks5h` and `http` the proxy resolves: only addresses written as such and the names of local
    /// networks can be refused here, and where the other names lead is up to the proxy.
    pub proxy: String,
    /// Networks that may be asked although they are not public, such as `10.1.0.0/16`.
    pub allow_networks: Vec<String>,
    /// Names answered here and not by the system: `*.intranet.example=10.1.2.3` or `name=address:port`. The port
    /// takes the place of the scheme's usual one, except through a proxy. Several lines for a name are several
    /// addresses. What they give is checked like every other address, so inner ones need `allow_networks`.
    pub hosts: Vec<String>,
    /// A PEM file with certificates to trust besides the system's; empty: none.
    pub ca_file: PathBuf,
    pub max_body_bytes: u64,
    /// Bytes of a body once it is unpacked.
    pub max_unpacked_bytes: u64,
    pub max_header_bytes: usize,
    pub max_redirects: usize,
    pub timeout_ms: u64,
    pub connect_timeout_ms: u64,
    /// Requests at the same time, to all sites together.
    pub max_concurrent: usize,
    /// The pause between two requests to a domain is drawn between these.
    pub spacing_min_ms: u64,
    pub spacing_max_ms: u64,
    /// Requests a second to one domain, over time; 0: no limit.
    pub per_second: f64,
    /// Requests that may follow each other at the spacing before `per_second` holds them back.
    pub burst: u32,
    /// Requests a day to one domain; 0: no limit.
    pub per_day: u32,
    /// Hours (UTC offset below) in which sites are asked less, as `22-7`; empty: none.
    pub quiet_hours: String,
    pub quiet_utc_offset_hours: i32,
    /// Saturdays and Sundays count as quiet.
    pub quiet_weekends: bool,
    /// In quiet hours pauses are this many times as long, and budgets are divided by it.
    pub quiet_factor: f64,
    pub rest_min_minutes: u64,
    pub rest_max_minutes: u64,
    /// The longest wait for a turn inside one request; beyond it the request is missed with a time to come back.
    pub max_wait_ms: u64,
    pub robots_ttl_hours: u64,
    pub robots_max_bytes: usize,
    pub api_attempts: u32,
    pub api_backoff_ms: u64,
    pub api_backoff_max_ms: u64,
    /// A WARC file is closed and a new one begun at this size.
    pub archive_file_bytes: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            offline: false,
            contact: String::new(),
            accept_language: "ja,en;q=0.8".to_owned(),
            proxy: String::new(),
            allow_networks: Vec::new(),
            hosts: Vec::new(),
            ca_file: PathBuf::new(),
            max_body_bytes: 20 * 1024 * 1024,
            max_unpacked_bytes: 20 * 1024 * 1024,
            max_header_bytes: 64 * 1024,
            max_redirects: 10,
            timeout_ms: 60_000,
            connect_timeout_ms: 10_000,
            max_concurrent: 32,
            spacing_min_ms: 1_500,
            spacing_max_ms: 5_500,
            per_second: 0.2,
            burst: 3,
            per_day: 500,
            quiet_hours: String::new(),
            quiet_utc_offset_hours: 9,
            quiet_weekends: false,
            quiet_factor: 2.0,
            rest_min_minutes: 30,
            rest_max_minutes: 24 * 60,
            max_wait_ms: 120_000,
            robots_ttl_hours: 24,
            robots_max_bytes: 512 * 1024,
            api_attempts: 4,
            api_backoff_ms: 1_000,
            api_backoff_max_ms: 60_000,
            archive_file_bytes: 256 * 1024 * 1024,
        }
    }
}
