//! Tells a client where Lyra is: its configuration, with the absolute path of this program.
//!
//! Desktop clients start servers with another PATH than a shell's; an absolute path is what makes them start.
//! Only the entry of Lyra is touched. A file that cannot be understood is left as it is.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::config::{Environment, Platform};
use crate::failure::{Failure, Kind};

/// Under which name clients know Lyra.
const NAME: &str = "lyra";
/// What the configuration of a client may have: some keep whole conversations in it.
const MAX_FILE_BYTES: u64 = 256 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Client {
    /// Claude Desktop
    Claude,
    Cursor,
    /// Visual Studio Code
    Vscode,
    Codex,
}

/// What a client is to start.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    pub(crate) command: String,
    pub(crate) arguments: Vec<String>,
}

/// What became of a configuration.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Installed {
    Written,
    Unchanged,
}

impl Client {
    /// Where the client keeps its configuration.
    pub(crate) fn file(
        self,
        environment: &Environment,
        platform: Platform,
    ) -> Result<PathBuf, Failure> {
        let variable = |name: &'static str| {
            environment.get(name).map(PathBuf::from).ok_or_else(|| {
                Failure::bad_input(format!(
                    "{name} is not set, so the client's folder is not known"
                ))
                .hint(|w| &w.hint.mcp_print)
            })
        };
        let home = || variable(if platform == Platform::Windows { "USERPROFILE" } else { "HOME" });
        let applications = || match platform {
            Platform::Windows => variable("APPDATA"),
            Platform::MacOs => Ok(home()?.join("Library/Application Support")),
            Platform::Unix => match environment.get("XDG_CONFIG_HOME") {
                Some(folder) => Ok(PathBuf::from(folder)),
                None => Ok(home()?.join(".config")),
            },
        };
        Ok(match self {
            Self::Claude => applications()?.join("Claude/claude_desktop_config.json"),
            Self::Cursor => home()?.join(".cursor/mcp.json"),
            Self::Vscode => applications()?.join("Code/User/mcp.json"),
            Self::Codex => match environment.get("CODEX_HOME") {
                Some(folder) => PathBuf::from(folder).join("config.toml"),
                None => home()?.join(".codex/config.toml"),
            },
        })
    }

    /// The configuration that holds Lyra and nothing else.
    pub(crate) fn snippet(self, launch: &Launch) -> String {
        match self {
            Self::Codex => toml_entry(launch),
            _ => pretty(&Value::Object(Map::from_iter([(
                self.section().to_owned(),
                json!({ NAME: self.entry(launch) }),
            )]))),
        }
    }

    fn section(self) -> &'static str {
        if self == Self::Vscode { "servers" } else { "mcpServers" }
    }

    fn entry(self, launch: &Launch) -> Value {
        let mut entry = json!({ "command": launch.command, "args": launch.arguments });
        if self == Self::Vscode {
            entry = json!({ "type": "stdio", "command": launch.command, "args": launch.arguments });
        }
        entry
    }

    /// Puts Lyra into a configuration file, beside whatever is there.
    pub(crate) fn install(self, file: &Path, launch: &Launch) -> Result<Installed, Failure> {
        let before = match files::read_text(file, MAX_FILE_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(unusable(file, &error.to_string())),
        };
        let after = match self {
            Self::Codex => in_toml(&before, launch).map_err(|it| unusable(file, &it))?,
            _ => self.in_json(&before, launch).map_err(|it| unusable(file, &it))?,
        };
        if after == before {
            return Ok(Installed::Unchanged);
        }
        write(file, &after).map_err(|error| unusable(file, &error.to_string()))?;
        Ok(Installed::Written)
    }

    fn in_json(self, before: &str, launch: &Launch) -> Result<String, String> {
        let mut whole: Value = match before.trim() {
            "" => json!({}),
            text => serde_json::from_str(text)
                .map_err(|error| format!("it is not plain JSON: {error}"))?,
        };
        let fields = whole.as_object_mut().ok_or("it holds no object")?;
        let servers = fields.entry(self.section()).or_insert_with(|| json!({}));
        let servers =
            servers.as_object_mut().ok_or_else(|| format!("`{}` is no object", self.section()))?;
        let entry = servers.entry(NAME).or_insert_with(|| json!({}));
        let wanted = self.entry(launch);
        match (entry.as_object_mut(), wanted) {
            // What the user added to the entry (an environment, say) stays.
            (Some(entry), Value::Object(wanted)) => {
                if wanted.iter().all(|(key, value)| entry.get(key) == Some(value)) {
                    return Ok(before.to_owned());
                }
                entry.extend(wanted);
            }
            (_, wanted) => *entry = wanted,
        }
        Ok(pretty(&whole))
    }
}

