//! A folder of documents as a source.

use std::fs;
use std::path::Path;

use rank::RankSettings;
use sources::Query;
use sources::folders::{Folder, FolderAnswer, FolderReason, FolderSettings};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "notes/fusion.md",
        "# Cold fusion\n\nNobody could repeat the experiment with palladium.\n",
    );
    write("notes/fission.txt", "Fission of uranium heats water. Palladium is not needed.");
    write(
        "page.html",
        "<html><head><title>Heat pumps</title><meta property=\"article:published_time\" content=\"2023-05-06\"></head><body><article><p>A heat pump moves heat from outside to inside, and needs little electricity for it.</p></article></body></html>",
    );
    write("気候.md", "# 気候変動の影響\n\n日本の農業は気候変動で大きく変わる。\n");
    write("data.json", "{\"title\": \"Tide tables\", \"rows\": [1, 2, 3]}");
    write("picture.png", "not a document");
    write(".hidden/secret.md", "# Secret palladium");
    write("empty.md", "");
    folder
}

fn opened(root: &Path, settings: FolderSettings) -> Folder {
    Folder::new(root, settings, RankSettings::default())
}

fn search(folder: &mut Folder, text: &str) -> FolderAnswer {
    folder.search(&Query { text: text.to_owned(), ..Query::default() })
}

