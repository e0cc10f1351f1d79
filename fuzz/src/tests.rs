//! Every target on variants of honest bytes, the same in every run: what libFuzzer does for hours, for a moment.

use fastrand::Rng;

const PAGE: &[u8] = b"<html><head><title>Leave</title><base href='https://a.example/b/'></head><body><article><h1>Leave</h1>\
    <p>Parental leave lasts <b>twelve</b> weeks, as <a href='law'>the law</a> of 2019 says (doi:10.1000/xyz123).</p>\
    <table><tr><td>1</td><td>&amp;</td></tr></table><script>if (a < b) {}</script></article></body></html>";
const PDF: &[u8] = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj \
    3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R>>endobj 4 0 obj<</Length 44>>stream\nBT /F1 12 Tf (Hello) Tj ET\nendstream endobj \
    trailer<</Root 1 0 R>>";
const WARC: &[u8] = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
    Content-Length: 19\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\r\n\r\n";
const ROBOTS: &[u8] = b"/a/b?c\nUser-agent: *\nDisallow: /a*b$\nAllow: /a/%E3%81%82\nCrawl-delay: 2.5\nSitemap: https://a.example/s.xml\n";
const CLAIMS: &[u8] = "<think>hm</think>```json\n{\"claims\": [{\"claim\": \"Vitamin D reduced falls by 19 percent.\", \"quote\": \
    \"Vitamin D reduced falls by 19 percent\"}], \"score\": 0.7, \"sentences\": [{\"text\": \"It \\u00e9 does.\", \"passages\": [1]}],}"
    .as_bytes();

/// Bytes like those given: some changed, left out, doubled or brought in.
fn variant(seed: &[u8], random: &mut Rng) -> Vec<u8> {
    const MARKS: &[u8] = b"<>\"'{}[]()\\/%&;:=*\0\n\r \xff\xe3";
    let mut bytes = seed.to_vec();
    for _ in 0..random.usize(0..8) {
        let at = random.usize(0..=bytes.len());
        let end = (at + random.usize(0..12)).min(bytes.len());
        match random.u8(0..5) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.insert(at, MARKS[random.usize(0..MARKS.len())]),
            3 => bytes.insert(at, random.u8(..)),
            _ => {
                let again = bytes[at..end].to_vec();
                drop(bytes.splice(at..at, again));
            }
        }
    }
    bytes
}

fn holds(target: fn(&[u8]), seeds: &[&[u8]], each: usize) {
    let mut random = Rng::with_seed(20);
    for seed in seeds {
        target(seed);
        for _ in 0..each {
            target(&variant(seed, &mut random));
        }
    }
}

#[test]
fn pages_and_files() {
    holds(crate::html, &[PAGE, b""], 60);
    holds(crate::pdf, &[PDF], 60);
    holds(crate::charset, &[b"shift_jis\n\x93\xfa\x96\x7b", b"utf-16\n\xff\xfea\0"], 60);
    holds(crate::url, &[b"https://a.example/x?doi=10.1000/xyz\n../y#z"], 60);
    holds(
        crate::formats,
        &[b"\x01\x00word/document.xml", b"\x01\x01[Content_Types].xml", b"\0\x02# A\n\nb\n"],
        60,
    );
    let office: [&[u8]; 4] = [
        include_bytes!("../../crates/extract/tests/it/office/slides.pptx"),
        include_bytes!("../../crates/extract/tests/it/office/sheets.xlsx"),
        include_bytes!("../../crates/extract/tests/it/office/text.odt"),
        include_bytes!("../../crates/extract/tests/it/office/mail.eml"),
    ];
    holds(crate::office, &office, 60);
}

#[test]
fn answers_of_sites_and_engines() {
    holds(crate::serp, &[PAGE], 15);
    holds(crate::robots, &[ROBOTS], 600);
}

#[test]
fn archives_names_and_queries() {
    holds(crate::warc, &[WARC], 60);
    holds(crate::names, &[b"notes/leave.md", "規程/休暇：第1章.md".as_bytes()], 600);
    holds(crate::identifiers, &[b"doi:10.1000/xyz123, arXiv:2101.00001v2, PMID 12345"], 200);
    holds(
        crate::sql,
        &[b"SELECT url, count(*) FROM pages WHERE url LIKE '%a%' GROUP BY 1 LIMIT 5"],
        60,
    );
}

#[test]
fn answers_of_language_models() {
    holds(crate::llm, &[CLAIMS, b"{\"score\": 1e999}", b"yes"], 200);
}
