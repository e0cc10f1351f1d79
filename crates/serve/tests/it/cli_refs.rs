//! `lyra refs`.

use testweb::{Language, Paper, Stance, World, fact};

use crate::support::{Answer, Home, JAPANESE, online, own_help};

fn medical(world: &World) -> Vec<&Paper> {
    world.papers().iter().filter(|it| it.pmid.is_some()).collect()
}

fn entry(key: &str, paper: &Paper, title: &str, year: i32, doi: &str) -> String {
    let authors = paper.authors.join(" and ");
    format!(
        "@article{{{key}, title = {{{title}}}, author = {{{authors}}}, year = {year}, doi = {{{doi}}}}}\n"
    )
}

fn status(answer: &Answer, key: &str) -> String {
    let rows = answer.json()["references"].as_array().unwrap().clone();
    let row = rows.iter().find(|it| it["key"] == key).unwrap_or_else(|| panic!("{key}: {answer}"));
    row["status"].as_str().unwrap().to_owned()
}

#[test]
fn help_of_refs() {
    insta::assert_snapshot!(own_help("refs check"), @r#"
    Say of each reference whether it exists, is what it says, and was withdrawn

    Reads BibTeX, RIS, CSL-JSON, and Markdown or text with a list of references, footnotes or DOIs. Each
    is looked up in Crossref, Europe PMC, arXiv and the register of DOIs, by title also in OpenAlex and
    Semantic Scholar (and CiNii and J-STAGE, if it is Japanese), and compared: title, authors, year,
    DOI. A sentence that cites a work is held against its abstract, or its document in a folder of
    yours; what could not be read is said to be unread. A work that no index lists may exist: books and
    pages are never called invented.

    Offline, what is on this machine answers: works that searches found, and answers in the archive.
    Ends with code 9 if something is not as it should be, and with code 8 if nothing is wrong but
    sources did not answer.

    Usage: lyra refs check [OPTIONS] <FILE>...

    Arguments:
      <FILE>...
              The files, or `-` to read stdin; `@key` in a text is looked for in all of them

    Options:
          --folder <DIR>
              A folder with documents of cited works; may be repeated

          --no-sentences
              Do not hold sentences against what they cite

          --all
              Show also what is as it should be

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra refs check paper.bib
      lyra refs check article.md library.bib --folder ~/Documents/papers
      cat notes.md | lyra refs check - --json

    Next: `lyra read https://doi.org/...` reads a work.
    --- exit 0
    "#);
}

#[test]
fn each_reference_is_looked_up_and_compared() {
    let (web, home) = online();
    let world = web.world();
    let papers = medical(world);
    let retracted = papers.iter().find(|it| it.retracted).unwrap();
    let sound: Vec<&&Paper> = papers.iter().filter(|it| !it.retracted).collect();
    let file = [
        entry("fits", sound[0], &sound[0].title, sound[0].year, &sound[0].doi),
        entry("year", sound[1], &sound[1].title, sound[1].year - 5, &sound[1].doi),
        entry("nodoi", sound[2], &sound[2].title, sound[2].year, "10.5555/none.such"),
        entry("other", sound[2], &sound[2].title, sound[2].year, &sound[3].doi),
        entry("gone", retracted, &retracted.title, retracted.year, &retracted.doi),
        entry("made", sound[0], "Moonlight and the growth of cucumbers", 2020, "10.5555/made.up"),
        "@misc{page, title = {A page of mine}, url = {https://example.org/}}\n".to_owned(),
        "@article{broken, title = {never closed".to_owned(),
    ]
    .concat();
    home.write("refs.bib", &file);
    let answer = home.run("refs check refs.bib --json");
    assert_eq!(answer.code, Some(9), "{answer}");
    let keys = ["fits", "year", "nodoi", "other", "gone", "made", "page"];
    let found: Vec<String> = keys.iter().map(|it| status(&answer, it)).collect();
    let expected =
        ["fits", "differs", "differs", "differs", "retracted", "not_found", "not_checked"];
    assert_eq!(found, expected, "{answer}");
    let document = answer.json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["problems"][0], "line 8: `broken`, title: a value does not end");
    let row = &document["references"][1];
    let year =
        serde_json::json!([{ "what": "year", "given": sound[1].year - 5, "found": sound[1].year }]);
    assert_eq!(row["differences"], year);
    let of_another = &document["references"][3]["differences"][0];
    assert_eq!(of_another["what"], "doi_of_another");
    assert_eq!(of_another["of"], sound[3].title.as_str());

    // The same again asks nobody, and offline it is answered from the archive.
    let before = web.log().len();
    let again = home.run("refs check refs.bib --json --offline");
    assert_eq!(status(&again, "gone"), "retracted");
    assert_eq!(status(&again, "year"), "differs");
    assert_eq!(web.log().len(), before);

    let shown = home.run("refs check refs.bib");
    assert_eq!(shown.code, Some(9));
    assert!(shown.stdout.contains(&format!(
        "the year is {}, not {}",
        sound[1].year,
        sound[1].year - 5
    )));
    assert!(
        shown
            .stderr
            .contains("7 references: 1 fit, 3 differ, 1 retracted, 1 not found, 1 not checked"),
        "{shown}"
    );
    assert!(!shown.stdout.contains(" fits "), "{shown}");
}

