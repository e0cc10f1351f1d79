//! Japanese text without spaces: the pieces it is made of, by the words the dictionaries know.
//!
//! No grammar: of all ways to cover the text with known words the one that leaves the least content
//! unknown wins, then the one with the fewest words. Scripts say where a word may begin and end.

use crate::query::{Piece, PieceKind};
use crate::word_lists::JA;
use crate::{dictionary, groups, inflection, script};
use text::script::{is_hiragana, is_japanese, is_kanji, is_katakana};

/// The longest word of the dictionaries, in characters.
const LONGEST_WORD: usize = 16;
/// A part of a katakana word that is itself a word; shorter ones are chance (ライン in オンライン).
const LEAST_PART: usize = 3;
/// Numbers need more digits than this to say something by themselves.
const LEAST_DIGITS: usize = 2;
/// A Latin word counts as much as a Japanese one of two characters.
const LATIN_WEIGHT: usize = 2;
/// Compounds up to this many characters are one word and not two.
const SHORT_COMPOUND: usize = 4;
/// What a word more costs, and a character of content that no word covers.
const WORD: usize = 2;
const UNKNOWN: usize = 6;

#[derive(Debug, Clone)]
struct Step {
    cost: usize,
    length: usize,
    kind: PieceKind,
    weight: usize,
}

/// Cuts a text into pieces that cover all of it.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let line = Line::new(text);
    let n = line.chars.len();
    let mut best: Vec<Option<Step>> = vec![None; n + 1];
    best[n] = Some(Step { cost: 0, length: 0, kind: PieceKind::Rest, weight: 0 });
    for at in (0..n).rev() {
        for mut step in line.steps(at) {
            let Some(rest) = &best[at + step.length] else { continue };
            step.cost += rest.cost;
            // Longer first words among equals: they are offered first.
            if best[at].as_ref().is_none_or(|it| step.cost < it.cost) {
                best[at] = Some(step);
            }
        }
    }
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < n {
        let Some(step) = best[at].take() else { break };
        let bytes = line.byte(at)..line.byte(at + step.length);
        at += step.length;
        pieces.push(Piece { bytes, kind: step.kind, weight: step.weight });
    }
    doubt_heads(text, &mut pieces);
    pieces
}

/// Drops words that end a short compound with an unknown beginning: 硫化水素 is not 水素. A known
/// beginning is kept, since it says what the compound is about (石油備蓄).
fn doubt_heads(text: &str, pieces: &mut [Piece]) {
    let mut run = 0;
    let mut missed = false;
    for at in 0..pieces.len() {
        let piece = &text[pieces[at].bytes.clone()];
        if !piece.chars().all(is_kanji) {
            (run, missed) = (0, false);
            continue;
        }
        if run == 0 {
            let rest = &text[pieces[at].bytes.start..];
            run = rest.chars().take_while(|it| is_kanji(*it)).count();
        }
        let is_term = matches!(pieces[at].kind, PieceKind::Term { .. });
        if is_term && missed && run <= SHORT_COMPOUND {
            pieces[at].kind = PieceKind::Missed;
        }
        missed |= pieces[at].kind == PieceKind::Missed;
    }
}

