//! `lyra completions`.

use std::path::Path;
use std::process::Command;

use crate::support::Home;
use crate::world::{sea_level, task};

#[test]
fn help_of_completions() {
    insta::assert_snapshot!(Home::new().run("completions --help"), @"
    Print the completion script of a shell

    It completes commands, options, and the ids of tasks, claims and judgements. The script only asks
    this program, so it need not be written again after an update.

    Usage: lyra completions [OPTIONS] <SHELL>

    Arguments:
      <SHELL>
              The shell
              
              [possible values: bash, elvish, fish, powershell, zsh]

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Options of every command:
          --json
              Answer with one JSON document; failures too, on stderr

          --json-lines
              Answer in lines of JSON: what happens, and the answer last

      -q, --quiet
              Print answers and errors only

          --color <WHEN>
              When to use colour [default: the setting output.color]
              
              [possible values: auto, always, never]

          --data-dir <DIR>
              Folder of the database and the logs

          --config <FILE>
              Configuration file

          --offline
              Send nothing over the network

          --set <KEY=VALUE>
              Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Examples:
      lyra completions bash > ~/.local/share/bash-completion/completions/lyra
      lyra completions zsh > ~/.zfunc/_lyra
      lyra completions fish > ~/.config/fish/completions/lyra.fish
    --- exit 0
    ");
}

/// A home with two tasks, and the first letters of the ids that are offered for them.
fn with_tasks() -> (Home, [String; 2]) {
    let home = Home::new();
    let ids = home.fill(|w| Ok([task(w, "Does tea help?")?, task(w, "緑茶は血圧を下げるか")?]));
    let mut ids = ids.map(|it| it.to_string());
    ids.sort();
    (home, ids)
}

fn short(id: &str) -> &str {
    &id[id.len() - 6..]
}

/// What a real shell answers when it runs `script` with the program on its path.
fn in_shell(home: &Home, shell: &[&str], script: &str) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_lyra")).parent().unwrap().display();
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).arg(script).env_clear().current_dir(home.path());
    command.env("HOME", home.path()).env("PATH", format!("{program}:/usr/local/bin:/usr/bin:/bin"));
    command.env("LC_ALL", "C.UTF-8");
    let answer = home.answer(command.output().unwrap());
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{answer}");
    answer.stdout.lines().map(str::to_owned).collect()
}