#[test]
fn a_sentence_is_held_against_the_work_it_cites() {
    let (web, home) = online();
    let papers = medical(web.world());
    let paper = papers.iter().find(|it| !it.retracted && it.facts[0].1 == Stance::Agrees).unwrap();
    let (_, fact) = fact(paper.facts[0].0).unwrap();
    let said = fact.sentence(Language::English, Stance::Agrees);
    let denied = fact.sentence(Language::English, Stance::Denies);
    let elsewhere = "Cucumbers grow faster when the moon is full.";
    let mark = |sentence: &str| format!("{} [1].", sentence.trim_end_matches('.'));
    let text = format!(
        "# Notes\n\n{}\n\n{}\n\n{}\n\n## References\n\n[1] {}. {}. {}. {};3:1-9. doi:{}\n",
        mark(&said),
        mark(&denied),
        mark(elsewhere),
        paper.authors.join(", "),
        paper.title,
        paper.venue,
        paper.year,
        paper.doi
    );
    home.write("notes.md", &text);
    let answer = home.run("refs check notes.md --json");
    assert_eq!(answer.code, Some(9), "{answer}");
    assert_eq!(status(&answer, "1"), "fits", "{answer}");
    let sentences = answer.json()["sentences"].as_array().unwrap().clone();
    let says: Vec<&str> = sentences.iter().map(|it| it["says"].as_str().unwrap()).collect();
    assert_eq!(says, ["supports", "refutes", "neither"], "{answer}");
    assert_eq!(sentences[0]["read"], "abstract");
    assert!(said.contains(sentences[0]["quote"].as_str().unwrap().trim_start_matches("Results: ")));

    // A document of the user is read in place of the abstract.
    home.write(
        "papers/own.md",
        &format!("# {}\n\n{}\n\nIt was in May. {}\n", paper.title, paper.doi, elsewhere),
    );
    let answer = home.run("refs check notes.md --folder papers --json");
    let third = answer.json()["sentences"][2].clone();
    assert_eq!(third["says"], "supports", "{answer}");
    assert!(third["read"].as_str().unwrap().ends_with("papers/own.md"));

    let without = home.run("refs check notes.md --no-sentences --offline");
    assert_eq!(without.code, Some(0), "{without}");
}

#[test]
fn keys_of_a_text_are_found_in_a_bibliography() {
    let (web, home) = online();
    let papers = medical(web.world());
    let paper = papers.iter().find(|it| !it.retracted).unwrap();
    home.write("lib.bib", &entry("known", paper, &paper.title, paper.year, &paper.doi));
    home.write("text.md", "Something is so [@known; @missing].\n");
    let answer = home.run("refs check text.md lib.bib --json");
    assert_eq!(answer.json()["sentences"][0]["sentence"], "Something is so.");
    assert_eq!(answer.json()["problems"][0], "text.md, line 1: `@missing` is in none of the files");
}

#[test]
fn what_has_no_references_is_told() {
    let home = Home::new();
    home.write("plain.md", "Nothing is cited here.\n");
    insta::assert_snapshot!(home.run("refs check plain.md"), @r"
    --- stderr
    error: cannot use plain.md: no references were found in it
    hint: BibTeX, RIS, CSL-JSON, Markdown and text are read
    --- exit 2
    ");
    assert_eq!(home.run("refs check absent.bib").code, Some(2));
}

#[test]
fn offline_without_an_archive_it_says_that_nothing_was_looked_up() {
    let home = Home::new();
    home.write("a.bib", "@article{a, title={Coffee and sleep in adults}, doi={10.5555/a}}\n");
    let answer = home.run("refs check a.bib --offline --json");
    assert_eq!(answer.code, Some(8), "{answer}");
    assert_eq!(status(&answer, "a"), "not_checked");
    assert_eq!(answer.json()["references"][0]["unchecked"]["why"], "offline");
    let japanese = home.run_with(JAPANESE, "refs check a.bib --offline");
    assert!(japanese.stderr.contains("参考文献 1 件: 一致 0"), "{japanese}");
}
