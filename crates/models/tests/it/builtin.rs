//! The models in the binary: the right bytes, small enough, equal to the reference library.
//!
//! The expected numbers were computed by the reference library from the same eight-bit weights, in floats.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use models::{
    Embedder, Kind, ModelFiles, Pair, StanceModel, Thresholds, Verdict, builtin, describe,
    load_embedder, load_stance,
};

use crate::support::in_floats;

const TOLERANCE: f32 = 1e-4;
/// What the program has besides the files below: code and dictionaries.
const REST_OF_THE_PROGRAM: u64 = 42_000_000;
/// No file may be larger than this: one that would be is cut into parts.
const LARGEST_FILE: u64 = 95_000_000;

/// Names, and the first half of their BLAKE3 hashes.
const FILES: [(&str, &str); 15] = [
    ("bilingual/embed/config.json", "b15059e9028b6dcc2e393c921f18ca51"),
    ("bilingual/embed/lyra.json", "0d6661baac0f98a1aa71bcb56dcff14e"),
    ("bilingual/model.safetensors", "87fb7c3c1240e800cecf8472db82b5ef"),
    ("bilingual/stance/config.json", "0ca2bf865891e5a0c34a0162318ca15c"),
    ("bilingual/stance/lyra.json", "7d2168cb48579aa57f24bce24184cb64"),
    ("bilingual/tokenizer.json", "250fa6ffa32893b5c1d07dda54ae3606"),
    ("stance-en-large/config.json", "f941857960a90bcb9f64a5413f3ec482"),
    ("stance-en-large/lyra.json", "2a026f53b43017c2e62668d598159b5a"),
    ("stance-en-large/model-00001-of-00002.safetensors", "36ed4da7f0a2f55c443768287b5164f6"),
    ("stance-en-large/model-00002-of-00002.safetensors", "c810027227d04400d5c25b1490662a2e"),
    ("stance-en-large/tokenizer.json", "f8dbda252f9f82a412dc9910b8ba9aac"),
    ("stance-en/config.json", "2fd1125bf7495348ec6497d6c2120338"),
    ("stance-en/lyra.json", "4da222cd308d004f224e504f94069619"),
    ("stance-en/model.safetensors", "ad71e53ded4082330b09719257cf5455"),
    ("stance-en/tokenizer.json", "9ec9e10aab12022adc5029ec5b2c1a74"),
];

#[test]
fn the_files_are_those_that_were_measured_and_leave_room_for_the_program() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("weights");
    let mut sizes = Vec::new();
    let found = FILES.map(|(name, _)| {
        let file = fs::read(folder.join(name)).unwrap();
        sizes.push(file.len() as u64);
        (name, blake3::hash(&file).to_hex().to_string())
    });
    let found: Vec<_> = found.iter().map(|(name, hash)| (*name, &hash[..32])).collect();
    assert_eq!(found, FILES);
    let carried: u64 = sizes.iter().sum();
    assert!(carried + REST_OF_THE_PROGRAM <= builtin::PROGRAM_LIMIT, "{carried} bytes");
    assert!(sizes.iter().all(|it| *it <= LARGEST_FILE), "{sizes:?}");
}

#[test]
fn they_say_what_they_are_without_being_loaded() {
    let embedder = describe(builtin::embedder_files()).unwrap();
    assert_eq!((embedder.id.as_str(), embedder.kind), ("lyra-encoder-enja-1", Kind::Embedding));
    assert_eq!((embedder.dimension, embedder.max_tokens), (384, 256));
    assert_eq!(embedder.languages.tags(), ["en", "ja"]);

    let [english, bilingual] = builtin::STANCE.map(|files| describe(files()).unwrap());
    assert_eq!((english.id.as_str(), english.kind), ("lyra-stance-en-3", Kind::Stance));
    assert_eq!((english.dimension, english.max_tokens), (384, 512));
    assert_eq!(english.languages.tags(), ["en"]);
    assert_eq!((bilingual.id.as_str(), bilingual.kind), ("lyra-stance-enja-3", Kind::Stance));
    assert_eq!((bilingual.dimension, bilingual.max_tokens), (384, 512));
    assert_eq!(bilingual.languages.tags(), ["en", "ja"]);

    let decider = describe(builtin::decider_files()).unwrap();
    assert_eq!((decider.id.as_str(), decider.kind), ("lyra-stance-en-large-2", Kind::Stance));
    assert_eq!((decider.dimension, decider.max_tokens), (768, 512));
    assert_eq!(decider.languages.tags(), ["en"]);
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

/// The embedder as the reference computes.
fn exact_embedder() -> Arc<dyn Embedder> {
    load_embedder(builtin::embedder_files(), &in_floats()).unwrap()
}

/// The stance models as the reference computes.
fn exact_stance() -> Arc<dyn StanceModel> {
    builtin::stance_with(&in_floats()).unwrap()
}

#[test]
fn embeddings_equal_the_reference() {
    let model = exact_embedder();
    let vectors = model
        .embed(&[
            "How high is Mount Fuji?",
            "富士山の高さは何メートルですか。",
            "The summit of Mount Fuji is 3,776 metres above the sea.",
            "The recipe needs two eggs and a cup of flour.",
        ])
        .unwrap();
    let starts = [
        [0.021762, 0.051854, -0.022501, -0.015112, -0.037943, -0.04685],
        [-0.036035, 0.077819, -0.048014, 0.047949, -0.04286, -0.038023],
        [-0.020962, 0.012628, -0.037034, 0.008361, 0.000873, -0.036752],
        [-0.023208, -0.004747, 0.021145, 0.045137, -0.054627, -0.007709],
    ];
    for (vector, start) in vectors.iter().zip(starts) {
        assert_eq!(vector.len(), 384);
        assert_close(&vector[..6], &start);
    }
    let alike = |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(a, b)| a * b).sum();
    assert_close(
        &[alike(0, 1), alike(0, 2), alike(1, 2), alike(0, 3)],
        &[0.879234, 0.801654, 0.734824, 0.04181],
    );
}

