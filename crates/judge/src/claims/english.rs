//! Whether an English sentence states something worth checking.

use super::vocabulary::{BASE, CAUSE_STEMS, EN, VERB_STEMS};
use super::{ClaimSettings, refer};
use text::words::{directed, is_denied, latin_words, numbers, stem};

/// Words between research and the need for it: "larger studies of older women at home are needed".
const WISH_WORDS: usize = 9;

/// What the rules make of a folded sentence; nothing if it is no statement.
pub(super) fn worth(plain: &str, settings: &ClaimSettings) -> Option<f64> {
    let sentence = Sentence::of(plain);
    let count = sentence.words.len();
    if count < settings.min_words || count > settings.max_words || sentence.is_no_statement() {
        return None;
    }
    Some(BASE + sentence.features())
}

/// Whether a folded sentence says more than one thing.
pub(super) fn is_compound(plain: &str) -> bool {
    EN.joints.any_in(&plain.to_lowercase())
}

/// Whether a folded text has a verb, and so may be a sentence.
pub(crate) fn has_verb(plain: &str) -> bool {
    Sentence::of(plain).has_verb()
}

struct Sentence<'a> {
    plain: &'a str,
    /// In lower case, with a space at both ends, so that words can be looked for with theirs.
    padded: String,
    words: Vec<&'a str>,
    lower_words: Vec<String>,
    ended: bool,
}

impl<'a> Sentence<'a> {
    fn of(plain: &'a str) -> Self {
        let closing = |c: char| matches!(c, '"' | ')' | '\'' | ']' | ' ');
        let words: Vec<&str> = latin_words(plain).collect();
        Self {
            plain,
            padded: format!(" {} ", plain.to_lowercase().trim_end_matches(['.', '!', '"'])),
            lower_words: words.iter().map(|it| it.to_lowercase()).collect(),
            words,
            ended: plain.trim_end_matches(closing).ends_with('.'),
        }
    }

    fn first(&self) -> &str {
        self.lower_words.first().map_or("", String::as_str)
    }

    fn is_no_statement(&self) -> bool {
        let end = self.plain.trim_end_matches(['"', ')', '\'', ' ']);
        end.ends_with(['?', '!', ':', ','])
            || self.starts_inside()
            || EN.question_starts.contains(self.first())
            || self.is_order()
            || self.is_chatter()
            || !self.has_verb()
            || self.is_about_the_work()
            || self.is_wish()
    }

    /// A small letter at the start: the sentence began elsewhere, unless it is one of a name.
    fn starts_inside(&self) -> bool {
        let Some(first) = self.words.first() else { return true };
        first.starts_with(char::is_lowercase)
            && !first.chars().any(|c| c.is_uppercase() || c.is_ascii_digit())
    }

    fn is_order(&self) -> bool {
        let first = self.first();
        let second = self.lower_words.get(1).map_or("", String::as_str);
        if EN.orders_or_things.contains(first) {
            // "Use of aspirin rose", "Share prices fell": something happens to the thing.
            return second != "of" && !second.ends_with('s') && !self.has_auxiliary_after(1);
        }
        EN.orders.contains(first) && second != "of"
    }

    fn has_auxiliary_after(&self, start: usize) -> bool {
        let rest = self.lower_words.iter().skip(start);
        rest.into_iter().any(|it| EN.auxiliaries.contains(it) || it.ends_with("ed"))
    }

    /// "I" and "you" speak to somebody; "we" may speak for a study that found something.
    fn is_chatter(&self) -> bool {
        if self.lower_words.iter().any(|it| EN.speakers.contains(it)) {
            return true;
        }
        let speaks = |it: &String| it == "we" || EN.ours.contains(it);
        let Some(at) = self.lower_words.iter().position(speaks) else { return false };
        let nearby = self.lower_words.iter().skip(at).take(5);
        !nearby.into_iter().any(|it| EN.reports.contains(it))
    }

    /// Aims, methods and what is to be done: statements, but about the paper.
    fn is_about_the_work(&self) -> bool {
        EN.aims.any_in(&self.padded)
            || (EN.methods.any_in(&self.padded) && !EN.causal_phrases.any_in(&self.padded))
    }

    /// What research should do next: "Further trials are needed", "The finding should be confirmed by others".
    fn is_wish(&self) -> bool {
        if EN.wishes.any_in(&self.padded) {
            return true;
        }
        let needs = EN.needs.iter().filter_map(|it| self.padded.find(it)).min();
        let Some(before) = needs.map(|it| &self.padded[..it]) else { return false };
        // The research itself is what is needed: it comes just before, with nothing in between.
        for word in before.split_whitespace().rev().take(WISH_WORDS) {
            if word.ends_with([',', ';', ':']) || word == "that" || EN.reports.contains(word) {
                return false;
            }
            if EN.research.contains(word) {
                return true;
            }
        }
        false
    }

    fn has_verb(&self) -> bool {
        let auxiliary = self.lower_words.iter().any(|it| EN.auxiliaries.contains(it));
        if auxiliary || !self.ended {
            return auxiliary
                || self
                    .lower_words
                    .windows(2)
                    .any(|it| is_verb_form(&it[1]) && !EN.before_nouns.contains(&it[0]));
        }
        self.lower_words.iter().skip(1).any(|it| is_verb(it))
    }

    /// What speaks for and against the sentence, added up.
    fn features(&self) -> f64 {
        let text = &self.padded;
        let numbers = numbers(self.plain);
        let names = self.words.iter().skip(1).any(|word| {
            word.starts_with(char::is_uppercase)
                || word.chars().filter(|c| c.is_uppercase()).count() > 1
        });
        let causes = self.lower_words.iter().any(|it| CAUSE_STEMS.contains(&stem(it)))
            || EN.causal_phrases.any_in(text);
        let reports = self.lower_words.iter().any(|it| EN.reports.contains(it))
            || text.contains("according to");
        let directs = directed(self.plain).0.iter().any(|it| it.axis == "amount");
        let signs = [
            (!numbers.is_empty(), 0.2),
            (numbers.len() > 1, 0.03),
            (causes, 0.15),
            (directs, 0.12),
            (EN.comparisons.any_in(text), 0.12),
            (EN.definitions.any_in(text), 0.13),
            (reports, 0.13),
            (names, 0.08),
            (is_denied(self.plain), 0.07),
            (refer::english_subject(self.plain).is_some(), 0.07),
            (EN.hedges.any_in(text), -0.08),
            (EN.vague.any_in(text), -0.15),
            (EN.opinions.any_in(text), -0.25),
            (!self.ended, -0.1),
            (self.words.len() > 45, -0.08),
        ];
        let sum: f64 = signs.iter().filter(|it| it.0).map(|it| it.1).sum();
        sum.min(0.58)
    }
}

fn is_verb(lower: &str) -> bool {
    (lower.ends_with("ed") && lower.len() > 4) || VERB_STEMS.contains(&stem(lower))
}

/// A verb that is not at the same time the plain form of a noun: "reduces", "fell", "linked".
fn is_verb_form(lower: &str) -> bool {
    let inflected = lower.ends_with("ed") || (lower.ends_with('s') && !lower.ends_with("ss"));
    inflected && is_verb(lower)
}
