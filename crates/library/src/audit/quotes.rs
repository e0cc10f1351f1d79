//! Sentences of a manual that are in a document, and quotations of a document that are in a manual.
//!
//! Both are compared in their loose form, so width, spaces, emphasis and line breaks make no difference.

use aho_corasick::AhoCorasick;
use text::script::is_east_asian;

use crate::manuals::ManualText;
use crate::normal_form::{Loose, Term, lines, normalised};
use crate::spans::Span;
use crate::{Refusal, Result};

/// Letters of a sentence, those of East Asian script counted twice. Shorter ones are in any text.
const QUOTE_LETTERS: usize = 20;

/// A sentence long enough to be recognised, and its lines.
struct Sentence {
    term: Term,
    span: Span,
}

/// A manual's file, ready to be looked for in many documents.
pub(super) struct Quotable {
    sentences: Vec<Sentence>,
    /// All sentences at once: a document is read through one time.
    finder: AhoCorasick,
    normal: String,
    loose: Loose,
}

impl Quotable {
    pub(super) fn new(source: &ManualText) -> Result<Self> {
        let sentences = sentences(source);
        let finder = AhoCorasick::new(sentences.iter().map(|it| it.term.loose.as_str()));
        let finder = finder.map_err(|_| {
            Refusal::InvalidParameter.because(format!("{} has too many sentences", source.path))
        })?;
        let normal = normalised(&source.text);
        let loose = Loose::new(&normal);
        Ok(Self { sentences, finder, normal, loose })
    }

    /// The lines whose sentences, or parts of them in quotation marks, are in a document.
    pub(super) fn lines_in(&self, document: &str) -> Vec<Span> {
        let plain = without_marks(document);
        let normal = normalised(&plain);
        let loose = Loose::new(&normal);
        let mut found = Vec::new();
        for hit in self.finder.find_overlapping_iter(&*loose.text) {
            let sentence = &self.sentences[hit.pattern().as_usize()];
            if loose.verify(&normal, &sentence.term, hit.start()).is_some() {
                found.push(sentence.span);
            }
        }
        for quoted in quotations(&plain) {
            if let Some(term) = Term::new(quoted)
                && letters(&term.loose) >= QUOTE_LETTERS
            {
                found.extend(self.lines_with(&term));
            }
        }
        found
    }

    fn lines_with(&self, term: &Term) -> Vec<Span> {
        // Lines stay lines when a text is normalised.
        let line = |at: usize| {
            let breaks = self.normal[..at].bytes().filter(|it| *it == b'\n').count();
            u32::try_from(breaks).unwrap_or(u32::MAX).saturating_add(1)
        };
        let matches = self.loose.text.match_indices(term.loose.as_str());
        matches
            .filter_map(|(at, _)| Some(self.loose.verify(&self.normal, term, at)?.0))
            .map(|bytes| Span::new(line(bytes.start), line(bytes.end)))
            .collect()
    }
}

/// The sentences of a manual's file; sentences go on over line breaks, but not into the next item of a list.
fn sentences(source: &ManualText) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut block = Block::default();
    for line in lines(&source.text) {
        let text = line.text.trim();
        let marker = marker(text);
        if marker > 0 || is_apart(text) {
            block.cut(&mut sentences);
        }
        if !is_apart(text) {
            block.add(line.number, &text[marker..]);
        }
    }
    block.cut(&mut sentences);
    sentences
}

/// Letters, East Asian ones twice. Not [`text::script::letters_in`]: here it counts how unlikely the same
/// letters are by chance, and not how much they say.
fn letters(text: &str) -> usize {
    let letters = text.chars().filter(|it| it.is_alphanumeric());
    letters.map(|it| 1 + usize::from(is_east_asian(it))).sum()
}

/// Lines that belong together, with the byte at which each begins.
#[derive(Default)]
struct Block {
    text: String,
    starts: Vec<(usize, u32)>,
}

impl Block {
    fn add(&mut self, line: u32, text: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.starts.push((self.text.len(), line));
        self.text.push_str(text);
    }

    fn cut(&mut self, sentences: &mut Vec<Sentence>) {
        let line_at = |at: usize| {
            let after = self.starts.partition_point(|(start, _)| *start <= at);
            self.starts[after.saturating_sub(1)].1
        };
        for range in text::sentences(&self.text) {
            let bare = self.text[range.clone()].trim_end_matches(is_end);
            if let Some(term) = Term::new(bare)
                && letters(&term.loose) >= QUOTE_LETTERS
            {
                let last = range.start + bare.len() - 1;
                let span = Span::new(line_at(range.start), line_at(last));
                sentences.push(Sentence { term, span });
            }
        }
        *self = Self::default();
    }
}

fn is_end(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '．' | '｡' | '.' | '!' | '?')
}

/// Bytes of the mark that begins an item of a list, a quotation or a row.
fn marker(text: &str) -> usize {
    let mut rest = text;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = &rest[digits..];
        let mark = match rest.chars().next() {
            Some('>' | '|') => 1,
            Some('-' | '*' | '+') if rest[1..].starts_with(' ') => 1,
            Some('・') => '・'.len_utf8(),
            _ if digits > 0 && (after.starts_with(". ") || after.starts_with(") ")) => digits + 1,
            _ => return text.len() - rest.len(),
        };
        rest = rest[mark..].trim_start();
    }
}

/// Lines that belong to no sentence.
fn is_apart(text: &str) -> bool {
    text.starts_with('#') || !text.chars().any(char::is_alphanumeric)
}

/// A document without the marks of quoted lines, so that a quotation over several lines reads as one text.
fn without_marks(document: &str) -> String {
    let mut plain = String::with_capacity(document.len());
    for line in lines(document) {
        let text = line.text.trim_start();
        // The note of a copy is no text of the document.
        if !text.starts_with(crate::bridge::NOTE) {
            plain.push_str(text.trim_start_matches(['>', ' ']));
        }
        plain.push('\n');
    }
    plain
}

/// What is in quotation marks.
fn quotations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [('「', '」'), ('『', '』'), ('“', '”')] {
        let mut rest = text;
        while let Some(start) = rest.find(open) {
            rest = &rest[start + open.len_utf8()..];
            let Some(end) = rest.find(close) else { break };
            found.push(&rest[..end]);
        }
    }
    // Straight marks open and close alike: every second part is inside.
    for paragraph in text.split("\n\n") {
        found.extend(paragraph.split('"').skip(1).step_by(2));
    }
    found
}
