//! `lyra answer`.

use serde_json::json;

use crate::mcp_client::Client;
use crate::support::{Home, own_help};

#[test]
fn help_of_answer() {
    insta::assert_snapshot!(own_help("answer"), @r#"
    Answer what an assistant asks you

    Without a question, all that are open are listed. An assistant asks with the tool wait_for_user;
    where its client cannot show the question, it waits here. Never answer with a password: the
    assistant reads what you write.

    Usage: lyra answer [OPTIONS] [QUESTION] [ANSWER]

    Arguments:
      [QUESTION]
              The question: latest, or the beginning or end of its id; without one, all are listed

      [ANSWER]
              The answer, the number of a choice, or `-` to read it from stdin

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra answer
      lyra answer q_3f2a "Do without that site"
      lyra answer latest 2

    In the last one, 2 is the number of a choice.
    --- exit 0
    "#);
}

#[test]
fn nobody_asks_anything_at_first() {
    insta::assert_snapshot!(Home::new().run("answer"), @"
    --- stderr
    No questions are waiting.
    --- exit 0
    ");
}

#[test]
fn a_question_is_listed_answered_once_and_gone() {
    let home = Home::new();
    let mut client = Client::start(&home, &["--offline"]);
    let ask = json!({ "prompt": "どちらにしますか", "options": { "choices": ["続ける", "やめる"], "wait_seconds": 0 } });
    let id = client.ok("wait_for_user", ask.clone())["question_id"].as_str().unwrap().to_owned();
    let listed = home.run("answer").to_string().replace(&id, "q_[id]");
    insta::assert_snapshot!(listed, @"
    QUESTION        UNTIL             ASKS              CHOICES
    ────────        ─────             ────              ───────
    q_[id]  0000-00-00 00:00  どちらにしますか  1: 続ける; 2: やめる
    --- exit 0
    ");
    assert_eq!(home.run("answer q_nobody yes").code, Some(3));
    insta::assert_snapshot!(home.run(&format!("answer {id} 3")), @"
    --- stderr
    error: `3` is none of the choices
    hint: they are 続ける; やめる
    --- exit 2
    ");
    assert_eq!(home.run(&format!("answer {id} やめる")).code, Some(0));
    assert_eq!(home.run(&format!("answer {id} 続ける")).code, Some(3));
    let answered = client.ok("wait_for_user", ask);
    assert_eq!((&answered["response"], &answered["choice_index"]), (&json!("やめる"), &json!(1)));
}
