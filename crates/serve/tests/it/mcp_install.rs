//! `lyra mcp install`: a client's configuration, with nothing else touched.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Home, own_help};

fn program() -> String {
    fs::canonicalize(env!("CARGO_BIN_EXE_lyra")).unwrap().to_str().unwrap().to_owned()
}

#[test]
fn help_of_mcp_install() {
    insta::assert_snapshot!(own_help("mcp install"), @"
    Put Lyra into the configuration of a client

    Only the entry of Lyra is touched, and a file that cannot be understood is left as it is. --data-dir
    and --config, where given, become part of the entry.

    Usage: lyra mcp install [OPTIONS] <CLIENT>

    Arguments:
      <CLIENT>
              Which client

              Possible values:
              - claude: Claude Desktop
              - cursor
              - vscode: Visual Studio Code
              - codex

    Options:
          --print
              Print what belongs into the configuration, and change nothing

          --tools <SET>
              The tools that are offered; with `install`, what the client starts Lyra with

              Possible values:
              - all:      Both
              - research: Tasks, searches and the evidence graph
              - library:  Your manuals and the vault
              
              [default: all]

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra mcp install claude
      lyra mcp install vscode --print
      lyra --data-dir ~/cases/2026 mcp install cursor

    Claude Code keeps its own list: `claude mcp add lyra -- /path/to/lyra mcp`.
    Next: restart the client.
    --- exit 0
    ");
}

#[cfg(target_os = "linux")]
const FILES: [(&str, &str); 4] = [
    ("claude", ".config/Claude/claude_desktop_config.json"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".config/Code/User/mcp.json"),
    ("codex", ".codex/config.toml"),
];

#[test]
#[cfg(target_os = "linux")]
fn each_client_finds_lyra_where_it_looks() {
    for (client, file) in FILES {
        let home = Home::new();
        let answer = home.run(&format!("mcp install {client}"));
        assert_eq!(answer.code, Some(0), "{answer}");
        assert_eq!(answer.stdout.trim(), home.path().join(file).to_str().unwrap());
        let text = fs::read_to_string(home.path().join(file)).unwrap();
        let printed = home.run(&format!("mcp install {client} --print"));
        assert_eq!(text, printed.stdout, "{client}");
        let again = home.run(&format!("mcp install {client}"));
        assert!(again.stderr.contains("It was there already"), "{again}");
        assert_eq!(fs::read_to_string(home.path().join(file)).unwrap(), text);
    }
}

#[test]
fn the_entry_has_an_absolute_path_and_the_folders_of_this_call() {
    let home = Home::new();
    let answer = home.run("--data-dir cases mcp install cursor --print");
    let folder = home.path().join("cases");
    let entry: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(
        entry,
        json!({ "mcpServers": { "lyra": { "command": program(), "args": ["--data-dir", folder, "mcp"] } } })
    );
    let vscode: Value =
        serde_json::from_str(&home.run("mcp install vscode --print").stdout).unwrap();
    assert_eq!(
        vscode["servers"]["lyra"],
        json!({ "type": "stdio", "command": program(), "args": ["mcp"] })
    );
    let codex = home.run("mcp install codex --print").stdout;
    assert_eq!(
        codex,
        format!("[mcp_servers.lyra]\ncommand = \"{}\"\nargs = [\"mcp\"]\n", program())
    );
}

#[test]
#[cfg(target_os = "linux")]
fn what_else_is_in_the_file_stays() {
    let home = Home::new();
    let file = home.write(
        ".cursor/mcp.json",
        r#"{ "theme": "dark", "mcpServers": { "other": { "command": "x" }, "lyra": { "command": "/old", "env": { "A": "b" } } } }"#,
    );
    assert_eq!(home.run("mcp install cursor").code, Some(0));
    let after: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(
        after,
        json!({ "theme": "dark", "mcpServers": {
            "other": { "command": "x" },
            "lyra": { "command": program(), "env": { "A": "b" }, "args": ["mcp"] } } })
    );
    let file = home.write(
        ".codex/config.toml",
        "# mine\nmodel = \"m\"\n\n[mcp_servers.lyra]\ncommand = \"/old\"\n\n[mcp_servers.other]\ncommand = \"x\" # keep\n",
    );
    assert_eq!(home.run("mcp install codex").code, Some(0));
    assert_eq!(
        fs::read_to_string(file).unwrap(),
        format!(
            "# mine\nmodel = \"m\"\n\n[mcp_servers.lyra]\ncommand = \"{}\"\nargs = [\"mcp\"]\n\n[mcp_servers.other]\ncommand = \"x\" # keep\n",
            program()
        )
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_cannot_be_understood_is_left_as_it_is() {
    let home = Home::new();
    for (client, file, text) in [
        ("cursor", ".cursor/mcp.json", "{ // with a comment\n}"),
        ("cursor", ".cursor/mcp.json", "[]"),
        ("cursor", ".cursor/mcp.json", r#"{ "mcpServers": 7 }"#),
        ("codex", ".codex/config.toml", "[broken"),
        ("codex", ".codex/config.toml", "mcp_servers.lyra.command = \"/old\"\n"),
    ] {
        let path = home.write(file, text);
        let answer = home.run(&format!("mcp install {client}"));
        assert_eq!(answer.code, Some(5), "{text}: {answer}");
        assert!(answer.stderr.contains("it was left as it is"), "{answer}");
        assert_eq!(fs::read_to_string(path).unwrap(), text);
    }
}
