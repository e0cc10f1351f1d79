use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

const RELEASE_EN: &str = "Northwind Biosciences announced today that its oral antiviral NW-201 met the primary \
    endpoint in a randomised phase 3 trial with 2,412 adults in eleven countries. Patients who took the tablet \
    within three days of the first symptoms recovered 2.1 days earlier than those who received placebo. Serious \
    adverse events were rare and equally common in both groups, the company said. The full results will be \
    presented at a congress in Lisbon in September and submitted to a journal. Northwind plans to ask regulators \
    in Europe and Japan for approval before the end of the year. The company's chief medical officer, Dr. Helen \
    Marsh, called the results an important step for people at high risk.";

/// The same release as a news site prints it: another headline, a sentence less, one more, small edits.
const COPY_EN: &str = "Pill shortens illness by two days, maker says\n\nNorthwind Biosciences announced on Monday \
    that its oral antiviral NW-201 met the primary endpoint in a randomised phase 3 trial with 2,412 adults in \
    eleven countries. Patients who took the tablet within three days of the first symptoms recovered 2.1 days \
    earlier than those who received placebo. Serious adverse events were rare and equally common in both groups, \
    the company said. The full results will be presented at a congress in Lisbon in September and submitted to a \
    journal. Northwind plans to ask regulators in Europe and Japan for approval before the end of the year. \
    Shares rose four percent in early trading.";

/// A journalist's own words about the same event.
const TOPIC_EN: &str = "Shares of Northwind Biosciences climbed on Monday after the drug maker reported that its \
    experimental virus pill helped people get well about two days sooner. More than 2,400 volunteers took part in \
    the late-stage study. Independent experts cautioned that the numbers have not been reviewed yet, and that \
    several earlier candidates had failed to keep people out of hospital. An analyst at a bank in Zurich expects \
    sales of 600 million euros a year if authorities give their consent. Side effects were mild according to the \
    firm. Two competitors are testing similar compounds and expect data next spring.";

const RELEASE_JA: &str = "株式会社北風バイオは本日、経口抗ウイルス薬NW-201が成人2,412名を対象とした第3相ランダム化比較試験において主要評価項目を\
    達成したと発表しました。発症から3日以内に服用を開始した患者は、偽薬を服用した患者より平均2.1日早く回復しました。重い副作用は\
    まれで、両群の間に差は認められませんでした。詳しい結果は9月にリスボンで開かれる学会で発表し、論文として投稿する予定です。同社は年内に\
    欧州と日本で承認を申請する方針です。";

const COPY_JA: &str = "【速報】飲み薬で回復が2日早まる　北風バイオが発表\n\n株式会社北風バイオは17日、経口抗ウイルス薬ＮＷ－２０１が成人2,412名を対象とした\
    第3相ランダム化比較試験において主要評価項目を達成したと発表しました。発症から3日以内に服用を開始した患者は、偽薬を服用した患者より平均2.1日早く\
    回復したということです。重い副作用はまれで、両群の間に差は認められませんでした。詳しい結果は9月にリスボンで開かれる学会で発表し、論文として\
    投稿する予定です。同社は年内に欧州と日本で承認を申請する方針です。";

const TOPIC_JA: &str = "新しい飲み薬の治験で良好な成績が得られたとして、月曜日の株式市場では北風バイオの株価が一時４％上昇した。早めに飲めば症状が治まるまでの\
    期間がおよそ２日短くなるという。ただし専門家からは、査読を受けた論文がまだ出ておらず、入院を防ぐ効果も分からないとして慎重な見方が出ている。\
    競合する二社も似た薬を開発しており、来春に結果が出る見通しだ。";

