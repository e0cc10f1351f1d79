//! `lyra mcp` on stdio: the handshake, a whole investigation, and what happens on bad days.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::mcp_client::{Client, DOCUMENTS, home_with};
use crate::support::{Home, online, own_help};

/// The small internet is asked faster than a real one may be.
const QUICK: &[&str] = &[
    "--set",
    "fetch.spacing_min_ms=200",
    "--set",
    "fetch.spacing_max_ms=400",
    "--set",
    "fetch.per_second=4",
];

const QUESTION: &str = "Does working from home raise productivity?";

#[test]
fn help_of_mcp() {
    insta::assert_snapshot!(own_help("mcp"), @"
    Serve assistants over the Model Context Protocol (MCP)

    Without a command it speaks to one client on stdin and stdout, as Claude, Cursor, VS Code and Codex
    start it. Nothing is opened before it is needed, and the database is left to other programs when
    nothing runs. Tools, arguments and answers: docs/tools.md.

    Usage: lyra mcp [OPTIONS] [COMMAND]

    Commands:
      install  Put Lyra into the configuration of a client
      tools    Print the reference of the tools as Markdown
      help     Print this message or the help of the given subcommand(s)

    Options:
          --http <ADDRESS>
              Serve over HTTP here instead, e.g. 127.0.0.1:8765; port 0 takes a free one

          --tools <SET>
              The tools that are offered; with `install`, what the client starts Lyra with

              Possible values:
              - all:      Both
              - research: Tasks, searches and the evidence graph
              - library:  Your manuals and the vault
              
              [default: all]

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra mcp install cursor
      lyra mcp install codex --print
      lyra mcp --http 127.0.0.1:8765
      lyra mcp --tools library

    Next: ask your assistant to investigate something; `lyra task list` shows what it does.
    --- exit 0
    ");
}

#[test]
fn the_list_of_tools_is_complete_in_order_and_small() {
    let mut client = Client::offering(&Home::new(), "research");
    let listed = client.request("tools/list", json!({}))["result"].clone();
    let size = listed.to_string().len();
    assert!(size <= 20_000, "{size} bytes");
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "create_task",
            "search",
            "get_status",
            "get_report",
            "stop_task",
            "query_graph",
            "vector_search",
            "feedback",
            "calibration_metrics",
            "calibration_rollback",
            "get_auth_queue",
            "resolve_auth",
            "notify_user",
            "wait_for_user"
        ]
    );
    for tool in listed["tools"].as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{}", tool["name"]);
        assert!(
            !tool["outputSchema"]["properties"].as_object().unwrap().is_empty(),
            "{}",
            tool["name"]
        );
        assert!(tool["annotations"].is_object(), "{}", tool["name"]);
    }
    assert_eq!(client.leave(), Some(0));
}

