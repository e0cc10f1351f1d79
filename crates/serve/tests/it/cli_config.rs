//! `lyra config`.

use std::fs;

use serde_json::json;

use crate::support::Home;

#[test]
fn help_of_config() {
    insta::assert_snapshot!(Home::new().run("config --help"), @"
    Show the settings, and where files live

    Usage: lyra config [OPTIONS] <COMMAND>

    Commands:
      show     Show the settings with the values in force
      path     Show which files and folders are used, and whether they exist
      default  Print a commented file with the defaults
      help     Print this message or the help of the given subcommand(s)

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
    --- exit 0
    ");
}

#[test]
fn help_of_config_show() {
    insta::assert_snapshot!(Home::new().run("config show --help"), @"
    Show the settings with the values in force

    Usage: lyra config show [OPTIONS]

    Options:
          --expert  Show the settings for experts too; without it only those that were changed
          --origin  Say where each value came from
      -h, --help    Print help

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

    Example:
      lyra config show --origin

    Next: `lyra config default` explains each setting.
    --- exit 0
    ");
}

#[test]
fn help_of_config_path() {
    insta::assert_snapshot!(Home::new().run("config path --help"), @"
    Show which files and folders are used, and whether they exist

    Usage: lyra config path [OPTIONS]

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

    Example:
      lyra config path --data-dir ./here
    --- exit 0
    ");
}

#[test]
fn help_of_config_default() {
    insta::assert_snapshot!(Home::new().run("config default --help"), @"
    Print a commented file with the defaults

    Usage: lyra config default [OPTIONS]

    Options:
          --expert    Print the settings for experts too
          --markdown  Print all of them as one page of Markdown
      -h, --help      Print help

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

    Example:
      lyra config default > my.toml && lyra --config my.toml config show --origin
    --- exit 0
    ");
}

#[test]
fn settings_are_shown_with_their_values() {
    insta::assert_snapshot!(Home::new().run("config show"));
}

#[test]
fn settings_for_experts_are_shown_when_asked_for_or_changed() {
    let home = Home::new();
    let keys = |command: &str| -> Vec<String> {
        let settings = home.run(command).json()["settings"].as_array().unwrap().clone();
        settings.iter().map(|it| it["key"].as_str().unwrap().to_owned()).collect()
    };
    let (common, all) = (keys("config show --json"), keys("config show --expert --json"));
    assert_eq!((common.len(), all.len()), (74, 382));
    assert!(common.iter().all(|key| all.contains(key)));
    assert!(!common.contains(&"storage.lock_wait_ms".to_owned()));
    let changed = keys("config show --json --set storage.lock_wait_ms=5");
    assert_eq!(changed.len(), common.len() + 1);
    assert!(changed.contains(&"storage.lock_wait_ms".to_owned()));
}

#[test]
fn the_origin_of_each_value_can_be_shown() {
    let home = Home::new();
    home.write(".config/lyra/config.toml", "# mine\n[task]\nmax_pages = 40\n");
    let command = "config show --origin --json --set storage.lock_wait_ms=5";
    let settings = home.run_with(("LYRA_LOG_LEVEL", "warn"), command).json()["settings"].clone();
    let is_changed = |it: &&serde_json::Value| it["origin"] != "default";
    let changed: Vec<_> = settings.as_array().unwrap().iter().filter(is_changed).collect();
    let file = home.path().join(".config/lyra/config.toml");
    assert_eq!(
        json!(changed),
        json!([
            { "key": "task.max_pages", "value": 40, "origin": format!("{}:3", file.display()) },
            { "key": "storage.lock_wait_ms", "value": 5, "origin": "--set" },
            { "key": "log.level", "value": "warn", "origin": "LYRA_LOG_LEVEL" },
        ])
    );
    assert_eq!(
        settings[1],
        json!({ "key": "task.max_seconds", "value": 3600, "origin": "default" })
    );
    let table = home.run("config show --origin").stdout;
    let rows: Vec<Vec<&str>> =
        table.lines().take(4).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["SETTING", "VALUE", "ORIGIN"]);
    assert_eq!(rows[2], ["task.max_pages", "40", &format!("{}:3", file.display())]);
    assert_eq!(rows[3], ["task.max_seconds", "3600", "default"]);
}

#[test]
fn the_password_of_a_proxy_is_shown_nowhere() {
    let home = Home::new();
    let proxy = "--set fetch.proxy=http://aki:hunter2@proxy.example:3128";
    for show in ["config show", "config show --origin", "config show --expert --json"] {
        let answer = home.run(&format!("{proxy} {show}"));
        assert_eq!(answer.code, Some(0), "{answer}");
        assert!(answer.stdout.contains("proxy.example:3128"), "{answer}");
        assert!(!answer.to_string().contains("hunter2"), "{answer}");
    }
}

#[test]
fn a_secret_is_shown_as_set_or_not() {
    let home = Home::new();
    let answer = home.run_with(("LYRA_LLM_KEY", "hush"), "config show --json");
    let settings = answer.json()["settings"].as_array().unwrap().clone();
    let value = |key: &str| settings.iter().find(|it| it["key"] == key).unwrap()["value"].clone();
    assert_eq!(value("llm.key"), "[set]");
    assert_eq!(value("academic.openalex_key"), "");
    assert_eq!(value("apis.keys"), json!([]));
    assert!(!answer.stdout.contains("hush"));
}

#[test]
fn places_are_shown_with_whether_they_exist() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("config path"), @r"
    PLACE           EXISTS  PATH
    ─────           ──────  ────
    config file     no      [home]/.config/lyra/config.toml
    config folder   no      [home]/.config/lyra
    domain policy   no      [home]/.config/lyra/domains.toml
    data directory  no      [home]/.local/share/lyra
    database        no      [home]/.local/share/lyra/lyra.db
    log folder      no      [home]/.local/share/lyra/logs
    --- exit 0
    ");
    home.write("here/lyra.db", "");
    insta::assert_snapshot!(home.run("config path --data-dir here --config mine.toml"), @r"
    PLACE           EXISTS  PATH
    ─────           ──────  ────
    config file     no      [home]/mine.toml
    config folder   yes     [home]
    domain policy   no      [home]/domains.toml
    data directory  yes     [home]/here
    database        yes     [home]/here/lyra.db
    log folder      no      [home]/here/logs
    --- exit 0
    ");
    let places = home.run("config path --data-dir here --json").json()["places"].clone();
    assert_eq!(
        places[3],
        json!({ "name": "data directory", "path": home.path().join("here"), "exists": true })
    );
}

#[test]
fn the_default_file_explains_what_people_set() {
    insta::assert_snapshot!(Home::new().run("config default").stdout);
}

#[test]
fn the_default_file_for_experts_explains_everything() {
    insta::assert_snapshot!(Home::new().run("config default --expert").stdout);
}

#[test]
fn the_default_file_is_a_configuration_that_changes_nothing() {
    let home = Home::new();
    let shown = home.run("config show --expert").stdout;
    for command in ["config default", "config default --expert"] {
        let printed = home.run(command).stdout;
        home.write("mine.toml", &printed);
        let with_file = home.run("config show --expert --config mine.toml");
        assert_eq!(with_file.code, Some(0));
        assert_eq!(with_file.stdout, shown);
        assert_eq!(home.run(&format!("{command} --json")).json()["toml"], printed);
    }
}

#[test]
fn a_setting_that_was_removed_is_refused_with_the_reason() {
    let home = Home::new();
    home.write(".config/lyra/config.toml", "[read]\nmax_pdf_page_operators = 3\n");
    insta::assert_snapshot!(home.run("task new question"), @r"
    --- stderr
    error: `read.max_pdf_page_operators` is no longer a setting ([home]/.config/lyra/config.toml:2)
    hint: remove the line: it is a fixed bound now
    --- exit 4
    ");
}

#[test]
fn a_configuration_that_cannot_be_used_stops_every_command_before_it_acts() {
    let home = Home::new();
    let file = ".config/lyra/config.toml";
    home.write(file, "[task]\nmax_page = 3\n");
    insta::assert_snapshot!(home.run("task new question"), @r"
    --- stderr
    error: unknown setting `task.max_page` ([home]/.config/lyra/config.toml:2)
    hint: did you mean `task.max_pages`?
    --- exit 4
    ");
    home.write(file, "[task]\nmax_pages = \"three\"\n");
    insta::assert_snapshot!(home.run("task new question"), @r#"
    --- stderr
    error: `task.max_pages` must be a whole number from 1 to 100000, not "three" ([home]/.config/lyra/config.toml:2)
    hint: `lyra config default` explains it, in section [task]
    --- exit 4
    "#);
    home.write(file, "[task\nmax_pages = 3\n");
    insta::assert_snapshot!(home.run("config show"), @r"
    --- stderr
    error: [home]/.config/lyra/config.toml:1: unclosed table, expected `]`
    hint: the file is TOML; compare it with `lyra config default`
    --- exit 4
    ");
    fs::write(home.path().join(file), b"[task]\nmax_pages = \xff\n").unwrap();
    insta::assert_snapshot!(home.run("config show"), @r"
    --- stderr
    error: cannot read the configuration file [home]/.config/lyra/config.toml
    cause: stream did not contain valid UTF-8
    hint: name another file with --config
    --- exit 4
    ");
    assert!(!home.data().exists());
}

#[test]
fn a_broken_configuration_still_lets_one_find_and_mend_it() {
    let home = Home::new();
    home.write(".config/lyra/config.toml", "nonsense");
    assert_eq!(home.run("config path").code, Some(0));
    assert_eq!(home.run("config default").code, Some(0));
}

#[test]
fn a_file_that_was_named_must_exist() {
    insta::assert_snapshot!(Home::new().run("config show --config missing.toml"), @r"
    --- stderr
    error: cannot read the configuration file [home]/missing.toml
    cause: No such file or directory (os error 2)
    hint: `lyra config default` prints a file to start from
    --- exit 4
    ");
}

#[test]
fn without_a_home_the_places_must_be_named() {
    let home = Home::new();
    let run = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        home.answer(command.env_remove("HOME").output().unwrap())
    };
    insta::assert_snapshot!(run(&["task", "list"]), @r"
    --- stderr
    error: cannot tell where the configuration folder is: HOME is not set
    hint: name the file with --config or LYRA_CONFIG
    --- exit 4
    ");
    assert_eq!(run(&["task", "list", "--data-dir", "d", "--config", "/dev/null"]).code, Some(0));
}
