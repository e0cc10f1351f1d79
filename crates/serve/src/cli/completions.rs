//! `lyra completions`: what the shell needs to complete commands, options and ids.

use clap::Args;
use clap_complete::Shell;
use serde_json::json;

use super::complete;
use crate::failure::Failure;
use crate::ui::Ui;

/// Print the completion script of a shell
///
/// It completes commands, options, and the ids of tasks, claims and judgements. The script only asks this program,
/// so it need not be written again after an update.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra completions bash > ~/.local/share/bash-completion/completions/lyra
  lyra completions zsh > ~/.zfunc/_lyra
  lyra completions fish > ~/.config/fish/completions/lyra.fish")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

impl Arguments {
    pub(crate) fn run(&self, ui: &Ui) -> Result<(), Failure> {
        let script = complete::script(&self.shell.to_string())?;
        if ui.is_json() {
            return ui.document(&json!({ "script": String::from_utf8_lossy(&script) }));
        }
        ui.write(&script)
    }
}
