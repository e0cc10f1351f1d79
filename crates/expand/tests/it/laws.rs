//! What holds for every text.

use expand::{ExpandSettings, ExpansionKind, expand};
use proptest::prelude::*;

fn many() -> ExpandSettings {
    ExpandSettings { mirrors: 3, scripts: 3, synonyms: 9, related: 9, ..ExpandSettings::default() }
}

/// Queries of words that the dictionaries know, joined at random.
fn crowded() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "がん",
        "癌",
        "ワクチン",
        "サーバ",
        "新型コロナウイルス",
        "ヴァイオリン",
        "東京",
        "國學院",
        "飲み",
        "の",
        "は",
        "を",
        "？",
        "3月",
        "2020年",
        "WHO",
        "COVID-19",
        "C++",
        "heart attack",
        "tumours",
        "randomised",
        "the",
        " ",
        "-",
        "'s",
        "ｶﾞﾝ",
        "ＡＢＣ",
        "\u{3099}",
        "ー",
        "・",
        "々",
        "\0",
    ]);
    prop::collection::vec(words, 0..12).prop_map(|it| it.concat())
}

fn holds(query: &str) {
    let all = expand(query, &many());
    assert_eq!(all, expand(query, &many()), "same query, same expansions");
    for (i, it) in all.iter().enumerate() {
        assert_ne!(it.text, query);
        assert!(!it.text.trim().is_empty());
        assert!(!it.changes.is_empty(), "{it:?}");
        assert!(it.changes.iter().all(|it| it.from != it.to), "{it:?}");
        assert!(all[..i].iter().all(|before| before.text != it.text), "{it:?}");
        if it.kind == ExpansionKind::Mirror {
            assert!(it.text.split(' ').next().is_some_and(|it| !it.is_empty()), "{it:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_expanded_without_harm(text in "\\PC{0,80}") {
        holds(&text);
    }

    #[test]
    fn any_japanese_is_expanded_without_harm(text in "[ぁ-んァ-ヺー一-龠a-cA-C0-9 。、？・]{0,40}") {
        holds(&text);
    }

    #[test]
    fn known_words_in_any_order_are_expanded_without_harm(text in crowded()) {
        holds(&text);
    }

    #[test]
    fn no_kind_is_given_more_often_than_asked_for(
        text in crowded(), mirrors in 0..3_usize, scripts in 0..3_usize, synonyms in 0..4_usize, related in 0..3_usize,
    ) {
        let settings =
            ExpandSettings { mirrors, scripts, synonyms, related, ..ExpandSettings::default() };
        let all = expand(&text, &settings);
        let count = |kind| all.iter().filter(|it| it.kind == kind).count();
        prop_assert!(count(ExpansionKind::Mirror) <= mirrors);
        prop_assert!(count(ExpansionKind::Script) <= scripts);
        prop_assert!(count(ExpansionKind::Synonym) <= synonyms);
        prop_assert!(count(ExpansionKind::Related) <= related);
    }
}