#[test]
fn copies_are_near_and_translations_and_other_reports_are_not() {
    let options = NearDuplicateSettings::default();
    let texts = [
        ("release en", RELEASE_EN),
        ("copy en", COPY_EN),
        ("topic en", TOPIC_EN),
        ("release ja", RELEASE_JA),
        ("copy ja", COPY_JA),
        ("topic ja", TOPIC_JA),
    ];
    let sketches: Vec<Sketch> = texts.iter().map(|(_, text)| sketch(text)).collect();
    let clusters: Vec<Vec<&str>> = cluster(&sketches, &options)
        .iter()
        .map(|it| it.iter().map(|index| texts[*index].0).collect())
        .collect();
    assert_eq!(
        clusters,
        [
            vec!["release en", "copy en"],
            vec!["topic en"],
            vec!["release ja", "copy ja"],
            vec!["topic ja"]
        ]
    );
    let likeness =
        |one: usize, two: usize| (sketches[one].likeness(&sketches[two]) * 100.0).round();
    let shown =
        [(0, 1), (3, 4), (0, 2), (3, 5), (0, 3), (1, 4)].map(|(one, two)| likeness(one, two));
    assert_eq!(shown, [73.0, 80.0, 0.0, 0.0, 0.0, 0.0]);
    let distance = |one: usize, two: usize| sketches[one].distance(&sketches[two]);
    let distances = [(0, 1), (3, 4), (0, 2), (3, 5), (0, 3)].map(|(one, two)| distance(one, two));
    assert_eq!(distances, [9, 13, 25, 38, 36]);
}

#[test]
fn case_width_spaces_marks_and_hidden_characters_make_no_difference() {
    let plain = sketch("Ｌｙｒａ は 証拠 を 集める。 The quick brown fox jumps.");
    assert_eq!(plain, sketch("lyraは証拠を集める\n\n“the QUICK brown\u{200b} fox — jumps”"));
    assert_eq!(sketch("が行く山は高い"), sketch("か\u{3099}行く山は高い"));
}

#[test]
fn short_texts_are_near_only_when_they_are_the_same() {
    let options = NearDuplicateSettings::default();
    let near = |one: &str, two: &str| sketch(one).is_near(&sketch(two), &options);
    assert!(near("Read more", "READ MORE!"));
    assert!(!near("Read more", "Read less"));
    assert!(!near("続きを読む", "続きを見る"));
    assert!(!near(
        "All rights reserved by the authors 2023",
        "All rights reserved by the authors 2024"
    ));
    assert!(!near("", ""));
    assert!(!near("...", "!!!"));
    assert_eq!(
        cluster(&[sketch(""), sketch(""), sketch("a"), sketch("A")], &options),
        [vec![0], vec![1], vec![2, 3]]
    );
    assert_eq!(cluster(&[], &options), Vec::<Vec<usize>>::new());
}

#[test]
fn a_sketch_comes_back_from_its_bytes_and_other_bytes_do_not() {
    let kept = sketch(RELEASE_JA);
    let bytes = kept.to_bytes();
    assert_eq!(bytes.len(), 525);
    assert_eq!(Sketch::from_bytes(&bytes), Some(kept));
    assert_eq!(Sketch::from_bytes(&bytes[..524]), None);
    assert_eq!(Sketch::from_bytes(&[&bytes[..], &[0]].concat()), None);
    assert_eq!(Sketch::from_bytes(&[&[2], &bytes[1..]].concat()), None);
    assert_eq!(Sketch::from_bytes(&[]), None);
}

/// Words from a vocabulary, chosen by a small generator, so that the test is the same every time.
fn words(seed: u64, count: usize) -> Vec<String> {
    let word = |index| format!("w{}", shingles::mixed(seed << 32 | index as u64) % 5_000);
    (0..count).map(word).collect()
}

fn jaccard(one: &str, two: &str) -> f64 {
    let set = |text: &str| {
        let mut hashes = HashSet::new();
        shingles::each(text, |it| {
            hashes.insert(it);
        });
        hashes
    };
    let (one, two) = (set(one), set(two));
    one.intersection(&two).count() as f64 / one.union(&two).count() as f64
}

