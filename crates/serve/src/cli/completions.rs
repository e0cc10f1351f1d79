//! `lyra completions`: what the shell needs to complete commands.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use super::Cli;
use crate::failure::Failure;
use crate::ui::Ui;

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra completions bash > ~/.local/share/bash-completion/completions/lyra
  lyra completions zsh > ~/.zfunc/_lyra
  lyra completions fish > ~/.config/fish/completions/lyra.fish")]
pub(crate) struct Arguments {
    shell: Shell,
}

impl Arguments {
    pub(crate) fn run(&self, ui: &Ui) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "lyra", &mut script);
        if ui.is_json() {
            return ui.document(&json!({ "script": String::from_utf8_lossy(&script) }));
        }
        ui.write(&script)
    }
}
