//! Retrieval: does search by words and meaning together find more than search by words?
//!
//! BM25 is the product's own full-text search, any word counting. The embedding's likeness is exact,
//! over all documents. How the two are joined is tuned on half of the SciFact queries; the other half
//! and the other sets show whether the choice holds.

mod alternatives;
pub(crate) mod collections;
mod methods;
pub(crate) mod words;

use std::time::Instant;

use models::Embedder;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::metrics::{ndcg, recall};
use crate::report::{Report, Table, progress};
use crate::{Failure, model};
use collections::{Collection, Query};
use methods::{CHOSEN, Clues, Method, Pool, Scale};
use words::WordIndex;

/// How many candidates each side brings.
const DEPTH: usize = 150;
/// What the choice of the fusion is tuned on.
const TUNED_ON: &str = "scifact";

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let model = model::embedder(arguments.model.as_deref())?;
    let (sets, missing) = collections::all(&arguments.data, arguments.limit)?;
    let measured: Vec<Measured<'_>> =
        sets.iter().map(|it| Measured::new(it, &*model)).collect::<Result<_, _>>()?;

    let tuned = measured.iter().find(|it| it.set.name == TUNED_ON).map(tune);
    let mut methods = vec![Method::Bm25, Method::Likeness, CHOSEN];
    methods.extend(tuned.filter(|it| *it != CHOSEN));
    methods.push(Method::ReciprocalRank { pool: Pool::Both });

    let mut markdown = heading(&*model, arguments.limit, tuned);
    for name in &missing {
        markdown += &format!("\n{name}: not in the data folder, left out.\n");
    }
    markdown += &scores_table(&measured, &methods, tuned);
    for pool in [Pool::Both, Pool::Found] {
        markdown += &grid_table(&measured, pool);
    }
    markdown += &speed_table(&measured);
    let json = json!({
        "model": model.id(),
        "limit": arguments.limit,
        "depth": DEPTH,
        "tuned": tuned.map(Method::name),
        "sets": measured.iter().map(|it| it.json(&methods)).collect::<Vec<_>>(),
    });
    Ok(Report { markdown, json })
}

/// A set with all that is needed to rank it in any way.
struct Measured<'a> {
    set: &'a Collection,
    clues: Vec<Clues>,
    /// Documents and queries in a language the model reads.
    read: (usize, usize),
    seconds: Seconds,
}

struct Seconds {
    index: f64,
    find: f64,
    embed_documents: f64,
    embed_queries: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Quality {
    ndcg10: f64,
    recall10: f64,
    recall100: f64,
}

impl<'a> Measured<'a> {
    fn new(set: &'a Collection, model: &dyn Embedder) -> Result<Self, Failure> {
        progress(&format!(
            "{}: {} documents, {} queries",
            set.name,
            set.documents.len(),
            set.queries.len()
        ));
        let start = Instant::now();
        let words = WordIndex::build(&set.documents)?;
        let index = start.elapsed().as_secs_f64();

        let start = Instant::now();
        let find = |it: &Query| words.find(&it.text, DEPTH);
        let found: Vec<_> = set.queries.iter().map(find).collect::<Result<_, _>>()?;
        let find = start.elapsed().as_secs_f64();

        let start = Instant::now();
        let texts: Vec<String> = set.documents.iter().map(collections::Document::whole).collect();
        let documents = model::vectors(model, &texts)?;
        let embed_documents = start.elapsed().as_secs_f64();

        let start = Instant::now();
        let texts: Vec<String> = set.queries.iter().map(|it| it.text.clone()).collect();
        let queries = model::vectors(model, &texts)?;
        let embed_queries = start.elapsed().as_secs_f64();

        let known = |it: &[Option<Vec<f32>>]| it.iter().flatten().count();
        let read = (known(&documents), known(&queries));
        let clues = found
            .into_iter()
            .zip(&queries)
            .map(|(bm25, query)| Clues { bm25, likeness: likeness(query.as_deref(), &documents) })
            .collect();
        let seconds = Seconds { index, find, embed_documents, embed_queries };
        Ok(Self { set, clues, read, seconds })
    }

