//! The words texts are put together from, besides the facts. `{topic}`, `{org}`, `{person}` and `{place}` are filled in.

use super::{Language, pick};

pub(super) fn people(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &[
            "Ines Halloran",
            "Tobias Wrenn",
            "Maya Ostrander",
            "Colm Adeyinka",
            "Petra Lindqvist",
            "Samir Boutros",
            "Gwen Tallis",
            "Rafael Ibarra",
        ],
        Language::Japanese => &[
            "早瀬ゆかり",
            "森下達也",
            "久保田紗希",
            "大河内亮",
            "三輪真由美",
            "長峰健吾",
            "柏木美帆",
            "有働直人",
        ],
    }
}

pub(super) fn organisations(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &[
            "the Institute of Applied Evidence",
            "Lowmere University Hospital",
            "the Brennan Foundation",
            "the Office of Public Standards",
            "Aldport Technical College",
            "the Coastal Research Council",
        ],
        Language::Japanese => &[
            "応用根拠研究所",
            "白浜大学病院",
            "北原財団",
            "公共規格局",
            "有明工業大学",
            "沿岸研究評議会",
        ],
    }
}

pub(super) fn places(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => {
            &["Lowmere", "Aldport", "Brennan Bay", "Coldstone", "Northwick", "Easterby"]
        }
        Language::Japanese => &["白浜市", "有明町", "北原市", "青峰", "西ノ宮", "朝霧県"],
    }
}

/// Sentences that fit any topic and say nothing that could be checked.
pub(super) fn filler(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &[
            "People who follow {topic} have waited for a clear statement for some time.",
            "\"We looked at every record twice before we wrote anything down,\" said {person} of {org}.",
            "Visitors from {place} filled the hall, and the questions went on until late in the evening.",
            "The report describes the methods in an appendix and lists what could not be examined.",
            "{org} did not want to comment on the work of other groups.",
            "Whether the same holds elsewhere is a question that the authors leave to others.",
            "A summary for readers without special knowledge is printed on the last page.",
            "In {place} the subject has been discussed in the town council more than once.",
            "According to {person}, the costs were shared by several partners.",
            "Not everybody was convinced, and a written reply is expected in the autumn.",
            "The data behind {topic} can be requested from {org}.",
            "Readers should keep in mind that a single source is rarely the whole story.",
            "{person} began to work on the question as a student in {place}.",
            "The next meeting on {topic} is planned for the coming year.",
        ],
        Language::Japanese => &[
            "{topic}に関心を持つ人々は、以前から明確な説明を待っていた。",
            "「記録はすべて二度確認してから書きました」と{org}の{person}氏は話す。",
            "会場は{place}からの来場者で埋まり、質問は夜遅くまで続いた。",
            "報告書は付録で方法を説明し、調べられなかった点も挙げている。",
            "{org}は、ほかの団体の仕事についての論評を控えた。",
            "同じことがほかの地域にも当てはまるかどうかは、今後の課題とされている。",
            "専門知識のない読者のための要約が最後のページに載っている。",
            "{place}では、この問題が議会で何度も取り上げられてきた。",
            "{person}氏によると、費用は複数の協力者が分担した。",
            "納得しない人もおり、秋には書面による回答が予定されている。",
            "{topic}に関するデータは{org}に請求できる。",
            "一つの情報源だけで全体がわかることは少ない点に注意が必要である。",
            "{person}氏は、{place}の学生であった頃からこの問題に取り組んでいる。",
            "{topic}についての次の会合は来年に予定されている。",
        ],
    }
}

