//! The browsers of this machine.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Problem;

/// Names on the search path, and where systems without one keep theirs.
const BROWSERS: [&str; 16] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
    "/snap/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
];

/// A browser that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    pub program: PathBuf,
}

impl Installed {
    /// What it calls itself, such as `Chromium 156.0.8078.79`.
    pub fn version(&self) -> Option<String> {
        // On Windows this would open a window.
        if cfg!(windows) {
            return None;
        }
        let output = Command::new(&self.program)
            .arg("--version")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        // Debian and others add who built it.
        let name = text.lines().next()?.split(" built on ").next()?.trim().to_owned();
        (!name.is_empty()).then_some(name)
    }
}

/// The browsers of this machine, in the order they are tried.
///
/// Only whole paths of the search path count: another one would run what lies in the folder that one happens to be in.
pub fn installed() -> Vec<Installed> {
    in_folders(&std::env::var_os("PATH").unwrap_or_default())
}

fn in_folders(search_path: &OsStr) -> Vec<Installed> {
    let folders: Vec<PathBuf> =
        std::env::split_paths(search_path).filter(|it| it.is_absolute()).collect();
    let places = |name: &&str| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        folders.iter().map(|it| it.join(&name)).collect::<Vec<_>>()
    };
    let (fixed, named): (Vec<&str>, Vec<&str>) =
        BROWSERS.iter().partition(|it| it.contains(['/', '\\']));
    let named = named.iter().flat_map(places);
    let found = named.chain(fixed.into_iter().map(PathBuf::from)).filter(|it| it.is_file());
    found.map(|program| Installed { program }).collect()
}

/// The browser that a setting names, else the first that is there.
pub(crate) fn chosen(setting: &Path) -> Result<Installed, Problem> {
    if setting.as_os_str().is_empty() {
        return installed().into_iter().next().ok_or(Problem::NotInstalled);
    }
    match setting.is_file() {
        true => Ok(Installed { program: setting.to_owned() }),
        false => Err(Problem::NotThere(setting.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_whole_paths_of_the_search_path_count() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("chromium"), "").unwrap();
        let whole = folder.path().to_str().unwrap();
        let here = std::env::current_dir().unwrap();
        // From here to the root, and down again: the same folder by another name.
        let relative = format!("{}{}", "../".repeat(here.components().count() - 1), &whole[1..]);
        assert!(here.join(&relative).join("chromium").is_file());
        let found = |search_path: &str| -> Vec<PathBuf> {
            let all = in_folders(OsStr::new(search_path)).into_iter().map(|it| it.program);
            all.filter(|it| !BROWSERS.contains(&it.to_str().unwrap())).collect()
        };
        assert_eq!(found(&format!("{relative}::.:{whole}")), [folder.path().join("chromium")]);
        assert_eq!(found(&relative), Vec::<PathBuf>::new());
    }
}
