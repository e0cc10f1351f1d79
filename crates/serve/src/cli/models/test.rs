//! `lyra models test`: what the active models say about a few texts, how fast, in how much memory.

use std::fs;
use std::time::{Duration, Instant};

use clap::Args;
use evidence::Stance;
use models::{Embedder, Pair, StanceModel, Verdict};
use serde::Serialize;

use crate::cli::size;
use crate::failure::Failure;
use crate::installed::Installed;
use crate::session::Session;
use crate::ui::{Column, Layout, Table, record};
use crate::words::{Words, say};

/// Pairs whose answer anybody can check: one for each stance in English, one in Japanese, one in both
/// languages, and one that no built-in model reads.
const PAIRS: [(&str, &str); 6] = [
    ("Coffee comes from Ethiopia.", "Coffee was first grown in Ethiopia."),
    (
        "The Great Wall of China can be seen from the Moon.",
        "The Great Wall of China is not visible from the Moon with the naked eye.",
    ),
    (
        "Marie Curie liked to travel by train.",
        "Marie Curie won the Nobel Prize in Physics in 1903 and in Chemistry in 1911.",
    ),
    ("富士山は日本で最も高い山である。", "日本の最高峰は標高3776メートルの富士山である。"),
    ("緑茶は血圧を下げる。", "A trial found that green tea does not lower blood pressure."),
    (
        "Le café vient d'Éthiopie.",
        "Le caféier poussait à l'état sauvage sur les hauts plateaux de l'Éthiopie.",
    ),
];

/// A question in two languages, what answers it, and something else.
const SENTENCES: [&str; 4] = [
    "How high is Mount Fuji?",
    "富士山の高さは何メートルですか。",
    "The summit of Mount Fuji is 3,776 metres above the sea.",
    "The recipe needs two eggs and a cup of flour.",
];

/// How long each speed is measured, at least.
const MEASURED: Duration = Duration::from_millis(500);
/// Texts handed over at a time while measuring.
const BATCH: usize = 32;

/// Try the active models on a few texts, and measure them
///
/// Shows which stance the model takes in pairs that anybody can check, how alike sentences are by
/// their embeddings, and speed and memory on this machine.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra models test
  lyra --set models.threads=1 models test --json

Next: `lyra models list` shows the other models.")]
pub(crate) struct Test {}

#[derive(Debug, Serialize)]
struct Answer {
    stance: StanceAnswer,
    embedding: EmbeddingAnswer,
    /// What the whole process holds, where the system tells.
    resident_bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct StanceAnswer {
    model: String,
    /// What computed it.
    device: String,
    pairs: Vec<Judged>,
    load_ms: f64,
    pairs_per_second: f64,
    weight_bytes: usize,
}

#[derive(Debug, Serialize)]
struct Judged {
    claim: &'static str,
    passage: &'static str,
    /// None where the model abstains.
    stance: Option<Stance>,
    supports: Option<f32>,
    refutes: Option<f32>,
    neutral: Option<f32>,
    /// Who judged, and from which probabilities on that counts.
    model: Option<String>,
    supports_threshold: Option<f32>,
    refutes_threshold: Option<f32>,
    /// Why there is no judgement.
    #[serde(skip_serializing_if = "Option::is_none")]
    abstained: Option<String>,
    ms: f64,
}

#[derive(Debug, Serialize)]
struct EmbeddingAnswer {
    model: String,
    device: String,
    dimension: usize,
    similarities: Vec<Similarity>,
    load_ms: f64,
    sentences_per_second: f64,
    weight_bytes: usize,
}

#[derive(Debug, Serialize)]
struct Similarity {
    first: &'static str,
    second: &'static str,
    similarity: f32,
}

impl Test {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let installed = Installed::of(session);
        let start = Instant::now();
        let stance = installed.stance(session)?;
        let stance = try_stance(session, &*stance, millis(start.elapsed()))?;
        let start = Instant::now();
        let embedder = installed.embedder(session)?;
        let embedding = try_embedder(&*embedder, millis(start.elapsed()))?;
        let answer = Answer { stance, embedding, resident_bytes: resident() };
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        session.ui.print(&shown(session.ui.words(), &answer, session.ui.layout(4)))
    }
}

fn try_stance(
    session: &Session,
    model: &dyn StanceModel,
    load_ms: f64,
) -> Result<StanceAnswer, Failure> {
    let set = session.settings.models.thresholds();
    let mut pairs = Vec::with_capacity(PAIRS.len());
    for (claim, passage) in PAIRS {
        let start = Instant::now();
        for verdict in model.judge(&[Pair { passage, claim }])? {
            let ms = millis(start.elapsed());
            let thresholds = verdict.thresholds().map(|own| set.over(own));
            let judged = thresholds.and_then(|thresholds| verdict.stance(&thresholds));
            let stance = judged.map(|(stance, _)| stance);
            let (probabilities, by, abstained) = match verdict {
                Verdict::Judged { supports, refutes, neutral, by, .. } => {
                    (Some([supports, refutes, neutral]), Some(by.to_string()), None)
                }
                Verdict::Abstained { language } => {
                    let languages = model.languages().tags().join(", ");
                    let reason = &session.ui.words().models.reason_abstained;
                    let reason = say!(reason, language = language, languages = languages);
                    (None, None, Some(reason))
                }
            };
            pairs.push(Judged {
                claim,
                passage,
                stance,
                supports: probabilities.map(|it| it[0]),
                refutes: probabilities.map(|it| it[1]),
                neutral: probabilities.map(|it| it[2]),
                model: by,
                supports_threshold: thresholds.map(|it| it.supports),
                refutes_threshold: thresholds.map(|it| it.refutes),
                abstained,
                ms,
            });
        }
    }
    let batch: Vec<Pair<'_>> = PAIRS[..3]
        .iter()
        .cycle()
        .take(BATCH)
        .map(|(claim, passage)| Pair { passage, claim })
        .collect();
    Ok(StanceAnswer {
        model: model.id().to_owned(),
        pairs,
        load_ms,
        pairs_per_second: speed(|| model.judge(&batch).map(drop))?,
        weight_bytes: model.memory(),
        // Asked last: a graphics card may have failed by now.
        device: model.device().to_string(),
    })
}