#[test]
fn the_estimate_is_close_to_the_true_share_of_common_shingles() {
    let mut errors: Vec<f64> = Vec::new();
    for seed in 0..400 {
        let one = words(seed, 300);
        let mut two = one.clone();
        // From a whole copy to another text.
        let replaced = seed as usize * 300 / 400;
        let fresh = words(seed + 1_000, replaced);
        two.splice(..replaced, fresh);
        let (one, two) = (one.join(" "), two.join(" "));
        errors.push((sketch(&one).likeness(&sketch(&two)) - jaccard(&one, &two)).abs());
    }
    errors.sort_by(f64::total_cmp);
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let within = errors.iter().filter(|it| **it <= 0.1).count();
    // Three standard errors at the worst place; 0.1 holds for all but a few in a hundred.
    insta::assert_snapshot!(
        format!("mean {mean:.3}, within 0.1: {within} of {}, worst {:.3}", errors.len(), errors[399]),
        @"mean 0.026, within 0.1: 397 of 400, worst 0.106"
    );
}

#[test]
fn clusters_do_not_depend_on_the_order_of_the_texts() {
    let texts = [RELEASE_EN, COPY_JA, TOPIC_EN, COPY_EN, RELEASE_JA, TOPIC_JA];
    let named = |order: &[usize]| {
        let sketches: Vec<Sketch> = order.iter().map(|it| sketch(texts[*it])).collect();
        let clusters = cluster(&sketches, &NearDuplicateSettings::default());
        let mut named: Vec<Vec<usize>> = clusters
            .iter()
            .map(|cluster| {
                let mut texts: Vec<usize> = cluster.iter().map(|index| order[*index]).collect();
                texts.sort_unstable();
                texts
            })
            .collect();
        named.sort();
        named
    };
    assert_eq!(named(&[0, 1, 2, 3, 4, 5]), [vec![0, 3], vec![1, 4], vec![2], vec![5]]);
    assert_eq!(named(&[5, 4, 3, 2, 1, 0]), named(&[0, 1, 2, 3, 4, 5]));
    assert_eq!(named(&[2, 0, 5, 1, 3, 4]), named(&[0, 1, 2, 3, 4, 5]));
}

#[test]
fn thousands_of_stories_are_told_from_each_other() {
    // 800 stories, each with four edited copies.
    let sketches: Vec<Sketch> = (0..4_000)
        .map(|index| {
            let mut text = words(index / 5, 60);
            text[(index % 5) as usize * 11] = format!("edit{index}");
            sketch(&text.join(" "))
        })
        .collect();
    let clusters = cluster(&sketches, &NearDuplicateSettings::default());
    let expected: Vec<Vec<usize>> = (0..800).map(|it| (it * 5..it * 5 + 5).collect()).collect();
    assert_eq!(clusters, expected);
}

#[test]
fn thousands_of_copies_of_one_text_are_one_cluster() {
    let sketches: Vec<Sketch> = (0..4_000)
        .map(|index| {
            let mut text = words(7, 60);
            text[30] = format!("edit{index}");
            sketch(&text.join(" "))
        })
        .collect();
    assert_eq!(cluster(&sketches, &NearDuplicateSettings::default()).len(), 1);
}

#[test]
fn a_megabyte_of_anything_is_sketched_in_linear_time() {
    for part in [" ", "a", "\u{200b}", "\u{301}", "山", "a "] {
        let text = part.repeat((1 << 20) / part.len());
        assert!(sketch(&text).shingles() <= 1 << 20, "{part:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_wholly_like_itself(text in "\\PC{0,80}") {
        let kept = sketch(&text);
        let expected = if kept.shingles() == 0 { 0.0 } else { 1.0 };
        prop_assert_eq!(kept.likeness(&kept), expected);
        prop_assert_eq!(kept.distance(&kept), 0);
        prop_assert_eq!(Sketch::from_bytes(&kept.to_bytes()), Some(kept));
    }
}
