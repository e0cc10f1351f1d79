//! `lyra mcp`: the door for assistants.

use std::net::SocketAddr;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::Invocation;
use crate::config::Platform;
use crate::failure::Failure;
use crate::mcp::install::{Client, Installed, Launch};
use crate::mcp::{Toolset, http, reference, stdio};
use crate::ui::Ui;

/// Serve assistants over the Model Context Protocol (MCP)
///
/// Without a command it speaks to one client on stdin and stdout, as Claude, Cursor, VS Code and Codex start it.
/// Nothing is opened before it is needed, and the database is left to other programs when nothing runs. Tools,
/// arguments and answers: docs/tools.md.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra mcp install cursor
  lyra mcp install codex --print
  lyra mcp --http 127.0.0.1:8765
  lyra mcp --tools library

Next: ask your assistant to investigate something; `lyra task list` shows what it does.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Serve over HTTP here instead, e.g. 127.0.0.1:8765; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// The tools that are offered; with `install`, what the client starts Lyra with
    #[arg(long, global = true, value_name = "SET", value_enum, default_value_t)]
    tools: Toolset,
}

#[derive(Debug, Subcommand)]
enum Command {
    Install(Install),
    Tools(Tools),
}

/// Put Lyra into the configuration of a client
///
/// Only the entry of Lyra is touched, and a file that cannot be understood is left as it is. --data-dir and
/// --config, where given, become part of the entry.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra mcp install claude
  lyra mcp install vscode --print
  lyra --data-dir ~/cases/2026 mcp install cursor

Claude Code keeps its own list: `claude mcp add lyra -- /path/to/lyra mcp`.
Next: restart the client.")]
struct Install {
    /// Which client
    client: Client,
    /// Print what belongs into the configuration, and change nothing
    #[arg(long)]
    print: bool,
}

/// Print the reference of the tools as Markdown
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra mcp tools > tools.md")]
struct Tools {}

impl Arguments {
    pub(crate) fn run(&self, invocation: &Invocation, ui: &mut Ui) -> Result<(), Failure> {
        match (&self.command, self.http) {
            (Some(Command::Install(arguments)), _) => arguments.run(invocation, self.tools, ui),
            (Some(Command::Tools(_)), _) if ui.is_json() => {
                ui.document(&json!({ "page": reference() }))
            }
            (Some(Command::Tools(_)), _) => ui.print(&reference()),
            (None, Some(address)) => {
                let session = invocation.session(ui)?;
                session.run_to_end("mcp", |session| http::serve(session, address, self.tools))
            }
            (None, None) => {
                let (invocation, mut own) = (invocation.clone(), ui.clone());
                stdio::serve(ui.clone(), self.tools, move || invocation.session(&mut own))
            }
        }
    }
}

impl Install {
    fn run(&self, invocation: &Invocation, tools: Toolset, ui: &Ui) -> Result<(), Failure> {
        let launch = invocation.launch(tools)?;
        let client = self.client.to_possible_value();
        let client = client.as_ref().map_or_else(String::new, |it| it.get_name().to_owned());
        if self.print {
            let configuration = self.client.snippet(&launch);
            return match ui.is_json() {
                true => ui.document(&json!({ "client": client, "configuration": configuration })),
                false => ui.print(&configuration),
            };
        }
        let file = self.client.file(&invocation.environment, Platform::CURRENT)?;
        let installed = self.client.install(&file, &launch)?;
        if ui.is_json() {
            let changed = installed == Installed::Written;
            let file = file.to_string_lossy();
            return ui.document(&json!({ "client": client, "file": file, "changed": changed }));
        }
        ui.print(&file.display().to_string())?;
        let words = &ui.words().mcp;
        ui.note(match installed {
            Installed::Written => words.written.as_str(),
            Installed::Unchanged => words.unchanged.as_str(),
        });
        Ok(())
    }
}

impl Invocation {
    /// How a client starts this program so that it finds the same data.
    fn launch(&self, tools: Toolset) -> Result<Launch, Failure> {
        let program =
            std::env::current_exe().and_then(|it| it.canonicalize()).map_err(|error| {
                Failure::bad_input(format!("this program cannot be found: {error}"))
            })?;
        let mut arguments = Vec::new();
        let places = self.places()?;
        if self.global.data_dir.is_some() {
            arguments.extend(["--data-dir".to_owned(), places.data_dir.display().to_string()]);
        }
        if self.global.config.is_some() {
            let file = places.config_file.path.display().to_string();
            arguments.extend(["--config".to_owned(), file]);
        }
        arguments.push("mcp".to_owned());
        if tools != Toolset::default()
            && let Some(set) = tools.to_possible_value()
        {
            arguments.extend(["--tools".to_owned(), set.get_name().to_owned()]);
        }
        Ok(Launch { command: program.display().to_string(), arguments })
    }
}
