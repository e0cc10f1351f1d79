//! The texts: attacks by the set they come from, ordinary text by what it may be used for.
//!
//! A source is used for one thing only. What trains a head never scores it, and what chooses its threshold does
//! neither. The attacks of PurpleLlama are under a licence that weights would inherit, so they only score; the
//! Japanese ones of `eval/data` were written before the head was made, and train nothing either.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use extract::{Input, ReadSettings};
use serde::Deserialize;
use serde_json::Value;

use super::{MANUALS, PATTERNS, patterns};
use crate::{Failure, data};

/// What a source is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Train,
    /// Chooses the threshold.
    Choose,
    Score,
}

impl Part {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Choose => "choose",
            Self::Score => "score",
        }
    }
}

/// Texts of one source.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: &'static str,
    pub(super) is_attack: bool,
    pub(super) part: Part,
    pub(super) texts: Vec<String>,
}

/// Files of this project.
#[derive(Debug, Clone, Copy)]
pub(super) struct Files<'a> {
    pub(super) japanese: &'a str,
    pub(super) fresh: &'a str,
    pub(super) indirect: &'a str,
    pub(super) patterns: &'a str,
}

/// Sources of the parallel corpus that only choose; the others train. None of them is non-commercial.
const CHOOSING: [&str; 8] = [
    "postgresql",
    "godot_docs",
    "tensorflow_nb",
    "tensorflow",
    "wmt21_22",
    "ntrex",
    "gnome_help",
    "opensource_guide",
];
/// The same for monolingual text.
const CHOOSING_TEXT: [&str; 4] =
    ["railsguides_ja", "postgresql_ja", "wikinews_ja", "covid_wikipedia_ja"];
/// Not for shipped weights, or read again when scoring.
const LEFT_OUT: [&str; 11] = [
    "bsd",
    "jsick_sick",
    "ami",
    "igakuqa",
    "stellarium",
    "arch_guidelines_ja",
    "jsquad_valid_ctx",
    "scifact",
    "openstax",
    "wcxb",
    "jaquad",
];
/// Texts of each source of a corpus.
const EACH: usize = 5_000;
/// The longest text.
const MAX_CHARS: usize = 1_200;
/// Searches leave out shorter passages before the head would read them (`search.min_passage_chars`); a Japanese letter
/// counts as three.
const MIN_CHARS: usize = 40;

