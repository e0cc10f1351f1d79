//! Equal to the reference library: the numbers in `expected.json` were computed by it.

use std::collections::BTreeMap;
use std::fs;

use models::{Model, ModelFiles, Options, Pair, Verdict, load};
use serde::Deserialize;

use crate::support::{ALL, Files, STANCE, folder, in_floats, one_thread};

const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct Expected {
    embeddings: Vec<Embedding>,
    stances: Vec<Judged>,
}

#[derive(Deserialize)]
struct Embedding {
    text: String,
    mean: Vec<f32>,
    cls: Vec<f32>,
}

#[derive(Deserialize)]
struct Judged {
    passage: String,
    claim: String,
    order: String,
    probabilities: Vec<f32>,
    at_temperature_2: Vec<f32>,
}

fn expected(name: &str) -> Expected {
    let text = fs::read_to_string(folder("expected.json")).unwrap();
    let mut all: BTreeMap<String, Expected> = serde_json::from_str(&text).unwrap();
    all.remove(name).unwrap()
}

fn assert_close(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < TOLERANCE, "{what}: {found} instead of {expected}");
    }
}

#[test]
fn embeddings_equal_the_reference_with_mean_and_cls_pooling() {
    for name in ALL {
        let expected = expected(name);
        assert_eq!(expected.embeddings.len(), 7);
        for pooling in ["mean", "cls"] {
            let settings = format!(r#"{{"kind": "embedding", "pooling": "{pooling}"}}"#);
            let model = Files::of(name).with_settings(&settings).embedder(&in_floats());
            for case in &expected.embeddings {
                let found = model.embed(&[&case.text]).unwrap();
                let wanted = if pooling == "mean" { &case.mean } else { &case.cls };
                assert_close(&found[0], wanted, &format!("{name} {pooling} {:?}", case.text));
            }
        }
    }
}

#[test]
fn stances_equal_the_reference_in_both_orders_and_at_a_temperature() {
    for name in STANCE {
        let expected = expected(name);
        assert_eq!(expected.stances.len(), 10);
        // Supports, refutes, neutral in the order of the logits.
        let places = if matches!(name, "bert-int8" | "deberta-v3") { [0, 2, 1] } else { [1, 0, 2] };
        for case in &expected.stances {
            for (temperature, wanted) in [(1, &case.probabilities), (2, &case.at_temperature_2)] {
                let settings = format!(
                    r#"{{"order": "{}", "temperature": {temperature}, "languages": ["*"]}}"#,
                    case.order
                );
                let model = Files::of(name).with_settings(&settings).stance(&in_floats());
                let pair = Pair { passage: &case.passage, claim: &case.claim };
                let [Verdict::Judged { supports, refutes, neutral, window, read, .. }] =
                    &model.judge(&[pair]).unwrap()[..]
                else {
                    panic!("{name} abstained from {:?}", case.passage);
                };
                let what = format!("{name} {:?} {:?} {}", case.passage, case.claim, case.order);
                assert_close(&[*supports, *refutes, *neutral], &places.map(|it| wanted[it]), &what);
                assert_eq!((window.clone(), *read), (0..case.passage.len(), case.passage.len()));
            }
        }
    }
}

/// Weights of random numbers are the hardest case: nothing was trained to bear the rounding.
#[test]
fn weights_of_eight_bits_give_nearly_the_same_in_whole_numbers() {
    let settings = r#"{"kind": "embedding", "pooling": "mean"}"#;
    let [exact, whole] = [in_floats(), one_thread()]
        .map(|it| Files::of("bert-int8").with_settings(settings).embedder(&it));
    for case in expected("bert-int8").embeddings {
        let [one, other] = [&exact, &whole].map(|it| it.embed(&[&case.text]).unwrap().remove(0));
        let alike: f32 = one.iter().zip(&other).map(|(one, other)| one * other).sum();
        assert!(alike > 0.999, "{alike} {:?}", case.text);
        assert_ne!(one, other, "whole numbers were not used");
    }
    assert!(whole.memory() < exact.memory());
}

#[test]
fn weights_of_floats_are_multiplied_as_floats_whatever_is_set() {
    for name in ["bert", "mpnet", "xlm-roberta", "deberta-v3"] {
        let [exact, usual] = [in_floats(), one_thread()].map(|it| {
            let settings = r#"{"kind": "embedding"}"#;
            Files::of(name).with_settings(settings).embedder(&it).embed(&["Water boils."]).unwrap()
        });
        assert_eq!(exact, usual, "{name}");
    }
}

#[test]
fn a_folder_is_read_with_its_pooling_and_under_its_name() {
    let files = ModelFiles::from_folder(&folder("bert-embedder")).unwrap();
    let Model::Embedder(model) = load(files, &Options::default()).unwrap() else {
        panic!("a model without labels is for embeddings");
    };
    assert_eq!((model.id(), model.dimension(), model.max_tokens()), ("bert-embedder", 32, 64));
    assert_eq!(model.languages().tags(), ["en"]);
    // The folder asks for CLS pooling in `1_Pooling/config.json`.
    let case = &expected("bert-embedder").embeddings[2];
    assert_close(&model.embed(&[&case.text]).unwrap()[0], &case.cls, "bert-embedder");

    let files = ModelFiles::from_folder(&folder("xlm-roberta")).unwrap();
    let Model::Stance(model) = load(files, &Options::default()).unwrap() else {
        panic!("a model with the three labels is for stance");
    };
    assert_eq!((model.id(), model.max_tokens()), ("xlm-roberta", 64));
    assert_eq!(model.languages().tags(), ["*"]);
}

#[test]
fn a_text_has_the_same_bits_alone_in_any_batch_and_on_any_number_of_threads() {
    for name in ALL {
        let cases = expected(name).embeddings;
        let texts: Vec<&str> = cases.iter().map(|it| it.text.as_str()).cycle().take(40).collect();
        let settings = r#"{"kind": "embedding", "pooling": "mean"}"#;
        let model = |options: &Options| Files::of(name).with_settings(settings).embedder(options);
        let alone: Vec<_> = {
            let model = model(&one_thread());
            texts.iter().map(|it| model.embed(&[it]).unwrap().remove(0)).collect()
        };
        for (threads, batch_tokens) in [(1, 1), (1, 100), (1, 100_000), (3, 50), (4, 960)] {
            let options = Options { threads, batch_tokens, ..Options::default() };
            let together = model(&options).embed(&texts).unwrap();
            assert_eq!(together, alone, "{name}, {threads} threads, {batch_tokens} tokens");
        }
    }
}

#[test]
fn a_verdict_is_the_same_alone_and_in_a_batch() {
    for name in STANCE {
        let cases = expected(name).stances;
        let pairs: Vec<_> =
            cases.iter().map(|it| Pair { passage: &it.passage, claim: &it.claim }).collect();
        let files = || Files::of(name).with_settings(r#"{"languages": ["*"]}"#);
        let model = files().stance(&one_thread());
        let alone: Vec<_> = pairs.iter().map(|it| model.judge(&[*it]).unwrap().remove(0)).collect();
        let options = Options { threads: 3, batch_tokens: 70, ..Options::default() };
        assert_eq!(files().stance(&options).judge(&pairs).unwrap(), alone, "{name}");
    }
}

#[test]
fn vectors_have_length_one() {
    let model = Files::of("bert-embedder").embedder(&one_thread());
    for vector in model.embed(&["Water boils.", "", "水は沸騰する。"]).unwrap() {
        let length: f32 = vector.iter().map(|it| it * it).sum();
        assert!((length - 1.0).abs() < 1e-6, "{length}");
    }
    assert!(model.embed(&[]).unwrap().is_empty());
}
