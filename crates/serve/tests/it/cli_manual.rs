//! `lyra manual` and `lyra vault`.

use crate::mcp_client::home_with_manual;
use crate::support::Home;

#[test]
fn a_find_shows_sections_with_their_places_and_how_to_go_on() {
    let home = home_with_manual();
    let found = home.run("manual find probation");
    assert_eq!(found.code, Some(0), "{found}");
    assert!(found.stdout.starts_with("handbook/leave.md#L9-12  Who may not take it\n"), "{found}");
    assert!(found.stdout.contains("People on probation may not take parental leave"), "{found}");
    assert!(found.stderr.contains("sufficiency"), "{found}");
    let json = home.run("manual find probation --json").json();
    assert_eq!(json["hits"]["items"][0]["ref"], "handbook/leave.md#L9");
    let trace = json["trace_id"].as_str().unwrap();
    let gaps = home.run(&format!("manual hits {trace} --kind gaps"));
    assert_eq!(gaps.code, Some(0), "{gaps}");
}

#[test]
fn manuals_their_headings_and_their_text_are_shown() {
    let home = home_with_manual();
    insta::assert_snapshot!(home.run("manual ls"), @"
    MANUAL    FILES  SECTIONS
    ──────    ─────  ────────
    handbook      1         4
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("manual toc handbook"), @"
    REF                    HEADING
    ───                    ───────
    handbook/leave.md#L1   Leave
    handbook/leave.md#L5     Parental leave
    handbook/leave.md#L9     Who may not take it
    handbook/leave.md#L13    介護休業
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("manual read handbook/leave.md#L5"), @"
    ## Parental leave

    Parental leave lasts 12 weeks. It is asked for in writing.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("manual read handbook/none.md"), @"
    --- stderr
    error: no section handbook/none.md
    hint: `lyra manual ls` and `lyra vault ls` list what there is
    --- exit 3
    ");
}

#[test]
fn without_manuals_it_is_said_where_to_put_them() {
    let home = Home::new();
    let listed = home.run("manual ls");
    insta::assert_snapshot!(listed, @"
    --- stderr
    error: there are no manuals at [home]/.local/share/lyra/manuals
    hint: make the folder, with one folder of Markdown files for each manual, or name another with --manuals
    --- exit 3
    ");
    std::fs::create_dir_all(home.data().join("manuals")).unwrap();
    insta::assert_snapshot!(home.run("manual ls"), @"
    --- stderr
    There are no manuals in [home]/.local/share/lyra/manuals: put a folder with Markdown files there, or name another with --manuals.
    --- exit 0
    ");
}

#[test]
fn a_folder_without_anything_to_search_is_an_error_and_not_an_empty_answer() {
    let home = Home::new();
    home.write("manuals/loose.md", "# Not in a folder of a manual\n");
    let found = home.run("manual find anything --manuals manuals");
    insta::assert_snapshot!(found, @"
    --- stderr
    error: no manual in manuals has a file that can be searched
    hint: a manual is a folder of Markdown or JSON files below it; `lyra manual --manuals manuals ls --skipped` lists files that were left out, and why
    --- exit 3
    ");
}

#[test]
fn a_relative_setting_means_the_same_wherever_it_is_typed() {
    let home = Home::new();
    home.write(".config/lyra/config.toml", "[library]\nmanuals = \"rules\"\n");
    home.write(".config/lyra/rules/office/a.md", "# 鍵\n金庫の鍵は総務課にある。\n");
    home.write("elsewhere/a.txt", "");
    for folder in [home.path().to_owned(), home.path().join("elsewhere")] {
        let mut command = home.command(&["manual", "find", "金庫"]);
        let found = home.answer(command.current_dir(folder).output().unwrap());
        assert!(found.stdout.starts_with("office/a.md#L1"), "{found}");
    }
    home.write("typed/office/b.md", "# 金庫\n金庫は地下にある。\n");
    let typed = home.run("manual find 金庫 --set library.manuals=typed");
    assert!(typed.stdout.starts_with("office/b.md#L1"), "{typed}");
}

#[test]
fn a_contradiction_is_shown_with_both_values() {
    let home = Home::new();
    home.write("m/a/rule.md", "# 在宅勤務規程\n\n## 日数\n在宅勤務は週二日を上限とする。\n");
    home.write("m/b/guide.md", "# 手引き\n\n## 在宅勤務\n在宅勤務は週に3日まで認めます。\n");
    let found = home.run_with(("LC_ALL", "ja_JP.UTF-8"), "manual find 在宅勤務の日数 --manuals m");
    assert!(found.stderr.contains("「週二日」と「週に3日」が食い違っています"), "{found}");
    let json = home.run("manual find 在宅勤務の日数 --manuals m --json").json();
    let trace = json["trace_id"].as_str().unwrap();
    let shown = home.run(&format!("manual hits {trace} --kind conflicts --manuals m"));
    insta::assert_snapshot!(shown, @"
    a/rule.md#L3  日数
      在宅勤務は週二日を上限とする。
    b/guide.md#L3
      在宅勤務は週に3日まで認めます。
      週二日 against 週に3日
    --- exit 0
    ");
}

#[test]
fn a_section_is_copied_written_on_and_audited() {
    let home = home_with_manual();
    let copied = home.run("vault copy handbook/leave.md#L5 notes/parental.md");
    assert_eq!(copied.code, Some(0), "{copied}");
    let added = home.run_with_stdin(
        "育児休業のまとめ。\n".as_bytes(),
        "vault write notes/parental.md --append",
    );
    assert_eq!(added.code, Some(0), "{added}");
    let again = home.run("vault copy handbook/leave.md#L5 notes/parental.md");
    assert_eq!(again.code, Some(2), "{again}");
    insta::assert_snapshot!(home.run("manual audit notes/parental.md"), @"
    handbook/leave.md: 1 of 4 lines touched (25.0 %): 1 copied, 0 referred to, 0 quoted
    LINES  TOUCHED  SECTION
    ─────  ───────  ───────
    7-7    copied
    9-12   no       Who may not take it
    13-15  no       介護休業
    3-3    no
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("vault ls"), @"
    FILE               BYTES
    ────               ─────
    notes/leave.md        73
    notes/parental.md    212
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("vault find 育児休業"), @"
    FILE               LINES  HITS
    ────               ─────  ────
    notes/parental.md  2-6       1
    --- stderr
    1 passages in 2 files that were searched; 0 gaps; sufficiency 1.00; trace vt_1
    --- exit 0
    ");
}

#[test]
fn another_folder_can_be_named() {
    let home = Home::new();
    let manuals =
        home.write("elsewhere/guide/a.md", "# 廃棄\n\n麻薬の廃棄は立会いのもとで行う。\n");
    let folder = manuals.parent().unwrap().parent().unwrap().display().to_string();
    let found = home.run_arguments(&["manual", "find", "麻薬の廃棄", "--manuals", &folder]);
    assert!(found.stdout.starts_with("guide/a.md#L1-3  廃棄\n"), "{found}");
    let vault = home.path().join("my vault").display().to_string();
    let made = home.run_with_stdin(b"# Note\n", "vault ls");
    assert_eq!(made.code, Some(0), "{made}");
    let listed = home.run_arguments(&["vault", "ls", "--vault", &vault]);
    assert_eq!(listed.code, Some(0), "{listed}");
}

/// A command between backquotes, as a person would copy it.
fn printed(answer: &str, beginning: &str) -> String {
    let at = answer.find(&format!("`{beginning}")).unwrap_or_else(|| panic!("{answer}"));
    answer[at + 1..].split_once('`').unwrap().0.to_owned()
}

#[test]
fn what_is_printed_to_go_on_with_finds_the_same_manuals() {
    let home = Home::new();

    let text = "# Leave\n\n## One\n\nLeave is paid.\n\n## Two\n\nLeave is not paid.\n";
    home.write("my manuals/guide/leave.md", text);
    let found = home.run_arguments(&[
        "--data-dir",
        "my data",
        "--offline",
        "manual",
        "find",
        "leave zzyzx",
        "--manuals",
        "my manuals",
    ]);
    assert_eq!(found.code, Some(0), "{found}");
    let command = printed(&found.stderr, "lyra ");
    assert!(
        command
            .starts_with("lyra --data-dir 'my data' --offline manual --manuals 'my manuals' hits "),
        "{command}"
    );
    let mut shell = home.command(&[] as &[&str]);
    let program = shell.get_program().to_owned();
    shell = std::process::Command::new("sh");
    let line = command.replacen("lyra", "\"$0\"", 1);
    shell.args(["-c", &line]).arg(program).env_clear().env("HOME", home.path());
    let went_on = home.answer(shell.current_dir(home.path()).output().unwrap());
    assert_eq!(went_on.code, Some(0), "{command}: {went_on}");
}