/// Every source that is there.
pub(super) fn gather(
    root: &Path,
    own: &Files<'_>,
    limit: Option<usize>,
) -> Result<Vec<Source>, Failure> {
    let attacks = root.join("injection");
    let bilingual = root.join("bilingual");
    let attack = |name, part, texts| Source { name, is_attack: true, part, texts };
    let plain = |name, part, texts| Source { name, is_attack: false, part, texts };
    let (deepset, asked) = deepset(&attacks.join("deepset/train.jsonl"))?;
    let indirect_own = rows_of(own.indirect, "en")?.into_iter().chain(rows_of(own.indirect, "ja")?);
    let (made, like_orders) = patterns::gather(Path::new(own.patterns))?;
    let mut sources = vec![
        attack("deepset", Part::Train, deepset),
        attack(
            "bipia, text",
            Part::Train,
            bipia(&attacks.join("bipia/benchmark/text_attack_train.json"))?,
        ),
        // Orders to paste code, as tutorials give them: what trains with them hears code.
        attack(
            "bipia, code",
            Part::Score,
            bipia(&attacks.join("bipia/benchmark/code_attack_train.json"))?,
        ),
        attack("giskard", Part::Train, giskard(&attacks.join("giskard/prompt_injections.csv"))?),
        attack(
            "tensor_trust",
            Part::Train,
            tensor_trust(&attacks.join("tensor_trust/benchmarks"))?,
        ),
        attack("our own, for training", Part::Train, indirect_own.collect()),
        attack(PATTERNS, Part::Train, made),
        attack("purplellama", Part::Score, purple_llama(&attacks.join("purplellama"))?),
        attack("Japanese, direct", Part::Score, rows_of(own.japanese, "direct")?),
        attack("Japanese, in pages", Part::Score, rows_of(own.japanese, "indirect")?),
        attack("fresh, English", Part::Score, rows_of(own.fresh, "attack-en")?),
        attack("fresh, Japanese", Part::Score, rows_of(own.fresh, "attack-ja")?),
        plain(PATTERNS, Part::Train, like_orders),
        plain("fresh orders to people, English", Part::Score, rows_of(own.fresh, "ordinary-en")?),
        plain("fresh orders to people, Japanese", Part::Score, rows_of(own.fresh, "ordinary-ja")?),
        plain("questions to assistants (deepset)", Part::Train, asked),
    ];
    for part in [Part::Train, Part::Choose] {
        sources.push(plain("translations", part, parallel(&bilingual, part)?));
        sources.push(plain("paragraphs", part, paragraphs(&bilingual, part)?));
    }
    for (third, part) in [Part::Train, Part::Choose, Part::Score].into_iter().enumerate() {
        let texts = pages(&root.join("extraction"), third)?;
        sources.push(plain("web pages (WCXB, Mozilla), a third", part, texts));
        let texts = manuals(&root.join("manuals_ja"), third)?;
        sources.push(plain(MANUALS, part, texts));
    }
    sources.push(plain("papers (SciFact)", Part::Score, papers(&root.join("scifact"))?));
    sources.push(plain(
        "encyclopedia, English (BoolQ)",
        Part::Score,
        documents(&root.join("answers/boolq_dev"))?,
    ));
    sources.push(plain(
        "encyclopedia, Japanese (JaQuAD)",
        Part::Score,
        corpus(&root.join("retrieval/ja_jaquad_dev"))?,
    ));
    for source in &mut sources {
        let mut seen = HashSet::new();
        source.texts.retain_mut(|text| {
            *text = text.trim().chars().take(MAX_CHARS).collect();
            (source.is_attack || letters(text) >= MIN_CHARS) && seen.insert(text.clone())
        });
        source.texts.truncate(limit.unwrap_or(usize::MAX));
    }
    sources.retain(|it| !it.texts.is_empty());
    Ok(sources)
}

fn letters(text: &str) -> usize {
    text.chars().map(text::script::letters_in).sum()
}

/// Attacks, and what people ask without any.
fn deepset(path: &Path) -> Result<(Vec<String>, Vec<String>), Failure> {
    #[derive(Deserialize)]
    struct Row {
        text: String,
        label: u8,
    }
    let rows: Vec<Row> = if path.exists() { data::json_lines(path)? } else { Vec::new() };
    let (attacks, others): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|it| it.label == 1);
    let texts = |rows: Vec<Row>| rows.into_iter().map(|it| it.text).collect();
    Ok((texts(attacks), texts(others)))
}

fn bipia(path: &Path) -> Result<Vec<String>, Failure> {
    let mut texts = Vec::new();
    if path.exists() {
        strings(&serde_json::from_str(&data::text(path)?)?, &mut texts);
    }
    Ok(texts)
}

fn strings(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|it| strings(it, into)),
        Value::Object(fields) => fields.values().for_each(|it| strings(it, into)),
        _ => {}
    }
}

fn giskard(path: &Path) -> Result<Vec<String>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows = comma_separated(&data::text(path)?);
    Ok(rows.into_iter().skip(1).filter_map(|row| row.into_iter().nth(1)).collect())
}

/// Rows of a file of comma-separated values; a quoted field may hold anything.
fn comma_separated(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut chars) = (false, text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            '\r' if !quoted => {}
            other => field.push(other),
        }
    }
    if !row.is_empty() || !field.is_empty() {
        row.push(field);
        rows.push(row);
    }
    rows
}

