//! Words that point in Japanese: これは, 同剤は, 本研究では, この薬は; and sentences that name no topic.

use super::{Reference, Topics};
use crate::claims::vocabulary::is_one_of;
use text::script::is_hiragana;

const TIES: &str = "しかしながら、|しかし、|しかし|また、|一方で、|一方、|さらに、|そのため、|したがって、|従って、|なお、|例えば、|\
    たとえば、|つまり、|ただし、|特に、|とくに、|実際に、|実際、|加えて、|すなわち、|よって、|ゆえに、|そして、|だが、|ところが、|\
    なかでも、|中でも、|結論として、|このため、|このように、|ちなみに、|もっとも、|とはいえ、|結果として、|そこで、|その結果、|\
    その後、|それでも、|そのうえ、|むしろ、|まず、|次に、|最後に、|最近、|近年、";

/// Things a page can be about, as one calls them the second time.
const KINDS: &str = "剤|薬|薬剤|ワクチン|社|国|市|県|町|法|法律|病|病気|疾患|感染症|種|氏|大学|院|病院|施設|製品|品|成分|物質|治療|\
    治療法|療法|手法|方法|技術|制度|条約|ウイルス|細菌|植物|動物|都市|企業|団体|機関|装置|サプリメント|食品|ビタミン|ホルモン|\
    酵素|遺伝子|システム|建物|橋|川|山|島|惑星|元素|金属|化合物|医薬品|タンパク質|法令|条例|協定|庁|省|局|店|校|駅|線";
/// Works and findings: of this paper, and no name would make it clearer.
const WORKS: &str = "研究|論文|調査|試験|報告|報告書|解析|結果|分析|実験|レビュー|研究者|症例|稿|書|研究グループ|研究チーム|著者|チーム|\
    患者|対象者|群|データ|知見|傾向|期間|年|日|月|時期|時点|点|数|場合|割合|値";
/// Words that begin like a pointing one and are none.
const NOT_POINTING: &str = "本来|本州|本人|本格|本質|本能|本物|本土|本部|本年|本日|同様|同時|同じ|同程度|同意|同盟|同士|同性|同等|\
    当時|当初|当然|当たり|当て|その他|そのまま|そのもの|このほか|このうち|それぞれ|これまで|それまで|これから|それから|それでも|\
    その後|彼岸|本田|本間|同志社|本能寺|当麻|その多く|その一方|それ以|これ以";

/// What stands behind a topic or a subject.
const MARKERS: [&str; 9] = ["では", "には", "とは", "は", "が", "も", "の", "により", "によって"];

pub(super) fn resolve(text: &str, topics: &Topics) -> Reference {
    let stripped = TIES.split('|').find_map(|it| text.strip_prefix(it)).filter(|it| !it.is_empty());
    let text = stripped.unwrap_or(text);
    let Some(pointing) = Pointing::at_start_of(text) else {
        return match topics.find(true, |_| true) {
            Some(subject) if names_no_topic(text) => Reference::Named(format!("{subject}は{text}")),
            _ => Reference::Whole(text.to_owned()),
        };
    };
    let replaceable = pointing.is_thing && matches!(pointing.marker, "は" | "が" | "も" | "の");
    match topics.find(true, |_| replaceable) {
        Some(subject) => Reference::Named(format!("{subject}{}", pointing.rest)),
        None => topics.prefixed(text),
    }
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
        if NOT_POINTING.split('|').any(|it| text.starts_with(it)) {
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
        // 同 and 本 are also the first letter of names; as a pointer they stand before a known noun.
        let by_letter = text.starts_with(['同', '本', '当']);
        let known = is_one_of(noun, KINDS) || is_one_of(noun, WORKS);
        if noun.is_empty() || (by_letter && !known) {
            return None;
        }
        if text.starts_with("その") && !known {
            // "Its area": what it belongs to has a name.
            return Some(Self { is_thing: true, marker: "の", rest: &text["そ".len()..] });
        }
        let rest = &rest[noun_end..];
        Some(Self { is_thing: is_one_of(noun, KINDS), marker: marker_of(rest), rest })
    }
}

fn marker_of(rest: &str) -> &'static str {
    MARKERS.iter().find(|it| rest.starts_with(**it)).copied().unwrap_or("")
}

/// 「これは〜ためである」 points at a statement and not at a thing.
fn explains(rest: &str) -> bool {
    let body = rest.trim_end_matches(['。', '．']);
    [
        "ためである",
        "ためです",
        "からである",
        "からです",
        "によるものである",
        "によるものです",
        "を示す",
        "を示している",
        "を意味する",
        "と考えられる",
        "ことによる",
        "ためとされる",
        "ためだ",
        "からだ",
    ]
    .iter()
    .any(|it| body.ends_with(it))
}

/// 「には」 and 「では」 say where or for whom, not what.
fn names_no_topic(text: &str) -> bool {
    let plain = ["には", "では", "とは", "までは", "からは", "または", "あるいは"]
        .iter()
        .fold(text.to_owned(), |text, it| text.replace(it, ""));
    !["は", "が", "も"].iter().any(|it| plain.contains(it))
}

/// What things have; a sentence about one of them is about the thing.
const ATTRIBUTES: &str = "面積|人口|標高|高さ|長さ|重さ|大きさ|価格|費用|売上|売上高|割合|数|率|量|効果|原因|症状|副作用|理由|特徴|影響|\
    目的|温度|速度|濃度|年齢|期間|距離|作用|リスク|歴史|名称|別名|語源|主成分|使用|摂取|投与|適応|用途|対象|差|平均";

/// The topic of a sentence: what stands before its first は.
pub(in crate::claims) fn subject(text: &str) -> Option<String> {
    let (topic, _) = text.split_once('は')?;
    let attribute =
        ATTRIBUTES.split('|').filter_map(|it| topic.strip_suffix(it)).min_by_key(|it| it.len());
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
        && !WORKS.split('|').any(|it| topic.ends_with(it));
    clear.then(|| topic.to_owned())
}

/// What a title is about, where that is clear.
pub(super) fn subject_of_title(title: &str) -> Option<String> {
    const ASPECTS: &str = "効果|副作用|歴史|有効性|安全性|影響|概要|特徴|役割|作用|使い方|用途|利点|欠点|リスク|原因|症状|治療|予防|仕組み";
    let title = title.split(['：', ':', '【', '（', '(']).next().unwrap_or(title).trim();
    let title = ["とは何か", "とは", "について"]
        .iter()
        .find_map(|it| title.strip_suffix(it))
        .unwrap_or(title);
    if let Some((name, aspect)) = title.rsplit_once('の')
        && ASPECTS.split('|').any(|it| aspect.starts_with(it))
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
