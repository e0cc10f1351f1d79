//! Whether a passage, within its document, speaks of what a claim is about.
//!
//! A claim is about its words, the rare ones more than the common ones: a study that shares "patients" and "risk" with
//! it is about something else. Numbers and amounts weigh little, because they are what is claimed and not what it is
//! claimed of. What is around the passage counts with it: conclusions say "the treatment" and leave its name to the title.
//! Likeness in meaning counts as much as words do, and between two languages it takes their place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use models::rarity;
use text::script::{is_kanji, is_katakana};
use text::words::{directed, folded, is_japanese, is_stop_word, latin_words, stem};

use crate::stance::StanceSettings;

/// The rarity of words that no vocabulary has.
const RAREST: f64 = 13.0;
/// What a word must be rarer than to say what a claim is about.
const COMMON: f64 = 6.0;
/// The weight of a word that says hardly anything, and of a number.
const LIGHT: f64 = 0.5;
const NUMBER: f64 = 2.0;
/// Stems are forms of one word from so many letters on that begin alike.
const LEAST_ALIKE: usize = 5;
/// A stem that goes on from another by so many letters is another form of it: "obes", "obesity".
const LONGEST_ENDING: usize = 4;

/// A word of this weight is a name or as good as one: a claim about metformin is not met by documents without it.
const NAME: f64 = 6.0;

/// What is not further behind the nearest document is as near, and what is further behind is about something else.
const AS_NEAR: f64 = 0.05;
const FAR_BEHIND: f64 = 0.2;
/// What the nearest document must have, and what the others must at most have beside it.
const LEAST_OF_NEAREST: f64 = 0.48;
const BESIDE_CLEAR: f64 = 0.6;

/// What more of a library's documents have says less of what one of them is about; what all have says hardly anything.
const USUAL_IN_LIBRARY: f64 = 0.1;

/// A library of fewer documents does not tell how common a word is.
const LEAST_DOCUMENTS: usize = 30;

/// How many words are shortened to their first letters; two letters are too often a word.
const INITIALS: RangeInclusive<usize> = 3..=6;

/// What a claim is about: its words and what each weighs.
#[derive(Debug, Clone)]
pub struct Topic {
    terms: Vec<Term>,
    /// First letters of terms that follow each other: MPV for "mean platelet volume".
    initials: Vec<(String, Range<usize>)>,
    japanese: bool,
}

/// The share of a library's documents that have each of some words, as they stand in a claim.
pub type WordShares = BTreeMap<String, f64>;

#[derive(Debug, Clone, PartialEq)]
struct Term {
    text: String,
    /// As it stands in the claim.
    word: String,
    weight: f64,
    /// Looked for anywhere in Japanese text, not among its words.
    unspaced: bool,
}

/// The words of a passage or of what is around it.
#[derive(Debug, Clone, Default)]
pub struct Words {
    stems: BTreeSet<String>,
    /// Japanese text, one stretch after the other.
    unspaced: String,
}

/// How much a passage has to do with a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aboutness {
    pub is_about: bool,
    /// From 0 to 1: the mean of the share of the claim's words that are in and around the passage, and of likeness in meaning.
    pub share: f64,
    /// The share of the claim's words that are in the passage itself; between two languages the likeness.
    pub own: f64,
    /// Whether what is around the passage has the rarest name of the claim.
    pub named: bool,
    /// Whether claim and passage are in two languages, whose shares are on another scale.
    pub across: bool,
}

impl Aboutness {
    /// The share of the passage, in the language of the claim, that is nearest to it.
    pub fn nearest(all: impl IntoIterator<Item = Self>, settings: &StanceSettings) -> f64 {
        let fits = |it: &Self| !it.across && it.named && it.own >= settings.min_own_coverage;
        all.into_iter().filter(fits).map(|it| it.share).fold(0.0, f64::max)
    }

