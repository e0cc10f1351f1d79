//! No path leaves the vault, however it is written and whatever links lie in the way.

use std::fs;
use std::path::{Path, PathBuf};

use library::vault::{CreateRequest, ReplaceRequest, WriteMode, WriteRequest};
use library::{LibraryError, LibrarySettings, SafePath, Vault};
use proptest::prelude::*;

/// A vault with something around it that must stay as it is.
struct Surroundings {
    dir: tempfile::TempDir,
    vault: Vault,
}

impl Surroundings {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("vault/notes")).unwrap();
        fs::create_dir(dir.path().join("outside")).unwrap();
        fs::write(dir.path().join("outside/secret.md"), "secret\n").unwrap();
        fs::write(dir.path().join("vault/notes/a.md"), "a\n").unwrap();
        fs::write(dir.path().join("vault/notes/が.md"), "composed\n").unwrap();
        let vault = Vault::new(&dir.path().join("vault"), LibrarySettings::default());
        Self { dir, vault }
    }

    fn inside(&self, path: &str) -> PathBuf {
        self.dir.path().join("vault").join(path)
    }

    /// Every file and folder with its text; the lock is the only thing that may come.
    fn listing(&self) -> Vec<String> {
        let mut listing = Vec::new();
        list(self.dir.path(), &mut listing);
        listing.retain(|it| !it.contains("/.system"));
        listing.sort();
        listing
    }
}

fn list(folder: &Path, listing: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let kind = entry.file_type().unwrap();
        let text = match kind.is_file() {
            true => fs::read_to_string(entry.path()).unwrap(),
            false => String::new(),
        };
        listing.push(format!("{} {text}", entry.path().display()));
        if kind.is_dir() {
            list(&entry.path(), listing);
        }
    }
}

fn create(vault: &Vault, path: &str) -> Result<String, LibraryError> {
    let text = if path.ends_with(".json") { "{}" } else { "new\n" };
    let request = CreateRequest { path: path.to_owned(), text: text.to_owned() };
    vault.create(&request).map(|it| it.path.to_string())
}

fn append(vault: &Vault, path: &str) -> Result<String, LibraryError> {
    let (path, text) = (path.to_owned(), "new\n".to_owned());
    let request = WriteRequest { path, text, mode: WriteMode::Append, expected_hash: None };
    vault.write(&request).map(|it| it.path.to_string())
}

fn replace(vault: &Vault, path: &str) -> Result<String, LibraryError> {
    let request: ReplaceRequest =
        serde_json::from_value(serde_json::json!({"path": path, "old": "s", "new": "x"})).unwrap();
    vault.replace(&request).map(|it| it.path.to_string())
}

const INVALID: &str = "invalid_path";
const FORBIDDEN: &str = "forbidden";

