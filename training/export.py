"""Final weights -> int8 model folders, checks and reference numbers.

    python export.py quantize stance|embed MODEL_DIR OUT_DIR [--evaluation eval.json]
    python export.py average OUT_DIR MODEL_DIR... [--weights 0.4,0.4,0.2]   mean of the weights of several models
    python export.py predict DATA_OUT MODEL_DIR OUT.npz               dev logits
    python export.py check DATA_OUT STANCE_MODEL_DIR STANCE_OUT       agreement of int8 with float32 on the dev sets
    python export.py check-embed DATA_OUT MINILM_MODEL_DIR EMBED_OUT  cosine of int8 with float32 on dev sentences
    python export.py reference DATA_OUT STANCE_OUT EMBED_OUT OUT.json 20 pairs and 20 sentences in float32 from the int8 weights

File format: safetensors with Hugging Face's names for BERT. A linear layer's `X.weight` [out, in] and the word embeddings
[vocabulary, hidden] are int8 with `X.weight_scale` (float32, one per row): w = q * scale. Everything else is float32.
"""
import argparse, gzip, json
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from base import quantize_rows, sha256, slim_tokenizer


def is_quantized(name, tensor):
    return tensor.ndim == 2 and name.endswith(".weight") and "position_embeddings" not in name and "token_type" not in name


def quantize(kind, src, out, evaluation=None):
    out.mkdir(parents=True, exist_ok=True)
    sd = load_file(src / "model.safetensors")
    sd = {k.removeprefix("bert.") if kind == "embed" else k: v for k, v in sd.items() if not k.endswith("position_ids")}
    if kind == "embed":
        sd = {k: v for k, v in sd.items() if not k.startswith("pooler.")}
    small = {}
    for k, v in sd.items():
        if is_quantized(k, v):
            small[k], small[k + "_scale"] = quantize_rows(v)
        else:
            small[k] = v.float().contiguous()
    name = f"{kind}.safetensors"
    save_file(small, out / name, metadata={"format": "pt", "quantization": "int8 weights, symmetric, one float32 scale per row (weight_scale)"})
    cfg = json.loads((src / "config.json").read_text())
    keep = ("architectures model_type hidden_size num_hidden_layers num_attention_heads intermediate_size hidden_act layer_norm_eps "
            "max_position_embeddings type_vocab_size vocab_size pad_token_id id2label label2id").split()
    cfg = {k: cfg[k] for k in keep if k in cfg}
    cfg["quantization"] = {"weights": "int8", "scheme": "symmetric", "axis": "row", "scale": "weight_scale"}
    if kind == "stance":
        cfg["lyra"] = {"task": "stance", "languages": ["en"], "input": "[CLS] claim [SEP] evidence [SEP]", "max_tokens": 512, "labels": ["supports", "refutes", "neutral"]}
        if evaluation:
            e = json.loads(Path(evaluation).read_text())
            cfg["lyra"]["temperature"], cfg["lyra"]["sharpen"] = e["temperature"], e["sharpen"]
            cfg["lyra"]["thresholds"] = {k: v["held_out"]["threshold"] for k, v in e["thresholds"].items()}
    else:
        cfg["lyra"] = {"task": "embed", "languages": ["en"], "pooling": "mean", "normalize": True, "max_tokens": 256}
    (out / "config.json").write_text(json.dumps(cfg, indent=1, sort_keys=True) + "\n")
    if (src / "tokenizer.json").exists():
        slim_tokenizer(src / "tokenizer.json", out / "tokenizer.json")
    sums(out)


def sums(out):
    lines = [f"{sha256(p)}  {p.name}" for p in sorted(out.iterdir()) if p.name != "SHA256SUMS"]
    (out / "SHA256SUMS").write_text("\n".join(lines) + "\n")
    for p in sorted(out.iterdir()):
        print(f"{p.name} {p.stat().st_size} bytes")
    print("\n".join(lines))


def dequantized(folder, kind):
    sd = load_file(folder / f"{kind}.safetensors")
    return {k: v.float() * sd[k + "_scale"][:, None] if k + "_scale" in sd else v.float() for k, v in sd.items() if not k.endswith("_scale")}


