//! Titles and authors of strangers in the files that a report becomes.

use serde_json::Value;

use super::Attack;
use super::program::{Home, Program};

const AREA: &str = "files of a report";
const WOULD: &str = "forges entries or runs in the program that opens them";
const QUESTION: &str = "Did the new rule raise the leave of parents?";

/// Titles as they stand in a page, entities and all.
const TITLES: [&str; 14] = [
    "Leave&#10;ER  - &#10;TY  - JOUR&#10;TI  - forged",
    "Leave&#13;ER  - &#13;TY  - JOUR",
    "Leave&#x2028;ER  - &#x2028;TY  - JOUR",
    "Leave&#133;TY  - JOUR",
    "Leave}, url = {https://evil.example/}, note = {forged",
    "Leave }}&#10;@article{forged, title = {x",
    "Leave \\input{/etc/passwd} \\write18{id} $x$ %",
    "=HYPERLINK(&quot;https://evil.example/&quot;,&quot;Leave&quot;)",
    "+1+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "&quot;,&quot;=1+1&quot;,&quot;",
    "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;",
    "Leave&#27;[2J&#x202e;&#0;]]&gt;&lt;/w:t&gt;&lt;w:instrText&gt;DDEAUTO",
];

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let home = Home::new();
    for (number, title) in TITLES.iter().enumerate() {
        let weeks = ["twelve", "fourteen", "sixteen", "eighteen"][number % 4];
        let page = format!(
            "<html lang=en><head><title>{title}</title><meta name=author content=\"{title}\"></head><body><main><h1>{title}</h1>\
             <p>In office {number} the new rule raised the leave of parents to {weeks} weeks in the year {}.</p></main></body></html>",
            2000 + number
        );
        home.write(&format!("library/{number}.html"), page.as_bytes());
    }
    let asked = ["research", QUESTION, "--library", "library", "--json"];
    let ended = program.run(&home, &asked, b"");
    let mut attacks = vec![Attack::new(AREA, "the search itself", WOULD, ended.decent())];
    let report = |format: &str| program.run(&home, &["report", "latest", "--format", format], b"");
    let json: Value = serde_json::from_str(&report("json").stdout).unwrap_or_default();
    let sources = json["sources"].as_array().map_or(0, Vec::len);
    // Whatever is checked below must be there to be checked.
    let enough = match sources {
        8.. => Ok(()),
        _ => Err(format!("only {sources} of {} titles are cited", TITLES.len())),
    };
    attacks.push(Attack::new(AREA, "titles are cited", WOULD, enough));
    for (format, check) in CHECKS {
        let ended = report(format);
        let held = ended.decent().and_then(|()| match ended.code {
            Some(0) => check(&ended.stdout, sources),
            code => Err(format!("it ended with {code:?}: {}", ended.stderr.trim())),
        });
        let name = format!("{} hostile titles and authors in {format}", TITLES.len());
        attacks.push(Attack::new(AREA, name, WOULD, held));
    }
    attacks
}

/// A format, and whether its text with so many sources is what it should be.
type Check = (&'static str, fn(&str, usize) -> Result<(), String>);

const CHECKS: &[Check] = &[
    ("ris", |text, sources| {
        let lines = || text.lines().filter(|it| !it.is_empty());
        let shaped =
            |it: &str| it.get(2..6).is_some_and(|it| it == "  - ") || it.starts_with("ER  -");
        if let Some(line) = lines().find(|it| !shaped(it)) {
            return Err(format!("a line is no field: {line}"));
        }
        counted("entries", lines().filter(|it| it.starts_with("TY  -")).count(), sources)?;
        counted("ends", lines().filter(|it| it.starts_with("ER  -")).count(), sources)
    }),
    ("bibtex", |text, sources| {
        counted("entries", text.lines().filter(|it| it.starts_with('@')).count(), sources)?;
        let mut depth = 0_i32;
        let mut escaped = false;
        for c in text.chars() {
            depth += match c {
                '{' if !escaped => 1,
                '}' if !escaped => -1,
                _ => 0,
            };
            escaped = c == '\\' && !escaped;
            if depth < 0 {
                return Err("a brace too many closes an entry".to_owned());
            }
        }
        counted("open braces", depth as usize, 0)
    }),
    ("csl-json", |text, sources| {
        let value: Value = serde_json::from_str(text).map_err(|it| it.to_string())?;
        counted("entries", value.as_array().map_or(0, Vec::len), sources)
    }),
    ("csv", |text, _| {
        let starts = |it: &String| it.starts_with(['=', '+', '@', '\t', '＝', '-']);
        let mut rows = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let rows: Vec<Vec<String>> =
            rows.deserialize().collect::<Result<_, _>>().map_err(|it| it.to_string())?;
        match rows.into_iter().flatten().find(starts) {
            Some(cell) => Err(format!("a cell begins with {cell:?}")),
            None => Ok(()),
        }
    }),
    ("html", |text, _| {
        match ["<script>alert", "<img src=x", "onerror=alert(1)>"]
            .iter()
            .find(|it| text.contains(**it))
        {
            Some(it) => Err(format!("{it} is markup")),
            None => Ok(()),
        }
    }),
    ("md", |text, _| match text.contains(['\u{1b}', '\u{202e}', '\0']) {
        true => Err("characters that are not shown are left".to_owned()),
        false => Ok(()),
    }),
];

fn counted(what: &str, found: usize, expected: usize) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{found} {what} instead of {expected}")),
    }
}