/// A sentence that no other text has: two stories of one topic are then no copies of each other.
pub(super) fn composed(random: &mut fastrand::Rng, language: Language) -> String {
    match language {
        Language::English => {
            let who = pick(
                random,
                &[
                    "Teachers",
                    "Gardeners",
                    "Sailors",
                    "Librarians",
                    "Painters",
                    "Carpenters",
                    "Tailors",
                    "Farmers",
                    "Pilots",
                    "Bakers",
                    "Weavers",
                    "Masons",
                    "Porters",
                    "Cooks",
                    "Printers",
                    "Singers",
                    "Drivers",
                ],
            );
            let did = pick(
                random,
                &[
                    "sorted",
                    "counted",
                    "repaired",
                    "painted",
                    "carried",
                    "described",
                    "collected",
                    "weighed",
                    "copied",
                    "labelled",
                    "exchanged",
                    "borrowed",
                    "stacked",
                    "cleaned",
                    "polished",
                    "drew",
                ],
            );
            let how = pick(
                random,
                &[
                    "narrow", "copper", "wooden", "yellow", "heavy", "ancient", "empty", "silver",
                    "cracked", "striped", "spare", "woollen", "dusty", "round", "printed", "green",
                ],
            );
            let what = pick(
                random,
                &[
                    "lanterns", "ladders", "maps", "boxes", "bells", "ropes", "chairs", "kettles",
                    "windows", "baskets", "letters", "carpets", "clocks", "barrels", "nets",
                    "shelves", "wheels", "jars",
                ],
            );
            let at =
                pick(random, &["near", "behind", "outside", "around", "above", "below", "beyond"]);
            format!("{who} {did} {how} {what} {at} {}.", pick(random, places(language)))
        }
        Language::Japanese => {
            let who = pick(
                random,
                &[
                    "教師",
                    "庭師",
                    "船員",
                    "司書",
                    "画家",
                    "大工",
                    "仕立屋",
                    "農家",
                    "操縦士",
                    "織工",
                    "石工",
                    "歌手",
                ],
            );
            let how = pick(
                random,
                &[
                    "細い",
                    "重い",
                    "古い",
                    "丸い",
                    "青い",
                    "銀の",
                    "木の",
                    "空の",
                    "小さな",
                    "縞の",
                    "緑の",
                    "銅の",
                ],
            );
            let what = pick(
                random,
                &[
                    "灯籠", "梯子", "地図", "小箱", "鈴", "縄", "椅子", "薬缶", "窓枠", "籠",
                    "手紙", "絨毯", "時計",
                ],
            );
            let did = pick(
                random,
                &[
                    "並べた",
                    "数えた",
                    "直した",
                    "塗った",
                    "運んだ",
                    "量った",
                    "写した",
                    "磨いた",
                    "描いた",
                    "借りた",
                ],
            );
            format!("{who}は{}で{how}{what}を{did}。", pick(random, places(language)))
        }
    }
}

pub(super) fn headings(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &["Background", "What was found", "Reactions", "What comes next"],
        Language::Japanese => &["背景", "わかったこと", "反応", "今後の予定"],
    }
}

/// What announces how a text treats a fact.
pub(super) fn openings(language: Language, stance: super::Stance) -> &'static [&'static str] {
    use super::Stance::{Agrees, Denies, Differs, Outdated};
    match (language, stance) {
        (Language::English, Agrees) => {
            &["", "The figures are clear. ", "This has been confirmed. "]
        }
        (Language::English, Differs) => {
            &["Our own count gives another picture. ", "Other numbers are in use here. "]
        }
        (Language::English, Denies) => &["Doubts have grown. ", "Critics disagree. "],
        (Language::English, Outdated) => {
            &["This is how things stand. ", "So far this is what is known. "]
        }
        (Language::Japanese, Agrees) => &["", "数字は明らかである。", "この点は確認されている。"],
        (Language::Japanese, Differs) => {
            &["独自の集計では別の結果が出た。", "ここでは別の数字が使われている。"]
        }
        (Language::Japanese, Denies) => {
            &["疑問の声が広がっている。", "批判する人々の見方は異なる。"]
        }
        (Language::Japanese, Outdated) => {
            &["現時点では次のとおりである。", "これまでにわかっているのは次のことである。"]
        }
    }
}
