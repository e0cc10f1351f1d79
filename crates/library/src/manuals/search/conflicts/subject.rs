//! What a sentence is about, so that only sentences about the same thing are compared.
//!
//! Its words without the common ones, compounds also by their parts (経費精算 is about 経費), words of the synonym
//! dictionary by what they mean (テレワーク is 在宅勤務).

use std::collections::BTreeSet;

use crate::manuals::dictionary::{QueryWords, Synonyms};
use crate::manuals::query::concepts::{parts, stem, subject};
use crate::manuals::query::pieces::pieces;
use crate::normal_form::Term;

/// English words that a dictionary may know as one.
const PHRASE: usize = 3;

pub(super) struct Words<'a> {
    pub(super) words: &'a QueryWords,
    pub(super) synonyms: Option<&'a Synonyms>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Subject {
    /// Everything by which it may be the same as another.
    pub(super) words: BTreeSet<String>,
    /// Words as they are written.
    wholes: Vec<String>,
}

impl Words<'_> {
    /// What a normalised text is about. Where measures stood there must be a line feed.
    pub(super) fn subject(&self, text: &str) -> Subject {
        let mut all = Subject::default();
        let mut phrase: Vec<String> = Vec::new();
        for piece in pieces(text, &self.words.stop_kana) {
            if piece.is_ascii() {
                phrase.push(piece.clone());
                self.add_phrases(&phrase, &mut all);
            } else {
                phrase.clear();
            }
            let Some(word) = subject(&piece, self.words) else { continue };
            if word.chars().count() < 2 || word.chars().any(|it| it.is_ascii_digit()) {
                continue;
            }
            all.words.insert(self.meaning(&word).unwrap_or_else(|| stem(&word)));
            if word.is_ascii() {
                continue;
            }
            all.words.extend(parts(&word).into_iter().map(|it| self.meaning(&it).unwrap_or(it)));
            all.wholes.push(word);
        }
        all
    }

    /// The last words together, where the dictionary has them as one.
    fn add_phrases(&self, words: &[String], all: &mut Subject) {
        for length in 2..=PHRASE.min(words.len()) {
            all.words.extend(self.meaning(&words[words.len() - length..].join(" ")));
        }
    }

    /// One name for all words of the dictionary that mean the same.
    fn meaning(&self, word: &str) -> Option<String> {
        let (synonyms, term) = self.synonyms.zip(Term::new(word))?;
        synonyms.group_of(&term.loose).map(|group| format!("={group}"))
    }
}

impl Subject {
    pub(super) fn join(&mut self, other: Self) {
        self.words.extend(other.words);
        self.wholes.extend(other.wholes);
    }

    pub(super) fn shared(&self, other: &Self) -> usize {
        self.words.intersection(&other.words).count()
    }

    pub(super) fn of_both(&self, other: &Self) -> usize {
        self.words.union(&other.words).count()
    }

    /// 年次有給休暇 and 夏季休暇: two kinds of one thing, for which different rules may hold.
    pub(super) fn is_another_kind(&self, other: &Self) -> bool {
        let own = |all: &Self, word: &String| !all.wholes.contains(word);
        let mine = self.wholes.iter().filter(|word| own(other, word));
        mine.into_iter().any(|a| {
            other.wholes.iter().filter(|word| own(self, word)).any(|b| are_two_kinds(a, b))
        })
    }
}

/// Whether two compounds end alike and begin otherwise.
fn are_two_kinds(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().rev().collect(), b.chars().rev().collect());
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    same >= 2 && same < a.len() && same < b.len()
}
