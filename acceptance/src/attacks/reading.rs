//! What a taken-over reading process could do.

use super::Attack;
use super::program::{Home, Program};

const AREA: &str = "the reading process";

const ACTS: &[(&str, &str)] = &[
    ("read_file", "reads the user's files"),
    ("write_file", "writes files"),
    ("list_folder", "looks around in folders"),
    ("run_program", "runs programs"),
    ("tcp", "sends what it read to anybody"),
    ("udp", "sends what it read to anybody"),
    ("unix_socket", "talks to other programs of this machine"),
];

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let home = Home::new();
    let ended = program.run(&home, &["doctor", "--json"], b"");
    let said: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap_or_default();
    let found = |name: &str| {
        let checks = said["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
        let check = checks.iter().find(|it| it["name"] == name);
        check.and_then(|it| it["found"].as_str()).unwrap_or_default().to_owned()
    };
    let reading = found("reading process");
    let refused = reading.split_once("refused when tried: ").map_or("", |it| it.1).to_owned();
    let mut attacks: Vec<Attack> = ACTS
        .iter()
        .map(|(act, would)| {
            let held = match refused.split(", ").any(|it| it == *act) {
                true => Ok(()),
                false => Err(format!("lyra doctor says: {reading}")),
            };
            Attack::new(AREA, *act, would, held)
        })
        .collect();
    let offline = found("offline searches");
    let held = match offline == "the kernel refuses them the network" {
        true => Ok(()),
        false => Err(format!("lyra doctor says: {offline}")),
    };
    attacks.push(Attack::new(
        AREA,
        "a connection of an offline search",
        "sends the question away",
        held,
    ));
    attacks
}
