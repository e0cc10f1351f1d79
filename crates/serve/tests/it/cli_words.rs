//! The language of what the command line says: that of the question, else that of the locale.

use serde_json::Value;

use crate::support::{Answer, Home, JAPANESE};

fn with_library() -> Home {
    let home = Home::new();
    home.write(
        "library/chousa.md",
        "---\nurl: https://ichi.example/a\n---\n# 調査\n\n在宅勤務は事務職の生産性を5％上げた。",
    );
    home
}

fn research(home: &Home, question: &str, flags: &[&str]) -> Answer {
    let arguments = [&["research", question, "--library", "library", "--offline"], flags].concat();
    home.run_arguments(&arguments)
}

/// The lines of stderr, in order, that begin like this.
fn has_in_order(stderr: &str, beginnings: &[&str]) {
    let mut lines = stderr.lines();
    for beginning in beginnings {
        assert!(lines.any(|line| line.starts_with(beginning)), "{beginning:?} in\n{stderr}");
    }
}

#[test]
fn a_japanese_question_is_investigated_in_japanese() {
    let home = with_library();
    let answer = research(&home, "在宅勤務は生産性を上げるか", &[]);
    assert_eq!(answer.code, Some(0), "{answer}");
    has_in_order(
        &answer.stderr,
        &[
            "在宅勤務は生産性を上げるか",
            "調査 task_",
            "検索 1  「在宅勤務は生産性を上げるか」（質問そのもの）",
            "  候補 ",
            "  読了   1  「調査」（",
            "  判定      有用な箇所 ",
            "完了: 検索 ",
            "次にできること:",
        ],
    );
    assert!(!answer.stderr.contains("search"), "{answer}");
}

#[test]
fn an_english_question_is_investigated_in_english_whatever_the_locale() {
    let home = with_library();
    let question = "Does working from home raise productivity?";
    let mut command = home.command(&["research", question, "--library", "library", "--offline"]);
    let answer = home.answer(command.env(JAPANESE.0, JAPANESE.1).output().unwrap());
    assert_eq!(answer.code, Some(0), "{answer}");
    has_in_order(&answer.stderr, &["task task_", "search 1  Does working", "done: ", "Next:"]);
}

#[test]
fn hints_are_in_the_language_of_the_locale() {
    let home = Home::new();
    insta::assert_snapshot!(home.run_with(JAPANESE, "task show task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @r"
    --- stderr
    エラー: 調査 task_AAAAAAAAAAAAAAAAAAAAAAAAAA はありません
    ヒント: `lyra task list` で調査の一覧を確認できます
    --- exit 3
    ");
    home.write(".config/lyra/config.toml", "[task]\nmax_page = 3\n");
    insta::assert_snapshot!(home.run_with(("LC_ALL", "ja_JP"), "task list"), @r"
    --- stderr
    エラー: `task.max_page` という設定はありません（[home]/.config/lyra/config.toml:2）
    ヒント: `task.max_pages` のことですか。
    --- exit 4
    ");
}

#[test]
fn tables_and_notes_are_in_the_language_of_the_locale() {
    let home = Home::new();
    insta::assert_snapshot!(home.run_with(JAPANESE, "task list"), @r#"
    --- stderr
    調査はまだありません。始めるには: lyra "調べたいこと"
    --- exit 0
    "#);
    let doctor = home.run_with(JAPANESE, "--offline doctor").to_string();
    let heading: Vec<&str> = doctor.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(heading, ["状態", "項目", "結果"]);
    assert!(doctor.contains("書き込み中のプロセスなし"), "{doctor}");
}

#[test]
fn a_task_is_shown_in_the_language_of_its_question() {
    let home = Home::new();
    let new = home.run_arguments(&["task", "new", "緑茶は血圧を下げるか"]);
    assert!(new.stderr.starts_with("記録しました。"), "{new}");
    let shown = home.run(&format!("task show {}", new.stdout.trim()));
    let labels: Vec<&str> =
        shown.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(labels, ["調査", "質問", "状態", "上限", "作成", "収集"]);
}

#[test]
fn programs_get_the_same_words_everywhere() {
    let home = with_library();
    let unknown = "task show task_01ARZ3NDEKTSV4RRFFQ69G5FAV --json";
    let answer = home.run_with(JAPANESE, unknown);
    assert_eq!(answer.stderr, home.run(unknown).stderr);
    let failure: Value = serde_json::from_str(&answer.stderr).unwrap();
    assert_eq!(failure["error"]["hint"], "`lyra task list` shows the tasks");
    let answer = research(&home, "在宅勤務は生産性を上げるか", &["--json-lines"]);
    let events = answer.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let reasons: Vec<Value> =
        events.map(|event: Value| event["why"].clone()).filter(|why| !why.is_null()).collect();
    assert_eq!(reasons[0], "question");
}