/// Every assistant reads the whole list before its first thought.
#[test]
fn all_tools_together_are_small_too() {
    let mut client = Client::offering(&Home::new(), "all");
    let listed = client.request("tools/list", json!({}))["result"].clone();
    let size = listed.to_string().len();
    assert!(size <= 30_000, "{size} bytes");
    assert_eq!(listed["tools"].as_array().unwrap().len(), 30);
    // What the list leaves out holds all the same, and is said where it is broken.
    let long = "x".repeat(20_001);
    assert_eq!(
        client.refused("query_graph", json!({ "sql": "SELECT 1", "options": { "limit": 201 } })),
        "INVALID_PARAMS | `options.limit` must be from 1 to 200 | -"
    );
    assert_eq!(
        client.refused("create_task", json!({ "query": long })),
        "INVALID_PARAMS | `query` has 20001 characters; at most 20000 are taken | -"
    );
    assert_eq!(
        client.refused(
            "search",
            json!({ "task_id": "task_1", "query": "q", "options": { "urll": [] } })
        ),
        "INVALID_PARAMS | there is no field `urll` in `options` | did you mean `urls`?"
    );
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_report_can_be_read_in_pages_and_by_section_and_is_the_one_of_the_command_line() {
    let home = home_with(DOCUMENTS);
    let mut client = Client::start(&home, &["--offline"]);
    let create =
        json!({ "query": QUESTION, "hypothesis": "Working from home raises productivity." });
    let task = client.ok("create_task", create)["task_id"].as_str().unwrap().to_owned();
    client.ok("search", json!({ "task_id": task, "query": "working from home productivity" }));
    let first = client.ok("get_report", json!({ "task_id": task }));
    assert_eq!(first["verdict"]["verdict"], "supported", "{first}");
    assert_eq!(first["summary"]["pages_read"], 3);
    let mut lines: Vec<String> = Vec::new();
    let mut offset = json!(0);
    let mut pages = 0;
    while !offset.is_null() {
        let page = client.ok("get_report", json!({ "task_id": task, "offset": offset }));
        let own = page["lines"].as_array().unwrap();
        assert!(!own.is_empty());
        lines.extend(own.iter().map(|it| it.as_str().unwrap().to_owned()));
        offset = page["page"]["next_offset"].clone();
        pages += 1;
    }
    assert!(pages > 1, "one page");
    let written = home.run(&format!("report {task} --format md")).stdout;
    assert_eq!(lines.join("\n"), written);
    let contents = first["contents"].as_array().unwrap();
    let answer = contents.iter().find(|it| it["section"] == "answer").unwrap();
    let (at, length) = (answer["offset"].as_u64().unwrap(), answer["lines"].as_u64().unwrap());
    let section = client.ok("get_report", json!({ "task_id": task, "section": "answer" }));
    let shown: Vec<&str> =
        section["lines"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(shown, lines[at as usize..(at + length) as usize]);
    assert_eq!(section.get("verdict"), None);
    assert_eq!(
        client.refused("get_report", json!({ "task_id": task, "section": "finding" })),
        "INVALID_PARAMS | the report has no section `finding` | did you mean `findings`?"
    );
    assert_eq!(
        client.refused("get_report", json!({ "task_id": "task_01ARZ3NDEKTSV4RRFFQ69G5FAV" })),
        "TASK_NOT_FOUND | no task task_01ARZ3NDEKTSV4RRFFQ69G5FAV | create_task makes one; SELECT id, query FROM tasks lists those there are"
    );
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn earlier_protocols_are_spoken_and_get_the_data_as_text() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::with(&Home::new(), &["--offline"], version, json!({}));
        let result = client.call("query_graph", json!({ "sql": "SELECT 1 AS one" }));
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        let expected = match version {
            "2024-11-05" | "2025-03-26" => result["structuredContent"].to_string(),
            _ => "rows: 1\none\n1".to_owned(),
        };
        assert_eq!(text, expected, "{version}");
    }
}

#[test]
fn settings_that_cannot_be_used_end_the_server_with_a_reason() {
    insta::assert_snapshot!(Home::new().run("--set task.max_pages=none mcp"), @r#"
    --- stderr
    error: `task.max_pages` must be a whole number from 1 to 100000, not "none" (--set)
    hint: `lyra config default` explains it, in section [task]
    --- exit 4
    "#);
}

#[test]
fn nothing_is_opened_before_a_tool_needs_it() {
    let home = Home::new();
    let mut client = Client::start(&home, &["--offline"]);
    client.request("tools/list", json!({}));
    client.ok("query_graph", json!({ "sql": "SELECT count(*) AS tasks FROM tasks" }));
    assert!(!home.data().join("lyra.db").exists());
    client.ok("create_task", json!({ "query": QUESTION }));
    assert!(home.data().join("lyra.db").exists());
}

#[test]
fn an_assistant_investigates_from_question_to_end() {
    let home = home_with(DOCUMENTS);
    let mut client = Client::start(&home, &["--offline"]);
    let task = client.ok(
        "create_task",
        json!({ "query": QUESTION, "hypothesis": "Working from home raises productivity.",
                "config": { "sources": ["library"] } }),
    );
    let task = task["task_id"].as_str().unwrap().to_owned();
    let found = client.ok(
        "search",
        json!({ "task_id": task, "query": "working from home productivity of office workers" }),
    );
    assert_eq!(found["running"], false);
    assert_eq!(found["pages_fetched"], 3);
    let claims = found["claims_found"].as_array().unwrap();
    assert_eq!(claims.len() as u64, found["claims_total"].as_u64().unwrap());
    assert!(claims.len() >= 2, "{found}");
    assert_eq!(
        found["_lyra_meta"]["unverified_domains"],
        json!(["library:a.md", "library:b.md", "library:c.md"])
    );
    let against = client.ok(
        "search",
        json!({ "task_id": task, "query": "working from home reduces productivity", "options": { "refute": true } }),
    );
    assert!(against["refutations_found"].as_u64().unwrap() >= 1, "{against}");
    let status = client.ok("get_status", json!({ "task_id": task }));
    assert_eq!(status["status"], "exploring");
    assert_eq!(status["searches"][1]["id"], found["search_id"]);
    assert_eq!(status["metrics"]["total_pages"], 3);
    assert_eq!(status.get("evidence_summary"), None);
    let rows = client.ok(
        "query_graph",
        json!({ "sql": format!("SELECT claim_id, refute_count FROM v_claim_evidence_summary \
                                WHERE task_id = '{task}' AND refute_count > 0") }),
    );
    assert!(rows["row_count"].as_u64().unwrap() >= 1, "{rows}");
    let near = client.ok(
        "vector_search",
        json!({ "query": "home office makes people more productive", "task_id": task, "min_similarity": 0.3 }),
    );
    assert!(near["total_searched"].as_u64().unwrap() >= 2, "{near}");
    let in_japanese = client.ok(
        "vector_search",
        json!({ "query": "在宅勤務で生産性は上がる", "task_id": task, "min_similarity": 0.5 }),
    );
    let nearest = in_japanese["results"][0]["text_preview"].as_str().unwrap();
    assert!(nearest.to_lowercase().contains("productiv"), "{in_japanese}");
    assert_eq!(
        client.refused(
            "vector_search",
            json!({ "query": "Le télétravail augmente-t-il la productivité des employés ?" })
        ),
        "INVALID_PARAMS | the query is in fr, the model reads en, ja | \
         write it in one of them; query_graph reads every language"
    );
    let edge = client.ok(
        "query_graph",
        json!({ "sql": "SELECT id FROM edges WHERE relation = 'refutes' ORDER BY id LIMIT 1" }),
    );
    let corrected = client.ok(
        "feedback",
        json!({ "action": "edge_correct", "edge_id": edge["rows"][0]["id"], "correct_relation": "neutral",
                "reason": "it speaks about something else" }),
    );
    assert_eq!((&corrected["before"], &corrected["now"]), (&json!("refutes"), &json!("neutral")));
    let stopped = client.ok("stop_task", json!({ "task_id": task, "reason": "completed" }));
    assert_eq!(stopped["final_status"], "completed");
    assert_eq!(stopped["summary"]["total_searches"], 2);
    let ended = client.ok("get_status", json!({ "task_id": task }));
    assert_eq!(ended["evidence_summary"]["total_pages"], 3);
    assert_eq!(
        client.refused("search", json!({ "task_id": task, "query": "more" })),
        "INVALID_PARAMS | the task has ended (completed) | begin a new one with create_task"
    );
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn progress_is_told_to_a_client_that_asks_for_it() {
    let home = home_with(DOCUMENTS);
    let mut client = Client::start(&home, &["--offline"]);
    let task = client.ok("create_task", json!({ "query": QUESTION }))["task_id"].clone();
    let arguments = json!({ "task_id": task, "query": "working from home productivity" });
    let result = client.request(
        "tools/call",
        json!({ "name": "search", "arguments": arguments, "_meta": { "progressToken": "p1" } }),
    );
    assert_eq!(result["result"]["structuredContent"]["pages_fetched"], 3);
    let told: Vec<&Value> =
        client.others.iter().filter(|it| it["method"] == "notifications/progress").collect();
    let steps: Vec<f64> =
        told.iter().map(|it| it["params"]["progress"].as_f64().unwrap()).collect();
    assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
    assert!(told.iter().all(|it| it["params"]["progressToken"] == "p1"));
    let read =
        told.iter().filter(|it| it["params"]["message"].as_str().unwrap().starts_with("read "));
    assert_eq!(read.count(), 3);
    client.others.clear();
    client.ok("search", json!({ "task_id": task, "query": "office workers" }));
    assert_eq!(client.others, Vec::<Value>::new());
}

#[test]
fn a_search_goes_on_in_the_background_and_get_status_waits_for_it() {
    let (_web, home) = online();
    let mut client = Client::start(&home, QUICK);
    let task = client.ok("create_task", json!({ "query": "Does velorastatin lower cholesterol?" }))
        ["task_id"]
        .clone();
    let begun = Instant::now();
    let found = client.ok(
        "search",
        json!({ "task_id": task, "query": "velorastatin LDL cholesterol", "options": { "wait_seconds": 0, "max_pages": 6 } }),
    );
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!((&found["running"], &found["status"]), (&json!(true), &json!("running")));
    let mut status = client.ok("get_status", json!({ "task_id": task, "wait_seconds": 30 }));
    while status["running"] != json!([]) {
        status = client.ok("get_status", json!({ "task_id": task, "wait_seconds": 30 }));
    }
    assert_ne!(status["searches"][0]["status"], "running");
    let again = client.ok(
        "search",
        json!({ "task_id": task, "query": "velorastatin LDL cholesterol", "options": { "max_pages": 6 } }),
    );
    assert_eq!(again["search_id"], found["search_id"]);
    assert_eq!(again["running"], false);
}

#[test]
fn a_cancelled_search_pauses_and_the_same_search_goes_on() {
    let (_web, home) = online();
    let mut client = Client::start(&home, QUICK);
    let task = client.ok("create_task", json!({ "query": "Does velorastatin lower cholesterol?" }))
        ["task_id"]
        .clone();
    let arguments = json!({ "task_id": task, "query": "velorastatin LDL cholesterol",
                            "options": { "max_pages": 6, "wait_seconds": 60 } });
    let id = client.begin("tools/call", json!({ "name": "search", "arguments": arguments }));
    std::thread::sleep(Duration::from_millis(500));
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                         "params": { "requestId": id, "reason": "not needed" } }));
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let status = client.ok("get_status", json!({ "task_id": task }));
        if status["status"] == "paused" {
            assert_eq!(status["running"], json!([]));
            break;
        }
        assert!(Instant::now() < deadline, "{status}");
        std::thread::sleep(Duration::from_millis(200));
    }
    let found = client.ok("search", arguments);
    assert_eq!(found["running"], false);
    assert!(found["pages_fetched"].as_u64().unwrap() > 0, "{found}");
}

