//! Backups that want to be more than a copy of the data.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Attack;
use super::program::{Home, Program};

const AREA: &str = "backups";
const OUTSIDE: &str = "writes a file outside the data folder";
const LINKS: &str = "reads or writes through a link";
const BOMBS: &str = "takes all memory or the whole disk";
const LIES: &str = "puts something else in the place of the data";
const LARGE: u64 = 300 << 20;

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let home = Home::new();
    program.run(&home, &["task", "new", "-"], b"Is tea healthy?");
    program.run(&home, &["backup", "good"], b"");
    program.run(&home, &["backup", "good.tar.gz"], b"");
    let honest = program.run(&home, &["restore", "good.tar.gz", "--yes"], b"");
    let held = match honest.code {
        Some(0) => honest.decent(),
        code => Err(format!("an honest backup ended with {code:?}: {}", honest.stderr)),
    };
    let mut attacks = vec![Attack::new(AREA, "an honest backup", LIES, held)];
    for (name, would, bytes) in packed() {
        home.write("hostile.tar.gz", &bytes);
        attacks.push(Attack::new(AREA, name, would, refused(program, &home, "hostile.tar.gz")));
    }
    for (name, change) in CHANGES {
        let hostile = home.path().join("hostile");
        std::fs::remove_dir_all(&hostile).ok();
        copy(&home.path().join("good"), &hostile)
            .expect("a folder can be copied in one's own home");
        change(&home);
        attacks.push(Attack::new(AREA, *name, LIES, refused(program, &home, "hostile")));
    }
    attacks
}

/// Whether a backup is refused and leaves everything as it was.
fn refused(program: &Program, home: &Home, backup: &str) -> Result<(), String> {
    let tasks = || program.run(home, &["task", "list", "--json"], b"").stdout;
    let (listed, outside) = (tasks(), home.outside_data());
    for arguments in [&["restore", backup][..], &["restore", backup, "--yes"]] {
        let ended = program.run(home, arguments, b"");
        ended.refused()?;
        if ended.stderr.contains('\u{1b}') {
            return Err("it drives the terminal".to_owned());
        }
    }
    if tasks() != listed {
        return Err("the tasks are others".to_owned());
    }
    if home.outside_data() != outside {
        return Err("files outside the data changed".to_owned());
    }
    let data = home.path().join(".local/share/lyra");
    let left = std::fs::read_dir(data).into_iter().flatten().flatten();
    let ready = left.map(|it| it.file_name()).find(|it| it.to_string_lossy().ends_with(".part"));
    match ready {
        Some(it) => Err(format!("{} was left behind", it.display())),
        None => Ok(()),
    }
}

fn packed() -> Vec<(String, &'static str, Vec<u8>)> {
    let mut all = Vec::new();
    for name in [
        "../escape.md",
        "../../escape.md",
        "/escape.md",
        "//escape.md",
        "vault/../../escape.md",
        "vault/../../../../secret.md",
        "archive/../lyra.db",
        "archive/../../escape.md",
        "lyra.db/../escape.md",
        "./lyra.db/x",
        "config.toml",
        "logs/audit.jsonl",
        "models/a/config.json",
        "restore.json",
        "before-restore-x/lyra.db",
        "vault",
        "vault\\..\\..\\escape.md",
        "C:\\escape.md",
        "vault/\u{1b}[2J.md",
        "\u{1b}]0;x\u{7}.md",
        ".bashrc",
        "-rf",
        "",
    ] {
        all.push((format!("the name {name:?}"), OUTSIDE, tar(&[(name, b'0', b"x")])));
    }
    for (kind, what) in [
        (b'1', "a hard link"),
        (b'2', "a symbolic link"),
        (b'3', "a device"),
        (b'4', "a disk"),
        (b'5', "a folder"),
        (b'6', "a pipe"),
        (b'7', "an unknown kind"),
        (b'S', "a sparse file"),
        (b'g', "extensions for all"),
        (b'x', "extensions for one"),
        (b'K', "a long link"),
    ] {
        let entries: [(&str, u8, &[u8]); 2] =
            [("vault/a.md", kind, b""), ("vault/a.md", b'0', b"x")];
        all.push((what.to_owned(), LINKS, tar(&entries)));
    }
    for (name, kind) in [
        ("lyra.db", b'0'),
        ("manifest.json", b'0'),
        ("vault/a.md", b'0'),
        ("././@LongLink", b'L'),
        ("././@LongLink", b'K'),
        ("x", b'x'),
        ("x", b'g'),
    ] {
        let mut bytes = GzEncoder::new(Vec::new(), Compression::new(6));
        bytes.write_all(&header(name, kind, LARGE)).expect("memory takes it");
        io::copy(&mut io::repeat(0).take(LARGE), &mut bytes).expect("memory takes it");
        let bytes = bytes.finish().expect("memory takes it");
        all.push((format!("{name} ({}) that becomes large", char::from(kind)), BOMBS, bytes));
    }
    let nested = ["{\"lyra_backup\":1,\"schema\":1,\"files\":", &"[".repeat(1_000_000)].concat();
    let after = [tar(&[("lyra.db", b'0', b"x")]), vec![0; 1 << 20]].concat();
    for (name, bytes) in [
        ("nothing", Vec::new()),
        ("zeros", vec![0; 4096]),
        ("no manifest", tar(&[("lyra.db", b'0', b"x")])),
        ("a name twice", tar(&[("vault/a.md", b'0', b"x"), ("vault/a.md", b'0', b"y")])),
        ("one file by two names", tar(&[("vault/a.md", b'0', b"x"), ("vault//a.md", b'0', b"y")])),
        (
            "a file in the place of a folder",
            tar(&[("vault/a", b'0', b"x"), ("vault/a/b", b'0', b"y")]),
        ),
        ("a deep manifest", tar(&[("manifest.json", b'0', nested.as_bytes())])),
        ("a manifest of numbers", tar(&[("manifest.json", b'0', b"{\"lyra_backup\":1e999}")])),
        ("two manifests", tar(&[("manifest.json", b'0', b"{}"), ("manifest.json", b'0', b"{}")])),
        ("something after the end", after),
    ] {
        all.push((name.to_owned(), LIES, bytes));
    }
    all
}

