//! `lyra models`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Home, own_help};

/// A tiny model with random weights: `bert` takes stances, `bert-embedder` makes vectors.
fn tiny(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../models/tests/parity").join(name)
}

/// A copy of a tiny model in the home, to be damaged.
fn copy(home: &Home, name: &str) -> PathBuf {
    let folder = home.path().join("downloads").join(name);
    fs::create_dir_all(&folder).unwrap();
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::copy(tiny(name).join(file), folder.join(file)).unwrap();
    }
    folder
}

fn add(home: &Home, folder: &Path) -> crate::support::Answer {
    home.run_arguments(&["models", "add", folder.to_str().unwrap()])
}

/// (id, origin, active) of each model in the list.
fn listed(home: &Home) -> Vec<(String, String, bool)> {
    let document = home.run("models list --json").json();
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let models = document["models"].as_array().unwrap().iter();
    models
        .map(|it| (text(&it["id"]), text(&it["origin"]), it["active"].as_bool().unwrap()))
        .collect()
}

fn row(id: &str, origin: &str, active: bool) -> (String, String, bool) {
    (id.to_owned(), origin.to_owned(), active)
}

#[test]
fn help_of_models() {
    insta::assert_snapshot!(own_help("models"), @"
    List, add, choose and try models

    Usage: lyra models [OPTIONS] <COMMAND>

    Commands:
      list    List the models: those that are built in, and those you added
      test    Try the active models on a few texts, and measure them
      add     Add a model from a folder in the layout of Hugging Face
      use     Make a model active for what it is made for
      remove  Remove a model that was added; the folder it was copied from stays
      help    Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help

    --- exit 0
    ");
}

#[test]
fn the_built_in_models_are_listed_and_active() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("models list"), @r"
    MODEL                   FOR         ACTIVE   ORIGIN    LANGUAGES  DIMENSION  TOKENS      SIZE
    ─────                   ───         ──────   ──────    ─────────  ─────────  ──────      ────
    lyra-encoder-enja-1     embeddings  yes      built in  en ja            384     256   40.7 MB
    lyra-stance-en-3        stance      yes      built in  en               384     512   34.4 MB
    lyra-stance-enja-3      stance      yes      built in  en ja            384     512   40.7 MB
    lyra-stance-en-large-2  stance      decides  built in  en               768     512  110.7 MB
    --- exit 0
    ");
    assert!(!home.data().join("models").exists(), "looking creates nothing");
}

#[test]
fn the_list_for_scripts_has_every_number() {
    let home = Home::new();
    assert_eq!(
        home.run("models list --json").json()["models"][1],
        json!({
            "id": "lyra-stance-en-3", "origin": "built_in", "active": true, "kind": "stance",
            "languages": ["en"], "dimension": 384, "max_tokens": 512, "bytes": 34_425_984,
        })
    );
}

