//! The six things a model is asked, each with what of its answer is believed.

use std::time::Instant;

use crate::belief::{Belief, is_address, is_leak};
use crate::data::Data;
use crate::forms::{bare_yes_or_no, claims_of, score_of, sentences_of, strings_of, yes_or_no_of};
use crate::guard::{Checked, check};
use crate::prompts::{CITATION, CLAIMS, DRAFT, QUALITY, QUERIES, USEFULNESS};
use crate::{Llm, LlmAnswer, LlmError, Note, Prompt, json};
use judge::claims::{ClaimSource, ExtractedClaim, granularity_of, polarity_of};

/// A passage a report may rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftEvidence<'a> {
    /// The id under which the passage is cited.
    pub fragment: &'a str,
    pub text: &'a str,
}

/// A sentence of a report and the passages it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftSentence {
    pub text: String,
    pub fragments: Vec<String>,
}

impl Llm {
    /// Takes the claims out of a passage that bear on a question.
    ///
    /// A claim is kept only where the words it rests on are in the passage, do not speak to a machine,
    /// and share its words and numbers.
    pub async fn extract_claims(
        &self,
        question: &str,
        source: &ClaimSource<'_>,
    ) -> Result<LlmAnswer<Vec<ExtractedClaim>>, LlmError> {
        let mut data = Data::new(self, &CLAIMS);
        data.question(question);
        let place: Vec<&str> =
            source.title.into_iter().chain(source.headings.iter().map(String::as_str)).collect();
        data.line("Title", &place.join(" > "));
        data.body("Text", source.text)?;
        let Data { prompt, mut warnings, around, mut notes, .. } = data.finish();
        let asked = self.ask(&prompt, |it| json::find(it, claims_of)).await?;
        let belief = Belief::new(source, &place, &warnings, self.settings.min_grounded);
        warnings.extend(around);
        let mut claims: Vec<ExtractedClaim> = Vec::new();
        let mut dropped = 0;
        for (claim, quote) in &asked.value {
            let Checked { text, warnings: found } = self.checked(claim, &prompt, 300);
            let grounded = belief.place_of(&text, quote);
            let clean = !found.iter().any(|it| is_leak(it) || !belief.has_address(&it.pattern));
            warnings.extend(found);
            match grounded.filter(|_| clean) {
                Some(chars) if !claims.iter().any(|it| it.text == text) => {
                    claims.push(ExtractedClaim {
                        granularity: granularity_of(&text),
                        polarity: polarity_of(&text),
                        confidence: self.settings.claim_confidence,
                        text,
                        chars,
                    })
                }
                Some(_) => {}
                None => dropped += 1,
            }
        }
        if dropped > 0 {
            notes.push(Note::Ungrounded { dropped });
        }
        claims.sort_by_key(|it| (it.chars.start, it.chars.end));
        Ok(asked.into_answer(|_| claims, warnings, notes))
    }

    /// How useful an abstract could be for a question, 0 to 1; 0.5 where the model does not say.
    /// Whether it agrees with anything is not asked.
    pub async fn usefulness(
        &self,
        question: &str,
        abstract_text: &str,
    ) -> Result<LlmAnswer<f64>, LlmError> {
        let started = Instant::now();
        let mut data = Data::new(self, &USEFULNESS);
        data.question(question);
        data.body("Abstract", abstract_text)?;
        let Data { prompt, mut warnings, around, mut notes, .. } = data.finish();
        warnings.extend(around);
        match self.ask(&prompt, |it| json::find(it, score_of)).await {
            Ok(asked) => Ok(asked.into_answer(|it| it, warnings, notes)),
            Err(LlmError::Unreadable { .. } | LlmError::Empty) => {
                notes.push(Note::NeutralAssumed);
                let attempts = self.settings.retries + 1;
                let elapsed = started.elapsed();
                Ok(LlmAnswer { value: 0.5, warnings, notes, elapsed, attempts })
            }
            Err(error) => Err(error),
        }
    }

