//! How things are named: `latest`, their place in a list, or a part of their id.

use evidence::{ClaimId, TaskId};

use crate::support::Home;
use crate::world::{claim, task};

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
    let short = listed.lines().nth(2).unwrap().split_whitespace().next().unwrap().to_owned();
    assert_eq!(short, end(&claim.to_string(), 6));
    let shown = home.run(&format!("evidence {short} --json")).json();
    assert_eq!(shown["claim"]["id"], claim.to_string());
    assert_eq!(home.run("evidence latest --json").json()["claim"]["id"], claim.to_string());
    let rejected = home.run(&format!("feedback claim-reject {short} --reason doubtful --json"));
    assert_eq!(rejected.code, Some(0), "{rejected}");
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
