"""Trained parts -> one int8 file with two folders beside it that the crate `models` reads, checks and thresholds.

    python export.py OUT STANCE_NAME TOKENIZER.json ROWS MODELS [--encoder encoder] [--ready READY]

Writes MODELS/embed and MODELS/stance (config.json, lyra.json, tokenizer.json, model.safetensors). The weights are the same bytes in both
when the run left the encoder's layers as they were (--frozen 6): the sentence encoder is the first six layers of the stance model.
File format as ../export.py: int8 rows with one float32 scale each, everything else float32, Hugging Face's names.
Scores, calibration and thresholds are computed from the int8 weights on the CPU: slow, so --limit takes a part of the dev rows.
"""
import argparse, json, shutil, sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from base import quantize_rows, sha256, slim_tokenizer  # noqa: E402
from evaluate import fit_calibration, halves, scaled, softmax, summarise  # noqa: E402
from net import EXIT, HEADS, HIDDEN, INNER, LAYERS, POSITIONS, Net, from_bert, judge, load, named  # noqa: E402

LABELS = ["supports", "refutes", "neutral"]


def is_quantized(name, tensor):
    return tensor.ndim == 2 and name.endswith(".weight") and "position_embeddings" not in name and "token_type" not in name


def whole(out, stance, encoder):
    """The stance model with the encoder below it, in Hugging Face's names, float32."""
    sd = load(out, encoder)
    lower = {k: v.clone() for k, v in sd.items() if k.startswith("layers.") and int(k.split(".")[1]) < EXIT}
    sd.update(load(out, stance))
    shared = all(torch.equal(v, sd[k]) for k, v in lower.items())
    hf = named(sd, LAYERS, "bert.")
    hf["bert.pooler.dense.weight"], hf["bert.pooler.dense.bias"] = sd["pool.weight"], sd["pool.bias"]
    hf["classifier.weight"], hf["classifier.bias"] = sd["stance.weight"], sd["stance.bias"]
    return hf, shared


def quantized(sd):
    small = {}
    for k, v in sd.items():
        if is_quantized(k, v):
            small[k], small[k + "_scale"] = quantize_rows(v)
        else:
            small[k] = v.float().contiguous()
    return small


def read_back(small):
    return {k: v.float() * small[k + "_scale"][:, None] if k + "_scale" in small else v.float() for k, v in small.items() if not k.endswith("_scale")}


