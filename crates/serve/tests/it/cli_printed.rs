//! Commands that are printed as the next step are typed as they are printed, in a shell: with data in a folder whose name
//! has spaces and Japanese in it, and with the options of the command that printed them.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{Answer, Home};

/// Words in capitals stand for what people fill in.
const PLACEHOLDERS: [&str; 13] = [
    "TASK", "CLAIM", "EDGE", "REF", "TEXT", "NAME", "FILE", "SOURCE", "HOST", "URL", "NEW",
    "REQUEST", "COMMAND",
];

fn home() -> Home {
    let home = Home::new();
    for (name, verb) in [("調査 一.md", "上げる"), ("b.md", "上げた"), ("c.md", "下げた")]
    {
        home.write(
            &format!("私の 資料/{name}"),
            &format!("# 調査\n\n在宅勤務は、調べた従業員千人の生産性を大きく{verb}。\n"),
        );
    }
    home.write(
        "規程 集/総務/在宅 勤務.md",
        "# 在宅勤務\n\n## 日数\n\n在宅勤務は週二日までとする。\n",
    );
    home.write("規程 集/経理/手引.md", "# 手引\n\n## 在宅勤務\n\n在宅勤務は週に3日まで認める。\n");
    home
}

fn shell(home: &Home, line: &str) -> Answer {
    let program = Path::new(env!("CARGO_BIN_EXE_lyra")).parent().unwrap().display();
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(home.path()).env_clear().env("HOME", home.path());
    shell.env("PATH", format!("{program}:/usr/bin:/bin"));
    home.answer(shell.output().unwrap())
}

/// The commands in what was printed that can be typed at once: between backquotes, and from the name of the program to the
/// end of a line.
fn printed(answer: &Answer) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in answer.stderr.lines() {
        let quoted = line.split('`').skip(1).step_by(2).map(str::trim);
        let whole = line.find("lyra ").filter(|_| !line.contains('`')).map(|at| &line[at..]);
        found.extend(quoted.chain(whole).filter(|it| it.starts_with("lyra ")).map(str::to_owned));
    }
    let is_whole = |line: &String| {
        let mut words = line.split(|c: char| !c.is_ascii_alphanumeric());
        !words.any(|it| PLACEHOLDERS.contains(&it)) && !line.contains('|') && !line.contains("...")
    };
    found.into_iter().filter(is_whole).collect()
}

#[test]
fn the_next_steps_work_as_they_are_printed() {
    let home = home();
    let options = "--data-dir './私の データ' --offline --set plan.expansions=0";
    let mut typed = BTreeSet::new();
    for line in [
        format!("lyra {options} 在宅勤務は生産性を上げるか --library './私の 資料'"),
        format!("lyra {options} report"),
        format!("lyra {options} claims --limit 1"),
        format!("lyra {options} manual --manuals './規程 集' find 在宅勤務の日数"),
        format!(
            "lyra {options} manual --manuals './規程 集' read '総務/在宅 勤務.md' --max-chars 20"
        ),
        format!("lyra {options} backup './控え の.tar.gz'"),
        format!("lyra {options} restore './控え の.tar.gz'"),
        format!("lyra {options} gc"),
        format!("lyra {options} task new 緑茶は血圧を下げるか"),
        format!("lyra {options} task delete latest"),
        format!("lyra {options} doctor --salvage './救出 先/lyra.db'"),
        format!("lyra {options} archive list"),
        format!("lyra {options} task show none"),
        format!("lyra {options} manual --manuals './規程 集' read none/a.md"),
        "lyra demo --quiet --keep './お試し の'; lyra --data-dir './お試し の' report task:2"
            .to_owned(),
    ] {
        typed.extend(printed(&shell(&home, &line)));
    }
    let demo = shell(&home, "lyra demo --keep './もう 一つ'");
    assert_eq!(demo.code, Some(0), "{demo}");
    typed.extend(printed(&demo));
    let names = ["report", "claims", "views", "restore", "task", "manual", "research"];
    for name in names {
        let is_there = typed.iter().any(|it| it.split(' ').any(|word| word == name));
        assert!(is_there, "nobody printed a command with {name}: {typed:#?}");
    }
    assert!(typed.len() >= 12, "{typed:#?}");
    // What deletes comes late and what replaces everything last: the others need what is there.
    let mut typed: Vec<&String> = typed.iter().collect();
    typed.sort_by_key(|it| (it.contains(" --yes"), it.contains(" restore ")));
    for line in typed {
        let answer = shell(&home, line);
        assert_eq!(answer.code, Some(0), "{line}\n{answer}");
    }
}

#[test]
fn files_are_named_as_people_name_them() {
    let home = home();
    let asked = shell(&home, "lyra --offline 在宅勤務は生産性を上げるか --library './私の 資料'");
    assert_eq!(asked.code, Some(0), "{asked}");
    let name = "/私の 資料/調査 一.md";
    let found = home.run("find 在宅勤務");
    assert!(found.stdout.contains(name), "{found}");
    let shown: String = home.run("claims --json").json()["claims"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| home.run(&format!("evidence {}", it["id"].as_str().unwrap())))
        .map(|it| it.stdout)
        .collect();
    assert!(!shown.contains("%E7"), "{shown}");
}

#[test]
fn a_file_in_no_folder_is_refused_before_anything_is_searched() {
    let home = home();
    for line in [
        "lyra --offline 在宅勤務は生産性を上げるか --library './私の 資料' --out 無い/r.html",
        "lyra report --out 無い/r.html",
        "lyra report --format html --out 無い/r.html",
    ] {
        let answer = shell(&home, line);
        assert_eq!(answer.code, Some(2), "{line}\n{answer}");
        assert!(answer.stderr.starts_with("error: there is no folder 無い\n"), "{answer}");
    }
    assert!(!home.data().join("lyra.db").exists(), "nothing was searched");
}