/// Titles with the paths of their files under the root.
fn shown(answer: &FolderAnswer, root: &Path) -> String {
    let root = fs::canonicalize(root).unwrap();
    let line = |candidate: &sources::Candidate| {
        let path = candidate.url.to_file_path().unwrap();
        let path = path.strip_prefix(&root).unwrap().display().to_string();
        format!(
            "{}. {} ({path}) {} {}",
            candidate.rank,
            candidate.title,
            candidate.date.as_deref().unwrap_or("-"),
            candidate.source_tag
        )
    };
    answer.candidates.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn missed(answer: &FolderAnswer, root: &Path) -> Vec<String> {
    let root = fs::canonicalize(root).unwrap();
    let line = |file: &sources::folders::MissedFile| {
        let path = file.path.strip_prefix(&root).unwrap_or(&file.path).display().to_string();
        format!("{path}: {:?}: {}", file.reason, file.detail)
    };
    answer.missed.iter().map(line).collect()
}

#[test]
fn a_query_without_words_gives_every_document_in_a_fixed_order() {
    let root = folder();
    let mut folder = opened(root.path(), FolderSettings::default());
    let answer = search(&mut folder, " ");
    insta::assert_snapshot!(shown(&answer, root.path()), @r"
    1. Tide tables (data.json) - library
    2. empty (empty.md) - library
    3. fission (notes/fission.txt) - library
    4. Cold fusion (notes/fusion.md) - library
    5. Heat pumps (page.html) 2023-05-06 library
    6. 気候変動の影響 (気候.md) - library
    ");
    assert_eq!((answer.files, answer.read), (6, 6));
    assert_eq!(missed(&answer, root.path()), Vec::<String>::new());
}

#[test]
fn words_rank_the_documents_that_have_them() {
    let root = folder();
    let mut folder = opened(root.path(), FolderSettings::default());
    insta::assert_snapshot!(shown(&search(&mut folder, "cold palladium"), root.path()), @r"
    1. Cold fusion (notes/fusion.md) - library
    2. fission (notes/fission.txt) - library
    ");
    insta::assert_snapshot!(shown(&search(&mut folder, "日本の気候"), root.path()), @"1. 気候変動の影響 (気候.md) - library");
    assert_eq!(search(&mut folder, "zeppelin").candidates, []);
    let snippet = search(&mut folder, "uranium").candidates[0].snippet.clone();
    assert_eq!(snippet.unwrap(), "Fission of uranium heats water. Palladium is not needed.");
}

#[test]
fn the_rest_of_a_query_narrows_what_is_found() {
    let root = folder();
    let mut folder = opened(root.path(), FolderSettings::default());
    let mut count = |query: Query| folder.search(&query).candidates.len();
    let text = |it: &str| Query { text: it.to_owned(), ..Query::default() };
    assert_eq!(count(text("palladium")), 2);
    assert_eq!(count(Query { excluded: vec!["uranium".to_owned()], ..text("palladium") }), 1);
    assert_eq!(count(Query { required: vec!["water".to_owned()], ..text("palladium") }), 1);
    assert_eq!(count(Query { phrases: vec!["cold fusion".to_owned()], ..text("palladium") }), 1);
    assert_eq!(count(Query { in_title: Some("Cold".to_owned()), ..text("palladium") }), 1);
    assert_eq!(count(Query { filetype: Some("TXT".to_owned()), ..text("palladium") }), 1);
    assert_eq!(count(Query { limit: 1, ..text("palladium") }), 1);
    assert_eq!(count(Query { after: Some("2024".to_owned()), ..text("heat pump") }), 0);
    assert_eq!(count(Query { before: Some("2023-05-06".to_owned()), ..text("heat pump") }), 1);
    let site = folder.search(&Query { site: Some("x.example".to_owned()), ..text("palladium") });
    assert_eq!(site.notes, ["a folder has no `site`: searched without it"]);
}

#[test]
fn only_what_changed_is_read_again() {
    let root = folder();
    let mut folder = opened(root.path(), FolderSettings::default());
    assert_eq!(search(&mut folder, "").read, 6);
    assert_eq!(search(&mut folder, "").read, 0);
    fs::write(root.path().join("notes/fission.txt"), "Now about zeppelins.").unwrap();
    fs::remove_file(root.path().join("data.json")).unwrap();
    fs::write(root.path().join("new.md"), "# New zeppelin\n\nIt flies.\n").unwrap();
    let answer = search(&mut folder, "zeppelin zeppelins");
    assert_eq!((answer.files, answer.read, answer.candidates.len()), (6, 2, 2));
}

#[test]
fn every_bound_is_a_recorded_outcome() {
    let root = folder();
    let at = |settings: FolderSettings| {
        let mut folder = opened(root.path(), settings);
        let answer = search(&mut folder, "");
        (answer.files, missed(&answer, root.path()))
    };
    let all = FolderSettings::default();
    assert_eq!(at(FolderSettings { max_files: 2, ..all.clone() }), (2, vec!["notes/fission.txt: TooMany: more than 2 documents: this one and what follows is left out".to_owned()]));
    assert_eq!(
        at(FolderSettings { max_depth: 0, ..all.clone() }),
        (4, vec!["notes: TooDeep: more than 0 folders deep".to_owned()])
    );
    let (files, missed) = at(FolderSettings { max_file_bytes: 60, ..all.clone() });
    assert_eq!(files, 3);
    assert_eq!(missed.len(), 3);
    assert_eq!(missed[0], "notes/fusion.md: TooLarge: 66 bytes are more than 60");
    let (_, missed) = at(FolderSettings { max_entries: 1, ..all.clone() });
    assert_eq!(missed[0], ": TooMany: more than 1 names in one folder");
    let mut folder =
        opened(root.path(), FolderSettings { max_file_bytes: 60, max_missed: 1, ..all });
    let answer = search(&mut folder, "");
    assert_eq!((answer.missed.len(), answer.more_missed), (1, 2));
}

#[test]
fn a_folder_that_is_not_there_is_an_outcome_too() {
    let root = folder();
    let answer = search(&mut opened(&root.path().join("nowhere"), FolderSettings::default()), "");
    assert_eq!((answer.files, answer.missed[0].reason), (0, FolderReason::NoFolder));
    let answer = search(&mut opened(&root.path().join("page.html"), FolderSettings::default()), "");
    assert_eq!(answer.missed[0].detail, "it is no folder");
}

#[test]
fn files_that_are_no_documents_in_spite_of_their_name_are_missed() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("broken.pdf"), b"%PDF-1.7\nnothing").unwrap();
    fs::write(root.path().join("fine.md"), "Text.").unwrap();
    let answer = search(&mut opened(root.path(), FolderSettings::default()), "");
    assert_eq!(answer.files, 1);
    assert_eq!(answer.missed.len(), 1);
    assert_eq!(answer.missed[0].reason, FolderReason::NoText);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let outside = folder();
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    fs::create_dir(at("inner")).unwrap();
    fs::write(at("inner/a.md"), "# A\n\nText.\n").unwrap();
    symlink(outside.path(), at("out")).unwrap();
    symlink(outside.path().join("page.html"), at("out.html")).unwrap();
    symlink(root.path(), at("inner/loop")).unwrap();
    symlink(at("inner/a.md"), at("again.md")).unwrap();
    symlink(at("gone.md"), at("broken.md")).unwrap();
    let answer = search(&mut opened(root.path(), FolderSettings::default()), "");
    assert_eq!(shown(&answer, root.path()), "1. A (inner/a.md) - library");
    assert_eq!(
        missed(&answer, root.path()),
        [
            "broken.md: BrokenLink: No such file or directory (os error 2)",
            "out: LeavesFolder: a link that leads out of the folder",
            "out.html: LeavesFolder: a link that leads out of the folder",
        ]
    );
    // A pipe with the name of a document: opening it would wait for ever.
    let made = std::process::Command::new("mkfifo").arg(at("pipe.md")).status().unwrap();
    assert!(made.success());
    assert_eq!(search(&mut opened(root.path(), FolderSettings::default()), "").files, 1);
}

#[cfg(unix)]
#[test]
fn forbidden_places_are_said() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder();
    let may = |path: &str, mode| {
        fs::set_permissions(root.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    may("notes", 0o000);
    may("page.html", 0o000);
    if fs::read_dir(root.path().join("notes")).is_ok() {
        println!("skipped: this user may read everything");
        may("notes", 0o755);
        return;
    }
    let answer = search(&mut opened(root.path(), FolderSettings::default()), "");
    may("notes", 0o755);
    assert_eq!(
        missed(&answer, root.path()),
        [
            "notes: Unreadable: Permission denied (os error 13)",
            "page.html: Unreadable: Permission denied (os error 13)",
        ]
    );
    assert_eq!(answer.files, 3);
}