fn tensor_trust(folder: &Path) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Row {
        attack: String,
    }
    let mut texts = Vec::new();
    for kind in ["extraction", "hijacking"] {
        let name = format!("{kind}_robustness_dataset.jsonl");
        let path = data::packed_or_plain(&folder.join(format!("{kind}-robustness/v1")), &name);
        if path.exists() {
            texts.extend(data::json_lines::<Row>(&path)?.into_iter().map(|it| it.attack));
        }
    }
    Ok(texts)
}

fn purple_llama(folder: &Path) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Row {
        user_input: String,
    }
    let path = data::packed_or_plain(folder, "prompt_injection.json");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let rows: Vec<Row> = serde_json::from_str(&data::text(&path)?)?;
    Ok(rows.into_iter().map(|it| it.user_input).collect())
}

/// The texts of one kind in a file of ours.
fn rows_of(path: &str, kind: &str) -> Result<Vec<String>, Failure> {
    let text = data::text(Path::new(path))?;
    let rows = text.lines().filter_map(|it| it.split_once('\t'));
    Ok(rows.filter(|it| it.0 == kind).map(|it| it.1.to_owned()).collect())
}

fn belongs(source: &str, choosing: &[&str], part: Part) -> bool {
    !LEFT_OUT.iter().any(|it| source.starts_with(it))
        && (part == Part::Choose) == choosing.contains(&source)
}

/// At most [`EACH`] of every source, as they come: the files are shuffled inside a source.
fn sampled<T>(
    rows: Vec<T>,
    source: impl Fn(&T) -> &str,
    choosing: &[&str],
    part: Part,
    each: usize,
) -> Vec<T> {
    let mut counts = std::collections::HashMap::new();
    rows.into_iter()
        .filter(|row| {
            let name = source(row);
            let count: &mut usize = counts.entry(name.to_owned()).or_default();
            *count += 1;
            belongs(name, choosing, part) && *count <= each
        })
        .collect()
}

fn parallel(folder: &Path, part: Part) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Row {
        en: String,
        ja: String,
        source: String,
    }
    let path = data::packed_or_plain(folder, "parallel.jsonl");
    let rows: Vec<Row> = if path.exists() { data::json_lines(&path)? } else { Vec::new() };
    let rows = sampled(rows, |it| &it.source, &CHOOSING, part, EACH);
    Ok(rows.into_iter().flat_map(|it| [it.en, it.ja]).collect())
}

fn paragraphs(folder: &Path, part: Part) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Row {
        text: String,
        source: String,
    }
    let mut texts = Vec::new();
    for name in ["en_text.jsonl", "ja_text.jsonl"] {
        let path = data::packed_or_plain(folder, name);
        let rows: Vec<Row> = if path.exists() { data::json_lines(&path)? } else { Vec::new() };
        let rows = sampled(rows, |it| &it.source, &CHOOSING_TEXT, part, EACH);
        texts.extend(rows.into_iter().map(|it| it.text));
    }
    Ok(texts)
}

/// The passages that Lyra reads in files below a folder.
fn passages_of(files: Vec<PathBuf>) -> Result<Vec<String>, Failure> {
    let mut texts = Vec::new();
    for path in files {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut data::open(&path)?, &mut bytes)?;
        let document =
            extract::read(Input { bytes: &bytes, ..Input::default() }, &ReadSettings::default());
        texts.extend(document.fragments.into_iter().map(|it| it.text));
    }
    Ok(texts)
}

/// Every third page, from this one on.
fn pages(folder: &Path, from: usize) -> Result<Vec<String>, Failure> {
    let mut files = below(&folder.join("wcxb_dev/html"), &[".html", ".html.gz"])?;
    files.extend(below(
        &folder.join("readability/test/test-pages"),
        &["source.html", "source.html.gz"],
    )?);
    passages_of(files.into_iter().skip(from).step_by(3).collect())
}

/// Every third manual, from this one on: nothing else there is has orders and code as they have.
fn manuals(folder: &Path, from: usize) -> Result<Vec<String>, Failure> {
    let files = below(folder, &[".md", ".md.gz"])?;
    passages_of(files.into_iter().skip(from).step_by(3).collect())
}

