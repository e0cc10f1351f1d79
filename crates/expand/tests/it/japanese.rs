//! Japanese questions as English keywords.

use crate::support::mirror;

#[test]
fn japanese_questions_become_english_keywords() {
    for (question, expected) in [
        (
            "新型コロナウイルスの後遺症に対するワクチンの効果は？",
            "COVID-19 sequelae vaccine effect",
        ),
        ("コーヒーは心筋梗塞のリスクを減らすか", "coffee myocardial infarction risk reduce"),
        ("糖尿病患者の食事療法について教えてください", "diabetes patient diet therapy"),
        ("高血圧と脳卒中の関係", "hypertension stroke relationship"),
        ("機械学習のモデルを訓練する方法", "machine learning model training method"),
        ("子供の肥満を防ぐには", "child obesity prevent"),
        ("徳川家康はいつ生まれたか", "Ieyasu Tokugawa born"),
        ("認知症の危険因子は何ですか", "dementia risk factor"),
        ("緑茶とコレステロールの関係を教えて", "green tea cholesterol relationship"),
        ("再生可能エネルギーのコスト比較", "renewable energy cost comparison"),
        ("地震の予測は可能か", "earthquake prediction"),
        ("東京", "Tokyo"),
        (
            "インフルエンザワクチンは高齢者の肺炎を予防するか",
            "influenza vaccine elderly people pneumonia prevention",
        ),
        (
            "個人情報保護法の改正で何が変わったか",
            "Act on the Protection of Personal Information revision",
        ),
    ] {
        assert_eq!(mirror(question), expected, "{question}");
    }
}

#[test]
fn latin_words_and_years_are_carried_over() {
    for (question, expected) in [
        ("PostgreSQLのインデックスの種類", "PostgreSQL index type"),
        ("Windows 11のセキュリティ機能", "Windows 11 security feature"),
        ("C++の例外", "C++ exception"),
        ("2020年の東京オリンピック", "2020 Tokyo Olympic Games"),
        ("令和5年の出生率", "Reiwa 5 birth rate"),
        ("３月の平均気温", "March average temperature"),
        ("iPS細胞の臨床試験", "induced pluripotent stem cell clinical trial"),
    ] {
        assert_eq!(mirror(question), expected, "{question}");
    }
}

#[test]
fn small_numbers_and_counters_are_left_behind() {
    assert_eq!(mirror("患者3人の症状"), "patient symptom");
}

#[test]
fn words_in_kana_are_found_between_particles_but_not_inside_other_words() {
    assert_eq!(mirror("がんの免疫療法"), "cancer immunotherapy");
    assert_eq!(mirror("喫煙とがん"), "smoking cancer");
    assert_eq!(mirror("健康のためにがんばる"), "health");
}

#[test]
fn a_known_part_of_an_unknown_katakana_word_is_no_word() {
    assert_eq!(mirror("オンラインゲームの依存症"), "online game addiction");
    assert_eq!(mirror("ゲームボルグ"), "");
}

#[test]
fn the_end_of_a_compound_does_not_stand_for_it_but_its_beginning_may() {
    assert_eq!(mirror("硫化水素"), "");
    assert_eq!(mirror("米国の石油備蓄"), "United States oil");
}

#[test]
fn verbs_are_found_in_any_form_and_left_out_where_nouns_say_enough() {
    for form in ["減らす", "減らした", "減らさない", "減らして"] {
        assert_eq!(mirror(&format!("喫煙を{form}")), "smoking reduce", "{form}");
    }
    assert_eq!(
        mirror("血圧と血糖値と体重と年齢を減らす"),
        "blood pressure blood glucose body weight age"
    );
}

#[test]
fn a_question_of_which_too_little_is_known_has_no_mirror() {
    assert_eq!(mirror("ラーンサーン王朝はいつまで続いたか"), "");
    assert_eq!(mirror("ヌメロヴィッチの首都"), "");
}

#[test]
fn old_characters_are_read_as_new_ones() {
    assert_eq!(mirror("國會の豫算"), "National Diet budget");
}

#[test]
fn a_query_that_says_it_in_both_languages_gains_no_mirror() {
    assert_eq!(mirror("機械学習 machine learning とは"), "");
}

#[test]
fn a_word_is_written_once() {
    assert_eq!(mirror("ワクチンの効果とワクチンの安全性"), "vaccine effect safety");
    assert_eq!(mirror("副作用と副反応"), "side effect");
}
