//! Models that lack something, lie about something or are not models: each a named error.

use std::fs;
use std::path::Path;

use models::{ModelError, ModelFiles, Options, Pair, Verdict, load, load_embedder, load_stance};
use proptest::prelude::*;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use crate::support::{Files, folder, message};

fn refusal(files: Files) -> String {
    message(&load(files.files(), &Options::default()).unwrap_err())
}

/// Stores the tensors of a tiny model again, after a change to their list.
fn rewritten(
    name: &str,
    change: impl FnOnce(&mut Vec<(String, Dtype, Vec<usize>, Vec<u8>)>),
) -> Files {
    let mut files = Files::of(name);
    let read = SafeTensors::deserialize(&files.weights).unwrap();
    let mut tensors: Vec<_> = read
        .tensors()
        .into_iter()
        .map(|(name, it)| (name, it.dtype(), it.shape().to_vec(), it.data().to_vec()))
        .collect();
    change(&mut tensors);
    let views = tensors.iter().map(|(name, dtype, shape, data)| {
        (name, TensorView::new(*dtype, shape.clone(), data).unwrap())
    });
    files.weights = safetensors::serialize(views, None).unwrap();
    files
}

fn copy_of(name: &str, into: &Path) {
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::copy(folder(name).join(file), into.join(file)).unwrap();
    }
}

#[test]
fn a_missing_file_is_named() {
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let folder = tempfile::tempdir().unwrap();
        copy_of("bert", folder.path());
        fs::remove_file(folder.path().join(file)).unwrap();
        let error = ModelFiles::from_folder(folder.path()).unwrap_err();
        let name = folder.path().file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(message(&error), format!("{name} has no {file}"));
    }
}

/// The weights of a folder in two files, as Hugging Face cuts large ones.
fn in_two_parts(folder: &Path) {
    let whole = fs::read(folder.join("model.safetensors")).unwrap();
    let whole = SafeTensors::deserialize(&whole).unwrap();
    let mut tensors = whole.tensors();
    tensors.sort_by(|one, other| one.0.cmp(&other.0));
    let half = tensors.len() / 2;
    for (number, part) in [(1, &tensors[..half]), (2, &tensors[half..])] {
        let bytes = safetensors::serialize(part.to_vec(), None).unwrap();
        fs::write(folder.join(format!("model-0000{number}-of-00002.safetensors")), bytes).unwrap();
    }
    fs::remove_file(folder.join("model.safetensors")).unwrap();
}

#[test]
fn weights_in_parts_are_those_of_the_whole_and_a_missing_part_is_named() {
    let folder = tempfile::tempdir().unwrap();
    copy_of("bert-int8", folder.path());
    let load = || {
        let files = ModelFiles::from_folder(folder.path())?;
        load_stance(files, &Options::default())
    };
    let pair = Pair { passage: "Water boils at 100 degrees.", claim: "Water boils." };
    let probabilities = |verdicts: Vec<Verdict>| match &verdicts[..] {
        [Verdict::Judged { supports, refutes, neutral, .. }] => [*supports, *refutes, *neutral],
        other => panic!("{other:?}"),
    };
    let whole = probabilities(load().unwrap().judge(&[pair]).unwrap());
    in_two_parts(folder.path());
    let mut names = ModelFiles::names(folder.path()).unwrap();
    names.sort();
    assert_eq!(
        names,
        [
            "config.json",
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
            "tokenizer.json"
        ]
    );
    assert_eq!(probabilities(load().unwrap().judge(&[pair]).unwrap()), whole);

    fs::remove_file(folder.path().join("model-00001-of-00002.safetensors")).unwrap();
    let error = load().unwrap_err();
    assert!(message(&error).ends_with("has no model-00001-of-00002.safetensors"), "{error}");
}

