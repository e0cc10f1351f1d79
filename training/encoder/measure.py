"""Scores of sentence vectors on the dev sets: translation retrieval, similarity, search with and beside BM25.

    python measure.py READY FOLDER NAME OUT.json        (FOLDER/NAME-*.safetensors: a saved encoder)

Similarity has no gold scores in the data. What stands in for them: the rank correlation with the teacher (MiniLM on the English
side), and how well the cosine tells entailment from the other labels (area under the curve), beside the teacher's own.
"""
import json, sys
from pathlib import Path

import numpy as np
import torch

from net import Net, embed, load


class Ready:
    """What ready.py wrote."""

    def __init__(self, folder):
        z = np.load(Path(folder) / "ready.npz")
        self.info = json.loads(str(z["info"]))
        self.tokens = z["tokens"]
        self.rows = {k[5:]: z[k] for k in z.files if k.startswith("rows:")}
        self.own, self.hard, self.kind, self.text_ja, self.held_source = z["own"], z["hard"], z["kind"], z["text_ja"], z["held_source"]
        self.teacher = np.load(Path(folder) / "teacher.npy")
        self.bm25 = json.loads((Path(folder) / "bm25.json").read_text())

    def taught(self, name):
        a, b = self.rows["t_" + name]
        return self.teacher[a:b]


def rank_correlation(x, y):
    from scipy.stats import spearmanr
    return float(spearmanr(x, y).statistic)


def area(score, yes):
    """Probability that a row with the label scores higher than one without."""
    from scipy.stats import rankdata
    n = int(yes.sum())
    r = rankdata(score)
    return float((r[yes].sum() - n * (n + 1) / 2) / max(1, n * (len(yes) - n)))


def ndcg(order, relevant, k=10):
    gain = sum(1 / np.log2(i + 2) for i, d in enumerate(order[:k]) if d in relevant)
    return gain / sum(1 / np.log2(i + 2) for i in range(min(k, len(relevant))))


def translation(en, ja):
    s = en @ ja.T
    right = torch.arange(len(en), device=s.device)
    out = {}
    for name, m in (("en_ja", s), ("ja_en", s.T)):
        place = (m > m.diagonal()[:, None]).sum(1)
        out[name] = {"recall_1": float((place < 1).float().mean()), "recall_10": float((place < 10).float().mean()), "rows": place}
    del right
    return out


def searched(ask, docs, relevant, bm25, weights=(0.0, 0.15, 0.3, 0.5, 1.0)):
    """nDCG@10 of BM25, of the vectors, and of both by reciprocal ranks (BM25 weighs 1, the vectors w)."""
    s = (ask @ docs.T)
    top = s.topk(min(100, s.shape[1]), 1).indices.cpu().numpy()
    out = {"bm25": float(np.mean([ndcg([d for d, _ in b], set(r)) for b, r in zip(bm25, relevant)])),
           "dense": float(np.mean([ndcg(t, set(r)) for t, r in zip(top, relevant)]))}
    scores = s.float().cpu().numpy()
    for w in weights[1:]:
        fused, mixed = [], []
        for i, (t, b, r) in enumerate(zip(top, bm25, relevant)):
            total = {}
            for k, (d, _) in enumerate(b):
                total[d] = total.get(d, 0) + 1 / (60 + k)
            for k, d in enumerate(t):
                total[int(d)] = total.get(int(d), 0) + w / (60 + k)
            fused.append(ndcg(sorted(total, key=lambda d: (-total[d], d))[:10], set(r)))
            # the same by score: BM25 over its best, cosine
            best = max((x for _, x in b), default=1.0)
            words = {d: x / best for d, x in b}
            total = {int(d): words.get(int(d), 0.0) + w * scores[i, int(d)] for d in set(words) | set(t.tolist())}
            mixed.append(ndcg(sorted(total, key=lambda d: (-total[d], d))[:10], set(r)))
        out[f"ranks_{w}"], out[f"scores_{w}"] = float(np.mean(fused)), float(np.mean(mixed))
    return out


