//! Claims that say the same, though on other pages and in other words, and claims that say the very opposite.
//!
//! Two claims that are merged wrongly make one source look like two, so everything that can turn a
//! statement around must agree: numbers, denial, directions, names, whom it is about, and the order of the words
//! they share, which tells who does what to whom. What may differ is small words, word forms, and who reports it.
//! Vectors widen the rest; without them (and for languages the embedder cannot read) one word of weight
//! keeps claims apart. Opposites differ in exactly one turn and in nothing else.

mod content;

use settings::settings;

pub use content::Content;

/// A claim taken apart, which is done once, and, where the embedder could read it, its vector.
#[derive(Debug, Clone, Copy)]
pub struct Comparable<'a> {
    pub content: &'a Content,
    pub vector: Option<&'a [f32]>,
}

/// How two claims about one thing stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    Same,
    Opposite,
}

settings! {
    /// When two claims say the same.
    pub struct SameSettings {}
    expert {
        /// The share of common words if one claim only adds words to the other.
        min_overlap: f64 = 0.8, in 0.0..=1.0;
        /// The similarity from which a few words may differ.
        min_similarity: f64 = 0.9, in 0.0..=1.0;
        /// The share of common words that is still needed then.
        min_overlap_when_similar: f64 = 0.3, in 0.0..=1.0;
    }
}

/// Japanese is compared by characters, of which other claims share more, and its vectors lie closer together: of pairs of
/// captions as similar as English paraphrases half say something else.
const MIN_SIMILARITY_JAPANESE: f64 = 0.95;
const MIN_OVERLAP_JAPANESE: f64 = 0.6;

/// Whether two claims say the same or the very opposite; nothing if they are two claims.
pub fn compare(a: Comparable<'_>, b: Comparable<'_>, settings: &SameSettings) -> Option<Sides> {
    if says_the_same(a, b, settings) {
        return Some(Sides::Same);
    }
    says_the_opposite(a.content, b.content).then_some(Sides::Opposite)
}

fn says_the_same(a: Comparable<'_>, b: Comparable<'_>, settings: &SameSettings) -> bool {
    let (one, two) = (a.content, b.content);
    if one.core == two.core {
        return !one.core.is_empty();
    }
    if one.denied != two.denied
        || !one.same_facts(two)
        || one.directions() != two.directions()
        || !one.same_order(two)
    {
        return false;
    }
    let overlap = one.overlap(two);
    let similarity = a.vector.zip(b.vector).and_then(|(a, b)| cosine(a, b));
    let (min_similarity, min_overlap) = match one.japanese || two.japanese {
        true => (MIN_SIMILARITY_JAPANESE, MIN_OVERLAP_JAPANESE),
        false => (settings.min_similarity, settings.min_overlap_when_similar),
    };
    let similar = similarity.is_some_and(|it| it >= min_similarity);
    if one.only_adds(two) || two.only_adds(one) {
        return overlap >= settings.min_overlap && (similar || one.differs_lightly(two));
    }
    similar && overlap >= min_overlap
}

/// One turn apart: exactly one of them denies it, or says the other direction of the only one there is.
fn says_the_opposite(one: &Content, two: &Content) -> bool {
    if !one.same_facts(two) || !one.same_but_for_directions(two) {
        return false;
    }
    let (first, second) = (one.directions(), two.directions());
    match (first == second, one.denied == two.denied) {
        (true, false) => true,
        (false, true) => {
            first.len() == 1
                && second.len() == 1
                && first.iter().all(|it| second.contains(&it.opposite()))
        }
        _ => false,
    }
}

/// The cosine of two vectors; nothing if they are of different models or empty.
pub fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
    cosine.is_finite().then_some(cosine)
}

/// The cosine of two vectors of length 1, as embedders give them; nothing if they are of different models.
pub fn unit_cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    let cosine = dot(a, b);
    (a.len() == b.len() && !a.is_empty() && cosine.is_finite()).then_some(cosine)
}

