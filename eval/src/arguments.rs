//! What was asked for on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use crate::answers::sample::Half;

pub(crate) const USAGE: &str = "\
cargo xtask eval stance|embed|retrieval|scifact|language|extraction|injection --data DIR [--model DIR] [--json FILE] [--limit N] [--rows FILE]
cargo xtask eval answers --data DIR [--set NAME] [--limit N] [--half choose|score] [--mirrors N] [--seed N] [--jobs N]
                         [--model DIR] [--json FILE] [--rows FILE]
cargo xtask eval pdf --files DIR [--reference pdftotext] [--json FILE] [--limit N]

  --data DIR    the data folder; for stance also a folder that training/prepare.py wrote
  --model DIR   the model to measure, in Hugging Face layout; without it, the one the binary carries; for scifact
                and answers the stance model
  --files DIR   with pdf: every PDF below this folder; without it, `pdf` in the data folder
  --reference pdftotext
                with pdf: fails where pdftotext is not installed; without it, files that have no expected text
                beside them (NAME.pdf.txt) are then left out
  --json FILE   writes the numbers there as well
  --rows FILE   with extraction: writes what training/extract learns from; with injection: writes the two files of the
                head it trained into that folder and measures that one; with scifact: keeps what the models
                said, and reads it from there the next time, so that settings can be tried at once; with answers:
                writes a line for each question, with every passage that was judged
  --limit N     at most N rows or queries of each set: quick, and not comparable; with answers 100 unless given
  --set NAME    with answers: only the sets whose names begin like this; may be repeated
  --half HALF   with answers: only the questions to choose settings by, or only those to score with
  --mirrors N   with answers: so many questions are asked with the opposite statement as well, a fifth unless given
  --seed N      with answers: another sample and other halves; 7 unless given
  --jobs N      with answers: so many questions at the same time, 1 unless given; seconds are then not comparable
Paths count from the root of the repository.";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    Stance,
    Embed,
    Retrieval,
    SciFact,
    Language,
    Extraction,
    Pdf,
    Answers,
    Injection,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) subject: Subject,
    /// The data folder; for PDF files the folder they are in.
    pub(crate) data: PathBuf,
    pub(crate) model: Option<PathBuf>,
    pub(crate) json: Option<PathBuf>,
    pub(crate) limit: Option<usize>,
    pub(crate) rows: Option<PathBuf>,
    /// Files are compared with what pdftotext reads, which must be installed.
    pub(crate) needs_pdftotext: bool,
    /// The sets of questions, by how their names begin; empty: the usual ones.
    pub(crate) sets: Vec<String>,
    pub(crate) half: Option<Half>,
    pub(crate) mirrors: Option<usize>,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
}

/// Decides the sample of questions where no other seed is given.
const SEED: u64 = 7;

impl Arguments {
    pub(crate) fn parse(words: &[String]) -> Result<Self, String> {
        let mut words = words.iter();
        let subject = match words.next().map(String::as_str) {
            Some("stance") => Subject::Stance,
            Some("embed") => Subject::Embed,
            Some("retrieval") => Subject::Retrieval,
            Some("scifact") => Subject::SciFact,
            Some("language") => Subject::Language,
            Some("extraction") => Subject::Extraction,
            Some("pdf") => Subject::Pdf,
            Some("answers") => Subject::Answers,
            Some("injection") => Subject::Injection,
            Some(other) => return Err(format!("`{other}` is nothing that can be measured")),
            None => return Err("say what to measure".to_owned()),
        };
        let (mut data, mut model, mut json, mut limit, mut rows) = (None, None, None, None, None);
        let (mut files, mut needs_pdftotext) = (None, false);
        let (mut sets, mut half, mut mirrors) = (Vec::new(), None, None);
        let (mut seed, mut jobs) = (SEED, 1);
        let is_answers = subject == Subject::Answers;
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--data" => data = Some(PathBuf::from(value?)),
                "--files" if subject == Subject::Pdf => files = Some(PathBuf::from(value?)),
                "--reference" if subject == Subject::Pdf => match value?.as_str() {
                    "pdftotext" => needs_pdftotext = true,
                    other => return Err(format!("--reference wants pdftotext, not `{other}`")),
                },
                "--model" => model = Some(PathBuf::from(value?)),
                "--json" => json = Some(PathBuf::from(value?)),
                "--rows" => rows = Some(PathBuf::from(value?)),
                "--limit" => limit = Some(at_least(1, name, value?)?),
                "--set" if is_answers => sets.push(value?.clone()),
                "--half" if is_answers => {
                    let value = value?;
                    let known = Half::ALL.into_iter().find(|it| it.name() == value);
                    half =
                        Some(known.ok_or_else(|| {
                            format!("--half wants choose or score, not `{value}`")
                        })?);
                }
                "--mirrors" if is_answers => mirrors = Some(at_least(0, name, value?)?),
                "--seed" if is_answers => seed = at_least(0, name, value?)?,
                "--jobs" if is_answers => jobs = at_least(1, name, value?)?,
                other => return Err(format!("`{other}` is not an option")),
            }
        }
        let data = match subject {
            Subject::Pdf => files.or(data.map(|it| it.join("pdf"))).ok_or("--files is missing")?,
            _ => data.ok_or("--data is missing")?,
        };
        if subject == Subject::Language && model.is_some() {
            return Err("telling languages apart takes no --model".to_owned());
        }
        if subject == Subject::Pdf && (model.is_some() || rows.is_some()) {
            return Err("reading PDF files takes neither --model nor --rows".to_owned());
        }
        Ok(Self {
            subject,
            data,
            model,
            json,
            limit,
            rows,
            needs_pdftotext,
            sets,
            half,
            mirrors,
            seed,
            jobs,
        })
    }
}

