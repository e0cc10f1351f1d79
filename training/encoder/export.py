"""Trained parts -> one int8 file for both heads with a folder of settings for each, as the crate `models` reads it; checks, thresholds.

    python export.py OUT STANCE_NAME TOKENIZER.json ROWS MODELS [--encoder encoder] [--judged FOLDER] [--limit 0]

Writes MODELS/model.safetensors, MODELS/tokenizer.json, MODELS/embed and MODELS/stance (config.json, lyra.json), MODELS/stance.json (scores).
The file holds the encoder's six layers and behind them the layers that the stance run trained; `layers` in stance/lyra.json says which of
them make up the stance model, in order. Format as ../export.py: int8 rows with one float32 scale each, everything else float32,
Hugging Face's names. Scores, calibration and thresholds (Japanese, English, claim and evidence in different languages) are computed
from the int8 weights in float32, on a GPU where there is one: an hour on two cores. Logits are kept in MODELS/*.int8.npz; --judged takes
those of another machine and judges only --limit rows again, to compare.
"""
import argparse, json, sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from base import quantize_rows, sha256, slim_tokenizer  # noqa: E402
from evaluate import fit_calibration, halves, scaled, softmax, summarise  # noqa: E402
from net import EXIT, HEADS, HIDDEN, INNER, LAYERS, POSITIONS, Net, embed, from_bert, judge, load, named  # noqa: E402
from stance import JAPANESE, Rows  # noqa: E402

LABELS = ["supports", "refutes", "neutral"]
SHARES = [0.27, 0.11, 0.62, 0.73]      # what a claim meets on the web: supports, refutes, neutral; neutral or refutes
# precision of supports, refutes at these shares, on the half a threshold is chosen on; higher ones leave almost nothing of texts that
# people wrote for other ends than a test (docs/models.md)
WANT = {"en": (0.65, 0.7), "ja": (0.73, 0.7), "across": (0.73, 0.6)}
STEPS = np.round(np.arange(0.34, 0.995, 0.01), 2)
NEVER = 1.0     # where no threshold reaches it


def is_quantized(name, tensor):
    return tensor.ndim == 2 and name.endswith(".weight") and "position_embeddings" not in name and "token_type" not in name


def joined(out, stance, encoder):
    """(all tensors in Hugging Face's names, float32; the layers of the stance model)"""
    sd, own = load(out, encoder), load(out, stance)
    trained = sorted({int(k.split(".")[1]) for k in own if k.startswith("layers.")})
    first = trained[0]
    assert trained == list(range(first, LAYERS)) and all(k.startswith(("layers.", "pool.", "stance.")) for k in own), "the run must train the upper layers and the head alone"
    for i in range(first, LAYERS):
        for k in [k for k in own if k.startswith(f"layers.{i}.")]:
            sd[f"layers.{EXIT + i - first}." + k.split(".", 2)[2]] = own[k]
    count = EXIT + LAYERS - first
    hf = named(sd, count, "bert.")
    hf["bert.pooler.dense.weight"], hf["bert.pooler.dense.bias"] = own["pool.weight"], own["pool.bias"]
    hf["classifier.weight"], hf["classifier.bias"] = own["stance.weight"], own["stance.bias"]
    return hf, [*range(first), *range(EXIT, count)]


def quantized(sd):
    small = {}
    for k, v in sd.items():
        if is_quantized(k, v):
            small[k], small[k + "_scale"] = quantize_rows(v)
        else:
            small[k] = v.float().contiguous()
    return small


def network(sd, layers):
    """A network of some layers of the file, in order."""
    own = from_bert(sd, "bert.")
    state = {k: v for k, v in own.items() if not k.startswith("layers.")}
    for at, i in enumerate(layers):
        state.update({f"layers.{at}." + k.split(".", 2)[2]: v for k, v in own.items() if k.startswith(f"layers.{i}.")})
    net = Net(len(state["word.weight"]), len(layers))
    missing, extra = net.load_state_dict(state, strict=False)
    assert not extra and all(m.startswith("guess") for m in missing), (missing, extra)
    return net.eval()


def fired(p, c, t):
    return (p.argmax(1) == c) & (p[:, c] >= t)


def threshold(p, y, weight, c, want, least=20):
    """The lowest probability from which on label `c` is right as often as wanted. Fewer than `least` cases say nothing."""
    best = NEVER
    for t in STEPS[::-1]:
        f = fired(p, c, t)
        if f.sum() < least:
            continue
        if weight[f & (y == c)].sum() < want * weight[f].sum():
            break
        best = float(t)
    return best