#[test]
fn stances_of_the_fast_model_equal_the_reference() {
    let cases = [
        (
            "Coffee comes from Ethiopia.",
            "Coffee was first grown in Ethiopia.",
            [0.499031, 0.149833, 0.351136],
        ),
        (
            "The Great Wall of China can be seen from the Moon.",
            "The Great Wall of China is not visible from the Moon with the naked eye.",
            [0.048884, 0.885036, 0.066081],
        ),
        (
            "Marie Curie liked to travel by train.",
            "Marie Curie won the Nobel Prize in Physics in 1903 and in Chemistry in 1911.",
            [0.035313, 0.056228, 0.908459],
        ),
        (
            "men looking at the floor",
            "Two men inside a tent are examining the floor.",
            [0.773141, 0.097055, 0.129804],
        ),
        (
            "A job materializes for the tracker .",
            "A vibrant tracker hikes through a scenic trail.",
            [0.259638, 0.199992, 0.54037],
        ),
        (
            "Cars can no longer use the bridge.",
            "The bridge was closed to cars in 2019 and is now open to pedestrians only.",
            [0.653669, 0.131672, 0.214659],
        ),
    ];
    assert_judged(&cases, builtin::STANCE[0](), "lyra-stance-en-3");
}

#[test]
fn stances_of_the_decider_equal_the_reference() {
    let cases = [
        (
            "Coffee comes from Ethiopia.",
            "Coffee was first grown in Ethiopia.",
            [0.620638, 0.089395, 0.289967],
        ),
        (
            "The Great Wall of China can be seen from the Moon.",
            "The Great Wall of China is not visible from the Moon with the naked eye.",
            [0.056066, 0.871687, 0.072247],
        ),
        (
            "Marie Curie liked to travel by train.",
            "Marie Curie won the Nobel Prize in Physics in 1903 and in Chemistry in 1911.",
            [0.042206, 0.079107, 0.878687],
        ),
        (
            "men looking at the floor",
            "Two men inside a tent are examining the floor.",
            [0.855145, 0.077582, 0.067273],
        ),
        (
            "A job materializes for the tracker .",
            "A vibrant tracker hikes through a scenic trail.",
            [0.116244, 0.463557, 0.420199],
        ),
        (
            "Cars can no longer use the bridge.",
            "The bridge was closed to cars in 2019 and is now open to pedestrians only.",
            [0.847942, 0.066439, 0.085619],
        ),
        // A mistake of the model, as sure as the reference is: the trial makes it doubt.
        (
            "Aspirin reduces fever.",
            "In a trial of 200 patients aspirin reduced fever.",
            [0.142507, 0.041951, 0.815542],
        ),
    ];
    assert_judged(&cases, builtin::decider_files(), "lyra-stance-en-large-2");
}

#[test]
fn stances_in_japanese_and_across_equal_the_reference() {
    let cases = [
        (
            "富士山は日本で最も高い山である。",
            "日本の最高峰は標高3776メートルの富士山である。",
            [0.706157, 0.157779, 0.136064],
        ),
        (
            "出生率は低下し続けている。",
            "出生率は2年連続で上昇した。",
            [0.040859, 0.903357, 0.055784],
        ),
        (
            "キュリー夫人は汽車の旅を好んだ。",
            "キュリー夫人は1903年にノーベル物理学賞を受賞した。",
            [0.057909, 0.119366, 0.822726],
        ),
        (
            "富士山は日本で最も高い山である。",
            "Mount Fuji, at 3,776 metres, is the highest mountain in Japan.",
            [0.960051, 0.02298, 0.016969],
        ),
        (
            "緑茶は血圧を下げる。",
            "A trial found that green tea does not lower blood pressure.",
            [0.018689, 0.963125, 0.018186],
        ),
        (
            "Aspirin reduces fever.",
            "アスピリンは1899年に発売された。",
            [0.021578, 0.032081, 0.946341],
        ),
        (
            "緑茶は血圧を下げる。",
            "緑茶を飲んでも血圧は下がらなかった。",
            [0.044585, 0.892367, 0.063048],
        ),
    ];
    assert_judged(&cases, builtin::STANCE[1](), "lyra-stance-enja-3");
}