fn at_least<T: FromStr + PartialOrd + From<u8>>(
    least: u8,
    name: &str,
    value: &str,
) -> Result<T, String> {
    let number = value.parse().ok().filter(|it| *it >= T::from(least));
    number.ok_or_else(|| format!("{name} wants a number of at least {least}, not `{value}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Arguments::parse(&words)
    }

    #[test]
    fn every_option_is_read() {
        assert_eq!(
            parse("stance --limit 5 --data d --json out.json --model m --rows r"),
            Ok(Arguments {
                subject: Subject::Stance,
                data: "d".into(),
                model: Some("m".into()),
                json: Some("out.json".into()),
                limit: Some(5),
                rows: Some("r".into()),
                needs_pdftotext: false,
                sets: Vec::new(),
                half: None,
                mirrors: None,
                seed: 7,
                jobs: 1,
            })
        );
    }

    #[test]
    fn a_sample_of_questions_is_described() {
        let line = "answers --data d --set a --set b --half score --mirrors 0 --seed 9 --jobs 2";
        let read = parse(line).unwrap();
        assert_eq!(read.sets, ["a", "b"]);
        assert_eq!((read.half, read.mirrors), (Some(Half::Score), Some(0)));
        assert_eq!((read.seed, read.jobs), (9, 2));
    }

    #[test]
    fn the_folder_of_pdf_files_is_named_or_part_of_the_data() {
        let folder = |line: &str| parse(line).map(|it| (it.data, it.needs_pdftotext));
        assert_eq!(folder("pdf --files f"), Ok(("f".into(), false)));
        assert_eq!(folder("pdf --data d --reference pdftotext"), Ok(("d/pdf".into(), true)));
    }

    #[test]
    fn a_wrong_line_is_told_what_is_wrong() {
        let cases = [
            ("", "say what to measure"),
            ("speed", "`speed` is nothing that can be measured"),
            ("embed", "--data is missing"),
            ("embed --data", "--data needs a value"),
            ("embed --data d --limit 0", "--limit wants a number of at least 1, not `0`"),
            ("embed --data d --limit many", "--limit wants a number of at least 1, not `many`"),
            ("embed --fast yes", "`--fast` is not an option"),
            ("embed --data d --files f", "`--files` is not an option"),
            ("embed --data d --seed 3", "`--seed` is not an option"),
            ("answers --data d --half best", "--half wants choose or score, not `best`"),
            ("answers --data d --jobs 0", "--jobs wants a number of at least 1, not `0`"),
            ("pdf", "--files is missing"),
            ("pdf --files f --reference acrobat", "--reference wants pdftotext, not `acrobat`"),
            ("pdf --files f --model m", "reading PDF files takes neither --model nor --rows"),
            ("language --data d --model m", "telling languages apart takes no --model"),
        ];
        for (line, problem) in cases {
            assert_eq!(parse(line), Err(problem.to_owned()), "{line}");
        }
    }
}
