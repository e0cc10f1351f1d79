"""Texts to token ids, the teacher's vectors, BM25 lists and the start weights: what a run needs, computed once.

    python ready.py CORPUS TOKENIZER.json MINILM STANCE OUT [--share 1.0]

CORPUS: corpus.py's folder. MINILM, STANCE: the shipped model folders (model.safetensors in int8, tokenizer.json). Writes OUT/ready.npz,
OUT/teacher.npy (unit vectors of the English texts, float16), OUT/bm25.json, OUT/start-*.safetensors. STANCE may be "-": the upper
layers then start as a second copy of MiniLM's. Takes about a minute with 16 cores and a GPU.
"""
import argparse, json, lzma, random, sys, time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch
from scipy import sparse
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from corpus import BM25  # noqa: E402
from net import EXIT, HIDDEN, Net, Texts, dequantized, embed, from_bert, save  # noqa: E402
from rules import sentences  # noqa: E402

LIMIT = dict(pair=126, segment=254, text=318, query=94, passage=254)
JOINED = 50_000         # made of 2-4 aligned pairs of one source: longer texts than single sentences
LONG = 40_000           # made of English paragraphs of one source, 1,300 characters or more: abstracts are that long
MARKS = (101, 102)      # [CLS] and [SEP] of MiniLM
FILES = ("pairs", "segments", "text", "passages", "retrieve", "heldout", "retrieval", "similarity")


def lines(path):
    with lzma.open(path, "rt", encoding="utf-8") as f:
        return [json.loads(x) for x in f]


def ranked(item):
    name, docs, queries = item
    return name, BM25(docs).top(queries, 100)


