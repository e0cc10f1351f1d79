//! Another word for the same thing, and for broader and narrower ones.

use expand::ExpansionKind::{Related, Synonym};
use expand::{ExpandSettings, Relation, expand};

use crate::support::texts;

#[test]
fn another_word_stands_for_the_same_thing() {
    for (query, expected) in [
        ("新型コロナウイルスの流行", "新型コロナウイルス感染症の流行\n新型コロナの流行"),
        ("副反応の頻度", "副作用の頻度"),
        ("国連の決議", "国際連合の決議"),
        ("デパートの歴史", "百貨店の歴史"),
        ("heart attack symptoms", "myocardial infarction symptoms"),
        ("What is high blood pressure?", "What is hypertension?"),
        ("police car", "patrol car"),
    ] {
        assert_eq!(texts(query, Synonym), expected, "{query}");
    }
}

#[test]
fn short_forms_and_what_they_stand_for_stand_for_each_other() {
    for (query, expected) in [
        ("GVHD prophylaxis", "graft-versus-host disease prophylaxis"),
        ("acute kidney injury", "AKI"),
        ("MERSの感染", "中東呼吸器症候群の感染"),
        ("国際司法裁判所の判決", "ICJの判決"),
    ] {
        assert_eq!(texts(query, Synonym), expected, "{query}");
    }
}

#[test]
fn words_that_stand_in_all_questions_are_not_replaced() {
    assert_eq!(texts("訓練の方法", Synonym), "");
    assert_eq!(texts("method of analysis", Synonym), "");
}

#[test]
fn verbs_are_not_replaced() {
    assert_eq!(texts("体重を減らす", Synonym), "");
}

#[test]
fn a_word_that_stands_twice_is_replaced_twice() {
    assert_eq!(texts("高血圧の父と高血圧の母", Synonym), "高血圧症の父と高血圧症の母");
}

#[test]
fn broader_and_narrower_words_say_which_they_are() {
    assert_eq!(texts("地球温暖化の原因", Related), "気候変動の原因");
    assert_eq!(texts("deep learning", Related), "machine learning");
    let all = expand("気候変動", &ExpandSettings::default());
    let changes: Vec<_> =
        all.iter().filter(|it| it.kind == Related).flat_map(|it| &it.changes).collect();
    assert_eq!(changes.len(), 1);
    assert_eq!((changes[0].to.as_str(), changes[0].relation), ("地球温暖化", Relation::Narrower));
}
