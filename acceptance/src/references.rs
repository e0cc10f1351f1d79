//! References: 200 of them, true, altered, invented and retracted, in the forms people write, and what a check says of each.

mod made;

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use ::fetch::{FetchSettings, Fetcher};
use ::references::{Checked, Checker, Status, read};
use graph::{Access, Graph, GraphLedger};
use sources::AskedBy;
use sources::academic::Academic;
use sources::apis::Apis;
use testweb::{TestWeb, World};

use crate::Arguments;
use crate::criteria::{Criteria, Target, say};

use made::{Made, Truth};

/// Papers of the catalogue that references are made of.
const PAPERS: usize = 160;
/// References that are made.
const REFERENCES: usize = 200;

pub(crate) fn run(arguments: &Arguments) -> Criteria {
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    let world = World::of_size(arguments.seed, 40).with_catalogue(PAPERS);
    let made = made::references(&world, arguments.seed, REFERENCES);
    let mut checked: Vec<(&Made, Checked)> = Vec::new();
    let web = TestWeb::start(World::of_size(arguments.seed, 40).with_catalogue(PAPERS));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let graph =
        Graph::open(&folder.path().join("lyra.db"), Access::Write, graph::Options::default());
    let graph = Arc::new(graph.expect("a new graph"));
    let ca_file = folder.path().join("ca.pem");
    fs::write(&ca_file, web.ca_pem()).expect("a file in the temporary folder");
    let settings = FetchSettings {
        hosts: web.hosts_setting(),
        allow_networks: vec!["127.0.0.1/32".to_owned()],
        ca_file,
        ..FetchSettings::default()
    };
    runtime.block_on(async {
        let ledger = Arc::new(GraphLedger::new(Arc::clone(&graph)));
        let fetcher = Fetcher::open(ledger, &folder.path().join("archive"), settings);
        let fetcher = fetcher.expect("the settings are good");
        let (apis, academic) = (Apis::load(None, Default::default()), Academic::default());
        for (name, of_file) in made::files(&made) {
            let found = read(name, &made::text(name, &of_file)).expect("what is made can be read");
            assert_eq!(found.references.len(), of_file.len(), "{name}: {:?}", found.problems);
            let checker = Checker {
                fetcher: &fetcher,
                apis: &apis,
                academic: &academic,
                graph: &graph,
                asked_by: AskedBy::default(),
            };
            let answers = checker.check(&found.references, |_| {}).await;
            checked.extend(of_file.into_iter().zip(answers.expect("the graph can be read")));
        }
    });
    scored(&checked, web.log().len())
}

fn scored(checked: &[(&Made, Checked)], requests: usize) -> Criteria {
    let mut criteria = Criteria::default();
    let mut table: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for (made, answer) in checked {
        let said = format!("{:?}", answer.status);
        *table.entry(made.truth.name()).or_default().entry(said).or_default() += 1;
        if answer.status != made.truth.status() {
            criteria.note(format!(
                "{} taken for {:?}: {} ({:?})",
                made.truth.name(),
                answer.status,
                made.written,
                answer.differences
            ));
        }
    }
    for (truth, answers) in &table {
        say(&format!("{truth}: {answers:?}"));
    }
    say(&format!("{requests} requests"));
    let of = |check: &dyn Fn(&Made, &Checked) -> bool| {
        checked.iter().filter(|it| check(it.0, &it.1)).count()
    };
    let is_warned = |it: &Checked| !matches!(it.status, Status::Fits | Status::NotChecked);
    let warned = of(&|_, it| is_warned(it));
    let wrong = of(&|made, _| made.truth != Truth::True);
    let both = of(&|made, it| is_warned(it) && made.truth != Truth::True);
    criteria.share("precision of warnings", both, warned, Target::AtLeast(0.95));
    criteria.share("recall of warnings", both, wrong, Target::AtLeast(0.95));
    for (name, status) in [
        ("altered references", Status::Differs),
        ("invented references", Status::NotFound),
        ("retracted works", Status::Retracted),
    ] {
        let said = of(&|_, it| it.status == status);
        let are = of(&|made, _| made.truth.status() == status);
        let right = of(&|made, it| it.status == status && made.truth.status() == status);
        let [precision, recall] = match name {
            "altered references" => ["precision: altered", "recall: altered"],
            "invented references" => ["precision: invented", "recall: invented"],
            _ => ["precision: retracted", "recall: retracted"],
        };
        criteria.share(precision, right, said, Target::AtLeast(0.95));
        criteria.share(recall, right, are, Target::AtLeast(0.95));
    }
    criteria
}
