//! Stance by the model in the binary.

use evidence::Stance;
use judge::{judge, judge_by_rules};
use models::{Overrides, Pair};

#[test]
fn the_built_in_models_judge_english_and_japanese_and_abstain_on_french() {
    let model = models::builtin::stance().unwrap();
    let (english, japanese) = ("Aspirin reduces fever.", "富士山は日本で最も高い山である。");
    let pairs = [
        (english, "Aspirin lowered fever in most patients."),
        (english, "Aspirin did not reduce fever in any of the patients."),
        (english, "The bridge was opened to traffic in 1937."),
        (japanese, "日本の最高峰は標高3776メートルの富士山である。"),
        ("出生率は低下し続けている。", "出生率は2年連続で上昇した。"),
        (japanese, "その橋は1937年に開通した。"),
        ("緑茶は血圧を下げる。", "A trial found that green tea does not lower blood pressure."),
        (english, "アスピリンは発熱を下げた。"),
        (english, "L'aspirine fait baisser la fièvre chez les enfants et les adultes."),
    ];
    let pairs = pairs.map(|(claim, passage)| Pair { passage, claim });
    let judged = judge(&*model, &pairs, &Overrides::default()).unwrap();
    let stances: Vec<Option<Stance>> = judged.iter().map(|it| it.stance).collect();
    let (supports, refutes, neutral) =
        (Some(Stance::Supports), Some(Stance::Refutes), Some(Stance::Neutral));
    assert_eq!(
        stances,
        [supports, refutes, neutral, supports, refutes, neutral, refutes, supports, None]
    );
    let judges: Vec<&str> = judged.iter().map(|it| it.by.as_deref().unwrap_or("none")).collect();
    let (large, small, both) = ("lyra-stance-en-large-2", "lyra-stance-en-3", "lyra-stance-enja-3");
    assert_eq!(judges, [large, large, small, both, both, both, both, both, "none"]);
    assert_eq!((judged[8].confidence, judged[8].language.unwrap().tag()), (0.0, "fr"));
    assert_eq!(judge(&*model, &[], &Overrides::default()).unwrap(), []);
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
