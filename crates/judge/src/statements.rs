//! What kind of sentences a passage is made of: what was found and concluded, and what only mentions things.
//!
//! An aim, a method, a question, a title, a reference and a view that somebody is said to have are no evidence of what
//! they mention. Labels ("Methods:") and headings of a study decide first, then phrases from `data/*/statements.toml`.
//! What no rule knows is a statement: a result that is dropped is as bad as an aim that is counted. A sentence that denies
//! something is a statement.

use std::ops::Range;
use std::sync::LazyLock;

use evidence::StatementKind;
use serde::Deserialize;
use text::script::is_hiragana;
use text::word_list::{self, Phrases, WordList, WordSet};
use text::words::{folded, is_japanese, latin_words};

use crate::claims::{english, labels, noise};
use crate::sections::{Section, is_study, section};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct English {
    aims: Phrases,
    aim_starts: WordList,
    wishes: Phrases,
    methods: Phrases,
    findings: Phrases,
    found: Phrases,
    background: Phrases,
    views: Phrases,
    believing: WordSet,
    authors: WordSet,
    denials: Phrases,
    conclusions: Phrases,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Japanese {
    aims: Phrases,
    aim_ends: WordList,
    wishes: Phrases,
    methods: WordList,
    findings: Phrases,
    found: Phrases,
    background: Phrases,
    views: Phrases,
    denials: Phrases,
    conclusions: Phrases,
    questions: WordList,
}

static EN: LazyLock<English> =
    LazyLock::new(|| word_list::read(include_str!("../data/en/statements.toml")));
static JA: LazyLock<Japanese> =
    LazyLock::new(|| word_list::read(include_str!("../data/ja/statements.toml")));

/// Words between "many" and "believe that": "many players of the game believe that".
const LONGEST_BELIEVER: usize = 6;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 150;
/// The longest entry of a list of references, in bytes.
const LONGEST_REFERENCE: usize = 400;

/// Where a passage stands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing<'a> {
    pub title: Option<&'a str>,
    /// Outermost first.
    pub headings: &'a [String],
    /// Whether its document is a study, which has parts: see [`is_study_of`].
    pub in_study: bool,
}

/// A sentence of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its bytes in the passage, without a label in front of it.
    pub bytes: Range<usize>,
    pub kind: StatementKind,
}

/// Whether passages, each with its headings, are those of a study.
pub fn is_study_of<'a>(passages: impl IntoIterator<Item = (&'a str, &'a [String])>) -> bool {
    is_study(passages.into_iter().flat_map(|(text, headings)| {
        let headed = headings.last().and_then(|it| section(it));
        headed.or(labels::labelled(text).0)
    }))
}

/// The sentences of a passage and what kind each is, in order.
pub fn statements(text: &str, standing: &Standing<'_>) -> Vec<Statement> {
    let mut part = standing.headings.last().and_then(|it| section(it));
    if !standing.in_study {
        part = part.filter(|it| matches!(it, Section::Result | Section::Conclusion));
    }
    let mut found = Vec::new();
    for place in text::sentences(text) {
        let (label, body) = labels::labelled(noise::without_marker(&text[place.clone()]));
        if let Some(label) = label {
            part = Some(label).filter(|it| *it != Section::Background || standing.in_study);
        }
        let kind = if is_heading(body, standing) {
            StatementKind::Title
        } else if is_in_reference(text, &place) {
            StatementKind::Reference
        } else {
            kind_of(body, part)
        };
        found.push(Statement { bytes: place.end - body.len()..place.end, kind });
    }
    found
}

fn is_heading(body: &str, standing: &Standing<'_>) -> bool {
    let bare = |it: &str| it.trim_end_matches(['.', '。', ' ']).to_owned();
    let own = bare(body);
    standing
        .title
        .into_iter()
        .chain(standing.headings.iter().map(String::as_str))
        .any(|it| bare(it) == own)
}

/// Whether the line a sentence stands in is an entry of a list of references.
fn is_in_reference(text: &str, place: &Range<usize>) -> bool {
    let start = text[..place.start].rfind('\n').map_or(0, |it| it + 1);
    let end = text[place.end..].find('\n').map_or(text.len(), |it| place.end + it);
    let line = noise::without_marker(text[start..end].trim());
    line.len() <= LONGEST_REFERENCE && noise::is_reference(&folded(line))
}

/// The kind of a sentence in a part of a study.
fn kind_of(sentence: &str, part: Option<Section>) -> StatementKind {
    let plain = folded(sentence);
    let plain = plain.trim();
    match is_japanese(plain) {
        true => kind_ja(plain, part),
        false => kind_en(plain, part),
    }
}

