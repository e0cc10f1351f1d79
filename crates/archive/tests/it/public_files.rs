//! Files of other programs, whole and broken, where they are at hand:
//! `LYRA_EVAL_DATA=DIR cargo nextest run -p archive public`.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of one collection, where the public data is at hand.
fn folder(name: &str) -> Option<PathBuf> {
    Some(testkit::public_data()?.join("conformance").join(name))
}

/// Each file of a folder on a line: whole records, digests that were compared, what is wrong and where.
fn check(folder: &Path) -> String {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .filter(|it| it != "LICENSE")
        .collect();
    names.sort_unstable();
    let lines = names.iter().map(|name| {
        let verified = archive::verify(&folder.join(name)).unwrap();
        let problems: Vec<String> =
            verified.problems.iter().map(|it| format!("\n  {}: {}", it.at, it.what)).collect();
        format!("{name} {} {}{}", verified.records, verified.digests, problems.concat())
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn public_warc_files_of_warcio_are_read_or_refused_with_a_reason() {
    let Some(folder) = folder("warcio") else { return };
    insta::assert_snapshot!(check(&folder), @"
    bad.arc 0 0
      0: no WARC record begins here
    example-bad-non-chunked.warc.gz 0 0
      0: the gzip member holds more than one record
    example-bad.warc.gz.bad 0 0
      0: the gzip member holds more than one record
    example-digest.warc 4 4
      0: WARC-Payload-Digest is not that of the bytes
    example-iana.org-chunked.warc 3 3
    example-resource.warc.gz 3 2
    example-space-in-target-uri.warc.gz 2 1
    example-space-in-url.arc 0 0
      0: no WARC record begins here
    example-trunc.warc 2 0
      1197: the record is not as long as it says
    example-wget-bad-target-uri.warc.gz 6 7
    example-wrong-chunks.warc.gz 0 0
      0: the gzip member ends before its record
    example.arc 0 0
      0: no WARC record begins here
    example.arc.gz 0 0
      0: no WARC record begins here
    example.warc 6 3
    example.warc.gz 6 7
    post-test.warc.gz 6 9
    ");
}

#[test]
fn public_warc_files_of_common_crawl_are_read_whole() {
    let Some(folder) = folder("commoncrawl") else { return };
    insta::assert_snapshot!(check(&folder), @"
    whirlwind.warc.gz 4 7
    whirlwind.warc.wat 2 0
    whirlwind.warc.wat.gz 2 3
    whirlwind.warc.wet 2 1
    whirlwind.warc.wet.gz 2 3
    ");
}

#[test]
fn public_warc_files_cut_or_changed_anywhere_never_panic() {
    for name in ["warcio", "commoncrawl"] {
        let Some(folder) = folder(name) else { return };
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("broken");
        for entry in fs::read_dir(folder).unwrap() {
            let whole = fs::read(entry.unwrap().path()).unwrap();
            for at in (0..whole.len()).step_by(whole.len() / 60 + 1) {
                fs::write(&path, &whole[..at]).unwrap();
                archive::verify(&path).unwrap();
                let mut changed = whole.clone();
                changed[at] ^= 0xff;
                fs::write(&path, changed).unwrap();
                archive::verify(&path).unwrap();
            }
        }
    }
}
