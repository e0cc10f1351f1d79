//! Any bytes as an HTML page: no panic, positions that hold.
#![no_main]

use extract::{Input, ReadSettings};
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|bytes: &[u8]| {
    let url = Url::parse("https://example.org/a/b?c=d#e").expect("a fixed address");
    let headers = [("content-type".to_owned(), "text/html".to_owned())];
    let input = Input { bytes, url: Some(&url), status: Some(200), headers: &headers };
    let document = extract::read(input, &ReadSettings::default());
    let text: Vec<char> = document.text.chars().collect();
    for fragment in &document.fragments {
        let cut: String = text[fragment.char_start..fragment.char_end].iter().collect();
        assert_eq!(cut, fragment.text);
    }
    document.markdown();
});