/// A change of an honest backup in the folder `hostile`, and what it is.
type Change = (&'static str, fn(&Home));

const CHANGES: &[Change] = &[
    ("a database that is none, with its digest", |home| replace(home, b"no database at all")),
    ("a database of zeros, with its digest", |home| replace(home, &[0; 8192])),
    ("a damaged database, with its digest", |home| {
        let mut bytes = read(home, "lyra.db");
        let middle = bytes.len() / 2;
        bytes[4096..middle].fill(0x5a);
        replace(home, &bytes);
    }),
    ("the database of another program, with its digest", |home| {
        let mut bytes = read(home, "lyra.db");
        // The application id of SQLite's header.
        bytes[68..72].copy_from_slice(&[1, 2, 3, 4]);
        replace(home, &bytes);
    }),
    ("a wrong digest", |home| manifest(home, |it| it["files"][0]["sha256"] = json!("00"))),
    ("a wrong size", |home| manifest(home, |it| it["files"][0]["bytes"] = json!(u64::MAX))),
    ("a path that leads outside", |home| {
        manifest(home, |it| it["files"][0]["path"] = json!("../../secret.md"));
    }),
    ("a path that drives the terminal", |home| {
        manifest(home, |it| it["files"][0]["path"] = json!("\u{1b}[2J"));
    }),
    ("a newer schema", |home| manifest(home, |it| it["schema"] = json!(i64::MAX))),
    ("no files", |home| manifest(home, |it| it["files"] = json!([]))),
    ("a stranger's file", |home| drop(home.write("hostile/evil.sh", b"x"))),
    ("settings", |home| drop(home.write("hostile/config.toml", b"x"))),
    #[cfg(unix)]
    ("a link to a secret", |home| {
        let path = home.path().join("hostile/vault");
        std::os::unix::fs::symlink(home.path().join("secret.md"), path)
            .expect("a link can be made in one's own home");
    }),
];

fn read(home: &Home, name: &str) -> Vec<u8> {
    std::fs::read(home.path().join("hostile").join(name)).expect("a backup has it")
}

fn manifest(home: &Home, change: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&read(home, "manifest.json")).expect("a backup has it");
    change(&mut value);
    home.write("hostile/manifest.json", value.to_string().as_bytes());
}

/// Another database, named by its right digest.
fn replace(home: &Home, bytes: &[u8]) {
    home.write("hostile/lyra.db", bytes);
    let digest: String = Sha256::digest(bytes).iter().map(|it| format!("{it:02x}")).collect();
    manifest(home, |it| {
        for entry in it["files"].as_array_mut().into_iter().flatten() {
            if entry["path"] == "lyra.db" {
                (entry["bytes"], entry["sha256"]) = (json!(bytes.len()), json!(digest));
            }
        }
    });
}

fn copy(from: &std::path::Path, to: &std::path::Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(std::fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

/// A packed archive of names, kinds and contents.
fn tar(entries: &[(&str, u8, &[u8])]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::new(1));
    for (name, kind, bytes) in entries {
        let padding = vec![0; bytes.len().next_multiple_of(512) - bytes.len()];
        let entry = [header(name, *kind, bytes.len() as u64), bytes.to_vec(), padding].concat();
        out.write_all(&entry).expect("memory takes it");
    }
    out.write_all(&[0; 1024]).expect("memory takes it");
    out.finish().expect("memory takes it")
}

fn header(name: &str, kind: u8, size: u64) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len()].copy_from_slice(name.as_bytes());
    block[100..108].copy_from_slice(b"0000777\0");
    block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    block[156] = kind;
    block[157..166].copy_from_slice(b"secret.md");
    block[257..265].copy_from_slice(b"ustar  \0");
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|it| u32::from(*it)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}
