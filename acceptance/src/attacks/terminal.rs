//! Text that drives what shows it: terminals, spreadsheets, browsers.

use super::Attack;
use super::program::{Home, Program};

const AREA: &str = "what shows it";

/// What a title may hold, and what of it must not leave.
const TITLES: &[(&str, &str)] = &[
    ("\u{1b}[2J\u{1b}[Hcleared", "\u{1b}"),
    ("\u{1b}]0;title\u{7}", "\u{1b}"),
    ("\u{1b}]52;c;c2VjcmV0\u{7}", "\u{1b}"),
    ("\u{1b}]8;;https://evil.example\u{1b}\\link", "\u{1b}"),
    ("\u{1b}Pq#0~\u{1b}\\", "\u{1b}"),
    ("\u{9b}31mred", "\u{9b}"),
    ("\u{90}sixel\u{9c}", "\u{90}"),
    ("bell\u{7}bell", "\u{7}"),
    ("back\u{8}\u{8}\u{8}space", "\u{8}"),
    ("over\rwritten", "\r"),
    ("turned \u{202e}dlrow", "\u{202e}"),
    ("isolated \u{2066}x\u{2069}", "\u{2066}"),
    ("delete\u{7f}", "\u{7f}"),
];

/// What a browser would run, and what of it must not stand in a page as it is.
const MARKUP: &[(&str, &str)] = &[
    ("<script>alert(1)</script>", "<script>alert"),
    ("<img src=x onerror=alert(1)>", "<img src=x"),
    ("<svg onload=alert(1)>", "<svg onload"),
    ("</title><script>alert(1)</script>", "<script>alert"),
    ("\"><iframe src=javascript:alert(1)>", "<iframe"),
    ("<a href=\"javascript:alert(1)\">x</a>", "href=\"javascript:"),
    ("<style>*{display:none}</style>", "<style>*"),
    ("<meta http-equiv=refresh content=0>", "<meta http-equiv=refresh"),
    ("<base href=https://evil.example>", "<base"),
    ("<form action=https://evil.example><input>", "<form"),
];

/// What a spreadsheet would run.
const FORMULAS: &[&str] = &[
    "=HYPERLINK(\"https://evil.example\",\"x\")",
    "=cmd|' /C calc'!A0",
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "＝1+1",
];

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for (title, forbidden) in TITLES {
        let name = title.escape_debug().to_string();
        let home = Home::new();
        let would = "drives the terminal of whoever reads it";
        program.run(&home, &["task", "new", "-"], title.as_bytes());
        for command in [&["task", "list"][..], &["task", "list", "--json"]] {
            let ended = program.run(&home, command, b"");
            let held = ended.decent().and_then(|()| free_of(&ended.stdout, forbidden));
            attacks.push(Attack::new(
                AREA,
                format!("{name} in {}", command.join(" ")),
                would,
                held,
            ));
        }
        let page = format!(
            "<html><head><title>{title}</title></head><body><p>{title} is what the page says.</p></body></html>"
        );
        home.write("page.html", page.as_bytes());
        for flag in ["--quiet", "--json", "--markdown"] {
            let ended = program.run(&home, &["read", "page.html", flag], b"");
            let held = ended.decent().and_then(|()| free_of(&ended.stdout, forbidden));
            attacks.push(Attack::new(AREA, format!("{name} in read {flag}"), would, held));
        }
    }
    for (markup, forbidden) in MARKUP {
        let home = Home::new();
        let would = "runs in the browser of whoever opens the report";
        program.run(&home, &["task", "new", "-"], format!("Is {markup} safe?").as_bytes());
        let ended = program.run(&home, &["report", &task(program, &home), "--format", "html"], b"");
        let held = ended.decent().and_then(|()| free_of(&ended.stdout, forbidden));
        attacks.push(Attack::new(AREA, format!("{markup} in a report"), would, held));
    }
    for formula in FORMULAS {
        let home = Home::new();
        program.run(&home, &["task", "new", "--", formula.trim()], b"");
        program.run(&home, &["export", &task(program, &home), "--csv", "out"], b"");
        let rows = std::fs::read_to_string(home.path().join("out/tasks.csv")).unwrap_or_default();
        let cells = rows.split(['\n', ',']).map(|it| it.trim_start_matches('"'));
        let held = match rows.is_empty() {
            true => Err("nothing was exported".to_owned()),
            false => cells
                .filter(|it| it.starts_with(['=', '+', '@', '\t', '＝']) || it.starts_with("-2"))
                .map(|it| Err(format!("a cell begins with {it:?}")))
                .next()
                .unwrap_or(Ok(())),
        };
        let would = "runs in the spreadsheet of whoever opens the export";
        attacks.push(Attack::new(AREA, formula.escape_debug().to_string(), would, held));
    }
    attacks
}

/// The newest task.
fn task(program: &Program, home: &Home) -> String {
    let listed = program.run(home, &["task", "list", "--json"], b"").stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap_or_default();
    listed["tasks"][0]["id"].as_str().unwrap_or("none").to_owned()
}

fn free_of(text: &str, forbidden: &str) -> Result<(), String> {
    match text.contains(forbidden) {
        true => Err(format!("{} is in the answer", forbidden.escape_debug())),
        false => Ok(()),
    }
}
