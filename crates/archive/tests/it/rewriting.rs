//! Writing a file again without some of its records.

use std::fs;

use archive::{Error, Span, Stored, is_ours, preamble, read_record, remove, rewrite, verify};

use crate::support::{archive, noon, page, read, walk};

fn span(stored: &Stored) -> Span {
    Span { byte_start: stored.byte_start, byte_length: stored.byte_length }
}

#[test]
fn what_is_kept_is_the_same_to_the_byte_and_what_is_not_is_gone() {
    let exchanges = ["a", "b", "c"].map(|it| format!("https://{it}.example/"));
    let exchanges = [&exchanges[0], &exchanges[1], &exchanges[2]].map(|it| page(it, b"<p>body"));
    let (dir, appended) = archive(&exchanges);
    let kept: Vec<&Stored> = [&appended[0], &appended[2]]
        .into_iter()
        .flat_map(|it| [Some(&it.request), it.response.as_ref()])
        .flatten()
        .collect();
    let before: Vec<_> = kept.iter().map(|it| read(dir.path(), it)).collect();
    let old = &appended[0].request.file;
    let old_bytes = fs::read(dir.path().join(old)).unwrap();
    let spans: Vec<Span> = kept.iter().map(|it| span(it)).collect();
    let new = rewrite(dir.path(), old, &spans, noon()).unwrap();
    let after: Vec<_> = new
        .spans
        .iter()
        .map(|it| read_record(dir.path(), &new.file, it.byte_start, it.byte_length).unwrap())
        .collect();
    assert_eq!(after, before);
    assert_eq!(fs::read(dir.path().join(old)).unwrap(), old_bytes, "the old file is not touched");
    let path = dir.path().join(&new.file);
    insta::assert_snapshot!(walk(&path), @r"
    warcinfo lyra-20260115120000-00001.warc.gz
    request https://a.example/
    response https://a.example/
    request https://c.example/
    response https://c.example/
    ");
    assert_eq!(verify(&path).unwrap().problems, []);
    let named: u64 = new.spans.iter().map(|it| it.byte_length).sum();
    assert_eq!(preamble(&path).unwrap() + named, fs::metadata(&path).unwrap().len());
    remove(dir.path(), old).unwrap();
    remove(dir.path(), old).unwrap();
    assert!(!dir.path().join(old).exists());
}

#[test]
fn a_record_that_is_cut_off_stays_cut_off_and_the_others_are_read() {
    let (dir, appended) =
        archive(&[page("https://a.example/", b"a"), page("https://b.example/", b"b")]);
    let last = appended[1].response.as_ref().unwrap();
    let path = dir.path().join(&last.file);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    let first = appended[0].response.as_ref().unwrap();
    let new = rewrite(dir.path(), &last.file, &[span(last), span(first)], noon()).unwrap();
    let read = |at: usize| {
        let it = new.spans[at];
        read_record(dir.path(), &new.file, it.byte_start, it.byte_length)
    };
    assert!(matches!(read(0), Err(Error::Torn { .. })));
    assert_eq!(read(1).unwrap().url(), Some("https://a.example/"));
}

#[test]
fn a_file_that_is_not_there_leaves_nothing_new() {
    let dir = tempfile::tempdir().unwrap();
    let error = rewrite(dir.path(), "lyra-20260115120000-00001.warc.gz", &[], noon()).unwrap_err();
    assert!(error.is_missing_file());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn files_of_others_are_told_from_ours() {
    assert!(is_ours("lyra-20260115120000-00001.warc.gz"));
    for name in [
        "crawl.warc.gz",
        "lyra-20260115120000-00001.warc",
        "lyra-2026-1.warc.gz",
        "lyra-mine.warc.gz",
        "xlyra-20260115120000-00001.warc.gz",
        "lyra-20260115120000-00001.warc.gz.part",
    ] {
        assert!(!is_ours(name), "{name}");
    }
}

#[test]
fn what_is_no_name_of_the_archive_is_neither_rewritten_nor_removed() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("archive");
    fs::create_dir(&folder).unwrap();
    let secret = dir.path().join("secret.md");
    fs::write(&secret, "my secret").unwrap();
    let absolute = secret.to_str().unwrap();
    for name in ["../secret.md", "./../secret.md", absolute, "", ".."] {
        let said = format!("\"{name}\" is not the name of a file in the archive");
        assert_eq!(remove(&folder, name).unwrap_err().to_string(), said);
        let now = "2026-01-15T12:00:00Z".parse().unwrap();
        assert_eq!(rewrite(&folder, name, &[], now).unwrap_err().to_string(), said);
    }
    assert_eq!(fs::read_to_string(secret).unwrap(), "my secret");
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}
