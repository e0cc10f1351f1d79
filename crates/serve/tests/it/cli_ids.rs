//! How things are named: `latest`, their place in a list, or a part of their id.

use evidence::{ClaimId, Stance, TaskId};

use crate::support::Home;
use crate::world::{claim, judge, passage, sea_level, task};

fn three() -> (Home, [TaskId; 3], ClaimId) {
    let home = Home::new();
    let (tasks, claim) = home.fill(|w| {
        let mut tasks = Vec::new();
        for query in ["first question", "second question", "third question"] {
            tasks.push(task(w, query)?);
        }
        tasks.sort();
        let tasks: [TaskId; 3] = tasks.try_into().unwrap();
        Ok((tasks, claim(w, tasks[2], "Tea lowers blood pressure.", None, Some(0.8))?))
    });
    (home, tasks, claim)
}

fn end(id: &str, letters: usize) -> &str {
    &id[id.len() - letters..]
}

#[test]
fn a_task_is_named_by_its_place_or_a_part_of_its_id() {
    let (home, tasks, _) = three();
    let [first, second, third] = tasks.map(|it| it.to_string());
    for (typed, meant) in [
        ("latest", &third),
        ("task:1", &third),
        ("task:2", &second),
        ("task:3", &first),
        (end(&second, 6), &second),
        (end(&second, 4), &second),
        (&*end(&first, 6).to_lowercase(), &first),
        (&*format!("task_{}", end(&first, 5)), &first),
        (&*format!("…{}", end(&first, 6)), &first),
        (&first, &first),
    ] {
        let shown = home.run(&format!("task show {typed} --json")).json();
        assert_eq!(shown["task"]["id"], **meant, "{typed}");
    }
    // Nothing named is the newest.
    assert_eq!(home.run("task show --json").json()["task"]["id"], *third);
    assert_eq!(home.run("claims --json").json()["task_id"], *third);
}

#[test]
fn the_list_shows_what_can_be_typed() {
    let (home, tasks, _) = three();
    let listed = home.run("task list").stdout;
    let rows: Vec<Vec<&str>> =
        listed.lines().skip(2).map(|it| it.split_whitespace().collect()).collect();
    let ids: Vec<String> = tasks.iter().rev().map(ToString::to_string).collect();
    for (index, (row, id)) in rows.iter().zip(&ids).enumerate() {
        assert_eq!(row[..2], [&*format!("task:{}", index + 1), end(id, 6)]);
    }
    assert_eq!(rows.len(), 3);
    // The place is that of the whole list, whatever is shown of it.
    home.fill(|w| w.set_task_status(tasks[0], evidence::TaskStatus::Exploring, None));
    let listed = home.run("task list --status exploring").stdout;
    assert!(listed.lines().nth(2).unwrap().starts_with("task:3 "), "{listed}");
}

#[test]
fn a_claim_is_named_by_the_end_of_its_id_as_claims_shows_it() {
    let (home, _, claim) = three();
    let listed = home.run("claims").stdout;
    let short = listed.lines().nth(2).unwrap().split_whitespace().nth(1).unwrap().to_owned();
    assert_eq!(short, end(&claim.to_string(), 6));
    let shown = home.run(&format!("evidence {short} --json")).json();
    assert_eq!(shown["claim"]["id"], claim.to_string());
    assert_eq!(home.run("evidence latest --json").json()["claim"]["id"], claim.to_string());
    let rejected = home.run(&format!("feedback claim-reject {short} --reason doubtful --json"));
    assert_eq!(rejected.code, Some(0), "{rejected}");
}

#[test]
fn a_claim_is_named_by_its_place_among_those_of_the_newest_task() {
    let home = Home::new();
    let (older, claims) = home.fill(|w| {
        let mut tasks = [task(w, "one")?, task(w, "another")?];
        tasks.sort();
        claim(w, tasks[0], "Tea is cheap.", None, Some(0.8))?;
        let doubtful = claim(w, tasks[1], "Tea lowers blood pressure.", None, Some(0.8))?;
        let sure = claim(w, tasks[1], "Tea is drunk hot.", None, Some(0.8))?;
        for (host, claim, stance) in
            [("a.example", sure, Stance::Supports), ("b.example", doubtful, Stance::Refutes)]
        {
            judge(w, passage(w, host, "Tea.")?, claim, stance, 0.9)?;
        }
        Ok((tasks[0], [sure, doubtful]))
    });
    let places = |line: &str| {
        let listed = home.run(line).stdout;
        let rows = listed.lines().skip(2).map(str::split_whitespace);
        rows.map(|mut row| [row.next().unwrap(), row.next().unwrap()].join(" ")).collect::<Vec<_>>()
    };
    let [sure, doubtful] = claims.map(|it| it.to_string());
    let rows = [format!("claim:1 {}", end(&sure, 6)), format!("claim:2 {}", end(&doubtful, 6))];
    assert_eq!(places("claims"), rows);
    // The place is that of the whole list, whatever is shown of it.
    assert_eq!(places("claims --sort uncertainty --limit 1").len(), 1);
    assert_eq!(home.run("feedback claim-reject claim:1 --reason wrong").code, Some(0));
    assert_eq!(places("claims --not-adopted"), rows[..1]);
    for (place, meant) in [("claim:1", &sure), ("claim:2", &doubtful)] {
        let shown = home.run(&format!("evidence {place} --json")).json();
        assert_eq!(shown["claim"]["id"], **meant, "{place}");
    }
    // Claims of other tasks have no place, and none is shown.
    let listed = home.run(&format!("claims {older}")).stdout;
    assert!(!listed.contains("claim:"), "{listed}");
    insta::assert_snapshot!(home.run("evidence claim:3"), @"
    --- stderr
    error: there is no claim:3
    hint: `lyra claims TASK` shows the claims of a task
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("evidence claim:none"), @"
    --- stderr
    error: `claim:none` names no place in the list of claims
    hint: `lyra claims` shows the places: claim:1 is the surest of the newest task
    --- exit 2
    ");
}

#[test]
fn what_find_and_evidence_print_can_be_typed() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    let found = home.run("find 20 --in claims").stdout;
    let name = found.split_whitespace().nth(1).unwrap().to_owned();
    assert_eq!(name, end(&sea.disputed.to_string(), 6));
    let english = ("LYRA_OUTPUT_LANGUAGE", "en");
    let shown = home.run_with(english, &format!("evidence {name}")).stdout;
    let edges: Vec<&str> =
        shown.lines().filter_map(|it| it.strip_prefix("Edge")).map(str::trim).collect();
    assert_eq!(edges[2], end(&sea.edges[2].to_string(), 6));
    let corrected = home.run(&format!("feedback edge-correct {} neutral --json", edges[2])).json();
    assert_eq!(corrected["edge"]["id"], sea.edges[2].to_string());
}

