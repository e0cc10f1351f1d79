//! What `lyra.json` can say beyond one network for one language: a choice of layers, and a calibration for each
//! language; and several stance models as one.

use std::sync::Arc;

use models::{Cascade, Pair, StanceModel, StanceRouter, Thresholds, Verdict};

use crate::support::{Files, one_thread};

const ENGLISH: &str = "Water boils at 100 degrees, and the colder it gets the longer that takes.";
const JAPANESE: &str = "水は100度で沸騰する。";
const FRENCH: &str = "L'eau bout à cent degrés et gèle à zéro degré dans les montagnes.";

fn stance(settings: &str) -> Arc<dyn StanceModel> {
    Files::of("bert").with_settings(settings).stance(&one_thread())
}

/// (supports, refutes, neutral) and the thresholds of one pair.
fn judged(model: &dyn StanceModel, passage: &str, claim: &str) -> ([f32; 3], Thresholds) {
    let verdict = model.judge(&[Pair { passage, claim }]).unwrap().remove(0);
    let Verdict::Judged { supports, refutes, neutral, thresholds, .. } = verdict else {
        panic!("{verdict:?}")
    };
    ([supports, refutes, neutral], thresholds)
}

#[test]
fn layers_are_chosen_from_the_weights_in_the_order_that_is_named() {
    let embed = |settings: &str| {
        let model = Files::of("bert").with_settings(settings).embedder(&one_thread());
        model.embed(&[ENGLISH]).unwrap().remove(0)
    };
    let whole = embed(r#"{"kind": "embedding"}"#);
    assert_eq!(embed(r#"{"kind": "embedding", "layers": [0, 1]}"#), whole);
    let turned = embed(r#"{"kind": "embedding", "layers": [1, 0]}"#);
    let second = embed(r#"{"kind": "embedding", "layers": [1]}"#);
    assert_ne!(turned, whole);
    assert_ne!(second, whole);
    let shorter = Files::of("bert")
        .with_settings(r#"{"kind": "embedding"}"#)
        .with_config(r#""num_hidden_layers": 2"#, r#""num_hidden_layers": 1"#)
        .embedder(&one_thread());
    let first = embed(r#"{"kind": "embedding", "layers": [0]}"#);
    assert_eq!(first, shorter.embed(&[ENGLISH]).unwrap()[0]);
}

#[test]
fn each_language_and_each_pair_of_two_has_its_calibration() {
    let plain = stance(r#"{"languages": ["en", "ja"]}"#);
    let hot = stance(r#"{"languages": ["en", "ja"], "temperature": 4}"#);
    let mixed = stance(
        r#"{"languages": ["en", "ja"], "temperature": 4, "thresholds": {"supports": 0.5, "refutes": 0.75},
            "calibrated": {
                "en": {"temperature": 1},
                "across": {"temperature": 1, "thresholds": {"supports": 0.625, "refutes": 0.875}}}}"#,
    );
    let usual = Thresholds { supports: 0.5, refutes: 0.75 };
    let of = |model: &Arc<dyn StanceModel>, passage, claim| judged(&**model, passage, claim).0;
    assert_eq!(
        judged(&*mixed, ENGLISH, ENGLISH),
        (of(&plain, ENGLISH, ENGLISH), usual),
        "what a language does not say is as for the others"
    );
    assert_eq!(judged(&*mixed, JAPANESE, JAPANESE), (of(&hot, JAPANESE, JAPANESE), usual));
    let shy = Thresholds { supports: 0.625, refutes: 0.875 };
    for (passage, claim) in [(ENGLISH, JAPANESE), (JAPANESE, ENGLISH)] {
        assert_eq!(judged(&*mixed, passage, claim), (of(&plain, passage, claim), shy));
    }
    // Too short to tell the language, but not the script.
    assert_eq!(judged(&*mixed, ENGLISH, "100 °C").0, of(&plain, ENGLISH, "100 °C"));
    assert_eq!(judged(&*mixed, JAPANESE, "水").0, of(&hot, JAPANESE, "水"));
    assert_eq!(judged(&*mixed, JAPANESE, "100 °C").1, shy);
}

#[test]
fn a_panel_asks_the_first_member_that_reads_a_pair() {
    let english = stance(r#"{"id": "english", "languages": ["en"]}"#);
    let both = stance(r#"{"id": "both", "languages": ["en", "ja"], "max_tokens": 32}"#);
    let panel = StanceRouter::new(vec![Arc::clone(&english), Arc::clone(&both)]);
    assert_eq!((panel.id(), panel.max_tokens()), ("english+both", 32));
    assert_eq!(panel.languages().tags(), ["en", "ja"]);
    assert_eq!(panel.memory(), english.memory() + both.memory());
    let pairs = [
        (JAPANESE, ENGLISH),
        (ENGLISH, ENGLISH),
        (FRENCH, ENGLISH),
        (JAPANESE, JAPANESE),
        (ENGLISH, ""),
    ]
    .map(|(passage, claim)| Pair { passage, claim });
    let verdicts = panel.judge(&pairs).unwrap();
    let abstained = |it: &Verdict| matches!(it, Verdict::Abstained { .. });
    assert_eq!(
        verdicts.iter().map(abstained).collect::<Vec<_>>(),
        [false, false, true, false, true]
    );
    assert_eq!(verdicts[0], both.judge(&pairs[..1]).unwrap()[0]);
    assert_eq!(verdicts[1], english.judge(&pairs[1..2]).unwrap()[0]);
    assert_eq!(verdicts[3], both.judge(&pairs[3..4]).unwrap()[0]);
    assert_eq!(panel.judge(&[]).unwrap(), []);
}

#[test]
fn a_decider_judges_what_the_first_gives_a_side_any_chance_and_what_it_cannot_read() {
    let first = stance(r#"{"id": "first", "languages": ["en"], "temperature": 8}"#);
    let decider = Files::of("mpnet")
        .with_settings(r#"{"id": "decider", "languages": ["en", "ja"], "max_tokens": 48}"#)
        .stance(&one_thread());
    let pairs = [
        (ENGLISH, ENGLISH),
        ("Coffee does not cause cancer.", "Coffee causes cancer."),
        ("The trial found no difference between the drug and the placebo.", "The drug works."),
        (ENGLISH, "Water boils on the mountain at a lower temperature."),
        (JAPANESE, ENGLISH),
        (FRENCH, ENGLISH),
    ]
    .map(|(passage, claim)| Pair { passage, claim });
    let strengths: Vec<f32> = pairs[..4]
        .iter()
        .map(|it| judged(&*first, it.passage, it.claim).0)
        .map(|[supports, refutes, _]| supports.max(refutes))
        .collect();
    let mut sorted = strengths.clone();
    sorted.sort_by(f32::total_cmp);
    // The two stronger ones are asked about, the one on the line among them.
    let cascade = Cascade::new(Arc::clone(&first), Arc::clone(&decider), sorted[2]);
    assert_eq!((cascade.id(), cascade.max_tokens()), ("first>decider", 48));
    assert_eq!(cascade.languages().tags(), ["en", "ja"]);
    assert_eq!(cascade.memory(), first.memory() + decider.memory());

    let verdicts = cascade.judge(&pairs).unwrap();
    let alone = [&first, &decider].map(|it| it.judge(&pairs).unwrap());
    for (place, strength) in strengths.into_iter().enumerate() {
        let judge = usize::from(strength >= sorted[2]);
        assert_eq!(verdicts[place], alone[judge][place], "{:?}", pairs[place]);
    }
    assert_eq!(verdicts[4], alone[1][4], "the first does not read Japanese");
    assert_eq!(verdicts[5], alone[0][5], "nobody reads French");
    assert_eq!(cascade.judge(&[]).unwrap(), []);
}