struct Line<'a> {
    text: &'a str,
    lower: String,
    /// Where each character begins, and the character in lower case.
    chars: Vec<(usize, char)>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        let lower = text.to_ascii_lowercase();
        let chars = lower.char_indices().collect();
        Self { text, lower, chars }
    }

    fn byte(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.text.len(), |it| it.0)
    }

    fn get(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|it| it.1)
    }

    fn before(&self, at: usize) -> Option<char> {
        at.checked_sub(1).and_then(|it| self.get(it))
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        &self.lower[self.byte(from)..self.byte(to)]
    }

    /// The end of the run that begins at `at` and whose characters all are `is`.
    fn run(&self, at: usize, is: impl Fn(char) -> bool) -> usize {
        (at..self.chars.len()).find(|it| !is(self.chars[*it].1)).unwrap_or(self.chars.len())
    }

    /// The words that may start at `at`, longer ones first. Empty inside an unknown katakana word.
    fn steps(&self, at: usize) -> Vec<Step> {
        let c = self.chars[at].1;
        let mut steps = self.words(at);
        if c.is_alphanumeric() && !is_japanese(c) {
            steps.extend(self.carried(at));
        } else if is_katakana(c) {
            if !self.before(at).is_some_and(is_katakana) {
                let length = self.run(at, is_katakana) - at;
                let (cost, weight) = (UNKNOWN * length, katakana_weight(length));
                steps.push(Step { cost, length, kind: PieceKind::Missed, weight });
            }
        } else if is_kanji(c) {
            steps.push(self.kanji(at));
        } else {
            // A word that covers grammar is likelier than grammar that looks like it.
            let cost = if is_hiragana(c) { WORD } else { 0 };
            steps.push(Step { cost, length: 1, kind: PieceKind::Rest, weight: 0 });
        }
        steps
    }

    fn words(&self, at: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let c = self.chars[at].1;
        if !(is_japanese(c) || c.is_alphanumeric()) || !self.may_begin(at) {
            return steps;
        }
        let longest = LONGEST_WORD.min(self.chars.len() - at);
        for length in (1..=longest).rev() {
            let word = self.slice(at, at + length);
            if self.may_end(at, at + length) {
                let kind = if JA.empty.contains(word) {
                    Some((PieceKind::Rest, 0))
                } else if is_known(word) {
                    Some(term(word, inflection::is_inflected(word), length))
                } else {
                    None
                };
                if let Some((kind, weight)) = kind {
                    let cost = WORD + usize::from(length == 1);
                    steps.push(Step { cost, length, kind, weight });
                    continue;
                }
            }
            if is_kanji(c)
                && !self.before(at).is_some_and(is_kanji)
                && let Some(word) = inflection::inflected(word, self.get(at + length))
            {
                let empty = JA.empty.contains(&word);
                let (kind, weight) =
                    if empty { (PieceKind::Rest, 0) } else { term(&word, true, length) };
                steps.push(Step { cost: WORD + 1, length, kind, weight });
            }
        }
        steps
    }

    fn may_begin(&self, at: usize) -> bool {
        let (c, before) = (self.chars[at].1, self.before(at));
        if is_hiragana(c) {
            return before.is_none_or(|it| !is_hiragana(it) || JA.openers.contains(it));
        }
        // Latin words are not cut.
        is_japanese(c) || !before.is_some_and(|it| it.is_alphanumeric() && !is_japanese(it))
    }

    fn may_end(&self, from: usize, end: usize) -> bool {
        let (last, next) = (self.chars[end - 1].1, self.get(end));
        let Some(next) = next else { return true };
        if is_katakana(last) && is_katakana(next) || is_katakana(last) && self.begins_inside(from) {
            return end - from >= LEAST_PART;
        }
        if is_hiragana(last) {
            return !is_hiragana(next) || JA.particles.contains(next);
        }
        if end - from == 1 {
            let alone = !self.before(from).is_some_and(|it| is_kanji(it) || is_katakana(it));
            let followed =
                if is_hiragana(next) { JA.openers.contains(next) } else { !is_japanese(next) };
            return alone && followed;
        }
        is_japanese(last) || !next.is_alphanumeric() || is_japanese(next)
    }

    fn begins_inside(&self, from: usize) -> bool {
        is_katakana(self.chars[from].1) && self.before(from).is_some_and(is_katakana)
    }

    /// A Latin word or a number, as it stands.
    fn carried(&self, at: usize) -> Vec<Step> {
        let is_latin = |c: char| c.is_alphanumeric() && !is_japanese(c);
        let mut end = self.run(at, is_latin);
        while let (Some(sign), Some(next)) = (self.get(end), self.get(end + 1)) {
            if !("-+._/&'’".contains(sign) && is_latin(next)) {
                break;
            }
            end = self.run(end + 1, is_latin);
        }
        // C++ and C#
        end = self.run(end, |c| c == '+' || c == '#');
        let number = self.slice(at, end);
        if self.get(end) == Some('月')
            && let Ok(month @ 1..=12) = number.parse::<usize>()
        {
            let length = end + 1 - at;
            return vec![Step { cost: 0, length, kind: PieceKind::Month(month), weight: 0 }];
        }
        let letters = number.chars().any(char::is_alphabetic);
        // Years, 令和5 and the 11 of Windows 11 say something; the 3 of 3人 does not.
        let named = self.before_space(at).is_some_and(|it| it.is_ascii_alphabetic());
        let era = at >= 2 && JA.eras.contains(self.slice(at - 2, at));
        let kind = if letters || named || era || end - at > LEAST_DIGITS {
            PieceKind::Carried
        } else {
            PieceKind::Rest
        };
        let weight = if letters { LATIN_WEIGHT } else { 0 };
        vec![Step { cost: WORD, length: end - at, kind, weight }]
    }

    fn before_space(&self, at: usize) -> Option<char> {
        self.before(at).and_then(|it| if it == ' ' { self.before(at - 1) } else { Some(it) })
    }

    /// A character that no word covers.
    fn kanji(&self, at: usize) -> Step {
        let c = self.chars[at].1;
        let starts = !self.before(at).is_some_and(is_kanji);
        let ends = !self.get(at + 1).is_some_and(is_kanji);
        let counts =
            JA.counters.contains(c) && self.before(at).is_some_and(|it| it.is_ascii_digit());
        let rest = |cost| Step { cost, length: 1, kind: PieceKind::Rest, weight: 0 };
        if counts {
            return rest(0);
        }
        if starts && JA.before.contains(c) || ends && JA.behind.contains(c) {
            return rest(WORD);
        }
        // Most of these are verbs.
        if starts && ends && self.get(at + 1).is_some_and(is_hiragana) {
            return rest(UNKNOWN / 2);
        }
        Step { cost: UNKNOWN, length: 1, kind: PieceKind::Missed, weight: 1 }
    }
}

fn is_known(word: &str) -> bool {
    word.chars().any(is_japanese)
        && (dictionary::knows_japanese(word)
            || groups::of(word).next().is_some()
            || !groups::short_forms(word).is_empty()
            || !script::spellings_of(word).is_empty())
}

/// A piece and its weight. Verbs say little about how much of a question was understood: it has them anyway.
fn term(word: &str, inflected: bool, length: usize) -> (PieceKind, usize) {
    let weight = match word {
        _ if inflected => 0,
        _ if word.chars().all(is_katakana) => katakana_weight(length),
        _ => length,
    };
    (PieceKind::Term { word: word.to_owned(), inflected }, weight)
}

/// Two katakana say about as much as one kanji.
fn katakana_weight(length: usize) -> usize {
    (length / 2).max(1)
}
