//! A Japanese run is Japanese throughout: every command and many errors, read for English words.
//!
//! What stays as it is in every language is taken out first: what people type (commands, options, settings, ids, paths,
//! addresses), quotations (what stands in 「」, and the queries of the task), and the names in `japanese_names.txt`.

use std::collections::BTreeSet;

use crate::support::{Answer, Home, JAPANESE};

/// Names and units that are the same in every language, one on a line, with why.
const NAMES: &str = include_str!("japanese_names.txt");

/// Values and columns that the meaning of a column may speak of.
const SQL_WORDS: [&str; 8] =
    ["null", "adopted", "supports", "refutes", "extraction", "alpha", "beta", "Beta"];

/// A home with an investigation, manuals and a vault, all in Japanese.
struct World {
    home: Home,
    task: String,
    claim: String,
    edge: String,
    /// What was searched for, partly in the other language.
    queries: Vec<String>,
    /// Names of SQL that the commands are about.
    sql: BTreeSet<String>,
    /// What was found, for which command.
    found: Vec<String>,
}

impl World {
    fn new() -> Self {
        let home = Home::new();
        home.write(
            "library/a.md",
            "# 調査\n\n在宅勤務は従業員の生産性を上げる。調査の対象は千人である。\n",
        );
        home.write("library/b.md", "# 反論\n\n在宅勤務は従業員の生産性を下げた。\n");
        let manual = "# 休暇\n\n## 育児休業\n\n育児休業は書面で申請する。\n\n## 対象外\n\n試用期間中は取得できない。\n";
        home.write(".local/share/lyra/manuals/休暇/休暇.md", manual);
        let mut world = Self {
            home,
            task: String::new(),
            claim: String::new(),
            edge: String::new(),
            queries: Vec::new(),
            sql: BTreeSet::new(),
            found: Vec::new(),
        };
        world.run("research 在宅勤務は生産性を上げるか --library library --offline --set plan.expansions=0");
        let json = |line: String| world.home.run(&format!("{line} --json")).json();
        let task = json("task list".to_owned())["tasks"][0]["id"].as_str().unwrap().to_owned();
        let claims = json(format!("claims {task}"));
        let claim = claims["claims"][0]["id"].as_str().unwrap().to_owned();
        let evidence = json(format!("evidence {claim}"));
        let edge = evidence["evidence"][0]["edge_id"].as_str().unwrap().to_owned();
        let searches = json(format!("task show {task}"))["searches"].take();
        let queries = searches.as_array().unwrap().iter().map(|it| it["query"].as_str().unwrap());
        world.queries = queries.map(str::to_owned).collect();
        (world.task, world.claim, world.edge) = (task, claim, edge);
        world
    }

    /// Runs a command, in which TASK, CLAIM and EDGE stand for ids, and reads what it says.
    fn run(&mut self, line: &str) -> Answer {
        let line = line.replace("TASK", &self.task).replace("CLAIM", &self.claim);
        let line = line.replace("EDGE", &self.edge);
        let arguments: Vec<&str> = line.split(' ').collect();
        let mut command = self.home.command(&arguments);
        let answer = self.home.answer(command.env(JAPANESE.0, JAPANESE.1).output().unwrap());
        let mut said = format!("{}\n{}", answer.stdout, answer.stderr);
        for query in &self.queries {
            said = said.replace(query, "");
        }
        if line.starts_with("config show") {
            said = without_texts(&said);
        }
        if line.starts_with("config default") {
            said = explained(&said);
        }
        let english: BTreeSet<String> = english_in(&said).difference(&self.sql).cloned().collect();
        if !english.is_empty() {
            self.found.push(format!("lyra {line}: {english:?}"));
        }
        answer
    }
}

/// The English words of a text that are neither typed, quoted nor names.
fn english_in(text: &str) -> BTreeSet<String> {
    let names: BTreeSet<&str> = NAMES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split(':').next().unwrap().split_whitespace())
        .collect();
    let mut words = BTreeSet::new();
    for line in text.lines() {
        for word in words_of(&without_commands(line)) {
            if !names.contains(word.as_str()) {
                words.insert(word);
            }
        }
    }
    words
}

/// What the default file and the page of the settings explain: comments and cells, without settings and their values.
fn explained(shown: &str) -> String {
    let comments = shown.lines().filter(|line| line.starts_with(['#', '|']));
    let comments = comments.filter(|line| !line.starts_with("## ["));
    comments.map(|line| format!("{}\n", without_texts(line))).collect()
}