    /// Whether a link in a sentence is a citation.
    pub async fn is_citation(
        &self,
        sentence: &str,
        anchor: &str,
    ) -> Result<LlmAnswer<bool>, LlmError> {
        let mut data = Data::new(self, &CITATION);
        data.line("Link text", anchor);
        data.body("Sentence", sentence)?;
        let Data { prompt, mut warnings, around, notes, .. } = data.finish();
        warnings.extend(around);
        let read = |answer: &str| {
            json::find(answer, yes_or_no_of).or_else(|| Some((bare_yes_or_no(answer)?, true)))
        };
        let asked = self.ask(&prompt, read).await?;
        Ok(asked.into_answer(|it| it, warnings, notes))
    }

    /// How carefully a text is written, 0 to 1.
    pub async fn quality(&self, text: &str) -> Result<LlmAnswer<f64>, LlmError> {
        let mut data = Data::new(self, &QUALITY);
        data.body("Text", text)?;
        let Data { prompt, mut warnings, around, notes, .. } = data.finish();
        warnings.extend(around);
        let asked = self.ask(&prompt, |it| json::find(it, score_of)).await?;
        Ok(asked.into_answer(|it| it, warnings, notes))
    }

    /// Search queries for a question, for a planner that is a client of the engine. The engine itself
    /// never asks this.
    pub async fn queries(
        &self,
        question: &str,
        known: &[String],
        wanted: usize,
    ) -> Result<LlmAnswer<Vec<String>>, LlmError> {
        let mut data = Data::new(self, &QUERIES);
        data.question(question);
        data.line("Wanted", &wanted.to_string());
        data.list("Known queries", known);
        let Data { prompt, mut warnings, around, notes, .. } = data.finish();
        warnings.extend(around);
        let asked =
            self.ask(&prompt, |answer| json::find(answer, |it| strings_of(it, "queries"))).await?;
        let mut queries: Vec<String> = Vec::new();
        for query in &asked.value {
            let Checked { text, warnings: found } = self.checked(query, &prompt, 60);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let repeats = |it: &String| it.to_lowercase() == text.to_lowercase();
            // A query with an address or a piece of the instructions in it would carry it outside.
            let fresh =
                found.is_empty() && !text.is_empty() && !known.iter().chain(&queries).any(repeats);
            warnings.extend(found);
            if fresh && queries.len() < wanted {
                queries.push(text);
            }
        }
        Ok(asked.into_answer(|_| queries, warnings, notes))
    }

    /// Drafts an answer to a question from passages. A sentence that names none of them is dropped.
    pub async fn draft(
        &self,
        question: &str,
        evidence: &[DraftEvidence<'_>],
    ) -> Result<LlmAnswer<Vec<DraftSentence>>, LlmError> {
        let mut data = Data::new(self, &DRAFT);
        data.question(question);
        let read = data.passages(evidence)?;
        let Data { prompt, mut warnings, around, mut notes, .. } = data.finish();
        warnings.extend(around);
        let asked = self.ask(&prompt, |it| json::find(it, sentences_of)).await?;
        let mut sentences = Vec::new();
        let mut dropped = 0;
        for (text, numbers) in &asked.value {
            let Checked { text, warnings: found } = self.checked(text, &prompt, 300);
            let leaks = found.iter().any(|it| is_leak(it) || is_address(&it.pattern));
            warnings.extend(found);
            let mut fragments: Vec<String> = Vec::new();
            for number in numbers.iter().filter(|it| (1..=read).contains(*it)) {
                let fragment = evidence[number - 1].fragment.to_owned();
                if !fragments.contains(&fragment) {
                    fragments.push(fragment);
                }
            }
            if fragments.is_empty() || leaks || text.trim().is_empty() {
                dropped += 1;
            } else {
                sentences.push(DraftSentence { text: text.trim().to_owned(), fragments });
            }
        }
        if dropped > 0 {
            notes.push(Note::Ungrounded { dropped });
        }
        Ok(asked.into_answer(|_| sentences, warnings, notes))
    }

    fn checked(&self, text: &str, prompt: &Prompt, expected_chars: usize) -> Checked {
        check(text.trim(), prompt.system(), expected_chars, &self.settings.guard)
    }
}
