//! Where the list is cut, beside published values of the method.

use rank::{KneeSettings, knee};

/// The knee itself: without bounds.
fn found(scores: &[f64], sensitivity: f64) -> usize {
    knee(scores, &KneeSettings { sensitivity, min: 0, max: usize::MAX })
}

fn curve(length: usize, of: impl Fn(f64) -> f64) -> Vec<f64> {
    (0..length).map(|it| of(it as f64)).collect()
}

/// A name, the scores, and the knee at each sensitivity.
type Curve = (&'static str, Vec<f64>, &'static [(f64, usize)]);

#[test]
fn the_example_of_the_paper_bends_at_its_published_place() {
    // Figure 2: f(x) = -1 / (x + 0.1) + 5 at ten places from 0 to 1, knee at x = 0.22. That curve rises and is
    // concave; turned over it falls and is convex, with its knee at the same x.
    let turned = curve(10, |it| 1.0 / (it / 9.0 + 0.1) - 5.0);
    let place = found(&turned, 1.0);
    assert_eq!(place, 2);
    assert_eq!(format!("{:.2}", place as f64 / 9.0), "0.22");
}

#[test]
fn curves_bend_where_the_reference_package_says() {
    // What `kneed` 0.9.0 finds with curve="convex", direction="decreasing"; where it finds none, all are kept.
    let stairs = [
        0.97, 0.95, 0.81, 0.80, 0.78, 0.55, 0.54, 0.53, 0.52, 0.30, 0.29, 0.285, 0.28, 0.27, 0.265,
    ];
    let two_lines: Vec<f64> = (0..8)
        .map(|it| 1.0 - 0.1 * f64::from(it))
        .chain((1..13).map(|it| 0.3 - 0.01 * f64::from(it)))
        .collect();
    let cases: [Curve; 10] = [
        ("1/(n+1), 10", curve(10, |it| 1.0 / (it + 1.0)), &[(1.0, 2), (2.0, 2), (5.0, 10)]),
        ("1/(n+1), 50", curve(50, |it| 1.0 / (it + 1.0)), &[(1.0, 6), (10.0, 6), (100.0, 50)]),
        ("halves", curve(20, |it| 0.5_f64.powf(it)), &[(0.5, 4), (1.0, 4), (5.0, 4)]),
        ("four fifths", curve(30, |it| 0.8_f64.powf(it)), &[(0.5, 8), (1.0, 8), (5.0, 8)]),
        ("roots", curve(40, |it| (it + 1.0).powf(-0.5)), &[(1.0, 7), (8.0, 7)]),
        ("logarithm", curve(25, |it| -((it + 1.0) / 26.0).ln()), &[(1.0, 6), (8.0, 6)]),
        ("square", curve(20, |it| (1.0 - it / 19.0).powi(2)), &[(1.0, 9), (2.0, 9), (5.0, 20)]),
        (
            "with waves",
            curve(30, |it| (-it / 6.0).exp() + 0.01 * it.sin()),
            &[(0.5, 10), (1.0, 10), (8.0, 10)],
        ),
        ("two lines", two_lines, &[(0.5, 7), (1.0, 7), (5.0, 7)]),
        ("stairs", stairs.to_vec(), &[(1.0, 2), (2.0, 5), (5.0, 15)]),
    ];
    for (name, scores, expected) in cases {
        for (sensitivity, place) in expected {
            assert_eq!(found(&scores, *sensitivity), *place, "{name}, S = {sensitivity}");
        }
    }
}

#[test]
fn the_first_score_is_no_bend() {
    // `kneed` 0.9.0 says 0 for both at S = 1, which would keep nothing, and 3 and 20 at S = 2.
    let step = [0.9, 0.88, 0.86, 0.3, 0.29, 0.28, 0.27, 0.26, 0.25, 0.24];
    assert_eq!((found(&step, 1.0), found(&step, 2.0)), (3, 3));
    let bell = curve(40, |it| (-it * it / 200.0).exp());
    assert_eq!((found(&bell, 1.0), found(&bell, 2.0)), (20, 20));
}

#[test]
fn without_a_bend_all_are_kept() {
    assert_eq!(found(&curve(11, |it| 1.0 - 0.1 * it), 1.0), 11);
    assert_eq!(found(&curve(10, |it| 1.0 - (it / 9.0).powi(2)), 1.0), 10);
    assert_eq!(found(&[0.5; 6], 1.0), 6);
    assert_eq!(found(&[1.0, 0.1, 0.0], 1.0), 3);
    assert_eq!(found(&[1.0, 0.0], 1.0), 2);
    assert_eq!(found(&[0.7], 1.0), 1);
    assert_eq!(found(&[], 1.0), 0);
}

#[test]
fn the_bounds_hold() {
    let steep = curve(60, |it| 0.1_f64.powf(it));
    let even = curve(60, |it| 1.0 - it / 60.0);
    let product = KneeSettings::default();
    assert_eq!(found(&steep, 1.0), 2);
    assert_eq!(knee(&steep, &product), 3);
    assert_eq!(knee(&even, &product), 50);
    assert_eq!(knee(&steep[..2], &product), 2);
    assert_eq!(knee(&[], &product), 0);
    assert_eq!(knee(&steep, &KneeSettings { min: 9, max: 5, ..product }), 5);
}

#[test]
fn only_what_may_be_kept_is_looked_at() {
    // The bend at 10 lies behind the first eight, which fall evenly.
    let late: Vec<f64> = (0..10)
        .map(|it| 1.0 - 0.05 * f64::from(it))
        .chain((0..30).map(|it| 0.1 - 0.001 * f64::from(it)))
        .collect();
    assert_eq!(knee(&late, &KneeSettings::default()), 10);
    assert_eq!(knee(&late, &KneeSettings { max: 8, ..KneeSettings::default() }), 8);
}

#[test]
fn scores_that_are_no_numbers_cut_nothing() {
    assert_eq!(found(&[f64::INFINITY, 0.5, 0.1, 0.0], 1.0), 4);
    assert_eq!(found(&[f64::NAN; 4], 1.0), 4);
}
