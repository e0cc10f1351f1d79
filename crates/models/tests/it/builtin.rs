//! The models in the binary: the right bytes, small enough, equal to the reference library.
//!
//! The expected numbers were computed by the reference library from the same eight-bit weights.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use models::{Kind, Pair, Thresholds, Verdict, builtin, describe};

const TOLERANCE: f32 = 1e-4;
const MOST_BYTES: u64 = 60_000_000;

/// Names, and the first half of their BLAKE3 hashes.
const FILES: [(&str, &str); 8] = [
    ("embed/config.json", "251b6a3713174b8277dd528bf7b9915b"),
    ("embed/lyra.json", "b8b1e2b9823bdf92833844f70d23f088"),
    ("embed/model.safetensors", "84ef2cc97a21d84adb4f71888c6f3221"),
    ("embed/tokenizer.json", "9fdb27c8a17d86ed639265aaca37d031"),
    ("stance/config.json", "2fd1125bf7495348ec6497d6c2120338"),
    ("stance/lyra.json", "374add624e9de04458fc1da2f1466e5f"),
    ("stance/model.safetensors", "4af8877a721f3842652f75161e2c43c5"),
    ("stance/tokenizer.json", "9ec9e10aab12022adc5029ec5b2c1a74"),
];

#[test]
fn the_files_are_those_that_were_measured_and_fit_into_sixty_megabytes() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("weights");
    let mut bytes = 0;
    let found = FILES.map(|(name, _)| {
        let file = fs::read(folder.join(name)).unwrap();
        bytes += file.len() as u64;
        (name, blake3::hash(&file).to_hex().to_string())
    });
    let found: Vec<_> = found.iter().map(|(name, hash)| (*name, &hash[..32])).collect();
    assert_eq!(found, FILES);
    assert!(bytes <= MOST_BYTES, "{bytes} bytes");
}

#[test]
fn they_say_what_they_are_without_being_loaded() {
    let embedder = describe(builtin::embedder_files()).unwrap();
    assert_eq!((embedder.id.as_str(), embedder.kind), ("all-minilm-l6-v2-int8", Kind::Embedding));
    assert_eq!((embedder.dimension, embedder.max_tokens), (384, 256));
    assert_eq!(embedder.languages.tags(), ["en"]);

    let stance = describe(builtin::stance_files()).unwrap();
    assert_eq!((stance.id.as_str(), stance.kind), ("lyra-stance-en-1", Kind::Stance));
    assert_eq!((stance.dimension, stance.max_tokens), (384, 512));
    assert_eq!(stance.languages.tags(), ["en"]);
}

#[test]
fn they_are_loaded_once() {
    assert!(Arc::ptr_eq(&builtin::embedder().unwrap(), &builtin::embedder().unwrap()));
    assert!(Arc::ptr_eq(&builtin::stance().unwrap(), &builtin::stance().unwrap()));
}

#[test]
fn what_one_model_left_in_the_buffers_changes_nothing_of_another() {
    let (embedder, stance) = (builtin::embedder().unwrap(), builtin::stance().unwrap());
    let long = "Green tea lowers blood pressure in adults who drink it every day. ".repeat(30);
    let texts = ["Green tea lowers blood pressure.", long.as_str()];
    let pairs = [
        Pair { passage: texts[0], claim: "Green tea raises blood pressure." },
        Pair { passage: texts[1], claim: "Tea has no effect on anybody." },
    ];
    let vectors = embedder.embed(&texts).unwrap();
    let verdicts = stance.judge(&pairs).unwrap();
    assert_eq!(embedder.embed(&texts).unwrap(), vectors);
    assert_eq!(embedder.embed(&texts[..1]).unwrap(), vectors[..1]);
    assert_eq!(stance.judge(&pairs).unwrap(), verdicts);
}

#[test]
fn embeddings_equal_the_reference() {
    let model = builtin::embedder().unwrap();
    let vectors = model
        .embed(&[
            "How high is Mount Fuji?",
            "The summit of Mount Fuji is 3,776 metres above the sea.",
            "The recipe needs two eggs and a cup of flour.",
        ])
        .unwrap();
    let starts = [
        [0.017097, 0.050255, -0.023984, -0.005832, -0.032661, -0.036579],
        [-0.031049, 0.029305, -0.065872, -0.000871, 0.00716, -0.009624],
        [-0.035438, 0.001532, 0.014413, 0.038991, -0.056666, 0.007394],
    ];
    for (vector, start) in vectors.iter().zip(starts) {
        assert_eq!(vector.len(), 384);
        assert_close(&vector[..6], &start);
    }
    let alike = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(a, b)| a * b).sum();
    assert_close(&[alike(0, 1), alike(0, 2), alike(1, 2)], &[0.784922, 0.026542, -0.015701]);
}

#[test]
fn stances_equal_the_reference() {
    let cases = [
        (
            "Coffee comes from Ethiopia.",
            "Coffee was first grown in Ethiopia.",
            [0.720782, 0.144859, 0.134359],
        ),
        (
            "The Great Wall of China can be seen from the Moon.",
            "The Great Wall of China is not visible from the Moon with the naked eye.",
            [0.110976, 0.785473, 0.103551],
        ),
        (
            "Marie Curie liked to travel by train.",
            "Marie Curie won the Nobel Prize in Physics in 1903 and in Chemistry in 1911.",
            [0.092829, 0.098345, 0.808826],
        ),
        (
            "men looking at the floor",
            "Two men inside a tent are examining the floor.",
            [0.748398, 0.123804, 0.127798],
        ),
        (
            "A job materializes for the tracker .",
            "A vibrant tracker hikes through a scenic trail.",
            [0.123422, 0.190754, 0.685824],
        ),
        // A mistake of the model, as sure as the reference is.
        (
            "Cars can no longer use the bridge.",
            "The bridge was closed to cars in 2019 and is now open to pedestrians only.",
            [0.344042, 0.37191, 0.284048],
        ),
    ];
    let pairs = cases.map(|(claim, passage, _)| Pair { passage, claim });
    let model = builtin::stance().unwrap();
    assert_eq!(model.thresholds(), Thresholds { supports: 0.34, refutes: 0.76 });
    for (verdict, (claim, _, expected)) in model.judge(&pairs).unwrap().into_iter().zip(cases) {
        let Verdict::Judged { supports, refutes, neutral, .. } = verdict else {
            panic!("abstained from {claim}")
        };
        assert_close(&[supports, refutes, neutral], &expected);
    }
}

#[test]
fn the_stance_model_says_nothing_about_japanese() {
    let passage = "コーヒーの木はエチオピアの高原に自生していた。";
    let claim = "コーヒーはエチオピアが原産である。";
    let verdicts = builtin::stance().unwrap().judge(&[Pair { passage, claim }]).unwrap();
    let [Verdict::Abstained { language }] = verdicts[..] else { panic!("{verdicts:?}") };
    assert_eq!(language.tag(), "ja");
}

fn assert_close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < TOLERANCE, "{found:?} instead of {expected:?}");
    }
}