/// In whole numbers, as they are used: within what calibration can see.
#[test]
fn in_whole_numbers_they_say_nearly_what_they_say_in_floats() {
    let texts = [
        "How high is Mount Fuji?",
        "富士山の高さは何メートルですか。",
        "The summit of Mount Fuji is 3,776 metres above the sea.",
        "A trial found that green tea does not lower blood pressure in adults who drink it daily.",
    ];
    let [whole, exact] =
        [builtin::embedder().unwrap(), exact_embedder()].map(|it| it.embed(&texts).unwrap());
    for (whole, exact) in whole.iter().zip(&exact) {
        let alike: f32 = whole.iter().zip(exact).map(|(one, other)| one * other).sum();
        assert!(alike > 0.995, "{alike}");
        assert_ne!(whole, exact, "whole numbers were not used");
    }
    let pairs = [
        ("Coffee was first grown in Ethiopia.", "Coffee comes from Ethiopia."),
        (
            "The Great Wall is not visible from the Moon.",
            "The Great Wall is visible from the Moon.",
        ),
        ("出生率は2年連続で上昇した。", "出生率は低下し続けている。"),
        ("A trial found that green tea does not lower blood pressure.", "緑茶は血圧を下げる。"),
    ];
    let pairs = pairs.map(|(passage, claim)| Pair { passage, claim });
    let [whole, exact] =
        [builtin::stance().unwrap(), exact_stance()].map(|it| it.judge(&pairs).unwrap());
    for (whole, exact) in whole.iter().zip(&exact) {
        let (whole, exact) = (probabilities(whole), probabilities(exact));
        for (one, other) in whole.iter().zip(exact) {
            assert!((one - other).abs() < 0.05, "{whole:?} {exact:?}");
        }
    }
}

fn probabilities(verdict: &Verdict) -> [f32; 3] {
    match verdict {
        Verdict::Judged { supports, refutes, neutral, .. } => [*supports, *refutes, *neutral],
        Verdict::Abstained { language } => panic!("the text was taken for {language}"),
    }
}

fn assert_judged(cases: &[(&str, &str, [f32; 3])], files: ModelFiles, judge: &str) {
    let pairs: Vec<_> = cases.iter().map(|(claim, passage, _)| Pair { passage, claim }).collect();
    let verdicts = load_stance(files, &in_floats()).unwrap().judge(&pairs).unwrap();
    for (verdict, (claim, _, expected)) in verdicts.into_iter().zip(cases) {
        let Verdict::Judged { supports, refutes, neutral, by, .. } = verdict else {
            panic!("abstained from {claim}")
        };
        assert_eq!(&*by, judge, "{claim}");
        assert_close(&[supports, refutes, neutral], expected);
    }
}

#[test]
fn each_pair_goes_to_the_model_for_its_languages_and_what_takes_a_side_to_the_decider() {
    let english = "Coffee was first grown in Ethiopia.";
    let japanese = "コーヒーの木はエチオピアの高原に自生していた。";
    let french = "Le caféier poussait à l'état sauvage sur les hauts plateaux.";
    let pairs = [
        (english, english),
        (english, "The recipe needs two eggs and a cup of flour."),
        (japanese, japanese),
        (japanese, english),
        (english, japanese),
        (french, english),
        (japanese, french),
        ("1, 2, 3", english),
    ];
    let pairs = pairs.map(|(passage, claim)| Pair { passage, claim });
    let verdicts = builtin::stance().unwrap().judge(&pairs).unwrap();
    let told = verdicts.iter().map(|verdict| match verdict {
        Verdict::Judged { by, .. } => by.to_string(),
        Verdict::Abstained { language } => format!("abstained {language}"),
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            "lyra-stance-en-large-2",
            "lyra-stance-en-3",
            "lyra-stance-enja-3",
            "lyra-stance-enja-3",
            "lyra-stance-enja-3",
            "abstained fr",
            "abstained fr",
            "abstained zxx",
        ]
    );
    let thresholds: Vec<_> = verdicts[..5].iter().map(|it| it.thresholds().unwrap()).collect();
    let of = |supports, refutes| Thresholds { supports, refutes };
    assert_eq!(thresholds, [of(0.5, 0.5), of(0.5, 0.5), of(0.6, 0.6), of(0.6, 0.6), of(0.6, 0.6)]);
}

fn assert_close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < TOLERANCE, "{found:?} instead of {expected:?}");
    }
}
