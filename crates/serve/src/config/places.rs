//! Where files live, by the convention of each system; flags and two variables move them.
//!
//! Logs stay inside the data directory, so that `--data-dir` moves everything that Lyra writes.

use std::path::{Path, PathBuf};

use super::{Environment, Error};

/// Whose conventions to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    Unix,
    MacOs,
    Windows,
}

impl Platform {
    pub(crate) const CURRENT: Self = if cfg!(target_os = "macos") {
        Self::MacOs
    } else if cfg!(windows) {
        Self::Windows
    } else {
        Self::Unix
    };
}

/// The configuration file, and whether the user named it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    /// A file that was named must exist; one at the usual place may be missing.
    pub(crate) named: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) config_file: ConfigFile,
    pub(crate) data_dir: PathBuf,
}

impl Places {
    /// Finds both places: flag, then `LYRA_CONFIG` and `LYRA_DATA_DIR`, then the convention.
    pub(crate) fn find(
        config: Option<&Path>,
        data_dir: Option<&Path>,
        environment: &Environment,
        platform: Platform,
    ) -> Result<Self, Error> {
        let named = |flag: Option<&Path>, variable| {
            flag.map(Path::to_owned).or_else(|| environment.get(variable).map(PathBuf::from))
        };
        let config_file = match named(config, "LYRA_CONFIG") {
            Some(path) => ConfigFile { path: absolute(path)?, named: true },
            None => {
                let path = config_home(environment, platform)?.join("lyra").join("config.toml");
                ConfigFile { path, named: false }
            }
        };
        let data_dir = match named(data_dir, "LYRA_DATA_DIR") {
            Some(path) => absolute(path)?,
            None => data_home(environment, platform)?.join("lyra"),
        };
        Ok(Self { config_file, data_dir })
    }

    /// The folder of the configuration file: a user's own views and policies lie beside it.
    pub(crate) fn config_dir(&self) -> &Path {
        self.config_file.path.parent().unwrap_or(&self.config_file.path)
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.data_dir.join("lyra.db")
    }

    /// What the searches of the manuals leave behind: traces and statistics, no text.
    pub(crate) fn library_state(&self) -> PathBuf {
        self.data_dir.join("library")
    }

    /// The user's words for the manuals, laid over the shipped ones.
    pub(crate) fn dictionaries(&self) -> PathBuf {
        self.config_dir().join("dictionaries")
    }

    /// The folder of the WARC files.
    pub(crate) fn archive(&self) -> PathBuf {
        self.data_dir.join("archive")
    }

    /// Where the browser's own profiles lie while it runs.
    pub(crate) fn browser(&self) -> PathBuf {
        self.data_dir.join("browser")
    }

    /// Windows that are open for a person, and what is said to them from elsewhere.
    pub(crate) fn visits(&self) -> PathBuf {
        self.data_dir.join("visits")
    }

    /// The key of signed-in sessions. It never lies in the data folder, so a copy of that opens none of them.
    pub(crate) fn session_key(&self) -> PathBuf {
        let folder = match self.config_dir().starts_with(&self.data_dir) {
            false => self.config_dir().to_owned(),
            // On some systems both are one.
            true => {
                let name = self.data_dir.file_name().map(|it| it.to_string_lossy().into_owned());
                self.data_dir.with_file_name(format!("{}-keys", name.unwrap_or_default()))
            }
        };
        folder.join("session.key")
    }

    /// The user's domain policy, laid over the shipped one.
    pub(crate) fn policy(&self) -> PathBuf {
        self.config_dir().join("domains.toml")
    }

    /// Web engines the user adds or replaces, a file each.
    pub(crate) fn engines(&self) -> PathBuf {
        self.config_dir().join("engines")
    }

    /// Public APIs the user adds or replaces, a file each.
    pub(crate) fn sources(&self) -> PathBuf {
        self.config_dir().join("sources")
    }

    /// The user's own views; each replaces the shipped one of its name, or adds one.
    pub(crate) fn views(&self) -> PathBuf {
        self.config_dir().join("views")
    }

    /// Models the user added, a folder each.
    pub(crate) fn models(&self) -> PathBuf {
        self.data_dir.join("models")
    }

    /// Which models are active, as `lyra models use` chose.
    pub(crate) fn model_choice(&self) -> PathBuf {
        self.data_dir.join("models.toml")
    }

    /// Questions that wait for the user, and their answers.
    pub(crate) fn questions(&self) -> PathBuf {
        self.data_dir.join("questions")
    }

    pub(crate) fn logs(&self) -> PathBuf {
        self.data_dir.join("logs")
    }
}

