//! Addresses: of the page (first line) and in its links.
#![no_main]

use extract::{Input, ReadSettings};
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|text: &str| {
    let (own, target) = text.split_once('\n').unwrap_or((text, text));
    let url = Url::parse(own).ok();
    if let Some(url) = &url {
        text::identifiers::of_url(url);
    }
    let quoted = target.replace('"', "&quot;");
    let page = format!(
        "<base href=\"{quoted}\"><article><p>According to <a href=\"{quoted}\">the report of the year</a>, the level of the \
         sea rose by four millimetres, which is more than in the years before it, and people noticed.</p></article>"
    );
    let headers = [("content-type".to_owned(), "text/html".to_owned())];
    let input = Input { bytes: page.as_bytes(), url: url.as_ref(), status: None, headers: &headers };
    extract::read(input, &ReadSettings::default());
});
