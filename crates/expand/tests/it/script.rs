//! The same words in another spelling.

use expand::{ExpandSettings, ExpansionKind, expand};

use crate::support::{shown, texts};

fn spelled(query: &str) -> String {
    texts(query, ExpansionKind::Script)
}

#[test]
fn katakana_is_spelled_both_ways_and_all_words_at_once() {
    for (query, expected) in [
        ("サーバのメモリ", "サーバーのメモリー"),
        ("コンピューターウイルス", "コンピュータウイルス"),
        ("ウィルス感染", "ウイルス感染"),
        ("ヴァイオリン協奏曲", "バイオリン協奏曲"),
        ("ソフトウエアの欠陥", "ソフトウェアの欠陥"),
    ] {
        assert_eq!(spelled(query), expected, "{query}");
    }
}

#[test]
fn a_katakana_word_that_no_list_has_loses_only_its_vu() {
    assert_eq!(spelled("ヴィエンチャンの空港"), "ビエンチャンの空港");
    assert_eq!(spelled("ビエンチャンの空港"), "");
}

#[test]
fn words_that_only_look_alike_are_not_mixed_up() {
    for query in ["ビールの歴史", "ラッパの音", "ルーブルの為替", "ロブスタ種"]
    {
        assert_eq!(spelled(query), "", "{query}");
    }
}

#[test]
fn kana_and_kanji_of_one_word_stand_for_each_other() {
    for (query, expected) in [
        ("がんの治療", "癌の治療"),
        ("癌の治療", "がんの治療"),
        ("子供の貧困", "子どもの貧困"),
        ("データの改ざん", "データの改竄"),
        ("蛋白質の構造", "たんぱく質の構造"),
    ] {
        assert_eq!(spelled(query), expected, "{query}");
    }
}

#[test]
fn old_characters_become_new_ones() {
    assert_eq!(
        shown("國學院大學", &ExpandSettings { mirrors: 0, ..ExpandSettings::default() }),
        "script: 国学院大学 [國學院 > 国学院 old_kanji, 大學 > 大学 old_kanji]"
    );
    assert_eq!(spelled("渡邊"), "渡辺");
}

#[test]
fn british_and_american_english_stand_for_each_other() {
    for (query, expected) in [
        ("brain tumours in children", "brain tumors in children"),
        ("brain tumor", "brain tumour"),
        ("Randomised trial of anaemia", "Randomized trial of anemia"),
        ("color blindness", "colour blindness"),
        ("visual art", ""),
    ] {
        assert_eq!(spelled(query), expected, "{query}");
    }
}

#[test]
fn a_query_that_differs_in_width_alone_says_so() {
    insta::assert_snapshot!(
        shown("ﾜｸﾁﾝの安全性", &ExpandSettings { mirrors: 0, related: 0, ..ExpandSettings::default() }),
        @"script: ワクチンの安全性 [ﾜｸﾁﾝの安全性 > ワクチンの安全性 width] (same terms)"
    );
    assert_eq!(spelled("ワクチンの安全性？"), "", "signs are nothing to search for");
}

#[test]
fn a_second_spelling_is_given_when_asked_for() {
    let settings =
        ExpandSettings { mirrors: 0, scripts: 2, synonyms: 0, ..ExpandSettings::default() };
    let all = expand("ひ素の毒性", &settings);
    let texts: Vec<_> = all.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["ヒ素の毒性", "砒素の毒性"]);
}
