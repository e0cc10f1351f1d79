//! How many real questions have a mirror, where public data is at hand: `LYRA_EVAL_DATA=DIR cargo nextest
//! run -p expand --no-capture real_questions`.

use std::io::Read;
use std::path::Path;

use expand::{ExpandSettings, ExpansionKind, expand};
use flate2::read::GzDecoder;

fn questions(file: &Path) -> Vec<String> {
    let mut text = String::new();
    let mut stored = std::fs::File::open(file).unwrap();
    if file.extension().is_some_and(|it| it == "gz") {
        GzDecoder::new(stored).read_to_string(&mut text).unwrap();
    } else {
        stored.read_to_string(&mut text).unwrap();
    }
    let rows = text.lines().map(|it| serde_json::from_str::<serde_json::Value>(it).unwrap());
    rows.map(|it| it["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn most_real_questions_have_a_mirror() {
    let Some(data) = testkit::public_data() else { return };
    for (set, least) in [
        ("ja_jsquad_valid/queries.jsonl.gz", 0.7),
        ("ja_jaquad_dev/queries.jsonl.gz", 0.5),
        ("scifact/queries.jsonl", 0.3),
    ] {
        let questions = questions(&Path::new(&data).join("retrieval").join(set));
        let mut counts = [0; 4];
        for question in &questions {
            let all = expand(question, &ExpandSettings::default());
            for (count, kind) in counts.iter_mut().zip(ExpansionKind::ALL) {
                *count += usize::from(all.iter().any(|it| it.kind == *kind));
            }
        }
        let share = |count: usize| count as f64 / questions.len() as f64;
        for (count, kind) in counts.iter().zip(ExpansionKind::ALL) {
            println!(
                "{set}: {} of {} questions: {:.3}",
                kind.as_str(),
                questions.len(),
                share(*count)
            );
        }
        assert!(share(counts[0]) >= least, "{set}: {counts:?}");
    }
}