/// Settings without their values that are texts, as TOML writes them.
fn without_texts(shown: &str) -> String {
    shown.split('"').step_by(2).collect()
}

/// A line without quotations, and without commands: what is between backquotes, and what follows the name of the program
/// or stands for a command in the log.
fn without_commands(line: &str) -> String {
    let mut kept: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    while let Some((before, (_, behind))) =
        kept.split_once('「').and_then(|(before, rest)| Some((before, rest.split_once('」')?)))
    {
        kept = format!("{before} {behind}");
    }
    for start in ["lyra ", "使い方: ", "command="] {
        while let Some(at) = kept.find(start) {
            let command = &kept[at + start.len()..];
            let end = command.find(|c: char| !c.is_ascii()).unwrap_or(command.len());
            kept = format!("{} {}", &kept[..at], &command[end..]);
        }
    }
    kept
}

/// The words of at least two letters. What holds a dot, a slash, an underscore, a digit, an equals sign or begins with a
/// hyphen is a path, an address, a setting, an id or an option.
fn words_of(line: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_graphic() && !"()[]{}<>,;\"'|".contains(c);
    let pieces = line.split(|c: char| !is_part(c)).map(|it| it.trim_end_matches(':'));
    let is_word = |piece: &&str| {
        let is_plain = piece.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
        // Six capitals in a table are the short form of an id, which may lack digits by chance.
        let is_short_id = piece.len() == 6 && piece.chars().all(|c| c.is_ascii_uppercase());
        piece.len() > 1 && is_plain && !piece.starts_with('-') && !is_short_id
    };
    pieces.filter(is_word).map(str::to_owned).collect()
}

#[test]
fn english_words_are_seen_and_what_is_typed_is_not() {
    assert_eq!(
        english_in("エラー: no such file"),
        BTreeSet::from(["no", "such", "file"].map(str::to_owned))
    );
    for fine in [
        "`lyra task list` で一覧を確認できます",
        "調査 task_01ARZ3NDEKTSV4RRFFQ69G5FAV: ./library/a.md を https://example.org/ から",
        "--limit 10 で続き、task.max_pages = 40、LYRA_CONFIG、v_contradictions",
        "  lyra report task_1 --format html --out report.html",
        "Lyra は SQLite を使います",
        "検索 2  「school student sleep」（別の言語での質問）",
        "コマンド終了  command=research exit_code=0",
    ] {
        assert_eq!(english_in(fine), BTreeSet::new(), "{fine}");
    }
}

#[test]
fn every_command_answers_in_japanese() {
    let mut world = World::new();
    for line in [
        "report TASK",
        "report TASK --out report.md",
        "report TASK --full",
        "report TASK --format text",
        "task list",
        "task show TASK",
        "claims TASK",
        "evidence CLAIM",
        "find 生産性",
        "read library/a.md",
        "manual ls",
        "manual toc 休暇",
        "manual find 育児休業",
        "manual read 休暇/休暇.md#L3",
        "manual audit none.md",
        "manual hits latest",
        "manual hits latest --kind gaps",
        "manual ls 休暇",
        "manual ls --skipped",
        "manual scan 休暇/休暇.md",
        "manual scan 休暇/休暇.md --max-chars 100",
        "manual find 宇宙旅行の手当",
        "manual hits latest --kind unscanned",
        "vault copy 休暇/休暇.md#L3 メモ/休暇.md",
        "vault create メモ/空.md",
        "vault ls",
        "vault find 休暇",
        "vault read メモ/休暇.md",
        "vault scan メモ/休暇.md",
        "vault coverage",
        "manual audit メモ/休暇.md",
        "views",
        "views v_contradictions --task TASK",
        "views v_unsupported_claims",
        "views v_claim_evidence_summary",
        "views v_evidence_timeline",
        "views v_orphan_sources",
        "sql SELECT-1",
        "domain check example.com",
        "domain block example.com --reason 広告",
        "domain list",
        "domain log",
        "domain policy",
        "domain rates",
        "domain unblock example.com --reason 再開",
        "domain clear example.com --reason 不要",
        "sources search 生産性 --offline",
        "sources list",
        "engines list",
        "engines test --offline",
        "calibration stats",
        "calibration versions",
        "calibration evaluations",
        "calibration evaluate nli_judge",
        "calibration rollback nli_judge --reason 戻す",
        "models list",
        "models use none --as decider",
        "auth list",
        "answer",
        "archive list",
        "archive verify",
        "egress",
        "doctor --offline",
        "config path",
        "config show",
        "config show --expert --origin",
        "config default",
        "config default --expert",
        "config default --markdown",
        "log",
        "log --audit",
        "man --dir ./man",
        "backup kept",
        "restore kept",
        "gc",
        "export TASK --out x.jsonl",
        "import x.jsonl",
        "feedback claim-reject CLAIM --reason 違う",
        "feedback claim-restore CLAIM --reason 戻す",
        "feedback edge-correct EDGE neutral --reason 違う",
        "task stop TASK",
        "research --resume TASK",
        "crawl https://example.com/ --offline",
        "task delete TASK",
        "task delete TASK --yes",
    ] {
        world.run(line);
    }
    assert_eq!(world.found, [] as [&str; 0]);
}