    /// Whether it is about the claim beside the nearest of all passages: that one may say it in other words, and where
    /// one clearly is about it, more is asked of the others.
    pub fn beside(&self, nearest: f64, settings: &StanceSettings) -> bool {
        if self.across {
            return self.is_about;
        }
        let usual = settings.min_aboutness;
        let least = match self.share >= nearest - AS_NEAR {
            true => LEAST_OF_NEAREST.min(usual),
            false => (nearest - FAR_BEHIND).min(BESIDE_CLEAR).max(usual),
        };
        self.named && self.own >= settings.min_own_coverage && self.share >= least
    }
}

impl Topic {
    pub fn of(claim: &str) -> Self {
        let plain = folded(claim);
        let japanese = is_japanese(&plain);
        let mut terms: Vec<Term> = Vec::new();
        for word in latin_words(&plain).flat_map(|it| it.split('-')) {
            let lower = word.to_lowercase();
            if lower.is_empty() || is_stop_word(&lower) {
                continue;
            }
            let text = stem(&lower);
            let is_number = lower.chars().all(|it| !it.is_alphabetic());
            let weight = if is_number { NUMBER } else { weight(&text) };
            terms.push(Term { text, word: lower, weight, unspaced: false });
        }
        let initials = initials(&terms);
        let unspaced = unspaced_terms(&plain).into_iter();
        let unspaced = unspaced.map(|(text, weight)| {
            let word = text.clone();
            Term { text, word, weight, unspaced: true }
        });
        terms.extend(unspaced);
        Self { terms, initials, japanese }
    }

    /// The words it is about, as they stand in the claim.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|it| it.word.as_str())
    }

    /// What a library tells of its words: in how many of so many documents each is. Nothing where there are few.
    pub fn shares(words: &[&str], documents: usize, with: &[usize]) -> WordShares {
        if documents < LEAST_DOCUMENTS {
            return WordShares::new();
        }
        let share = |count: &usize| *count as f64 / documents as f64;
        let shares = words.iter().zip(with).map(|(word, count)| ((*word).to_owned(), share(count)));
        shares.filter(|it| it.1 > USUAL_IN_LIBRARY).collect()
    }

    /// The same within a library, where a word that most documents have does not tell one from the other.
    #[must_use]
    pub fn within(mut self, shares: &WordShares) -> Self {
        for term in &mut self.terms {
            if let Some(share) = shares.get(&term.word) {
                let told = share.clamp(USUAL_IN_LIBRARY, 1.0).ln() / USUAL_IN_LIBRARY.ln();
                term.weight = (term.weight * told).max(LIGHT);
            }
        }
        self
    }

    /// The share of its weight that the words have.
    pub fn covered(&self, words: &Words) -> f64 {
        let (mut all, mut found) = (0.0, 0.0);
        for (nth, term) in self.terms.iter().enumerate() {
            all += term.weight;
            if self.is_in(words, nth) {
                found += term.weight;
            }
        }
        if all > 0.0 { found / all } else { 0.0 }
    }

    /// Whether the words have a term, or what it is shortened to together with others.
    fn is_in(&self, words: &Words, nth: usize) -> bool {
        let is_short = |it: &&(String, Range<usize>)| it.1.contains(&nth);
        words.have(&self.terms[nth])
            || self.initials.iter().filter(is_short).any(|it| words.stems.contains(&it.0))
    }

    /// Whether the words have the rarest name of the claim, where it has one. Pairs of kanji are no names: most that the
    /// vocabulary does not know are cut out of longer words.
    fn is_named_in(&self, words: &Words) -> bool {
        let is_name = |it: &Term| {
            it.weight >= NAME && !it.text.starts_with(is_kanji) && it.text.chars().count() > 1
        };
        let names = self.terms.iter().enumerate().filter(|it| is_name(it.1));
        let rarest = names.clone().map(|it| it.1.weight).fold(0.0, f64::max);
        let mut rarest = names.filter(|it| it.1.weight == rarest).peekable();
        rarest.peek().is_none() || rarest.any(|it| self.is_in(words, it.0))
    }

    /// Whether a passage is about the claim, given its own words, those around it, and how near the nearest passage of its
    /// document is in meaning. Nothing is known of the meaning of a text that the embedder cannot read.
    pub fn aboutness(
        &self,
        own: &Words,
        around: &Words,
        likeness: Option<f64>,
        settings: &StanceSettings,
    ) -> Aboutness {
        let likeness = likeness.map(|it| it.clamp(0.0, 1.0));
        if self.japanese != own.is_japanese() {
            let share = likeness.unwrap_or(0.0);
            let is_about = share >= settings.min_likeness_across;
            return Aboutness { is_about, share, own: share, named: true, across: true };
        }
        let named = self.is_named_in(around);
        let (words, own) = (self.covered(around), self.covered(own));
        let share = likeness.map_or(words, |it| (words + it) / 2.0);
        let is_about = named && share >= settings.min_aboutness && own >= settings.min_own_coverage;
        Aboutness { is_about, share, own, named, across: false }
    }
}