/// The text of a TOML file with Lyra's table in it; everything else stays to the letter.
fn in_toml(before: &str, launch: &Launch) -> Result<String, String> {
    let whole: toml::Table = before.parse().map_err(|error: toml::de::Error| {
        format!("it is not TOML: {}", error.message().lines().next().unwrap_or_default())
    })?;
    let wanted: toml::Table =
        toml_entry(launch).parse().map_err(|it: toml::de::Error| it.message().to_owned())?;
    let known =
        |table: &toml::Table| Some(table.get("mcp_servers")?.get(NAME)?.as_table()?.clone());
    let (is, should) = (known(&whole), known(&wanted).unwrap_or_default());
    match is {
        Some(is) if should.iter().all(|(key, value)| is.get(key) == Some(value)) => {
            Ok(before.to_owned())
        }
        None => {
            let gap = if before.trim().is_empty() { "" } else { "\n" };
            let line = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
            Ok(format!("{before}{line}{gap}{}", toml_entry(launch)))
        }
        Some(_) => replace_table(before, launch).ok_or_else(|| {
            "its entry for lyra is written in a way that is not changed here".to_owned()
        }),
    }
}

/// Replaces the lines of the table `[mcp_servers.lyra]`, up to the next table.
fn replace_table(before: &str, launch: &Launch) -> Option<String> {
    let header = format!("[mcp_servers.{NAME}]");
    let lines: Vec<&str> = before.lines().collect();
    let start = lines.iter().position(|it| it.trim() == header)?;
    let length = lines[start + 1..].iter().position(|it| it.trim_start().starts_with('['));
    let end = length.map_or(lines.len(), |it| start + 1 + it);
    let mut after: Vec<String> = lines[..start].iter().map(|it| (*it).to_owned()).collect();
    after.push(toml_entry(launch).trim_end().to_owned());
    if end < lines.len() {
        after.push(String::new());
    }
    after.extend(lines[end..].iter().map(|it| (*it).to_owned()));
    Some(after.join("\n") + "\n")
}

fn toml_entry(launch: &Launch) -> String {
    let text = |it: &str| toml::Value::String(it.to_owned()).to_string();
    let arguments: Vec<String> = launch.arguments.iter().map(|it| text(it)).collect();
    format!(
        "[mcp_servers.{NAME}]\ncommand = {}\nargs = [{}]\n",
        text(&launch.command),
        arguments.join(", ")
    )
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("JSON can be written") + "\n"
}

/// Writes the file whole or not at all; through a link, where users keep their settings in a repository.
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all(text.as_bytes())?;
    if let Ok(known) = fs::metadata(&file) {
        fresh.as_file().set_permissions(known.permissions())?;
    }
    fresh.as_file().sync_all()?;
    fresh.persist(&file).map_err(|error| error.error)?;
    Ok(())
}

fn unusable(file: &Path, problem: &str) -> Failure {
    Failure::new(Kind::Data, format!("{} cannot be changed: {problem}", file.display()))
        .hint(|w| &w.hint.mcp_left)
}
