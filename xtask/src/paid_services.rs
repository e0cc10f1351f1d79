//! No paid interface, no rented proxy and nobody who solves CAPTCHAs for money: neither their hosts in what is shipped
//! nor their crates among the dependencies. `deny.toml` refuses the crates as well, where cargo-deny is installed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Outcome;

/// Hosts of services that cost money, by what they sell. A name covers everything below it.
const HOSTS: &[(&str, &[&str])] = &[
    (
        "a paid interface",
        &[
            "api.openai.com",
            "api.anthropic.com",
            "generativelanguage.googleapis.com",
            "aiplatform.googleapis.com",
            "api.mistral.ai",
            "api.cohere.ai",
            "api.cohere.com",
            "api.groq.com",
            "api.together.xyz",
            "api.perplexity.ai",
            "api.deepl.com",
            "openrouter.ai",
            "serpapi.com",
            "serper.dev",
            "api.tavily.com",
            "api.exa.ai",
            "api.search.brave.com",
            "api.bing.microsoft.com",
            "customsearch.googleapis.com",
        ],
    ),
    (
        "a rented proxy",
        &[
            "brightdata.com",
            "oxylabs.io",
            "smartproxy.com",
            "decodo.com",
            "webshare.io",
            "iproyal.com",
            "scraperapi.com",
            "scrapingbee.com",
            "zenrows.com",
            "scrapfly.io",
        ],
    ),
    (
        "a CAPTCHA service",
        &[
            "2captcha.com",
            "anti-captcha.com",
            "capsolver.com",
            "deathbycaptcha.com",
            "capmonster.cloud",
            "nopecha.com",
        ],
    ),
];

/// Crates that exist to use such services.
const CRATES: &[&str] = &[
    "2captcha",
    "anthropic-sdk",
    "anticaptcha",
    "async-anthropic",
    "async-openai",
    "capsolver",
    "openai-api-rs",
    "openai_api_rust",
    "serpapi",
    "tavily",
    "twocaptcha",
];

/// What is shipped or decides what is: sources, declarations of engines and interfaces, settings.
const LOOKED_AT: [&str; 4] = ["rs", "toml", "json", "j2"];

pub(crate) fn check(root: &Path, problems: &mut Vec<String>) -> Outcome {
    let lock = root.join("Cargo.lock");
    problems.extend(paid_crates(&read(&lock)?));
    let mut files = Vec::new();
    gather(&root.join("crates"), &mut files)?;
    for path in files {
        for found in paid_hosts(&read(&path)?) {
            problems.push(format!("{}: {found}", path.display()));
        }
    }
    Ok(())
}

/// The crates of a lock file that no dependency may bring.
fn paid_crates(lock: &str) -> Vec<String> {
    lock.lines()
        .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
        .filter(|name| CRATES.contains(name))
        .map(|name| format!("Cargo.lock: `{name}` is there to use a paid service"))
        .collect()
}

/// The hosts in a text that nothing may ask.
fn paid_hosts(text: &str) -> Vec<String> {
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let text = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for (what, hosts) in HOSTS {
        for host in *hosts {
            let named = text.match_indices(host).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + host.len()..].chars().next();
                !before.is_some_and(|it| part_of_name(it) && it != '.')
                    && !after.is_some_and(|it| part_of_name(it) && it != '.')
            });
            if named {
                found.push(format!("names `{host}`, {what}"));
            }
        }
    }
    found
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        // Tests may name them: as what is to be refused.
        if path.is_dir() && !path.ends_with("tests") {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|it| LOOKED_AT.iter().any(|known| it == *known)) {
            files.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paid_host_is_found_however_it_is_written() {
        let found = |text: &str| paid_hosts(text).join("; ");
        assert_eq!(
            found("url = \"https://API.OpenAI.com/v1\""),
            "names `api.openai.com`, a paid interface"
        );
        assert_eq!(
            found("http://proxy.brightdata.com:22225"),
            "names `brightdata.com`, a rented proxy"
        );
        assert_eq!(found("host: 2captcha.com."), "names `2captcha.com`, a CAPTCHA service");
        assert_eq!(found("notbrightdata.com, brightdata.company, api.openalex.org"), "");
    }

    #[test]
    fn a_crate_for_a_paid_service_is_found_in_the_lock_file() {
        let lock = "[[package]]\nname = \"serde\"\n\n[[package]]\nname = \"async-openai\"\nversion = \"1.0.0\"\n";
        assert_eq!(
            paid_crates(lock),
            ["Cargo.lock: `async-openai` is there to use a paid service"]
        );
    }

    #[test]
    fn this_repository_uses_none() {
        let mut problems = Vec::new();
        check(&crate::tools::root(), &mut problems).unwrap();
        assert_eq!(problems, Vec::<String>::new());
    }

    #[test]
    fn a_declaration_that_asks_a_paid_service_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let engines = folder.path().join("crates/sources/engines");
        fs::create_dir_all(&engines).unwrap();
        fs::write(folder.path().join("Cargo.lock"), "").unwrap();
        fs::write(engines.join("x.toml"), "url = 'https://serpapi.com/search'\n").unwrap();
        let mut problems = Vec::new();
        check(folder.path(), &mut problems).unwrap();
        assert_eq!(
            problems,
            [format!(
                "{}: names `serpapi.com`, a paid interface",
                engines.join("x.toml").display()
            )]
        );
    }
}
