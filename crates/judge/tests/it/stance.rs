//! Stance by the model in the binary.

use evidence::Stance;
use judge::{judge, judge_by_rules};
use models::Pair;

#[test]
fn the_built_in_model_judges_english_and_abstains_on_japanese() {
    let model = models::builtin::stance().unwrap();
    let claim = "Aspirin reduces fever.";
    let pairs = [
        Pair { passage: "In a trial of 200 patients aspirin reduced fever.", claim },
        Pair { passage: "Aspirin did not reduce fever in any of the patients.", claim },
        Pair { passage: "The bridge was opened to traffic in 1937.", claim },
        Pair { passage: "アスピリンは発熱を下げる。", claim },
    ];
    let judged = judge(&*model, &pairs, &model.thresholds()).unwrap();
    let stances: Vec<Option<Stance>> = judged.iter().map(|it| it.stance).collect();
    assert_eq!(
        stances,
        [Some(Stance::Supports), Some(Stance::Refutes), Some(Stance::Neutral), None]
    );
    assert!(judged[..3].iter().all(|it| it.confidence > 0.5 && it.confidence <= 1.0));
    assert_eq!((judged[3].confidence, judged[3].language.unwrap().tag()), (0.0, "ja"));
    assert_eq!(judge(&*model, &[], &model.thresholds()).unwrap(), []);
}

#[test]
fn rules_speak_where_the_model_abstains() {
    let settings = judge::StanceSettings::default();
    let claim = "アスピリンは小児の発熱を下げる。";
    let stance = |passage| judge_by_rules(&Pair { passage, claim }, &settings).stance;
    assert_eq!(stance("試験では、アスピリンが小児の発熱を下げた。"), Some(Stance::Supports));
    assert_eq!(stance("アスピリンは小児の発熱を下げなかった。"), Some(Stance::Refutes));
    assert_eq!(stance("アスピリンは1899年に発売された。"), None);
}
