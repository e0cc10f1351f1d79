//! What `lyra.json` can say beyond one network for one language: a choice of layers, and a calibration for each
//! language; and several stance models as one.

use std::sync::Arc;

use models::{Pair, StanceModel, StanceRouter, Thresholds, Verdict};

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
