//! A request read by rules: what is wanted, which words are required, which may be written otherwise, and which
//! are not wanted. Every decision leaves a note, so that a trace can explain it.

pub(crate) mod concepts;
mod labels;
pub(crate) mod pieces;
mod slate;

use serde::{Deserialize, Serialize};

use super::dictionary::{QueryWords, Synonyms};
use crate::normal_form::Term;
use slate::Slate;

pub(crate) use labels::{Label, dotted, label_at, labels};

/// The kind of answer a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    Definition,
    Procedure,
    Eligibility,
    Exceptions,
    Compare,
    #[default]
    Unknown,
}

/// A request as the search understands it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    pub(crate) intent: Intent,
    /// Required as it is written: quoted words, codes, articles.
    pub(crate) must: Vec<Concept>,
    /// What may be written otherwise.
    pub(crate) soft: Vec<Concept>,
    pub(crate) negative: Vec<Term>,
    /// What is asked about the subject, by the names of the dictionary.
    pub(crate) facets: Vec<String>,
    /// Articles and sections named in the request; their nodes are looked up, too.
    pub(crate) labels: Vec<Label>,
    pub(crate) notes: Vec<Note>,
}

/// One thing the request is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Concept {
    /// As it is in the request, normalised.
    pub(crate) text: String,
    /// Words of which each is the whole.
    pub(crate) wholes: Vec<Sense>,
    /// The parts of a compound word, each with the words that mean it.
    pub(crate) parts: Vec<Vec<Sense>>,
}

/// A word to look for, and whether it comes from the request or from a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sense {
    pub(crate) term: Term,
    pub(crate) synonym: bool,
}

/// Why a word of the request was taken as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    pub word: String,
    pub taken_as: String,
    pub because: String,
}

/// Reads a request. Without synonyms only its own words are looked for.
pub(crate) fn parse(query: &str, words: &QueryWords, synonyms: Option<&Synonyms>) -> Plan {
    let mut slate = Slate::new(query);
    let mut plan = Plan::default();
    plan.read_intent(&slate, words);
    plan.take_negatives(&mut slate, words);
    plan.take_quotes(&mut slate, synonyms);
    plan.take_labels(&mut slate);
    plan.take_codes(&mut slate, synonyms);
    let rest = slate.clone();
    plan.take_known_words(&mut slate, words, synonyms);
    plan.take_pieces(&slate, words, synonyms);
    if plan.must.is_empty() && plan.soft.is_empty() {
        plan.take_anything(&rest, words, synonyms);
    }
    plan
}

impl Plan {
    fn note(&mut self, word: &str, taken_as: &str, because: &str) {
        let [word, taken_as, because] = [word, taken_as, because].map(str::to_owned);
        self.notes.push(Note { word, taken_as, because });
    }

    fn read_intent(&mut self, slate: &Slate, words: &QueryWords) {
        let hit = words.intent.iter().find_map(|it| {
            let cue = it.cues.iter().find(|cue| slate.has_word(cue))?;
            Some((it.name, cue.clone()))
        });
        if let Some((intent, cue)) = hit {
            self.intent = intent;
            self.note(
                cue.trim(),
                "intent",
                "the first kind of answer whose word is in the request",
            );
        }
        for facet in &words.facet {
            if let Some(cue) = facet.ask.iter().find(|cue| slate.has_word(cue)) {
                self.facets.push(facet.name.clone());
                self.note(cue.trim(), "facet", &facet.name);
            }
        }
    }

    fn take_quotes(&mut self, slate: &mut Slate, synonyms: Option<&Synonyms>) {
        while let Some(quoted) = slate.take_quoted() {
            self.push_must(&quoted, "it is in quotes", synonyms);
        }
    }

    fn take_negatives(&mut self, slate: &mut Slate, words: &QueryWords) {
        while let Some((word, cue)) = slate.take_negative(&words.negation) {
            if let Some(term) = Term::new(&word) {
                self.negative.push(term);
                self.note(&word, "negative", &cue);
            }
        }
    }

    fn take_labels(&mut self, slate: &mut Slate) {
        while let Some((range, label)) = labels(slate.text()).into_iter().next() {
            let text = slate.text()[range.clone()].to_owned();
            slate.blank(range);
            self.push_must(&text, "it names an article or a section", None);
            self.labels.push(label);
        }
    }

    fn take_codes(&mut self, slate: &mut Slate, synonyms: Option<&Synonyms>) {
        while let Some(code) = slate.take_code() {
            self.push_must(&code, "letters and digits together are a model or a code", synonyms);
        }
    }

    fn push_must(&mut self, text: &str, because: &str, synonyms: Option<&Synonyms>) {
        let Some(term) = Term::new(text) else { return };
        if self.must.iter().any(|it| it.wholes[0].term == term) {
            return;
        }
        let wholes = concepts::with_synonyms(term, synonyms);
        self.must.push(Concept { text: text.to_owned(), wholes, parts: Vec::new() });
        self.note(text, "must_include", because);
    }

    fn push_soft(&mut self, concept: Concept, because: &str) {
        if !self.soft.iter().any(|it| it.wholes[0].term == concept.wholes[0].term) {
            self.note(&concept.text.clone(), "soft", because);
            self.soft.push(concept);
        }
    }

