//! Texts beyond a model's length: windows, cut claims, averaged vectors; and languages it lacks.

use models::{Options, Pair, Verdict};

use crate::support::{Files, one_thread};

/// Probabilities of supports and refutes, and what decided.
fn judged(verdict: &Verdict) -> (f32, f32, std::ops::Range<usize>, usize) {
    let Verdict::Judged { supports, refutes, window, read, .. } = verdict else {
        panic!("abstained: {verdict:?}");
    };
    (*supports, *refutes, window.clone(), *read)
}

#[test]
fn the_strongest_window_of_a_long_passage_decides() {
    let claim = "Water boils at 100 degrees.";
    let sentences = [
        "The trial found no difference between the drug and the placebo after one year.",
        "Coffee does not cause cancer; the study of people was small and not randomised.",
        "Water boils at 100 degrees at sea level, and at a lower temperature.",
        "The vaccine reduced severe illness in adults over sixty-five years of age.",
    ];
    let passage = sentences.join(" ");
    let model = Files::of("bert").stance(&one_thread());
    let (supports, refutes, window, read) =
        judged(&model.judge(&[Pair { passage: &passage, claim }]).unwrap()[0]);
    assert_eq!(read, passage.len());
    assert_eq!(passage[window.clone()], sentences[..2].join(" "));

    // The window judged alone gives the same numbers, to the bit.
    let alone = Pair { passage: &passage[window.clone()], claim };
    let verdict = model.judge(&[alone]).unwrap();
    assert_eq!(judged(&verdict[0]), (supports, refutes, 0..window.len(), window.len()));

    // The rest of the passage, judged alone, is less sure: it was right not to decide.
    let rest = Pair { passage: &passage[window.end..], claim };
    let (rest_supports, rest_refutes, ..) = judged(&model.judge(&[rest]).unwrap()[0]);
    assert!(supports.max(refutes) > rest_supports.max(rest_refutes));
}

#[test]
fn windows_past_the_limit_are_not_read_and_the_verdict_says_so() {
    let passage = "Coffee does not cause cancer. ".repeat(200);
    let pair = Pair { passage: &passage, claim: "Coffee causes cancer." };
    let read = |max_windows| {
        let options = Options { max_windows, ..one_thread() };
        judged(&Files::of("bert").stance(&options).judge(&[pair]).unwrap()[0]).3
    };
    assert_eq!(read(1000), passage.len());
    let few = read(3);
    assert!((90..600).contains(&few), "{few} of {}", passage.len());
}

#[test]
fn a_long_claim_is_cut_and_leaves_half_of_the_room_to_the_passage() {
    let model = Files::of("bert").stance(&one_thread());
    let claim = "coffee causes cancer ".repeat(500);
    let passage = "a ".repeat(30);
    let longer = format!("{claim}and more");
    let verdicts = model
        .judge(&[
            Pair { passage: &passage, claim: &claim },
            Pair { passage: &passage, claim: &longer },
        ])
        .unwrap();
    assert_eq!(verdicts[0], verdicts[1], "what is cut off does not count");
    // 64 tokens: 3 special, 31 of the claim, 30 of the passage: one window.
    assert_eq!(judged(&verdicts[0]).2, 0..passage.len());
}

#[test]
fn other_languages_and_wordless_texts_get_no_judgement() {
    let model = Files::of("bert").stance(&one_thread());
    let english = "Water boils at 100 degrees.";
    let table = [
        (Pair { passage: "水は百度で沸騰する。", claim: english }, "ja"),
        (Pair { passage: english, claim: "水は百度で沸騰する。" }, "ja"),
        (Pair { passage: "100 %", claim: english }, "zxx"),
        (Pair { passage: "", claim: english }, "zxx"),
        (Pair { passage: english, claim: "🎉" }, "zxx"),
    ];
    for (pair, tag) in table {
        let verdicts = model.judge(&[pair]).unwrap();
        let [Verdict::Abstained { language }] = &verdicts[..] else { panic!("judged {pair:?}") };
        assert_eq!(language.tag(), tag, "{pair:?}");
    }
    // An abstention does not shift its neighbours.
    let pair = Pair { passage: english, claim: english };
    let foreign = Pair { passage: "水", claim: english };
    let verdicts = model.judge(&[pair, foreign, pair]).unwrap();
    assert_eq!(verdicts[0], verdicts[2]);
    assert_eq!(verdicts[0], model.judge(&[pair]).unwrap()[0]);
}

#[test]
fn a_long_text_is_embedded_as_the_mean_of_its_windows() {
    let settings = r#"{"kind": "embedding", "max_tokens": 18}"#;
    let model = Files::of("bert").with_settings(settings).embedder(&one_thread());
    // 18 tokens hold two special ones and 16 letters; "a" and "w" are one token each.
    let both = format!("{}{}", "a ".repeat(16), "w ".repeat(12));
    let windows = [&"a ".repeat(16), &both[24..]].map(|it| model.embed(&[it]).unwrap().remove(0));
    let whole = model.embed(&[&both]).unwrap().remove(0);
    let mut mean: Vec<f32> = windows[0]
        .iter()
        .zip(&windows[1])
        .map(|(first, second)| 16.0 * first + 16.0 * second)
        .collect();
    let length = mean.iter().map(|it| it * it).sum::<f32>().sqrt();
    mean.iter_mut().for_each(|it| *it /= length);
    for (found, expected) in whole.iter().zip(&mean) {
        assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
    }
}

#[test]
fn a_prefix_is_put_before_every_text() {
    let plain = Files::of("bert").with_settings(r#"{"kind": "embedding"}"#).embedder(&one_thread());
    let settings = r#"{"kind": "embedding", "prefix": "water boils: "}"#;
    let prefixed = Files::of("bert").with_settings(settings).embedder(&one_thread());
    assert_eq!(
        prefixed.embed(&["at 100 degrees"]).unwrap(),
        plain.embed(&["water boils: at 100 degrees"]).unwrap()
    );
}

#[test]
fn settings_and_defaults_are_what_a_model_answers_with() {
    let model = Files::of("bert").stance(&one_thread());
    assert_eq!((model.id(), model.max_tokens()), ("bert", 64));
    assert_eq!((model.thresholds().supports, model.thresholds().refutes), (0.5, 0.5));
    assert_eq!(model.languages().tags(), ["en"]);
    let settings = r#"{"id": "mine", "max_tokens": 32, "languages": ["en", "ja"],
        "thresholds": {"supports": 0.25, "refutes": 0.75}}"#;
    let model = Files::of("bert").with_settings(settings).stance(&one_thread());
    assert_eq!((model.id(), model.max_tokens()), ("mine", 32));
    assert_eq!((model.thresholds().supports, model.thresholds().refutes), (0.25, 0.75));
    assert_eq!(model.languages().tags(), ["en", "ja"]);
    assert!(model.memory() > 50_000, "{}", model.memory());
}
