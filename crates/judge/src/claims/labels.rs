//! Labels that stand in front of a sentence and belong to no claim: "Results:", "METHODS", 【目的】.

/// What a label says about the sentence behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// What was known, found or concluded.
    Finding,
    /// What was wanted or done: about the work, not about the world.
    Work,
}

/// The longest label, in characters.
const LONGEST: usize = 40;

const FINDINGS: &str = "result|results|main result|main results|finding|findings|main finding|main findings|key finding|\
    key findings|results and discussion|results and conclusion|results and conclusions|methods and results|\
    methods and findings|data synthesis|background|context|introduction|rationale|importance|significance|\
    clinical significance|clinical relevance|conclusion|conclusions|conclusion and relevance|conclusions and relevance|\
    conclusions and implications|interpretation|discussion|discussion and conclusion|discussion and conclusions|\
    summary|abstract|overview|implications|key point|key points|key message|key messages|highlights|bottom line|\
    take-home message|limitations|what this study adds|what is known|\
    結果|成績|結論|結語|背景|考察|まとめ|要旨|要約|抄録|概要|緒言|はじめに|序論|所見|知見|意義|限界|結果と考察|結果および考察|結果・考察|\
    考察と結論|結果と結論|結論と考察|ポイント|要点";
const WORK: &str = "objective|objectives|aim|aims|aims and objectives|purpose|goal|goals|background and aim|\
    background and aims|background and objective|background and objectives|background and purpose|background/aims|\
    introduction and objective|introduction and aims|method|methods|material and methods|materials and methods|\
    patients and methods|subjects and methods|participants and methods|methodology|methods/design|study design|design|\
    design and methods|design and setting|design, setting and participants|design, setting, and participants|setting|\
    settings|participants|patients|subjects|study population|population|sample|intervention|interventions|exposure|\
    exposures|comparison|main outcome|main outcomes|main outcome measure|main outcome measures|\
    main outcomes and measures|outcome measures|primary outcome|secondary outcomes|measurements|measures|data source|\
    data sources|study selection|data extraction|eligibility criteria|inclusion criteria|search strategy|\
    statistical analysis|procedure|procedures|approach|hypothesis|question|research question|study question|funding|\
    registration|trial registration|clinical trial registration|study registration|keyword|keywords|key words|\
    目的|方法|対象|対象と方法|対象および方法|対象・方法|方法と対象|研究デザイン|研究方法|背景と目的|背景・目的|背景および目的|目的と方法|\
    目的・方法|材料と方法|材料および方法|実験方法|調査方法|解析方法|キーワード|研究課題|仮説|評価項目|主要評価項目|測定項目|手法|設計";

/// What stands around a label in brackets.
const BRACKETS: [(char, char); 7] = [
    ('【', '】'),
    ('〔', '〕'),
    ('［', '］'),
    ('[', ']'),
    ('〈', '〉'),
    ('＜', '＞'),
    ('《', '》'),
];

/// A sentence without the label in front of it, and what the label was.
pub(super) fn without_label(sentence: &str) -> (Option<Label>, &str) {
    let (name, rest) = match bracketed(sentence).or_else(|| marked(sentence)) {
        Some(parts) => parts,
        None => return in_capitals(sentence),
    };
    let rest = rest.trim_start_matches([':', '：', ' ', '　', '\n', '\t']);
    match label(name).filter(|_| !rest.is_empty()) {
        Some(label) => (Some(label), rest),
        None => (None, sentence),
    }
}

fn label(name: &str) -> Option<Label> {
    let name = name.trim().to_lowercase();
    let has = |list: &str| list.split('|').any(|it| it == name);
    if has(FINDINGS) {
        Some(Label::Finding)
    } else if has(WORK) {
        Some(Label::Work)
    } else {
        None
    }
}

/// `【結果】` and what follows.
fn bracketed(sentence: &str) -> Option<(&str, &str)> {
    let first = sentence.chars().next()?;
    let (open, close) = BRACKETS.into_iter().find(|it| it.0 == first)?;
    sentence[open.len_utf8()..].split_once(close)
}

/// `Results:`, `Results—`, `結果　` and what follows.
fn marked(sentence: &str) -> Option<(&str, &str)> {
    let (at, mark) = sentence
        .char_indices()
        .take(LONGEST)
        .find(|(_, it)| matches!(it, ':' | '：' | '—' | '　' | '．' | '。' | '.'))?;
    // A label with a full stop is a sentence of its own, and there is nothing to take it off from.
    (!matches!(mark, '．' | '。' | '.'))
        .then(|| (&sentence[..at], &sentence[at + mark.len_utf8()..]))
}

/// `RESULTS Vitamin D reduced falls`: only in capitals, or the label is a word of the sentence.
fn in_capitals(sentence: &str) -> (Option<Label>, &str) {
    let loud = |it: &str| !it.chars().any(char::is_lowercase) && it.chars().count() > 2;
    let mut end = 0;
    for word in sentence.split(' ').take(4) {
        if !loud(word) {
            break;
        }
        end += word.len() + 1;
        let Some(rest) = sentence.get(end..).filter(|it| !it.is_empty()) else { break };
        let goes_on = rest.starts_with(|it: char| it.is_uppercase() || it.is_ascii_digit());
        let next = rest.split(' ').next().unwrap_or_default();
        if let Some(label) = label(&sentence[..end]).filter(|_| goes_on && !loud(next)) {
            return (Some(label), rest);
        }
    }
    (None, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_taken_off_and_words_of_the_sentence_stay() {
        use Label::{Finding, Work};
        for (sentence, kind, rest) in [
            ("Results: Vitamin D reduced falls.", Finding, "Vitamin D reduced falls."),
            ("RESULTS: Falls fell.", Finding, "Falls fell."),
            ("Results—Falls fell.", Finding, "Falls fell."),
            ("RESULTS Vitamin D reduced falls.", Finding, "Vitamin D reduced falls."),
            ("MATERIALS AND METHODS Women took it.", Work, "Women took it."),
            ("Conclusions and relevance: Falls fell.", Finding, "Falls fell."),
            ("Objective: To test it.", Work, "To test it."),
            ("結果：転倒が減った。", Finding, "転倒が減った。"),
            ("【結果】転倒が減った。", Finding, "転倒が減った。"),
            ("[Results] Falls fell.", Finding, "Falls fell."),
            ("結果　転倒が減った。", Finding, "転倒が減った。"),
            ("目的：効果を調べる。", Work, "効果を調べる。"),
            ("【対象と方法】女性が飲んだ。", Work, "女性が飲んだ。"),
        ] {
            assert_eq!(without_label(sentence), (Some(kind), rest), "{sentence}");
        }
        for sentence in [
            "Results of the trial: falls fell.",
            "Results were mixed.",
            "Methods that work: three of them.",
            "RESULTS",
            "Results:",
            "DNA Methods are new.",
            "結果は明らかである。",
            "結果。",
            "東京：人口は1400万人である。",
            "【速報】転倒が減った。",
            "",
        ] {
            assert_eq!(without_label(sentence), (None, sentence), "{sentence}");
        }
    }
}