#[test]
fn a_silent_client_leaves_a_state_that_get_status_goes_on_with() {
    let (_web, home) = online();
    let mut client = Client::start(&home, &[QUICK, &["--set", "mcp.silence_seconds=1"]].concat());
    let task = client.ok("create_task", json!({ "query": "Does velorastatin lower cholesterol?" }))
        ["task_id"]
        .clone();
    client.ok(
        "search",
        json!({ "task_id": task, "query": "velorastatin LDL cholesterol", "options": { "wait_seconds": 0, "max_pages": 8 } }),
    );
    // The graph is looked at from outside: a word of the client would be no silence.
    let id = task.as_str().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let shown = home.run(&format!("--json task show {id}")).json();
        if shown["task"]["status"] == "paused" {
            assert_eq!(shown["task"]["stop_reason"], "client_silent");
            break;
        }
        assert!(Instant::now() < deadline, "{shown}");
        std::thread::sleep(Duration::from_millis(200));
    }
    let status = client.ok("get_status", json!({ "task_id": task }));
    assert_eq!(status["resumed"], true);
    assert_eq!(status["status"], "exploring");
    let mut status = status;
    while status["running"] != json!([]) {
        status = client.ok("get_status", json!({ "task_id": task, "wait_seconds": 1 }));
    }
    assert_ne!(status["searches"][0]["status"], "running", "{status}");
}

