//! English questions as Japanese keywords.

use crate::support::mirror;

#[test]
fn english_questions_become_japanese_keywords() {
    for (question, expected) in [
        ("Does aspirin prevent heart attacks in the elderly?", "アスピリン 防ぐ 心筋梗塞 高齢者"),
        ("What are the side effects of statins?", "副作用 スタチン"),
        ("How does ransomware spread through email?", "ランサムウェア 広まる 電子メール"),
        ("effects of climate change on rice production in Japan", "効果 気候変動 米 生産 日本"),
        ("who discovered penicillin", "発見 ペニシリン"),
        ("Is remote work bad for productivity?", "在宅勤務 悪い 生産性"),
        ("machine learning", "機械学習"),
        ("Which antibiotics are effective against tuberculosis?", "抗生物質 効果 結核"),
        ("impact of minimum wage on employment", "影響 最低賃金 雇用"),
        ("How is public-key cryptography used in digital signatures?", "公開鍵暗号 電子署名"),
        ("Are e-cigarettes less harmful than smoking?", "電子たばこ 有害 喫煙"),
        ("What is the capital of Laos?", "首都 ラオス"),
        ("causes of the 1923 Great Kanto earthquake", "原因 1923 関東大震災"),
        ("prevention of osteoporosis in postmenopausal women", "予防 骨粗鬆症 女性"),
        ("over-the-counter drugs", "市販薬"),
    ] {
        assert_eq!(mirror(question), expected, "{question}");
    }
}

#[test]
fn number_case_spelling_and_hyphens_make_no_difference() {
    for query in ["heart attack", "Heart Attacks", "HEART ATTACK", "heart-attack", "heart attack's"]
    {
        assert_eq!(mirror(query), "心筋梗塞", "{query}");
    }
    for query in ["randomised controlled trial", "randomized controlled trials"] {
        assert_eq!(mirror(query), "ランダム化比較試験", "{query}");
    }
}

#[test]
fn short_forms_in_capitals_are_not_small_words() {
    assert_eq!(mirror("WHO guidelines"), "世界保健機関 ガイドライン");
    assert_eq!(mirror("guidelines for those who smoke"), "ガイドライン 吸う");
    assert_eq!(mirror("WHO IS THE PRIME MINISTER OF JAPAN"), "内閣総理大臣 日本");
    assert_eq!(mirror("AIDS patients"), "後天性免疫不全症候群 患者");
}

#[test]
fn letters_numbers_and_names_are_carried_over() {
    assert_eq!(mirror("hepatitis B vaccine"), "B型肝炎 ワクチン");
    assert_eq!(mirror("IPv6 security"), "IPv6 セキュリティ");
    assert_eq!(mirror("東京 population 2030"), "東京 人口 2030");
}

#[test]
fn unknown_words_are_left_out_while_enough_is_known() {
    assert_eq!(mirror("zyxomab treatment of lung cancer"), "治療 肺がん");
    assert_eq!(mirror("zyxomab and qwertinib treatment"), "");
}

#[test]
fn words_with_many_meanings_are_left_and_too_many_of_them_leave_nothing() {
    for (question, expected) in [
        (
            "Does vitamin D reduce falls and hip fractures in older adults?",
            "ビタミンD 減らす 大腿骨近位部骨折 高齢者",
        ),
        ("Is hip replacement safe in patients over 80?", "人工股関節置換術 安全 患者 80"),
        ("Does a four-day week increase wages?", "週休三日制 増加 賃金"),
        ("Is plate clearing a risk factor for obesity?", ""),
        ("hip pain", ""),
    ] {
        assert_eq!(mirror(question), expected, "{question}");
    }
}