/// Attacks by spelling alone, each with the code it is refused with.
const SPELLINGS: &[(&str, &str)] = &[
    // Up and out.
    ("../outside/secret.md", INVALID),
    ("notes/../../outside/secret.md", INVALID),
    ("notes/..", INVALID),
    ("./a.md", INVALID),
    ("notes/./a.md", INVALID),
    ("..", INVALID),
    (".", INVALID),
    ("", INVALID),
    // Absolute, in every dialect.
    ("/etc/passwd.md", INVALID),
    ("//server/share/a.md", INVALID),
    ("\\\\server\\share\\a.md", INVALID),
    ("\\\\?\\C:\\a.md", INVALID),
    ("C:\\a.md", INVALID),
    ("C:/a.md", INVALID),
    ("c:a.md", INVALID),
    ("~/a.md", INVALID),
    ("file:///etc/a.md", INVALID),
    // The other separator.
    ("..\\outside\\secret.md", INVALID),
    ("notes\\a.md", INVALID),
    // What cannot be seen.
    ("a\0.md", INVALID),
    ("a.md\0.exe", INVALID),
    ("a\n.md", INVALID),
    ("a\u{7f}.md", INVALID),
    ("a\u{202e}dm.md", INVALID),
    ("a\u{2066}b.md", INVALID),
    ("a\u{200b}.md", INVALID),
    ("\u{feff}a.md", INVALID),
    ("a\u{ad}b.md", INVALID),
    ("a\u{e0041}.md", INVALID),
    // Empty names, spaces and dots at the edge.
    ("notes//a.md", INVALID),
    ("notes/", INVALID),
    ("a.md ", INVALID),
    (" a.md", INVALID),
    ("　a.md", INVALID),
    ("notes /a.md", INVALID),
    ("notes./a.md", INVALID),
    ("a.md.", INVALID),
    (".../a.md", INVALID),
    // Devices, streams and short names of Windows.
    ("CON.md", INVALID),
    ("nul.json", INVALID),
    ("notes/Aux.md", INVALID),
    ("COM1.tar.md", INVALID),
    ("lpt9/a.md", INVALID),
    ("COM¹.md", INVALID),
    ("con .md", INVALID),
    ("ＣＯＮ.md", INVALID),
    ("CONIN$.md", INVALID),
    ("a.md:x", INVALID),
    ("a.md::$DATA", INVALID),
    ("a:x.md", INVALID),
    ("SYSTEM~1/a.md", INVALID),
    ("a?.md", INVALID),
    ("a|b.md", INVALID),
    // Look-alikes.
    ("．．/outside/secret.md", INVALID),
    ("‥/a.md", INVALID),
    ("․․/a.md", INVALID),
    ("notes／a.md", INVALID),
    ("notes⁄a.md", INVALID),
    ("notes∕a.md", INVALID),
    ("..＼a.md", INVALID),
    ("..¥a.md", INVALID),
    ("a．md", INVALID),
    // Escapes that somebody may decode.
    ("%2e%2e/a.md", INVALID),
    ("..%2Foutside.md", INVALID),
    ("notes%5Ca.md", INVALID),
    // Kinds of files.
    ("a", INVALID),
    ("a.txt", INVALID),
    ("a.md.exe", INVALID),
    ("a.MD", INVALID),
    ("a.html", INVALID),
    // What belongs to programs.
    (".system/lock.md", FORBIDDEN),
    (".SYSTEM/a.md", FORBIDDEN),
    (".System/traces/a.json", FORBIDDEN),
    ("．system/a.md", FORBIDDEN),
    (".ｓｙｓｔｅｍ/a.md", FORBIDDEN),
    (".ѕуѕтем/a.md", FORBIDDEN),
    (".sys\u{200b}tem/a.md", FORBIDDEN),
    (".system./a.md", FORBIDDEN),
    (".system /a.md", FORBIDDEN),
    (".system::$INDEX_ALLOCATION/a.md", FORBIDDEN),
    (".system\\a.md", FORBIDDEN),
    ("notes/.system/a.md", FORBIDDEN),
    (".git/config.md", FORBIDDEN),
    ("notes/.hidden.md", FORBIDDEN),
    (".md", FORBIDDEN),
    // Daily notes are dated.
    ("daily/notes.md", INVALID),
    ("daily/2026-02-30.md", INVALID),
    ("daily/2026-11-15.json", INVALID),
    ("daily/old/2026-11-15.md", INVALID),
    ("Daily/2026-11-15.md", INVALID),
    ("ｄａｉｌｙ/2026-11-15.md", INVALID),
];

#[test]
fn every_attack_by_spelling_is_refused_and_leaves_no_trace() {
    assert!(SPELLINGS.len() >= 50, "{}", SPELLINGS.len());
    let around = Surroundings::new();
    let before = around.listing();
    for (path, code) in SPELLINGS {
        let refused = create(&around.vault, path).unwrap_err();
        assert_eq!(refused.code(), Some(*code), "{path:?}: {refused}");
        assert!(!refused.to_string().contains(['\0', '\u{202e}', '\u{200b}']), "{path:?}");
    }
    assert_eq!(around.listing(), before);
}

