//! `lyra demo`.

use crate::support::Home;

#[test]
fn the_demo_shows_what_the_graph_can_answer() {
    insta::assert_snapshot!(Home::new().run("demo"), @"

    ── An invented investigation / 架空の調査例

    Question  在宅勤務は生産性を上げるか / Does working from home raise productivity?
    Task      task_AAAAAAAAAAAAAAAAAAAAAAAAAA

    ── What is claimed, and how sure is that? / 主張と確からしさ

    CONFIDENCE  CONTROV.  +  -  CLAIM
    ──────────  ────────  ─  ─  ─────
    0.41 ±0.18      0.37  2  3  Working from home raises the productivity of office workers.
    0.79 ±0.17      0.00  3  0  Allowing work from home lowers resignations.
    0.65 ±0.24      0.00  1  0  自宅に専用の作業環境があれば、在宅勤務でも生産性は下がらない。
    0.73 ±0.20      0.00  2  0  Hybrid work does not lower output.
    0.50 ±0.29      0.00  0  0  New employees learn more slowly in fully remote teams.
    0.61 ±0.26      0.00  1  0  [not adopted: an aside, not a statement about productivity] Offices are a conspiracy of chair makers.

    ── Where do sources disagree? / 対立する根拠

    Working from home raises the productivity of office workers.

    SAYS      SURE  YEAR  SOURCE      QUOTE
    ────      ────  ────  ──────      ─────
    supports  0.91  2015  academic    Staff assigned to work from home completed 13 percent more calls per shift than the control group over nine months.
    supports  0.62  2020  low         In our customer poll 77 percent said they get more done at home.
    refutes   0.88  2020  trusted     在宅勤務の平均的な生産性は職場の6割から7割であり、特に導入直後の企業で低かった。
    refutes   0.86  2021  government  在宅勤務で仕事の生産性が上がったと答えた人は全体の14%にとどまり、下がったと答えた人は48%であった。
    refutes   0.84  2022  academic    Among fully remote developers we found output 8 percent lower than in the office, while hybrid teams showed no difference.

    ── When was it said? / 年ごとの根拠

    YEAR  SUPPORTS  REFUTES  NEUTRAL
    ────  ────────  ───────  ───────
       ?         0        0        0
    2015         2        0        1
    2020         2        1        0
    2021         0        1        0
    2022         2        1        0
    2023         2        0        1

    ── Who writes about 離職? / 全文検索

    TITLE                                 PASSAGE
    ─────                                 ───────
    週2日の在宅、離職は減少 大手10社調べ  週2日の在宅勤務を認めた企業では、離職率が前年より2割から3割低下した。

    ── Why is the first claim here? / 由来

    claim    Working from home raises the productivity of office workers.
    passage  Staff assigned to work from home completed 13 percent more calls per shift than the control group over nine months.
    page     https://journal.example/articles/home-trial
    cause    demo (ev_BBBBBBBBBBBBBBBBBBBBBBBBBB)
    --- stderr

    The sources are invented, and the graph is gone again. To keep one and explore it:

      lyra demo --keep ./demo

    --- exit 0
    ");
}

#[test]
fn the_demo_leaves_the_users_own_data_alone() {
    let home = Home::new();
    assert_eq!(home.run("demo").code, Some(0));
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_kept_demo_can_be_explored_and_is_not_overwritten() {
    let home = Home::new();
    let kept = home.run("demo --keep ./demo");
    assert_eq!(kept.code, Some(0));
    assert!(kept.stderr.contains("lyra --data-dir ./demo find 在宅勤務"), "{}", kept.stderr);
    let tasks = home.run("--data-dir ./demo task list --json").json();
    assert_eq!(tasks["tasks"].as_array().unwrap().len(), 1);
    insta::assert_snapshot!(home.run("demo --keep ./demo"), @"
    --- stderr
    error: ./demo/lyra.db exists already
    hint: choose an empty folder
    --- exit 2
    ");
}

#[test]
fn the_demo_in_json_holds_both_sides_of_the_dispute() {
    let demo = Home::new().run("demo --json").json();
    assert_eq!(demo["claims"].as_array().unwrap().len(), 6);
    assert_eq!(demo["disputes"].as_array().unwrap().len(), 1);
    let relations: Vec<_> = demo["disputes"][0]["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["relation"].as_str().unwrap())
        .collect();
    assert_eq!(relations, ["supports", "supports", "refutes", "refutes", "refutes", "neutral"]);
    assert_eq!(demo["disputes"][0]["evidence_years"]["oldest"], 2015);
    assert_eq!(demo["disputes"][0]["evidence_years"]["newest"], 2023);
}