def thresholds(p, label, want, least=20):
    """The lowest probability from which on `refutes` is right in `want` of the cases, on the given rows."""
    said = p.argmax(1) == 1
    for t in np.arange(0.34, 0.99, 0.01):
        f = said & (p[:, 1] >= t)
        if f.sum() >= least and (label[f] == 1).mean() >= want:
            return float(t)
    return 0.99


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out", type=Path)
    ap.add_argument("stance")
    ap.add_argument("tokenizer", type=Path)
    ap.add_argument("rows", type=Path)
    ap.add_argument("models", type=Path)
    ap.add_argument("--encoder", default="encoder")
    ap.add_argument("--limit", type=int, default=0, help="dev rows of each file that are judged again in int8; 0: all")
    ap.add_argument("--refute-precision", type=float, default=0.68)
    a = ap.parse_args()
    from stance import Rows
    hf, shared = whole(a.out, a.stance, a.encoder)
    small = quantized(hf)
    back = read_back(small)
    network = Net(len(back["bert.embeddings.word_embeddings.weight"]))
    network.load_state_dict(from_bert(back, "bert."), strict=False)
    network.eval()
    groups, report = {}, []
    for file in ("dev", "ja_dev"):
        rows = Rows(a.rows, file)
        pick = np.arange(len(rows.size))
        if a.limit:
            pick = np.sort(np.random.default_rng(0).permutation(pick)[:a.limit])
        int8 = judge(network, rows.tokens, rows.claim[pick], rows.evidence[pick], torch.device("cpu"))
        stored = np.load(a.out / f"{a.stance}.dev.npz")[file].astype(np.float32)
        logits = stored if len(stored) == len(rows.size) else np.zeros((len(rows.size), 3), np.float32)
        logits[pick] = int8
        if len(stored) == len(rows.size):
            report.append(f"{file}: int8 on the CPU and bfloat16 on the GPU give the same label for {100 * (np.load(a.out / f'{a.stance}.dev.npz')[file][pick].argmax(1) == int8.argmax(1)).mean():.1f} % of {len(pick)} rows")
        else:
            logits, rows.label, rows.source = int8, rows.label[pick], rows.source[pick]
        for language, mine in (("en", file == "dev"), ("ja", file == "ja_dev"), ("cross", file == "ja_dev")):
            if not mine:
                continue
            is_cross = np.char.startswith(rows.source.astype(str), "cross_")
            keep = np.ones(len(rows.label), bool) if file == "dev" else (is_cross if language == "cross" else ~is_cross & (rows.source != "jrte"))
            if not keep.any():
                continue
            sources = sorted(set(rows.source[keep]))
            at = np.array([sources.index(s) for s in rows.source[keep]])
            y, z = rows.label[keep], logits[keep]
            part = halves(at)
            found = [fit_calibration(z, y, at, len(sources), h) for h in (part, ~part)]
            temperature, sharpen = (float(x) for x in np.sqrt(found[0] * found[1]))
            p = softmax(scaled(z, temperature, sharpen))
            three = np.isin(at, [i for i, s in enumerate(sources) if (y[at == i] == 1).any()])
            t = thresholds(p[part & three], y[part & three], a.refute_precision)
            fired = ~part & three & (p.argmax(1) == 1) & (p[:, 1] >= t)
            groups[language] = dict(temperature=round(temperature, 3), sharpen=round(sharpen, 4), refutes=round(t, 2), held_out_precision=float((y[fired] == 1).mean()) if fired.any() else None,
                                    held_out_recall=float(fired.sum() and (y[fired] == 1).sum() / max(1, (y[~part & three] == 1).sum())), scores=summarise(y, at, sources, z))
            m = groups[language]["scores"]["mean"]
            report.append(f"{language}: accuracy {100 * m['accuracy']:.1f} macro-F1 {100 * m['macro_f1']:.1f} over {len(sources)} sets; temperature {temperature:.2f} sharpen {sharpen:.4f}; refutes >= {t:.2f}: "
                          f"precision {groups[language]['held_out_precision']} recall {groups[language]['held_out_recall']:.2f} on the other half")
    config = dict(model_type="bert", hidden_size=HIDDEN, num_attention_heads=HEADS, intermediate_size=INNER, hidden_act="gelu", layer_norm_eps=1e-12, max_position_embeddings=POSITIONS,
                  type_vocab_size=2, vocab_size=len(back["bert.embeddings.word_embeddings.weight"]), pad_token_id=0, quantization={"weights": "int8", "scheme": "symmetric", "axis": "row", "scale": "weight_scale"})
    english = groups.get("en", {})
    for kind in ("embed", "stance"):
        folder = a.models / kind
        folder.mkdir(parents=True, exist_ok=True)
        tensors = small
        if kind == "embed" and not shared:      # the layers differ: a file of its own
            enc = load(a.out, a.encoder)
            tensors = quantized(named(enc, EXIT))
        if kind == "stance" and shared:     # written once: the order of the notes in a file's head is not fixed
            shutil.copyfile(a.models / "embed" / "model.safetensors", folder / "model.safetensors")
        else:
            save_file(tensors, folder / "model.safetensors", metadata={"format": "pt", "quantization": "int8 weights, symmetric, one float32 scale per row (weight_scale)"})
        slim_tokenizer(a.tokenizer, folder / "tokenizer.json")
        own = dict(config, num_hidden_layers=EXIT if kind == "embed" else LAYERS, architectures=["BertModel" if kind == "embed" else "BertForSequenceClassification"])
        if kind == "stance":
            own["id2label"] = {str(i): s for i, s in enumerate(LABELS)}
        (folder / "config.json").write_text(json.dumps(own, indent=1, sort_keys=True) + "\n")
        lyra = dict(id="lyra-encoder-enja-1", kind="embedding", languages=["en", "ja"], max_tokens=256, pooling="mean") if kind == "embed" else dict(
            id="lyra-stance-enja-1", kind="stance", languages=["en", "ja"], max_tokens=512, order="claim_first", labels=LABELS, temperature=english.get("temperature", 1.0), sharpen=english.get("sharpen", 0.0),
            thresholds={"supports": 0.34, "refutes": max((g["refutes"] for g in groups.values()), default=0.99)})
        (folder / "lyra.json").write_text(json.dumps(lyra, indent=1) + "\n")
        report.append(f"{kind}: {(folder / 'model.safetensors').stat().st_size} bytes, sha256 {sha256(folder / 'model.safetensors')}")
    report.append("one file serves both" if shared else "the stance model's lower layers differ from the encoder's: two files")
    (a.models / "stance.json").write_text(json.dumps(groups, indent=1) + "\n")
    print("\n".join(report))


if __name__ == "__main__":
    main()