#[test]
fn parts_from_memory_are_one_model_too() {
    let folder = tempfile::tempdir().unwrap();
    copy_of("bert", folder.path());
    in_two_parts(folder.path());
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let parts = ["model-00002-of-00002.safetensors", "model-00001-of-00002.safetensors"];
    let files = ModelFiles::from_memory(
        "bert",
        read("config.json"),
        read("tokenizer.json"),
        parts.map(|it| read(it).into()).into(),
        None,
    );
    let pair = Pair { passage: "Water boils at 100 degrees.", claim: "Water boils." };
    let whole = Files::of("bert").stance(&Options::default()).judge(&[pair]).unwrap();
    let model = load_stance(files, &Options::default()).unwrap();
    assert_eq!(model.judge(&[pair]).unwrap(), whole);
}

#[test]
fn a_folder_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nothing");
    let error = ModelFiles::from_folder(&path).unwrap_err();
    assert_eq!(error.to_string(), format!("{} is not a folder that can be read", path.display()));

    fs::write(&path, "a file").unwrap();
    assert!(matches!(ModelFiles::from_folder(&path).unwrap_err(), ModelError::Folder { .. }));

    let path = folder.path().join("odd");
    fs::create_dir_all(path.join("model.safetensors")).unwrap();
    for file in ["config.json", "tokenizer.json"] {
        fs::copy(self::folder("bert").join(file), path.join(file)).unwrap();
    }
    let error = ModelFiles::from_folder(&path).unwrap_err();
    assert_eq!(message(&error), "cannot read model.safetensors of odd: is a directory");
}

