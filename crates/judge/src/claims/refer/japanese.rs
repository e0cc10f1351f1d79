//! Words that point in Japanese: これは, 同剤は, 本研究では, この薬は; and sentences that name no topic.

use std::sync::LazyLock;

use serde::Deserialize;
use text::script::is_hiragana;
use text::word_list::{self, WordList, WordSet};

use super::{Reference, Topics};

/// The file says what each list is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    ties: WordList,
    kinds: WordSet,
    works: WordList,
    places: WordList,
    not_pointing: WordList,
    attributes: WordList,
    aspects: WordList,
    explanations: WordList,
    pub(super) generic_headings: WordSet,
}

pub(super) static WORDS: LazyLock<Words> =
    LazyLock::new(|| word_list::read(include_str!("../../../data/ja/references.toml")));

/// The particles after a topic or a subject.
const MARKERS: [&str; 9] = ["では", "には", "とは", "は", "が", "も", "の", "により", "によって"];

pub(super) fn resolve(text: &str, topics: &Topics) -> Reference {
    let stripped =
        WORDS.ties.iter().find_map(|it| text.strip_prefix(it)).filter(|it| !it.is_empty());
    let text = stripped.unwrap_or(text);
    if let Some(found) = without_place(text) {
        return Reference::Whole(found.to_owned());
    }
    let Some(pointing) = Pointing::at_start_of(text) else {
        return match topics.find(true, |_| true) {
            Some(subject) if names_no_topic(text) && !text.starts_with(subject) => {
                Reference::Named(format!("{subject}は{text}"))
            }
            _ => Reference::Whole(text.to_owned()),
        };
    };
    let replaceable = pointing.is_thing && matches!(pointing.marker, "は" | "が" | "も" | "の");
    match topics.find(true, |_| replaceable) {
        Some(subject) => Reference::Named(format!("{subject}{}", pointing.rest)),
        None => Reference::Open,
    }
}

/// 「本研究では、」: what follows was found there, and where is known from its passage.
fn without_place(text: &str) -> Option<&str> {
    let rest = ["本", "今回の", "この", "当"].iter().find_map(|it| text.strip_prefix(it))?;
    let rest = WORDS.places.iter().find_map(|it| rest.strip_prefix(it))?;
    let rest =
        ["では、", "において、", "においては、", "から、", "の結果、", "によると、", "により、"]
            .iter()
            .find_map(|it| rest.strip_prefix(it))?;
    (!rest.is_empty() && Pointing::at_start_of(rest).is_none()).then_some(rest)
}

/// A word at the start of a sentence that points at something said before.
struct Pointing<'a> {
    /// What it points at is a thing with a name, not a work, a time or a whole statement.
    is_thing: bool,
    marker: &'static str,
    /// From the marker on.
    rest: &'a str,
}

impl<'a> Pointing<'a> {
    fn at_start_of(text: &'a str) -> Option<Self> {
        if WORDS.not_pointing.any_starts(text) {
            return None;
        }
        for pronoun in [
            "これら",
            "それら",
            "これ",
            "それ",
            "彼女",
            "彼ら",
            "彼",
            "当該",
            "前者",
            "後者",
            "ここ",
            "そこ",
        ] {
            if let Some(rest) = text.strip_prefix(pronoun) {
                let thing = matches!(
                    pronoun,
                    "これ" | "それ" | "これら" | "それら" | "彼" | "彼女" | "彼ら"
                ) && !explains(rest);
                return Some(Self { is_thing: thing, marker: marker_of(rest), rest });
            }
        }
        let rest =
            ["今回の", "この", "その", "こうした", "そうした", "このような", "同", "本", "当"]
                .iter()
                .find_map(|it| text.strip_prefix(it))?;
        let noun_end = rest
            .find(|c: char| is_hiragana(c) || matches!(c, '、' | '。' | '「'))
            .unwrap_or(rest.len());
        let noun = &rest[..noun_end];
        // 同 and 本 are also the first letter of names; as a pointer they precede a known noun.
        let by_letter = text.starts_with(['同', '本', '当']);
        let is_thing = WORDS.kinds.contains(noun);
        let known = is_thing || WORDS.works.iter().any(|it| it == noun);
        if noun.is_empty() || (by_letter && !known) {
            return None;
        }
        if text.starts_with("その") && !known {
            // "Its area": what it belongs to has a name.
            return Some(Self { is_thing: true, marker: "の", rest: &text["そ".len()..] });
        }
        let rest = &rest[noun_end..];
        Some(Self { is_thing, marker: marker_of(rest), rest })
    }
}