/// What a reader sees of a page: its texts, without tags, styles and drawings.
fn seen(html: &str) -> String {
    let body = html.split_once("<body").unwrap().1;
    let mut text = String::new();
    for part in body.split('<').skip(1) {
        let (tag, behind) = part.split_once('>').unwrap();
        let separator =
            if tag.starts_with(['/', 'b', 'd', 'h', 'l', 'p', 't']) { "\n" } else { " " };
        text += separator;
        text += behind;
    }
    text
}

#[test]
fn a_page_a_document_and_a_table_of_a_japanese_report_are_japanese() {
    let mut world = World::new();
    let page = world.home.run(&format!("report {} --format html", world.task)).stdout;
    assert!(page.contains("<html lang=\"ja\">"), "{page}");
    assert_eq!(english_in(&seen(&page)), BTreeSet::new());
    world.run("report TASK --out 報告.html");
    world.run("report TASK --out 報告.docx");
    world.run("report TASK --out 出典.ris");
    world.run("report TASK --out 表.csv");
    world.run("report");
    world.run("task show");
    assert_eq!(world.found, [] as [&str; 0]);
}

#[test]
fn help_and_every_page_of_the_reference_are_in_japanese() {
    let home = Home::new();
    let page = home.run_with(JAPANESE, "man --markdown").stdout;
    // What is typed stands in backquotes and in blocks of code; where the page is from is a comment for its writers.
    let (head, rest) = page.split_once("<!--").unwrap();
    let page = format!("{head}{}", rest.split_once("-->").unwrap().1);
    let prose: String = page.split("```").step_by(2).collect();
    // So do defaults and values, in brackets of their own.
    let prose: String = prose.split(['［', '］']).step_by(2).collect();
    assert_eq!(english_in(&prose), BTreeSet::new());
    for command in ["", "research ", "task ", "manual find ", "report ", "gc "] {
        let help = home.run_with(JAPANESE, &format!("{command}--help"));
        assert!(help.stdout.contains("使い方:"), "{help}");
    }
}

#[test]
fn columns_of_every_view_are_explained_in_japanese() {
    let mut world = World::new();
    let views = world.home.run("views --json").json();
    let views = views["views"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap());
    let views: Vec<String> = views.map(str::to_owned).collect();
    assert!(views.contains(&"v_contradictions".to_owned()));
    for view in views {
        world.run(&format!("views {view}"));
        let columns = world.home.run(&format!("views {view} --columns --json")).json();
        let columns = columns["columns"].as_array().unwrap().iter();
        world.sql = columns.map(|it| it["name"].as_str().unwrap().to_owned()).collect();
        world.sql.extend(SQL_WORDS.map(str::to_owned));
        world.run(&format!("views {view} --columns"));
        world.sql.clear();
    }
    assert_eq!(world.found, [] as [&str; 0]);
}

/// What happens is told in Japanese; the reports quote documents in both languages.
#[test]
fn the_demo_begins_with_the_own_language() {
    let home = Home::new();
    let mut command = home.command(&["demo", "--set", "output.language=ja"]);
    let shown = home.answer(command.env(JAPANESE.0, JAPANESE.1).output().unwrap());
    assert_eq!(shown.code, Some(0), "{shown}");
    assert!(
        shown.stdout.starts_with("学校の始業を遅らせると生徒の睡眠時間は長くなるか\n═"),
        "{shown}"
    );
    let mut told = shown.stderr;
    let question = "Do pupils sleep longer when school starts later?";
    assert!(told.contains(&format!("\n{question}\n調査 ")), "{told}");
    told = told.replace(question, "");
    assert_eq!(english_in(&told), BTreeSet::new());
}