def right(p, y, c, t):
    f = fired(p, c, t)
    return dict(fired=int(f.sum()), precision=round(float((y[f] == c).mean()), 3) if f.any() else None, recall=round(float((f & (y == c)).sum() / max(1, (y == c).sum())), 3))


def kind_of(source):
    """Across languages rows with real labels and rows made by rule count half each."""
    return source.removesuffix("_en_claim").removesuffix("_ja_claim") if source.startswith("cross_") else ""


def weights(kinds, source, y):
    """Sets of a kind weigh the same, and within each the labels what they weigh on the web."""
    gold = [k for k in sorted(set(kinds)) if k and "rule" not in k]
    share = {k: 1.0 if not k else 0.5 if "rule" in k else 0.5 / len(gold) for k in set(kinds)}
    sets = {k: len(set(source[kinds == k])) for k in set(kinds)}
    count = {(s, c): ((source == s) & (y == c)).sum() for s in set(source) for c in set(y)}
    return np.array([share[k] / sets[k] * SHARES[c] / count[s, c] for k, s, c in zip(kinds, source, y)])


def calibrated(z, y, source, want):
    """Temperature, sharpness and thresholds of a group of rows, and how they hold on the half they were not chosen on."""
    sources = sorted(set(source))
    at = np.array([sources.index(s) for s in source])
    part, kinds = halves(at), np.array([kind_of(s) for s in source])
    found = [fit_calibration(z, y, at, len(sources), h) for h in (part, ~part)]
    temperature, sharpen = (float(x) for x in np.sqrt(found[0] * found[1]))
    temperature, sharpen = round(temperature, 3), round(sharpen, 4)
    p = softmax(scaled(z, temperature, sharpen))
    out = dict(temperature=temperature, sharpen=sharpen, thresholds={}, held_out={}, rows=len(y))
    for c, name in ((0, "supports"), (1, "refutes")):
        # sets without the label say nothing about it, except what is wrongly called support
        use = np.ones(len(y), bool) if c == 0 else np.isin(at, [i for i in range(len(sources)) if (y[at == i] == c).any()])
        # the more careful of the two that halves of the rows ask for, each shown on the half it was not chosen on
        chosen = []
        for a, b in ((use & part, use & ~part), (use & ~part, use & part)):
            t = threshold(p[a], y[a], weights(kinds[a], source[a], y[a]), c, want[c])
            chosen.append((t, b))
        t, b = max(chosen, key=lambda it: it[0])
        out["thresholds"][name] = t
        groups = {"all": b, **{k: b & (kinds == k) for k in sorted(set(kinds) - {""})}, **{s: b & (source == s) for s in sources if (b & (source == s)).any()}}
        out["held_out"][name] = {k: right(p[m], y[m], c, t) for k, m in groups.items()}
        w, f = weights(kinds[b], source[b], y[b]), fired(p[b], c, t)
        out["held_out"][name]["all"]["at_web_shares"] = round(float(w[f & (y[b] == c)].sum() / w[f].sum()), 3) if f.any() else None
        out["held_out"][name]["all, no threshold"] = right(p[b], y[b], c, 0.0)
    out["scores"] = summarise(y, at, sources, z)
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out", type=Path)
    ap.add_argument("stance")
    ap.add_argument("tokenizer", type=Path)
    ap.add_argument("rows", type=Path)
    ap.add_argument("models", type=Path)
    ap.add_argument("--encoder", default="encoder")
    ap.add_argument("--judged", type=Path, help="folder with dev.int8.npz and ja_dev.int8.npz of all rows")
    ap.add_argument("--limit", type=int, default=0, help="dev rows of each file that are judged here; 0: all")
    a = ap.parse_args()
    hf, layers = joined(a.out, a.stance, a.encoder)
    small = quantized(hf)
    back = {k: v.float() * small[k + "_scale"][:, None] if k + "_scale" in small else v.float() for k, v in small.items() if not k.endswith("_scale")}
    a.models.mkdir(parents=True, exist_ok=True)
    save_file(small, a.models / "model.safetensors", metadata={"format": "pt"})     # one note alone: the order of several is not fixed
    slim_tokenizer(a.tokenizer, a.models / "tokenizer.json")
    report = [f"model.safetensors: {(a.models / 'model.safetensors').stat().st_size} bytes, {len(small)} tensors, sha256 {sha256(a.models / 'model.safetensors')}",
              f"tokenizer.json: {(a.models / 'tokenizer.json').stat().st_size} bytes, sha256 {sha256(a.models / 'tokenizer.json')}"]
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    at_once = 131072 if device.type == "cuda" else 16384
    net, groups = network(back, layers).to(device), {}
    for file in ("dev", "ja_dev"):
        rows = Rows(a.rows, file)
        pick = np.arange(len(rows.size))
        if a.limit:
            pick = np.sort(np.random.default_rng(0).permutation(pick)[:a.limit])
        logits = judge(net, rows.tokens, rows.claim[pick], rows.evidence[pick], device, tokens_at_once=at_once)
        gpu = np.load(a.out / f"{a.stance}.dev.npz")[file].astype(np.float32)
        if len(gpu) == len(rows.size):
            report.append(f"{file}: int8 on the {device.type} and bfloat16 on the GPU give the same label for {100 * (gpu[pick].argmax(1) == logits.argmax(1)).mean():.2f} % of {len(pick)} rows")
        if a.judged:
            other = np.load(a.judged / f"{file}.int8.npz")["logits"]
            assert len(other) == len(rows.size)
            report.append(f"{file}: int8 here and in {a.judged.name}: same label for {100 * (other[pick].argmax(1) == logits.argmax(1)).mean():.2f} % of {len(pick)} rows, logits differ by {np.abs(other[pick] - logits).max():.4f} at most")
            pick, logits = np.arange(len(rows.size)), other
        np.savez_compressed(a.models / f"{file}.int8.npz", pick=pick, logits=logits)
        label, source = rows.label[pick], rows.source[pick].astype(str)
        if file == "dev":       # the encoder's half of the file
            some = rows.claim[np.random.default_rng(1).permutation(len(rows.size))[:400]]
            float16 = network(hf, range(EXIT))
            v, w = (embed(n.to(device), rows.tokens, some, device, tokens_at_once=at_once) for n in (network(back, range(EXIT)), float16))
            report.append(f"sentence vectors in int8: cosine to those in float16 {(v * w).sum(1).mean():.4f} in the mean, {(v * w).sum(1).min():.4f} at least, of {len(some)} claims")
        across = np.char.startswith(source, "cross_")
        for group, keep in {"en": np.ones(len(label), bool)}.items() if file == "dev" else {"ja": np.isin(source, JAPANESE), "across": across}.items():
            if not keep.any():
                continue
            g = groups[group] = calibrated(logits[keep], label[keep], source[keep], WANT[group])
            m = g["scores"]["mean"]
            report.append(f"{group}: accuracy {100 * m['accuracy']:.1f} macro-F1 {100 * m['macro_f1']:.1f} over {len(g['scores']['sets'])} sets; temperature {g['temperature']} sharpen {g['sharpen']}")
            for name, t in g["thresholds"].items():
                for k, r in g["held_out"][name].items():
                    report.append(f"  {name} >= {t if k != 'all, no threshold' else 0:.2f} | {k}: fired {r['fired']} precision {r['precision']} recall {r['recall']}")
    config = dict(model_type="bert", hidden_size=HIDDEN, num_attention_heads=HEADS, intermediate_size=INNER, hidden_act="gelu", layer_norm_eps=1e-12, max_position_embeddings=POSITIONS,
                  type_vocab_size=2, vocab_size=len(back["bert.embeddings.word_embeddings.weight"]), pad_token_id=0, quantization={"weights": "int8", "scheme": "symmetric", "axis": "row", "scale": "weight_scale"})
    own = {g: {k: groups[g][k] for k in ("temperature", "sharpen", "thresholds")} for g in groups}
    lyra = {"embed": dict(id="lyra-encoder-enja-1", kind="embedding", languages=["en", "ja"], max_tokens=256, pooling="mean"),
            "stance": dict(id="lyra-stance-enja-1", kind="stance", languages=["en", "ja"], max_tokens=512, order="claim_first", labels=LABELS, layers=layers, **own["ja"],
                           calibrated={g: own[g] for g in ("en", "across") if g in own})}
    for kind, more in (("embed", dict(num_hidden_layers=EXIT, architectures=["BertModel"])),
                       ("stance", dict(num_hidden_layers=LAYERS, architectures=["BertForSequenceClassification"], id2label={str(i): s for i, s in enumerate(LABELS)}))):
        folder = a.models / kind
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(dict(config, **more), indent=1, sort_keys=True) + "\n")
        (folder / "lyra.json").write_text(json.dumps(lyra[kind], indent=1) + "\n")
    (a.models / "stance.json").write_text(json.dumps(groups, indent=1) + "\n")
    print("\n".join(report))


if __name__ == "__main__":
    main()