#[test]
fn a_search_in_manuals_is_named_like_everything_else() {
    let home = Home::new();
    home.write(
        ".local/share/lyra/manuals/a/a.md",
        "# Rules\n\n## Parental leave\n\nIn writing.\n\n## The kitchen\n\nIs cleaned daily.\n",
    );
    let trace = |request: &str| {
        let found = home.run(&format!("manual find {request} --json")).json();
        let hits = found["hits"]["items"].as_array().unwrap().iter();
        let places: Vec<String> = hits.map(|it| it["ref"].as_str().unwrap().to_owned()).collect();
        (found["trace_id"].as_str().unwrap().to_owned(), places)
    };
    let ((first, in_first), (second, in_second)) = (trace("parental"), trace("kitchen"));
    assert_ne!(in_first, in_second);
    for (typed, meant) in [
        ("", &in_second),
        ("latest", &in_second),
        (&*first, &in_first),
        (end(&first, 8), &in_first),
        (&*format!("…{}", end(&second, 8)), &in_second),
    ] {
        let hits = home.run(&format!("manual hits {typed} --json")).json();
        let places = hits["items"].as_array().unwrap().iter().map(|it| it["ref"].as_str().unwrap());
        assert_eq!(&places.collect::<Vec<_>>(), meant, "{typed}");
    }
    assert_eq!(home.run("manual read a/a.md#L3 --trace latest").code, Some(0));
    assert_eq!(home.run("manual find parental --unscanned-of latest").code, Some(0));
    let ambiguous = home.run("manual hits tr_").stderr;
    assert!(ambiguous.starts_with("error: `tr_` may be any of "), "{ambiguous}");
    assert!(ambiguous.contains(&format!("{first}; {second}")), "{ambiguous}");
    home.write(".local/share/lyra/vault/notes/a.md", "# Leave\n\nIn writing.\n");
    let named = home.run("vault find leave --json").json()["trace_id"].as_str().unwrap().to_owned();
    for typed in ["", "latest", &named, named.trim_start_matches("vt_")] {
        let covered = home.run(&format!("vault coverage {typed} --json"));
        assert_eq!(covered.json()["files"][0]["path"], "notes/a.md", "{typed}: {covered}");
    }
    assert_eq!(home.run("vault coverage vt_7").code, Some(3));
    insta::assert_snapshot!(home.run("manual hits ../lyra"), @"
    --- stderr
    error: there is no trace `../lyra`
    hint: `lyra manual find REQUEST` searches again, and names its trace
    --- exit 3
    ");
    insta::assert_snapshot!(Home::new().run("answer latest yes"), @"
    --- stderr
    error: there is no question yet
    hint: `lyra answer` lists the questions there are
    --- exit 3
    ");
}

#[test]
fn what_is_ambiguous_is_explained_with_the_candidates() {
    let (home, tasks, _) = three();
    let beginning = &tasks[0].to_string()[..10];
    let answer = home.run(&format!("task show {beginning}"));
    assert_eq!(answer.code, Some(2));
    let lines: Vec<&str> = answer.stderr.lines().collect();
    assert_eq!(lines[0], format!("error: `{beginning}` may be any of 3 tasks"));
    let [first, second, third] = tasks;
    assert_eq!(
        lines[1],
        format!(
            "hint: give more of the id: {first} (first question); {second} (second question); {third} (third question)"
        )
    );
}

#[test]
fn names_of_nothing_say_what_there_is() {
    let (home, tasks, _) = three();
    insta::assert_snapshot!(home.run("task show task:4"), @"
    --- stderr
    error: there is no task:4
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("task show task:0"), @"
    --- stderr
    error: `task:0` names no place in the list of tasks
    hint: `lyra task list` shows the places: task:1 is the newest
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("task show task:x"), @"
    --- stderr
    error: `task:x` names no place in the list of tasks
    hint: `lyra task list` shows the places: task:1 is the newest
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("task show ZZZZ"), @"
    --- stderr
    error: no task task_ZZZZ
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
    // Three letters are the end of too many: they are a beginning only.
    let third = tasks[2].to_string();
    assert_eq!(home.run(&format!("task show {}", end(&third, 3))).code, Some(3));
    insta::assert_snapshot!(Home::new().run("report"), @r#"
    --- stderr
    error: there is no task yet
    hint: `lyra "your question"` begins one, `lyra demo` shows an example
    --- exit 3
    "#);
    insta::assert_snapshot!(Home::new().run("evidence latest"), @r#"
    --- stderr
    error: there is no claim yet
    hint: `lyra "your question"` begins one, `lyra demo` shows an example
    --- exit 3
    "#);
}