#[test]
fn a_client_that_leaves_in_the_middle_can_go_on_later() {
    let (_web, home) = online();
    let mut client = Client::start(&home, QUICK);
    let task = client.ok("create_task", json!({ "query": "Does velorastatin lower cholesterol?" }))
        ["task_id"]
        .clone();
    let arguments = json!({ "task_id": task, "query": "velorastatin LDL cholesterol",
                            "options": { "wait_seconds": 0, "max_pages": 6 } });
    client.ok("search", arguments);
    assert_eq!(client.leave(), Some(0));
    let shown = home.run(&format!("--json task show {}", task.as_str().unwrap())).json();
    assert_eq!(shown["task"]["status"], "paused");
    assert_eq!(shown["task"]["stop_reason"], "client_left");
    let mut client = Client::start(&home, QUICK);
    let mut status = client.ok("get_status", json!({ "task_id": task }));
    assert_eq!(status["resumed"], true);
    while status["running"] != json!([]) {
        status = client.ok("get_status", json!({ "task_id": task, "wait_seconds": 30 }));
    }
    assert_ne!(status["searches"][0]["status"], "running");
}

#[test]
fn two_servers_and_a_command_line_take_turns_at_the_database() {
    let home = Home::new();
    let quick = ["--offline", "--set", "mcp.release_ms=0"];
    let (mut one, mut two) = (Client::start(&home, &quick), Client::start(&home, &quick));
    let first = one.ok("create_task", json!({ "query": "first" }));
    let second = two.ok("create_task", json!({ "query": "second" }));
    assert_ne!(first["task_id"], second["task_id"]);
    let new = home.run("task new third");
    assert_eq!(new.code, Some(0), "{new}");
    let tasks =
        one.ok("query_graph", json!({ "sql": "SELECT query FROM tasks ORDER BY created_at, id" }));
    assert_eq!(
        tasks["rows"],
        json!([{ "query": "first" }, { "query": "second" }, { "query": "third" }])
    );
}

