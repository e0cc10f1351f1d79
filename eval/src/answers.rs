//! Whole investigations over folders of documents: is the verdict right, and does it rest on the right documents?
//!
//! The real engine is asked the questions of each set as a user asks them ([`asking`]), a task each. Read
//! [`sample`] for which questions, [`verdict`] for how it is read off, [`scores`] for what is counted.
//!
//! A pair of opposites (`--mirrors`) is a statement and its denial, as written in a set of ours ([`own`]) or else by rule
//! ([`negation`]): the confidences should add up to 1, and the true one should have more.

mod asking;
mod data;
mod documents;
mod negation;
mod own;
pub(crate) mod sample;
mod scores;
mod tables;
mod timed;
mod verdict;

use std::fs::File;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::Failure;
use crate::arguments::Arguments;
use crate::process::{peak_memory, reset_peak_memory};
use crate::report::{Report, progress};
use asking::{Answer, Library};
use data::{Question, Set, Truth};
use sample::{Half, draw};
use scores::{Asked, Scores, median};

/// Questions of each set, unless a limit says otherwise.
const QUESTIONS: usize = 100;
/// One question in so many is asked with the opposite of its statement as well.
const MIRROR_EVERY: usize = 5;

/// A set that was asked, and what it cost.
struct Measured {
    set: Set,
    asked: Vec<Asked>,
    cost: Cost,
}

struct Cost {
    /// For all questions, their opposites included.
    wall_seconds: f64,
    peak_bytes: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let mut rows = match &arguments.rows {
        Some(path) => {
            Some(File::create(path).map_err(|error| format!("{}: {error}", path.display()))?)
        }
        None => None,
    };
    let mut measured = Vec::new();
    for set in data::read(&arguments.data, &arguments.sets, arguments.seed)? {
        measured.push(measure(set, arguments, rows.as_mut())?);
    }
    let sets: Vec<Value> = measured.iter().map(Measured::json).collect();
    Ok(Report {
        markdown: tables::markdown(&measured),
        json: json!({ "seed": arguments.seed, "sets": sets }),
    })
}

/// Asks the sample of a set, `jobs` questions at a time. Rows are written as they come, so that a run that is cut
/// short leaves what it found.
fn measure(set: Set, arguments: &Arguments, rows: Option<&mut File>) -> Result<Measured, Failure> {
    let limit = arguments.limit.unwrap_or(QUESTIONS);
    let questions = draw(&set.questions, limit, arguments.seed, arguments.half);
    let mirrors = mirrored(&questions, arguments.mirrors.unwrap_or(limit / MIRROR_EVERY));
    progress(&format!(
        "{}: {} documents, {} questions",
        set.name,
        set.documents.len(),
        questions.len()
    ));
    reset_peak_memory();
    let library = Library::open(&set, arguments.model.as_deref())?;
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let done = Mutex::new((Vec::new(), rows, None::<String>));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((half, question)) = questions.get(at) else { return };
            let asked = ask(&library, &set.name, *half, question, mirrors[at].as_deref());
            let mut done = done.lock().expect("no thread panics while it holds the lock");
            let (all, rows, failure) = &mut *done;
            match asked.and_then(|asked| written(rows.as_deref_mut(), &asked).map(|()| asked)) {
                Ok(asked) => {
                    progress(&said(all.len() + 1, questions.len(), &asked));
                    all.push((at, asked));
                }
                Err(error) => {
                    *failure = Some(format!("{}: {error}", question.id));
                    next.store(questions.len(), Ordering::Relaxed);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(work);
        }
    });
    let (mut asked, _, failure) = done.into_inner().expect("no thread panicked");
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    // In the order of the sample, whichever came first.
    asked.sort_by_key(|it| it.0);
    let asked: Vec<Asked> = asked.into_iter().map(|it| it.1).collect();
    let wall_seconds = started.elapsed().as_secs_f64();
    let cost = Cost { wall_seconds, peak_bytes: peak_memory() };
    drop(library);
    Ok(Measured { set, asked, cost })
}