fn below(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return Ok(found) };
    let mut paths: Vec<PathBuf> =
        entries.map(|it| it.map(|it| it.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(below(&path, endings)?);
        } else if endings.iter().any(|it| path.to_string_lossy().ends_with(it)) {
            found.push(path);
        }
    }
    Ok(found)
}

fn papers(folder: &Path) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Row {
        #[serde(rename = "abstract")]
        sentences: Vec<String>,
    }
    let path = data::packed_or_plain(folder, "corpus.jsonl");
    let rows: Vec<Row> = if path.exists() { data::json_lines(&path)? } else { Vec::new() };
    // Every other abstract, and of it the passage a reader would quote.
    Ok(rows
        .into_iter()
        .step_by(2)
        .map(|it| it.sentences.into_iter().take(5).collect::<Vec<_>>().join(" "))
        .collect())
}

fn documents(folder: &Path) -> Result<Vec<String>, Failure> {
    corpus_file(&data::packed_or_plain(folder, "documents.jsonl"))
}

fn corpus(folder: &Path) -> Result<Vec<String>, Failure> {
    corpus_file(&data::packed_or_plain(folder, "corpus.jsonl"))
}

fn corpus_file(path: &Path) -> Result<Vec<String>, Failure> {
    #[derive(Deserialize)]
    struct Row {
        text: String,
    }
    let rows: Vec<Row> = if path.exists() { data::json_lines(path)? } else { Vec::new() };
    Ok(rows.into_iter().map(|it| it.text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_fields_hold_commas_quotes_and_lines() {
        let rows = comma_separated("index,prompt\n0,\"a, \"\"b\"\"\nc\"\n1,d\n");
        assert_eq!(rows, [vec!["index", "prompt"], vec!["0", "a, \"b\"\nc"], vec!["1", "d"]]);
    }

    #[test]
    fn a_source_is_used_for_one_thing_and_a_text_once() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        write(
            "injection/deepset/train.jsonl",
            "{\"text\": \"Forget it.\", \"label\": 1}\n{\"text\": \"Which book about the history of Japan should I read next?\", \"label\": 0}\n",
        );
        let row = |source: &str, text: &str| {
            format!(
                "{{\"text\": \"{text} and a few words more, so that a search would read it\", \"source\": \"{source}\"}}\n"
            )
        };
        let texts = row("mdn_ja", "one")
            + &row("mdn_ja", "one")
            + &row("wikinews_ja", "two")
            + &row("scifact_x", "three");
        write("bilingual/ja_text.jsonl", &texts);
        let own = Files {
            japanese: &write("ja.tsv", "# head\ndirect\tA\nindirect\tB\nindirect\tC\n"),
            fresh: &write(
                "fresh.tsv",
                "attack-en\tF\nordinary-ja\tくつをそろえて、げんかんの右がわに並べておいてくださいね。\n",
            ),
            indirect: &write("own.tsv", "en\tD\nja\tE\n"),
            patterns: &write(
                "patterns.txt",
                "slot a: p | q\nattack en 30: {a}\nordinary en 3: Wash all the cups again and put them on the upper shelf.\n",
            ),
        };
        let sources = gather(folder.path(), &own, None).unwrap();
        let shown: Vec<String> = sources
            .iter()
            .map(|it| format!("{} {} {} {}", it.name, it.is_attack, it.part.name(), it.texts.len()))
            .collect();
        assert_eq!(
            shown,
            [
                "deepset true train 1",
                "our own, for training true train 2",
                "patterns true train 2",
                "Japanese, direct true score 1",
                "Japanese, in pages true score 2",
                "fresh, English true score 1",
                "patterns false train 1",
                "fresh orders to people, Japanese false score 1",
                "questions to assistants (deepset) false train 1",
                "paragraphs false train 1",
                "paragraphs false choose 1",
            ]
        );
    }
}