def model_from(folder, sd, kind):
    from transformers import BertConfig, BertForSequenceClassification, BertModel
    cfg = json.loads((folder / "config.json").read_text())
    cfg = BertConfig(**{k: v for k, v in cfg.items() if k in BertConfig().to_dict() and k not in ("id2label", "label2id")})
    cfg.num_labels = 3
    model = BertForSequenceClassification(cfg) if kind == "stance" else BertModel(cfg, add_pooling_layer=False)
    missing, extra = model.load_state_dict(sd, strict=False)
    assert not missing and not extra, (missing, extra)
    return model.eval()


def check(data, full, quant):
    from evaluate import summarise
    from train import Rows, predict
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dev = Rows(device, data / "dev.npz")
    a = predict(model_from(full, load_file(full / "model.safetensors"), "stance").to(device), dev, device, exact=True)
    b = predict(model_from(quant, dequantized(quant, "stance"), "stance").to(device), dev, device, exact=True)
    np.savez_compressed(quant.parent / "stance-int8.dev.npz", logits=b.astype(np.float32))
    label = dev.label.cpu().numpy()
    sa, sb = (summarise(label, dev.source, dev.sources, x)["mean"] for x in (a, b))
    pa, pb = (torch.softmax(torch.tensor(x), 1).numpy() for x in (a, b))
    result = dict(rows=len(label), agreement=float((a.argmax(1) == b.argmax(1)).mean()), largest_probability_difference=float(np.abs(pa - pb).max()),
                  mean_probability_difference=float(np.abs(pa - pb).mean()), float32=sa, int8=sb)
    print(json.dumps(result, indent=1))
    (quant.parent / "stance-int8-check.json").write_text(json.dumps(result, indent=1) + "\n")


def average(out, models, weights):
    out.mkdir(parents=True, exist_ok=True)
    sds = [load_file(m / "model.safetensors") for m in models]
    weights = weights or [1 / len(sds)] * len(sds)
    assert len(weights) == len(sds) and abs(sum(weights) - 1) < 1e-6
    save_file({k: sum(w * s[k].float() for w, s in zip(weights, sds)) for k in sds[0]}, out / "model.safetensors", metadata={"format": "pt"})
    for f in ("config.json", "tokenizer.json"):
        if (models[0] / f).exists():
            (out / f).write_bytes((models[0] / f).read_bytes())


def predict_dev(data, folder, out):
    from evaluate import summarise
    from train import Rows, predict
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dev = Rows(device, data / "dev.npz")
    logits = predict(model_from(folder, load_file(folder / "model.safetensors"), "stance").to(device), dev, device)
    np.savez_compressed(out, logits=logits.astype(np.float32))
    print(folder, summarise(dev.label.cpu().numpy(), dev.source, dev.sources, logits)["mean"])


def dev_sentences(data, n):
    seen = []
    with gzip.open(data / "dev.jsonl.gz", "rt") as f:
        for line in f:
            r = json.loads(line)
            seen += [r["claim"], r["evidence"]]
    seen = sorted(set(seen))
    rng = np.random.default_rng(5)
    return [seen[i] for i in rng.permutation(len(seen))[:n]]


@torch.no_grad()
def embed(model, tok, texts):
    out = []
    for t in texts:
        ids = torch.tensor([tok.encode(t).ids])
        h = model(ids, attention_mask=torch.ones_like(ids)).last_hidden_state.mean(1)
        out.append(torch.nn.functional.normalize(h, dim=1)[0])
    return torch.stack(out)


def tokenizer(folder, limit):
    from tokenizers import Tokenizer
    tok = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tok.no_padding()
    tok.enable_truncation(limit, strategy="only_second" if limit == 512 else "longest_first")
    return tok


