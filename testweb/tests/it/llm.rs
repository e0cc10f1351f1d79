//! The language model server that does as it is told.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use testweb::{LLM_MODEL, LlmDialect, LlmMode, LlmServer};

use crate::client::{Reply, parse, request};

fn send(server: &LlmServer, method: &str, path: &str, body: &str) -> Reply {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let length = body.len().to_string();
    let headers = [("Content-Type", "application/json"), ("Content-Length", length.as_str())];
    stream.write_all(request(method, "127.0.0.1", path, &headers, body).as_bytes()).unwrap();
    let mut bytes = Vec::new();
    // A server that hangs ends the reading; nothing came before.
    let _ = stream.read_to_end(&mut bytes);
    parse(&bytes)
}

fn ask(server: &LlmServer, path: &str, system: &str, user: &str) -> String {
    let body = serde_json::json!({
        "model": "m",
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
    });
    let reply = send(server, "POST", path, &body.to_string());
    let answer: serde_json::Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let message =
        if path == "/api/chat" { &answer["message"] } else { &answer["choices"][0]["message"] };
    message["content"].as_str().unwrap_or("no content").to_owned()
}

const USER: &str = "Question: vitamin falls\nText:\nVitamin D reduced falls by 12 %. Why? 転倒は減少したと報告されている。\n";

#[test]
fn both_protocols_list_the_model_and_chat() {
    let server = LlmServer::start(LlmDialect::Both);
    assert_eq!(
        send(&server, "GET", "/api/tags", "").text(),
        format!(r#"{{"models":[{{"name":"{LLM_MODEL}"}}]}}"#)
    );
    assert_eq!(
        send(&server, "GET", "/v1/models", "").text(),
        format!(r#"{{"object":"list","data":[{{"id":"{LLM_MODEL}"}}]}}"#)
    );
    let expected = r#"{"claims":[{"claim":"Vitamin D reduced falls by 12 %.","quote":"Vitamin D reduced falls by 12 %."},{"claim":"転倒は減少したと報告されている。","quote":"転倒は減少したと報告されている。"}]}"#;
    assert_eq!(ask(&server, "/api/chat", r#"Answer {"claims": []}"#, USER), expected);
    assert_eq!(ask(&server, "/v1/chat/completions", r#"Answer {"claims": []}"#, USER), expected);
    let requests = server.requests();
    assert_eq!(
        (requests.len(), requests[0].model.as_str(), requests[0].user.as_str()),
        (2, "m", USER)
    );
    assert_eq!(send(&LlmServer::start(LlmDialect::OpenAi), "GET", "/api/tags", "").status, 404);
    assert_eq!(send(&LlmServer::start(LlmDialect::Neither), "GET", "/v1/models", "").status, 404);
}

#[test]
fn a_script_is_followed_in_order_and_then_forgotten() {
    let server = LlmServer::start(LlmDialect::Ollama);
    server.script([
        LlmMode::Status(503),
        LlmMode::Says("own words".to_owned()),
        LlmMode::NoContent,
    ]);
    assert_eq!(send(&server, "POST", "/api/chat", "{}").status, 503);
    assert_eq!(ask(&server, "/api/chat", "", USER), "own words");
    assert_eq!(ask(&server, "/api/chat", "", USER), "");
    assert_eq!(ask(&server, "/api/chat", r#"{"score": 0}"#, USER), r#"{"score":10}"#);
    server.answer_with(LlmMode::Prose);
    assert_eq!(
        ask(&server, "/api/chat", "", USER),
        "I have read the text and it makes several interesting points."
    );
}

#[test]
fn answers_take_the_time_they_are_told_to() {
    let server = LlmServer::start(LlmDialect::Ollama);
    server.pause_before_answers(Duration::from_millis(80));
    let started = Instant::now();
    ask(&server, "/api/chat", "", USER);
    assert!(started.elapsed() >= Duration::from_millis(80));
    assert!(server.busy() >= Duration::from_millis(80));
    server.clear();
    server.pause_before_answers(Duration::ZERO);
    server.script([LlmMode::Hang]);
    assert_eq!(send(&server, "POST", "/api/chat", "{}").status, 0, "no answer at all");
    assert_eq!(server.requests()[0].took, None);
}