def start(tok, wordpiece, minilm, stance, rows, tokens, n_pairs):
    """The first state: MiniLM's layers below, the English stance model's upper six above, word vectors made from MiniLM's."""
    rng = np.random.default_rng(1)
    base = from_bert(minilm)
    old = base["word.weight"].numpy()
    vocab = wordpiece.get_vocab()
    pieces = [tok.id_to_token(i) for i in range(tok.get_vocab_size())]
    table = rng.normal(0, old.std(0), (len(pieces), HIDDEN)).astype(np.float32) + old.mean(0)
    known = np.zeros(len(pieces), bool)
    for i, s in enumerate(("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")):
        table[i], known[i] = old[vocab[s]], True
    for i, p in enumerate(pieces[5:], 5):
        bare = p.removeprefix("▁")
        if not bare or any(ord(c) > 0x2ff for c in bare):
            continue
        if p.startswith("▁") or not bare.isalnum():
            ids = [vocab[bare]] if bare in vocab else wordpiece.encode(bare, add_special_tokens=False).ids
        elif "##" + bare in vocab:
            ids = [vocab["##" + bare]]
        else:       # inside a word: what WordPiece makes of it behind another letter
            ids = wordpiece.encode("x" + bare, add_special_tokens=False).ids[1:] or [vocab.get(bare, 100)]
        if ids and 100 not in ids:
            table[i], known[i] = old[ids].mean(0), True
    # Japanese pieces: the mean of the English pieces they stand beside in aligned pairs more often than by chance
    def bag(side):
        r = rows[side][:n_pairs]
        at = np.repeat(np.arange(len(r)), r[:, 1])
        flat = np.concatenate([tokens[s:s + n] for s, n in r]).astype(np.int64)
        m = sparse.csr_matrix((np.ones(len(flat), np.float32), (at, flat)), shape=(len(r), len(pieces)))
        m.data[:] = 1
        return m
    e, j = bag("en"), bag("ja")
    ce, cj = np.asarray(e.sum(0)).ravel(), np.asarray(j.sum(0)).ravel()
    both = (j.T.tocsr() @ e).tocsr()
    n, filled = e.shape[0], 0
    size = np.linalg.norm(old[1000:20000], axis=1).mean()
    for i in np.flatnonzero(~known & (cj >= 3)):
        ix, c = both.indices[both.indptr[i]:both.indptr[i + 1]], both.data[both.indptr[i]:both.indptr[i + 1]]
        ok = known[ix] & (c >= 2) & (ix > 4)
        ix, c = ix[ok], c[ok]
        if not len(ix):
            continue
        w = c * np.log(np.maximum(c * n / (cj[i] * ce[ix]), 1e-9))
        top = np.argsort(-w)[:4]
        top = top[w[top] > 0]
        if len(top):
            v = (w[top, None] * table[ix[top]]).sum(0) / w[top].sum()
            table[i] = v * (0.8 * size / max(np.linalg.norm(v), 1e-6)) + rng.normal(0, 0.01, HIDDEN)
            filled += 1
    sd = {k: v for k, v in base.items() if not k.startswith("pool.")}
    sd["word.weight"] = torch.tensor(table)
    upper = from_bert(stance, "bert.") if stance else base
    for i in range(EXIT):
        source = EXIT + i if stance else i
        for k, v in upper.items():
            if k.startswith(f"layers.{source}."):
                sd[k.replace(f"layers.{source}.", f"layers.{EXIT + i}.")] = v.clone()
    if stance:
        sd.update({k: v for k, v in upper.items() if k.startswith(("pool.", "stance."))})
    print(f"start: {int(known.sum())} pieces from WordPiece, {filled} from aligned pairs, {len(pieces) - int(known.sum()) - filled} at random", flush=True)
    return sd


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("corpus", type=Path)
    ap.add_argument("tokenizer")
    ap.add_argument("minilm", type=Path)
    ap.add_argument("stance")
    ap.add_argument("out", type=Path)
    ap.add_argument("--share", type=float, default=1.0, help="of every list; for tests")
    ap.add_argument("--workers", type=int, default=8)
    ap.add_argument("--seed", type=int, default=3, help="of the joined texts")
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    t0 = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def said(what):
        print(f"[{time.time() - t0:.0f} s] {what}", flush=True)

    with ProcessPoolExecutor(a.workers) as pool:
        data = dict(zip(FILES, pool.map(lines, [a.corpus / f"{n}.xz" for n in FILES])))
        numbered = [t for _, _, t in data["text"]] + data["passages"]
        if a.share < 1:
            for n in ("pairs", "segments", "text", "retrieve", "heldout", "similarity"):
                data[n] = data[n][:max(60, int(len(data[n]) * a.share))]
            keep = {}
            for r in data["retrieval"]:
                keep.setdefault((r[0], r[1]), []).append(r)
            data["retrieval"] = [r for x in keep.values() for r in x[:max(40, int(len(x) * a.share))]]
            have = {(r[0], r[2]) for r in data["retrieval"] if r[1] == "doc"}
            data["retrieval"] = [r for r in data["retrieval"] if r[1] == "doc" or all((r[0], d) in have for d in r[4])]
        said("read " + ", ".join(f"{k} {len(v)}" for k, v in data.items()))
        names = sorted({r[0] for r in data["retrieval"]})
        sets = {n: ([r for r in data["retrieval"] if r[0] == n and r[1] == "doc"], [r for r in data["retrieval"] if r[0] == n and r[1] == "query"]) for n in names}
        waiting = [pool.submit(ranked, (n, [r[3] for r in d], [r[3] for r in q])) for n, (d, q) in sets.items()]

        rng = random.Random(a.seed)
        by = {}
        for s, e, j in data["pairs"]:
            by.setdefault(s, []).append((e, j))
        joined = []
        for s, x in sorted(by.items()):
            for _ in range(int(JOINED * a.share * len(x) / len(data["pairs"]))):
                some = rng.sample(x, min(len(x), rng.randint(2, 4)))
                joined.append((" ".join(e for e, _ in some), "".join(j for _, j in some)))
        more = []       # what corpus.py left of the sentences, and long texts
        by = {}
        for s, l, t in data["text"]:
            if l == "en":
                by.setdefault(s, []).append(t)
        for s, x in sorted(by.items()):
            more += [y for t in x for y in sentences(t) if len(y) >= 25]
            for _ in range(int(LONG * a.share * len(x) / sum(map(len, by.values())))):
                t = ""
                while len(t) < 1300:
                    t += " " * bool(t) + rng.choice(x)
                more.append(t)
        have = {t for _, t in data["segments"]}
        data["segments"] += [["more", t] for t in sorted(set(more) - have)]
        said(f"{len(data['segments'])} segments")
        en = [e for _, e, _ in data["pairs"]] + [e for e, _ in joined]
        ja = [j for _, _, j in data["pairs"]] + [j for _, j in joined]
        tok, wordpiece = Tokenizer.from_file(a.tokenizer), Tokenizer.from_file(str(a.minilm / "tokenizer.json"))
        for t in (tok, wordpiece):
            t.no_padding()
            t.no_truncation()
        texts, teacher = Texts(), Texts()

        def ids(t, list_, limit):
            out = []
            for at in range(0, len(list_), 100_000):
                out += [x.ids[:limit] for x in t.encode_batch_fast(list_[at:at + 100_000], add_special_tokens=False)]
            return out
        rows = {"en": texts.add(ids(tok, en, LIMIT["pair"])), "ja": texts.add(ids(tok, ja, LIMIT["pair"]))}
        rows["segment"] = texts.add(ids(tok, [t for _, t in data["segments"]], LIMIT["segment"]))
        rows["text"] = texts.add(ids(tok, [t for _, _, t in data["text"]], LIMIT["text"]))
        rows["query"] = texts.add(ids(tok, [r[1] for r in data["retrieve"]], LIMIT["query"]))
        asked = [(numbered[d].replace(q, "", 1) if cut else numbered[d], numbered[h] if h >= 0 else "") for _, q, d, h, cut in data["retrieve"]]
        passages = sorted({t for x in asked for t in x if t})
        at = {t: i for i, t in enumerate(passages)}
        rows["passage"] = texts.add(ids(tok, passages, LIMIT["passage"]))
        rows["held_en"] = texts.add(ids(tok, [e for _, e, _ in data["heldout"]], LIMIT["passage"]))
        rows["held_ja"] = texts.add(ids(tok, [j for _, _, j in data["heldout"]], LIMIT["passage"]))
        for n, (d, q) in sets.items():
            rows[f"doc:{n}"] = texts.add(ids(tok, [r[3] for r in d], LIMIT["passage"]))
            rows[f"ask:{n}"] = texts.add(ids(tok, [r[3] for r in q], LIMIT["passage"]))
        pair_sets = sorted({r[0] for r in data["similarity"]})
        for n in pair_sets:
            some = [r for r in data["similarity"] if r[0] == n]
            for k, side in ((1, "a"), (2, "b")):
                rows[f"sim_{side}:{n}"] = texts.add(ids(tok, [r[k].split("\t")[0] for r in some], LIMIT["passage"]))
                english = [r[k].split("\t")[-1] for r in some]
                rows[f"t_sim_{side}:{n}"] = teacher.add(ids(wordpiece, english, 254))
        said(f"{texts.n} tokens")
        rows["t_en"] = teacher.add(ids(wordpiece, en, 254))
        rows["t_segment"] = teacher.add(ids(wordpiece, [t for _, t in data["segments"]], 254))
        rows["t_held"] = teacher.add(ids(wordpiece, [e for _, e, _ in data["heldout"]], 254))
        rows["t_doc:scifact"] = teacher.add(ids(wordpiece, [r[3] for r in sets["scifact"][0]], 254))
        rows["t_ask:scifact"] = teacher.add(ids(wordpiece, [r[3] for r in sets["scifact"][1]], 254))
        said(f"{teacher.n} tokens for the teacher")

        sd = dequantized(a.minilm / "model.safetensors")
        mini = Net(len(sd["embeddings.word_embeddings.weight"]), EXIT)
        missing, extra = mini.load_state_dict(from_bert(sd), strict=False)
        assert not extra and all(m.startswith(("guess", "pool", "stance")) for m in missing), (missing, extra)
        mini = mini.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32).eval()
        names_t = [k for k in rows if k.startswith("t_")]
        vec = embed(mini, teacher.tokens, np.concatenate([rows[k] for k in names_t]), device, marks=MARKS)
        np.save(a.out / "teacher.npy", vec.half().cpu().numpy())
        said("teacher's vectors")
        first = 0
        for k in names_t:       # from here on: where the vectors of these texts are
            n = len(rows[k])
            rows[k] = np.array([first, first + n])
            first += n
        stance = dequantized(Path(a.stance) / "model.safetensors") if a.stance != "-" else None
        save(start(tok, wordpiece, sd, stance, rows, texts.tokens, min(len(data["pairs"]), 160_000)), a.out, "start")
        said("start weights")
        bm25 = {}
        for w in waiting:
            n, hits = w.result()
            bm25[n] = [[[d, round(s, 3)] for d, s in x] for x in hits]
    (a.out / "bm25.json").write_text(json.dumps(bm25))
    place = {n: {r[2]: i for i, r in enumerate(d)} for n, (d, _) in sets.items()}
    relevant = {n: [[place[n][x] for x in r[4]] for r in q] for n, (_, q) in sets.items()}
    labels = {n: [r[3] for r in data["similarity"] if r[0] == n] for n in pair_sets}
    kinds = sorted({r[0] for r in data["retrieve"]})
    sources = sorted({r[0] for r in data["heldout"]})
    info = dict(relevant=relevant, labels=labels, sets=names, similarity=pair_sets, kinds=kinds, pairs=len(data["pairs"]), vocabulary=tok.get_vocab_size(), sources=sources)
    np.savez(a.out / "ready.npz", tokens=texts.tokens, own=np.array([at[x] for x, _ in asked]), hard=np.array([at[y] if y else -1 for _, y in asked]),
             kind=np.array([kinds.index(r[0]) for r in data["retrieve"]]), text_ja=np.array([r[1] == "ja" for r in data["text"]]),
             held_source=np.array([sources.index(r[0]) for r in data["heldout"]]), info=json.dumps(info), **{"rows:" + k: v for k, v in rows.items()})
    said("done")


if __name__ == "__main__":
    main()