fn config_home(environment: &Environment, platform: Platform) -> Result<PathBuf, Error> {
    let place = "configuration folder";
    match platform {
        Platform::Unix => xdg(environment, "XDG_CONFIG_HOME", ".config", place),
        Platform::MacOs => application_support(environment, place),
        Platform::Windows => variable(environment, "APPDATA", place),
    }
}

fn data_home(environment: &Environment, platform: Platform) -> Result<PathBuf, Error> {
    let place = "data directory";
    match platform {
        Platform::Unix => xdg(environment, "XDG_DATA_HOME", ".local/share", place),
        Platform::MacOs => application_support(environment, place),
        Platform::Windows => variable(environment, "LOCALAPPDATA", place),
    }
}

/// The XDG rule: the variable if it holds an absolute path, else the folder under HOME.
fn xdg(
    environment: &Environment,
    name: &'static str,
    under_home: &str,
    place: &'static str,
) -> Result<PathBuf, Error> {
    match environment.get(name).map(PathBuf::from) {
        Some(path) if path.is_absolute() => Ok(path),
        _ => Ok(variable(environment, "HOME", place)?.join(under_home)),
    }
}

fn application_support(environment: &Environment, place: &'static str) -> Result<PathBuf, Error> {
    Ok(variable(environment, "HOME", place)?.join("Library/Application Support"))
}

fn variable(
    environment: &Environment,
    name: &'static str,
    place: &'static str,
) -> Result<PathBuf, Error> {
    environment.get(name).map(PathBuf::from).ok_or(Error::NoPlace { place, missing: name })
}

fn absolute(path: PathBuf) -> Result<PathBuf, Error> {
    std::path::absolute(&path).map_err(|source| Error::BadPath { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two places, as they would be printed.
    fn places<const N: usize>(platform: Platform, variables: [(&str, &str); N]) -> String {
        match Places::find(None, None, &variables.into(), platform) {
            Ok(it) => format!("{} {}", it.config_file.path.display(), it.data_dir.display()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn each_system_has_its_convention() {
        assert_eq!(
            places(Platform::Unix, [("HOME", "/home/aki")]),
            "/home/aki/.config/lyra/config.toml /home/aki/.local/share/lyra"
        );
        assert_eq!(
            places(Platform::Unix, [("XDG_CONFIG_HOME", "/c"), ("XDG_DATA_HOME", "/d")]),
            "/c/lyra/config.toml /d/lyra"
        );
        let support = "/Users/aki/Library/Application Support/lyra";
        assert_eq!(
            places(Platform::MacOs, [("HOME", "/Users/aki")]),
            format!("{support}/config.toml {support}")
        );
        assert_eq!(
            places(Platform::Windows, [("APPDATA", "/roaming"), ("LOCALAPPDATA", "/local")]),
            "/roaming/lyra/config.toml /local/lyra"
        );
    }

    #[test]
    fn a_relative_xdg_folder_is_ignored_as_the_rule_demands() {
        assert_eq!(
            places(Platform::Unix, [("HOME", "/home/aki"), ("XDG_DATA_HOME", "data")]),
            "/home/aki/.config/lyra/config.toml /home/aki/.local/share/lyra"
        );
    }

    #[test]
    fn without_a_home_the_missing_variable_is_named() {
        assert_eq!(
            places(Platform::Unix, []),
            "cannot tell where the configuration folder is: HOME is not set"
        );
        assert_eq!(
            places(Platform::Windows, [("APPDATA", "/roaming"), ("LOCALAPPDATA", "")]),
            "cannot tell where the data directory is: LOCALAPPDATA is not set"
        );
    }

    #[test]
    fn flags_win_over_variables_and_need_no_home() {
        let environment = [("LYRA_DATA_DIR", "/from/variable"), ("LYRA_CONFIG", "/etc/lyra.toml")];
        let find = |data_dir: Option<&str>| {
            let data_dir = data_dir.map(Path::new);
            Places::find(None, data_dir, &environment.into(), Platform::Unix).unwrap()
        };
        assert_eq!(find(None).data_dir, Path::new("/from/variable"));
        assert_eq!(find(Some("/from/flag")).data_dir, Path::new("/from/flag"));
        let config_file = ConfigFile { path: "/etc/lyra.toml".into(), named: true };
        assert_eq!(find(None).config_file, config_file);
        assert_eq!(find(None).config_dir(), Path::new("/etc"));
        assert_eq!(find(None).policy(), Path::new("/etc/domains.toml"));
        assert_eq!(find(None).session_key(), Path::new("/etc/session.key"));
        assert_eq!(find(Some("/etc")).session_key(), Path::new("/etc-keys/session.key"));
        assert_eq!(find(None).views(), Path::new("/etc/views"));
        assert_eq!(find(None).logs(), Path::new("/from/variable/logs"));
    }
}
