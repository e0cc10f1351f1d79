"""Rows across languages with real labels: JSNLI is a translation of SNLI, so a Japanese row and its English original make two.

    python mirror.py DATA TOKENIZER.json FOLDER:NAME ROWS

The data names no originals: the saved encoder finds them (same label, the nearest premise and hypothesis, each the other's nearest).
Changes ROWS in place: adds the rows to ja_train.npz (kind base, source snli_mirror) and ja_dev.npz (sets cross_jsnli_en_claim and
cross_jsnli_ja_claim, from JSNLI's dev cut), and takes English rows out of train.npz whose translation is in the dev cut; their premises
are listed in ROWS/gone.xz.
"""
import sys
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from corpus import norm, read, squeeze, write
from net import Net, Texts, embed, load
from rows import DEV, LABEL, share_of

LEAST, MARGIN = 0.55, 0.03      # of each cosine; of the sum, to the second best


def labelled(data, source):
    return [(squeeze(r["premise"]), squeeze(r["hypothesis"]), LABEL[r["label"]]) for f in ("train", "dev") for r in read(data / f"nli/{f}.jsonl.gz") if r["source"] == source]


def matched(ja, en, vector):
    """[(row of ja, row of en)]"""
    out = []
    for label in sorted({r[2] for r in ja}):
        a, b = ([i for i, r in enumerate(x) if r[2] == label] for x in (ja, en))
        both = [torch.stack([vector[ja[i][k]] for i in a]) @ torch.stack([vector[en[j][k]] for j in b]).T for k in (0, 1)]
        s = both[0] + both[1]
        top = s.topk(2, 1)
        back = s.argmax(0)
        for x, (j, second) in enumerate(zip(top.indices[:, 0].tolist(), top.values)):
            if back[j] == x and min(both[0][x, j], both[1][x, j]) >= LEAST and second[0] - second[1] >= MARGIN:
                out.append((a[x], b[j]))
    return sorted(out)


def cut(z):
    """[(claim, evidence)] as bytes of token ids"""
    ends, c, e = np.cumsum(z["clen"].astype(np.int64) + z["elen"]), z["clen"].astype(np.int64), z["elen"].astype(np.int64)
    t = z["tokens"]
    return [(t[n - y - x:n - y].tobytes(), t[n - y:n].tobytes()) for n, x, y in zip(ends, c, e)]


def grown(z, rows, kind):
    """The arrays of a file with rows (source, claim ids, evidence ids, label) behind them."""
    kinds, sources = list(map(str, z["kinds"])), list(map(str, z["sources"]))
    sources += sorted({r[0] for r in rows} - set(sources))
    return dict(tokens=np.concatenate([z["tokens"], np.array([t for _, c, e, _ in rows for t in c + e], np.uint16)]), clen=np.concatenate([z["clen"], np.array([len(r[1]) for r in rows], np.uint16)]),
                elen=np.concatenate([z["elen"], np.array([len(r[2]) for r in rows], np.uint16)]), label=np.concatenate([z["label"], np.array([r[3] for r in rows], np.uint8)]),
                kind=np.concatenate([z["kind"], np.full(len(rows), kinds.index(kind), np.uint8)]), source=np.concatenate([z["source"], np.array([sources.index(r[0]) for r in rows], np.uint8)]),
                fold=np.zeros(len(z["clen"]) + len(rows), np.uint8), kinds=np.array(kinds), sources=np.array(sources))


def main():
    data, tokenizer, encoder, out = Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4])
    tok = Tokenizer.from_file(tokenizer)
    tok.no_padding()
    tok.no_truncation()
    sd = load(*encoder.rsplit(":", 1))
    net = Net(len(sd["word.weight"]))
    net.load_state_dict(sd, strict=False)
    net.eval()
    ja, en = labelled(data, "jsnli_dev"), labelled(data, "snli_dev")
    sentences = sorted({t for r in ja + en for t in r[:2]})
    ids = dict(zip(sentences, (e.ids for e in tok.encode_batch(sentences, add_special_tokens=False))))
    texts = Texts()
    rows = texts.add([ids[t][:126] for t in sentences])
    vector = dict(zip(sentences, embed(net, texts.tokens, rows, torch.device("cpu"), tokens_at_once=8192)))
    pairs = matched(ja, en, vector)
    is_dev = [share_of("jsnli_dev" + norm(p)) < DEV["jsnli_dev"] for p, _, _ in ja]
    print(f"{len(ja)} rows of JSNLI, {len(en)} of SNLI, {len(pairs)} matched, {sum(is_dev[i] for i, _ in pairs)} of them in the dev cut")
    for i, j in pairs[::max(1, len(pairs) // 12)]:
        print("  ", ja[i], en[j])

    files = {n: dict(np.load(out / f"{n}.npz")) for n in ("train", "ja_train", "ja_dev") if (out / f"{n}.npz").exists()}
    have = {n: set(cut(z)) for n, z in files.items()}

    def raw(t):
        return np.array(ids[t], np.uint16).tobytes()
    added = {"ja_train": [], "ja_dev": []}
    for i, j in pairs:
        (pj, hj, label), (pe, he, _) = ja[i], en[j]
        name = "ja_dev" if is_dev[i] else "ja_train"
        if (raw(hj), raw(pj)) not in have[name]:       # dropped there for one of the reasons that rows.py has
            continue
        for lang, c, e in (("en", he, pj), ("ja", hj, pe)):
            added[name].append(("snli_mirror" if name == "ja_train" else f"cross_jsnli_{lang}_claim", ids[c][:160], ids[e][:349], label))
    gone = {raw(en[j][0]) for i, j in pairs if is_dev[i]}
    write(out / "gone.xz", [[t] for t in sorted({en[j][0] for i, j in pairs if is_dev[i]})])
    for name, kind in (("ja_train", "base"), ("ja_dev", "dev")):
        np.savez_compressed(out / f"{name}.npz", **grown(files[name], added[name], kind))
        print(name, len(added[name]), "rows more:", {s: [sum(r[0] == s and r[3] == l for r in added[name]) for l in (0, 1, 2)] for s in sorted({r[0] for r in added[name]})})
    if "train" not in files:
        return
    z = files["train"]
    drop = np.array([e in gone for _, e in cut(z)]) & (z["sources"].astype(str)[z["source"]] == "snli_dev")
    size = z["clen"].astype(np.int64) + z["elen"]
    np.savez_compressed(out / "train.npz", tokens=z["tokens"][np.repeat(~drop, size)], **{k: z[k][~drop] for k in ("clen", "elen", "label", "kind", "source", "fold")}, kinds=z["kinds"], sources=z["sources"])
    print("train:", int(drop.sum()), "English rows taken out,", len(gone), "premises")


if __name__ == "__main__":
    main()