def check_embed(data, full, quant):
    sd = {k: v.float() for k, v in load_file(full / "model.safetensors").items() if not k.startswith("pooler.") and not k.endswith("position_ids")}
    tok = tokenizer(quant, 256)
    texts = dev_sentences(data, 300)
    a = embed(model_from(quant, sd, "embed"), tok, texts)
    b = embed(model_from(quant, dequantized(quant, "embed"), "embed"), tok, texts)
    cos = (a * b).sum(1)
    pairs_a, pairs_b = a @ a.T, b @ b.T
    result = dict(sentences=len(texts), cosine_mean=float(cos.mean()), cosine_min=float(cos.min()), largest_change_of_a_pairwise_cosine=float((pairs_a - pairs_b).abs().max()))
    print(json.dumps(result, indent=1))
    (quant.parent / "embed-int8-check.json").write_text(json.dumps(result, indent=1) + "\n")


@torch.no_grad()
def reference(data, stance, emb, out):
    rows = []
    with gzip.open(data / "dev.jsonl.gz", "rt") as f:
        for line in f:
            rows.append(json.loads(line))
    rng = np.random.default_rng(11)
    # short ones from everywhere, and two that are longer than 512 tokens
    tok = tokenizer(stance, 512)
    pick = [rows[i] for i in rng.permutation(len(rows))[:18]]
    pick += [r for r in rows if len(r["evidence"].split()) > 520][:2]
    model = model_from(stance, dequantized(stance, "stance"), "stance")
    pairs = []
    for r in pick:
        e = tok.encode(r["claim"], r["evidence"])
        x = model(torch.tensor([e.ids]), attention_mask=torch.ones(1, len(e.ids), dtype=torch.long), token_type_ids=torch.tensor([e.type_ids])).logits[0]
        pairs.append(dict(claim=r["claim"], evidence=r["evidence"], tokens=len(e.ids), token_ids_head=e.ids[:16], logits=[round(float(v), 6) for v in x],
                          probabilities=[round(float(v), 6) for v in torch.softmax(x, 0)]))
    texts = dev_sentences(data, 18) + ["Lyra", "Does vitamin D reduce the risk of respiratory infection?"]
    tok = tokenizer(emb, 256)
    vec = embed(model_from(emb, dequantized(emb, "embed"), "embed"), tok, texts)
    sentences = [dict(text=t, tokens=len(tok.encode(t).ids), first8=[round(float(v), 6) for v in x[:8]]) for t, x in zip(texts, vec)]
    note = "float32 from the dequantised int8 weights; labels supports, refutes, neutral; temperature not applied; claim first; only the evidence is truncated, to 512 tokens in all; embeddings: mean of all tokens, unit length, 256 tokens"
    out.write_text(json.dumps(dict(note=note, stance_sha256=sha256(stance / "stance.safetensors"), embed_sha256=sha256(emb / "embed.safetensors"), pairs=pairs, sentences=sentences), indent=1, ensure_ascii=False) + "\n")
    print(out, len(pairs), len(sentences))


def main():
    ap = argparse.ArgumentParser()
    sub = ap.add_subparsers(dest="verb", required=True)
    p = sub.add_parser("quantize")
    p.add_argument("kind", choices=("stance", "embed"))
    p.add_argument("src", type=Path)
    p.add_argument("out", type=Path)
    p.add_argument("--evaluation")
    for verb in ("check", "check-embed"):
        p = sub.add_parser(verb)
        for x in ("data", "full", "quant"):
            p.add_argument(x, type=Path)
    p = sub.add_parser("average")
    p.add_argument("out", type=Path)
    p.add_argument("models", type=Path, nargs="+")
    p.add_argument("--weights", type=lambda s: [float(x) for x in s.split(",")])
    p = sub.add_parser("predict")
    for x in ("data", "model", "out"):
        p.add_argument(x, type=Path)
    p = sub.add_parser("reference")
    for x in ("data", "stance", "embed", "out"):
        p.add_argument(x, type=Path)
    a = ap.parse_args()
    if a.verb == "quantize":
        quantize(a.kind, a.src, a.out, a.evaluation)
    elif a.verb == "average":
        average(a.out, a.models, a.weights)
    elif a.verb == "predict":
        predict_dev(a.data, a.model, a.out)
    elif a.verb == "check":
        check(a.data, a.full, a.quant)
    elif a.verb == "check-embed":
        check_embed(a.data, a.full, a.quant)
    else:
        reference(a.data, a.stance, a.embed, a.out)


if __name__ == "__main__":
    main()