#[test]
fn an_architecture_that_is_not_supported_is_named_with_those_that_are() {
    let bert = || Files::of("bert");
    let supported =
        "supported are bert, roberta, xlm-roberta, camembert, mpnet, deberta-v2 (also v3)";
    let table = [
        (
            bert().with_config(r#""model_type": "bert""#, r#""model_type": "distilbert""#),
            format!("bert is of architecture distilbert, {supported}"),
        ),
        (
            bert().with_config(
                r#""model_type": "bert""#,
                r#""model_type": "bert", "position_embedding_type": "relative_key""#,
            ),
            format!(
                "bert is of architecture bert with position_embedding_type relative_key, {supported}"
            ),
        ),
        (
            Files::of("deberta-v3")
                .with_config(r#""hidden_act""#, r#""conv_kernel_size": 3, "hidden_act""#),
            format!(
                "deberta-v3 is of architecture deberta-v2 with a convolution layer, {supported}"
            ),
        ),
        (
            Files::of("deberta-v3")
                .with_config(r#""relative_attention": true"#, r#""relative_attention": false"#),
            format!(
                "deberta-v3 is of architecture deberta-v2 without relative_attention, {supported}"
            ),
        ),
        (
            Files::of("mpnet").with_config(
                r#""relative_attention_num_buckets": 32"#,
                r#""relative_attention_num_buckets": 64"#,
            ),
            format!(
                "mpnet is of architecture mpnet with relative_attention_num_buckets 64, {supported}"
            ),
        ),
    ];
    for (files, expected) in table {
        assert_eq!(refusal(files), expected);
    }
}

#[test]
fn a_config_that_makes_no_sense_is_named() {
    let bert = || Files::of("bert");
    let table = [
        (
            bert().with_config(r#""model_type": "bert","#, ""),
            "config.json of bert: model_type is missing",
        ),
        (
            bert().with_config(r#""hidden_size": 32,"#, ""),
            "config.json of bert: hidden_size is missing",
        ),
        (
            bert().with_config(r#""hidden_size": 32"#, r#""hidden_size": 33"#),
            "config.json of bert: hidden_size is not a multiple of num_attention_heads",
        ),
        (
            bert().with_config(r#""num_attention_heads": 4"#, r#""num_attention_heads": 0"#),
            "config.json of bert: num_attention_heads is 0",
        ),
        (
            bert().with_config(r#""hidden_size": 32"#, r#""hidden_size": 99999999999"#),
            "config.json of bert: hidden_size is 99999999999",
        ),
        (
            bert().with_config(r#""hidden_act": "gelu""#, r#""hidden_act": "silu""#),
            "config.json of bert: hidden_act silu is not known (gelu, gelu_new, relu)",
        ),
        (
            bert().with_config(r#""hidden_size": 32"#, r#""hidden_size": -1"#),
            "config.json of bert is not valid JSON of the expected form: \
             invalid value: integer `-1`, expected usize at line 15 column 18",
        ),
        (
            bert()
                .with_config(r#""max_position_embeddings": 64"#, r#""max_position_embeddings": 5"#),
            "config.json of bert: 5 tokens leave no room for text",
        ),
    ];
    for (files, expected) in table {
        assert_eq!(refusal(files), expected);
    }
}

#[test]
fn settings_are_checked() {
    let table = [
        (r#"{"temperature": 0}"#, "lyra.json of bert: temperature must be a number above 0"),
        (r#"{"sharpen": -0.1}"#, "lyra.json of bert: sharpen must be a number not below 0"),
        (
            r#"{"thresholds": {"supports": 0.5, "refutes": 1.5}}"#,
            "lyra.json of bert: thresholds must lie between 0 and 1",
        ),
        (
            r#"{"calibrated": {"across": {"temperature": -1}}}"#,
            "lyra.json of bert: temperature must be a number above 0",
        ),
        (r#"{"layers": []}"#, "lyra.json of bert: layers must name at least one"),
        (r#"{"layers": [0, 0]}"#, "lyra.json of bert: layers must name none twice"),
        (
            r#"{"layers": [0, 9]}"#,
            "the weights of bert lack the tensor bert.encoder.layer.9.attention.self.query.weight",
        ),
        (r#"{"languages": []}"#, "lyra.json of bert: languages must name at least one"),
        (r#"{"id": " "}"#, "lyra.json of bert: id must not be empty"),
        (r#"{"max_tokens": 6}"#, "lyra.json of bert: 6 tokens leave no room for text"),
    ];
    for (settings, expected) in table {
        assert_eq!(refusal(Files::of("bert").with_settings(settings)), expected);
    }
    let unknown = refusal(Files::of("bert").with_settings(r#"{"temprature": 2}"#));
    assert!(
        unknown.starts_with(
            "lyra.json of bert is not valid JSON of the expected form: unknown field `temprature`"
        ),
        "{unknown}"
    );
}

#[test]
fn labels_that_are_not_the_three_are_refused_by_name() {
    let two = Files::of("bert")
        .with_config(r#""0": "contradiction","#, "")
        .with_config(r#""1": "entailment""#, r#""0": "entailment""#)
        .with_config(r#""2": "neutral""#, r#""1": "not_entailment""#);
    assert_eq!(
        refusal(two),
        "bert has the labels entailment, not_entailment, a stance model needs entailment, neutral, contradiction"
    );
    let unnamed = Files::of("xlm-roberta")
        .with_config("contradiction", "LABEL_0")
        .with_config("entailment", "LABEL_1")
        .with_config("neutral", "LABEL_2");
    assert_eq!(
        refusal(unnamed),
        "xlm-roberta has the labels LABEL_0, LABEL_1, LABEL_2, a stance model needs entailment, neutral, contradiction"
    );
}

#[test]
fn the_settings_can_name_labels_the_config_does_not() {
    let pair = Pair { passage: "Water boils.", claim: "Water boils at 100 degrees." };
    let named = Files::of("xlm-roberta").stance(&Options::default()).judge(&[pair]).unwrap();
    let unnamed = Files::of("xlm-roberta")
        .with_config("contradiction", "LABEL_0")
        .with_config("entailment", "LABEL_1")
        .with_config("neutral", "LABEL_2")
        .with_settings(r#"{"labels": ["refutes", "supports", "neutral"]}"#);
    assert_eq!(unnamed.stance(&Options::default()).judge(&[pair]).unwrap(), named);
}

#[test]
fn a_model_of_the_other_kind_is_refused() {
    let error = load_embedder(Files::of("bert").files(), &Options::default()).unwrap_err();
    assert_eq!(message(&error), "bert is a model for stance, not for embeddings");
    let error = load_stance(Files::of("bert-embedder").files(), &Options::default()).unwrap_err();
    assert_eq!(message(&error), "bert-embedder is a model for embeddings, not for stance");
    let forced = Files::of("bert-embedder").with_settings(r#"{"kind": "stance"}"#);
    assert_eq!(
        refusal(forced),
        "bert-embedder has the labels LABEL_0, LABEL_1, a stance model needs entailment, neutral, contradiction"
    );
}

#[test]
fn a_tensor_that_lacks_or_has_another_shape_or_format_is_named() {
    let dense = "bert.encoder.layer.1.output.dense.weight";
    let without = rewritten("bert", |it| it.retain(|tensor| tensor.0 != dense));
    assert_eq!(refusal(without), format!("the weights of bert lack the tensor {dense}"));

    let turned = rewritten("bert", |it| {
        it.iter_mut().find(|tensor| tensor.0 == dense).unwrap().2 = vec![64, 32];
    });
    assert_eq!(
        refusal(turned),
        format!("tensor {dense} of bert has shape [64, 32], expected [32, 64]")
    );

    let whole = rewritten("bert", |it| {
        it.iter_mut().find(|tensor| tensor.0 == dense).unwrap().1 = Dtype::I32;
    });
    assert_eq!(
        refusal(whole),
        format!(
            "tensor {dense} of bert holds I32, supported are F32, F16, BF16 and I8 with a scale per row"
        )
    );

    let scale = format!("{dense}_scale");
    let unscaled = rewritten("bert-int8", |it| it.retain(|tensor| tensor.0 != scale));
    assert_eq!(refusal(unscaled), format!("the weights of bert-int8 lack the tensor {scale}"));

    let foreign = rewritten("bert", |it| {
        it.iter_mut().for_each(|tensor| tensor.0 = format!("vision.{}", tensor.0));
    });
    assert_eq!(
        refusal(foreign.with_settings(r#"{"kind": "embedding"}"#)),
        "the weights of bert lack the tensor encoder.layer.0.attention.self.query.weight"
    );
}

#[test]
fn eight_bit_weights_are_read_under_either_pair_of_names() {
    let pair = Pair { passage: "Water boils.", claim: "Water boils at 100 degrees." };
    let usual = Files::of("bert-int8").stance(&Options::default()).judge(&[pair]).unwrap();
    let other = rewritten("bert-int8", |tensors| {
        for tensor in tensors.iter_mut() {
            match tensor.0.strip_suffix("_scale") {
                Some(name) => tensor.0 = format!("{name}.scale"),
                None if tensor.1 == Dtype::I8 => tensor.0.push_str(".int8"),
                None => {}
            }
        }
    });
    assert_eq!(other.stance(&Options::default()).judge(&[pair]).unwrap(), usual);
}

#[test]
fn what_sentence_transformers_wrote_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("labse");
    fs::create_dir_all(model.join("1_Pooling")).unwrap();
    copy_of("bert-embedder", &model);
    let outcome = |file: &str, text: &str| {
        fs::write(model.join(file), text).unwrap();
        let loaded = load_embedder(ModelFiles::from_folder(&model).unwrap(), &Options::default());
        loaded.map(|it| it.max_tokens()).map_err(|it| message(&it))
    };
    let modules = |last: &str| {
        format!(
            r#"[{{"idx": 0, "type": "sentence_transformers.models.Transformer"}}, {{"idx": 1, "type": "sentence_transformers.models.{last}"}}]"#
        )
    };
    assert_eq!(outcome("sentence_bert_config.json", r#"{"max_seq_length": 48}"#), Ok(48));
    assert_eq!(outcome("1_Pooling/config.json", r#"{"pooling_mode": "mean"}"#), Ok(48));
    assert_eq!(
        outcome("1_Pooling/config.json", r#"{"pooling_mode_max_tokens": true}"#),
        Err("1_Pooling/config.json of labse: only mean and CLS pooling are supported".to_owned())
    );
    assert_eq!(outcome("1_Pooling/config.json", r#"{"pooling_mode_mean_tokens": true}"#), Ok(48));
    assert_eq!(outcome("modules.json", &modules("Normalize")), Ok(48));
    assert_eq!(
        outcome("modules.json", &modules("Dense")),
        Err("labse is of architecture sentence-transformers with a Dense module, supported are \
             bert, roberta, xlm-roberta, camembert, mpnet, deberta-v2 (also v3)"
            .to_owned())
    );
}

#[test]
fn a_tokenizer_of_another_model_is_refused() {
    let mut files = Files::of("bert");
    files.config = Files::of("bert").with_config(r#""vocab_size": "#, r#""vocab_size": 1"#).config;
    let error = load(files.files(), &Options::default()).unwrap_err();
    assert!(
        matches!(error, ModelError::Shape { ref tensor, .. } if tensor == "bert.embeddings.word_embeddings.weight"),
        "{error}"
    );

    let small = Files::of("bert").with_config(r#""vocab_size": 2"#, r#""vocab_size": 1"#);
    assert!(refusal(small).starts_with("the tokenizer of bert knows token 2"));
}

/// The tokenizer of a small model with another normalizer.
fn with_normalizer(normalizer: &str) -> Files {
    let mut files = Files::of("bert");
    let mut tokenizer: serde_json::Value = serde_json::from_slice(&files.tokenizer).unwrap();
    tokenizer["normalizer"] = serde_json::from_str(normalizer).unwrap();
    files.tokenizer = serde_json::to_vec(&tokenizer).unwrap();
    files
}

#[test]
fn a_tokenizer_that_blows_up_texts_is_refused() {
    let told = |normalizer: &str| refusal(with_normalizer(normalizer));
    let sequence = |step: &str, times: usize| {
        format!(r#"{{"type": "Sequence", "normalizers": [{}]}}"#, vec![step; times].join(","))
    };
    let double = r#"{"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}"#;
    let between = r#"{"type": "Replace", "pattern": {"Regex": ""}, "content": "a"}"#;
    let too_long =
        "the tokenizer of bert does not work: it can make a text more than 256 times as long";
    assert_eq!(told(&sequence(double, 30)), too_long);
    assert_eq!(told(&sequence(&sequence(double, 5), 2)), too_long);
    assert_eq!(told(&sequence(between, 30)), too_long);
    assert_eq!(told(&sequence(r#"{"type": "ByteLevel"}"#, 30)), too_long);
    let once = format!(
        r#"{{"type": "Replace", "pattern": {{"String": "a"}}, "content": "{}"}}"#,
        "a".repeat(1_000_000)
    );
    assert_eq!(told(&once), too_long);
    let prefix = format!(r#"{{"type": "Prepend", "prepend": "{}"}}"#, "a".repeat(1000));
    assert_eq!(
        told(&prefix),
        "the tokenizer of bert does not work: it puts 1000 bytes before a text"
    );
    assert_eq!(
        told(&sequence(r#"{"type": "NFKC"}"#, 65)),
        "the tokenizer of bert does not work: it changes a text in more than 64 steps"
    );
    let usual = r#"{"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}"#;
    load(with_normalizer(&sequence(usual, 2)).files(), &Options::default()).unwrap();
}

#[test]
fn a_broken_tokenizer_is_refused() {
    let broken = |bytes: &[u8]| {
        let mut files = Files::of("bert");
        files.tokenizer = bytes.to_vec();
        refusal(files)
    };
    for bytes in [&b""[..], b"{}", b"[1, 2]", b"\xff\xfe"] {
        let text = broken(bytes);
        assert!(text.starts_with("the tokenizer of bert does not work: "), "{text}");
    }
    let text = String::from_utf8(Files::of("bert").tokenizer).unwrap();
    let at = text.find(r#""post_processor":"#).unwrap();
    let end = text.find(r#","decoder""#).unwrap();
    let bare = format!("{}\"post_processor\":null{}", &text[..at], &text[end..]);
    assert_eq!(
        broken(bare.as_bytes()),
        "the tokenizer of bert does not work: it marks neither begin nor end of a text"
    );
}

#[test]
fn weights_that_are_no_safetensors_are_refused() {
    let broken = |bytes: Vec<u8>| {
        let mut files = Files::of("bert");
        files.weights = bytes;
        refusal(files)
    };
    let start = "the weights of bert are damaged or not in the safetensors format: ";
    assert_eq!(broken(Vec::new()), format!("{start}only 0 bytes"));
    assert_eq!(
        broken(b"PK\x03\x04 this is a zip file".to_vec()),
        format!("{start}the header is longer than the file")
    );
    let whole = Files::of("bert").weights;
    let short = broken(whole[..whole.len() - 4].to_vec());
    assert!(
        short.starts_with(start) && short.contains(" bytes of tensors, the header lists "),
        "{short}"
    );
    let mut longer = whole;
    longer.extend([0; 4]);
    assert!(broken(longer).starts_with(start));
}

#[test]
fn weights_cut_short_after_the_folder_was_opened_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    copy_of("bert", folder.path());
    let files = ModelFiles::from_folder(folder.path()).unwrap();
    let weights = folder.path().join("model.safetensors");
    fs::OpenOptions::new().write(true).open(weights).unwrap().set_len(20_000).unwrap();
    let error = load(files, &Options::default()).unwrap_err();
    let ModelError::File { file, .. } = &error else { panic!("{error}") };
    assert_eq!(file, "model.safetensors");
}

#[test]
fn weights_that_compute_nonsense_are_an_error_not_a_judgement() {
    let files = rewritten("bert", |tensors| {
        let tensor =
            tensors.iter_mut().find(|it| it.0 == "bert.encoder.layer.0.output.dense.bias").unwrap();
        tensor.3[..4].copy_from_slice(&f32::NAN.to_le_bytes());
    });
    let model = load_stance(files.clone().files(), &Options::default()).unwrap();
    let pair = Pair { passage: "Water boils.", claim: "Water boils." };
    let error = model.judge(&[pair]).unwrap_err();
    assert_eq!(message(&error), "bert computed something that is not a number");
    let files = files.with_settings(r#"{"kind": "embedding"}"#);
    let model = load_embedder(files.files(), &Options::default()).unwrap();
    assert!(matches!(model.embed(&["water"]).unwrap_err(), ModelError::NotANumber { .. }));
}

/// Loads and, should that work, runs: neither may panic.
fn try_out(files: Files) {
    if let Ok(models::Model::Stance(model)) = load(files.files(), &Options::default()) {
        let pair = Pair { passage: "Water boils at 100 degrees.", claim: "Water boils." };
        let _either = model.judge(&[pair]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_never_panic(
        which in 0..3_usize,
        model in 0..3_usize,
        cut in proptest::option::of(0.0..1.0_f64),
        flips in proptest::collection::vec((0.0..1.0_f64, any::<u8>()), 0..6),
    ) {
        let mut files = Files::of(["bert-int8", "xlm-roberta", "deberta-v3"][model]);
        let bytes = match which {
            0 => &mut files.config,
            1 => &mut files.tokenizer,
            _ => &mut files.weights,
        };
        if let Some(cut) = cut {
            bytes.truncate((bytes.len() as f64 * cut) as usize);
        }
        for (at, value) in flips {
            let length = bytes.len();
            if let Some(byte) = bytes.get_mut((length as f64 * at) as usize) {
                *byte = value;
            }
        }
        try_out(files);
    }

    #[test]
    fn a_damaged_header_never_panics(at in 0..4000_usize, value in any::<u8>()) {
        let mut files = Files::of("bert-int8");
        if let Some(byte) = files.weights.get_mut(at) {
            *byte = value;
        }
        try_out(files);
    }
}