#[test]
fn a_database_that_another_process_holds_is_said_and_can_be_read() {
    let home = Home::new();
    let task = home.fill(|w| crate::world::task(w, "held"));
    let held = home.graph();
    let mut client = Client::start(&home, &["--offline", "--set", "storage.lock_wait_ms=10"]);
    assert_eq!(
        client.refused("create_task", json!({ "query": "q" })),
        "PIPELINE_ERROR | another Lyra process is writing to the database | \
         wait for it or stop it; query_graph and vector_search work meanwhile"
    );
    let rows = client.ok("query_graph", json!({ "sql": "SELECT id FROM tasks" }));
    assert_eq!(rows["rows"], json!([{ "id": task.to_string() }]));
    drop(held);
    client.ok("create_task", json!({ "query": "q" }));
}

#[test]
fn a_client_that_can_ask_its_user_is_asked() {
    let home = Home::new();
    let mut client =
        Client::with(&home, &["--offline"], "2025-11-25", json!({ "elicitation": {} }));
    let arguments = json!({ "prompt": "Sign in?", "options": { "choices": ["yes", "no"] } });
    for (answer, expected) in [
        (
            json!({ "action": "accept", "content": { "answer": "no" } }),
            json!({ "response": "no", "choice_index": 1, "timed_out": false }),
        ),
        (json!({ "action": "decline" }), json!({ "declined": true, "timed_out": false })),
    ] {
        let id =
            client.begin("tools/call", json!({ "name": "wait_for_user", "arguments": arguments }));
        let question = client.hear();
        assert_eq!(question["method"], "elicitation/create");
        assert_eq!(question["params"]["message"], "Sign in?");
        assert_eq!(
            question["params"]["requestedSchema"]["properties"]["answer"]["enum"],
            json!(["yes", "no"])
        );
        client.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer }));
        let mut answered = client.answer(id)["result"]["structuredContent"].clone();
        let fields = answered.as_object_mut().unwrap();
        fields.remove("_lyra_meta");
        fields.remove("ok");
        assert_eq!(answered, expected);
    }
}