fn try_embedder(model: &dyn Embedder, load_ms: f64) -> Result<EmbeddingAnswer, Failure> {
    let vectors = model.embed(&SENTENCES)?;
    let similarities = [(0, 2), (1, 2), (0, 1), (0, 3), (1, 3)].map(|(first, second)| Similarity {
        first: SENTENCES[first],
        second: SENTENCES[second],
        similarity: vectors[first].iter().zip(&vectors[second]).map(|(a, b)| a * b).sum(),
    });
    let batch: Vec<&str> = SENTENCES.into_iter().cycle().take(BATCH).collect();
    Ok(EmbeddingAnswer {
        model: model.id().to_owned(),
        dimension: model.dimension(),
        similarities: similarities.into(),
        load_ms,
        sentences_per_second: speed(|| model.embed(&batch).map(drop))?,
        weight_bytes: model.memory(),
        device: model.device().to_string(),
    })
}

/// Texts a second, measured over whole batches.
fn speed(mut work: impl FnMut() -> models::Result<()>) -> Result<f64, Failure> {
    let start = Instant::now();
    let mut batches = 0;
    while batches == 0 || start.elapsed() < MEASURED {
        work()?;
        crate::interrupt::check()?;
        batches += 1;
    }
    Ok((batches * BATCH) as f64 / start.elapsed().as_secs_f64())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Memory that the process holds, where Linux tells it.
fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// The thresholds in force, for each model and each of its calibrations once.
fn thresholds(words: &Words, pairs: &[Judged]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for it in pairs {
        let known = it.model.as_ref().zip(it.supports_threshold.zip(it.refutes_threshold));
        let Some((model, (supports, refutes))) = known else { continue };
        let [supports, refutes] = [supports, refutes].map(|share| format!("{share:.2}"));
        let message = &words.models.thresholds;
        let line = say!(message, model = model, supports = supports, refutes = refutes);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.join("; ")
}

fn shown(words: &'static Words, answer: &Answer, layout: Layout) -> String {
    let (column, label) = (&words.column, &words.label);
    let mut pairs = Table::new([
        Column::exact(&column.stance),
        Column::number(&column.supports),
        Column::number(&column.refutes),
        Column::number(&column.neutral),
        Column::number(&column.milliseconds),
        Column::exact(&column.judge),
        Column::text(&column.claim),
        Column::text(&column.passage),
    ]);
    for pair in &answer.stance.pairs {
        let share = |value: Option<f32>| {
            value.map_or_else(|| "-".to_owned(), |share| format!("{share:.2}"))
        };
        let passage = match &pair.abstained {
            None => pair.passage.to_owned(),
            Some(reason) => {
                say!(words.models.abstained, passage = pair.passage, reason = reason)
            }
        };
        pairs.row([
            pair.stance.map_or(words.common.none.as_str(), Stance::as_str),
            &share(pair.supports),
            &share(pair.refutes),
            &share(pair.neutral),
            &format!("{:.1}", pair.ms),
            pair.model.as_deref().unwrap_or("-"),
            pair.claim,
            &passage,
        ]);
    }
    let mut alike = Table::new([
        Column::number(&column.alike),
        Column::text(&column.first),
        Column::text(&column.second),
    ]);
    for it in &answer.embedding.similarities {
        alike.row([&*format!("{:.2}", it.similarity), it.first, it.second]);
    }
    let (stance, embedding) = (&answer.stance, &answer.embedding);
    let memory = match answer.resident_bytes {
        Some(bytes) => say!(words.models.whole_process, size = size(bytes)),
        None => String::from(&words.models.memory_unknown),
    };
    let stance_line = say!(
        words.models.stance_line,
        model = stance.model,
        device = stance.device,
        speed = format!("{:.0}", stance.pairs_per_second),
        ms = format!("{:.0}", stance.load_ms),
        size = size(stance.weight_bytes as u64),
    );
    let embedding_line = say!(
        words.models.embedding_line,
        model = embedding.model,
        device = embedding.device,
        dimension = embedding.dimension,
        speed = format!("{:.0}", embedding.sentences_per_second),
        ms = format!("{:.0}", embedding.load_ms),
        size = size(embedding.weight_bytes as u64),
    );
    let thresholds = thresholds(words, &stance.pairs);
    let numbers = [
        (label.stance.as_str(), &*stance_line),
        (label.thresholds.as_str(), &*thresholds),
        (label.embeddings.as_str(), &*embedding_line),
        (label.memory.as_str(), &*memory),
    ];
    [pairs.render(layout), alike.render(layout), record(&numbers, layout)].join("\n")
}