impl Words {
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        words.add(text);
        words
    }

    pub fn add(&mut self, text: &str) {
        let plain = folded(text);
        for word in latin_words(&plain).flat_map(|it| it.split('-')).filter(|it| !it.is_empty()) {
            self.stems.insert(stem(&word.to_lowercase()));
        }
        let unspaced = plain.split(|c: char| !text::script::is_japanese(c));
        for stretch in unspaced.filter(|it| !it.is_empty()) {
            self.unspaced.push_str(stretch);
            self.unspaced.push(' ');
        }
    }

    /// Adds what other words have.
    pub fn join(&mut self, other: &Self) {
        self.stems.extend(other.stems.iter().cloned());
        self.unspaced.push_str(&other.unspaced);
    }

    fn is_japanese(&self) -> bool {
        2 * self.unspaced.chars().count() >= self.stems.iter().map(String::len).sum()
            && !self.unspaced.is_empty()
    }

    fn have(&self, term: &Term) -> bool {
        if term.unspaced {
            return self.unspaced.contains(&term.text);
        }
        if self.stems.contains(&term.text) {
            return true;
        }
        let letters = term.text.chars().all(|it| it.is_ascii_alphabetic());
        let Some(beginning) = term.text.get(..LONGEST_ENDING).filter(|_| letters) else {
            return false;
        };
        let near = self.stems.range(beginning.to_owned()..);
        near.take_while(|it| it.starts_with(beginning)).any(|it| are_akin(it, &term.text))
    }
}

/// What the words of a claim are shortened to, as they are compared: as stems.
fn initials(terms: &[Term]) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    for start in 0..terms.len() {
        for length in INITIALS {
            let Some(run) = terms.get(start..start + length) else { break };
            let letters: String = run.iter().filter_map(|it| it.text.chars().next()).collect();
            if letters.chars().all(|it| it.is_ascii_alphabetic()) {
                found.push((stem(&letters), start..start + length));
            }
        }
    }
    found
}

/// Whether two stems are forms of one word: "obes" and "obesity", "pregnant" and "pregnancy".
fn are_akin(one: &str, other: &str) -> bool {
    let common = one.bytes().zip(other.bytes()).take_while(|it| it.0 == it.1).count();
    let (shorter, longer) = (one.len().min(other.len()), one.len().max(other.len()));
    (common == shorter && longer - shorter <= LONGEST_ENDING)
        || (common >= LEAST_ALIKE && 4 * common >= 3 * longer)
}

/// More or less, better or worse weigh little: they are what is claimed.
fn weight(word: &str) -> f64 {
    match directed(word).0.is_empty() {
        true => (rarity(word).unwrap_or(RAREST).min(RAREST) - COMMON).max(LIGHT),
        false => LIGHT,
    }
}