#[test]
fn without_a_client_that_can_ask_the_question_waits_for_the_command_line() {
    let home = Home::new();
    let shown = home.path().join("shown.txt");
    let program =
        home.write("notify.sh", &format!("#!/bin/sh\nprintf '%s|%s' \"$1\" \"$2\" > {shown:?}\n"));
    std::process::Command::new("chmod").arg("+x").arg(&program).status().unwrap();
    let setting = format!("mcp.notify_program={}", program.display());
    let mut client = Client::start(&home, &["--offline", "--set", &setting]);
    let arguments = json!({ "prompt": "Do without the site?", "options": { "choices": ["Yes", "No"], "wait_seconds": 0 } });
    let pending = client.ok("wait_for_user", arguments.clone());
    assert_eq!(pending["pending"], true);
    assert_eq!(
        std::fs::read_to_string(&shown).unwrap(),
        format!("Lyra asks|Do without the site? (answer with: lyra answer)")
    );
    let id = pending["question_id"].as_str().unwrap();
    let listed = home.run("--json answer").json();
    assert_eq!(listed["questions"][0]["prompt"], "Do without the site?");
    let wrong = home.run(&format!("answer {id} maybe"));
    assert_eq!(wrong.code, Some(2), "{wrong}");
    let answered = home.run(&format!("answer {} 2", &id[..6]));
    assert_eq!(answered.code, Some(0), "{answered}");
    let answer = client.ok("wait_for_user", arguments);
    assert_eq!((&answer["response"], &answer["choice_index"]), (&json!("No"), &json!(1)));
    let over = client.ok(
        "wait_for_user",
        json!({ "prompt": "Quick?", "options": { "timeout_seconds": 1, "wait_seconds": 5 } }),
    );
    assert_eq!(over["timed_out"], true);
    let notified = client.ok(
        "notify_user",
        json!({ "event": "auth_required", "payload": { "title": "Sign in", "message": "It asks for a login",
                "url": "https://me:secret@example.org/a?key=1" } }),
    );
    assert_eq!(notified["shown"], true);
    assert_eq!(
        std::fs::read_to_string(&shown).unwrap(),
        "Sign in|It asks for a login\nhttps://example.org/a"
    );
}

