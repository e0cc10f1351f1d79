//! How much of what a PDF file says is read, in which order, and in what time.
//!
//! Every file below a folder is compared with the text beside it (`NAME.pdf.txt`), or with what pdftotext (of
//! poppler) reads. The second is no truth: a reader that agrees with poppler scores well, and differences below
//! 0.01 mean nothing. Words are compared for what is read, pairs of neighbours for its order and its spaces.

use std::fs;
use std::io::ErrorKind;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use extract::{Input, ReadSettings};
use serde::Serialize;
use serde_json::json;
use unicode_normalization::UnicodeNormalization;

use crate::Failure;
use crate::arguments::Arguments;
use crate::metrics::{median, overlap};
use crate::report::{Report, Table, progress};

/// Files with fewer words say little about a reader: one word more or less decides.
const MIN_WORDS: usize = 20;
/// From this part of its words on, a file is Chinese, Japanese or Korean.
const CJK_SHARE: f64 = 0.3;
/// Below this F1, most of a file was not read.
const POOR: f64 = 0.5;
/// Files at the end of the report.
const WORST: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Group {
    Expected,
    Latin,
    Cjk,
}

/// What came of one file.
#[derive(Debug, Clone, Serialize)]
struct Reading {
    file: PathBuf,
    /// None without a text of some length to compare with.
    group: Option<Group>,
    words: usize,
    word_f1: f64,
    pair_f1: f64,
    milliseconds: f64,
    problems: Vec<String>,
    panicked: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let folder = &arguments.data;
    let mut files = Vec::new();
    find(folder, &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
    files.sort();
    files.truncate(arguments.limit.unwrap_or(usize::MAX));
    if files.is_empty() {
        return Err(format!("{}: no PDF files", folder.display()).into());
    }
    let version = pdftotext_version();
    if arguments.needs_pdftotext && version.is_none() {
        return Err("pdftotext is not installed; Debian has it in poppler-utils".into());
    }
    let mut readings = Vec::new();
    for (i, file) in files.iter().enumerate() {
        readings.push(reading(folder, file, version.is_some())?);
        if (i + 1) % 100 == 0 {
            progress(&format!("{} of {} files", i + 1, files.len()));
        }
    }
    Ok(report(&readings, version.as_deref()))
}

/// Every PDF file of a folder and the folders in it.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A link may lead back here.
        if entry.file_type()?.is_dir() {
            find(&entry.path(), files)?;
        } else if entry.path().extension().is_some_and(|it| it.eq_ignore_ascii_case("pdf")) {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn reading(folder: &Path, file: &Path, has_pdftotext: bool) -> Result<Reading, Failure> {
    let named = |error| format!("{}: {error}", file.display());
    let bytes = fs::read(file).map_err(named)?;
    let started = Instant::now();
    let document = catch_unwind(|| {
        extract::read(Input { bytes: &bytes, ..Input::default() }, &ReadSettings::default())
    });
    let milliseconds = started.elapsed().as_secs_f64() * 1e3;
    let expected = file.with_added_extension("txt");
    let (gold, is_expected) = match fs::read(&expected) {
        Ok(text) => (String::from_utf8_lossy(&text).into_owned(), true),
        Err(error) if error.kind() == ErrorKind::NotFound && has_pdftotext => {
            (pdftotext(file).map_err(named)?, false)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => (String::new(), false),
        Err(error) => return Err(format!("{}: {error}", expected.display()).into()),
    };
    let gold = words(&gold);
    let found = document.as_ref().map_or_else(|_| Vec::new(), |it| words(&it.text));
    Ok(Reading {
        file: file.strip_prefix(folder).unwrap_or(file).to_owned(),
        group: group(&gold, is_expected),
        words: found.len(),
        word_f1: overlap(&found, &gold).f1,
        pair_f1: overlap(&pairs(&found), &pairs(&gold)).f1,
        milliseconds,
        problems: document.as_ref().map_or_else(
            |_| Vec::new(),
            |it| it.problems.iter().map(ToString::to_string).collect(),
        ),
        panicked: document.is_err(),
    })
}

fn group(gold: &[String], is_expected: bool) -> Option<Group> {
    let cjk = gold.iter().filter(|it| it.starts_with(is_cjk)).count();
    match gold.len() {
        count if is_expected && count > 0 => Some(Group::Expected),
        count if count < MIN_WORDS => None,
        count if cjk as f64 >= CJK_SHARE * count as f64 => Some(Group::Cjk),
        _ => Some(Group::Latin),
    }
}

/// What pdftotext reads; what it cannot read is no text.
fn pdftotext(file: &Path) -> std::io::Result<String> {
    let output = Command::new("pdftotext")
        .args(["-q", "-enc", "UTF-8"])
        .arg(file)
        .arg("-")
        .stderr(Stdio::null())
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The first line it says about itself; none where it is not installed.
fn pdftotext_version() -> Option<String> {
    let output = Command::new("pdftotext").arg("-v").output().ok()?;
    Some(String::from_utf8_lossy(&output.stderr).lines().next()?.trim().to_owned())
}

/// Words in lower case; a Chinese, Japanese or Korean character is a word of its own. Ligatures and letters of
/// other widths are what they stand for.
fn words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    for letter in text.nfkc().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() && !is_cjk(letter) {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        if is_cjk(letter) {
            out.push(letter.to_string());
        }
    }
    out.extend((!word.is_empty()).then_some(word));
    out
}

fn is_cjk(letter: char) -> bool {
    matches!(letter,
        '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

fn pairs(words: &[String]) -> Vec<(&str, &str)> {
    words.windows(2).map(|it| (it[0].as_str(), it[1].as_str())).collect()
}

fn report(readings: &[Reading], version: Option<&str>) -> Report {
    let mut table = Table::new(&[
        "files",
        "#n",
        "#word F1",
        "#median",
        "#pair F1",
        "#median",
        "#under 0.5",
        "#empty",
    ]);
    let groups = [
        ("with expected text", Group::Expected),
        ("Latin and other", Group::Latin),
        ("Chinese, Japanese, Korean", Group::Cjk),
    ];
    let mut sets = serde_json::Map::new();
    for (name, group) in groups {
        let of: Vec<&Reading> = readings.iter().filter(|it| it.group == Some(group)).collect();
        if of.is_empty() {
            continue;
        }
        let mean = |value: fn(&Reading) -> f64| {
            of.iter().map(|it| value(it)).sum::<f64>() / of.len() as f64
        };
        let middle = |value: fn(&Reading) -> f64| median(of.iter().map(|it| value(it)));
        let (word_f1, pair_f1) = (mean(|it| it.word_f1), mean(|it| it.pair_f1));
        let word_median = middle(|it| it.word_f1).unwrap_or(f64::NAN);
        let pair_median = middle(|it| it.pair_f1).unwrap_or(f64::NAN);
        let poor = of.iter().filter(|it| it.word_f1 < POOR).count();
        let empty = of.iter().filter(|it| it.words == 0).count();
        let numbers = [word_f1, word_median, pair_f1, pair_median].map(|it| format!("{it:.3}"));
        let mut row = vec![name.to_owned(), of.len().to_string()];
        row.extend(numbers);
        row.extend([poor.to_string(), empty.to_string()]);
        table.row(&row);
        sets.insert(
            name.to_owned(),
            json!({ "files": of.len(), "word_f1": word_f1, "word_f1_median": word_median, "pair_f1": pair_f1,
                "pair_f1_median": pair_median, "under_half": poor, "empty": empty }),
        );
    }
    let times = || readings.iter().map(|it| it.milliseconds);
    let with_problems = readings.iter().filter(|it| !it.problems.is_empty()).count();
    let mut markdown = format!("## PDF\n\n{}\n", table.finish());
    markdown += &format!(
        "{} files; {} say too little to be scored, {with_problems} have problems, {} made the reader panic. \
         A file takes {:.1} ms (median), {:.1} ms (mean), {:.0} ms (slowest). Files without expected text are \
         compared with {}.\n",
        readings.len(),
        readings.iter().filter(|it| it.group.is_none()).count(),
        readings.iter().filter(|it| it.panicked).count(),
        median(times()).unwrap_or(f64::NAN),
        times().sum::<f64>() / readings.len() as f64,
        times().fold(0.0, f64::max),
        version.unwrap_or("nothing: pdftotext is not installed"),
    );
    let mut worst: Vec<&Reading> = readings.iter().filter(|it| it.group.is_some()).collect();
    worst.sort_by(|a, b| a.word_f1.total_cmp(&b.word_f1));
    let mut table = Table::new(&["lowest", "#word F1", "#pair F1", "problems"]);
    for it in worst.into_iter().take(WORST) {
        table.row(&[
            it.file.display().to_string(),
            format!("{:.3}", it.word_f1),
            format!("{:.3}", it.pair_f1),
            it.problems.join("; "),
        ]);
    }
    markdown += &format!("\n{}", table.finish());
    Report { markdown, json: json!({ "reference": version, "sets": sets, "files": readings }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_of_chinese_japanese_or_korean_is_a_word() {
        assert_eq!(
            words("The ﬁrst 日本語-Text, ｶﾅ 2"),
            ["the", "first", "日", "本", "語", "text", "カ", "ナ", "2"]
        );
    }

    #[test]
    fn pairs_notice_the_order() {
        let (read, gold) = (words("b a c"), words("a b c"));
        assert_eq!(overlap(&read, &gold).f1, 1.0);
        assert_eq!(overlap(&pairs(&read), &pairs(&gold)).f1, 0.0);
    }

    #[test]
    fn files_are_grouped_by_their_letters_and_short_ones_left_out() {
        let of = |word: &str, count: usize| vec![word.to_owned(); count];
        assert_eq!(group(&of("word", 19), false), None);
        assert_eq!(group(&of("word", 1), true), Some(Group::Expected));
        assert_eq!(group(&of("word", 20), false), Some(Group::Latin));
        assert_eq!(group(&[of("word", 14), of("語", 6)].concat(), false), Some(Group::Cjk));
    }

    #[test]
    fn a_file_is_compared_with_the_text_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        fs::create_dir(&below).unwrap();
        let content = "BT /F 9 Tf 9 9 Td (Ice melts at zero.) Tj ET";
        let page = format!(
            "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj \
             3 0 obj<</Type/Page/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj \
             4 0 obj<</Length {}>>stream\n{content}\nendstream endobj \
             5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj trailer<</Root 1 0 R>>",
            content.len()
        );
        fs::write(below.join("a.PDF"), page).unwrap();
        fs::write(below.join("a.PDF.txt"), "Ice melts at zero degrees").unwrap();
        let mut files = Vec::new();
        find(folder.path(), &mut files).unwrap();
        let read = reading(folder.path(), &files[0], false).unwrap();
        assert_eq!((files.len(), read.file), (1, PathBuf::from("below/a.PDF")));
        assert_eq!((read.group, read.words), (Some(Group::Expected), 4));
        assert_eq!((read.word_f1, read.pair_f1), (8.0 / 9.0, 6.0 / 7.0));
    }
}
