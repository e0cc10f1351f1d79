//! Words with an opposite: more and less, better and worse, causes and prevents.
//!
//! Two sentences that differ in one of them say opposite things, however many words they share.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{is_japanese, latin_words, stem};

/// A pair of opposites and which side of it a word is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Directed {
    pub axis: &'static str,
    pub forward: bool,
}

impl Directed {
    pub fn opposite(self) -> Self {
        Self { forward: !self.forward, ..self }
    }

    /// The word that stands for all words of this side.
    pub fn token(self) -> String {
        format!("{}{}", if self.forward { '+' } else { '-' }, self.axis)
    }
}

struct Axis {
    name: &'static str,
    forward: &'static [&'static str],
    backward: &'static [&'static str],
    forward_ja: &'static [&'static str],
    backward_ja: &'static [&'static str],
}

const AXES: &[Axis] = &[
    Axis {
        name: "amount",
        forward: &[
            "increase",
            "rise",
            "rose",
            "risen",
            "raise",
            "higher",
            "high",
            "elevate",
            "grow",
            "grew",
            "grown",
            "growth",
            "greater",
            "more",
            "larger",
            "gain",
            "expand",
            "boost",
            "accelerate",
            "double",
            "triple",
            "climb",
            "surge",
            "soar",
        ],
        backward: &[
            "decrease",
            "decline",
            "reduce",
            "reduction",
            "lower",
            "low",
            "fewer",
            "less",
            "fell",
            "fallen",
            "drop",
            "diminish",
            "shrink",
            "shrank",
            "smaller",
            "lessen",
            "halve",
            "cut",
            "slow",
            "dwindle",
            "plunge",
        ],
        forward_ja: &[
            "増加",
            "増え",
            "増や",
            "増大",
            "上昇",
            "高ま",
            "高め",
            "高い",
            "高く",
            "高かっ",
            "拡大",
            "倍増",
            "急増",
            "伸び",
            "伸ば",
            "引き上げ",
        ],
        backward_ja: &[
            "減少",
            "減ら",
            "減り",
            "減っ",
            "減る",
            "低下",
            "低減",
            "下落",
            "低い",
            "低く",
            "低かっ",
            "縮小",
            "軽減",
            "半減",
            "急減",
            "下げ",
            "下が",
            "引き下げ",
            "短縮",
        ],
    },
    Axis {
        name: "worth",
        forward: &[
            "improve",
            "improvement",
            "better",
            "benefit",
            "beneficial",
            "effective",
            "useful",
        ],
        backward: &[
            "worsen",
            "worse",
            "harm",
            "harmful",
            "ineffective",
            "useless",
            "deteriorate",
            "impair",
        ],
        forward_ja: &["改善", "向上", "有効", "有益", "効果的", "好転"],
        backward_ja: &["悪化", "無効", "有害", "逆効果", "劣化"],
    },
    Axis {
        name: "cause",
        forward: &["cause", "induce", "trigger", "provoke", "promote", "lead", "led"],
        backward: &["prevent", "prevention", "protect", "inhibit", "suppress", "avert", "block"],
        forward_ja: &["引き起こ", "誘発", "促進", "招く", "招い", "もたら"],
        backward_ja: &["予防", "防ぐ", "防い", "防ぎ", "防止", "抑制", "阻害", "抑え"],
    },
    Axis {
        name: "permission",
        forward: &["approve", "approval", "allow", "permit", "legal", "accept", "adopt"],
        backward: &[
            "ban",
            "prohibit",
            "reject",
            "illegal",
            "forbid",
            "withdraw",
            "withdrawn",
            "revoke",
        ],
        forward_ja: &["承認", "認可", "許可", "合法", "採択", "可決"],
        backward_ja: &["禁止", "却下", "違法", "不許可", "取り消", "否決"],
    },
    Axis {
        name: "safety",
        forward: &["safe", "harmless"],
        backward: &["unsafe", "dangerous", "hazardous", "toxic"],
        forward_ja: &["安全", "無害"],
        backward_ja: &["危険", "有毒"],
    },
    Axis {
        name: "side",
        forward: &["above", "exceed", "over"],
        backward: &["below", "under"],
        forward_ja: &["上回", "超え", "以上"],
        backward_ja: &["下回", "未満", "以下"],
    },
    Axis {
        name: "time",
        forward: &["after", "later", "since"],
        backward: &["before", "earlier", "until"],
        forward_ja: &["以降", "以後"],
        backward_ja: &["以前"],
    },
];

/// The directions in a folded sentence, in their order, and the sentence with each such word
/// replaced by its sign.
pub fn directed(folded: &str) -> (Vec<Directed>, String) {
    if is_japanese(folded) { directed_ja(folded) } else { directed_en(folded) }
}

fn directed_en(folded: &str) -> (Vec<Directed>, String) {
    let mut found = Vec::new();
    let mut words = Vec::new();
    for word in latin_words(folded) {
        let lower = word.to_lowercase();
        match side_of(&lower) {
            Some(side) => {
                found.push(side);
                words.push(side.token());
            }
            None => words.push(word.to_owned()),
        }
    }
    (found, words.join(" "))
}

/// The first axis a word is on; a word is on one side of it only.
static SIDES: LazyLock<HashMap<String, Directed>> = LazyLock::new(|| {
    let mut sides = HashMap::new();
    for axis in AXES {
        for (words, forward) in [(axis.forward, true), (axis.backward, false)] {
            for word in words {
                sides.entry(stem(word)).or_insert(Directed { axis: axis.name, forward });
            }
        }
    }
    sides
});

fn side_of(lower: &str) -> Option<Directed> {
    SIDES.get(&stem(lower)).copied()
}

fn directed_ja(folded: &str) -> (Vec<Directed>, String) {
    let mut found = Vec::new();
    let mut text = String::with_capacity(folded.len());
    let mut at = 0;
    while let Some(c) = folded[at..].chars().next() {
        let rest = &folded[at..];
        let hit = AXES.iter().find_map(|axis| {
            let longest = |words: &[&str]| {
                words.iter().filter(|it| rest.starts_with(**it)).map(|it| it.len()).max()
            };
            let forward = longest(axis.forward_ja).map(|it| (it, true));
            let backward = longest(axis.backward_ja).map(|it| (it, false));
            let (length, forward) = forward.max(backward)?;
            Some((length, Directed { axis: axis.name, forward }))
        });
        match hit {
            Some((length, side)) => {
                found.push(side);
                text.push_str(&format!(" {} ", side.token()));
                at += length;
            }
            None => {
                text.push(c);
                at += c.len_utf8();
            }
        }
    }
    (found, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        directed(text).1
    }

    #[test]
    fn words_of_one_side_become_one_sign() {
        assert_eq!(shown("Aspirin reduces pain"), "Aspirin -amount pain");
        assert_eq!(shown("Aspirin lowered pain"), "Aspirin -amount pain");
        assert_eq!(shown("Aspirin increases pain"), "Aspirin +amount pain");
        assert_eq!(shown("転倒を減らす"), "転倒を -amount す");
        assert_eq!(shown("転倒が増加した"), "転倒が +amount した");
        assert_eq!(shown("有効性が無効とされた"), " +worth 性が -worth とされた");
        assert_eq!(shown(""), "");
    }
}
