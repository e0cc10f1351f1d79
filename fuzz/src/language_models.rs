//! What a language model answers.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use judge::ClaimSource;
use llm::{Answering, DraftEvidence, Llm, LlmSettings, Transport};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

const PASSAGE: &str =
    "Vitamin D reduced falls by 19 percent in 2,426 people over 65, a review of 2009 found.";

/// A server that says the same to everything.
#[derive(Debug)]
struct Says(String);

impl Transport for Says {
    fn post<'a>(&'a self, _path: &'a str, _body: Value, _timeout: Duration) -> Answering<'a> {
        let answer = json!({ "message": { "content": self.0 } }).to_string().into_bytes();
        Box::pin(async move { Ok(answer) })
    }

    fn get<'a>(&'a self, _path: &'a str, _timeout: Duration) -> Answering<'a> {
        Box::pin(async { Ok(json!({ "models": [{ "name": "any" }] }).to_string().into_bytes()) })
    }
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime")
});

/// Any text as the answer to each of the questions a model is asked: numbers stay in their range, and every claim and
/// sentence rests on what was given.
pub fn llm(bytes: &[u8]) {
    let server = Arc::new(Says(String::from_utf8_lossy(bytes).into_owned()));
    let llm = Llm::new(LlmSettings::default(), server, &mut fastrand::Rng::with_seed(7));
    let question = "Does vitamin D prevent falls?";
    RUNTIME.block_on(async {
        let source = ClaimSource { title: None, headings: &[], text: PASSAGE, language: None };
        // An answer that cannot be read is an error, as it should be.
        if let Ok(answer) = llm.extract_claims(question, &source).await {
            assert!(answer.value.iter().all(|it| !it.text.is_empty()));
        }
        let scores = [llm.usefulness(question, PASSAGE).await, llm.quality(PASSAGE).await];
        for answer in scores.into_iter().flatten() {
            assert!((0.0..=1.0).contains(&answer.value));
        }
        let _ = llm.is_citation(PASSAGE, "a review").await;
        let evidence = [DraftEvidence { fragment: "f_1", text: PASSAGE }];
        if let Ok(answer) = llm.draft(question, &evidence).await {
            let cited = answer.value.iter().flat_map(|it| &it.fragments);
            assert!(cited.into_iter().all(|it| it == "f_1"));
        }
    });
}