    /// Words of the synonym dictionary are known words: they are cut out first, the longest first.
    fn take_known_words(
        &mut self,
        slate: &mut Slate,
        words: &QueryWords,
        synonyms: Option<&Synonyms>,
    ) {
        let Some(known) = synonyms else { return };
        let common = |word: &&String| words.stop_ja.contains(word) || words.stop_en.contains(word);
        for word in known.words().iter().filter(|it| !common(it)) {
            while let Some(found) = slate.take_known(word) {
                let term = Term::new(&found).expect("a known word is no separator");
                let mut wholes = vec![Sense { term, synonym: false }];
                let others = known.of(word).into_iter();
                wholes.extend(others.map(|it| Sense { term: it.clone(), synonym: true }));
                let parts = concepts::part_senses(&found, words, synonyms);
                self.push_soft(Concept { text: found, wholes, parts }, "a word of the dictionary");
            }
        }
    }

    fn take_pieces(&mut self, slate: &Slate, words: &QueryWords, synonyms: Option<&Synonyms>) {
        for piece in pieces::pieces(slate.text(), &words.stop_kana) {
            match concepts::subject(&piece, words) {
                Some(subject) => {
                    if let Some(concept) = concepts::concept(&subject, words, synonyms) {
                        self.push_soft(concept, "a run of letters between particles or spaces");
                    }
                }
                None => self.note(&piece, "left out", "it says nothing about the subject"),
            }
        }
    }

    /// A request of nothing but common words is looked for as it is.
    fn take_anything(&mut self, slate: &Slate, words: &QueryWords, synonyms: Option<&Synonyms>) {
        for piece in pieces::pieces(slate.text(), &[]) {
            if let Some(concept) = concepts::concept(&piece, words, synonyms) {
                self.push_soft(concept, "the request has no other words");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dictionary::DictionaryCache;
    use super::*;

    /// What a request is taken for, one line each; synonyms are left out.
    fn read(query: &str) -> String {
        let all = DictionaryCache::new(None).fresh();
        let plan = parse(query, &all.query.unwrap(), Some(&*all.synonyms.unwrap()));
        let concept = |it: &Concept| {
            let parts: Vec<&str> = it.parts.iter().map(|it| it[0].term.normal.as_str()).collect();
            let own: Vec<&str> = it
                .wholes
                .iter()
                .filter(|it| !it.synonym)
                .map(|it| it.term.normal.as_str())
                .collect();
            if parts.is_empty() {
                own.join("|")
            } else {
                format!("{}({})", own.join("|"), parts.join("+"))
            }
        };
        let list = |all: &[Concept]| all.iter().map(concept).collect::<Vec<_>>().join(" ");
        let negative: Vec<&str> = plan.negative.iter().map(|it| it.normal.as_str()).collect();
        format!(
            "{:?} must[{}] soft[{}] not[{}] facets[{}]",
            plan.intent,
            list(&plan.must),
            list(&plan.soft),
            negative.join(" "),
            plan.facets.join(" ")
        )
    }

    #[test]
    fn japanese_is_cut_at_particles_and_changes_of_script() {
        insta::assert_snapshot!(
            read("病棟での麻薬の廃棄手順をすべて教えてください"),
            @"Procedure must[] soft[廃棄 麻薬 病棟] not[] facets[procedure]"
        );
        insta::assert_snapshot!(
            read("会議室予約システムの利用停止"),
            @"Unknown must[] soft[会議室予約システム(会議+室予約+システム) 利用停止(利用+停止)] not[] facets[]"
        );
    }

    #[test]
    fn quotes_codes_and_articles_must_stand_in_the_text() {
        insta::assert_snapshot!(
            read("「安全管理者」と第三条第2項、AB-1200の関係"),
            @"Unknown must[安全管理者 第3条第2項 ab-1200] soft[] not[] facets[]"
        );
        insta::assert_snapshot!(
            read("what does Section 4.2 say about \"clean desk\"?"),
            @"Unknown must[clean desk section 4.2] soft[] not[] facets[]"
        );
    }

    #[test]
    fn what_is_not_wanted_is_set_apart() {
        insta::assert_snapshot!(
            read("タクシー以外の通勤手段"),
            @"Unknown must[] soft[通勤手段(通勤+手段)] not[タクシー] facets[]"
        );
        insta::assert_snapshot!(
            read("backup schedule except servers -tape"),
            @"Unknown must[] soft[backup schedul] not[servers tape] facets[]"
        );
        insta::assert_snapshot!(
            read("travel without a receipt"),
            @"Unknown must[] soft[receipt travel] not[] facets[]"
        );
    }

    #[test]
    fn english_words_lose_their_endings() {
        insta::assert_snapshot!(
            read("How do I renew certificates and libraries?"),
            @"Procedure must[] soft[renew certificate librar] not[] facets[]"
        );
    }

    #[test]
    fn verbs_and_their_endings_are_read() {
        insta::assert_snapshot!(
            read("切り替えた後に引き継ぎをする"),
            @"Unknown must[] soft[切り替|切替 引き継|引継] not[] facets[]"
        );
    }

    #[test]
    fn a_request_of_common_words_is_looked_for_as_it_is() {
        insta::assert_snapshot!(read("手順"), @"Procedure must[] soft[手順] not[] facets[procedure]");
        insta::assert_snapshot!(read(""), @"Unknown must[] soft[] not[] facets[]");
        insta::assert_snapshot!(read("、。！"), @"Unknown must[] soft[] not[] facets[]");
    }

    #[test]
    fn decisions_are_explained() {
        let all = DictionaryCache::new(None).fresh();
        let plan = parse("「鍵」以外の例外", &all.query.unwrap(), None);
        let shown: Vec<String> = plan
            .notes
            .iter()
            .map(|it| format!("{}: {}: {}", it.word, it.taken_as, it.because))
            .collect();
        insta::assert_snapshot!(shown.join("\n"), @r"
        例外: intent: the first kind of answer whose word is in the request
        例外: facet: exceptions
        鍵: negative: 以外
        例外: left out: it says nothing about the subject
        例外: soft: the request has no other words
        ");
    }
}
