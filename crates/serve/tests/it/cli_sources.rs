//! `lyra sources`.

use crate::support::{Home, online, own_help};

#[test]
fn help_of_sources() {
    insta::assert_snapshot!(own_help("sources search"), @r#"
    Ask the sources what exists, without reading it

    Results are addresses with what their source says about them; papers named by several indexes are
    shown once. Each source is named with what became of it: what it found, that there is nothing, that
    it did not let us in, that it was not asked. Requests are in the ledger.

    Usage: lyra sources search [OPTIONS] <QUERY>

    Arguments:
      <QUERY>
              What to look for

    Options:
          --from <SOURCE>
              Sources: `web`, `academic`, `apis`, `library`, or names from `lyra sources list`; may be
              repeated
              
              [default: academic,web]

          --folder <DIR>
              A folder of documents, for `library`; may be repeated

          --after <DATE>
              Only what was published on this day or later, such as 2024-01-31

          --before <DATE>
              Only what was published on this day or earlier

          --site <HOST>
              Only this site, for web engines

          --language <CODE>
              The language of the results, such as ja

          --phrase <WORDS>
              Words that must stand in this order; may be repeated

          --require <WORD>
              A word that must be there; may be repeated

          --exclude <WORD>
              A word that must not be there; may be repeated

          --filetype <ENDING>
              Only files of this kind, such as pdf

          --in-title <WORDS>
              Words that must be in the title

          --category <FIELD>
              The field of the query: engines that are for it go first
              
              [possible values: general, news, academic, government, technical]

          --limit <N>
              Results wanted from each source

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra sources search "aspirin stroke" --from academic
      lyra sources search 個人情報保護法 --from egov_law,diet_minutes
      lyra sources search "night shift" --folder ~/Documents/papers --from library

    Next: `lyra read URL` reads one of the results.
    --- exit 0
    "#);
}

#[test]
fn sources_are_listed_with_what_they_need() {
    let home = Home::new();
    let answer =
        home.run_with(("LYRA_APIS_KEYS", "estat_app_id=0123456789"), "sources list --json");
    let rows = answer.json()["sources"].as_array().unwrap().clone();
    let state = |name: &str| {
        let row = rows.iter().find(|it| it["name"] == name).unwrap();
        (row["kind"].as_str().unwrap().to_owned(), row["state"].as_str().unwrap().to_owned())
    };
    let said = |kind: &str, state: &str| (kind.to_owned(), state.to_owned());
    assert_eq!(state("semantic_scholar"), said("academic", "ready, without a key"));
    assert_eq!(state("egov_law"), said("api", "ready"));
    assert_eq!(state("estat"), said("api", "ready"));
    assert_eq!(state("gbizinfo"), said("api", "needs gbizinfo_token"));
    assert_eq!(state("mojeek"), said("web", "ready"));
}

#[test]
fn keys_are_not_shown_with_the_settings() {
    let home = Home::new();
    let answer = home.run_with(("LYRA_APIS_KEYS", "estat_app_id=0123456789"), "config show");
    assert_eq!(answer.code, Some(0));
    assert!(!answer.stdout.contains("0123456789"), "{answer}");
}

#[test]
fn a_folder_is_searched_without_the_network() {
    let home = Home::new();
    home.write(
        "papers/shift.md",
        "# Night shifts\n\nNurses who work at night sleep less than others.\n",
    );
    home.write("papers/heat.txt", "Heat pumps warm houses.");
    home.write("papers/夜勤.md", "# 夜勤と睡眠\n\n夜勤の看護師は睡眠が短い。\n");
    insta::assert_snapshot!(home.run("sources search nurses --from library --folder papers --offline"), @"
    #  SOURCE  DATE  TITLE         ADDRESS
    ─  ──────  ────  ─────         ───────
    1  papers        Night shifts  file://[home]/papers/shift.md
    --- stderr
    papers: 1 found
    --- exit 0
    ");
    let answer = home.run("sources search 夜勤 --from library --folder papers --json");
    let titles: Vec<_> = answer.json()["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["title"].clone())
        .collect();
    assert_eq!(titles, ["夜勤と睡眠"]);
}

#[test]
fn papers_known_to_both_indexes_are_shown_once() {
    let (web, home) = online();
    let topic = testweb::topics()[0].name.en;
    let answer = home.run_arguments(&["sources", "search", topic, "--from", "academic", "--json"]);
    let found = answer.json();
    assert_eq!(answer.code, Some(0), "{answer}");
    let dois: Vec<String> = found["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|it| it["paper"]["identifiers"].as_array().unwrap().clone())
        .filter(|it| it[0] == "doi")
        .map(|it| it[1].as_str().unwrap().to_owned())
        .collect();
    let mut once = dois.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), dois.len());
    assert!(dois.len() > 2, "{dois:?}");
    assert_eq!(web.hits("api.semanticscholar.org").len(), 1);
    assert_eq!(web.hits("api.openalex.org").len(), 1);
}

#[test]
fn a_source_that_does_not_exist_and_an_empty_query_are_said() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("sources search x --from nowhere"), @"
    --- stderr
    error: there is no source `nowhere`
    hint: `lyra sources list` names them
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_arguments(&["sources", "search", " "]), @"
    --- stderr
    error: there is nothing to look for
    hint: give a query
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("sources search x --after yesterday"), @"
    --- stderr
    error: `yesterday` is not a day
    hint: days look like 2024-01-31
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("sources search x --from academic --offline"), @"
    --- stderr
    Nothing was found.
    warning: semantic_scholar: Lyra runs offline and sends no requests
    warning: openalex: Lyra runs offline and sends no requests
    error: no source answered: Lyra runs offline and sends no requests
    hint: run it without --offline, and with fetch.offline = false
    --- exit 8
    ");
}