#[test]
fn overlong_paths_are_refused() {
    let around = Surroundings::new();
    let before = around.listing();
    let long_name = format!("{}.md", "長".repeat(80));
    let long_path = format!("{}a.md", "folder/".repeat(143));
    let deep = format!("{}a.md", "d/".repeat(16));
    for path in [long_name, long_path, deep] {
        assert_eq!(create(&around.vault, &path).unwrap_err().code(), Some(INVALID), "{path}");
    }
    assert_eq!(around.listing(), before);
    let longest = format!("{}ab.md", "長".repeat(78) + "x");
    assert_eq!(longest.len(), 240);
    assert_eq!(create(&around.vault, &longest).unwrap(), longest);
}

#[test]
fn names_that_some_systems_cannot_tell_apart_are_a_conflict() {
    let around = Surroundings::new();
    let before = around.listing();
    let twins = ["Notes/b.md", "NOTES/b.md", "ｎotes/b.md", "notes/A.md", "notes/か\u{3099}.md"];
    for path in twins {
        assert_eq!(create(&around.vault, path).unwrap_err().code(), Some("conflict"), "{path}");
    }
    assert_eq!(around.listing(), before);
}

#[test]
fn ordinary_names_in_japanese_and_english_are_fine() {
    let around = Surroundings::new();
    let names = [
        "設計/第３章（案）・概要.md",
        "reports/2026 Q4 (draft) v1.2.md",
        "console.md",
        "data/値.json.md",
    ];
    for path in names {
        assert_eq!(create(&around.vault, path).unwrap(), path);
    }
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Every link in the vault that leads, or could lead, out of it or to what is not a client's.
    const LINKS: &[(&str, &str, &str, &str)] = &[
        // link, target, path that goes through it, code
        ("out", "../outside", "out/secret.md", INVALID),
        ("out", "../outside", "out/new.md", INVALID),
        ("out.md", "../outside/secret.md", "out.md", INVALID),
        ("new.md", "../outside/new.md", "new.md", INVALID),
        ("notes/up", "../../outside", "notes/up/secret.md", INVALID),
        ("notes/far", "../../../../../../../../etc", "notes/far/passwd.md", INVALID),
        ("absolute", "/etc", "absolute/a.md", INVALID),
        ("absolute.md", "/etc/hostname", "absolute.md", INVALID),
        ("self", "self", "self/a.md", INVALID),
        ("self.md", "self.md", "self.md", INVALID),
        ("dangling", "nowhere", "dangling/a.md", INVALID),
        ("back", "notes/../../outside", "back/secret.md", INVALID),
        ("ghost", "nowhere/../../outside", "ghost/secret.md", INVALID),
        ("up", "..", "up/outside/secret.md", INVALID),
        ("plain.md", "notes/a.txt", "plain.md", INVALID),
        ("sys", ".system", "sys/a.md", FORBIDDEN),
        ("sys.json", ".system/x.json", "sys.json", FORBIDDEN),
        ("today", "daily", "today/notes.md", INVALID),
        ("through.md", "notes/a.md/../../../outside/secret.md", "through.md", INVALID),
    ];

    #[test]
    fn links_that_leave_the_vault_are_refused_at_every_level() {
        for (link, target, path, code) in LINKS {
            let around = Surroundings::new();
            for folder in [".system", "daily"] {
                fs::create_dir(around.inside(folder)).unwrap();
            }
            fs::write(around.inside(".system/x.json"), "{}").unwrap();
            fs::write(around.inside("notes/a.txt"), "text").unwrap();
            symlink(target, around.inside(link)).unwrap();
            let before = around.listing();
            for refused in [
                create(&around.vault, path).unwrap_err(),
                append(&around.vault, path).unwrap_err(),
                replace(&around.vault, path).unwrap_err(),
            ] {
                assert_eq!(refused.code(), Some(*code), "{link} -> {target}, {path}: {refused}");
            }
            assert_eq!(around.listing(), before, "{link} -> {target}");
        }
    }

    #[test]
    fn a_chain_of_links_is_followed_to_its_end_before_it_is_judged() {
        let around = Surroundings::new();
        symlink("two", around.inside("one")).unwrap();
        symlink("notes/three", around.inside("two")).unwrap();
        symlink("../../outside", around.inside("notes/three")).unwrap();
        let refused = append(&around.vault, "one/secret.md").unwrap_err();
        assert_eq!(refused.to_string(), "one/secret.md: a link in it leaves the folder");
    }

    #[test]
    fn links_that_stay_inside_are_followed_and_the_file_is_named_where_it_is() {
        let around = Surroundings::new();
        symlink("notes", around.inside("alias")).unwrap();
        symlink(around.inside("notes").canonicalize().unwrap(), around.inside("whole")).unwrap();
        symlink("../notes/a.md", around.inside("notes/b.md")).unwrap();
        assert_eq!(append(&around.vault, "alias/a.md").unwrap(), "notes/a.md");
        assert_eq!(append(&around.vault, "whole/a.md").unwrap(), "notes/a.md");
        assert_eq!(append(&around.vault, "notes/b.md").unwrap(), "notes/a.md");
        assert_eq!(create(&around.vault, "alias/deep/c.md").unwrap(), "notes/deep/c.md");
        assert_eq!(fs::read_to_string(around.inside("notes/a.md")).unwrap(), "a\nnew\nnew\nnew\n");
        assert!(fs::symlink_metadata(around.inside("notes/b.md")).unwrap().is_symlink());
    }

    #[test]
    fn a_link_to_a_daily_note_may_only_append_too() {
        let around = Surroundings::new();
        create(&around.vault, "daily/2026-11-15.md").unwrap();
        symlink("daily/2026-11-15.md", around.inside("today.md")).unwrap();
        let (path, text) = ("today.md".to_owned(), String::new());
        let overwrite =
            WriteRequest { path, text, mode: WriteMode::Overwrite, expected_hash: None };
        assert_eq!(around.vault.write(&overwrite).unwrap_err().code(), Some(FORBIDDEN));
        assert_eq!(append(&around.vault, "today.md").unwrap(), "daily/2026-11-15.md");
    }

    #[test]
    fn a_hard_link_to_a_file_outside_does_not_carry_a_write_out() {
        let around = Surroundings::new();
        let outside = around.dir.path().join("outside/secret.md");
        fs::hard_link(&outside, around.inside("hard.md")).unwrap();
        append(&around.vault, "hard.md").unwrap();
        assert_eq!(fs::read_to_string(&outside).unwrap(), "secret\n");
        assert_eq!(fs::read_to_string(around.inside("hard.md")).unwrap(), "secret\nnew\n");
    }

    #[test]
    fn the_programs_own_folder_is_never_a_link() {
        let around = Surroundings::new();
        symlink("../outside", around.inside(".system")).unwrap();
        let before = around.listing();
        let refused = create(&around.vault, "b.md").unwrap_err();
        assert_eq!(refused.to_string(), "could not open .system");
        assert_eq!(around.listing(), before);
    }

    #[test]
    fn pipes_and_folders_are_no_files() {
        let around = Surroundings::new();
        fs::create_dir(around.inside("folder.md")).unwrap();
        let fifo = around.inside("pipe.md");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
        assert!(made.success());
        for path in ["folder.md", "pipe.md", "notes/a.md/b.md"] {
            assert_eq!(append(&around.vault, path).unwrap_err().code(), Some(INVALID), "{path}");
        }
    }

    #[test]
    fn a_folder_swapped_for_a_link_while_files_are_written_lets_nothing_out() {
        let around = Surroundings::new();
        let (folder, aside) = (around.inside("swap"), around.inside("aside"));
        fs::create_dir(&folder).unwrap();
        fs::write(around.inside("swap/secret.md"), "").unwrap();
        let stop = std::sync::atomic::AtomicBool::new(false);
        let written = std::thread::scope(|scope| {
            let mut random = fastrand::Rng::with_seed(7);
            let stop = &stop;
            let (folder, aside) = (&folder, &aside);
            scope.spawn(move || {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    fs::rename(folder, aside).unwrap();
                    symlink("../outside", folder).unwrap();
                    fs::remove_file(folder).unwrap();
                    fs::rename(aside, folder).unwrap();
                    // Long enough for some writes to find their folder.
                    std::thread::sleep(std::time::Duration::from_micros(random.u64(..800)));
                }
            });
            let written = (0..200).filter(|_| append(&around.vault, "swap/secret.md").is_ok());
            let written = written.count();
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            written
        });
        let outside = fs::read_to_string(around.dir.path().join("outside/secret.md")).unwrap();
        let inside = fs::read_to_string(around.inside("swap/secret.md")).unwrap();
        assert_eq!((outside.as_str(), inside), ("secret\n", "new\n".repeat(written)));
        assert!(written > 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_string_is_refused_or_stays_inside(text in path_like()) {
        let root = Path::new("/vault");
        for path in
            [SafePath::file(&text), SafePath::folder(&text)]
                .into_iter().flatten()
        {
            prop_assert_eq!(path.as_str(), &*text);
            let parts: Vec<_> = Path::new(path.as_str()).components().collect();
            prop_assert!(parts.iter().all(|it| matches!(it, std::path::Component::Normal(_))));
            prop_assert_eq!(parts.len(), path.names().count());
            prop_assert!(root.join(path.as_str()).starts_with(root));
            prop_assert!(path.names().all(|it| !it.starts_with('.')));
        }
    }

}

proptest! {
    // Each of these writes to the disk.
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_is_made_is_made_inside(text in path_like()) {
        let around = Surroundings::new();
        let outside = |it: &Surroundings| {
            let mut listing = it.listing();
            listing.retain(|it| !it.contains("/vault/"));
            listing
        };
        let before = outside(&around);
        match create(&around.vault, &text) {
            Ok(path) => {
                let file = around.inside(&path).canonicalize().unwrap();
                let root = around.inside("").canonicalize().unwrap();
                prop_assert!(file.starts_with(root));
            }
            Err(error) => {
                let code = error.code();
                prop_assert!(
                    matches!(code, Some("invalid_path" | "forbidden" | "conflict")), "{:?}", error
                );
            }
        }
        prop_assert_eq!(outside(&around), before);
    }
}

/// Strings that look like paths, with everything in them that was ever used to leave a folder.
fn path_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just("notes".to_owned()),
        Just("Notes".to_owned()),
        Just("daily".to_owned()),
        Just(".system".to_owned()),
        Just("C:".to_owned()),
        Just("．．".to_owned()),
        Just("2026-11-15".to_owned()),
        "[a-z]{1,8}",
        "[あ-ん漢字]{1,4}",
        "\\PC{0,6}",
        any::<String>(),
    ];
    let separator = prop_oneof![
        8 => Just("/".to_owned()),
        1 => Just("\\".to_owned()),
        1 => Just("／".to_owned()),
        1 => Just(String::new()),
    ];
    let ending =
        prop_oneof![6 => Just(".md"), 2 => Just(".json"), 1 => Just(""), 1 => Just(".md:x")];
    (proptest::collection::vec((piece, separator), 1..6), ending).prop_map(|(pieces, ending)| {
        let mut text: String = pieces.iter().flat_map(|(a, b)| [a.as_str(), b.as_str()]).collect();
        while text.ends_with(['/', '\\']) {
            text.pop();
        }
        text + ending
    })
}
