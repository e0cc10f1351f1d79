"""Makes the tiny models of this folder and what the reference library computes with them.

    python make.py            # writes the folders and expected.json beside this file

Made with torch 2.11.0, transformers 5.17.0, tokenizers 0.23.3, safetensors 0.8.0 (Python 3.11).
The numbers are committed, so nobody needs Python to run the tests. Every parameter is random, also
biases and norms, which a fresh model leaves at 0 and 1: a forgotten one must show.
"""

import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
    MPNetConfig,
    MPNetForSequenceClassification,
    XLMRobertaConfig,
    XLMRobertaForSequenceClassification,
)

HERE = Path(__file__).parent
LONGEST = 64  # tokens, special ones included

CORPUS = [
    "The vaccine reduced severe illness in adults over sixty-five years of age.",
    "The trial found no difference between the drug and the placebo after one year.",
    "Water boils at 100 degrees at sea level, and at a lower temperature on the mountain.",
    "Coffee does not cause cancer; the study of 1,200 people was small and not randomised.",
    "ワクチンは高齢者の重症化を半分以下に減らした。",
    "水は海面では百度で沸騰し、山の上ではもっと低い温度で沸騰する。",
    "コーヒーががんを引き起こすという証拠はない。",
]

TEXTS = [
    "",
    "the",
    "The vaccine reduced severe illness.",
    "Water boils at 100 degrees; on the mountain, it boils at a lower temperature!",
    "ワクチンは重症化を減らした。",
    "Naïve café — résumé 🎉 [SEP] x",
    # Filled up with a word that is one token: exactly as long as the model can read.
    None,
]
PAIRS = [
    ("The trial found no difference between the drug and the placebo.", "The drug works."),
    ("Water boils at 100 degrees.", "Water boils at 100 degrees at sea level."),
    ("Coffee does not cause cancer.", "Coffee causes cancer."),
    ("水は百度で沸騰する。", "水は沸騰する。"),
    ("a", "b"),
]


