//! `lyra find`.

use serde_json::json;

use crate::support::{Home, own_help};
use crate::world::{claims_from, sea_level, task};

#[test]
fn help_of_find() {
    insta::assert_snapshot!(own_help("find"), @r#"
    Find passages and claims by their words, best first

    Japanese and English, whatever the width and case of letters. All words are wanted; when nothing has
    them all, whatever has some. \"a phrase\", begin* and -without work as in search engines.

    Usage: lyra find [OPTIONS] <TEXT>

    Arguments:
      <TEXT>
              The words to find, or `-` to read them from stdin

    Options:
          --in <WHERE>
              Where to look
              
              [default: both]
              [possible values: fragments, claims, both]

          --task <TASK>
              Only what belongs to this task: latest, task:3, or the beginning or end of its id

          --limit <N>
              Show at most N hits [default: the setting find.hits]

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra find 海面上昇
      lyra find '"sea level" rise* -tides' --in fragments
      lyra find 副作用 --task latest --limit 5

    Next: `lyra evidence CLAIM` shows what supports and refutes a claim that was found.
    --- exit 0
    "#);
}

fn find(home: &Home, arguments: &[&str]) -> crate::support::Answer {
    home.run_arguments(&[&["find"], arguments].concat())
}

fn home() -> Home {
    let home = Home::new();
    home.fill(sea_level);
    home
}

#[test]
fn japanese_and_english_are_found_where_they_stand() {
    let home = home();
    insta::assert_snapshot!(find(&home, &["上昇"]), @"
    passage FNHH3M  0.44  海面水位の長期変化
      https://www.example.jp/kaimen
      世界の平均海面水位は1901年から2018年の間に約20 cm上昇した。

    claim FNHH3R  0.00  海面水位の長期変化
      https://www.example.jp/kaimen
      海面上昇の速さは1990年代以降に増している。
    --- exit 0
    ");
    insta::assert_snapshot!(find(&home, &["SEA level", "--in", "fragments"]), @"
    passage FNHH3J  1.07  Sea-level rise since 1901
      https://nature.example.com/sea
      Results
      Global mean sea level rose by about 20 cm between 1901 and 2018.
    --- exit 0
    ");
    insta::assert_snapshot!(find(&home, &["tides"]), @r"
    passage FNHH3P  0.58
      https://blog.example.org/tides
      The tides at my pier have not changed at all.␛[31m
    --- exit 0
    ");
}

#[test]
fn what_was_found_is_bold_where_that_can_be_shown() {
    let answer = find(&home(), &["平均海面", "--color", "always"]);
    let line = answer.stdout.lines().last().unwrap();
    assert_eq!(
        line,
        "  世界の\u{1b}[1m平均海面\u{1b}[0m水位は1901年から2018年の間に約20 cm上昇した。"
    );
}

#[test]
fn when_nothing_has_all_words_those_with_some_are_shown_and_it_says_so() {
    let home = home();
    let answer = find(&home, &["sea dragons", "--in", "claims"]);
    assert_eq!(answer.stdout.lines().count(), 3, "{answer}");
    assert_eq!(answer.stderr, "Nothing has all the words; these have some of them.\n");
    let document = find(&home, &["sea dragons", "--json"]).json();
    assert_eq!(document["matched"], "some_words");
}

#[test]
fn json_carries_the_ranges_of_what_was_found() {
    let home = home();
    let mut document = find(&home, &["海面水位", "--in", "fragments", "--json"]).json();
    let found = document["found"][0].as_object_mut().unwrap();
    assert!(found.remove("score").unwrap().is_f64());
    assert!(found.remove("id").unwrap().as_str().unwrap().starts_with("f_"));
    assert!(found.remove("page_id").unwrap().as_str().unwrap().starts_with("p_"));
    assert_eq!(
        document,
        json!({
            "ok": true,
            "found": [{
                "type": "fragment",
                "snippet": "世界の平均海面水位は1901年から2018年の間に約20 cm上昇した。",
                "marks": [{ "start": 5, "end": 9 }],
                "heading": null,
                "url": "https://www.example.jp/kaimen",
                "title": "海面水位の長期変化",
                "adoption": null,
            }],
            "matched": "all_words",
            "truncated": false,
        })
    );
}

#[test]
fn hits_beyond_the_limit_are_cut_and_it_says_so() {
    let home = Home::new();
    home.fill(|w| claims_from(w, "a.example.com", 3));
    let answer = find(&home, &["主張*", "--in", "claims", "--limit", "2"]);
    assert_eq!(answer.stdout.lines().filter(|it| it.starts_with("claim ")).count(), 2, "{answer}");
    assert_eq!(answer.stderr, "2 hits shown, there are more; --limit 20 shows more.\n");
    let document = find(&home, &["主張*", "--in", "claims", "--limit", "2", "--json"]).json();
    assert_eq!(document["truncated"], true);
    let answer = find(&home, &["主張*", "--in", "claims", "--set", "find.hits=3"]);
    assert_eq!((answer.stdout.matches("claim ").count(), answer.stderr.as_str()), (3, ""));
}

#[test]
fn a_task_can_be_searched_alone_and_claims_set_aside_are_marked() {
    let home = Home::new();
    let (sea, other) = home.fill(|w| Ok((sea_level(w)?, task(w, "another")?)));
    let rejected = home.run(&format!("feedback claim-reject {} --reason old", sea.disputed));
    assert_eq!(rejected.code, Some(0), "{rejected}");
    let task = sea.task.to_string();
    insta::assert_snapshot!(find(&home, &["sea level rose", "--in", "claims", "--task", &task]), @"
    claim FNHH3Q  0.00  Sea-level rise since 1901  [not adopted]
      https://nature.example.com/sea
      Sea level rose by about 20 cm since 1901.
    --- exit 0
    ");
    insta::assert_snapshot!(find(&home, &["sea", "--task", &other.to_string()]), @r"
    --- stderr
    Nothing found.
    --- exit 0
    ");
    insta::assert_snapshot!(find(&home, &["sea", "--task", "task_01ARZ3NDEKTSV4RRFFQ69G5FAV"]), @r"
    --- stderr
    error: no task task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
}

#[test]
fn texts_that_cannot_be_found_are_refused() {
    let home = home();
    insta::assert_snapshot!(find(&home, &["  "]), @r"
    --- stderr
    error: the text to find is empty
    --- exit 2
    ");
    insta::assert_snapshot!(find(&home, &["。、!"]), @r"
    --- stderr
    error: the text to find has no letters or digits
    --- exit 2
    ");
    insta::assert_snapshot!(find(&home, &[" -tides"]), @r"
    --- stderr
    error: the text to find only says what to leave out
    --- exit 2
    ");
    insta::assert_snapshot!(find(&home, &[&"海".repeat(2001)]), @r"
    --- stderr
    error: the text to find has 2001 characters; the limit is 2000
    hint: shorten it, or raise the setting find.text_chars
    --- exit 7
    ");
    insta::assert_snapshot!(find(&home, &["sea", "--in", "pages"]), @r"
    --- stderr
    error: invalid value 'pages' for '--in <WHERE>'
      [possible values: fragments, claims, both]

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(find(&home, &["sea", "--limit", "0"]), @r"
    --- stderr
    error: invalid value '0' for '--limit <N>': it must be a whole number from 1 to 1000000

    For more information, try '--help'.
    --- exit 2
    ");
    assert_eq!(find(&home, &[&"海".repeat(2000)]).code, Some(0));
}

#[test]
fn in_an_empty_graph_nothing_is_found_and_nothing_is_created() {
    let home = Home::new();
    insta::assert_snapshot!(find(&home, &["海面"]), @r"
    --- stderr
    Nothing found.
    --- exit 0
    ");
    assert!(!home.data().join("lyra.db").exists());
}