#[test]
fn resources_can_be_listed_and_read() {
    let home = Home::new();
    let sea = home.fill(crate::world::sea_level);
    let mut client = Client::start(&home, &["--offline"]);
    let listed = client.request("resources/list", json!({}))["result"]["resources"].clone();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|it| it["uri"].as_str().unwrap()).collect();
    let task = format!("lyra://tasks/{}", sea.task);
    assert_eq!(names, ["lyra://schema", "lyra://views", &task]);
    let page = client.ok(
        "query_graph",
        json!({ "sql": "SELECT id FROM pages WHERE domain = 'www.example.jp'" }),
    );
    let page = page["rows"][0]["id"].as_str().unwrap().to_owned();
    let mut read = |uri: &str| {
        let answer = client.request("resources/read", json!({ "uri": uri }));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"]["contents"][0]["text"].as_str().unwrap().to_owned()
    };
    assert!(read("lyra://schema").contains("- `claims`: seq, id, task_id, claim_text"));
    assert!(!read("lyra://schema").contains("sessions"));
    assert!(read("lyra://views").contains("## v_contradictions\n"));
    assert!(read(&task).contains("Sea level rose by about 20 cm since 1901."));
    assert!(
        read(&format!("lyra://pages/{page}"))
            .contains("世界の平均海面水位は1901年から2018年の間に約20 cm上昇した。")
    );
    assert!(read(&format!("lyra://reports/{}", sea.task)).contains("海面は上昇したか"));
    for uri in
        ["lyra://sessions", "file:///etc/passwd", "lyra://tasks/../../etc", "lyra://pages/p_1"]
    {
        let answer = client.request("resources/read", json!({ "uri": uri }));
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
    }
}

#[test]
fn prompts_teach_the_division_of_labour() {
    let mut client = Client::start(&Home::new(), &["--offline"]);
    let listed = client.request("prompts/list", json!({}))["result"]["prompts"].clone();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["deep_research", "fact_check", "literature_review", "find_in_manuals"]);
    let prompt = client.request(
        "prompts/get",
        json!({ "name": "fact_check", "arguments": { "statement": "海面は上昇した" } }),
    );
    let text = prompt["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.starts_with("Check this statement with Lyra: 海面は上昇した\n"), "{text}");
    for (name, arguments, message) in [
        ("fact_chek", json!({}), "there is no prompt `fact_chek`; did you mean `fact_check`?"),
        ("fact_check", json!({}), "`statement` is missing"),
        ("fact_check", json!({ "statement": 7 }), "`statement` must be a text"),
        ("fact_check", json!({ "statement": "x", "y": "z" }), "fact_check takes no argument `y`"),
    ] {
        let answer = client.request("prompts/get", json!({ "name": name, "arguments": arguments }));
        assert_eq!(answer["error"]["message"], message);
    }
}