/// Summed in sixteen lanes that the compiler turns into vector instructions: a task compares millions of pairs.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    let (chunks_a, rest_a) = a.as_chunks::<16>();
    let (chunks_b, rest_b) = b.as_chunks::<16>();
    let mut lanes = [0.0_f32; 16];
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
    lanes.iter().copied().map(f64::from).sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(a: &str, b: &str) -> Option<Sides> {
        let contents = [a, b].map(Content::of);
        let [first, second] =
            [0, 1].map(|nth| Comparable { content: &contents[nth], vector: None });
        let one = compare(first, second, &SameSettings::default());
        let two = compare(second, first, &SameSettings::default());
        assert_eq!(one, two, "the order must not matter: {a} / {b}");
        one
    }

    fn same(a: &str, b: &str) -> bool {
        sides(a, b) == Some(Sides::Same)
    }

    #[test]
    fn small_words_word_forms_and_reporters_may_differ() {
        for (a, b) in [
            ("Aspirin reduces the risk of stroke.", "Aspirin reduces the risk of stroke."),
            ("Aspirin reduces the risk of stroke.", "aspirin reduced risk of stroke"),
            ("Aspirin reduces the risk of stroke.", "Aspirin lowers the risk of a stroke!"),
            (
                "Aspirin reduces the risk of stroke.",
                "A new study found that aspirin reduces the risk of stroke.",
            ),
            (
                "According to the WHO, measles cases rose by 30% in 2023.",
                "Measles cases increased by 30 percent in 2023.",
            ),
            ("The risk of stroke is reduced by aspirin.", "Aspirin reduces the risk of stroke."),
            (
                "Regular exercise lowers blood pressure by 5 mmHg.",
                "Regular exercise lowers blood pressure by approximately 5 mmHg.",
            ),
            ("ビタミンDは高齢者の転倒を減らす。", "ビタミンＤは、高齢者の転倒を減らす"),
            (
                "ビタミンDは高齢者の転倒を減らす。",
                "研究によると、ビタミンDは高齢者の転倒を減少させる。",
            ),
            (
                "麻疹の患者は2023年に30％増加した。",
                "麻疹の患者は２０２３年に30%増えたと報告されている。",
            ),
        ] {
            assert!(same(a, b), "{a}\n{b}");
        }
    }

    #[test]
    fn what_turns_a_claim_around_keeps_claims_apart() {
        for (a, b) in [
            ("Aspirin reduces the risk of stroke.", "Aspirin does not reduce the risk of stroke."),
            ("Aspirin reduces the risk of stroke.", "Aspirin increases the risk of stroke."),
            ("Aspirin reduces the risk of stroke.", "Ibuprofen reduces the risk of stroke."),
            (
                "Aspirin reduces the risk of stroke by 12 %.",
                "Aspirin reduces the risk of stroke by 20 %.",
            ),
            ("Aspirin reduces the risk of stroke.", "Aspirin reduces the risk of stroke in mice."),
            (
                "Measles cases rose by 30% in Japan in 2023.",
                "Measles cases rose by 30% in France in 2023.",
            ),
            ("The vaccine is safe for children.", "The vaccine is safe for adults."),
            (
                "Each country sets its own rules of engagement in peace and in war.",
                "Each African country sets its own rules of engagement in peace and in war.",
            ),
            ("ビタミンDは高齢者の転倒を減らす。", "ビタミンDは高齢者の転倒を減らさない。"),
            ("ビタミンDは高齢者の転倒を減らす。", "ビタミンDは高齢者の転倒を増やす。"),
            ("ビタミンDは高齢者の転倒を減らす。", "ビタミンCは高齢者の転倒を減らす。"),
            ("ビタミンDは男性の転倒を減らす。", "ビタミンDは女性の転倒を減らす。"),
            ("患者は30％増加した。", "患者は20％増加した。"),
            ("Aspirin reduces the risk of stroke.", ""),
            ("", ""),
        ] {
            assert!(!same(a, b), "{a}\n{b}");
        }
    }

    #[test]
    fn one_turn_makes_an_opposite_and_anything_else_another_claim() {
        for (a, b) in [
            ("Aspirin reduces the risk of stroke.", "Aspirin does not reduce the risk of stroke."),
            ("Aspirin reduces the risk of stroke.", "Aspirin increases the risk of stroke."),
            (
                "Aspirin did not reduce the risk of stroke.",
                "A study found that aspirin reduces the risk of stroke.",
            ),
            (
                "The risk of stroke is reduced by aspirin.",
                "Aspirin does not reduce the risk of stroke.",
            ),
            ("在宅勤務は生産性を下げる。", "在宅勤務は生産性を下げなかった。"),
            ("在宅勤務は生産性を下げる。", "在宅勤務は生産性を高める。"),
        ] {
            assert_eq!(sides(a, b), Some(Sides::Opposite), "{a}\n{b}");
        }
        for (a, b) in [
            // Two turns are not one, and "not more" is not "less".
            (
                "Aspirin reduces the risk of stroke.",
                "Aspirin does not increase the risk of stroke.",
            ),
            ("Aspirin reduces the risk of stroke.", "Aspirin does not reduce the risk of cancer."),
            (
                "Aspirin reduces the risk of stroke in men.",
                "Aspirin does not reduce the risk of stroke in women.",
            ),
            (
                "Aspirin reduces the risk of stroke by 12 %.",
                "Aspirin does not reduce the risk of stroke.",
            ),
            ("Wages rose and prices fell.", "Wages fell and prices rose."),
            ("Anna sued Boris.", "Boris did not sue Anna."),
            ("ビタミンDは男性の転倒を減らす。", "ビタミンDは女性の転倒を減らさない。"),
        ] {
            assert_eq!(sides(a, b), None, "{a}\n{b}");
        }
    }

    #[test]
    fn who_does_what_to_whom_is_told_by_the_order_of_words() {
        for (a, b) in [
            (
                "Iron prices are higher than copper prices.",
                "Copper prices are higher than iron prices.",
            ),
            ("The bank sued the city.", "The city sued the bank."),
            ("鉄の価格は銅より高い。", "銅の価格は鉄より高い。"),
        ] {
            assert_eq!(sides(a, b), None, "{a}\n{b}");
        }
    }

    #[test]
    fn vectors_let_a_few_words_be_others() {
        let a = "Regular exercise lowers blood pressure in people with hypertension.";
        let b = "Regular physical exercise reduces blood pressure in patients with hypertension.";
        let other = "Regular exercise lowers blood pressure in people without hypertension.";
        let [a_content, b_content, other] = [a, b, other].map(Content::of);
        let claim = |content, vector| Comparable { content, vector };
        let near: (&[f32], &[f32]) = (&[1.0, 0.1], &[1.0, 0.2]);
        let far: (&[f32], &[f32]) = (&[1.0, 0.0], &[1.0, 1.0]);
        let settings = SameSettings::default();
        assert!(!same(a, b));
        let same = |one, two| compare(one, two, &settings) == Some(Sides::Same);
        let first = claim(&a_content, Some(near.0));
        assert!(same(first, claim(&b_content, Some(near.1))));
        assert!(!same(claim(&a_content, Some(far.0)), claim(&b_content, Some(far.1))));
        assert!(!same(first, claim(&b_content, None)));
        assert!(!same(first, claim(&other, Some(near.1))));
    }

    #[test]
    fn a_cosine_of_nothing_is_nothing() {
        assert_eq!(cosine(&[1.0, 0.0], &[2.0, 0.0]), Some(1.0));
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 3.0]), Some(0.0));
        assert_eq!(cosine(&[0.0], &[1.0]), None);
        assert_eq!(cosine(&[], &[]), None);
        assert_eq!(cosine(&[1.0], &[1.0, 0.0]), None);
        assert_eq!(cosine(&[f32::NAN], &[1.0]), None);
        let (one, two) = ([0.6, 0.8], [0.8, 0.6]);
        assert!((cosine(&one, &two).unwrap() - unit_cosine(&one, &two).unwrap()).abs() < 1e-6);
        assert_eq!(unit_cosine(&[], &[]), None);
        assert_eq!(unit_cosine(&[1.0], &[1.0, 0.0]), None);
        assert_eq!(unit_cosine(&[f32::NAN], &[1.0]), None);
    }
}
