//! The settings of the fetcher.

use std::path::PathBuf;

use settings::settings;

settings! {
    /// Everything Lyra asks of other machines, and how politely.
    pub struct FetchSettings {
        /// Refuse everything, like --offline.
        offline: bool = false;
        /// Where the owner of a site can reach you, an address or a page; sites see it in the user agent.
        contact: String = String::new();
        /// The languages pages are asked for, as browsers write it.
        accept_language: String = "ja,en;q=0.8".to_owned();
        /// A proxy: socks5://host:port, socks5h://host:port or http://host:port; "" is none. With socks5
        /// names are resolved and checked here. With the others the proxy resolves them, and where a name
        /// leads is up to the proxy.
        proxy: String = String::new();
        /// Networks that may be asked although they are not public, such as ["10.1.0.0/16"].
        allow_networks: Vec<String> = Vec::new();
        /// Names with an address of your own: ["wiki.example=10.1.2.3", "*.example=10.1.2.3:8080"]. Several
        /// entries for a name are several addresses; private addresses need allow_networks.
        hosts: Vec<String> = Vec::new();
        /// A PEM file with certificates to trust besides those of the system; "" is none.
        ca_file: PathBuf = PathBuf::new();
        /// Milliseconds one request may take.
        timeout_ms: u64 = 60_000, in 100..=3_600_000;
        /// The shortest pause between two requests to a site, in milliseconds.
        spacing_min_ms: u64 = 1_500, in 0..=3_600_000;
        /// The longest one; the pause is drawn at random between the two.
        spacing_max_ms: u64 = 5_500, in 0..=3_600_000;
        /// Requests a second to a site, over time.
        per_second: f64 = 0.2, in 0.001..=10_000.0;
        /// Requests a day to a site; 0 is no limit.
        per_day: u32 = 500, in 0..=1_000_000;
        /// Hours in which sites are asked less, such as "22-7"; "" is none.
        quiet_hours: String = String::new();
        /// The clock of those hours, as hours from UTC.
        quiet_utc_offset_hours: i32 = 9, in -12..=14;
        /// Whether Saturdays and Sundays are quiet as well.
        quiet_weekends: bool = false;
        /// Days the session of a person at a site is kept at most; many end sooner by themselves.
        session_days: u32 = 14, in 1..=365;
    }
    expert {
        /// Bytes of a page, as they are sent.
        max_body_bytes: u64 = 20 << 20, in 1_024..=1_073_741_824;
        /// Bytes of a page once it is unpacked.
        max_unpacked_bytes: u64 = 20 << 20, in 1_024..=1_073_741_824;
        /// Bytes of all headers of an answer.
        max_header_bytes: usize = 64 << 10, in 1_024..=1_048_576;
        /// Redirects that are followed.
        max_redirects: usize = 10, in 0..=100;
        /// Milliseconds to connect.
        connect_timeout_ms: u64 = 10_000, in 100..=600_000;
        /// Requests at the same time, to all sites together. To one site it is always one.
        max_concurrent: usize = 32, in 1..=1_000;
        /// Requests to a site that may follow each other before per_second holds them back.
        burst: u32 = 3, in 1..=1_000;
        /// In quiet hours pauses are this many times as long, and budgets are divided by it.
        quiet_factor: f64 = 2.0, in 1.0..=100.0;
        /// Minutes a site is not asked after a failure, doubled after every third one.
        rest_min_minutes: u64 = 30, in 0..=10_080;
        /// Refusals (403) of a site in a row after which its page waits for a person; 0: it never does.
        refusals_for_person: u32 = 3, in 0..=1_000;
        /// The most minutes a site is not asked.
        rest_max_minutes: u64 = 24 * 60, in 0..=10_080;
        /// Milliseconds to wait for a turn; after that the page is missed, with a time to try again.
        max_wait_ms: u64 = 120_000, in 0..=86_400_000;
        /// Hours a robots.txt is good for.
        robots_ttl_hours: u64 = 24, in 1..=168;
        /// Bytes of a robots.txt that are read.
        robots_max_bytes: usize = 512 << 10, in 1_024..=16_777_216;
        /// Attempts at an official API after an overload or a broken connection.
        api_attempts: u32 = 4, in 1..=20;
        /// Milliseconds before the second attempt, doubled before each further one.
        api_backoff_ms: u64 = 1_000, in 1..=600_000;
        /// The most milliseconds between two attempts.
        api_backoff_max_ms: u64 = 60_000, in 1..=3_600_000;
        /// Bytes at which an archive file is closed and the next one begun.
        archive_file_bytes: u64 = 256 << 20, in 65_536..=68_719_476_736;
    }
}
