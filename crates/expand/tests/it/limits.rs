//! The edges: nothing, too much, other languages, and what the settings allow.

use expand::{Change, ExpandSettings, Expansion, ExpansionKind, Relation, expand};

use crate::support::shown;

#[test]
fn texts_without_content_have_no_expansion() {
    for query in [
        "",
        " ",
        "？",
        "。。。",
        "what is it",
        "the",
        "これは何ですか",
        "それについて教えて",
        "12345",
        "3.14 %",
        "😀",
    ] {
        assert_eq!(expand(query, &ExpandSettings::default()), [], "{query}");
    }
}

#[test]
fn other_languages_have_no_expansion() {
    for query in [
        "Die Untersuchung zeigt, dass die Impfung schwere Erkrankungen verringert hat",
        "Aspirin senkt die Sterblichkeit",
        "La vaccination réduit la mortalité chez les personnes âgées",
        "疫苗使老年人的重症率降低了一半以上，这项研究发表于二零二一年。",
        "백신은 중증을 절반 이상 줄였다",
        "Вакцина снизила число тяжёлых случаев",
    ] {
        assert_eq!(expand(query, &ExpandSettings::default()), [], "{query}");
    }
}

#[test]
fn a_text_longer_than_a_query_is_left_alone() {
    let settings = ExpandSettings::default();
    let longest = "がん".repeat(settings.max_query_chars / 2);
    assert!(!expand(&longest, &settings).is_empty());
    assert_eq!(expand(&format!("{longest}。"), &settings), []);
}

#[test]
fn a_mirror_has_no_more_words_than_allowed() {
    let settings = ExpandSettings { max_words: 2, ..ExpandSettings::default() };
    let all = expand("喫煙と飲酒と肥満と高血圧", &settings);
    assert_eq!(all[0].text, "smoking alcohol consumption");
}

#[test]
fn nothing_is_given_where_nothing_is_asked_for() {
    let settings = ExpandSettings {
        mirrors: 0,
        scripts: 0,
        synonyms: 0,
        related: 0,
        ..ExpandSettings::default()
    };
    assert_eq!(expand("がんのﾜｸﾁﾝ", &settings), []);
    assert_eq!(expand("heart attack tumour", &settings), []);
}

#[test]
fn the_share_that_must_be_known_is_a_setting() {
    let query = "ヌメロヴィッチの首都";
    let all = ExpandSettings { min_mirrored_share: 0.0, ..ExpandSettings::default() };
    assert_eq!(expand(query, &all)[0].text, "capital");
    let none = ExpandSettings { min_mirrored_share: 1.0, ..ExpandSettings::default() };
    assert!(expand(query, &none).iter().all(|it| it.kind != ExpansionKind::Mirror));
}

#[test]
fn a_second_mirror_uses_the_second_best_words() {
    let settings =
        ExpandSettings { mirrors: 2, synonyms: 0, related: 0, ..ExpandSettings::default() };
    insta::assert_snapshot!(shown("議会の歴史", &settings), @"
    mirror: parliament history [議会 > parliament translation, 歴史 > history translation]
    mirror: Congress historical [議会 > Congress translation, 歴史 > historical translation]
    ");
}

#[test]
fn every_new_word_says_where_it_comes_from() {
    insta::assert_snapshot!(shown("サーバのがん対策 2024", &ExpandSettings::default()), @"
    mirror: server cancer countermeasures 2024 [サーバ > server translation, がん > cancer translation, 対策 > countermeasures translation]
    script: サーバーの癌対策 2024 [サーバ > サーバー spelling, がん > 癌 spelling]
    synonym: サーバの悪性腫瘍対策 2024 [がん > 悪性腫瘍 synonym]
    ");
}

#[test]
fn kinds_are_stored_by_their_names() {
    let expansion = Expansion {
        text: "cancer".to_owned(),
        kind: ExpansionKind::Mirror,
        changes: vec![Change {
            from: "癌".to_owned(),
            to: "cancer".to_owned(),
            relation: Relation::OldKanji,
        }],
        new_terms: true,
    };
    let stored = serde_json::to_string(&expansion).unwrap();
    assert_eq!(
        stored,
        r#"{"text":"cancer","kind":"mirror","changes":[{"from":"癌","to":"cancer","relation":"old_kanji"}],"new_terms":true}"#
    );
    assert_eq!(serde_json::from_str::<Expansion>(&stored).unwrap(), expansion);
    for kind in ExpansionKind::ALL {
        assert_eq!(serde_json::to_string(kind).unwrap(), format!("\"{}\"", kind.as_str()));
    }
}
