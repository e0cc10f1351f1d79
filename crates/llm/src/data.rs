//! The data of a prompt: cleaned, cut to what fits, and the cuts named.

use text::{chars_within, estimate_tokens};

use crate::ask::DraftEvidence;
use crate::guard::{SecurityWarning, cut_at_sentence, prepare};
use crate::prompts::Task;
use crate::{Llm, LlmError, Note, Prompt};

/// Words of a prompt that are not data: headings of its parts, line breaks.
const AROUND: usize = 64;

/// The data of a prompt while it is put together, within what fits.
pub(super) struct Data<'a> {
    llm: &'a Llm,
    task: &'a Task,
    user: String,
    pub(super) prompt: Prompt,
    /// About the text that matters, by its places.
    pub(super) warnings: Vec<SecurityWarning>,
    /// About what stands around it: the question, titles, known queries.
    pub(super) around: Vec<SecurityWarning>,
    pub(super) notes: Vec<Note>,
}

impl<'a> Data<'a> {
    pub(super) fn new(llm: &'a Llm, task: &'a Task) -> Self {
        let prompt = Prompt::new(&llm.tag, task, String::new());
        Self {
            llm,
            task,
            user: String::new(),
            prompt,
            warnings: Vec::new(),
            around: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub(super) fn question(&mut self, question: &str) {
        let prepared = prepare(question, self.llm.settings.max_question_chars);
        if prepared.is_cut() {
            self.notes
                .push(Note::QuestionCut { read: prepared.text.chars().count(), of: prepared.of });
        }
        self.user += &format!("Question: {}\n", prepared.text);
        self.around.extend(prepared.warnings);
    }

    /// A short text of a page, on one line.
    pub(super) fn line(&mut self, name: &str, text: &str) {
        const LONGEST: usize = 300;
        let prepared = prepare(text, LONGEST);
        self.around.extend(prepared.warnings);
        let text = prepared.text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.user += &format!("{name}: {text}\n");
        }
    }

    pub(super) fn list(&mut self, name: &str, lines: &[String]) {
        const MOST: usize = 50;
        self.user += &format!("{name}:\n");
        for line in lines.iter().take(MOST) {
            let prepared = prepare(line, 200);
            self.user += &format!("- {}\n", prepared.text);
            self.around.extend(prepared.warnings);
        }
    }

    /// Tokens that are left for more data.
    fn room(&self) -> Result<usize, LlmError> {
        let settings = &self.llm.settings;
        let fixed = estimate_tokens(self.prompt.system())
            + estimate_tokens(&self.user)
            + estimate_tokens(self.task.reminder)
            + AROUND;
        let needed = fixed + settings.max_answer_tokens;
        let room = settings.context_tokens.saturating_sub(needed);
        if room < AROUND {
            let needed = needed + AROUND;
            return Err(LlmError::ContextTooSmall { needed, context: settings.context_tokens });
        }
        Ok(room)
    }

    /// The text that matters, as much of it as fits.
    pub(super) fn body(&mut self, name: &str, text: &str) -> Result<(), LlmError> {
        let room = self.room()?;
        let prepared = prepare(text, self.llm.settings.guard.max_input_chars);
        let fits = chars_within(&prepared.text, room);
        let kept = cut_at_sentence(&prepared.text, fits);
        let read = kept.chars().count();
        if read < prepared.of {
            self.notes.push(Note::SourceCut { read, of: prepared.of });
        }
        self.user += &format!("{name}:\n{kept}\n");
        self.warnings.extend(prepared.warnings);
        Ok(())
    }

    /// Numbered passages, as many as fit; gives how many.
    pub(super) fn passages(&mut self, evidence: &[DraftEvidence<'_>]) -> Result<usize, LlmError> {
        const LONGEST: usize = 1_200;
        let mut room = self.room()?;
        let mut chars_left = self.llm.settings.guard.max_input_chars;
        let mut read = 0;
        self.user += "Passages:\n";
        for (index, passage) in evidence.iter().enumerate() {
            let prepared = prepare(passage.text, LONGEST);
            let line = format!("[{}] {}\n", index + 1, prepared.text);
            let (needed, chars) = (estimate_tokens(&line), prepared.text.chars().count());
            if needed > room || chars > chars_left {
                break;
            }
            room -= needed;
            chars_left -= chars;
            read += 1;
            self.user += &line;
            self.warnings.extend(prepared.warnings);
        }
        if read < evidence.len() {
            self.notes.push(Note::EvidenceCut { read, of: evidence.len() });
        }
        Ok(read)
    }

    pub(super) fn finish(mut self) -> Self {
        self.prompt = Prompt::new(&self.llm.tag, self.task, std::mem::take(&mut self.user));
        self
    }
}