def wordpiece(special, unknown, one, two, used):
    tokenizer = Tokenizer(models.WordPiece(unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=260, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(CORPUS * 20, trainer)
    tokenizer.decoder = decoders.WordPiece()
    frame(tokenizer, one, two, used)
    return tokenizer


def unigram(special, unknown, one, two, used):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace("  ", " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=260, special_tokens=special, unk_token=unknown, show_progress=False)
    tokenizer.train_from_iterator(CORPUS * 20, trainer)
    tokenizer.decoder = decoders.Metaspace()
    frame(tokenizer, one, two, used)
    return tokenizer


def frame(tokenizer, one, two, used):
    ids = [(token, tokenizer.token_to_id(token)) for token in used]
    tokenizer.post_processor = processors.TemplateProcessing(single=one, pair=two, special_tokens=ids)


def randomise(model, seed):
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            noise = torch.randn(parameter.shape, generator=generator)
            norm = "LayerNorm" in name and name.endswith("weight")
            parameter.copy_(1 + 0.2 * noise if norm else 0.25 * noise)
    return model.eval()


def round_to(model, kind):
    """Gives the model the weights it will have after it was stored in this format."""
    stored = {}
    with torch.no_grad():
        for name, parameter in model.state_dict().items():
            if not parameter.is_floating_point():
                continue
            parameter = parameter.contiguous()
            if kind == "int8" and parameter.dim() == 2:
                scale = parameter.abs().amax(dim=1) / 127
                whole = torch.round(parameter / scale[:, None]).to(torch.int8)
                stored[name], stored[f"{name}_scale"] = whole, scale
                model.state_dict()[name].copy_(whole.float() * scale[:, None])
            else:
                kinds = {"f16": torch.float16, "bf16": torch.bfloat16}
                stored[name] = parameter.to(kinds.get(kind, torch.float32)).clone()
                model.state_dict()[name].copy_(stored[name].float())
    return stored


def filler(tokenizer, count):
    """A text of exactly so many tokens: a word that is one token, again and again."""
    for word in sorted(it.strip("▁") for it in tokenizer.get_vocab()):
        text = " ".join([word] * count)
        if word.isascii() and word.isalpha() and len(tokenizer.encode(text, add_special_tokens=False).ids) == count:
            return text
    raise SystemExit("no word of this vocabulary is one token")


def base_of(model):
    return next((getattr(model, it) for it in ("bert", "roberta", "mpnet", "deberta") if hasattr(model, it)), model)


def run(model, encoding):
    inputs = {
        "input_ids": torch.tensor([encoding.ids]),
        "attention_mask": torch.ones(1, len(encoding.ids), dtype=torch.long),
    }
    if model.config.model_type != "mpnet":
        inputs["token_type_ids"] = torch.tensor([encoding.type_ids])
    with torch.no_grad():
        states = base_of(model)(**inputs).last_hidden_state[0]
        logits = model(**inputs).logits[0] if hasattr(model, "classifier") else None
    return states, logits


def numbers(tensor):
    return [round(float(it), 7) for it in tensor]


def unit(vector):
    return vector / vector.norm()


def make(name, model, tokenizer, kind, extra=()):
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    stored = round_to(randomise(model, seed=len(name)), kind)
    save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    config = model.config.to_dict()
    config["architectures"] = [type(model).__name__]
    (folder / "config.json").write_text(json.dumps(config, indent=1, sort_keys=True) + "\n")
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    for path, content in extra:
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(json.dumps(content) + "\n")

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.encode_special_tokens = True
    special = len(tokenizer.encode("").ids)
    embeddings, stances = [], []
    for text in TEXTS:
        text = filler(tokenizer, LONGEST - special) if text is None else text
        encoding = tokenizer.encode(text)
        states, _ = run(model, encoding)
        embeddings.append({
            "text": text,
            "tokens": len(encoding.ids),
            "mean": numbers(unit(states.mean(dim=0))),
            "cls": numbers(unit(states[0])),
        })
    assert embeddings[-1]["tokens"] == LONGEST, embeddings[-1]["tokens"]
    if hasattr(model, "classifier"):
        for passage, claim in PAIRS:
            for order, pair in (("passage_first", (passage, claim)), ("claim_first", (claim, passage))):
                _, logits = run(model, tokenizer.encode(*pair))
                stances.append({
                    "passage": passage,
                    "claim": claim,
                    "order": order,
                    "probabilities": numbers(torch.softmax(logits, dim=0)),
                    "at_temperature_2": numbers(torch.softmax(logits / 2, dim=0)),
                })
    return {"embeddings": embeddings, "stances": stances}


def main():
    small = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)
    names = {"id2label": {0: "contradiction", 1: "entailment", 2: "neutral"}, "label2id": {}}
    swapped = {"id2label": {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}, "label2id": {}}
    pieces = wordpiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], "[UNK]",
                       "[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", ["[CLS]", "[SEP]"])
    marked = wordpiece(["<s>", "<pad>", "</s>", "<unk>", "[UNK]", "<mask>"], "[UNK]",
                       "<s> $A </s>", "<s> $A </s> </s> $B </s>", ["<s>", "</s>"])
    xlm = unigram(["<s>", "<pad>", "</s>", "<unk>", "<mask>"], "<unk>",
                  "<s> $A </s>", "<s> $A </s> </s> $B </s>", ["<s>", "</s>"])
    deberta = unigram(["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"], "[UNK]",
                      "[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", ["[CLS]", "[SEP]"])
    bert_config = lambda **more: BertConfig(
        vocab_size=pieces.get_vocab_size(), max_position_embeddings=LONGEST, **small, **more)
    deberta_config = lambda **more: DebertaV2Config(
        vocab_size=deberta.get_vocab_size() + 3, max_position_embeddings=LONGEST, relative_attention=True,
        pos_att_type=["p2c", "c2p"], pooler_hidden_size=32, **small, **more)

    expected = {
        "bert": make("bert", BertForSequenceClassification(bert_config(**names)), pieces, "f32"),
        "bert-int8": make("bert-int8", BertForSequenceClassification(bert_config(**swapped)), pieces, "int8"),
        "bert-embedder": make(
            "bert-embedder", BertModel(bert_config(hidden_act="gelu_new")), pieces, "f32",
            extra=[("1_Pooling/config.json", {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False})]),
        "xlm-roberta": make(
            "xlm-roberta",
            XLMRobertaForSequenceClassification(XLMRobertaConfig(
                vocab_size=xlm.get_vocab_size(), max_position_embeddings=LONGEST + 2, type_vocab_size=1,
                pad_token_id=1, **small, **names)),
            xlm, "bf16"),
        "mpnet": make(
            "mpnet",
            MPNetForSequenceClassification(MPNetConfig(
                vocab_size=marked.get_vocab_size(), max_position_embeddings=LONGEST + 2, pad_token_id=1,
                layer_norm_eps=1e-5, **small, **names)),
            marked, "f32"),
        "deberta-v3": make(
            "deberta-v3",
            DebertaV2ForSequenceClassification(deberta_config(
                position_buckets=8, share_att_key=True, norm_rel_ebd="layer_norm", position_biased_input=False,
                type_vocab_size=0, max_relative_positions=-1, **swapped)),
            deberta, "f16"),
        "deberta-v2": make(
            "deberta-v2",
            DebertaV2ForSequenceClassification(deberta_config(
                position_buckets=-1, share_att_key=False, position_biased_input=True, type_vocab_size=2,
                max_relative_positions=24, embedding_size=16, pooler_hidden_act="tanh", **names)),
            deberta, "f32"),
    }
    (HERE / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n")


main()