fn kind_en(plain: &str, part: Option<Section>) -> StatementKind {
    let ended = plain.trim_end_matches(['"', ')', '\'', ']', ' ']);
    if ended.ends_with('?') {
        return StatementKind::Question;
    }
    let is_bare =
        !ended.ends_with(['.', '!', ';', '%']) && !plain.contains(|it: char| it.is_ascii_digit());
    let is_short = plain.chars().nth(LONGEST_TITLE).is_none();
    if is_short && is_bare && !english::has_verb(plain) {
        return StatementKind::Title;
    }
    let lower = format!(" {} ", plain.to_lowercase().trim_end_matches(['.', '!', '"']));
    let finds = matches!(part, Some(Section::Result | Section::Conclusion));
    let is_aim = EN.aims.any_in(&lower) || EN.aim_starts.any_starts(lower.trim_start());
    if EN.wishes.any_in(&lower) || (is_aim && !EN.found.any_in(&lower)) {
        return StatementKind::Aim;
    }
    if is_view_en(&lower) && !EN.denials.any_in(&lower) {
        return StatementKind::Reported;
    }
    if EN.conclusions.any_in(&lower) {
        return StatementKind::Conclusion;
    }
    if let Some(kind) = part.and_then(kind_of_part) {
        return kind;
    }
    if EN.background.any_in(&lower) {
        return StatementKind::Background;
    }
    if !finds && EN.methods.any_in(&lower) && !EN.findings.any_in(&lower) {
        return StatementKind::Method;
    }
    StatementKind::Statement
}

/// A view, or people who have one: "most players believe that headgear prevents concussion".
fn is_view_en(lower: &str) -> bool {
    if EN.views.any_in(lower) {
        return true;
    }
    let words: Vec<&str> = latin_words(lower).collect();
    words.windows(2).enumerate().any(|(at, pair)| {
        let before = &words[at.saturating_sub(LONGEST_BELIEVER)..at];
        pair[1] == "that"
            && EN.believing.contains(pair[0])
            && !before.iter().any(|it| EN.authors.contains(it))
    })
}

fn kind_ja(plain: &str, part: Option<Section>) -> StatementKind {
    let ended = plain.trim_end_matches(['」', '』', ')', ']', ' ']);
    let body = ended.trim_end_matches(['。', '.', '．']);
    if ended.ends_with('?') || JA.questions.any_ends(body) {
        return StatementKind::Question;
    }
    let is_short = plain.chars().nth(LONGEST_TITLE).is_none();
    let states = body.ends_with(is_hiragana) || body.contains(['は', 'が', 'を']);
    if is_short && !ended.ends_with('。') && !states {
        return StatementKind::Title;
    }
    let finds = matches!(part, Some(Section::Result | Section::Conclusion));
    let is_aim = JA.aims.any_in(body) || JA.aim_ends.any_ends(body);
    if JA.wishes.any_in(body) || (is_aim && !JA.found.any_in(body)) {
        return StatementKind::Aim;
    }
    if JA.views.any_in(body) && !JA.denials.any_in(body) {
        return StatementKind::Reported;
    }
    if JA.conclusions.any_in(body) {
        return StatementKind::Conclusion;
    }
    if let Some(kind) = part.and_then(kind_of_part) {
        return kind;
    }
    if JA.background.any_in(body) {
        return StatementKind::Background;
    }
    if !finds && JA.methods.any_ends(body) && !JA.findings.any_in(body) {
        return StatementKind::Method;
    }
    StatementKind::Statement
}