fn ask(
    library: &Library,
    set: &str,
    half: Half,
    question: &Question,
    opposite: Option<&str>,
) -> Result<Asked, Failure> {
    library.forget();
    let ask = |statement: &str| library.ask(&question.question, statement, &question.gold);
    Ok(Asked {
        set: set.to_owned(),
        id: question.id.clone(),
        half,
        question: question.question.clone(),
        truth: question.truth,
        gold_documents: question.gold.clone(),
        answer: ask(&question.statement)?,
        mirror: opposite.map(ask).transpose()?,
    })
}

/// The opposites that are asked as well: all that were written, and those of the first questions that a rule can turn
/// around, true and false in turn.
fn mirrored(questions: &[(Half, &Question)], most: usize) -> Vec<Option<String>> {
    let mut mirrors: Vec<Option<String>> =
        questions.iter().map(|it| it.1.opposite.clone()).collect();
    if mirrors.iter().any(Option::is_some) {
        return mirrors;
    }
    for (truth, most) in [(Truth::Yes, most.div_ceil(2)), (Truth::No, most / 2)] {
        let fitting = questions.iter().enumerate().filter(|(_, it)| it.1.truth == truth);
        let turned = fitting.filter_map(|(at, it)| Some((at, negation::negated(&it.1.statement)?)));
        for (at, opposite) in turned.take(most) {
            mirrors[at] = Some(opposite);
        }
    }
    mirrors
}

fn written(rows: Option<&mut File>, asked: &Asked) -> Result<(), Failure> {
    if let Some(rows) = rows {
        writeln!(rows, "{}", serde_json::to_string(asked)?)?;
    }
    Ok(())
}

fn said(nth: usize, of: usize, asked: &Asked) -> String {
    let Asked { id, truth, answer, .. } = asked;
    let confidence = answer.confidence.map_or("-".to_owned(), |it| format!("{it:.2}"));
    format!(
        "  {nth} of {of}: {id}: {truth:?}, called {:?} ({confidence}), {:.0} s",
        answer.verdict, answer.seconds
    )
}

impl Measured {
    /// The halves that were asked, and both together.
    fn parts(&self) -> Vec<(&'static str, Scores)> {
        let of = |half: Half| self.asked.iter().filter(move |it| it.half == half);
        let mut parts: Vec<(&str, Scores)> = Half::ALL
            .into_iter()
            .filter(|half| of(*half).next().is_some())
            .map(|half| (half.name(), Scores::of(of(half))))
            .collect();
        if parts.len() > 1 {
            parts.push(("both", Scores::of(self.asked.iter())));
        }
        parts
    }

    /// The mean over the questions, without their opposites.
    fn mean(&self, of: impl Fn(&Answer) -> f64) -> Option<f64> {
        let sum: f64 = self.asked.iter().map(|it| of(&it.answer)).sum();
        (!self.asked.is_empty()).then(|| sum / self.asked.len() as f64)
    }

    /// Processor seconds a question, where the system tells them.
    fn mean_cpu(&self) -> Option<f64> {
        self.mean(|it| it.cpu_seconds.unwrap_or(f64::NAN)).filter(|it| it.is_finite())
    }

    fn median_seconds(&self) -> Option<f64> {
        median(&self.asked.iter().map(|it| it.answer.seconds).collect::<Vec<_>>())
    }

