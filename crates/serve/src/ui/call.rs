//! Commands as they are printed: with the options that make them find the same data again.

use std::ffi::OsStr;
use std::path::Path;

/// The program's name, as people type it.
const PROGRAM: &str = "lyra ";
/// The option that says where the data is.
const DATA_DIR: &str = "--data-dir";
/// Commands that read in manuals and the vault.
const OF_LIBRARY: [&str; 2] = ["manual ", "vault "];

/// How this program was called, as far as its data depends on it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Call {
    options: String,
    /// Those of the options that say where the data is.
    place: String,
    /// The folders of `lyra manual` and `lyra vault`.
    folders: String,
}

impl Call {
    /// An option that every command is to be called with.
    #[must_use]
    pub(crate) fn option(mut self, name: &str, value: Option<&OsStr>) -> Self {
        self.options += &written(name, value);
        if name == DATA_DIR {
            self.place += &written(name, value);
        }
        self
    }

    /// The call of a command that needs nothing but the data.
    pub(crate) fn of_data(&self) -> Self {
        Self { options: self.place.clone(), place: self.place.clone(), ..Self::default() }
    }

    /// A folder of the library that was named.
    pub(crate) fn folder(&mut self, name: &str, folder: &Path) {
        self.folders += &written(name, Some(folder.as_os_str()));
    }

    /// A text whose commands find the same data: `lyra task list` becomes `lyra --data-dir DIR task list`.
    pub(crate) fn in_text(&self, text: &str) -> String {
        if self.options.is_empty() && self.folders.is_empty() {
            return text.to_owned();
        }
        let mut result = String::with_capacity(text.len());
        let mut at = 0;
        for (place, name) in text.match_indices(PROGRAM) {
            let command = place + name.len();
            let before = text[..place].chars().next_back();
            let is_word = before.is_none_or(|c| !c.is_alphanumeric() && !"/-_.".contains(c));
            // Where options follow, the call is whole already.
            let is_command = |c: char| c.is_ascii_lowercase() || c == '"';
            if !is_word || !text[command..].starts_with(is_command) {
                continue;
            }
            result += &text[at..command];
            result += &self.options;
            at = command;
            if let Some(library) = OF_LIBRARY.into_iter().find(|it| text[command..].starts_with(it))
            {
                result += library;
                result += &self.folders;
                at += library.len();
            }
        }
        result + &text[at..]
    }
}

/// `name value `, as a shell takes it.
fn written(name: &str, value: Option<&OsStr>) -> String {
    match value {
        Some(value) => format!("{name} {} ", quoted(&value.to_string_lossy())),
        None => format!("{name} "),
    }
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-=:,+@%~".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_a_text_find_the_same_data() {
        let call = Call::default()
            .option("--data-dir", Some(OsStr::new("./my data")))
            .option("--offline", None);
        let cases = [
            (
                "`lyra task list` shows the tasks",
                "`lyra --data-dir './my data' --offline task list` shows the tasks",
            ),
            ("見るには: lyra sql", "見るには: lyra --data-dir './my data' --offline sql"),
            (
                r#"`lyra "your question"` asks"#,
                r#"`lyra --data-dir './my data' --offline "your question"` asks"#,
            ),
            ("lyra --data-dir x task list", "lyra --data-dir x task list"),
            ("in ~/.config/lyra now", "in ~/.config/lyra now"),
            ("my-lyra task", "my-lyra task"),
        ];
        for (text, expected) in cases {
            assert_eq!(call.in_text(text), expected);
        }
        assert_eq!(call.of_data().in_text("lyra answer"), "lyra --data-dir './my data' answer");
        assert_eq!(Call::default().in_text("`lyra task list`"), "`lyra task list`");
    }

    #[test]
    fn the_folders_of_the_library_are_carried_where_they_are_read() {
        let mut call = Call::default();
        call.folder("--manuals", Path::new("it's"));
        assert_eq!(
            call.in_text("lyra manual hits tr_1; lyra task list"),
            r"lyra manual --manuals 'it'\''s' hits tr_1; lyra task list"
        );
    }
}
