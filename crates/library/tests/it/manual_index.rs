//! Files come and go, change and break; the index follows.

use std::fs;

use library::{LibrarySettings, LsItem, LsKind, LsRequest};

use crate::corpus::{NOW, Small};

fn skipped(small: &Small) -> String {
    let request = LsRequest { kind: Some(LsKind::Skipped), ..LsRequest::default() };
    let items = small.manuals.ls(&request, &NOW).unwrap().items;
    let line = |it: &LsItem| format!("{}: {}", it.name, it.reason.as_deref().unwrap_or_default());
    items.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_file_that_has_not_changed_is_not_read_again() {
    let small = Small::new(&[("hr/a.md", "# A\ntext\n"), ("hr/b.md", "# B\n## C\n")]);
    assert_eq!(small.manuals.refresh().unwrap(), (2, 3));
    small.write("hr/b.md", "# B\n## C\n## D\n");
    assert_eq!(small.manuals.refresh().unwrap(), (1, 4));
    assert_eq!(small.find("text").summary.candidates, 1);
}

#[test]
fn new_changed_and_deleted_files_are_noticed() {
    let small = Small::new(&[("hr/a.md", "# Holidays\n")]);
    assert_eq!(small.find("holidays").summary.candidates, 1);
    small.write("it/b.md", "# Holidays of servers\n");
    assert_eq!(small.find("holidays").summary.candidates, 2);
    small.write("hr/a.md", "# Sick leave\n");
    assert_eq!(small.find("holidays").summary.candidates, 1);
    fs::remove_file(small.path("it/b.md")).unwrap();
    assert_eq!(small.find("holidays").summary.candidates, 0);
}

#[test]
fn what_cannot_be_searched_is_listed_with_the_reason() {
    let settings =
        LibrarySettings { max_file_bytes: 100, max_depth: 2, ..LibrarySettings::default() };
    let small = Small::with(&[("hr/a.md", "# A\n"), ("loose.md", "# Loose\n")], settings);
    small.write("hr/large.md", &"x".repeat(101));
    small.write("hr/broken.json", "{\"a\": ");
    small.write("hr/one/two/deep.md", "# Deep\n");
    small.write("hr/.hidden/x.md", "# Hidden\n");
    small.write("hr/notes.txt", "no manual");
    fs::write(small.path("hr/latin.md"), b"# caf\xe9\n").unwrap();
    insta::assert_snapshot!(skipped(&small), @r"
    hr/broken.json: not JSON
    hr/large.md: too large
    hr/latin.md: not UTF-8
    hr/one/two: too many folders deep
    loose.md: not in the folder of a manual
    ");
    assert_eq!(small.manuals.refresh().unwrap().1, 1);
}

#[cfg(unix)]
#[test]
fn links_stay_inside_the_manuals() {
    let small = Small::new(&[("hr/a.md", "# Secret holidays\n")]);
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x.md"), "# Secret outside\n").unwrap();
    std::os::unix::fs::symlink(outside.path().join("x.md"), small.path("hr/out.md")).unwrap();
    std::os::unix::fs::symlink(outside.path(), small.path("hr/folder")).unwrap();
    std::os::unix::fs::symlink(small.path("hr/a.md"), small.path("hr/same.md")).unwrap();
    insta::assert_snapshot!(skipped(&small), @r"
    hr/folder: a link to a folder
    hr/out.md: a link that leaves the manuals
    ");
    assert_eq!(small.find("secret").summary.candidates, 2);
}

#[test]
fn too_many_files_are_listed() {
    let settings = LibrarySettings { max_files: 1, ..LibrarySettings::default() };
    let small = Small::with(&[("hr/a.md", "# A\n"), ("hr/b.md", "# B\n")], settings);
    assert_eq!(skipped(&small), "hr/b.md: too many files");
}

#[test]
fn json_is_one_section_and_its_escapes_are_read() {
    let small = Small::new(&[("hr/c.json", "{\"\\u4f11\\u6687\": {\"days\": 20}}")]);
    let answer = small.find("休暇");
    assert_eq!(small.shown(&answer), "hr/c.json soft [normalized]");
}

#[test]
fn a_missing_folder_is_an_error_that_names_it() {
    let small = Small::new(&[]);
    fs::remove_dir(small.path("")).unwrap();
    let error = small.manuals.refresh().unwrap_err();
    assert!(error.to_string().starts_with("could not open the folder of the manuals "), "{error}");
    assert_eq!(error.code(), None);
}