fn marker_of(rest: &str) -> &'static str {
    MARKERS.iter().find(|it| rest.starts_with(**it)).copied().unwrap_or("")
}

/// 「これは〜ためである」 points at a statement and not at a thing.
fn explains(rest: &str) -> bool {
    WORDS.explanations.any_ends(rest.trim_end_matches(['。', '．']))
}

/// 「には」 and 「では」 say where or for whom, not what.
fn names_no_topic(text: &str) -> bool {
    let plain = ["には", "では", "とは", "までは", "からは", "または", "あるいは"]
        .iter()
        .fold(text.to_owned(), |text, it| text.replace(it, ""));
    !["は", "が", "も"].iter().any(|it| plain.contains(it))
}

/// The topic of a sentence: what precedes its first は.
pub(in crate::claims) fn subject(text: &str) -> Option<String> {
    let (topic, _) = text.split_once('は')?;
    let attribute =
        WORDS.attributes.iter().filter_map(|it| topic.strip_suffix(it)).min_by_key(|it| it.len());
    let topic = match attribute {
        Some(owner) => owner.strip_suffix('の')?,
        None => topic,
    };
    let clear = (1..=24).contains(&topic.chars().count())
        && !topic.contains(['、', '。', '「', '（', '(', '：'])
        && ![
            "で", "に", "と", "から", "より", "まで", "或い", "ある", "また", "こと", "の", "もの",
        ]
        .iter()
        .any(|it| topic.ends_with(it))
        && Pointing::at_start_of(text).is_none()
        && !WORDS.works.any_ends(topic);
    clear.then(|| topic.to_owned())
}

/// What a title is about, where that is clear.
pub(super) fn subject_of_title(title: &str) -> Option<String> {
    let title = title.split(['：', ':', '【', '（', '(']).next().unwrap_or(title).trim();
    let title = ["とは何か", "とは", "について"]
        .iter()
        .find_map(|it| title.strip_suffix(it))
        .unwrap_or(title);
    if let Some((name, aspect)) = title.rsplit_once('の')
        && WORDS.aspects.any_starts(aspect)
    {
        return is_name(name).then(|| name.to_owned());
    }
    if let Some((name, rest)) = title.split_once('は')
        && !rest.is_empty()
    {
        return is_name(name).then(|| name.to_owned());
    }
    is_name(title).then(|| title.to_owned())
}

/// Few letters and no particle that would make two things of it.
fn is_name(text: &str) -> bool {
    (1..=20).contains(&text.chars().count())
        && !["と", "や", "を", "が", "に", "の", "で", "は", "・", "、", "か"]
            .iter()
            .any(|it| text.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_name_what_they_are_about_where_it_is_clear() {
        let table = [
            ("アスピリン", Some("アスピリン")),
            ("アスピリンとは", Some("アスピリン")),
            ("ビタミンDの効果について", Some("ビタミンD")),
            ("ビタミンDは転倒を減らさない", Some("ビタミンD")),
            ("ビタミンDと転倒", None),
            ("高齢者の転倒", None),
            ("", None),
        ];
        for (title, expected) in table {
            assert_eq!(subject_of_title(title).as_deref(), expected, "{title}");
        }
    }

    #[test]
    fn words_that_only_look_like_pointing_ones_are_left() {
        for text in [
            "本州は日本最大の島である。",
            "同様の結果が得られた。",
            "これまでに3件が報告された。",
            "同志社大学は京都にある。",
        ] {
            assert!(Pointing::at_start_of(text).is_none(), "{text}");
        }
        for text in [
            "これは薬である。",
            "同剤は有効である。",
            "本研究では差がなかった。",
            "この薬は安全である。",
        ] {
            assert!(Pointing::at_start_of(text).is_some(), "{text}");
        }
    }
}
