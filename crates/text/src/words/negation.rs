//! Whether a sentence denies what it talks about.

use super::{is_japanese, latin_words};

/// Words that deny in English.
const DENIALS: &[&str] = &[
    "not",
    "no",
    "never",
    "neither",
    "nor",
    "none",
    "nothing",
    "nobody",
    "cannot",
    "without",
    "fails",
    "failed",
    "fail",
    "lacks",
    "lacked",
    "lack",
    "unable",
    "absence",
    "unlikely",
    "hardly",
    "denies",
    "denied",
    "refutes",
    "refuted",
    "disproved",
    "debunked",
    "myth",
    "ineffective",
    "unproven",
    "unsupported",
];

/// Turns of phrase that contain such a word and deny nothing.
const NO_DENIALS: &[&str] = &[
    "not only",
    "n't just",
    "n't only",
    "not just",
    "no more than",
    "not more than",
    "no less than",
    "no fewer than",
    "no later than",
    "whether or not",
    "not to mention",
    "no doubt",
    "without doubt",
    "not least",
    "no. ",
    "nothing but",
    "not uncommon",
    "not unlike",
];

/// Endings that deny in Japanese.
const DENIALS_JA: &[&str] = &[
    "ない",
    "なかった",
    "なく、",
    "なくな",
    "なく ",
    "ません",
    "せず",
    "れず",
    "えず",
    "ばず",
    "らず",
    "得ず",
    "めず",
    "きず",
    "否定",
    "無効",
    "ぬ。",
    "皆無",
    "根拠を欠",
    "誤りで",
    "誤りだ",
    "誤解で",
    "虚偽",
    "デマ",
];

/// What looks like one of them and is not.
const NO_DENIALS_JA: &[&str] = &[
    "少ない",
    "少なく",
    "少なかった",
    "かもしれない",
    "かも知れない",
    "なければならない",
    "なければいけない",
    "なくてはならない",
    "ねばならない",
    "ざるを得ない",
    "ざるをえない",
    "違いない",
    "だけでなく",
    "だけではなく",
    "のみならず",
    "にほかならない",
    "に他ならない",
    "ないし",
    "かかわらず",
    "関わらず",
    "少なからず",
    "必ず",
    "危ない",
    "もったいない",
    "とんでもない",
    "間もなく",
    "まもなく",
    "まもない",
    "くらいない",
    "わずか",
    "いずれ",
    "はずれ",
    "絶えず",
    "思わず",
    "とりあえず",
    "やむを得ず",
    "相変わらず",
    "限らず",
    "問わず",
    "ないだろうか",
    "ではないか",
    "ないか。",
];

/// Whether a folded sentence denies something.
pub fn is_denied(folded: &str) -> bool {
    if is_japanese(folded) {
        let mut text = folded.to_owned();
        for harmless in NO_DENIALS_JA {
            text = text.replace(harmless, "・");
        }
        return DENIALS_JA.iter().any(|it| text.contains(it));
    }
    let mut text = folded.to_lowercase();
    for harmless in NO_DENIALS {
        text = text.replace(harmless, " ");
    }
    latin_words(&text).any(|it| it.ends_with("n't") || DENIALS.contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denials_are_told_from_words_that_look_like_them() {
        let table = [
            ("Aspirin did not reduce mortality.", true),
            ("There was no difference between the groups.", true),
            ("The vaccine doesn't cause autism.", true),
            ("The trial failed to show a benefit.", true),
            ("Homeopathy is ineffective against malaria.", true),
            ("Aspirin reduced mortality.", false),
            ("It is not only safe but also cheap.", false),
            ("It rose by no more than 3 %.", false),
            ("It isn't just safe, it is cheap.", false),
            ("Norway noted a rise.", false),
            ("ビタミンDは転倒を減らさない。", true),
            ("有意差は認められなかった。", true),
            ("両群に差は見られず、試験は中止された。", true),
            ("効果はありません。", true),
            ("この説は誤りである。", true),
            ("ビタミンDは転倒を減らす。", false),
            ("副作用は少ない。", false),
            ("転倒を減らすかもしれない。", false),
            ("費用だけでなく時間も減った。", false),
            ("必ず医師に相談する必要がある。", false),
            ("年齢を問わず効果があった。", false),
            ("", false),
        ];
        for (text, expected) in table {
            assert_eq!(is_denied(&crate::words::folded(text)), expected, "{text}");
        }
    }
}
