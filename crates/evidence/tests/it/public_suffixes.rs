//! The public suffix tests, read where `LYRA_EVAL_DATA` says.

use evidence::domain::{normal_host, registrable_domain};

#[test]
fn every_public_suffix_test_is_passed() {
    let Some(data) = testkit::public_data() else { return };
    let folder = data.join("conformance/publicsuffix/tests");
    let text = std::fs::read_to_string(folder.join("tests.txt")).unwrap();
    let (mut cases, mut failures) = (0, Vec::new());
    for line in text.lines().filter(|it| !it.starts_with("//") && !it.trim().is_empty()) {
        let (host, expected) = line.split_once(' ').unwrap();
        // "null" on the left stands for no name at all.
        let host = if host == "null" { "" } else { host };
        let expected = Some(expected.trim()).filter(|it| *it != "null").map(normal_host);
        cases += 1;
        if registrable_domain(host) != expected {
            failures.push(format!("{host}: {:?} and not {expected:?}", registrable_domain(host)));
        }
    }
    assert_eq!(failures, Vec::<String>::new());
    assert_eq!(cases, 78);
}