    fn json(&self) -> Value {
        let parts: serde_json::Map<String, Value> =
            self.parts().into_iter().map(|(name, it)| (name.to_owned(), it.json())).collect();
        json!({
            "set": self.set.name,
            "documents": self.set.documents.len(),
            "documents_in_all": self.set.documents_in_all,
            "questions": self.asked.len(),
            "without_statement": self.set.without_statement,
            "trained_on": self.set.trained_on,
            "halves": parts,
            "wall_seconds": self.cost.wall_seconds,
            "mean_seconds": self.mean(|it| it.seconds),
            "median_seconds": self.median_seconds(),
            "mean_cpu_seconds": self.mean_cpu(),
            "mean_embedding_seconds": self.mean(|it| it.embedding_seconds),
            "mean_judging_seconds": self.mean(|it| it.judging_seconds),
            "mean_embedded": self.mean(|it| it.embedded as f64),
            "mean_judged": self.mean(|it| it.judged as f64),
            "peak_bytes": self.cost.peak_bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    const DOCUMENTS: &str = r##"{"id": "walk", "title": "A trial in Leeds", "text": "Walking to school improves the mood of children. We followed 240 pupils for a year.", "year": 2019}
{"id": "sugar", "title": "", "text": "Sugar does not make children hyperactive. Neither parents nor teachers could tell who had eaten it.", "year": null}
{"id": "bees", "title": "Bees", "text": "Bees visit more flowers on warm days than on cold ones.", "year": 2021}
"##;
    const QUESTIONS: &str = r##"{"id": "q1", "question": "Does walking to school improve the mood of children?", "statement": "Walking to school improves the mood of children.", "verdict": "yes", "gold_docs": ["walk"]}
{"id": "q2", "question": "Does sugar make children hyperactive?", "statement": "Sugar makes children hyperactive.", "verdict": "no", "gold_docs": ["sugar"]}
{"id": "q3", "question": "Bees: friend or foe?", "statement": null, "verdict": "yes", "gold_docs": ["bees"]}
{"id": "q4", "question": "Do bees like warm days?", "statement": "Bees visit more flowers on warm days.", "verdict": "yes", "gold_docs": ["bees"], "split": "train"}
"##;

    fn arguments(data: &Path, line: &str) -> Arguments {
        let line = format!("answers --data {} {line}", data.display());
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Arguments::parse(&words).unwrap()
    }

    fn made_up() -> tempfile::TempDir {
        let data = tempfile::tempdir().unwrap();
        let set = data.path().join("answers/made_up");
        fs::create_dir_all(&set).unwrap();
        fs::write(set.join("documents.jsonl"), DOCUMENTS).unwrap();
        fs::write(set.join("questions.jsonl"), QUESTIONS).unwrap();
        data
    }

    #[test]
    fn the_engine_is_asked_and_what_it_says_is_counted() {
        let data = made_up();
        let rows = data.path().join("rows.jsonl");
        let line = format!("--set made --limit 4 --mirrors 1 --jobs 2 --rows {}", rows.display());
        let Report { markdown, json } = run(&arguments(data.path(), &line)).unwrap();
        let set = &json["sets"][0];
        assert_eq!(set["questions"], 2);
        assert_eq!(set["without_statement"], 1);
        assert_eq!(set["trained_on"], 1);
        assert!(markdown.contains("Left out: made_up 1 without a statement, 1 trained on."));

        let rows = fs::read_to_string(rows).unwrap();
        let mut rows: Vec<Value> =
            rows.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        rows.sort_by_key(|it| it["id"].to_string());
        let brief = |row: &Value| format!("{} {} {}", row["id"], row["truth"], row["verdict"]);
        assert_eq!(
            rows.iter().map(brief).collect::<Vec<_>>(),
            [r#""q1" "yes" "supported""#, r#""q2" "no" "refuted""#,]
        );
        assert_eq!(
            rows[0]["mirror"]["statement"],
            "Walking to school does not improve the mood of children."
        );
        assert_eq!(rows[1]["mirror"], Value::Null);
        for (row, document) in rows.iter().zip(["walk", "sugar"]) {
            let passages = row["passages"].as_array().unwrap();
            let gold: Vec<&Value> = passages.iter().filter(|it| it["gold"] == true).collect();
            assert_eq!(gold.len(), 1, "{row}");
            assert_eq!(gold[0]["document"], document);
            assert_eq!(gold[0]["counted"], true);
        }
        assert_eq!(
            rows[0]["passages"][0]["passage"].as_str().unwrap().lines().next(),
            Some(
                "Walking to school improves the mood of children. We followed 240 pupils for a year."
            )
        );
    }

    #[test]
    fn a_folder_or_set_that_is_not_there_is_named() {
        let data = made_up();
        let problem =
            |line: &str, folder: &Path| run(&arguments(folder, line)).unwrap_err().to_string();
        let nowhere = data.path().join("nowhere");
        let told = problem("", &nowhere);
        assert!(told.starts_with(&format!("{}: ", nowhere.join("answers").display())), "{told}");
        let hint = "hint: --data names the folder that has `answers/SET/questions.jsonl` in it";
        assert!(told.ends_with(hint), "{told}");
        let told = problem("--set boolq", data.path());
        assert!(told.starts_with("there is no set `boolq` in "), "{told}");
        assert!(told.ends_with("; there are made_up"), "{told}");
        let told = problem("", data.path());
        assert!(told.ends_with("name one of these with --set: made_up"), "{told}");
    }
}