/// What bash offers for a line with the cursor at its end; `kind` is what it is about to do with it.
fn bash(home: &Home, line: &str, kind: u8) -> Vec<String> {
    let script = format!(
        r#"source <(lyra completions bash) && complete -p lyra >/dev/null
        COMP_LINE={line:?} COMP_POINT=${{#COMP_LINE}} COMP_TYPE={kind}; _lyra
        printf '%s\n' "${{COMPREPLY[@]}}""#
    );
    in_shell(home, &["bash", "--norc", "-c"], &script)
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_options_values_and_ids() {
    let (home, [older, newer]) = with_tasks();
    assert!(testkit::is_installed("bash"));
    assert_eq!(bash(&home, "lyra compl", 9), ["completions"]);
    assert_eq!(bash(&home, "lyra task sh", 9), ["show"]);
    assert_eq!(bash(&home, "lyra research --max", 9), ["--max-pages"]);
    assert_eq!(bash(&home, "lyra report --format h", 9), ["html"]);
    assert_eq!(bash(&home, "lyra report lat", 9), ["latest"]);
    assert_eq!(bash(&home, &format!("lyra report {}", short(&older)), 9), [short(&older)]);
    assert_eq!(bash(&home, &format!("lyra export {}", &newer[..8]), 9), [&*newer, &older]);
    // Bash takes what follows a colon for the word.
    assert_eq!(bash(&home, "lyra report task:", 9), ["1", "2"]);
    assert_eq!(bash(&home, "lyra find tea --task lat", 9), ["latest"]);
    // Old names are not offered, and nothing is where nothing fits.
    let offered = bash(&home, "lyra feedback ", 9);
    assert_eq!(offered, ["claim-reject", "claim-restore", "edge-correct", "help"]);
    assert_eq!(bash(&home, "lyra report zz", 9), [""]);
}

#[cfg(unix)]
#[test]
fn bash_offers_claims_of_the_newest_task_by_their_place() {
    let home = Home::new();
    home.fill(sea_level);
    assert_eq!(bash(&home, "lyra evidence claim:", 9), ["1", "2"]);
    let offered = bash(&home, "lyra feedback claim-reject ", 63);
    let first = "claim:1  (Sea level rose by about 20 cm since 1901.)".to_owned();
    assert!(offered.contains(&first), "{offered:?}");
}

#[cfg(unix)]
#[test]
fn bash_lists_ids_with_what_they_are_about() {
    let (home, [older, newer]) = with_tasks();
    assert_eq!(
        bash(&home, "lyra claims ", 63),
        [
            "latest  (緑茶は血圧を下げるか)".to_owned(),
            format!("{}  (緑茶は血圧を下げるか)", short(&newer)),
            format!("{}  (Does tea help?)", short(&older)),
            "task:1  (緑茶は血圧を下げるか)".to_owned(),
            "task:2  (Does tea help?)".to_owned(),
        ]
    );
}

#[cfg(unix)]
#[test]
fn completion_finds_the_graph_that_the_line_names_and_creates_none() {
    let (home, [_, newer]) = with_tasks();
    std::fs::rename(home.data(), home.path().join("elsewhere")).unwrap();
    let begun = short(&newer);
    assert_eq!(
        bash(&home, &format!("lyra --data-dir elsewhere report {begun}"), 9),
        [short(&newer)]
    );
    assert_eq!(
        bash(&home, &format!("lyra --data-dir=elsewhere report {begun}"), 9),
        [short(&newer)]
    );
    assert_eq!(bash(&home, &format!("lyra report {begun}"), 9), [""]);
    assert!(!home.data().exists());
}

#[cfg(unix)]
#[test]
fn zsh_completes_commands_and_ids_with_descriptions() {
    if !testkit::is_installed("zsh") {
        return;
    }
    let (home, [_, newer]) = with_tasks();
    let zsh = |words: &str| {
        let script = format!(
            r#"compdef() {{ registered=$2 }}; _describe() {{ print -rl -- ${{(P)3}} }}
            source <(lyra completions zsh); [[ $registered == lyra ]] || exit 1
            words=({words}); CURRENT=${{#words}}; _clap_dynamic_completer_lyra"#
        );
        in_shell(&home, &["zsh", "-f", "-c"], &script)
    };
    assert_eq!(
        zsh("lyra task sh"),
        ["show:Show a task: question, limits, searches, how much was gathered"]
    );
    let begun = short(&newer);
    assert_eq!(
        zsh(&format!("lyra report {begun}")),
        [format!("{}:緑茶は血圧を下げるか", short(&newer))]
    );
    assert_eq!(zsh("lyra report task:")[0], "task\\:1:緑茶は血圧を下げるか");
}

#[cfg(unix)]
#[test]
fn fish_completes_commands_and_ids_with_descriptions() {
    if !testkit::is_installed("fish") {
        return;
    }
    let (home, [_, newer]) = with_tasks();
    let fish = |line: &str| {
        let script = format!("lyra completions fish | source; complete --do-complete {line:?}");
        in_shell(&home, &["fish", "--no-config", "-c"], &script)
    };
    assert_eq!(
        fish("lyra task sh"),
        ["show\tShow a task: question, limits, searches, how much was gathered"]
    );
    let begun = short(&newer);
    assert_eq!(
        fish(&format!("lyra report {begun}")),
        [format!("{}\t緑茶は血圧を下げるか", short(&newer))]
    );
}

#[test]
fn every_shell_gets_a_script_that_asks_the_program() {
    let home = Home::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let answer = home.run(&format!("completions {shell}"));
        assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(answer.stdout.contains("_LYRA_COMPLETE"), "{answer}");
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
