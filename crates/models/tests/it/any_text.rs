//! No text makes a model panic, and every text has an answer of the right form.

use models::{Options, Pair, Verdict};
use proptest::prelude::*;

use crate::support::{Files, one_thread};

fn odd_texts() -> Vec<String> {
    vec![
        String::new(),
        " ".to_owned(),
        "\n\n\t".to_owned(),
        (0..32).map(char::from).collect(),
        "\u{0}\u{7f}\u{feff}\u{200b}\u{200e}\u{202e}".to_owned(),
        "👩‍👩‍👧‍👦🇯🇵🏳️‍🌈 emoji".to_owned(),
        "مرحبا بالعالم, this runs both ways, שלום".to_owned(),
        "e\u{301}\u{301}\u{301}".repeat(100),
        "[CLS] [SEP] <s> </s> <pad> [MASK] [PAD]".to_owned(),
        "x".repeat(100_000),
        "\u{10ffff}\u{e000}\u{fffd}".to_owned(),
        "𝕬𝖑𝖕𝖍𝖆 𠮷野家 ﷽".to_owned(),
    ]
}

#[test]
fn odd_texts_are_embedded_and_judged_by_every_architecture() {
    let texts = odd_texts();
    let options = Options { max_windows: 3, ..one_thread() };
    for name in ["bert", "xlm-roberta", "deberta-v3"] {
        let files = |kind: &str| {
            Files::of(name).with_settings(&format!(r#"{{"kind": "{kind}", "languages": ["*"]}}"#))
        };
        let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = files("embedding").embedder(&options).embed(&borrowed).unwrap();
        assert_eq!(vectors.len(), texts.len());
        assert!(vectors.iter().flatten().all(|it| it.is_finite()));
        let model = files("stance").stance(&options);
        let pairs: Vec<_> =
            texts.iter().map(|it| Pair { passage: it, claim: "Water boils." }).collect();
        assert_eq!(model.judge(&pairs).unwrap().len(), texts.len());
        let pairs: Vec<_> =
            texts.iter().map(|it| Pair { passage: "Water boils.", claim: it }).collect();
        assert_eq!(model.judge(&pairs).unwrap().len(), texts.len());
    }
}

#[test]
fn a_megabyte_of_anything_is_read_up_to_the_limit() {
    let mega = [
        "Water boils at 100 degrees. ".repeat(40_000),
        "水は百度で沸騰する。".repeat(40_000),
        "x".repeat(1_100_000),
        " ".repeat(1_100_000),
        "🎉".repeat(300_000),
    ];
    let options = Options { max_windows: 4, ..one_thread() };
    for name in ["bert", "xlm-roberta"] {
        let settings = r#"{"kind": "embedding"}"#;
        let model = Files::of(name).with_settings(settings).embedder(&options);
        for text in &mega {
            assert_eq!(model.embed(&[text]).unwrap()[0].len(), 32);
        }
        let model = Files::of(name).with_settings(r#"{"languages": ["*"]}"#).stance(&options);
        let verdicts = model.judge(&[Pair { passage: &mega[0], claim: &mega[0] }]).unwrap();
        let [Verdict::Judged { read, .. }] = &verdicts[..] else { panic!("abstained") };
        assert!((100..10_000).contains(read), "{read}");
    }
}

#[test]
fn text_that_spells_a_special_token_stays_text() {
    let model = Files::of("bert").with_settings(r#"{"kind": "embedding"}"#).embedder(&one_thread());
    let vectors = model.embed(&["water [SEP] boils", "water boils"]).unwrap();
    assert_ne!(vectors[0], vectors[1]);
    // Brackets and letters, cut like any other word.
    let spelled = model.embed(&["water [ SEP ] boils"]).unwrap();
    assert_eq!(vectors[0], spelled[0]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_a_unit_vector_and_probabilities_that_sum_to_one(text in any::<String>(), claim in ".{0,40}") {
        for name in ["bert", "deberta-v2"] {
            let settings = r#"{"kind": "embedding"}"#;
            let vector = Files::of(name).with_settings(settings).embedder(&one_thread()).embed(&[&text]).unwrap().remove(0);
            let length: f32 = vector.iter().map(|it| it * it).sum();
            prop_assert!((length - 1.0).abs() < 1e-5);
            let model = Files::of(name).with_settings(r#"{"languages": ["*"]}"#).stance(&one_thread());
            for verdict in model.judge(&[Pair { passage: &text, claim: &claim }]).unwrap() {
                if let Verdict::Judged { supports, refutes, neutral, window, read, .. } = verdict {
                    prop_assert!((supports + refutes + neutral - 1.0).abs() < 1e-5);
                    prop_assert!(text.get(window).is_some());
                    prop_assert_eq!(read, text.len());
                }
            }
        }
    }
}