    /// The mean over those queries that `keep` admits.
    fn quality(&self, method: Method, keep: impl Fn(&Query) -> bool) -> Quality {
        let mut sum = Quality { ndcg10: 0.0, recall10: 0.0, recall100: 0.0 };
        let mut count = 0.0;
        for (query, clues) in self.set.queries.iter().zip(&self.clues) {
            if keep(query) {
                let ranking = method.rank(clues, DEPTH);
                sum.ndcg10 += ndcg(&ranking, &query.relevant, 10);
                sum.recall10 += recall(&ranking, &query.relevant, 10);
                sum.recall100 += recall(&ranking, &query.relevant, 100);
                count += 1.0;
            }
        }
        let mean = |it: f64| if count == 0.0 { 0.0 } else { it / count };
        Quality {
            ndcg10: mean(sum.ndcg10),
            recall10: mean(sum.recall10),
            recall100: mean(sum.recall100),
        }
    }

    fn json(&self, methods: &[Method]) -> Value {
        let row = |method: &Method| {
            let Quality { ndcg10, recall10, recall100 } = self.quality(*method, |_| true);
            json!({ "method": method.name(), "ndcg@10": ndcg10, "recall@10": recall10, "recall@100": recall100 })
        };
        json!({
            "set": self.set.name,
            "documents": self.set.documents.len(),
            "queries": self.set.queries.len(),
            "documents_read": self.read.0,
            "queries_read": self.read.1,
            "methods": methods.iter().map(row).collect::<Vec<_>>(),
            "seconds": {
                "index": self.seconds.index,
                "find": self.seconds.find,
                "embed_documents": self.seconds.embed_documents,
                "embed_queries": self.seconds.embed_queries,
            },
        })
    }
}

fn likeness(query: Option<&[f32]>, documents: &[Option<Vec<f32>>]) -> Vec<Option<f64>> {
    let Some(query) = query else { return Vec::new() };
    documents.iter().map(|it| it.as_ref().map(|it| model::cosine(query, it))).collect()
}

/// Claims about the same abstract are often the same claim, turned around: they stay in one half.
fn tuning_half(query: &Query) -> bool {
    query.relevant.iter().min().is_some_and(|it| it.is_multiple_of(2))
}

/// The best fusion of the grid on the tuning half; the first of equals.
fn tune(on: &Measured<'_>) -> Method {
    let mut best = (f64::NEG_INFINITY, Method::Bm25);
    for pool in [Pool::Found, Pool::Both] {
        for scale in [Scale::MinMax, Scale::Deviations] {
            for bm25_weight in weights() {
                let method = Method::Weighted { pool, scale, bm25_weight };
                let found = on.quality(method, tuning_half).ndcg10;
                if found > best.0 {
                    best = (found, method);
                }
            }
        }
    }
    best.1
}

fn weights() -> impl Iterator<Item = f64> {
    (0..=10).map(|it| f64::from(it) / 10.0)
}

fn heading(model: &dyn Embedder, limit: Option<usize>, tuned: Option<Method>) -> String {
    let mut text = format!("## Retrieval, {}\n\n", model.id());
    if let Some(limit) = limit {
        text += &format!("**Limited to {limit} queries a set: not comparable.**\n\n");
    }
    text += &format!(
        "BM25: the product's full-text search, any word counts, best {DEPTH}. Embedding: exact, over all \
         documents. Fusion a/b: a for BM25, b for the embedding, after the scale named; \"BM25's\" ranks \
         what BM25 returned, \"both\" adds the {DEPTH} likest documents. Text in a language the model does \
         not read gets no embedding; there the fusion is BM25.\n"
    );
    if let Some(tuned) = tuned {
        text += &format!(
            "\nThe best of the grid (both pools, both scales, weights 0.0 to 1.0) for nDCG@10 on half of the {TUNED_ON} \
             queries (those whose first relevant document has an even place): **{}**.\n",
            tuned.name()
        );
    }
    text
}

fn scores_table(measured: &[Measured<'_>], methods: &[Method], tuned: Option<Method>) -> String {
    let mut table =
        Table::new(&["set", "method", "#nDCG@10", "#to BM25", "#recall@10", "#recall@100"]);
    let mut add =
        |name: String, it: &Measured<'_>, keep: fn(&Query) -> bool, methods: &[Method]| {
            let base = it.quality(Method::Bm25, keep).ndcg10;
            for method in methods {
                // A model that reads none of the documents has no ranking of its own.
                if *method == Method::Likeness && it.read.0 == 0 {
                    continue;
                }
                let found = it.quality(*method, keep);
                let mark = match *method {
                    CHOSEN if Some(CHOSEN) == tuned => " (chosen, best on the tuning half)",
                    CHOSEN => " (chosen)",
                    other if Some(other) == tuned => " (best on the tuning half)",
                    _ => "",
                };
                table.row(&[
                    name.clone(),
                    method.name() + mark,
                    format!("{:.4}", found.ndcg10),
                    format!("{:+.4}", found.ndcg10 - base),
                    format!("{:.4}", found.recall10),
                    format!("{:.4}", found.recall100),
                ]);
            }
        };
    for it in measured {
        add(it.set.name.to_owned(), it, |_| true, methods);
        if let (TUNED_ON, Some(tuned)) = (it.set.name, tuned) {
            let mut shown = vec![Method::Bm25, CHOSEN];
            shown.extend([tuned].into_iter().filter(|it| *it != CHOSEN));
            add(format!("{TUNED_ON}, tuning half"), it, tuning_half, &shown);
            add(format!("{TUNED_ON}, other half"), it, |it| !tuning_half(it), &shown);
        }
    }
    format!("\n{}", table.finish())
}

/// nDCG@10 for every weight of BM25, so that a reader sees how flat the top is.
fn grid_table(measured: &[Measured<'_>], pool: Pool) -> String {
    let readable: Vec<_> = measured.iter().filter(|it| it.read.1 > 0 && it.read.0 > 0).collect();
    let names: Vec<String> = readable
        .iter()
        .flat_map(|it| ["min-max", "z-score"].map(|scale| format!("#{}, {scale}", it.set.name)))
        .collect();
    let mut columns = vec!["#weight of BM25"];
    columns.extend(names.iter().map(String::as_str));
    let mut table = Table::new(&columns);
    for bm25_weight in weights() {
        let mut row = vec![format!("{bm25_weight:.1}")];
        for it in &readable {
            for scale in [Scale::MinMax, Scale::Deviations] {
                let method = Method::Weighted { pool, scale, bm25_weight };
                row.push(format!("{:.4}", it.quality(method, |_| true).ndcg10));
            }
        }
        table.row(&row);
    }
    let pool = match pool {
        Pool::Found => "what BM25 returned",
        Pool::Both => "both pools",
    };
    format!("\nnDCG@10 by weight, all queries, over {pool}:\n\n{}", table.finish())
}

fn speed_table(measured: &[Measured<'_>]) -> String {
    let mut table = Table::new(&[
        "set",
        "#documents",
        "#queries",
        "#read by the model",
        "#index s",
        "#search s",
        "#embed documents s",
        "#embed queries s",
    ]);
    for it in measured {
        let Seconds { index, find, embed_documents, embed_queries } = it.seconds;
        table.row(&[
            it.set.name.to_owned(),
            it.set.documents.len().to_string(),
            it.set.queries.len().to_string(),
            format!("{} / {}", it.read.0, it.read.1),
            format!("{index:.1}"),
            format!("{find:.1}"),
            format!("{embed_documents:.1}"),
            format!("{embed_queries:.1}"),
        ]);
    }
    format!("\n{}", table.finish())
}
