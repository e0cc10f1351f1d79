//! What the tools say about themselves is true: every example is run, and the reference is the one in the repository.

use evidence::AuthPriority;
use graph::NewAuth;
use serde_json::{Value, json};

use crate::mcp_client::{Client, home_with_manual};
use crate::support::Home;
use crate::world::{look_at, sea_level, supports};

/// Examples a tool must have refused in this world, with the code they get.
const REFUSED: &[(&str, &str)] = &[("calibration_rollback", "CALIBRATION_ERROR")];

#[test]
fn every_example_in_a_description_runs() {
    let home = home_with_manual();
    let (sea, auth) = home.fill(|w| {
        let sea = sea_level(w)?;
        let samples = supports(w, sea.disputed, "sample", 40, 0.8)?;
        look_at(w, &samples, |n| n % 5 != 0)?;
        let auth = w.queue_auth(&NewAuth {
            task_id: Some(sea.task),
            url: "https://protected.example.org/page".to_owned(),
            domain: "example.org".to_owned(),
            auth_type: "login".to_owned(),
            priority: AuthPriority::High,
        })?;
        Ok((sea, auth))
    });
    let ids = [
        ("task_…", sea.task.to_string()),
        ("auth_…", auth.to_string()),
        ("c_…", sea.disputed.to_string()),
        ("e_…", sea.edges[0].to_string()),
    ];
    let mut client = Client::start(&home, &["--offline"]);
    let found = |client: &mut Client, tool: &str| {
        let found = client.ok(tool, json!({ "query": "parental leave" }));
        found["trace_id"].as_str().unwrap().to_owned()
    };
    let traces = [
        ("tr_…", found(&mut client, "manual_find")),
        ("vault_…", found(&mut client, "vault_find")),
    ];
    let ids = [ids.as_slice(), &traces].concat();
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    let mut run = 0;
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let description = tool["description"].as_str().unwrap();
        let examples: Vec<&str> =
            description.lines().filter_map(|line| line.strip_prefix("Example: ")).collect();
        assert!(!examples.is_empty(), "{name} has no example");
        for example in examples {
            let example =
                ids.iter().fold(example.to_owned(), |text, (word, id)| text.replace(word, id));
            assert!(!example.contains('…'), "{name}: {example}");
            let arguments: Value = serde_json::from_str(&example).unwrap();
            let result = client.call(name, arguments);
            match REFUSED.iter().find(|it| it.0 == name) {
                Some((_, code)) => {
                    assert_eq!(
                        result["structuredContent"]["error"]["code"], *code,
                        "{name}: {result}"
                    );
                }
                None => assert_eq!(
                    result["structuredContent"]["ok"], true,
                    "{name} {example}: {result}"
                ),
            }
            run += 1;
        }
    }
    assert!(run >= 40, "{run}");
}

#[test]
fn the_reference_in_the_repository_is_the_one_the_program_prints() {
    let printed = Home::new().run("mcp tools");
    assert_eq!(printed.code, Some(0), "{printed}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tools.md");
    let stored = std::fs::read_to_string(path).unwrap();
    assert!(stored == printed.stdout, "docs/tools.md is old: run `cargo xtask tools`");
}

#[test]
fn the_files_for_clients_and_registries_say_what_the_program_is() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(format!("{root}/{name}")).unwrap()).unwrap()
    };
    let mut client = Client::start(&Home::new(), &["--offline"]);
    let listed = client.request("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<Value> =
        listed.as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    let prompts = client.request("prompts/list", json!({}))["result"]["prompts"].clone();
    let manifest = read("packaging/mcpb/manifest.json");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let told: Vec<Value> =
        manifest["tools"].as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
    assert_eq!(told, names);
    assert_eq!(manifest["prompts"].as_array().unwrap().len(), prompts.as_array().unwrap().len());
    assert_eq!(
        manifest["server"]["mcp_config"]["args"].as_array().unwrap().last(),
        Some(&json!("mcp"))
    );
    let server = read("packaging/server.json");
    assert_eq!(server["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(server["packages"][0]["transport"]["type"], "stdio");
}
