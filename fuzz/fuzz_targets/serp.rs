//! Any bytes as the result page of every engine: no panic, and results that are addresses.
#![no_main]

use extract::Input;
use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use sources::{Engine, SHIPPED_ENGINES, Serp};
use url::Url;

fuzz_target!(|bytes: &[u8]| {
    let url = Url::parse("https://engine.example/search?q=x").expect("a fixed address");
    for shipped in SHIPPED_ENGINES {
        let engine = Engine::parse(shipped.name, shipped.declaration).expect("a shipped engine");
        let input = Input { bytes, url: Some(&url), status: Some(200), headers: &[] };
        for result in Serp::parse(&engine, input, Timestamp::UNIX_EPOCH).results {
            assert!(!result.title.is_empty());
        }
    }
});
