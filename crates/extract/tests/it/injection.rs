//! How many public prompt injections are flagged, and how much ordinary text is.
//!
//! `LYRA_EVAL_DATA=DIR cargo nextest run -p extract --no-capture injection`. The bounds are what was
//! measured, rounded to the safe side: a change of the rules that loses ground fails.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The text of a file, unpacked where its name says that it is packed.
fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    let mut text = String::new();
    if path.extension().is_some_and(|it| it == "gz") {
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    text
}

fn lines(path: &Path) -> Vec<Value> {
    read(path).lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

fn field(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap().to_owned()
}

/// The column of a CSV file with quoted fields that may hold line breaks.
fn column(text: &str, name: &str) -> Vec<String> {
    let mut rows = vec![vec![String::new()]];
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().unwrap();
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                row.last_mut().unwrap().push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(String::new()),
            '\n' if !quoted => rows.push(vec![String::new()]),
            _ => row.last_mut().unwrap().push(c),
        }
    }
    let index = rows[0].iter().position(|it| it == name).unwrap();
    rows[1..].iter().filter_map(|it| it.get(index).cloned()).collect()
}

fn markdown_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            markdown_files(&path, found);
        } else if path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
    found.sort();
}

fn paragraphs(text: &str) -> Vec<String> {
    text.split('\n').map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// How many of the texts have a flag, and how often each rule was the reason.
fn flagged(texts: &[String]) -> (usize, BTreeMap<String, usize>) {
    let mut count = 0;
    let mut rules = BTreeMap::new();
    for text in texts {
        let mut names: Vec<String> =
            text::sanitise::flags(text, false).into_iter().map(|it| it.name).collect();
        names.sort();
        names.dedup();
        count += usize::from(!names.is_empty());
        for name in names {
            *rules.entry(name).or_default() += 1;
        }
    }
    (count, rules)
}

#[test]
fn injections_of_public_sets_are_flagged() {
    let Some(data) = testkit::public_data() else { return };
    let data = data.join("injection");
    let of = |path: &str, name: &str| -> Vec<String> {
        lines(&data.join(path)).iter().map(|it| field(it, name)).collect()
    };
    let deepset = lines(&data.join("deepset/train.jsonl"));
    let deepset =
        deepset.iter().filter(|it| it["label"] == 1).map(|it| field(it, "text")).collect();
    let bipia: BTreeMap<String, Vec<String>> =
        serde_json::from_str(&read(&data.join("bipia/benchmark/text_attack_train.json"))).unwrap();
    let purple: Vec<Value> =
        serde_json::from_str(&read(&data.join("purplellama/prompt_injection.json.gz"))).unwrap();
    let sets: [(&str, Vec<String>, f64); 6] = [
        ("deepset train, label 1", deepset, 0.21),
        ("BIPIA text attacks", bipia.into_values().flatten().collect(), 0.46),
        (
            "Tensor Trust hijacking",
            of(
                "tensor_trust/benchmarks/hijacking-robustness/v1/hijacking_robustness_dataset.jsonl.gz",
                "attack",
            ),
            0.57,
        ),
        (
            "Tensor Trust extraction",
            of(
                "tensor_trust/benchmarks/extraction-robustness/v1/extraction_robustness_dataset.jsonl.gz",
                "attack",
            ),
            0.69,
        ),
        ("Giskard", column(&read(&data.join("giskard/prompt_injections.csv")), "prompt"), 0.77),
        ("PurpleLlama English", purple.iter().map(|it| field(it, "user_input")).collect(), 0.21),
    ];
    for (name, texts, least) in sets {
        let (count, rules) = flagged(&texts);
        let share = count as f64 / texts.len() as f64;
        println!("{name}: {count} of {} ({:.1} %) {rules:?}", texts.len(), share * 100.0);
        assert!(share >= least, "{name}: {share:.3} is less than {least}");
    }
}

#[test]
fn ordinary_text_is_not_flagged() {
    let Some(data) = testkit::public_data() else { return };
    let scifact = lines(&data.join("scifact/corpus.jsonl.gz"));
    let scifact = scifact
        .iter()
        .map(|row| {
            let sentences: Vec<&str> =
                row["abstract"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
            format!("{} {}", field(row, "title"), sentences.join(" "))
        })
        .collect();
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(data.join("extraction/wcxb_dev/ground-truth")).unwrap() {
        let page: Value = serde_json::from_str(&read(&entry.unwrap().path())).unwrap();
        // A few pages have no content of their own.
        pages.extend(paragraphs(page["ground_truth"]["main_content"].as_str().unwrap_or_default()));
    }
    let mut files = Vec::new();
    markdown_files(&data.join("manuals_ja"), &mut files);
    let manuals = files.iter().flat_map(|it| paragraphs(&read(it))).collect();
    let wikipedia = lines(&data.join("retrieval/ja_jsquad_valid/corpus.jsonl.gz"));
    let wikipedia = wikipedia.iter().map(|it| field(it, "text")).collect();
    let benign = lines(&data.join("injection/deepset/train.jsonl"));
    let benign = benign.iter().filter(|it| it["label"] == 0).map(|it| field(it, "text")).collect();
    let sets: [(&str, Vec<String>, f64); 5] = [
        ("SciFact abstracts", scifact, 0.001),
        ("paragraphs of web pages (WCXB)", pages, 0.001),
        ("paragraphs of Japanese manuals", manuals, 0.001),
        ("paragraphs of Japanese Wikipedia (JSQuAD)", wikipedia, 0.001),
        ("deepset train, label 0 (questions to an assistant)", benign, 0.01),
    ];
    for (name, texts, most) in sets {
        let (count, rules) = flagged(&texts);
        let share = count as f64 / texts.len() as f64;
        println!("{name}: {count} of {} ({:.2} %) {rules:?}", texts.len(), share * 100.0);
        assert!(share <= most, "{name}: {share:.4} is more than {most}");
    }
}