@torch.no_grad()
def measure(net, ready, device, quick=False):
    def of(name, limit=None):
        return embed(net, ready.tokens, ready.rows[name][:limit], device)
    n = 2000 if quick else None
    out = {}
    en, ja = of("held_en", n), of("held_ja", n)
    taught = torch.tensor(ready.taught("held")[:n], device=device).float()
    t = translation(en, ja)
    if not quick:
        for d in t:
            rows = t[d]["rows"].cpu().numpy()
            t[d]["by_source"] = {s: round(float((rows[ready.held_source == i] < 1).mean()), 4) for i, s in enumerate(ready.info["sources"]) if (ready.held_source == i).any()}
    out["translation"] = {d: {k: v for k, v in x.items() if k != "rows"} for d, x in t.items()}
    out["translation"]["cosine_to_teacher"] = {"en": float((en * taught).sum(1).mean()), "ja": float((ja * taught).sum(1).mean())}
    out["similarity"] = {}
    for s in ready.info["similarity"]:
        a, b = of(f"sim_a:{s}", n), of(f"sim_b:{s}", n)
        own = (a * b).sum(1).cpu().numpy()
        ta, tb = (torch.tensor(ready.taught(f"sim_{x}:{s}")[:n]).float() for x in "ab")
        gold = (ta * tb).sum(1).numpy()
        label = np.array(ready.info["labels"][s][:n])
        row = {"entails_area": area(own, label == "E"), "entails_against_neutral": area(own[label != "C"], (label == "E")[label != "C"])}
        if s in ("sick", "jsick_english"):
            row.update(like_teacher=rank_correlation(own, gold), teacher_entails_area=area(gold, label == "E"), teacher_entails_against_neutral=area(gold[label != "C"], (label == "E")[label != "C"]))
        out["similarity"][s] = row
    if quick:
        s = of("ask:scifact") @ of("doc:scifact").T
        out["search"] = {"scifact": {"dense": float(np.mean([ndcg(t, set(r)) for t, r in zip(s.topk(10, 1).indices.tolist(), ready.info["relevant"]["scifact"])]))}}
        return out
    out["search"] = {}
    for s in ready.info["sets"]:
        ask, docs = of(f"ask:{s}"), of(f"doc:{s}")
        out["search"][s] = searched(ask, docs, ready.info["relevant"][s], ready.bm25[s])
    ask, docs = (torch.tensor(ready.taught(f"{x}:scifact"), device=device).float() for x in ("ask", "doc"))
    out["search"]["scifact_teacher"] = searched(ask, docs, ready.info["relevant"]["scifact"], ready.bm25["scifact"])
    return out


def short(m):
    t, s = m["translation"], m["similarity"]
    line = f"translation r@1 {t['en_ja']['recall_1']:.3f}/{t['ja_en']['recall_1']:.3f} r@10 {t['en_ja']['recall_10']:.3f}/{t['ja_en']['recall_10']:.3f} cosine {t['cosine_to_teacher']['en']:.3f}/{t['cosine_to_teacher']['ja']:.3f}"
    line += " | " + " ".join(f"{k} {v['entails_area']:.3f}" + (f" (teacher {v['teacher_entails_area']:.3f}, like it {v['like_teacher']:.3f})" if "like_teacher" in v else "") for k, v in s.items())
    for k, v in m.get("search", {}).items():
        line += f"\n  {k}: " + " ".join(f"{a} {b:.3f}" for a, b in v.items())
    return line


def main():
    folder, where, name, out = sys.argv[1:5]
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ready = Ready(folder)
    sd = load(where, name)
    layers = 1 + max(int(k.split(".")[1]) for k in sd if k.startswith("layers."))
    net = Net(len(sd["word.weight"]), layers)
    net.load_state_dict(sd, strict=False)
    net = net.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32).eval()
    m = measure(net, ready, device)
    Path(out).write_text(json.dumps(m, indent=1))
    print(short(m))


if __name__ == "__main__":
    main()