/// What the sentences of a part are, where the part alone decides.
fn kind_of_part(part: Section) -> Option<StatementKind> {
    match part {
        Section::Aim => Some(StatementKind::Aim),
        Section::Method => Some(StatementKind::Method),
        Section::Background => Some(StatementKind::Background),
        Section::Conclusion => Some(StatementKind::Conclusion),
        Section::Result => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use StatementKind::{
        Aim, Background, Conclusion, Method, Question, Reference, Reported, Title,
    };

    fn kinds(text: &str, headings: &[&str]) -> Vec<StatementKind> {
        let headings: Vec<String> = headings.iter().map(|it| (*it).to_owned()).collect();
        let standing = Standing { title: Some("A title"), headings: &headings, in_study: true };
        statements(text, &standing).into_iter().map(|it| it.kind).collect()
    }

    #[test]
    fn words_are_in_the_form_they_are_compared_in() {
        for file in
            [include_str!("../data/en/statements.toml"), include_str!("../data/ja/statements.toml")]
        {
            for word in word_list::words_in(file).unwrap() {
                assert_eq!(word, folded(&word).to_lowercase());
            }
        }
    }

    #[test]
    fn results_stay_statements_whatever_they_deny_or_measure() {
        for text in [
            "Aspirin did not reduce mortality (12 % vs 13 %, p = 0.4).",
            "There is no evidence that vaccines cause autism.",
            "Mortality was assessed at 30 days and was lower with aspirin.",
            "We compared both groups and found no difference.",
            "We investigated whether tea helps, and found that it does not.",
            "MRI is useful to evaluate the knee.",
            "The data support the hypothesis that sleep improves memory.",
            "Contrary to popular belief, sugar does not make children hyperactive.",
            "It is a myth that people believe that bats are blind.",
            "Falls fell by 12 %",
            "転倒は減らなかった。",
            "効果を検討した結果、有意差は認められなかった。",
            "生産性は3%低下",
            "甘いものが子どもを多動にするという俗説は誤りである。",
            "ビタミンDは転倒を減らす。",
        ] {
            assert_eq!(kinds(text, &[]), [StatementKind::Statement], "{text}");
        }
    }

    #[test]
    fn what_only_mentions_things_is_told_apart() {
        for (text, kind) in [
            ("The aim of this study was to test whether aspirin reduces fever.", Aim),
            ("To determine whether aspirin reduces fever.", Aim),
            ("We hypothesized that aspirin reduces fever.", Aim),
            ("Further studies are needed to confirm that aspirin reduces fever.", Aim),
            ("Two hundred patients were randomly assigned to aspirin or placebo.", Method),
            ("Fever was measured twice a day.", Method),
            ("Little is known about aspirin and fever.", Background),
            ("It has been suggested that aspirin reduces fever.", Background),
            ("Does aspirin reduce fever?", Question),
            ("Aspirin for fever in children: a randomised trial", Title),
            ("Most players believe that headgear prevents concussion.", Reported),
            ("It is commonly believed that sugar makes children hyperactive.", Reported),
            ("In conclusion, aspirin reduces fever.", Conclusion),
            ("These findings suggest that aspirin does not reduce fever.", Conclusion),
            ("本研究の目的は、アスピリンの解熱効果を明らかにすることである。", Aim),
            ("アスピリンが熱を下げるかどうかを検討した。", Aim),
            ("アスピリンの解熱効果について検討した。", Aim),
            ("さらなる研究が必要である。", Aim),
            ("患者200人をアスピリン群とプラセボ群に無作為に割り付けた。", Method),
            ("その効果はまだ明らかになっていない。", Background),
            ("アスピリンは熱を下げるのでしょうか？", Question),
            ("小児の発熱に対するアスピリン", Title),
            ("甘いものは子どもを多動にすると考える人が多い。", Reported),
            ("「甘いものは子どもを多動にする」という俗説がある。", Reported),
            ("以上より、アスピリンは熱を下げると考えられた。", Conclusion),
        ] {
            assert_eq!(kinds(text, &[]), [kind], "{text}");
        }
    }

    #[test]
    fn labels_and_headings_of_a_study_decide() {
        assert_eq!(
            kinds(
                "BACKGROUND: Fever is common. Aspirin is cheap. METHODS: Children took aspirin. \
                 RESULTS: Fever fell. CONCLUSIONS: Aspirin reduces fever. It is safe.",
                &["Abstract"]
            ),
            [Background, Background, Method, StatementKind::Statement, Conclusion, Conclusion]
        );
        assert_eq!(kinds("Aspirin reduces fever.", &["Paper", "5. Conclusions"]), [Conclusion]);
        assert_eq!(kinds("アスピリンは熱を下げる。", &["結論"]), [Conclusion]);
        assert_eq!(kinds("アスピリンを飲ませた。", &["方法"]), [Method]);
        assert_eq!(
            kinds("【目的】効果を調べる。【結果】熱は下がった。", &[]),
            [Aim, StatementKind::Statement]
        );
        let headings = ["Methods".to_owned()];
        let standing = Standing { title: None, headings: &headings, in_study: false };
        let found = statements("Pills prevent pregnancy.", &standing);
        assert_eq!(found, [Statement { bytes: 0..24, kind: StatementKind::Statement }]);
    }

    #[test]
    fn the_title_said_again_is_a_title() {
        let standing = Standing { title: Some("Aspirin reduces fever"), ..Standing::default() };
        let found = statements("Aspirin reduces fever. It costs little.", &standing);
        assert_eq!(
            found.iter().map(|it| it.kind).collect::<Vec<_>>(),
            [Title, StatementKind::Statement]
        );
    }

    #[test]
    fn every_sentence_of_a_reference_is_one() {
        let text = "Aspirin reduces fever.\nSmith J, Doe A. Aspirin and fever. Lancet. 2019;393(10):12-18.";
        assert_eq!(kinds(text, &[]), [StatementKind::Statement, Reference, Reference, Reference]);
    }

    #[test]
    fn a_study_is_known_by_its_parts() {
        let none: &[String] = &[];
        assert!(is_study_of([("Aim: To test.", none), ("Conclusion: It works.", none)]));
        assert!(!is_study_of([("It works.", none), ("Conclusion: It works.", none)]));
    }
}