/// Runs of katakana, and runs of kanji in pairs: most words of two and more kanji are made of words of two.
fn unspaced_terms(plain: &str) -> Vec<(String, f64)> {
    let mut terms = Vec::new();
    let mut rest = plain;
    while let Some(first) = rest.chars().next() {
        let run = |belongs: fn(char) -> bool| {
            let end = rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
            &rest[..end]
        };
        let taken = if is_katakana(first) {
            let run = run(is_katakana);
            if run.chars().nth(1).is_some() {
                terms.push((run.to_owned(), weight(run)));
            }
            run.len()
        } else if is_kanji(first) {
            let run = run(is_kanji);
            pairs(run, &mut terms);
            run.len()
        } else {
            first.len_utf8()
        };
        rest = &rest[taken..];
    }
    terms
}

/// Cuts a run of kanji into pairs the vocabulary knows; what is between them is taken in pairs as it comes.
fn pairs(run: &str, terms: &mut Vec<(String, f64)>) {
    let characters: Vec<char> = run.chars().collect();
    let pair = |at: usize| characters.get(at..at + 2).map(|it| it.iter().collect::<String>());
    let mut at = 0;
    while at < characters.len() {
        let here = pair(at);
        let known = |it: &Option<String>| it.as_deref().and_then(rarity);
        if let (Some(text), None, Some(_)) = (&here, known(&here), known(&pair(at + 1))) {
            // 再発予防: the pairs begin one character later.
            terms.push((text.chars().take(1).collect(), LIGHT));
            at += 1;
            continue;
        }
        match here {
            Some(text) => {
                let weight = weight(&text);
                terms.push((text, weight));
                at += 2;
            }
            None => {
                let text = characters[at].to_string();
                // 脳 is a word; 者 at the end of one says little.
                let weight = if at == 0 { weight(&text) } else { LIGHT };
                terms.push((text, weight));
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aboutness(claim: &str, own: &str, around: &str) -> Aboutness {
        let mut all = Words::of(own);
        all.join(&Words::of(around));
        Topic::of(claim).aboutness(&Words::of(own), &all, None, &StanceSettings::default())
    }

    #[test]
    fn what_shares_only_common_words_is_about_something_else() {
        let claim = "Plate clearing increases the risk of obesity in adults.";
        let cpap = "Continuous positive airway pressure reduced the risk of heart failure in adults with sleep apnoea.";
        let plates = "Adults who clear their plates were more often obese.";
        assert!(!aboutness(claim, cpap, "").is_about);
        assert!(aboutness(claim, plates, "").is_about);
    }

    #[test]
    fn a_conclusion_is_about_what_its_title_names() {
        let claim = "Headgear prevents concussion in rugby players.";
        let own = "Headgear was of no benefit.";
        assert!(!aboutness(claim, own, "").is_about);
        assert!(aboutness(claim, own, "Headgear and concussion among players of rugby").is_about);
        // Another part of the same document, which says nothing of it.
        assert!(
            !aboutness(claim, "Funding came from the league.", "Headgear and concussion in rugby")
                .is_about
        );
    }

    #[test]
    fn short_forms_stand_for_the_words_they_are_made_of() {
        let claim = "Mean platelet volume may predict pelvic inflammatory disease.";
        let own = "MPV was lower in patients with PID.";
        assert!(aboutness(claim, own, "").is_about);
    }

    #[test]
    fn another_amount_is_about_the_same() {
        let claim = "The population of Broken Bow is 10,000 people.";
        assert!(
            aboutness(claim, "Broken Bow had a population of 3,559 people in 2010.", "").is_about
        );
    }

    #[test]
    fn japanese_goes_by_kanji_pairs_and_katakana() {
        let claim = "在宅勤務は生産性を下げる。";
        assert!(aboutness(claim, "在宅での勤務により、社員の生産性は13%上がった。", "").is_about);
        assert!(!aboutness(claim, "勤務時間が長いほど離職率は高かった。", "").is_about);
        let claim = "ビタミンDは高齢者の転倒を減らす。";
        assert!(aboutness(claim, "ビタミンDを投与しても高齢者の転倒は減らなかった。", "").is_about);
        assert!(!aboutness(claim, "ビタミンCは風邪の期間を短くする。", "").is_about);
    }

    #[test]
    fn between_languages_likeness_in_meaning_decides() {
        let settings = StanceSettings::default();
        let topic = Topic::of("在宅勤務は生産性を下げる。");
        let own = Words::of("Working from home raised the productivity of employees.");
        let about = |likeness| topic.aboutness(&own, &own, likeness, &settings).is_about;
        assert_eq!([about(Some(0.8)), about(Some(0.2)), about(None)], [true, false, false]);
    }

    #[test]
    fn the_nearest_may_have_less_and_beside_a_clear_one_others_need_more() {
        let settings = StanceSettings::default();
        let it = |share| Aboutness {
            is_about: share >= 0.54,
            share,
            own: 0.3,
            named: true,
            across: false,
        };
        let across =
            Aboutness { is_about: true, share: 0.46, own: 0.46, named: true, across: true };
        let beside = |share: f64, nearest| it(share).beside(nearest, &settings);
        assert_eq!([beside(0.5, 0.5), beside(0.47, 0.47), beside(0.5, 0.6)], [true, false, false]);
        assert_eq!([beside(0.56, 0.7), beside(0.56, 0.9), beside(0.6, 0.9)], [true, false, true]);
        let unnamed = Aboutness { own: 0.05, ..it(0.9) };
        assert!(!unnamed.beside(0.9, &settings));
        // Another language has another scale.
        assert!(across.beside(0.9, &settings));
        assert_eq!(Aboutness::nearest([it(0.5), it(0.6), unnamed, across], &settings), 0.6);
        assert_eq!(Aboutness::nearest([across], &settings), 0.0);
    }

    #[test]
    fn what_has_all_but_the_name_is_about_something_else() {
        let settings = StanceSettings::default();
        let is_about = |claim: &str, text: &str| {
            let words = Words::of(text);
            Topic::of(claim).aboutness(&words, &words, Some(0.9), &settings).is_about
        };
        let claim = "Metformin reduces the risk of colorectal cancer.";
        assert!(!is_about(claim, "Calcium reduces the risk of colorectal cancer in women."));
        assert!(is_about(claim, "Among users of metformin colorectal cancer was less frequent."));
        let claim = "アスピリンは新型コロナウイルス感染症の重症化を防ぐ。";
        assert!(!is_about(claim, "ACE2は新型コロナウイルス感染症の重症化を防ぐ可能性がある。"));
        assert!(is_about(
            claim,
            "アスピリンを投与しても新型コロナウイルス感染症の重症化は防げなかった。"
        ));
    }

    #[test]
    fn what_a_whole_library_speaks_of_does_not_tell_its_documents_apart() {
        let claim = "新型コロナウイルスのワクチンは味覚の障害を防ぐ。";
        let other = "新型コロナウイルスのワクチンの接種は市役所で予約できる。";
        let own = "味覚障害はワクチンを受けた人には少なかった。";
        let is_about = |topic: &Topic, text: &str| {
            let words = Words::of(text);
            topic.aboutness(&words, &words, None, &StanceSettings::default()).is_about
        };
        let plain = Topic::of(claim);
        let words: Vec<&str> = plain.words().collect();
        let with = words.iter().map(|it| if claim.find(it) < claim.find("味覚") { 80 } else { 2 });
        let shares = Topic::shares(&words, 100, &with.collect::<Vec<usize>>());
        assert_eq!(shares.get("ワクチン"), Some(&0.8));
        assert_eq!(shares.get("味覚"), None);
        assert!(is_about(&plain, other));
        let within = plain.clone().within(&shares);
        assert!(!is_about(&within, other) && is_about(&within, own));
        assert!(Topic::shares(&words, 29, &vec![29; words.len()]).is_empty());
    }

    #[test]
    fn a_text_without_words_is_about_nothing() {
        assert!(!aboutness("", "Tea is old.", "").is_about);
        assert!(!aboutness("Tea is old.", "", "").is_about);
    }
}
