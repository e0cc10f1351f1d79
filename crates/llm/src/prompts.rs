//! The fixed words a model is asked with. Short, in English, each naming the JSON it wants.

use std::fmt;

use crate::guard::{Tag, hashed};

/// What is sent to a model: instructions inside their tag, and data.
pub struct Prompt {
    system: String,
    user: String,
    reminder: &'static str,
    expected_chars: usize,
}

impl Prompt {
    pub(super) fn new(tag: &Tag, task: &Task, user: String) -> Self {
        Self {
            system: tag.around(task.instructions),
            user,
            reminder: task.reminder,
            expected_chars: task.expected_chars,
        }
    }

    pub(super) fn system(&self) -> &str {
        &self.system
    }

    pub(super) fn user(&self) -> &str {
        &self.user
    }

    pub(super) fn user_again(&self) -> String {
        format!("{}\n\n{}", self.user, self.reminder)
    }

    pub(super) fn expected_chars(&self) -> usize {
        self.expected_chars
    }
}

impl fmt::Debug for Prompt {
    /// A hash and a length: prompts are neither logged nor stored.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Prompt(system {}, user {})", hashed(&self.system), hashed(&self.user))
    }
}

/// One thing a model can be asked.
pub(super) struct Task {
    pub(super) instructions: &'static str,
    pub(super) reminder: &'static str,
    /// Characters of an ordinary answer.
    pub(super) expected_chars: usize,
}

pub(super) const CLAIMS: Task = Task {
    instructions: "\
Take the factual claims out of the text that bear on the question.
Each claim is one sentence that can be checked and is understood without the text: name what it is about instead of \
\"it\" or \"this study\". Use the language of the text. Keep numbers, conditions and negations. Add nothing.
For each claim copy the words of the text it rests on, exactly, as \"quote\".
Answer with JSON only: {\"claims\": [{\"claim\": \"...\", \"quote\": \"...\"}]}. No claims: {\"claims\": []}.",
    reminder: "JSON only: {\"claims\": [{\"claim\": \"...\", \"quote\": \"...\"}]}",
    expected_chars: 2_000,
};

pub(super) const USEFULNESS: Task = Task {
    instructions: "\
Say how useful the abstract could be as evidence or important background for the question, from 0 (not at all) to 10 \
(directly). Do not judge whether it agrees or disagrees with anything.
Answer with JSON only: {\"score\": 0}.",
    reminder: "JSON only: {\"score\": 0}",
    expected_chars: 40,
};

pub(super) const CITATION: Task = Task {
    instructions: "\
Say whether the link is a citation: the sentence rests on what it leads to as its source. Navigation, related articles, \
products and advertisements are none.
Answer with JSON only: {\"citation\": true} or {\"citation\": false}.",
    reminder: "JSON only: {\"citation\": true} or {\"citation\": false}",
    expected_chars: 40,
};

pub(super) const QUALITY: Task = Task {
    instructions: "\
Rate the text from 0 (made to be found: thin, copied, generated, full of advertising) to 10 (written with care: own \
insight, primary sources, natural language).
Answer with JSON only: {\"score\": 0}.",
    reminder: "JSON only: {\"score\": 0}",
    expected_chars: 40,
};

pub(super) const QUERIES: Task = Task {
    instructions: "\
Write search queries that would find evidence for and against an answer to the question, as many as are wanted. Use \
the language of the question, and English besides. Repeat none of the known queries. A query is a few words, without \
quotation marks.
Answer with JSON only: {\"queries\": [\"...\"]}.",
    reminder: "JSON only: {\"queries\": [\"...\"]}",
    expected_chars: 600,
};

pub(super) const DRAFT: Task = Task {
    instructions: "\
Answer the question in a few sentences from the numbered passages only. Use the language of the question. Say where the \
passages disagree. Every sentence names the passages it rests on; what they do not say is not written.
Answer with JSON only: {\"sentences\": [{\"text\": \"...\", \"passages\": [1]}]}.",
    reminder: "JSON only: {\"sentences\": [{\"text\": \"...\", \"passages\": [1]}]}",
    expected_chars: 2_000,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_shows_its_hash_and_length_only() {
        let tag = Tag::random(&mut fastrand::Rng::with_seed(1));
        let prompt = Prompt::new(&tag, &USEFULNESS, "secret question".to_owned());
        let shown = format!("{prompt:?}");
        assert!(
            !shown.contains("secret") && !shown.contains("LYRA") && !shown.contains("useful"),
            "{shown}"
        );
        assert!(shown.ends_with("15 chars)"), "{shown}");
        assert_eq!(prompt.user_again(), "secret question\n\nJSON only: {\"score\": 0}");
    }
}
