//! Paths that lead out of the vault and the manuals.

use super::Attack;
use super::program::{Home, Program, SECRET};

const AREA: &str = "paths";

/// What would lead to the secret, or to a file outside, if it were followed.
const PATHS: &[&str] = &[
    "../secret.md",
    "../../secret.md",
    "../../../secret.md",
    "../../../../secret.md",
    "../../../../../../../../../../etc/passwd",
    "notes/../../secret.md",
    "notes/../../../../secret.md",
    "./../secret.md",
    "././../secret.md",
    "..//secret.md",
    "notes//..//..//secret.md",
    "/etc/passwd",
    "//etc/passwd",
    "/secret.md",
    "~/secret.md",
    "$HOME/secret.md",
    "file:///etc/passwd",
    "file:secret.md",
    "..\\secret.md",
    "..\\..\\secret.md",
    "notes\\..\\..\\secret.md",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "C:secret.md",
    "\\\\server\\share\\x.md",
    "\\\\?\\C:\\x.md",
    "%2e%2e/secret.md",
    "%2e%2e%2fsecret.md",
    "..%2fsecret.md",
    "..%5csecret.md",
    "%252e%252e/secret.md",
    "．．/secret.md",
    "‥/secret.md",
    "..∕secret.md",
    "..／secret.md",
    "..\u{0}/secret.md",
    "notes/x.md\u{0}.txt",
    "secret.md\n",
    "notes/\u{202e}dm.terces",
    "notes/\u{7f}.md",
    "notes/\u{1b}[2J.md",
    ".system/log.md",
    ".SYSTEM/log.md",
    "notes/../.system/log.md",
    ".git/config",
    ".hidden.md",
    "CON.md",
    "con",
    "NUL.md",
    "COM1.md",
    "aux.md",
    "notes/x.md.",
    "notes/x.md ",
    "notes/x.md::$DATA",
    "notes/x.md:stream",
    "",
    ".",
    "..",
    "notes/",
    "notes/x.exe",
    "notes/x.sh",
    "notes/x",
    "link.md",
    "linked/secret.md",
    "/proc/self/environ",
    "/proc/self/cwd/secret.md",
    "/dev/stdin",
    "/dev/zero",
    "../.config/lyra/config.toml",
    "../lyra.db",
];

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let mut attacks = Vec::new();
    let home = home();
    for arguments in [["vault", "read", "notes/leave.md"], ["manual", "read", "handbook/leave.md"]]
    {
        let control = program.run(&home, &arguments, b"");
        assert!(control.stdout.contains("Twelve weeks."), "an honest path is read: {control:?}");
    }
    for path in PATHS {
        // No program can be given a name with a zero on the command line: assistants can.
        if path.contains('\0') {
            continue;
        }
        let shown = path.escape_debug().to_string();
        for (command, would) in [
            (&["vault", "read"], "reads a file outside the vault"),
            (&["manual", "read"], "reads a file outside the manuals"),
        ] {
            let ended = program.run(&home, &[command[0], command[1], "--", path], b"");
            let name = format!("{} {} {shown}", command[0], command[1]);
            attacks.push(Attack::new(AREA, name, would, ended.refused()));
        }
        let before = home.outside_data();
        let ended = program.run(&home, &["vault", "create", "--", path], b"# overwritten\n");
        let changed = before != home.outside_data();
        let held = ended.decent().and_then(|()| match changed {
            true => Err("a file outside the vault changed".to_owned()),
            false => Ok(()),
        });
        let would = "writes a file outside the vault";
        attacks.push(Attack::new(AREA, format!("vault create {shown}"), would, held));
    }
    attacks
}

/// A home with a manual and a vault, and links in both that lead out.
fn home() -> Home {
    let home = Home::new();
    let data = ".local/share/lyra";
    home.write(&format!("{data}/manuals/handbook/leave.md"), b"# Leave\n\nTwelve weeks.\n");
    home.write(&format!("{data}/vault/notes/leave.md"), b"# Leave\n\nTwelve weeks.\n");
    home.write(&format!("{data}/secret.md"), SECRET.as_bytes());
    #[cfg(unix)]
    for shelf in ["manuals", "vault"] {
        let folder = home.path().join(data).join(shelf);
        let link = |to: &std::path::Path, name: &str| {
            std::os::unix::fs::symlink(to, folder.join(name)).expect("a link can be made");
        };
        link(&home.path().join("secret.md"), "link.md");
        link(home.path(), "linked");
    }
    home
}