/// What every request of the current protocol carries.
fn current(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

#[test]
fn the_current_protocol_needs_no_handshake_and_asks_the_user_in_two_rounds() {
    let mut client = Client::spawn(&Home::new(), &["--offline"]);
    let meta = current(json!({ "elicitation": { "form": {} } }));
    let found = client.request("server/discover", json!({ "_meta": meta }));
    assert_eq!(found["result"]["capabilities"]["tools"], json!({}), "{found}");
    let mut call =
        json!({ "name": "wait_for_user", "arguments": { "prompt": "Go on?" }, "_meta": meta });
    let asked = client.request("tools/call", call.clone())["result"].clone();
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let question = &asked["inputRequests"]["answer"];
    assert_eq!(question["params"]["message"], "Go on?");
    call["inputResponses"] =
        json!({ "answer": { "action": "accept", "content": { "answer": "はい" } } });
    let answered = client.request("tools/call", call)["result"].clone();
    assert_eq!(answered["structuredContent"]["response"], "はい", "{answered}");
}

#[test]
fn a_client_with_the_tasks_extension_comes_back_for_its_search() {
    let home = home_with(DOCUMENTS);
    let mut client = Client::spawn(&home, &["--offline"]);
    let meta = current(json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } }));
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments, "_meta": meta });
    let created = client.request("tools/call", call("create_task", json!({ "query": QUESTION })));
    let task = created["result"]["structuredContent"]["task_id"].clone();
    let search =
        call("search", json!({ "task_id": task, "query": "working from home productivity" }));
    let begun = client.request("tools/call", search)["result"].clone();
    assert_eq!((&begun["resultType"], &begun["status"]), (&json!("task"), &json!("working")));
    let deadline = Instant::now() + Duration::from_secs(60);
    let ended = loop {
        let state =
            client.request("tasks/get", json!({ "taskId": begun["taskId"], "_meta": meta }));
        if state["result"]["status"] != "working" {
            break state["result"].clone();
        }
        assert!(Instant::now() < deadline, "{state}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(ended["status"], "completed", "{ended}");
    assert_eq!(ended["result"]["structuredContent"]["pages_fetched"], 3);
    let unknown = client.request("tasks/get", json!({ "taskId": "nobody", "_meta": meta }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
}

#[test]
fn a_budget_that_is_used_up_is_said() {
    let home = home_with(DOCUMENTS);
    let mut client = Client::start(&home, &["--offline"]);
    let config = json!({ "budget": { "max_pages": 1 }, "sources": ["library"] });
    let task =
        client.ok("create_task", json!({ "query": QUESTION, "config": config }))["task_id"].clone();
    let found =
        client.ok("search", json!({ "task_id": task, "query": "working from home productivity" }));
    assert_eq!(found["pages_fetched"], 1);
    assert_eq!(
        client.refused("search", json!({ "task_id": task, "query": "office workers" })),
        "BUDGET_EXHAUSTED | the budget of the task is used up | \
         stop_task ends it; a new task has a budget of its own (config.budget)"
    );
}

#[test]
fn pages_that_wait_for_a_person_are_listed_grouped_and_settled() {
    let home = Home::new();
    let (task, ids) = home.fill(|w| {
        let task = crate::world::task(w, "q")?;
        let mut ids = Vec::new();
        for (n, domain, kind, priority) in [
            (1, "a.example", "login", evidence::AuthPriority::Low),
            (2, "b.example", "cloudflare", evidence::AuthPriority::High),
            (3, "a.example", "captcha", evidence::AuthPriority::Medium),
        ] {
            ids.push(w.queue_auth(&graph::NewAuth {
                task_id: Some(task),
                url: format!("https://{domain}/{n}"),
                domain: domain.to_owned(),
                auth_type: kind.to_owned(),
                priority,
            })?);
        }
        Ok((task.to_string(), ids))
    });
    let mut client = Client::start(&home, &["--offline"]);
    let queue = client.ok("get_auth_queue", json!({ "task_id": task }));
    let urls: Vec<&Value> =
        queue["queue"].as_array().unwrap().iter().map(|it| &it["url"]).collect();
    assert_eq!(urls, ["https://b.example/2", "https://a.example/3", "https://a.example/1"]);
    let grouped = client.ok("get_auth_queue", json!({ "options": { "group_by": "domain" } }));
    assert_eq!(
        grouped["domains"],
        json!([
            { "domain": "b.example", "pending_count": 1, "high_priority_count": 1,
              "affected_tasks": [task], "auth_types": ["cloudflare"] },
            { "domain": "a.example", "pending_count": 2, "high_priority_count": 0,
              "affected_tasks": [task], "auth_types": ["captcha", "login"] },
        ])
    );
    let high = client.ok("get_auth_queue", json!({ "options": { "priority_filter": "high" } }));
    assert_eq!(high["total_pending"], 1);
    let settled = client.ok(
        "resolve_auth",
        json!({ "target": "domain", "data": { "domain": "a.example", "status": "skipped" } }),
    );
    assert_eq!(
        (&settled["resolved_count"], &settled["affected_tasks"]),
        (&json!(2), &json!([task]))
    );
    let failed = client.ok(
        "resolve_auth",
        json!({ "target": "item", "data": { "auth_id": ids[1].to_string(), "status": "failed" } }),
    );
    assert_eq!(failed["status"], "failed");
    let rows =
        client.ok("query_graph", json!({ "sql": "SELECT status FROM auth_queue ORDER BY url" }));
    assert_eq!(
        rows["rows"],
        json!([{ "status": "skipped" }, { "status": "skipped" }, { "status": "failed" }])
    );
    let status = client.ok("get_status", json!({ "task_id": task }));
    assert_eq!(status["auth_queue"]["pending_count"], 0);
}