#[test]
fn a_model_is_added_used_and_removed() {
    let home = Home::new();
    let folder = copy(&home, "bert");
    insta::assert_snapshot!(add(&home, &folder), @r"
    model      bert
    for        stance
    languages  en
    dimension  32
    tokens     64
    size       115.0 kB
    --- stderr
    Added. `lyra models use bert` makes it active.
    --- exit 0
    ");
    fs::remove_dir_all(&folder).unwrap();
    let built_in = |stance| {
        [
            row("lyra-encoder-enja-1", "built_in", true),
            row("lyra-stance-en-3", "built_in", stance),
            row("lyra-stance-enja-3", "built_in", stance),
            row("lyra-stance-en-large-2", "built_in", stance),
        ]
    };
    let all = |stance: bool| [&built_in(!stance)[..], &[row("bert", "added", stance)]].concat();
    assert_eq!(listed(&home), all(false));

    insta::assert_snapshot!(home.run("models use bert"), @"
    stance  lyra-stance-en-3, lyra-stance-enja-3 → bert
    --- exit 0
    ");
    assert_eq!(listed(&home), all(true));
    insta::assert_snapshot!(
        fs::read_to_string(home.data().join("models.toml")).unwrap(),
        @r#"
    # The active models, written by `lyra models use`.
    stance = "bert"
    "#
    );
    insta::assert_snapshot!(home.run("models use lyra-stance-en-3"), @r"
    stance  bert → lyra-stance-en-3, lyra-stance-enja-3
    --- exit 0
    ");
    assert_eq!(listed(&home), all(false));

    home.run("models use BERT");
    assert_eq!(listed(&home), all(true));
    insta::assert_snapshot!(home.run("models remove bert"), @r"
    removed  bert
    --- stderr
    The built-in model for stance is active again.
    --- exit 0
    ");
    assert_eq!(listed(&home), built_in(true));
    let left: Vec<_> = fs::read_dir(home.data().join("models")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_id_is_taken_once_and_can_be_given() {
    let home = Home::new();
    let folder = copy(&home, "bert");
    add(&home, &folder);
    insta::assert_snapshot!(add(&home, &folder), @r"
    --- stderr
    error: there is a model `bert` already
    hint: give the new one another id with --id NAME, or see `lyra models remove bert`; nothing was added
    --- exit 2
    ");
    let path = folder.to_str().unwrap();
    let named = home.run_arguments(&["models", "add", path, "--id", "other", "--json"]);
    assert_eq!(named.json()["id"], "other");
    let stored = fs::read(home.data().join("models/other/lyra.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&stored).unwrap(), json!({ "id": "other" }));
    insta::assert_snapshot!(
        home.run_arguments(&["models", "add", path, "--id", "../outside"]),
        @r"
    --- stderr
    error: the id `../outside` may have letters, digits, `-`, `_` and `.` inside
    hint: give it another with --id NAME; rows computed by it are stored under it; nothing was added
    --- exit 2
    "
    );
    insta::assert_snapshot!(
        home.run_arguments(&["models", "add", path, "--id", "Lyra-Stance-en-3"]),
        @r"
    --- stderr
    error: there is a model `Lyra-Stance-en-3` already
    hint: give the new one another id with --id NAME, or see `lyra models remove Lyra-Stance-en-3`; nothing was added
    --- exit 2
    "
    );
    insta::assert_snapshot!(
        home.run_arguments(&["models", "add", path, "--id", "None"]),
        @r"
    --- stderr
    error: the id `None` stands for no model
    hint: give it another with --id NAME; rows computed by it are stored under it; nothing was added
    --- exit 2
    "
    );
}

#[test]
fn a_folder_that_is_no_model_is_refused_and_leaves_nothing() {
    let home = Home::new();
    let folder = copy(&home, "bert");
    insta::assert_snapshot!(home.run("models add nowhere"), @r"
    --- stderr
    error: nowhere is not a folder that can be read
    cause: No such file or directory (os error 2)
    hint: give the folder that holds config.json, tokenizer.json and model.safetensors; nothing was added
    --- exit 2
    ");

    let weights = folder.join("model.safetensors");
    let whole = fs::read(&weights).unwrap();
    fs::write(&weights, &whole[..whole.len() - 1]).unwrap();
    let refused = add(&home, &folder);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("the weights of bert are damaged"), "{refused}");

    fs::remove_file(&weights).unwrap();
    insta::assert_snapshot!(add(&home, &folder), @r"
    --- stderr
    error: bert has no model.safetensors
    hint: a model folder holds config.json, tokenizer.json and model.safetensors, as Hugging Face lays it out; nothing was added
    --- exit 2
    ");

    fs::write(&weights, &whole).unwrap();
    let config = fs::read_to_string(folder.join("config.json")).unwrap();
    let config = config.replace(r#""model_type": "bert""#, r#""model_type": "gpt2""#);
    fs::write(folder.join("config.json"), config).unwrap();
    insta::assert_snapshot!(add(&home, &folder), @r"
    --- stderr
    error: bert is of architecture gpt2, supported are bert, roberta, xlm-roberta, camembert, mpnet, deberta-v2 (also v3)
    hint: look for a model of one of these architectures; nothing was added
    --- exit 2
    ");

    assert!(!home.data().join("models").exists());
    assert_eq!(listed(&home).len(), 4);
}

#[test]
fn a_chosen_model_that_broke_gives_way_to_the_built_in_one() {
    let home = Home::new();
    add(&home, &tiny("bert-embedder"));
    home.run("models use bert-embedder");
    fs::remove_file(home.data().join("models/bert-embedder/config.json")).unwrap();
    insta::assert_snapshot!(home.run("models list"), @r"
    MODEL                   FOR         ACTIVE   ORIGIN    LANGUAGES  DIMENSION  TOKENS      SIZE  PROBLEM
    ─────                   ───         ──────   ──────    ─────────  ─────────  ──────      ────  ───────
    lyra-encoder-enja-1     embeddings  yes      built in  en ja            384     256   40.7 MB
    lyra-stance-en-3        stance      yes      built in  en               384     512   34.4 MB
    lyra-stance-enja-3      stance      yes      built in  en ja            384     512   40.7 MB
    lyra-stance-en-large-2  stance      decides  built in  en               768     512  110.7 MB
    bert-embedder                       no       added                                             bert-embedder has no config.json
    --- stderr
    warning: bert-embedder has no config.json; the built-in model is used instead
    --- exit 0
    ");

    let tried = home.run("models test --json");
    assert_eq!(tried.code, Some(0));
    assert_eq!(tried.json()["embedding"]["model"], "lyra-encoder-enja-1");
    let warning: Value = serde_json::from_str(&tried.stderr).unwrap();
    assert_eq!(
        warning["warning"],
        "bert-embedder has no config.json; the built-in model is used instead"
    );
    let checks = home.run("--offline doctor --json").json();
    let models: Vec<&Value> = checks["checks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["name"] == "embedding model")
        .collect();
    assert_eq!(models.len(), 2);
    assert_eq!(models[0]["found"], "bert-embedder has no config.json");
    assert_eq!(models[0]["state"], "problem");
    assert_eq!(models[1]["state"], "ok");
}

#[test]
fn a_choice_that_cannot_be_read_is_told() {
    let home = Home::new();
    home.write(".local/share/lyra/models.toml", "stance = 3\n");
    let answer = home.run("models list");
    assert_eq!(answer.code, Some(0));
    assert!(answer.stderr.contains("models.toml cannot be understood"), "{answer}");
    assert!(answer.stderr.contains("the built-in model is used instead"), "{answer}");
}

#[test]
fn a_setting_wins_over_the_choice_and_must_name_a_model() {
    let home = Home::new();
    add(&home, &tiny("bert"));
    let tried = home.run("--set models.stance=bert models test --json");
    assert_eq!(tried.json()["stance"]["model"], "bert");
    insta::assert_snapshot!(home.run("--set models.stance=nobody models test"), @r"
    --- stderr
    error: there is no model `nobody`
    hint: the setting models.stance must be one of those that `lyra models list` shows
    --- exit 4
    ");
    let listed = home.run("--set models.stance=nobody models list");
    assert_eq!(listed.code, Some(0), "the list that the hint names must be there");
    insta::assert_snapshot!(listed.stderr, @"warning: there is no model `nobody`; the setting models.stance must be one of those that `lyra models list` shows");
    insta::assert_snapshot!(home.run("--set models.embedding=bert models test"), @r"
    --- stderr
    error: bert is a model for stance, not for embeddings
    hint: the setting models.embedding must be one of those that `lyra models list` shows
    --- exit 4
    ");
}

#[test]
fn a_decider_judges_what_the_built_in_model_gives_a_side_any_chance() {
    let home = Home::new();
    add(&home, &tiny("mpnet"));
    insta::assert_snapshot!(home.run("models use mpnet --as decider"), @r"
    decider  lyra-stance-en-large-2 → mpnet
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("models list"), @r"
    MODEL                   FOR         ACTIVE   ORIGIN    LANGUAGES  DIMENSION  TOKENS      SIZE
    ─────                   ───         ──────   ──────    ─────────  ─────────  ──────      ────
    lyra-encoder-enja-1     embeddings  yes      built in  en ja            384     256   40.7 MB
    lyra-stance-en-3        stance      yes      built in  en               384     512   34.4 MB
    lyra-stance-enja-3      stance      yes      built in  en ja            384     512   40.7 MB
    lyra-stance-en-large-2  stance      no       built in  en               768     512  110.7 MB
    mpnet                   stance      decides  added     en                32      64  115.5 kB
    --- exit 0
    ");
    insta::assert_snapshot!(
        fs::read_to_string(home.data().join("models.toml")).unwrap(),
        @r#"
    # The active models, written by `lyra models use`.
    decider = "mpnet"
    "#
    );
    let judges = |arguments: &str| -> Value {
        let document = home.run(arguments).json();
        let pairs = document["stance"]["pairs"].as_array().unwrap();
        json!([
            document["stance"]["model"],
            pairs.iter().map(|it| &it["model"]).collect::<Vec<_>>()
        ])
    };
    let (small, both) = ("lyra-stance-en-3", "lyra-stance-enja-3");
    // Support and refutation in English are decided; what is surely neutral, and Japanese, which it does not read, is not.
    let name = "lyra-stance-en-3+lyra-stance-enja-3>mpnet";
    let decided = json!([name, ["mpnet", "mpnet", small, both, both, null]]);
    assert_eq!(judges("models test --json"), decided);
    let more = json!([name, ["mpnet", "mpnet", "mpnet", both, both, null]]);
    assert_eq!(judges("--set models.ask_decider_from=0.0 models test --json"), more);
    let less = json!([name, [small, small, small, both, both, null]]);
    assert_eq!(judges("--set models.ask_decider_from=1.0 models test --json"), less);

    let checks = home.run("--offline doctor --json").json();
    let decider =
        checks["checks"].as_array().unwrap().iter().find(|it| it["name"] == "deciding model");
    assert_eq!(decider.unwrap()["state"], "ok");

    let large = "lyra-stance-en-large-2";
    insta::assert_snapshot!(home.run("models use lyra-stance-en-large-2 --as decider"), @"
    decider  mpnet → lyra-stance-en-large-2
    --- exit 0
    ");
    let usual = json!([
        "lyra-stance-en-3+lyra-stance-enja-3>lyra-stance-en-large-2",
        [large, large, small, both, both, null]
    ]);
    assert_eq!(judges("models test --json"), usual);
    assert_eq!(judges("--set models.decider=mpnet models test --json"), decided);
    let alone =
        json!(["lyra-stance-en-3+lyra-stance-enja-3", [small, small, small, both, both, null]]);
    assert_eq!(judges("--set models.decider=none models test --json"), alone);
    insta::assert_snapshot!(home.run("models use none --as decider"), @"
    decider  lyra-stance-en-large-2 → none
    --- exit 0
    ");
    assert_eq!(judges("models test --json"), alone);
    insta::assert_snapshot!(home.run("models use mpnet --as decider"), @"
    decider  none → mpnet
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("models remove mpnet"), @"
    removed  mpnet
    --- stderr
    The built-in model decides again.
    --- exit 0
    ");
    assert_eq!(judges("models test --json"), usual);
}

#[test]
fn only_a_stance_model_can_be_the_decider_and_one_that_broke_is_told() {
    let home = Home::new();
    add(&home, &tiny("bert-embedder"));
    insta::assert_snapshot!(home.run("models use bert-embedder --as decider"), @"
    --- stderr
    error: bert-embedder is a model for embeddings, not for stance
    hint: `lyra models list` shows what each model is for
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("models use bert-embedder --as judge"), @"
    --- stderr
    error: invalid value 'judge' for '--as <ROLE>'
      [possible values: decider]

    For more information, try '--help'.
    --- exit 2
    ");
    add(&home, &tiny("mpnet"));
    home.run("models use mpnet --as decider");
    fs::remove_file(home.data().join("models/mpnet/tokenizer.json")).unwrap();
    let tried = home.run("models test --json");
    assert_eq!(tried.code, Some(0));
    let model = "lyra-stance-en-3+lyra-stance-enja-3>lyra-stance-en-large-2";
    assert_eq!(tried.json()["stance"]["model"], model);
    assert!(tried.stderr.contains("mpnet has no tokenizer.json"), "{tried}");
}

/// A tokenizer that takes ten times the memory of its file.
fn heavy_tokenizer(folder: &Path) {
    let words: Vec<String> = (0..1_000_000).map(|it| format!("\"w{it}\":0")).collect();
    let tokenizer = format!(
        "{{\"version\":\"1.0\",\"added_tokens\":[],\"model\":{{\"type\":\"WordPiece\",\"unk_token\":\"w1\",\
          \"continuing_subword_prefix\":\"##\",\"max_input_chars_per_word\":100,\"vocab\":{{{}}}}}}}",
        words.join(",")
    );
    fs::write(folder.join("tokenizer.json"), tokenizer).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn a_model_that_harms_the_process_which_reads_it_first_is_refused_now_and_later() {
    let home = Home::new();
    let folder = copy(&home, "bert");
    heavy_tokenizer(&folder);
    let little = "--set sandbox.max_memory_mb=64";
    insta::assert_snapshot!(home.run(&format!("{little} models add downloads/bert")), @"
    --- stderr
    error: bert was read in a process of its own first, and did not get through: the reading process ended before it was done
    hint: take models from where they were published; one that was added before and changed since can be removed and added again; sandbox.max_memory_mb and sandbox.max_model_seconds say how much one may take; nothing was added
    --- exit 2
    ");
    assert_eq!(listed(&home).len(), 4, "nothing was added");

    // A file that is changed after it was added is read in a process of its own again.
    assert_eq!(add(&home, &tiny("bert")).code, Some(0));
    let added = home.data().join("models/bert");
    assert!(added.join("first-reading.json").exists());
    heavy_tokenizer(&added);
    let list = home.run(&format!("{little} models list"));
    assert_eq!(list.code, Some(0), "{list}");
    assert!(list.stdout.contains("did not get through"), "{list}");
    // The same bytes are not tried again, with whatever limits.
    let notes = fs::read_to_string(added.join("first-reading.json")).unwrap();
    assert!(home.run("models list").stdout.contains("did not get through"));
    assert_eq!(fs::read_to_string(added.join("first-reading.json")).unwrap(), notes);
    fs::copy(tiny("bert").join("tokenizer.json"), added.join("tokenizer.json")).unwrap();
    let list = home.run("models list");
    assert!(!list.stdout.contains("did not get through"), "{list}");
}

#[test]
fn weights_in_parts_are_added_with_all_of_them() {
    let home = Home::new();
    let folder = copy(&home, "mpnet");
    // The first part has all tensors, the second none: where they are cut does not matter here.
    fs::rename(folder.join("model.safetensors"), folder.join("model-00001-of-00002.safetensors"))
        .unwrap();
    let empty = [&2_u64.to_le_bytes()[..], b"{}"].concat();
    fs::write(folder.join("model-00002-of-00002.safetensors"), empty).unwrap();
    assert_eq!(add(&home, &folder).code, Some(0));
    let mut names: Vec<_> = fs::read_dir(home.data().join("models/mpnet"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "config.json",
            "first-reading.json",
            "lyra.json",
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
            "tokenizer.json"
        ]
    );
}

#[test]
fn what_is_built_in_or_unknown_cannot_be_removed() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("models remove lyra-stance-en-3"), @r"
    --- stderr
    error: lyra-stance-en-3 is built in and stays
    hint: `lyra models use NAME` makes another one active
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("models remove nobody"), @r"
    --- stderr
    error: there is no model `nobody`
    hint: `lyra models list` shows the models there are
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("models use nobody"), @r"
    --- stderr
    error: there is no model `nobody`
    hint: `lyra models list` shows the models there are
    --- exit 3
    ");
}

#[test]
fn the_test_judges_as_a_person_would_in_both_languages_and_abstains_from_french() {
    let document = Home::new().run("models test --json").json();
    let pairs = document["stance"]["pairs"].as_array().unwrap();
    let stances: Vec<&Value> = pairs.iter().map(|it| &it["stance"]).collect();
    assert_eq!(
        json!(stances),
        json!(["supports", "refutes", "neutral", "supports", "refutes", null])
    );
    let judges: Vec<&Value> = pairs.iter().map(|it| &it["model"]).collect();
    let (one, both) = ("lyra-stance-en-3", "lyra-stance-enja-3");
    let large = "lyra-stance-en-large-2";
    assert_eq!(json!(judges), json!([large, large, one, both, both, null]));
    assert_eq!(pairs[5]["abstained"], "the text is in fr, the models read en, ja");
    for pair in &pairs[..5] {
        let sum: f64 =
            ["supports", "refutes", "neutral"].iter().map(|it| pair[*it].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{pair}");
    }
    let alike: Vec<f64> = document["embedding"]["similarities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["similarity"].as_f64().unwrap())
        .collect();
    // Question and answer, also across languages, and the question in both; then the recipe.
    assert!(alike[..3].iter().all(|it| *it > 0.7), "{alike:?}");
    assert!(alike[3..].iter().all(|it| *it < 0.1), "{alike:?}");
    assert!(document["stance"]["pairs_per_second"].as_f64().unwrap() > 0.0);
    assert!(document["embedding"]["sentences_per_second"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_test_for_people_shows_stances_likeness_speed_and_memory() {
    let answer = Home::new().run("models test");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    let first_words: Vec<&str> =
        answer.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let titles = ["STANCE", "──────"];
    let expected = ["supports", "refutes", "neutral", "supports", "refutes", "none", "ALIKE"];
    assert_eq!(first_words[..9], [&titles[..], &expected[..]].concat());
    for told in [
        "lyra-stance-en-3+lyra-stance-enja-3>lyra-stance-en-large-2 on the CPU, ",
        "pairs/s",
        "lyra-encoder-enja-1 on the CPU, ",
        "sentences/s",
        "abstained: the text is in fr, the models read en, ja",
        "thresholds",
    ] {
        assert!(answer.stdout.contains(told), "{answer}");
    }
}

#[test]
fn a_threshold_of_the_user_replaces_the_models_own() {
    let home = Home::new();
    let document = home.run("--set models.refutes_threshold=0.9 models test --json").json();
    assert_eq!(document["stance"]["pairs"][1]["stance"], "neutral");
    assert_eq!(document["stance"]["pairs"][0]["stance"], "supports");
}

/// The program under test is built without the feature.
#[cfg(not(feature = "cuda"))]
#[test]
fn a_gpu_that_cannot_be_had_is_said_once_and_the_answers_are_those_of_the_cpu() {
    let numbers = |device: &str| {
        let home = Home::new();
        let answer = home.run(&format!("--set models.device={device} models test --json"));
        assert_eq!(answer.code, Some(0));
        let mut document = answer.json();
        for pair in document["stance"]["pairs"].as_array_mut().unwrap() {
            pair["ms"] = Value::Null;
        }
        let (stance, embedding) = (&document["stance"], &document["embedding"]);
        assert_eq!([&stance["device"], &embedding["device"]], ["CPU", "CPU"]);
        (json!([stance["pairs"], embedding["similarities"]]), answer.stderr)
    };
    let (on_gpu, said) = numbers("cuda");
    let (on_cpu, nothing) = numbers("cpu");
    assert_eq!(on_gpu, on_cpu);
    assert_eq!((numbers("auto"), &*nothing), ((on_cpu, String::new()), ""));
    let warning: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        warning["warning"],
        "the GPU cannot be used: this program was built without the feature `cuda`; \
         models run on the CPU"
    );
}

#[test]
fn a_device_that_does_not_exist_is_refused() {
    insta::assert_snapshot!(Home::new().run("--set models.device=gpu models test"), @r#"
    --- stderr
    error: `models.device` must be one of auto, cpu, cuda, not "gpu" (--set)
    hint: `lyra config default` explains it, in section [models]
    --- exit 4
    "#);
}
