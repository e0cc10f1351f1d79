//! `lyra completions`.

use crate::support::Home;

#[test]
fn help_of_completions() {
    insta::assert_snapshot!(Home::new().run("completions --help"), @"
    Print the completion script of a shell

    Usage: lyra completions [OPTIONS] <SHELL>

    Arguments:
      <SHELL>  [possible values: bash, elvish, fish, powershell, zsh]

    Options:
      -h, --help  Print help

    Options of every command:
          --json             Answer with one JSON document; failures too, on stderr
          --json-lines       Answer in lines of JSON: what happens, and the answer last
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Examples:
      lyra completions bash > ~/.local/share/bash-completion/completions/lyra
      lyra completions zsh > ~/.zfunc/_lyra
      lyra completions fish > ~/.config/fish/completions/lyra.fish
    --- exit 0
    ");
}

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    let home = Home::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let answer = home.run(&format!("completions {shell}"));
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{shell}");
        for word in ["lyra", "claims", "completions", "data-dir"] {
            assert!(answer.stdout.contains(word), "{shell} does not know {word}");
        }
        let document = home.run(&format!("completions {shell} --json")).json();
        assert_eq!(document["script"], answer.stdout);
    }
}

#[test]
fn an_unknown_shell_is_answered_with_the_known_ones() {
    insta::assert_snapshot!(Home::new().run("completions tcsh"), @r"
    --- stderr
    error: invalid value 'tcsh' for '<SHELL>'
      [possible values: bash, elvish, fish, powershell, zsh]

      tip: a similar value exists: 'zsh'

    For more information, try '--help'.
    --- exit 2
    ");
}