#[test]
fn errors_are_in_japanese() {
    let mut world = World::new();
    for line in [
        "tsk",
        "task list --limti 3",
        "task list --limit 0",
        "task list --limit x",
        "task list --status wrong",
        "task new",
        "claims zzz",
        "claims task_",
        "task show task:0",
        "task show task:77",
        "evidence claim:0",
        "evidence claim:777",
        "manual hits zzz",
        "completions tcsh",
        "mcp install zzz",
        "task show task_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "task show nonsense",
        "report zzz",
        "evidence c_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "views v_contradiction",
        "views zzz",
        "read none.md",
        "read https://example.com/ --offline",
        "crawl https://example.com/ --offline",
        "research 生産性 --offline",
        "research 生産性 --library none --offline",
        "research 生産性 --library library --offline --out r.doc",
        "archive show https://example.com/",
        "import none.jsonl",
        "models use none",
        "answer q_1 はい",
        "manual read 休暇/none.md",
        "vault read none.md",
        "calibration fit stance",
        "domain check *.com",
        "domain block *.com --reason 広告",
        "sql DELETE",
        "log --since yesterday",
        "demo --keep library/a.md",
        "man --dir library/a.md",
        "--config none.toml task list",
        "--set task.max_pages=0 task list",
        "--set task.max_page=3 task list",
        "--set nonsense task list",
        "egress --since yesterday",
        "report TASK --full --format md",
        "report TASK --out",
        "report TASK --format docm",
        "report TASK --out none/r.html",
        "report latest extra",
        "show",
        "status",
        "delete",
        "ask",
        "open",
        "list",
        "search 生産性",
        "task ls",
        "help tsk",
        "claims c",
        "task show 9",
        "feedback edge-correct zzz neutral",
        "feedback edge-correct latest wrong",
        "feedback claim-reject CLAIM",
        "answer latest 1",
        "answer q_3f2a",
        "restore none",
        "restore library/a.md",
        "backup none/kept.zip",
        "import library/a.md",
        "manual find 休暇 --manuals none",
        "manual find 休暇 --manuals library/empty",
        "manual toc 無い",
        "manual read 休暇",
        "manual read ../a.md#L1",
        "vault read ../a.md",
        "vault replace メモ.md --old 一 --new 二",
        "models add library",
        "models remove none",
        "models use none --as embedding",
        "calibration activate nli_judge 9",
        "calibration fit nli_judge",
        "calibration stats wrong",
        "archive show nonsense",
        "engines test nonsense",
        "sources search 生産性 --folder none --offline",
        "sql SELECT",
        "sql --schema extra",
        "views v_contradictions --task zzz",
        "log --since 9x",
        "research",
        "research 在宅勤務 勤務",
        "read",
        "man --dir /proc/none",
        "gc --yse",
        "task delete zzz",
        "export zzz",
        "crawl nonsense",
        "mcp --http nonsense",
        "completions",
        "find -- -x",
        "import /dev/null",
        "models add library",
    ] {
        let answer = world.run(line);
        assert_ne!(answer.code, Some(0), "{line}: {answer}");
    }
    assert_eq!(world.found, [] as [&str; 0]);
}

#[test]
fn a_setting_decides_before_the_question_and_the_question_before_the_environment() {
    let home = Home::new();
    home.write("library/a.md", "# Tea\n\nGreen tea lowers blood pressure.");
    let asked =
        ["research", "Does green tea lower blood pressure?", "--library", "library", "--offline"];
    let english = home.answer(home.command(&asked).env(JAPANESE.0, JAPANESE.1).output().unwrap());
    assert!(english.stderr.contains("\nNext:\n"), "{english}");
    let japanese = [&asked[..], &["--set", "output.language=ja"]].concat();
    let japanese = home.run_arguments(&japanese);
    assert!(japanese.stderr.contains("\n次にできること:\n"), "{japanese}");
    assert!(japanese.stdout.contains("\n証拠不足："), "{japanese}");
    let unknown = "task show task_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    assert!(home.run_with(JAPANESE, unknown).stderr.starts_with("エラー: "));
    let english = home.run_with(JAPANESE, &format!("{unknown} --set output.language=en"));
    assert!(english.stderr.starts_with("error: no task "), "{english}");
}
